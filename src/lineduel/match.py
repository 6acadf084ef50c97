"""A game at a table: its session, the programs that sit there, its adviser and its file."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from lineduel.engine import PASS, Move
from lineduel.errors import StorageError
from lineduel.players import HUMAN, Limits, seat_player
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.saves import Saves, forget, save
from lineduel.session import Adviser, Session, Turn, Voice

if TYPE_CHECKING:
    from lineduel.players import Player
    from lineduel.solve import Solution

MOST_PLIES = 300
"""After so many plies a game between two programs is left undecided."""


class Match:
    """What happens around a session, whatever screen shows it."""

    def __init__(
        self,
        session: Session,
        path: Path | None = None,
        *,
        coach: bool = False,
        limits: Limits | None = None,
    ) -> None:
        self.session = session
        self.voice = Voice(session.game)
        self.adviser = Adviser(self._solve)
        self.coach = coach
        self.limits = limits or Limits()
        self.path = path
        self.started = datetime.now()
        self.people = frozenset(
            side for side, name in zip(Side, session.seats, strict=True) if name == HUMAN
        )
        self.is_kept = True
        """Whether the game could be written so far."""
        self._programs: dict[Side, Player] = {}

    def _solve(self) -> "Solution":
        from lineduel.solve import solve

        return solve(self.session.game, self.session.start)

    # The programs

    def seat(self) -> None:
        """Bring the programs to the table, which may take a while: perfect solves the game."""
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
        """Send the programs away; it may be called again."""
        for program in self._programs.values():
            program.close()

    # The file

    def record(self) -> Record:
        """The game so far, dated."""
        return self.session.record([("Date", f"{self.started:%Y.%m.%d}")])

    def keep(self) -> None:
        """Write the running game; if that is impossible, complain once and never try again."""
        if not self.is_kept:
            return
        try:
            if self.session.turns or self.session.resigned:
                record = self.record()
                if self.path:
                    save(record, self.path)
                else:
                    self.path = Saves().add(record, self.started)
            elif self.path:
                forget(self.path)
        except StorageError:
            self.is_kept = False
            raise
