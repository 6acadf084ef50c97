"""Whatever happens in whatever order: all boards show what is stored, and nothing before it is."""

import asyncio
import json
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from lineduel.documents import (
    LiveBye,
    LivePresence,
    LiveRefused,
    LiveTurn,
    LiveView,
    NewGame,
    as_json,
)
from lineduel.errors import LineduelError
from lineduel.play import NameGiven, RematchBegun, Sides
from lineduel.record import read_position
from lineduel.rules import Rulebook, Side, write_rulebook
from lineduel.web import database, hosted_games
from lineduel.web.database import Database, Entry, Journal, _news
from lineduel.web.game_changes import GameChange, GameInfo, Prune
from lineduel.web.hosted_game import NOTHING_SENT, HostedGame
from lineduel.web.hosted_games import FORGOTTEN_AFTER, HostedGames
from lineduel.web.live_client import _after_turn, _message, _with_presence
from lineduel.web.live_requests import ActionBody
from lineduel.web.live_views import LiveViews
from lineduel.web.other_processes import GONE_AFTER, OtherProcesses, _guests
from lineduel.web.request_limits import AddressLimits
from lineduel.web.rulebook_shelf import RulebookShelf, RulebookText, shipped_text
from lineduel.web.tokens import SEAT, new_token
from play.test_hands import SPENT
from play.test_play import state
from support.repetition import tried

PATIENCE = 30.0
ONE, TWO = (frozenset({side}) for side in Side)
SHOWN = set(LiveView.__struct_fields__) - {"presence", "claim", "done"}


class Disk(Database):
    """The real database, but it writes when the test says so, or fails to."""

    def __init__(self, address: str, process: str) -> None:
        super().__init__(address, process)
        self.waiting: list[Entry] = []
        self._open = self._connected()

    def start(self, deliver: Any) -> None:
        self._deliver = deliver

    def submit(self, entry: Entry) -> None:
        self.waiting.append(entry)

    def write(self, most: int, *, is_full: bool = False) -> list[str]:
        """Store some of what waits; what other processes are told of it."""
        batch, self.waiting = self.waiting[:most], self.waiting[most:]
        results = self._write(None if is_full else self._open, batch)
        self._deliver(results)
        stored = [entry.change for entry, error in results if error is None and entry.change]
        rows = [row for change in stored for row in change.happenings]
        return [*_news(rows)]

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        super().close()


class Computer:
    """Plays for those who are away, any legal move or number."""

    def __init__(self, world: "World") -> None:
        self._world = world

    async def choose(
        self, rulebook: object, seat: str, start: str, position: str, side: Side, address: str
    ) -> Any:
        await asyncio.sleep(0)
        game, chance = self._world.played.game, Random(position)
        where = read_position(game, position)
        if where.battle is not None:
            return chance.choice(game.hand(where, side))
        return chance.choice(game.moves(where))


class Readers:
    """Read rulebooks at once."""

    async def run(self, read: Any, text: RulebookText, **_: object) -> Rulebook:
        return read(text)  # type: ignore[no-any-return]


class Process:
    """A server process with its games and its way to the others."""

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name = world, name
        self.disk = Disk(world.address, name)
        self.games = HostedGames(
            self.disk,
            Computer(world),  # type: ignore[arg-type]
            RulebookShelf(Readers()),  # type: ignore[arg-type]
            AddressLimits(1000, lambda: world.now),
            PATIENCE,
            clock=lambda: world.now,
        )
        self.games.tell_others = lambda hosted: self.tell([_guests(hosted)])
        self.games.ask_others = lambda hosted: self.tell([f"who\t{hosted.info.id}"])
        others: Any = object.__new__(OtherProcesses)
        others._database, others._hosted_games = self.disk, self.games
        others._clock, others._tell = lambda: world.now, self.tell
        others._alive, others._is_closed = {}, False
        self._others = others

    def tell(self, notices: list[str]) -> None:
        self.world.notices += [
            (other, self.name, notice)
            for notice in notices
            for other in self.world.processes
            if other is not self
        ]

    def write(self, most: int = 1000, *, is_full: bool = False) -> None:
        self.tell(self.disk.write(most, is_full=is_full))

    def heed(self, process: str, notice: str) -> None:
        """A notice came; nothing comes over a connection that is lost."""
        if not self.is_deaf:
            self._others._heed(process, notice.split("\t"))

    @property
    def is_deaf(self) -> bool:
        return not self.games.knows_absences

    def lose_connection(self) -> None:
        self._others._grow_deaf()

    def connect_again(self) -> None:
        """All the way that the product goes, up to the first sign of its own life."""
        self._others._deaf_until_now()
        self._others._hear(f"{self.name}\nalive")

    @property
    def is_busy(self) -> bool:
        return bool(self.disk.waiting or self.games._tasks) or any(
            one.pending for one in self.games.all()
        )


class Connection:
    """A guest of a game; what is sent after its end arrives nowhere."""

    def __init__(self, person: "Person") -> None:
        self._person = person
        self.sides, self.address, self.seen = person.sides, person.address, NOTHING_SENT

    def post(self, frame: bytes) -> None:
        if self._person.connection is self:
            try:
                self._person.hear(frame)
            except (AssertionError, KeyError) as error:  # the server would go on
                self._person.world.wrong.append(error)

    def dismiss(self, error: str) -> None:
        self._person.world.wrong.append(AssertionError(error))


class Person:
    """Somebody at a screen, who is sent frames and asks for things."""

    def __init__(self, world: "World", sides: Sides, token: str, key: str | None, at: str) -> None:
        self.world, self.sides, self.token, self.key, self.address = world, sides, token, key, at
        self.connection: Connection | None = None
        self.view: LiveView | None = None
        self.process: Process | None = None
        self.open: set[int] = set()
        """Requests without an answer."""

    async def come(self, process: Process) -> None:
        """Connect, and say what was seen before."""
        hosted = await process.games.find(self.world.game)
        try:
            await self.world.writing(process.games.admit(hosted, self.token, self.key))
        except LineduelError:  # it could not be stored that a friend joined
            return
        self.connection, self.process = Connection(self), process
        version = self.view.version if self.view and self.world.chance.random() < 0.7 else None
        process.games.enter(hosted, self.connection, version)

    def leave(self) -> None:
        process, connection = self.process, self.connection
        assert process is not None
        assert connection is not None
        self.forget()
        hosted = process.games.hosted(self.world.game)
        assert hosted is not None
        process.games.leave(hosted, connection)

    def forget(self) -> None:
        """There is no connection any more."""
        self.process = self.connection = None
        self.open.clear()
        self.world.note_gone(self.sides)

    def ask(self, **request: object) -> None:
        assert self.process is not None
        assert self.connection is not None
        hosted = self.process.games.hosted(self.world.game)
        assert hosted is not None
        number = next(self.world.numbers)
        self.open.add(number)
        self.process.games.hear(hosted, self.connection, json.dumps(request | {"id": number}))

    def hear(self, frame: bytes) -> None:
        """Take a frame as the terminal's client does; none may be ahead of what is stored."""
        message = _message(frame)
        match message:
            case LiveView():
                self.view = message
            case LiveTurn():
                assert self.view is not None
                assert message.since == self.view.version
                self.view = _after_turn(self.view, message)
            case LivePresence():
                self.view = self.view and _with_presence(self.view, message)
            case LiveRefused(id=id):
                assert id in self.open
                self.open.discard(id)
            case LiveBye():
                pass
        if isinstance(message, LiveView | LiveTurn):
            assert message.version <= self.world.stored_version()
            if isinstance(message.done, int):
                self.open.remove(message.done)


class World:
    """Two processes on one database, the people at their screens, and a clock that is turned."""

    def __init__(self, address: str, seed: int, is_spent: bool = False) -> None:
        self.address, self.chance, self.now = address, Random(seed), 0.0
        self.is_spent = is_spent
        """Whether a number that was chosen leaves the hand."""
        self.numbers = iter(range(1, 1 << 30))
        self.notices: list[tuple[Process, str, str]] = []
        self.doubted_until = 0.0
        """Absences count from here at the latest: until then all can say who is connected."""
        self.wrong: list[Exception] = []
        self.gone_since = dict.fromkeys(Side, 0.0)
        self.people: list[Person] = []
        self.names = iter(range(1, 1000))
        self.processes: list[Process] = []
        self.processes += [Process(self, f"p{next(self.names)}") for _ in range(2)]

    async def begin(self) -> None:
        """A game for two friends, and two tokens to watch it."""
        first = self.processes[0].games
        new = NewGame(game="flag-chase", opponent="friend", watch=True, position="3/4/1", seat="P1")
        if self.is_spent:
            toml = write_rulebook(SPENT)
            new = msgspec.structs.replace(new, game=None, toml=toml, position="2/3/1;123/123")
        made = await self.writing(first.create(new, "192.0.2.1"))
        self.game = made.id
        hosted = await first.find(self.game)
        self.played = hosted.played
        key = new_token(SEAT)
        for at, (sides, token, own) in enumerate(
            [
                (ONE, made.seats["P1"], None),
                (TWO, made.invite, key),
                (ONE, made.seats["P1"], None),
                (frozenset(), made.spectator, None),
            ]
        ):
            self.people.append(Person(self, sides, token, own, f"192.0.2.{at}"))

    async def writing(self, work: Any) -> Any:
        """Something that waits for the database, while that writes."""
        task = asyncio.ensure_future(work)
        is_full = self.chance.random() < 0.1 and bool(self.people)
        while not task.done():
            await asyncio.sleep(0)
            for process in self.processes:
                process.write(is_full=is_full)
        return task.result()

    def note_gone(self, sides: Sides) -> None:
        for side in sides:
            if not self.is_here(side):
                self.gone_since[side] = self.now

    def is_here(self, side: Side) -> bool:
        return any(side in one.sides for one in self.connected)

    @property
    def connected(self) -> list[Person]:
        return [one for one in self.people if one.process is not None]

    def stored_version(self) -> int:
        return self.processes[0].disk.versions([self.game]).get(self.game, 0)

    def stored(self) -> HostedGame:
        """The game as somebody sees it who only has the database."""
        loaded = self.processes[0].disk.load(self.game)
        assert loaded is not None
        return HostedGame(self.played, *loaded[:3], self.now, lambda entry: None, loaded.turned)

    # What can happen

    async def happen(self) -> None:
        """Anything, by chance."""
        chance = self.chance
        what = chance.choices(
            [
                self.act,
                self.act_alone,
                self.come_or_go,
                self.write,
                self.hear,
                self.wait,
                self.kill,
            ],
            [12, 2, 4, 7, 7, 2, 0.3],
        )[0]
        await what()

    async def come_or_go(self) -> None:
        person = self.chance.choice(self.people)
        if person.process is None:
            await person.come(self.chance.choice(self.processes))
        else:
            person.leave()

    def wish(self, view: LiveView) -> dict[str, object]:
        """What somebody might ask for who sees this."""
        chance = self.chance
        turn = view.turn - (chance.random() < 0.05)
        wishes: list[dict[str, object]] = [
            {"do": "undo"},
            {"do": "undo-answer", "yes": chance.random() < 0.5},
            {"do": "name", "name": f"Ann {chance.randrange(99)}"},
            {"do": "claim", "claim": chance.choice(["win", "computer", "abort"])},
            {"do": "return"},
            *[dict[str, object](do="view")] * 2,
            *[{"do": "number", "number": chance.randint(0, 6), "turn": turn}] * 5,
        ]
        moves = [one["move"] for one in json.loads(as_json(view))["moves"]] or ["P1+1", "P2-1"]
        wishes += [{"do": "move", "move": chance.choice(moves), "turn": turn}] * 8
        if chance.random() < 0.1:
            wishes += [{"do": "resign"}, {"do": "react", "reaction": "hello"}]
        if self.is_spent:
            wishes += [{"do": "number", "number": one, "turn": turn} for one in view.numbers] * 5
        if view.result:
            wishes += [{"do": "rematch"}] * 9
        return chance.choice(wishes)

    async def act(self) -> None:
        """Somebody asks for something; nobody is claimed against who is there."""
        connected = [one for one in self.connected if one.view is not None]
        if not connected:
            return
        person = self.chance.choice(connected)
        assert person.view is not None
        wish = self.wish(person.view)
        before = len(person.open)
        person.ask(**wish)
        if wish["do"] == "claim" and len(person.open) > before and not self.notices:
            self.check_claim(person)

    def check_claim(self, person: Person) -> None:
        """It was taken: the other one is away, for long enough, or has never joined."""
        assert person.process is not None
        hosted = person.process.games.hosted(self.game)
        assert hosted is not None
        live = hosted.live
        if live.is_aborted:
            return
        other = min(person.sides).other
        assert not self.is_here(other)
        assert self.now - self.gone_since[other] >= PATIENCE

    async def act_alone(self) -> None:
        """A request over HTTP, whose answer comes once it is stored."""
        person = self.chance.choice(self.people)
        if person.view is None or not person.sides:
            return
        games = self.chance.choice(self.processes).games
        wish = self.wish(person.view)
        action: Any = wish.pop("do")
        if action in ("view", "claim"):
            return
        hosted = await games.find(self.game)
        body = ActionBody(**wish)  # type: ignore[arg-type]
        try:
            view = await self.writing(games.act(hosted, person.sides, action, body, person.address))
        except LineduelError:
            return
        assert view.version <= self.stored_version()
        self.note_gone(person.sides)  # until now they have been here, connected or not

    async def write(self) -> None:
        process = self.chance.choice(self.processes)
        process.write(self.chance.randint(1, 3), is_full=self.chance.random() < 0.15)
        await asyncio.sleep(0)

    async def hear(self) -> None:
        """Some notices arrive, or are lost with the connection that brings them."""
        some, self.notices = self.notices[:3], self.notices[3:]
        is_lost = self.chance.random() < 0.1
        for process, sender, notice in some:
            if is_lost:
                process.lose_connection()
            process.heed(sender, notice)
        await asyncio.sleep(0)

    async def wait(self) -> None:
        self.now += self.chance.choice([1.0, PATIENCE / 2, PATIENCE, FORGOTTEN_AFTER + 1])
        for process in self.processes:
            process.games.tidy()

    async def kill(self) -> None:
        """A process ends at once; another one takes its place."""
        process = self.chance.choice(self.processes)
        process.disk.waiting.clear()
        for person in self.connected:
            if person.process is process:
                person.forget()
        self.processes.remove(process)
        await self.end(process)
        left, self.notices = self.notices, []
        for one, sender, notice in left:
            if one is not process:
                one.heed(sender, notice)
        for other in self.processes:
            other.games.forget_process(process.name)
        self.processes.append(Process(self, f"p{next(self.names)}"))

    async def end(self, process: Process) -> None:
        """Nothing of it goes on."""
        for task in list(process.games._tasks):
            task.cancel()
        await asyncio.gather(*process.games._tasks, return_exceptions=True)
        process.disk.close()

    # What has to hold

    async def settle(self) -> None:
        """Let everything arrive that is under way."""
        for _ in range(5000):
            while self.notices:
                process, sender, notice = self.notices.pop(0)
                process.heed(sender, notice)
            for process in self.processes:
                if process.is_deaf:
                    process.connect_again()
                    self.doubted_until = self.now + GONE_AFTER
            for process in self.processes:
                process.write()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            if not self.notices and not any(one.is_busy for one in self.processes):
                return
        raise AssertionError("it never comes to rest")

    def check(self) -> None:
        """Every process has what is stored, and everybody sees it."""
        for error in self.wrong:
            raise error
        stored = self.stored()
        assert stored.version == self.stored_version()  # nothing is missing in between
        begun = [one for one in stored.events or () if isinstance(one, RematchBegun)]
        assert [one.id for one in begun] == [stored.live.rematch_id][: len(begun)]
        for process in self.processes:
            hosted = process.games.hosted(self.game)
            if hosted is not None:
                assert state(hosted.live) == state(stored.live)
        for person in self.connected:
            assert not person.open, person.open
            assert person.view is not None
            whole = LiveViews(stored.live, self.played).whole(
                self.game, person.sides, person.view.presence
            )
            seen, expected = (json.loads(as_json(one)) for one in (person.view, whole))
            assert {name: seen[name] for name in SHOWN} == {name: expected[name] for name in SHOWN}
            self.check_presence(person, stored)

    def check_presence(self, person: Person, stored: HostedGame) -> None:
        """Everybody sees who is there, and can claim not before the other's patience is over.

        A process that was deaf knows who is there now, but not when the others left, who may have
        come and gone unheard: it counts their absence anew.
        """
        assert person.process is not None
        assert person.view is not None
        people, presence = stored.live.session.people, person.view.presence
        here = [side not in people or self.is_here(side) for side in Side]
        watching = sum(not one.sides for one in self.connected)
        assert (presence.P1, presence.P2, presence.watching) == (*here, watching)
        hosted = person.process.games.hosted(self.game)
        assert hosted is not None
        left = hosted.seconds_to_claim(person.sides, PATIENCE, self.now)
        if len(person.sides) != 1 or stored.live.is_over or here[min(person.sides).other - 1]:
            assert left is None
        else:
            gone = self.now - self.gone_since[min(person.sides).other]
            assert left is not None
            grace = max(0.0, self.doubted_until - self.now)
            assert max(0.0, PATIENCE - gone) <= left <= PATIENCE + grace


async def soon(function: Any, *arguments: object) -> Any:
    """In place of a thread: at a moment that does not depend on the machine."""
    await asyncio.sleep(0)
    found = function(*arguments)
    await asyncio.sleep(0)
    return found


@pytest.fixture
def any_number_of_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several may use one file here: they are told of each other's moves."""
    lock = SimpleNamespace(release=lambda: None)
    monkeypatch.setattr(database, "OnlyServer", lambda path: lock)
    monkeypatch.setattr(hosted_games, "SECONDS_TO_MOVE", 0.0)
    monkeypatch.setattr(asyncio, "to_thread", soon)


@tried(25, 600)
@pytest.mark.usefixtures("any_number_of_servers")
async def test_all_see_what_is_stored_and_nothing_before_it_is(tmp_path: Path, times: int) -> None:
    """Moves, undos, claims, comings and goings on two processes, with full disks, lost notices,
    kills and games that fall asleep in between."""
    for at in range(times + times // 3):
        seed, is_spent = at % times, at >= times
        world = World(f"sqlite:///{tmp_path}/{at}.sqlite", seed, is_spent)
        try:
            await world.begin()
            for _ in range(6):
                for _ in range(25):
                    await world.happen()
                await world.settle()
                world.check()
        except AssertionError as error:
            told = f"seed {seed}{', spent numbers' if is_spent else ''}"
            raise AssertionError(told) from error
        finally:
            for process in world.processes:
                await world.end(process)


async def test_a_game_is_as_old_as_the_last_that_happened_in_it(tmp_path: Path) -> None:
    """Not as its beginning; one in which nothing happened is as old as that."""
    disk, text = Disk(f"sqlite:///{tmp_path}/games.sqlite", "one"), shipped_text("flag-chase", None)
    disk.start(lambda results: None)
    change = GameChange()
    for name, created, last in (
        ("a", 0.0, None),
        ("b", 0.0, 10.0),
        ("c", 0.0, 99.0),
        ("d", 99.0, None),
    ):
        info = GameInfo(
            id=name,
            rulebook=text,
            start="1/5/1",
            seats=("human", "human"),
            seat_hashes=("x", "y"),
            invite_hash=None,
            spectator_hash=None,
        )
        change.games.append((info, created))
        if last is not None:
            change.add(name, 1, [NameGiven(Side.ONE, "Ann")], last)
    prune = GameChange(prune=Prune(50.0, ["a", "b", "c", "d"]))
    for one in (change, prune):
        disk.submit(Entry(Journal(), one, lambda error: None))
        disk.write(1)
    assert disk.ids_after("", 9) == ["c", "d"]
    disk.close()
