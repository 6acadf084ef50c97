"""How long `lineduel games` takes to start, beside an empty Python."""

import subprocess
import sys
from pathlib import Path

from bench.timing import interleaved, seconds, verdict

GOAL = 5
ROUNDS = 40


def main() -> None:
    script = Path(sys.executable).with_name("lineduel")
    commands = {"empty": [sys.executable, "-c", "pass"], "games": [str(script), "games"]}

    def run(command: list[str]) -> float:
        return seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))

    taken = interleaved({name: lambda c=c: run(c) for name, c in commands.items()}, ROUNDS)
    ratio = taken["games"] / taken["empty"]
    print("Start-up")
    print(f"  python -c pass   {taken['empty'] * 1000:6.1f} ms")
    print(f"  lineduel games   {taken['games'] * 1000:6.1f} ms")
    print(f"  ratio            {ratio:6.1f}  ({verdict(ratio, GOAL, at_most=True)})")
