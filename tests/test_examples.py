"""The programs in `examples` that show how to talk to lineduel, or how to do without it."""

import runpy
from pathlib import Path
from shutil import which

import pytest

from lineduel import Game, find_rulebook, solve
from lineduel.solve import PlainSolution, write_certificate
from program import Program

EXAMPLES = Path(__file__).parent.parent / "examples"
CHECKER = runpy.run_path(str(EXAMPLES / "check_certificate.py"))
GAMES = ("flag-chase", "flag-chase:may-stay", "blockade-duel:from-bases-no-jump", "ctf-tokens")
RULEBOOKS = ("last-stand", "standoff")


def certificate(game: str) -> str:
    solution = solve(Game(find_rulebook(game)))
    assert isinstance(solution, PlainSolution)
    return write_certificate(solution)


@pytest.mark.parametrize(
    "game", [*GAMES, *(str(EXAMPLES / "rulebooks" / f"{name}.toml") for name in RULEBOOKS)]
)
def test_a_checker_with_rules_of_its_own_accepts_certificates(game: str) -> None:
    """It was written from the page about certificates, and imports nothing of lineduel."""
    text = certificate(game)
    assert CHECKER["check"](text) == text.count("\n") - 4


@pytest.mark.parametrize(
    ("game", "true", "false"),
    [
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n-5/5/1 1 7\n"),
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n-5/5/1 0 -\n"),
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n"),
        ("flag-chase", "\n1/5/1 0 0 - ", "\n1/5/1 1/9 1/9 - "),
    ],
)
def test_a_checker_with_rules_of_its_own_refuses_forgeries(
    game: str, true: str, false: str
) -> None:
    """A false value is found even under a new seal."""
    body = certificate(game).rpartition("sha256 ")[0]
    assert true in body
    forged = body.replace(true, false)
    digest = CHECKER["sha256"](forged.encode()).hexdigest()
    with pytest.raises(AssertionError):
        CHECKER["check"](f"{forged}sha256 {digest}\n")


@pytest.mark.skipif(which("node") is None, reason="there is no Node.js here")
def test_the_engine_in_javascript_keeps_to_the_protocol(program: Program) -> None:
    checked = program("engine-check", f"node {EXAMPLES / 'engine.js'}")
    assert checked.out.endswith("All checks passed.\n")
