"""Every JSON document that a command prints is as its published schema says."""

import json
import os
import re
import shlex
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from lineduel.cli.main import COMMANDS
from lineduel.documents.schemas import DOCUMENTS, RULEBOOK, SERVED, schema_text, write_schemas
from lineduel.documents.solution_documents import interval
from lineduel.solve import Value
from support.program import Program
from support.repetition import for_games
from support.strategies import ALL_GAMES

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
UPDATE = "LINEDUEL_UPDATE_GOLDEN"
UNDERCUT = ("--set", "battle.wins=undercut")


@cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def printed(program: Program, name: str, *arguments: str, status: int = 0) -> Any:
    """What a command prints, once it is shown to fit its schema."""
    done = program(*arguments, "--json")
    assert done.status == status, done.err
    document = json.loads(done.out)
    validator(name).validate(document)
    return document


def test_published_schemas_are_up_to_date() -> None:
    """`LINEDUEL_UPDATE_GOLDEN=1` writes them anew."""
    if os.environ.get(UPDATE):
        write_schemas(SCHEMAS)
    published = sorted([*DOCUMENTS, *SERVED, RULEBOOK])
    assert sorted(path.stem for path in SCHEMAS.iterdir()) == published
    for name in published:
        assert (SCHEMAS / f"{name}.json").read_text(encoding="utf-8") == schema_text(name)


def test_every_command_that_prints_json_has_a_schema(program: Program) -> None:
    """A command with `--json` is one of those that a schema is for."""
    for command in COMMANDS:
        prints = "--json" in program(command, "--help").out
        assert prints == (command in DOCUMENTS), command


def test_a_bound_holds_as_it_is_printed() -> None:
    """It is rounded away from the value, by the last digit at most, and only if it has to be."""
    chance = Random(1)
    for _ in range(300):
        least, most = sorted(Fraction(chance.randint(-999, 999), 999) for _ in range(2))
        low, high = map(Fraction, interval(Value(least, most)))
        assert least - Fraction(1, 10**15) < low <= least
        assert most <= high < most + Fraction(1, 10**15)
    for exact in (Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(3, 1024)):
        assert tuple(map(Fraction, interval(Value(exact, exact)))) == (exact, exact)


def test_the_reference_names_every_document() -> None:
    """docs/json.md has a line for each schema, with its command."""
    text = (SCHEMAS.parent / "json.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `lineduel (.+) --json` \| \[(.+)\]\(schemas/(.+)\) \|", text, re.M)
    assert sorted(shown for _, shown, _ in rows) == sorted(f"{name}.json" for name in DOCUMENTS)
    for command, shown, linked in rows:
        assert shown == linked
        assert shown.startswith(command.split()[0])


def test_a_schema_refuses_what_is_not_such_a_document() -> None:
    """A key too many, one that is missing, and a wrong type."""
    right = {"game": "cross-over", "perft": [3, 9]}
    validator("perft").validate(right)
    for wrong in (right | {"depth": 2}, {"game": "cross-over"}, right | {"perft": ["3"]}):
        with pytest.raises(ValidationError):
            validator("perft").validate(wrong)


def test_the_list_of_games_has_every_game_and_variant(program: Program) -> None:
    addresses = [
        address
        for game in printed(program, "games", "games")
        for address in (game["game"], *(one["game"] for one in game["variants"]))
    ]
    assert sorted(addresses) == sorted(ALL_GAMES)


@for_games("address")
def test_documents_about_any_game(program: Program, address: str) -> None:
    """Its rules, its counts of move sequences and its solution are as their schemas say."""
    assert printed(program, "rules", "rules", address)["game"] == address
    assert len(printed(program, "perft", "perft", address, "2")["perft"]) == 2
    assert printed(program, "solve", "solve", address)["moves"]


def test_solutions_of_battles(program: Program) -> None:
    """Fractions, intervals, an open battle, and a game that is over."""
    assert printed(program, "solve", "solve", "flag-chase", *UNDERCUT)["exact"] == "1/47"
    battle = ("--position", "3/3/1*")
    found = printed(program, "solve", "solve", "flag-chase", *UNDERCUT, *battle)
    assert set(found["battle"]["player1"]) == set("12345")
    over = printed(program, "solve", "solve", "flag-chase", "--position", "5/5/2")
    assert over["moves"] == []


def test_certificates(program: Program) -> None:
    """The document of a check says that a certificate is accepted, or why not."""
    assert program("solve", "ctf-tokens", "--certificate", "proof.txt").status == 0
    assert printed(program, "check", "check", "proof.txt")["accepted"]
    (program.folder / "forged.txt").write_text("lineduel certificate 1\n", encoding="utf-8")
    assert printed(program, "check", "check", "forged.txt", status=1)["why"]


def test_engine_checks(program: Program) -> None:
    """An engine that keeps to the protocol, and a program that is none."""
    right = shlex.join(["sh", str(SCHEMAS.parent.parent / "examples" / "engine.sh")])
    found = printed(program, "engine-check", "engine-check", right)
    assert found["passed"]
    assert len(found["checks"]) > 15
    (wrong,) = printed(program, "engine-check", "engine-check", "false", status=1)["checks"]
    assert wrong["why"]


def test_records(program: Program) -> None:
    """A game with a battle, left unfinished."""
    typed = "1\n1\n1\n1\n4\n2\n1\nsave game.duel\nquit\n"
    assert program("play", "flag-chase", typed=typed).status == 0
    replayed = printed(program, "replay", "replay", "game.duel")
    reviewed = printed(program, "review", "review", "game.duel")
    assert [one["move"] for one in reviewed["moves"]] == replayed["moves"]
    assert any(one["battle"] for one in reviewed["moves"])


@pytest.mark.parametrize("address", ["flag-chase", "blockade-duel", "ctf-tokens"])
def test_ladders_and_audits(program: Program, address: str) -> None:
    """A ladder has every player, and an audit every claim."""
    assert len(printed(program, "ladder", "ladder", address)["players"]) == 10
    assert printed(program, "audit", "audit", address, "--all")["claims"]


def test_variants_side_by_side(program: Program) -> None:
    """One audit for the game, and one for each variant."""
    assert len(printed(program, "audit-variants", "audit", "flag-chase", "--variants")) == 3


def test_exams_and_their_benchmark(program: Program) -> None:
    small = ("--games", "ctf-tokens", "--unseen", "1", "--positions", "2", "--levels", "1")
    for level, name in enumerate(("one", "two"), start=1):
        player = f"player:level:{level}"
        asked = ("exam", player, *small, "--cores", "1", "--file", f"{name}.jsonl")
        assert printed(program, "exam", *asked)["agent"] == player
    compared = printed(program, "exam-comparison", "exam", "--compare", "one.jsonl", "two.jsonl")
    assert len(compared["pairs"]) == 1
    assert printed(program, "benchmark", "benchmark")["rule_sets"] == 64


def test_tournaments(program: Program) -> None:
    """With and without a sequential test."""
    players = ("--players", "level:1", "level:3", "--games", "40", "--cores", "1")
    plain = ("tournament", "ctf-tokens", *players, "--file", "plain.jsonl")
    assert printed(program, "tournament", *plain)["counted"] == 40
    tested = ("tournament", "ctf-tokens", *players, "--sprt", "0,50")
    assert printed(program, "tournament", *tested)["pairings"][0]["decision"]


def test_repairs(program: Program) -> None:
    """A rulebook that is sound, one that is mended, and one that is not."""
    assert printed(program, "repair", "repair", "ctf-tokens")["sound"]
    few = ("--max-changes", "1", "--cores", "1")
    assert printed(program, "repair", "repair", "flag-chase", *few)["repairs"]
    also = ("--also", "neither seat favoured")
    assert not printed(program, "repair", "repair", "ctf-tokens", *also, *few, status=1)["repairs"]


def test_sweeps(program: Program) -> None:
    """Rows with figures, and rows of what is no rulebook."""
    vary = ("--vary", "track.length=4..8", "--vary", "move.steps=1,2|1,2,3")
    rows = printed(program, "sweep", "sweep", "cross-over", *vary, "--cores", "1")["rows"]
    assert {one["status"].partition(":")[0] for one in rows} == {"done", "no rulebook"}
