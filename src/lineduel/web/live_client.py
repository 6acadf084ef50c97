"""The other end of a live game: its link, and a connection that comes back by itself."""

import json
import os
import re
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import msgspec

from lineduel import play
from lineduel.documents import (
    SIDES,
    ClaimState,
    LiveBye,
    LiveMessage,
    LivePresence,
    LiveRefused,
    LiveTurn,
    LiveView,
    LogLine,
    Presence,
)
from lineduel.engine import Game
from lineduel.errors import LineduelError, NotationError, NotNow, StorageError, shown
from lineduel.record import Record, parse_move, read_record
from lineduel.rules import Side, printable_text
from lineduel.storage import data_folder, locked, put_aside, read_bytes, write_atomically
from lineduel.web.live_requests import request_of
from lineduel.web.tokens import INVITE, SEAT, new_token

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

_PATH = re.compile(r"/game/([0-9a-z]{1,40})")
_RETRY = (1, 2, 4, 8, 15)
"""Seconds between attempts to reconnect."""
_A_MOMENT, _SECONDS_TO_ANSWER = 1.0, 30.0
"""Seconds without an answer after which that is said, and after which nothing more is awaited."""
_BETWEEN_REMATCHES = 0.5
"""Seconds before a rematch is joined, so that no server sends us through thousands of them."""
_OWNER_ONLY = 0o600
_LARGEST = 1 << 20


class GameLink(NamedTuple):
    """Where a live game is, and the token that opens it."""

    origin: str
    """Such as `https://duels.example.org`."""
    game: str
    token: str
    invitation: str | None
    """Exchanged for the token, once."""

    @property
    def socket(self) -> str:
        """The address of the WebSocket."""
        return f"ws{self.origin.removeprefix('http')}/api/live/{self.game}/socket"

    def greeting(self, version: int | None) -> str:
        """The first message of somebody who has seen the game up to a version, or not at all."""
        seen = {} if version is None else {"version": version}
        if self.invitation is None:
            return json.dumps({"token": self.token, **seen})
        return json.dumps({"token": self.invitation, "key": self.token, **seen})


def read_link(url: str) -> GameLink:
    """A link as in the browser; an invitation gets a token of our own, which is kept."""
    try:
        link = urlsplit(url)
        host, _ = (link.hostname or "").encode("idna"), link.port
    except ValueError:  # no host or port can be called that
        raise _not_a_link() from None
    found = _PATH.fullmatch(link.path)
    if link.scheme not in ("http", "https") or not host or not found or not link.fragment:
        raise _not_a_link()
    origin, game = f"{link.scheme}://{link.netloc}", found[1]
    if not link.fragment.startswith(f"{INVITE}."):
        return GameLink(origin, game, link.fragment, None)
    token = _kept_token(data_folder() / "joined.json", f"{link.netloc} {game}")
    return GameLink(origin, game, token, link.fragment)


def _not_a_link() -> NotationError:
    return NotationError(
        "That is not the link of a live game. It looks like https://HOST/game/ID#TOKEN"
    )


def _kept_token(path: Path, place: str) -> str:
    """The token that was made for that place, now or before."""
    with locked(path):
        kept = _kept_tokens(path)
        if place not in kept:
            kept[place] = new_token(SEAT)
            write_atomically(path, json.dumps(kept) + "\n", mode=_OWNER_ONLY)
    return kept[place]


def _kept_tokens(path: Path) -> dict[str, str]:
    """The token of each place; a damaged file is put aside and reported."""
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(read_bytes(path), type=dict[str, str])
    except (msgspec.DecodeError, RecursionError):
        aside = put_aside(path)
        raise StorageError(
            f"{shown(path, 300)}, with the keys to your seats in live games, was damaged.\n"
            f"It is kept as {shown(aside, 300)}; try again to join without it."
        ) from None


def _message(frame: str | bytes) -> LiveMessage:
    """What the server says, with nothing in it that a terminal would obey."""
    message: LiveMessage = msgspec.convert(_harmless(msgspec.json.decode(frame)), LiveMessage)
    if isinstance(message, LiveView) and not set(SIDES) == {*message.names} == {*message.kinds}:
        raise msgspec.ValidationError("A side is missing.")
    return message


def _harmless(data: object) -> object:
    """JSON with all its texts made printable."""
    match data:
        case str():
            return printable_text(data)
        case list():
            return [_harmless(one) for one in data]
        case dict():
            return {printable_text(key): _harmless(one) for key, one in data.items()}
        case _:
            return data


class LiveClient(play.Connection):
    """A connection to a live game, kept up by a thread; a rematch is followed."""

    def __init__(self, link: GameLink, clock: Callable[[], float] = time.monotonic) -> None:
        self._link, self._clock = link, clock
        self._view: LiveView | None = None
        self._session: play.Session | None = None
        self.refusal = ""
        """Why the server will not have us; empty while it does."""
        self._socket: ClientConnection | None = None
        self._has_news = threading.Event()
        self._is_over = threading.Event()
        self._hear: play.Hear = lambda news: None
        self._claimable = 0.0
        """When the game may be claimed, by the clock."""

    def connect(
        self, name: str | None = None, notice: Callable[[str], None] = lambda sentence: None
    ) -> None:
        """Wait for the game, and give our name; raises if it cannot be reached or refuses us.

        If that takes a while, `notice` is called with a sentence that says so.
        """
        threading.Thread(target=self._run, name="live game", daemon=True).start()
        if not self._has_news.wait(_A_MOMENT):
            notice(f"Waiting for {shown(self._link.origin, 200)} …")
            if not self._has_news.wait(_SECONDS_TO_ANSWER):
                self._end("The server does not answer.")
        if self.refusal:
            raise LineduelError(self.refusal)
        if name:
            self.ask(play.GiveName(name))
        record = self._load_record()
        self._session = play.Session(Game(record.rulebook), record.start)

    # What is seen

    @property
    def _seen(self) -> LiveView:
        """The game as it was last seen."""
        assert self._view is not None
        return self._view

    @property
    def state(self) -> tuple[play.Session, play.GameView]:
        """The course of the game, played again here, and what is seen of it."""
        document, session = self._seen, self._session
        assert session is not None
        names = document.names["P1"], document.names["P2"]
        if session.names != names:
            session = self._session = play.Session(session.game, session.start, names=names)
        try:
            _follow(session, document.log)
        except LineduelError:
            raise LineduelError(
                "The server tells of moves that are not possible in this game."
            ) from None
        return session, _view_of(document, session)

    @property
    def status(self) -> str:
        return self._seen.sentence

    @property
    def request(self) -> str:
        stop = self._seen.stop
        return self._seen.undo.sentence or (stop.sentence if stop.offered_by else "")

    @property
    def absence(self) -> tuple[str, float] | None:
        claim = self._seen.claim
        if claim is None:
            return None
        return claim.sentence, self._claimable - self._clock()

    @property
    def is_over(self) -> bool:
        """Whether nothing comes any more."""
        return self._is_over.is_set()

    def listen(self, hear: play.Hear, work: play.SlowWork = play.AT_ONCE) -> None:
        """From now on call this with all news, in another thread, after the view has changed.

        The game as it stands, or what has ended it, is said at once.
        """
        self._hear = hear
        if self.refusal:
            hear(play.Closed(self.refusal))
        elif self._view is not None:
            hear(play.Changed())

    # What is asked for

    def ask(self, intent: play.Intent) -> None:
        """Ask for something; raises if there is no connection."""
        from websockets.exceptions import ConnectionClosed

        socket = self._socket
        if socket is None:
            raise NotNow("There is no connection right now. Try again in a moment.")
        try:
            socket.send(json.dumps(request_of(intent)))
        except ConnectionClosed:
            raise NotNow("The connection was lost, so nothing was sent.") from None

    def _load_record(self) -> Record:
        """The game so far, with its rulebook."""
        address = f"{self._link.origin}/api/live/{self._link.game}/record"
        request = urllib.request.Request(
            address, headers={"Authorization": f"Bearer {self._link.token}"}
        )
        try:
            with _opener().open(request, timeout=_SECONDS_TO_ANSWER) as answer:
                return read_record(answer.read(_LARGEST).decode())
        except (OSError, HTTPException, ValueError) as error:
            raise LineduelError(f"The game cannot be loaded: {shown(error, 200)}.") from None

    def close(self) -> None:
        """Leave the game."""
        self._is_over.set()

    def _run(self) -> None:
        """Stay connected until the end; any other end is reported as well."""
        try:
            self._stay_connected()
        except Exception as error:  # unforeseen; nobody else would hear of it in this thread
            why = f"{type(error).__name__}: {shown(error, 200)}"
            with suppress(Exception):  # it may be the listener that fails
                self._end(f"The connection to the game failed ({why}).")

    def _stay_connected(self) -> None:
        """Connect again and again; whatever happens meanwhile is in the view that comes first."""
        os.environ["WEBSOCKETS_MAX_REDIRECTS"] = "1"  # our token is for this server, and no other
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect

        attempt = 0
        while not self._is_over.is_set():
            try:
                link = self._link
                with connect(link.socket, compression=None) as socket:
                    self._socket = socket
                    is_known = self._view is not None and self._view.id == link.game
                    socket.send(link.greeting(self._seen.version if is_known else None))
                    for frame in socket:
                        attempt = 0
                        self._take(_message(frame))
                        if self._link is not link:
                            break  # to the rematch, which may have one, too
            except (OSError, WebSocketException) as error:
                if self._view is None:
                    why = error.strerror if isinstance(error, OSError) else None
                    self._end(f"The game cannot be reached: {shown(why or error, 200)}.")
            except msgspec.DecodeError:
                self._end("The server runs another version of lineduel. Update yours.")
            self._socket = None
            if self._is_over.is_set():
                continue
            if self._link is not link:
                self._is_over.wait(_BETWEEN_REMATCHES)
                continue
            if attempt == 0:
                self._hear(play.Lost())
            self._is_over.wait(_RETRY[min(attempt, len(_RETRY) - 1)])
            attempt += 1

    def _take(self, message: LiveMessage) -> None:
        match message:
            case LiveView():
                self._view = message
                self._note_claim(message.claim)
                self._has_news.set()
                self._hear(play.Changed())
            case LiveTurn() if self._view is not None and message.since == self._view.version:
                self._view = _after_turn(self._view, message)
                self._hear(play.Changed("turn"))
            case LiveTurn() if self._socket is not None:
                self._socket.send(json.dumps({"do": "view"}))
            case LivePresence() if self._view is not None:
                self._view = _with_presence(self._view, message)
                self._note_claim(message.claim)
                self._hear(play.Changed("presence"))
            case LiveRefused(error=error):
                self._hear(play.Refused(error))
            case LiveBye(error=error, again=False):
                self._end(error or "The server has closed the connection.")
        if self._view is not None and self._view.rematch.id not in (None, self._link.game):
            again = str(self._view.rematch.id)
            self._link = self._link._replace(game=again, invitation=None)

    def _note_claim(self, claim: ClaimState | None) -> None:
        """Remember when the game may be claimed."""
        if claim is not None:
            self._claimable = self._clock() + claim.seconds_left

    def _end(self, why: str) -> None:
        """Stop for good; what comes after the first reason is only its consequence."""
        if self._is_over.is_set():
            return
        self.refusal = why
        self._is_over.set()
        self._has_news.set()
        self._hear(play.Closed(why))


def _opener() -> urllib.request.OpenerDirector:
    """Asks the server of the link and nobody else: our token is in the request."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *asked: object) -> None:
            """No other address is asked; the answer is then an error."""

    return urllib.request.build_opener(Stay)


def _follow(session: play.Session, log: list[LogLine]) -> None:
    """Play here what was played there."""
    known, same = session.played, 0
    while same < min(len(log), len(known)) and log[same].move == str(known[same]):
        same += 1
    if same < len(known):
        session.take_back_to(same)
    for line in log[same:]:
        session.play(parse_move(line.move))


def _view_of(document: LiveView, session: play.Session) -> play.GameView:
    """What a document says, as facts."""
    undo = document.undo
    people = frozenset(SIDES[side] for side, kind in document.kinds.items() if kind == "person")
    return play.GameView(
        sides=_sides(document.you),
        people=people,
        asked=tuple(SIDES[side] for side in document.asked),
        chosen=tuple(SIDES[side] for side in document.chosen),
        moves=session.moves if document.moves else (),
        numbers=tuple(document.numbers),
        is_over=document.result is not None,
        is_joined=document.joined,
        can_undo=undo.can,
        undo_asked_by=SIDES[undo.asked_by] if undo.asked_by else None,
        undo_to=None if undo.to is msgspec.UNSET else undo.to,
        can_offer_stop=document.stop.can,
        stop_offered_by=SIDES[document.stop.offered_by] if document.stop.offered_by else None,
        stop_refused_by=SIDES[document.stop.refused_by] if document.stop.refused_by else None,
        rematch_wanted=frozenset(SIDES[side] for side in document.rematch.offered_by),
        rematch_id=document.rematch.id,
        reactions=tuple(
            play.SaidReaction(SIDES[side], said.reaction, said.count)
            for side, said in sorted(document.reactions.items())
        ),
    )


def _sides(you: str | None) -> play.Sides:
    if you is None:
        return play.NO_SIDES
    return frozenset(Side) if you == "both" else frozenset({SIDES[you]})


def _after_turn(view: LiveView, turn: LiveTurn) -> LiveView:
    """A view, and what a turn changes of it."""
    changed = msgspec.structs.asdict(turn)
    del changed["since"]
    changed |= {"last": turn.last or view.last, "log": [*view.log, *turn.log]}
    return msgspec.structs.replace(view, **changed)


def _with_presence(view: LiveView, news: LivePresence) -> LiveView:
    presence = Presence(P1=news.P1, P2=news.P2, watching=news.watching)
    return msgspec.structs.replace(view, presence=presence, claim=news.claim)
