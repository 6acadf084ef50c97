"""The value of player 1's play against player 2's best reply: a proved lower bound.

Against fixed play, player 2 faces a Markov decision process. In each of its end components player 2
can keep play going for ever or leave from any of its states, so the component is merged into one
state. In the resulting process every policy ends. Policy iteration with a small cost per step then
leaves some slack in each inequality, so values can be rounded to a grid and still hold exactly.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Generic

from lineduel.solve.stochastic.end_components import end_components
from lineduel.solve.stochastic.guarantee import ClashMixture, Guarantee
from lineduel.solve.stochastic.network import Kind, Network, Parts
from lineduel.solve.stochastic.proof_chain import Chain, Law, Real, WorkLimit
from lineduel.solve.stochastic.stopped import Guess

_MOST_ROUNDS = 60
MOST_ATTEMPTS = 20
_SIMPLE = 10_000
"""Probabilities with denominators up to this are tried before binary fractions."""

STAY = -1
"""The reply that keeps play going for ever."""

Weights = tuple[tuple[int, int], ...]
"""Targets with integer weights."""


@dataclass(frozen=True, slots=True)
class Precision(Generic[Real]):
    """The accuracy to work with."""

    noise: Real
    """The rounding error that sums of this number type may have."""
    aim: Real
    """The most that rounding should take off a value, if possible."""
    least: Real | None = None
    """Smaller probabilities are left out of mixtures."""


def guarantee_of(
    network: Network, guess: Guess[Real], accuracy: Precision[Real], limit: WorkLimit
) -> Guarantee | None:
    """The values that player 1's guessed play guarantees, with ranks 0; None if none are found."""
    mixtures = [
        rational_mixture(len(form.pattern), guess.rows[node], accuracy) if form else ()
        for node, form in enumerate(network.forms)
    ]
    replies = _replies(network, guess.moves, mixtures)
    process = _Process(network, replies, guess, accuracy, limit)
    values = process.values()
    if values is None:
        return None
    return Guarantee(values, list(guess.moves), mixtures, [0] * len(network))


def rational_mixture(height: int, parts: Parts[Real], accuracy: Precision[Real]) -> ClashMixture:
    """The mixture in exact fractions; only parts no larger than the threshold are dropped."""
    least = accuracy.noise if accuracy.least is None else accuracy.least
    exact = {choice: Fraction(part) for choice, part in parts if part > least}
    room = Fraction(accuracy.aim) * min(exact.values()) / 1024
    found = {choice: part.limit_denominator(_SIMPLE) for choice, part in exact.items()}
    close = all(abs(exact[choice] - part) <= room for choice, part in found.items())
    if not close or sum(found.values()) != 1:
        scale = _finer(room)
        whole = {choice: round(part * scale) for choice, part in exact.items()}
        likeliest = max(whole, key=whole.__getitem__)
        whole[likeliest] += scale - sum(whole.values())
        found = {choice: Fraction(part, scale) for choice, part in whole.items()}
    return tuple(found.get(choice, Fraction(0)) for choice in range(height))


def _replies(
    network: Network, moves: list[int], mixtures: list[ClashMixture]
) -> list[list[Weights]]:
    """Player 2's choices at each node when player 1's play is fixed."""
    replies: list[list[Weights]] = []
    for node, kind in enumerate(network.kinds):
        after = network.after[node]
        match kind:
            case Kind.ENDED:
                replies.append([])
            case Kind.ONE:
                replies.append([((after[moves[node]], 1),)])
            case Kind.TWO:
                replies.append([((target, 1),) for target in dict.fromkeys(after)])
            case Kind.BOTH:
                mixture = mixtures[node]
                scale = lcm(*(part.denominator for part in mixture))
                whole = [part.numerator * (scale // part.denominator) for part in mixture]
                columns: dict[Weights, None] = {}
                for column in zip(*network.form(node).pattern, strict=True):
                    weights: dict[int, int] = {}
                    for outcome, weight in zip(column, whole, strict=True):
                        if weight:
                            weights[after[outcome]] = weights.get(after[outcome], 0) + weight
                    columns[tuple(sorted(weights.items()))] = None
                replies.append(list(columns))
    return replies


class _Process(Generic[Real]):
    """Player 2's Markov decision process, with each end component merged into one state."""

    def __init__(
        self,
        network: Network,
        replies: list[list[Weights]],
        guess: Guess[Real],
        accuracy: Precision[Real],
        limit: WorkLimit,
    ) -> None:
        self.network, self.replies, self.limit = network, replies, limit
        self.outcomes = sum(len(reply) for choices in replies for reply in choices)
        self.accuracy: Precision[Real] = accuracy
        self.zero: Real = accuracy.noise - accuracy.noise
        self.one: Real = self.zero + 1
        self.state = list(range(len(network)))
        self.lingering: set[int] = set()  # states where player 2 can keep play going
        for component in end_components(
            [[[target for target, _ in reply] for reply in choices] for choices in replies]
        ):
            self.lingering.add(component[0])
            for node in component:
                self.state[node] = component[0]
        self.known: dict[int, Real] = {
            node: self.zero + network.payoffs[node]
            for node, kind in enumerate(network.kinds)
            if kind is Kind.ENDED
        }
        self.choices: list[list[int | Law[Real]]] = [[] for _ in replies]
        for node, choices in enumerate(replies):
            state = self.state[node]
            for reply in choices:
                law = self._law(reply)
                if law != state:
                    self.choices[state].append(law)
        self.deciding = [
            state
            for state in range(len(replies))
            if self.state[state] == state and state not in self.known
        ]
        self.policy = [0] * len(replies)
        for state in self.deciding:
            self._decide(state, guess.values, self.zero, self.zero)

    def _law(self, reply: Weights) -> int | Law[Real]:
        chances: dict[int, int] = {}
        for target, weight in reply:
            state = self.state[target]
            chances[state] = chances.get(state, 0) + weight
        if len(chances) == 1:
            return next(iter(chances))
        scale = self.one * sum(chances.values())
        return [(state, self.one * weight / scale) for state, weight in chances.items()]

    def values(self) -> list[Fraction] | None:
        """Lower bounds on a grid, checked exactly against every reply; None if the check fails."""
        finest = self.accuracy.noise * 64
        cost = max(finest, self.accuracy.aim)
        for _ in range(MOST_ATTEMPTS):
            values = self._best(cost)
            if cost > finest and cost * self._longest() > self.accuracy.aim * 4:
                cost = max(finest, self.accuracy.aim / self._longest())
                continue
            unit = _finer(Fraction(cost) / 4)
            whole = [self._whole(values[state], unit) for state in self.state]
            self.limit.count(2 * self.outcomes, self.zero)
            if self._holds(whole):
                return [Fraction(value, unit) for value in whole]
            finest = cost = cost * 256
        return None

    def _longest(self) -> Real:
        """The largest expected number of steps from any state under the policy."""
        steps = self._evaluate(-self.one, free=True)
        return max((steps[state] for state in self.deciding), default=self.one)

    def _whole(self, value: Real, unit: int) -> int:
        exact = Fraction(value) * unit
        return exact.numerator // exact.denominator

    def _best(self, cost: Real) -> list[Real]:
        """Find player 2's best policy if each step has a cost; returns the expected values."""
        for _ in range(_MOST_ROUNDS):
            values = self._evaluate(cost)
            self.limit.count(self.outcomes, self.zero)
            changes = [self._decide(state, values, cost, cost / 4) for state in self.deciding]
            if not any(changes):
                break
        return values

    def _decide(self, state: int, values: list[Real], cost: Real, margin: Real) -> bool:
        """Switch to the best reply if it gains more than `margin`; returns whether it did."""
        options: dict[int, Real] = {STAY: self.zero} if state in self.lingering else {}
        for number, law in enumerate(self.choices[state]):
            if isinstance(law, int):
                options[number] = values[law] - cost
            else:
                expected = -cost
                for target, chance in law:
                    expected += chance * values[target]
                options[number] = expected
        choice = min(options, key=options.__getitem__)
        if choice == self.policy[state] or (margin and options[choice] >= values[state] - margin):
            return False
        self.policy[state] = choice
        return True

    def _evaluate(self, cost: Real, free: bool = False) -> list[Real]:
        """The expected values under the policy; with `free`, only the cost counts."""
        following: list[int | Law[Real]] = list(range(len(self.policy)))
        known: list[Real | None] = [self.zero] * len(self.policy)
        for state, payoff in self.known.items():
            known[state] = self.zero if free else payoff
        for state in self.deciding:
            if self.policy[state] != STAY:
                following[state] = self.choices[state][self.policy[state]]
                known[state] = None
        return Chain(following, known, self.zero, cost).values(self.limit)

    def _holds(self, values: list[int]) -> bool:
        for node, choices in enumerate(self.replies):
            mine = values[node]
            for reply in choices:
                if len(reply) == 1:
                    if values[reply[0][0]] < mine:
                        return False
                elif sum(weight * (values[target] - mine) for target, weight in reply) < 0:
                    return False
        return True


def _finer(room: Fraction) -> int:
    """A power of 2 whose reciprocal is less than `room`."""
    return 1 << (room.denominator // room.numerator).bit_length()
