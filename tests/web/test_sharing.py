"""Games that are shared by link, and games that take days."""

import time
import urllib.request
from io import BytesIO
from pathlib import Path
from threading import Event

from PIL import Image

from lineduel.play import (
    ClaimGame,
    GiveName,
    LiveEvent,
    MovePlayed,
    NameGiven,
    PlayMove,
    Reacted,
    UndoAsked,
)
from lineduel.record import parse_move, read_record
from lineduel.rules import Side
from lineduel.web.database import Database, Entry, Journal, StoredEntries
from lineduel.web.game_changes import DAY, GameChange, GameInfo
from lineduel.web.hosted_game import HostedGame
from lineduel.web.rulebook_shelf import PlayedRulebook, shipped_text, stored_rulebook
from support.program import PATIENCE
from support.web_server import Server

NEW = {"game": "ctf-tokens", "opponent": "here", "name": "Zoë <b>"}


def _page(server: Server, path: str) -> tuple[str, bytes]:
    with urllib.request.urlopen(f"{server.address}{path}", timeout=60) as answer:
        return answer.headers.get_content_type(), answer.read()


def test_a_finished_game_is_open_to_all_who_have_its_address(server: Server) -> None:
    """Nobody else sees more of a game that goes on than how it begins."""
    made = server.create(**NEW)
    game, token = made["id"], made["seats"]["P1"]
    for path in ("", "/record", "/replay"):
        assert server.ask(f"/api/live/{game}{path}")[0] == 403
    kind, before = _page(server, f"/game/{game}/picture.png")
    assert kind == "image/png"
    server.ask(f"/api/live/{game}/move", {"move": "P1+3", "turn": 0}, token)
    assert _page(server, f"/game/{game}/picture.png")[1] == before  # the move is not seen
    server.ask(f"/api/live/{game}/resign", {"side": "P2"}, token)
    kind, after = _page(server, f"/game/{game}/picture.png")
    assert after != before
    assert Image.open(BytesIO(after)).size == (1200, 630)
    _, seen = server.ask(f"/api/live/{game}")
    assert (seen["you"], seen["moves"]) == (None, [])
    assert read_record(_page(server, f"/api/live/{game}/record")[1].decode()).moves
    _, replay = server.ask(f"/api/live/{game}/replay")
    assert (replay["player1"], [turn["move"] for turn in replay["turns"]]) == (
        NEW["name"],
        ["P1+3"],
    )
    assert server.ask(f"/api/live/{game}/rematch", {})[0] == 403


def test_the_link_of_a_game_has_a_preview(server: Server) -> None:
    """Other programs show who won, and the picture; a name is never taken for HTML."""
    made = server.create(**NEW)
    token = made["seats"]["P1"]
    page = _page(server, f"/game/{made['id']}")[1].decode()
    assert '<meta property="og:title" content="Play a duel · Capture the Flag (Tokens)">' in page
    server.ask(f"/api/live/{made['id']}/resign", {"side": "P2"}, token)
    for path in ("game", "review", "replay"):
        page = _page(server, f"/{path}/{made['id']}")[1].decode()
        assert 'content="Zoë &lt;b&gt; won · Capture the Flag (Tokens)"' in page
        assert page.count("og:title") == page.count("og:image") == 1
        assert f'content="{server.address}/game/{made["id"]}/picture.png"' in page
    assert "og:title" in _page(server, "/game/nothing")[1].decode()


def _game(
    days: int | None, now: float, game: str = "cross-over", start: str = "0,1,2/10,9,8/1"
) -> HostedGame:
    """A game in which somebody was asked at 1000 seconds."""
    text = shipped_text(game, None)
    played = PlayedRulebook(text, stored_rulebook(text))
    info = GameInfo(
        id="abc",
        rulebook=text,
        start=start,
        seats=("human", "human"),
        seat_hashes=("a", "b"),
        invite_hash=None,
        spectator_hash=None,
        days=days,
    )
    return HostedGame(played, info, [], {}, 0.0, lambda entry: None, 1000.0, wall_clock=lambda: now)


def test_a_game_of_days_waits_for_them_before_anybody_claims_it() -> None:
    """Player 1 is to move: player 2 can claim the game once the days are over."""
    one, two = frozenset({Side.ONE}), frozenset({Side.TWO})
    over = 1000 + 3 * DAY
    early = _game(3, over - 1)
    assert early.claim(two, 60.0, 1e6) is None
    assert early.seconds_to_claim(two, 60.0, 1e6) == 1
    assert _game(3, over).claim(two, 60.0, 1e6) is not None
    late = _game(3, over + 1)
    claim = late.claim(two, 60.0, 1e6)
    assert claim is not None
    assert (claim.seconds_left, claim.sentence) == (0, "Player 1 has not moved for 3 days.")
    assert late.claim(one, 60.0, 1e6) is None
    late.live.perform(ClaimGame("win"), two, away=True)
    assert late.deadline is None
    assert _game(None, 0.0).claim(two, 60.0, 1e6) is not None


def test_in_a_battle_only_who_has_chosen_can_claim_a_game_of_days() -> None:
    """Whoever still has to choose is as late as the other player."""
    late = _game(3, 1000 + 3 * DAY, "flag-chase", "3/3/1*")
    claims = [frozenset({side}) for side in Side]
    assert [late.claim(sides, 60.0, 1e6) for sides in claims] == [None, None]
    for chooser in Side:
        late.live.session.choose(chooser, 3)
        can_claim = [late.claim(sides, 60.0, 1e6) is not None for sides in claims]
        assert can_claim == [side is chooser for side in Side]
        late.live.session.take_back_to(0)


def test_after_a_restart_the_days_count_from_the_last_turn(tmp_path: Path) -> None:
    """Not from what was said since, and from the beginning where nobody has moved yet."""
    database, stored = Database(f"sqlite:///{tmp_path / 'live.sqlite'}"), Event()

    def see(results: StoredEntries) -> None:
        assert [error for _, error in results] == [None]
        stored.set()

    database.start(see)
    info, happened = _game(3, 0.0).info, list[LiveEvent]()
    expected: list[tuple[LiveEvent, float | None]] = [
        (NameGiven(Side.ONE, "Ann"), None),
        (MovePlayed(Side.ONE, parse_move("P1-C+2")), 3000.0),
        (Reacted(Side.ONE, "wow"), 3000.0),
        (UndoAsked(Side.ONE, 0), 3000.0),
    ]
    for at, (event, turned) in enumerate(expected, start=2):
        happened.append(event)
        change = GameChange(games=[(info, 1000.0)] if at == 2 else [])
        change.add(info.id, len(happened), [event], 1000.0 * at)
        stored.clear()
        database.submit(Entry(Journal(), change, lambda error: None))
        assert stored.wait(PATIENCE)
        loaded = database.load(info.id)
        assert loaded is not None
        assert (loaded.events, loaded.turned) == (happened, turned or 1000.0)
    database.close()


def test_what_happens_is_stored_with_its_time_and_a_turn_begins_the_days_again() -> None:
    stored: list[Entry] = []
    hosted = _game(3, 5000.0)
    hosted._submit = stored.append
    events = hosted.live.perform(GiveName("Ann"), frozenset({Side.ONE}))
    hosted.note(events)
    assert hosted.turned == 1000.0  # a name is no turn
    events = hosted.live.perform(PlayMove(parse_move("P1-C+2"), 0), frozenset({Side.ONE}))
    hosted.note(events)
    hosted.keep(events, lambda error: None)
    assert hosted.deadline == 5000.0 + 3 * DAY
    [entry] = stored
    assert entry.change is not None
    assert [at for *_, at in entry.change.happenings] == [5000.0] * len(events)


def test_a_turn_gives_the_other_player_all_the_days(tmp_path: Path) -> None:
    """The days are stored with the game, count from the last turn, and only with a friend."""
    with Server(tmp_path) as server:
        made = server.create(game="cross-over", opponent="friend", days=3)
        path, token = f"/api/live/{made['id']}", made["seats"]["P1"]
        assert server.ask(path, token=token)[1]["deadline"] is None  # nobody has joined
        with server.join(made["id"], made["invite"], key="s." + "k" * 32):
            _, view = server.ask(f"{path}/move", {"move": "P1-C+2", "turn": 0}, token)
        assert abs(view["deadline"] - time.time() - 3 * DAY) < 90
        server.kill()
        server.start()
        assert abs(server.ask(path, token=token)[1]["deadline"] - view["deadline"]) < 90
        alone = server.create(game="cross-over", opponent="level:1", days=3)
        path = f"/api/live/{alone['id']}"
        assert server.ask(path, token=alone["seats"]["P1"])[1]["deadline"] is None
        assert server.ask("/api/live", {"game": "cross-over", "days": 99})[0] == 400
