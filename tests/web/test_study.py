"""Study, review, puzzles, rulebooks, audits and ladders over HTTP, and the OpenAPI document."""

import json

import jsonschema
import pytest

from lineduel.documents import plain_data, solve_document
from lineduel.documents.schemas import schema_text
from lineduel.engine import Game
from lineduel.rulebooks import find_rulebook
from lineduel.solve import solve
from support.web_server import Server


def test_any_position_has_the_value_of_every_move(server: Server) -> None:
    status, studied = server.ask("/api/study", {"game": "cross-over"})
    assert (status, studied["value"], studied["plies"]) == (200, [-1, -1], 20)
    assert studied["sentence"] == "With best play player 2 wins in 20 turns."
    assert [one["move"] for one in studied["moves"] if one["best"]]
    assert studied["line"]
    assert studied["board"]["position"] == "0,1,2/10,9,8/1"
    jsonschema.validate(studied, json.loads(schema_text("study")))


def test_an_open_battle_has_its_mixture(server: Server) -> None:
    studied = server.ask("/api/study", {"game": "flag-chase", "position": "3/3/1*"})[1]
    assert studied["moves"] == []
    for side in ("P1", "P2"):
        assert sum(one["chance"] for one in studied["mixture"][side]) == pytest.approx(1)


def test_one_call_gives_what_solve_prints(server: Server) -> None:
    game = Game(find_rulebook("flag-chase:closed-cells"))
    answer = server.ask("/api/solve", {"game": "flag-chase", "variant": "closed-cells"})[1]
    expected = plain_data(solve_document(solve(game), game.start()))
    assert answer == json.loads(json.dumps(expected))


def test_a_game_is_reviewed_with_a_sentence_for_each_mistake(server: Server) -> None:
    created = server.create(game="cross-over", opponent="here")
    token = created["seats"]["P1"]
    with server.join(created["id"], token) as both:
        for _ in range(6):
            both.move()
    record = server.fetch(f"/api/live/{created['id']}/record", token=token)[1]
    status, page = server.ask("/api/review", {"record": record})
    assert status == 200
    assert len(page["moves"]) == 6
    for one in page["moves"]:
        assert bool(one["sentence"]) == (one["mark"] in ("?", "??"))
    assert page["review"]["game"] == "cross-over"


def test_a_puzzle_is_asked_and_answered(server: Server) -> None:
    puzzle = server.ask("/api/puzzles", {"game": "cross-over", "seed": 3})[1]
    question = {"game": "cross-over", "position": puzzle["board"]["position"]}
    told = server.ask("/api/puzzles/answer", question)[1]
    for move in (one["move"] for one in puzzle["moves"]):
        answer = server.ask("/api/puzzles/answer", {**question, "move": move})[1]
        assert answer["right"] == (move == told["solution"]) or answer["right"]
        assert answer["solution"] == (told["solution"] if answer["right"] else None)


def test_a_rulebook_is_shown_validated_and_audited(server: Server) -> None:
    page = server.ask("/api/rules", {"game": "flag-chase"})[1]
    assert page["title"] == "Flag Chase"
    assert page["variants"]
    assert server.ask("/api/validate", {"toml": page["toml"]})[1]["valid"] is True
    assert server.ask("/api/validate", {"toml": "title = 3"})[1]["valid"] is False
    status, audited = server.ask("/api/audit", {"toml": page["toml"]})
    assert status == 200, audited
    assert audited["audit"]["claims"]
    assert audited["text"]


def test_a_ladder_follows_its_published_schema(server: Server) -> None:
    status, ladder = server.ask("/api/ladder/flag-chase")
    assert status == 200, ladder
    jsonschema.validate(ladder, json.loads(schema_text("ladder")))


def test_live_games_follow_their_published_schema(server: Server) -> None:
    created = server.create(game="cross-over", opponent="here", watch=True)
    with server.join(created["id"], created["seats"]["P1"]) as both:
        jsonschema.validate(both.view, json.loads(schema_text("live-view")))
        jsonschema.validate(both.move(), json.loads(schema_text("live-turn")))


def test_the_interface_describes_itself(server: Server) -> None:
    status, document = server.ask("/api/docs/openapi.json")
    assert status == 200
    paths = set(document["paths"])
    assert {"/api/live", "/api/live/{id}", "/api/study", "/api/solve", "/health"} <= paths
    assert server.fetch("/metrics")[1].startswith("# HELP lineduel_games ")
    assert server.ask("/health")[1]["status"] == "ok"
