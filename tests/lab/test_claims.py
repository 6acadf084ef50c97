"""What comes of a claim, from figures that are made up: every verdict, and whom its sentence names.

Only the facts of a sentence are tested, not its words.
"""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from lineduel.lab.claims import (
    CONSISTENTLY,
    EVEN,
    MATTERING,
    QUICK,
    Ruling,
    Verdict,
    claims_of,
    rule,
)
from lineduel.lab.figures import Battles, Equals, Figures, Skill
from lineduel.lab.usage import Usage, Word
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Property, Side
from lineduel.solve.value import Endless, Value, as_sentence
from support.strategies import ALL_GAMES

PROVED, IN_PART, REFUTED = Verdict.PROVED, Verdict.IN_PART, Verdict.REFUTED
EVEN_GAME = Value(0, 0, endless=Endless.NEVER)
SOUND = Figures(
    positions=1000,
    branching=2.5,
    value=EVEN_GAME,
    longest=12,
    longest_game=30,
    shortest_game=3,
    best_can_end=True,
    decisions=0.5,
    only_moves=0.2,
    turning_points=4.0,
    lead_changes=1.0,
    drama=0.1,
    equals=(
        Equals("level:1", 0.01, 0.0, 20.0),
        Equals("level:4", -0.02, 0.0, 15.0),
        Equals("best", 0.0, 0.0, 12.0),
    ),
    pairs_endless=0.0,
    skill=Skill(0.97, 0.95),
    battles=Battles(total=9, mixed=9, always_best=None, perhaps_best=False),
)
"""A game that keeps every promise."""


def found(about: Property, words: tuple[Usage, ...] = (), /, **changes: Any) -> Ruling:
    """The ruling on a property when these figures are others."""
    return rule(about, replace(SOUND, **changes), lambda: words)


def equals(*each: Equals) -> tuple[Equals, ...]:
    return (*each, *SOUND.equals[len(each) :])


@pytest.mark.parametrize("about", [one for one in Property if one is not Property.RULES_MATTER])
def test_a_game_that_keeps_every_promise_is_proved_to(about: Property) -> None:
    ruling = found(about)
    assert ruling.verdict is PROVED
    assert ruling.why.endswith(".")


# Does it end?


@pytest.mark.parametrize("about", [Property.ALWAYS_ENDS, Property.NO_DRAW])
def test_a_game_that_cannot_repeat_ends_and_has_a_winner(about: Property) -> None:
    """The bound is said."""
    ruling = found(about, longest_game=37)
    assert ruling.verdict is PROVED
    assert "37 turns" in ruling.why


@pytest.mark.parametrize("about", [Property.ALWAYS_ENDS, Property.NO_DRAW])
def test_best_play_that_never_ends_refutes_both(about: Property) -> None:
    never = Value(0, 0, endless=Endless.ALWAYS)
    ruling = found(about, longest_game=None, best_can_end=False, value=never)
    assert ruling.verdict is REFUTED
    assert "never ends" in ruling.why


@pytest.mark.parametrize("about", [Property.ALWAYS_ENDS, Property.NO_DRAW])
def test_best_play_that_does_not_always_end_refutes_both(about: Property) -> None:
    """How often it goes on for ever is said of the best player, not of another."""
    possible = Value(Fraction(-1, 9), Fraction(1, 9), endless=Endless.POSSIBLE)
    ruling = found(
        about,
        longest_game=None,
        best_can_end=False,
        value=possible,
        equals=(Equals("level:1", 0, 0.9, 20), Equals("best", 0, 0.35, 20)),
    )
    assert ruling.verdict is REFUTED
    assert "35%" in ruling.why


def test_a_game_that_can_repeat_always_ends_only_in_part() -> None:
    """Even if no level ever goes on: two players who want to can."""
    assert found(Property.ALWAYS_ENDS, longest_game=None).verdict is IN_PART


def test_no_draw_is_proved_where_best_play_and_all_levels_end() -> None:
    assert found(Property.NO_DRAW, longest_game=None).verdict is PROVED


@pytest.mark.parametrize("endless", [Endless.POSSIBLE, Endless.ALWAYS, None])
def test_no_draw_holds_in_part_where_best_play_could_go_on(endless: Endless | None) -> None:
    value = Value(0, 0, endless=endless)
    assert found(Property.NO_DRAW, longest_game=None, value=value).verdict is IN_PART


def test_no_draw_holds_in_part_where_levels_go_on() -> None:
    """How many of their games do is said."""
    ruling = found(Property.NO_DRAW, longest_game=None, pairs_endless=0.42)
    assert ruling.verdict is IN_PART
    assert "42%" in ruling.why


# Is it quick?


def test_quick_is_measured_by_the_shortest_game() -> None:
    """Just at the bound it is quick; if most are slower it is not; if one is, in part."""
    bound = QUICK * 3
    at_bound = tuple(one._replace(plies=float(bound)) for one in SOUND.equals)
    assert found(Property.ENDS_QUICKLY, equals=at_bound).verdict is PROVED
    one_slow = equals(Equals("level:1", 0, 0.0, bound + 1))
    ruling = found(Property.ENDS_QUICKLY, equals=one_slow)
    assert ruling.verdict is IN_PART
    assert "players of level 1" in ruling.why
    assert f"{bound + 1} turns" in ruling.why
    half_slow = one_slow[:1] + SOUND.equals[1:2]
    assert found(Property.ENDS_QUICKLY, equals=half_slow).verdict is IN_PART
    all_slow = tuple(one._replace(plies=bound + 1.0) for one in SOUND.equals)
    assert found(Property.ENDS_QUICKLY, equals=all_slow).verdict is REFUTED


def test_games_that_never_end_are_not_quick() -> None:
    seldom = equals(Equals("level:1", 0, 0.001, 20.0))
    assert found(Property.ENDS_QUICKLY, equals=seldom).verdict is IN_PART
    often = equals(Equals("level:1", 0, 0.05, 20.0))
    assert found(Property.ENDS_QUICKLY, equals=often).verdict is REFUTED
    never = equals(Equals("level:1", 0, 1.0, None))
    ruling = found(Property.ENDS_QUICKLY, equals=never)
    assert ruling.verdict is REFUTED
    assert "never end" in ruling.why
    assert found(Property.ENDS_QUICKLY, shortest_game=None).verdict is REFUTED


# Does skill win?


@pytest.mark.parametrize(
    ("skill", "verdict", "seat"),
    [
        (Skill(CONSISTENTLY, 1.0), PROVED, None),
        (Skill(1.0, CONSISTENTLY), PROVED, None),
        (Skill(0.7, 0.95), IN_PART, "first"),
        (Skill(0.95, 0.7), IN_PART, "second"),
        (Skill(0.4, 0.95), REFUTED, "first"),
        (Skill(0.95, 0.4), REFUTED, "second"),
        (Skill(0.5, 0.95), IN_PART, "first"),
    ],
)
def test_the_worse_seat_decides_whether_skill_wins(
    skill: Skill, verdict: Verdict, seat: str | None
) -> None:
    """That seat is named, and each score is said of its own seat."""
    ruling = found(Property.SKILL_WINS, skill=skill)
    assert ruling.verdict is verdict
    assert re.findall("first|second", ruling.why) == ([seat] if seat else [])
    scores = re.search(r"([\d.]+)%.*player 1.* ([\d.]+)%.*player 2", ruling.why)
    assert scores
    assert [float(one) / 100 for one in scores.groups()] == pytest.approx([*skill])


@pytest.mark.parametrize(
    ("skill", "verdict", "losing", "wavering"),
    [
        (Skill(0.95, 0.9), PROVED, "", ""),
        (Skill(0.5, 0.5), IN_PART, "", "both seats"),
        (Skill(0.6, 0.8), IN_PART, "", "both seats"),
        (Skill(0.3, 0.4), REFUTED, "both seats", ""),
        (Skill(0.3, 0.8), REFUTED, "the first seat", "the second seat"),
        (Skill(0.8, 0.3), REFUTED, "the second seat", "the first seat"),
        (Skill(0.3, 0.9), REFUTED, "the first seat", ""),
    ],
)
def test_every_seat_in_which_skill_does_not_win_is_named(
    skill: Skill, verdict: Verdict, losing: str, wavering: str
) -> None:
    """Where both fail, both are; what is worse is said of the seat that it is true of."""
    ruling = found(Property.SKILL_WINS, skill=skill)
    assert ruling.verdict is verdict
    assert re.findall("In ([a-z ]+) skill loses", ruling.why) == [losing] * bool(losing)
    assert re.findall("In ([a-z ]+) skill does not", ruling.why) == [wavering] * bool(wavering)


# Is neither seat favoured?


@pytest.mark.parametrize("winner", Side)
def test_a_forced_win_favours_the_winners_seat(winner: Side) -> None:
    ruling = found(Property.FAIR_SEATS, value=Value.won(winner, 17))
    assert ruling.verdict is REFUTED
    assert f"player {int(winner)} wins in 17" in ruling.why


@pytest.mark.parametrize(
    ("worth", "seat", "verdict"),
    [
        (0.0, EVEN, PROVED),
        (0.0, -EVEN, PROVED),
        (0.0, 0.3, IN_PART),
        (0.0, -0.3, IN_PART),
        (0.5, 0.0, REFUTED),
        (-0.5, 0.0, REFUTED),
    ],
)
def test_best_play_and_equals_decide_whether_seats_are_fair(
    worth: float, seat: float, verdict: Verdict
) -> None:
    """What favours player 1 is said with a plus, what favours player 2 with a minus."""
    value = Value(Fraction(worth), Fraction(worth), endless=Endless.NEVER)
    one_sided = equals(Equals("level:1", seat, 0.0, 20.0))
    ruling = found(Property.FAIR_SEATS, value=value, equals=one_sided)
    assert ruling.verdict is verdict
    if worth:
        assert f"{worth:+g}" in ruling.why
    if verdict is IN_PART:
        assert "players of level 1" in ruling.why
        assert f"{seat:+.2f}" in ruling.why


@pytest.mark.parametrize(
    "ends",
    [
        (0, Fraction(1, 2)),
        (Fraction(-1, 2), 0),
        (Fraction(-1, 2), Fraction(1, 2)),
        (0, Fraction(3, 20)),
    ],
)
def test_an_interval_counts_by_its_far_end(ends: tuple[Fraction, Fraction]) -> None:
    """What could be worth more than is fair is not proved to be fair."""
    wide = Value(*ends, endless=Endless.NEVER)
    assert found(Property.FAIR_SEATS, value=wide).verdict is REFUTED


# Are all words used?


@pytest.mark.parametrize(
    ("jump", "verdict"),
    [
        (Usage(Word.JUMP, positions=5, in_best_play=2), PROVED),
        (Usage(Word.JUMP, positions=5), IN_PART),
        (Usage(Word.JUMP), REFUTED),
    ],
)
def test_a_word_is_used_where_it_counts(jump: Usage, verdict: Verdict) -> None:
    """The one that is not is named, and no other."""
    used = Usage(Word.GOAL, positions=9, in_best_play=9)
    ruling = found(Property.RULES_MATTER, (used, jump))
    assert ruling.verdict is verdict
    assert (Word.JUMP.value in ruling.why) == (verdict is not PROVED)
    assert Word.GOAL.value not in ruling.why


def test_the_use_of_words_is_worked_out_only_if_asked() -> None:
    def never() -> tuple[Usage, ...]:
        raise AssertionError

    for about in Property:
        if about is not Property.RULES_MATTER:
            rule(about, SOUND, never)


# Do choices matter?


@pytest.mark.parametrize(
    ("decisions", "turning_points", "verdict"),
    [
        (MATTERING, 1.0, PROVED),
        (MATTERING / 2, 1.0, IN_PART),
        (MATTERING, 0.5, IN_PART),
        (0.0, 0.0, REFUTED),
    ],
)
def test_choices_matter_in_positions_and_in_games(
    decisions: float, turning_points: float, verdict: Verdict
) -> None:
    ruling = found(Property.CHOICES_MATTER, decisions=decisions, turning_points=turning_points)
    assert ruling.verdict is verdict


# Is a number always best?


@pytest.mark.parametrize(
    ("battles", "verdict", "said"),
    [
        (Battles(9, 9, None, False), PROVED, "9 of 9"),
        (Battles(9, 1, None, False), PROVED, "1 of 9"),
        (Battles(9, 1, None, True), IN_PART, "1 of 9"),
        (Battles(9, 0, None, False), IN_PART, "0 of 9"),
        (Battles(9, 0, 4, True), REFUTED, "Choosing 4"),
        (Battles(0, 0, None, False), REFUTED, "never a battle"),
        (None, REFUTED, "never a battle"),
    ],
)
def test_a_number_that_is_always_best_refutes(
    battles: Battles | None, verdict: Verdict, said: str
) -> None:
    ruling = found(Property.NO_BEST_NUMBER, battles=battles)
    assert ruling.verdict is verdict
    assert said in ruling.why


# Seats exchanged


def test_a_game_with_its_seats_exchanged_is_ruled_the_same_of_the_other_seat() -> None:
    """What was said of player 1 is said of player 2."""
    figures = replace(SOUND, value=Value.won(Side.ONE, 9), skill=Skill(0.95, 0.4))
    turned = figures.turned()
    seats, skill = (
        [rule(about, one, tuple).why for one in (figures, turned)]
        for about in (Property.FAIR_SEATS, Property.SKILL_WINS)
    )
    assert "player 1 wins" in seats[0]
    assert "player 2 wins" in seats[1]
    assert "second" in skill[0]
    assert "first" in skill[1]


@pytest.mark.parametrize("address", ALL_GAMES)
def test_every_property_is_asked_about_once(address: str) -> None:
    """With everything, the author's own claims first; about battles only where there are any."""
    rulebook = find_rulebook(address)
    claims = claims_of(rulebook.rules, rulebook.claims, everything=True)
    assert claims[: len(rulebook.claims)] == rulebook.claims
    general = [one.property for one in claims[len(rulebook.claims) :]]
    made = {one.property for one in rulebook.claims}
    assert len(general) == len(set(general))
    assert made.isdisjoint(general)
    asked = Property.NO_BEST_NUMBER in general
    assert asked == (rulebook.rules.battle is not None and Property.NO_BEST_NUMBER not in made)


@pytest.mark.parametrize("side", Side)
def test_the_winner_of_the_whole_game_is_named(side: Side) -> None:
    """Won by force or only in the end."""
    worth = 1 if side is Side.ONE else -1
    assert as_sentence(Value.won(side, 7)) == f"With best play player {side} wins in 7 turns."
    sure = Value(worth, worth, endless=Endless.NEVER)
    assert as_sentence(sure) == f"With best play player {side} wins in the end."
