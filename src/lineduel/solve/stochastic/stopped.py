"""The stopped game: each step ends play with a small probability, which pays 0.

Stopping makes value iteration a contraction and gives progress a value. As the probability goes to
0, the value converges to that of the game itself (Everett; Mertens and Neyman). The results of this
module are good guesses, not proofs.
"""

from dataclasses import dataclass
from decimal import Decimal
from math import sqrt
from typing import Generic

from lineduel.solve.stochastic.network import Kind, Network, Parts
from lineduel.solve.stochastic.proof_chain import Chain, Law, Real, WorkLimit

SWEEPS = 12
_MOST_ROUNDS = 200
MOST_REPLIES = 200
MOST_DISAPPOINTMENTS = 6
"""Number of rounds that may fail to improve before another method is tried."""

MOST_STOPPED, LEAST_STOPPED = 0.1, 1e-9
"""The probability that a step stops play, when computing in floats: at first and at the end."""
FLOAT_NOISE = 1e-14
SMALLEST_STEP = 0.7
"""If multiplying that probability by this factor or more fails, no smaller change is tried."""
FEW_ROUNDS = 4
"""If a solution took at most this many rounds, the next step may be larger."""


@dataclass(slots=True)
class Guess(Generic[Real]):
    """Guessed play of both sides, and guessed values of all nodes."""

    moves: list[int]
    """At a choice, the index of the move."""
    rows: list[Parts[Real]]
    """At a clash, player 1's mixture."""
    columns: list[Parts[Real]]
    """At a clash, player 2's mixture."""
    values: list[Real]

    def copy(self) -> "Guess[Real]":
        return Guess(list(self.moves), list(self.rows), list(self.columns), list(self.values))


class Stopped(Generic[Real]):
    """A network in which each step stops play with probability `stop`."""

    def __init__(self, network: Network, stop: Real, noise: Real, limit: WorkLimit) -> None:
        self.network, self.limit = network, limit
        self.stop: Real = stop
        self.noise: Real = noise  # smaller differences are ignored
        self.one: Real = stop.__class__(1)
        self.zero: Real = self.one - self.one
        self.going: Real = self.one - stop
        self.enough: Real = max(noise * 10, stop * stop / 1000)
        self.deciding = [node for node in network.backward if network.kinds[node] is not Kind.ENDED]
        self.outcomes = sum(network.outcomes(node) for node in self.deciding)

    def first_guess(self) -> Guess[Real]:
        """A guess from a few rounds of value iteration, from the ended nodes backward."""
        network = self.network
        size = len(network)
        values = [self.zero + payoff for payoff in network.payoffs]
        guess = Guess([0] * size, [()] * size, [()] * size, values)
        for _ in range(SWEEPS):
            if self._improve(guess, in_place=True) <= self.enough or self.limit.spent():
                break
        return guess

    def refine(self, guess: Guess[Real]) -> None:
        """Improve the guess by Hoffman and Karp's method: slow, but it always converges."""
        for _ in range(_MOST_ROUNDS):
            self._reply(guess)
            if self._improve(guess) <= self.enough or self.limit.spent():
                return

    def leap(self, guess: Guess[Real]) -> int | None:
        """Improve the guess by Pollatschek and Avi-Itzhak's method: fast if it converges.

        It is a form of Newton's method. Returns the number of rounds, or None if it did not
        converge.
        """
        least: Real | None = None
        disappointments = 0
        for done in range(_MOST_ROUNDS):
            guess.values = self.evaluate(guess)
            residual = self._improve(guess)
            if residual <= self.enough:
                return done + 1
            if least is None or residual < least * 9 / 10:
                least = residual
            else:
                disappointments += 1
            if disappointments > MOST_DISAPPOINTMENTS or self.limit.spent():
                break
        return None

    def evaluate(self, guess: Guess[Real]) -> list[Real]:
        """The value of each node if both sides play as guessed."""
        network = self.network
        following: list[int | Law[Real]] = []
        known: list[Real | None] = []
        for node, kind in enumerate(network.kinds):
            known.append(self.zero + network.payoffs[node] if kind is Kind.ENDED else None)
            if kind is Kind.ENDED:
                following.append(node)
            elif kind is Kind.BOTH:
                following.append(self._law(guess, node))
            else:
                following.append(network.after[node][guess.moves[node]])
        self.limit.count(2 * len(network))
        return Chain(following, known, self.stop, self.zero).values(self.limit)

    def _law(self, guess: Guess[Real], node: int) -> int | Law[Real]:
        after, pattern = self.network.after[node], self.network.form(node).pattern
        rows, columns = guess.rows[node], guess.columns[node]
        if len(rows) == len(columns) == 1:
            return after[pattern[rows[0][0]][columns[0][0]]]
        self.limit.count(len(rows) * len(columns), self.zero)
        chances: dict[int, Real] = {}
        for a, p in rows:
            line = pattern[a]
            for b, q in columns:
                target = after[line[b]]
                chances[target] = chances.get(target, self.zero) + p * q
        return next(iter(chances)) if len(chances) == 1 else list(chances.items())

    def _improve(self, guess: Guess[Real], in_place: bool = False) -> Real:
        """Update both sides to play best for the values; returns the largest change of a value."""
        network, values, going = self.network, guess.values, self.going
        kinds, successors, moves = network.kinds, network.after, guess.moves
        largest = self.zero
        self.limit.count(self.outcomes, self.zero)
        for node in self.deciding:
            after, kind = successors[node], kinds[node]
            if kind is Kind.BOTH:
                settled = network.form(node).settle([values[target] for target in after])
                guess.rows[node], guess.columns[node] = settled.rows, settled.columns
                value = settled.value
            else:
                value = values[after[moves[node]]]
                if len(after) > 1:
                    options = [values[target] for target in after]
                    best = max(options) if kind is Kind.ONE else min(options)
                    if best != value and (in_place or abs(best - value) > self.noise):
                        moves[node] = options.index(best)
                        value = best
            value = value * going
            change = abs(value - values[node])
            if change > largest:
                largest = change
            if in_place:
                values[node] = value
        return largest

    def _reply(self, guess: Guess[Real]) -> None:
        """Set player 2's play to the best reply to player 1's, by policy iteration."""
        network = self.network
        for _ in range(MOST_REPLIES):
            values = guess.values = self.evaluate(guess)
            self.limit.count(self.outcomes, self.zero)
            changed = False
            for node in self.deciding:
                after, kind = network.after[node], network.kinds[node]
                if kind is Kind.TWO:
                    options = [values[target] for target in after]
                    best = min(options)
                    if options[guess.moves[node]] - best > self.noise:
                        guess.moves[node], changed = options.index(best), True
                elif kind is Kind.BOTH:
                    pattern = network.form(node).pattern
                    expected = [
                        sum(
                            (p * values[after[pattern[a][b]]] for a, p in guess.rows[node]),
                            self.zero,
                        )
                        for b in range(len(pattern[0]))
                    ]
                    now = sum((q * expected[b] for b, q in guess.columns[node]), self.zero)
                    best = min(expected)
                    if now - best > self.noise:
                        guess.columns[node] = ((expected.index(best), self.one),)
                        changed = True
            if not changed or self.limit.spent():
                return


def approach(network: Network, limit: WorkLimit) -> Guess[float]:
    """A guess in floats, found by lowering the probability of stopping step by step."""
    first = Stopped(network, MOST_STOPPED, FLOAT_NOISE, limit)
    guess = first.first_guess()
    if first.leap(guess) is None:
        first.refine(guess)
    return descend(network, guess, MOST_STOPPED, LEAST_STOPPED, FLOAT_NOISE, limit)


def descend(
    network: Network, guess: Guess[Real], stop: Real, target: Real, noise: Real, limit: WorkLimit
) -> Guess[Real]:
    """A guess for the game that stops with probability `target`, given one for `stop`.

    Each solution is the starting point for the next. Steps get larger as long as this works well.
    """
    factor = target / stop
    while stop > target and not limit.spent():
        # Below the square of the old probability, neglected terms would look like progress.
        wanted = max(stop * factor, stop * stop, target)
        stopped, trial = Stopped(network, wanted, noise, limit), guess.copy()
        rounds = stopped.leap(trial)
        factor = wanted / stop
        if rounds is None and factor < SMALLEST_STEP:
            factor = _root(factor)
            continue
        if rounds is None:
            trial = guess.copy()
            stopped.refine(trial)
        elif rounds <= FEW_ROUNDS:
            factor *= factor
        if not limit.spent():
            guess, stop = trial, wanted
    return guess


def _root(number: Real) -> Real:
    return number.sqrt() if isinstance(number, Decimal) else sqrt(number)


def in_decimals(guess: Guess[float]) -> Guess[Decimal]:
    """The same guess in decimals, which can have any precision."""
    return Guess(
        list(guess.moves),
        [_decimal_parts(parts) for parts in guess.rows],
        [_decimal_parts(parts) for parts in guess.columns],
        [Decimal(value) for value in guess.values],
    )


def _decimal_parts(parts: Parts[float]) -> Parts[Decimal]:
    total = sum((Decimal(part) for _, part in parts), Decimal(0))
    return tuple((choice, Decimal(part) / total) for choice, part in parts)
