"""What happened so far, a line for each move, in the same plain words for every game."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from lineduel.engine import BattleOpened, Game, Numbers
from lineduel.rules import Side, Words
from lineduel.session.session import Session, Turn
from lineduel.session.voice import Voice


class Entry(NamedTuple):
    """A move of the game: its number, who moved, its notation and what it did."""

    number: int
    side: Side | None
    """None for a battle, in which both chose."""
    move: str
    told: str


class Chronicle:
    """Tells a session move by move; the rulebook gives the names, not the phrases."""

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
        self._voice = Voice(Game(replace(game.rulebook, words=plain)))

    def entries(self, session: Session) -> Iterator[Entry]:
        for number, turn in enumerate(session.turns, start=1):
            yield self.entry(number, turn)

    def entry(self, number: int, turn: Turn) -> Entry:
        side = None if isinstance(turn.move, Numbers) else turn.before.side
        lines = self._voice.tell(turn.events).split("\n")
        if any(isinstance(event, BattleOpened) for event in turn.events):
            lines.append(self._voice.turn(turn.after))
        lines.append(self._voice.victory(turn.events))
        return Entry(number, side, str(turn.move), " ".join(line for line in lines if line))
