"""What a live game and its helpers keep from one call to the next, at the edges of their limits."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lineduel.rules import pack_rulebook
from support.program import wait_until
from support.web_server import Client, Server
from web.test_games import two_players

SPENT = """
title = "Spent"
summary = "A number that was chosen is spent."

[track]
first = 1
last = 4

[player1]
pieces = { A = 1 }
goal = [4]

[player2]
pieces = { X = 4 }
goal = [1]

[turn]
first = "player1"

[move]
steps = [1, 3]
edge = "illegal"

[meet]
enemy = "battle"

[battle]
numbers = 3
hand = "spent"
"""
ENOUGH = "You have said enough for this turn."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), "--patience", "1") as server:
        yield server


def say(client: Client, *, times: int = 1) -> list[str]:
    """Say something as often as this; the refusals."""
    answers = [client.do("react", reaction="wow") for _ in range(times)]
    return [one["error"] for one in answers if "error" in one]


def test_taking_back_and_numbers_begin_no_turn_in_which_more_is_said(server: Server) -> None:
    """Only a turn that was played does, whoever played it; each side has its own three."""
    _, one, two = two_players(server, "flag-chase", position="2/3/1")
    with one, two:
        one.move("P1-1")
        assert say(one, times=4) == [ENOUGH]
        one.do("undo")
        two.until(one.view["version"])
        agreed = two.do("undo-answer", yes=True)
        one.until(agreed["version"])
        assert say(one) == [ENOUGH]
        assert say(two, times=3) == []
        one.until(two.view["version"])
        one.move("P1+1")  # a battle is open
        assert say(one, times=2) == []
        turn = one.view["turn"]
        assert "error" not in one.do("number", number=1, turn=turn)
        assert say(one, times=2) == [ENOUGH]
        two.until(one.view["version"])
        two.do("number", number=2, turn=turn)
        one.until(two.view["version"])
        assert say(one, times=3) == []


def test_a_restart_begins_no_turn_in_which_more_is_said(tmp_path: Path) -> None:
    """Nor do names, offers and their refusals; what was said is still there, and counted."""
    with Server(tmp_path) as server:
        created, one, two = two_players(server, "cross-over")
        with one, two:
            assert say(one, times=2) == []
            two.until(one.view["version"])
            key = created["seats"]["P1"]
        server.kill()
        server.start()
        with server.join(created["id"], key) as one:
            assert one.view["reactions"]["P1"] == {"reaction": "wow", "count": 2}
            one.do("name", name="Ann")
            one.do("stop")
            assert say(one, times=2) == [ENOUGH]
        status, view = server.ask(f"/api/live/{created['id']}", token=key)
        assert (status, view["reactions"]["P1"]["count"]) == (200, 3)


def test_nothing_is_said_before_a_friend_has_joined_and_after_the_end_three_things(
    server: Server,
) -> None:
    created = server.create(game="cross-over", opponent="friend")
    with server.join(created["id"], created["seats"]["P1"]) as one:
        assert say(one) == ["There is nobody who would hear that."]
    _, one, two = two_players(server, "cross-over")
    with one, two:
        one.do("resign")
        two.until(one.view["version"])
        assert say(one, times=4) == [ENOUGH]
        assert say(two, times=3) == []


def test_a_rematch_begins_with_nothing_said(server: Server) -> None:
    _, one, two = two_players(server, "cross-over")
    with one, two:
        assert say(one, times=3) == []
        one.do("resign")
        one.do("rematch")
        two.until(one.view["version"])
        two.do("rematch")
        one.until(two.view["version"])
        next_id = two.view["rematch"]["id"]
        assert next_id
        one_again, two_again = one.view["you"], two.view["you"]
        assert (one_again, two_again) == ("P1", "P2")
    _, view = server.ask(f"/api/live/{next_id}")
    assert "error" in view  # it is for those who play
    assert "reactions" not in view


# Spent numbers


def numbers(client: Client) -> Any:
    return client.view["numbers"]


def fight(one: Client, two: Client, first: int, second: int) -> None:
    turn = one.view["turn"]
    answer = one.do("number", number=first, turn=turn)
    assert "error" not in answer, answer
    two.until(answer["version"])
    answer = two.do("number", number=second, turn=turn)
    assert "error" not in answer, answer
    one.until(answer["version"])


def test_a_number_that_was_spent_is_refused_until_the_hand_is_filled(tmp_path: Path) -> None:
    """By both ways in, after a restart too; the other's choice is in nothing that is sent."""
    with Server(tmp_path) as server:
        created, one, two = two_players(server, "", toml=SPENT, position="2/3/1;123/123")
        path = f"/api/live/{created['id']}"
        key = created["seats"]["P1"]
        with one, two:
            one.move("A+1")
            assert numbers(one) == [1, 2, 3]
            two.until(one.view["version"])
            fight(one, two, 3, 3)
            assert one.view["board"]["hands"] == {"numbers": 3, "P1": [1, 2], "P2": [1, 2]}
            assert one.view["board"]["position"].endswith(";12/12")
            two.move("X-3" if any(m["move"] == "X-3" for m in two.view["moves"]) else None)
            one.until(two.view["version"])
            if one.view["result"]:
                one.do("undo")
                two.until(one.view["version"])
                agreed = two.do("undo-answer", yes=True)
                one.until(agreed["version"])
                assert one.view["board"]["hands"]["P1"] == [1, 2]
        server.kill()
        server.start()
        _, view = server.ask(path, token=key)
        assert view["board"]["hands"]["P1"] == [1, 2]
        assert view["board"]["hands"]["P2"] == [1, 2]


@pytest.mark.parametrize("hands", ["1/2", "13/2", "3/123"])
def test_only_what_is_in_hand_can_be_chosen(server: Server, hands: str) -> None:
    """Each side its own; before, and after the other one has chosen."""
    one_has, two_has = ([int(digit) for digit in hand] for hand in hands.split("/"))
    _, one, two = two_players(server, "", toml=SPENT, position=f"3/3/1*;{hands}")
    with one, two:
        assert (numbers(one), numbers(two)) == (one_has, two_has)
        for number in {0, 1, 2, 3, 4} - {*one_has}:
            assert "error" in one.do("number", number=number, turn=0)
        said = one.do("number", number=one_has[-1], turn=0)
        two.until(said["version"])
        for number in {0, 1, 2, 3, 4} - {*two_has}:
            assert "error" in two.do("number", number=number, turn=0)
        two.do("number", number=two_has[0], turn=0)
        one.until(two.view["version"])
        left = [[n for n in (1, 2, 3) if n in has and n != chosen] for has, chosen in
                ((one_has, one_has[-1]), (two_has, two_has[0]))]  # fmt: skip
        found = one.view["board"]["hands"]
        assert [found["P1"], found["P2"]] == [hand or [1, 2, 3] for hand in left]


def test_taking_back_a_battle_gives_the_numbers_back(server: Server) -> None:
    """At one screen, for both; each is asked for what is in its own hand."""
    created = server.create(toml=SPENT, opponent="here", position="3/3/1*;13/2")
    with server.join(created["id"], created["seats"]["P1"]) as both:
        assert both.view["numbers"] == [1, 3]
        first = both.do("number", number=3, side="P1", turn=0)
        assert (first["asked"], first["numbers"]) == (["P2"], [2])
        both.do("number", number=2, side="P2", turn=0)
        assert both.view["board"]["hands"] == {"numbers": 3, "P1": [1], "P2": [1, 2, 3]}
        both.do("undo")
        assert both.view["board"]["hands"] == {"numbers": 3, "P1": [1, 3], "P2": [2]}
        assert (both.view["turn"], both.view["chosen"], both.view["numbers"]) == (0, [], [1, 3])


def test_a_program_chooses_from_its_own_hand(server: Server) -> None:
    created = server.create(toml=SPENT, opponent="level:1", position="3/3/1*;123/2", seat="P1")
    with server.join(created["id"], created["seats"]["P1"]) as one:
        one.do("number", number=1, turn=0)
        while one.view["turn"] == 0:
            one.next("turn", "view")
        assert one.view["log"][0]["move"] == "1:2"
        assert one.view["board"]["hands"]["P2"] == [1, 2, 3]


# Advice


def test_advice_follows_the_game_through_undo_and_its_end(server: Server) -> None:
    """It is about the position as it stands, and there is none once the game is over."""
    created = server.create(game="cross-over", opponent="here")
    path, token = f"/api/live/{created['id']}", created["seats"]["P1"]
    status, start = server.ask(f"{path}/advice", token=token)
    assert status == 200, start
    assert start["side"] == "P1"
    server.ask(f"{path}/move", {"move": start["move"], "turn": 0}, token)
    second = server.ask(f"{path}/advice", token=token)[1]
    assert second["side"] == "P2"
    assert second["position"] != start["position"]
    server.ask(f"{path}/undo", {}, token)
    assert server.ask(f"{path}/advice", token=token)[1] == start
    server.ask(f"{path}/resign", {"side": "P1"}, token)
    over = {"error": "There are only hints when it is your turn."}
    assert server.ask(f"{path}/advice", token=token) == (409, over)
    server.ask(f"{path}/undo", {}, token)
    assert server.ask(f"{path}/advice", token=token)[1] == start


def test_the_seat_of_a_friend_who_was_taken_over_gets_no_advice_for_the_other(
    server: Server,
) -> None:
    """The friend may come back; so it is in the rematch of friends."""
    created, one, two = two_players(server, "cross-over")
    path, token = f"/api/live/{created['id']}", created["seats"]["P1"]
    with one:
        two.close()
        wait_until(lambda: "error" not in one.do("claim", claim="computer"))
        assert one.view["kinds"]["P2"] == "computer"
        assert one.view["helped"] is False
        assert server.ask(f"{path}/advice", token=token)[0] == 409


def test_a_chosen_number_changes_no_advice_for_the_other(server: Server) -> None:
    """Whatever was chosen, what is said to the second is the same."""
    told = set()
    for number in (1, 5):
        created = server.create(game="flag-chase", opponent="here", position="3/3/1*")
        path, token = f"/api/live/{created['id']}", created["seats"]["P1"]
        server.ask(f"{path}/number", {"number": number, "side": "P1", "turn": 0}, token)
        told.add(json.dumps(server.ask(f"{path}/advice", token=token)[1], sort_keys=True))
        view = server.ask(path, token=token)[1]
        assert view["chosen"] == ["P1"]
    assert len(told) == 1


# Replays


def test_a_replay_has_what_was_played_and_not_what_was_taken_back(server: Server) -> None:
    """A number that only one has chosen is in none; a game that goes on again is closed again."""
    created = server.create(game="flag-chase", opponent="here", position="3/4/1")
    path, token = f"/api/live/{created['id']}", created["seats"]["P1"]

    def moves() -> list[str]:
        return [one["move"] for one in server.ask(f"{path}/replay", token=token)[1]["turns"]]

    assert moves() == []
    server.ask(f"{path}/move", {"move": "P1+1", "turn": 0}, token)
    server.ask(f"{path}/number", {"number": 4, "side": "P1", "turn": 1}, token)
    assert moves() == ["P1+1"]
    server.ask(f"{path}/number", {"number": 2, "side": "P2", "turn": 1}, token)
    assert moves() == ["P1+1", "4:2"]
    server.ask(f"{path}/undo", {}, token)
    before = moves()
    assert before in (["P1+1"], [])
    server.ask(f"{path}/resign", {"side": "P2"}, token)
    assert server.ask(f"{path}/replay")[0] == 200
    server.ask(f"{path}/undo", {}, token)
    assert server.ask(f"{path}/replay")[0] == 403
    assert moves() == before


# The gallery and audits


def audit(server: Server, **body: object) -> tuple[int, list[dict[str, Any]]]:
    status, text, _ = server.fetch("/api/design/audit", json.dumps(body).encode())
    return status, [json.loads(line) for line in text.splitlines()]


def test_game_text_and_link_get_the_same_audit(server: Server) -> None:
    """Whichever way it comes, and asked again; a link goes before the rest."""
    toml = next(one["toml"] for one in server.ask("/api/gallery")[1] if one["id"] == "short-fuse")
    packed = pack_rulebook(toml)
    found = []
    for body in ({"toml": toml}, {"packed": packed}, {"packed": packed, "game": "cross-over"}):
        status, lines = audit(server, **body)
        assert status == 200, lines
        assert "error" not in lines[-1], lines[-1]
        found.append(lines[-1])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    "body", [{"packed": "AAAA"}, {"packed": ""}, {"game": "nothing"}, {}, {"packed": "A" * 60_000}]
)
def test_what_is_no_rulebook_gets_no_audit(server: Server, body: dict[str, object]) -> None:
    status, lines = audit(server, **body)
    assert status in (400, 404), lines
    assert set(lines[0]) == {"error"}
