"""Nothing is shown before it is stored; what could not be stored is taken back."""

import asyncio
import json
import time
from typing import Any

import msgspec
import pytest

from lineduel.documents import LiveView
from lineduel.engine import Numbers, Step
from lineduel.errors import NotNow, StorageError, TooManyRequests
from lineduel.play import (
    AnswerStop,
    AnswerUndo,
    AskUndo,
    ChooseNumber,
    ClaimGame,
    GiveName,
    Intent,
    LiveEvent,
    LiveGame,
    MovePlayed,
    NameGiven,
    OfferRematch,
    OfferStop,
    PassTurn,
    PlayMove,
    Redo,
    Resign,
    Session,
    Sides,
    TakeSeatBack,
)
from lineduel.record import parse_move
from lineduel.rules import Side
from lineduel.web.database import Entry, Journal, Loaded
from lineduel.web.game_changes import GameInfo, Prune
from lineduel.web.hosted_game import NOTHING_SENT, Elsewhere, HostedGame
from lineduel.web.hosted_games import MOST_EVENTS, MOST_TURNS, HostedGames, _finish
from lineduel.web.live_requests import Request, intent_of, request_of
from lineduel.web.request_limits import (
    MOST_FOR_A_SEAT,
    MOST_WATCHING,
    VIEWS_OF_GAME,
    AddressLimits,
    Bucket,
)
from lineduel.web.rulebook_shelf import (
    PlayedRulebook,
    RulebookShelf,
    shipped_text,
    stored_rulebook,
)
from lineduel.web.tokens import INVITE, SEAT, hashed, new_token

INFO = GameInfo(
    id="abc",
    rulebook=shipped_text("cross-over", None),
    start="0,1,2/10,9,8/1",
    seats=("human", "human"),
    seat_hashes=("a", "b"),
    invite_hash=None,
    spectator_hash=None,
)
FLAG_CHASE = shipped_text("flag-chase", None)


class SlowDatabase:
    """Keeps what it is given until it is told how that went."""

    is_shared = False

    def __init__(self, info: GameInfo = INFO) -> None:
        self.info = info
        self.entries: list[Entry] = []

    def start(self, deliver: object) -> None:
        pass

    def submit(self, entry: Entry) -> None:
        self.entries.append(entry)

    def load(self, id: str) -> Loaded:
        return Loaded(self.info, [], {})


class Watcher:
    """A guest who remembers what was sent."""

    def __init__(self, sides: Sides) -> None:
        self.address = ""
        self.sides = sides
        self.seen = NOTHING_SENT
        self.address = "192.0.2.1"
        self.frames: list[dict[str, Any]] = []
        self.dismissed: list[str] = []

    def post(self, frame: bytes) -> None:
        self.frames.append(json.loads(frame))

    def dismiss(self, error: str) -> None:
        self.dismissed.append(error)


def rooms_on(database: SlowDatabase) -> HostedGames:
    limits = AddressLimits(8, time.monotonic)
    return HostedGames(database, None, RulebookShelf(None), limits)  # type: ignore[arg-type]


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


async def test_a_game_has_places_for_as_many_as_are_allowed() -> None:
    """One more spectator is refused; one more connection of a player ends the oldest of them."""
    hosted_games = rooms_on(SlowDatabase())
    hosted = await hosted_games.find("abc")
    for _ in range(MOST_WATCHING):
        hosted_games.enter(hosted, Watcher(frozenset()))
    with pytest.raises(TooManyRequests):
        hosted_games.enter(hosted, Watcher(frozenset()))
    players = [Watcher(frozenset({Side.ONE})) for _ in range(MOST_FOR_A_SEAT + 1)]
    for number, one in enumerate(players):
        assert not any(other.dismissed for other in players), number
        hosted_games.enter(hosted, one)
    assert [bool(one.dismissed) for one in players] == [True] + [False] * MOST_FOR_A_SEAT
    hosted_games.enter(hosted, Watcher(frozenset({Side.TWO})))
    assert len(hosted.guests) == MOST_WATCHING + MOST_FOR_A_SEAT + 1


async def test_the_whole_of_one_game_is_not_sent_too_often_to_many_addresses() -> None:
    """Each of them asks for less than an address may."""
    hosted_games = rooms_on(SlowDatabase())
    hosted_games._clock = lambda: 0.0
    hosted = await hosted_games.find("abc")
    hosted.views_left = Bucket(VIEWS_OF_GAME, 0.0)
    guest = Watcher(frozenset({Side.ONE}))
    hosted_games.enter(hosted, guest)
    guest.frames.clear()
    for number in range(int(VIEWS_OF_GAME.at_once) + 1):
        guest.address = f"192.0.2.{number % 4}"
        hosted_games.hear(hosted, guest, '{"do": "view"}')
    assert {frame["type"] for frame in guest.frames[:-1]} == {"view"}
    assert guest.frames[-1]["error"] == "This game is asked for too often. Wait a moment."


async def test_a_view_is_made_once_until_something_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for it again is sent the same."""
    made: list[int] = []
    view = HostedGame.view

    def counted(hosted: HostedGame, *given: Any) -> LiveView:
        made.append(hosted.version)
        return view(hosted, *given)

    monkeypatch.setattr(HostedGame, "view", counted)
    database = SlowDatabase()
    hosted_games = rooms_on(database)
    hosted = await hosted_games.find("abc")
    one, two = (Watcher(frozenset({side})) for side in Side)
    for guest in (one, two):
        hosted_games.enter(hosted, guest)
    made.clear()
    for _ in range(3):
        hosted_games.hear(hosted, one, '{"do": "view"}')
    assert len(made) <= 1
    hosted_games.hear(hosted, one, '{"do": "move", "move": "P1-C+1", "turn": 0}')
    database.entries[-1].after(None)
    for _ in range(3):
        hosted_games.hear(hosted, one, '{"do": "view"}')
    assert made[-1:] == [1]
    assert made.count(1) == 1
    assert one.frames[-1]["turn"] == 1


async def test_old_games_are_removed_a_few_at_a_time() -> None:
    """So that moves need not wait for thousands of them."""
    removed: list[Prune] = []
    ids = [f"{number:04}" for number in range(250)]

    class Pruned(SlowDatabase):
        def ids_after(self, id: str, most: int) -> list[str]:
            return [one for one in ids if one > id][:most]

        def submit(self, entry: Entry) -> None:
            assert entry.change is not None
            assert entry.change.prune is not None
            removed.append(entry.change.prune)
            entry.after(None)

    await rooms_on(Pruned()).prune(3)
    assert [one for prune in removed for one in prune.games] == ids
    assert [len(prune.games) for prune in removed] == [100, 100, 50, 0]


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
    while one.frames[-1]["type"] != "view":
        await asyncio.sleep(0)
    for guest in (one, two):
        assert (guest.frames[-1]["type"], guest.frames[-1]["turn"]) == ("view", 0)
    hosted_games.hear(hosted, one, '{"do": "move", "id": 2, "move": "P1-C+1", "turn": 0}')
    database.entries[-1].after(None)
    assert two.frames[-1]["turn"] == 1


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "move", "move": "P1-C+1", "turn": 0},
        {"do": "name", "name": "Ann"},
        {"do": "stop"},
        {"do": "react", "reaction": "wow"},
        {"do": "resign"},
    ],
    ids=lambda asked: asked["do"],
)
async def test_nothing_is_left_of_what_could_not_be_stored(asked: dict[str, object]) -> None:
    """Everybody is shown the same game as before, whatever was asked for."""
    database = SlowDatabase()
    games = rooms_on(database)
    hosted = await games.find("abc")
    guests = [Watcher(frozenset({side})) for side in Side]
    for guest in guests:
        games.enter(hosted, guest)
    before = []
    for guest in guests:
        games.hear(hosted, guest, '{"do": "view"}')
        before.append(guest.frames[-1])
    games.hear(hosted, guests[0], json.dumps(asked))
    assert hosted.version == 1
    database.entries[-1].after(StorageError("It could not be stored: disk full."))
    while hosted.is_catching_up:
        await asyncio.sleep(0)
    assert [guest.frames[-1] for guest in guests] == before


@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_friend_is_let_in_once_the_seat_is_stored(is_stored: bool) -> None:
    """Not before, and not at all if that fails."""
    invitation, own = new_token(INVITE), new_token(SEAT)
    database = SlowDatabase(
        msgspec.structs.replace(INFO, seat_hashes=("a", None), invite_hash=hashed(invitation))
    )
    games = rooms_on(database)
    hosted = await games.find("abc")
    coming = asyncio.create_task(games.admit(hosted, invitation, own))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not coming.done()
    database.entries[-1].after(None if is_stored else StorageError("The disk is full."))
    if is_stored:
        assert await coming == {Side.TWO}
        return
    with pytest.raises(StorageError):
        await coming
    while hosted.is_catching_up:
        await asyncio.sleep(0)
    assert not hosted.live.is_joined


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
        (OfferStop(Side.ONE), {Side.ONE}),
        (AnswerStop(yes=True), {Side.TWO}),
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


async def test_a_live_game_ends_after_a_stated_number_of_turns() -> None:
    """So that no game grows without bounds; a rematch is always possible."""
    info = msgspec.structs.replace(INFO, rulebook=FLAG_CHASE, start="1/5/1")
    database = SlowDatabase(info)
    hosted_games = rooms_on(database)
    hosted = await hosted_games.find("abc")
    guest = Watcher(frozenset(Side))
    hosted_games.enter(hosted, guest)
    for turn in range(MOST_TURNS):
        move = "P1-1" if turn % 2 == 0 else "P2-1"
        request = {"do": "move", "move": move, "turn": turn}
        hosted_games.hear(hosted, guest, json.dumps(request))
        database.entries.pop().after(None)
    assert guest.frames[-1]["turn"] == MOST_TURNS
    assert guest.frames[-1]["result"]["winner"] is None
    hosted_games.hear(hosted, guest, '{"do": "undo", "side": "P1"}')
    assert guest.frames[-1]["error"] == "The game is over."
    hosted_games.hear(hosted, guest, '{"do": "rematch", "side": "P1"}')
    database.entries.pop().after(None)
    assert guest.frames[-1]["rematch"]["id"]


async def test_a_game_ends_after_a_stated_number_of_events() -> None:
    """Names and undos make a game long, too."""
    database = SlowDatabase()
    hosted_games = rooms_on(database)
    hosted = await hosted_games.find("abc")
    guest = Watcher(frozenset(Side))
    hosted_games.enter(hosted, guest)
    for number in range(MOST_EVENTS - 1):
        request = {"do": "name", "name": f"Ann {number}", "side": "P1"}
        hosted_games.hear(hosted, guest, json.dumps(request))
        database.entries.pop().after(None)
    assert guest.frames[-1]["version"] == MOST_EVENTS
    assert guest.frames[-1]["result"] is not None
    hosted_games.hear(hosted, guest, '{"do": "name", "name": "Bob", "side": "P1"}')
    assert guest.frames[-1]["error"] == "This game has gone on for too long. Offer a rematch."


async def test_a_rematch_that_cannot_be_stored_does_not_exist() -> None:
    """Otherwise moves would be stored for a game that nobody could load."""
    database = SlowDatabase()
    hosted_games = rooms_on(database)
    hosted = await hosted_games.find("abc")
    guest = Watcher(frozenset(Side))
    hosted_games.enter(hosted, guest)
    hosted_games.hear(hosted, guest, '{"do": "resign", "side": "P1"}')
    database.entries.pop().after(None)
    hosted_games.hear(hosted, guest, '{"do": "rematch", "side": "P1"}')
    assert len(hosted_games.all()) == 2
    database.entries.pop().after(StorageError("It could not be stored: disk full."))
    assert hosted_games.all() == [hosted]


async def test_a_mistake_for_one_asker_keeps_the_answer_from_nobody_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is stored together is answered one by one."""
    answered: list[object] = []

    def fail(error: object) -> None:
        raise RuntimeError("a mistake")

    entries = [Entry(Journal(), None, fail), Entry(Journal(), None, answered.append)]
    _finish([(entry, None) for entry in entries])
    assert answered == [None]
    assert "RuntimeError: a mistake" in capsys.readouterr().err


async def test_absences_begin_again_when_a_process_hears_the_others_again() -> None:
    """Nobody is claimed against for a time in which nobody could say that they were there."""
    now = 0.0
    database, limits = SlowDatabase(), AddressLimits(8, lambda: now)
    games = HostedGames(database, None, RulebookShelf(None), limits, 60.0, lambda: now)  # type: ignore[arg-type]
    hosted = await games.find("abc")
    one = frozenset({Side.ONE})
    games.note_elsewhere("abc", "other", Elsewhere((0, 1), 0))
    assert hosted.seconds_to_claim(one, 60.0, now) is None
    games.note_elsewhere("abc", "other", None)
    for now, waits in ((0.0, 60.0), (59.0, 1.0), (60.0, 0.0), (61.0, 0.0)):
        assert hosted.seconds_to_claim(one, 60.0, now) == waits
    games.doubt_absences()
    for now, waits in ((61.0, 60.0), (120.0, 1.0), (121.0, 0.0)):
        assert hosted.seconds_to_claim(one, 60.0, now) == waits
    games.note_elsewhere("abc", "other", Elsewhere((0, 1), 0))
    games.doubt_absences(grace=6.0)
    assert hosted.elsewhere is None
    assert hosted.seconds_to_claim(one, 60.0, now) == 66.0


@pytest.mark.parametrize("is_refused", [False, True], ids=["added", "begun again"])
async def test_who_acts_at_another_process_was_there_until_then(is_refused: bool) -> None:
    """Whether or not they are connected; the other player's absence stays as it was."""
    now, stored = 0.0, list[LiveEvent]()
    database: Any = SlowDatabase()
    limits = AddressLimits(8, lambda: now)
    database.load = lambda _: Loaded(INFO, list(stored), {})
    database.load_after = lambda _, version: (stored[version:], {})
    games = HostedGames(database, None, RulebookShelf(None), limits, 60.0, lambda: now)  # type: ignore[arg-type]
    hosted = await games.find("abc")
    one, two = (frozenset({side}) for side in Side)
    now = 60.0
    assert hosted.seconds_to_claim(two, 60.0, now) == 0.0
    stored.append(NameGiven(Side.ONE, "Ann"))
    hosted.journal.is_broken = is_refused
    games.compare(hosted)
    while hosted.is_catching_up:
        await asyncio.sleep(0.001)
    assert hosted.version == 1
    assert hosted.seconds_to_claim(two, 60.0, now) == 60.0
    assert hosted.seconds_to_claim(one, 60.0, now) == 0.0


async def test_a_battle_at_another_process_shows_that_both_were_there() -> None:
    """Its outcome is of no side, but both have chosen a number."""
    now = 0.0
    info = msgspec.structs.replace(INFO, rulebook=FLAG_CHASE, start="3/3/1*")
    stored: list[LiveEvent] = []
    database: Any = SlowDatabase(info)
    limits = AddressLimits(8, lambda: now)
    database.load_after = lambda _, version: (stored[version:], {})
    games = HostedGames(database, None, RulebookShelf(None), limits, 60.0, lambda: now)  # type: ignore[arg-type]
    hosted = await games.find("abc")
    now = 60.0
    stored.append(MovePlayed(None, Numbers(2, 2)))
    games.compare(hosted)
    while hosted.is_catching_up:
        await asyncio.sleep(0.001)
    assert hosted.version == 1
    for side in Side:
        assert hosted.seconds_to_claim(frozenset({side}), 60.0, now) == 60.0


async def test_games_in_use_are_not_removed_however_old() -> None:
    """Neither those with guests nor those that are only in memory."""

    class Old(SlowDatabase):
        def ids_after(self, last: str, most: int) -> list[str]:
            return [one for one in ("aaa", "abc", "xyz") if one > last][:most]

        def submit(self, entry: Entry) -> None:
            super().submit(entry)
            entry.after(None)

    database = Old()
    games = rooms_on(database)
    await games.find("abc")
    await games.prune(1)
    pruned = [entry.change.prune for entry in database.entries if entry.change is not None]
    assert [list(one.games) for one in pruned if one is not None] == [["aaa", "xyz"], []]


class SlowProgram:
    """A program that has as much time for each answer as a test gives it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, asyncio.Future[Any]]] = []
        self.offered: list[tuple[str, asyncio.Future[Any]]] = []
        """Where it was asked whether it stands better than even."""

    async def choose(self, rulebook: object, seat: str, start: str, at: str, *_: object) -> Any:
        self.asked.append((at, asyncio.get_running_loop().create_future()))
        return await self.asked[-1][1]

    async def is_better_than_even(self, rulebook: object, start: str, at: str, *_: object) -> Any:
        self.offered.append((at, asyncio.get_running_loop().create_future()))
        return await self.offered[-1][1]


AGAINST_PROGRAM = msgspec.structs.replace(
    INFO,
    rulebook=FLAG_CHASE,
    start="1/5/1",
    seats=("human", "level:1"),
    seat_hashes=("a", None),
)


async def test_an_offer_to_stop_is_answered_for_the_position_that_there_is_now() -> None:
    """What a program would have said before the person moved on is no answer any more."""
    database: Any = SlowDatabase(AGAINST_PROGRAM)
    stays: list[LiveEvent] = [
        MovePlayed(side, parse_move(move))
        for side, move in 2 * ((Side.ONE, "P1-1"), (Side.TWO, "P2-1"))
    ]
    database.load = lambda _: Loaded(AGAINST_PROGRAM, stays, {})
    program, limits = SlowProgram(), AddressLimits(8, time.monotonic)
    games = HostedGames(database, program, RulebookShelf(None), limits)  # type: ignore[arg-type]
    hosted = await games.find("abc")
    guest = Watcher(frozenset({Side.ONE}))
    games.enter(hosted, guest)
    for request in ({"do": "stop"}, {"do": "move", "move": "P1-1", "turn": 4}):
        games.hear(hosted, guest, json.dumps(request))
        for _ in range(20):
            await asyncio.sleep(0)
    assert [at for at, _ in program.offered] == ["1/5/1", "1/5/2"]
    for is_over, (_, better) in enumerate(program.offered):
        better.set_result(False)
        for _ in range(20):
            await asyncio.sleep(0)
        assert (hosted.live.is_over, hosted.live.session.winner) == (bool(is_over), None)


async def test_a_programs_choice_for_a_position_that_was_taken_back_is_not_played() -> None:
    """It is asked again for the position that there is now."""
    thinkers, limits = SlowProgram(), AddressLimits(8, time.monotonic)
    games = HostedGames(SlowDatabase(AGAINST_PROGRAM), thinkers, RulebookShelf(None), limits)  # type: ignore[arg-type]
    hosted = await games.find("abc")
    guest = Watcher(frozenset({Side.ONE}))
    games.enter(hosted, guest)
    for request in (
        {"do": "move", "move": "P1+1", "turn": 0},
        {"do": "undo"},
        {"do": "move", "move": "P1-1", "turn": 0},
    ):
        games.hear(hosted, guest, json.dumps(request))
        await asyncio.sleep(0)
    thinkers.asked[0][1].set_result(parse_move("P2+1"))
    for _ in range(20):  # no clock and no thread has a part in it
        await asyncio.sleep(0)
    assert [at for at, _ in thinkers.asked] == ["2/5/2", "1/5/2"]
    assert hosted.live.session.plies == 1
    thinkers.asked[1][1].set_result(parse_move("P2-1"))
    for _ in range(20):
        await asyncio.sleep(0)
    assert [str(move) for move in hosted.live.session.played] == ["P1-1", "P2-1"]
