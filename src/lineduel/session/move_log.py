"""What happened so far: one line per move, worded the same for every game."""

from dataclasses import replace
from typing import NamedTuple

from lineduel.engine import BattleOpened, Game, Numbers
from lineduel.rules import Side, Words
from lineduel.session.narrator import Narrator
from lineduel.session.session import Session, Turn


class LoggedMove(NamedTuple):
    """A move of the game: its number, who moved, its notation and what it did."""

    number: int
    side: Side | None
    """None for a battle, in which both chose."""
    move: str
    told: str


class MoveLog:
    """Describes a session move by move; the rulebook gives the names, not the phrases."""

    def __init__(self, game: Game) -> None:
        own = game.rulebook.words
        plain = replace(
            Words(),
            player1=own.player1,
            player2=own.player2,
            unit=own.unit,
            units=own.units,
            labels=own.labels,
        )
        self._narrator = Narrator(Game(replace(game.rulebook, words=plain)))
        self._told: list[tuple[Turn, LoggedMove]] = []

    def entries(self, session: Session) -> tuple[LoggedMove, ...]:
        """One line per turn; lines made by an earlier call are reused."""
        turns = session.turns
        same = 0
        for (told, _), turn in zip(self._told, turns, strict=False):
            if told is not turn:
                break
            same += 1
        del self._told[same:]
        for number, turn in enumerate(turns[same:], start=same + 1):
            self._told.append((turn, self.entry(number, turn)))
        return tuple(entry for _, entry in self._told)

    def entry(self, number: int, turn: Turn) -> LoggedMove:
        side = None if isinstance(turn.move, Numbers) else turn.before.side
        lines = self._narrator.tell(turn.events).split("\n")
        if any(isinstance(event, BattleOpened) for event in turn.events):
            lines.append(self._narrator.turn(turn.after))
        lines.append(self._narrator.victory(turn.events))
        return LoggedMove(number, side, str(turn.move), " ".join(line for line in lines if line))
