"""Every stated limit at one less, exactly, and one more."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import MagicMock

import msgspec
import pytest

from lineduel.agents import ExamSettings, duel_tools, rule_set_of
from lineduel.agents.answers import LONGEST_ANSWER, AgentAnswer, shortened
from lineduel.agents.duel_tools import DuelTools
from lineduel.agents.exam_settings import MOST_RULE_SETS
from lineduel.arena import Settings
from lineduel.arena.settings import MOST_PLAYERS
from lineduel.cli.audit import run_compare
from lineduel.cli.options import whole_number
from lineduel.cli.play import LONGEST_MOVETIME, _settings
from lineduel.coach import read_lesson, review
from lineduel.documents import NewGame
from lineduel.documents.live_documents import MOST_DAYS
from lineduel.engine import Game
from lineduel.errors import LineduelError, MemoryLimit, TooLarge
from lineduel.graph import explore_by_engine
from lineduel.history import KnownAccuracies, known_accuracies
from lineduel.jobs import Pool, ledger
from lineduel.lab import RepairWork, grid
from lineduel.narration import digits
from lineduel.play import MOST_PLIES, MOST_REACTIONS, LiveGame, React, Session
from lineduel.players import Lookahead
from lineduel.preferences import LONGEST_NAME, Preferences, check_name
from lineduel.record import Record
from lineduel.rulebooks import LARGEST_RULEBOOK, find_rulebook, rulebook_file
from lineduel.rules import Side, assign, format_rules
from lineduel.rules.vocabulary import (
    LARGEST_LABEL,
    LONGEST_STEP,
    MAX_CELLS,
    MAX_NUMBERS,
    MAX_PIECES,
    MAX_STEPS,
    MIN_CELLS,
    MIN_NUMBERS,
    Battle,
    Movement,
    Track,
)
from lineduel.safe_toml import parse_toml
from lineduel.solve import PlainSolution, certificate, proof, solve, solver
from lineduel.solve.certificate import MOST_DIGITS
from lineduel.solve.table import TableSolution
from lineduel.storage import read_bytes
from lineduel.web import live_requests, request_limits, tournaments
from lineduel.web.bounded_cache import ENTRY_BYTES, BoundedCache
from lineduel.web.request_limits import AddressLimits, Rate
from lineduel.web.rulebook_shelf import (
    LARGEST_OWN_RULEBOOK,
    MOST_OWN_VARIANTS,
    PlayedRulebook,
    RulebookText,
    check_variants,
    rulebook_of,
)

TOKENS = find_rulebook("ctf-tokens")
TOKENS_TEXT = rulebook_file("ctf-tokens").read_text(encoding="utf-8")
FLAG_CHASE = Game(find_rulebook("flag-chase"))


def is_taken(make: Callable[[], object]) -> bool:
    """Whether something is accepted rather than refused."""
    try:
        make()
    except (LineduelError, ValueError, argparse.ArgumentTypeError):
        return False
    return True


def pieces(number: int) -> object:
    names = ",".join(f"A{one}:-5" for one in range(number))
    return assign(TOKENS, [f"player1.pieces={names}", "meet.own=shared"])


def tournament(*, games: int = 2, players: int = 2) -> None:
    game = Game(TOKENS)
    Settings(
        game="tokens",
        title="T",
        rules=format_rules(game.rules),
        start=str(game.start()),
        players=tuple(f"engine:{number}" for number in range(players)),
        games=games,
    ).check()


def text_of_size(size: int) -> str:
    """A rulebook of that many bytes."""
    return f"{TOKENS_TEXT}{'#' * (size - len(TOKENS_TEXT.encode()) - 1)}\n"


def own_rulebook(size: int) -> object:
    return rulebook_of(RulebookText("own", text_of_size(size), ""))


def rulebook_of_size(size: int) -> object:
    with TemporaryDirectory() as folder:
        path = Path(folder, "large.toml")
        path.write_text(text_of_size(size), encoding="utf-8")
        return find_rulebook(str(path))


def lesson(steps: int) -> object:
    with TemporaryDirectory() as folder:
        path = Path(folder, "long.toml")
        step = '[[steps]]\ntext = "Read."\n'
        path.write_text(f'title = "T"\nsummary = "S"\ngame = "ctf-tokens"\n{step * steps}')
        return read_lesson(path)


RULE_SET = msgspec.to_builtins(rule_set_of(TOKENS))


def exam(**settings: object) -> object:
    given = {"agent": "a", "rule_sets": [RULE_SET], **settings}
    return msgspec.convert(given, ExamSettings)


def compared(games: int) -> None:
    """Their names are wrong, which is said only once their number is right."""
    arguments = argparse.Namespace(games=["nothing"] * games)
    with pytest.raises(LineduelError) as raised:
        run_compare(arguments)
    if "to compare" in str(raised.value):
        raise raised.value


def answered(length: int) -> None:
    if shortened(AgentAnswer("x" * length), length).problem:
        raise ValueError("too long")


def live_move(length: int) -> None:
    """It is no move, which is said of one that is not too long."""
    played = PlayedRulebook(RulebookText("ctf-tokens", "", ""), TOKENS)
    with pytest.raises(LineduelError) as raised:
        live_requests._move("x" * length, LiveGame(Session(Game(TOKENS))), played)
    if "too long" in str(raised.value):
        raise raised.value


def reactions(number: int) -> None:
    live = LiveGame(Session(Game(TOKENS)))
    for _ in range(number):
        live.perform(React("hello"), frozenset({Side.ONE}))


def certified(digits: int) -> None:
    for pattern in (certificate._WHOLE, certificate._FRACTION):
        if not pattern.fullmatch("9" * digits):
            raise ValueError("too many")


def engine_time(milliseconds: int) -> object:
    return _settings(argparse.Namespace(movetime=milliseconds, coach=False), None)


AT_MOST: dict[str, tuple[int, Callable[[int], object]]] = {
    "cells": (MAX_CELLS, lambda n: Track(first=0, last=n - 1)),
    "a label": (LARGEST_LABEL, lambda n: Track(first=n - 1, last=n)),
    "a label below 0": (LARGEST_LABEL, lambda n: Track(first=-n, last=1 - n)),
    "steps": (MAX_STEPS, lambda n: Movement(steps=tuple(range(n)))),
    "a step": (LONGEST_STEP, lambda n: Movement(steps=(n,))),
    "a step back": (LONGEST_STEP, lambda n: Movement(steps=(-n,))),
    "pieces": (MAX_PIECES, pieces),
    "numbers": (MAX_NUMBERS, lambda n: Battle(numbers=n)),
    "letters of a piece": (16, lambda n: assign(TOKENS, [f"player1.pieces={'A' * n}:-5"])),
    "letters of a name": (LONGEST_NAME, lambda n: check_name("A" * n)),
    "players": (MOST_PLAYERS, lambda n: tournament(players=n)),
    "bytes of an own rulebook": (LARGEST_OWN_RULEBOOK, own_rulebook),
    "variants of one": (
        MOST_OWN_VARIANTS,
        lambda n: check_variants({"variants": dict.fromkeys(range(n))}),
    ),
    "bytes of a rulebook's file": (LARGEST_RULEBOOK, rulebook_of_size),
    "bytes of a rulebook for an assistant": (
        LARGEST_RULEBOOK,
        lambda n: DuelTools().rules(text_of_size(n)),
    ),
    "tables within tables": (15, lambda n: parse_toml(f"[{'.'.join('a' * n)}]")),
    "steps of a lesson": (100, lesson),
    "games to compare": (12, compared),
    "days for a turn": (MOST_DAYS, lambda n: msgspec.convert({"days": n}, NewGame)),
    "letters of a move in a live game": (60, live_move),
    "reactions in a turn": (MOST_REACTIONS, reactions),
    "characters of an agent's answer": (LONGEST_ANSWER, answered),
    "rule sets of an exam": (MOST_RULE_SETS, lambda n: exam(rule_sets=[RULE_SET] * n)),
    "plies of an exam's game": (100_000, lambda n: exam(plies=n)),
    "seconds of an exam's answer": (86_400, lambda n: exam(seconds=n)),
    "digits in a certificate": (MOST_DIGITS, certified),
    "milliseconds of an engine": (LONGEST_MOVETIME, engine_time),
    "a number on the command line": (99, lambda n: whole_number(1, 99)(str(n))),
}


@pytest.mark.parametrize(("limit", "make"), AT_MOST.values(), ids=AT_MOST)
def test_as_many_as_are_allowed_and_no_more(limit: int, make: Callable[[int], object]) -> None:
    taken = [is_taken(lambda n=n: make(n)) for n in (limit - 1, limit, limit + 1)]  # type: ignore[misc]
    assert taken == [True, True, False]


@pytest.mark.parametrize(
    ("limit", "make"),
    [
        (MIN_CELLS, AT_MOST["cells"][1]),
        (MIN_NUMBERS, AT_MOST["numbers"][1]),
        (1, AT_MOST["steps"][1]),
        (1, AT_MOST["letters of a name"][1]),
        (1, AT_MOST["steps of a lesson"][1]),
        (2, AT_MOST["games to compare"][1]),
        (1, AT_MOST["days for a turn"][1]),
        (1, AT_MOST["rule sets of an exam"][1]),
        (1, engine_time),
        (1, AT_MOST["a number on the command line"][1]),
    ],
)
def test_as_few_as_are_allowed_and_no_fewer(limit: int, make: Callable[[int], object]) -> None:
    assert [is_taken(lambda n=n: make(n)) for n in (limit - 1, limit)] == [False, True]  # type: ignore[misc]


def test_the_games_of_a_tournament_fit_into_memory() -> None:
    """100,000,000 over all pairings; a round has two."""
    games = (99_999_998, 100_000_000, 100_000_002)
    assert [is_taken(lambda n=n: tournament(games=n)) for n in games] == [True, True, False]  # type: ignore[misc]


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size in (99, 100):
        path.write_bytes(b"x" * size)
        assert len(read_bytes(path, 100)) == size
    path.write_bytes(b"x" * 101)
    assert not is_taken(lambda: read_bytes(path, 100))


def test_a_line_of_results_is_read_up_to_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "LONGEST", 100)
    for size, fits in ((99, True), (100, True), (101, False)):
        path = tmp_path / str(size)
        with ledger.Ledger.begin(path, {"lineduel": "test"}) as file:
            file.append(b"x" * (size - 1) + b"\n")
        with ledger.Ledger.go_on(path, "test") as file:
            assert is_taken(lambda file=file: list(file.contents())) == fits  # type: ignore[misc]


def test_positions_are_explored_up_to_a_limit() -> None:
    size = len(explore_by_engine(FLAG_CHASE, FLAG_CHASE.start()))
    for most in (size, size + 1):
        assert len(explore_by_engine(FLAG_CHASE, FLAG_CHASE.start(), most)) == size
    with pytest.raises(TooLarge):
        explore_by_engine(FLAG_CHASE, FLAG_CHASE.start(), size - 1)


def test_a_line_of_best_play_has_as_many_moves_as_were_asked_for() -> None:
    solution = solve(Game(find_rulebook("cross-over")))
    assert [len(solution.line(solution.start, most)) for most in (0, 1, 5, 99)] == [0, 1, 5, 20]


def test_two_programs_stop_after_a_number_of_plies() -> None:
    session = Session(FLAG_CHASE, seats=("level:1", "level:1"))
    for _ in range(MOST_PLIES):
        assert not session.undecided
        session.play(session.moves[1])  # stay at home
    assert (session.plies, session.undecided) == (MOST_PLIES, True)


def test_the_opponents_of_the_latest_games_are_remembered() -> None:
    kept = Preferences(opponents={f"game {number}": "level:1" for number in range(999)})
    for number in (999, 1000, 1001):
        kept = kept.with_opponent(f"game {number}", "level:2")
    assert len(kept.opponents) == 1000
    assert next(iter(kept.opponents)) == "game 2"
    assert list(kept.opponents)[-1] == "game 1001"


def test_an_address_may_connect_as_often_as_it_may() -> None:
    limits = AddressLimits(3, lambda: 0.0)
    assert [limits.connect("one") for _ in range(5)] == [True, True, True, False, False]
    limits.disconnect("one")
    assert [limits.connect("one") for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    "same",
    [
        ("2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::"),
        ("192.0.2.1", "::ffff:192.0.2.1"),
        ("not an address", "not an address"),
    ],
)
def test_connections_of_one_customer_are_counted_together(same: tuple[str, ...]) -> None:
    """By whichever of the addresses they come and go."""
    limits = AddressLimits(len(same), lambda: 0.0)
    for _ in range(3):
        assert all(limits.connect(address) for address in same)
        assert not any(limits.connect(address) for address in same)
        assert limits.connect("2001:db8:1::1")
        for address in (*reversed(same), "2001:db8:1::1"):
            limits.disconnect(address)


def test_what_was_used_least_recently_makes_room() -> None:
    """Whatever is put and asked for in any order; no more bytes than may be are ever held."""
    for seed in range(30):
        chance, most = Random(seed), 10_000
        cache, model = BoundedCache[int](most), dict[int, tuple[int, int]]()
        for value in range(200):
            key, size = chance.randrange(12), chance.choice((0, 500, 2000, most - ENTRY_BYTES + 1))
            if chance.random() < 0.5:
                assert cache.get(key) == model.get(key, (None, 0))[0]
                if key in model:
                    model[key] = model.pop(key)
                continue
            cache.put(key, value, size)
            model.pop(key, None)
            if size + ENTRY_BYTES <= most:
                model[key] = value, size + ENTRY_BYTES
            while sum(held for _, held in model.values()) > most:
                del model[next(iter(model))]
            assert (len(cache), cache.bytes) == (len(model), sum(one[1] for one in model.values()))


def test_the_latest_accuracies_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_accuracies, "_MOST_GAMES", 3)
    game, path = Game(TOKENS), tmp_path / "accuracies.json"
    solution = solve(game)
    records = [
        Record(rulebook=game.rulebook, start=game.start(), moves=(move,))
        for move in game.moves(game.start())
    ]
    records += [
        replace(records[0], moves=()),
        replace(records[0], start=game.start(Side.TWO), moves=()),
    ]
    for number, one in enumerate(records[:4]):
        known = KnownAccuracies(path)
        known.note(review(one, solution))
        known.save()
        kept = KnownAccuracies(path)
        there = [kept.of(record, Side.ONE) is not None for record in records]
        assert there == [max(0, number - 2) <= at <= number for at in range(len(records))]


def test_a_search_looks_at_as_many_positions_as_it_may() -> None:
    game = Game(find_rulebook("cross-over"))
    start = game.start()
    after = len({game.play(start, move) for move in game.moves(start)})
    ran_out = [Lookahead(game, after + more).look(start, 1).ran_out for more in (-1, 0, 1)]
    assert ran_out == [True, False, False]


def test_a_rate_allows_what_has_come_together_and_no_more() -> None:
    now, rate = 0.0, Rate(at_once=3, each_second=2)
    limits = AddressLimits(3, lambda: now)

    def taken(times: int) -> int:
        return sum(is_taken(lambda: limits.check(rate, "one")) for _ in range(times))

    assert taken(5) == 3
    for now, fresh in ((0.4, 0), (0.5, 1), (0.9, 0), (1.5, 2), (100.0, 3)):
        assert taken(5) == fresh, now


def test_a_key_is_one_digit() -> None:
    steps = "1,2,3,4,5,6,9,10"
    game = Game(assign(TOKENS, ["track.last=20", "player2.pieces=P2:20", f"move.steps={steps}"]))
    assert set(digits(game, game.start())) <= set(range(1, 10))


def test_a_certificate_is_read_up_to_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "LARGEST_FILE", 100)
    path = tmp_path / "certificate"
    for size, fits in ((99, True), (100, True), (101, False)):
        path.write_text("x" * size)
        assert is_taken(lambda: proof.certificate_text(path)) == fits


def test_a_game_is_solved_plainly_up_to_a_limit_and_in_a_table_beyond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Memory for as many plain positions as are tried is enough to find that out; less is not."""
    game = Game(TOKENS)
    size = solve(game).positions
    for most, kind in ((size - 1, TableSolution), (size, PlainSolution), (size + 1, PlainSolution)):
        monkeypatch.setattr(solver, "MOST_PLAIN", most)
        monkeypatch.setattr(solver, "MOST_AT_ONCE", most)
        assert isinstance(solve(game, memory=most * solver.BYTES_EACH), kind)
    with pytest.raises(MemoryLimit):
        solve(game, memory=(size - 1) * solver.BYTES_EACH)


def test_a_repair_is_cut_short_only_if_something_was_left_out() -> None:
    class Nobody(Pool):
        def __init__(self) -> None: ...

        def run(self, work: Any, items: Any, **_: object) -> Any:
            sizes.append(len(list(items)))
            return iter(())

    sizes: list[int] = []

    def cut_short(most: int) -> bool:
        work = RepairWork(TOKENS, most=1, most_tried=most)
        for _ in work.steps(Nobody(), lambda lines: None):
            pass
        return work.search.cut_short

    assert not cut_short(10_000)
    count = sizes[0]
    assert [cut_short(count + more) for more in (-1, 0, 1)] == [True, False, False]


def test_a_sweep_takes_combinations_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = [("move.steps", ("1", "2", "1,2")), ("move.edge", ("stay", "illegal"))]
    for limit, fits in ((5, False), (6, True), (7, True)):
        monkeypatch.setattr(grid, "MOST_COMBINATIONS", limit)
        assert is_taken(lambda: grid.space_of(TOKENS, axes)) == fits


def test_a_certificate_has_positions_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(Game(TOKENS))
    assert isinstance(solution, PlainSolution)
    text = certificate.write_certificate(solution)
    for limit, fits in ((-1, False), (0, True), (1, True)):
        monkeypatch.setattr(certificate, "MOST_CERTIFIED", solution.positions + limit)
        assert is_taken(lambda: certificate.read_certificate(text)) == fits


def test_what_is_remembered_of_addresses_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that asked longest ago is forgotten, and may ask again."""
    monkeypatch.setattr(request_limits, "_MOST_ADDRESSES", 2)
    limits, rate = AddressLimits(1, lambda: 0.0), Rate(at_once=1, each_second=0)

    def ask(address: str) -> bool:
        return is_taken(lambda: limits.check(rate, address))

    assert [ask(one) for one in ("a", "b", "a", "b")] == [True, True, False, False]
    assert ask("c")
    assert not ask("b")
    assert ask("a")


def test_solutions_for_assistants_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_tools, "MOST_SOLVED", 2)
    worked: list[object] = []

    def work(function: Callable[..., object], *arguments: object) -> object:
        worked.append(arguments)
        return function(*arguments)

    tools = DuelTools(work=work)
    for game in ("ctf-tokens", "flag-chase", "ctf-tokens", "flag-chase"):
        tools.values(game)
    assert len(worked) == 2
    tools.values("blockade-duel")
    tools.values("flag-chase")
    assert len(worked) == 3
    tools.values("ctf-tokens")
    assert len(worked) == 4


async def test_tournaments_are_followed_and_listed_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that nobody watches make room."""
    monkeypatch.setattr(tournaments, "_MOST_FOLLOWED", 2)
    monkeypatch.setattr(tournaments, "_MOST_LISTED", 3)
    monkeypatch.setattr(tournaments, "FollowedTournament", lambda path: MagicMock())
    for number in range(4):
        (tmp_path / f"{number}.jsonl").touch()
    shown = tournaments.Tournaments(tmp_path)
    assert [path.name for path in shown._files()] == ["0.jsonl", "1.jsonl", "2.jsonl"]
    first = await shown._find("0.jsonl")
    first.watchers = 1
    await shown._find("1.jsonl")
    assert list(shown._followed) == ["0.jsonl", "1.jsonl"]
    await shown._find("2.jsonl")
    assert list(shown._followed) == ["0.jsonl", "2.jsonl"]
    with pytest.raises(LineduelError):
        await shown._find("3.jsonl")
