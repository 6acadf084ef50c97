"""The file in which a game of this process is kept, written after everything that happens."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from lineduel.errors import LineduelError, StorageError
from lineduel.match.saves import SAVED, Hold, Saves, save
from lineduel.match.secret_numbers import keep_numbers, remove_numbers, secret_numbers
from lineduel.play import SEAT_TAGS, AfterKeeping, GameStore, LiveEvent, NumberChosen, Session
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.storage import check_folder, user_path

Clock = Callable[[], datetime]


class GameFile(GameStore):
    """Keeps a game: its record, and beside it the numbers that are still secret.

    The file is made when something has happened, removed when all of it was taken back, and locked
    against other programs in between.
    """

    def __init__(self, session: Session, saves: Saves, clock: Clock = datetime.now) -> None:
        self.path: Path | None = None
        """The file, once a move has been played."""
        self.why_not_kept = ""
        """Why the last attempt to save the game failed; empty if it succeeded."""
        self._session, self._saves, self._clock = session, saves, clock
        self._started = clock()
        self._tags = [("Date", f"{self._started:%Y.%m.%d}")]
        self._hold: Hold | None = None
        self._was_kept = True
        """Whether the game was saved when a change of that was last asked for."""

    def take_over(self, path: Path, hold: Hold, forget: Collection[Side]) -> None:
        """Go on in a file that is locked by `hold`, with the numbers that were chosen before.

        The numbers of the sides to forget are dropped, and those that do not fit are removed.
        """
        self.path, self._hold = path, hold
        for side, number in secret_numbers(path, self._session.played).items():
            if side not in forget:
                with suppress(LineduelError):  # not a number of this battle
                    self._session.choose(side, number)
        if not self._session.chosen:
            with suppress(StorageError):
                remove_numbers(path)

    def keep_tags(self, tags: Iterable[tuple[str, str]]) -> None:
        """Keep the tags of a record, except those that every save writes again."""
        noted = {name: value for name, value in tags if name not in (*SEAT_TAGS, SAVED)}
        self._tags = list((dict(self._tags) | noted).items())

    # Writing

    def keep(
        self, events: Sequence[LiveEvent] = (), then: AfterKeeping = lambda error: None
    ) -> None:
        """Try to write the game after these events; `is_kept` says whether that worked."""
        failed = None
        try:
            if self.is_kept and events and all(isinstance(one, NumberChosen) for one in events):
                self._write_numbers()
            else:
                self._write()
        except StorageError as error:
            failed = error
        self.why_not_kept = str(failed or "")
        then(failed)

    def _write(self) -> None:
        if not self._is_begun:
            if self.path:
                self._saves.remove(self.path)
                self.release()
            return
        if self.path:
            save(self.record(), self.path)
        else:
            self.path = self._saves.add(self.record(), self._started)
        self._hold = self._hold or Hold(self.path)
        # After the game itself: numbers of an earlier moment are known, and not taken.
        self._write_numbers()

    def _write_numbers(self) -> None:
        if self.path and self._is_begun:
            keep_numbers(self.path, self._session.played, self._session.secret_numbers)

    @property
    def _is_begun(self) -> bool:
        """Whether anything happened that should be saved."""
        session = self._session
        return bool(session.plies or session.is_over)

    def record(self) -> Record:
        """The game so far, dated."""
        return self._session.record([*self._tags, (SAVED, self._clock().isoformat())])

    def save_as(self, name: str) -> Path:
        """Write the game to a new file that a person named, and return its path."""
        path = user_path(name)
        check_folder(path)
        save(self.record(), path, new=True)
        return path

    def release(self) -> None:
        """Release the file, so that others can open it; it may be called again."""
        hold, self._hold = self._hold, None
        if hold:
            hold.release()

    # Whether that worked

    @property
    def is_kept(self) -> bool:
        """Whether the last attempt to save the game succeeded."""
        return not self.why_not_kept

    def news(self) -> str | None:
        """That the game is not saved, or is saved again; None if nothing changed since."""
        before, self._was_kept = self._was_kept, self.is_kept
        if before is self.is_kept:
            return None
        return "The game is saved again." if self.is_kept else self.not_saved

    @property
    def not_saved(self) -> str:
        """That the game is not saved, and why; empty when it is."""
        return f"The game is not saved: {self.why_not_kept}" if self.why_not_kept else ""
