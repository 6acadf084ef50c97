"""Values that player 1 can guarantee, with the proof.

A guarantee holds under two conditions. At every node, the value is at most the expected value of
the next node under player 1's plan, whatever player 2 does. And play leaves the nodes of positive
value with probability 1, which is shown by ranks that fall with positive probability at every step.
The values along a play are then a bounded submartingale, which converges; if play is endless, its
limit is at most 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from lineduel.solve.stochastic.matrix import widest_mixture
from lineduel.solve.stochastic.network import Kind, Network
from lineduel.solve.stochastic.proof_chain import Real, WorkLimit

ClashMixture = tuple[Fraction, ...]
"""The probability of each of a side's choices in a clash."""

PATIENCE = 12
"""Number of rounds that give up only the most valuable stuck nodes; later rounds give up all."""


@dataclass(slots=True)
class Guarantee:
    """For each node, the value that player 1 guarantees, how player 1 plays, and the rank."""

    values: list[Fraction]
    moves: list[int]
    """At a choice of player 1, the index of the move."""
    mixtures: list[ClashMixture]
    """At a clash, player 1's mixture; empty elsewhere."""
    ranks: list[int]


def least(network: Network) -> Guarantee:
    """The values that any play guarantees player 1."""
    worst = Fraction(min(0, *network.payoffs, 0))
    size = len(network)
    values = [
        Fraction(payoff) if kind is Kind.ENDED else worst
        for kind, payoff in zip(network.kinds, network.payoffs, strict=True)
    ]
    even = {form: _even(len(form.pattern)) for form in network.forms if form}
    mixtures = [even[form] if form else () for form in network.forms]
    return Guarantee(values, [0] * size, mixtures, [0] * size)


def _even(height: int) -> ClashMixture:
    return (Fraction(1, height),) * height


def raised(
    network: Network,
    base: Guarantee,
    wanted: Sequence[Fraction],
    noise: Real,
    limit: WorkLimit,
) -> Guarantee | None:
    """The base with as many nodes as possible raised to the wanted values, proved exactly.

    The base must be consistent: its values must follow from its play. Returns None if the base
    itself makes no progress, because then there is no proof. A clash that falls short by more than
    `noise` is rejected without exact arithmetic.
    """
    return _Proof(network, base, wanted, noise, limit).carry_out()


class _Proof(Generic[Real]):
    def __init__(
        self,
        network: Network,
        base: Guarantee,
        wanted: Sequence[Fraction],
        noise: Real,
        limit: WorkLimit,
    ) -> None:
        self.network, self.base, self.limit = network, base, limit
        self.noise: Real = noise
        self.rounded: dict[Fraction, Real] = {}
        self.values, self.mixtures = list(base.values), list(base.mixtures)
        self.moves = list(base.moves)
        self.raised: set[int] = set()
        self.widened: set[int] = set()
        for node, kind in enumerate(network.kinds):
            if kind is not Kind.ENDED and wanted[node] > base.values[node]:
                self.values[node] = wanted[node]
                self.raised.add(node)

    def carry_out(self) -> Guarantee | None:
        self._settle(self.raised)
        patience = PATIENCE
        while True:
            progress = _Progress(self.network, self.values, self.mixtures)
            self.limit.count(4 * len(self.network))
            stuck = progress.stuck()
            widened = [node for node in stuck if self._widen(node)]
            if widened:
                continue
            if not stuck:
                break
            given_up = stuck & self.raised
            if not given_up:
                return None
            if patience:
                patience -= 1
                highest = max(self.values[node] for node in given_up)
                given_up = {node for node in given_up if self.values[node] == highest}
            self._settle({later for node in given_up for later in self._give_up(node)})
        return Guarantee(self.values, self._final_moves(progress), self.mixtures, progress.ranks)

    def _settle(self, nodes: set[int]) -> None:
        """Give up raised nodes until each value is at most the expected value after the node."""
        waiting = set(nodes)
        while waiting:
            node = waiting.pop()
            if node in self.raised and not self._fits(node):
                waiting.update(self._give_up(node))

    def _give_up(self, node: int) -> list[int]:
        """Reset a node to the base; returns the raised nodes that this may affect."""
        self.raised.discard(node)
        self.widened.discard(node)
        self.values[node] = self.base.values[node]
        self.mixtures[node] = self.base.mixtures[node]
        return [earlier for earlier in self.network.before[node] if earlier in self.raised]

    def _fits(self, node: int) -> bool:
        values, wanted = self.values, self.values[node]
        after = self.network.after[node]
        outcomes = self.network.outcomes(node)
        self.limit.count(2 * outcomes)
        match self.network.kinds[node]:
            case Kind.ONE:
                return any(values[target] >= wanted for target in after)
            case Kind.TWO:
                return all(values[target] >= wanted for target in after)
        form = self.network.form(node)
        self.limit.count(outcomes, self.noise)
        rough = form.settle([self._rounded(values[target]) for target in after])
        if rough.value < self._rounded(wanted) - self.noise:
            return False
        self.limit.count(outcomes * (3 + wanted.denominator.bit_length() // 20))
        settled = form.settle([values[target] for target in after])
        if settled.value < wanted:
            return False
        mixture = [Fraction(0)] * len(form.pattern)
        for row, part in settled.rows:
            mixture[row] = part
        self.mixtures[node] = tuple(mixture)
        self.widened.discard(node)
        return True

    def _rounded(self, value: Fraction) -> Real:
        rounded = self.rounded.get(value)
        if rounded is None:
            kind = self.noise.__class__
            rounded = kind(value.numerator) / kind(value.denominator)
            self.rounded[value] = rounded
        return rounded

    def _widen(self, node: int) -> bool:
        """Let a stuck clash use every row of an optimal mixture; returns whether this adds any."""
        network = self.network
        if node not in self.raised or node in self.widened or network.kinds[node] is not Kind.BOTH:
            return False
        self.widened.add(node)
        self.limit.count(network.outcomes(node) * len(network.form(node).pattern))
        after = network.after[node]
        matrix = [[self.values[after[o]] for o in row] for row in network.form(node).pattern]
        widest = widest_mixture(matrix, self.values[node])
        new = any(wide and not part for wide, part in zip(widest, self.mixtures[node], strict=True))
        if new:
            self.mixtures[node] = widest
        return new

    def _final_moves(self, progress: "_Progress") -> list[int]:
        values = self.values
        moves = []
        for node, kind in enumerate(self.network.kinds):
            move = self.moves[node]
            if kind is Kind.ONE:
                after = self.network.after[node]
                if node in progress.moves:
                    move = progress.moves[node]
                elif values[after[move]] < values[node]:
                    move = max(range(len(after)), key=lambda choice: values[after[choice]])
            moves.append(move)
        return moves


class _Progress:
    """Ranks: after that many steps, play has left the nodes of positive value with some chance."""

    def __init__(
        self, network: Network, values: list[Fraction], mixtures: list[ClashMixture]
    ) -> None:
        self.network, self.values, self.mixtures = network, values, mixtures
        self.ranks = [0] * len(self.network)
        self.moves: dict[int, int] = {}
        kinds, positive = self.network.kinds, [value > 0 for value in self.values]
        self.waiting = {
            node for node, kind in enumerate(kinds) if positive[node] and kind is not Kind.ENDED
        }
        self.left: dict[int, set[int]] = {}
        for node in self.waiting:
            if kinds[node] is Kind.TWO:
                self.left[node] = set(self.network.after[node])
            elif kinds[node] is Kind.BOTH:
                self.left[node] = set(range(len(self.network.form(node).pattern[0])))
        out = [node for node in range(len(kinds)) if node not in self.waiting]
        for target in out:
            for node in self.network.before[target]:
                if node in self.waiting and self._gets_out(node, target):
                    self.waiting.discard(node)
                    self.ranks[node] = self.ranks[target] + 1
                    out.append(node)

    def stuck(self) -> set[int]:
        """Nodes of positive value that play may never leave."""
        return self.waiting

    def _gets_out(self, node: int, target: int) -> bool:
        after = self.network.after[node]
        match self.network.kinds[node]:
            case Kind.ONE:
                if self.values[target] < self.values[node]:
                    return False
                self.moves[node] = after.index(target)
                return True
            case Kind.TWO:
                self.left[node].discard(target)
            case _:
                mixture = self.mixtures[node]
                self.left[node] -= {
                    b for a, b in self.network.form(node).entries[after.index(target)] if mixture[a]
                }
        return not self.left[node]
