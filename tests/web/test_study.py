"""Study, review, puzzles, rulebooks, audits and ladders over HTTP, and the OpenAPI document."""

import json
from typing import Any

import jsonschema
import pytest

from lineduel.coach import SHIPPED_LESSONS, Adviser
from lineduel.documents import advice_document, plain_data, solve_document
from lineduel.documents.schemas import schema_text
from lineduel.engine import Game
from lineduel.errors import TooLarge
from lineduel.narration import NUMBERED
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side
from lineduel.solve import Solution, solve
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
        assert bool(one["sentence"]) == (one["mark"] in ("?", "??", "?!"))
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


def test_advice_is_given_to_those_who_play_alone_or_at_one_screen(server: Server) -> None:
    """In your turn only; to nobody who plays a friend elsewhere."""
    new = {"game": "cross-over", "position": "0,3,4/8,9,6/1"}
    for opponent in ("level:3", "here"):
        created = server.create(**new, opponent=opponent)
        path, token = f"/api/live/{created['id']}/advice", created["seats"]["P1"]
        status, advice = server.ask(path, token=token)
        assert (status, advice["side"], advice["move"]) == (200, "P1", "P1-C+1")
        jsonschema.validate(advice, json.loads(schema_text("advice")))
        assert len(advice["hint"]) == 3
        assert "takes P1-C on 6" in advice["warnings"]["P1-C+2"]["text"]
        assert advice["move"] not in advice["warnings"]
        assert advice["threatened"] == ["P1-C"]
        assert server.ask(path)[0] == 403
        assert "leaves you without a good move" in advice["warnings"]["P1-A+1"]["text"]
    created = server.create(**new, opponent="level:3", seat="P2", watch=True)
    path = f"/api/live/{created['id']}/advice"
    assert server.ask(path, token=created["spectator"])[0] == 409
    friends = server.create(**new, opponent="friend")
    path, token = f"/api/live/{friends['id']}/advice", friends["seats"]["P1"]
    sentence = "There are no hints in a game with a friend on another device."
    assert server.ask(path, token=token) == (409, {"error": sentence})
    assert server.ask(f"/api/live/{friends['id']}", token=token)[1]["helped"] is False


@pytest.mark.parametrize(("game", "where"), [("cross-over", ""), ("flag-chase", "3/3/1*")])
def test_where_a_game_is_too_large_to_solve_there_is_a_hint_and_no_warning(
    game: str, where: str
) -> None:
    """The coach has nothing to go by."""

    def solve() -> Solution:
        raise TooLarge(0, 0, "There are too many positions.")

    played = Game(find_rulebook(game))
    position = read_position(played, where) if where else played.start()
    found = advice_document(Adviser(played, solve), position, Side.ONE, NUMBERED)
    assert (found.estimate, found.warnings, len(found.hint)) == (True, {}, 1)
    assert (found.move is None) == bool(where)


def test_a_number_in_a_battle_is_advised_for_whose_turn_it_is(server: Server) -> None:
    created = server.create(game="flag-chase", opponent="here", position="3/3/1*")
    path, token = f"/api/live/{created['id']}/advice", created["seats"]["P1"]
    first = server.ask(path, token=token)[1]
    assert (first["side"], first["move"], first["warnings"]) == ("P1", None, {})
    assert first["hint"][-1]["text"].startswith("Choose ")
    number = {"number": 5, "side": "P1", "turn": 0}
    assert server.ask(f"/api/live/{created['id']}/number", number, token)[0] == 200
    assert server.ask(path, token=token)[1]["side"] == "P2"


def test_the_interface_describes_itself(server: Server) -> None:
    status, document = server.ask("/api/docs/openapi.json")
    assert status == 200
    paths = set(document["paths"])
    assert {"/api/live", "/api/live/{id}", "/api/study", "/api/solve", "/health"} <= paths
    assert server.fetch("/metrics")[1].startswith("# HELP lineduel_games ")
    assert server.ask("/health")[1]["status"] == "ok"


def test_lessons_are_listed_shown_without_answers_and_judged(server: Server) -> None:
    """The page asks for a lesson, shows its boards and questions, and sends each answer."""
    status, listed = server.ask("/api/lessons")
    assert status == 200
    assert [one["id"] for one in listed] == list(SHIPPED_LESSONS)
    status, lesson = server.ask("/api/lessons/first-duel")
    assert status == 200
    assert sum(step["question"] is not None for step in lesson["steps"]) == listed[0]["tasks"]
    assert {step["question"] for step in lesson["steps"]} == {"move", "number", "choice", None}
    shown = lesson["steps"][2]
    assert shown["board"]["position"] == "0,1,4/10,9,6/1"
    assert {
        "move": "P1-C+2",
        "piece": "P1-C",
        "from": 4,
        "to": 6,
        "text": "",
        "said": "P1-C 4→6",
    } in shown["moves"]

    def answer(step: int, text: str) -> tuple[int, Any]:
        return server.ask("/api/lessons/first-duel/answer", {"step": step, "answer": text})

    status, wrong = answer(2, "P1-A+2")
    assert (status, wrong["right"], wrong["board"], wrong["events"]) == (200, False, None, [])
    status, right = answer(2, "P1-C+2")
    assert (status, right["right"]) == (200, True)
    assert right["sentence"] == "Right: P1-C takes P2-C on 6."
    assert right["board"]["position"] == "0,1,6/10,9,x/2"
    assert [event["kind"] for event in right["events"]] == ["moved", "taken"]
    status, trap = answer(6, "P1-C+1")
    assert trap["sentence"] == (
        "No: P1-C 3→4 loses in 4 turns. P2-A takes P1-C on 4 next turn; "
        "whatever you play then, your enemy wins the turn after."
    )
    assert trap["reasons"][0]["pieces"] == ["P2-A", "P1-C"]
    assert trap["reasons"][0]["cells"] == [6, 4]
    for step, text, said in (
        (99, "1", "There is no such task"),
        (10, "1", "There is no such task"),
        (2, "P9+1", "not understood"),
    ):
        status, error = answer(step, text)
        assert status == 400
        assert said in error["error"]


@pytest.mark.parametrize("name", ["nothing", "..%2ffirst-duel", "%2fetc%2fpasswd.toml"])
def test_only_lessons_of_the_program_are_served(server: Server, name: str) -> None:
    """A name is never a path on the server."""
    assert server.ask(f"/api/lessons/{name}")[0] == 404
    assert server.ask(f"/api/lessons/{name}/answer", {"step": 0, "answer": "1"})[0] == 404


def test_the_puzzle_of_the_day_is_the_same_for_everyone(server: Server) -> None:
    """It follows from the date alone; its answer comes with the reason."""
    one, same, other = (
        server.ask(f"/api/puzzles/of-the-day?day={day}")[1]
        for day in ("2026-05-01", "2026-05-01", "2026-05-02")
    )
    assert one == same != other
    assert server.ask("/api/puzzles/of-the-day")[0] == 200
    assert server.ask("/api/puzzles/of-the-day?day=never")[0] == 400
    asked = {"game": one["game"], "position": one["board"]["position"]}
    status, told = server.ask("/api/puzzles/answer", asked)
    assert status == 200
    assert told["solution"]
    assert told["reason"]
    assert told["reasons"][0]["line"][0] == told["solution"]


def test_a_puzzle_is_asked_for_by_kind_of_reason_or_by_position(server: Server) -> None:
    """As the page does for a position in which somebody went wrong."""
    asked = {"game": "cross-over", "kind": "zugzwang", "seed": 3}
    _, puzzle = server.ask("/api/puzzles", asked)
    told = {"game": "cross-over", "position": puzzle["board"]["position"]}
    kinds = [one["kind"] for one in server.ask("/api/puzzles/answer", told)[1]["reasons"]]
    assert "zugzwang" in kinds
    _, own = server.ask("/api/puzzles", {"game": "cross-over", "position": "0,3,4/8,9,7/1"})
    assert own["sentence"] == "Player 1 to move: find a good move."
    assert server.ask("/api/puzzles", {"game": "cross-over", "kind": "luck"})[0] == 400
