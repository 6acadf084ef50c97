"""Lessons and the choice of puzzles on the full screen."""

from lineduel.coach import SHIPPED_LESSONS, shipped_lesson
from support.screens import match_of, viewer


async def test_the_first_duel_is_offered_at_the_first_start_and_can_be_done() -> None:
    """Somebody who has played nothing yet is shown where to begin, and does all ten tasks."""
    answers = ("1", "1", "5", "5", "3", "4", "1", "2", "1", "5")
    async with viewer() as home:
        await home.see("New here? e begins your first duel")
        await home.press("e")
        await home.screen("LessonScreen")
        for number, answer in enumerate(answers, start=1):
            await home.see(f"step {number} of 11")
            await home.press(answer)
            await home.see("✓ Right.")
            await home.press("enter")
        await home.see("That is all you need.")
        await home.press("enter")
        await home.screen("HomeScreen")
        await home.hear("The lesson is over: 10 tasks, 10 right at the first try.")


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
        await home.see("✗ No.", "P2-A takes P1-C on 4 next turn;")
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
