"""How the tests are run: the same examples every time, and the real program at hand."""

import gc
import os
import re
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright

from support.needed_programs import needed
from support.program import PATIENCE, Program
from support.web_server import Server

ROOT = Path(__file__).parents[1]

expect.set_options(timeout=PATIENCE * 1000)

# A run that was started in the background may ignore these, and so would the programs it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# What is shared stays to the end; looking through it for garbage takes a tenth of the time.
gc.set_threshold(100_000, 20, 20)

# Programs in JAX run for a moment here: optimising them takes longer, and so does compiling them.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(ROOT / ".pytest_cache" / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

settings.register_profile("repeatable", derandomize=True, max_examples=50, deadline=None)
settings.register_profile("thorough", derandomize=True, max_examples=200, deadline=None)
settings.register_profile(  # `make search`: new examples, which the seed alone decides
    "search",
    derandomize=False,  # the default is True where the variable CI is set
    max_examples=300,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


@pytest.hookimpl(optionalhook=True)  # where tests run one after the other there is no xdist
def pytest_xdist_auto_num_workers() -> int:
    """More workers than cores: many tests wait for other processes."""
    cores = os.cpu_count() or 1
    return cores + max(2, cores // 2)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for garbage once, and leave what is shared out of the five times that pytest looks."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    folder_numbers: Iterator[int],
) -> Path:
    """A folder of its own. To number it, pytest's fixture would look through those of all tests."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{name}{next(folder_numbers)}", numbered=False)


@pytest.fixture(scope="session")
def folder_numbers() -> Iterator[int]:
    return count()


@pytest.fixture
def program(tmp_path: Path, solutions: Path) -> Program:
    """The real program, with a folder of its own for its games; what was solved is kept."""
    return Program(tmp_path, solutions)


@pytest.fixture(scope="session")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Solutions are kept for all tests, of other workers too: few of them are about solving."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    return shared / "solutions"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, solutions: Path) -> Iterator[Server]:
    """One server for all tests that neither stop it nor ask for special options."""
    with Server(tmp_path_factory.mktemp("server"), cache=solutions) as started:
        yield started


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, solutions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the games and settings of whoever runs it."""
    monkeypatch.setenv("LINEDUEL_DATA", str(tmp_path / "own-data"))
    monkeypatch.setenv("LINEDUEL_CACHE", str(solutions))
    monkeypatch.setenv("LINEDUEL_CONFIG", str(tmp_path / "own-config.toml"))
    for name in ("COLORFGBG", "NO_COLOR", "REDUCE_MOTION", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, gone after each file of tests: its loop and those of others do not mix."""
    chromium = needed("chromium")
    with sync_playwright() as playwright:
        quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        started = playwright.chromium.launch(executable_path=chromium, args=quiet)
        yield started
        started.close()
