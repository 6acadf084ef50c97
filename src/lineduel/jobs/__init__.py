"""Long work that survives whatever stops it: workers here or on a cluster, results in a ledger."""
