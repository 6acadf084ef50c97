"""Lessons are read from small files, ask what can be answered, and judge answers exactly."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from lineduel.coach import (
    SHIPPED_LESSONS,
    Act,
    Find,
    LessonStep,
    find_lesson,
    judge_answer,
    lessons,
    shipped_lesson,
)
from lineduel.engine import Game
from lineduel.errors import LessonError, NotationError
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, assign
from lineduel.solve import is_mistake, solve
from support.program import Program

TASKS = [
    (lesson, number)
    for lesson in SHIPPED_LESSONS
    for number, step in enumerate(shipped_lesson(lesson).steps)
    if step.is_task
]


def answers(step: LessonStep) -> list[str]:
    """Everything that can be answered."""
    if step.choices:
        return list(step.choices)
    if step.asks_number:
        return [str(number) for number in range(1, 6)]
    return [str(move) for move in step.game.moves(step.at)]


@pytest.mark.parametrize(("lesson", "number"), TASKS)
def test_every_task_can_be_solved_and_every_answer_is_judged(lesson: str, number: int) -> None:
    """Some answer is right; where all are, any move was asked for."""
    step = shipped_lesson(lesson).steps[number]
    verdicts = {answer: judge_answer(step, answer) for answer in answers(step)}
    right = [answer for answer, one in verdicts.items() if one.right]
    assert right
    assert (len(right) == len(verdicts)) == (step.find is Find.ANY_MOVE)
    for one in verdicts.values():
        assert one.sentence.startswith("Right" if one.right else "No")


def test_a_move_is_judged_by_the_solution() -> None:
    """Right is what keeps the value, and a wrong move is answered with what follows it."""
    for lesson in SHIPPED_LESSONS:
        for step in shipped_lesson(lesson).steps:
            if step.find is Find.GOOD_MOVE:
                solution = solve(step.game, step.at)
                for move in step.game.moves(step.at):
                    verdict = judge_answer(step, str(move))
                    assert verdict.right != is_mistake(solution, step.at, move)


def test_the_first_duel_has_ten_tasks_with_cross_over_first() -> None:
    """Move, meet, win, one trap, one battle."""
    lesson = shipped_lesson("first-duel")
    assert lesson.tasks == 10
    assert lesson.steps[0].game.rulebook.id == "cross-over"
    asked = [step.find for step in lesson.steps]
    for one in (Find.ANY_MOVE, Act.TAKES, Act.REACHES_GOAL, Find.GOOD_MOVE, Act.BATTLE):
        assert one in asked
    battle = next(step for step in lesson.steps if step.asks_number)
    assert battle.side is Side.ONE, "the learner has attacked"


def test_what_the_lesson_on_mixed_strategies_says_is_true() -> None:
    """Its mixtures are those of the solution."""

    def mixture(rule: str) -> list[float]:
        game = Game(assign(find_rulebook("flag-chase"), [f"battle.wins={rule}"]))
        position = read_position(game, "3/3/2*")
        return [float(one) for one in solve(game, position).mixture(position, Side.ONE).values()]

    third = pytest.approx(1 / 3)
    assert mixture("higher") == [0, 0, 0, 0, 1]
    assert mixture("undercut") == [0, 0, third, third, third]
    assert mixture("cyclic") == [pytest.approx(0.2)] * 5


LESSON = """
title = "Small"
game = "ctf-tokens"
[[steps]]
text = "Begin."
"""

WRONG = {
    "title = 1": "Expected `str`, got `int`",
    'title = "x"\ngame = "nim"\nsteps = [{ text = "a" }]': "step 1: there is no game called 'nim'",
    'title = "x"\ngame = "cross-over"\nsteps = []': "a lesson has 1 to 100 steps",
    LESSON + "colour = 3": "unknown field `colour`",
    LESSON + 'position = "0/0"': "step 1: ",
    LESSON + 'find = "luck"': "Allowed: any move, good move, good number, winner",
    LESSON + 'find = "takes"': "No legal move of that position does it",
    LESSON + 'find = "good number"': "needs a position with an open battle",
    LESSON.replace("ctf-tokens", "flag-chase") + 'position = "3/3/1*"\nfind = "any move"': (
        "in an open battle, ask for a 'good number'"
    ),
    LESSON + 'find = "winner"\nchoices = ["a"]\nright = "a"': "find or choices, not both",
    LESSON + 'choices = ["a", "b"]\nright = "c"': "right: has to be one of the choices",
    LESSON + 'choices = ["a", "b"]\nright = "a"\nreplies = ["x"]': "one for each choice",
    LESSON + 'position = "5/0/2"\nfind = "any move"': "over in that position",
    "title = ": "is not TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_file_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    """With the file, the step and what is wrong."""
    path = tmp_path / "lesson.toml"
    path.write_text(text)
    with pytest.raises(LessonError) as error:
        find_lesson(str(path))
    told = str(error.value)
    assert WRONG[text].lower() in told.lower()
    assert str(path) in told
    assert "\n" not in told


def test_a_teachers_lesson_may_bring_its_own_rulebook(tmp_path: Path) -> None:
    """A path in a lesson is seen from the lesson's folder."""
    (tmp_path / "own.toml").write_text(
        (Path(__file__).parents[2] / "src/lineduel/rulebooks/ctf-tokens.toml").read_text()
    )
    path = tmp_path / "lesson.toml"
    path.write_text(LESSON.replace('"ctf-tokens"', '"own.toml"') + 'find = "winner"\n')
    (step,) = find_lesson(str(path)).steps
    assert step.choices == ("You win", "Your enemy wins", "Neither can force a win")
    right = "Right: you win in 5 turns. Best play: P1 -5→-3, "
    assert judge_answer(step, "1").sentence.startswith(right)
    assert not judge_answer(step, "neither can force a win").right
    for nonsense in ("4", "0", "perhaps", ""):
        with pytest.raises(NotationError, match="Type 1 to 3"):
            judge_answer(step, nonsense)


@pytest.mark.parametrize("position", ["3/3/1*", "3/3/2*"])
@pytest.mark.parametrize("wins", ["higher", "undercut", "cyclic"])
def test_a_number_loses_to_those_that_beat_it(position: str, wins: str) -> None:
    """Whichever side the learner has."""
    game = Game(assign(find_rulebook("flag-chase"), [f"battle.wins={wins}"]))
    asked = next(step for step in shipped_lesson("mixed-strategies").steps if step.asks_number)
    step = replace(asked, game=game, position=read_position(game, position))
    battle = game.rules.battle
    assert battle is not None
    for number in range(1, 6):
        told = lessons._beaten(step, number)
        pairs = [(number, one) if step.side is Side.ONE else (one, number) for one in range(1, 6)]
        beaten = [
            one for one, pair in enumerate(pairs, 1) if battle.winner(*pair) is step.side.other
        ]
        assert [int(one) for one in re.findall("[0-9]", told)] == beaten


def test_changed_rules_are_those_of_the_lessons_own_game(tmp_path: Path) -> None:
    """A step with another game, or with changes of its own, does not take them over."""
    path = tmp_path / "lesson.toml"
    path.write_text(
        LESSON.replace("[[steps]]", 'set = ["move.steps=1"]\n[[steps]]')
        + '[[steps]]\ntext = "Other changes."\nset = ["move.steps=2"]\n'
        + '[[steps]]\ntext = "None."\nset = []\n'
        + '[[steps]]\ntext = "Another game."\ngame = "cross-over"\n'
        + '[[steps]]\ntext = "The same again."\n'
    )
    found = find_lesson(str(path)).steps
    steps = [step.game.rules.movement.steps for step in found]
    assert steps == [(1,), (2,), (1, 2, 3), (1, 2), (1,)]
    assert found[0].game is found[-1].game


def test_a_lesson_at_the_prompt(program: Program, tmp_path: Path) -> None:
    """Wrong answers are explained, a task can be skipped, and the end says how it went."""
    path = tmp_path / "lesson.toml"
    path.write_text(
        LESSON.replace("Begin.", "Find it.")
        + 'find = "good move"\nthen = "Well done."\n'
        + '[[steps]]\ntext = "Again."\nfind = "P1+1"\n'
    )
    done = program("lesson", str(path), typed="9\n3\n2\n2\nskip\n")
    assert done.status == 0
    assert "No: P1 -5→-2 loses in 4 turns. P2 +5→+2 leaves P1 and P2 4" in done.out
    assert "Right: P1 -5→-3 wins in 5 turns" in done.out
    assert "Well done." in done.out
    assert "No: P1 -5→-3 is another move." in done.out
    assert done.out.endswith("The lesson is over: 2 tasks, 0 right at the first try.\n")
    assert "9" in done.err
    left = program("lesson", str(path), typed="quit\n")
    assert (left.status, left.err) == (0, "")
    assert "is over" not in left.out


def test_lessons_are_listed_and_an_unknown_one_is_refused(program: Program) -> None:
    listed = program("lesson").out
    assert all(lesson in listed for lesson in SHIPPED_LESSONS)
    missing = program("lesson", "nothing")
    assert missing.status == 2
    assert missing.err == (
        f"lineduel: There is no lesson 'nothing'. Lessons: {', '.join(SHIPPED_LESSONS)}.\n"
    )
    assert program("lesson", "nothing.toml").status == 2
