"""Single changes: which change the value, and which only how long the game lasts."""

import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, example, given, settings, strategies as st
from msgspec import UNSET

from lineduel.documents import FoundRulebooks, found_changes
from lineduel.engine import Game
from lineduel.lab import Analysis, ChangeEffect, effect_of, single_changes
from lineduel.lab.changes import candidates
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, assign, rulebook_from_data
from lineduel.solve import Endless, Value, solve
from oracles import bruteforce
from support.strategies import reachable, rulebooks

SMALL = 60
"""All rulebooks one change away from one of so few positions, and without battles, are solved."""


def tried(rulebook: Rulebook) -> FoundRulebooks:
    """What the designer is told; only a change that brings battles can be too large."""
    changes = single_changes(rulebook, lambda *_: None, lambda: False)
    near = [one.rulebook.rules for one in candidates(rulebook, 1)]
    solved = [one.rulebook.rules for one in changes.found]
    assert all(rules in solved for rules in near if rules.battle is None)
    found = found_changes(changes, Analysis(rulebook).value)
    told = re.search(r"(\d+) more makes? the game too large to solve here\.", found.sentence)
    assert changes.too_large == (int(told[1]) if told else 0)
    return found


def solved_again(rulebook: Rulebook) -> tuple[Fraction, object]:
    """What player 1 can expect; and the turns of a forced win, or whether best play can end."""
    game = Game(rulebook)
    if rulebook.rules.battle is not None:
        value = solve(game).value(game.start())
        length = value.endless if value.plies is None else value.plies
        return Fraction(value.low + value.high) / 2, length
    start = bruteforce.canonical(game.rules, game.start())
    winner, plies = bruteforce.solve(game, bruteforce.explore(game, [start]))[start]
    if winner is None:
        return Fraction(0), Endless.ALWAYS
    return Fraction(1 if winner is Side.ONE else -1), plies


def effects_again(rulebook: Rulebook, found: FoundRulebooks) -> dict[str, int]:
    """How many changes have which effect, from solving each changed rulebook."""
    worth, length = solved_again(rulebook)
    effects = dict.fromkeys(("value", "length", "none", "unknown"), 0)
    for one in found.rulebooks:
        assert one.set is not UNSET
        new_worth, new_length = solved_again(assign(rulebook, one.set))
        same = abs(new_worth - worth) <= Fraction(1, 10**6)
        effects["value" if not same else "none" if new_length == length else "length"] += 1
    return effects


@pytest.mark.parametrize(
    ("game", "value", "length"), [("blockade-duel", 1, 17), ("ctf-tokens", 13, 12)]
)
def test_changes_of_the_value_are_counted_apart_from_longer_games(
    game: str, value: int, length: int
) -> None:
    """Both counts are those of solving every changed rulebook."""
    rulebook = find_rulebook(game)
    found = tried(rulebook)
    assert found.effects == effects_again(rulebook, found)
    assert Counter(found.effects) == Counter(one.effect for one in found.rulebooks)
    counts = [found.effects[one] for one in (ChangeEffect.VALUE, ChangeEffect.LENGTH)]
    assert counts == [value, length]
    assert found.sentence == (
        f"{value} of {len(found.rulebooks)} single changes {'changes' if value == 1 else 'change'} "
        f"the value. {length} more change only how long the game lasts."
    )


@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much])
@given(rulebooks())
@example(
    rulebook_from_data(
        {
            "title": "Large with battles",
            "track": {"first": 0, "last": 5},
            "player1": {"pieces": {"A": 0, "B": 0}, "goal": [4]},
            "player2": {"pieces": {"C": 5, "D": 3}, "goal": [0], "goal_needs": 2},
            "turn": {"first": "player1"},
            "move": {"steps": [1, 2], "jump": False},
            "meet": {"enemy": "blocked"},
        },
        "large-with-battles",
    )
)
def test_the_effects_are_true_of_random_rulebooks(rulebook: Rulebook) -> None:
    assume(rulebook.rules.battle is None)
    assume(len(reachable(Game(rulebook), SMALL + 1)) <= SMALL)
    found = tried(rulebook)
    assert found.effects == effects_again(rulebook, found)


@given(*[st.fractions(-1, 1, max_denominator=4)] * 4)
def test_the_value_is_said_to_change_only_where_that_is_proved(
    one: Fraction, two: Fraction, three: Fraction, four: Fraction
) -> None:
    """From bounds that overlap nobody can tell, unless both values are known."""
    was, now = Value(min(one, two), max(one, two)), Value(min(three, four), max(three, four))
    apart = was.high < now.low or now.high < was.low
    known = was.exact is not None and was.exact == now.exact
    effect = effect_of(was, now)
    assert (effect is ChangeEffect.VALUE) is apart
    assert (effect is ChangeEffect.NONE) is known
    assert (effect is ChangeEffect.UNKNOWN) is not (apart or known)
