"""Where a tournament's games are played: each by its number, alone or many at once.

A game depends on the settings and its number and on nothing else, so it does not matter who
plays it, when, or beside which others.
"""

import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineduel.arena.atlas import Sheet, survey, write_out
from lineduel.arena.batch import Pairing, Played, Script
from lineduel.arena.lot import Lot, key_of
from lineduel.arena.match import play_match
from lineduel.arena.settings import Fixture, Settings
from lineduel.engine import Game, Position
from lineduel.errors import TooLarge
from lineduel.players import Drawing, Engine, Limits, Player, Policy, make_player
from lineduel.players.search import Search
from lineduel.rules import Side
from lineduel.solve import Solution, solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOSS, UNFINISHED, WIN = 0, 1, 2
"""How a game went for the player that the pairing names first, in half points."""


class Fault(NamedTuple):
    """A game that was lost by not playing as one should, and how."""

    fixture: Fixture
    why: str


class Batch(NamedTuple):
    """Games that were played: their lines for the ledger, and half points by their numbers."""

    lines: bytes
    pairings: "NDArray[np.int32]"
    games: "NDArray[np.int32]"
    points: "NDArray[np.int8]"
    faults: tuple[Fault, ...] = ()


def play_fixtures(settings: Settings, fixtures: tuple[Fixture, ...]) -> Batch:
    """Play these games; what their players need is kept for the next ones."""
    return _hall(settings).play(fixtures)


@lru_cache(maxsize=1)
def _hall(settings: Settings) -> "Hall":
    return Hall(settings)


class Hall:
    """The players of a tournament, ready to play."""

    def __init__(self, settings: Settings, solution: Solution | None = None) -> None:
        self._settings = settings
        self.game = Game(settings.rulebook)
        self.start = settings.position
        self._given = solution
        self._policies: dict[str, Policy] = {}
        self._sheets: dict[str, Sheet] = {}
        self._tables: dict[tuple[str, str], Pairing] = {}
        self._meetings = settings.meetings

    @cached_property
    def solution(self) -> Solution:
        return self._given or solve(self.game, self.start)

    @cached_property
    def script(self) -> Script | None:
        """For playing many games at once; None where there are too many positions for it."""
        try:
            script = Script(survey(self.game, self.solution.start))
        except TooLarge:
            return None
        return script if script.fits else None

    def play(self, fixtures: Sequence[Fixture]) -> Batch:
        """Play these games; those with the same players in the same seats at once."""
        lines: list[str] = []
        played: list[tuple[int, int, int]] = []
        faults: list[Fault] = []
        groups: dict[tuple[int, bool], list[Fixture]] = {}
        for one in fixtures:
            groups.setdefault((one.pairing, one.swapped), []).append(one)
        for (pairing, swapped), group in groups.items():
            names = self._meetings[pairing]
            keys = [key_of(self._settings.seed, *names, one.round) for one in group]
            starts = [self._opening(key) for key in keys]
            table = names[::-1] if swapped else names
            games = self._play_all(table, starts, keys)
            player1, player2 = (json.dumps(name, ensure_ascii=False) for name in table)
            opening, text = None, ""
            for one, start, key, (moves, winner, why) in zip(
                group, starts, keys, games, strict=True
            ):
                if start is not opening:
                    opening, text = start, str(start)
                told = f',"why":{json.dumps(why)}' if why else ""
                lines.append(
                    f'{{"game":{one.game + 1},"player1":{player1},"player2":{player2},'
                    f'"seed":"{key:016x}","opening":"{text}","moves":"{moves}",'
                    f'"result":"{winner or "*"}"{told}}}\n'
                )
                played.append((pairing, one.game, points_of(winner, swapped)))
                if why:
                    faults.append(Fault(one, why))
        numbers = np.array(played, np.int32).reshape(-1, 3)
        return Batch(
            "".join(lines).encode(),
            numbers[:, 0],
            numbers[:, 1],
            numbers[:, 2].astype(np.int8),
            tuple(faults),
        )

    def _play_all(
        self, table: tuple[str, str], starts: list[Position], keys: list[int]
    ) -> list[Played]:
        plies = self._settings.plies
        if all(map(is_policy, table)) and self.script is not None:
            return self._pairing(*table).play(starts, keys, plies)
        engines = {
            name: Engine(
                name.removeprefix(ENGINE),
                self.game,
                self.start,
                Limits(movetime=self._settings.movetime),
            )
            for name in table
            if name.startswith(ENGINE)
        }
        found = []
        try:
            for start, key in zip(starts, keys, strict=True):
                lot = Lot(key)
                seats = [engines.get(name) or self._seat(name, key, lot) for name in table]
                match = play_match(self.game, start, seats[0], seats[1], plies)
                moves = " ".join(map(str, match.moves))
                found.append(Played(moves, match.winner, match.why))
        finally:
            for engine in engines.values():
                engine.close()
        return found

    def _seat(self, name: str, key: int, lot: Lot) -> Player:
        if is_policy(name):
            return Drawing(self._policy(name), self.game, lot)
        # Its own games in the head need many numbers, and only have to be repeatable.
        search = Search(self.game, Random(key), games=self._settings.playouts)
        return Drawing(search, self.game, lot)

    def _pairing(self, player1: str, player2: str) -> Pairing:
        table = player1, player2
        if table not in self._tables:
            assert self.script is not None
            sheets = [self._sheet(name, self.script) for name in table]
            self._tables[table] = Pairing(self.script, *sheets)
        return self._tables[table]

    def _sheet(self, name: str, script: Script) -> Sheet:
        if name not in self._sheets:
            self._sheets[name] = write_out(self._policy(name), script.atlas)
        return self._sheets[name]

    def _policy(self, name: str) -> Policy:
        if name not in self._policies:
            self._policies[name] = make_player(name, self.solution)
        return self._policies[name]

    def _opening(self, key: int) -> Position:
        """Where a game begins: after some plies at random, as far as the game goes on."""
        position, game = self.start, self.game
        if self._settings.opening:
            chance = Random(key)
            for _ in range(self._settings.opening):
                after = game.play(position, chance.choice(game.moves(position)))
                if game.outcome(after) is not None:
                    break
                position = after
        return position


ENGINE = "engine:"


def is_policy(name: str) -> bool:
    """Whether a player's chances are known, which takes a solution."""
    return name == "perfect" or name.startswith("level:")


def points_of(winner: Side | None, swapped: bool) -> int:
    """Half points of the player that the pairing names first."""
    if winner is None:
        return UNFINISHED
    return WIN if (winner is Side.ONE) != swapped else LOSS
