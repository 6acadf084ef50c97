"""Long work: on processes, on a cluster, stopped and continued."""
