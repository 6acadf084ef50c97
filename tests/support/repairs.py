"""A search for repairs in one go, without a file."""

from typing import Any

from lineduel.jobs import LongRun, Pool, ProgressReport
from lineduel.lab import RepairSearch, RepairWork
from lineduel.rules import Rulebook


def repair(
    rulebook: Rulebook,
    *,
    pool: Pool,
    report: ProgressReport = lambda progress: None,
    **options: Any,
) -> RepairSearch:
    """What a search with these options comes to."""
    return LongRun(RepairWork(rulebook, **options)).run(pool, report).search
