"""The protocol server, asked by the protocol's own client over each of its transports."""

import asyncio
import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from lineduel import lab
from lineduel.agents import duel_tools, mcp_server
from lineduel.agents.duel_tools import DuelTools
from lineduel.agents.mcp_server import MCP_PATH, http_app, make_server
from lineduel.errors import NotNow, TimeLimit
from lineduel.rulebooks import SHIPPED, find_rulebook, rulebook_file
from lineduel.web import Rate
from support.program import Program, wait_until

TOOLS = {
    *("list_games", "rules", "start_game", "game_state", "legal_moves", "play_move"),
    *("choose_number", "resign", "values", "hint", "review", "audit", "compare"),
}


async def called(client: Any, tool: str, **arguments: object) -> Any:
    """What a tool answers; an error is a failure of the test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Any, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


async def play_battle_game(client: Any) -> int:
    """A whole game of Flag Chase against the computer, over any transport; who has won."""
    assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
    state = await called(client, "start_game", game="flag-chase", side=1, opponent="level:1")
    key = state["key"]
    battles = 0
    for _ in range(2000):
        if state["winner"] is not None:
            assert battles > 0
            return int(state["winner"])
        assert state["your_turn"]
        if state["battle"]:
            battles += 1
            state = await called(client, "choose_number", key=key, number=5)
        else:
            offered = await called(client, "legal_moves", key=key)
            move = next(one for one in offered["legal_moves"] if one.endswith("+1"))
            state = await called(client, "play_move", key=key, move=move)
    raise AssertionError("no end")


async def test_a_whole_battle_game_in_this_process() -> None:
    async with Client(make_server()) as client:
        assert await play_battle_game(client) in (1, 2)


async def test_a_whole_battle_game_over_standard_input_and_output() -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "lineduel", "mcp"])
    async with Client(server) as client:
        assert await play_battle_game(client) in (1, 2)


@pytest.fixture
def address() -> Iterator[str]:
    """The server over HTTP, on a free port of this computer."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(http_app(), log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listening.close()


async def test_a_whole_battle_game_over_http(address: str) -> None:
    async with Client(f"{address}{MCP_PATH}") as client:
        assert await play_battle_game(client) in (1, 2)
        with pytest.raises(InvalidStatus):
            connect(f"ws{address.removeprefix('http')}{MCP_PATH}")
        here = DuelTools().values("ctf-tokens")
        there = await called(client, "values", game="ctf-tokens")  # by a worker process
        assert json.dumps(there) == json.dumps(here)


def test_strangers_pages_are_refused(address: str) -> None:
    """Whatever name or origin a page of a stranger gives, it is not ours."""
    import httpx

    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        answer = httpx.post(f"{address}{MCP_PATH}", json=body, headers=headers)
        assert answer.status_code == 403
        assert answer.json()["error"].endswith(".")
    assert httpx.post(f"{address}{MCP_PATH}", content=b"x" * (2 << 20)).status_code in (
        406,
        413,
        400,
    )


def test_too_many_requests_are_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    import httpx

    monkeypatch.setattr(mcp_server, "REQUESTS", Rate(at_once=3, each_second=0))
    with httpx.Client() as client:
        answers = [client.post(f"{address}{MCP_PATH}", json={}) for _ in range(4)]
    assert [one.status_code == 429 for one in answers] == [False, False, False, True]
    assert answers[-1].json() == {"error": "Too many requests from your address. Wait a moment."}
    assert answers[-1].headers["retry-after"]


async def test_a_request_that_was_answered_leaves_its_place_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However it was answered, an address may have as many at once as before."""
    monkeypatch.setattr(mcp_server, "MOST_FROM_ADDRESS", 1)
    statuses = list[int]()

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    app = http_app()
    for _ in range(3):
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/nowhere",
            "raw_path": b"/nowhere",
            "root_path": "",
            "query_string": b"",
            "headers": [(b"host", b"localhost")],
            "client": ("192.0.2.1", 1),
            "server": ("localhost", 80),
            "scheme": "http",
            "http_version": "1.1",
        }
        await app(scope, receive, send)
    assert statuses == [404] * 3


async def test_an_address_may_start_as_many_games_as_on_the_game_server(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setitem(mcp_server._RATES, "start_game", Rate(at_once=2, each_second=0))
    async with Client(f"{address}{MCP_PATH}") as client:
        keys = [
            (await called(client, "start_game", game="ctf-tokens", opponent="person"))["key"]
            for _ in range(2)
        ]
        told = await refused(client, "start_game", game="ctf-tokens", opponent="person")
        assert told.endswith("Too many requests from your address. Wait a moment.")
        for key in keys:
            assert (await called(client, "game_state", key=key))["you_are"] == 1


def test_a_request_that_does_not_end_is_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Its body never comes."""
    monkeypatch.setattr(mcp_server, "SECONDS_TO_ANSWER", 0.1)
    port = int(address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as stuck:
        stuck.sendall(
            f"POST {MCP_PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{".encode()
        )
        said = b""
        while b"seconds." not in said:
            part = stuck.recv(4096)
            assert part, said
            said += part
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b"The request took longer than 0.1 seconds." in said


async def test_a_request_that_is_under_way_is_told_that_the_server_stops() -> None:
    """Nothing is printed about it."""
    sent: list[Any] = []
    waiting = asyncio.Event()

    async def receive() -> Any:
        waiting.set()
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": MCP_PATH,
        "raw_path": MCP_PATH.encode(),
        "query_string": b"",
        "root_path": "",
        "client": ("127.0.0.1", 1),
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
    }
    asked = asyncio.create_task(http_app()(scope, receive, send))
    await waiting.wait()
    asked.cancel()
    await asked
    assert sent[0]["status"] == 503
    assert json.loads(sent[1]["body"]) == {"error": "The server is stopping."}


def test_games_are_kept_up_to_a_limit_for_each_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was used least recently makes room, with the keys of both seats."""
    monkeypatch.setattr(duel_tools, "MOST_GAMES_OF_ONE", 3)
    monkeypatch.setattr(duel_tools, "MOST_GAMES", 5)
    asker = "one"
    tools = DuelTools(asker=lambda: asker)

    def start() -> dict[str, Any]:
        return tools.start_game("ctf-tokens", opponent="person")

    def kept(games: list[dict[str, Any]]) -> list[bool]:
        there = [[game[name] in tools._games for name in ("key", "other_key")] for game in games]
        assert all(one == other for one, other in there)
        return [one for one, _ in there]

    games = [start() for _ in range(3)]
    assert kept(games) == [True, True, True]
    tools.game_state(games[0]["other_key"])
    games.append(start())
    assert kept(games) == [True, False, True, True]
    asker = "two"
    others = [start() for _ in range(3)]
    assert kept(games) == [True, False, False, True]
    assert kept(others) == [True, True, True]


def test_work_that_takes_too_long_or_waits_for_others_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a sentence, and the next is answered."""
    monkeypatch.setattr(duel_tools, "SECONDS_TO_WAIT", 0.01)
    asked: list[object] = []

    def work(function: Any, *arguments: object) -> object:
        asked.append(function)
        with pytest.raises(NotNow, match="Others are being answered"):
            tools.values("flag-chase")
        if len(asked) == 1:
            raise TimeLimit("This took longer than 60 seconds, so it was stopped.")
        return function(*arguments)

    tools = DuelTools(work=work)
    with pytest.raises(TimeLimit):
        tools.values("ctf-tokens")
    assert tools.values("ctf-tokens")["moves"]


class Asking:
    """A client, and the tools that it has been asked for."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.tools: set[str] = set()

    async def call_tool(self, tool: str, arguments: dict[str, object]) -> Any:
        self.tools.add(tool)
        return await self.client.call_tool(tool, arguments)


async def chosen_secretly(client: Any, game: str, secret: int) -> tuple[str, str, Any]:
    """The keys of both seats, where player 2 has chosen a number and player 1 has not; what
    player 2 was told."""
    state = await called(client, "start_game", game=game, opponent="person")
    one, two = state["key"], state["other_key"]
    for key, move in ((one, "P1+1"), (two, "P2+1"), (one, "P1+1"), (two, "P2+1")):
        state = await called(client, "play_move", key=key, move=move)
        if state["battle"]:
            break
    assert state["battle"]
    return one, two, await called(client, "choose_number", key=two, number=secret)


async def everything_said(client: Any, key: str, game: str) -> str:
    """What every tool says while a battle is open to a seat that has not chosen."""
    state = await called(client, "game_state", key=key)
    said: list[Any] = [state, await called(client, "legal_moves", key=key)]
    said.append(await called(client, "review", key=key))
    said += [
        await called(client, tool, game=game, position=state["position"])
        for tool in ("values", "hint")
    ]
    said.append(await refused(client, "play_move", key=key, move="P1+1"))
    said.append(await refused(client, "choose_number", key="guessed", number=1))
    said.append(await refused(client, "choose_number", key=key, number=99))
    for tool in ("rules", "audit"):
        said.append(await called(client, tool, game=game))
    said.append(await called(client, "compare", game=game, other=game))
    said.append(await called(client, "list_games"))
    other = await called(client, "start_game", game=game, opponent="person")
    said.append({name: other[name] for name in other if "key" not in name})
    return json.dumps(said)


QUICK_CHASE = """
title = "Quick Chase"
summary = "A battle after two moves."
track = { first = 1, last = 3 }
player1 = { pieces = { P1 = 1 }, goal = [3] }
player2 = { pieces = { P2 = 3 }, goal = [1] }
move = { steps = [1] }
meet = { enemy = "battle" }
battle = { numbers = 3, hand = "spent", tie = "attacker" }
"""


@pytest.mark.parametrize("game", ["flag-chase", QUICK_CHASE], ids=["kept", "spent"])
async def test_no_tool_tells_a_number_before_both_have_chosen(game: str) -> None:
    """Two games differ only in a secret number: every answer of every tool is the same."""
    async with Client(make_server(DuelTools())) as connected:
        client, said = Asking(connected), []
        for secret in (1, 2):
            one, two, told = await chosen_secretly(client, game, secret)
            assert told["have_chosen"] == [2]
            heard = [json.dumps(told), await everything_said(client, one, game)]
            assert "Player 2 has chosen" in await refused(
                client, "choose_number", key=two, number=1
            )
            after = await called(client, "choose_number", key=one, number=3)
            assert after["moves"][-1] == f"3:{secret}"
            one, two, _ = await chosen_secretly(client, game, secret)
            given_up = await called(client, "resign", key=one)
            assert given_up["winner"] == 2
            heard += [json.dumps(given_up), json.dumps(await called(client, "review", key=one))]
            said.append(heard)
        assert said[0] == said[1]
        assert client.tools == TOOLS


async def test_a_spent_number_cannot_be_chosen_again() -> None:
    async with Client(make_server(DuelTools())) as client:
        one, two, _ = await chosen_secretly(client, QUICK_CHASE, 2)
        state = await called(client, "choose_number", key=one, number=3)
        assert state["position"].endswith(";12/13")
        while not state["battle"]:
            mover = one if (await called(client, "game_state", key=one))["your_turn"] else two
            (move, *_) = (await called(client, "legal_moves", key=mover))["legal_moves"]
            state = await called(client, "play_move", key=mover, move=move)
        assert (await called(client, "legal_moves", key=one))["numbers"] == [1, 2]
        assert "1 or 2" in await refused(client, "choose_number", key=one, number=3)


def test_a_programs_number_does_not_exist_before_the_other_one_is_in() -> None:
    tools = DuelTools()
    state = tools.start_game("flag-chase", 1, "level:1")
    key = state["key"]
    for _ in range(2000):
        if state["battle"]:
            break
        state = tools.play_move(key, "P1+1")
    assert state["battle"]
    assert dict(tools._games[key].session.secret_numbers) == {}


async def test_every_tool_answers_about_every_game() -> None:
    async with Client(make_server()) as client:
        listed = await called(client, "list_games")
        assert [one["game"] for one in listed["games"]] == list(SHIPPED)
        for game in SHIPPED:
            assert (await called(client, "rules", game=game, phrasing="brief"))["rules"]
            values = await called(client, "values", game=game)
            assert values["moves"]
            assert (await called(client, "hint", game=game))["hint"]
        text = Path(rulebook_file("ctf-tokens")).read_text(encoding="utf-8")
        assert (await called(client, "audit", game=text))["claims"]
        two = await called(client, "compare", game="ctf-tokens", other="flag-chase")
        assert [one["game"] for one in two["audits"]] == ["ctf-tokens", "flag-chase"]
        assert two["comparison"] == list(
            lab.side_by_side(
                ["ctf-tokens", "flag-chase"],
                [
                    lab.audit(find_rulebook(one), everything=True)
                    for one in ("ctf-tokens", "flag-chase")
                ],
            )
        )


async def test_bad_arguments_are_answered_in_sentences() -> None:
    async with Client(make_server()) as client:
        assert "TOML" in await refused(client, "rules", game="/etc/passwd")
        assert "TOML" in await refused(client, "audit", game="x = [\n")
        assert "valid position" in await refused(
            client, "values", game="cross-over", position="nowhere"
        )
        assert "no game with this key" in await refused(client, "game_state", key="x")
        assert "nobody" in await refused(client, "start_game", game="cross-over", opponent="nobody")
        state = await called(client, "start_game", game="cross-over", opponent="level:1")
        assert "not a move" in await refused(client, "play_move", key=state["key"], move="up")


def test_without_the_package_the_extra_is_named(program: Program) -> None:
    code = "import sys\nsys.modules['mcp'] = None\nfrom lineduel.cli.main import main\n"
    done = program.python("-c", f"{code}sys.exit(main(['mcp']))")
    assert done.status == 2
    assert "pip install 'lineduel[mcp]'" in done.err
