"""A terminal in a live game: whatever is lost or comes twice, it shows what the server has."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import MagicMock

import pytest

from lineduel.documents import LiveMessage, Presence, as_json
from lineduel.engine import Numbers
from lineduel.play import Changed, ChooseNumber, GameNews, LiveGame, Lost, PlayMove, Session
from lineduel.rules import Side
from lineduel.web.live_client import GameLink, LiveClient, _message
from lineduel.web.live_views import LiveViews
from lineduel.web.rulebook_shelf import PlayedRulebook, shipped_text, stored_rulebook

ONE = frozenset({Side.ONE})
PRESENT = Presence(P1=True, P2=True, watching=0)
TEXT = shipped_text("flag-chase", None)


class Wire:
    """The connection of a client: it keeps what is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def send(self, text: str) -> None:
        self.asked.append(json.loads(text)["do"])


@pytest.mark.parametrize("seed", range(12))
def test_a_client_that_missed_something_asks_for_the_game(seed: int) -> None:
    """And never adds a turn to a game that it does not follow."""
    chance, played = Random(seed), PlayedRulebook(TEXT, stored_rulebook(TEXT))
    live, wire = LiveGame(Session(played.game)), Wire()
    client = LiveClient(GameLink("http://localhost", "abc", "s.x", None))
    client._socket = wire  # type: ignore[assignment]

    def sent(message: object) -> LiveMessage:
        return _message(as_json(message).decode())

    def whole() -> LiveMessage:
        return sent(LiveViews(live, played).whole("abc", ONE, PRESENT))

    client._take(whole())
    for _ in range(30):
        if live.is_over:
            break
        position, since, plies = live.session.position, live.version, live.session.plies
        if position.battle is None:
            move = chance.choice(
                [one for one in live.session.moves if not isinstance(one, Numbers)]
            )
            live.perform(PlayMove(move, plies), frozenset(Side))
        else:
            side = live.session.asked[0]
            live.perform(ChooseNumber(chance.randint(1, 5), plies, side), frozenset(Side))
        turn = sent(LiveViews(live, played).turns((ONE,), plies, since)[ONE])
        for _ in range(chance.choice((0, 1, 1, 1, 2))):  # lost, or sent twice
            client._take(turn)
        while wire.asked:
            assert wire.asked.pop() == "view"
            client._take(whole())
        seen = client._seen
        if seen.version == live.version:
            assert json.loads(as_json(seen)) == json.loads(as_json(whole()))
        else:
            assert seen.version < live.version
            assert len(seen.log) <= live.session.plies


class Patience:
    """What a client waits by: it notes each pause, and is over after a number of them."""

    def __init__(self, most: int) -> None:
        self.pauses: list[float] = []
        self._most = most

    def is_set(self) -> bool:
        return len(self.pauses) >= self._most

    def wait(self, seconds: float) -> None:
        self.pauses.append(seconds)


def test_pauses_before_connecting_again_grow_until_the_game_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Then they begin anew, and a connection that brings nothing makes none of them shorter."""
    played = PlayedRulebook(TEXT, stored_rulebook(TEXT))
    whole = LiveViews(LiveGame(Session(played.game)), played).whole("abc", ONE, PRESENT)
    game, nothing = [as_json(whole).decode()], list[str]()
    lines = iter((game, None, nothing, None, game, game, None, *[nothing] * 6))

    @contextmanager
    def connect(address: str, compression: None) -> Iterator[Any]:
        said = next(lines)
        if said is None:
            raise OSError("refused")
        wire = MagicMock()
        wire.__iter__.return_value = iter(said)
        yield wire

    monkeypatch.setattr("websockets.sync.client.connect", connect)
    client, patience = LiveClient(GameLink("http://localhost", "abc", "s.x", None)), 13
    heard: list[GameNews] = []
    client._is_over = waiting = Patience(patience)  # type: ignore[assignment]
    client.listen(heard.append)
    client._stay_connected()
    assert waiting.pauses == [1, 2, 4, 8, 1, 1, 2, 4, 8, 15, 15, 15, 15]
    assert [type(one) for one in heard] == [Changed, Lost] * 3
