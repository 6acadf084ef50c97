"""`lineduel config`: show and change the preferences."""

import argparse
from dataclasses import replace

from lineduel.cli.options import Parser, examples
from lineduel.errors import NotationError, shown
from lineduel.preferences import (
    THEMES,
    Preferences,
    check_name,
    load_preferences,
    preferences_file,
    save_preferences,
)

_SWITCH = {"on": True, "off": False}
_NONE = "none"
_KEYS = ("theme", "animation", "coach", "name", "guest")


def configure(parser: Parser) -> None:
    parser.add_argument(
        "key",
        metavar="KEY",
        nargs="?",
        help="theme, animation, coach, name (yours) or guest (theirs)",
    )
    parser.add_argument(
        "value",
        metavar="VALUE",
        nargs="?",
        help="dark, light or auto; on or off; a name, or none",
    )
    examples(
        parser,
        "lineduel config",
        "lineduel config theme light",
        "lineduel config animation off",
        "lineduel config name Ann",
        "lineduel config guest 'Uncle Bob'",
        "lineduel config name none",
    )


def run(options: argparse.Namespace) -> int:
    preferences = load_preferences()
    if options.key is not None:
        preferences = _changed(preferences, options.key, options.value)
        save_preferences(preferences)
    print(f"file: {shown(preferences_file(), 300)}")
    print(f"theme: {preferences.theme or 'auto'}")
    print(f"animation: {'on' if preferences.animation else 'off'}")
    print(f"coach: {'on' if preferences.coach else 'off'}")
    print(f"name: {preferences.name or _NONE}")
    print(f"guest: {preferences.guest or _NONE}")
    for game, opponent in preferences.opponents.items():
        print(f"last opponent in {shown(game)}: {shown(opponent)}")
    return 0


def _changed(preferences: Preferences, key: str, value: str | None) -> Preferences:
    """The preferences after one change."""
    if key not in _KEYS:
        raise NotationError(f"{shown(key)} is not a setting. There are: {', '.join(_KEYS)}.")
    if key == "theme":
        if value not in (*THEMES, "auto"):
            raise NotationError("theme takes dark, light or auto.")
        return replace(preferences, theme=None if value == "auto" else value)
    if key in ("name", "guest"):
        if value is None:
            raise NotationError(f"{key} takes a name, or {_NONE}.")
        name = None if value == _NONE else check_name(value)
        return (
            replace(preferences, name=name) if key == "name" else replace(preferences, guest=name)
        )
    if value not in _SWITCH:
        raise NotationError(f"{key} takes on or off.")
    if key == "animation":
        return replace(preferences, animation=_SWITCH[value])
    return replace(preferences, coach=_SWITCH[value])
