"""Values of arenas: guessed in the stopped game, then proved with exact numbers.

Guesses are computed in floats and, if these are not precise enough, in decimals of any length. Two
kinds of proof are then tried: that simple fractions near the guessed values fit exactly, node by
node, and that the guessed play, rounded to fractions, guarantees its values. A bad guess leads to
wide bounds, but every bound that is returned has been verified exactly.
"""

from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction

from lineduel.solve.stochastic.arena import Arena
from lineduel.solve.stochastic.guarantee import ClashMixture, Guarantee, least, raised
from lineduel.solve.stochastic.network import Kind, Network, network_of
from lineduel.solve.stochastic.proof_chain import MOST_STEPS, Real, WorkLimit
from lineduel.solve.stochastic.replies import Precision, guarantee_of
from lineduel.solve.stochastic.stopped import (
    FLOAT_NOISE,
    LEAST_STOPPED,
    Guess,
    Stopped,
    approach,
    descend,
    in_decimals,
)

StationaryPlan = tuple[int | ClashMixture | None, ...]
"""For each node: the index of the move at a choice of the side, the mixture at a clash, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """For each node, an interval that contains its value, and the proof of both ends.

    The plan `player1` guarantees `lower`, and `player2` guarantees `upper`. The ranks prove that
    each plan makes progress.
    """

    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]
    player1: StationaryPlan
    player2: StationaryPlan
    ranks1: tuple[int, ...]
    ranks2: tuple[int, ...]
    limited: bool
    """Whether the work limit was reached: tighter bounds may exist."""

    @property
    def exact(self) -> tuple[bool, ...]:
        """Whether each node's value is known exactly."""
        return tuple(low == high for low, high in zip(self.lower, self.upper, strict=True))

    @property
    def gap(self) -> Fraction:
        """The width of the widest interval."""
        pairs = zip(self.lower, self.upper, strict=True)
        return max((high - low for low, high in pairs), default=Fraction(0))


PRECISION = 1e-9
FLOATING = Precision(noise=FLOAT_NOISE, aim=1e-12)
_SIMPLE = 2000
"""The largest denominator of the fractions that floats are rounded to."""
_DIGITS = (30, 100, 200, 400)
"""Precisions to try if floats are not enough; a step then stops play with chance 10**-digits."""
MOST_IN_DECIMALS = 50_000
"""The largest number of nodes for which decimals are tried."""


def solve_arena(
    arena: Arena, precision: float = PRECISION, *, most_steps: int = MOST_STEPS
) -> Bounds:
    """Bounds on every node's value: equal if that can be proved, otherwise within `precision`.

    After `most_steps` steps of work the search for a better guess stops. The last guess still has
    to be proved, and the bounds may be wider; `limited` is then set.
    """
    return _Search(network_of(arena), precision, WorkLimit(most_steps)).bounds()


class _Search:
    """The best guarantees of both sides so far; player 2's is for the mirrored network."""

    def __init__(self, network: Network, precision: float, limit: WorkLimit) -> None:
        self.network, self.precision, self.limit = network, precision, limit
        self.mirrored = network.mirrored()
        self.lower, self.upper = least(self.network), least(self.mirrored)
        self.certified = False

    def bounds(self) -> Bounds:
        guess = approach(self.network, self.limit)
        simple = [Fraction(value).limit_denominator(_SIMPLE) for value in guess.values]
        self._propose(simple, FLOATING.noise)
        if self._gap() and len(self.network) <= MOST_IN_DECIMALS:
            self._search_finely(in_decimals(guess))
        if self._gap() and not self.certified:
            self._certify(guess, FLOATING)
            self._propose(simple, FLOATING.noise)
        return self._result()

    def _search_finely(self, guess: Guess[Decimal]) -> None:
        """Guess with more and more digits until fractions fit or the bounds are close enough."""
        stop = Decimal(LEAST_STOPPED)
        first: Guess[Decimal] | None = None
        for digits in _DIGITS:
            if self.limit.spent():
                return
            with localcontext(_context(digits)):
                target = Decimal(10) ** -digits
                guess = descend(self.network, guess, stop, target, _noise(digits), self.limit)
                stop = target
                self._propose_finely(guess, digits)
                if not self._gap():
                    return
                if digits == _DIGITS[0]:
                    first = guess  # fractions may fit with more digits
                    continue
                if first is not None:  # fewer digits are faster and usually enough
                    self._certify_finely(first, _DIGITS[0])
                    first = None
                if self._gap() > self.precision:
                    self._certify_finely(guess, digits)
                self._propose_finely(guess, digits)
                if self._gap() <= self.precision:
                    return

    def _propose_finely(self, guess: Guess[Decimal], digits: int) -> None:
        """Try to prove fractions near the guessed values.

        The guessed values are correct to almost `digits` digits in the stopped game. If the
        guessed play converges to optimal play, twice as many are correct in the game itself.
        """
        noise, close = _noise(digits), Decimal(10) ** (-digits // 2)
        endless = Stopped(self.network, Decimal(0), noise, self.limit).evaluate(guess)
        known: dict[Decimal, Fraction] = {}
        wanted = []
        for value, stopped in zip(endless, guess.values, strict=True):
            sought = value if abs(value - stopped) < close else stopped
            if sought not in known:
                known[sought] = _fraction(sought, digits)
            wanted.append(known[sought])
        self._propose(wanted, noise)

    def _certify_finely(self, guess: Guess[Decimal], digits: int) -> None:
        with localcontext(_context(digits)):
            noise = _noise(digits)
            aim = max(noise, Decimal(self.precision) / 1024)
            self._certify(guess, Precision(noise, aim))
            if self._gap() > self.precision:
                # Probabilities as small as that of a stop may exist only because of the stop.
                self._certify(guess, Precision(noise, aim, least=Decimal(10) ** (5 - digits)))

    def _propose(self, wanted: list[Fraction], noise: Real) -> None:
        """Prove these values at all nodes where that is possible."""
        self.lower = raised(self.network, self.lower, wanted, noise, self.limit) or self.lower
        negated = [-value for value in wanted]
        self.upper = raised(self.mirrored, self.upper, negated, noise, self.limit) or self.upper

    def _certify(self, guess: Guess[Real], accuracy: Precision[Real]) -> None:
        """Prove the values that the guessed play guarantees."""
        self.certified = True
        turned = Guess(guess.moves, guess.columns, guess.rows, [-value for value in guess.values])
        self.lower = _better(self.network, self.lower, guess, accuracy, self.limit)
        self.upper = _better(self.mirrored, self.upper, turned, accuracy, self.limit)

    def _gap(self) -> Fraction:
        """The width of the widest interval so far."""
        pairs = zip(self.lower.values, self.upper.values, strict=True)
        return max((-high - low for low, high in pairs), default=Fraction(0))

    def _result(self) -> Bounds:
        return Bounds(
            lower=tuple(self.lower.values),
            upper=tuple(-value for value in self.upper.values),
            player1=_plan(self.network, self.lower),
            player2=_plan(self.mirrored, self.upper),
            ranks1=tuple(self.lower.ranks),
            ranks2=tuple(self.upper.ranks),
            limited=self.limit.reached and bool(self._gap()),
        )


def _context(digits: int) -> Context:
    """A precision at which moves still differ when a step stops with probability 10**-digits."""
    return Context(prec=3 * digits + 20)


def _noise(digits: int) -> Decimal:
    return Decimal(10) ** (-3 * digits)


def _fraction(value: Decimal, digits: int) -> Fraction:
    """A simple fraction if one is close; otherwise one with a denominator of almost all digits."""
    exact = Fraction(value)
    simple = exact.limit_denominator(10 ** (digits // 2 - 5))
    if abs(exact - simple) < Fraction(1, 10 ** (digits - 6)):
        return simple
    return exact.limit_denominator(10 ** (digits - 8))


def _better(
    network: Network,
    old: Guarantee,
    guess: Guess[Real],
    accuracy: Precision[Real],
    limit: WorkLimit,
) -> Guarantee:
    """The guarantee of the guessed play, raised to the old guarantee where that is higher."""
    new = guarantee_of(network, guess, accuracy, limit)
    if new is None:
        return old
    return raised(network, new, old.values, accuracy.noise, limit) or old


def _plan(network: Network, guarantee: Guarantee) -> StationaryPlan:
    plan: list[int | tuple[Fraction, ...] | None] = []
    for node, kind in enumerate(network.kinds):
        if kind is Kind.ONE:
            plan.append(guarantee.moves[node])
        else:
            plan.append(guarantee.mixtures[node] or None)
    return tuple(plan)
