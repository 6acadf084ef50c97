"""`make bench`: ratios to peers, measured in one run on one machine."""

from bench import arena, candidates, engine, environments, lab, live_games, solver, startup

if __name__ == "__main__":  # processes that it starts import it too
    for part in (startup, engine, solver, arena, lab, candidates, environments, live_games):
        part.main()
        print()
