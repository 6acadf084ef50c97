"""Whatever depends on time takes a clock; these turn it to just before, exactly and just after.

Nothing here waits for time to pass.
"""

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from lineduel import storage
from lineduel.agents import agent
from lineduel.agents.endpoint import ChatAgent
from lineduel.cli import progress
from lineduel.documents import ClaimState, LivePresence, Presence
from lineduel.engine import Game
from lineduel.errors import EngineSilent, NoWorkers, TimeLimit, WorkStopped
from lineduel.jobs import LimitedWorkers, Progress, cluster, limited_workers, tell_parent
from lineduel.lab import SearchStage, Verdict, claims_of
from lineduel.match import Match, Saves
from lineduel.play import LiveGame, Session
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side
from lineduel.web import design_work, tournaments
from lineduel.web.live_client import GameLink, LiveClient
from lineduel.web.live_views import LiveViews
from lineduel.web.rulebook_shelf import (
    PlayedRulebook,
    rulebook_of,
    shipped_text,
    stored_rulebook,
)
from support.screens import viewer

ONE_LESS, ONE_MORE = -0.25, 0.25


class Clock:
    """Stands where it was put, or shows one time after another, and the last one for ever."""

    def __init__(self, *times: float) -> None:
        self._times, self.now = iter(times), 0.0

    def __call__(self) -> float:
        self.now = next(self._times, self.now)
        return self.now


# Files


@pytest.mark.parametrize(
    ("age", "is_written", "stays"),
    [
        *((storage._ABANDONED + more, False, more <= 0) for more in (ONE_LESS, 0, ONE_MORE)),
        (storage._ABANDONED + ONE_MORE, True, True),
        *((storage._FORGOTTEN + more, True, more <= 0) for more in (ONE_LESS, 0, ONE_MORE)),
    ],
)
def test_a_temporary_file_is_abandoned_once_it_is_old_and_nobody_writes_it(
    tmp_path: Path, age: float, is_written: bool, stays: bool
) -> None:
    """After a minute, or after a day even where locks do not tell."""
    temporary = tmp_path / ".lineduel-0123456789abcdef"
    temporary.touch()
    os.utime(temporary, (1000, 1000))
    with temporary.open("rb+") as file:
        assert not is_written or storage.hold(file)
        storage._remove_abandoned.__wrapped__(tmp_path, Clock(1000 + age))
    assert temporary.exists() is stays


# Worker processes


def tell_and_hang() -> None:
    tell_parent("begun")
    Event().wait()


def tell_and_return() -> str:
    tell_parent("begun")
    return "done"


def hang() -> None:
    Event().wait()


def test_work_is_ended_with_its_process_once_its_time_is_over() -> None:
    """To the moment; work that was asked to stop has a little time to do so, and no more."""
    clock, stop = Clock(), Event()
    workers = LimitedWorkers(1, clock=clock)

    def run(function: Callable[[], object], heard: Callable[[], object]) -> object:
        clock.now = 0.0
        return workers.run(function, seconds=60, listener=lambda _: heard(), stop=stop)

    def turn(now: float) -> Callable[[], None]:
        return lambda: setattr(clock, "now", now)

    def stop_and_wait() -> None:
        stop.set()
        clock._times = iter((0.0, 0.0, limited_workers.SECONDS_TO_STOP))

    def stop_at_last() -> None:
        stop.set()
        clock._times = iter((59.0, 59.0, 60.0, 59 + limited_workers.SECONDS_TO_STOP))

    try:
        first = run(os.getpid, lambda: None)
        assert run(tell_and_return, turn(60 + ONE_LESS)) == "done"
        with pytest.raises(TimeLimit, match="longer than 60 seconds"):
            run(tell_and_hang, turn(60))
        assert run(os.getpid, lambda: None) != first
        with pytest.raises(WorkStopped):
            run(tell_and_hang, stop_and_wait)
        stop.clear()
        with pytest.raises(WorkStopped):
            run(tell_and_hang, stop_at_last)
        assert clock.now == 60.0  # no more than it had anyway
        assert workers._idle == []
    finally:
        workers.close()


@pytest.mark.parametrize("more", [0, ONE_MORE])
def test_a_worker_that_does_not_start_in_time_is_given_up(more: float) -> None:
    late = limited_workers.SECONDS_TO_START + more
    clock = Clock(0.0, late, late + ONE_MORE)
    workers = LimitedWorkers(1, prepare=hang, clock=clock)
    try:
        with pytest.raises(TimeLimit, match="too long to start"):
            workers.run(hang, seconds=1)
    finally:
        workers.close()
    assert clock.now == (late if more > 0 else late + ONE_MORE)


class LostCluster(cluster.Cluster):
    """A cluster that has no workers for a while, or whose scheduler is gone."""

    def __init__(self, threads: list[int | None], clock: Clock) -> None:
        self._address, self._clock, self._threads = "tcp://there", clock, iter(threads)
        self.told: list[str] = []
        self._notice = self.told.append
        self._client = SimpleNamespace(status="running")  # type: ignore[assignment]

    def threads_now(self) -> int | None:
        return next(self._threads)


@pytest.mark.parametrize(
    ("threads", "patience"), [(0, cluster.WORKER_SECONDS), (None, cluster.CONNECT_SECONDS)]
)
def test_a_lost_cluster_is_waited_for_as_long_as_is_said(
    threads: int | None, patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_GLANCE", 0)
    patient = LostCluster([threads] * 3 + [4], Clock(0.0, patience + ONE_LESS, patience))
    assert patient.size() == 4
    assert patient.told[-1] == "The Dask cluster at tcp://there is back."
    lost = LostCluster([threads] * 3, Clock(0.0, patience, patience + ONE_MORE))
    with pytest.raises(NoWorkers, match=f"giving up after {patience} seconds"):
        lost.size()


# The server


def followed(versions: list[int]) -> Any:
    """A tournament that has these versions, one at each look."""
    waiting = iter(versions)

    async def look() -> None:
        one.version = next(waiting)
        one.document = b"%d" % one.version

    one = SimpleNamespace(watchers=0, version=0, document=b"", pause=0, has_more=True, look=look)
    return one


async def test_a_sign_of_life_is_sent_when_nothing_happened_for_a_while() -> None:
    life = tournaments.SIGN_OF_LIFE
    first = 5 + life + ONE_MORE
    second = first + life + ONE_MORE
    clock = Clock(0.0, 5.0, 5 + life + ONE_LESS, 5 + life, first, first + life, second, 99.0)
    shown = tournaments.Tournaments(None, clock)
    shown._followed["one"] = followed([1] * 6 + [2])
    watched = shown.watch("one")
    assert await anext(watched) == b"1"
    for when in (first, second):
        assert await anext(watched) is None
        assert clock.now == when
    assert await anext(watched) == b"2"


async def test_a_large_tournament_is_read_as_far_as_the_time_allows() -> None:
    limit = tournaments.SECONDS_TO_READ
    shown = tournaments.Tournaments(None, Clock(0.0, limit + ONE_LESS, limit))
    shown._followed["one"] = followed([1, 2, 3])
    assert await shown.document("one") == b"2"


def test_a_terminal_counts_down_to_when_a_game_may_be_claimed() -> None:
    clock = Clock()
    client = LiveClient(GameLink("http://localhost", "abc", "s.x", None), clock)
    claim = ClaimState(seconds_left=60, can=[], sentence="Bob is away.")
    client._view = SimpleNamespace(claim=claim)  # type: ignore[assignment]
    client._note_claim(claim)
    for clock.now in (0.0, 60 + ONE_LESS, 60.0, 60 + ONE_MORE):
        assert client.absence == ("Bob is away.", 60 - clock.now)


def test_a_terminal_counts_from_the_latest_that_it_was_told_about_a_claim() -> None:
    """With the whole game, or when somebody has come or left."""
    text = shipped_text("flag-chase", None)
    played, sides = PlayedRulebook(text, stored_rulebook(text)), frozenset({Side.ONE})
    views, gone = (
        LiveViews(LiveGame(Session(played.game)), played),
        Presence(P1=True, P2=False, watching=0),
    )
    clock = Clock()
    client = LiveClient(GameLink("http://localhost", "abc", "s.x", None), clock)
    for number, seconds in enumerate((60, 20, 45, 60)):
        clock.now = 100.0 * number
        claim = ClaimState(seconds_left=seconds, can=[], sentence="Bob is away.")
        if number % 2:
            client._take(LivePresence(P1=True, P2=False, watching=0, claim=claim))
        else:
            client._take(views.whole("abc", sides, gone, claim))
        clock.now += 5.0
        assert client.absence == ("Bob is away.", seconds - 5.0)


@pytest.mark.parametrize("more", [ONE_LESS, 0, ONE_MORE])
def test_a_search_for_the_designer_ends_with_its_time(
    more: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Single changes, and each stage of a repair."""
    clock, is_late = Clock(), dict[object, bool]()

    class Repair:
        search = None

        def __init__(self, *_: object, is_over: Callable[[SearchStage], bool], **__: object):
            for stage, share in design_work._SHARES.items():
                clock.now = share * design_work.REPAIR_SECONDS + more
                is_late[stage] = is_over(stage)

    def change(rulebook: object, report: object, is_over: Callable[[], bool]) -> None:
        clock.now = design_work.CHANGES_SECONDS + more
        is_late["changes"] = is_over()

    text = shipped_text("ctf-tokens", None)
    rulebook = rulebook_of(text)
    refuted = SimpleNamespace(verdict=Verdict.REFUTED)
    claims = claims_of(rulebook.rules, rulebook.claims)
    findings = [SimpleNamespace(claim=claim, ruling=refuted) for claim in claims]
    audit = SimpleNamespace(findings=findings, figures=SimpleNamespace(value=None))
    monkeypatch.setattr(design_work, "_audited", lambda text: audit)
    monkeypatch.setattr(design_work, "RepairWork", Repair)
    monkeypatch.setattr(design_work, "LongRun", lambda work: SimpleNamespace(run=lambda *_: None))
    monkeypatch.setattr(design_work, "single_changes", change)
    monkeypatch.setattr(design_work, "documents", MagicMock())
    for search in (design_work.repaired, design_work.changed_once):
        clock.now = 0.0
        search(text, clock=clock)
    assert is_late == dict.fromkeys((*SearchStage, "changes"), more > 0)


def test_progress_is_not_told_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """But at once when something else is done."""
    told: list[Any] = []
    monkeypatch.setattr(design_work, "tell_parent", told.append)
    pause, clock = design_work._PAUSE, Clock()
    reports = design_work._Reports(clock)
    for now, doing, number in (
        (8.0, "one", 1),
        (8.0 + pause / 2, "one", 1),
        (8.0 + pause * 2, "one", 2),
        (8.0 + pause * 2, "two", 3),
    ):
        clock.now = now
        reports.show(Progress(doing))
        assert len(told) == number


# Agents


@pytest.mark.parametrize(("more", "problem"), [(ONE_LESS, ""), (0, "late"), (ONE_MORE, "late")])
def test_a_command_has_its_time_for_the_whole_answer(
    more: float, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for each line of it."""
    clock = Clock()

    class Slow:
        """Says a line after half of the time, and the last line when the rest is nearly over."""

        def __init__(self, *_: object, **__: object) -> None:
            self._lines = iter((("5", 30.0), (agent.END_OF_ANSWER, 60 + more)))

        def send(self, line: str) -> None: ...

        def receive(self, seconds: float) -> str:
            line, when = next(self._lines)
            if clock.now + seconds <= when:
                raise EngineSilent("The engine did not answer in time.")
            clock.now = when
            return line

        def close(self, hasty: bool = False) -> None: ...

    monkeypatch.setattr(agent, "Process", Slow)
    question: Any = SimpleNamespace(text="Choose.")
    assert agent.CommandAgent("slow", clock).answer(question, 60.0).problem == problem


def test_a_reply_in_drops_is_read_until_its_time_is_over() -> None:
    class Drops:
        def __init__(self) -> None:
            self._left = iter((b"a", b"b", b"c"))

        def read1(self, most: int) -> bytes:
            return next(self._left, b"")

    for more, is_late in ((ONE_LESS, False), (0, False), (ONE_MORE, True)):
        chat = ChatAgent("http://127.0.0.1:9/", clock=Clock(0.0, 1.0, 60 + more))
        try:
            assert (chat._read(Drops(), 60.0), is_late) == (b"abc", False)
        except TimeoutError:
            assert is_late


# The terminal


def test_a_line_about_long_work_is_printed_from_time_to_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where standard error is not a terminal, and no sooner."""
    clock = Clock()
    with progress.Bar("waiting", clock) as bar:
        for clock.now, lines in ((30.0, 0), (30.5, 1), (60.5, 0), (61.0, 1), (61.5, 0)):
            bar.stage("waiting", 1, 2)
            assert capsys.readouterr().err.count("waiting: 1 of 2") == lines, clock.now


# The full screen


async def test_the_games_of_yesterday_are_called_so_after_midnight() -> None:
    """While the program stays open."""
    now = datetime(2026, 3, 4, 23, 59)
    match = Match(Session(Game(find_rulebook("blockade-duel"))), Saves(), clock=lambda: now)
    async with viewer(match, size=(120, 40), clock=lambda: now) as game:
        await game.press("1", "r", "y")
        await game.review()
        await game.press("escape")
        await game.screen("HomeScreen")
        await game.see("Last game (today 23:59)")
        now += timedelta(minutes=1)
        await game.press("g")
        await game.see("yesterday 23:59")
        now += timedelta(days=1)
        await game.press("x")
        await game.see("Delete this game for good?", "Blockade Duel, 2026-03-04: Player 1 won")
