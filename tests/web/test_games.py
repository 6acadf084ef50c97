"""Live games on a real server: two players by link, the computer, one screen, and spectators."""

import json
import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lineduel.record import read_record
from support.program import wait_until
from support.web_server import Client, Server

GAMES = ("ctf-soldiers", "flag-chase", "blockade-duel", "ctf-tokens", "cross-over")

BATTLES = "flag-chase"
"""A game in which enemies who meet fight a battle."""


def new_key() -> str:
    """The token that a page makes for itself before it joins."""
    return f"s.{secrets.token_urlsafe(24)}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), "--log", "--patience", "1") as server:
        yield server


def two_players(server: Server, game: str, **new: object) -> tuple[dict[str, Any], Client, Client]:
    """A game by link with both players connected, player 1 first."""
    created = server.create(game=game, opponent="friend", **new)
    one = server.join(created["id"], created["seats"]["P1"])
    two = server.join(created["id"], created["invite"], new_key())
    one.next("view")
    return created, one, two


def play_on(one: Client, two: Client, most: int = 400) -> None:
    """Play to the end: a win where there is one, else any move; any numbers."""
    rng = Random(5)
    for _ in range(most):
        if one.view["result"]:
            return
        if one.view["numbers"] or two.view["numbers"]:
            one.do("number", number=rng.choice(one.view["numbers"]), turn=one.view["turn"])
            answer = two.do("number", number=rng.choice(two.view["numbers"]), turn=two.view["turn"])
            one.until(answer["version"])
            continue
        mover, other = (one, two) if one.view["moves"] else (two, one)
        moves = [move for move in mover.view["moves"] if "wins" in move["text"]]
        played = mover.move(rng.choice(moves or mover.view["moves"])["move"])
        assert played["type"] == "turn", played
        other.until(played["version"])
    raise AssertionError("The game does not end.")


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_each_game_to_the_end_by_link(server: Server, game: str) -> None:
    """Both always see the same board, and the record can be replayed."""
    created, one, two = two_players(server, game)
    with one, two:
        play_on(one, two)
        assert one.view["board"] == two.view["board"]
        first, second = one.view["result"], two.view["result"]
        assert first["winner"] == second["winner"] is not None
        assert first["how"].split(" after ")[1:] == second["how"].split(" after ")[1:] != []
        told = {one.view["result"]["headline"], two.view["result"]["headline"]}
        assert told == {"You won.", "You lost."}
        status, text, _ = server.fetch(
            f"/api/live/{created['id']}/record", token=created["seats"]["P1"]
        )
        assert status == 200
        assert str(read_record(text).positions()[-1]) == one.view["board"]["position"]


@pytest.mark.parametrize("opponent", ["level:3", "perfect"])
def test_the_computer_answers_and_an_undo_is_taken_at_once(server: Server, opponent: str) -> None:
    created = server.create(game="cross-over", opponent=opponent, seat="P2", name="Ann")
    with server.join(created["id"], created["seats"]["P2"]) as ann:
        assert ann.until(2)["turn"] == 1  # the name, and the computer's first move
        assert ann.view["names"] == {"P1": "Computer", "P2": "Ann"}
        ann.move()
        ann.until(4)
        assert ann.view["turn"] == 3
        undone = ann.do("undo")
        assert undone["type"] == "view"
        assert undone["turn"] == 1
        assert undone["moves"]


def test_at_one_screen_both_sides_are_played(server: Server) -> None:
    created = server.create(game=BATTLES, opponent="here")
    assert created["seats"]["P1"] == created["seats"]["P2"]
    with server.join(created["id"], created["seats"]["P1"]) as both:
        assert both.view["you"] == "both"
        while not both.view["numbers"]:
            assert both.move()["type"] == "turn"
        first = both.do("number", number=2, side="P1", turn=both.view["turn"])
        assert first["chosen"] == ["P1"]
        assert both.do("number", number=1, side="P2", turn=both.view["turn"])["last"]["events"]
        assert both.do("undo")["numbers"]  # the battle is open again


def test_a_chosen_number_reaches_nobody_before_both_have_chosen(server: Server) -> None:
    """Not the opponent, a spectator or the chooser; not in a view, a record or a log."""
    created, one, two = two_players(server, BATTLES, watch=True)
    watcher = server.join(created["id"], created["spectator"])
    with one, two, watcher:
        while not one.view["numbers"]:
            mover, other = (one, two) if one.view["moves"] else (two, one)
            other.until(mover.move()["version"])
        watcher.until(one.view["version"])
        texts = {}
        for number in (1, 2):
            before = {client: len(client.frames) for client in (one, two, watcher)}
            chosen = one.do("number", number=number, turn=one.view["turn"])
            assert chosen["chosen"] == ["P1"]
            two.until(chosen["version"])
            watcher.until(chosen["version"])
            views = [
                server.ask(f"/api/live/{created['id']}", token=token)[1]
                for token in (created["seats"]["P1"], created["spectator"])
            ]
            record = server.fetch(f"/api/live/{created['id']}/record", token=created["spectator"])[
                1
            ]
            seen = [
                frame
                for client, count in before.items()
                for frame in client.frames[count:]
                if '"presence"' not in frame[:30]
            ]
            texts[number] = [_without_versions(frame) for frame in seen] + [
                *(_without_versions(json.dumps(view)) for view in views),
                record,
            ]
            assert two.do("undo")["undo"]["asked_by"] == "P2"  # two takes its last move back ...
            one.next("view")
            two.do("undo-answer", yes=False)  # ... no, it does not
            one.do("undo")
            two.next("view")
            two.do("undo-answer", yes=True)
            one.until(two.view["version"])
            watcher.until(two.view["version"])
            while not one.view["numbers"]:
                mover, other = (one, two) if one.view["moves"] else (two, one)
                other.until(mover.move()["version"])
            watcher.until(one.view["version"])
        assert texts[1] == texts[2]
        one.do("number", number=1, turn=one.view["turn"])
        two.until(one.view["version"])
        revealed = two.do("number", number=2, turn=two.view["turn"])
        assert revealed["last"]["events"][0]["numbers"] == {"P1": 1, "P2": 2}


def test_no_answer_over_http_depends_on_a_secret_number(server: Server) -> None:
    """Status, headers and body of everything that anybody can ask are the same to the byte."""
    assert everything_told(server, 2) == everything_told(server, 4)


def everything_told(server: Server, number: int) -> list[tuple[int, str, dict[str, str]]]:
    """Every answer about a battle in which player 1 has chosen that number over HTTP."""
    created = server.create(game=BATTLES, opponent="friend", watch=True, position="3/3/1*")
    key, path = new_key(), f"/api/live/{created['id']}"
    server.join(created["id"], created["invite"], key).close()
    turn = server.ask(path, token=key)[1]["turn"]
    mine = created["seats"]["P1"]
    answers = [server.fetch(f"{path}/number", {"number": number, "turn": turn}, mine)]
    for token in (mine, key, created["spectator"], created["invite"], new_key()):
        answers += [server.fetch(path, token=token), server.fetch(f"{path}/record", token=token)]
        for action, body in (
            ("number", {"number": 99, "turn": turn}),
            ("number", {"number": number, "side": "P1", "turn": turn - 1}),
            ("move", {"move": "P1+1", "turn": turn}),
            ("undo-answer", {"yes": True}),
            ("claim", {"claim": "win"}),
            ("return", {}),
        ):
            answers.append(server.fetch(f"{path}/{action}", body, token))
    answers += [server.fetch(page) for page in (f"/game/{created['id']}", "/health")]
    return [
        (
            status,
            re.sub(r'"seconds_left":\d', "", text.replace(created["id"], "GAME")),
            {name: value for name, value in headers.items() if name.lower() != "date"},
        )
        for status, text, headers in answers
    ]


def _without_versions(frame: str) -> object:
    """A frame without what counts requests and versions."""
    told = json.loads(frame)
    for key in ("since", "version", "done"):
        told.pop(key, None)
    return told


def test_exactly_one_of_two_moves_sent_at_once_counts(server: Server) -> None:
    """The same seat on two devices: one move is played, the other is refused."""
    created, one, two = two_players(server, "cross-over")
    phone = server.join(created["id"], created["seats"]["P1"])
    with one, two, phone:
        one.send(do="move", id=7, move="P1-C+1", turn=0)
        phone.send(do="move", id=7, move="P1-C+2", turn=0)
        answers = [client.next("turn", "refused") for client in (one, phone)]
        done = [answer for answer in answers if answer.get("done") == 7]
        assert len(done) == 1
        refusals = [
            told
            for client in (one, phone)
            for told in map(json.loads, client.frames)
            if told["type"] == "refused"
        ]
        if not refusals:
            loser = one if answers[1].get("done") == 7 else phone
            refusals = [loser.next("refused")]
        assert [told["error"] for told in refusals] == ["The game has gone on."]
        assert two.next("turn")["turn"] == 1
        assert one.do("view")["turn"] == 1


def test_a_takeback_undoes_the_move_it_was_asked_for(server: Server) -> None:
    """Playing on instead of answering is an answer: the question is gone with the turn."""
    _, one, two = two_players(server, "cross-over")
    with one, two:
        one.move("P1-C+1")
        two.until(one.view["version"])
        asked = one.do("undo")
        assert asked["undo"]["asked_by"] == "P1"
        assert asked["undo"]["sentence"] == "You ask to take back turn 1."
        two.next("view")
        two.move("P2-C+1")
        one.until(two.view["version"])
        assert (
            one.view["undo"] == two.view["undo"] == {"can": True, "asked_by": None, "sentence": ""}
        )
        assert two.do("undo-answer", yes=True)["error"] == "Nobody asks to take anything back."
        assert one.do("undo")["undo"]["sentence"] == "You ask to take back turns 1 and 2."
        two.next("view")
        assert one.do("undo-answer", yes=True)["error"] == "The other player has to agree."
        agreed = two.do("undo-answer", yes=True)
        assert (agreed["turn"], agreed["undo"]["asked_by"]) == (0, None)
        assert one.next("view")["board"]["position"] == "0,1,2/10,9,8/1"


def test_reactions_are_few_and_none_of_them_is_free_text(server: Server) -> None:
    """Three in a turn, whatever a hostile guest sends; the next turn has three more."""
    created, one, two = two_players(server, "cross-over")
    with one, two:
        path, token = f"/api/live/{created['id']}/react", created["seats"]["P1"]
        assert server.ask(path, {"reaction": "You are a fool."}, token)[0] == 400
        for count in (1, 2, 3):
            said = one.do("react", reaction="hello")["reactions"]
            assert said == {"P1": {"reaction": "hello", "count": count}}
        assert one.do("react", reaction="wow")["error"] == "You have said enough for this turn."
        two.until(one.view["version"])
        assert two.do("react", reaction="oops")["reactions"]["P2"]["count"] == 1
        one.until(two.view["version"])
        one.move()
        assert one.do("react", reaction="wow")["reactions"]["P1"]["count"] == 4


def test_nobody_reacts_to_the_computer(server: Server) -> None:
    created = server.create(game="cross-over", opponent="level:1", seat="P1")
    with server.join(created["id"], created["seats"]["P1"]) as one:
        refused = one.do("react", reaction="hello")
        assert refused["error"] == "There is nobody who would hear that."


def test_a_refused_takeback_changes_nothing(server: Server) -> None:
    _, one, two = two_players(server, "cross-over")
    with one, two:
        assert one.do("undo")["error"] == "You have not moved yet."
        one.move()
        two.until(one.view["version"])
        one.do("undo")
        assert one.do("undo")["error"] == "You have asked already."
        two.next("view")
        two.do("undo-answer", yes=False)
        assert one.next("view")["undo"] == {"can": True, "asked_by": None, "sentence": ""}
        assert one.view["turn"] == 1


def test_both_agree_to_a_rematch_and_their_tokens_open_it(server: Server) -> None:
    """With the seats swapped; the friend may be away when it is offered."""
    created = server.create(game="cross-over", opponent="friend")
    key = new_key()
    token = created["seats"]["P1"]
    with server.join(created["id"], token) as one:
        with server.join(created["id"], created["invite"], key) as two:
            two.do("name", name="  Bob   the\tsecond ")
            assert two.do("rematch")["error"] == "The game is not over yet."
            two.do("resign")
        one.until(two.view["version"])
        assert one.view["names"]["P2"] == "Bob the second"
        assert one.do("rematch")["rematch"] == {"offered_by": ["P1"], "id": None}
        with server.join(created["id"], key) as two:
            assert two.view["rematch"]["offered_by"] == ["P1"]
            again = two.do("rematch")["rematch"]["id"]
        one.until(two.view["version"])
        assert one.view["rematch"]["id"] == again
    with server.join(again, token) as one, server.join(again, key) as two:
        assert (one.view["you"], two.view["you"]) == ("P2", "P1")
        assert one.view["names"] == {"P1": "Bob the second", "P2": "Player 2"}
        assert two.move()["type"] == "turn"
    status, answer = server.ask(f"/api/live/{again}", token=created["invite"])
    assert (status, answer["error"]) == (403, "This link does not open the game.")


def test_against_the_computer_a_rematch_begins_at_once(server: Server) -> None:
    created = server.create(game="flag-chase", opponent="level:1")
    with server.join(created["id"], created["seats"]["P1"]) as ann:
        ann.do("resign")
        again = ann.do("rematch")["rematch"]["id"]
    with server.join(again, created["seats"]["P1"]) as ann:
        assert ann.view["you"] == "P2"
        assert ann.view["kinds"] == {"P1": "computer", "P2": "person"}


@pytest.mark.parametrize("claim", ["win", "computer", "abort"])
def test_nobody_is_stuck_when_the_other_leaves(server: Server, claim: str) -> None:
    _, one, two = two_players(server, "cross-over")
    with one:
        assert one.do("claim", claim=claim)["error"] == (
            "The other player has not been away long enough."
        )
        two.close()
        told = one.next("presence")
        assert (told["P2"], told["claim"]["can"]) == (False, ["win", "computer", "abort"])
        assert 0 < told["claim"]["seconds_left"] <= 1
        while (answer := one.do("claim", claim=claim))["type"] == "refused":
            time.sleep(0.05)
        match claim:
            case "win":
                assert answer["result"]["winner"] == "P1"
            case "abort":
                assert answer["result"]["winner"] is None
            case "computer":
                assert answer["kinds"]["P2"] == "computer"
                one.until(one.move()["version"] + 1)
                assert one.view["turn"] == 2


def test_a_seat_that_the_computer_took_over_is_taken_back_by_its_person(server: Server) -> None:
    """Nobody else can do that; until then the person cannot move, and then goes on."""
    created = server.create(game="cross-over", opponent="friend", watch=True)
    key = new_key()
    with (
        server.join(created["id"], created["seats"]["P1"]) as one,
        server.join(created["id"], created["spectator"]) as watcher,
    ):
        server.join(created["id"], created["invite"], key).close()
        while one.next("presence")["P2"]:
            pass
        assert one.do("return")["error"] == "You have your seat."
        while one.do("claim", claim="computer")["type"] == "refused":
            time.sleep(0.1)
        assert one.view["names"]["P2"] == "Computer"
        with server.join(created["id"], key) as two:
            assert (two.view["you"], two.view["kinds"]["P2"]) == ("P2", "computer")
            one.until(one.move()["version"] + 1)
            two.until(one.view["version"])
            assert watcher.do("return")["type"] == "refused"
            assert two.do("move", move="P2-C+1", turn=two.view["turn"])["error"] == (
                "The computer plays for you. Take your seat back first."
            )
            assert two.do("return")["kinds"]["P2"] == "person"
            one.until(two.view["version"])
            assert one.view["names"]["P2"] == "Player 2"
            two.until(one.move()["version"])
            assert two.view["moves"]
            assert two.move()["type"] == "turn"


def test_a_game_that_nobody_joined_can_be_ended(server: Server) -> None:
    created = server.create(game="cross-over", opponent="friend")
    with server.join(created["id"], created["seats"]["P1"]) as one:
        assert one.view["joined"] is False
        assert one.view["moves"] == []
        assert one.move("P1-C+1")["error"] == "Your friend has not joined yet."
        assert one.do("claim", claim="abort")["result"]["winner"] is None


def test_an_own_rulebook_is_played(server: Server) -> None:
    text = Path("examples/rulebooks").resolve()
    toml = next(text.glob("*.toml")).read_text(encoding="utf-8")
    created = server.create(toml=toml, opponent="level:2")
    with server.join(created["id"], created["seats"]["P1"]) as ann:
        ann.move()
        ann.until(2)
    status, answer = server.ask("/api/live", {"toml": "title = 3"})
    assert status == 400
    assert "title" in answer["error"]


def test_programs_act_over_http_too(server: Server) -> None:
    created = server.create(game="cross-over", opponent="here", variant="no-jump")
    path, token = f"/api/live/{created['id']}", created["seats"]["P1"]
    status, view = server.ask(f"{path}/move", {"move": "P1-C+1", "turn": 0}, token)
    assert (status, view["turn"]) == (200, 1)
    status, answer = server.ask(f"{path}/move", {"move": "P1-C+1", "turn": 0}, token)
    assert (status, answer["error"]) == (409, "The game has gone on.")
    assert server.ask(path, token=token)[1]["board"] == view["board"]


def test_the_log_has_no_secret(server: Server) -> None:
    """A game by link, and what the tests before this one did, left no token in it."""
    _, one, two = two_players(server, "cross-over", watch=True)
    with one, two:
        wait_until(lambda: '"event":"socket opened"' in "".join(server.complained))
    text = "".join(server.complained)
    assert not [mark for mark in ("s.", "i.", "w.") if f'"{mark}' in text or f"/{mark}" in text]
    assert "Traceback" not in text
