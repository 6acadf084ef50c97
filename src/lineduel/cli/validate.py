"""`lineduel validate`: list everything that is wrong with a rulebook file, or looks so."""

import argparse
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

from lineduel import documents, lab
from lineduel.cli.error_advice import advised
from lineduel.cli.options import Parser
from lineduel.cli.reports import print_json
from lineduel.errors import LineduelError, NotationError, RulebookError, TooLarge, shown
from lineduel.quantities import counted
from lineduel.rulebooks import read_rulebook_text
from lineduel.rules import problems_of
from lineduel.storage import user_path


def configure(parser: Parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="*", help="the rulebook files to check")
    parser.add_flag(
        "--schema",
        "print the JSON Schema of rulebook files, for editors, and check nothing",
    )
    parser.add_flag(
        "--strict",
        "exit with status 1 if there are warnings: players who cannot win, goals out of "
        "reach, pieces that never move, rules that never matter",
    )
    parser.add_json()
    parser.examples(
        "lineduel validate my-duel.toml",
        "lineduel validate my-duel.toml other.toml --strict",
        "lineduel validate my-duel.toml --json",
        "lineduel validate --schema > rulebook.schema.json",
    )


def run(options: argparse.Namespace) -> int:
    if options.schema:
        sys.stdout.write(documents.rulebook_schema_text())
        return 0
    if not options.files:
        raise NotationError("Name the rulebook files to check, as my-duel.toml.")
    paths = [user_path(file) for file in options.files]
    if not options.json:
        return max(_validated(number, path, options) for number, path in enumerate(paths))
    checked = [_checked(path) for path in paths]
    made = [documents.validate_document(str(one.path), *one[1:]) for one in checked]
    print_json(made[0] if len(made) == 1 else documents.ValidatedFiles.of_files(made))
    warned = any(one.found is not None and one.found.warnings for one in checked)
    return int(any(one.problems for one in checked) or (options.strict and warned))


def _validated(number: int, path: Path, options: argparse.Namespace) -> int:
    """Print the verdict on one of several files; one that cannot be read leaves the others be."""
    if number:
        print()
    try:
        one = _checked(path)
    except LineduelError as error:
        print(f"lineduel: {advised(error, options)}", file=sys.stderr)
        return 2
    if one.problems:
        _print_problems(path, one.problems)
        return 1
    _print_valid(path, one.found)
    return int(options.strict and one.found is not None and bool(one.found.warnings))


class _Checked(NamedTuple):
    """A file with what is wrong with it, or what looks so."""

    path: Path
    problems: tuple[RulebookError, ...]
    found: "lab.FoundWarnings | None"


def _checked(path: Path) -> _Checked:
    text = read_rulebook_text(path)
    problems = problems_of(text, str(path))
    return _Checked(path, problems, None if problems else _looked_at(text))


def _looked_at(text: str) -> "lab.FoundWarnings | None":
    """The warnings about a valid file; None if it has too many positions."""
    try:
        return lab.warnings_of(text)
    except TooLarge:
        return None


def _print_problems(path: Path, problems: tuple[RulebookError, ...]) -> None:
    for one in problems:
        print(one)
    count = counted(len(problems), "problem")
    print(f"\n{count}. When you have changed the file, run: {_command('validate', path)}")


def _print_valid(path: Path, found: "lab.FoundWarnings | None") -> None:
    name, warnings = shown(path, 300), found.warnings if found else ()
    for one in warnings:
        print(f"{name}:{one.line}: warning: {one.key}: {one.sentence}")
    if warnings:
        count = counted(len(warnings), "warning")
        print(f"\n{name}: valid, with {count}.")
    else:
        print(f"{name}: all checks passed.")
    if found is None:
        print(
            f"It has more than {lab.MOST_CHECKED_POSITIONS:,} positions, so it was not checked "
            "whether both players\ncan win, every piece can move, and every rule matters."
        )
    print(f"Play it with: {_command('play', path)}")
    print(f"Test what it promises with: {_command('audit', path)}")


def _command(command: str, path: Path) -> str:
    return f"lineduel {command} {shlex.quote(shown(path, 300))}"
