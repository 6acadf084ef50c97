"""What commands that report share: JSON for programs, colours for verdicts, files to write."""

import argparse
import re
from pathlib import Path

from lineduel.cli.terminal import wants_colour
from lineduel.errors import shown
from lineduel.storage import Output, check_folder, check_outputs

GREEN, RED, YELLOW = "32", "31", "33"
_COLOUR_OF = {
    "✓": GREEN,
    "proved": GREEN,
    "~": YELLOW,
    "holds in part": YELLOW,
    "✗": RED,
    "refuted": RED,
}
_VERDICT = re.compile(
    r"(?<=\. )([✓~✗])(?= )"  # the sign of a claim
    r"|(?<=: )(holds in part|proved|refuted)(?=\.)"  # the result of its test
    r"|(?<=  )(proved|holds in part|refuted)(?=  |$)"  # a cell of a table
)


def print_json(document: object) -> None:
    """Print a document as one line of JSON, with control characters escaped."""
    import json
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


# Colours


def paint(options: argparse.Namespace, text: str, colour: str) -> str:
    """Text for standard output in that colour, if colour is wanted."""
    return f"\x1b[{colour}m{text}\x1b[0m" if wants_colour(options.colour) else text


def paint_verdicts(options: argparse.Namespace, text: str) -> str:
    """A line of a report: what holds in green, what fails in red, the rest in yellow."""
    return _VERDICT.sub(lambda found: paint(options, found[0], _COLOUR_OF[found[0]]), text)


# Files


def output(options: argparse.Namespace, path: Path, *heads: str) -> Output:
    """An output file; `heads` are the possible beginnings of one that this command wrote before."""
    check_folder(path)
    return Output(path, tuple(head.encode() for head in heads), options.force)


def asked_output(
    options: argparse.Namespace, path: Path | None, *heads: str, inputs: tuple[Path, ...] = ()
) -> Output | None:
    """The output file of an option, if it was given; raises if it may not be written."""
    if path is None:
        return None
    found = output(options, path, *heads)
    check_outputs([found], inputs)
    return found


def print_place(what: str, path: Path | None) -> None:
    """Print where a file is, if there is one."""
    if path is not None:
        print(f"\nThe {what} is in {shown(path, 300)}.")
