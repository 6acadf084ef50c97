"""Rulebooks of live games: strangers' are read by workers, and what is kept has bounds in bytes."""

import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lineduel.engine import Game
from lineduel.errors import RulebookError
from lineduel.play import Session
from lineduel.rules import Rulebook, Side
from lineduel.web import rulebook_shelf
from lineduel.web.bounded_cache import ENTRY_BYTES, BoundedCache
from lineduel.web.database import Database, Entry, Journal
from lineduel.web.game_changes import GameChange, GameInfo
from lineduel.web.rulebook_shelf import (
    MOST_OWN_VARIANTS,
    PlayedRulebook,
    RulebookShelf,
    RulebookText,
    shipped_text,
    stored_rulebook,
)
from lineduel.web.tokens import SEAT, hashed, new_token
from support.web_server import Server

RULES = """
title = "Own"
summary = "A rulebook of somebody's own."
[track]
first = 0
last = 6
[player1]
pieces = { A = 0 }
goal = [6]
[player2]
pieces = { B = 6 }
goal = [0]
[turn]
first = "player1"
[move]
steps = [1, 2]
[meet]
enemy = "captured"
"""


def with_variants(number: int) -> str:
    variants = (
        f'[variants.v{one}]\nsummary = "s"\nwhy = "w"\nmove.steps = [1]\n' for one in range(number)
    )
    return RULES + "".join(variants)


def test_a_rulebook_with_too_many_variants_is_refused_with_the_limit(server: Server) -> None:
    most, more = with_variants(MOST_OWN_VARIANTS), with_variants(MOST_OWN_VARIANTS + 1)
    error = "variants: 33 variants. Allowed: at most 32 on a server."
    assert server.ask("/api/live", {"toml": most, "opponent": "here"})[0] == 201
    for path, body in (
        ("/api/live", {"toml": more, "opponent": "here"}),
        ("/api/study", {"toml": more}),
        ("/api/rules", {"toml": more}),
    ):
        assert server.ask(path, body) == (400, {"error": error})
    told = server.ask("/api/validate", {"toml": more})[1]
    assert [(one["key"], one["holds"]) for one in told["problems"]] == [("variants", "33 variants")]
    assert server.ask("/api/validate", {"toml": most})[1]["valid"]


def store_game(database: Path, toml: str, variant: str) -> tuple[str, str]:
    """A game that an earlier version stored; its id, and a token of player 1."""
    token, done = new_token(SEAT), threading.Event()
    info = GameInfo(
        id="old",
        rulebook=RulebookText("own", toml, variant),
        start="0/6/1",
        seats=("human", "human"),
        seat_hashes=(hashed(token), hashed(token)),
        invite_hash=None,
        spectator_hash=None,
    )
    kept = Database(f"sqlite:///{database}")
    kept.start(lambda results: done.set())
    kept.submit(Entry(Journal(), GameChange(games=[(info, 0.0)]), lambda error: None))
    assert done.wait(60)
    kept.close()
    return info.id, token


def test_a_stored_game_with_many_variants_goes_on(tmp_path: Path) -> None:
    """It was accepted when there was no limit."""
    game, token = store_game(tmp_path / "live.sqlite", with_variants(500), "v499")
    with Server(tmp_path) as server, server.join(game, token) as client:
        assert [one["move"] for one in client.view["moves"]] == ["A+1"]
        assert client.move("A+1")["turn"] == 1


def test_of_a_stored_rulebook_only_what_is_played_is_read() -> None:
    """To read 500 variants would take seconds whenever the game is loaded."""
    text = f'{with_variants(1)}[variants.other]\nsummary = "s"\nwhy = "w"\nmove.steps = "no"\n'
    assert stored_rulebook(RulebookText("own", text, "v0")).rules.movement.steps == (1,)
    with pytest.raises(RulebookError):
        stored_rulebook(RulebookText("own", text, "other"))


class Readers:
    """Workers that note what they read."""

    def __init__(self) -> None:
        self.read: list[RulebookText] = []

    async def run(
        self, read: Callable[[RulebookText], Rulebook], text: RulebookText, **options: Any
    ) -> Rulebook:
        self.read.append(text)
        return read(text)


async def test_strangers_rulebooks_are_read_by_workers_once() -> None:
    """Games that are played by the same one share it."""
    readers = Readers()
    shelf = RulebookShelf(readers)  # type: ignore[arg-type]
    one, other = (RulebookText("own", RULES, ""), RulebookText("own", "".join(RULES), ""))
    played = await shelf.accept(one, "10.0.0.1")
    assert await shelf.ready(other) is played
    assert readers.read == [one]
    await shelf.ready(shipped_text("flag-chase", None))
    assert readers.read == [one]


async def test_a_rulebook_in_use_is_never_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook_shelf, "_MOST_RULEBOOKS", 2)
    readers = Readers()
    shelf = RulebookShelf(readers)  # type: ignore[arg-type]
    texts = [RulebookText("own", RULES.replace("Own", f"Own {one}"), "") for one in range(5)]
    in_use = await shelf.ready(texts[0])
    for text in texts[1:]:
        await shelf.ready(text)
    assert await shelf.ready(texts[0]) is in_use
    assert readers.read == texts
    await shelf.ready(texts[1])
    assert readers.read == [*texts, texts[1]]


@pytest.mark.parametrize("seed", range(10))
def test_what_was_used_least_recently_makes_room(seed: int) -> None:
    """Beside a list of what there is, the least recently used first."""
    chance, most = Random(seed), 4 * (ENTRY_BYTES + 100)
    cache: BoundedCache[int] = BoundedCache(most)
    model: list[tuple[str, int, int]] = []
    for number in range(200):
        key = chance.choice("abcdefg")
        held = next((one for one in model if one[0] == key), None)
        if held is not None:
            model.remove(held)
        if chance.random() < 0.5:
            assert cache.get(key) == (None if held is None else held[1])
            model += [] if held is None else [held]
        else:
            size = chance.choice((0, 50, 100, 200, most - ENTRY_BYTES, most - ENTRY_BYTES + 1))
            cache.put(key, number, size)
            if size + ENTRY_BYTES <= most:
                model.append((key, number, size + ENTRY_BYTES))
            while sum(one[2] for one in model) > most:
                model.pop(0)
        assert (len(cache), cache.bytes) == (len(model), sum(one[2] for one in model))


def test_positions_of_all_rulebooks_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rulebooks and positions are looked at."""
    most = 20_000
    cache: BoundedCache[Any] = BoundedCache(most)
    monkeypatch.setattr(rulebook_shelf, "_positions", cache)
    for name in ("flag-chase", "ctf-tokens", "cross-over"):
        text = shipped_text(name, None)
        played = PlayedRulebook(text, stored_rulebook(text))
        game: Game = played.game
        for position in {game.play(game.start(), move) for move in game.moves(game.start())}:
            assert played.board(position) is played.board(position)
            played.moves(position)
            assert cache.bytes <= most
        for move in game.moves(game.start()):
            turn = Session(game).play(move)
            told = played.told(turn, {Side.ONE: "Ann", Side.TWO: "you"})
            assert played.told(turn, {Side.ONE: "Ann", Side.TWO: "you"}) is told
            assert played.told(turn, {Side.ONE: "you", Side.TWO: "Ann"}).sentence != told.sentence
            assert cache.bytes <= most
    assert 0 < len(cache) < most / ENTRY_BYTES
