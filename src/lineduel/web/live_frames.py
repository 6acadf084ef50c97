"""What the guests of live games are sent: turns, whole games, and who is there."""

from collections.abc import Callable

import msgspec

from lineduel.documents import LivePresence, LiveRefused, LiveView, as_json
from lineduel.play import LiveEvent, MovePlayed, NumberChosen, Sides
from lineduel.web.hosted_game import Guest, HostedGame

CANNOT_STORE = "The game cannot be stored at the moment. Try again soon."


class LiveFrames:
    """Sends everybody what they may see, and nothing before it is stored."""

    def __init__(self, patience: Callable[[], float | None], clock: Callable[[], float]) -> None:
        """`patience` says how long players may be away; None while nobody knows who is."""
        self._patience, self._clock = patience, clock

    def view(self, hosted: HostedGame, sides: Sides) -> LiveView:
        """The whole game for an audience; made once until something changes."""
        known = hosted.seen.get(sides)
        if known is None:
            known = hosted.view(sides, self._patience(), self._clock())
            if known.claim is None and known.deadline is None:  # a claim changes as time passes
                hosted.seen[sides] = known
        return known

    def prepare(
        self,
        hosted: HostedGame,
        plies: int,
        happened: list[LiveEvent],
        asker: Guest | None = None,
        request: int | None = None,
    ) -> Callable[[], None]:
        """What each guest is to see, as the game stands now, and how to send it later.

        For the one who asked, it is the answer to the request.
        """
        version = hosted.live.version
        since = version - len(happened)
        audiences = {one.sides for one in hosted.guests}
        is_whole = not _are_turns(happened)
        if not is_whole:
            turns = hosted.views.turns(audiences, plies, since)
            frames = {sides: as_json(turn) for sides, turn in turns.items()}
        else:
            frames = {sides: as_json(self.view(hosted, sides)) for sides in audiences}
        presence = hosted.presence if is_whole else None

        def show() -> None:
            for guest in list(hosted.guests):
                if guest.seen >= version:
                    continue
                frame = frames.get(guest.sides)
                if frame is None or guest.seen < since:
                    self.send_view(hosted, guest, None)
                    continue
                guest.seen = version
                guest.post(_answering(frame, request) if guest is asker else frame)
            if presence is not None and hosted.presence != presence:  # it was sent as it was before
                self.tell_presence(hosted)

        return show

    def send_view(self, hosted: HostedGame, guest: Guest, answer: int | None) -> None:
        """Send the whole game, after everything that is still on its way."""
        view = self.view(hosted, guest.sides)
        frame = _answering(as_json(view), answer)
        self._send_later(hosted, guest, view.version, [frame], answer)

    def send_missing(self, hosted: HostedGame, guest: Guest, version: int | None) -> None:
        """Send what happened after a version, and who is there; or else the whole game."""
        added = None if version is None else hosted.events_after(version)
        if added is None or not _are_turns(added):
            self.send_view(hosted, guest, None)
            return
        live = hosted.live
        played = sum(isinstance(one, MovePlayed) for one in added)
        plies, since = live.session.plies - played, live.version - len(added)
        turns = hosted.views.turns((guest.sides,), plies, since)
        frame = as_json(turns[guest.sides])
        presence = self._presence_frame(hosted, guest.sides)
        self._send_later(hosted, guest, live.version, [frame, presence])

    def _send_later(
        self,
        hosted: HostedGame,
        guest: Guest,
        version: int,
        frames: list[bytes],
        answer: int | None = None,
    ) -> None:
        """Send what brings a guest to a version, once all that led to it is stored."""
        presence = hosted.presence

        def show() -> None:
            if hosted.journal.is_broken:
                # Everybody is sent the game as soon as it is known what is stored.
                if answer is not None:
                    guest.post(refused(answer, CANNOT_STORE))
                return
            guest.seen = version
            for frame in frames:
                guest.post(frame)
            if hosted.presence != presence:  # it came and went before the game
                guest.post(self._presence_frame(hosted, guest.sides))

        if hosted.pending:
            hosted.after_all(lambda error: show())
        else:
            show()

    def tell_presence(self, hosted: HostedGame, except_for: Guest | None = None) -> None:
        """Tell guests who is connected."""
        hosted.seen.clear()
        frames: dict[Sides, bytes] = {}
        for guest in hosted.guests:
            if guest is not except_for:
                if guest.sides not in frames:
                    frames[guest.sides] = self._presence_frame(hosted, guest.sides)
                guest.post(frames[guest.sides])

    def _presence_frame(self, hosted: HostedGame, sides: Sides) -> bytes:
        claim = hosted.claim(sides, self._patience(), self._clock())
        present = msgspec.structs.asdict(hosted.presence)
        return as_json(LivePresence(**present, claim=claim))


def _are_turns(happened: list[LiveEvent]) -> bool:
    """Whether a `LiveTurn` says all that happened."""
    return all(isinstance(one, MovePlayed | NumberChosen) for one in happened)


def _answering(frame: bytes, request: int | None) -> bytes:
    """A frame that is also the answer to a request."""
    return frame if request is None else b'%b,"done":%d}' % (frame[:-1], request)


def refused(id: int | None, error: str) -> bytes:
    """The answer to a request that is not carried out."""
    return as_json(LiveRefused(id=id, error=error))
