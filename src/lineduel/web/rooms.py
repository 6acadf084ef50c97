"""Live games with the people in them: requests come in, are stored, and are then shown to all."""

import asyncio
import time
from collections.abc import Callable
from random import SystemRandom

import msgspec

from lineduel.documents import (
    SIDE_IDS,
    SIDES,
    ClaimState,
    CreatedGame,
    LivePresence,
    LiveRefused,
    LiveView,
    NewGame,
    Presence,
    as_json,
)
from lineduel.engine import Game
from lineduel.errors import LineduelError, NotNow, StorageError, UnknownGame
from lineduel.players import HUMAN
from lineduel.record import read_position
from lineduel.rulebooks import SHIPPED
from lineduel.rules import Side
from lineduel.web.database import Change, Database, Entry, Journal, NewSeat, Numbers
from lineduel.web.live_game import GameInfo, Happening, LiveGame, Request, Sides
from lineduel.web.rulebook_shelf import RulebookShelf, RulebookText, shipped_text
from lineduel.web.thinking import Thinkers, check_program
from lineduel.web.tokens import (
    INVITE,
    SEAT,
    SPECTATOR,
    fits,
    hashed,
    is_token,
    new_game_id,
    new_token,
)

HERE, FRIEND = "here", "friend"
AWAY_SECONDS = 60.0
"""How long somebody may be away before the other player can claim the game."""
_TURNS = {"move", "number"}
_NEVER = 1 << 60


class Refused(NotNow):
    """A token does not open this game."""


class Guest:
    """A connection to a live game: which sides it plays, and how to send it something."""

    __slots__ = ("post", "seen", "sides")

    def __init__(self, sides: Sides, post: Callable[[str], None]) -> None:
        self.sides = sides
        self.post = post
        self.seen = _NEVER
        """The version it has been sent; messages up to it are not sent again."""


class Room:
    """A live game and its guests."""

    def __init__(
        self,
        info: GameInfo,
        shelf: RulebookShelf,
        happenings: list[Happening],
        numbers: dict[Side, int],
    ) -> None:
        self.info = info
        self.guests: list[Guest] = []
        self.journal = Journal()
        self.pending = 0
        """Entries on their way into the database."""
        self.is_thinking = False
        self.away_since = {side: time.monotonic() for side in Side}
        self.numbers: dict[Side, int] = numbers
        self.live = LiveGame(info, shelf.ready(info.rulebook), happenings, numbers)

    def sides_of(self, token: str) -> Sides:
        """The sides that a token plays: none for a spectator; any other token is refused."""
        token_hash = hashed(token)
        sides = frozenset(
            side
            for side, kept in zip(Side, self.info.seat_hashes, strict=True)
            if fits(token_hash, kept)
        )
        if sides or fits(token_hash, self.info.spectator_hash):
            return sides
        if fits(token_hash, self.info.invite_hash):
            raise Refused("This invitation has been used. Ask for a new game.")
        raise Refused("This link does not open the game.")

    def is_present(self, side: Side) -> bool:
        """Whether a side is connected; a program always is."""
        return side not in self.live.match.people or any(
            side in guest.sides for guest in self.guests
        )

    @property
    def presence(self) -> Presence:
        watching = sum(not guest.sides for guest in self.guests)
        return Presence(
            P1=self.is_present(Side.ONE), P2=self.is_present(Side.TWO), watching=watching
        )

    def seconds_left(self, sides: Sides) -> float | None:
        """How long a player has to wait to claim the game; None if nobody is away."""
        if len(sides) != 1 or self.live.is_over:
            return None
        other = min(sides).other
        if self.is_present(other):
            return None
        return max(0.0, self.away_since[other] + AWAY_SECONDS - time.monotonic())

    def claim(self, sides: Sides) -> ClaimState | None:
        """What a player may do because the other one is away."""
        left = self.seconds_left(sides)
        if left is None:
            return None
        name = self.live.name(min(sides).other)
        if not self.live.is_joined:
            return ClaimState(seconds_left=0, can=["abort"], sentence=f"{name} has not joined yet.")
        return ClaimState(
            seconds_left=int(left + 0.999),
            can=["win", "computer", "abort"],
            sentence=f"{name} is away.",
        )

    def view(self, sides: Sides) -> LiveView:
        return self.live.view(sides, self.presence, self.claim(sides))


class Rooms:
    """All live games of this server."""

    def __init__(self, database: Database, thinkers: Thinkers) -> None:
        self.shelf = RulebookShelf()
        self._database = database
        self._thinkers = thinkers
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._decoder = msgspec.json.Decoder(Request)
        database.start(
            lambda results: self._loop.call_soon_threadsafe(self._stored, results)  # type: ignore[arg-type,return-value]
        )

    # Creating and finding games

    async def create(self, new: NewGame) -> CreatedGame:
        """Begin a game; it is stored before its tokens are told."""
        text = _rulebook_text(new)
        played = self.shelf.ready(text)
        start = _start(played.game, new.position)
        mine = SIDES[new.seat] if new.seat != "random" else SystemRandom().choice(list(Side))
        seats = dict.fromkeys(Side, HUMAN)
        if new.opponent not in (HERE, FRIEND):
            seats[mine.other] = check_program(new.opponent)
            await self._thinkers.get_ready(text, seats[mine.other], start)
        token = new_token(SEAT)
        mine_too = set(Side) if new.opponent == HERE else {mine}
        invite = new_token(INVITE) if new.opponent == FRIEND else None
        spectator = new_token(SPECTATOR) if new.watch else None
        info = GameInfo(
            id=new_game_id(),
            rulebook=text,
            start=start,
            seats=(seats[Side.ONE], seats[Side.TWO]),
            seat_hashes=_both(lambda side: hashed(token) if side in mine_too else None),
            invite_hash=invite and hashed(invite),
            spectator_hash=spectator and hashed(spectator),
        )
        room = Room(info, self.shelf, [], {})
        change = Change(games=[(info, time.time())])
        if new.name:
            named = Request(do="name", name=new.name, side=SIDE_IDS[mine])
            happened = room.live.perform(named, frozenset({mine}), False)
            change.add(info.id, room.live.version, happened, time.time())
        self._rooms[info.id] = room
        await self._store(room, change)
        self._let_program_choose(room)
        return CreatedGame(
            id=info.id,
            seats={SIDE_IDS[side]: token for side in sorted(mine_too)},
            invite=invite,
            spectator=spectator,
        )

    async def find(self, id: str) -> Room | None:
        """The game of that id, from memory or from the database."""
        room = self._rooms.get(id)
        if room is not None:
            return room
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._load(id))
        return await asyncio.shield(task)

    async def _load(self, id: str) -> Room | None:
        try:
            loaded = await asyncio.to_thread(self._database.load, id)
            if loaded is None:
                return None
            room = self._rooms[id] = Room(loaded[0], self.shelf, loaded[1], loaded[2])
            self._let_program_choose(room)
            return room
        finally:
            del self._loading[id]

    async def admit(self, room: Room, token: object, key: object) -> Sides:
        """The sides that a token plays. An invitation is exchanged for a seat, once.

        Whoever joins brings the token that opens the seat from then on, so that nothing is lost
        if the answer is; asking again with the same token works.
        """
        if not isinstance(token, str) or not is_token(token):
            raise Refused("This link does not open the game.")
        open_seats = [
            side
            for side, kept, seat in zip(Side, room.info.seat_hashes, room.info.seats, strict=True)
            if kept is None and seat == HUMAN
        ]
        if not fits(hashed(token), room.info.invite_hash):
            return room.sides_of(token)
        if not isinstance(key, str) or not is_token(key):
            raise Refused("An invitation is exchanged for a token of your own, which is missing.")
        if not open_seats:
            return room.sides_of(key)
        (side,) = open_seats
        room.info = msgspec.structs.replace(
            room.info,
            seat_hashes=_both(
                lambda one: hashed(key) if one is side else room.info.seat_hashes[one - 1]
            ),
        )
        change = Change(seats=[NewSeat(room.info.id, side, hashed(key))])
        happened = room.live.join()
        change.add(room.info.id, room.live.version, happened, time.time())
        await self._store(
            room,
            change,
            lambda: self._show(room, room.live.match.session.plies, happened, None, None),
        )
        self._let_program_choose(room)
        return frozenset({side})

    # Guests

    def current(self, room: Room) -> Room:
        """The room that took the place of one that was loaded again."""
        return self._rooms.get(room.info.id, room)

    def enter(self, room: Room, guest: Guest) -> None:
        """Somebody is connected: send the game as it stands, and tell the others."""
        room.guests.append(guest)
        self._send_view(room, guest, None)
        self._tell_presence(room, except_for=guest)

    def leave(self, room: Room, guest: Guest) -> None:
        """Somebody is gone."""
        if guest not in room.guests:
            return
        room.guests.remove(guest)
        for side in guest.sides:
            if not room.is_present(side):
                room.away_since[side] = time.monotonic()
        self._tell_presence(room)

    def _tell_presence(self, room: Room, except_for: Guest | None = None) -> None:
        presence = room.presence
        for guest in room.guests:
            if guest is not except_for:
                told = LivePresence(
                    P1=presence.P1,
                    P2=presence.P2,
                    watching=presence.watching,
                    claim=room.claim(guest.sides),
                )
                guest.post(as_json(told).decode())

    # Requests

    def hear(self, room: Room, guest: Guest, frame: str | bytes) -> None:
        """A frame came from a guest."""
        try:
            request = self._decoder.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError):
            guest.post(_refused(None, "This message is not understood."))
            return
        if request.do == "view":
            self._send_view(room, guest, request.id)
            return
        try:
            self._handle(room, guest.sides, request, guest, None)
        except LineduelError as error:
            guest.post(_refused(request.id, str(error)))

    async def act(self, room: Room, sides: Sides, request: Request) -> LiveView:
        """Carry out a request that came alone; what it leads to is returned once it is stored."""
        stored: asyncio.Future[None] = self._loop.create_future()
        if request.do != "view":
            self._handle(room, sides, request, None, stored)
            await stored
        return room.view(sides)

    def _handle(
        self,
        room: Room,
        sides: Sides,
        request: Request,
        guest: Guest | None,
        stored: "asyncio.Future[None] | None",
    ) -> None:
        live = room.live
        plies = live.match.session.plies
        claimable = request.do == "claim" and room.seconds_left(sides) == 0.0
        happened = live.perform(request, sides, claimable)
        change = Change()
        if live.wants_rematch:
            again = self._rematch(room)
            change.games.append((again.info, time.time()))
            self._rooms[again.info.id] = again
            happened += live.begin_rematch(again.info.id)
        self._submit(room, plies, happened, change, guest, request.id, stored)

    def _submit(
        self,
        room: Room,
        plies: int,
        happened: list[Happening],
        change: Change,
        guest: Guest | None = None,
        answer: int | None = None,
        stored: "asyncio.Future[None] | None" = None,
    ) -> None:
        """Store what happened, and show it to everybody then."""
        live = room.live
        change.add(room.info.id, live.version, happened, time.time())
        secret = dict(live.match.session.secret_numbers)
        if secret != room.numbers:
            room.numbers = secret
            change.numbers.append(Numbers(room.info.id, secret))
        show = self._prepare(room, plies, happened, guest, answer)

        def after(error: StorageError | NotNow | None) -> None:
            room.pending -= 1
            if error is None:
                show()
                if stored is not None and not stored.done():
                    stored.set_result(None)
                return
            if guest is not None:
                guest.post(_refused(answer, str(error)))
            if stored is not None and not stored.done():
                stored.set_exception(error)
            self._start_over(room)

        room.pending += 1
        self._database.submit(Entry(room.journal, change, after))
        self._let_program_choose(room)

    def _prepare(
        self,
        room: Room,
        plies: int,
        happened: list[Happening],
        guest: Guest | None,
        answer: int | None,
    ) -> Callable[[], None]:
        """What each guest is to see of it, as it stands now, to be sent once it is stored."""
        live = room.live
        version = live.version
        is_turn = all(one.kind in _TURNS for one in happened)
        frames: dict[Sides, str] = {}
        own = ""
        for one in room.guests:
            if one is guest or one.sides in frames:
                continue
            document = live.turn(one.sides, plies) if is_turn else room.view(one.sides)
            frames[one.sides] = as_json(document).decode()
        if guest is not None:
            document = live.turn(guest.sides, plies) if is_turn else room.view(guest.sides)
            if answer is not None:
                document = msgspec.structs.replace(document, done=answer)
            own = as_json(document).decode()

        def show() -> None:
            for one in room.guests:
                if one.seen < version:
                    one.seen = version
                    frame = own if one is guest else frames.get(one.sides)
                    if frame is not None:
                        one.post(frame)

        return show

    def _show(
        self,
        room: Room,
        plies: int,
        happened: list[Happening],
        guest: Guest | None,
        answer: int | None,
    ) -> None:
        self._prepare(room, plies, happened, guest, answer)()

    def _send_view(self, room: Room, guest: Guest, answer: int | None) -> None:
        """Send the whole game, after everything that is still on its way."""
        view = room.view(guest.sides)
        if answer is not None:
            view = msgspec.structs.replace(view, done=answer)
        frame = as_json(view).decode()
        version = view.version

        def after(error: StorageError | NotNow | None) -> None:
            room.pending -= 1
            if error is None:
                guest.seen = version
                guest.post(frame)

        room.pending += 1
        if room.pending > 1:
            self._database.submit(Entry(room.journal, None, after))
        else:
            after(None)

    async def _store(
        self, room: Room, change: Change, show: Callable[[], None] | None = None
    ) -> None:
        """Store a change, and wait for it."""
        stored: asyncio.Future[None] = self._loop.create_future()

        def after(error: StorageError | NotNow | None) -> None:
            room.pending -= 1
            if error is None:
                if show:
                    show()
                stored.set_result(None)
            else:
                stored.set_exception(error)
                self._start_over(room)

        room.pending += 1
        self._database.submit(Entry(room.journal, change, after))
        await stored

    def _stored(self, results: list[tuple[Entry, StorageError | NotNow | None]]) -> None:
        for entry, error in results:
            entry.after(error)

    def _start_over(self, room: Room) -> None:
        """What is in memory is not what is stored: take the game from the database again."""
        if self._rooms.get(room.info.id) is not room:
            return
        del self._rooms[room.info.id]
        self._begin(self._move_guests(room))

    async def _move_guests(self, room: Room) -> None:
        again = await self.find(room.info.id)
        for guest in room.guests:
            guest.seen = _NEVER
            if again is not None:
                self.enter(again, guest)

    def _rematch(self, room: Room) -> Room:
        """The same game again, with the seats swapped and the same tokens."""
        info = room.info
        one, two = info.seat_hashes
        session = room.live.match.session
        again = msgspec.structs.replace(
            info,
            id=new_game_id(),
            seats=(session.seats[1], session.seats[0]),
            seat_hashes=(two, one),
            invite_hash=None,
        )
        return Room(again, self.shelf, [], {})

    # Programs

    def _let_program_choose(self, room: Room) -> None:
        side = room.live.program_asked
        if side is not None and not room.is_thinking:
            room.is_thinking = True
            self._begin(self._think(room))

    async def _think(self, room: Room) -> None:
        try:
            while (side := room.live.program_asked) is not None:
                session = room.live.match.session
                version, position = room.live.version, session.position
                seat = session.seats[side - 1]
                try:
                    choice = await self._thinkers.choose(
                        room.info.rulebook, seat, room.info.start, str(position), side
                    )
                except LineduelError:
                    choice = None
                if room.live.version != version and (
                    room.live.program_asked is not side or session.position != position
                ):
                    continue
                plies = session.plies
                happened = (
                    room.live.forfeit(side) if choice is None else room.live.act(side, choice)
                )
                self._submit(room, plies, happened, Change())
        finally:
            room.is_thinking = False

    def _begin(self, work: "object") -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _rulebook_text(new: NewGame) -> RulebookText:
    """Which rulebook a new game is played by."""
    if new.toml is not None:
        return RulebookText("own", new.toml, new.variant or "")
    if new.game not in SHIPPED:
        raise UnknownGame(new.game or "", ())
    return shipped_text(new.game, new.variant)


def _start(game: Game, position: str | None) -> str:
    return str(game.start() if position is None else read_position(game, position))


def _both(of: Callable[[Side], str | None]) -> tuple[str | None, str | None]:
    return of(Side.ONE), of(Side.TWO)


def _refused(id: int | None, error: str) -> str:
    return as_json(LiveRefused(id=id, error=error)).decode()
