"""How the tests are run: the same examples every time, and the real program at hand."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

from program import Program

# A run that was started in the background may ignore these, and so would the programs it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("repeatable", derandomize=True, max_examples=150, deadline=None)
settings.register_profile("search", max_examples=5000, deadline=None)
settings.load_profile("repeatable")  # `pytest --hypothesis-profile search` looks for new examples


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The real program, with a folder of its own for its games."""
    return Program(tmp_path)
