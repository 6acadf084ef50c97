"""Elo ratings from the scores of all pairings.

Bradley and Terry, Biometrika 39 (1952): the better player's odds are the ratio of two strengths.
The likelihood is concave in the logarithms of the strengths, so Newton's method finds its one
maximum; the curvature there gives the intervals. A drawn game is half a win for either. One drawn
game more than was played is counted for each pairing: a weak prior, without which a player who
has won everything would have no finite strength.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALE = 400 / log(10)
"""Elo for a factor e of the odds."""
CONFIDENT = 1.959963984540054
"""Standard errors to either side that hold 95 in 100."""
PRIOR = 1.0
"""Drawn games that are added to each pairing."""
_CONVERGED = 1e-10
_MOST_ROUNDS = 200
LARGEST_STEP = 2.0
RISK = 0.05
"""The chance of each wrong answer, where the truth is just `elo0` or just `elo1`."""
LARGEST_ELO = 2000


class Points(NamedTuple):
    """What two players have scored against each other, in points."""

    player: int
    opponent: int
    scored: float
    conceded: float


class Rating(NamedTuple):
    """A strength, and how far off it may be in 95 of 100 cases."""

    elo: float
    margin: float


def expected_score(elo: float) -> float:
    """The expected score of a player with this lead in rating."""
    return 1 / (1 + 10 ** (-elo / 400))


def rate(players: int, points: Sequence[Points], prior: float = PRIOR) -> tuple[Rating, ...]:
    """The players' strengths, 0 on average; a player without games has rating 0."""
    table = np.array([tuple(one) for one in points], np.float64).reshape(-1, 4)
    one, other = table[:, 0].astype(int), table[:, 1].astype(int)
    won, games = table[:, 2] + prior / 2, table[:, 2] + table[:, 3] + prior
    strength, pairs = np.zeros(players), np.arange(len(table))
    # The derivative of each pairing's lead by the strengths: nothing is known about their sum.
    leads = np.zeros((len(table), players))
    leads[pairs, one], leads[pairs, other] = 1.0, -1.0
    for _ in range(_MOST_ROUNDS):
        chance = 1 / (1 + np.exp(strength[other] - strength[one]))
        slope = leads.T @ (won - games * chance)
        curvature = leads.T @ (leads * (games * chance * (1 - chance))[:, None])
        step = np.linalg.pinv(curvature, hermitian=True) @ slope
        step *= min(1.0, LARGEST_STEP / max(np.abs(step).max(initial=0.0), LARGEST_STEP))
        strength += step
        if np.abs(step).max(initial=0.0) < _CONVERGED:
            break
    spread = np.sqrt(np.diag(np.linalg.pinv(curvature, hermitian=True)).clip(0))
    strength -= strength.mean()
    return tuple(
        Rating(SCALE * float(at), SCALE * CONFIDENT * float(error))
        for at, error in zip(strength, spread, strict=True)
    )


# A sequential test


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
    """Is a player `elo1` stronger, rather than `elo0`? A test that stops as soon as it knows.

    Wald, Sequential Tests of Statistical Hypotheses (1945). Each game moves the log-likelihood
    ratio as a won or lost game would, an unfinished one by half of each. As exp is convex, that
    ratio's mean is at most 1 while the player is no stronger than `elo0`, whatever the share of
    unfinished games and whatever a seat is worth, so Wald's bounds hold for all of them.
    """

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
