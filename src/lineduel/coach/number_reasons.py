"""Why a number of a battle is good or bad, as facts that the solution proves."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from lineduel.engine import Numbers, Position
from lineduel.facts import Fact
from lineduel.rules import Side
from lineduel.solve import Solution, Value, keeping_numbers

MOST_NUMBERS = 3
"""How many numbers of a mixture are explained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaten(Fact):
    """The best answer to a number that is a mistake, and what that leads to."""

    side: Side
    number: int
    answer: int
    winner: Side | None
    """Who wins the battle then; None for a tie."""
    after: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictable(Fact):
    """What a good number costs if the other side knows that it comes."""

    side: Side
    number: int
    answer: int
    price: Fraction
    """What the battle is worth, less what the number is worth against the best answer."""


class MixedNumber(NamedTuple):
    """A number of a mixture."""

    number: int
    chance: Fraction
    beaten_by: tuple[int, ...]
    """The best answers to it; none if it is worth the battle's value against every number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMixture(Fact):
    """The numbers of optimal play that matter most, and what each is beaten by."""

    side: Side
    numbers: tuple[MixedNumber, ...]
    """The likeliest, at most three, in order."""
    others: int
    """How many more there are."""


NumberReason = Beaten | Predictable
"""Why a number is a mistake, or what it costs to be predictable."""


def number_reasons(
    solution: Solution, position: Position, side: Side, number: int
) -> tuple[NumberReason, ...]:
    """Why a number is a mistake, or what it costs to be predictable; nothing for any other.

    Nothing either where values are only estimated.
    """
    if solution.counted == "estimated":
        return ()
    worth = _worth(solution, position, side, number)
    answer = min(worth, key=lambda other: (worth[other], other))
    if number not in keeping_numbers(solution, position, side):
        pair = _pair(side, number, answer)
        battle = solution.game.rules.battle
        assert battle is not None
        return (
            Beaten(
                side=side,
                number=number,
                answer=answer,
                winner=battle.winner(*pair),
                after=solution.value(solution.game.play(position, pair)),
            ),
        )
    price = solution.value(position).expected(side) - worth[answer]
    if price > 0 and solution.mixture(position, side)[number]:
        return (Predictable(side=side, number=number, answer=answer, price=price),)
    return ()


def mixture_reason(solution: Solution, position: Position, side: Side) -> NumberMixture | None:
    """The numbers that matter in a battle; None where values are only estimated."""
    if solution.counted == "estimated":
        return None
    value = solution.value(position).expected(side)
    chances = {one: chance for one, chance in solution.mixture(position, side).items() if chance}
    likeliest = sorted(chances, key=lambda one: (-chances[one], one))[:MOST_NUMBERS]
    numbers = []
    for number in sorted(likeliest):
        worth = _worth(solution, position, side, number)
        least = min(worth.values())
        best = tuple(one for one in worth if worth[one] == least) if least < value else ()
        numbers.append(MixedNumber(number, chances[number], best))
    return NumberMixture(side=side, numbers=tuple(numbers), others=len(chances) - len(numbers))


def _worth(solution: Solution, position: Position, side: Side, number: int) -> dict[int, Fraction]:
    """What a number is worth to its side against each number of the other."""
    return {
        other: solution.value(solution.game.play(position, _pair(side, number, other))).expected(
            side
        )
        for other in solution.game.hand(position, side.other)
    }


def _pair(side: Side, own: int, other: int) -> Numbers:
    return Numbers(own, other) if side is Side.ONE else Numbers(other, own)
