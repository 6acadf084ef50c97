"""Adds the manual page and the completions to the wheel, made from the command line itself."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {
    "bash": "share/bash-completion/completions/lineduel",
    "zsh": "share/zsh/site-functions/_lineduel",
    "fish": "share/fish/vendor_completions.d/lineduel.fish",
}
"""Where each shell looks for completions, below the prefix of an installation."""
MANUAL = "share/man/man1/lineduel.1"


class ShellFiles(BuildHookInterface[Any]):
    """Makes the files when a wheel is built; the commands need no other package for that."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "src"))
        try:
            texts = shell_files()
        finally:
            del sys.path[0]
        self._folder = TemporaryDirectory()
        for place, text in texts.items():
            file = Path(self._folder.name) / place.replace("/", "-")
            file.write_text(f"{text}\n", encoding="utf-8")
            build_data["shared_data"][str(file)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self._folder.cleanup()


def shell_files() -> dict[str, str]:
    """The text of each file, by its place below the prefix."""
    from lineduel.cli.command_tree import command_tree
    from lineduel.cli.completion import script
    from lineduel.cli.man import manual

    commands = command_tree()
    completions = {place: script(shell, commands) for shell, place in PLACES.items()}
    return {MANUAL: "\n".join(manual(commands)), **completions}
