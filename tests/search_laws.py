"""`make search`: test the laws with fresh seeds, again and again, until the time is over.

A law is a Hypothesis test. `make test` draws the same examples every time; this draws new ones.
The same file is the script and, in the runs that it starts, the pytest plugin.
"""

import argparse
import os
import secrets
import shlex
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

HERE = Path(__file__).parent


def main() -> int:
    """Stop at the first law that fails, with the exit status of that run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=float, help="how long to search")
    parser.add_argument("tests", nargs="*", help="files or tests (default: all)")
    options = parser.parse_args()
    ends = time.time() + 60 * options.minutes
    status = rounds = 0
    while time.time() < ends and not status:
        status = _run(secrets.randbelow(1 << 32), ends, options.tests)
        rounds += 1
    if not status:
        print(f"No law failed. Rounds begun: {rounds}.")
    return status


def _run(seed: int, ends: float, tests: list[str]) -> int:
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    plugin = ["-p", Path(__file__).stem, f"--until={ends}"]
    return subprocess.run(
        [*_pytest(seed), *plugin, "-m", "hypothesis", "--maxfail=1", "-n", "0", *tests],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        check=False,
    ).returncode


def _pytest(seed: int) -> list[str]:
    command = [sys.executable, "-m", "pytest"]
    return [*command, "--hypothesis-profile=search", f"--hypothesis-seed={seed}"]


# The plugin


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--until", type=float, help="the time after which no test is started")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In an order of its own for each seed, so that no law always comes last."""
    Random(_seed(config)).shuffle(items)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.time() > item.config.getoption("--until"):
        pytest.skip("the time is over")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell how to repeat a failure: the seed alone decides which examples are drawn."""
    for outcome in ("failed", "error"):
        for report in terminalreporter.stats.get(outcome, []):
            terminalreporter.write_line(f"{report.nodeid} failed with seed {_seed(config)}.")
            command = shlex.join([*_pytest(_seed(config)), report.nodeid])
            terminalreporter.write_line(f"Repeat it with: {command}")


def _seed(config: pytest.Config) -> int:
    return int(config.getoption("--hypothesis-seed"))


if __name__ == "__main__":
    sys.exit(main())
