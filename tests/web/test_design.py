"""The designer over HTTP: the form, rulebooks on trial, verdicts, and rulebooks close by."""

import json
import tomllib
import urllib.request
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest

from lineduel.documents.schemas import schema_text
from lineduel.engine import Game
from lineduel.rulebooks import find_rulebook, rulebook_file
from lineduel.rules import (
    RULEBOOK_KEYS,
    Again,
    BattleRule,
    Edge,
    Loser,
    Meeting,
    Tie,
    pack_rulebook,
    problems_of,
    rulebook_from_data,
)
from support.web_server import SECONDS, Server

TOKENS = rulebook_file("ctf-tokens").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server


@cache
def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(json.loads(schema_text(name)))


def follows(document: object, name: str) -> None:
    """A document is what its published schema says."""
    validator(name).validate(document)


def messages(server: Server, path: str, **body: object) -> list[dict[str, Any]]:
    """All parts of an answer that comes in parts; each follows its published schema."""
    request = urllib.request.Request(
        f"{server.address}/api/design/{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=4 * SECONDS) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        told = [json.loads(line) for line in answer]
    for one in told:
        follows(one, "design-message")
    return told


def on_trial(server: Server, **body: object) -> dict[str, Any]:
    status, answer = server.ask("/api/design", body)
    assert status == 200, answer
    follows(answer, "design")
    return dict(answer)


def test_the_form_has_every_key_and_every_word_of_the_vocabulary(server: Server) -> None:
    """A new word or key appears by itself."""
    form = server.ask("/api/design/form")[1]
    follows(form, "design-form")
    keys = {key["key"]: key for table in form["tables"] for key in table["keys"]}
    assert keys.keys() == {path for path, key in RULEBOOK_KEYS.items() if key.table != "variants"}
    enums: dict[str, Iterable[str]] = {
        "move.edge": Edge,
        "move.again": Again,
        "meet.enemy": Meeting,
        "battle.wins": BattleRule,
        "battle.loser": Loser,
        "battle.tie": Tie,
        "claims.property": RULEBOOK_KEYS["claims.property"].words,
    }
    for name, words in enums.items():
        assert [one["word"] for one in keys[name]["words"]] == [str(word) for word in words]
        assert all(one["meaning"] for one in keys[name]["words"])
    assert (keys["battle.numbers"]["lowest"], keys["battle.numbers"]["highest"]) == (2, 9)
    needs = {table["table"]: table["needs"] for table in form["tables"]}
    assert needs["battle"] == {"key": "meet.enemy", "words": ["battle"]}
    assert keys["move.again"]["needs"]["words"] == ["captured", "sent home"]


def test_text_data_and_link_of_a_rulebook_are_the_same(server: Server) -> None:
    """From any of the three come the other two; the data is what the text says."""
    by_text = on_trial(server, toml=TOKENS)
    assert by_text["valid"]
    assert by_text["rulebook"] == tomllib.loads(TOKENS)
    by_data = on_trial(server, rulebook=by_text["rulebook"])
    assert tomllib.loads(by_data["toml"]) == tomllib.loads(TOKENS)
    by_link = on_trial(server, packed=by_text["packed"])
    assert by_link == by_text
    assert by_text["packed"] == pack_rulebook(TOKENS)


def test_what_is_wrong_is_told_with_its_key_and_line(server: Server) -> None:
    data = tomllib.loads(TOKENS)
    data["move"]["steps"] = [1, "two"]
    data["colour"] = "red"
    tried = on_trial(server, rulebook=data)
    assert not tried["valid"]
    assert tried["start"] is None
    assert tried["rulebook"] == data
    found = [(one.line, one.key) for one in problems_of(tried["toml"])]
    assert [(one["line"], one["key"]) for one in tried["problems"]] == found
    assert {key for _, key in found} == {"move.steps", "colour"}
    assert on_trial(server, toml="title =")["rulebook"] is None


@pytest.mark.parametrize(
    "body",
    [
        {"packed": "AAAA"},
        {"packed": "é"},
        {"packed": pack_rulebook("x" * (1 << 22))},
        {"toml": TOKENS, "set": ["move.steps=many"]},
        {"toml": TOKENS, "variant": "nothing"},
        {"toml": "title = 3", "set": ["move.steps=1"]},
        {"rulebook": {"title": "x" * (1 << 15)}},
        {"game": "nothing"},
        {},
    ],
)
def test_what_is_no_rulebook_is_refused(server: Server, body: dict[str, Any]) -> None:
    status, answer = server.ask("/api/design", body)
    assert status in (400, 404)
    assert answer["error"]


def test_odd_data_is_answered_with_problems(server: Server) -> None:
    """Whatever JSON says, it comes out as TOML that can be read."""
    odd: list[Any] = [None, 1.5, 'a\x7f\r\n"""\'', [[]], [{}, 1], {"": {"": None}}, 1 << 70, True]
    for value in odd:
        tried = on_trial(server, rulebook={"title": value, "track": value, "é\n": value})
        assert tried["rulebook"] is not None
        assert tried["problems"]


def test_moves_are_listed_with_what_comes_of_them(server: Server) -> None:
    game = Game(find_rulebook("flag-chase"))
    for position in (game.start(), game.play(game.start(), next(iter(game.moves(game.start()))))):
        question = {"game": "flag-chase", "position": str(position)}
        tried = server.ask("/api/moves", question)[1]
        follows(tried, "moves")
        after = {one["move"]: one["after"] for one in tried["moves"]}
        assert after == {str(one): str(game.play(position, one)) for one in game.moves(position)}
    battle = server.ask("/api/moves", {"game": "flag-chase", "position": "3/3/1*"})[1]
    assert len(battle["moves"]) == 25
    assert all(one["sentence"] for one in battle["moves"])
    won = server.ask("/api/moves", {"game": "flag-chase", "position": "5/1/2"})
    assert won[0] == 400 or won[1]["moves"] == []


def test_the_value_comes_before_the_verdicts_and_what_changed_is_told(server: Server) -> None:
    *first, last = messages(server, "verdicts", toml=TOKENS)
    assert first[0]["type"] == "progress"
    assert "value" in [one["type"] for one in first]
    assert last["worth"]["sentence"] == "With best play player 1 wins in 5 turns."
    assert last["changed"] == ""
    before = {
        "sentence": last["worth"]["sentence"],
        "verdicts": {one["property"]: one["verdict"] for one in last["verdicts"]},
    }
    again = messages(server, "verdicts", toml=TOKENS, before=before)[-1]
    assert again["changed"] == "The change makes no difference to the winner or to the verdicts."
    slower = on_trial(server, toml=TOKENS, set=["move.steps=1"])["toml"]
    other = messages(server, "verdicts", toml=slower, before=before)[-1]
    assert other["changed"] == (
        "Before the change: with best play player 1 wins in 5 turns. "
        "Now refuted: skill wins and choices matter."
    )
    assert {one["property"] for one in other["verdicts"] if one["changed"]} == {
        "skill wins",
        "choices matter",
    }


def test_a_rulebook_that_is_too_large_is_told_so(server: Server) -> None:
    names = {side: [f"{side}{number}" for number in range(8)] for side in "AB"}
    text = on_trial(
        server,
        toml=TOKENS,
        set=[
            "track.first=0",
            "track.last=40",
            f"player1.pieces={','.join(f'{name}:0' for name in names['A'])}",
            f"player2.pieces={','.join(f'{name}:40' for name in names['B'])}",
            "player1.goal=40",
            "player2.goal=0",
            "meet.enemy=shared",
            "meet.own=shared",
        ],
    )
    assert text["valid"], text["problems"]
    last = messages(server, "verdicts", toml=text["toml"])[-1]
    assert last["type"] == "error"
    assert "positions" in last["error"]


def test_a_repair_that_is_taken_over_keeps_every_claim(server: Server) -> None:
    slow = on_trial(server, toml=TOKENS, set=["move.steps=1"])["toml"]
    *_, found = messages(server, "repairs", toml=slow)
    assert found["sentence"].startswith("6 repairs meet every claim. Tried ")
    best = found["rulebooks"][0]
    assert {one["verdict"] for one in best["rulings"]} == {"proved"}
    mended = on_trial(server, toml=slow, set=best["set"])
    assert mended["start"]["board"] == best["board"]
    judged = messages(server, "verdicts", toml=mended["toml"])[-1]
    assert {one["verdict"] for one in judged["verdicts"] if one["claimed"]} == {"proved"}
    sound = messages(server, "repairs", game="ctf-tokens")[-1]
    assert sound["sentence"] == (
        "All 4 promises hold. Not promised, and not proved: neither seat favoured and every rule "
        "matters."
    )
    assert sound["unpromised"] == ["neither seat favoured", "every rule matters"]


def test_what_nobody_promised_is_repaired_when_asked(server: Server) -> None:
    *_, found = messages(server, "repairs", game="ctf-tokens", all=True)
    assert "Tried " in found["sentence"]
    for one in found["rulebooks"]:
        verdicts = {ruling["property"]: ruling["verdict"] for ruling in one["rulings"]}
        assert verdicts["neither seat favoured"] != "refuted"


def test_single_changes_and_variants_have_their_values(server: Server) -> None:
    *_, changes = messages(server, "changes", game="ctf-tokens")
    for one in changes["rulebooks"][:3]:
        changed = on_trial(server, game="ctf-tokens", set=one["set"])
        assert changed["start"]["board"] == one["board"]
    assert changes["effects"] == {"value": 13, "length": 12, "none": 10, "unknown": 0}
    assert changes["sentence"].startswith("13 of 35 single changes change the value. 12 more ")
    *_, variants = messages(server, "variants", game="ctf-tokens")
    rulebook = find_rulebook("ctf-tokens")
    assert [one["variant"] for one in variants["rulebooks"]] == [
        one.name for one in rulebook.variants
    ]
    taken = on_trial(server, game="ctf-tokens", variant=rulebook.variants[0].name)
    read = rulebook_from_data(taken["rulebook"], "own")
    assert read.rules == find_rulebook(f"ctf-tokens:{rulebook.variants[0].name}").rules
    assert read.variants == ()


def test_the_report_is_the_page_of_the_command_under_a_strict_policy(server: Server) -> None:
    """Only its own script runs, known by its hash; nothing is loaded."""
    status, page, headers = server.fetch(f"/audit/report?rulebook={pack_rulebook(TOKENS)}")
    assert status == 200
    assert headers["content-type"] == "text/html; charset=utf-8"
    policy = headers["content-security-policy"]
    script = policy.partition("script-src ")[2].partition(";")[0]
    assert script.startswith("'sha256-")
    assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    assert "default-src 'none'" in policy
    assert "<h2>Claims</h2>" in page
    status, page, headers = server.fetch("/audit/report?rulebook=AAAA")
    assert status == 400
    assert "The link is damaged" in page
    assert server.fetch("/audit/report?game=ctf-tokens")[0] == 200
