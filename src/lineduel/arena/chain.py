"""The exact result of two policies: an absorbing Markov chain, solved as a linear system.

Kemeny and Snell, Finite Markov Chains, chapter 3.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel import batch
from lineduel.arena.atlas import Atlas, Sheet, survey, together, write_out
from lineduel.errors import NotInstalled
from lineduel.players import Policy
from lineduel.rules import Side
from lineduel.solve import Solution

try:
    from scipy.sparse import csc_array, csr_array, eye_array
    from scipy.sparse.csgraph import breadth_first_order, connected_components
    from scipy.sparse.linalg import SuperLU, splu
except ImportError:
    raise NotInstalled("SciPy", "full") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray


ACCEPTED = 1e-9
"""By how much the chances of all results may miss 1 before a solution is not believed."""
LEAST = 5e-324
"""The least chance of what can happen at all."""


class Result(NamedTuple):
    """What comes of a game between two policies; the three chances add up to 1."""

    win1: float
    """The chance that player 1 wins."""
    win2: float
    endless: float
    """The chance that play never ends: 0 exactly where it cannot go on for ever."""
    plies: float | None
    """The expected length of the games that end, battles being plies; None if none does."""

    @property
    def value(self) -> float:
        """What player 1 can expect: win 1, loss -1, endless 0."""
        return self.win1 - self.win2

    @property
    def score(self) -> float:
        """The same as points: win 1, loss 0, endless a half."""
        return (1 + self.value) / 2


def result(solution: Solution, player1: Policy, player2: Policy) -> Result:
    """The exact result of two policies from where the solution starts."""
    atlas = survey(solution.game, solution.start)
    return meet(atlas, write_out(player1, atlas), write_out(player2, atlas))


def meet(atlas: Atlas, player1: Sheet, player2: Sheet, start: int = 0) -> Result:
    """The exact result of two policies that are written out, from a position of the atlas."""
    return absorb(atlas, together(atlas, player1, player2), start)


def absorb(atlas: Atlas, chances: "NDArray[np.float64]", start: int = 0) -> Result:
    """How play ends when each choice of the atlas has its chance.

    What cannot come up is left out. So is what cannot reach an end, which is where play is
    endless; the rest is a chain that ends for sure, and its system has one solution.
    """
    size = len(atlas)
    possible = chances > 0
    edges = atlas.origin[possible], atlas.after[possible]
    step = csr_array((chances[possible], edges), shape=(size, size))
    met = np.zeros(size, np.bool_)
    met[breadth_first_order(step, start, return_predecessors=False)] = True
    over = atlas.winner > 0
    ending = _leading_to(edges, met & over, size)
    inside = np.flatnonzero(met & ending & ~over)
    if not ending[start]:
        return Result(0.0, 0.0, 1.0, None)
    if over[start]:
        won = atlas.winner[start] == Side.ONE
        return Result(float(won), float(not won), 0.0, 0.0)
    try:
        rows, factors, inside = _factorised(step, inside)
    except RuntimeError:  # singular to the last digit
        return _one_by_one(atlas, chances, start)
    here = (inside == start).astype(np.float64)
    visits = factors.solve(here, trans="T")
    into = [rows @ where.astype(np.float64) for where in (atlas.winner == 1, atlas.winner == 2)]
    into.append(rows @ (~ending).astype(np.float64))
    sums = [float(visits @ one) for one in into]
    if not abs(sum(sums) - 1) < ACCEPTED:
        return _one_by_one(atlas, chances, start)
    win1, win2, endless = (one / sum(sums) for one in sums)  # the last digit of rounding
    endless = max(endless, LEAST) if (met & ~ending).any() else 0.0
    ends = factors.solve(into[0] + into[1])
    return Result(win1, win2, endless, float(visits @ ends) / (sums[0] + sums[1]))


def _one_by_one(atlas: Atlas, chances: "NDArray[np.float64]", start: int) -> Result:
    """The same by taking states out one by one, for chains so long that the system is singular."""
    found = batch.meet(atlas.first, atlas.after, atlas.winner, chances, start)
    return Result(found.win1, found.win2, found.endless, found.plies)


def _factorised(
    step: csr_array, inside: "NDArray[np.int64]"
) -> "tuple[csr_array, SuperLU, NDArray[np.int64]]":
    """The chain's steps from these positions, in an order that is easy to eliminate."""
    parts, labels = connected_components(step[inside][:, inside], connection="strong")
    # Where no position comes back the system is triangular in the order of the parts.
    forward = parts == len(inside)
    inside = inside[np.argsort(labels, kind="stable")]
    rows = step[inside]
    system = csc_array(eye_array(len(inside), format="csr") - rows[:, inside])
    return rows, splu(system, permc_spec="NATURAL" if forward else "COLAMD"), inside


def _leading_to(
    edges: "tuple[NDArray[np.int64], NDArray[np.int64]]", ends: "NDArray[np.bool_]", size: int
) -> "NDArray[np.bool_]":
    """Which positions can reach one of these."""
    origin, after = edges
    last = np.flatnonzero(ends)
    heads = np.concatenate((after, np.full(len(last), size)))
    tails = np.concatenate((origin, last))
    back = csr_array((np.ones(len(heads)), (heads, tails)), shape=(size + 1, size + 1))
    found = np.zeros(size + 1, np.bool_)
    found[breadth_first_order(back, size, return_predecessors=False)] = True
    return found[:size]
