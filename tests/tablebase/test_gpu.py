"""Tables from a GPU are, entry by entry, those from the CPU. The GPU is Numba's simulator."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from lineduel.compiled import Threads
from lineduel.engine import Game
from lineduel.errors import DeviceMemoryLimit, NoDevice
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Again, Movement, Rulebook, Rules, format_rules
from lineduel.solve.memory import WORTH_IT, uses_gpu
from lineduel.tablebase import (
    DenseSolution,
    Plies,
    estimate,
    first_mistake,
    solve_dense,
)
from support.strategies import rulebooks
from tablebase.test_tablebase import GAMES, PEACEFUL, STILL, camps, game_of, soldiers, start_of

SMALL = 1200
"""Entries of a table that the simulator, which is slow, is asked to fill."""
SHIPPED = ("ctf-soldiers", "blockade-duel:from-bases-no-jump", "ctf-tokens:may-share")

peaceful = rulebooks().filter(lambda rulebook: rulebook.rules.meet.enemy in PEACEFUL)


class Gpu:
    """The simulator, in a process of its own."""

    def __init__(self) -> None:
        self._worker = subprocess.Popen(
            [sys.executable, str(Path(__file__).parents[1] / "support" / "gpu_worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        )

    def solve(self, rules: Rules, start: object, *, backward: bool = False) -> Any:
        return self._ask("solve", format_rules(rules), str(start), backward)

    def check(self, rules: Rules, start: object, plies1: Plies, plies2: Plies) -> Any:
        return self._ask("check", format_rules(rules), str(start), plies1, plies2)

    def close(self) -> None:
        self._worker.communicate(timeout=60)

    def _ask(self, *task: object) -> Any:
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        self._worker.stdin.write(pickle.dumps(task))
        self._worker.stdin.flush()
        return pickle.load(self._worker.stdout)


@pytest.fixture(scope="module")
def gpu() -> Iterator[Gpu]:
    simulator = Gpu()
    yield simulator
    simulator.close()


def assert_same(gpu: Gpu, game: Game, *, backward: bool = False) -> DenseSolution:
    """The simulated GPU has every value, the counts and the start's value from the CPU."""
    rules, start = game.rules, game.start()
    right = solve_dense(rules, start, backward=backward)
    (plies1, plies2, summary), value = gpu.solve(rules, start, backward=backward)
    assert np.array_equal(plies1, right.plies1)
    assert np.array_equal(plies2, right.plies2)
    assert summary == right.summary
    assert value == right.lookup(start)
    assert gpu.check(rules, start, plies1, plies2) == summary
    return right


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games_have_the_same_tables(gpu: Gpu, name: str) -> None:
    """Every entry, with and without repetition."""
    assert_same(gpu, Game(find_rulebook(name)))


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_all_shipped_games_have_the_same_tables(gpu: Gpu, name: str) -> None:
    """All of them, by the method that suits them and by the general one."""
    for backward in (False, True):
        assert_same(gpu, Game(find_rulebook(name)), backward=backward)


def test_both_methods_give_the_same_tables(gpu: Gpu) -> None:
    """Where nothing repeats, one pass and retrograde analysis fill the same tables."""
    for backward in (False, True):
        assert_same(gpu, game_of(camps(6, 2)), backward=backward)


def test_moving_again_has_the_same_tables(gpu: Gpu) -> None:
    """Where a side can move again, values are written in another way."""
    for rules in (camps(6, 2), soldiers(4, 2)):
        assert_same(
            gpu, game_of(replace(rules, movement=Movement(steps=(1, 2), again=Again.CAPTURE)))
        )


def test_a_side_that_cannot_move_has_the_same_tables(gpu: Gpu) -> None:
    """Passes, and two sides that can only pass."""
    assert_same(gpu, Game(find_rulebook("blockade-duel")))
    assert_same(gpu, game_of(STILL))


@settings(
    max_examples=15, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
@given(peaceful)
def test_random_games_have_the_same_tables(gpu: Gpu, rulebook: Rulebook) -> None:
    """Any rulebook without battles, by the method that suits it and by the general one."""
    game = Game(rulebook)
    assume(game.outcome(game.start()) is None)  # else play reaches nothing
    assume(estimate(game.rules, game.start()).positions < SMALL)
    for backward in (False, True):
        assert_same(gpu, game, backward=backward)


def test_the_checker_finds_the_mistake_that_the_cpu_finds(gpu: Gpu) -> None:
    """A changed value is found, wherever it is; so is one at the edges, for ended games."""
    rules = soldiers(4, 2)
    start, chance = start_of(rules), Random(19)
    right = solve_dense(rules, start)
    rows, columns = right.tables.shape
    places = [(chance.randrange(rows), chance.randrange(columns)) for _ in range(8)]
    for row, column in (*places, (rows - 1, 0), (0, columns - 1)):
        plies1, plies2 = right.plies1.copy(), right.plies2.copy()
        table = chance.choice((plies1, plies2))
        table[row, column] = table[row, column] ^ chance.choice((1, 2, 0x7FFE))
        with Threads(lambda _: None) as threads:
            mistake = first_mistake(right.tables, plies1, plies2, threads)
        assert mistake is not None
        assert gpu.check(rules, start, plies1, plies2) == mistake


# The commands


PROGRAM = """
import sys
from lineduel.solve import solver
solver.MOST_PLAIN = 10  # so that a small game is solved in a table, too
from lineduel.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def run(folder: Path, *arguments: str, simulated: bool) -> subprocess.CompletedProcess[str]:
    """A command in a folder of its own, with or without a simulated GPU."""
    places = {"LINEDUEL_DATA": str(folder / "data"), "LINEDUEL_CACHE": str(folder / "cache")}
    simulator = {"NUMBA_ENABLE_CUDASIM": "1" if simulated else "0"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=folder,
        env=os.environ | places | simulator,
        capture_output=True,
        text=True,
        check=False,
    )


def test_answers_and_files_are_those_of_the_cpu(tmp_path: Path) -> None:
    """`solve --gpu` prints and writes the bytes that `solve` does; `check --gpu` accepts them."""
    command = ("solve", "ctf-tokens", "--json", "--no-cache", "--certificate")
    on_gpu = run(tmp_path, *command, "gpu.table", "--gpu", simulated=True)
    on_cpu = run(tmp_path, *command, "cpu.table", "--gpu", "never", simulated=False)
    assert (on_gpu.returncode, on_cpu.returncode) == (0, 0), on_gpu.stderr
    assert on_gpu.stdout == on_cpu.stdout
    assert (tmp_path / "gpu.table").read_bytes() == (tmp_path / "cpu.table").read_bytes()
    checked = run(tmp_path, "check", "cpu.table", "--gpu", simulated=True)
    assert checked.stdout.startswith("Accepted"), checked.stderr
    assert checked.returncode == 0


def test_a_machine_without_the_extra_is_told_which(tmp_path: Path) -> None:
    """Whoever asks for a GPU and lacks the package is told how to get it."""
    if find_spec("numba_cuda") is not None:
        pytest.skip("The extra is installed here.")
    told = run(tmp_path, "solve", "ctf-tokens", "--gpu", simulated=False)
    assert told.returncode == 2
    assert "pip install 'lineduel[gpu]'" in told.stderr
    assert run(tmp_path, "solve", "ctf-tokens", "--gpu", "auto", simulated=False).returncode == 0


def test_a_table_goes_to_the_gpu_if_it_is_large_and_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` never fails; `always` says why it cannot."""
    import lineduel.compiled as device

    monkeypatch.setattr(device, "device_problem", lambda: None)
    monkeypatch.setattr(device, "free_device_memory", lambda: 1 << 30)
    assert uses_gpu("auto", WORTH_IT, 1 << 30)
    assert not uses_gpu("auto", WORTH_IT - 1, 1)
    assert not uses_gpu("auto", WORTH_IT, (1 << 30) + 1)
    assert not uses_gpu("never", WORTH_IT, 1)
    assert uses_gpu("always", 1, 1)
    with pytest.raises(DeviceMemoryLimit, match=r"needs 2.0 GiB of memory there, and 1.0 GiB may"):
        uses_gpu("always", 1, 1 << 31)
    monkeypatch.setattr(device, "device_problem", NoDevice)
    assert not uses_gpu("auto", WORTH_IT, 1)
    with pytest.raises(NoDevice, match="no GPU that can be used"):
        uses_gpu("always", WORTH_IT, 1)
