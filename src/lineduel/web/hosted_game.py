"""A live game with the people who are connected to it."""

import time
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from lineduel.documents import ClaimState, LiveView, Presence
from lineduel.errors import LinkRefused, NotNow, StorageError
from lineduel.narration import capitalized
from lineduel.play import (
    TURNING_KINDS,
    AfterKeeping,
    LiveEvent,
    LiveGame,
    Row,
    Session,
    Sides,
    event_of_row,
    row_of_event,
)
from lineduel.players import HUMAN
from lineduel.quantities import counted
from lineduel.record import read_position
from lineduel.rules import Side
from lineduel.web.database import Entry, Journal
from lineduel.web.game_changes import DAY, GameChange, GameInfo, SecretNumbers
from lineduel.web.live_views import LiveViews
from lineduel.web.request_limits import VIEWS_OF_GAME, Bucket
from lineduel.web.rulebook_shelf import PlayedRulebook
from lineduel.web.tokens import fits, hashed, is_token

NOTHING_SENT = 1 << 60
"""The version of a guest who has not been sent the game yet, so that no turn is sent before it."""


class Guest(Protocol):
    """A connection to a live game."""

    sides: Sides
    """The sides it plays."""
    seen: int
    """The version it has been sent; messages up to it are not sent again."""
    address: str
    """Where it comes from."""

    def post(self, frame: bytes) -> None:
        """Send a frame after those before it; it neither waits nor raises."""

    def dismiss(self, error: str) -> None:
        """Say why, and end the connection."""


class Elsewhere(msgspec.Struct, frozen=True):
    """How many guests another process has in a game."""

    sides: tuple[int, int]
    watching: int


class HostedGame:
    """A live game, its guests, and its way into the database: a `GameStore`.

    The game itself is rebuilt from what happened whenever it is needed, so that a game in which
    nobody moves takes little memory.
    """

    __slots__ = (
        "_asleep",
        "_live",
        "_slept_at",
        "_submit",
        "_wall_clock",
        "address",
        "away_since",
        "elsewhere",
        "events",
        "guests",
        "info",
        "is_behind",
        "is_catching_up",
        "is_thinking",
        "journal",
        "numbers",
        "pending",
        "played",
        "seen",
        "turned",
        "used",
        "views_left",
    )

    def __init__(
        self,
        played: PlayedRulebook,
        info: GameInfo,
        events: list[LiveEvent],
        numbers: dict[Side, int],
        now: float,
        submit: Callable[[Entry], None],
        turned: float | None = None,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        """A game as it is stored at this time; `submit` takes what is to be stored from now on."""
        self._submit, self._wall_clock = submit, wall_clock
        self.played = played
        """The rulebook, ready for play."""
        self.address = ""
        """Where the last player came from, for whom programs work here."""
        self.guests: list[Guest] = []
        self.pending = 0
        """Entries on their way into the database."""
        self.is_thinking = False
        self.is_behind = False
        """Whether more may be stored than is known here."""
        self.is_catching_up = False
        """Whether somebody is looking what is stored; only one does so at a time."""
        self.views_left = Bucket(VIEWS_OF_GAME, now)
        self.seen: dict[Sides, LiveView] = {}
        """What each audience sees, for as long as nothing changes."""
        self.away_since = (now, now)
        """When each side was last seen to be gone."""
        self.elsewhere: dict[str, Elsewhere] | None = None
        """Guests at other processes."""
        self.used = now
        self.begin(info, events, numbers, turned)

    def begin(
        self,
        info: GameInfo,
        events: list[LiveEvent],
        numbers: dict[Side, int],
        turned: float | None = None,
    ) -> None:
        """Take the game as it is stored, for the first time or again."""
        self.turned = self._wall_clock() if turned is None else turned
        """When those who are asked now were first asked."""
        self.info = msgspec.structs.replace(info, rulebook=self.played.text)
        self.journal = Journal()
        self.events: list[LiveEvent] | None = events
        self.numbers = numbers
        """The secret numbers, as they are stored."""
        self.seen.clear()
        self._live: LiveGame | None = None
        self._asleep: bytes | None = None
        self._slept_at = 0

    @property
    def version(self) -> int:
        """How many events there were; this does not rebuild the game."""
        return self._slept_at if self.events is None else len(self.events)

    @property
    def live(self) -> LiveGame:
        """The game, rebuilt if it was put to sleep."""
        if self._live is None:
            if self._asleep is not None:
                self.events = list(map(event_of_row, _decoder.decode(self._asleep)))
                self._asleep = None
            info, game = self.info, self.played.game
            seats = zip(info.seat_hashes, info.seats, strict=True)
            self._live = LiveGame(
                Session(game, read_position(game, info.start), info.seats),
                is_joined=all(token or seat != HUMAN for token, seat in seats),
                events=self.events or (),
                numbers=self.numbers,
            )
        return self._live

    @property
    def views(self) -> LiveViews:
        """What each audience sees of the game."""
        return LiveViews(self.live, self.played, self.deadline)

    @property
    def deadline(self) -> float | None:
        """Until when those who are asked have time, in a game that gives them days."""
        days, live = self.info.days, self.live
        if days is None or live.is_over or not live.is_joined:
            return None
        return self.turned + days * DAY

    def sleep(self) -> None:
        """Keep only what happened."""
        if self._live is not None and not self.pending and not self.is_thinking:
            self._slept_at = self.version
            self._asleep = _encoder.encode(list(map(row_of_event, self.events or ())))
            self._live = self.events = None
            self.seen.clear()

    def note(self, events: list[LiveEvent]) -> None:
        """Remember what happened, to rebuild the game from it."""
        self.seen.clear()
        if any(row_of_event(one).kind in TURNING_KINDS for one in events):
            self.turned = self._wall_clock()
        if self.events is not None:
            self.events += events

    def events_after(self, version: int) -> list[LiveEvent] | None:
        """What happened after a version; None if there was no such version."""
        happened = (self.live and self.events) or []
        return happened[version:] if 0 <= version <= len(happened) else None

    # What is stored

    def keep(
        self, events: Sequence[LiveEvent], then: AfterKeeping, change: GameChange | None = None
    ) -> None:
        """Have what happened stored, with whatever else changes, all of it or nothing."""
        change = GameChange() if change is None else change
        change.add(self.info.id, self.live.version, events, self._wall_clock())
        session = self.live.session
        if session.rulebook.rules.battle is not None:
            secret = dict(session.secret_numbers)
            if secret != self.numbers:
                self.numbers = secret
                change.numbers.append(SecretNumbers(self.info.id, secret))
        self._enqueue(change, then)

    def after_all(self, then: AfterKeeping) -> None:
        """Call this once all that happened before is stored or refused."""
        self._enqueue(None, then)

    def _enqueue(self, change: GameChange | None, then: AfterKeeping) -> None:
        journal = self.journal

        def after(error: StorageError | NotNow | None) -> None:
            self.pending -= 1
            if error is not None:
                journal.is_broken = True
            then(error)

        self.pending += 1
        self._submit(Entry(journal, change, after))

    # Who may come in

    def sides_of(self, token: object) -> Sides:
        """The sides that a token plays: none for a spectator; any other token is refused."""
        if not isinstance(token, str) or not is_token(token):
            raise LinkRefused("This link does not open the game.")
        token_hash = hashed(token)
        sides = frozenset(
            side
            for side, kept in zip(Side, self.info.seat_hashes, strict=True)
            if fits(token_hash, kept)
        )
        if sides or fits(token_hash, self.info.spectator_hash):
            return sides
        if fits(token_hash, self.info.invite_hash):
            raise LinkRefused("This invitation has been used. Ask your friend for a new game.")
        raise LinkRefused("This link does not open the game.")

    def is_invitation(self, token: object) -> bool:
        """Whether a token is this game's invitation, used or not."""
        return isinstance(token, str) and fits(hashed(token), self.info.invite_hash)

    def is_helped(self, sides: Sides) -> bool:
        """Whether there are hints for these sides: if no person of this game is elsewhere.

        That a computer has taken over a friend's seat changes nothing: the friend may come back.
        """
        people = {side for side, seat in zip(Side, self.info.seats, strict=True) if seat == HUMAN}
        return bool(sides) and people <= sides

    # Who is there

    def is_present(self, side: Side) -> bool:
        """Whether a side is connected; a program always is."""
        if side not in self.live.session.people:
            return True
        if any(side in guest.sides for guest in self.guests):
            return True
        return any(one.sides[side - 1] for one in (self.elsewhere or {}).values())

    @property
    def presence(self) -> Presence:
        watching = sum(not guest.sides for guest in self.guests)
        watching += sum(one.watching for one in (self.elsewhere or {}).values())
        return Presence(
            P1=self.is_present(Side.ONE), P2=self.is_present(Side.TWO), watching=watching
        )

    def here(self) -> Elsewhere:
        """How many guests this process has in the game."""
        one, two = (sum(side in guest.sides for guest in self.guests) for side in Side)
        return Elsewhere((one, two), sum(not guest.sides for guest in self.guests))

    def note_gone(self, side: Side, now: float) -> None:
        """A side has just left."""
        one, two = self.away_since
        self.away_since = (now, two) if side is Side.ONE else (one, now)

    def note_acted(self, events: list[LiveEvent], now: float) -> None:
        """Who acts at another process, connected or not, has been there until now.

        What is of no side, like the outcome of a battle, is of both.
        """
        for side in {row_of_event(one).side for one in events}:
            for acting in (Side(side),) if side else Side:
                self.note_gone(acting, now)

    def note_elsewhere(self, process: str, here: Elsewhere | None, now: float) -> bool:
        """Another process has these guests in the game; whether that changes who is there."""
        before = self.presence
        elsewhere = {**(self.elsewhere or {})}
        elsewhere.pop(process, None)
        if here is not None and (any(here.sides) or here.watching):
            elsewhere[process] = here
        self.elsewhere = elsewhere or None
        after = self.presence
        if before.P1 and not after.P1:
            self.note_gone(Side.ONE, now)
        if before.P2 and not after.P2:
            self.note_gone(Side.TWO, now)
        return before != after

    def seconds_to_claim(self, sides: Sides, patience: float | None, now: float) -> float | None:
        """How long a player has to wait to claim the game; None if nobody is away.

        Without patience nobody can tell who is away. In a game that gives days for each turn,
        somebody is away only after these days, connected or not.
        """
        if self.deadline is not None and len(sides) == 1:
            asked = self.live.view(sides).asked
            is_theirs = min(sides).other in asked and not sides & set(asked)
            return max(0.0, self.deadline - self._wall_clock()) if is_theirs else None
        if patience is None or len(sides) != 1 or self.live.is_over:
            return None
        other = min(sides).other
        if self.is_present(other):
            return None
        return max(0.0, self.away_since[other - 1] + patience - now)

    def claim(self, sides: Sides, patience: float | None, now: float) -> ClaimState | None:
        """What a player may do because the other one is away."""
        left = self.seconds_to_claim(sides, patience, now)
        if left is None:
            return None
        name = capitalized(self.views.names(sides)[min(sides).other])
        if not self.live.is_joined:
            return ClaimState(seconds_left=0, can=["abort"], sentence=f"{name} has not joined yet.")
        days = self.info.days
        if days is not None and left:
            return None  # they have time
        away = "is away" if days is None else f"has not moved for {counted(days, 'day')}"
        return ClaimState(
            seconds_left=-int(-left // 1),
            can=["win", "computer", "abort"],
            sentence=f"{name} {away}.",
        )

    def view(self, sides: Sides, patience: float | None, now: float) -> LiveView:
        """The whole game, as the player of these sides sees it."""
        claim = self.claim(sides, patience, now)
        return self.views.whole(
            self.info.id, sides, self.presence, claim, is_helped=self.is_helped(sides)
        )


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Row])
