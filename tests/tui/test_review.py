"""After the game: its review move by move, and puzzles."""

from datetime import date

import pytest

from lineduel.coach.training import Practice
from lineduel.players import Limits
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.tui.duel import DuelScreen
from lineduel.tui.puzzles import PuzzleScreen
from support.screens import LARGE, SMALL, Viewer, match_of, viewer

GAME = ("1", "2", "1", "2", "1", "1")
"""Blockade Duel with one mistake, the third move."""


async def reviewed(game: Viewer) -> None:
    await game.press(*GAME)
    await game.review()
    await game.see("Turn 3 of 6, the turning point: player 1 played P1 6→7 ??")


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_stepping_through_a_game(size: tuple[int, int]) -> None:
    """The arrows step, Home and End go to its ends; nothing happens beyond them."""
    async with viewer(match_of("blockade-duel"), size=size) as game:
        await reviewed(game)
        await game.press("end", "right")
        await game.see("★ Player 2 won.", "P2 reached 0 after 6 turns.", "1 mistake")
        await game.press("left")
        await game.see("Turn 6 of 6: player 2 played P2 1→0")
        await game.press("home", "left")
        await game.see("Turn 1 of 6: player 1 played P1 5→6")
        await game.press("right")
        await game.see("Turn 2 of 6: player 2 played P2 5→3")
        await game.press("end")
        await game.see("★")


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_mistake_and_the_better_move_are_on_the_board(size: tuple[int, int]) -> None:
    """The move that was played has a question mark, the better one an exclamation mark."""
    async with viewer(match_of("blockade-duel"), size=size) as game:
        await reviewed(game)
        await game.see("Better: P1")
        cells = [row for row in game.rows if row.lstrip().startswith("│")]
        assert any(" ? " in row and " ! " in row for row in cells)
        await game.press("up")
        await game.hear("No more mistakes that way.")
        await game.press("f")
        await game.see("Better: P1")


async def test_the_line_that_shows_why_can_be_stepped_through() -> None:
    """First what follows the mistake, then the better line, then back to the game."""
    async with viewer(match_of("blockade-duel"), size=LARGE) as game:
        await reviewed(game)
        await game.press("x")
        await game.see("The line: P1 6→8", "← → step")
        await game.press("right", "right", "left", "left", "left", "x")
        await game.see("Turn 3 of 6, the turning point: player 1 played P1 6→7 ??")
        await game.press("home", "x")
        await game.hear("There is no line to show here.")


async def test_a_mistake_can_be_tried_again_and_becomes_a_puzzle() -> None:
    """The better move is found on the board; later the same mistake is asked as a puzzle."""
    async with viewer(match_of("blockade-duel"), size=LARGE) as game:
        await reviewed(game)
        await game.press("t")
        await game.screen("PuzzleScreen")
        await game.see("try it", "find the only good move")
        await game.press("1")
        await game.see("✗ No: P1 6→7 loses", "P2 2→0. The race is lost", "Try again")
        await game.press("2")
        await game.see("✓ Right: P1 6→8 wins")
        await game.press("escape")
        await game.screen("ReviewScreen")
        await game.press("home", "t")
        await game.hear("Go to a mistake first")
        await game.press("z")
        await game.screen("PuzzleScreen")
        await game.press("w", "2")
        await game.see("Your own mistakes in this game", "find the only good move")


async def test_the_chart_is_drawn_for_the_room_that_it_has_in_the_end() -> None:
    """All of it is in sight, also where the layout settles long after it was drawn first."""
    axis = "0 2 4 6"
    async with viewer(match_of("blockade-duel"), size=LARGE) as game:
        await reviewed(game)
        await game.press("end")
        await game.see("What player 1 could expect:", axis)
        await game.rest()
        tall = game.text
        game.app.screen.query_one("#status").styles.height = 5
        await game.until(lambda: game.text != tall)
        await game.see("What player 1 could expect:", axis)
        game.app.screen.query_one("#status").styles.height = "auto"
        await game.until(lambda: game.text == tall, "the chart as it was")


async def test_accuracy_is_told_and_scrolls_on_a_small_screen() -> None:
    async with viewer(match_of("blockade-duel"), size=SMALL) as game:
        await reviewed(game)
        for _ in range(500):  # it scrolls once it has been laid out
            if "accuracy 100%" in game.words:
                return
            await game.press("pagedown")
        raise AssertionError(game.text)


async def test_playing_on_from_a_moment() -> None:
    """Not from the end; from an earlier moment a new game begins with the moves before it."""
    async with viewer(match_of("blockade-duel")) as game:
        await reviewed(game)
        await game.press("end", "p")
        await game.hear("The game is over here; step back first.")
        await game.press("up", "p")
        await game.screen("DuelScreen")
        await game.see("Player 1 to move.", "P2 5→3")
        screen = game.app.screen
        assert isinstance(screen, DuelScreen)
        assert len(screen.session.turns) == 2


async def test_a_rematch_swaps_the_seats() -> None:
    async with viewer(match_of("blockade-duel", "human", "level:1")) as game:
        await game.see(" move.")
        await game.press("1")
        await game.until(lambda: "P2" in game.words)
        await game.press("r", "y")
        await game.review()
        await game.press("m")
        await game.screen("DuelScreen")
        await game.see("► The computer (level 1, random) against ◄ you")


async def test_a_rematch_keeps_the_coach_and_the_time_for_engines() -> None:
    """What was chosen for a game holds for the next."""
    match = match_of("blockade-duel", coach=True)
    match.settings.limits = Limits(movetime=77)
    async with viewer(match) as game:
        await game.press("r", "y")
        await game.review()
        await game.press("m")
        await game.screen("DuelScreen")
        screen = game.app.screen
        assert isinstance(screen, DuelScreen)
        assert screen.match
        assert screen.match is not match
        settings = screen.match.settings
        assert (settings.coach, settings.limits) == (True, Limits(movetime=77))


async def test_a_game_without_mistakes_says_so() -> None:
    async with viewer(match_of("blockade-duel")) as game:
        await game.press("1", "r", "y")
        await game.review()
        await game.see("accuracy")
        await game.press("up")
        await game.hear("mistake")


async def test_the_ways_out_of_a_review() -> None:
    async with viewer(match_of("blockade-duel")) as game:
        await reviewed(game)
        await game.press("b")
        await game.see("The track")
        await game.press("escape", "n")
        await game.screen("SetupScreen")
        await game.press("escape", "escape")
        await game.screen("HomeScreen")
        await game.press("g")
        await game.see("Blockade Duel")
        await game.press("enter")
        await game.screen("ReviewScreen")
        await game.press("q")
    assert game.app.return_value == 0
    assert game.app.farewell == ""


# Puzzles


def puzzle_screen(game: Viewer) -> PuzzleScreen:
    assert isinstance(game.app.screen, PuzzleScreen)
    return game.app.screen


@pytest.mark.parametrize(("number", "id"), enumerate(SHIPPED))
async def test_puzzles_of_every_game_are_answered(number: int, id: str) -> None:
    """Right and wrong are told with a reason; a game that has no puzzle says so."""
    async with viewer(size=LARGE) as game:
        await game.press(*["down"] * number, "z")
        await game.screen("PuzzleScreen")
        await game.until(
            lambda: "find the only good move" in game.words or "exactly one good" in game.words
        )
        if "exactly one good" in game.words:
            return
        screen = puzzle_screen(game)
        puzzle, training = screen._puzzle, screen._training
        assert puzzle is not None
        assert training is not None
        good = training.solution.best(puzzle.position)[0]
        await game.press("m", *str(good), "enter")
        await game.see("✓ Right: ", "1 of 1 solved; rating 1", "1 in a row", "Enter next")
        await game.press("enter")
        await game.until(
            lambda: "find the only good move" in game.words or "last one" in game.words
        )
        if "last one" in game.words:
            return
        puzzle = screen._puzzle
        assert puzzle is not None
        best = training.solution.best(puzzle.position)
        moves = find_moves(id, puzzle.position)
        bad = next(move for move in moves if move not in best)
        await game.press("m", *str(bad), "enter")
        await game.see("✗ No: ", "Try again, or a shows the answer. 1 of 2 solved;", "0 in a row")
        assert "The good move" not in game.text
        await game.press("a")
        await game.see("The good move was", "1 of 2 solved", "Enter next")
        results = Practice.load().results
        assert sorted(streak for streak, _ in results.values()) == [0, 1]
        assert all(day >= date.today() for _, day in results.values())


def find_moves(id: str, position: object) -> tuple[object, ...]:
    from lineduel.engine import Game

    return Game(find_rulebook(id)).moves(position)  # type: ignore[arg-type]


async def test_a_puzzle_is_answered_by_arrows_digits_and_clicks() -> None:
    async with viewer(size=LARGE) as game:
        await game.press("down", "down", "z")
        for answer in ("enter", "1", "click", "arrows"):
            await game.see("find the only good move")
            if answer == "click":
                await game.click("→")
            elif answer == "arrows":
                await game.press("f", "right", "down", "enter")
            else:
                await game.press(answer)
            await game.until(lambda: "solved;" in game.words, answer)
            await game.press("a", "b", "escape", "m", "1")
            await game.screen("PuzzleScreen")
            await game.press("enter")
        await game.press("escape")
        await game.screen("HomeScreen")


async def test_a_typed_slip_is_no_answer() -> None:
    async with viewer(size=LARGE) as game:
        await game.press("down", "down", "z")
        await game.see("find the only good move")
        await game.press(*"Hm", "enter")
        await game.hear("is not understood")
        await game.see("find the only good move")
        await game.press("escape", "q")
    assert game.app.return_value == 0


async def test_the_review_opens_only_when_it_is_asked_for() -> None:
    """After the end nothing is offered on the board, and the screen stays until Enter."""
    async with viewer(match_of("blockade-duel", "human", "level:1")) as game:
        await game.see("Your move.", "› 1 P1 5→6")
        await game.press("r", "y")
        await game.see("Y O U L O S T", "You resigned after 0 turns.", "Enter: see where")
        await game.rest()
        assert "P1 5→6" not in game.words
        await game.press("enter")
        await game.screen("ReviewScreen")


@pytest.mark.parametrize("size", [SMALL, (80, 24), LARGE])
async def test_resigning_too_early_is_what_gave_the_game_away(size: tuple[int, int]) -> None:
    """The review opens at it, names it, and the chart ends with it."""
    async with viewer(match_of("flag-chase", "human", "level:3"), size=size) as game:
        await game.see("Your move.")
        await game.press("r", "y")
        await game.review()
        await game.see("You lost. You resigned", "That gave the game away.", "0 ┤●", "-1 ┤ ")
        assert "Nobody made a mistake" not in game.words


async def test_the_review_says_who_won_and_at_which_turns_it_went_wrong() -> None:
    async with viewer(match_of("blockade-duel"), size=(80, 24)) as game:
        await reviewed(game)
        await game.see("Player 2 won. What player 1 could expect:")
        assert game.words.count("6→7") == 1, "the move is told once"
        assert game.words.lower().count("better: p1 6→8") == 1, "and so is the better one"
