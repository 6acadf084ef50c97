"""Long work of every kind may be stopped after any result, and goes on as if it had not been."""

import shlex
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lineduel.agents import EXAM, Exam, ExamSettings, exam_document, rule_set_of
from lineduel.arena import TOURNAMENT, Settings, Standings, Tournament
from lineduel.cli.long_work import resume_command
from lineduel.discover import (
    DISCOVER,
    DesignSearch,
    DesignSpace,
    Discovery,
    SearchAmounts,
    SearchQuestion,
    read_goal,
    resumed,
)
from lineduel.engine import Game
from lineduel.errors import LedgerError, StorageError
from lineduel.jobs import Ledger, LongRun, LongWork, Pool, Progress
from lineduel.lab import REPAIR, SWEEP, CandidateLimits, RepairWork, Sweep, make_space, resume
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Meeting, assign, format_rules

TOKENS = find_rulebook("ctf-tokens")
SHUFFLING = assign(TOKENS, ["move.steps=1,-1", "move.edge=stay", "meet.enemy=captured"])


class OneByOne(Pool):
    """All work in this process, and each result by itself."""

    def __init__(self) -> None: ...

    def run(self, work: Any, items: Any, **_: object) -> Any:
        yield from (work((item,)) for item in items)


@dataclass(frozen=True)
class Kind:
    """A kind of long work: how it begins, how it is resumed, and what it comes to."""

    name: str
    begin: Callable[[], LongWork]
    resume: Callable[[Ledger], LongWork]
    result: Callable[[Any], object]


def sweep() -> Sweep:
    space = make_space(TOKENS, ["track.length=7..10", "move.steps=1|1,2|9"])
    return Sweep(space, CandidateLimits())


def tournament() -> Tournament:
    players = ("level:1", "level:2", "level:3")
    game = Game(TOKENS)
    rules, start = format_rules(game.rules), str(game.start())
    return Tournament(
        Standings(
            Settings(game="tokens", title="T", rules=rules, start=start, players=players, games=4)
        )
    )


def discovery() -> Discovery:
    space = DesignSpace(
        pieces=range(1, 2), cells=range(4, 6), steps=range(1, 3), meetings=(Meeting.CAPTURED,)
    )
    question = SearchQuestion(
        space=space, goals=(read_goal("turns<=60"),), preferred=("elo_range",), seed=3
    )
    return Discovery(DesignSearch(question), SearchAmounts(candidates=60, keep=2))


def exam() -> Exam:
    sets = (rule_set_of(TOKENS), rule_set_of(find_rulebook("flag-chase")))
    return Exam(
        ExamSettings(agent="player:level:2", rule_sets=sets, levels=(1,), positions=2, repeats=2)
    )


def repairing() -> RepairWork:
    return RepairWork(SHUFFLING, most=1, wanted=2)


KINDS = (
    Kind(SWEEP, sweep, resume, Sweep.table),
    Kind(TOURNAMENT, tournament, Tournament.resumed, lambda work: work.standings.table()),
    Kind(EXAM, exam, Exam.resumed, exam_document),
    Kind(
        DISCOVER,
        discovery,
        resumed,
        lambda work: [one.rulebook for one in work.found],
    ),
    Kind(
        REPAIR,
        repairing,
        lambda ledger: repairing().resumed(ledger),
        lambda work: [one.candidate.name for one in work.search.repairs],
    ),
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_stopped_after_any_result_it_comes_to_the_same(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written twice, and every line is in the file before the next result is due."""
    monkeypatch.setattr("lineduel.discover.discovery.GENERATION", 20)
    pool, path = OneByOne(), tmp_path / "whole.jsonl"
    told: list[Progress] = []
    with LongRun.begin(path, kind.begin()) as whole:
        expected = kind.result(whole.run(pool, told.append))
    lines = sorted(path.read_bytes().splitlines())
    assert expected
    assert all(one.doing for one in told)
    for after in sorted({1, 2, len(told) // 2, len(told) - 1, len(told)} - {0}):
        path, left = tmp_path / f"{after}.jsonl", [after]

        def stop(progress: Progress, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] <= 0:
                raise KeyboardInterrupt

        with LongRun.begin(path, kind.begin()) as first, pytest.raises(KeyboardInterrupt):
            first.run(pool, stop)
        assert first.work.kept.endswith(" kept")
        with LongRun.go_on(path, kind.name, kind.resume) as second:
            assert kind.result(second.run(pool)) == expected
        if kind.name != REPAIR:  # what may be a repair is audited again, for its figures
            assert sorted(path.read_bytes().splitlines()) == lines


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_file_that_is_refused_is_let_go(kind: Kind, tmp_path: Path) -> None:
    """It can be opened again at once, by somebody who can read it."""
    path = tmp_path / "work.jsonl"
    LongRun.begin(path, kind.begin()).close()
    whole = path.read_bytes()
    path.write_bytes(whole + b"{}\n")
    with pytest.raises(LedgerError, match="line 2"):
        LongRun.go_on(path, kind.name, kind.resume)
    path.write_bytes(whole)
    LongRun.go_on(path, kind.name, kind.resume).close()
    with pytest.raises(StorageError):
        LongRun.begin(path, kind.begin())


def test_without_a_file_it_comes_to_the_same(tmp_path: Path) -> None:
    with LongRun.begin(tmp_path / "rows.jsonl", sweep()) as kept:
        assert LongRun(sweep()).run(OneByOne()).table() == kept.run(OneByOne()).table()


def test_the_command_to_go_on_has_all_that_the_file_has_not() -> None:
    """Where the results go, and whether older files may be replaced."""
    given = {"csv": "a b.csv", "html": None, "plot": ["x", "y"], "engine_log": "log", "json": False}
    options = Namespace(command="sweep", force=True, vary=["track.length=7..9"], **given)
    command = resume_command(options, "--file", "rows.jsonl")
    assert shlex.split(command) == [
        *("lineduel", "sweep", "--resume", "--file", "rows.jsonl"),
        *("--csv", "a b.csv", "--plot", "x", "y", "--force", "--engine-log", "log"),
    ]
