"""The exact result of two policies as a sparse linear system, by SciPy: a witness for the chains.

Kemeny and Snell, Finite Markov Chains, chapter 3.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.csgraph import breadth_first_order, connected_components
from scipy.sparse.linalg import SuperLU, splu

from lineduel.graph.chain import Result
from lineduel.graph.game_graph import GameGraph
from lineduel.rules import Side


def sparse_result(graph: GameGraph, chances: NDArray[np.float64], start: int = 0) -> Result:
    """How play ends when each choice of the graph has its chance.

    What cannot come up is left out. So is what cannot reach an end, which is where play is
    endless; the rest is a chain that ends for sure, and its system has one solution.
    """
    size = len(graph)
    possible = chances > 0
    edges = graph.origin[possible], graph.after[possible]
    step = csr_array((chances[possible], edges), shape=(size, size))
    met = np.zeros(size, np.bool_)
    met[breadth_first_order(step, start, return_predecessors=False)] = True
    over = graph.winner > 0
    ending = _leading_to(edges, met & over, size)
    inside = np.flatnonzero(met & ending & ~over)
    if not ending[start]:
        return Result(0.0, 0.0, 1.0, None)
    if over[start]:
        won = graph.winner[start] == Side.ONE
        return Result(float(won), float(not won), 0.0, 0.0)
    rows, factors, inside = _factorised(step, inside)
    here = (inside == start).astype(np.float64)
    visits = factors.solve(here, trans="T")
    into = [rows @ where.astype(np.float64) for where in (graph.winner == 1, graph.winner == 2)]
    into.append(rows @ (~ending).astype(np.float64))
    sums = [float(visits @ one) for one in into]
    win1, win2, endless = (one / sum(sums) for one in sums)  # the last digit of rounding
    ends = factors.solve(into[0] + into[1])
    return Result(win1, win2, endless, float(visits @ ends) / (sums[0] + sums[1]))


def _factorised(
    step: csr_array, inside: NDArray[np.int64]
) -> tuple[csr_array, SuperLU, NDArray[np.int64]]:
    """The chain's steps from these positions, in an order that is easy to eliminate."""
    parts, labels = connected_components(step[inside][:, inside], connection="strong")
    # Where no position comes back the system is triangular in the order of the parts.
    forward = parts == len(inside)
    inside = inside[np.argsort(labels, kind="stable")]
    rows = step[inside]
    system = csc_array(eye_array(len(inside), format="csr") - rows[:, inside])
    return rows, splu(system, permc_spec="NATURAL" if forward else "COLAMD"), inside


def _leading_to(
    edges: tuple[NDArray[np.int64], NDArray[np.int64]], ends: NDArray[np.bool_], size: int
) -> NDArray[np.bool_]:
    """Which positions can reach one of these."""
    origin, after = edges
    last = np.flatnonzero(ends)
    heads = np.concatenate((after, np.full(len(last), size)))
    tails = np.concatenate((origin, last))
    back = csr_array((np.ones(len(heads)), (heads, tails)), shape=(size + 1, size + 1))
    found = np.zeros(size + 1, np.bool_)
    found[breadth_first_order(back, size, return_predecessors=False)] = True
    return found[:size]
