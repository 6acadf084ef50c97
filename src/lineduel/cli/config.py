"""`lineduel config`: show and change the preferences."""

import argparse

from lineduel.cli.options import Parser
from lineduel.errors import shown
from lineduel.preferences import NO_NAME, change_preferences, load_preferences, preferences_file


def configure(parser: Parser) -> None:
    parser.add_argument(
        "key",
        metavar="KEY",
        nargs="?",
        help="theme, animation, coach, name (yours) or guest (theirs)",
    )
    parser.add_argument(
        "value", metavar="VALUE", nargs="?", help="dark, light or auto; on or off; a name, or none"
    )
    parser.examples(
        "lineduel config",
        "lineduel config theme light",
        "lineduel config animation off",
        "lineduel config name Ann",
        "lineduel config guest 'Uncle Bob'",
        "lineduel config name none",
    )


def run(options: argparse.Namespace) -> int:
    if options.key is None:
        preferences = load_preferences()
    else:
        preferences = change_preferences(lambda one: one.changed(options.key, options.value))
    print(f"file: {shown(preferences_file(), 300)}")
    print(f"theme: {preferences.theme or 'auto'}")
    print(f"animation: {'on' if preferences.animation else 'off'}")
    print(f"coach: {'on' if preferences.coach else 'off'}")
    print(f"name: {preferences.name or NO_NAME}")
    print(f"guest: {preferences.guest or NO_NAME}")
    for game, opponent in preferences.opponents.items():
        print(f"last opponent in {shown(game)}: {shown(opponent)}")
    return 0
