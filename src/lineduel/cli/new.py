"""`lineduel new`: write a new rulebook file."""

import argparse
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from lineduel import documents
from lineduel.cli.options import Parser
from lineduel.cli.reports import output
from lineduel.cli.terminal import Terminal
from lineduel.errors import NotationError, RulebookError, shown
from lineduel.rulebooks import find_rulebook, remember_rulebook
from lineduel.rules import (
    MAX_PIECES,
    RULEBOOK_KEYS,
    WAYS_TO_WIN,
    NewDuel,
    Rulebook,
    designed,
    is_printable,
    write_rulebook,
)
from lineduel.storage import check_outputs, user_path, write_output

SCHEMA_FILE = "lineduel-rulebook.schema.json"
"""The schema file written beside a new rulebook, for editors."""
_SUFFIX = ".toml"
_Answer = TypeVar("_Answer")


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the rulebook file to write, as my-duel.toml")
    parser.add_argument(
        "--from",
        dest="model",
        metavar="GAME",
        help="begin with this game: an id, id:variant, or the path of a .toml file",
    )
    parser.add_argument("--title", help="the name of the game (default: from the file's name)")
    parser.add_flag("--force", "replace a file that is there")
    parser.examples(
        "lineduel new my-duel.toml",
        "lineduel new my-duel.toml --from cross-over",
        "lineduel new my-duel.toml --from blockade-duel:from-bases --title 'Two Bases'",
    )


def run(options: argparse.Namespace) -> int:
    path = user_path(options.file)
    if path.suffix != _SUFFIX:
        raise NotationError("The name of a rulebook file ends in .toml, as my-duel.toml.")
    title = options.title or _title(path)
    if not is_printable(title):
        raise NotationError("--title takes plain text.")
    file = output(options, path)
    schema = output(options, path.with_name(SCHEMA_FILE), documents.RULEBOOK_SCHEMA_HEAD)
    check_outputs([file, schema])
    rulebook = _copied(options.model, title) if options.model else _asked(NewDuel(title))
    if rulebook is None:
        print("Nothing was written.")
        return 0
    write_output(schema, documents.rulebook_schema_text())
    write_output(file, write_rulebook(rulebook, _heads(path)))
    remember_rulebook(str(path.resolve()))
    _print_next(path)
    return 0


def _title(path: Path) -> str:
    """A title made from a file name: `my-duel.toml` becomes My Duel."""
    words = re.split(r"[-_ ]+", path.stem)
    return shown(" ".join(word[:1].upper() + word[1:] for word in words if word) or "My Duel")


def _heads(path: Path) -> tuple[str, ...]:
    """The first lines of the file: the schema for editors, and what to do next."""
    name = shlex.quote(shown(path.name, 200))
    return (
        f"#:schema ./{SCHEMA_FILE}",
        "# A rulebook for lineduel. Change anything, then check it with:",
        f"#   lineduel validate {name}",
        "",
    )


def _print_next(path: Path) -> None:
    name = shlex.quote(shown(path, 300))
    print(f"Written to {shown(path, 300)}; {SCHEMA_FILE} beside it is for your editor.")
    print(f"Play it:                     lineduel play {name}")
    print(f"Check it after a change:     lineduel validate {name}")
    print(f"Test what it promises:       lineduel audit {name}")


def _copied(model: str, title: str) -> Rulebook:
    """A copy of a game under a new title, without errata, which are about the original."""
    known = find_rulebook(model)
    variants = () if known.variant else known.variants
    return replace(known, title=title, errata=(), variants=variants, variant=None)


# Questions


def _asked(design: NewDuel) -> Rulebook | None:
    """The rulebook described by a person's answers; without a terminal, by the defaults."""
    terminal = Terminal()
    if terminal.is_interactive:
        answered = _answers(terminal, design)
        if answered is None:
            return None
        design = answered
    return designed(design)


def _answers(terminal: Terminal, default: NewDuel) -> NewDuel | None:
    """The answers to all questions, or None if the person quits."""
    terminal.say("A few questions; press Enter for the answer in brackets.")
    try:
        title = _ask(terminal, "Title", default.title, _text)
        pieces = _ask(
            terminal, f"Pieces a side, 1 to {MAX_PIECES}", default.pieces, _number(1, MAX_PIECES)
        )
        fewest = 2 * pieces + 1
        cells = _ask(
            terminal,
            f"Cells of the track, {fewest} to 64",
            max(default.cells, fewest),
            _number(fewest, 64),
        )
        steps = _ask(
            terminal,
            "Steps a piece may take (negative is backward, 0 is staying)",
            default.steps,
            _steps,
            ",".join(map(str, default.steps)),
        )
        meetings = {str(word): said for word, said in RULEBOOK_KEYS["meet.enemy"].words.items()}
        enemy = _pick(terminal, "Landing on an enemy:", meetings, default.enemy)
        numbers, battle = default.numbers, default.battle
        if enemy == "battle":
            rules = {str(word): said for word, said in RULEBOOK_KEYS["battle.wins"].words.items()}
            battle = _pick(terminal, "In a battle, which number wins?", rules, default.battle)
            numbers = _ask(
                terminal, "Numbers to choose from, 2 to 9", numbers, partial(_numbers, battle)
            )
        winning = _pick(terminal, "Who wins?", WAYS_TO_WIN, default.winning)
    except EOFError:
        return None
    return NewDuel(title, cells, pieces, steps, enemy, numbers, battle, winning)


def _ask(
    terminal: Terminal,
    question: str,
    default: _Answer,
    read: Callable[[str], _Answer],
    shown_default: str | None = None,
) -> _Answer:
    """Ask until the answer is valid; raises EOFError at the end of input."""
    while True:
        answer = terminal.ask(f"{question} [{shown_default or default}]: ")
        if answer is None:
            raise EOFError
        if not answer.strip():
            return default
        try:
            return read(answer.strip())
        except ValueError as error:
            terminal.complain(str(error))


def _pick(terminal: Terminal, question: str, choices: Mapping[str, str], default: str) -> str:
    """Ask for one of some words, by its number or the word itself."""
    terminal.say(question)
    for number, (word, meaning) in enumerate(choices.items(), start=1):
        terminal.say(f"  {number}. {word}: {meaning}")
    names = list(choices)

    def read(text: str) -> str:
        if text.lower() in names:
            return text.lower()
        if text.isdecimal() and 1 <= int(text) <= len(names):
            return names[int(text) - 1]
        raise ValueError(f"Type a number from 1 to {len(names)}, or one of the words.")

    return _ask(terminal, "Number or word", default, read)


def _text(text: str) -> str:
    if not is_printable(text):
        raise ValueError("Type plain text.")
    return text


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isdecimal() and len(text) < 4 and least <= int(text) <= most):
            raise ValueError(f"Type a whole number from {least} to {most}.")
        return int(text)

    return read


def _numbers(battle: str, text: str) -> int:
    """Ask how many numbers there are in a battle of this kind."""
    numbers = _number(2, 9)(text)
    try:
        designed(replace(NewDuel("Battle"), enemy="battle", battle=battle, numbers=numbers))
    except RulebookError as error:
        raise ValueError(f"For {battle!r} type {error.allowed}.") from None
    return numbers


def _steps(text: str) -> tuple[int, ...]:
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    if not parts or not all(re.fullmatch(r"[+-]?[0-9]{1,2}", part) for part in parts):
        raise ValueError("Type whole numbers, as 1,2 or 1,-1.")
    steps = tuple(dict.fromkeys(map(int, parts)))
    try:
        designed(replace(NewDuel("Steps"), steps=steps))
    except RulebookError as error:
        raise ValueError(f"Steps are {error.allowed}.") from None
    return steps
