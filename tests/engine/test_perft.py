"""How many move sequences there are: numbers that change only when the rules do.

`golden/perft.json` holds what `lineduel perft GAME 8 --json` prints. A number in it changes on
purpose and in a commit of its own, or something is broken.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from lineduel.engine import Game, perft
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, rulebook_data
from oracles.naive import Naive
from support.program import Program
from support.strategies import ALL_GAMES, rulebooks

GOLDEN: dict[str, list[int]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "perft.json").read_text(encoding="utf-8")
)
DEPTH = 8
COUNTABLE = 20_000
"""So many sequences can be counted one by one."""


def test_every_game_has_golden_numbers() -> None:
    """No shipped game or variant is without its numbers, and no number without its game."""
    assert list(GOLDEN) == list(ALL_GAMES)
    assert {len(numbers) for numbers in GOLDEN.values()} == {DEPTH}


@pytest.mark.parametrize("address", ALL_GAMES)
def test_the_engine_counts_what_it_always_counted(address: str) -> None:
    """The golden numbers, length by length."""
    game = Game(find_rulebook(address))
    assert list(perft(game, game.start(), DEPTH)) == GOLDEN[address]


@pytest.mark.parametrize("address", ALL_GAMES)
def test_counting_one_by_one_gives_the_golden_numbers(address: str) -> None:
    """The naive rules, played out sequence by sequence, count the same as far as they get."""
    naive = Naive(rulebook_data(find_rulebook(address)))
    golden = [number for number in GOLDEN[address] if number <= COUNTABLE]
    counted = [naive.count(naive.start(1), depth) for depth in range(1, len(golden) + 1)]
    assert len(golden) >= 3
    assert counted == golden


@given(rulebook=rulebooks(), first=st.sampled_from(Side))
def test_counting_together_is_counting_one_by_one(rulebook: Rulebook, first: Side) -> None:
    """Sequences that meet are carried on together, which changes no number."""
    game, naive = Game(rulebook), Naive(rulebook_data(rulebook))
    together = []
    for number in perft(game, game.start(first), 4):
        if number > COUNTABLE // 100:
            break
        together.append(number)
    one_by_one = [naive.count(naive.start(first), depth) for depth in range(1, len(together) + 1)]
    assert together == one_by_one


@pytest.mark.parametrize("address", ["cross-over", "flag-chase:may-stay", "ctf-tokens"])
def test_perft_prints_one_json_document(program: Program, address: str) -> None:
    """`--json`: the game and the numbers in one document on standard output, nothing else."""
    done = program("perft", address, "5", "--json")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out) == {"game": address, "perft": GOLDEN[address][:5]}
    assert done.out.count("\n") == 1


def test_perft_prints_a_line_for_each_length(program: Program) -> None:
    """Without `--json`: length and number, for people to read."""
    done = program("perft", "cross-over", str(DEPTH))
    rows = [line.replace(",", "").split() for line in done.out.splitlines()]
    assert (done.status, done.err) == (0, "")
    assert rows == [[str(at), str(number)] for at, number in enumerate(GOLDEN["cross-over"], 1)]


def test_perft_counts_from_anywhere(program: Program) -> None:
    """`--first`, `--position` and `--set` say what is counted; depth 0 counts nothing."""

    def counted(*arguments: str) -> object:
        done = program("perft", *arguments, "--json")
        assert (done.status, done.err) == (0, "")
        return json.loads(done.out)["perft"]

    assert counted("ctf-tokens", "8", "--first", "2") == GOLDEN["ctf-tokens"]  # it is symmetric
    assert counted("ctf-tokens", "0") == []
    assert counted("ctf-tokens", "3", "--position", "4/5/1") == [1, 0, 0]
    assert counted("flag-chase", "1", "--position", "3/3/1*") == [25]
    assert (
        counted("ctf-tokens", "8", "--set", "meet.enemy=shared") == GOLDEN["ctf-tokens:may-share"]
    )
    assert counted("blockade-duel", "3", "--position", "4/5/1", "--set", "move.steps=1") == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize("depth", ["-1", "x", "", "1.5", "99999", "²"])
def test_perft_wants_a_number_of_plies(program: Program, depth: str) -> None:
    """What is no such number is refused with what is."""
    done = program("perft", "cross-over", depth)
    assert (done.status, done.out) == (2, "")
    assert len(done.complaints) == 2
