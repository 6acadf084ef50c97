"""A certificate proves a solution: true ones are accepted, anything else is refused."""

from functools import lru_cache
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings

from lineduel.engine import Game
from lineduel.errors import CertificateError, TooLarge
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook
from lineduel.solve import check_certificate, read_certificate, write_certificate
from lineduel.solve.graph import explore
from lineduel.solve.solver import solve_plainly
from program import Program
from strategies import ALL_GAMES, rulebooks

SMALL = [name for name in ALL_GAMES if not name.startswith(("cross-over", "ctf-soldiers"))]
MOST = 3000


@lru_cache
def certificate_of(address: str) -> str:
    game = Game(find_rulebook(address))
    return write_certificate(solve_plainly(explore(game, game.start(), 100_000)))


def refused(text: str) -> bool:
    try:
        check_certificate(read_certificate(text))
    except CertificateError:
        return True
    return False


def sealed(lines: list[str]) -> str:
    """The certificate with these lines and a seal that fits them: a forgery, not damage."""
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}sha256 {sha256(body.encode()).hexdigest()}\n"


def lines_of(text: str) -> list[str]:
    return text.splitlines()[:-1]


@pytest.mark.parametrize("address", ALL_GAMES)
def test_the_solution_of_every_shipped_game_is_accepted(address: str) -> None:
    """Every rulebook and reading, every position of it."""
    check_certificate(read_certificate(certificate_of(address)))


@given(rulebook=rulebooks())
@settings(max_examples=120)
def test_the_solution_of_any_rulebook_is_accepted(rulebook: Rulebook) -> None:
    """The solver and the checker know nothing of each other, and agree."""
    game = Game(rulebook)
    try:
        graph = explore(game, game.start(), MOST)
    except TooLarge:
        return
    check_certificate(read_certificate(write_certificate(solve_plainly(graph))))


@pytest.mark.parametrize("address", SMALL)
def test_a_changed_byte_is_found(address: str) -> None:
    """Wherever it stands, and whatever it becomes."""
    text = certificate_of(address)
    rng = Random(address)
    for _ in range(200):
        at = rng.randrange(len(text))
        other = rng.choice([letter for letter in "0123456789,/-*x \n" if letter != text[at]])
        assert refused(text[:at] + other + text[at + 1 :])


@pytest.mark.parametrize("address", SMALL)
def test_a_certificate_cut_short_is_refused(address: str) -> None:
    """At every length."""
    text = certificate_of(address)
    rng = Random(address)
    for length in [0, 1, len(text) - 1, *(rng.randrange(len(text)) for _ in range(50))]:
        assert refused(text[:length])


@pytest.mark.parametrize("address", SMALL)
def test_a_forged_line_is_refused(address: str) -> None:
    """A line left out, doubled, or with a better value or other plies, under a seal that fits."""
    lines = lines_of(certificate_of(address))
    rng = Random(address)
    for _ in range(60):
        at = rng.randrange(3, len(lines))
        words = lines[at].split(" ")
        plies = "-" if words[-1 if len(words) == 3 else 3] != "-" else "4"
        forged = {
            "left out": lines[:at] + lines[at + 1 :],
            "doubled": [*lines, lines[at]],
            "other plies": [*lines[:at], _with_plies(words, plies), *lines[at + 1 :]],
            "better for player 1": [*lines[:at], _raised(words), *lines[at + 1 :]],
        }
        for what, text in forged.items():
            if text != lines:
                assert refused(sealed(text)), (what, lines[at])


def _with_plies(words: list[str], plies: str) -> str:
    at = 2 if len(words) == 3 else 3
    return " ".join((*words[:at], plies, *words[at + 1 :]))


def _raised(words: list[str]) -> str:
    """Player 1's sure share made larger."""
    if words[1] == "1":
        return " ".join(words)
    better = [words[0], "1", *words[2:]]
    if len(words) > 3:
        better[2] = "1"
    return " ".join(better)


def test_a_solution_of_other_rules_is_refused() -> None:
    """The same positions under another rule do not hold."""
    lines = lines_of(certificate_of("ctf-tokens"))
    lines[1] = lines[1].replace("meet.enemy=wins", "meet.enemy=shared")
    assert refused(sealed(lines))


def test_check_says_yes_with_0_and_no_with_1(program: Program) -> None:
    """The command's own 'no' is a status of its own."""
    wrote = program("solve", "ctf-tokens", "--certificate", "proof.txt")
    assert wrote.status == 0
    assert "lineduel check proof.txt" in wrote.out
    yes = program("check", "proof.txt")
    assert (yes.status, yes.err) == (0, "")
    assert yes.out == "Accepted: all 138 positions hold, from -5/5/1 on.\n"
    path = program.folder / "proof.txt"
    path.write_text(path.read_text().replace(" 1 5\n", " 1 3\n", 1))
    no = program("check", "proof.txt")
    assert no.status == 1
    assert no.out.startswith("Refused. ")
    assert program("check", "missing.txt").status == 2
