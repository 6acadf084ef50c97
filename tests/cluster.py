"""A Dask cluster of local processes, on loopback."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from program import PATIENCE, Program

Process = subprocess.Popen[bytes]


@dataclass(frozen=True)
class Cluster:
    """Where it answers, and its workers."""

    address: str
    workers: tuple[Process, ...]


@contextmanager
def cluster(program: Program, workers: int = 2) -> Iterator[Cluster]:
    """A scheduler and some workers, gone at the end."""
    environment = program.environment(DASK_DISTRIBUTED__ADMIN__TICK__LIMIT="1h")
    file = program.folder / "scheduler.json"
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    scheduler += ["--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1"]
    worker += ["--no-dashboard", "--scheduler-file", str(file), "--local-directory", "dask"]
    crew = [
        subprocess.Popen(
            command,
            cwd=program.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in (scheduler, *[worker] * workers)
    ]
    try:
        end = time.monotonic() + PATIENCE
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        yield Cluster(json.loads(file.read_text())["address"], tuple(crew[1:]))
    finally:
        for one in crew:
            one.kill()
            one.wait()
