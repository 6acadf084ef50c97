"""What the tests give the workers of a pool to do, in a module that each imports in a moment."""

import os
import signal
from pathlib import Path

from lineduel.errors import TooLarge

Numbers = tuple[int, ...]


def squares(numbers: Numbers) -> list[int]:
    return [number * number for number in numbers]


def kinds(numbers: Numbers) -> set[int]:
    return {number // 1000 for number in numbers}


def refuse(numbers: Numbers) -> None:
    raise ZeroDivisionError(numbers[0])


def too_large(numbers: Numbers) -> None:
    raise TooLarge(numbers[0], 5)


def die_once(folder: Path, numbers: Numbers) -> list[int]:
    """The first process that comes to 40 is killed there."""
    if 40 in numbers:
        try:
            (folder / "died").touch(exist_ok=False)
        except FileExistsError:
            return squares(numbers)
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(numbers)


def die(numbers: Numbers) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def set_mark() -> None:
    os.environ["LINEDUEL_TEST_MARK"] = "set"


def mark(numbers: Numbers) -> str | None:
    return os.environ.get("LINEDUEL_TEST_MARK")


def compute_on_and_on(numbers: Numbers) -> None:
    """Minutes in one instruction, in which Python can run no handler and no other thread."""
    print("computing", flush=True)
    assert 3 ** (3 * 10**8)
