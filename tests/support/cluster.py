"""A Dask cluster of local processes, on loopback."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.program import ForkedProgram, Program, may_fork, wait_until

Process = subprocess.Popen[str]


@dataclass(frozen=True)
class Cluster:
    """Where it answers, and its processes."""

    address: str
    scheduler: Process
    workers: tuple[Process, ...]


@contextmanager
def cluster(program: Program, *workers: Mapping[str, str]) -> Iterator[Cluster]:
    """A scheduler and workers with these settings, two unless told, all ready; gone at the end."""
    file = program.folder / "scheduler.json"
    command = "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)
    with ExitStack() as stack:
        scheduler = stack.enter_context(_started(program, program.folder / "log", {}, *command))
        wait_until(lambda: address_in(file))
        address = address_in(file)
        started = [
            stack.enter_context(worker(program, address, settings))
            for settings in workers or ({}, {})
        ]
        yield Cluster(address, scheduler, tuple(started))


@contextmanager
def worker(
    program: Program, address: str, settings: Mapping[str, str] | None = None
) -> Iterator[Process]:
    """A worker with these environment variables, ready for the scheduler there."""
    number = len([*program.folder.glob("worker-*")])
    log = program.folder / f"worker-{number}"
    command = "worker", "--no-nanny", "--nthreads", "1", "--local-directory", "dask", address
    with _started(program, log, settings or {}, *command) as process:
        wait_until(lambda: "Registered to:" in log.read_text())
        yield process


@contextmanager
def _started(
    program: Program, log: Path, settings: Mapping[str, str], kind: str, *arguments: str
) -> Iterator[Process]:
    start = ForkedProgram if may_fork(settings) else subprocess.Popen
    with log.open("wb") as output:
        process = start(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *arguments],
            cwd=program.folder,
            env=program.environment(**settings),
            stdout=output,
            stderr=output,
            text=True,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def address_in(file: Path) -> str:
    """Where the scheduler answers; empty while it has not written that down."""
    try:
        return str(json.loads(file.read_text())["address"])
    except (FileNotFoundError, ValueError):
        return ""
