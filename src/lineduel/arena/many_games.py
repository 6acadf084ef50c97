"""Many games between two policies at once, a ply of all of them at a time.

The rules come from the explored graph. Each player's random numbers choose the same as when a
`SamplingPlayer` plays the games one by one with each game's `RandomStream`, in the positions that
stand for others.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import pairwise, product
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel.engine import PASS, Likeness, Numbers, Position, Step
from lineduel.graph import BATTLE, GameGraph, PolicyTable
from lineduel.rules import Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

_LARGEST_TABLE = 1 << 23
"""Chances that are laid out for a pair of players; games with more are played one by one."""
GAMMA = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = (1 << 64) - 1
UNIT = 2.0**-53


# The random numbers of a game


def key_of(*words: object) -> int:
    """The key of a stream that depends on these words and on nothing else."""
    text = "/".join(map(str, words))
    return int.from_bytes(sha256(text.encode()).digest()[:8])


class RandomStream(Random):
    """The random numbers of one game: a stream that depends only on its key.

    SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the n-th number of a stream is a hash of its
    key and n, so that one game's numbers can be drawn one by one, or those of many games at once.
    """

    def __init__(self, key: int) -> None:
        super().__init__(key)
        self._state = key

    def random(self) -> float:
        found = word(self._state, 0)
        self._state = (self._state + GAMMA) & MASK
        return (found >> 11) * UNIT


def word(key: int, drawn: int) -> int:
    """The 64-bit integer after this many draws, usable as a key."""
    mixed = (key + (drawn + 1) * GAMMA) & MASK
    mixed = ((mixed ^ (mixed >> 30)) * FIRST) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * SECOND) & MASK
    return mixed ^ (mixed >> 31)


def draws(keys: "Words", drawn: "Words") -> "NDArray[np.float64]":
    """For each key, the number after this many draws."""
    found: NDArray[np.float64] = (words(keys, drawn) >> np.uint64(11)).astype(np.float64) * UNIT
    return found


def words(keys: "Words | int", drawn: "Words") -> "Words":
    """`word` for each key."""
    word = np.uint64
    mixed = np.asarray(keys, word) + (drawn + word(1)) * word(GAMMA)
    mixed = (mixed ^ (mixed >> word(30))) * word(FIRST)
    mixed = (mixed ^ (mixed >> word(27))) * word(SECOND)
    found: Words = mixed ^ (mixed >> word(31))
    return found


# The games


class Played(NamedTuple):
    """Games that were played: the moves of each as text, and 1 or 2 for who won, or 0."""

    moves: list[str]
    winners: "NDArray[np.int8]"
    faults: Mapping[int, str] = MappingProxyType({})
    """What went wrong in the games that were forfeited, by their place in the list."""


class Script:
    """A graph with what is needed to name the moves: which piece is which, and their names."""

    def __init__(self, graph: GameGraph) -> None:
        self.graph = graph
        game = graph.game
        self._likeness = Likeness(game.rules)
        self._places: dict[Position, tuple[int, tuple[int, ...]]] = {}
        pieces = [piece.name for side in Side for piece in game.rules.team(side).pieces]
        steps = game.rules.all_steps
        numbers = range(1, graph.numbers + 1)
        self.pieces = len(pieces)
        self.steps = len(steps)
        """How many codes a piece has; a code is its number times this, and the step's."""
        moves = [Step(*pair) for pair in product(pieces, steps)]
        rest = [PASS, *(Numbers(*pair) for pair in product(numbers, numbers))]
        self.codes = {move: code for code, move in enumerate((*moves, *rest))}
        self.texts = np.array([str(move) for move in self.codes], np.object_)

    @property
    def fits(self) -> bool:
        """Whether there is room for the chances of a pair."""
        return len(self.graph) * int(np.diff(self.graph.first).max(initial=1)) <= _LARGEST_TABLE

    def place(self, position: Position) -> tuple[int, tuple[int, ...]]:
        """The number of a position, and which of its pieces takes each place there."""
        if position not in self._places:
            number = self._numbers[self._likeness.standing_for(position)]
            self._places[position] = number, self._likeness.order(position)
        return self._places[position]

    @cached_property
    def _numbers(self) -> dict[Position, int]:
        return {position: at for at, position in enumerate(self.graph.positions)}

    @cached_property
    def code(self) -> "NDArray[np.int64]":
        """The code of each choice, for the piece that stands for others."""
        game, codes = self.graph.game, self.codes
        found = [codes[move] for one in self.graph.positions for move in game.choices(one)]
        return np.array(found, np.int64)

    @cached_property
    def shuffle(self) -> "NDArray[np.int8] | None":
        """After each choice, which piece takes each place; None where no pieces are alike."""
        game, order = self.graph.game, self._likeness.order
        found = [
            order(game.play(one, move))
            for one in self.graph.positions
            for move in game.choices(one)
        ]
        table = np.array(found, np.int8).reshape(-1, self.pieces)
        return None if (table == np.arange(self.pieces)).all() else table


class Pairing:
    """Two policies at a table, player 1 and player 2, ready to play many games."""

    def __init__(self, script: Script, player1: PolicyTable, player2: PolicyTable) -> None:
        self._script = script
        graph = script.graph
        turns = np.where(graph.mover[graph.origin] == Side.ONE, player1.moves, player2.moves)
        sizes = np.where(graph.mover == BATTLE, 0, np.diff(graph.first))
        wide = int(sizes.max(initial=1))
        table = np.zeros((len(graph), max(wide, 1)))
        inside = np.arange(max(wide, 1)) < sizes[:, None]
        table[inside] = turns[graph.mover[graph.origin] != BATTLE]
        self._turns = _Chances(table, sizes)
        self._numbers = [
            _Chances(table.numbers[at], np.full(len(graph.battles), graph.numbers))
            for at, table in enumerate((player1, player2))
        ]
        self._battle = np.full(len(graph), -1)
        self._battle[graph.battles] = np.arange(len(graph.battles))

    def play(self, starts: Sequence[Position], keys: "NDArray[np.uint64]", plies: int) -> Played:
        """One game from each start with the random stream of its key, up to a limit of plies."""
        script, graph = self._script, self._script.graph
        where, pieces = self._placed(starts)
        drawn = np.zeros(len(keys), np.uint64)
        who = np.arange(len(keys))
        winners = graph.winner[where]
        codes: list[NDArray[np.int64]] = []
        games: list[NDArray[np.int64]] = []
        for _ in range(plies):
            on = graph.winner[where] == 0
            if not on.all():
                where, keys, drawn, who, pieces = (
                    one[on] for one in (where, keys, drawn, who, pieces)
                )
            if not len(who):
                break
            choice, taken = self._choose(where, keys, drawn)
            drawn += taken
            code = script.code[choice]
            if script.shuffle is not None:
                slot, step = np.divmod(code, script.steps)
                stepping = slot < script.pieces
                rows = np.arange(len(who))
                real = pieces[rows, np.where(stepping, slot, 0)]
                code = np.where(stepping, real * script.steps + step, code)
                pieces = pieces[rows[:, None], script.shuffle[choice]]
            codes.append(code)
            games.append(who)
            where = graph.after[choice]
            winners[who] = graph.winner[where]
        return Played(self._texts(codes, games, len(winners)), winners)

    def _placed(self, starts: Sequence[Position]) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
        """The number of each start, and which of its pieces takes each place there."""
        different = {id(start): start for start in starts}
        places = [self._script.place(start) for start in different.values()]
        at = {one: number for number, one in enumerate(different)}
        rows = [at[id(start)] for start in starts]
        numbers = np.array([number for number, _ in places], np.int64)
        orders = np.array([order for _, order in places], np.int64)
        return numbers[rows], orders.reshape(len(places), self._script.pieces)[rows]

    def _choose(
        self, where: "NDArray[np.int64]", lots: "NDArray[np.uint64]", drawn: "NDArray[np.uint64]"
    ) -> "tuple[NDArray[np.int64], NDArray[np.uint64]]":
        """A choice in each position, and how many numbers were drawn for it."""
        graph = self._script.graph
        choice = graph.first[where] + self._turns.drawn(where, draws(lots, drawn))
        taken = np.ones(len(where), np.uint64)
        if len(graph.battles):
            at = np.flatnonzero(graph.mover[where] == BATTLE)
            battle = self._battle[where[at]]
            row = self._numbers[0].drawn(battle, draws(lots[at], drawn[at]))
            column = self._numbers[1].drawn(battle, draws(lots[at], drawn[at] + np.uint64(1)))
            choice[at] = graph.first[where[at]] + row * graph.numbers + column
            taken[at] = 2
        return choice, taken

    def _texts(
        self, codes: "list[NDArray[np.int64]]", games: "list[NDArray[np.int64]]", size: int
    ) -> list[str]:
        """The moves of each game as text, from those of all games ply by ply."""
        if not codes:
            return [""] * size
        game = np.concatenate(games)
        order = np.argsort(game, kind="stable")
        words = self._script.texts[np.concatenate(codes)[order]].tolist()
        ends = np.cumsum(np.bincount(game, minlength=size)).tolist()
        return [" ".join(words[a:b]) for a, b in pairwise((0, *ends))]


class _Chances:
    """Choices drawn as `random.choices` draws them: by where a number falls among the sums."""

    def __init__(self, table: "NDArray[np.float64]", sizes: "NDArray[np.int64]") -> None:
        sums = np.cumsum(table, axis=1)
        rows = np.arange(len(sums))
        self._totals = sums[rows, np.maximum(sizes - 1, 0)] if len(sums) else np.zeros(0)
        columns = np.arange(table.shape[1])
        # What nothing is left for is never passed, nor is the last choice.
        self._sums = np.where(columns < (sizes - 1)[:, None], sums, np.inf)

    def drawn(
        self, rows: "NDArray[np.int64]", numbers: "NDArray[np.float64]"
    ) -> "NDArray[np.int64]":
        bounds = numbers * self._totals[rows]
        passed: NDArray[np.int64] = (self._sums[rows] <= bounds[:, None]).sum(axis=1)
        return passed
