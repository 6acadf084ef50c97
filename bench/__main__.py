"""`make bench`: ratios to peers, measured in one run on one machine."""

from bench import engine, lab, solver, startup

for part in (startup, engine, solver, lab):
    part.main()
    print()
