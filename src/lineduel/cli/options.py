"""The options that several commands share."""

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
        help="an id, id:variant, or the path of a .toml file",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a rule, as --set move.steps=1,2,3 or track.length=9; may be given again",
    )


def add_start(parser: Parser, lot: bool = False) -> None:
    choices = ("1", "2", "random") if lot else ("1", "2")
    parser.add_argument("--first", choices=choices, help="who begins")
    if lot:
        parser.add_argument(
            "--seed", type=int, metavar="N", help="makes what is drawn by lot repeatable"
        )
    parser.add_argument("--position", metavar="P", help="begin there, as 0,1,2/10,9,8/1")


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document and nothing else")


def add_colour(parser: Parser) -> None:
    parser.add_argument(
        "--color",
        dest="colour",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour names (auto: only on a terminal, and not with NO_COLOR)",
    )


def add_engine_log(parser: Parser) -> None:
    parser.add_argument(
        "--engine-log",
        type=Path,
        metavar="FILE",
        help="append to FILE what is said between lineduel and the engines",
    )


def depth(text: str) -> int:
    """A number of plies."""
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 4):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 to 9999")
    return int(text)


def print_json(document: object) -> None:
    """A document as one line, with all that could steer a terminal escaped as JSON does it."""
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
    except UnicodeEncodeError:  # the output does not have all these characters
        text = json.dumps(data)
    print(text)
