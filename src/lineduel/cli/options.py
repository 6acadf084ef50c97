"""The options of commands: a parser that knows those that several commands share."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lineduel.errors import shown


class Parser(argparse.ArgumentParser):
    """A parser of a command, with the options that several commands share."""

    def examples(self, *lines: str) -> None:
        self.epilog = "\n  ".join(("examples:", *lines))

    def add_game(self, optional: bool = False) -> None:
        self.add_argument(
            "game",
            metavar="GAME",
            nargs="?" if optional else None,
            help="a game's id, id:variant, or the path of a .toml file",
        )
        self.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="change a rule, as --set move.steps=1,2,3 or --set track.length=9; repeatable",
        )

    def add_start(self, lot: bool = False) -> None:
        choices = ("1", "2", "random") if lot else ("1", "2")
        self.add_argument(
            "--first", choices=choices, help="which player begins (default: as the rules say, or 1)"
        )
        if lot:
            self.add_seed()
        self.add_argument(
            "--position",
            metavar="P",
            help="start from this position, as 0,1,2/10,9,8/1 (default: the start of the game)",
        )

    def add_seed(self, default: int | None = None) -> None:
        """Add --seed; `default` is only mentioned in the help."""
        seed = "another each time" if default is None else default
        self.add_number("--seed", f"random seed, to repeat a run (default: {seed})")

    def add_file(self, name: str, meaning: str, metavar: str = "FILE") -> None:
        """Add an option or an argument that takes a file, or another path."""
        self.add_argument(name, metavar=metavar, type=Path, help=meaning)

    def add_flag(self, name: str, meaning: str) -> None:
        """Add an option that takes no value."""
        self.add_argument(name, action="store_true", help=meaning)

    def add_number(
        self,
        name: str,
        meaning: str,
        default: int | None = None,
        named: int | None = None,
        read: Callable[[str], float] = int,
        **more: Any,
    ) -> None:
        """Add an option that takes a number, a whole one unless `read` says otherwise.

        `named` is a default only for the help.
        """
        named = named if default is None else default
        meaning = meaning if named is None else f"{meaning} (default: {named})"
        self.add_argument(name, type=read, default=default, help=meaning, **{"metavar": "N"} | more)

    def add_colour(self) -> None:
        """Add --color; given before the command it counts, unless it is repeated after it."""
        self.add_argument(
            "--color",
            dest="colour",
            choices=("auto", "always", "never"),
            default=argparse.SUPPRESS,
            help="colour the output (default: auto, on a terminal unless NO_COLOR is set)",
        )

    def add_names(self) -> None:
        default = "(default: as 'lineduel config' says, or no name)"
        for side in (1, 2):
            called = f"what player {side} is called {default}"
            self.add_argument(f"--name{side}", metavar="NAME", help=called)

    def rename_option(self, old: str, new: str) -> None:
        """Refuse the old name of an option with an error that gives the new one."""
        self.add_argument(old, action=_Renamed, nargs="?", const=new, help=argparse.SUPPRESS)

    def add_engine_log(self) -> None:
        self.add_file(
            "--engine-log", "append all messages between lineduel and the engines to FILE"
        )

    def add_trust(self) -> None:
        self.add_flag("--trust", "start the engines that the file names without asking")

    def add_workers(self) -> None:
        self.add_number("--cores", "CPU cores to use (default: all)")
        self.add_argument(
            "--cluster",
            metavar="ADDRESS",
            help="work on the Dask cluster at ADDRESS, as tcp://host:8786",
        )

    def add_json(self, note: str = "") -> None:
        told = "print one JSON document, nothing else"
        self.add_flag("--json", f"{told}, {note}" if note else told)

    def add_force(self) -> None:
        self.add_flag("--force", "replace files, even those that this command did not write")


class _Renamed(argparse.Action):
    """The action of an option that was renamed."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        parser.error(f"{option_string} is now {self.const}")


def whole_number(least: int, most: int, what: str = "a whole number") -> Callable[[str], int]:
    """Parses a number within bounds; in an error it is called `what`."""

    def read(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        if not (digits and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(
                f"'{shown(text)}' is not {what} from {least} to {most}"
            )
        return int(text)

    return read
