"""How often a law is tried: a few times in `make test`, more often in `make test-long`."""

import pytest


def tried(few: int, many: int) -> pytest.MarkDecorator:
    """Runs a test with `times` = few, and the long suite with `times` = many."""
    return pytest.mark.parametrize("times", [few, pytest.param(many, marks=pytest.mark.long)])
