"""`make bench`: ratios to peers, measured in one run on one machine."""

from bench import engine, solver, startup

for part in (startup, engine, solver):
    part.main()
    print()
