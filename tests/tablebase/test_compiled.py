"""Compiled code is always that of the sources as they are, wherever it can be kept."""

import ast
import asyncio
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

import lineduel
from lineduel.compiled import code_cache, compiler
from lineduel.compiled.code_cache import (
    KEPT,
    MARK,
    NOTICE_MARK,
    PREFIX,
    UNUSED,
    compiled_sources,
    state_key,
)
from lineduel.compiled.compiler import NOTICE, needed_address_space
from lineduel.engine import Game
from lineduel.errors import original_errors
from lineduel.graph.explore import explore_compiled
from lineduel.rulebooks import find_rulebook
from support.program import Program
from support.screens import viewer
from support.terminal import Sitting, plain

PACKAGE = Path(lineduel.__file__).parent
INNER = """\
from lineduel.compiled import inner
@inner
def called(number):
    return number + {}
"""
OUTER = """\
from lineduel.compiled import compiled
from lineduel.graph.probe_inner import called
from lineduel.graph.probe_numbers import SHARE
@compiled
def calling(number):
    return called(number) * SHARE
"""
DOUBLING = """\
from lineduel.compiled import compiled
@compiled
def doubled(number):
    return 2 * number
print(doubled(7))
"""
ANNOUNCING = """\
from lineduel.compiled import announce_compiling
announce_compiling("{}")
"""
ASK = """\
import warnings
warnings.simplefilter("error")
from lineduel.graph.probe_outer import calling
print(calling(1), sum(calling.stats.cache_hits.values()))
"""


class Checkout:
    """A copy of the sources with three small modules in it, one of which calls another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "lineduel"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.write("outer", OUTER)
        self.write("inner", INNER.format(1))
        self.write("numbers", "SHARE = 10\n")

    def write(self, name: str, text: str) -> None:
        (self.package / "graph" / f"probe_{name}.py").write_text(text)

    def ask(self) -> tuple[int, int]:
        """What the compiled function answers, and how much code was found on disk."""
        run = subprocess.run(
            [sys.executable, "-B", "-c", ASK],
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": str(self.folder),
                "LINEDUEL_CACHE": str(self.folder / "cache"),
            },
        )
        assert (run.returncode, run.stderr) == (0, "")
        answer, hits = run.stdout.split()
        return int(answer), int(hits)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


def test_a_change_in_another_file_is_seen_at_once(checkout: Checkout) -> None:
    """A called function and a number count as much as the file itself; going back finds both."""
    assert checkout.ask() == (20, 0)
    assert checkout.ask() == (20, 1)
    checkout.write("inner", INNER.format(2))
    assert checkout.ask() == (30, 0)
    checkout.write("numbers", "SHARE = 100\n")
    assert checkout.ask() == (300, 0)
    checkout.write("numbers", "SHARE = 10\n")
    checkout.write("inner", INNER.format(1))
    assert checkout.ask() == (20, 1)


def test_code_is_kept_for_the_user_where_the_package_cannot_be_written(checkout: Checkout) -> None:
    (checkout.package / "__pycache__").write_text("in the way of a folder")
    assert checkout.ask() == (20, 0)
    assert checkout.ask() == (20, 1)
    assert list((checkout.folder / "cache").glob(f"{PREFIX}*"))


def test_nothing_is_said_where_no_code_can_be_kept(checkout: Checkout) -> None:
    """It is compiled in memory, every time."""
    (checkout.package / "__pycache__").write_text("in the way of a folder")
    (checkout.folder / "cache").write_text("in the way of a folder")
    assert checkout.ask() == (20, 0)
    assert checkout.ask() == (20, 0)


def test_a_folder_of_somebody_else_is_not_used(checkout: Checkout) -> None:
    """What lies there is run, so a folder that others can write to will not do."""
    assert checkout.ask() == (20, 0)
    (folder,) = (checkout.package / "__pycache__").glob(f"{PREFIX}*")
    folder.chmod(0o777)
    assert checkout.ask() == (20, 0)


def test_folders_that_nobody_uses_are_removed(tmp_path: Path) -> None:
    """Not the latest ones, not those that somebody began to use lately, and none that is held."""
    folders = [tmp_path / f"{PREFIX}{number}" for number in range(KEPT + 4)]
    for age, folder in enumerate(folders):
        folder.mkdir()
        (folder / MARK).touch()
        used = 4e9 if age == len(folders) - 1 else 1e9 - UNUSED * age
        os.utime(folder / MARK, (used, used))
    lately, current, held = folders[-1], folders[-2], folders[-3]
    with (held / MARK).open("rb") as mark:
        fcntl.flock(mark, fcntl.LOCK_SH)
        code_cache._remove_unused(tmp_path, current)
    kept = {lately, *folders[: KEPT - 1], current, held}
    assert set(tmp_path.iterdir()) == kept
    code_cache._remove_unused(tmp_path, current)
    assert set(tmp_path.iterdir()) == kept - {held}


def test_the_key_is_the_same_until_something_changes() -> None:
    assert state_key() == state_key()


# What compiled functions read


def origins_in(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """The names that a module has from others: the module and the name there."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("lineduel.")
        for alias in node.names
    }


def names_handed_to_a_compiler(tree: ast.Module) -> set[str]:
    """Functions that are not decorated: `compiled(function)`, `Forms(function, …)`."""
    return {
        argument.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("compiled", "inner", "borrowing", "Forms")
        for argument in node.args
        if isinstance(argument, ast.Name)
    }


def imported_values() -> Iterator[tuple[str, str, str]]:
    """Names that compiled functions read from other modules: file, the module, the name."""
    trees = {path: ast.parse(content) for path, content in compiled_sources(PACKAGE).items()}
    handed = set().union(*map(names_handed_to_a_compiler, trees.values()))
    assert {"settle_positions", "fill_level"} <= handed
    for path, tree in trees.items():
        origins = origins_in(tree)
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef) or not (
                function.name in handed
                or any(
                    isinstance(one, ast.Name) and one.id in ("compiled", "inner", "borrowing")
                    for one in function.decorator_list
                )
            ):
                continue
            for node in (part for line in function.body for part in ast.walk(line)):
                if isinstance(node, ast.Name) and node.id in origins:
                    yield path, *origins[node.id]


def test_all_that_compiled_functions_read_counts() -> None:
    """The module that defines a value is one of those hashed, by whatever way it is imported."""
    sources, seen = compiled_sources(PACKAGE), 0
    for path, module, name in imported_values():
        folder = "/".join(module.split(".")[1:])
        if f"{folder}/__init__.py" in sources:
            module, name = origins_in(ast.parse(sources[f"{folder}/__init__.py"]))[name]
        origin = f"{'/'.join(module.split('.')[1:])}.py"
        assert origin in sources, f"{path} reads {name} from {module}"
        defined = {
            node.id if isinstance(node, ast.Name) else node.name
            for node in ast.walk(ast.parse(sources[origin]))
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        }
        assert name in defined, f"{path} reads {name}, which {module} has from elsewhere"
        seen += 1
    assert seen > 20


# What a person sees of it


def errors_of_a_compile(folder: Path, *, terminal: bool) -> str:
    """What a program prints on standard error that calls a compiled function, kept in a folder."""
    return errors_of(folder, DOUBLING, b"14\n", terminal=terminal)


def errors_of(folder: Path, code: str, output: bytes = b"", *, terminal: bool = True) -> str:
    """What a program prints on standard error, with compiled code in a folder."""
    program = folder / "program.py"
    program.parent.mkdir(exist_ok=True)
    program.write_text(code)
    ours, theirs = os.openpty() if terminal else os.pipe()
    settings = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    run = subprocess.run(
        [sys.executable, str(program)], stdout=subprocess.PIPE, stderr=theirs, env=settings
    )
    assert (run.returncode, run.stdout) == (0, output)
    os.write(theirs, b"end\n")
    os.close(theirs)
    printed = os.read(ours, 4096)
    os.close(ours)
    return plain(printed).replace("\r", "").removesuffix("end\n")


def test_compiling_is_told_at_a_terminal_only_while_it_happens(tmp_path: Path) -> None:
    assert errors_of_a_compile(tmp_path / "piped", terminal=False) == ""
    assert errors_of_a_compile(tmp_path / "shown", terminal=True) == f"{NOTICE}\n"
    assert errors_of_a_compile(tmp_path / "shown", terminal=True) == ""


def test_of_several_processes_that_compile_one_tells_it(tmp_path: Path) -> None:
    folder = tmp_path / (PREFIX + state_key())
    folder.mkdir(mode=0o700)
    with (folder / NOTICE_MARK).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert errors_of_a_compile(tmp_path, terminal=True) == ""


@pytest.mark.terminal
def test_a_ladder_tells_that_it_compiles(program: Program, tmp_path: Path) -> None:
    settings = {"NUMBA_CACHE_DIR": str(tmp_path)}
    with Sitting(program, "ladder", "ctf-tokens", settings=settings, plain=False) as sitting:
        sitting.see(NOTICE)
        assert sitting.interrupt() == 130


@pytest.mark.terminal
def test_a_sweep_tells_that_it_compiles_before_its_workers_do(
    program: Program, tmp_path: Path
) -> None:
    settings = {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = ("sweep", "ctf-tokens", "--vary", "track.length=9..10", "--cores", "1")
    with Sitting(program, *command, settings=settings, plain=False) as sitting:
        sitting.see(NOTICE)
        assert not list(tmp_path.rglob("*.nbi"))
        assert sitting.interrupt() == 130
        assert sitting.shown.count(NOTICE) == 1


def test_nothing_is_announced_where_the_code_is_stored(tmp_path: Path) -> None:
    folder = tmp_path / (PREFIX + state_key())
    (folder / "graph_of_a_hash").mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    (folder / "graph_of_a_hash" / "explore-1.py311.nbi").touch()
    assert errors_of(tmp_path, ANNOUNCING.format("graph")) == ""
    assert errors_of(tmp_path, ANNOUNCING.format("tablebase")) == f"{NOTICE}\n"


async def test_the_full_screen_shows_that_something_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compiled functions run in other threads than the screen."""
    monkeypatch.setattr(compiler, "hold_notice", lambda: True)
    monkeypatch.setattr(compiler, "_tell", None)
    compiler._give_notice.cache_clear()
    compiler.listen_to_numba()
    async with viewer() as home:
        await home.until(lambda: compiler._tell is not None, "listening to the compiler")
        await asyncio.to_thread(lambda: numba.njit(lambda number: 2 * number)(7))
        await home.hear(NOTICE)


# Little room


@pytest.mark.skipif(sys.platform != "linux", reason="only there is the limit known to be kept")
@pytest.mark.parametrize(
    "command",
    [
        "ladder ctf-tokens",
        "repair ctf-tokens",
        "solve cross-over --no-cache --set track.length=21",
        "sweep cross-over --vary track.length=9..10 --cores 1 --file sweep.jsonl",
    ],
)
def test_too_little_address_space_is_told_in_one_sentence(command: str, tmp_path: Path) -> None:
    """Instead of loading libraries for ever, or of what the loader says about them."""
    run = subprocess.run(
        ["bash", "-c", f"ulimit -v 400000; exec {sys.executable} -m lineduel {command}"],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert re.sub(r"\ASolving .* of memory\.\n", "", run.stderr) == (
        f"lineduel: Compiled code needs {needed_address_space() >> 20:,} MiB of address space, "
        "and this process is allowed 390 MiB (see 'ulimit -v').\n"
    )


class Rung(Exception):
    """Raised by the handler of a signal."""


def test_what_a_signal_raises_amid_compiled_code_is_raised_as_it_is() -> None:
    """Compiled code that returns arrays turns it into a SystemError, on most of these occasions.

    Very rarely Numba drops what a handler raises; then the handler was called, and that is all.
    """
    rung = raised = 0

    def ring(number: int, frame: object) -> None:
        nonlocal rung
        rung += 1
        raise Rung

    game = Game(find_rulebook("ctf-tokens"))
    explore_compiled(game)  # loads what it needs
    before = signal.signal(signal.SIGALRM, ring)
    try:
        for more in range(300):
            try:
                with original_errors():
                    signal.setitimer(signal.ITIMER_REAL, 0.0003 + more * 1e-6)
                    while rung == more:
                        explore_compiled(game)
            except Rung:
                raised += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == 300
    assert raised >= 295


def test_an_error_of_the_system_itself_stays_one() -> None:
    with pytest.raises(SystemError, match="broken"), original_errors():
        raise SystemError("broken")
