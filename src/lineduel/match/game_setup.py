"""A game that is about to begin: everything but who plays it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineduel.engine import Game
from lineduel.match.match import Match
from lineduel.match.saves import Saves
from lineduel.play import UNNAMED, Session

if TYPE_CHECKING:
    from lineduel.engine import Position
    from lineduel.play import GivenNames, Seats
    from lineduel.players import EngineLog, Limits
    from lineduel.rules import Rulebook


@dataclass(frozen=True)
class GameSetup:
    """What is settled about a game before the players take their seats."""

    rulebook: "Rulebook"
    start: "Position | None" = None
    """The position that it begins with; None for the rulebook's start, whoever begins."""
    names: "GivenNames" = UNNAMED
    coach: bool = False
    seed: int | None = None
    limits: "Limits | None" = None
    engine_log: "EngineLog | None" = None

    def begin(self, seats: "Seats") -> Match:
        """The game with these players; it is saved among the user's games."""
        from lineduel.solve import Cache

        session = Session(Game(self.rulebook), self.start, seats, self.seed, self.names)
        return Match(
            session,
            Saves(),
            cache=Cache(),
            coach=self.coach,
            limits=self.limits,
            engine_log=self.engine_log,
        )
