"""What a process knows of the others: nobody is away only because their process was not heard."""

from random import Random
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from lineduel.web.database import _LONGEST_NOTICE, _payloads
from lineduel.web.other_processes import GONE_AFTER, OtherProcesses


class World:
    """A process "me" that heard another, and a clock that is turned."""

    def __init__(self) -> None:
        self.now = 0.0
        self.forgotten: list[str] = []
        self.doubted: list[tuple[bool, float]] = []
        """Whether absences were known when they were doubted, and the grace."""
        self.told: list[str] = []
        self.games: Any = SimpleNamespace(
            knows_absences=True,
            forget_process=self.forgotten.append,
            doubt_absences=lambda grace: self.doubted.append((self.games.knows_absences, grace)),
            begin=lambda work: work.close(),
        )
        process: Any = object.__new__(OtherProcesses)
        process._database = SimpleNamespace(
            process="me",
            submit=lambda entry: self.told.extend(entry.change.notices),
            address=SimpleNamespace(
                set=lambda **_: SimpleNamespace(render_as_string=lambda **_: "postgresql://")
            ),
        )
        process._hosted_games, process._clock = self.games, lambda: self.now
        process._loop = SimpleNamespace(
            call_later=lambda *_: None,
            call_soon_threadsafe=lambda function, *arguments: function(*arguments),
        )
        process._alive, process._is_closed = {"me": 0.0, "other": -1.0}, False
        self.process = process


def test_who_was_not_heard_by_a_deaf_process_is_not_gone() -> None:
    """Silence counts from the moment when it hears again; until then nobody is judged."""
    world = World()
    process, games = world.process, world.games
    for world.now in (GONE_AFTER, GONE_AFTER + 1, GONE_AFTER * 3):
        process._beat()
        assert games.knows_absences == (world.now <= GONE_AFTER)
    process._hear("me\nalive")
    assert games.knows_absences
    assert world.doubted == [(False, GONE_AFTER)], "nobody can claim before the others were asked"
    process._beat()
    assert world.forgotten == []
    world.now += GONE_AFTER + 1
    process._alive["me"] = world.now
    process._beat()
    assert world.forgotten == ["other"]


def test_a_process_is_deaf_as_soon_as_its_connection_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not only once it is connected again: somebody may have come in between."""
    world = World()
    known = list[bool]()

    def refuse(*_: object, **__: object) -> None:
        raise psycopg.OperationalError("connection refused")

    def sleep(seconds: float) -> None:
        known.append(world.games.knows_absences)
        world.process._is_closed = True

    monkeypatch.setattr(psycopg, "connect", refuse)
    monkeypatch.setattr("lineduel.web.other_processes.time.sleep", sleep)
    world.process._listen()
    assert known == [False]


def test_a_process_that_is_heard_again_is_asked_who_is_there() -> None:
    """It need not have noticed that it was silent; its guests were counted as gone."""
    world = World()
    world.now = world.process._alive["me"] = GONE_AFTER
    world.process._beat()
    assert world.forgotten == ["other"]
    world.told.clear()
    world.process._hear("other\nalive")
    assert world.told == ["who"]
    world.process._hear("other\nalive")
    assert world.told == ["who"], "once is enough"


@pytest.mark.parametrize("most", [1, 40, 4000, _LONGEST_NOTICE - 40])
def test_every_message_says_whose_notices_it_has(most: int) -> None:
    """All notices arrive in their order, in messages that PostgreSQL takes."""
    chance = Random(most)
    notices = [f"more\t{number}{'x' * chance.randrange(most)}" for number in range(200)]
    messages = list(_payloads("me", notices))
    assert all(len(one) <= _LONGEST_NOTICE for one in messages)
    senders, told = set[str](), list[str]()
    for message in messages:
        sender, *lines = message.split("\n")
        senders.add(sender)
        told += lines
    assert (senders, told) == ({"me"}, notices)
    assert list(_payloads("me", [])) == []
