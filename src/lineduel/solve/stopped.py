"""The stopped game: each step ends play with a small probability, which pays 0.

Stopping makes value iteration a contraction and progress worth something, and as the probability
goes to 0 the value goes to that of the game itself (Everett; Mertens and Neyman). What is found
here is a good guess and proves nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic

from lineduel.solve.chain import Chain, Law, Real
from lineduel.solve.network import Kind, Network, Parts

Late = Callable[[], bool]
"""Whether it is time to come to an end."""

SWEEPS = 12
MOST_ROUNDS = 200
MOST_REPLIES = 200
MOST_DISAPPOINTMENTS = 6
"""How often an improvement may not improve anything before another method is tried."""

MOST_STOPPED, LEAST_STOPPED = 0.1, 1e-9
"""How likely a step of play stops, at first and in the end."""
FIRST_FACTOR, LEAST_FACTOR, MOST_FACTOR = 0.1, 1e-3, 0.7
TOLERANCE = 1e-13
FEW_ROUNDS = 4
COARSE = 1e-4
"""How exactly to solve games on the way, in terms of that probability."""


@dataclass(slots=True)
class Guess(Generic[Real]):
    """How both sides might play, and what each node might be worth."""

    moves: list[int]
    """At a choice, the number of the move."""
    rows: list[Parts[Real]]
    """At a clash, player 1's mixture."""
    columns: list[Parts[Real]]
    """At a clash, player 2's mixture."""
    values: list[Real]

    def copy(self) -> "Guess[Real]":
        return Guess(list(self.moves), list(self.rows), list(self.columns), list(self.values))


class Stopped(Generic[Real]):
    """A network that stops with probability `stop` at every step."""

    def __init__(self, network: Network, stop: Real, tolerance: Real, late: Late) -> None:
        self.network, self.late = network, late
        self.stop: Real = stop
        self.tolerance: Real = tolerance
        self.one: Real = stop.__class__(1)
        self.zero: Real = self.one - self.one
        self.going: Real = self.one - stop
        self.deciding = [node for node in network.backward if network.kinds[node] is not Kind.ENDED]

    def first_guess(self) -> Guess[Real]:
        """Some rounds of value iteration, from the ended nodes backward."""
        network = self.network
        size = len(network)
        values = [self.zero + payoff for payoff in network.payoffs]
        guess = Guess([0] * size, [()] * size, [()] * size, values)
        for _ in range(SWEEPS):
            if self._improve(guess, in_place=True) <= self.tolerance or self.late():
                break
        return guess

    def refine(self, guess: Guess[Real]) -> None:
        """Improve both sides at once while that helps, else one after the other."""
        if self.leap(guess) is not None:
            return
        for _ in range(MOST_ROUNDS):  # Hoffman and Karp: slow, but sure to get there
            self._reply(guess)
            if self._improve(guess) <= self.tolerance or self.late():
                return

    def leap(self, guess: Guess[Real]) -> int | None:
        """Pollatschek and Avi-Itzhak's method, which is Newton's: quick where it gets there.

        The number of rounds, or None where it did not.
        """
        least: Real | None = None
        disappointments = 0
        for done in range(MOST_ROUNDS):
            guess.values = self.evaluate(guess)
            residual = self._improve(guess)
            if residual <= self.tolerance:
                return done + 1
            if least is None or residual < least * 9 / 10:
                least = residual
            else:
                disappointments += 1
            if disappointments > MOST_DISAPPOINTMENTS or self.late():
                break
        return None

    def evaluate(self, guess: Guess[Real]) -> list[Real]:
        """What each node is worth when both play as guessed."""
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
        return Chain(following, known, self.stop, self.zero).values()

    def _law(self, guess: Guess[Real], node: int) -> int | Law[Real]:
        after, pattern = self.network.after[node], self.network.form(node).pattern
        rows, columns = guess.rows[node], guess.columns[node]
        if len(rows) == len(columns) == 1:
            return after[pattern[rows[0][0]][columns[0][0]]]
        chances: dict[int, Real] = {}
        for a, p in rows:
            line = pattern[a]
            for b, q in columns:
                target = after[line[b]]
                chances[target] = chances.get(target, self.zero) + p * q
        return next(iter(chances)) if len(chances) == 1 else list(chances.items())

    def _improve(self, guess: Guess[Real], in_place: bool = False) -> Real:
        """Let both sides play best against the values; the largest change of a value."""
        network, values, going = self.network, guess.values, self.going
        kinds, successors, moves = network.kinds, network.after, guess.moves
        largest = self.zero
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
                    if best != value and (in_place or abs(best - value) > self.tolerance):
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
        """Player 2's best reply to player 1's play, by policy iteration."""
        network = self.network
        for _ in range(MOST_REPLIES):
            values = guess.values = self.evaluate(guess)
            changed = False
            for node in self.deciding:
                after, kind = network.after[node], network.kinds[node]
                if kind is Kind.TWO:
                    options = [values[target] for target in after]
                    best = min(options)
                    if options[guess.moves[node]] - best > self.tolerance:
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
                    if now - best > self.tolerance:
                        guess.columns[node] = ((expected.index(best), self.one),)
                        changed = True
            if not changed or self.late():
                return


def approach(network: Network, late: Late) -> Guess[float]:
    """A guess in floats: play that often stops is easily solved, and then stops less and less.

    Each solution is a start for the next. The better that works, the larger the steps become.
    """
    stop, factor = MOST_STOPPED, FIRST_FACTOR
    first = Stopped(network, stop, TOLERANCE, late)
    guess = first.first_guess()
    first.refine(guess)
    while stop > LEAST_STOPPED and not late():
        wanted = max(stop * factor, LEAST_STOPPED)
        tolerance = max(TOLERANCE, wanted * COARSE) if wanted > LEAST_STOPPED else TOLERANCE
        stopped, trial = Stopped(network, wanted, tolerance, late), guess.copy()
        rounds = stopped.leap(trial)
        if rounds is not None:
            if rounds <= FEW_ROUNDS:
                factor = max(factor**2, LEAST_FACTOR)
        elif factor < MOST_FACTOR:
            factor **= 0.5
            continue
        elif not late():
            stopped.refine(trial)
        if not late():
            guess, stop = trial, wanted
    return guess


def in_decimals(guess: Guess[float]) -> Guess[Decimal]:
    """The same guess in numbers that can have any precision."""
    return Guess(
        list(guess.moves),
        [_decimal_parts(parts) for parts in guess.rows],
        [_decimal_parts(parts) for parts in guess.columns],
        [Decimal(value) for value in guess.values],
    )


def _decimal_parts(parts: Parts[float]) -> Parts[Decimal]:
    total = sum((Decimal(part) for _, part in parts), Decimal(0))
    return tuple((choice, Decimal(part) / total) for choice, part in parts)
