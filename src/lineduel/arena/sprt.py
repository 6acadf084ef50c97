"""A sequential test that stops as soon as its question is decided.

Wald, Sequential Tests of Statistical Hypotheses (1945). The question is whether a player is
`elo1` stronger than another rather than `elo0`. Each game moves the log-likelihood ratio as a won
or lost game would, an unfinished one by half of each. As exp is convex, that ratio's mean is at
most 1 while the player is no stronger than `elo0`, whatever the share of unfinished games and
whatever a seat is worth, so Wald's bounds hold for all of them.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel.arena.elo import expected_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

RISK = 0.05
"""The chance of each wrong answer, where the truth is just `elo0` or just `elo1`."""
LARGEST_ELO = 2000


class SprtVerdict(StrEnum):
    """What a test has found so far."""

    OPEN = "open"
    WEAKER = "elo0"
    STRONGER = "elo1"


class Decision(NamedTuple):
    """A verdict, the games it took, and the log-likelihood ratio after them."""

    verdict: SprtVerdict
    games: int
    ratio: float


@dataclass(frozen=True, slots=True)
class Question:
    """Is a player `elo1` stronger, rather than `elo0`?"""

    elo0: float
    elo1: float
    risk: float = RISK

    @property
    def bound(self) -> float:
        """How far the ratio has to go, up or down."""
        return log((1 - self.risk) / self.risk)

    @property
    def steps(self) -> tuple[float, float]:
        """What a lost game and a won game add to the ratio."""
        score0, score1 = expected_score(self.elo0), expected_score(self.elo1)
        return log((1 - score1) / (1 - score0)), log(score1 / score0)

    def decide(self, scores: "NDArray[np.float64]") -> Decision:
        """What these scores, each from 0 to 1 and in the order of the games, come to."""
        lost, won = self.steps
        ratios = np.cumsum(scores * won + (1 - scores) * lost)
        beyond = np.flatnonzero(np.abs(ratios) >= self.bound)
        if not len(beyond):
            return Decision(
                SprtVerdict.OPEN, len(ratios), float(ratios[-1]) if len(ratios) else 0.0
            )
        last = int(beyond[0])
        verdict = SprtVerdict.STRONGER if ratios[last] > 0 else SprtVerdict.WEAKER
        return Decision(verdict, last + 1, float(ratios[last]))
