"""An arena prepared for the solver: distinct successors, and clashes that share their matrix."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import Generic, NamedTuple

from lineduel.rules import Side
from lineduel.solve.stochastic.arena import Arena, Choice, Clash, Ended
from lineduel.solve.stochastic.matrix import AnyNumber, equalise, solve_matrix

Pattern = tuple[tuple[int, ...], ...]
"""The matrix of a clash; its entries are indices into the clash's distinct successors."""

_MOST_REMEMBERED = 5000
"""Number of outcome orders that a form caches."""


class Kind(IntEnum):
    """Who decides at a node."""

    ENDED = 0
    ONE = 1
    TWO = 2
    BOTH = 3

    @property
    def mirrored(self) -> "Kind":
        match self:
            case Kind.ONE:
                return Kind.TWO
            case Kind.TWO:
                return Kind.ONE
            case _:
                return self


Parts = tuple[tuple[int, AnyNumber], ...]
"""The choices in the support of a mixture, each with its probability."""


class Settled(NamedTuple, Generic[AnyNumber]):
    """The value of a clash, and an optimal mixture for each side."""

    value: AnyNumber
    rows: Parts[AnyNumber]
    columns: Parts[AnyNumber]


@dataclass(slots=True)
class _Core:
    """The undominated rows and columns, and whether playing them with equal chances is optimal."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    even: bool
    rows_used: tuple[int, ...] = ()
    """The rows used by the last solution; they are tried first."""
    columns_used: tuple[int, ...] = ()

    def use(self, settled: "Settled[AnyNumber]") -> None:
        self.rows_used = tuple([a for a, _ in settled.rows])
        self.columns_used = tuple([b for b, _ in settled.columns])


class Form:
    """A matrix of outcomes; their values differ between the nodes that share it.

    Which rows and columns are dominated depends only on the order of the outcomes' values, so it
    is computed once for each order.
    """

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._cores: dict[tuple[int, ...], _Core] = {}

    @cached_property
    def transposed(self) -> "Form":
        return Form(tuple(zip(*self.pattern, strict=True)))

    @cached_property
    def entries(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The entries of each outcome, as pairs of row and column."""
        found: list[list[tuple[int, int]]] = [[] for _ in range(1 + max(map(max, self.pattern)))]
        for a, row in enumerate(self.pattern):
            for b, outcome in enumerate(row):
                found[outcome].append((a, b))
        return tuple(map(tuple, found))

    def settle(self, values: Sequence[AnyNumber]) -> Settled[AnyNumber]:
        """Solve the clash for given values of its outcomes."""
        level = {value: place for place, value in enumerate(sorted(set(values)))}
        order = tuple([level[value] for value in values])
        core = self._cores.get(order)
        if core is None:
            if len(self._cores) >= _MOST_REMEMBERED:
                self._cores.clear()
            core = self._cores[order] = _core(self.pattern, order)
        one = values[0].__class__(1)
        rows, columns, pattern = core.rows, core.columns, self.pattern
        if len(rows) == len(columns) == 1:
            value = values[pattern[rows[0]][columns[0]]]
            return Settled(value, ((rows[0], one),), ((columns[0], one),))
        if core.even:
            height, width = one * len(rows), one * len(columns)
            return Settled(
                sum((values[pattern[rows[0]][b]] for b in columns), one - one) / width,
                tuple((a, one / height) for a in rows),
                tuple((b, one / width) for b in columns),
            )
        settled = self._try(values, core)
        if settled is None and not isinstance(values[0], float):
            core.use(self._solve(_to_floats(values), rows, columns))
            settled = self._try(values, core)
        if settled is None:
            settled = self._solve(values, rows, columns)
            core.use(settled)
        return settled

    def _solve(
        self, values: Sequence[AnyNumber], rows: tuple[int, ...], columns: tuple[int, ...]
    ) -> Settled[AnyNumber]:
        lines = [self.pattern[a] for a in rows]
        value, p, q = solve_matrix([[values[line[b]] for b in columns] for line in lines])
        return Settled(
            value,
            tuple((a, part) for a, part in zip(rows, p, strict=True) if part),
            tuple((b, part) for b, part in zip(columns, q, strict=True) if part),
        )

    def _try(self, values: Sequence[AnyNumber], core: _Core) -> Settled[AnyNumber] | None:
        """The solution with the rows and columns used last; None if another one is better."""
        if not core.rows_used:
            return None
        if isinstance(values[0], Fraction):
            settled = self._solve(values, core.rows_used, core.columns_used)
        elif len(core.rows_used) != len(core.columns_used):
            return None
        else:
            lines = [self.pattern[a] for a in core.rows_used]
            equal = equalise([[values[line[b]] for b in core.columns_used] for line in lines])
            if equal is None:
                return None
            settled = Settled(
                equal.value,
                tuple(zip(core.rows_used, equal.rows, strict=True)),
                tuple(zip(core.columns_used, equal.columns, strict=True)),
            )
        value, rows, columns = settled
        pattern, zero = self.pattern, values[0] - values[0]
        for b in core.columns:
            expected = sum((p * values[pattern[a][b]] for a, p in rows), zero)
            if expected < value and b not in core.columns_used:
                return None
        for a in core.rows:
            line = pattern[a]
            expected = sum((q * values[line[b]] for b, q in columns), zero)
            if expected > value and a not in core.rows_used:
                return None
        return settled


def _to_floats(values: Sequence[AnyNumber]) -> list[float]:
    """The values scaled to the range 0 to 1, so that no digits are lost if they are close."""
    lowest, highest = min(values), max(values)
    return [float((value - lowest) / (highest - lowest)) for value in values]


def _core(pattern: Pattern, order: tuple[int, ...]) -> _Core:
    """Remove dominated rows and columns, then use a saddle point if there is one."""
    matrix = [[order[outcome] for outcome in row] for row in pattern]
    rows, columns = list(range(len(matrix))), list(range(len(matrix[0])))
    while True:
        size = len(rows), len(columns)
        rows = _undominated(rows, [[matrix[a][b] for b in columns] for a in rows])
        columns = _undominated(columns, [[-matrix[a][b] for a in rows] for b in columns])
        if (len(rows), len(columns)) == size:
            break
    worst = [min(matrix[a][b] for b in columns) for a in rows]
    dearest = [max(matrix[a][b] for a in rows) for b in columns]
    if max(worst) == min(dearest):
        saddle = rows[worst.index(max(worst))], columns[dearest.index(min(dearest))]
        return _Core((saddle[0],), (saddle[1],), False)
    inner = [[pattern[a][b] for b in columns] for a in rows]
    even = _alike(inner) and _alike(zip(*inner, strict=True))
    return _Core(tuple(rows), tuple(columns), even)


def _undominated(names: list[int], lines: list[list[int]]) -> list[int]:
    """The lines that no other line dominates; of equal lines, only the first."""
    return [
        name
        for place, (name, line) in enumerate(zip(names, lines, strict=True))
        if not any(
            (other != line or rival < place)
            and rival != place
            and all(theirs >= ours for theirs, ours in zip(other, line, strict=True))
            for rival, other in enumerate(lines)
        )
    ]


def _alike(lines: Iterable[Sequence[int]]) -> bool:
    """Whether all lines have the same outcomes in some order; a uniform mixture is then optimal."""
    return len({tuple(sorted(line)) for line in lines}) == 1


@dataclass(frozen=True, slots=True)
class Network:
    """For each node: who decides, its payoff, its distinct successors, and the form of a clash."""

    kinds: list[Kind]
    payoffs: list[int]
    after: list[tuple[int, ...]]
    forms: list[Form | None]
    before: list[list[int]]
    backward: list[int]
    """Nodes by their distance to an ended node, nearest first; nodes that reach none come last."""

    def __len__(self) -> int:
        return len(self.kinds)

    def form(self, node: int) -> Form:
        """The form of a clash."""
        form = self.forms[node]
        assert form is not None
        return form

    def outcomes(self, node: int) -> int:
        """The number of outcomes to evaluate at a node."""
        form = self.forms[node]
        return len(form.pattern) * len(form.pattern[0]) if form else len(self.after[node])

    def mirrored(self) -> "Network":
        """The same game with the two sides exchanged."""
        return Network(
            [kind.mirrored for kind in self.kinds],
            [-payoff for payoff in self.payoffs],
            self.after,
            [form and form.transposed for form in self.forms],
            self.before,
            self.backward,
        )


def network_of(arena: Arena) -> Network:
    """The network of an arena; a choice keeps all its moves, a clash its distinct successors."""
    kinds: list[Kind] = []
    payoffs: list[int] = []
    after: list[tuple[int, ...]] = []
    forms: list[Form | None] = []
    known: dict[Pattern, Form] = {}
    for node in arena.nodes:
        payoff, form = 0, None
        reached: tuple[int, ...] = ()
        match node:
            case Ended():
                kind, payoff = Kind.ENDED, node.payoff
            case Choice():
                kind = Kind.ONE if node.side is Side.ONE else Kind.TWO
                reached = node.after
            case Clash():
                places: dict[int, int] = {}
                pattern = tuple(
                    tuple([places.setdefault(target, len(places)) for target in row])
                    for row in node.after
                )
                kind, reached = Kind.BOTH, tuple(places)
                form = known.setdefault(pattern, Form(pattern))
        kinds.append(kind)
        payoffs.append(payoff)
        after.append(reached)
        forms.append(form)
    before: list[list[int]] = [[] for _ in kinds]
    for number, reached in enumerate(after):
        for target in set(reached):
            before[target].append(number)
    return Network(kinds, payoffs, after, forms, before, _backward(kinds, before))


def _backward(kinds: list[Kind], before: list[list[int]]) -> list[int]:
    found = dict.fromkeys(node for node, kind in enumerate(kinds) if kind is Kind.ENDED)
    waiting = list(found)
    for node in waiting:
        for earlier in before[node]:
            if earlier not in found:
                found[earlier] = None
                waiting.append(earlier)
    return [*waiting, *(node for node in range(len(kinds)) if node not in found)]
