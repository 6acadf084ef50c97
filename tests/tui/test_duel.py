"""A game on the whole screen: every key, against people and programs."""

import re
import sys
import threading
import time
from pathlib import Path
from random import Random

import psutil
import pytest

from lineduel.coach import Adviser
from lineduel.engine import PASS, Game
from lineduel.errors import LineduelError
from lineduel.match import Match, Saves
from lineduel.play import Session
from lineduel.players import Limits, lookahead
from lineduel.record import read_record
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules.assignments import assign
from lineduel.solve import solver
from lineduel.tui.duel import DuelScreen
from support.program import PATIENCE
from support.screens import LARGE, SMALL, Viewer, match_of, viewer

SOME = ("cross-over", "flag-chase")  # without and with battles
ENGINES = Path(__file__).parents[1] / "zoo"


def engines(name: str) -> list[psutil.Process]:
    """The engines of that name that we have started and that have not ended."""
    found = []
    for one in psutil.Process().children(recursive=True):
        try:
            if one.status() != psutil.STATUS_ZOMBIE and name in str(one.cmdline()):
                found.append(one)
        except psutil.NoSuchProcess:
            continue
    return found


def played(viewer: Viewer) -> list[str]:
    """The moves of the game on the screen."""
    screen = next(one for one in viewer.app.screen_stack if isinstance(one, DuelScreen))
    return [str(turn.move) for turn in screen.session.turns]


def kept() -> list[str]:
    """The moves of the one game on disk."""
    (path,) = Saves().folder.glob("*.duel")
    return [str(move) for move in read_record(path.read_text(encoding="utf-8")).moves]


# A new user


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(at, id=game, marks=() if game in SOME else pytest.mark.long)
        for at, game in enumerate(SHIPPED, start=1)
    ],
)
async def test_a_new_user_plays_and_reviews_with_the_keys_on_the_screen(number: int) -> None:
    """Home, level 3, a hint, undo, to the end of the game, and its review, on a small screen."""
    rng = Random(number)
    async with viewer(size=SMALL, seed=number) as game:
        assert f"{number} " in game.words
        await game.press(str(number))
        await game.see("level 3", "Enter start")
        await game.press("enter")
        await game.see(" move.", "i hint", "u undo")
        await game.press("i")
        await game.see("Hint: ")
        await game.press("enter")
        await game.until(lambda: len(played(game)) >= 2, "the computer's move")
        await game.press("u")
        await game.until(lambda: played(game) == [], "both moves taken back")
        screen = game.app.screen
        assert isinstance(screen, DuelScreen)
        for step in range(120):
            await game.until(
                lambda: (
                    type(game.app.screen).__name__ != "DuelScreen"
                    or screen.session.winner is not None
                    or screen.session.program_asked is None
                ),
                "something to do",
            )
            if screen.session.winner is not None:
                break
            if "Enter go on" in game.words:
                await game.press("enter")
            elif step > 40:
                await game.press("r", "y")
            elif screen.session.position.battle is not None:
                await game.press(str(rng.randint(1, 5)))
            else:
                choices = [row.split()[0] for row in game.rows if "→" in row and row[:4].strip()]
                keys = [word for word in choices if word.isdigit()]
                await game.press(keys[0] if keys and rng.random() < 0.9 else "enter")
        if "Enter go on" in game.words:
            await game.press("enter")
        await game.review()
        await game.press("end")  # it opens there, or at the turning point
        await game.see(" after ", "← → step")
        await game.press("left")
        await game.see(f"Turn {len(screen.session.turns)} of {len(screen.session.turns)}")


# Choosing a move


async def test_arrows_pick_a_piece_and_a_cell() -> None:
    """Up and down go through the pieces, left and right through the cells."""
    async with viewer(match_of("cross-over")) as game:
        await game.see("› 1 P1-B 1→3")
        await game.press("down")
        await game.see("› 3 P1-C 2→4")
        await game.press("left")
        await game.see("› 2 P1-C 2→3")
        await game.press("right", "right")
        await game.see("› 2 P1-C 2→3")
        await game.press("up")
        await game.see("› 1 P1-B 1→3")
        await game.press("enter")
        await game.see("Player 2 to move.", "P1-B 1→3")
        assert played(game) == ["P1-B+2"]
        assert kept() == ["P1-B+2"]


async def test_arrows_follow_a_flipped_board() -> None:
    """Left is left as it is seen."""
    async with viewer(match_of("cross-over")) as game:
        await game.press("down", "f")
        await game.until(lambda: game.text.index("10─") < game.text.index("─0─"), "a flipped board")
        await game.see("› 3 P1-C 2→4")
        await game.press("right")
        await game.see("› 2 P1-C 2→3")
        await game.press("f", "right")
        await game.see("› 3 P1-C 2→4")


async def test_left_is_the_next_cell_to_the_left() -> None:
    """Of three cells that a piece can reach, on either side of the board."""
    async with viewer(match_of("ctf-tokens")) as game:
        await game.see("› 1 P1 -5→-4")
        await game.press("right")
        await game.see("› 2 P1 -5→-3")
        await game.press("left", "f", "left")
        await game.see("› 2 P1 -5→-3")
        await game.press("left")
        await game.see("› 3 P1 -5→-2")
        await game.press("right", "right")
        await game.see("› 1 P1 -5→-4")


@pytest.mark.parametrize(
    ("game", "digit", "move"),
    [
        ("cross-over", "2", "P1-C+1"),
        ("ctf-tokens", "3", "P1+3"),
        ("blockade-duel", "2", "P1+2"),
        ("ctf-soldiers", "4", "S2+2"),
        ("flag-chase", "1", "P1+1"),
    ],
)
async def test_a_digit_plays_at_once(game: str, digit: str, move: str) -> None:
    """The rulebook's own number where it has one, else the place in the list."""
    async with viewer(match_of(game)) as shown:
        await shown.press("9", "0", digit)
        await shown.see("Player 2 to move.")
        assert played(shown) == [move]


async def test_typed_notation() -> None:
    """m asks for a move, a capital letter begins it; nonsense is answered, and nothing happens."""
    async with viewer(match_of("cross-over")) as game:
        await game.press("m")
        await game.see("Your move: ▌ Enter play Esc back")
        await game.type("P1-X")
        await game.press("backspace")
        await game.type("C+1")
        await game.press("enter")
        await game.see("Player 2 to move.")
        await game.press("P")
        await game.see("Your move: P▌")
        await game.type("2-b+2")
        await game.press("enter")
        await game.see("Player 1 to move.")
        await game.type("Hello")
        await game.press("enter")
        await game.hear("'Hello' is not understood.")
        await game.see("Your move: Hello▌")
        await game.press("escape", "m", "enter")
        await game.screen("DuelScreen")
        assert played(game) == ["P1-C+1", "P2-B+2"]


async def test_two_clicks_move_a_piece() -> None:
    """The first picks the piece, the second its cell; a click elsewhere does nothing."""
    async with viewer(match_of("cross-over"), size=LARGE) as game:
        await game.click_cell("2")
        await game.see("› 2 P1-C 2→3")
        await game.click_cell("7")
        assert played(game) == []
        await game.click_cell("4")
        await game.see("Player 2 to move.")
        assert played(game) == ["P1-C+2"]
        await game.press("f")
        await game.click_cell("9")
        await game.click_cell("7")
        await game.see("Player 1 to move.")
        assert played(game) == ["P1-C+2", "P2-B+2"]


async def test_the_keys_work_after_a_click_anywhere() -> None:
    async with viewer(match_of("cross-over"), size=LARGE) as game:
        await game.click("Moves so far")
        await game.click("Cross Over")
        await game.press("down", "enter")
        await game.see("Player 2 to move.")


async def test_a_click_in_the_list_plays() -> None:
    async with viewer(match_of("cross-over")) as game:
        await game.click("P1-C 2→4")
        await game.see("Player 2 to move.")
        assert played(game) == ["P1-C+2"]


async def test_a_click_on_any_line_of_a_move_plays_it() -> None:
    """Where there is no room beside it, what is said of it goes on below."""
    for line in ("P1-C 2→3", "lasts longest"):
        async with viewer(match_of("cross-over"), size=(40, 44)) as game:
            await game.press("v")
            await game.see("P1-C 2→3 ✗ loses in 20 lasts longest")
            assert not any("P1-C 2→3" in row and "longest" in row for row in game.rows)
            await game.click(line)
            await game.see("Player 2 to move.")
            assert played(game) == ["P1-C+1"]


async def test_the_list_names_whom_a_move_meets_and_nobody_else() -> None:
    """A piece that stays where it is meets nobody, though an enemy stands there too."""
    pieces = ("player1.pieces=P1:4", "player2.pieces=P2:5")
    keys = ("move.steps=1,0", "meet.enemy=shared", *pieces)
    session = Session(Game(assign(find_rulebook("blockade-duel"), keys)))
    async with viewer(Match(session, Saves())) as game:
        await game.see("P1 4→5 joins P2", "P1 stays")
        await game.press("1")
        await game.see("P2 stays")
        assert "stays joins" not in game.words


async def test_the_list_follows_the_choice_on_a_small_screen(tmp_path: Path) -> None:
    """More moves than lines: the marked one is in sight, and so is its cell."""
    async with viewer(match_of(str(long_way(tmp_path))), size=SMALL) as game:
        for _ in range(3):
            await game.press("down")
            await game.until(lambda: "› " in "\n".join(game.rows[5:]), "the mark")
        assert "A1" in game.text


# Looking and asking


@pytest.mark.parametrize(
    ("game", "position", "signs"),
    [
        ("cross-over", None, ["✗ loses in 18", "✗ loses in 20", "-18"]),
        ("ctf-soldiers", None, ["∞ never ends", "∞"]),
        ("blockade-duel", None, ["✓ wins in", "+5"]),
        ("flag-chase", "2/4/1", ["∞ never ends"]),
        ("ctf-tokens", "3/5/1", ["✓ wins"]),
    ],
)
async def test_values_show_sign_and_colour(
    game: str, position: str | None, signs: list[str]
) -> None:
    """On the board and in the list, in the colour of what they mean; v again hides them."""
    async with viewer(match_of(game, position=position)) as shown:
        await shown.see(" move.")
        await shown.press("v")
        await shown.see(*signs)
        variables = shown.app.theme_variables
        colours = {"✓": "win", "✗": "loss", "∞": "endless"}
        for strip in shown.strips:
            for text, style, _ in strip:
                for sign, name in colours.items():
                    if sign in text and "in " in text and style and style.color:
                        assert style.color.name.lower() == variables[name].lower()
        await shown.press("v")
        await shown.until(lambda: signs[0] not in shown.words, "no values")
        await shown.press("v", "1")
        await shown.until(lambda: any(sign in shown.words for sign in "✓✗∞"), "values go on")


async def test_a_hint_disappears_with_the_move() -> None:
    async with viewer(match_of("cross-over")) as game:
        await game.press("i")
        await game.see("Hint: Player 2 wins with best play, whatever you move.", "(i: why)")
        await game.press("i")
        await game.see("Hint: Every move loses; this one lasts", "(i: the move)")
        await game.press("i")
        await game.see("Hint: P1-C 2→3: it holds out longest, 20 turns.", "Best play:")
        await game.press("2")
        await game.see("Player 2 to move.")
        assert "Hint" not in game.text
        await game.press("i")  # of another position: where to look comes first again
        await game.see("(i: why)")


async def test_a_question_stays_in_sight_until_it_is_answered(tmp_path: Path) -> None:
    """Whoever asked may play on, which hides what was said about the turn before."""

    class Asked(Match):
        request = "Ann asks to take back turn 1."

    match = Asked(Session(Game(find_rulebook("cross-over"))), Saves(tmp_path))
    async with viewer(match) as game:
        await game.see("Ann asks to take back turn 1. y: allow n: refuse")
        for side in (2, 1):
            await game.press("1")
            await game.see(f"Player {side} to move.")
            assert "Ann asks to take back turn 1. y: allow" in game.words


async def test_a_rulebook_too_large_to_solve_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hints and values say how far they see, without a complaint; search needs no solution."""
    monkeypatch.setattr(lookahead, "MOST_SEARCHED", 10_000)  # so that a hint takes less long
    monkeypatch.setattr(solver, "MOST_PLAIN", 10_000)
    match = match_of(str(long_way(tmp_path)), "human", "search")
    match.settings.limits = Limits(movetime=50)
    async with viewer(match, size=SMALL) as game:
        await game.see(" move.")
        await game.press("i")
        await game.see("turns ahead.")
        await game.press("v")
        await game.see("? undecided")
        await game.press("1")
        await game.until(lambda: len(played(game)) == 2, "the search's move")
        await game.see("Your move.")
        await game.press("1")
        await game.until(lambda: len(played(game)) == 4)
        assert game.messages == []
        await game.press("r", "y")
        await game.review()
        await game.press("left", "right")
        await game.see("You resigned after 4 turns.")
    await game.until(lambda: not thinking(), "the review that nobody waits for ends")


def thinking() -> list[threading.Thread]:
    """The threads that work beside a screen."""
    return [one for one in threading.enumerate() if one.name == "thinker"]


def long_way(folder: Path) -> Path:
    """A rulebook with 64 cells and too many positions."""
    mine = ", ".join(f"A{number} = {number}" for number in range(6))
    yours = ", ".join(f"B{number} = {63 - number}" for number in range(6))
    path = folder / "long.toml"
    path.write_text(
        f"""
title = "Long Way"
summary = "A very long track."
[track]
first = 0
last = 63
[player1]
pieces = {{ {mine} }}
goal = [63]
[player2]
pieces = {{ {yours} }}
goal = [0]
[turn]
first = "player1"
[move]
steps = [1, 2, 5, -1]
[meet]
own = "blocked"
enemy = "captured"
""",
        encoding="utf-8",
    )
    return path


async def test_all_keys_are_explained() -> None:
    """? lists every key that the screen listens to."""
    from lineduel.tui.game_keys import HELP, LIVE_HELP

    async with viewer(match_of("cross-over"), size=SMALL) as game:
        await game.press("question_mark")
        await game.see("Playing", "where the piece goes")
        await game.press("end")
        await game.see("back to the games; this one is saved")
        await game.press("escape")
        await game.screen("DuelScreen")
    for binding in DuelScreen.BINDINGS:
        key = binding[0] if isinstance(binding, tuple) else binding.key
        shown = {"question_mark": "", "escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn"}
        assert re.search(rf"\[\$key\](\w )*{shown.get(key, key)}\b", HELP + LIVE_HELP)


def test_every_key_of_the_bar_can_be_clicked() -> None:
    """What the bars below a game name, in this process and elsewhere, the screen can do."""
    from lineduel.tui import game_keys

    bars = [getattr(game_keys, name) for name in dir(game_keys) if "KEYS" in name]
    assert len(bars) >= 4
    for _, _, action in (key for bar in bars for key in bar):
        name = action.removeprefix("screen.").partition("(")[0]
        assert callable(getattr(DuelScreen, f"action_{name}"))


async def test_what_happened_scrolls_with_page_keys() -> None:
    async with viewer(match_of("flag-chase"), size=SMALL) as game:
        for _ in range(6):
            await game.press("2", "2")
        await game.see(" 12 P2 stays")
        await game.press(*["pageup"] * 6)
        await game.see(" 1 P1 stays")
        await game.press(*["pagedown"] * 6)
        await game.see(" 12 P2 stays")


# Undo, resigning, saving, leaving


async def test_undo_between_people_takes_back_one_move() -> None:
    async with viewer(match_of("cross-over")) as game:
        await game.press("1", "1", "u")
        await game.see("Player 2 to move.")
        assert played(game) == ["P1-B+2"]
        assert kept() == ["P1-B+2"]
        await game.press("u")
        await game.see("No moves yet.")
        await game.press("u")
        await game.hear("There is nothing to take back.")
        assert not list(Saves().folder.glob("*.duel"))


async def test_undo_against_the_computer_takes_back_both_moves() -> None:
    async with viewer(match_of("cross-over", "human", "level:3")) as game:
        await game.see(" move.")
        await game.press("1")
        await game.until(lambda: len(played(game)) == 2)
        await game.press("u")
        await game.until(lambda: played(game) == [])
        await game.see("Your move.")


async def test_undo_after_the_end_goes_on() -> None:
    """The last move is taken back while the result is on the screen."""
    match = match_of("blockade-duel", position="8/5/1")
    async with viewer(match, animated=True) as game:
        await game.press("2")
        await game.see("★", "Enter review")
        await game.press("u")
        await game.see("Player 1 to move.", "? help")
        assert "★" not in game.text, "nor does the board go on celebrating"
        await game.press("1")
        await game.see("Player 2 to move.")


async def test_resigning_asks_first() -> None:
    async with viewer(match_of("cross-over")) as game:
        await game.press("1", "r")
        await game.see("Player 2, resign?")
        await game.press("n")
        await game.screen("DuelScreen")
        await game.press("r", "escape", "r", "y")
        await game.review()
        await game.see("Player 2 resigned")
    (path,) = Saves().folder.glob("*.duel")
    assert read_record(path.read_text(encoding="utf-8")).winner == 1


async def test_resigning_before_the_first_move() -> None:
    """The review of a game without moves opens, and leads to another game."""
    async with viewer(match_of("cross-over")) as game:
        await game.press("r", "y")
        await game.review()
        await game.see("Player 1 resigned")
        await game.press("left", "right", "up", "down")
        await game.screen("ReviewScreen")
        await game.press("p")
        await game.see("Player 1 to move.")


async def test_saving_never_replaces_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with viewer(match_of("cross-over")) as game:
        await game.press("1", "s")
        await game.see("Save the game as:", "cross-over.duel")
        await game.press("enter")
        await game.hear("Saved as cross-over.duel.")
        before = (tmp_path / "cross-over.duel").read_bytes()
        await game.press("1", "s", "enter")
        await game.hear("already exists; choose another name.")
        assert (tmp_path / "cross-over.duel").read_bytes() == before
        await game.press("s", "escape", "s", *["backspace"] * 20)
        await game.type("~nobody-at-all/x")
        await game.press("enter")
        await game.hear("There is no home folder")
        await game.press("s", *["backspace"] * 20)
        await game.type("cross-over.duel/y")
        await game.press("enter")
        await game.hear("There is no folder cross-over.duel.")


async def test_a_new_game_of_the_same_rulebook() -> None:
    async with viewer(match_of("cross-over:no-jump")) as game:
        await game.press("1", "n")
        await game.see("Cross Over", "no jump")
        await game.press("enter")
        await game.until(lambda: played(game) == [], "a new game")
        await game.see("◄ the computer (level 3, easy)")


LEAVING: list[tuple[str, int, str | None]] = [
    ("q", 0, None)
]  # in a dialog q closes it, or is typed into it
LEAVING += [
    (key, status, dialog)
    for key, status in (("ctrl+c", 130), ("ctrl+q", 0))
    for dialog in (None, "question_mark", "s", "r")
]


@pytest.mark.parametrize(("key", "status", "dialog"), LEAVING)
async def test_leaving_keeps_the_game(key: str, status: int, dialog: str | None) -> None:
    """The way to go on is told on the terminal, whatever was open."""
    async with viewer(match_of("cross-over")) as game:
        await game.press("1")
        if dialog:
            await game.press(dialog)
        await game.press(key)
    assert game.app.return_value == status
    assert game.app.farewell == "Game saved. Resume with: lineduel play --resume"
    assert kept() == ["P1-B+2"]


async def test_leaving_before_the_first_move_keeps_nothing() -> None:
    async with viewer(match_of("cross-over")) as game:
        await game.press("q")
    assert game.app.farewell == ""
    assert not list(Saves().folder.glob("*"))


async def test_a_disk_that_refuses_is_told_once_and_on_leaving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on, and nobody is told that it is kept."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LINEDUEL_DATA", str(tmp_path / "file"))
    async with viewer(match_of("cross-over")) as game:
        await game.press("1", "1", "1")
        await game.hear("The game is not saved:")
        assert len(game.messages) == 1
        await game.press("q")
    assert game.app.farewell.startswith("The game is not saved:")


# Passes and repeated positions


async def test_a_forced_pass_is_played_and_told(tmp_path: Path) -> None:
    """Whoever cannot move passes without being asked; the other side is asked."""
    path = tmp_path / "wait.toml"
    path.write_text(STUCK.replace("steps = [1]", "steps = [1, -1]"), encoding="utf-8")
    async with viewer(match_of(str(path), position="1/2/1")) as game:
        await game.until(lambda: played(game) == [str(PASS)], "a pass")
        await game.see("pass", "Player 2 to move.", "Bob back to ")


async def test_both_stuck_is_told(tmp_path: Path) -> None:
    """Where both sides can only pass, the screen says that play would never end."""
    path = tmp_path / "stuck.toml"
    path.write_text(STUCK, encoding="utf-8")
    async with viewer(match_of(str(path))) as game:
        await game.press("enter")
        await game.see("pass", "Neither side can move any more, so play would never end.")
        await game.press("enter", "u", "r", "y")
        await game.review()


STUCK = """
title = "Stuck"
summary = "Nose to nose."
[track]
first = 1
last = 4
[player1]
pieces = { Ann = 1 }
goal = [4]
[player2]
pieces = { Bob = 3 }
goal = [1]
[turn]
first = "player1"
[move]
steps = [1]
jump = false
[meet]
own = "blocked"
enemy = "blocked"
"""


async def test_a_repeated_position_is_told() -> None:
    async with viewer(match_of("flag-chase")) as game:
        await game.press("1", "1", "2", "2")
        assert "come up" not in game.words
        await game.press("1", "1", "2", "2")
        await game.see("This position has now come up 3 times.")


async def test_a_cycle_of_best_play_is_told_where_values_are_known() -> None:
    async with viewer(match_of("flag-chase")) as game:
        await game.press("v")
        await game.see("never ends")
        await game.press("1", "1", "2", "2")
        await game.see("Neither side has made a mistake since")


# The coach


async def test_the_coach_asks_before_value_is_given_away() -> None:
    """It says why. No: nothing happens. Yes: it is played. A good move is played without a word."""
    async with viewer(match_of("cross-over:no-jump", coach=True)) as game:
        await game.press("1")
        await game.see("is a mistake", "if nothing is in the way", "Play it anyway?")
        await game.press("n")
        await game.screen("DuelScreen")
        assert played(game) == []
        await game.press("1")
        await game.see("Play it anyway?")
        await game.press("y")
        await game.see("Player 2 to move.")
        assert played(game) == ["P1-C+1"]
    async with viewer(match_of("cross-over:no-jump", coach=True)) as game:
        await game.press("2")
        await game.see("Player 2 to move.")
        assert played(game) == ["P1-C+2"]


async def test_the_coach_asks_one_question_at_a_time() -> None:
    """Two keys in haste play one move."""
    async with viewer(match_of("cross-over:no-jump", coach=True)) as game:
        game.app.simulate_key("1")
        game.app.simulate_key("1")
        await game.see("Play it anyway?")
        await game.press("y")
        await game.see("Player 2 to move.")
        await game.screen("DuelScreen")
        assert played(game) == ["P1-C+1"]


# Programs


async def test_two_programs_play_each_other() -> None:
    """Nobody is asked; the result stays until Enter."""
    async with viewer(match_of("blockade-duel", "perfect", "level:1")) as game:
        await game.press("u")
        await game.hear("Only computers play here")
        await game.see("★", "Enter review")
        await game.press("enter")
        await game.screen("ReviewScreen")
        await game.press("m")
        await game.screen("DuelScreen")
        await game.see("► Player 1 (level 1, random) against ◄ player 2 (perfect)")


@pytest.mark.parametrize(
    "engine",
    [
        "crashes_at_go",
        "crashes_with_words",
        "plays_illegally",
        "talks_nonsense",
        "closes_output",
        "says_no_move",
        "chooses_impossible",
    ],
)
async def test_an_engine_that_fails_forfeits(engine: str) -> None:
    """The game is over, and the reason is told; nothing crashes."""
    name = f"engine:{sys.executable} {ENGINES / engine}.py"
    match = match_of("flag-chase", "human", name)
    async with viewer(match) as game:
        for turns in range(0, 6, 2):
            await game.until(
                lambda: (
                    match.session.winner is not None
                    or (len(match.session.turns) >= turns and match.session.people_asked)  # noqa: B023
                ),
                "the player's turn",
            )
            if match.session.winner is not None:
                break
            if "Enter go on" in game.words:
                await game.press("enter")
            await game.press("1")
        await game.hear("forfeits the game.")
        await game.review()
        assert (match.session.forfeited, match.session.resigned) == (2, None)


async def test_an_engine_that_is_not_there_is_told() -> None:
    match = match_of("flag-chase", "engine:no-such-program-anywhere", "human")
    async with viewer(match) as game:
        await game.see("There is no program called 'no-such-program-anywhere'.")
        assert match.session.winner is None


async def test_leaving_while_an_engine_thinks_keeps_the_game_open() -> None:
    """The engine is sent away at once; that is no forfeit, and the screen does not wait."""
    name = f"engine:{sys.executable} {ENGINES / 'hangs_at_go.py'}"
    match = match_of("flag-chase", "human", name)
    match.settings.limits = Limits(movetime=60_000)
    async with viewer(match) as game:
        await game.see(" move.")
        await game.press("1")
        await game.see("is thinking …")
        await game.until(lambda: engines("hangs_at_go"))
        start = time.monotonic()
        await game.press("escape")
        await game.screen("HomeScreen")
        assert time.monotonic() - start < 30  # half of the time that the engine has
        await game.see("continue Flag Chase, after 1 turn")
        await game.until(lambda: not engines("hangs_at_go"))  # and by then it was heard of
    assert match.session.winner is None
    assert kept() == ["P1+1"]


async def test_the_screen_answers_while_the_computer_thinks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Keys act at once, however long a thought takes; undo makes it void."""
    thinking, go_on, over = threading.Event(), threading.Event(), threading.Event()
    think = Match.think

    def slowly(self: Match, side: object) -> object:
        thinking.set()
        go_on.wait(PATIENCE)
        try:
            return think(self, side)  # type: ignore[arg-type]
        finally:
            over.set()

    monkeypatch.setattr(Match, "think", slowly)
    async with viewer(match_of("cross-over", "human", "level:3")) as game:
        await game.see(" move.")
        await game.press("1")
        await game.until(thinking.is_set)
        await game.see("The computer is thinking …")
        await game.press("f")
        assert game.text.index("10─") < game.text.index("─0─")
        await game.press("d", "question_mark")
        await game.see("Playing")
        await game.press("escape", "1", "enter", "m", "v", "i", "u")
        await game.see("Your move.")
        assert not over.is_set()
        go_on.set()
        await game.until(over.is_set)
        assert played(game) == []
        await game.see("Your move.")


async def test_a_busy_thought_leaves_the_screen_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thought in pure Python, which shares the processor, delays a key by no more than frames."""
    stop = threading.Event()
    think = Match.think

    def busily(self: Match, side: object) -> object:
        while not stop.is_set():
            sum(range(1000))
        return think(self, side)  # type: ignore[arg-type]

    monkeypatch.setattr(Match, "think", busily)
    async with viewer(match_of("cross-over", "human", "level:3")) as game:
        await game.see(" move.")
        await game.press("1")
        await game.see("is thinking …")
        taken = []
        for _ in range(6):
            start = time.process_time()  # the thought never rests, so it runs as we are let run
            await game.press("f")
            taken.append(time.process_time() - start)
        stop.set()
        assert sorted(taken)[2] < 0.25
        await game.until(lambda: len(played(game)) == 2)


async def test_a_defect_in_a_thought_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw ends the program with its reason; it does not look like thinking."""

    def break_down(self: Match, side: object) -> object:
        raise ZeroDivisionError

    async def play() -> None:
        async with viewer(match_of("cross-over", "human", "level:3")) as game:
            await game.see(" move.")
            await game.press("1")
            await game.until(lambda: not game.app.is_running)

    monkeypatch.setattr(Match, "think", break_down)
    with pytest.raises(ZeroDivisionError):
        await play()


# What is seen


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Animations wait to be shown picture by picture."""
    monkeypatch.setattr("lineduel.tui.board.FRAME", float(PATIENCE))


async def pictures_of(game: Viewer) -> list[str]:
    """What is seen of an animation, up to its end."""
    seen = [game.text]
    while game.board.is_moving:
        game.board._next_frame()
        await game.settle()
        seen.append(game.text)
    game.board._next_frame()
    return seen


@pytest.mark.usefixtures("stopped_clock")
async def test_a_move_is_seen_cell_by_cell_and_haste_harms_nothing() -> None:
    """Pieces glide; keys pressed meanwhile count."""
    async with viewer(match_of("ctf-tokens"), animated=True) as game:
        await game.press("3")
        assert game.board.is_moving
        await game.press("3")
        assert game.board.is_moving
        assert played(game) == ["P1+3", "P2+3"]
        assert len(set(await pictures_of(game))) >= 6
        await game.see("Player 1 to move.")


async def test_an_animation_ends_by_itself() -> None:
    async with viewer(match_of("ctf-tokens"), animated=True) as game:
        await game.press("3", "3")
        await game.until(lambda: not game.board.is_moving)
        await game.see("Player 1 to move.")


@pytest.mark.usefixtures("stopped_clock")
async def test_a_capture_and_being_sent_home_are_seen() -> None:
    for name, position, sign in (
        ("cross-over", "4,x,x/6,9,8/1", "✕"),
        ("ctf-soldiers", "4,0/6,10/1", "⌂"),
    ):
        match = match_of(name, position=position)
        async with viewer(match, animated=True) as game:
            piece = match.session.rulebook.rules.player1.pieces[0].name
            await game.press("m", *f"{piece}+2", "enter")
            assert any(sign * 3 in picture for picture in await pictures_of(game))


@pytest.mark.parametrize("size", [(10, 4), (30, 10), (59, 19), (1, 1), SMALL, (200, 60)])
async def test_any_size_is_survived(size: tuple[int, int]) -> None:
    """Smaller than promised is no crash; growing again shows all."""
    async with viewer(match_of("cross-over"), size=size, every_frame=True) as game:
        await game.press("1", "i", "question_mark", "escape", "v")
        await game.pilot.resize_terminal(80, 24)
        await game.see("Player 2 to move.")
        await game.press("escape")
        await game.screen("HomeScreen")
        await game.pilot.resize_terminal(*size)
        await game.press("1", "enter")


async def test_an_answer_that_comes_too_late_is_not_shown() -> None:
    """It belongs to a position that is gone: values, hints and warnings alike."""
    async with viewer(match_of("cross-over")) as shown:
        await shown.see(" move.")
        screen, go_on, told = shown.app.screen, threading.Event(), list[str]()
        assert isinstance(screen, DuelScreen)

        def complain(error: LineduelError) -> None:
            told.append(str(error))

        screen.think(lambda: go_on.wait(PATIENCE), lambda _: told.append("late"), complain)
        await shown.press("1")
        screen.think(lambda: None, lambda _: told.append("in time"), complain)
        go_on.set()
        await shown.until(lambda: told, "an answer")
        assert told == ["in time"]


async def test_values_of_the_position_before_are_gone_with_the_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Until those of the new one are known, none are shown."""
    async with viewer(match_of("ctf-soldiers")) as shown:
        await shown.see(" move.")
        await shown.press("v")
        await shown.see("∞ never ends")
        screen, go_on = shown.app.screen, threading.Event()
        assert isinstance(screen, DuelScreen)
        monkeypatch.setattr(Adviser, "moves", lambda *_: go_on.wait(PATIENCE) and ())
        await shown.press("1")
        await shown.see("Player 2 to move.")
        await shown.until(lambda: not screen._values, "no values")
        go_on.set()
