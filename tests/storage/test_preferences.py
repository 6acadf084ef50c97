"""What the program remembers about a person from one time to the next."""

import os
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path

import pytest

from lineduel.cli.command_tree import command_tree
from lineduel.preferences import (
    Preferences,
    change_preferences,
    load_preferences,
    preferences_file,
)
from lineduel.tui.app import LineduelApp
from lineduel.tui.dialogs import SetupScreen
from support.program import PATIENCE, Program
from support.screens import viewer
from support.terminal import Sitting


def remember(preferences: Preferences) -> None:
    """These, whatever there was before."""
    change_preferences(lambda _: preferences)


def test_settings_survive_being_kept() -> None:
    preferences = Preferences(
        theme="light", animation=False, coach=True, name="Ann", guest='B "ob" é'
    ).with_opponent('a "b"', "level:3")
    remember(preferences)
    assert load_preferences() == preferences
    remember(replace(preferences, theme=None))
    assert load_preferences().theme is None


@pytest.mark.parametrize(
    "text",
    [
        "theme = 5\n",
        "theme = [",
        "\x00",
        "opponents = 3",
        'coach = "on"',
        "name = 3",
        'name = "\\u001b[5m"',
        f'guest = "{"x" * 25}"',
    ],
)
def test_what_cannot_be_understood_counts_as_not_set(text: str) -> None:
    """A file that is no TOML is put aside before another is written."""
    preferences_file().write_text(text)
    assert load_preferences() == Preferences()
    remember(Preferences(theme="dark"))
    assert load_preferences().theme == "dark"


@pytest.mark.parametrize("name", ["😀", "Zoë 𝔸", "'\"\\", "日本"])
def test_a_name_may_have_any_letters(name: str) -> None:
    """Those that JSON would write in two parts as well; a file from before is not lost for it."""
    remember(Preferences(coach=True, name=name).with_opponent("x", "engine:a\udcffb\x7f"))
    kept = load_preferences()
    assert (kept.name, kept.coach, len(kept.opponents)) == (name, True, 1)


def test_a_number_without_end_is_no_preference(program: Program) -> None:
    (program.folder / "config.toml").write_text(f"x = {'9' * 5000}\n")
    assert "theme: auto" in program("config").out
    assert program("config", "theme", "dark").status == 0
    assert "theme: dark" in program("config").out


def test_a_file_that_holds_other_things_is_left_alone(program: Program) -> None:
    """As when the variable names the file of another program; one's own file may be edited."""
    path = program.folder / "config.toml"
    foreign = '[project]\nname = "x"\n'
    path.write_text(foreign)
    refused = program("config", "coach", "on")
    assert refused.status == 2
    assert "holds other things than preferences" in refused.err
    assert path.read_text() == foreign
    path.write_text('# by hand\ntheme = "light"\n')
    assert program("config", "coach", "on").status == 0
    assert "theme: light" in program("config").out
    path.write_text(path.read_text() + "later = 1\n")  # of a later version
    assert program("config", "coach", "off").status == 0


def test_config_shows_and_changes_preferences(program: Program) -> None:
    """A wrong key or value is answered with what there is."""
    assert "theme: auto" in program("config").out
    changed = program("config", "theme", "light")
    assert (changed.status, "theme: light" in changed.out) == (0, True)
    assert "theme: light" in program("config").out
    for wrong in (
        ("theme", "pink"),
        ("colour", "light"),
        ("coach", "maybe"),
        ("coach",),
        ("name",),
        ("name", "x" * 25),
        ("guest", "\x1b[5m"),
        ("guest", " "),
    ):
        refused = program("config", *wrong)
        assert refused.status == 2
        assert "Traceback" not in refused.err
    assert str(program.folder / "config.toml") in program("config").out


async def test_the_last_opponent_of_a_game_and_the_coach_are_offered_again() -> None:
    async with viewer() as home:
        await home.press("5")
        await home.screen("SetupScreen")
        await home.press("right", "right", "down", "down", "right", "enter")
        await home.screen("DuelScreen")
        await home.press("escape")
        await home.screen("HomeScreen")
        await home.press("5")
        await home.see("computer, level 5 (medium)", "Coach ‹ on ›")
        assert isinstance(home.app.screen, SetupScreen)
        await home.press("escape", "4")
        await home.see("computer, level 3 (easy)")


# Several at once

CHANGES = (
    *(("theme", "light"), ("animation", "off"), ("coach", "on")),
    *(("name", "Ann"), ("guest", "Bob")),
)


def test_changes_at_the_same_time_are_all_kept(program: Program) -> None:
    """Each changes one thing, and leaves what the others change."""
    for _ in range(5):
        with ExitStack() as running:
            started = [
                running.enter_context(program.started("config", *words)) for words in CHANGES
            ]
            for process in started:
                process.communicate(timeout=PATIENCE)
                assert process.returncode == 0
        told = program("config").out.splitlines()
        assert [f"{key}: {value}" for key, value in CHANGES if f"{key}: {value}" not in told] == []
        (program.folder / "config.toml").unlink()


@pytest.mark.terminal
def test_an_answer_leaves_what_another_program_has_changed(program: Program) -> None:
    """The question about the opponent may stay open for long."""
    with Sitting(program, "play", "blockade-duel", two_people=False) as sitting:
        sitting.answer("Number (1-3, Enter for 1, or quit): ", "2")
        sitting.see("Number or name (1-9, Enter for 3, or quit): ")
        program("config", "coach", "on")
        program("config", "name", "Ann")
        sitting.type("5")
        sitting.see("The computer plays Player 2: level 5")
    told = program("config").out
    for line in ("coach: on", "name: Ann", "last opponent in blockade-duel: level:5"):
        assert line in told


async def test_a_setup_leaves_what_another_program_has_changed(program: Program) -> None:
    async with viewer() as home:
        await home.press("5")
        await home.screen("SetupScreen")
        changed = program("config", "coach", "on", LINEDUEL_CONFIG=str(preferences_file()))
        assert changed.status == 0
        await home.press("enter")
        await home.screen("DuelScreen")
    assert load_preferences().coach
    assert load_preferences().opponents["blockade-duel"] == "level:3"


def test_a_file_is_not_written_where_nothing_changes(program: Program) -> None:
    path = program.folder / "config.toml"
    program("config", "theme", "light")
    before = path.stat()
    assert program("config", "theme", "light").status == 0
    assert os.path.samestat(before, path.stat())
    assert before.st_mtime_ns == path.stat().st_mtime_ns


# Names


@pytest.mark.terminal
def test_a_name_is_remembered_and_used_at_a_terminal(program: Program) -> None:
    """In the questions, the computer's line and the record; in a pipe only options count."""
    assert "name: Ann Lee" in program("config", "name", "  Ann   Lee ").out
    with Sitting(program, "play", "blockade-duel", "--p2", "easy", "--name2", "Deep") as sitting:
        sitting.see("Ann Lee plays Player 1.")
        sitting.see("Deep plays Player 2: level 3 (easy).")
        sitting.see("Ann Lee's turn:")
        sitting.answer("(1 or 2): ", "1")
        sitting.see("Ann Lee moves to position 6.")
        sitting.see("Deep moved P2 5→")
        sitting.answer("(1 or 2): ", "quit")
        assert sitting.end() == 0
    (kept,) = program.saved
    for command in ("replay", "review"):
        told = program(command, str(kept)).out
        assert "Ann Lee" in told
        assert "Deep" in told
    assert "Ann" not in program("play", "blockade-duel", typed="quit\n").out
    assert "name: none" in program("config", "name", "none").out


def test_names_are_given_by_options(program: Program) -> None:
    """Two people by their names; what cannot be a name is refused; a new player has none."""
    typed = "1\n1\nresign\n"
    done = program("play", "blockade-duel", "--name1", "Ann", "--name2", "Bob", typed=typed)
    assert "Bob's turn:" in done.out
    assert "Ann" in done.out.splitlines()[-1]
    for wrong in ("", "x" * 25, "\x07"):
        refused = program("play", "blockade-duel", "--name1", wrong)
        assert refused.status == 2
        assert "A name has 1 to 24 printable characters." in refused.err
    program("play", "cross-over", "--name1", "Ann", "--name2", "Bob", typed="1\n1\n1\nquit\n")
    resumed = program("play", "--resume", "--p1", "1", "--name2", "Cleo", typed="quit\n")
    assert "The computer plays Player 1: level 1 (random)." in resumed.out
    assert "Cleo plays Player 2." in resumed.out


async def test_names_are_given_in_the_setup() -> None:
    """Of the only person wherever the mark stands, or of the person on a seat; kept, or cleared.

    A guest has the name in that game only: the next one may be somebody else.
    """
    async with viewer() as home:
        await home.press("3", "n")
        await home.see("Your name:")
        await home.type("Ann")
        await home.press("enter")
        await home.see("Player 1 ‹ Ann ›")
        await home.press(*["left"] * 3)
        await home.see("Player 2 ‹ a second person ›")
        await home.press("n")
        await home.see("The name of Player 2:")
        await home.type("Bob")
        await home.press("enter", "enter")
        await home.screen("DuelScreen")
        await home.see("Ann against ◄ Bob", "Ann to move.")
        await home.press("1")
        await home.see("Bob to move.")
        await home.press("r", "y")
        await home.review()
        await home.see("Ann against", "Bob resigned", "Ann: no mistakes")
    assert (load_preferences().name, load_preferences().guest) == ("Ann", None)
    async with viewer() as home:
        await home.press("3")
        await home.see("Player 1 ‹ Ann ›", "Player 2 ‹ a second person ›")
        await home.press("up", "n")
        await home.see("The name of Player 1:")
        await home.press(*["backspace"] * 3, "enter")
        await home.see("Player 1 ‹ you ›")
    assert load_preferences().name is None


# Options count more


def test_every_preference_can_be_given_to_play() -> None:
    """And so can its opposite."""
    options = {
        name
        for one in command_tree()
        if one.name == "play"
        for o in one.options
        for name in o.names
    }
    assert options >= {"--theme", "--animation", "--no-animation", "--coach", "--no-coach"}
    assert options >= {"--name1", "--name2", "--p1", "--p2"}
    known = {field.name for field in fields(Preferences)}
    assert known == {"theme", "animation", "coach", "name", "guest", "opponents", "first_lesson"}


@pytest.mark.terminal
def test_the_coach_helps_at_a_terminal_as_it_is_remembered(program: Program) -> None:
    """`--no-coach` counts more."""
    program("config", "coach", "on")
    start = ("play", "cross-over", "--position", "0,1,4/9,8,7/1")
    mistake = "P1-C+1"
    for option, warns in ((), True), (("--no-coach",), False):
        with Sitting(program, *start, *option) as sitting:
            sitting.answer(": ", mistake)
            sitting.see("Play it anyway?" if warns else "Player 2")
            sitting.kill()


def test_motion_can_be_asked_for_whatever_is_remembered() -> None:
    remember(Preferences(animation=False))
    assert not LineduelApp().animated
    assert LineduelApp(animated=True).animated


async def test_the_theme_is_remembered(tmp_path: Path) -> None:
    async with viewer(theme="dark") as home:
        await home.press("d")
        assert home.app.theme == "lineduel-light"
    assert load_preferences().theme == "light"
