"""Counts and values by the naive rules alone, for games of some hundred positions.

It shares no code with the engine, the graph or the solver: boards come from `naive.py`, forced
wins from going round until nothing changes, and battles from a search through all the ways in
which a small matrix game can be solved.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from oracles.naive import Board, Man, Naive

_ROUNDS = 1000
_STILL = 1e-11
_AGREED = 1e-6
_NEARLY = 1e-9


class Worth(NamedTuple):
    """What player 1 can expect, and the plies where somebody wins by force."""

    value: float
    plies: int | None


class Witness:
    """All that can come up from the start of a rulebook, like pieces not told apart."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._naive = Naive(data)
        self._numbers = self._naive.numbers
        self.boards: dict[str, Board] = {}
        self.after: dict[str, list[str]] = {}
        start = self._in_order(self._naive.start(self._naive.beginners[0]))
        self.start = str(start)
        waiting = [start]
        for board in waiting:
            if str(board) in self.boards:
                continue
            self.boards[str(board)] = board
            reached = [
                self._in_order(self._naive.play(board, move)) for move in self._naive.moves(board)
            ]
            self.after[str(board)] = [str(one) for one in reached]
            waiting += reached

    def perft(self, depth: int) -> list[int]:
        """The number of move sequences of each length."""
        start = self._naive.start(self._naive.beginners[0])
        return [self._naive.count(start, length) for length in range(1, depth + 1)]

    def worth(self) -> Worth:
        """What the start is worth."""
        forced = self._forced()
        if self.start in forced:
            winner, plies = forced[self.start]
            return Worth(1.0 if winner == 1 else -1.0, plies)
        if not self._numbers:
            return Worth(0.0, None)  # without secrets, who cannot be beaten can go on for ever
        low, high = (self._broken_off(forced, result) for result in (-1.0, 1.0))
        assert high - low < _AGREED, f"between {low} and {high}"
        return Worth((low + high) / 2, None)

    def _broken_off(self, forced: dict[str, tuple[int, int]], result: float) -> float:
        """What the start is worth if play is broken off after many plies, with that result.

        Endless play counts as 0, so the true value lies between those for -1 and 1.
        """
        values = {
            text: (1.0 if forced[text][0] == 1 else -1.0) if text in forced else result
            for text in self.boards
        }
        for _ in range(_ROUNDS):
            later = {
                text: values[text] if text in forced else self._best(text, values)
                for text in self.boards
            }
            change = max(abs(later[text] - values[text]) for text in self.boards)
            values = later
            if change < _STILL:
                break
        return values[self.start]

    def _in_order(self, board: Board) -> Board:
        """Men of one side that nothing tells apart, nearest the first cell first."""
        homeward = self._naive.enemy == "sent home" or (
            self._numbers > 0 and self._naive.losers_go_home
        )

        def kind(man: Man) -> tuple[int, int, frozenset[int]]:
            return man.owner, man.home if homeward else 0, frozenset(self._naive.steps_of(man))

        cells = {
            one: sorted(
                (man.cell for man in board.men if kind(man) == one),
                key=lambda cell: (cell is None, cell or 0),
            )
            for one in {kind(man) for man in board.men}
        }
        men = [Man(man.name, man.owner, man.home, cells[kind(man)].pop(0)) for man in board.men]
        return Board(men, board.mover, board.fight, board.won, board.hands)

    def _forced(self) -> dict[str, tuple[int, int]]:
        """The winner and the plies of every forced win, the nearest first."""
        known = {text: (board.won, 0) for text, board in self.boards.items() if board.won}
        for plies in range(1, len(self.boards) + 1):
            found = {}
            for text in self.boards.keys() - known.keys():
                for player in (1, 2):
                    if self._wins(text, player, known):
                        found[text] = player, plies
            if not found:
                break
            known |= found
        return known

    def _wins(self, text: str, player: int, known: dict[str, tuple[int, int]]) -> bool:
        board, after = self.boards[text], self.after[text]
        won = [one in known and known[one][0] == player for one in after]
        if board.fight is not None:
            rows = list(_rows(won, self._columns(board)))
            return any(map(all, rows if player == 1 else zip(*rows, strict=True)))
        return any(won) if board.mover == player else all(won)

    def _best(self, text: str, values: dict[str, float]) -> float:
        board, after = self.boards[text], [values[one] for one in self.after[text]]
        if board.fight is not None:
            return matrix_value(list(_rows(after, self._columns(board))))
        return max(after) if board.mover == 1 else min(after)

    def _columns(self, board: Board) -> int:
        """How many numbers player 2 can choose from."""
        return self._numbers if board.hands is None else len(board.hands[2])


def matrix_value(matrix: Sequence[Sequence[float]]) -> float:
    """The value of a small matrix game: some square part of it is solved by equalising."""
    array = np.array(matrix)
    low, high = array.min(axis=1).max(), array.max(axis=0).min()
    if low == high:
        return float(low)
    for size in range(len(array), 1, -1):
        for rows in combinations(range(len(array)), size):
            for columns in combinations(range(len(array)), size):
                value = _equalised(array, rows, columns)
                if value is not None:
                    return value
    raise AssertionError("every matrix game has a value")


def _equalised(matrix: Any, rows: tuple[int, ...], columns: tuple[int, ...]) -> float | None:
    """The value, if both sides are safe with mixtures that make these choices alike."""
    size = len(rows)
    part = matrix[np.ix_(rows, columns)]
    ones = np.ones(size)
    system = np.block([[part.T, -ones[:, None]], [ones[None, :], np.zeros((1, 1))]])
    other = np.block([[part, -ones[:, None]], [ones[None, :], np.zeros((1, 1))]])
    target = np.append(np.zeros(size), 1.0)
    try:
        mine, theirs = np.linalg.solve(system, target), np.linalg.solve(other, target)
    except np.linalg.LinAlgError:
        return None
    if min(mine[:-1]) < -_NEARLY or min(theirs[:-1]) < -_NEARLY:
        return None
    secured = (mine[:-1] @ matrix[list(rows)]).min()
    conceded = (matrix[:, list(columns)] @ theirs[:-1]).max()
    return float(secured) if conceded - secured < _NEARLY else None


def _rows(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    yield from (items[at : at + size] for at in range(0, len(items), size))
