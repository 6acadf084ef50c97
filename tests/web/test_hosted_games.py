"""Nothing is shown before it is stored; what could not be stored is taken back."""

import asyncio
import json
import time
from typing import Any

import msgspec
import pytest

from lineduel.engine import Step
from lineduel.errors import NotNow, StorageError
from lineduel.play import (
    AnswerUndo,
    AskUndo,
    ChooseNumber,
    ClaimGame,
    GiveName,
    Intent,
    LiveGame,
    OfferRematch,
    PassTurn,
    PlayMove,
    Redo,
    Resign,
    Session,
    Sides,
    TakeSeatBack,
)
from lineduel.rules import Side
from lineduel.web.database import Entry, GameInfo, Loaded
from lineduel.web.hosted_game import NOTHING_SENT
from lineduel.web.hosted_games import HostedGames
from lineduel.web.live_requests import Request, intent_of, request_of
from lineduel.web.request_limits import AddressLimits
from lineduel.web.rulebook_shelf import (
    PlayedRulebook,
    RulebookShelf,
    shipped_text,
    stored_rulebook,
)
from lineduel.web.socket import LiveSocket

INFO = GameInfo(
    id="abc",
    rulebook=shipped_text("cross-over", None),
    start="0,1,2/10,9,8/1",
    seats=("human", "human"),
    seat_hashes=("a", "b"),
    invite_hash=None,
    spectator_hash=None,
)


class SlowDatabase:
    """Keeps what it is given until it is told how that went."""

    is_shared = False

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def start(self, deliver: object) -> None:
        pass

    def submit(self, entry: Entry) -> None:
        self.entries.append(entry)

    def load(self, id: str) -> Loaded:
        return Loaded(INFO, [], {})


class Watcher:
    """A guest who remembers what was sent."""

    def __init__(self, sides: Sides) -> None:
        self.address = ""
        self.sides = sides
        self.seen = NOTHING_SENT
        self.frames: list[dict[str, Any]] = []

    def post(self, frame: str) -> None:
        self.frames.append(json.loads(frame))


def rooms_on(database: SlowDatabase) -> HostedGames:
    return HostedGames(database, None, RulebookShelf(None))  # type: ignore[arg-type]


async def test_nobody_is_told_of_a_move_before_it_is_stored() -> None:
    """Neither the mover, the opponent nor whoever comes in meanwhile."""
    database = SlowDatabase()
    hosted_games = rooms_on(database)
    hosted = await hosted_games.find("abc")
    one, two, late = (Watcher(frozenset(sides)) for sides in ({Side.ONE}, {Side.TWO}, ()))
    for guest in (one, two):
        hosted_games.enter(hosted, guest)
    before = len(one.frames), len(two.frames)
    hosted_games.hear(hosted, one, '{"do": "move", "id": 1, "move": "P1-C+1", "turn": 0}')
    hosted_games.enter(hosted, late)
    hosted_games.hear(hosted, two, '{"do": "view", "id": 5}')
    shown = [frame for frame in (*one.frames, *two.frames) if frame.get("turn") == 1]
    assert (shown, late.frames) == ([], [])
    assert before == (2, 1)
    for entry in database.entries:
        entry.after(None)
    assert one.frames[-1]["done"] == 1
    assert [frame["type"] for frame in two.frames[-2:]] == ["turn", "view"]
    assert (late.frames[0]["type"], late.frames[0]["turn"]) == ("view", 1)


async def test_what_cannot_be_stored_is_refused_and_everybody_sees_what_is() -> None:
    database = SlowDatabase()
    hosted_games = rooms_on(database)
    hosted = await hosted_games.find("abc")
    one, two = (Watcher(frozenset({side})) for side in Side)
    for guest in (one, two):
        hosted_games.enter(hosted, guest)
    hosted_games.hear(hosted, one, '{"do": "move", "id": 1, "move": "P1-C+1", "turn": 0}')
    database.entries[0].after(StorageError("It could not be stored: disk full."))
    assert one.frames[-1] == {
        "type": "refused",
        "id": 1,
        "error": "It could not be stored: disk full.",
    }
    again = await hosted_games.find("abc")
    while not again.guests:
        await asyncio.sleep(0)
    for guest in (one, two):
        assert (guest.frames[-1]["type"], guest.frames[-1]["turn"]) == ("view", 0)
    hosted_games.hear(again, one, '{"do": "move", "id": 2, "move": "P1-C+1", "turn": 0}')
    database.entries[-1].after(None)
    assert two.frames[-1]["turn"] == 1


@pytest.mark.parametrize(
    ("intent", "by"),
    [
        (PlayMove(Step("P1", 1), 0), {Side.ONE}),
        (PassTurn(3), {Side.ONE}),
        (AskUndo(Side.TWO), {Side.TWO}),
        (AskUndo(), set(Side)),
        (AnswerUndo(yes=True), {Side.TWO}),
        (AnswerUndo(yes=False), {Side.TWO}),
        (Resign(Side.ONE), {Side.ONE}),
        (OfferRematch(), {Side.ONE}),
        (GiveName("Ann", Side.TWO), set(Side)),
        (ClaimGame("computer"), {Side.ONE}),
        (TakeSeatBack(), {Side.ONE}),
    ],
)
def test_what_a_terminal_asks_for_is_what_the_server_understands(
    intent: Intent, by: set[Side]
) -> None:
    text = shipped_text("flag-chase", None)
    played = PlayedRulebook(text, stored_rulebook(text))
    live = LiveGame(Session(played.game))
    request = msgspec.convert(request_of(intent), Request)
    assert request.do != "view"
    assert intent_of(request.do, request, live, played, frozenset(by)) == intent


def test_a_number_is_asked_for_with_its_side_and_turn() -> None:
    assert request_of(ChooseNumber(4, 7, Side.TWO)) == {
        "do": "number",
        "number": 4,
        "turn": 7,
        "side": "P2",
    }
    with pytest.raises(NotNow, match="where everybody plays at one screen"):
        request_of(Redo())


async def test_a_client_that_is_gone_keeps_nothing_from_others() -> None:
    """However sending fails, at once or later, nothing is raised, and nothing more is tried."""
    tried: list[str] = []

    async def closed(message: dict[str, str]) -> None:
        tried.append(message["type"])
        raise RuntimeError("Unexpected message 'websocket.send', after sending 'websocket.close'.")

    async def closed_later(message: dict[str, str]) -> None:
        await asyncio.sleep(0)
        await closed(message)

    for send in (closed, closed_later):
        tried.clear()
        guest = LiveSocket(rooms_on(SlowDatabase()), AddressLimits(8, time.monotonic), send)
        for _ in range(3):
            guest.post("{}")
        while guest._sending is not None:
            await guest._sending
        guest.post("{}")
        assert tried == ["websocket.send"]
