"""The first screen and what it leads to: setting up a game, rules, your games."""

from pathlib import Path

import pytest

from lineduel.rulebooks import SHIPPED, find_rulebook, remember_rulebook
from lineduel.tui.duel import DuelScreen
from support.screens import LARGE, SMALL, Viewer, match_of, viewer

TITLES = [find_rulebook(game).title for game in SHIPPED]


def duel(viewer: Viewer) -> DuelScreen:
    assert isinstance(viewer.app.screen, DuelScreen)
    return viewer.app.screen


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_home_shows_five_games_with_goal_and_track(size: tuple[int, int]) -> None:
    """All five are on the smallest screen, too, and so are the keys."""
    async with viewer(size=size) as home:
        for game in SHIPPED:
            rulebook = find_rulebook(game)
            await home.see(rulebook.title, rulebook.summary)
        await home.until(lambda: home.text.count("►") >= 4, "living tracks")
        for key in ("Enter play", "g your games", "z puzzles", "b rules", "q quit"):
            assert key in home.words


async def test_the_small_tracks_play_by_themselves() -> None:
    """A picture changes while nobody does anything; without animation it stays."""
    async with viewer(animated=True) as home:
        await home.until(lambda: "►" in home.text)
        before = home.text
        await home.until(lambda: home.text != before, "a move on a card")


@pytest.mark.parametrize("number", range(1, 6))
async def test_a_digit_or_the_arrows_choose_a_game(number: int) -> None:
    """Both ways lead to the same question."""
    async with viewer() as home:
        await home.press(str(number))
        await home.screen("SetupScreen")
        await home.see(TITLES[number - 1], "Begins", "Coach", "level 3")
        await home.press("escape")
        await home.screen("HomeScreen")
    async with viewer() as home:
        await home.press(*["down"] * (number - 1), "enter")
        await home.screen("SetupScreen")
        await home.see(TITLES[number - 1])


async def test_up_from_the_first_game_is_the_last() -> None:
    async with viewer() as home:
        await home.press("up", "b")
        await home.see("Blockade Duel", "Leave the middle", "The track")


async def test_a_click_on_a_card_opens_it() -> None:
    async with viewer() as home:
        await home.click("Blockade Duel")
        await home.screen("SetupScreen")
        await home.see("standard")


async def test_a_click_on_the_keys_works_like_the_keys() -> None:
    async with viewer() as home:
        await home.click("b rules")
        await home.screen("Pages")
        await home.press("escape")
        await home.click("q quit")
    assert home.app.return_code == 0


async def test_colours_change_with_d() -> None:
    async with viewer() as home:
        assert home.app.theme == "lineduel-dark"
        await home.press("d")
        assert home.app.theme == "lineduel-light"
        await home.press("d")
        assert home.app.theme == "lineduel-dark"


@pytest.mark.parametrize(
    ("background", "theme"), [("15;0", "dark"), ("0;15", "light"), ("0;7", "light"), ("", "dark")]
)
async def test_the_terminal_says_whether_it_is_light(
    monkeypatch: pytest.MonkeyPatch, background: str, theme: str
) -> None:
    from lineduel.tui.app import LineduelApp

    monkeypatch.setenv("COLORFGBG", background)
    assert LineduelApp().theme == f"lineduel-{theme}"


async def test_less_motion_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from lineduel.tui.app import LineduelApp

    assert LineduelApp().animated
    assert not LineduelApp(animated=False).animated
    monkeypatch.setenv("REDUCE_MOTION", "1")
    assert not LineduelApp().animated


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+q"])
async def test_home_is_left_by_a_key(key: str) -> None:
    async with viewer() as home:
        await home.press(key)
    assert home.app.return_value == 0
    assert home.app.farewell == ""


async def test_ctrl_c_ends_with_its_own_status() -> None:
    async with viewer() as home:
        await home.press("ctrl+c")
    assert home.app.return_value == 130


async def test_nothing_to_continue_is_said() -> None:
    async with viewer() as home:
        await home.press("c")
        await home.hear("There is no unfinished game.")
        await home.press("g")
        await home.see("You have not played yet.")
        await home.press("down", "enter", "escape")
        await home.screen("HomeScreen")


# Who plays


async def test_setting_up_a_game() -> None:
    """The variant, the seats, who begins and the coach come to the table."""
    async with viewer() as home:
        await home.press("1")
        await home.screen("SetupScreen")
        await home.press("left")
        await home.see("level 2", "Sees forced wins")
        await home.press("up", "right")
        await home.see("level 1")
        await home.press("up", "right")
        await home.see("own may share", "Own pieces may share a cell.")
        await home.press("right", "down", "left", "up")
        await home.see("no jump")
        await home.press("up", "right")
        await home.see("Coach ‹ on ›", "warns you before you play a mistake")
        await home.press("enter")
        await home.screen("DuelScreen")
        match = duel(home).match
        assert match
        assert match.session.seats == ("human", "level:2")
        assert match.session.rulebook.id == "cross-over:no-jump"
        assert match.settings.coach


@pytest.mark.parametrize(("turns", "side"), [(0, 1), (1, 2)])
async def test_who_begins_is_asked_where_it_is_open(turns: int, side: int) -> None:
    """Capture the Flag (Soldiers) leaves it open; by lot it is one of the two."""
    async with viewer() as home:
        await home.press("3", "down", *["right"] * turns, "enter")
        await home.screen("DuelScreen")
        assert duel(home).session.start.side == side


async def test_by_lot_both_sides_come_up() -> None:
    begun = set()
    for seed in range(6):
        async with viewer(seed=seed) as home:
            await home.press("3", *["left"] * 3, "down", "left")
            await home.see("at random")
            await home.press("enter")
            await home.screen("DuelScreen")
            begun.add(int(duel(home).session.start.side))
    assert begun == {1, 2}


async def test_an_engine_is_asked_for_its_command() -> None:
    """A command that cannot be one is refused; Esc leads back to the question."""
    async with viewer() as home:
        await home.press("2", *["left"] * 4)
        await home.see("another program …", "Enter asks for the command")
        await home.press("enter")
        await home.see("The command that starts player 2's engine:")
        await home.press("escape")
        await home.screen("SetupScreen")
        await home.press("enter")
        await home.type("no-such-program")
        await home.press("enter")
        await home.see("no-such-program")
        await home.screen("DuelScreen")
        assert duel(home).session.seats == ("human", "engine:no-such-program")


async def test_a_click_answers_a_question() -> None:
    async with viewer() as home:
        await home.press("5")
        await home.screen("SetupScreen")
        await home.click("standard")
        await home.see("from bases", "Each token starts on its own base.")
        await home.click("Enter start")
        await home.screen("DuelScreen")
        assert duel(home).session.rulebook.id == "blockade-duel:from-bases"


async def test_q_in_a_question_leaves_only_the_question() -> None:
    async with viewer() as home:
        await home.press("3", "q")
        await home.screen("HomeScreen")


# Rules


@pytest.mark.parametrize(("number", "game"), enumerate(SHIPPED))
async def test_the_rules_of_every_game_can_be_read_to_their_end(number: int, game: str) -> None:
    """The smallest screen scrolls them."""
    from lineduel.rules.describe import describe

    rulebook = find_rulebook(game)
    last = describe(rulebook, notes=False)[-1].paragraphs[-1].split()[-3:]
    async with viewer(size=SMALL) as home:
        await home.press(*["down"] * number, "b")
        await home.see(rulebook.title)
        await home.press("end")
        await home.see(" ".join(last[-1:]))
        await home.press("escape")
        await home.screen("HomeScreen")


# The games played so far


async def test_a_game_goes_on_from_home() -> None:
    """What was left is offered with its name and length, and goes on where it was."""
    async with viewer(match_of("blockade-duel")) as game:
        await game.press("1", "2", "escape")
        await game.screen("HomeScreen")
        await game.see("c continue Blockade Duel, after 2 turns")
        await game.press("c")
        await game.screen("DuelScreen")
        await game.see("P1 5→6", "P2 5→3", "Player 1 to move.")
        await game.press("2")
        await game.see("P1 6→8")
        await game.press("escape")
        await game.see("after 3 turns")
        assert len(duels_on_disk()) == 1


async def test_recent_games_are_listed_and_opened() -> None:
    """An unfinished one goes on, a finished one is reviewed."""
    async with viewer(match_of("blockade-duel")) as game:
        await game.press("1", "r", "y")
        await game.review()
        await game.press("n", "up", "up", "up", "right", "down", "left", "left", "left")
        await game.press("enter")
        await game.see(" move.")
        await game.press("1")
        await game.see("Moves so far 1 P1 5→6 2 P2 5→")
        await game.press("escape")
        await game.screen("HomeScreen")
        await game.press("g")
        await game.see("unfinished", "Player 1 won", "two people", "today")
        await game.press("down", "enter")
        await game.screen("ReviewScreen")
        await game.press("escape", "g")
        await game.see("unfinished")
        await game.click("unfinished")
        await game.screen("DuelScreen")


async def test_many_games_scroll_with_the_choice_on_a_small_screen() -> None:
    from datetime import datetime

    from lineduel.match import Saves
    from lineduel.record import parse_move

    match = match_of("cross-over", "human", "level:3")
    for move in ("P1-C+1", "P2-C+1"):
        match.session.play(parse_move(move))
    record = match.file.record()
    for second in range(30):
        Saves().add(record, datetime(2026, 1, 1, 12, 0, second))
    async with viewer(size=SMALL) as home:
        await home.press("g")
        await home.screen("HistoryScreen")
        await home.see("30 games, 1 to 8 shown", "› ")
        await home.press("up")
        await home.see("30 games, 23 to 30 shown")
        await home.until(lambda: any(row.lstrip("│ ").startswith("›") for row in home.rows))
        assert all(row.count("unfinished") <= 1 for row in home.rows), "a line for each game"


async def test_a_damaged_save_harms_nothing() -> None:
    from lineduel.match import Saves

    folder = Saves().folder
    folder.mkdir(parents=True)
    (folder / "broken.duel").write_bytes(b"\xff\x00")
    async with viewer(size=LARGE) as home:
        await home.until(lambda: "►" in home.text)
        await home.press("c")
        await home.hear("There is no unfinished game.")


def duels_on_disk() -> list[Path]:
    from lineduel.match import Saves

    return sorted(Saves().folder.glob("*.duel"))


# A rulebook of one's own


TUG = """\
title = "Tug [b] of $war"
summary = "First to touch wins [/]."
[track]
first = 1
last = 7
[player1]
pieces = { Ann = 1 }
goal = [7]
[player2]
pieces = { Bob = 7 }
goal = [1]
[turn]
first = "either"
[move]
steps = [1, 2]
[meet]
own = "blocked"
enemy = "wins"
[variants.slow]
summary = "One step at a time [i]."
why = "Why not."
move.steps = [1]
"""


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_own_rulebooks_stand_on_the_home_screen(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """They are remembered from one time to the next; one that is gone is left out."""
    for name in ("gone", "tug"):
        (tmp_path / f"{name}.toml").write_text(TUG, encoding="utf-8")
        remember_rulebook(str(tmp_path / f"{name}.toml"))
    (tmp_path / "gone.toml").unlink()
    async with viewer(size=size) as home:
        await home.until(lambda: home.app.screen.query(".many"))
        await home.press("up")
        await home.see("6 Tug [b] of $war your rulebook")
        assert "7 Tug" not in home.words
        await home.press("6")
        await home.screen("SetupScreen")
        await home.press("enter")
        await home.screen("DuelScreen")
        assert duel(home).session.rulebook.id == "tug"


async def test_a_rulebook_of_ones_own_works_on_every_screen(tmp_path: Path) -> None:
    """Its card, rules, puzzles, games, variants and reviews; nothing in it is taken for markup."""
    path = tmp_path / "tug.toml"
    path.write_text(TUG, encoding="utf-8")
    async with viewer(match_of(str(path), "human", "level:3")) as game:
        await game.see("Tug [b] of $war", " move.")
        await game.press("b")
        await game.see("First to touch wins [/].")
        await game.press("escape", "n")
        await game.see("Tug [b] of $war", "Rules")
        await game.press("up", "up", "right")
        await game.see("slow", "One step at a time [i].")
        await game.press("escape", "i")
        await game.see("Hint: ", "(i: why)")
        await game.press("i", "i")
        await game.see("Hint: Ann")
        await game.press("1")
        await game.see("Ann 1→2")
        await game.press("escape")
        await game.screen("HomeScreen")
        await game.see("6 Tug [b] of $war", "continue Tug [b] of $war")
        await game.press("6")
        await game.screen("SetupScreen")
        await game.see("Tug [b] of $war")
        await game.press("escape", "z")
        await game.screen("PuzzleScreen")
        await game.see("Tug [b] of $war", "to move: find the only good move")
        await game.press("escape")
        await game.screen("HomeScreen")
        await game.see("continue Tug")
        await game.press("c")
        await game.screen("DuelScreen")
        await game.press("r", "y")
        await game.review()
        await game.see("Tug [b] of $war", "accuracy")
        await game.press("z")
        await game.screen("PuzzleScreen")
        await game.see("find the only good move")
