"""All live games of a server: requests come in, are stored, and are then shown to everybody."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import msgspec

from lineduel.documents import (
    SIDE_IDS,
    SIDES,
    CreatedGame,
    LiveBye,
    LivePresence,
    LiveRefused,
    LiveTurn,
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
    ClaimGame,
    FriendJoined,
    GiveName,
    Intent,
    LiveEvent,
    MovePlayed,
    NumberChosen,
    Sides,
)
from lineduel.players import HUMAN
from lineduel.preferences import check_name
from lineduel.record import read_position
from lineduel.rules import Side
from lineduel.web.database import (
    Entry,
    GameChange,
    GameInfo,
    Journal,
    NewSeat,
    Prune,
    SecretNumbers,
)
from lineduel.web.live_requests import ActionBody, LiveAction, Request, intent_of
from lineduel.web.request_limits import MOST_GUESTS
from lineduel.web.room import NOTHING_SENT, Elsewhere, Guest, Room
from lineduel.web.rulebook_shelf import RulebookShelf, rulebook_text
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
_Error = StorageError | NotNow | None


class Rooms:
    """The live games in memory; others come from the database when they are asked for."""

    def __init__(
        self,
        database: "Database",
        thinkers: Thinkers,
        *,
        patience: float = AWAY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self.shelf = RulebookShelf()
        self.moves = 0
        """Turns that were stored since the start."""
        self._database = database
        self._thinkers = thinkers
        self._patience = patience
        self._clock, self._wall_clock = clock, wall_clock
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.get_running_loop()
        self._decoder = msgspec.json.Decoder(Request)
        self._is_closing = False
        self.tell_others: Callable[[Room], None] = lambda room: None
        """Tells other processes who is here in a game."""
        self.ask_others: Callable[[Room], None] = lambda room: None
        """Asks other processes who is there in a game."""
        database.start(lambda results: self._loop.call_soon_threadsafe(_finish, results))

    # Creating and finding games

    async def create(self, new: NewGame) -> CreatedGame:
        """Begin a game; it is stored before its tokens are told."""
        text = rulebook_text(new.game, new.toml, new.variant)
        played = await asyncio.to_thread(self.shelf.ready, text)
        start = str(
            played.game.start()
            if new.position is None
            else read_position(played.game, new.position)
        )
        mine = SIDES[new.seat] if new.seat != "random" else SystemRandom().choice(list(Side))
        seats = dict.fromkeys(Side, HUMAN)
        if new.opponent not in (HERE, FRIEND):
            seats[mine.other] = check_program(new.opponent)
            await self._thinkers.get_ready(played.text, seats[mine.other], start)
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
        )
        room = self._room(info, [], {})
        change = GameChange(games=[(info, self._wall_clock())])
        happened: list[LiveEvent] = []
        if new.name:
            happened = room.live.perform(GiveName(check_name(new.name)), frozenset({mine}))
        self._rooms[info.id] = room
        stored = self._loop.create_future()
        self._submit(room, 0, happened, change, stored=stored)
        await stored
        return CreatedGame(
            id=info.id,
            seats={SIDE_IDS[side]: token for side in sorted(own)},
            invite=invite,
            spectator=spectator,
        )

    async def find(self, id: str) -> Room:
        """The game of that id, from memory or from the database."""
        room = self._rooms.get(id)
        if room is None:
            task = self._loading.get(id)
            if task is None:
                task = self._loading[id] = asyncio.create_task(self._load(id))
            room = await asyncio.shield(task)
        if room is None:
            raise NoSuchGame("There is no such game.")
        return room

    async def _load(self, id: str) -> Room | None:
        try:
            loaded = await asyncio.to_thread(self._database.load, id)
            if loaded is None:
                return None
            room = self._rooms[id] = self._room(*loaded)
            self._let_program_choose(room)
            self.ask_others(room)
            return room
        finally:
            del self._loading[id]

    def _room(self, info: GameInfo, happened: list[LiveEvent], numbers: dict[Side, int]) -> Room:
        return Room(info, self.shelf, happened, numbers, self._clock())

    def room(self, id: str) -> Room | None:
        """The game of that id, if it is in memory."""
        return self._rooms.get(id)

    def current(self, room: Room) -> Room:
        """The room that took the place of one that had to be loaded again."""
        return self._rooms.get(room.info.id, room)

    async def admit(self, room: Room, token: object, key: object) -> Sides:
        """The sides that a token plays. An invitation is exchanged for the open seat, once.

        Whoever joins brings the token that opens the seat from then on. Nothing is lost if the
        answer is: asking again with the same token works.
        """
        if not room.is_invitation(token):
            return room.sides_of(token)
        if not isinstance(key, str) or not is_token(key) or not key.startswith(SEAT):
            raise LinkRefused(
                "An invitation is exchanged for a token of your own, which is missing."
            )
        side = _open_seat(room.info)
        if side is None:
            if sides := _sides_or_nobody(room, key):
                return sides
            return room.sides_of(token)  # says that it was used
        seat = NewSeat(room.info.id, side, hashed(key))
        room.info = msgspec.structs.replace(
            room.info,
            seat_hashes=_both(
                lambda one: seat.seat_hash if one is side else room.info.seat_hashes[one - 1]
            ),
        )
        stored = self._loop.create_future()
        happened = room.live.join()
        self._submit(room, 0, happened, GameChange(seats=[seat]), stored=stored)
        await stored
        return frozenset({side})

    # Guests

    def enter(self, room: Room, guest: Guest) -> None:
        """Somebody is connected: send the game as it stands, and tell the others."""
        if len(room.guests) >= MOST_GUESTS:
            raise TooManyRequests("Too many people are connected to this game.")
        room.guests.append(guest)
        room.used = self._clock()
        self._send_view(room, guest, None)
        self._tell_presence(room, except_for=guest)
        self.tell_others(room)

    def leave(self, room: Room, guest: Guest) -> None:
        """Somebody is gone."""
        if guest not in room.guests:
            return
        room.guests.remove(guest)
        if self._is_closing:
            return
        for side in guest.sides:
            if not room.is_present(side):
                room.note_gone(side, self._clock())
        self._tell_presence(room)
        self.tell_others(room)

    def note_elsewhere(self, id: str, process: str, here: Elsewhere | None) -> None:
        """Another process has other guests in a game."""
        room = self._rooms.get(id)
        if room is None:
            return
        before = room.presence
        elsewhere = {**(room.elsewhere or {})}
        elsewhere.pop(process, None)
        if here is not None and (any(here.sides) or here.watching):
            elsewhere[process] = here
        room.elsewhere = elsewhere or None
        after = room.presence
        if before != after:
            for side, was, now in (
                (Side.ONE, before.P1, after.P1),
                (Side.TWO, before.P2, after.P2),
            ):
                if was and not now:
                    room.note_gone(side, self._clock())
            self._tell_presence(room)

    def forget_process(self, process: str) -> None:
        """Another process is gone, and its guests with it."""
        for room in list(self._rooms.values()):
            if room.elsewhere and process in room.elsewhere:
                self.note_elsewhere(room.info.id, process, None)

    def _tell_presence(self, room: Room, except_for: Guest | None = None) -> None:
        presence, now = room.presence, self._clock()
        for guest in room.guests:
            if guest is not except_for:
                told = LivePresence(
                    P1=presence.P1,
                    P2=presence.P2,
                    watching=presence.watching,
                    claim=room.claim(guest.sides, self._patience, now),
                )
                guest.post(as_json(told).decode())

    # Requests

    def hear(self, room: Room, guest: Guest, frame: str | bytes) -> None:
        """A frame came from a guest."""
        try:
            request = self._decoder.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError):
            guest.post(refused(None, "This message is not understood."))
            return
        try:
            if request.do == "view":
                self._send_view(room, guest, request.id)
            else:
                intent = self._intent(room, guest.sides, request.do, request)
                self._handle(room, guest.sides, intent, guest=guest, answer=request.id)
        except LineduelError as error:
            guest.post(refused(request.id, str(error)))

    async def act(self, room: Room, sides: Sides, action: LiveAction, body: ActionBody) -> LiveView:
        """Carry out a request that came alone; what it leads to is returned once it is stored."""
        stored = self._loop.create_future()
        self._handle(room, sides, self._intent(room, sides, action, body), stored=stored)
        view = self._view(room, sides)
        await stored
        return view

    async def view(self, room: Room, sides: Sides) -> LiveView:
        """The game as whoever plays these sides sees it, once all of it is stored."""
        view = self._view(room, sides)
        await self.settle(room)
        return view

    async def settle(self, room: Room) -> None:
        """Wait until everything that happened in a game is stored."""
        if room.pending:
            stored = self._loop.create_future()
            self._enqueue(room, None, lambda: None, stored)
            await stored

    def _view(self, room: Room, sides: Sides) -> LiveView:
        return room.view(sides, self._patience, self._clock())

    def _intent(self, room: Room, sides: Sides, action: LiveAction, body: ActionBody) -> Intent:
        if self._is_closing:
            raise NotNow("The server is stopping. Try again in a moment.")
        return intent_of(action, body, room.live, room.played, sides)

    def _handle(
        self,
        room: Room,
        sides: Sides,
        intent: Intent,
        *,
        guest: Guest | None = None,
        answer: int | None = None,
        stored: "asyncio.Future[None] | None" = None,
    ) -> None:
        live = room.live
        plies = live.session.plies
        away = isinstance(intent, ClaimGame) and (
            room.seconds_to_claim(sides, self._patience, self._clock()) == 0.0
        )
        happened = live.perform(intent, sides, away=away)
        change = GameChange()
        if live.wants_rematch:
            again = self._again(room)
            now = self._wall_clock()
            change.games.append((again.info, now))
            change.add(again.info.id, again.live.version, again.events or (), now)
            self._rooms[again.info.id] = again
            happened += live.begin_rematch(again.info.id)
        self._submit(room, plies, happened, change, guest, answer, stored)

    def _submit(
        self,
        room: Room,
        plies: int,
        happened: list[LiveEvent],
        change: GameChange,
        guest: Guest | None = None,
        answer: int | None = None,
        stored: "asyncio.Future[None] | None" = None,
    ) -> None:
        """Have what happened stored, and shown to everybody then."""
        live = room.live
        room.used = self._clock()
        room.note(happened)
        change.add(room.info.id, live.version, happened, self._wall_clock())
        if live.session.highest_number:
            secret = dict(live.session.secret_numbers)
            if secret != room.numbers:
                room.numbers = secret
                change.numbers.append(SecretNumbers(room.info.id, secret))
        show = self._prepare(room, plies, happened, guest, answer)
        self._enqueue(room, change, show, stored, guest, answer)
        self._let_program_choose(room)

    def _enqueue(
        self,
        room: Room,
        change: GameChange | None,
        show: Callable[[], None],
        stored: "asyncio.Future[None] | None" = None,
        guest: Guest | None = None,
        answer: int | None = None,
    ) -> None:
        """Hand a change to the database; what is shown, is shown after it is stored."""

        def after(error: _Error) -> None:
            room.pending -= 1
            if error is None:
                show()
            elif guest is not None:
                guest.post(refused(answer, str(error)))
            if stored is not None and not stored.done():
                if error is None:
                    stored.set_result(None)
                else:
                    stored.set_exception(error)
            if error is not None:
                self._start_over(room)

        room.pending += 1
        self._database.submit(Entry(room.journal, change, after))

    def _prepare(
        self,
        room: Room,
        plies: int,
        happened: list[LiveEvent],
        guest: Guest | None = None,
        answer: int | None = None,
    ) -> Callable[[], None]:
        """What each guest is to see, as the game stands now, and how to send it later."""
        live = room.live
        version = live.version
        is_turn = bool(happened) and all(
            isinstance(one, MovePlayed | NumberChosen) for one in happened
        )
        self.moves += sum(isinstance(one, MovePlayed) for one in happened)
        documents: dict[Sides, LiveTurn] | dict[Sides, LiveView]
        audiences = {one.sides for one in room.guests}
        if is_turn:
            documents = room.views.turns(audiences, plies)
        else:
            documents = {sides: self._view(room, sides) for sides in audiences}
        own = ""
        if guest is not None and guest.sides in documents:
            document: LiveTurn | LiveView = documents[guest.sides]
            if answer is not None:
                document = msgspec.structs.replace(document, done=answer)
            own = as_json(document).decode()
            if not any(one.sides == guest.sides for one in room.guests if one is not guest):
                del documents[guest.sides]
        frames = {sides: as_json(document).decode() for sides, document in documents.items()}

        def show() -> None:
            for one in room.guests:
                if one.seen < version:
                    one.seen = version
                    frame = own if one is guest else frames.get(one.sides)
                    if frame:
                        one.post(frame)

        return show

    def _send_view(self, room: Room, guest: Guest, answer: int | None) -> None:
        """Send the whole game, after everything that is still on its way."""
        view = self._view(room, guest.sides)
        if answer is not None:
            view = msgspec.structs.replace(view, done=answer)
        frame = as_json(view).decode()

        def show() -> None:
            guest.seen = view.version
            guest.post(frame)

        if room.pending:
            self._enqueue(room, None, show)
        else:
            show()

    def _start_over(self, room: Room) -> None:
        """What is in memory is not what is stored: take the game from the database again."""
        if self._rooms.get(room.info.id) is room:
            del self._rooms[room.info.id]
            self._begin(self._move_guests(room))

    async def _move_guests(self, room: Room) -> None:
        again = await self.find(room.info.id)
        again.elsewhere, again.away_since = room.elsewhere, room.away_since
        guests, room.guests = room.guests, []
        again.guests += guests
        for guest in guests:
            guest.seen = NOTHING_SENT
            self._send_view(again, guest, None)

    def _again(self, room: Room) -> Room:
        """The same game again, with the seats swapped, the same tokens and the same names."""
        info, seats = room.info, room.live.session.seats
        again = msgspec.structs.replace(
            info,
            id=new_game_id(),
            seats=(seats[1], seats[0]),
            seat_hashes=(info.seat_hashes[1], info.seat_hashes[0]),
            invite_hash=None,
        )
        return self._room(again, room.live.names_after_swap(), {})

    # Programs

    def _let_program_choose(self, room: Room) -> None:
        if not room.is_thinking and room.live.program_asked is not None:
            room.is_thinking = True
            self._begin(self._think(room))

    async def _think(self, room: Room) -> None:
        """Ask programs until people are asked again."""
        try:
            while (side := room.live.program_asked) is not None and not self._is_closing:
                session = room.live.session
                position, seat = session.position, session.seats[side - 1]
                try:
                    choice = await self._thinkers.choose(
                        room.info.rulebook, seat, room.info.start, str(position), side
                    )
                except LineduelError:
                    choice = None
                if self._is_closing or self._rooms.get(room.info.id) is not room:
                    return
                session = room.live.session
                if room.live.program_asked is not side or session.position != position:
                    continue
                plies = session.plies
                happened = (
                    room.live.forfeit(side) if choice is None else room.live.act(side, choice)
                )
                self._submit(room, plies, happened, GameChange())
        finally:
            room.is_thinking = False

    # Other processes

    async def hear_news(self, id: str) -> None:
        """Another process stored something in a game: show it here, too."""
        room = self._rooms.get(id)
        if room is None:
            return
        known = room.live.version
        added, numbers = await asyncio.to_thread(self._database.load_after, id, known)
        if self._rooms.get(id) is not room or not added:
            return
        if room.pending or room.live.version != known:
            return  # ours will be refused, and then the game is loaded again
        live = room.live
        plies = live.session.plies
        try:
            for one in added:
                live.apply(one)
            for side, number in numbers.items():
                if side not in live.session.chosen:
                    live.session.choose(side, number)
        except LineduelError:
            self._start_over(room)
            return
        if any(isinstance(one, FriendJoined) for one in added):
            self._start_over(room)  # the seat's token is new
            return
        room.note(added)
        room.numbers = numbers
        room.used = self._clock()
        self._prepare(room, min(plies, live.session.plies), added)()
        if live.program_asked is not None:
            # The process that stored the move lets the program choose; if it is gone, we do.
            self._loop.call_later(SECONDS_TO_MOVE, self._let_program_choose, room)

    # Over time

    def tidy(self) -> None:
        """Put games to sleep in which nothing happens, and forget those without guests."""
        now = self._clock()
        for room in list(self._rooms.values()):
            if room.pending or room.is_thinking:
                continue
            if not room.guests and now - room.used > FORGOTTEN_AFTER:
                del self._rooms[room.info.id]
            elif room.is_awake and now - room.used > ASLEEP_AFTER:
                room.sleep()

    async def prune(self, days: float | None) -> None:
        """Remove games in which nothing happened for so many days, unless they are in use."""
        if days is None:
            return
        done: asyncio.Future[None] = self._loop.create_future()
        prune = Prune(self._wall_clock() - days * 86400, frozenset(self._rooms))
        entry = Entry(Journal(), GameChange(prune=prune), lambda error: done.set_result(None))
        self._database.submit(entry)
        await done

    @property
    def counts(self) -> tuple[int, int]:
        """How many games are in memory, and how many connections there are."""
        return len(self._rooms), sum(len(room.guests) for room in self._rooms.values())

    async def close(self) -> None:
        """Take no more requests, store what is under way, and say goodbye to everybody."""
        self._is_closing = True
        for task in self._tasks:
            task.cancel()
        rooms = list(self._rooms.values())
        for room in rooms:
            await self.settle(room)
        bye = as_json(
            LiveBye(error="The server is stopping. Your game is stored.", again=True)
        ).decode()
        for room in rooms:
            for guest in room.guests:
                guest.post(bye)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def refused(id: int | None, error: str) -> str:
    """The answer to a request that is not carried out."""
    return as_json(LiveRefused(id=id, error=error)).decode()


def _finish(results: list[tuple[Entry, _Error]]) -> None:
    for entry, error in results:
        entry.after(error)


def _both(of: Callable[[Side], str | None]) -> tuple[str | None, str | None]:
    return of(Side.ONE), of(Side.TWO)


def _open_seat(info: GameInfo) -> Side | None:
    """The seat that waits for a friend."""
    for side, kept, seat in zip(Side, info.seat_hashes, info.seats, strict=True):
        if kept is None and seat == HUMAN:
            return side
    return None


def _sides_or_nobody(room: Room, key: str) -> Sides:
    try:
        return room.sides_of(key)
    except LinkRefused:
        return frozenset()
