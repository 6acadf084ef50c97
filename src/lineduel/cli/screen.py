"""Decide whether to use the full screen, and open it."""

import argparse
import gc
import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineduel.match import GameSetup
    from lineduel.play import Connection

NO_SCREEN = ("", "dumb", "unknown")
"""Values of TERM for terminals that can only print lines."""


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Add the screen's options; given before the command they count, unless repeated after it."""
    group = parser.add_argument_group("the screen")
    missing = argparse.SUPPRESS
    group.add_argument(
        "--plain",
        action="store_true",
        default=missing,
        help="print plain lines (for screen readers and logs)",
    )
    group.add_argument(
        "--no-animation",
        dest="animation",
        action="store_false",
        default=missing,
        help="move pieces without animation, as REDUCE_MOTION=1 does",
    )
    group.add_argument(
        "--animation",
        action="store_true",
        default=missing,
        help="let pieces glide, whatever 'lineduel config' says",
    )
    group.add_argument(
        "--theme",
        choices=("dark", "light"),
        default=missing,
        help="colours of the full screen (default: those used last, or what suits the terminal)",
    )


def has_full_screen(options: argparse.Namespace) -> bool:
    """Whether the full screen is wanted and the terminal supports it."""
    if options.plain or os.environ.get("TERM", "") in NO_SCREEN:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and _can_draw()


@cache
def _can_draw() -> bool:
    """Whether the platform supports the full screen; if not, that is printed once."""
    if sys.platform != "win32":
        try:
            import termios  # noqa: F401, only whether it is there
        except ImportError:
            told = "The full screen needs Python's module termios, which is missing here."
            print(f"{told}\nlineduel uses plain lines instead.", file=sys.stderr)
            return False
    return True


def open_screen(
    options: argparse.Namespace, opening: "Connection | GameSetup | str | None" = None
) -> int:
    """Open the full screen with a game, the setup of a new one, a lesson's name, or at home."""
    gc.disable()  # imports leave no garbage; it is enabled again after the first screen
    from lineduel.tui.app import LineduelApp, run

    if options.colour == "never":
        os.environ["NO_COLOR"] = "1"
    return run(LineduelApp(opening, animated=options.animation, theme=options.theme))
