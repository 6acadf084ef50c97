"""Steps of a side and of single pieces, in place of those of all."""

from random import Random

import pytest

from lineduel.agents.rule_sets import mirrored_rules
from lineduel.discover import DesignSpace
from lineduel.discover.design import design_of, rulebook_of_design
from lineduel.engine import Game, Step
from lineduel.errors import IllegalMove, NotationError, RulebookError
from lineduel.lab.changes import alternatives, identity
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, assign, rule_sentences


def changed(*settings: str) -> Rulebook:
    return assign(find_rulebook("cross-over"), settings)


OWN = "player1.piece_steps=P1-A:1/3"


def moves(rulebook: Rulebook, side: Side) -> list[str]:
    game = Game(rulebook)
    return [str(move) for move in game.moves(game.start(side))]


def test_a_piece_s_own_steps_beat_its_side_s_which_beat_those_of_all() -> None:
    rulebook = changed("player1.steps=3", "player1.piece_steps=P1-B:2/-1")
    assert moves(rulebook, Side.ONE) == ["P1-A+3", "P1-B+2", "P1-C+3"]
    assert moves(rulebook, Side.TWO) == moves(changed(), Side.TWO)


def test_pieces_with_different_steps_are_not_alike() -> None:
    """The order of the lists makes no difference."""
    assert changed().rules.like_pieces(Side.ONE) == ((0, 1, 2),)
    assert changed(OWN).rules.like_pieces(Side.ONE) == ((0,), (1, 2))
    same = changed("player1.piece_steps=P1-A:2/1")
    assert same.rules.like_pieces(Side.ONE) == ((0, 1, 2),)


def test_a_game_is_the_same_if_every_piece_has_the_same_steps() -> None:
    """It has another identity if a piece elsewhere has these steps."""
    plain = identity(changed().rules)
    assert identity(changed("player1.steps=2,1", "player2.steps=1,2").rules) == plain
    everybody = changed("move.steps=5", "player1.steps=1,2", "player2.steps=1,2")
    assert identity(everybody.rules) == plain
    assert identity(changed(OWN).rules) != plain
    other = changed("player1.piece_steps=P1-B:1/3")
    assert identity(other.rules).key != identity(changed(OWN).rules).key
    assert identity(mirrored_rules(changed(OWN).rules)).key == identity(changed(OWN).rules).key


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("player1.piece_steps=P2-A:1", "P2-A is not a piece of player 1"),
        ("player1.piece_steps=P1-A:1/1", "1 to 8 different whole numbers"),
        ("player1.steps=11", "player 1 could never move"),
        ("player1.steps=64", "from -63 to 63"),
        ("move.steps=none", "1 to 8 different whole numbers"),
    ],
)
def test_what_is_wrong_with_steps_is_said(setting: str, says: str) -> None:
    with pytest.raises(RulebookError, match=says):
        changed(setting)


@pytest.mark.parametrize("side", Side)
def test_steps_with_which_a_side_could_never_move_are_refused(side: Side) -> None:
    """Forward is toward the other end, whichever side goes there."""
    homes = changed().rules.team(side).homes
    for step in range(-12, 13):
        reached = [home + step if side is Side.ONE else home - step for home in homes]
        could_move = any(0 <= cell <= 10 for cell in reached)
        try:
            changed(f"player{side}.steps={step}")
        except RulebookError:
            assert not could_move, step
        else:
            assert could_move, step


@pytest.mark.parametrize("steps", ["1,2", "P1-A:1,P1-A:2", ":1", "P1-A:1,,P1-B:2"])
def test_steps_on_a_command_line_need_names(steps: str) -> None:
    with pytest.raises(NotationError, match="different names with steps, as A:1,B:1/2"):
        changed(f"player1.piece_steps={steps}")


@pytest.mark.parametrize("pieces", ["0,1", "P1-A:0,P1-A:1", ":0", "P1-A:0,,P1-B:1"])
def test_pieces_on_a_command_line_need_names(pieces: str) -> None:
    with pytest.raises(NotationError, match="different names with cells, as A:0,B:1"):
        changed(f"player1.pieces={pieces}")


def test_the_rules_in_words_name_who_goes_how() -> None:
    said = rule_sentences(changed(OWN, "player2.steps=2,-1").rules)
    assert "P1-A goes 1 or 3 forward." in said
    assert "P1-B and P1-C go 1 or 2 forward." in said
    assert "P2-A, P2-B and P2-C go 2 forward, or 1 backward." in said


def test_a_step_of_another_piece_is_refused_with_the_steps_of_this_one() -> None:
    game = Game(changed(OWN))
    with pytest.raises(IllegalMove, match="P1-B cannot go 3 cells; it goes 1 or 2"):
        game.play(game.start(), Step("P1-B", 3))


def test_a_repair_tries_the_game_without_steps_of_its_own() -> None:
    made = alternatives(changed(OWN, "player2.steps=2").rules)
    assert [str(one) for one in made["piece_steps"]] == [
        "player1.piece_steps=none, player2.piece_steps=none"
    ]
    assert [str(one) for one in made["steps"]] == ["player1.steps=none, player2.steps=none"]
    assert not {"steps", "piece_steps"} & alternatives(changed().rules).keys()


def test_a_design_keeps_the_steps_of_each_piece() -> None:
    """And `discover` draws such designs."""
    space = DesignSpace(pieces=range(2, 4), cells=range(12, 13))
    drawn = [space.draw(Random(seed)) for seed in range(100)]
    uneven = [one for one in drawn if one.own_steps]
    assert len(uneven) > 5
    for design in drawn:
        assert design_of(rulebook_of_design(design).rules) == design
