"""Values of arenas: guessed in the stopped game, then proved in exact numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from lineduel.solve.arena import Arena
from lineduel.solve.bounds import Bounds, Plan
from lineduel.solve.chain import Real
from lineduel.solve.guarantee import Guarantee, least, raised
from lineduel.solve.network import Kind, Network, lay_out
from lineduel.solve.replies import Accuracy, guarantee_of
from lineduel.solve.stopped import Guess, Stopped, in_decimals

PRECISION = 1e-9
STOPS = (1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9)
TOLERANCE = 1e-13
DENOMINATOR = 2000
DIGITS = (30, 100, 300)


def solve_arena(arena: Arena, precision: float = PRECISION) -> Bounds:
    """Bounds of every node's value: equal where they could be, else close if it can be done."""
    return _Search(lay_out(arena), precision).bounds()


class _Search:
    def __init__(self, network: Network, precision: float) -> None:
        self.network, self.precision = network, precision
        self.mirrored = network.mirrored()
        self.lower, self.upper = least(self.network), least(self.mirrored)

    def bounds(self) -> Bounds:
        guess = self._floating()
        self._propose(guess, DENOMINATOR)
        if self._gap() == 0:
            return self._result()
        fine = in_decimals(guess)
        for digits in DIGITS:
            with localcontext(prec=2 * digits + 10):
                stop = Decimal(10) ** -digits
                stopped = Stopped(self.network, stop, Decimal(10) ** -(2 * digits))
                stopped.refine(fine)
                accuracy = Accuracy(Decimal(10) ** -(2 * digits), Decimal(self.precision) / 1024)
                self._certify(fine, accuracy)
                self._propose(fine, 10 ** (digits // 3 + 1))
            if self._gap() <= self.precision:
                break
        return self._result()

    def _floating(self) -> Guess[float]:
        guess = Stopped(self.network, STOPS[0], TOLERANCE).first_guess()
        for stop in STOPS:
            Stopped(self.network, stop, TOLERANCE).refine(guess)
        return guess

    def _propose(self, guess: Guess[Real], denominator: int) -> None:
        """Try to prove the simplest fractions near the guessed values."""
        known: dict[Real, Fraction] = {}
        wanted = []
        for value in guess.values:
            if value not in known:
                known[value] = Fraction(value).limit_denominator(denominator)
            wanted.append(known[value])
        self.lower = raised(self.network, self.lower, wanted) or self.lower
        negated = [-value for value in wanted]
        self.upper = raised(self.mirrored, self.upper, negated) or self.upper

    def _certify(self, guess: Guess[Real], accuracy: Accuracy[Real]) -> None:
        """Prove what the guessed play makes sure of."""
        turned = Guess(guess.moves, guess.columns, guess.rows, [-value for value in guess.values])
        self.lower = _better(self.network, self.lower, guarantee_of(self.network, guess, accuracy))
        self.upper = _better(
            self.mirrored, self.upper, guarantee_of(self.mirrored, turned, accuracy)
        )

    def _gap(self) -> Fraction:
        return max(-high - low for low, high in zip(self.lower.values, self.upper.values))

    def _result(self) -> Bounds:
        return Bounds(
            lower=tuple(self.lower.values),
            upper=tuple(-value for value in self.upper.values),
            player1=_plan(self.network, self.lower),
            player2=_plan(self.mirrored, self.upper),
            ranks1=tuple(self.lower.ranks),
            ranks2=tuple(self.upper.ranks),
        )


def _better(network: Network, old: Guarantee, new: Guarantee | None) -> Guarantee:
    """The new guarantee, with its ranks, if it is worth more than the old."""
    if new is None:
        return old
    proved = raised(network, new, old.values)
    return proved or old


def _plan(network: Network, guarantee: Guarantee) -> Plan:
    plan: list[int | tuple[Fraction, ...] | None] = []
    for node, kind in enumerate(network.kinds):
        if kind is Kind.ONE:
            plan.append(guarantee.moves[node])
        else:
            plan.append(guarantee.mixtures[node] or None)
    return tuple(plan)
