"""Plain play against the computer: whose words are whose, and what is said how often."""

from pathlib import Path
from typing import Any

import pytest

from lineduel.cli.prompt_play import PromptPlay
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game, Move
from lineduel.errors import LineduelError
from lineduel.match import Match, Saves
from lineduel.play import Session
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side
from support.program import Program


def test_a_programs_turn_is_one_line(program: Program) -> None:
    """The menu and the question are the person's; the computer's turn is told, not asked."""
    done = program("play", "cross-over", "--p2", "easy", "--seed", "1", typed="1\nquit\n")
    assert (done.status, done.err) == (0, "")
    (told,) = (line for line in done.out.splitlines() if line.startswith("The computer moved"))
    assert told in ("The computer moved P2-B 9→7.", "The computer moved P2-C 8→6.")
    assert done.out.count("Enter the number of your chosen move:") == 2
    assert done.out.count("Player 1's Turn:") == 2
    assert "Player 2's Turn:" not in done.out
    assert done.out.count("You moved") == 1


@pytest.mark.parametrize(
    ("game", "position", "answers", "told"),
    [
        ("cross-over", "0,x,4/9,6,x/2", "", "The computer moved P2-B 6→4 and took P1-C."),
        (
            "cross-over",
            "x,x,4/9,6,x/2",
            "",
            "The computer moved P2-B 6→4, took P1-C and won.",
        ),
        (
            "ctf-soldiers",
            "8,9/10,10/2",
            "",
            "The computer moved S3 10→9 and sent S2 home to 0.",
        ),
        ("blockade-duel", "3/2/2", "", "The computer moved P2 2→0 and won."),
        ("flag-chase", "3/4/2", "1\n", "The computer moved P2 4→3 and started a battle."),
    ],
)
def test_the_line_says_what_the_move_does(
    program: Program, game: str, position: str, answers: str, told: str
) -> None:
    """What it takes, whom it sends home, whether a battle begins, and whether it wins."""
    lines = [
        line
        for seed in range(6)
        for line in program(
            *("play", game, "--position", position, "--p2", "8", "--seed", str(seed)),
            typed=answers,
        ).out.splitlines()
    ]
    assert told in lines


def test_two_programs_are_told_apart(program: Program) -> None:
    """Each turn is a line, and each player has a name."""
    done = program("play", "flag-chase", "--p1", "1", "--p2", "2", "--seed", "1")
    told = done.out.partition("\n\nPlayer 1 moved ")[2].splitlines()[1:]
    assert "Player 1: level 1 (random)." in done.out
    turns = [line for line in told if line]
    assert all(line.startswith(("Player 1 ", "Player 2 ", "Battle on ")) for line in turns)
    assert turns[-3].endswith(" won.")
    assert turns[-1].endswith(" Wins!")


def test_a_record_is_replayed_as_it_was_played(program: Program) -> None:
    """The computer's turns are one line there, too."""
    program("play", "ctf-tokens", "--p2", "3", "--seed", "1", typed="3\nquit\n")
    (kept,) = program.saved
    done = program("replay", str(kept))
    assert "Enter your move (1-3 spaces forward): P1+3\n" in done.out
    assert "\nThe computer moved P2 +5→" in done.out
    assert "Player 2's turn." not in done.out


@pytest.mark.parametrize(
    ("game", "position", "once", "never"),
    [
        ("flag-chase", "1/4/2", "Grid: [P1] [ ] [ ] [P2] [ ]", "Grid: [P1] [ ] [ ] [ ] [P2]"),
        ("blockade-duel", "0/4/1", "Player 2 is at position 4.", "[P2]"),
        ("ctf-tokens", "2/3/1", "Player 2 is at position +3.", "[P2]"),
        ("ctf-soldiers", "1,4/7,9/1", "4 [S2]", "starting at position"),
        ("cross-over", "0,x,4/9,6,x/1", "P2-B at position 6", "6 [P2-B]"),
    ],
)
def test_a_position_is_announced_as_it_is_and_once(
    program: Program, game: str, position: str, once: str, never: str
) -> None:
    """Not by where the pieces would begin, and not by two pictures of the same."""
    done = program("play", game, "--position", position, typed="quit\n")
    assert done.out.count(once) == 1
    assert never not in done.out


def test_repetition_is_told_from_the_third_time_on(program: Program) -> None:
    """Twice is nothing to speak of; what goes round in circles is."""
    to_and_fro = "1\n1\n2\n2\n"
    twice = program("play", "flag-chase", typed=to_and_fro)
    assert "has now come up" not in twice.out
    thrice = program("play", "flag-chase", typed=2 * to_and_fro)
    assert thrice.out.count("This position has now come up 3 times.") == 1


CYCLE = "come up 2 times. Neither side has made a mistake since"


def test_a_cycle_of_best_play_is_told_when_it_closes(program: Program) -> None:
    """Only where the values are known already: nothing is solved to find that out."""
    solved = program("play", "flag-chase", typed="values\n1\n1\n2\n2\n1\n1\n")
    assert " ".join(solved.out.split()).count(CYCLE) == 2  # once for each player
    unsolved = program("play", "flag-chase", typed="1\n1\n2\n2\n1\n")
    assert CYCLE not in " ".join(unsolved.out.split())


def test_a_cycle_with_a_mistake_in_it_is_nothing_to_speak_of(program: Program) -> None:
    """Player 1 stays where he could win, and player 2 stays as well."""
    typed = "values\n3\n3\n"
    done = program("play", "flag-chase:may-stay", "--position", "4/3/1", typed=typed)
    assert done.out.count("Grid: [ ] [ ] [P2] [P1] [ ]") == 3
    assert "come up" not in done.out


class Typist(Terminal):
    """Types some answers, and keeps the questions."""

    def __init__(self, *answers: str) -> None:
        super().__init__("never")
        self.answers, self.asked = list(answers), list[str]()

    def ask(self, prompt: str, check: Any = None) -> str | None:
        self.asked.append(prompt)
        return self.answers.pop(0) if self.answers else None


def test_after_a_program_stood_still_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken back, the person is asked for a move again, and not what to do without a program."""
    session = Session(Game(find_rulebook("ctf-tokens")), seats=("human", "level:1"))
    match, terminal = Match(session, Saves(tmp_path)), Typist("1", "undo", "2", "quit")

    def fail(match: Match, side: Side) -> Move:
        raise LineduelError("It cannot look that far.")

    monkeypatch.setattr(Match, "think", fail)
    PromptPlay(match, terminal).run()
    stalled = ["undo, resign or quit" in prompt for prompt in terminal.asked]
    assert stalled == [False, True, False, True]
