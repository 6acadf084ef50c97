"""Data to learn from, and the benchmark that stays."""

import json
import math
import shlex
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyarrow import parquet

from envs.test_hands import SPENT
from lineduel import find_rulebook
from lineduel.agents import (
    DataSettings,
    Exam,
    ReadingRule,
    SolvedRuleSet,
    benchmark_document,
    benchmark_hash,
    benchmark_lines,
    benchmark_page,
    benchmark_row,
    benchmark_settings,
    benchmark_strata,
    shipped_baselines,
    write_data,
)
from lineduel.cli.benchmark import repeating
from lineduel.coach import Forecast
from lineduel.engine import Game
from lineduel.envs import Encoding, random_rulebooks, split_of
from lineduel.errors import NotationError
from lineduel.jobs import LongRun, Pool
from lineduel.lab import identity
from lineduel.record import read_position
from lineduel.rules import Phrasing, Rulebook, Side, parse_rules
from lineduel.solve import solve
from support.program import Program


def tables(
    rulebooks: list[Rulebook], settings: DataSettings, folder: Path
) -> dict[str, list[dict[str, Any]]]:
    """The rows of each split, read back as others read them."""
    found = {}
    for name, content in write_data(rulebooks, settings).files():
        path = folder / name
        path.write_bytes(content)
        if name.endswith(".parquet"):
            found[path.stem] = parquet.read_table(path).to_pylist()
    return found


@pytest.mark.parametrize(
    "rulebook",
    [*map(find_rulebook, ("ctf-tokens", "flag-chase", "blockade-duel:from-bases")), SPENT],
    ids=lambda one: one.id,
)
def test_each_row_is_what_the_solution_says(rulebook: Rulebook, tmp_path: Path) -> None:
    solved, encoding = SolvedRuleSet(rulebook), Encoding(rulebook.rules)
    forecast = Forecast(solved.solution)
    found = tables([rulebook], DataSettings(rows=150, reasons=True), tmp_path)
    (rows,) = found.values()
    assert rows
    for row in rows:
        position = read_position(solved.game, row["position"])
        side = Side(row["side"])
        value = solved.solution.value(position)
        assert row["value"] == pytest.approx(float(value.expected(side)))
        assert row["plies"] == value.plies
        assert row["observation"] == encoding.observation(position, side).tolist()
        choices = solved.choices(position, side)
        actions = [encoding.action(choice) for choice in choices]
        assert row["mask"] == encoding.mask(actions).tolist()
        for action, regret in zip(actions, solved.regrets(position, side), strict=True):
            assert row["action_regrets"][action] == pytest.approx(float(regret), abs=1e-9)
            assert bool(row["reasons"][action]) <= (regret > 0)
        illegal = [at for at, one in enumerate(row["mask"]) if not one]
        assert all(math.isnan(row["action_values"][at]) for at in illegal)
        assert sum(row["policy"]) == pytest.approx(1)
        assert all(row["policy"][at] == 0 for at in illegal)
        if position.battle is not None:
            for number, chance in solved.solution.mixture(position, side).items():
                assert row["policy"][encoding.action(number)] == pytest.approx(float(chance))
        chances = forecast.chances(position, side)
        assert row["chances"] == pytest.approx([chances.win, chances.lose])


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    rulebooks = list(random_rulebooks(3, count=4, positions=(20, 200)))
    one, two, other = (
        dict(write_data(rulebooks, DataSettings(rows=20, seed=seed)).files()) for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other


def test_splits_share_no_game(tmp_path: Path) -> None:
    rulebooks = list(random_rulebooks(5, count=12, positions=(20, 200)))
    found = tables(rulebooks, DataSettings(rows=5), tmp_path)
    assert set(found) == {"train", "test"}
    games = {
        split: {identity(parse_rules(str(row["rules"]))).key for row in rows}
        for split, rows in found.items()
    }
    assert not games["train"] & games["test"]
    _, head, card = (tmp_path / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    (config,) = yaml.safe_load(head)["configs"]  # what `datasets.load_dataset` reads
    assert config["config_name"] == "default"
    files = {one["split"]: one["path"] for one in config["data_files"]}
    for split, rows in found.items():
        assert len(parquet.read_table(tmp_path / files[split])) == len(rows)
        assert f"| {split} | {len(rows):,} | {len(games[split])} |" in card
    assert files.keys() == found.keys()


@pytest.mark.long
def test_a_million_rows_of_small_rulebooks_take_less_than_a_minute() -> None:
    """Without battles, on one core; games with battles are solved in fractions, and take longer."""
    rulebooks = list(random_rulebooks(3, count=40, battles=False, positions=(20, 4000)))
    write_data(rulebooks[:1], DataSettings())  # what is compiled or imported first
    began = time.process_time()
    written = write_data(rulebooks, DataSettings())
    dict(written.files())
    spent = time.process_time() - began
    rows = sum(written.rows.values())
    assert rows > 20_000
    assert rows / spent > 1_000_000 / 60


def test_the_command_writes_a_folder(program: Program) -> None:
    done = program("export", "ctf-tokens", "--to", "parquet", "--rows", "7", "--out", "data")
    assert done.status == 0, done.err
    assert "7 positions of 1 game" in done.out
    assert (program.folder / "data" / "README.md").exists()
    again = program("export", "ctf-tokens", "--out", "data")
    assert again.status == 2
    assert "--force" in again.err
    (program.folder / "data" / "test.parquet").write_bytes(b"of games that are not exported now")
    forced = program("export", "ctf-tokens", "--rows", "7", "--out", "data", "--force")
    assert forced.status == 0, forced.err
    assert {one.name for one in (program.folder / "data").iterdir()} == {
        "README.md",
        "train.parquet",
    }
    assert program("export").status == 2


# The benchmark


def test_version_1_does_not_change() -> None:
    """Whoever changes anything that results depend on makes another version."""
    assert benchmark_hash() == FROZEN
    strata = benchmark_strata()
    assert [len(one) for one in strata.values()] == [8, 8, 8, 8, 16, 8, 8]
    sets = [one for stratum in strata.values() for one in stratum]
    assert len({identity(one.rulebook.rules).key for one in sets}) == 64
    for one in sets:
        assert split_of(one.rulebook) == "test"
        game = Game(one.rulebook)
        value = solve(game, game.start()).value(game.start())
        assert value.plies is None or value.plies > 3


FROZEN = "8fca92700a8224ff967f9fb3cea8edcdce1e609983a0be24305de6ef056046b0"


def test_the_seed_changes_no_position() -> None:
    """A seed is another draw of the opponents' choices; what is asked stays the same."""
    from lineduel.agents.sitting import sit

    settings = [benchmark_settings("player:perfect", seed) for seed in (1, 2)]
    one, two = (
        [line.asked[0].position for line in sit(each, range(1, 9)) if line.asked]
        for each in settings
    )
    assert one == two


def test_baselines_are_shipped_with_what_repeats_them() -> None:
    rows = {row.agent: row for row in shipped_baselines()}
    assert {"player:greedy", "player:search", "player:perfect", LEARNER} <= rows.keys()
    assert {f"player:level:{level}" for level in range(1, 9)} <= rows.keys()
    for row in rows.values():
        assert row.seeds == [1, 2, 3]
        assert len(row.commands) == 3
        assert row.illegal == row.unreadable == 0
    regrets = [rows[f"player:level:{level}"].regret.mean or 0.0 for level in (1, 4, 8)]
    assert regrets == sorted(regrets, reverse=True)
    found = benchmark_document(rows.values())
    assert len(list(benchmark_lines(found))) == len(rows) + 3
    assert benchmark_page(found).count("<tr>") == len(rows) + 1


@pytest.mark.long
def test_the_learner_learns_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trained for a moment, it answers every question about a rule set with battles legally."""
    from lineduel.agents.agent import load_function
    from lineduel.agents.sitting import sit

    load_function.cache_clear()
    monkeypatch.chdir(Path(__file__).parents[2])
    learner: Any = load_function(LEARNER.removeprefix("python:"))
    monkeypatch.setitem(learner.answer.__globals__, "LEARNER_ROUNDS", 1)
    monkeypatch.setitem(learner.answer.__globals__, "LEARNER_SIMULATIONS", 2)
    settings = benchmark_settings(LEARNER)
    at = next(at for at, one in enumerate(settings.rule_sets) if "meet.enemy=battle" in one.rules)
    lines = sit(settings, range(at * settings.each + 2, at * settings.each + 5))
    load_function.cache_clear()
    asked = [one for line in lines for one in line.asked]
    assert asked
    assert all(one.choice and one.failure is None for one in asked)


@pytest.mark.long
@pytest.mark.timeout(1800)  # it learns a rule set first
def test_the_printed_command_of_the_learner_examines_it(program: Program) -> None:
    """As it stands, until the first answers are kept; then it is stopped, and could go on."""
    (row,) = [row for row in shipped_baselines() if row.agent == LEARNER]
    _, *command = shlex.split(row.commands[0])
    (program.folder / "examples").symlink_to(Path(__file__).parents[2] / "examples")
    path = program.folder / "benchmark.jsonl"
    with program.started(*command, "--file", path.name, fresh=True) as running:
        while not path.exists() or b'"asked"' not in path.read_bytes():
            assert running.poll() is None, running.communicate()
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
    assert running.returncode == 130, err
    assert "Resume with: lineduel benchmark --resume" in err
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(first)["agent"] == LEARNER
    asked = [one for line in lines for one in json.loads(line).get("asked", ())]
    assert asked
    assert not any(one.get("failure") for one in asked)


LEARNER = "python:examples/alphazero.py:Learner"


def test_another_exam_is_no_benchmark() -> None:
    exam = Exam(benchmark_settings("player:level:1"))
    with pytest.raises(NotationError, match="not finished"):
        benchmark_row([exam], repeating)
    others: tuple[dict[str, Any], ...] = (
        {"history": True},
        {"reading": ReadingRule.MARKED},
        {"show_moves": False},
        {"phrasing": Phrasing.BRIEF},
        {"benchmark": None},
        {"plies": 99},
    )
    for other in others:
        with pytest.raises(NotationError, match="is not benchmark version 1"):
            benchmark_row([Exam(replace(exam.settings, **other))], repeating)
    own = replace(exam.settings, retries=2, seconds=9.0, model="m", key_variable="K")
    with pytest.raises(NotationError, match="not finished"):
        benchmark_row([Exam(own)], repeating)


def test_the_table_is_printed(program: Program) -> None:
    done = program("benchmark", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["hash"] == FROZEN
    assert program("benchmark", "--html", "table.html").status == 0
    assert (program.folder / "table.html").exists()


@pytest.mark.long
def test_a_baseline_repeats_bit_for_bit() -> None:
    """What is shipped for greedy is what its commands give."""
    with Pool(2) as pool:
        exams = [
            LongRun(Exam(benchmark_settings("player:greedy", seed))).run(pool) for seed in (1, 2, 3)
        ]
    (shipped,) = [row for row in shipped_baselines() if row.agent == "player:greedy"]
    assert benchmark_row(exams, repeating) == shipped
