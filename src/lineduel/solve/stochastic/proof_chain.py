"""The expected payoff of a Markov chain, minus the cost of its steps.

Small chains are solved by eliminating one state at a time. The Grassmann-Taksar-Heyman form of the
diagonal avoids all subtractions, so even chains that take 10**100 steps to end are solved to almost
full precision. Large chains with many connections are solved in floats, and iterative refinement
then adds the missing digits. All work is limited by steps instead of time, so that the result is
the same on every machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, getcontext
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

MOST_STEPS = 80_000_000
"""Takes 30 to 60 seconds on one core in 2026; enough for most games of 30,000 positions."""


@dataclass(slots=True)
class WorkLimit:
    """The number of steps that a search may take.

    A step evaluates one outcome of one node in floats. Other work is converted to the number of
    steps that would take about the same time.
    """

    most: int
    done: int = 0
    reached: bool = False
    """Whether the search was cut short because it ran out of steps."""

    def count(self, steps: int, number: float | Decimal = 0.0) -> None:
        """Add steps; steps in decimals count more than steps in floats."""
        self.done += steps * (1 if isinstance(number, float) else 4 + getcontext().prec // 50)

    def spent(self) -> bool:
        """Whether the steps are used up and the search should stop."""
        if self.done > self.most:
            self.reached = True
        return self.reached


Real = TypeVar("Real", float, Decimal)

Law = list[tuple[int, Real]]
"""The successors of a state, with probabilities."""

_Rows = list[dict[int, Real]]
Solve = Callable[[list[float]], list[float] | None]

MOST_SURE = 80
"""Up to this many states, elimination is fast for any chain."""
MOST_WORK, WORK_EACH = 200_000, 50
"""Work after which elimination is abandoned for NumPy and SciPy: a constant, and per state."""
MOST_DENSE = 4000
"""Up to this many states, NumPy is enough if SciPy is not installed."""
_QUICK = 4000
"""Number of multiplications NumPy does in the time of one step of work."""

SPARE_DIGITS = 6
"""Number of digits that rounding may cost."""

_ENDLESS = -1


@dataclass(slots=True)
class Chain(Generic[Real]):
    """A Markov chain: each state has one successor, several with chances, or a known value."""

    following: list[int | Law[Real]]
    """The next state, or the probabilities; ignored if the value is known."""
    known: list[Real | None]
    stop: Real
    """The probability that a step stops play, which pays 0."""
    cost: Real
    """The cost of each step."""

    def values(self, limit: WorkLimit) -> list[Real]:
        """The expected payoff of each state; endless play pays 0. Adds its work to `limit`."""
        return _Evaluation(self, limit).values()


class _Evaluation(Generic[Real]):
    def __init__(self, chain: Chain[Real], limit: WorkLimit) -> None:
        self.chain: Chain[Real] = chain
        self.limit = limit
        self.one: Real = chain.stop.__class__(1)
        self.zero: Real = self.one - self.one
        # After n steps: the probability of still playing, of having stopped, and the expected cost.
        self.going: list[Real] = [self.one]
        self.stopped: list[Real] = [self.zero]
        self.paid: list[Real] = [self.zero]

    def values(self) -> list[Real]:
        roots, steps = self._roots()
        longest = max(steps, default=0) + 1
        for _ in range(longest):
            going = self.going[-1]
            self.stopped.append(self.stopped[-1] + going * self.chain.stop)
            self.paid.append(self.paid[-1] + going * self.chain.cost)
            self.going.append(going * (self.one - self.chain.stop))
        worth = self._branching(roots, steps)
        self.limit.count(2 * (longest + len(roots)), self.zero)
        values = []
        for root, step in zip(roots, steps, strict=True):
            if root == _ENDLESS:
                values.append(self.zero)
            else:
                values.append(worth[root] * self.going[step] - self.paid[step])
        return values

    def _roots(self) -> tuple[list[int], list[int]]:
        """For each state, the next one that branches or has a known value, and the distance."""
        following, known = self.chain.following, self.chain.known
        size = len(following)
        roots, steps = [size] * size, [0] * size
        for state in range(size):
            path = []
            while roots[state] == size:
                ahead = following[state]
                if known[state] is not None or not isinstance(ahead, int):
                    roots[state] = state
                    break
                roots[state] = _ENDLESS  # unless the path leads somewhere
                path.append(state)
                state = ahead
            root, step = roots[state], steps[state]
            for passed in reversed(path):
                step += 1
                roots[passed], steps[passed] = root, step
        return roots, steps

    def _branching(self, roots: list[int], steps: list[int]) -> dict[int, Real]:
        """The values of the branching states and of the states with known values."""
        chain = self.chain
        worth: dict[int, Real] = {}
        places: dict[int, int] = {}
        for state, value in enumerate(chain.known):
            if value is not None:
                worth[state] = value
            elif roots[state] == state:
                places[state] = len(places)
        rows: _Rows[Real] = []
        gains: list[Real] = []
        leaks: list[Real] = []
        for state in places:
            law = chain.following[state]
            assert not isinstance(law, int)
            self.limit.count(2 * len(law), self.zero)
            row: dict[int, Real] = {}
            gain, leak = -chain.cost, chain.stop
            going = self.going[1]
            for target, chance in law:
                root, step = roots[target], steps[target]
                weight = chance * going
                if root == _ENDLESS:
                    leak += weight
                    continue
                gain -= weight * self.paid[step]
                leak += weight * self.stopped[step]
                weight *= self.going[step]
                if root in places:
                    place = places[root]
                    row[place] = row.get(place, self.zero) + weight
                else:
                    leak += weight
                    gain += weight * worth[root]
            rows.append(row)
            gains.append(gain)
            leaks.append(leak)
        solved = solve_rows(rows, gains, leaks, self.limit) if rows else []
        worth.update(zip(places, solved, strict=True))
        return worth


def solve_rows(
    rows: _Rows[Real], gains: list[Real], leaks: list[Real], limit: WorkLimit
) -> list[Real]:
    """Solve x = rows @ x + gains, where each row plus its leak sums to 1."""
    for state in _idle(rows, gains):  # worth 0, even if play never leaves them
        rows[state], leaks[state] = {}, gains[state] + 1
    size = len(rows)
    if size > MOST_SURE:
        copy = [row.copy() for row in rows]
        most = MOST_WORK + WORK_EACH * size
        solved = _eliminated(copy, list(gains), list(leaks), limit, most)
        solved = solved or _refined(rows, gains, leaks, limit)
        if solved is not None:
            return solved
    solved = _eliminated(rows, gains, leaks, limit)
    assert solved is not None  # without `most` it always succeeds
    return solved


def _idle(rows: _Rows[Real], gains: list[Real]) -> list[int]:
    """States from which nothing can be gained or lost."""
    before: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for target in row:
            before[target].append(state)
    waiting = [state for state, gain in enumerate(gains) if gain]
    out = set(waiting)
    for state in waiting:
        for earlier in before[state]:
            if earlier not in out:
                out.add(earlier)
                waiting.append(earlier)
    return [state for state in range(len(rows)) if state not in out]


def _eliminated(
    rows: _Rows[Real],
    gains: list[Real],
    leaks: list[Real],
    limit: WorkLimit,
    most: int | None = None,
) -> list[Real] | None:
    """Solve by eliminating states in place, the ones with the least work first.

    Returns None if that would take more work than `most`.
    """
    zero = gains[0] - gains[0]
    before: list[set[int]] = [set() for _ in rows]
    for state, row in enumerate(rows):
        for target in row:
            before[target].add(state)
    waiting = [(len(row) * len(before[state]), state) for state, row in enumerate(rows)]
    heapify(waiting)
    order = []
    while waiting:
        work, state = heappop(waiting)
        row = rows[state]
        now = len(row) * len(before[state])
        if now > work and waiting and now > waiting[0][0]:
            heappush(waiting, (now, state))
            continue
        if most is not None:
            most -= now
            if most < 0:
                return None
        limit.count(4 * (1 + now), zero)
        order.append(state)
        row.pop(state, None)
        away = sum(row.values(), leaks[state]) or zero + 1  # 0 only if floats underflow
        for target in row:
            row[target] /= away
            before[target].discard(state)
        gain = gains[state] = gains[state] / away
        leak = leaks[state] = leaks[state] / away
        before[state].discard(state)
        for earlier in before[state]:
            changed = rows[earlier]
            weight = changed.pop(state)
            for target, chance in row.items():
                changed[target] = changed.get(target, zero) + weight * chance
                before[target].add(earlier)
            gains[earlier] += weight * gain
            leaks[earlier] += weight * leak
    for state in reversed(order):
        value = gains[state]
        for target, chance in rows[state].items():
            value += chance * gains[target]
        gains[state] = value
    return gains


def _refined(
    rows: _Rows[Real], gains: list[Real], leaks: list[Real], limit: WorkLimit
) -> list[Real] | None:
    """Solve in floats with iterative refinement; None if it does not converge."""
    diagonal = [
        sum((chance for target, chance in row.items() if target != state), leak)
        for state, (row, leak) in enumerate(zip(rows, leaks, strict=True))
    ]
    solve = _in_floats(rows, diagonal, limit)
    largest = max(map(abs, gains))
    if solve is None or not largest:
        return None
    zero = largest - largest
    kind = zero.__class__
    digits = 1 if kind is float else getcontext().prec - SPARE_DIGITS
    enough = largest / 10**digits
    values, rest = [zero] * len(rows), gains
    entries = len(rows) + sum(map(len, rows))
    while True:
        limit.count(entries, zero)
        found = solve([float(part / largest) for part in rest])
        if found is None:
            return None
        values = [value + kind(part) * largest for value, part in zip(values, found, strict=True)]
        rest = [
            sum(
                (chance * values[target] for target, chance in row.items() if target != state),
                gain - entry * values[state],
            )
            for state, (row, gain, entry) in enumerate(zip(rows, gains, diagonal, strict=True))
        ]
        smaller = max(map(abs, rest))
        if smaller <= enough:
            return values
        if smaller > largest / 8:
            return None
        largest = smaller


def _in_floats(rows: _Rows[Real], diagonal: list[Real], limit: WorkLimit) -> Solve | None:
    """A solver for the diagonal minus the rows; None if that is singular or too large."""
    import numpy as np

    size = len(rows)
    places = [(state, state, float(entry)) for state, entry in enumerate(diagonal)]
    for state, row in enumerate(rows):
        places += [(state, to, -float(chance)) for to, chance in row.items() if to != state]
    across, along, entries = zip(*places, strict=True)
    try:
        from scipy.sparse import csc_array
        from scipy.sparse.linalg import splu

        factors = splu(csc_array((entries, (across, along)), shape=(size, size)))
        limit.count(len(places) + factors.nnz)
        backward = factors.solve
    except RuntimeError:
        return None
    except ModuleNotFoundError:  # SciPy is faster but optional
        if size > MOST_DENSE:
            return None
        dense = np.zeros((size, size))
        dense[across, along] = entries
        limit.count(len(places) + size**3 // _QUICK)
        try:
            backward = np.linalg.inv(dense).dot
        except np.linalg.LinAlgError:
            return None

    def solve(rest: list[float]) -> list[float] | None:
        found = backward(np.array(rest))
        return list(map(float, found)) if bool(np.isfinite(found).all()) else None

    return solve
