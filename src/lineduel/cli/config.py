"""`lineduel config`: show and change the preferences."""

import argparse

from lineduel.cli.options import Parser
from lineduel.errors import shown
from lineduel.preferences import NO_NAME, load_preferences, preferences_file, save_preferences


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
    preferences = load_preferences()
    if options.key is not None:
        preferences = preferences.changed(options.key, options.value)
        save_preferences(preferences)
    print(f"file: {shown(preferences_file(), 300)}")
    print(f"theme: {preferences.theme or 'auto'}")
    print(f"animation: {'on' if preferences.animation else 'off'}")
    print(f"coach: {'on' if preferences.coach else 'off'}")
    print(f"name: {preferences.name or NO_NAME}")
    print(f"guest: {preferences.guest or NO_NAME}")
    for game, opponent in preferences.opponents.items():
        print(f"last opponent in {shown(game)}: {shown(opponent)}")
    return 0
