"""What can be measured about a rulebook, each figure with its definition and its source."""

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from math import inf
from typing import NamedTuple

from lineduel.rules import Side
from lineduel.solve import Value


class Definition(NamedTuple):
    """What a figure means, and whose idea it is."""

    title: str
    meaning: str
    source: str


class Equals(NamedTuple):
    """A player against itself: what the seat is worth, and how long it takes."""

    player: str
    seat: float
    """What player 1 can expect: win 1, loss -1, endless 0."""
    endless: float
    """The chance that play never ends."""
    plies: float | None
    """The expected length of the games that end."""

    @property
    def length(self) -> float:
        """The same, infinite where none ends."""
        return inf if self.plies is None else self.plies


class Skill(NamedTuple):
    """The best player against a random one."""

    as_player1: float
    """What it scores, a win being 1 and endless play a half."""
    as_player2: float

    @property
    def worse(self) -> float:
        return min(self)

    def seats_below(self, score: float) -> tuple[Side, ...]:
        """The seats in which it scores less than this."""
        return tuple(side for side, scored in zip(Side, self, strict=True) if scored < score)


class Battles(NamedTuple):
    """How battles are played best."""

    total: int
    mixed: int
    """Battles in which neither side has a single number that is sure of the value."""
    always_best: int | None
    """A number that is proved to be best for both in every battle."""
    perhaps_best: bool
    """Whether it is not proved of every number that it is not best for both in some battle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All that is known about a rulebook in numbers; exact unless a definition says otherwise."""

    positions: int
    branching: float
    value: Value
    longest: int | None
    longest_game: int | None
    shortest_game: int | None
    best_can_end: bool
    """Whether some best play of both ends with probability 1; if not, that is proved."""
    decisions: float
    only_moves: float
    turning_points: float
    lead_changes: float
    drama: float
    equals: tuple[Equals, ...]
    """From the weakest player to the best."""
    pairs_endless: float
    skill: Skill
    elo_range: float | None = None
    chain: tuple[str, ...] = ()
    battles: Battles | None = None

    @property
    def best(self) -> Equals:
        return self.equals[-1]

    def turned(self) -> "Figures":
        """The figures of the same game with the seats exchanged."""
        value = self.value
        return replace(
            self,
            value=Value(-value.high, -value.low, value.plies, value.endless),
            equals=tuple(one._replace(seat=-one.seat) for one in self.equals),
            skill=Skill(self.skill.as_player2, self.skill.as_player1),
        )


class Measure(StrEnum):
    """What a designer may want most of a repair."""

    FEWEST = "fewest changes"
    FAIREST = "fairest"
    DEEPEST = "deepest"


DEFINITIONS = {
    "positions": Definition(
        "Positions",
        "how many can come up, ended ones and open battles included; like pieces count as the same",
        "state-space complexity, Allis 1994",
    ),
    "branching": Definition(
        "Branching",
        "legal moves on average over all positions where somebody is to move",
        "branching factor, Allis 1994",
    ),
    "value": Definition(
        "Value",
        "what player 1 can expect with best play on both sides: win 1, loss -1, endless 0",
        "Zermelo 1913; Everett 1957 for battles",
    ),
    "longest": Definition(
        "Longest forced win",
        "the most turns that a forced win takes, the winner hurrying and the loser delaying",
        "maximal distance to win, as in endgame tables: Thompson 1986",
    ),
    "longest_game": Definition(
        "Longest game",
        "the most turns that any game can take; endless where a position can come back",
        "longest path of the game graph",
    ),
    "shortest_game": Definition(
        "Shortest game",
        "the fewest turns that a game can take if both help to end it",
        "shortest path of the game graph",
    ),
    "decisions": Definition(
        "Decisions that matter",
        "share of the decisions in which some choice is proved to give something away; a decision "
        "is a side to move with two different successors, or an open battle, once for each side",
        "decision share; decisiveness, Thompson 2000",
    ),
    "only_moves": Definition(
        "Only moves",
        "share of the decisions in which every choice but one is proved to give something away",
        "only-move, as problemists use it",
    ),
    "turning_points": Definition(
        "Turning points",
        "how many decisions that matter a game holds, on average over the games that end between "
        "two players of level 4",
        "expected visits of the absorbing chain, Kemeny and Snell 1960",
    ),
    "lead_changes": Definition(
        "Lead changes",
        "how often the leader, the side that is proved to expect more than the other, is another "
        "than the last one; on average over the games that end between two players of level 4",
        "lead change, Browne 2008, by exact values in place of estimates",
    ),
    "drama": Definition(
        "Drama",
        "share of the turns in which the later winner stood lost (a proved value of -1), in the "
        "games that end between two players of level 4",
        "drama, Thompson 2000; Browne 2008, by exact values",
    ),
    "elo_range": Definition(
        "Elo range",
        "from random to perfect, by Bradley-Terry over all pairings of the ladder",
        "Elo 1978; Bradley and Terry 1952; depth, Lantz et al. 2017",
    ),
    "equals": Definition(
        "Seat and length among equals",
        "what the first seat is worth and how long a game lasts when a player meets itself",
        "absorbing chain, Kemeny and Snell 1960",
    ),
    "skill": Definition(
        "Skill",
        "what the best player scores against a random one, from either seat",
        "absorbing chain of the pair",
    ),
}
"""What each figure means."""
assert DEFINITIONS.keys() <= {one.name for one in fields(Figures)}
