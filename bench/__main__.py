"""`make bench`: ratios to peers, measured in one run on one machine."""

import subprocess
import sys

PARTS = (
    *("startup", "engine", "solver", "battles", "solve_once", "arena"),
    *("lab", "candidates", "environments", "live_games", "live_postgresql", "many_games"),
    "first_page",
)

for part in PARTS:  # in a process each, so that none feels what another has imported
    subprocess.run([sys.executable, "-c", f"from bench.{part} import main; main()"], check=True)
    print(flush=True)
