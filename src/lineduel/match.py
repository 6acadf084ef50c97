"""A game at a table: its session, the programs that sit there, its adviser and its file."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from lineduel.engine import PASS, Move
from lineduel.errors import StorageError
from lineduel.players import HUMAN, Limits, seat_player
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.saves import SAVED, Hold, Saves, forget, load, save
from lineduel.session import Adviser, Session, Turn, Voice

if TYPE_CHECKING:
    from lineduel.players import Player
    from lineduel.players.engine_log import EngineLog
    from lineduel.solve import Solution

MOST_PLIES = 300
"""After so many plies a game between two programs is left undecided."""


class Match:
    """What happens around a session, whatever screen shows it."""

    def __init__(
        self,
        session: Session,
        *,
        coach: bool = False,
        limits: Limits | None = None,
        log: "EngineLog | None" = None,
    ) -> None:
        self.session = session
        self.voice = Voice(session.game)
        self.adviser = Adviser(session.game, self._solve)
        self.coach = coach
        self.limits = limits or Limits()
        self.log = log
        self.path: Path | None = None
        self.started = datetime.now()
        self.people = frozenset(
            side for side, name in zip(Side, session.seats, strict=True) if name == HUMAN
        )
        self.why_not_kept = ""
        """Why the game could not be written when that was last tried; empty when it was."""
        self._hold: Hold | None = None
        self._tags = [("Date", f"{self.started:%Y.%m.%d}")]
        self._programs: dict[Side, Player] = {}

    @classmethod
    def resume(
        cls,
        path: Path,
        *,
        copy: bool = False,
        seats: Mapping[Side, str] | None = None,
        coach: bool = False,
        limits: Limits | None = None,
        log: "EngineLog | None" = None,
    ) -> "Match":
        """Go on with the game in that file, which is then open nowhere else.

        `seats` names those who take another's place. With `copy` the file stays as it is, and the
        game goes on in a new one.
        """
        hold = None if copy else Hold(path)
        try:
            record = load(path)
            session = Session.from_record(record)
        except BaseException:
            if hold:
                hold.release()
            raise
        both = dict(zip(Side, session.seats, strict=True)) | dict(seats or {})
        session.seats = both[Side.ONE], both[Side.TWO]
        match = cls(session, coach=coach, limits=limits, log=log)
        match.path, match._hold = None if copy else path, hold
        match._keep_tags(record.tags)
        return match

    def _keep_tags(self, tags: Iterable[tuple[str, str]]) -> None:
        """What a record notes stays in it, but for what is written anew."""
        noted = dict(tags)
        for name in ("Player1", "Player2", SAVED):
            noted.pop(name, None)
        self._tags = list((dict(self._tags) | noted).items())

    def _solve(self) -> "Solution":
        from lineduel.solve import Cache, solve

        return solve(self.session.game, self.session.start, cache=Cache())

    # The programs

    def seat(self) -> None:
        """Bring the programs to the table, which may take a while: perfect solves the game.

        An engine is started, so that one that cannot play is known before anybody has moved.
        """
        rng = Random(self.session.seed)
        for side, name in zip(Side, self.session.seats, strict=True):
            if side not in self.people and side not in self._programs:
                self._programs[side] = seat_player(
                    name,
                    self.session.game,
                    self.session.start,
                    solved=lambda: self.adviser.solution,
                    rng=rng,
                    limits=self.limits,
                    log=self.log,
                )

    @property
    def programs(self) -> "Mapping[Side, Player]":
        """Those who have taken their seats."""
        return self._programs

    @property
    def undecided(self) -> bool:
        """Whether two programs have played so long that nobody waits for an end."""
        return not self.people and len(self.session.turns) >= MOST_PLIES

    @property
    def program_asked(self) -> Side | None:
        """The side whose program is to choose now."""
        if self.session.stuck or self.undecided:
            return None
        return next((side for side in self.session.asked if side not in self.people), None)

    def think(self, side: Side) -> Move | int:
        """A program's move, or its number in a battle; nothing is played yet."""
        position = self.session.position
        if side not in self._programs:
            self.seat()
        if position.battle is None:
            return self._programs[side].choose_move(position)
        return self._programs[side].choose_number(position, side)

    def play(self, side: Side, choice: Move | int) -> Turn | None:
        """Play a move, or keep a number until both have chosen; None while one is missing."""
        if isinstance(choice, int):
            return self.session.choose(side, choice)
        return self.session.play(choice)

    def pass_if_forced(self) -> Turn | None:
        """Play the pass of a side that has nothing else; two in a row are left to people."""
        if self.session.must_pass and not self.session.stuck:
            return self.session.play(PASS)
        return None

    def undo(self) -> None:
        """Back to where a person was asked: against a program both plies are taken back."""
        session = self.session
        only_programs_chose = session.position.battle is not None and self.people <= set(
            session.asked
        )
        if only_programs_chose and len(session.asked) < len(Side):
            session.undo()  # their numbers are nothing that a person would take back
        session.undo()
        while session.turns and not session.must_pass and self.people.isdisjoint(session.asked):
            session.undo()

    def close(self) -> None:
        """Send the programs away and let go of the file; it may be called again."""
        self.release()
        for program in self._programs.values():
            program.close()

    # The file

    def release(self) -> None:
        """Let others open the game; it may be called again."""
        hold, self._hold = self._hold, None
        if hold:
            hold.release()

    def record(self) -> Record:
        """The game so far, dated."""
        return self.session.record([*self._tags, (SAVED, datetime.now().isoformat())])

    @property
    def is_kept(self) -> bool:
        """Whether the game was written when that was last tried."""
        return not self.why_not_kept

    def keep(self) -> bool:
        """Try to write the running game; whether it now works where it failed, or the reverse."""
        before = self.is_kept
        try:
            if self.session.turns or self.session.resigned or self.session.forfeited:
                record = self.record()
                if self.path:
                    save(record, self.path)
                else:
                    self.path = Saves().add(record, self.started)
                self._hold = self._hold or Hold(self.path)
            elif self.path:
                forget(self.path)
                self.release()
            self.why_not_kept = ""
        except StorageError as error:
            self.why_not_kept = str(error)
        return self.is_kept is not before
