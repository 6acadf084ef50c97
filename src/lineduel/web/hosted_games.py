"""All live games of a server: requests come in, are stored, and are then shown to everybody."""

import asyncio
import time
import traceback
from collections.abc import Callable, Coroutine
from random import SystemRandom
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from lineduel.documents import (
    SIDE_IDS,
    SIDES,
    CreatedGame,
    LiveBye,
    LiveView,
    NewGame,
    as_json,
)
from lineduel.errors import (
    LineduelError,
    LinkRefused,
    NoSuchGame,
    NotNow,
    StorageError,
    TooManyRequests,
)
from lineduel.play import (
    Aborted,
    ClaimGame,
    FriendJoined,
    GiveName,
    Intent,
    LiveEvent,
    MovePlayed,
    OfferRematch,
    RematchBegun,
    Row,
    Sides,
    event_of_row,
)
from lineduel.players import HUMAN
from lineduel.preferences import check_name
from lineduel.record import read_position
from lineduel.rules import Side
from lineduel.web.database import Entry, Journal
from lineduel.web.game_changes import DAY, GameChange, GameInfo, NewSeat, Prune
from lineduel.web.hosted_game import Elsewhere, Guest, HostedGame
from lineduel.web.live_frames import CANNOT_STORE, LiveFrames, refused
from lineduel.web.live_requests import ActionBody, LiveAction, Request, intent_of
from lineduel.web.program_turns import ProgramTurns
from lineduel.web.request_limits import (
    MOST_FOR_A_SEAT,
    MOST_WATCHING,
    NEW_GAMES,
    VIEWS_OF_ADDRESS,
    VIEWS_OF_GAME,
    AddressLimits,
)
from lineduel.web.rulebook_shelf import PlayedRulebook, RulebookShelf, rulebook_text
from lineduel.web.thinking import SECONDS_TO_MOVE, Thinkers, check_program
from lineduel.web.tokens import INVITE, SEAT, SPECTATOR, hashed, is_token, new_game_id, new_token

if TYPE_CHECKING:
    from lineduel.web.database import Database

HERE, FRIEND = "here", "friend"
AWAY_SECONDS = 60.0
"""Seconds that somebody may be away before the other player can claim the game."""
ASLEEP_AFTER = 15.0
"""Seconds after which a game without moves is kept in little memory."""
FORGOTTEN_AFTER = 60.0
"""Seconds after which a game without guests is kept in the database only."""
MOST_TURNS = 2000
"""Turns after which a live game is ended without a result."""
MOST_EVENTS = 2 * MOST_TURNS
"""The same for everything that happens: undos and names, too, make a game long."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0
"""Seconds between two attempts to read what is stored."""
PRUNED_AT_ONCE = 100
"""Old games that are removed in one transaction."""
_Error = StorageError | NotNow | None


class _Asker(NamedTuple):
    """Where a request came from, and how its answer is given once it is stored or refused."""

    address: str = ""
    guest: Guest | None = None
    request: int | None = None
    """The guest's number for the request, which comes back with the answer."""
    stored: "asyncio.Future[None] | None" = None

    def answer(self, error: LineduelError | None) -> None:
        """Tell those who wait that it is stored, or why it is not."""
        if error is not None and self.guest is not None:
            self.guest.post(refused(self.request, str(error)))
        if self.stored is not None and not self.stored.done():
            if error is None:
                self.stored.set_result(None)
            else:
                self.stored.set_exception(error)


_NOBODY = _Asker()


class HostedGames:
    """The live games in memory; others come from the database when they are asked for."""

    def __init__(
        self,
        database: "Database",
        thinkers: Thinkers,
        shelf: RulebookShelf,
        limits: AddressLimits,
        patience: float = AWAY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self.moves = 0
        """Turns that were stored since the start."""
        self._database = database
        self._thinkers = thinkers
        self._shelf = shelf
        self._limits = limits
        self._patience = patience
        self.knows_absences = True
        """Whether who is connected elsewhere is known here; if not, nobody is claimed against."""
        self._clock, self._wall_clock = clock, wall_clock
        self._hosted_games: dict[str, HostedGame] = {}
        self._loading: dict[str, asyncio.Task[HostedGame | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.get_running_loop()
        self._decoder = msgspec.json.Decoder(Request)
        self._programs = ProgramTurns(thinkers, self._submit_turn, self._goes_on, self.begin)
        self._frames = LiveFrames(lambda: self._patience_now, lambda: self._clock())
        self._is_closing = False
        self.tell_others: Callable[[HostedGame], None] = lambda hosted: None
        """Tells other processes who is here in a game."""
        self.ask_others: Callable[[HostedGame], None] = lambda hosted: None
        """Asks other processes who is there in a game."""
        database.start(lambda results: self._loop.call_soon_threadsafe(_finish, results))

    # Creating and finding games

    async def create(self, new: NewGame, address: str) -> CreatedGame:
        """Begin a game for an address; its tokens are returned once it is stored."""
        text = rulebook_text(new.game, new.toml, new.variant)
        played = await self._shelf.accept(text, address)
        start = str(
            played.game.start()
            if new.position is None
            else read_position(played.game, new.position)
        )
        mine = SIDES[new.seat] if new.seat != "random" else SystemRandom().choice(list(Side))
        seats = dict.fromkeys(Side, HUMAN)
        if new.opponent not in (HERE, FRIEND):
            seats[mine.other] = check_program(new.opponent)
            await self._thinkers.get_ready(played.text, seats[mine.other], start, address)
        token = new_token(SEAT)
        own = set(Side) if new.opponent == HERE else {mine}
        invite = new_token(INVITE) if new.opponent == FRIEND else None
        spectator = new_token(SPECTATOR) if new.watch else None
        info = GameInfo(
            id=new_game_id(),
            rulebook=played.text,
            start=start,
            seats=(seats[Side.ONE], seats[Side.TWO]),
            seat_hashes=_both(lambda side: hashed(token) if side in own else None),
            invite_hash=invite and hashed(invite),
            spectator_hash=spectator and hashed(spectator),
            days=new.days if new.opponent == FRIEND else None,
        )
        hosted = self._host(played, info, [], {})
        hosted.address = address
        change = GameChange(games=[(info, self._wall_clock())])
        happened: list[LiveEvent] = []
        if new.name:
            happened = hosted.live.perform(GiveName(check_name(new.name)), frozenset({mine}))
        self._hosted_games[info.id] = hosted
        await self._stored(lambda asker: self._submit(hosted, 0, happened, change, asker))
        return CreatedGame(
            id=info.id,
            seats={SIDE_IDS[side]: token for side in sorted(own)},
            invite=invite,
            spectator=spectator,
        )

    async def find(self, id: str) -> HostedGame:
        """The game of that id, from memory or from the database."""
        hosted = self._hosted_games.get(id)
        if hosted is None:
            task = self._loading.get(id)
            if task is None:
                task = self._loading[id] = asyncio.create_task(self._load(id))
            hosted = await asyncio.shield(task)
        if hosted is None:
            raise NoSuchGame("There is no such game.")
        hosted.used = self._clock()
        return hosted

    async def _load(self, id: str) -> HostedGame | None:
        try:
            loaded = await asyncio.to_thread(self._database.load, id)
            if loaded is None:
                return None
            played = await self._shelf.ready(loaded.info.rulebook)
            hosted = self._hosted_games[id] = self._host(played, *loaded)
            self._programs.take_turn(hosted)
            self.ask_others(hosted)
            return hosted
        finally:
            del self._loading[id]

    def _host(
        self,
        played: PlayedRulebook,
        info: GameInfo,
        happened: list[LiveEvent],
        numbers: dict[Side, int],
        turned: float | None = None,
    ) -> HostedGame:
        submit, now = self._database.submit, self._clock()
        return HostedGame(played, info, happened, numbers, now, submit, turned, self._wall_clock)

    def hosted(self, id: str) -> HostedGame | None:
        """The game of that id, if it is in memory."""
        return self._hosted_games.get(id)

    def all(self) -> list[HostedGame]:
        """The games in memory."""
        return list(self._hosted_games.values())

    async def admit(self, hosted: HostedGame, token: object, key: object) -> Sides:
        """The sides that a token plays. An invitation is exchanged for the open seat, once.

        A friend who joins brings the token that opens the seat from then on. Nothing is lost if
        the answer is: asking again with the same token works.
        """
        if not hosted.is_invitation(token):
            return hosted.sides_of(token)
        if not isinstance(key, str) or not is_token(key) or not key.startswith(SEAT):
            raise LinkRefused(
                "An invitation is exchanged for a token of your own, which is missing."
            )
        side = _open_seat(hosted.info)
        if side is None:
            if sides := _sides_or_nobody(hosted, key):
                return sides
            return hosted.sides_of(token)  # says that it was used
        seat = NewSeat(hosted.info.id, side, hashed(key))
        hosted.info = msgspec.structs.replace(
            hosted.info,
            seat_hashes=_both(
                lambda one: seat.seat_hash if one is side else hosted.info.seat_hashes[one - 1]
            ),
        )
        happened, change = hosted.live.happens(FriendJoined()), GameChange(seats=[seat])
        await self._stored(lambda asker: self._submit(hosted, 0, happened, change, asker))
        return frozenset({side})

    # Guests

    def enter(self, hosted: HostedGame, guest: Guest, version: int | None = None) -> None:
        """Somebody is connected who has seen the game up to a version: send what is missing.

        Spectators take no places from players, and no player is kept out by connections of their
        own that they have lost: one too many ends the oldest.
        """
        alike = [one for one in hosted.guests if one.sides == guest.sides]
        if len(alike) >= (MOST_FOR_A_SEAT if guest.sides else MOST_WATCHING):
            if not guest.sides:
                raise TooManyRequests("Too many people are watching this game.")
            hosted.guests.remove(alike[0])
            alike[0].dismiss("You have opened this game in too many places.")
        hosted.guests.append(guest)
        if guest.sides:
            hosted.address = guest.address
        hosted.used = self._clock()
        self._frames.tell_presence(hosted, except_for=guest)
        self._frames.send_missing(hosted, guest, version)
        self.tell_others(hosted)

    def leave(self, hosted: HostedGame, guest: Guest) -> None:
        """Somebody is gone."""
        if guest not in hosted.guests:
            return
        hosted.guests.remove(guest)
        if self._is_closing:
            return
        for side in guest.sides:
            if not hosted.is_present(side):
                hosted.note_gone(side, self._clock())
        self._frames.tell_presence(hosted)
        self.tell_others(hosted)

    def doubt_absences(self, grace: float = 0.0) -> None:
        """Count everybody elsewhere as gone until their process says that they are connected.

        No process reports a guest who left in the meantime. Absences begin after the seconds of
        grace in which other processes can say so.
        """
        begin = self._clock() + grace
        for hosted in list(self._hosted_games.values()):
            for process in list(hosted.elsewhere or ()):
                self.note_elsewhere(hosted.info.id, process, None)
            hosted.away_since = (begin, begin)

    def note_elsewhere(self, id: str, process: str, here: Elsewhere | None) -> None:
        """Another process has other guests in a game."""
        hosted = self._hosted_games.get(id)
        if hosted is not None and hosted.note_elsewhere(process, here, self._clock()):
            self._frames.tell_presence(hosted)

    def forget_process(self, process: str) -> None:
        """Another process is gone, and its guests with it."""
        for hosted in list(self._hosted_games.values()):
            if hosted.elsewhere and process in hosted.elsewhere:
                self.note_elsewhere(hosted.info.id, process, None)

    @property
    def _patience_now(self) -> float | None:
        return self._patience if self.knows_absences else None

    # Requests

    def hear(
        self,
        hosted: HostedGame,
        guest: Guest,
        frame: str | bytes,
        too_many: TooManyRequests | None = None,
    ) -> None:
        """A frame came from a guest, who may have sent `too_many`; each request is answered."""
        try:
            request = self._decoder.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError):
            guest.post(refused(None, "This message is not understood."))
            return
        try:
            if too_many is not None:
                raise too_many
            if request.do == "view":
                self._check_views(hosted, guest.address)
                self._frames.send_view(hosted, guest, request.id)
            else:
                intent = self._intent(hosted, guest.sides, request.do, request)
                asker = _Asker(guest.address, guest, request.id)
                self._handle(hosted, guest.sides, intent, asker)
        except LineduelError as error:
            guest.post(refused(request.id, str(error)))

    async def act(
        self,
        hosted: HostedGame,
        sides: Sides,
        action: LiveAction,
        body: ActionBody,
        address: str,
    ) -> LiveView:
        """Carry out a request that came alone; what it leads to is returned once it is stored."""
        for side in sides:
            hosted.note_gone(side, self._clock())  # who acts has been here until now
        stored = self._loop.create_future()
        intent = self._intent(hosted, sides, action, body)
        self._handle(hosted, sides, intent, _Asker(address, stored=stored))
        view = self._frames.view(hosted, sides)
        await stored
        return view

    async def view(self, hosted: HostedGame, sides: Sides, address: str) -> LiveView:
        """The game as the player of these sides sees it, once all of it is stored."""
        self._check_views(hosted, address)
        self._check_stored(hosted)
        view = self._frames.view(hosted, sides)
        await self.settle(hosted)
        self._check_stored(hosted)
        return view

    def _check_views(self, hosted: HostedGame, address: str) -> None:
        """Refuse to send the whole of a game too often."""
        self._limits.check(VIEWS_OF_ADDRESS, address)
        if not hosted.views_left.take(VIEWS_OF_GAME, self._clock()):
            raise TooManyRequests("This game is asked for too often. Wait a moment.")

    def _check_stored(self, hosted: HostedGame) -> None:
        """Refuse where what is in memory could not be stored, until it is taken back."""
        if hosted.journal.is_broken:
            raise StorageError(CANNOT_STORE)

    async def settle(self, hosted: HostedGame) -> None:
        """Wait until everything that happened in a game is stored, or refused."""
        if hosted.pending:
            await self._stored(lambda asker: hosted.after_all(asker.answer))

    async def _stored(self, submit: Callable[[_Asker], None]) -> None:
        """Submit something to the database, and wait until it is stored; raises if it is not."""
        stored = self._loop.create_future()
        submit(_Asker(stored=stored))
        await stored

    def _intent(
        self, hosted: HostedGame, sides: Sides, action: LiveAction, body: ActionBody
    ) -> Intent:
        if self._is_closing:
            raise NotNow("The server is stopping. Try again in a moment.")
        self._check_stored(hosted)
        return intent_of(action, body, hosted.live, hosted.played, sides)

    def _handle(self, hosted: HostedGame, sides: Sides, intent: Intent, asker: _Asker) -> None:
        live = hosted.live
        if live.version >= MOST_EVENTS and not isinstance(intent, OfferRematch):
            raise NotNow("This game has gone on for too long. Offer a rematch.")
        if isinstance(intent, OfferRematch) and live.begins_rematch(sides):
            self._limits.check(NEW_GAMES, asker.address)
        plies = live.session.plies
        away = isinstance(intent, ClaimGame) and (
            hosted.seconds_to_claim(sides, self._patience_now, self._clock()) == 0.0
        )
        happened = live.perform(intent, sides, away=away)
        change = GameChange()
        if live.wants_rematch:
            again = self._again(hosted)
            now = self._wall_clock()
            change.games.append((again.info, now))
            change.add(again.info.id, again.live.version, again.events or (), now)
            self._hosted_games[again.info.id] = again
            happened += live.happens(RematchBegun(again.info.id))
        self._submit(hosted, plies, happened, change, asker)

    def _submit(
        self,
        hosted: HostedGame,
        plies: int,
        happened: list[LiveEvent],
        change: GameChange,
        asker: _Asker = _NOBODY,
    ) -> None:
        """Have what happened stored, and shown to everybody then."""
        live = hosted.live
        if not live.is_over and (
            live.version >= MOST_EVENTS - 1 or live.session.plies >= MOST_TURNS
        ):
            happened += live.happens(Aborted(live.session.position.side))
        hosted.used = self._clock()
        hosted.note(happened)
        show = self._frames.prepare(hosted, plies, happened, asker.guest, asker.request)
        self._count(happened)

        def then(error: LineduelError | None) -> None:
            if error is None:
                show()
            else:
                for info, _ in change.games:
                    self._hosted_games.pop(info.id, None)
                self.compare(hosted)
            asker.answer(error)

        hosted.keep(happened, then, change)
        self._programs.take_turn(hosted)
        self._programs.answer_stop(hosted)

    def _submit_turn(self, hosted: HostedGame, plies: int, happened: list[LiveEvent]) -> None:
        """The same for what a program did."""
        self._submit(hosted, plies, happened, GameChange())

    def _goes_on(self, hosted: HostedGame) -> bool:
        """Whether a game is still the one that is played here."""
        return not self._is_closing and self._hosted_games.get(hosted.info.id) is hosted

    def _count(self, happened: list[LiveEvent]) -> None:
        self.moves += sum(isinstance(one, MovePlayed) for one in happened)

    # What is stored

    def compare(self, hosted: HostedGame) -> None:
        """What is in memory may not be what is stored: look, and show everybody what is."""
        hosted.is_behind = True
        if not hosted.is_catching_up:
            hosted.is_catching_up = True
            self.begin(self._catch_up(hosted))

    def take_moves(self, hosted: HostedGame, version: int, rows: list[Row]) -> None:
        """Another process stored moves that led to a version: show them, if they come next."""
        if version <= hosted.version and not hosted.pending:
            return
        is_next = hosted.version == version - len(rows) and not hosted.journal.is_broken
        if not is_next or hosted.pending or hosted.is_catching_up:
            self.compare(hosted)
        elif not self._takes(hosted, list(map(event_of_row, rows)), {}):
            hosted.journal.is_broken = True
            self.compare(hosted)

    async def compare_all(self) -> None:
        """Look at all games of which more is stored than is known here."""
        stored = await asyncio.to_thread(self._database.versions, list(self._hosted_games))
        for hosted in list(self._hosted_games.values()):
            if hosted.version != stored.get(hosted.info.id, 0):
                self.compare(hosted)

    async def _catch_up(self, hosted: HostedGame) -> None:
        """Look what is stored until nothing new is left; only one of these runs for each game."""
        pause = _SHORTEST_PAUSE
        try:
            while hosted.is_behind and not self._is_closing:
                await self.settle(hosted)
                hosted.is_behind = False
                try:
                    await self._take_stored(hosted)
                except StorageError:
                    hosted.is_behind = True
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)
        finally:
            hosted.is_catching_up = False

    async def _take_stored(self, hosted: HostedGame) -> None:
        """Add what is stored and not known here; if what is known is not stored, begin again."""
        game, known = hosted.info.id, hosted.live.version
        if not hosted.journal.is_broken:
            news = await asyncio.to_thread(self._database.load_after, game, known)
            if hosted.pending or hosted.live.version != known:
                hosted.is_behind = True
                return
            if self._takes(hosted, *news):
                return
        loaded = await asyncio.to_thread(self._database.load, game)
        if hosted.pending:
            hosted.is_behind = True
        elif loaded is None:
            self._hosted_games.pop(game, None)
            for guest in list(hosted.guests):
                guest.dismiss("There is no such game.")
        else:
            before = hosted.events or []
            added = [one for at, one in enumerate(loaded.events) if before[at : at + 1] != [one]]
            hosted.begin(*loaded)
            hosted.note_acted(added, self._clock())
            for guest in list(hosted.guests):
                self._frames.send_view(hosted, guest, None)
            self._programs.take_turn(hosted)

    def _takes(self, hosted: HostedGame, added: list[LiveEvent], numbers: dict[Side, int]) -> bool:
        """Whether a game could go on with what another process stored; then it is shown."""
        live = hosted.live
        plies = live.session.plies
        if any(isinstance(one, FriendJoined) for one in added):
            return False  # the seat's token is new
        try:
            for one in added:
                live.apply(one)
            for side, number in numbers.items():
                if side not in live.session.chosen:
                    live.session.choose(side, number)
        except LineduelError:
            return False
        if added:
            hosted.note_acted(added, self._clock())
            hosted.note(added)
            hosted.numbers = numbers
            hosted.used = self._clock()
            self._frames.prepare(hosted, min(plies, live.session.plies), added)()
            self._count(added)
        if live.program_asked is not None:
            # The process that stored the move lets the program choose; if it is gone, we do.
            self._loop.call_later(SECONDS_TO_MOVE, self._programs.take_turn, hosted)
        return True

    def _again(self, hosted: HostedGame) -> HostedGame:
        """The same game again, with the seats swapped, the same tokens and the same names."""
        info, seats = hosted.info, hosted.live.session.seats
        again = msgspec.structs.replace(
            info,
            id=new_game_id(),
            seats=(seats[1], seats[0]),
            seat_hashes=(info.seat_hashes[1], info.seat_hashes[0]),
            invite_hash=None,
        )
        return self._host(hosted.played, again, hosted.live.names_after_swap(), {})

    # Over time

    def tidy(self) -> None:
        """Put games to sleep in which nothing happens, and forget those without guests."""
        now = self._clock()
        for hosted in list(self._hosted_games.values()):
            if hosted.pending or hosted.is_thinking or hosted.is_catching_up:
                continue
            if not hosted.guests and now - hosted.used > FORGOTTEN_AFTER:
                del self._hosted_games[hosted.info.id]
            elif now - hosted.used > ASLEEP_AFTER:
                hosted.sleep()

    async def prune(self, days: float) -> None:
        """Remove games in which nothing happened for that many days, unless they are in use.

        It is done a few games at a time, so that moves do not wait for it.
        """
        before, last = self._wall_clock() - days * DAY, ""
        while ids := await asyncio.to_thread(self._database.ids_after, last, PRUNED_AT_ONCE):
            last = ids[-1]
            if unused := [one for one in ids if one not in self._hosted_games]:
                await self._pruned(Prune(before, unused))
        await self._pruned(Prune(before, ()))

    async def _pruned(self, prune: Prune) -> None:
        done: asyncio.Future[None] = self._loop.create_future()
        entry = Entry(Journal(), GameChange(prune=prune), lambda error: done.set_result(None))
        self._database.submit(entry)
        await done

    @property
    def counts(self) -> tuple[int, int]:
        """How many games are in memory, and how many connections there are."""
        return len(self._hosted_games), sum(
            len(hosted.guests) for hosted in self._hosted_games.values()
        )

    async def close(self) -> None:
        """Take no more requests, store what is under way, and say goodbye to everybody."""
        self._is_closing = True
        for task in self._tasks:
            task.cancel()
        hosted_games = list(self._hosted_games.values())
        for hosted in hosted_games:
            await self.settle(hosted)
        bye = as_json(LiveBye(error="The server is stopping. Your game is stored.", again=True))
        for hosted in hosted_games:
            for guest in hosted.guests:
                guest.post(bye)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done beside everything else."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _finish(results: list[tuple[Entry, _Error]]) -> None:
    """Give every asker its answer, even if something goes wrong with another's."""
    for entry, error in results:
        try:
            entry.after(error)
        except Exception:
            traceback.print_exc()


def _both(of: Callable[[Side], str | None]) -> tuple[str | None, str | None]:
    return of(Side.ONE), of(Side.TWO)


def _open_seat(info: GameInfo) -> Side | None:
    """The seat that waits for a friend."""
    for side, kept, seat in zip(Side, info.seat_hashes, info.seats, strict=True):
        if kept is None and seat == HUMAN:
            return side
    return None


def _sides_or_nobody(hosted: HostedGame, key: str) -> Sides:
    try:
        return hosted.sides_of(key)
    except LinkRefused:
        return frozenset()
