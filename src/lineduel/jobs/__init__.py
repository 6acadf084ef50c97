"""Long work that survives whatever stops it: workers here or on a cluster, results in a ledger."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.jobs.cluster_workers import ClusterWorkers as ClusterWorkers
    from lineduel.jobs.ledger import (
        LEDGER_KIND as LEDGER_KIND,
        FollowedLedger as FollowedLedger,
        Header as Header,
        Ledger as Ledger,
        ReadableLedger as ReadableLedger,
    )
    from lineduel.jobs.limited_workers import (
        LimitedWorkers as LimitedWorkers,
        tell_parent as tell_parent,
    )
    from lineduel.jobs.long_work import (
        Keep as Keep,
        LongRun as LongRun,
        LongWork as LongWork,
        Progress as Progress,
        ProgressReport as ProgressReport,
    )
    from lineduel.jobs.pool import (
        CHUNK_SECONDS as CHUNK_SECONDS,
        LARGEST as LARGEST,
        Pool as Pool,
        uninterrupted as uninterrupted,
    )

offer(__name__)
