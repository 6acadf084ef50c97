"""Work for guests: addresses take turns, moves never wait for solving, abandoned work ends."""

import asyncio
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from lineduel.errors import TooManyRequests, WorkStopped
from lineduel.jobs import LimitedWorkers, tell_parent
from lineduel.web.work_queue import MOST_WAITING, FairTurns, WorkQueue, while_connected
from support.program import PATIENCE, wait_until
from support.web_server import Server

SLOW_BATTLES = """
title = "Slow battles {number}"
summary = "Solving it takes minutes."
[track]
first = 0
last = 13
[player1]
pieces = {{ A = 0, B = 1 }}
goal = [13]
[player2]
pieces = {{ E = 13, F = 12 }}
goal = [0]
[turn]
first = "player1"
[move]
steps = [-1, 1, 2]
edge = "stay"
jump = true
[meet]
own = "blocked"
enemy = "battle"
[battle]
numbers = 5
wins = "undercut"
loser = "sent home"
tie = "both"
"""


@pytest.fixture
def own_server(tmp_path: Path, solutions: Path) -> Iterator[Server]:
    """A server that nobody else keeps busy."""
    with Server(tmp_path, "--behind-proxy", "127.0.0.1", cache=solutions) as server:
        yield server


def sent(server: Server, path: str, body: dict[str, object], address: str) -> socket.socket:
    """A request of some address, behind a proxy, for whose answer nobody has waited yet."""
    text = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {address}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    )
    connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    connection.sendall(head.encode() + text)
    return connection


@contextmanager
def solving(server: Server, path: str, addresses: list[str], **more: object) -> Iterator[None]:
    """Requests that take minutes to solve, each for another rulebook; they hang up in the end."""
    with ExitStack() as stack:
        for number, address in enumerate(addresses):
            body = {"toml": SLOW_BATTLES.format(number=number), **more}
            stack.enter_context(sent(server, path, body, address))
        yield


def ask(server: Server, path: str, body: object, address: str) -> tuple[int, Any]:
    return server.ask(path, body, headers={"X-Forwarded-For": address})


def play_against_level_3(server: Server) -> None:
    """A game is created, and the computer answers a move in it."""
    created = server.create(game="cross-over", opponent="level:3", seat="P1")
    with server.join(created["id"], created["seats"]["P1"]) as client:
        client.move()
        while client.view["turn"] < 2:
            client.next("turn", "view")


def test_computers_move_while_all_solvers_are_busy(own_server: Server) -> None:
    """However many addresses want a perfect opponent, and wait for it."""
    addresses = [f"10.0.0.{number % 8}" for number in range(40)]
    with solving(own_server, "/api/live", addresses, opponent="perfect"):
        play_against_level_3(own_server)


def test_computers_move_after_many_perfect_opponents_were_abandoned(own_server: Server) -> None:
    with solving(own_server, "/api/live", ["10.0.0.1"] * 40, opponent="perfect"):
        pass
    play_against_level_3(own_server)
    wait_until(lambda: ask(own_server, "/api/study", {"game": "flag-chase"}, "10.0.0.1")[0] == 200)


def test_a_study_does_not_wait_for_abandoned_audits(own_server: Server) -> None:
    """Not even one from the same address: they end with their connections."""
    with solving(own_server, "/api/audit", ["10.0.0.1"] * 20):
        pass
    assert ask(own_server, "/api/study", {"game": "flag-chase"}, "10.0.0.1")[0] == 200


def test_an_address_that_waits_for_too_much_is_refused_and_others_are_served(
    own_server: Server,
) -> None:
    refusal = (
        429,
        {
            "error": "24 requests from your address are waiting to be worked on. "
            "Wait for one of them, then try again."
        },
    )
    with solving(own_server, "/api/audit", ["10.0.0.1"] * (MOST_WAITING + 8)):
        wait_until(
            lambda: ask(own_server, "/api/study", {"game": "flag-chase"}, "10.0.0.1") == refusal
        )
        judged = ask(own_server, "/api/design/verdicts", {"game": "flag-chase"}, "10.0.0.1")
        assert judged[0] == 429
        assert ask(own_server, "/api/study", {"game": "flag-chase"}, "10.0.0.2")[0] == 200
    wait_until(lambda: ask(own_server, "/api/study", {"game": "flag-chase"}, "10.0.0.1")[0] == 200)


async def entered(turns: FairTurns, address: str, order: list[str]) -> None:
    await turns.enter(address)
    order.append(address)


async def test_addresses_take_turns() -> None:
    """Whoever asks for one thing waits for one of each of the others, not for all of theirs."""
    turns, order = FairTurns(lambda: 1), list[str]()
    tasks = [asyncio.create_task(entered(turns, address, order)) for address in "xaaabbc"]
    for number in range(len(tasks)):
        while len(order) == number:
            await asyncio.sleep(0)
        turns.leave(order[-1])
    await asyncio.gather(*tasks)
    assert "".join(order) == "xabcaba"


async def test_one_address_never_has_all_places() -> None:
    turns, order = FairTurns(lambda: 3), list[str]()
    tasks = [asyncio.create_task(entered(turns, address, order)) for address in "aaab"]
    while len(order) < 3:
        await asyncio.sleep(0)
    assert sorted(order) == ["a", "a", "b"]
    turns.leave("a")
    await asyncio.gather(*tasks)
    assert order[-1] == "a"


async def test_whoever_gives_up_waiting_is_passed_over() -> None:
    """Even at the moment of their turn, which the next one gets then."""
    turns, order = FairTurns(lambda: 1), list[str]()
    await turns.enter("a")
    tasks = {
        address: asyncio.create_task(entered(turns, address, order)) for address in ("b", "c", "d")
    }
    await asyncio.sleep(0)
    tasks["b"].cancel()  # it has not noticed that when it would be its turn
    turns.leave("a")
    tasks["c"].cancel()  # it was its turn
    await asyncio.wait(tasks.values(), timeout=PATIENCE)
    assert order == ["d"]
    turns.leave("d")
    await asyncio.wait_for(turns.enter("b"), PATIENCE)


async def test_the_number_that_may_wait_is_bounded_for_each_address() -> None:
    turns = FairTurns(lambda: 0)
    tasks = [asyncio.create_task(turns.enter("a")) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyRequests):
        turns.check("a")
    turns.check("b")
    tasks[0].cancel()
    await asyncio.wait(tasks[:1])
    turns.check("a")
    for task in tasks:
        task.cancel()


def say_who_and_work() -> None:
    tell_parent(os.getpid())
    threading.Event().wait(PATIENCE)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_work_that_nobody_waits_for_is_ended_with_its_process() -> None:
    """Whoever comes next has its place."""
    workers = LimitedWorkers(1)
    queue = WorkQueue(workers)
    try:
        stream = queue.stream(say_who_and_work, seconds=PATIENCE, address="a")
        process = await anext(stream)
        assert is_running(process)
        waiting = asyncio.create_task(queue.run(os.getpid, seconds=PATIENCE, address="b"))
        await stream.aclose()  # type: ignore[attr-defined]  # it is a generator
        assert await waiting != process
        assert not is_running(process)
    finally:
        workers.close()


async def test_a_client_that_hangs_up_takes_its_work_along() -> None:
    messages = [{"type": "http.request"}, {"type": "http.disconnect"}]
    ended = asyncio.Event()

    async def receive() -> dict[str, str]:
        await asyncio.sleep(0)
        return messages.pop(0)

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(WorkStopped):
        await while_connected(receive, work())
    await asyncio.wait_for(ended.wait(), PATIENCE)


async def test_a_client_that_waits_gets_its_answer() -> None:
    async def receive() -> dict[str, str]:
        await asyncio.Event().wait()
        return {}

    async def work() -> int:
        await asyncio.sleep(0)
        return 3

    assert await while_connected(receive, work()) == 3
