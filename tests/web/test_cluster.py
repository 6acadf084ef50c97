"""A server that solves on a Dask cluster: games go on when it is lost, and it is used again."""

import os
import signal
from pathlib import Path

import pytest

from support.cluster import Cluster, cluster, worker
from support.program import Program, wait_until
from support.web_server import Server

OWN = """
title = "Own {number}"
summary = "A rulebook of somebody's own."
[track]
first = 0
last = 4
[player1]
pieces = {{ A = 0 }}
goal = [4]
[player2]
pieces = {{ B = 4 }}
goal = [0]
[turn]
first = "player1"
[move]
steps = [1, 2]
[meet]
enemy = "captured"
"""


def solved(server: Server, number: int) -> None:
    """A question for a solver, about a rulebook that nobody has solved yet."""
    status, answer = server.ask("/api/study", {"toml": OWN.format(number=number)})
    assert status == 200, answer
    assert answer["moves"]


def play_perfect(server: Server, number: int) -> None:
    """A perfect opponent gets ready and answers a move."""
    created = server.create(toml=OWN.format(number=number), opponent="perfect", seat="P1")
    with server.join(created["id"], created["seats"]["P1"]) as client:
        client.move("A+1")
        while client.view["turn"] < 2:
            client.next("turn", "view")


def finished_on(dask: Cluster) -> int:
    """How many tasks the workers of a cluster have finished."""
    from distributed import Client

    with Client(dask.address, set_as_default=False) as client:
        counts = client.run(lambda dask_worker: dask_worker.state.executed_count)
    return sum(counts.values())


def test_games_are_solved_on_the_cluster_and_here_while_it_is_lost(
    program: Program, tmp_path: Path
) -> None:
    with cluster(program, {}) as dask:
        named = f"The Dask cluster at {dask.address}"
        with Server(tmp_path / "data", "--cluster", dask.address) as server:
            wait_until(lambda: server.complained)
            assert server.complained == [f"{named} works for this server.\n"]
            solved(server, 1)
            play_perfect(server, 2)
            assert finished_on(dask) >= 2

            dask.workers[0].kill()
            wait_until(lambda: len(server.complained) == 2)
            why = "has no workers left. Working on this machine until that changes."
            assert server.complained[1] == f"{named} {why}\n"
            solved(server, 3)
            play_perfect(server, 4)

            with worker(program, dask.address):
                wait_until(lambda: len(server.complained) == 3)
                assert server.complained[2] == f"{named} is back.\n"
                before = finished_on(dask)
                solved(server, 5)
                assert finished_on(dask) > before

                dask.scheduler.kill()
                solved(server, 6)
                play_perfect(server, 7)
                wait_until(lambda: len(server.complained) == 4)
                assert server.complained[3] == (
                    f"{named} does not answer any more. "
                    "Working on this machine until that changes.\n"
                )
                assert server.stop() == 143
                assert len(server.complained) == 4


def test_work_under_way_on_a_lost_cluster_is_done_here(program: Program, tmp_path: Path) -> None:
    """Whoever waits for it notices nothing."""
    with (
        cluster(program, {}) as dask,
        Server(tmp_path / "data", "--cluster", dask.address) as server,
    ):
        wait_until(lambda: server.complained)
        os.kill(dask.workers[0].pid, signal.SIGSTOP)
        os.kill(dask.scheduler.pid, signal.SIGSTOP)
        solved(server, 1)


def test_a_server_starts_without_its_cluster_and_says_so_once(tmp_path: Path) -> None:
    with Server(tmp_path, "--cluster", "tcp://127.0.0.1:9") as server:
        solved(server, 1)
        wait_until(lambda: server.complained)
        assert server.complained == [
            "No Dask cluster answers at tcp://127.0.0.1:9. "
            "Working on this machine until that changes.\n"
        ]
        assert server.stop() == 143


@pytest.mark.usefixtures("program")
def test_the_option_is_explained(program: Program) -> None:
    assert "solve games on the Dask cluster at ADDRESS" in program("serve", "--help").out
