"""Tournaments: the same table, whoever plays the games, and whatever happens meanwhile."""

import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import psutil
import pytest

from lineduel.arena.game_runner import LOSS, UNFINISHED, WIN, Batch, GameRunner, play_game
from lineduel.arena.many_games import Pairing, RandomStream, Script, draws, key_of, word, words
from lineduel.arena.settings import Settings, settings_of
from lineduel.arena.tournament import (
    FollowedTournament,
    Standings,
    Tournament,
    count_games,
    tournament_lines,
)
from lineduel.cli.main import main
from lineduel.documents.watched_documents import MOST_LISTED_GAMES, watched_tournament
from lineduel.engine import Game, Move, Numbers, Position, Step
from lineduel.engine.symmetry import Likeness
from lineduel.errors import EngineError, LedgerError, StorageError
from lineduel.graph.chain import result_of
from lineduel.jobs.ledger import Ledger
from lineduel.jobs.long_work import LongRun
from lineduel.jobs.pool import Pool
from lineduel.players import Level, Perfect, Policy
from lineduel.players.policy import policy_table
from lineduel.record import parse_move, read_position
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Side
from lineduel.rules.assignments import format_rules
from support.cluster import cluster
from support.program import PATIENCE, Program, wait_for, wait_until
from support.repetition import for_games, tried
from support.solved import graph_of, solution_of
from support.terminal import Sitting, rows_of, screen

ZOO = Path(__file__).parents[1] / "zoo"
SAMPLED = 100_000
SURE = 3.29
"""Standard errors to either side that hold 999 in 1000."""
MANY = 1_000_000
SLOW = ("ctf-tokens", "--players", "search", "level:2", "level:5", "--playouts", "300")
"""Players that take a while."""


def settings(address: str, *players: str, **others: Any) -> Settings:
    game = Game(find_rulebook(address))
    given: dict[str, Any] = {"title": game.rulebook.title, "rules": format_rules(game.rules)}
    return Settings(game=address, start=str(game.start()), players=players, **given, **others)


def zoo(name: str) -> str:
    return f"engine:{shlex.join([sys.executable, str(ZOO / name)])}.py"


def by_engine(
    game: Game, start: Position, players: tuple[Policy, Policy], key: int, plies: int
) -> tuple[str, int]:
    """The same game one move at a time: drawn in the position that stands for the true one."""
    likeness, lot = Likeness(game.rules), RandomStream(key)
    position, order = start, likeness.order(start)
    moves: list[Move] = []
    while game.outcome(position) is None and len(moves) < plies:
        standing = likeness.standing_for(position)
        if position.battle is None:
            chances = players[position.side - 1].chances(standing, position.side)
            drawn = lot.choices(game.moves(standing), chances)[0]
        else:
            tried = [
                player.chances(standing, side) for player, side in zip(players, Side, strict=True)
            ]
            drawn = Numbers(*(lot.choices(range(1, len(one) + 1), one)[0] for one in tried))
        moves.append(_renamed(game, drawn, order))
        after = likeness.order(game.play(standing, drawn))
        order = tuple(order[one] for one in after)
        position = game.play(position, moves[-1])
        assert likeness.standing_for(position) == likeness.standing_for(game.play(standing, drawn))
    return " ".join(map(str, moves)), game.outcome(position) or 0


def _renamed(game: Game, move: Move, order: tuple[int, ...]) -> Move:
    """The move of the true piece."""
    if not isinstance(move, Step):
        return move
    pieces = [piece.name for side in Side for piece in game.rules.team(side).pieces]
    return Step(pieces[order[pieces.index(move.piece)]], move.step)


# What is drawn, and what is played


def test_a_lot_is_the_same_one_by_one_and_many_at_once() -> None:
    """Numbers from 0 to 1, evenly spread, depending on the key alone."""
    keys = [key_of(1, "a", "b", number) for number in range(50)]
    one_by_one = [[lot.random() for _ in range(40)] for lot in map(RandomStream, keys)]
    at_once = [draws(np.array(keys, np.uint64), np.full(50, at, np.uint64)) for at in range(40)]
    assert np.array_equal(np.array(one_by_one).T, np.array(at_once))
    assert abs(np.mean(at_once) - 0.5) < 0.02
    assert 0 <= np.min(at_once) < 0.01
    assert 0.99 < np.max(at_once) < 1
    assert RandomStream(7).choice("abc") == RandomStream(7).choice("abc")
    assert [word(7, at) for at in range(9)] == words(7, np.arange(9, dtype=np.uint64)).tolist()


@for_games("address")
def test_many_games_at_once_are_those_that_the_engine_plays(address: str) -> None:
    """Move by move with the same lots, from the start and from an opening, in every rulebook."""
    solution = solution_of(address)
    game = solution.game
    script = Script(graph_of(address))
    third = Perfect(solution) if len(script.graph) < 10_000 else Level(2, solution)
    players: tuple[Policy, ...] = (Level(1, solution), Level(4, solution), third)
    tables = [policy_table(player, script.graph) for player in players]
    later = GameRunner(settings(address, "level:1", "level:2", opening=3))
    keys = words(key_of(address), np.arange(20, dtype=np.uint64))
    starts = [game.start() if key % 2 else later.opening(key) for key in keys.tolist()]
    for one, other in ((0, 0), (0, 1), (1, 0), (2, 1)):
        played = Pairing(script, tables[one], tables[other]).play(starts, keys, 60)
        for start, key, *found in zip(
            starts, keys.tolist(), played.moves, played.winners.tolist(), strict=True
        ):
            seats = players[one], players[other]
            assert tuple(found) == by_engine(game, start, seats, key, 60)


@pytest.mark.parametrize("address", SHIPPED)
def test_exact_results_are_those_of_100_000_games(address: str) -> None:
    """Chances and expected length within the interval of the sample."""
    solution = solution_of(address)
    script = Script(graph_of(address))
    tables = [policy_table(Level(number, solution), script.graph) for number in (2, 1)]
    exact = result_of(script.graph, tables[0], tables[1])
    keys = words(key_of(address), np.arange(SAMPLED, dtype=np.uint64))
    start = solution.game.start()
    played = Pairing(script, tables[0], tables[1]).play([start] * SAMPLED, keys, MANY)
    counts = Counter(played.winners.tolist())
    for chance, winner in ((exact.win1, 1), (exact.win2, 2), (exact.endless, 0)):
        error = (chance * (1 - chance) / SAMPLED) ** 0.5
        assert abs(counts[winner] / SAMPLED - chance) <= SURE * error + 1e-12
    lengths = np.array([moves.count(" ") + 1 for moves in played.moves])
    assert exact.plies is not None
    assert abs(lengths.mean() - exact.plies) <= SURE * lengths.std() / SAMPLED**0.5


def test_a_round_has_the_same_lots_and_opening_on_both_seats() -> None:
    """And another round has others."""
    chosen = settings("cross-over", "level:1", "search", games=8, opening=4, playouts=5)
    lines = [json.loads(one) for one in GameRunner(chosen).play(range(8)).lines.splitlines()]
    rounds: dict[int, list[Any]] = {}
    for line in lines:
        rounds.setdefault((line["game"] - 1) // 2, []).append(line)
    for first, second in rounds.values():
        assert (first["seed"], first["opening"]) == (second["seed"], second["opening"])
        assert (first["player1"], first["player2"]) == (second["player2"], second["player1"])
    assert len({one[0]["seed"] for one in rounds.values()}) == 4
    assert len({one[0]["opening"] for one in rounds.values()}) > 1


@pytest.mark.parametrize("address", SHIPPED)
def test_every_line_of_the_ledger_can_be_replayed(address: str) -> None:
    """Opening, moves and result are a whole game by the engine's rules."""
    chosen = settings(address, "level:2", "level:6", "search", games=4, playouts=3, plies=80)
    batch = GameRunner(chosen).play(range(12))
    game = Game(find_rulebook(address))
    for line in map(json.loads, batch.lines.splitlines()):
        position = read_position(game, line["opening"])
        for move in line["moves"].split():
            position = game.play(position, parse_move(move))
        winner = game.outcome(position)
        assert line["result"] == (str(int(winner)) if winner else "*")
        assert winner is not None or len(line["moves"].split()) == 80


def test_each_game_of_a_file_can_be_replayed_and_reviewed(program: Program) -> None:
    """By its line, with its players; what is no game of it is refused."""
    players = ("--players", "level:4", "level:1", "--games", "2", "--file", "games.jsonl")
    assert program("tournament", "cross-over", *players).status == 0
    games = [
        json.loads(line) for line in (program.folder / "games.jsonl").read_text().splitlines()[1:]
    ]
    for line, game in enumerate(games, start=2):
        chosen = ("games.jsonl", "--line", str(line))
        shown = json.loads(program("replay", *chosen, "--json").out)
        assert " ".join(shown["moves"]) == game["moves"]
        told = " ".join(program("review", *chosen).out.split())
        seats = {"level:1": "level 1, random", "level:4": "level 4, casual"}
        one, two = (seats[game[side]] for side in ("player1", "player2"))
        assert f"Player 1 ({one}) against player 2 ({two})." in told
    for wrong, sentence in (
        (("games.jsonl",), "Choose one by its line, as --line 2"),
        (("games.jsonl", "--line", "1"), "The games are on lines 2 to 3."),
        (("games.jsonl", "--line", "4"), "There is no game on line 4"),
        (("nothing.jsonl", "--line", "2"), "There is no file nothing.jsonl"),
    ):
        for command in ("replay", "review"):
            refused = program(command, *wrong)
            assert (refused.status, refused.out) == (2, "")
            assert sentence in refused.err


def test_a_game_does_not_depend_on_those_played_beside_it() -> None:
    """Alone, in a row, and in another order: the same lines."""
    chosen = settings("ctf-soldiers", "level:3", "level:1", "search", games=4, playouts=3)
    together = GameRunner(chosen).play(range(12)).lines.splitlines()
    runner = GameRunner(chosen)
    apart = [runner.play([one]).lines.strip() for one in reversed(range(12))]
    assert sorted(together) == sorted(apart)


# The table


def test_an_unfinished_game_is_half_a_point_and_is_said_to_be(program: Program) -> None:
    """Two players that never end a game share the points."""
    done = program(
        *("tournament", "ctf-soldiers", "--players", "level:8", "perfect"),
        *("--games", "4", "--max-turns", "40", "--cores", "1", "--file", "games.jsonl"),
    )
    assert (done.status, done.err) == (0, "")
    assert "4 games were unfinished after 40 turns: half a point for each player." in done.out
    assert "level 8 (master) - perfect: 2 of 4 (50% as player 1, 50% as player 2)" in done.out


def test_a_gauntlet_is_one_against_the_others() -> None:
    """The others do not meet."""
    assert settings("ctf-tokens", "a", "b", "c").pairings == ((0, 1), (0, 2), (1, 2))
    assert settings("ctf-tokens", "a", "b", "c", gauntlet=True).pairings == ((0, 1), (0, 2))


def test_a_report_has_the_names_that_engines_give_themselves(program: Program) -> None:
    """From the run and from its file; levels by their names; a level cannot have another one."""
    engine = f"engine:sh {ZOO.parents[1] / 'examples' / 'engine.sh'}"
    done = program("tournament", "blockade-duel", "--players", "easy", engine, "--games", "2")
    assert done.status == 0, done.err
    assert "level 3 (easy) - shell example: " in done.out
    assert "engine.sh" not in done.out
    assert program("tournament", "--resume", "--trust").out == done.out
    file = program.folder / "tournament.jsonl"
    file.write_text(file.read_text().replace('"name2"', '"name1"', 1))
    refused = program("tournament", "--resume")
    assert refused.status == 2
    assert "only engines have names of their own" in refused.err


def test_engines_that_call_themselves_the_same_are_told_apart() -> None:
    """By their commands, as soon as both have said their name."""
    engines = ["engine:first", "engine:second"]
    standings = Standings(settings("blockade-duel", *engines, games=2))
    for number, expected in enumerate(
        (["zoo", "engine second"], ["zoo (first)", "zoo (second)"]), start=1
    ):
        said = dict.fromkeys(engines[:number], "zoo")
        standings.add(Batch(b"", np.array([number - 1]), np.array([WIN], np.int8), {}, said))
        told = [standings.name(engine) for engine in engines]
        assert told[:number] == expected[:number]
        assert len(set(told)) == 2


def test_a_score_is_told_by_the_seat_it_was_made_in() -> None:
    """Whoever is named first has the first seat in every other game, from the first on."""
    standings = Standings(settings("blockade-duel", "level:1", "level:2", games=4))
    standings.add(Batch(b"", np.arange(4), np.array([WIN, LOSS, WIN, UNFINISHED], np.int8), {}, {}))
    (score,) = standings.scores()
    assert (score.won, score.lost, score.unfinished) == (2, 1, 1)
    assert (score.seat1, score.seat2) == (1.0, 0.25)


def test_a_sequential_test_ends_where_it_would_have_ended_game_by_game(tmp_path: Path) -> None:
    """However many games were under way: the same decision, and no game after it counts."""
    chosen = settings("ctf-tokens", "level:2", "level:1", games=3000, sprt=(0.0, 60.0))
    tables = []
    for cores in (1, 2):
        standings = Standings(chosen)
        with Ledger.begin(tmp_path / f"{cores}", chosen.header()) as ledger, Pool(cores) as pool:
            LongRun(Tournament(standings), ledger).run(pool)
        tables.append((standings.scores(), standings.table()))
    assert tables[0] == tables[1]
    decision = tables[0][0][0].decision
    assert decision is not None
    assert decision.verdict == "elo1"
    assert decision.games == tables[0][0][0].games < 1000


def test_settings_survive_their_file(tmp_path: Path) -> None:
    """What is read is what was written."""
    chosen = settings("flag-chase", "level:2", zoo("polite"), sprt=(0.0, 5.0), gauntlet=True)
    with Ledger.begin(tmp_path / "t.jsonl", chosen.header()):
        pass
    with Ledger.go_on(tmp_path / "t.jsonl", "tournament") as ledger:
        assert settings_of(ledger) == chosen


# Engines


def test_engines_that_misbehave_lose_their_games_and_nothing_else(program: Program) -> None:
    """The tournament goes on, and says what they did."""
    bad = ("crashes_at_go", "plays_illegally", "talks_nonsense")
    done = program(
        *("tournament", "flag-chase", "--gauntlet", "--players", "level:1"),
        *(zoo(name) for name in bad),
        *("--games", "2", "--movetime", "100", "--json", "--file", "tournament.jsonl"),
    )
    assert (done.status, done.err) == (0, "")
    document = json.loads(done.out)
    assert [one["won"] for one in document["pairings"]] == [2] * len(bad)
    assert sum(one["games"] for one in document["faults"]) == 2 * len(bad)
    assert {one["player"] for one in document["faults"]} == {zoo(name) for name in bad}
    assert all(one["why"].startswith("The engine") for one in document["faults"])


@pytest.mark.parametrize("bad", ["crashes_at_start", "has_no_name"])
def test_an_engine_that_cannot_start_stops_the_tournament(program: Program, bad: str) -> None:
    """Before the first game, and no file is left."""
    players = "level:1", zoo(bad)
    done = program(
        *("tournament", "flag-chase", "--games", "2", "--players", *players),
        *("--file", "games.jsonl"),
    )
    assert (done.status, done.out) == (2, "")
    assert "cannot play: it " in done.err
    assert not (program.folder / "games.jsonl").exists()


def test_an_engine_that_is_called_like_a_level_is_told_apart() -> None:
    """By its command; and the table says what its margin is."""
    names = Standings(settings("flag-chase", "level:1", "engine:python bot.py", games=2))
    names._names["engine:python bot.py"] = "random"
    assert names.name("engine:python bot.py") == "random (python bot.py)"
    assert names.name("level:1") == "level 1 (random)"
    told = list(tournament_lines(names))
    assert any(line.startswith("+/- is the margin") for line in told)


class Number(NamedTuple):
    """A player of battles, who fails or does not."""

    fails: bool

    def choose_move(self, position: Position) -> Move:
        raise AssertionError(position)

    def choose_number(self, position: Position, side: Side) -> int:
        if self.fails:
            raise EngineError(f"player {side} fails")
        return 1

    def close(self) -> None: ...


@pytest.mark.parametrize("to_move", Side)
@pytest.mark.parametrize("failing", Side)
def test_who_fails_in_a_battle_loses_the_game(to_move: Side, failing: Side) -> None:
    """Whoever is to move after it."""
    game = Game(find_rulebook("flag-chase"))
    start = read_position(game, f"3/3/{to_move}*")
    match = play_game(game, start, Number(failing is Side.ONE), Number(failing is Side.TWO), 1)
    assert match == ((), failing.other, f"player {failing} fails")


def test_an_engine_that_behaves_plays(program: Program) -> None:
    """The one of the examples, on both seats, and its games are kept."""
    example = Path(__file__).parents[2] / "examples" / "engine.py"
    engine = f"engine:{shlex.join([sys.executable, str(example)])}"
    done = program(
        *("tournament", "flag-chase", "--players", "level:1", engine),
        *("--games", "4", "--cores", "1", "--json", "--file", "tournament.jsonl"),
    )
    assert (done.status, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["faults"] == []
    assert document["pairings"][0]["games"] == 4


def test_a_tournament_keeps_what_its_engines_say(program: Program) -> None:
    """All workers add to one file, which cannot be that of the games."""
    arguments = (
        "tournament",
        "flag-chase",
        "--players",
        "level:1",
        zoo("plays_illegally"),
    )
    more = ("--games", "4", "--cores", "2", "--movetime", "321", "--engine-log", "said.txt")
    done = program(*arguments, *more)
    assert done.status == 0
    told = re.findall(r"forfeited (\d) games?: The engine's choice is", " ".join(done.out.split()))
    assert sum(map(int, told)) == 4
    lines = (program.folder / "said.txt").read_text().splitlines()
    assert sum(line.endswith(" < bestmove P2+9") for line in lines) == 4
    assert sum(" > go movetime 321 moves P" in line for line in lines) == 4
    same = program(*arguments, "--file", "a", "--engine-log", "a")
    assert (same.status, same.out) == (2, "")


def test_a_file_starts_no_engine_unless_it_is_trusted(program: Program) -> None:
    """It is shown what would be started; whoever names the engines again trusts them."""
    chosen = settings("flag-chase", "level:1", "engine:touch ran", games=2)
    with Ledger.begin(program.folder / "tournament.jsonl", chosen.header()):
        pass
    done = program("tournament", "--resume")
    assert (done.status, done.out) == (2, "")
    assert done.complaints == [
        "lineduel: tournament.jsonl starts a program: touch ran",
        "Add --trust if you trust the file.",
    ]
    with Sitting(program, "tournament", "--resume", plain=False) as sitting:
        sitting.answer("Do you trust it? (yes/no): ", "no")
        assert sitting.end() == 0
    assert not (program.folder / "ran").exists()
    program("tournament", "--resume", "--players", "level:1", "engine:touch ran")
    assert (program.folder / "ran").exists()


def test_a_trusted_file_starts_its_engines(program: Program) -> None:
    chosen = settings("flag-chase", "level:1", "engine:touch ran", games=2)
    with Ledger.begin(program.folder / "tournament.jsonl", chosen.header()):
        pass
    assert program("tournament", "--resume", "--trust").status == 2  # touch plays no duels
    assert (program.folder / "ran").exists()


# It survives


def family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The program's own processes."""
    try:
        return [*psutil.Process(process.pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def have_ended(processes: list[psutil.Process]) -> bool:
    """Whether all of them have ended soon, reaped or not."""
    wait_until(lambda: not any(map(_lives, processes)))
    return True


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def played(path: Path) -> Counter[tuple[str, str, int]]:
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return Counter((one["player1"], one["player2"], one["game"]) for one in lines)


@tried(2, 6)
def test_killed_and_resumed_it_reaches_the_same_table(program: Program, times: int) -> None:
    """SIGKILL at random moments; each game counts once, and no worker outlives its parent."""
    arguments = [*SLOW, "--games", "60"]
    file, chance = program.folder / "killed.jsonl", Random(8)
    killed, workers = 0, list[psutil.Process]()
    for attempt in range(times):
        resume = ["--resume"] if attempt else []
        with program.started("tournament", *arguments, "--file", file.name, *resume) as process:
            lines = file.read_bytes().count(b"\n") if file.exists() else 0
            wait_for(file, lines, process)
            time.sleep(chance.random() * 0.25)
            killed += process.poll() is None
            workers += family(process)
            process.kill()
    assert have_ended(workers)
    assert killed == times
    again = program("tournament", "--resume", "--file", file.name, "--json")
    whole = program("tournament", *arguments, "--file", "whole.jsonl", "--json")
    assert (again.status, again.err) == (whole.status, whole.err) == (0, "")
    assert again.out == whole.out
    counted = played(file)
    assert set(counted) == set(played(program.folder / "whole.jsonl"))
    assert set(counted.values()) == {1}


def test_a_file_cut_at_any_byte_can_be_gone_on_with(program: Program) -> None:
    """The line that is not whole is played again."""
    arguments = ("tournament", "ctf-tokens", "--players", "level:1", "level:3")
    file = program.folder / "tournament.jsonl"
    whole = program(*arguments, "--games", "20", "--cores", "1", "--json")
    content = file.read_bytes()
    head = content.index(b"\n") + 1
    for size in sorted(Random(3).sample(range(head, len(content)), 3)):
        file.write_bytes(content[:size])
        again = program("tournament", "--resume", "--cores", "1", "--json")
        assert (again.status, again.err, again.out) == (0, "", whole.out)
        assert set(played(file).values()) == {1}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_game_that_is_there_twice_counts_once(tmp_path: Path, order: tuple[int, int]) -> None:
    """The first of them, its result and its fault; others beside it count as ever."""
    chosen = settings("ctf-tokens", zoo("polite"), "level:1", games=4)
    line, other = line_of(chosen, 0), played_on(chosen, line_of(chosen, 1), "1")
    twins = line | {"moves": "", "result": "2", "why": "It hung."}, played_on(chosen, line, "1")
    with ledger_of(tmp_path, chosen, *(twins[at] for at in order), other) as ledger:
        standings = Standings(chosen)
        count_games(standings, ledger)
    assert standings.games == 2
    assert standings.scores()[0].won == order[0]
    assert standings.fault_counts() == (() if order[0] else ((zoo("polite"), "It hung.", 1),))


def test_an_interrupt_ends_it_at_once_and_says_how_to_go_on(program: Program) -> None:
    """Exit status 130, nothing lost, and the command it names works."""
    file = program.folder / "mine.jsonl"
    with program.started("tournament", *SLOW, "--games", "4000", "--file", "mine.jsonl") as process:
        wait_for(file, 3, process)
        workers = family(process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all of the group
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        assert workers
        assert have_ended(workers)
    assert out == ""
    kept = len(played(file))
    assert err == (
        f"\nStopped; {kept} games are kept in mine.jsonl.\n"
        "Resume with: lineduel tournament --resume --file mine.jsonl\n"
    )
    with program.started("tournament", "--resume", "--file", "mine.jsonl") as process:
        wait_for(file, kept + 1, process)
    assert len(played(file)) > kept


def test_an_interrupt_leaves_no_engine_behind(program: Program) -> None:
    """Not even one that thinks for ever and does not listen."""
    file = program.folder / "tournament.jsonl"
    arguments = ("flag-chase", "--players", "level:1", zoo("hangs_on"))
    with program.started(
        "tournament", *arguments, "--movetime", "60000", "--cores", "1"
    ) as process:
        wait_for(file, 0, process)
        wait_until(lambda: any("hangs_on" in str(_command(one)) for one in family(process)))
        everybody = family(process)
        began = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 130
        assert time.monotonic() - began < 30  # half of the time that the engine has
    assert have_ended(everybody)


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline()[1:])
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


@pytest.mark.terminal
def test_at_a_terminal_the_table_grows_and_makes_room_for_the_last(program: Program) -> None:
    """A bar below it; in the end only the table is left on the screen."""
    with Sitting(program, "tournament", *SLOW, "--games", "24", "--file", "t.jsonl") as sitting:
        sitting.see("playing [")
        assert sitting.end() == 0
    rows = rows_of(screen(sitting.raw, columns=100))
    assert rows[0].startswith("Capture the Flag (Tokens)")
    assert not any("playing" in row for row in rows)


def test_a_file_has_one_writer(program: Program) -> None:
    """A second program is told so and leaves it alone."""
    with program.started("tournament", *SLOW, "--games", "4000") as process:
        wait_for(program.folder / "tournament.jsonl", 1, process)
        second = program("tournament", "--resume")
    assert second.status == 2
    assert second.err == "lineduel: Another program is writing to tournament.jsonl.\n"


# It scales


def test_a_cluster_that_loses_a_worker_reaches_the_same_table(program: Program) -> None:
    """Two local worker processes of Dask, one killed in the middle."""
    arguments = [*SLOW, "--games", "40"]
    file = program.folder / "cluster.jsonl"
    with (
        cluster(program) as dask,
        program.started(
            "tournament", *arguments, "--file", file.name, "--cluster", dask.address, "--json"
        ) as process,
    ):
        wait_for(file, 20, process)
        assert process.poll() is None
        dask.workers[0].kill()
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")
    assert out == program("tournament", *arguments, "--file", "here.jsonl", "--json").out
    assert set(played(file).values()) == {1}


# Bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--players level:1 level:2", "A tournament needs a GAME; or resume one with --resume."),
        ("cross-over", "A tournament needs --players"),
        ("cross-over --players level:1", "A tournament needs at least two players."),
        ("cross-over --players level:1 level:1", "level:1 is named twice"),
        ("cross-over --players level:1 level:9", "no player called 'level:9'"),
        ("cross-over --players level:1 human", "no player called 'human'"),
        ("cross-over --players easy 'python b.py'", "Did you mean 'engine:python b.py'?"),
        ("chess --players level:1 level:2", "no game called 'chess'"),
        ("cross-over --players level:1 engine:no-such", "no program called 'no-such'"),
        ("cross-over --players level:1 level:2 --games 3", "--games takes an even number"),
        ("cross-over --players level:1 level:2 --games 0", "--games takes an even number"),
        ("cross-over --players level:1 level:2 --games x", "'x' is not a whole number"),
        (
            "cross-over --players level:1 level:2 --max-turns 0",
            "--max-turns takes a number of 1 or more",
        ),
        ("cross-over --players level:1 level:2 --cores 0", "--cores takes a number of 1 or more"),
        ("cross-over --players level:1 level:2 --sprt 5", "'5' is not two strengths"),
        ("cross-over --players level:1 level:2 --sprt 5,1", "'5,1' is not two strengths"),
        ("cross-over --players level:1 level:2 --sprt a,b", "'a,b' is not two strengths"),
        ("cross-over --players level:1 level:2 --sprt 0,nan", "'0,nan' is not two"),
        ("cross-over --players level:1 level:2 --file no/x", "no/x cannot be written"),
        ("cross-over --players level:1 level:2 --file no", "no already exists."),
        (
            "cross-over --players level:1 level:2 --cluster nowhere",
            "No Dask cluster answers at nowhere.",
        ),
        ("--resume --file missing.jsonl", "There is no file missing.jsonl to resume."),
        ("--resume --file no", "no is not the file of a tournament."),
        ("--resume --file .", "cannot be written"),
        ("--resume --set move.steps=1", "--set, --first and --position need a GAME."),
    ],
)
def test_bad_input_is_told_in_plain_words(program: Program, arguments: str, said: str) -> None:
    """Exit status 2, one or two lines, and no file is begun."""
    (program.folder / "no").write_text('{"lineduel": "something else"}\n')
    done = program("tournament", *shlex.split(arguments))
    assert done.status == 2
    assert done.out == ""
    assert said in done.err
    assert 1 <= len(done.complaints) <= 2
    assert [path.name for path in program.folder.glob("*.jsonl")] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--seed 2", "another seed: 1, not 2."),
        ("--games 6", "another games: 4, not 6."),
        ("--players level:1 level:3", "another players: level:1, level:2, not level:1, level:3."),
        ("cross-over", "another game: ctf-tokens, not cross-over."),
        ("ctf-tokens --set move.steps=1", "another rules: "),
        ("--sprt 0,5", "another sprt: None, not 0.0, 5.0."),
    ],
)
def test_a_tournament_is_not_resumed_as_another(
    program: Program, arguments: str, said: str
) -> None:
    """What differs is named; what is the same may be given again."""
    chosen = settings("ctf-tokens", "level:1", "level:2", games=4)
    with Ledger.begin(program.folder / "tournament.jsonl", chosen.header()):
        pass
    done = program("tournament", "--resume", *arguments.split())
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert len(done.complaints) <= 2


def line_of(chosen: Settings, number: int) -> dict[str, Any]:
    """A game without moves, as its line says what it is."""
    names = chosen.meetings[number // chosen.games]
    game = number % chosen.games
    player1, player2 = names[::-1] if game % 2 else names
    return {
        "game": game + 1,
        "player1": player1,
        "player2": player2,
        "seed": f"{word(key_of(chosen.seed, *names), game // 2):016x}",
        "opening": chosen.start,
        "moves": "",
        "result": "*",
    }


def played_on(chosen: Settings, line: dict[str, Any], winner: str) -> dict[str, Any]:
    """The same with moves to a win of that player."""
    game = Game(chosen.rulebook)
    for number in range(1000):
        chance, position, moves = Random(number), chosen.position, list[Move]()
        while game.outcome(position) is None and len(moves) < chosen.plies:
            moves.append(chance.choice(game.moves(position)))
            position = game.play(position, moves[-1])
        if str(game.outcome(position) or "*") == winner:
            return line | {"moves": " ".join(map(str, moves)), "result": winner}
    raise AssertionError(winner)


@contextmanager
def ledger_of(folder: Path, chosen: Settings, *lines: object) -> Iterator[Ledger]:
    """A file with these lines, as it is gone on with."""
    path = folder / "tournament.jsonl"
    with Ledger.begin(path, chosen.header()) as ledger:
        ledger.append("".join(f"{json.dumps(line)}\n" for line in lines).encode())
    with Ledger.go_on(path, "tournament") as ledger:
        yield ledger


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"games": 10**15}, "line 1: 'games': expected int <= 10000000."),
        ({"games": 2 * 10**9}, "line 1: 'games': expected int <= 10000000."),
        ({"games": 3}, "line 1: 'games' has to be even"),
        ({"games": True}, "line 1: 'games': expected int, got bool."),
        (
            {"games": 10**7, "players": [f"level:{n}" for n in range(1, 9)]},
            "at most 100,000,000 games",
        ),
        ({"sprt": [math.nan, 5.0]}, "line 1: 'sprt' takes two strengths"),
        ({"sprt": [5, 0]}, "line 1: 'sprt' takes two strengths"),
        ({"sprt": [0, 1e300]}, "line 1: 'sprt' takes two strengths"),
        ({"sprt": [0]}, "line 1: 'sprt': expected array of length 2, got 1."),
        ({"players": [f"engine:{n}" for n in range(3000)]}, "expected array of length <= 100."),
        ({"players": ["level:1", "human"]}, "line 1: There is no player called 'human'."),
        ({"players": ["level:1", "LEVEL:2"]}, "line 1: There is no player called 'LEVEL:2'."),
        ({"players": ["level:1", "level:1"]}, "line 1: level:1 is named twice"),
        ({"players": ["level:1"]}, "line 1: A tournament needs at least two players."),
        ({"players": ["level:1", 5]}, "line 1: 'players[1]': expected str, got int."),
        ({"plies": 0}, "line 1: 'plies': expected int >= 1."),
        ({"title": "x" * 20_001}, "line 1: 'title': expected str of length <= 20000."),
        ({"seed": 1.5}, "line 1: 'seed': expected int, got float."),
        ({"colour": 1}, "line 1: 'colour' is not a setting."),
        ({"gauntlet": None}, "line 1: 'gauntlet': expected bool, got null."),
        ({"plies": ...}, "line 1: 'plies' is missing."),
        ({"version": 2}, "line 1: this tournament was written by another version of lineduel."),
        ({"start": "1/1/9"}, "line 1: "),
        ({"start": "1/9/1"}, "line 1: "),
        ({"rules": "x"}, "line 1: "),
        ({"players": 3}, "line 1: 'players': expected array, got int."),
        ({"players": ["level:1", "level:9"]}, "line 1: There is no player called 'level:9'."),
        ({"sprt": "ab"}, "line 1: 'sprt': expected array | null, got str."),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    """With the file, the line and the setting, before anything is played or much is kept."""
    header = settings("ctf-tokens", "level:1", "level:2", games=4).header() | change
    file = tmp_path / "tournament.jsonl"
    file.write_text(json.dumps({key: one for key, one in header.items() if one is not ...}) + "\n")
    with Ledger.go_on(file, "tournament") as ledger, pytest.raises(LedgerError) as raised:
        settings_of(ledger)
    assert str(raised.value).startswith(f"{file}, line 1: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("{not json", "line 2: this is not a line of JSON."),
        ("[]", "line 2: Expected object, got array."),
        ('{"game": 1}', "line 2: Object missing required field player1."),
        ({"game": 0}, "line 2: 'game': expected int >= 1."),
        ({"game": 10**30}, "line 2: "),
        ({"game": 9}, "there is no game 9 of level:1 against level:2."),
        ({"game": 2}, "there is no game 2 of level:1 against level:2."),
        ({"player1": "level:3"}, "there is no game 1 of level:3 against level:2."),
        ({"seed": "0" * 16}, "its seed is 0000000000000000, not "),
        ({"opening": "1/7/2"}, "it begins with 1/7/2, not "),
        ({"moves": "nonsense"}, "'nonsense' is not a move."),
        ({"moves": "A+1 A+1"}, "not a game of this tournament: "),
        ({"moves": ""}, "its moves do not lead to the result 1."),
        ({"result": "2"}, "its moves do not lead to the result 2."),
        ({"result": "*"}, "its moves do not lead to the result *."),
        ({"result": 1}, "line 2: 'result': expected str, got int."),
        ({"moves": "", "why": "It hung."}, "its moves do not lead to the result 1."),
        ({"why": ""}, "line 2: 'why': expected str of length >= 1."),
        ({"colour": 1}, "line 2: Object contains unknown field colour."),
        ({"\x1b[31mred": 1}, "line 2: Object contains unknown field \\x1b[31mred."),
    ],
)
def test_a_line_that_is_no_game_of_this_tournament_is_not_counted(
    tmp_path: Path, change: dict[str, Any] | str, said: str
) -> None:
    """It is told where it is, and the file is left as it is, with its last line that is torn."""
    chosen = settings("ctf-tokens", "level:1", "level:2", games=4)
    right = played_on(chosen, line_of(chosen, 0), "1")
    line = change if isinstance(change, str) else json.dumps(right | change)
    file = tmp_path / "tournament.jsonl"
    file.write_text(f'{json.dumps(chosen.header())}\n{line}\n{{"game": 2, "pla')
    before = file.read_bytes()
    with Ledger.go_on(file, "tournament") as ledger, pytest.raises(LedgerError) as raised:
        count_games(Standings(chosen), ledger)
    assert str(raised.value).startswith(f"{file}, line 2: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (('"games": 4', '"games": 4000000000'), "line 1: 'games': expected int <= 10000000."),
        (('"game": 1', '"game": 7'), "line 2: not a game of this tournament: there is no game 7"),
    ],
)
def test_a_damaged_file_is_told_in_plain_words(
    program: Program, damage: tuple[str, str], said: str
) -> None:
    """Exit status 2 and one line."""
    chosen = settings("ctf-tokens", "level:1", "level:2", games=4)
    with ledger_of(program.folder, chosen, played_on(chosen, line_of(chosen, 0), "1")) as ledger:
        content = ledger.path.read_text()
    assert damage[0] in content
    ledger.path.write_text(content.replace(*damage))
    done = program("tournament", "--resume")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"lineduel: tournament.jsonl, {said}")
    assert len(done.complaints) == 1


def test_games_that_were_played_are_all_counted(tmp_path: Path) -> None:
    """With openings, engines at fault and the limit of plies."""
    bad = zoo("plays_illegally")
    chosen = settings(
        "flag-chase", "level:1", "search", bad, opening=2, plies=9, games=6, playouts=2
    )
    played = GameRunner(chosen).play(range(18))
    expected, standings = Standings(chosen), Standings(chosen)
    expected.add(played)
    with ledger_of(tmp_path, chosen, *map(json.loads, played.lines.splitlines())) as ledger:
        count_games(standings, ledger)
    assert standings.scores() == expected.scores()
    assert standings.fault_counts() == expected.fault_counts() != ()
    assert sum(score.unfinished for score in standings.scores()) > 0


def test_a_ledger_is_read_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line without end is refused, not read."""
    chosen = settings("ctf-tokens", "level:1", "level:2", games=4)
    with ledger_of(tmp_path, chosen, {"moves": "x" * 10_000}) as ledger:
        monkeypatch.setattr("lineduel.jobs.ledger.LONGEST", 9_999)
        with pytest.raises(LedgerError, match="line 2: longer than 0 MiB"):
            count_games(Standings(chosen), ledger)


def test_games_that_were_played_outlive_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """When the disk is full the games that are on it stay, and are gone on with."""
    append, left = Ledger.append, [2]

    def full_in_the_end(ledger: Ledger, lines: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise StorageError("the disk is full")
        append(ledger, lines)

    monkeypatch.chdir(tmp_path)
    command = [
        "tournament",
        "blockade-duel",
        "--players",
        "level:1",
        "level:2",
        "level:3",
    ]
    monkeypatch.setattr(Ledger, "append", full_in_the_end)
    assert main([*command, "--games", "2", "--cores", "1"]) == 2
    assert "the disk is full" in capsys.readouterr().err
    assert len((tmp_path / "tournament.jsonl").read_text().splitlines()) >= 1 + 2
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", "--resume", "--cores", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counted"] == 6


# In any order


def test_an_opening_never_ends_its_game() -> None:
    """However many plies were asked for: the players have something to decide."""
    chosen = settings("ctf-tokens", "level:1", "level:2", opening=30)
    runner = GameRunner(chosen)
    openings = {runner.opening(key) for key in range(100)}
    assert len(openings) > 20
    assert all(runner.game.outcome(position) is None for position in openings)


def test_games_count_once_in_any_order_and_never_in_part(tmp_path: Path) -> None:
    """The first of a game counts, whenever another comes; one cut short is no game."""
    chosen = settings("flag-chase", "level:1", "level:2", "level:3", plies=9, games=8, opening=2)
    runner, numbers = GameRunner(chosen), list(range(24))
    whole = Standings(chosen)
    played = runner.play(numbers)
    whole.add(played)
    for seed in range(5):
        chance, standings = Random(seed), Standings(chosen)
        for number in chance.sample(numbers, len(numbers)):
            standings.add(runner.play([number]))
            again = chance.choice(numbers)
            known = standings.missing(again // 8)
            if again % 8 not in known:
                late = Batch(b"", np.array([again]), np.array([chance.choice((LOSS, WIN))]), {}, {})
                standings.add(late)
        assert (standings.scores(), standings.table()) == (whole.scores(), whole.table())
    for number, line in enumerate(map(json.loads, played.lines.splitlines())):
        moves = line["moves"].split(" ")
        cut = line | {"moves": " ".join(moves[:-1]), "result": "*"}
        (tmp_path / str(number)).mkdir()
        with (
            ledger_of(tmp_path / str(number), chosen, cut) as ledger,
            pytest.raises(LedgerError, match="do not lead to the result"),
        ):
            count_games(Standings(chosen), ledger)


def test_a_tournament_that_is_watched_lists_its_latest_games_the_latest_first(
    tmp_path: Path,
) -> None:
    """However many there are."""
    chosen = settings("flag-chase", "level:1", "level:2", games=20)
    with LongRun.begin(tmp_path / "games", Tournament(Standings(chosen))) as run, Pool(0) as pool:
        run.run(pool)
    with closing(FollowedTournament(tmp_path / "games")) as followed:
        while followed.read_on():
            pass
        newest = watched_tournament("games", followed).newest
    assert [game.line for game in newest] == list(range(21, 21 - MOST_LISTED_GAMES, -1))


@pytest.mark.parametrize(("result", "loser"), [("1", Side.TWO), ("2", Side.ONE), ("*", None)])
def test_a_forfeited_game_is_replayed_as_lost_by_the_one_who_failed(
    result: str, loser: Side | None
) -> None:
    chosen: Any = SimpleNamespace(settings=settings("flag-chase", "level:1", "level:2"))
    written = {"opening": "1/5/1", "moves": "P1+1", "player1": "a", "player2": "b"}
    for why in ("Late.", None):
        game: Any = SimpleNamespace(**written, result=result, why=why)
        read: Any = SimpleNamespace(written=game, line=2)
        record = FollowedTournament.record(chosen, read)
        assert record.forfeited is (loser if why else None)


def test_a_forfeit_is_counted_once_and_against_the_player_who_lost() -> None:
    """However often the game comes, and whichever seat that player had."""
    chosen = settings("flag-chase", "level:1", "level:2", games=4)
    for points, loser in ((LOSS, "level:1"), (WIN, "level:2")):
        standings = Standings(chosen)
        for number, times in ((0, 3), (3, 2)):
            batch = Batch(
                b"", np.array([number]), np.array([points], np.int8), {number: "Late."}, {}
            )
            for _ in range(times):
                standings.add(batch)
        assert standings.fault_counts() == ((loser, "Late.", 2),)


def test_no_game_is_played_after_the_decision() -> None:
    """Where one comes after the other; the other pairings are played as long as they have to be."""

    class InTurn(Pool):
        def __init__(self) -> None: ...

        def run(self, work: Any, items: Any, **_: object) -> Any:
            yield from (work((item,)) for item in items)

    chosen = settings("ctf-tokens", "level:5", "level:1", "level:2", games=400, sprt=(0.0, 200.0))
    standings = Standings(chosen)
    LongRun(Tournament(standings)).run(InTurn())
    decisions = [score.decision for score in standings.scores()]
    decided = [one.games if one and one.verdict != "open" else 400 for one in decisions]
    assert min(decided) < 400
    assert standings.games == sum(decided)
