"""Lessons and the choice of puzzles on the full screen."""

import pytest

from lineduel.coach import FIRST_LESSON, SHIPPED_LESSONS, judge_answer, shipped_lesson
from lineduel.preferences import load_preferences
from lineduel.solve import Cache
from support.screens import match_of, viewer


async def test_the_first_duel_is_offered_at_the_first_start_and_can_be_done() -> None:
    """Somebody who has played nothing yet is shown where to begin, and does all ten tasks."""
    answers = ("1", "1", "5", "5", "3", "1", "1", "2", "1", "5")
    async with viewer() as home:
        await home.see("New here? e begins your first duel")
        await home.press("e")
        await home.screen("LessonScreen")
        for number, answer in enumerate(answers, start=1):
            await home.see(f"step {number} of 11")
            await home.press(answer)
            await home.see("✓ Right")
            await home.press("enter")
        await home.see("That is all you need.")
        await home.press("enter")
        await home.screen("SetupScreen")
        await home.hear("The lesson is over: 10 tasks, 10 right at the first try.")
        await home.see("Player 1 ‹ computer, level 3 (easy) ›", "Player 2 ‹ you ›", "Coach ‹ on ›")
        await home.press("escape")
        await home.screen("HomeScreen")
        assert load_preferences().first_lesson
        await home.until(lambda: "New here?" not in home.words)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
async def test_a_wrong_answer_has_its_reason_on_the_screen(size: tuple[int, int]) -> None:
    """In every task of the first lesson, also where there are few rows."""
    lesson = shipped_lesson(FIRST_LESSON)
    async with viewer(size=size) as taught:
        await taught.press("e")
        for number, step in enumerate(lesson.steps, start=1):
            await taught.see(f"step {number} of 11")
            wrong = [] if step.choices or step.asks_number else step.game.moves(step.at)
            feedback = [judge_answer(step, str(move), Cache()) for move in wrong]
            refused = [one for one in feedback if not one.right and one.move is not None]
            if refused:
                answer = refused[0].move
                assert answer is not None
                await taught.press(str(step.game.moves(step.at).index(answer) + 1))
                await taught.see(refused[0].sentence)
                await taught.press(str(step.game.moves(step.at).index(answer) + 1))
                await taught.see("A good move is marked now: play it")
            await taught.press("s")


async def test_enter_alone_is_no_answer_where_a_move_is_named() -> None:
    """The move that is marked at first is not the one that is asked for."""
    async with viewer() as taught:
        await taught.press("e")
        await taught.see("step 1 of 11")
        await taught.press("s")
        await taught.see("step 2 of 11")
        await taught.press("enter")
        await taught.see("✗ No: P1-C 2→3 moves another piece.")


async def test_a_wrong_answer_is_explained_and_a_task_can_be_skipped() -> None:
    async with viewer() as home:
        await home.press("t")
        await home.see("Which lesson?", *(shipped_lesson(one).title for one in SHIPPED_LESSONS))
        await home.press("1")
        await home.screen("LessonScreen")
        for number in range(1, 7):
            await home.see(f"step {number} of 11")
            await home.press("s")
        await home.see("Now a trap.")
        await home.press("3")
        await home.see("✗ No:", "P2-A takes P1-C on 4 next turn;", "Try again")
        await home.press("3")
        await home.see("A good move is marked now: play it")
        await home.press("enter")
        await home.see("✓ Right")
        await home.press("escape")
        await home.screen("HomeScreen")


async def test_puzzles_are_chosen_by_what_they_are_about() -> None:
    """Your own mistakes, the puzzle of the day, or one kind of reason; the answer has a reason."""
    async with viewer(match_of("cross-over")) as game:
        await game.press("z")
        await game.screen("PuzzleScreen")
        await game.see("find the only good move")
        await game.press("w")
        await game.see("Which puzzles?", "Your own mistakes in this game")
        await game.press("2")
        await game.see("No puzzle today.")
        await game.press("w", "8")
        await game.see("Leave no good move", "find the only good move")
        await game.press("w", "3")
        await game.see("The puzzle of the day", "find the only good move")
