"""Programs that are not packages of Python, but that some tests need."""

import os
from shutil import which

import pytest


def needed(program: str) -> str:
    """The path of a program; without it a test is skipped, or fails where CI=true."""
    found = which(program)
    if found is not None:
        return found
    told = f"there is no {program} here; `make test` installs it where it may"
    if os.environ.get("CI") == "true":
        pytest.fail(told)
    pytest.skip(told)
