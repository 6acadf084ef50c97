"""What the program remembers about a person from one time to the next."""

from dataclasses import replace
from pathlib import Path

import pytest

from lineduel.preferences import Preferences, load_preferences, preferences_file, save_preferences
from lineduel.tui.setup import SetupScreen
from program import Program
from screens import viewer


def test_settings_survive_being_kept() -> None:
    preferences = Preferences(theme="light", animation=False, coach=True).with_opponent(
        'a "b"', "level:3"
    )
    save_preferences(preferences)
    assert load_preferences() == preferences
    save_preferences(replace(preferences, theme=None))
    assert load_preferences().theme is None


@pytest.mark.parametrize(
    "text", ["theme = 5\n", "theme = [", "\x00", "opponents = 3", 'coach = "on"']
)
def test_what_cannot_be_understood_counts_as_not_set(text: str) -> None:
    """A file that is no TOML is put aside before another is written."""
    preferences_file().write_text(text)
    assert load_preferences() == Preferences()
    save_preferences(Preferences(theme="dark"))
    assert load_preferences().theme == "dark"


def test_config_shows_and_changes_preferences(program: Program) -> None:
    """A wrong key or value is answered with what there is."""
    assert "theme: auto" in program("config").out
    changed = program("config", "theme", "light")
    assert (changed.status, "theme: light" in changed.out) == (0, True)
    assert "theme: light" in program("config").out
    for wrong in (("theme", "pink"), ("colour", "light"), ("coach", "maybe"), ("coach",)):
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


async def test_the_theme_is_remembered(tmp_path: Path) -> None:
    async with viewer(theme="dark") as home:
        await home.press("d")
        assert home.app.theme == "lineduel-light"
    assert load_preferences().theme == "light"
