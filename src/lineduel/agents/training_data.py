"""Positions with everything that is known about them, as Parquet files with a data card.

Train and test share no game, not even one that is mirrored or has other names: the split follows
from what a game is.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lineduel import __version__, coach
from lineduel.arena import key_of
from lineduel.engine import Position
from lineduel.envs import ExactFeedback, split_of
from lineduel.errors import NotInstalled
from lineduel.graph import chances_within
from lineduel.players import table_of_level
from lineduel.rules import Rulebook, Side, format_rules

SPLITS = ("train", "test")
_VERSION = 1


@dataclass(frozen=True, slots=True)
class DataSettings:
    """What the rows depend on, beside the rulebooks."""

    rows: int | None = None
    """The most rows of a rulebook, drawn by the seed; all if None."""
    seed: int = 1
    reasons: bool = False
    """Whether to work out why choices are mistakes, which takes much longer than the rest."""


class TrainingData:
    """The tables of both splits, filled one rulebook at a time."""

    def __init__(self, settings: DataSettings) -> None:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise NotInstalled("PyArrow", "full") from None
        self._arrow, self._parquet = pyarrow, parquet
        self._settings = settings
        self._sinks = {split: pyarrow.BufferOutputStream() for split in SPLITS}
        self._writers: dict[str, Any] = {}
        self.rows = dict.fromkeys(SPLITS, 0)
        self.games: dict[str, list[str]] = {split: [] for split in SPLITS}

    def add(self, rulebook: Rulebook) -> int:
        """Add the positions of a rulebook; returns how many."""
        split = split_of(rulebook)
        table = self._table(rulebook, split)
        if split not in self._writers:
            self._writers[split] = self._parquet.ParquetWriter(self._sinks[split], table.schema)
        self._writers[split].write_table(table)
        self.rows[split] += table.num_rows
        self.games[split].append(rulebook.id)
        return int(table.num_rows)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The files of the folder: one for each split that has rows, and the data card."""
        for split, writer in self._writers.items():
            writer.close()
            yield f"{split}.parquet", self._sinks[split].getvalue().to_pybytes()
        yield "README.md", self._card().encode()

    def _table(self, rulebook: Rulebook, split: str) -> Any:
        feedback = ExactFeedback(rulebook)
        states = feedback.states
        # The second to choose in a battle does not see the first number: one state stands for all.
        kept = np.flatnonzero(states.number[: states.over] <= 1)
        most = self._settings.rows
        if most is not None and len(kept) > most:
            rng = np.random.default_rng(key_of(self._settings.seed, format_rules(rulebook.rules)))
            kept = np.sort(rng.choice(kept, most, replace=False))
        at = states.position[kept]
        second = states.choosers[kept] == Side.TWO
        forced = np.asarray(feedback.graph.forced_wins.plies)[at]
        positions = [feedback.graph.positions[one] for one in at.tolist()]
        regrets = feedback.action_regrets[kept]
        arrow = self._arrow
        size = len(kept)

        def same(text: str) -> Any:
            return arrow.array([text]).take(arrow.array(np.zeros(size, np.int64)))

        columns = {
            "game": same(rulebook.id),
            "rules": same(format_rules(rulebook.rules)),
            "split": same(split),
            "position": arrow.array(list(map(str, positions))),
            "side": arrow.array(np.where(second, 2, 1).astype(np.int8)),
            "observation": self._lists(feedback.observations[kept].astype(np.int8)),
            "mask": self._lists(feedback.masks[kept].astype(np.int8)),
            "value": arrow.array(feedback.state_values[kept]),
            "action_values": self._lists(feedback.action_values[kept]),
            "action_regrets": self._lists(regrets),
            "plies": arrow.array(forced.astype(np.int32), mask=forced < 0),
            "policy": self._lists(_policy(feedback, positions, second, regrets)),
            "chances": self._lists(_chances(feedback, at, second)),
            "reasons": arrow.array(
                self._reasons(feedback, positions, second, regrets),
                arrow.list_(arrow.list_(arrow.string())),
            ),
        }
        return arrow.table(columns)

    def _lists(self, rows: Any) -> Any:
        """A list for each row of an array."""
        flat, width = np.ascontiguousarray(rows), rows.shape[1]
        offsets = np.arange(0, flat.size + 1, width, dtype=np.int32)
        return self._arrow.ListArray.from_arrays(offsets, flat.reshape(-1))

    def _reasons(
        self, feedback: ExactFeedback, positions: list[Position], second: Any, regrets: Any
    ) -> list[list[list[str]] | None]:
        """The kinds of reasons for each action that is a mistake; nothing unless asked for."""
        if not self._settings.reasons:
            return [None] * len(positions)
        found: list[list[list[str]] | None] = []
        for position, is_second, row in zip(positions, second.tolist(), regrets, strict=True):
            side = Side.TWO if is_second else Side.ONE
            found.append(
                [
                    _kinds(feedback, position, side, action) if regret > 0 else []
                    for action, regret in enumerate(row.tolist())
                ]
            )
        return found

    def _card(self) -> str:
        """The data card, whose head tells libraries which files there are."""
        files = [
            {"split": split, "path": f"{split}.parquet"} for split in SPLITS if self.rows[split]
        ]
        lines = "\n".join(
            f"| {split} | {self.rows[split]:,} | {len(self.games[split])} |" for split in SPLITS
        )
        total = sum(self.rows.values())
        size = "n<1K" if total < 1000 else "1K<n<1M" if total < 1_000_000 else "n>1M"
        return _CARD.format(
            files=json.dumps(files),
            size=size,
            lines=lines,
            version=__version__,
            format=_VERSION,
            seed=self._settings.seed,
            rows="all" if self._settings.rows is None else f"at most {self._settings.rows:,}",
            turns=coach.TURNS_AHEAD,
            level=coach.ASSUMED_LEVEL,
            reasons="worked out" if self._settings.reasons else "left out (null)",
        )


def write_data(
    rulebooks: Iterable[Rulebook],
    settings: DataSettings,
    report: Callable[[str, int], None] = lambda game, rows: None,
) -> TrainingData:
    """The data of some rulebooks; `report` is called with each and the rows so far."""
    data = TrainingData(settings)
    for rulebook in rulebooks:
        data.add(rulebook)
        report(rulebook.id, sum(data.rows.values()))
    return data


def _chances(feedback: ExactFeedback, at: Any, second: Any) -> Any:
    """How likely each side that chooses is to win, and to lose, as the coach says it."""
    opponent = table_of_level(coach.ASSUMED_LEVEL, feedback.graph)
    one, two = (
        np.stack([found.win[at], found.lose[at]], axis=1)
        for found in (
            chances_within(feedback.graph, opponent, side, coach.TURNS_AHEAD) for side in Side
        )
    )
    return np.where(second[:, None], two, one)


def _policy(feedback: ExactFeedback, positions: list[Position], second: Any, regrets: Any) -> Any:
    """How often best play chooses each action: evenly among moves that give nothing away."""
    keeps = np.where(np.isnan(regrets), 1.0, regrets) == 0
    policy = keeps / np.maximum(keeps.sum(axis=1, keepdims=True), 1)
    first = feedback.encoding.first_number
    for at, position in enumerate(positions):
        if position.battle is not None:
            side = Side.TWO if second[at] else Side.ONE
            hand = np.array(feedback.game.hand(position, side))
            mixture = feedback.mixtures[position][side - 1]
            policy[at] = 0
            policy[at, first + hand - 1] = [float(one) for one in mixture]
    return policy


def _kinds(feedback: ExactFeedback, position: Position, side: Side, action: int) -> list[str]:
    """The kinds of reasons why an action is a mistake."""
    choice = feedback.encoding.move(side, action)
    if isinstance(choice, int):
        found = coach.number_reasons(feedback.solution, position, side, choice)
        return ["predictable" if isinstance(one, coach.Predictable) else "beaten" for one in found]
    assert choice is not None
    return [str(one.kind) for one in coach.reasons(feedback.solution, position, choice)]


_CARD = """\
---
configs:
- config_name: default
  data_files: {files}
license: mit
task_categories: [reinforcement-learning]
size_categories: [{size}]
---
# Positions of duels on a line, with exact values

Made by lineduel {version} (format {format}), seed {seed}, rows of each game: {rows}.

| split | rows | games |
|---|---|---|
{lines}

No game of one split is a game of the other, not even mirrored or with other names.

| column | meaning |
|---|---|
| game, rules | the rulebook: its id, and all its rules as assignments in one line |
| split | train or test |
| position, side | the position as text, and the side that chooses there |
| observation | what that side sees, as lineduel.envs.Encoding has it |
| mask | 1 for each legal action |
| value | what the side can expect with best play: win 1, loss -1 |
| action_values | the same after each action; NaN for illegal ones |
| action_regrets | what each action is proved to give away; NaN for illegal ones |
| plies | the length of a forced win for either side; null if there is none |
| policy | how often best play chooses each action |
| chances | of a win and a loss within {turns} turns, with best play against level {level} |
| reasons | for each action, the kinds of reasons why it is a mistake; {reasons} |

Values are exact, or the middle of a proved interval where there are battles. A number in a battle
is worth what it brings against the other side's optimal mixture.
"""
