"""What docs/environments.md and the modules show is what happens."""

import doctest
import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
BLOCKS = [
    (heading, block)
    for heading, _, body in (
        part.partition("\n") for part in re.split(r"^## ", DOCUMENT, flags=re.MULTILINE)[1:]
    )
    for block in re.findall(r"^```python\n(.*?)^```", body, re.MULTILINE | re.DOTALL)
]
PEERS = ("pettingzoo", "gymnasium", "pyspiel", "jax", "pgx", "numba")


@pytest.mark.parametrize(("heading", "block"), BLOCKS, ids=[heading for heading, _ in BLOCKS])
def test_every_snippet_does_what_is_shown(heading: str, block: str) -> None:
    """Each by itself, as a reader copies it."""
    test = doctest.DocTestParser().get_doctest(block, {}, heading, "docs/environments.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize(
    "name", ["batch", "gymnasium", "jax", "openspiel", "pettingzoo", "random_rulebooks", "regret"]
)
def test_every_module_shows_how_it_is_used(name: str) -> None:
    module = importlib.import_module(f"lineduel.envs.{name}")
    found = doctest.testmod(module)
    assert found.attempted
    assert found.failed == 0


def test_no_peer_is_imported_before_it_is_asked_for() -> None:
    code = f"import sys, lineduel.envs; print([one for one in {PEERS} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_picture_shows_the_encoding() -> None:
    """`python docs/encoding_picture.py` makes it anew."""
    spec = importlib.util.spec_from_file_location("drawn", ROOT / "docs" / "encoding_picture.py")
    assert spec is not None
    assert spec.loader is not None
    drawn = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawn)
    assert drawn.PICTURE.read_text(encoding="utf-8") == drawn.picture()
    assert "(pictures/encoding.svg)" in DOCUMENT
