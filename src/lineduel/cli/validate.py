"""`lineduel validate`: list everything that is wrong with a rulebook file."""

import argparse
import shlex
import sys
from pathlib import Path

from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.errors import NotationError, shown
from lineduel.rulebooks import LARGEST_RULEBOOK, remember_rulebook
from lineduel.rules import Problem, problems_of
from lineduel.storage import read_text, user_path

_NO = 1


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="the rulebook file to check")
    parser.add_argument(
        "--schema",
        action="store_true",
        help="print the JSON Schema of rulebook files, for editors, and check nothing",
    )
    add_json(parser)
    examples(
        parser,
        "lineduel validate my-duel.toml",
        "lineduel validate my-duel.toml --json",
        "lineduel validate --schema > rulebook.schema.json",
    )


def run(options: argparse.Namespace) -> int:
    if options.schema:
        from lineduel.documents import rulebook_schema_text

        sys.stdout.write(rulebook_schema_text())
        return 0
    if options.file is None:
        raise NotationError("Name the rulebook file to check, as my-duel.toml.")
    path = user_path(options.file)
    problems = problems_of(read_text(path, LARGEST_RULEBOOK))
    remember_rulebook(str(path.resolve()))
    if options.json:
        from lineduel.documents import validate_document

        print_json(validate_document(str(path), problems))
    elif problems:
        _print_problems(path, problems)
    else:
        _print_passed(path)
    return _NO if problems else 0


def _print_problems(path: Path, problems: tuple[Problem, ...]) -> None:
    for one in problems:
        print(one.error(str(path)))
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    print(f"\n{count}. When you have changed the file, run: {_command('validate', path)}")


def _print_passed(path: Path) -> None:
    print(f"{shown(path, 300)}: all checks passed.")
    print(f"Play it with: {_command('play', path)}")
    print(f"Test what it promises with: {_command('audit', path)}")


def _command(command: str, path: Path) -> str:
    return f"lineduel {command} {shlex.quote(shown(path, 300))}"
