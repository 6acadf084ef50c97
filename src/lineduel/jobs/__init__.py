"""Long work that survives whatever stops it: workers here or on a cluster, results in a ledger."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.jobs.followed_ledger import FollowedLedger
    from lineduel.jobs.ledger import LEDGER_KIND, Header, Ledger, ReadableLedger
    from lineduel.jobs.limited_workers import LimitedWorkers, tell_parent
    from lineduel.jobs.pool import LARGEST, Pool, uninterrupted

__all__ = [
    "LARGEST",
    "LEDGER_KIND",
    "FollowedLedger",
    "Header",
    "Ledger",
    "LimitedWorkers",
    "Pool",
    "ReadableLedger",
    "tell_parent",
    "uninterrupted",
]

offer(
    __name__,
    {
        "followed_ledger": ("FollowedLedger",),
        "ledger": ("LEDGER_KIND", "Header", "Ledger", "ReadableLedger"),
        "limited_workers": ("LimitedWorkers", "tell_parent"),
        "pool": ("LARGEST", "Pool", "uninterrupted"),
    },
)
