"""The claims of an author, decided from the figures of a rulebook."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from lineduel.lab.figures import Equals, Figures
from lineduel.lab.usage import Usage
from lineduel.quantities import counted, percent, signed_worth
from lineduel.rules import Claim, Property, Rules, Side
from lineduel.solve import Endless, as_sentence

QUICK = 20
"""How many times the shortest possible game a quick one takes at most, on average."""
SELDOM = 0.01
"""The chance of endless play that makes a game anything but quick."""
CONSISTENTLY = 0.9
"""What a skilled player scores against an unskilled one to win consistently, from either seat."""
EVEN = 0.1
"""The largest advantage of a seat that still counts as neither seat favoured."""
MATTERING = 0.1
"""The share of decisions that matter where choices matter."""
_SHOWN = 0.05
"""What is less is not counted in sentences."""
ROUNDING = 1e-9
"""What computed figures may be off by."""


class Verdict(StrEnum):
    """What came of a claim."""

    PROVED = "proved"
    IN_PART = "holds in part"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, and why."""

    verdict: Verdict
    why: str


GENERAL = {
    Property.ALWAYS_ENDS: "Play always ends.",
    Property.NO_DRAW: "Somebody wins: there is no draw.",
    Property.ENDS_QUICKLY: "A game is quick.",
    Property.SKILL_WINS: "Skill beats no skill, from either seat.",
    Property.FAIR_SEATS: "Neither seat is favoured.",
    Property.RULES_MATTER: "Every rule of the rulebook matters.",
    Property.CHOICES_MATTER: "Choices matter.",
    Property.NO_BEST_NUMBER: "No number is always best in a battle.",
}
"""What every rulebook might promise."""


def claims_of(rules: Rules, claims: Sequence[Claim], everything: bool = False) -> tuple[Claim, ...]:
    """The author's claims; without any, or if everything is asked, the general ones as well."""
    if claims and not everything:
        return tuple(claims)
    made = {claim.property for claim in claims}
    return (*claims, *(one for one in general_claims(rules) if one.property not in made))


def general_claims(rules: Rules) -> tuple[Claim, ...]:
    """What any rulebook of this kind might promise."""
    return tuple(
        Claim(says, about)
        for about, says in GENERAL.items()
        if about is not Property.NO_BEST_NUMBER or rules.battle is not None
    )


def rule(about: Property, figures: Figures, words: Callable[[], Sequence[Usage]]) -> Ruling:
    """Decide a property; `words` is asked only where the use of words is in question."""
    match about:
        case Property.ALWAYS_ENDS:
            return _always_ends(figures)
        case Property.NO_DRAW:
            return _no_draw(figures)
        case Property.ENDS_QUICKLY:
            return _ends_quickly(figures)
        case Property.SKILL_WINS:
            return _skill_wins(figures)
        case Property.FAIR_SEATS:
            return _fair_seats(figures)
        case Property.RULES_MATTER:
            return _rules_matter(words())
        case Property.CHOICES_MATTER:
            return _choices_matter(figures)
        case Property.NO_BEST_NUMBER:
            return _no_best_number(figures)
        case _:
            assert_never(about)


def _always_ends(figures: Figures) -> Ruling:
    if figures.longest_game is not None:
        return Ruling(
            Verdict.PROVED,
            f"No position can come back: every game ends within {figures.longest_game} turns, "
            "however it is played.",
        )
    if not figures.best_can_end:
        return Ruling(Verdict.REFUTED, _best_never_ends(figures))
    return Ruling(
        Verdict.IN_PART,
        f"Positions can come back, so two players who want to can go on for ever. "
        f"{_ends_between(figures)}",
    )


def _no_draw(figures: Figures) -> Ruling:
    if figures.longest_game is not None:
        return Ruling(
            Verdict.PROVED,
            f"Every game ends within {figures.longest_game} turns, and an end is always a win.",
        )
    if not figures.best_can_end:
        return Ruling(
            Verdict.REFUTED, f"{_best_never_ends(figures)} That is a draw in all but name."
        )
    sound = figures.value.endless is Endless.NEVER and figures.pairs_endless == 0
    return Ruling(
        Verdict.PROVED if sound else Verdict.IN_PART,
        f"{_ends_between(figures)} An end is always a win.",
    )


def _best_never_ends(figures: Figures) -> str:
    if figures.value.never_ends:
        return "With best play nobody can force a win, and the game never ends."
    return (
        "Whichever best play both choose, some games never end: "
        f"{percent(figures.best.endless)} of those between two perfect players."
    )


def _ends_between(figures: Figures) -> str:
    """Whether play ends with best play, and between the levels."""
    if figures.value.endless is Endless.NEVER:
        best = "With best play the game ends with probability 1"
    else:
        best = "Best play of both can go on for ever without giving anything away"
    if figures.pairs_endless == 0:
        return f"{best}; between all the levels it ends with probability 1."
    return (
        f"{best}; between some levels up to {percent(figures.pairs_endless)} of the games "
        "never end."
    )


def _ends_quickly(figures: Figures) -> Ruling:
    shortest = figures.shortest_game
    if shortest is None:
        return Ruling(Verdict.REFUTED, "No game can ever end.")
    most = QUICK * shortest
    worst = max(figures.equals, key=lambda one: (one.endless, one.length))
    why = (
        f"The shortest possible game takes {counted(shortest, 'turn')}, so “quick” means "
        f"at most {most} turns on average. The slowest are two {players_named(worst.player)}: "
        f"{_duration(worst)}."
    )
    if worst.endless >= SELDOM:
        return Ruling(Verdict.REFUTED, why)
    slow = [one for one in figures.equals if one.endless > 0 or one.length > most + ROUNDING]
    if not slow:
        return Ruling(Verdict.PROVED, why)
    half = len(slow) * 2 > len(figures.equals)
    return Ruling(Verdict.REFUTED if half else Verdict.IN_PART, why)


def _duration(one: Equals) -> str:
    """How long a game between equals takes."""
    if one.plies is None:
        return "their games never end"
    length = f"{one.plies:.0f} turns on average"
    if one.endless == 0:
        return length
    return f"{percent(one.endless)} of their games never end, and the others take {length}"


def players_named(player: str) -> str:
    """Players of one kind: `players of level 3`, `perfect players`."""
    level = player.removeprefix("level:")
    return f"{player} players" if level == player else f"players of level {level}"


def _skill_wins(figures: Figures) -> Ruling:
    skill = figures.skill
    why = (
        f"The best player scores {percent(skill.as_player1)} against a random one as player 1, "
        f"{percent(skill.as_player2)} as player 2."
    )
    failing, losing = (skill.seats_below(one - ROUNDING) for one in (CONSISTENTLY, 0.5))
    if not failing:
        return Ruling(Verdict.PROVED, why)
    wavering = [seat for seat in failing if seat not in losing]
    if losing:
        why += f" {_in_seats(losing)} skill loses to chance more often than it wins."
    if wavering:
        why += f" {_in_seats(wavering)} skill does not win consistently."
    return Ruling(Verdict.REFUTED if losing else Verdict.IN_PART, why)


def _in_seats(seats: Sequence[Side]) -> str:
    if len(seats) == len(Side):
        return "In both seats"
    return f"In the {'first' if seats[0] is Side.ONE else 'second'} seat"


def _fair_seats(figures: Figures) -> Ruling:
    value = figures.value
    middle = float(value.low + value.high) / 2
    most = max(abs(float(value.low)), abs(float(value.high)))
    uneven = [one for one in figures.equals if abs(one.seat) > EVEN + ROUNDING]
    worst = max(figures.equals, key=lambda one: abs(one.seat))
    seat = "player 1's seat is worth"
    why = f"Between two {players_named(worst.player)} {seat} {signed_worth(worst.seat)}."
    seats = f"{seat} {signed_worth(middle)}" if middle else "both seats are worth the same"
    if value.winner is not None:
        return Ruling(Verdict.REFUTED, f"{as_sentence(value)} {why}")
    if most <= EVEN + ROUNDING and not uneven:
        return Ruling(
            Verdict.PROVED,
            f"With best play {seats}; between equals at no level does one seat gain more than "
            f"{abs(worst.seat):.2f}.",
        )
    return Ruling(
        Verdict.IN_PART if most <= EVEN + ROUNDING else Verdict.REFUTED,
        f"With best play {seats}. {why}",
    )


def _rules_matter(words: Sequence[Usage]) -> Ruling:
    unused = [one.word.value for one in words if not one.positions]
    unneeded = [one.word.value for one in words if one.positions and not one.in_best_play]
    if unused:
        return Ruling(
            Verdict.REFUTED, f"Never used in a position that can come up: {'; '.join(unused)}."
        )
    if unneeded:
        return Ruling(Verdict.IN_PART, f"Possible, but never in best play: {'; '.join(unneeded)}.")
    return Ruling(Verdict.PROVED, "Every rule matters somewhere, in best play too.")


def _choices_matter(figures: Figures) -> Ruling:
    often = "hardly ever has one of those"
    if figures.turning_points >= _SHOWN:
        often = f"has {figures.turning_points:.1f} of those on average"
    why = (
        f"{percent(figures.decisions)} of the decisions can change the result; "
        f"a game between two players of level 4 {often}."
    )
    if figures.decisions == 0:
        return Ruling(Verdict.REFUTED, "No decision can change the result.")
    if figures.decisions >= MATTERING - ROUNDING and figures.turning_points >= 1 - ROUNDING:
        return Ruling(Verdict.PROVED, why)
    return Ruling(Verdict.IN_PART, why)


def _no_best_number(figures: Figures) -> Ruling:
    battles = figures.battles
    if battles is None or battles.total == 0:
        return Ruling(Verdict.REFUTED, "There is never a battle.")
    if battles.always_best is not None:
        return Ruling(
            Verdict.REFUTED,
            f"Choosing {battles.always_best} is best for both in each of the "
            f"{battles.total} battles.",
        )
    why = (
        f"In {battles.mixed} of {battles.total} battles no single number is best, for either side."
    )
    sound = battles.mixed > 0 and not battles.perhaps_best
    return Ruling(Verdict.PROVED if sound else Verdict.IN_PART, why)
