"""The rulebooks in examples/rulebooks: they are sound, keep their promises, and play as told."""

from fractions import Fraction
from pathlib import Path

import pytest

from lineduel.engine import Game
from lineduel.lab import Verdict, audit
from lineduel.rulebooks import find_rulebook
from lineduel.solve import solve
from lineduel.testing import check_rulebook
from support.program import Program

FOLDER = Path(__file__).parents[2] / "examples" / "rulebooks"
FILES = sorted(FOLDER.glob("*.toml"))
VALUES = {
    "convoy": Fraction(1),
    "double-take": Fraction(0),
    "hare-and-hounds": Fraction(1),
    "last-card": 0.03535173018,
    "last-stand": Fraction(1, 27),
    "standoff": Fraction(149, 1019),
    "tortoise-and-hare": Fraction(0),
}
every_file = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])


def test_there_is_one_for_each_word() -> None:
    assert [path.stem for path in FILES] == list(VALUES)
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{path.name}`" in listed for path in FILES)


@every_file
def test_every_check_of_a_rulebook_passes(path: Path) -> None:
    assert all(str(one).startswith("passed") for one in check_rulebook(find_rulebook(str(path))))


@every_file
def test_it_is_worth_what_its_list_says_and_keeps_its_promises(path: Path) -> None:
    """Every claim of the author holds."""
    rulebook = find_rulebook(str(path))
    game = Game(rulebook)
    value = solve(game).value(game.start())
    known = VALUES[path.stem]
    if isinstance(known, Fraction):
        assert value.exact == known
        shown = "even" if known == 0 else f"+{known}"
    else:
        assert float(value.low) == pytest.approx(known, abs=1e-9)
        assert float(value.high) == pytest.approx(known, abs=1e-9)
        shown = f"+{known:.4f}"
    assert f"{shown} |" in (FOLDER / "README.md").read_text(encoding="utf-8")
    found = audit(rulebook)
    assert {one.ruling.verdict for one in found.findings} == {Verdict.PROVED}


def played(program: Program, name: str, *answers: str) -> str:
    """What is shown when these answers are given, one a line."""
    done = program(
        "play", str(FOLDER / f"{name}.toml"), "--plain", typed="\n".join((*answers, "quit", ""))
    )
    assert done.status == 0, done.err
    return done.out


def test_a_trapped_hare_has_lost(program: Program) -> None:
    line = "Hare+2 Grey-hound+1 Hare+2 Red-hound+1 Hare+2 Grey-hound+1"
    shown = played(program, "hare-and-hounds", *line.split())
    assert "Runner has no legal move. Hunter wins!" in shown


def test_two_wagons_have_to_be_home_together(program: Program) -> None:
    line = "R1+1 W1+1 R1+1 W1+2 R1+1 W1+2 R2+1 W1+2"
    rest = "R2+1 W2+1 R2+1 W2+2 R2+2 W2+2 R2+2 W2+2"
    shown = played(program, "convoy", *line.split())
    assert "wins!" not in shown
    shown = played(program, "convoy", *line.split(), *rest.split())
    assert "Convoy has reached the goal. Convoy wins!" in shown


def test_taking_a_piece_is_followed_by_another_move(program: Program) -> None:
    shown = played(program, "double-take", "B+2", "Y+2", "A+1", "Y+2", "B+1", "B+1")
    assert "White moves B forward 1, to 5, and takes Y.\nWhite moves again." in shown
    assert "White moves B forward 1, to 6." in shown


def test_who_loses_a_battle_is_out_of_the_game(program: Program) -> None:
    shown = played(program, "last-stand", "A+1", "X+1", "A+1", "X+1", "2", "1")
    assert "Red wins the battle.\nBlue's X is captured." in shown


def test_a_card_that_was_played_is_spent(program: Program) -> None:
    """A spent card is refused, and who plays the last one has all three again."""
    line = "A+3 X+3 1 1 A-1 X+1 1 3 2 A+1 X+3 2 3 A+1 X+1 A+1 3 1 X+1 A+3 2 2 X+3 A+1"
    file = str(FOLDER / "last-card.toml")
    done = program("play", file, "--plain", typed="\n".join((*line.split(), "")))
    shown = done.out
    assert "Red holds 2 and 3.\nBlue holds 2 and 3." in shown
    assert "Red, play one of your cards (2 and 3): " in shown
    assert "Choose a number from your hand: 2 or 3." in done.err
    assert "Blue has played the last card, and takes all three back." in shown
    assert "Red has reached the goal. Red wins!" in shown


def test_a_tie_leaves_both_on_their_cell(program: Program) -> None:
    shown = played(program, "standoff", "A+1", "X+1", "A+1", "X+1", "2", "2")
    assert "The battle is a tie, and both stay on 3." in shown


def test_the_slow_piece_and_the_fast_one_have_to_be_home_together(program: Program) -> None:
    """The tortoise has one step, and the hare cannot take it."""
    slow = "Tortoise+1 Snail+1 " * 4 + "Tortoise+1 Fox+3 Tortoise+1 Fox+3 Tortoise+1 Snail+1"
    fast = "Hare+3 Snail+1 Hare+3 Snail+1 Hare-1 Snail+1 Hare-1 Snail+1"
    shown = played(program, "tortoise-and-hare", *slow.split(), *fast.split())
    assert "wins!" not in shown
    shown = played(program, "tortoise-and-hare", *slow.split(), *fast.split(), "Hare+3")
    assert "Green has reached the goal. Green wins!" in shown
