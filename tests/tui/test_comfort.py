"""What a person at the whole screen expects of it: a large board, words, keys, buttons."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events

from lineduel.engine import Game
from lineduel.match import Match, Saves
from lineduel.play import Session
from lineduel.record import read_position
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Side, assign
from lineduel.tui.app import LineduelApp
from lineduel.tui.duel import DuelScreen
from lineduel.tui.history import StatisticsScreen
from support.screens import HUSH, Viewer, match_of, viewer


def played(viewer: Viewer) -> list[str]:
    """The moves of the game on the screen."""
    screen = next(one for one in viewer.app.screen_stack if isinstance(one, DuelScreen))
    return [str(turn.move) for turn in screen.session.turns]


async def test_a_move_typed_in_one_burst_is_played_whole() -> None:
    """All keys arrive before the screen has drawn anything; none of them is taken for another."""
    async with viewer(match_of("ctf-tokens")) as game:
        for key in ("P", "1", "plus", "3", "enter"):
            game.app.simulate_key(key)
        await game.see("Player 2 to move.")
        assert played(game) == ["P1+3"]


async def test_what_is_pasted_goes_on_with_what_was_typed() -> None:
    async with viewer(match_of("cross-over")) as game:
        await game.press("P")
        game.app.screen.post_message(events.Paste("1-B"))
        await game.see("Your move: P1-B▌")
        game.app.screen.post_message(events.Paste("+2\n"))
        await game.until(lambda: "P1-B 1→3" in game.words and "Player 2 to move" in game.words)


async def test_a_pasted_move_waits_for_enter_unless_it_has_one() -> None:
    """Bracketed paste, as terminals send it."""
    async with viewer(match_of("ctf-tokens")) as game:
        game.app.screen.post_message(events.Paste("P1+3"))
        await game.see("Your move: P1+3▌")
        await game.press("enter")
        await game.see("Player 2 to move.")
        game.app.screen.post_message(events.Paste("P2+2\n"))
        await game.see("Player 1 to move.")
        assert played(game) == ["P1+3", "P2+2"]


async def test_redo_plays_again_what_undo_took_back() -> None:
    """Step by step, until another move is played."""
    async with viewer(match_of("cross-over")) as game:
        await game.press("1", "1", "u", "u", "y")
        await game.until(lambda: len(played(game)) == 1)
        await game.press("y")
        await game.until(lambda: len(played(game)) == 2)
        await game.press("y")
        await game.hear("There is nothing to redo.")
        await game.press("u", "2", "y")
        await game.until(lambda: len(played(game)) == 2)


async def test_vim_keys_are_arrows() -> None:
    async with viewer(match_of("cross-over")) as game:
        await game.press("j")
        await game.see("› 3 P1-C 2→4")
        await game.press("h")
        await game.see("› 2 P1-C 2→3")
        await game.press("l", "k")
        await game.see("› 1 P1-B 1→3")


@pytest.mark.parametrize(
    ("position", "told"),
    [
        (("cross-over", "5,1,2/6,9,8/1"), "takes P2-A"),
        (("cross-over", "7,1,2/10,9,6/1"), "wins"),
        (("ctf-soldiers", "4,0/5,10/1"), "sends S3 home"),
        (("flag-chase", "2/3/1"), "battle!"),
    ],
)
async def test_moves_say_what_they_do(position: tuple[str, str], told: str) -> None:
    """Before they are played."""
    game, start = position
    async with viewer(match_of(game, position=start)) as shown:
        await shown.see(told)


@pytest.mark.parametrize("id", SHIPPED)
async def test_the_board_is_no_smaller_on_a_wider_screen(id: str) -> None:
    """And it stands in the middle, with the whole names of the pieces."""
    widths = []
    for columns in (80, 100, 120, 160):
        async with viewer(match_of(id), size=(columns, 36)) as game:
            bottom = next(row for row in game.rows if row.lstrip().startswith("└"))
            left = len(bottom) - len(bottom.lstrip())
            widths.append(len(bottom) - left)
            assert abs(left - (columns - len(bottom))) <= 2
            for side in Side:
                for piece in find_rulebook(id).rules.team(side).pieces:
                    assert piece.name in game.text
    assert widths == sorted(widths)


async def test_names_are_shortened_to_what_a_reader_would_guess(tmp_path: Path) -> None:
    """Red and Rose are Re and Ro, not d and e."""
    text = HUSH.replace("{ Ann = 20 }", "{ Red = 0, Rose = 1 }").replace("Bob = 24", "Bob = 60")
    text = text.replace("first = 20", "first = 0").replace("last = 24", "last = 60")
    text = text.replace("goal = [24]", "goal = [60]").replace("goal = [20]", "goal = [0]")
    path = tmp_path / "roses.toml"
    path.write_text(text.replace("goal = [60]", "goal = [59]").replace("goal = [0]", "goal = [2]"))
    async with viewer(match_of(str(path)), size=(60, 20)) as game:
        await game.see("►Re", "►Ro")


@pytest.mark.parametrize("game", ["home", "duel", "review", "puzzle", "curtain"])
async def test_a_question_mark_explains_the_keys_everywhere(game: str) -> None:
    """Esc leads back to the same screen."""
    match = (
        match_of("flag-chase", position="3/3/1*") if game == "curtain" else match_of("cross-over")
    )
    async with viewer(None if game == "home" else match) as shown:
        if game == "review":
            await shown.press("r", "y")
            await shown.review()
        elif game == "puzzle":
            await shown.press("z")
            await shown.screen("PuzzleScreen")
        elif game == "curtain":
            await shown.see("Hand the keyboard")
        before = type(shown.app.screen)
        await shown.press("question_mark")
        await shown.screen("Pages")
        await shown.see("Esc")
        await shown.press("escape")
        await shown.until(lambda: type(shown.app.screen) is before)


async def test_a_number_can_be_clicked_and_is_worth_something() -> None:
    """Against the computer the numbers stand below the board; `v` says what each is worth."""
    async with viewer(match_of("flag-chase", "human", "perfect", position="3/3/1*")) as game:
        await game.see("│ 1 │ │ 2 │ │ 3 │ │ 4 │ │ 5 │")
        await game.press("v")
        await game.see("100%", "how often best play chooses it")
        await game.click("│  4   │")
        await game.see("Battle on 3, 4 against")


async def test_a_number_that_is_spent_cannot_be_clicked() -> None:
    """It is seen to be spent, and a click on it asks for nothing."""
    game = Game(assign(find_rulebook("flag-chase"), ["battle.hand=spent"]))
    start = read_position(game, "3/3/1*;135/12345")
    session = Session(game, start, ("human", "level:1"), seed=1)
    async with viewer(Match(session, Saves())) as shown:
        await shown.see("│ 1 │ │···│ │ 3 │ │···│ │ 5 │")
        before = shown.words
        await shown.click("···")
        await shown.settle()
        assert shown.words == before
        await shown.click("│ 5 │")
        await shown.see("Battle on 3, 5 against")


async def test_a_lost_seat_is_explained() -> None:
    """Cross Over is lost for whoever begins, against best play: the seats can be swapped."""
    async with viewer(match_of("cross-over", "human", "perfect")) as game:
        await game.see("Your move.")
        await game.press("r", "y")
        await game.review()
        await game.see("You resigned a lost position (loses in 20).")
        await game.see("The first player always loses here against best play. Swap seats?")


async def test_esc_at_home_asks_before_it_leaves() -> None:
    async with viewer() as home:
        assert "continue" not in home.text
        await home.press("escape")
        await home.see("Leave lineduel?")
        await home.press("n")
        await home.screen("HomeScreen")
        await home.press("escape", "y")
        await home.until(lambda: home.app.is_leaving)


OPENED: dict[str, Callable[[LineduelApp, Match], object]] = {
    "home": lambda app, match: app.go_home(),
    "the setup": lambda app, match: app.set_up("blockade-duel"),
    "the rules": lambda app, match: app.show_rules("blockade-duel"),
    "your games": lambda app, match: app.action_show_history(),
    "the statistics": lambda app, match: app.push_screen(StatisticsScreen(())),
    "puzzles": lambda app, match: app.train("blockade-duel"),
    "a review": lambda app, match: app.review(match),
    "a rematch": lambda app, match: app.rematch(match),
}


@pytest.mark.parametrize("opened", OPENED)
async def test_leaving_while_a_screen_opens_is_no_error(opened: str) -> None:
    """It is mounted when its parts are not made any more."""
    async with viewer(match_of("blockade-duel")) as game:
        await game.press("1")
        screen = game.app.screen
        assert isinstance(screen, DuelScreen)
        assert screen.match
        OPENED[opened](game.app, screen.match)
        game.app.leave(None)
    assert game.app.return_value == 0
