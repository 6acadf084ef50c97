"""A rulebook to begin with, made from a few answers."""

from dataclasses import dataclass
from typing import Any

from lineduel.rules.rulebook import Claim, Property, Rulebook
from lineduel.rules.toml import rulebook_from_data

_CLAIMS = (
    Claim("Every game ends.", Property.ALWAYS_ENDS),
    Claim("A game is quick.", Property.ENDS_QUICKLY),
    Claim("The better player wins.", Property.SKILL_WINS),
    Claim("Every choice can matter.", Property.CHOICES_MATTER),
)
"""The claims of a new rulebook, for its author to change."""
WAYS_TO_WIN = {
    "end": "whoever reaches the far end of the track",
    "camp": "whoever reaches a cell where the enemy started",
}
"""Who wins, by the word for it."""


@dataclass(frozen=True, slots=True)
class NewDuel:
    """The answers to the questions, with their defaults."""

    title: str
    cells: int = 11
    pieces: int = 2
    steps: tuple[int, ...] = (1, 2)
    enemy: str = "captured"
    numbers: int = 5
    battle: str = "undercut"
    winning: str = "end"


def designed(design: NewDuel) -> Rulebook:
    """The rulebook for some answers: each side's pieces in a row at its end of the track."""
    last = design.cells - 1
    homes1 = list(range(design.pieces))
    homes2 = [last - home for home in homes1]
    at_end = design.winning == "end"
    data: dict[str, Any] = {
        "title": design.title,
        "summary": _summary(design),
        "track": {"first": 0, "last": last},
        "player1": _team("A", homes1, [last] if at_end else sorted(homes2)),
        "player2": _team("B", homes2, [0] if at_end else sorted(homes1)),
        "move": {"steps": list(design.steps)},
        "meet": {"enemy": design.enemy},
        "claims": [{"says": one.says, "property": str(one.property)} for one in _CLAIMS],
    }
    if design.enemy == "battle":
        data["battle"] = {"numbers": design.numbers, "wins": design.battle}
    return rulebook_from_data(data, "new")


def _team(letter: str, homes: list[int], goal: list[int]) -> dict[str, Any]:
    pieces = {f"{letter}{number}": home for number, home in enumerate(homes, start=1)}
    return {"pieces": pieces, "goal": goal}


def _summary(design: NewDuel) -> str:
    side = "one piece" if design.pieces == 1 else f"{design.pieces} pieces"
    return f"{side[0].upper()}{side[1:]} a side; {WAYS_TO_WIN[design.winning]} wins."
