"""What a designer can ask of a duel: figures with a direction, and goals that must be met."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from math import inf
from typing import NamedTuple

from lineduel.errors import DiscoverError, shown
from lineduel.facts import Fact
from lineduel.lab import CONSISTENTLY, EVEN, MATTERING, ROUNDING, Figures, Verdict, rule
from lineduel.rules import Property


class Direction(StrEnum):
    """Which way a figure is better."""

    MORE = "more"
    LESS = "less"


class Unit(Enum):
    """How a figure is written."""

    WORTH = auto()
    SHARE = auto()
    MEAN = auto()
    COUNT = auto()


class Quality(NamedTuple):
    """A figure of a duel that can be asked for."""

    title: str
    unit: Unit
    meaning: str
    better: Direction
    scale: float
    """How much of a difference is large."""

    def worth(self, found: float) -> float:
        """The figure with a sign by which more is better."""
        return found if self.better is Direction.MORE else -found


_MORE, _LESS = Direction
QUALITIES: Mapping[str, Quality] = {
    "value": Quality(
        "value",
        Unit.WORTH,
        "what the first seat is worth with best play, whichever side it favours",
        _LESS,
        0.5,
    ),
    "advantage": Quality(
        "advantage",
        Unit.WORTH,
        "what a seat is worth at most, with best play or between equals of some level",
        _LESS,
        0.5,
    ),
    "skill": Quality(
        "skill",
        Unit.SHARE,
        "what the perfect player scores against a random one, from the worse seat",
        _MORE,
        0.3,
    ),
    "elo_range": Quality(
        "Elo range", Unit.COUNT, "depth: Elo from random to perfect", _MORE, 600.0
    ),
    "turns": Quality(
        "turns",
        Unit.MEAN,
        "how long a game lasts on average between two players of level 4, in turns",
        _LESS,
        20.0,
    ),
    "longest_turns": Quality(
        "longest turns",
        Unit.MEAN,
        "how long a game lasts on average between equals of the slowest level, in turns",
        _LESS,
        20.0,
    ),
    "shortest_turns": Quality(
        "shortest turns",
        Unit.MEAN,
        "how long a game lasts on average between equals of the quickest level, in turns",
        _MORE,
        6.0,
    ),
    "decisions": Quality("decisions", Unit.SHARE, "share of the decisions that matter", _MORE, 0.3),
    "decisions_per_turn": Quality(
        "decisions per turn",
        Unit.WORTH,
        "decisions that matter in a turn, on average between two players of level 4",
        _MORE,
        0.5,
    ),
    "turning_points": Quality(
        "turning points",
        Unit.MEAN,
        "decisions that matter in a game between two players of level 4",
        _MORE,
        5.0,
    ),
    "lead_changes": Quality(
        "lead changes",
        Unit.WORTH,
        "how often the lead changes in a game between two players of level 4",
        _MORE,
        2.0,
    ),
    "drama": Quality(
        "drama", Unit.SHARE, "share of the turns in which the later winner stood lost", _MORE, 0.1
    ),
    "positions": Quality("positions", Unit.COUNT, "how many positions can come up", _MORE, 500.0),
    "words": Quality(
        "words to learn",
        Unit.COUNT,
        "how much there is to learn: a side's pieces, steps and goal cells, and special rules",
        _LESS,
        5.0,
    ),
}
"""What can be asked for, by name."""


def all_figures(figures: Figures, words: int) -> dict[str, float]:
    """Every figure that can be asked for, of a duel with this number of words."""
    value = max(abs(float(figures.value.low)), abs(float(figures.value.high)))
    lengths = [one.length for one in figures.equals]
    turns = next(one.length for one in figures.equals if one.player == "level:4")
    found = {
        "value": value,
        "advantage": max(value, *(abs(one.seat) for one in figures.equals)),
        "skill": figures.skill.worse,
        "elo_range": figures.elo_range or 0.0,
        "turns": turns,
        "longest_turns": max(lengths),
        "shortest_turns": min(lengths),
        "decisions": figures.decisions,
        "decisions_per_turn": figures.turning_points / max(turns, 1.0),
        "turning_points": figures.turning_points,
        "lead_changes": figures.lead_changes,
        "drama": figures.drama,
        "positions": float(figures.positions),
        "words": float(words),
    }
    return {name: min(found[name], NEVER) for name in QUALITIES}


_BOUND = re.compile(r"\s*([a-z_]+)\s*(<=|>=)\s*(-?[0-9]+(?:\.[0-9]+)?)\s*")
NEVER = 1e9
"""The length of games that never end."""
_FAR = 3.0
"""The most that one goal can be missed by."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a duel must have: a property that is proved, or a figure within a bound."""

    text: str
    property: Property | None = None
    figure: str = ""
    most: float = inf
    least: float = -inf

    def missed_by(self, figures: Figures, asked: Mapping[str, float]) -> float:
        """0 if the goal is met; otherwise how far off it is, from 0 to 3.

        `asked` are the figures that can be asked for.
        """
        if self.property is not None:
            if self.property is Property.RULES_MATTER:  # only a proof can tell
                return 0.0
            verdict = rule(self.property, figures, tuple).verdict
            return {Verdict.PROVED: 0.0, Verdict.IN_PART: 0.5, Verdict.REFUTED: 1.0}[verdict]
        found = asked[self.figure]
        return self._missed_between(found, found)

    def surely_missed_by(self, bounds: Mapping[str, tuple[float, float]]) -> float:
        """The least by which it is missed if the figures lie within these bounds."""
        if self.property is not None:
            figure, least, most = _NEEDS.get(self.property, (self.figure, -inf, inf))
            low, high = bounds.get(figure, (-inf, inf))
            return 0.5 if low > most or high < least else 0.0
        low, high = bounds.get(self.figure, (-inf, inf))
        return self._missed_between(low, high)

    def _missed_between(self, low: float, high: float) -> float:
        """The least by which a figure between these two misses the bound."""
        short = max(low - self.most, self.least - high, 0.0)
        return min(short / QUALITIES[self.figure].scale, _FAR)


ENDLESS_SHARE = "endless"
"""The largest chance of endless play between two players: a figure that nobody can ask for."""
_NEEDS: Mapping[Property, tuple[str, float, float]] = {
    Property.NO_DRAW: (ENDLESS_SHARE, 0.0, 0.0),
    Property.FAIR_SEATS: ("advantage", 0.0, EVEN + ROUNDING),
    Property.SKILL_WINS: ("skill", CONSISTENTLY - ROUNDING, 1.0),
    Property.CHOICES_MATTER: ("decisions", MATTERING - ROUNDING, 1.0),
}
"""A figure without which a property is not proved, with its least and its most."""


@dataclass(frozen=True, slots=True)
class DroppedGoal(Fact):
    """A default goal that no duel within the bounds can meet."""

    goal: str
    why: str

    def __str__(self) -> str:
        return f"The default goal '{self.goal}' was dropped. {self.why}"


def read_goal(text: str) -> Goal:
    """A goal as it is typed: a property's name, or `FIGURE<=NUMBER`, `FIGURE>=NUMBER`."""
    plain = " ".join(text.split()).lower()
    if plain in set(Property):
        return Goal(plain, Property(plain))
    bound = _BOUND.fullmatch(plain)
    if bound is None or bound[1] not in QUALITIES:
        raise DiscoverError(
            f"{shown(text)} is not a goal.\n"
            f"A goal is a property ({', '.join(Property)}) "
            f"or a bound, such as 'turns<=30', on one of {', '.join(QUALITIES)}."
        )
    number = float(bound[3])
    if bound[2] == "<=":
        return Goal(plain, None, bound[1], most=number)
    return Goal(plain, None, bound[1], least=number)


def check_goals(goals: Sequence[Goal]) -> None:
    """Refuse goals that contradict each other, or that no figure can meet."""
    for figure in QUALITIES:
        about = [goal for goal in goals if goal.figure == figure]
        least = max((goal.least for goal in about), default=-inf)
        most = min((goal.most for goal in about), default=inf)
        if least > most:
            raise DiscoverError(f"No game has {figure} of at least {least:g} and at most {most:g}.")
        floor, ceiling = _LIMITS.get(figure, (0.0, inf))
        if most < floor or least > ceiling:
            told = f"from {floor:g} to {ceiling:g}" if ceiling < inf else f"{floor:g} or more"
            raise DiscoverError(f"No game can meet that: {figure} is always {told}.")


_LIMITS = {
    "value": (0.0, 1.0),
    "advantage": (0.0, 1.0),
    "skill": (0.0, 1.0),
    "decisions": (0.0, 1.0),
    "drama": (0.0, 1.0),
    "elo_range": (-inf, inf),
    "words": (3.0, inf),
    "positions": (1.0, inf),
}


def read_preferences(text: str) -> tuple[str, ...]:
    """The figures to prefer, as typed between commas."""
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    for name in names:
        if name not in QUALITIES:
            raise DiscoverError(
                f"There is no figure {shown(name)}. The figures: {', '.join(QUALITIES)}."
            )
    if not names:
        raise DiscoverError("Name at least one figure to prefer.")
    return names


def score(figures: Mapping[str, float], preferred: Sequence[str]) -> float:
    """How good the preferred figures are together; more is better."""
    total = 0.0
    for name in preferred:
        total += QUALITIES[name].worth(figures[name]) / QUALITIES[name].scale
    return total
