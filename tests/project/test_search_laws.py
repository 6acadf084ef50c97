"""`make search` finds a law that does not hold, and tells how to repeat that."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import search_laws

TRUE = """
@given(st.integers())
def test_a_number_is_itself(number: int) -> None:
    assert number == number
"""
FALSE = """
@given(st.lists(st.integers(0, 10**6), min_size=8, max_size=8))
def test_sums_are_never_a_multiple_of_97(numbers: list[int]) -> None:
    assert sum(numbers) == 0 or sum(numbers) % 97
"""
NO_LAW = """
def test_a_plain_test_that_would_fail() -> None:
    assert False
"""


def search(folder: Path, minutes: float, *tests: str) -> "subprocess.CompletedProcess[str]":
    """Search among these tests."""
    drawn = "max_examples=100, database=None, derandomize=False"
    profile = f'settings.register_profile("search", {drawn})\n'
    (folder / "conftest.py").write_text(f"from hypothesis import settings\n{profile}")
    heads = "from hypothesis import given\nfrom hypothesis import strategies as st\n"
    (folder / "test_some.py").write_text(heads + "\n".join(tests))
    return run([sys.executable, search_laws.__file__, str(minutes), "test_some.py"], folder)


def run(command: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    """With no other plugins than are needed, which makes each start of pytest quicker."""
    plugins = {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "xdist.plugin,_hypothesis_pytestplugin",
    }
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | plugins,
        text=True,
        capture_output=True,
        check=False,
    )


def test_a_law_that_fails_is_found_and_can_be_repeated(tmp_path: Path) -> None:
    """It takes some seeds to find; the printed command finds the same example at once."""
    found = search(tmp_path, 10, TRUE, FALSE, NO_LAW)
    assert found.returncode == 1
    seed = re.search(r"test_some\.py::test_sums\w+ failed with seed (\d+)\.", found.stdout)
    repeat = re.search(r"Repeat it with: (.+)", found.stdout)
    assert seed is not None
    assert repeat is not None
    assert f"--hypothesis-seed={seed[1]}" in repeat[1]
    again = run(shlex.split(repeat[1]), tmp_path)
    assert again.returncode == 1
    example = re.compile(r"numbers=\[.*\]")
    assert example.findall(again.stdout) == example.findall(found.stdout) != []


def test_when_the_time_is_over_nothing_has_failed(tmp_path: Path) -> None:
    done = search(tmp_path, 0.02, TRUE, NO_LAW)
    assert done.returncode == 0
    assert re.search(r"^No law failed\. Rounds begun: \d+\.$", done.stdout, re.MULTILINE)


def test_each_round_draws_other_examples(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    law = f"""
@given(st.integers(0, 10**9))
def test_all_are_told(number: int) -> None:
    with open({str(seen)!r}, "a") as file:
        print(number, file=file)
    assert len(set(open({str(seen)!r}).readlines())) < 150
"""
    found = search(tmp_path, 10, law)
    assert found.returncode == 1, "a hundred examples at a time, and no others in the second round"


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    done = run([sys.executable, search_laws.__file__, "1", "test_missing.py"], tmp_path)
    assert done.returncode != 0
    assert "No law failed" not in done.stdout
