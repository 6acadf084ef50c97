"""Builds the wheel and the source distribution, checks what is in them, and tries the wheel.

`make dist` runs it. The wheel is installed into clean environments, without extras and with
`[full]`; a game, a solution and the full screen are run in each.
"""

import contextlib
import os
import pty
import select
import subprocess
import sys
import tarfile
import time
import venv
import zipfile
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path
from struct import pack
from tempfile import TemporaryDirectory
from termios import TIOCSWINSZ

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
IN_THE_WHEEL = (
    "lineduel/py.typed",
    "lineduel/rulebooks/cross-over.toml",
    *(f"lineduel/templates/{path.name}" for path in (ROOT / "src/lineduel/templates").iterdir()),
    "lineduel/tui/style.tcss",
    "lineduel/web/page/index.html",
    "data/share/bash-completion/completions/lineduel",
    "data/share/fish/vendor_completions.d/lineduel.fish",
    "data/share/lineduel/schemas/rulebook.json",
    "data/share/lineduel/schemas/solve.json",
    "data/share/man/man1/lineduel.1",
    "data/share/zsh/site-functions/_lineduel",
    "licenses/LICENSE",
)
"""How names of files in the wheel end that have to be there."""
NOT_PACKED = (
    *("tests", "bench", "examples", ".github", ".ci"),
    *("node_modules", "package.json", "tsconfig.json", "biome.json"),
)
"""Folders and files that belong to developers."""
_PATIENCE = 120.0
"""Seconds until the full screen has to be there, on a busy machine too."""


def main() -> None:
    """Build, check and try; ends with an error at the first thing that is wrong."""
    build()
    (wheel,) = DIST.glob("*.whl")
    (source,) = DIST.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, source], check=True)
    missing, unwanted = wheel_problems(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(source) as packed:
        unwanted += unwanted_files(name.partition("/")[2] for name in packed.getnames())
    if missing or unwanted:
        sys.exit(f"Missing: {missing}. Not wanted: {unwanted}.")
    for extras in ("", "[full]"):
        try_wheel(wheel, extras)
    print(f"All checks passed: {wheel.name}, {source.name}.")


def build() -> None:
    """Both distributions, in an empty folder."""
    DIST.mkdir(exist_ok=True)
    for old in DIST.iterdir():
        old.unlink()
    subprocess.run([sys.executable, "-m", "build", "--outdir", DIST, ROOT], check=True)


def wheel_problems(names: list[str]) -> tuple[list[str], list[str]]:
    """What is missing in a wheel, and what should not be there."""
    missing = [one for one in IN_THE_WHEEL if not any(name.endswith(one) for name in names)]
    return missing, unwanted_files(names)


def unwanted_files(names: Iterator[str] | list[str]) -> list[str]:
    """The files that belong to developers."""
    return [
        name for name in names if name.partition("/")[0] in NOT_PACKED or name.endswith(".d.ts")
    ]


def try_wheel(wheel: Path, extras: str) -> None:
    """Install the wheel into a clean environment, and use it there."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"{wheel}{extras}"], check=True)
        program = folder / "env" / "bin" / "lineduel"
        places = {f"LINEDUEL_{one}": str(folder / one) for one in ("DATA", "CACHE", "CONFIG")}
        environment = {**os.environ, **places, "TERM": "xterm-256color"}
        expect(program, environment, "play blockade-duel", "1\n2\n2\n2\n2\n", "Player 1 wins!")
        expect(program, environment, "solve ctf-tokens", "", "Player 1 wins in 5 plies.")
        if extras:
            audit = f"audit ctf-tokens --html {folder / 'audit.html'}"
            expect(program, environment, audit, "", "4 of 4 claims hold")
        open_screen(program, environment)
        print(f"Installed and used: {wheel.name}{extras}")


def expect(program: Path, environment: dict[str, str], words: str, typed: str, said: str) -> None:
    """Run a command, which has to succeed and to say something."""
    done = subprocess.run(
        [program, *words.split()], env=environment, input=typed, capture_output=True, text=True
    )
    if done.returncode or said not in done.stdout:
        sys.exit(f"lineduel {words} failed:\n{done.stdout}{done.stderr}")


def open_screen(program: Path, environment: dict[str, str]) -> None:
    """Open the full screen in a pseudo-terminal, wait for the list of games, and leave."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(program, [str(program)], environment)
    ioctl(terminal, TIOCSWINSZ, pack("HHHH", 30, 100, 0, 0))
    seen, until = b"", time.monotonic() + _PATIENCE
    asked_to_leave = False
    while time.monotonic() < until:
        if select.select([terminal], [], [], 1)[0]:
            with contextlib.suppress(OSError):  # the program has closed its terminal
                seen += os.read(terminal, 1 << 16)
        if b"Cross Over" in seen and not asked_to_leave:
            os.write(terminal, b"q")
            asked_to_leave = True
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            if os.waitstatus_to_exitcode(status) == 0 and asked_to_leave:
                return
            break
    sys.exit(f"The full screen did not open and close:\n{seen[-2000:]!r}")


if __name__ == "__main__":
    main()
