"""In a battle nobody learns a number before both have chosen: on no screen, in no record."""

import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.program import Program
from support.terminal import Sitting, plain

pytestmark = pytest.mark.terminal

TO_BATTLE = ("1", "1", "1", "1")
"""Four steps forward, and both pieces stand on cell 3."""
ACTION = "Enter choice (1-2): "
PLAYER_1 = "Player 1, choose a number between 1 and 5: "
PLAYER_2 = "Player 2, choose a number between 1 and 5: "
PAIRS = ((4, 2), (2, 4), (5, 1), (3, 3))


@contextmanager
def at_battle(program: Program) -> Iterator[Sitting]:
    """A game of Flag Chase at a terminal, with its battle announced and player 1 asked."""
    with Sitting(program, "play", "flag-chase") as sitting:
        for answer in TO_BATTLE:
            sitting.answer(ACTION, answer)
        sitting.see(PLAYER_1)
        yield sitting


def on_disk(program: Program) -> dict[Path, bytes]:
    """Every file that the program keeps."""
    return {path: path.read_bytes() for path in program.data.rglob("*") if path.is_file()}


def secret_file(program: Program) -> Path:
    """Where the number is kept that player 1 chose in the game played last."""
    game = program.saved[-1]
    return game.with_name(f".{game.name}.secret")


def leave_battle(program: Program, number: str) -> None:
    """Player 1 chooses, and the program is left before player 2 does."""
    words = (*TO_BATTLE, number, "quit")
    done = program("play", "flag-chase", typed="".join(f"{word}\n" for word in words))
    assert done.status == 0


@pytest.mark.parametrize(("number1", "number2"), PAIRS)
def test_typing_a_number_shows_nothing_at_all(program: Program, number1: int, number2: int) -> None:
    """Between a prompt and what follows it there is the end of the line and nothing else."""
    with at_battle(program) as sitting:
        sitting.type(str(number1))
        assert sitting.see(PLAYER_2) == f"\r\n{PLAYER_2}".encode()
        sitting.type(str(number2))
        shown = sitting.see(ACTION)
        assert shown.startswith(
            f"\r\nPlayer 1 chose {number1}.\r\nPlayer 2 chose {number2}.\r\n".encode()
        ), "both numbers are shown together, and only then"


def test_the_screen_does_not_depend_on_a_number_that_is_still_secret(
    program: Program,
) -> None:
    """Byte for byte, the output up to the second choice is the same for every first choice."""
    seen = set()
    for number in range(1, 6):
        with at_battle(program) as sitting:
            sitting.type(str(number))
            sitting.see(PLAYER_2)
            seen.add(sitting.raw)
    assert len(seen) == 1


@pytest.mark.parametrize("number", range(1, 6))
def test_a_secret_number_is_in_one_file_that_only_its_owner_reads(
    program: Program, number: int
) -> None:
    """It is there while player 2 chooses, and gone at the reveal; the others do not change."""
    with at_battle(program) as sitting:
        before = on_disk(program)
        sitting.type(str(number))
        sitting.see(PLAYER_2)
        (lock,) = set(before) - set(program.saved)
        assert before[lock] == b""  # it only shows that the game is open here
        (secret,) = set(on_disk(program)) - set(before)
        assert secret == secret_file(program)
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        assert json.loads(secret.read_bytes())["numbers"] == {"1": number}
        assert {path: on_disk(program)[path] for path in before} == before
        sitting.type("3")
        sitting.see(ACTION)
        assert f"{number}:3".encode() in program.saved[0].read_bytes()
        assert set(on_disk(program)) == set(before)


@pytest.mark.parametrize("wrong", ["9", "0", "77", "abc", "", "4 2", "-3", "4:2", "²", "5" * 300])
def test_a_wrong_secret_is_refused_without_being_repeated(program: Program, wrong: str) -> None:
    """It may be a slip of the right one: the complaint says what is allowed, and asks again."""
    with at_battle(program) as sitting:
        sitting.type(wrong)
        assert sitting.see(PLAYER_1) == f"\r\nChoose a number from 1 to 5.\r\n{PLAYER_1}".encode()
        sitting.type("4")
        assert sitting.see(PLAYER_2) == f"\r\n{PLAYER_2}".encode()
        sitting.type(wrong)
        assert sitting.see(PLAYER_2) == f"\r\nChoose a number from 1 to 5.\r\n{PLAYER_2}".encode()
        sitting.type("2")
        assert b"Player 1 chose 4.\r\nPlayer 2 chose 2." in sitting.see(ACTION)


def test_words_work_at_a_secret_prompt_too(program: Program) -> None:
    """help, moves and board answer; undo takes player 1's number back, and it can be another."""
    with at_battle(program) as sitting:
        sitting.type("help")
        assert "Type a number from 1 to 5 (hidden while you type)." in plain(sitting.see(PLAYER_1))
        sitting.type(" MOVES ")
        assert "Any number from 1 to 5." in plain(sitting.see(PLAYER_1))
        sitting.type("Board")
        assert "Grid: [ ] [ ] [P1,P2] [ ] [ ]" in plain(sitting.see(PLAYER_1))
        sitting.type("5")
        sitting.see(PLAYER_2)
        sitting.type("undo")
        assert "Taken back." in plain(sitting.see(PLAYER_1))
        sitting.type("1")
        sitting.answer(PLAYER_2, "2")
        assert b"Player 1 chose 1.\r\nPlayer 2 chose 2." in sitting.see(ACTION)


def test_leaving_in_the_middle_of_a_battle_keeps_the_first_number(program: Program) -> None:
    """The game goes on with the battle still open; player 2 is asked, and sees nothing of it."""
    seen = set()
    for number in (1, 5):
        leave_battle(program, str(number))
        with Sitting(program, "play", "--resume") as sitting:
            seen.add(sitting.see(PLAYER_2))
            sitting.type("4")
            told = f"Player 1 chose {number}.\r\nPlayer 2 chose 4.".encode()
            assert told in sitting.see(ACTION)
            assert not secret_file(program).exists()
            sitting.type("resign")
            sitting.end()
    assert len(seen) == 1
    assert PLAYER_1.encode() not in seen.pop()


def test_a_number_taken_back_is_on_disk_no_more(program: Program) -> None:
    """Undo after a restart takes it back, and both choose anew."""
    leave_battle(program, "5")
    with Sitting(program, "play", "--resume") as sitting:
        sitting.answer(PLAYER_2, "undo")
        sitting.see(PLAYER_1)
        assert not secret_file(program).exists()
        sitting.type("1")
        sitting.answer(PLAYER_2, "4")
        assert b"Player 1 chose 1.\r\nPlayer 2 chose 4." in sitting.see(ACTION)


def test_a_game_given_up_in_a_battle_leaves_no_number_behind(program: Program) -> None:
    leave_battle(program, "5")
    assert program("play", "--resume", typed="resign\n").status == 0
    assert not secret_file(program).exists()


def test_a_copy_of_a_game_does_not_tell_its_secret(program: Program) -> None:
    """Both choose anew in the copy, and the number stays with the game it belongs to."""
    leave_battle(program, "5")
    before = on_disk(program)
    done = program("play", "--resume", "--copy", typed="3\n4\nquit\n")
    assert "Player 1 chose 3.\nPlayer 2 chose 4." in done.out
    assert {path: on_disk(program)[path] for path in before} == before


def test_whoever_takes_a_seat_chooses_for_himself(program: Program) -> None:
    """The number of the one who left the seat is gone."""
    leave_battle(program, "5")
    with Sitting(program, "play", "--resume", "--p1", "level:1") as sitting:
        sitting.see(PLAYER_2)
        kept = json.loads(secret_file(program).read_bytes())
        assert list(kept["numbers"]) == ["1"]  # the level's own
        sitting.type("undo")
        sitting.see("Taken back.")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"[]",
        b'{"moves": [], "numbers": {"1": 5}}',
        b'{"moves": ["P1+1", "P2+1", "P1+1", "P2+1"], "numbers": {"1": 9}}',
        b'{"moves": ["P1+1", "P2+1", "P1+1", "P2+1"], "numbers": {"1": true}}',
        b'{"moves": ["P1+1", "P2+1", "P1+1", "P2+1"], "numbers": {"3": 1}}',
        b'{"moves": ["P1+1", "P2+1", "P1+1", "P2+1"], "numbers": [1]}',
        b'{"moves": ["P1+1", "P2+1", "P1+1", "P2+1"], "numbers": {"1": 4, "2": 3}}',
    ],
)
def test_a_number_that_does_not_belong_there_is_not_taken(program: Program, content: bytes) -> None:
    """Damaged, of another moment or none of the rules: both choose anew, and it is removed."""
    leave_battle(program, "5")
    secret_file(program).write_bytes(content)
    with Sitting(program, "play", "--resume") as sitting:
        sitting.see(PLAYER_1)
        assert not secret_file(program).exists()


def test_piped_numbers_appear_only_where_both_are_told(program: Program) -> None:
    """From a pipe the same words are read line by line, and only the 'chose' lines differ."""
    runs = []
    for number1, number2 in ((5, 4), (3, 2), (4, 1)):
        words = (*TO_BATTLE, "9", "abc", str(number1), "0", str(number2), "quit")
        done = program("play", "flag-chase", typed="".join(f"{word}\n" for word in words))
        assert done.status == 0
        assert done.complaints == ["Choose a number from 1 to 5."] * 3
        lines = done.out.splitlines()
        told = [lines.pop(at) for at in reversed(range(len(lines))) if " chose " in lines[at]]
        assert told == [f"Player 2 chose {number2}.", f"Player 1 chose {number1}."]
        runs.append(lines)
    assert runs[0] == runs[1] == runs[2]
    assert "abc" not in "".join(runs[0])
    assert "9" not in "".join(runs[0])


def test_a_shown_number_was_in_the_file_only_with_both(program: Program) -> None:
    """The record writes a battle as one move, both numbers in it."""
    words = (*TO_BATTLE, "4", "2", "quit")
    program("play", "flag-chase", typed="".join(f"{word}\n" for word in words))
    (saved,) = program.saved
    assert saved.read_text(encoding="utf-8").splitlines()[-1] == "1. P1+1 P2+1 2. P1+1 P2+1 4:2 *"


def test_a_number_typed_too_early_is_not_shown_either(program: Program) -> None:
    """Player 2 answers before being asked: the number counts, and nobody saw it."""
    with at_battle(program) as sitting:
        sitting.type("4\r2")
        shown = plain(sitting.see(ACTION))
    before, _, after = shown.partition("Player 1 chose 4.")
    assert before.strip() == PLAYER_2.strip()
    assert after.startswith("\nPlayer 2 chose 2.\n")
