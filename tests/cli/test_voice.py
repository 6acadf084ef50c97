"""One voice: what people read has none of the words that give a translation away, and no ply."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from lineduel.cli.command_tree import command_tree
from lineduel.cli.main import COMMANDS, GROUPS, build_parser
from lineduel.engine import Game, Hands, Position
from lineduel.lab import DEFINITIONS
from lineduel.narration import (
    YOU,
    MoveLog,
    Names,
    Narrator,
    battle_stakes,
    headline,
    how_it_ended,
    names_for,
    turn_sentence,
)
from lineduel.play import Session
from lineduel.rulebooks import find_rulebook, shipped_rulebooks
from lineduel.rules import RULE_KEYS, Side, assign, rule_sentences
from lineduel.rules.words import FIELD_MEANINGS, WORD_MEANINGS, BoardWords, Words
from lineduel.tui import game_keys
from support.program import Program

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "lineduel"
BANNED = re.compile(
    r"\b(told(?! apart)|usual|so many|anew|whoever|(?<!there )is none(?! else)|of before|from 1 on"
    r"|what it is of|to be had|all the same|as ruled|value-keeping)\b",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"\bplayer [12]\b", re.IGNORECASE)
WITHOUT_NAMES = re.compile(
    r"seat-|as-|row-|seat(One|Two)$|(mode|told)-P[12]$|table-|word-|P[12]$|meter|scoreDetail"
    r"|replayOf|againstItself"
)
"""The texts of the page about seats as such, where nobody sits who has a name."""
PLY = re.compile(r"\bpl(y|ies)\b", re.IGNORECASE)
ARGPARSE = ("invalid choice", "unrecognized arguments", "are required", "expected one argument")


def of_the_help() -> Iterator[str]:
    yield build_parser([]).format_help()
    for command in command_tree():
        yield command.summary
        yield from (one.help for one in (*command.options, *command.arguments))


def of_the_tables() -> Iterator[str]:
    """Every sentence that stands in a table: keys, words, fields, figures, keys of the screen."""
    yield from (*WORD_MEANINGS.values(), *FIELD_MEANINGS.values())
    yield from (one.meaning for one in RULE_KEYS.values())
    yield from (one.meaning for one in DEFINITIONS.values())
    for words in (Words(), BoardWords()):
        yield from (str(getattr(words, one.name)) for one in fields(words))
    yield from (text for text in vars(game_keys).values() if isinstance(text, str))
    for rulebook in shipped_rulebooks():
        yield from rule_sentences(rulebook.rules)


def texts_of_the_page() -> dict[str, str]:
    """The table of the page's texts, by their keys."""
    source = (SOURCES / "web" / "page" / "texts.js").read_text()
    table = source[source.index("const en = {") : source.index("\n};\n")]
    entry = re.compile(r'^  (?:"(.+?)"|(\w+)):\s+("(?:[^"\\]|\\.)*"),$', re.MULTILINE)
    found = {quoted or plain: json.loads(text) for quoted, plain, text in entry.findall(table)}
    assert len(found) == table.count("\n") - table.count("\n\n")
    return found


def of_the_page() -> Iterator[str]:
    yield from texts_of_the_page().values()


def of_the_templates() -> Iterator[str]:
    """The words of the pages that commands write, without their code."""
    for path in (SOURCES / "templates").glob("*.html"):
        yield re.sub(
            r"(?s)\{[{%#].*?[}%#]\}|<style.*?</style>|<script.*?</script>", "", path.read_text()
        )


@pytest.mark.parametrize("sentences", [of_the_help, of_the_tables, of_the_page, of_the_templates])
def test_no_sentence_has_a_banned_word_or_a_ply(sentences: Callable[[], Iterator[str]]) -> None:
    wrong = [one for one in sentences() if BANNED.search(one) or PLY.search(one)]
    assert wrong == []


def of_the_sources() -> Iterator[tuple[Path, str]]:
    """Every text in the program that is not about the program, as docstrings are."""
    for path in SOURCES.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        described = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Constant) and id(node) not in described:
                yield path, str(node.value)


def of_the_documents() -> Iterator[tuple[Path, str]]:
    """The pages of the documentation, and the examples and words of rulebooks."""
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "**/rulebooks/*.toml"):
        for path in ROOT.glob(pattern):
            inside = path.relative_to(ROOT)
            if path.name != "CHANGELOG.md" and inside.parts[0] not in (".venv", "node_modules"):
                yield inside, path.read_text()


def _without_code(template: Path) -> str:
    return re.sub(
        r"(?s)\{[%#].*?[%#]\}|<style.*?</style>|<script.*?</script>", "", template.read_text()
    )


def of_the_page_and_templates() -> Iterator[tuple[Path, str]]:
    """What browsers are shown: the table of texts, with fields in braces, and templates."""
    for text in of_the_page():
        yield Path("texts.js"), re.sub(r"\{\w+\}", "1", text)
    for path in (SOURCES / "templates").glob("*.html"):
        yield Path(path.name), re.sub(r"(?s)\{\{.*?\}\}", "1", _without_code(path))


@pytest.mark.parametrize("texts", [of_the_sources, of_the_documents])
def test_no_text_has_a_word_that_gives_a_translation_away(
    texts: Callable[[], Iterator[tuple[Path, str]]],
) -> None:
    """In no message of the program and in no document; `is None` is Python's."""
    wrong = {
        f"{path}: {found.group()}"
        for path, text in texts()
        for found in BANNED.finditer(text.replace("is None", ""))
    }
    assert wrong == set()


SPACED_SHARE = re.compile(r"[0-9] %(?![a-z(0-9])|^ %(?![a-z(0-9])")
"""`58 %` within a text, or the part of a text behind a number that is put in."""


@pytest.mark.parametrize("texts", [of_the_sources, of_the_documents, of_the_page_and_templates])
def test_a_share_is_written_in_one_form(
    texts: Callable[[], Iterator[tuple[Path, str]]],
) -> None:
    """`58%`, never `58 %`, in every message, page and document."""
    assert {f"{path}: {text[:60]}" for path, text in texts() if SPACED_SHARE.search(text)} == set()


def test_the_page_numbers_a_player_only_where_nobody_has_a_name() -> None:
    """Seats to be chosen and tables over seats; a game's own players are you or have names."""
    numbered = [key for key, text in texts_of_the_page().items() if NUMBERED.search(text)]
    assert [key for key in numbered if not WITHOUT_NAMES.match(key)] == []


def played(address: str) -> tuple[Session, Names, Narrator]:
    """A game of a person against the computer, to its end."""
    game = Game(find_rulebook(address))
    session = Session(game, seats=("human", "level:3"))
    position: Position = session.position
    while session.winner is None and session.plies < 200:
        move = game.moves(position)[-1 if position.battle is None else 1]
        session.play(move)
        position = session.position
    narrator = Narrator(game)
    return session, names_for(narrator, frozenset({Side.ONE}), frozenset({Side.ONE})), narrator


@pytest.mark.parametrize("address", ["cross-over", "ctf-soldiers", "ctf-tokens", "blockade-duel"])
def test_a_person_is_you_in_every_sentence_about_a_game(address: str) -> None:
    """Never a number in place of you and the computer: log, status and result."""
    session, names, narrator = played(address)
    said = [turn_sentence(turn, names, narrator.label) for turn in session.turns]
    said += [line.told for line in MoveLog(narrator).entries(session, names)]
    said += [headline(session, names), how_it_ended(session, names, narrator)]
    assert YOU in names.values()
    assert [one for one in said if re.search(r"\bplayer [12]\b", one, re.IGNORECASE)] == []
    assert any("the computer" in one.lower() for one in said)


def test_the_stakes_of_a_battle_are_said_for_both_and_for_a_tie() -> None:
    game = Game(find_rulebook("flag-chase"))
    names = {Side.ONE: "you", Side.TWO: "the computer"}
    assert battle_stakes(game, Position((5,), (5,), Side.TWO, 5), names) == (
        "If you win, you win the game. If the computer wins, P1 goes home to 1. "
        "On a tie, P1 goes home to 1."
    )


@pytest.mark.parametrize(
    ("hand", "hands", "nothing"),
    [("kept", None, "nothing changes"), ("spent", ((1, 2), (2, 3)), "no piece moves")],
)
def test_a_battle_that_only_spends_numbers_changes_something(
    hand: str, hands: Hands | None, nothing: str
) -> None:
    """Where a tie takes nobody."""
    rules = ["battle.tie=nobody", "battle.numbers=3", f"battle.hand={hand}"]
    game = Game(assign(find_rulebook("flag-chase"), rules))
    names = {Side.ONE: "Ann", Side.TWO: "Bob"}
    told = battle_stakes(game, Position((3,), (3,), Side.ONE, 3, hands), names)
    assert told.endswith(f"On a tie, {nothing}.")


def test_the_help_has_every_command_in_one_group_and_30_lines(program: Program) -> None:
    named = [name for rows in GROUPS.values() for row in rows for name in row if name in COMMANDS]
    assert sorted(named) == sorted(COMMANDS)
    lines = program("--help").out.splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 90


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("play --frist 1", "lineduel: There is no option '--frist'. Did you mean --first?"),
        ("play --first 3", "lineduel: --first takes 1, 2 or random, not '3'."),
        ("play --seed x", "lineduel: --seed takes a whole number, not 'x'."),
        ("play --seed", "lineduel: --seed needs N after it."),
        ("review", "lineduel: Missing: FILE "),
        ("solve --postion 1", "lineduel: There is no option '--postion'. Did you mean --pos"),
        ("mcp --bogus", "lineduel: There is no option '--bogus'.\nSee"),
        ("solve cross-over extra", "lineduel: 'extra' is one word too many."),
        (
            "play cross-over --level 3",
            "lineduel: There is no option '--level'. Did you mean --p2 easy?",
        ),
        ("solv cross-over", "lineduel: There is no command 'solv'. Did you mean 'solve'?"),
    ],
)
def test_a_wrong_command_line_is_answered_in_plain_words(
    program: Program, typed: str, said: str
) -> None:
    """With the help of the right command, and nothing of argparse's own."""
    done = program(*typed.split())
    assert done.status == 2
    assert done.err.startswith(said)
    first = typed.split()[0]
    command = f"lineduel {first}" if first in COMMANDS else "lineduel"
    assert done.err.endswith(f"See '{command} --help'.\n")
    assert not any(one in done.err for one in ARGPARSE)
    assert "?." not in done.err


def test_a_file_of_another_kind_is_not_a_rulebook(program: Program) -> None:
    (program.folder / "users").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (program.folder / "program").write_bytes(b"\x7fELF\xff\x00")
    for name, said in (
        ("users", "users is not a rulebook."),
        ("program", "program is not a rulebook: it is not a text file in UTF-8."),
    ):
        done = program("play", f"./{name}")
        advice = "A rulebook is a TOML file. Write one to begin with: lineduel new my-duel.toml"
        assert (done.status, done.err.splitlines()) == (2, [f"lineduel: {said}", advice])


def test_no_folder_is_made_unasked(program: Program) -> None:
    done = program("audit", "flag-chase", "--html", "missing/page.html")
    assert done.status == 2
    assert done.err.startswith("lineduel: There is no folder missing.")
    assert not (program.folder / "missing").exists()


def test_several_files_are_validated_at_once(program: Program) -> None:
    """Each has its verdict, and one that is wrong makes the status 1."""
    assert program("new", "one.toml", "--from", "cross-over").status == 0
    (program.folder / "two.toml").write_text("title = 3\n")
    done = program("validate", "one.toml", "two.toml")
    assert done.status == 1
    assert "one.toml: valid, with 1 warning." in done.out
    assert "two.toml:1: title" in done.out


def test_a_file_that_cannot_be_read_leaves_the_others_to_be_validated(program: Program) -> None:
    assert program("new", "one.toml", "--from", "cross-over").status == 0
    (program.folder / "folder").mkdir()
    done = program("validate", "folder", "one.toml", "nowhere.toml")
    assert done.status == 2
    assert "one.toml: valid, with 1 warning." in done.out
    assert done.err == (
        "lineduel: folder is a directory, not a file.\nlineduel: There is no file nowhere.toml.\n"
    )


def test_a_file_of_another_kind_is_not_a_game(program: Program) -> None:
    (program.folder / "users").write_text("root:x:0:0:root:/root:/bin/bash\n")
    for command in ("review", "replay"):
        done = program(command, "users")
        assert done.status == 2
        assert done.err.startswith("lineduel: users is not a saved game (.duel).\n")


def test_a_variant_that_is_misspelt_is_guessed(program: Program) -> None:
    done = program("play", "cross-over:nojump")
    assert "Did you mean cross-over:no-jump?\nVariants of cross-over: " in done.err
