"""Engines, whatever is said in whatever order: ours, and those that we ask, by a clock of ours."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from lineduel.engine import Game
from lineduel.errors import EngineError, EngineSilent
from lineduel.play import EngineDialogue
from lineduel.players import EngineProgram, Limits, engine_program
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side, assign, format_rules
from support.repetition import tried

FLAG_CHASE = find_rulebook("flag-chase")
OTHERS = ["battle.wins=undercut", "battle.numbers=3", "track.length=7"]


# The engine that comes with lineduel


def set_rules(*changes: str) -> str:
    return f"rules set {format_rules(assign(FLAG_CHASE, changes).rules)}"


RULES = ("rules id flag-chase", "rules id ctf-tokens", *map(set_rules, OTHERS), "rules id nothing")
POSITIONS = ("1/5/1", "2/4/1", "3/3/1*", "2/2/2*", "3/5/2", "1/5/1 moves P1+1 P2+1", "9/9/1", "x")
ASKED = ("go", "go side 1", "go side 2", "go movetime 50 side 2", "isready", "go side 3")
OTHER_LINES = ("duel", "", "nonsense", "rules toml\nendrules", "rules toml\ntitle =\nendrules")


def lines(chance: Random) -> Iterator[str]:
    while True:
        kind = chance.choices((RULES, POSITIONS, ASKED, OTHER_LINES), (2, 4, 5, 1))[0]
        line = chance.choice(kind)
        yield f"position {line}" if kind is POSITIONS else line


@tried(8, 100)
@pytest.mark.parametrize("player", ["level:1", "level:4", "perfect"])
def test_our_engine_answers_as_one_that_was_told_only_what_counts(player: str, times: int) -> None:
    """The rules that it took last, and the position that it took after them."""
    for seed in range(times):
        chance, rng = Random(seed), Random()
        engine, rules, position = EngineDialogue(player, rng), "", ""
        for _, line in zip(range(60), lines(chance), strict=False):
            rng.seed(seed)
            said = [one for part in line.split("\n") for one in engine.answer(part)]
            told = Random(seed)
            fresh = EngineDialogue(player, told)
            for one in filter(None, (rules, position)):
                assert list(fresh.answer(one)) == []
            told.seed(seed)
            assert said == [one for part in line.split("\n") for one in fresh.answer(part)], line
            if not said and line.startswith("rules"):
                rules, position = line, ""
            elif not said and line.startswith("position"):
                position = line


# Engines that we ask


class Scripted:
    """A process whose lines take time, by a clock that stands still in between."""

    now: float
    running: "list[Scripted]"
    answers: list[tuple[float, str]]
    """What it says to `go`, each line after some seconds."""
    complains: bool
    """Whether it does not know the next `go`."""
    asked: list[str]

    def __init__(self, words: list[str], log: object) -> None:
        self.heard: list[str] = []
        self._says: list[tuple[float, str]] = []
        Scripted.running.append(self)

    def clock(self) -> float:
        return Scripted.now

    def send(self, line: str) -> None:
        self.heard.append(line)
        match line.split()[0]:
            case "duel":
                self._says += [(0.0, "id name scripted"), (0.0, "duelok")]
            case "isready":
                self._says.append((0.0, "readyok"))
            case "go":
                Scripted.asked.append(line)
                complaint = [(0.0, "error unknown word")]
                self._says += complaint if Scripted.complains else Scripted.answers
                Scripted.complains = False

    def receive(self, seconds: float) -> str:
        if not self._says or self._says[0][0] > seconds:
            Scripted.now += max(seconds, 0.0)
            raise EngineSilent("The engine did not answer in time.")
        wait, line = self._says.pop(0)
        Scripted.now += wait
        return line

    def close(self, hasty: bool = False) -> None:
        Scripted.running.remove(self)


LIMITS = Limits(start=2.0, ready=3.0, movetime=1000, grace=0.5)
WAITS = (0.0, 0.125, 0.375, 0.5, 1.0)
WRONG = ("bestmove P9+1", "bestmove 9", "bestmove", "readyok", "bestmove P1+1 P1-1")


@tried(60, 2000)
def test_an_engine_is_asked_afresh_after_whatever_went_wrong(
    monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """An answer is legal and in time, however much it talks, and one to this question."""
    monkeypatch.setattr(engine_program, "Process", Scripted)
    game = Game(FLAG_CHASE)
    places = [read_position(game, text) for text in ("1/5/1", "2/4/2", "3/3/1*", "2/2/2*")]
    for seed in range(times):
        chance, Scripted.now, Scripted.running = Random(seed), 0.0, []
        engine = EngineProgram("scripted", game, limits=LIMITS)
        was_right = False
        for _ in range(12):
            position, side = chance.choice(places), chance.choice(list(Side))
            is_battle = position.battle is not None
            choices: Any = range(1, 6) if is_battle else game.moves(position)
            expected = str(chance.choice(choices))
            waits = [chance.choice(WAITS) for _ in range(chance.randint(1, 5))]
            is_wrong, is_older = chance.random() < 0.2, chance.random() < 0.2
            last = chance.choice(WRONG) if is_wrong else f"bestmove {expected}"
            infos = [(wait, "info depth 1") for wait in waits[:-1]]
            Scripted.answers, Scripted.complains = [*infos, (waits[-1], last)], is_older
            Scripted.asked = asked = list[str]()
            late, before = sum(waits) > 1.5, list(Scripted.running)
            try:
                chosen: Any = (
                    engine.choose_number(position, side)
                    if is_battle
                    else engine.choose_move(position)
                )
            except EngineError:
                assert late or is_wrong, seed
                assert Scripted.running == [], seed
                was_right = False
                continue
            assert not late, (seed, waits)
            assert not is_wrong, (seed, last)
            assert str(chosen) == expected, seed
            assert (Scripted.running == before) is was_right, seed
            was_right = True
            [process] = Scripted.running
            rules = [line for line in process.heard if line.startswith("rules")]
            assert rules == [f"rules set {format_rules(game.rules)}"]
            told = [line for line in process.heard if line.startswith("position")]
            assert told[0] == f"position {game.start()}"
            assert told[-1] == f"position {position}"
            assert len(asked) == 1 + is_older
            assert all(line.startswith("go movetime 1000") for line in asked)
            assert [f"side {side}" in line for line in asked] == [is_battle] * len(asked)
            assert all(str(one) in asked[0] for one in choices[-1:])
        engine.close()
        assert Scripted.running == []
