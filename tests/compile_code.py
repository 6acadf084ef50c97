"""Compiles what most tests need, once, before several workers would each do it for themselves.

Where that was done for the sources as they are now, there is nothing to do.
"""

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from lineduel.cli.main import main
from lineduel.compiled.code_cache import code_folder
from lineduel.envs.batch import GameBatch
from lineduel.envs.gymnasium import DuelVectorEnv
from lineduel.envs.regret import ExactFeedback
from lineduel.rulebooks import find_rulebook

TABLE = (
    "track.last=12",
    "player1.pieces=A:0,B:1,C:2,D:3",
    "player2.pieces=E:12,F:11,G:10,H:9",
    "player1.goal=9,10,11,12",
    "player2.goal=0,1,2,3",
)
"""Too many positions of Cross Over to be solved one by one."""
BATTLES = ("meet.enemy=battle", "battle.numbers=3", "battle.wins=higher", "battle.loser=captured")
"""Changes to Cross Over after which it is solved as a graph with battles."""
COMMANDS = (
    ("audit", "ctf-soldiers"),
    ("audit", "flag-chase", "--set", "battle.wins=undercut"),
    ("repair", "ctf-tokens"),
    ("sweep", "ctf-tokens", "--vary", "track.length=11..12"),
    ("discover", "--meet", "battle", "--candidates", "60", "--cores", "1"),
    ("discover", "--meet", "captured", "--candidates", "60", "--cores", "1"),
    ("solve", "cross-over", *(f"--set={one}" for one in TABLE), "--certificate", "table"),
    ("check", "table"),
    ("solve", "cross-over", *(f"--set={one}" for one in TABLE), "--set=move.steps=1,2,-1"),
    ("solve", "cross-over", *(f"--set={one}" for one in BATTLES), "--certificate", "bounds"),
    ("check", "bounds"),
    ("solve", "cross-over", *(f"--set={one}" for one in BATTLES), "--set=move.edge=stay"),
)

MARK = "compiled-for-tests"
"""The file beside the compiled code that says that all of it is there."""


def compile_environments() -> None:
    """What plays many games at once, from a table and from the cells."""
    forms: tuple[Literal["table"], Literal["cells"]] = ("table", "cells")
    for form in forms:
        batch = GameBatch(find_rulebook("flag-chase"), 2, form=form)
        batch.step(batch.random_actions())
        batch.step_randomly()
        batch.masks()
        batch.observations()
    many = DuelVectorEnv("ctf-tokens", 2)
    many.reset(seed=0)
    many.step([0, 0])
    ExactFeedback(find_rulebook("flag-chase")).measure("random")


def compile_all() -> None:
    """Run the commands, in a folder that is gone afterwards."""
    with TemporaryDirectory() as folder:
        os.environ |= {"LINEDUEL_DATA": folder, "LINEDUEL_CACHE": folder}
        os.chdir(folder)
        for command in COMMANDS:
            with Path("shown").open("w") as shown, redirect_stdout(shown):
                status = main(command)
            if status:
                sys.exit(f"lineduel {' '.join(command)}: {status}")
        compile_environments()


if __name__ == "__main__":
    code = code_folder()
    if code is None or not (code / MARK).exists():
        compile_all()
        if code is not None:
            (code / MARK).write_text("\n".join(map(" ".join, COMMANDS)))
