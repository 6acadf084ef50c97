"""Prints the lowest version of each dependency that pyproject.toml allows, as constraints for pip.

`make lowest` runs the fast part of the tests with them.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
USED = ("full", "web", "postgres", "cluster", "pettingzoo", "gymnasium", "openspiel", "jax", "envs")
"""The extras whose bounds are tested: all but those for a GPU and for developers."""
_BOUND = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)")


def lowest_versions(requirements: Iterable[str]) -> dict[str, str]:
    """The lower bound of each requirement that has one."""
    found = (_BOUND.match(one) for one in requirements)
    return {one[1].lower(): one[2] for one in found if one}


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in USED for one in extras[name])]
    for name, version in sorted(lowest_versions(wanted).items()):
        print(f"{name}=={version}")


if __name__ == "__main__":
    main()
