"""A terminal in a live game: whatever is lost or comes twice, it shows what the server has."""

import json
from random import Random

import pytest

from lineduel.documents import LiveMessage, Presence, as_json
from lineduel.engine import Numbers
from lineduel.play import ChooseNumber, LiveGame, PlayMove, Session
from lineduel.rules import Side
from lineduel.web.live_client import GameLink, LiveClient, _message
from lineduel.web.live_views import LiveViews
from lineduel.web.rulebook_shelf import PlayedRulebook, shipped_text, stored_rulebook

ONE = frozenset({Side.ONE})
PRESENT = Presence(P1=True, P2=True, watching=0)


class Wire:
    """The connection of a client: it keeps what is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def send(self, text: str) -> None:
        self.asked.append(json.loads(text)["do"])


@pytest.mark.parametrize("seed", range(12))
def test_a_client_that_missed_something_asks_for_the_game(seed: int) -> None:
    """And never adds a turn to a game that it does not follow."""
    chance, text = Random(seed), shipped_text("flag-chase", None)
    played = PlayedRulebook(text, stored_rulebook(text))
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
