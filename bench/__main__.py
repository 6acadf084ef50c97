"""`make bench`: ratios to peers, measured in one run on one machine."""

from bench import engine, startup

for part in (startup, engine):
    part.main()
    print()
