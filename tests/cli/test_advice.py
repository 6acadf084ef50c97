"""Core errors speak of the thing; the command line adds which option helps."""

import ast
import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

import lineduel
from lineduel.cli.error_advice import advised
from lineduel.errors import (
    LedgerExists,
    LedgerLine,
    LedgerVersion,
    LineduelError,
    MemoryLimit,
    NothingVaries,
    NotReplaced,
    NotSolved,
    NoWorkers,
    OldCertificate,
    UnknownGame,
    VariesTwice,
)

SOURCES = Path(lineduel.__file__).parent
EDGES = ("cli", "tui", "__main__.py")
OPTION = re.compile(r"(^|[\s'`(])--[a-z]")


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every text in a source file that is not a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.lineno, node.value


def test_nothing_below_the_command_line_speaks_of_its_options() -> None:
    """No text in any module but those of the command line and the screens names an option."""
    named = [
        f"{path.relative_to(SOURCES)}:{line}: {text}"
        for path in sorted(SOURCES.rglob("*.py"))
        if path.relative_to(SOURCES).parts[0] not in EDGES
        for line, text in texts(path)
        if OPTION.search(text)
    ]
    assert named == []


@pytest.mark.parametrize(
    ("error", "command", "advice"),
    [
        (UnknownGame("chess", ()), "play", "'lineduel games'"),
        (NotReplaced(Path("x")), "solve", "--force"),
        (MemoryLimit(9, 5), "solve", "--memory 8G"),
        (NotSolved("It is unknown.", "0/1/1"), "solve", "--position 0/1/1"),
        (OldCertificate("lineduel table 1"), "check", "solve --certificate"),
        (NothingVaries(), "sweep", "--vary track.length=8..16"),
        (VariesTwice("move.jump"), "sweep", "one --vary"),
        (LedgerExists(Path("x")), "tournament", "--resume"),
        (LedgerVersion("It is old.", "track.length"), "sweep", "--vary track.length=..."),
        (LedgerVersion("It is old."), "sweep", "another --file"),
        (LedgerLine(Path("x"), 2, "no"), "sweep", "another --file"),
    ],
)
def test_the_command_line_says_what_to_type(
    error: LineduelError, command: str, advice: str
) -> None:
    """On a second line, below what the error says by itself."""
    said, added = advised(error, Namespace(command=command)).splitlines()
    assert said == str(error)
    assert advice in added


@pytest.mark.parametrize(
    ("error", "command"),
    [
        (MemoryLimit(9, 5), "play"),
        (UnknownGame("cross-over:x", (), "Its variants: cross-over:no-jump."), "play"),
        (NotSolved("No battle is open."), "solve"),
        (NoWorkers("Nobody is there."), "tournament"),
    ],
)
def test_no_advice_where_none_helps(error: LineduelError, command: str) -> None:
    """An option of another command would only puzzle."""
    assert advised(error, Namespace(command=command)) == str(error)
