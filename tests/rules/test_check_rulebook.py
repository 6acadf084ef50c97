"""The check that authors of rulebooks can run: right on all of ours, and not blind."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from lineduel.engine import PASS, Game
from lineduel.errors import CertificateError
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook
from lineduel.testing import check_rulebook, checks
from support.repetition import for_games
from support.strategies import rulebooks


def wrong(rulebook: Rulebook) -> Iterator[str]:
    return (str(finding) for finding in check_rulebook(rulebook) if not finding.right)


@for_games("address")
def test_every_shipped_rulebook_is_right(address: str) -> None:
    assert list(wrong(find_rulebook(address))) == []


@settings(max_examples=15)
@given(rulebooks())
def test_random_rulebooks_are_right(rulebook: Rulebook) -> None:
    """All but those whose first player has won before anybody has moved."""
    told = list(wrong(rulebook))
    assert told == [] or (Game(rulebook).outcome(Game(rulebook).start()) is not None)


def test_an_engine_that_forgets_a_winner_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong is told with the position where it shows."""
    monkeypatch.setattr(Game, "outcome", lambda self, position: None)
    (told,) = (one for one in wrong(find_rulebook("ctf-tokens")) if "exactly when" in one)
    assert told.startswith("FAILED: a game is over exactly when there is no move. ")
    assert told.endswith(" has a winner and moves, or neither.")


def test_a_move_that_reads_as_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any text reads as the same move."""
    monkeypatch.setattr(checks, "parse_move", lambda text: PASS)
    assert any(
        "reads back as a different move" in one for one in wrong(find_rulebook("ctf-tokens"))
    )


def test_a_false_certificate_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(certificate: object) -> None:
        raise CertificateError("It does not hold.")

    monkeypatch.setattr(checks, "check_certificate", refuse)
    (told,) = wrong(find_rulebook("ctf-tokens"))
    assert told.endswith("It does not hold.")
