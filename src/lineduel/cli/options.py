"""Options that several commands share."""

import argparse
from pathlib import Path

Parser = argparse.ArgumentParser


def examples(parser: Parser, *lines: str) -> None:
    parser.epilog = "\n  ".join(("examples:", *lines))


def add_game(parser: Parser, optional: bool = False) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?" if optional else None,
        help="a game's id, id:variant, or the path of a .toml file",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a rule, as --set move.steps=1,2,3 or --set track.length=9; repeatable",
    )


def add_start(parser: Parser, lot: bool = False) -> None:
    choices = ("1", "2", "random") if lot else ("1", "2")
    parser.add_argument(
        "--first", choices=choices, help="which player begins (default: as the rules say, or 1)"
    )
    if lot:
        add_seed(parser)
    parser.add_argument(
        "--position",
        metavar="P",
        help="start from this position, as 0,1,2/10,9,8/1 (default: the start of the game)",
    )


def add_seed(parser: Parser, default: int | None = None) -> None:
    """Add --seed; `default` is only mentioned in the help."""
    told = "another each time" if default is None else default
    parser.add_argument(
        "--seed", type=int, metavar="N", help=f"random seed, to repeat a run (default: {told})"
    )


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document, nothing else")


def add_colour(parser: Parser) -> None:
    """Add --color; given before the command it counts, unless it is repeated after it."""
    parser.add_argument(
        "--color",
        dest="colour",
        choices=("auto", "always", "never"),
        default=argparse.SUPPRESS,
        help="colour the output (default: auto, on a terminal unless NO_COLOR is set)",
    )


def add_names(parser: Parser) -> None:
    for side in (1, 2):
        parser.add_argument(
            f"--name{side}",
            metavar="NAME",
            help=f"what player {side} is called (default: as 'lineduel config' says, or no name)",
        )


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


def rename_option(parser: Parser, old: str, new: str) -> None:
    """Refuse the old name of an option with an error that gives the new one."""
    parser.add_argument(old, action=_Renamed, nargs="?", const=new, help=argparse.SUPPRESS)


def add_engine_log(parser: Parser) -> None:
    parser.add_argument(
        "--engine-log",
        type=Path,
        metavar="FILE",
        help="append all messages between lineduel and the engines to FILE",
    )


def depth(text: str) -> int:
    """Parse a number of plies."""
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 4):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 to 9999")
    return int(text)


def print_json(document: object) -> None:
    """Print a document as one line of JSON, with control characters escaped."""
    import json
    import re
    import sys

    from lineduel.documents import plain_data

    def plain(letter: re.Match[str]) -> str:
        return letter[0] if letter[0].isprintable() else json.dumps(letter[0])[1:-1]

    data = plain_data(document)
    text = re.sub(r"[^ -~]", plain, json.dumps(data, ensure_ascii=False))
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:  # the output's encoding lacks some of these characters
        text = json.dumps(data)
    print(text)


def add_gpu(parser: Parser, what: str) -> None:
    parser.add_argument(
        "--gpu",
        nargs="?",
        choices=("auto", "always", "never"),
        const="always",
        default="auto",
        help=f"{what} a large table on a GPU (default: auto, if there is one and it is faster)",
    )
