"""The commands have one shape: their help, their options, colours, completion and manual."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pexpect
import pytest

from lineduel.cli.command_tree import Argument, CommandHelp, ValueKind, command_tree
from lineduel.cli.completion import SHELLS, game_words
from lineduel.cli.main import COMMANDS, build_parser
from support.program import PATIENCE, Program

TREE = {command.name: command for command in command_tree()}
OPTIONS = [(name, option) for name, command in TREE.items() for option in command.options]
COLOUR = "\x1b["


# The help


@pytest.mark.parametrize(
    ("command", "option"), OPTIONS, ids=[f"{name} {one.names[-1]}" for name, one in OPTIONS]
)
def test_every_option_says_what_it_does_in_what_unit_and_by_default(
    command: str, option: Argument
) -> None:
    """In the style of `CPU cores to use (default: all)`."""
    about = option.help
    assert len(about.split()) >= 3
    assert not about.endswith(".")
    assert about[0].islower() or about.split()[0].isupper()
    for value, unit in (("MS", "milliseconds"), ("S", "seconds")):
        assert option.value != value or unit in about
    if option.value in ("N", "MS", "S", "P", "SIZE") or option.kind is ValueKind.CHOICE:
        assert "(default: " in about or "repeatable" in about


def test_a_default_that_the_help_names_is_the_one_there_is() -> None:
    """For every option that has one in the parser."""
    checked = 0
    (choices,) = (one for one in build_parser()._actions if one.dest == "command")
    assert isinstance(choices.choices, dict)
    for parser in choices.choices.values():
        for action in parser._actions:
            told = re.search(r"\(default: ([\w.]+)", action.help or "")
            if told and type(action.default) in (int, str) and action.default != "==SUPPRESS==":
                assert told[1] == str(action.default), action.help
                checked += 1
    assert checked >= 5


def test_every_command_can_be_asked_for_help(program: Program) -> None:
    """`help CMD` and `CMD --help` say the same; `help` alone lists the commands."""
    for command in ("play", "tournament", "help"):
        asked = program("help", command)
        assert (asked.status, asked.err) == (0, "")
        assert asked.out == program(command, "--help").out
    listed = program("help").out
    assert listed == program("--help").out
    assert all(re.search(rf"^  .*\b{command}\b", listed, re.MULTILINE) for command in COMMANDS)


def test_the_version_has_a_short_option(program: Program) -> None:
    assert program("-V").out == program("--version").out
    assert re.fullmatch(r"lineduel \d+\.\d+\.\d+(rc\d+)?\n", program("-V").out)


# What was probably meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["plya", "cross-over"], "'play'"),
        (["Solve", "cross-over"], "'solve'"),
        (["turnament"], "'tournament'"),
        (["help", "adit"], "'audit'"),
        (["cross-over"], "'lineduel play cross-over'"),
    ],
)
def test_a_command_there_is_not_is_answered_with_the_nearest(
    program: Program, typed: list[str], meant: str
) -> None:
    done = program(*typed)
    assert (done.status, done.out) == (2, "")
    assert f"Did you mean {meant}?" in done.complaints[0]


def test_ids_may_be_written_in_capitals(program: Program) -> None:
    """Of games and of variants."""
    for game, meant in (
        ("Cross-Over", "cross-over"),
        ("FLAG-CHASE:May-Stay", "flag-chase:may-stay"),
    ):
        done = program("rules", game)
        assert (done.status, done.err) == (0, "")
        assert done.out == program("rules", meant).out


@pytest.mark.parametrize(
    ("command", "old", "new"),
    [
        ("repair", "--most 2", "--max-changes"),
        ("sweep", "--most 9", "--max-combinations"),
        ("sweep", "--positions 5", "--max-positions"),
        ("sweep", "--seconds 5", "--max-seconds"),
        ("tournament", "--plies 5", "--max-turns"),
        ("tournament", "--game cross-over", "lineduel tournament GAME --players"),
        ("audit", "--readings", "--variants"),
    ],
)
def test_an_options_old_name_is_refused_with_the_new_one(
    program: Program, command: str, old: str, new: str
) -> None:
    """It is not in the help any more."""
    done = program(command, "cross-over", *old.split())
    assert (done.status, done.out) == (2, "")
    assert re.search(rf"{old.split()[0]} is now .*{new}", done.err)
    assert not re.search(rf"{old.split()[0]}(?![\w-])", program("help", command).out)


def test_a_tournaments_turns_are_bounded_by_the_old_name_too(program: Program) -> None:
    """Scripts go on working; the help has the new name alone."""
    asked = (
        "tournament",
        "cross-over",
        "--players",
        "level:1",
        "level:2",
        "--games",
        "2",
        "--json",
    )
    old, new = (
        program(*asked, option, "1", "--file", f"{option[2:]}.jsonl")
        for option in ("--max-plies", "--max-turns")
    )
    assert old.status == new.status == 0, old.err
    assert '"unfinished": 2' in old.out
    assert old.out == new.out.replace("max-turns.jsonl", "max-plies.jsonl")
    assert "--max-plies" not in program("help", "tournament").out


# Colour


def test_verdicts_are_in_colour_where_that_is_wanted(program: Program) -> None:
    """Before the command or after it; the letters are the same."""
    program("solve", "ctf-tokens", "--certificate", "proof.txt")
    (program.folder / "forged.txt").write_text("lineduel certificate 1\n")
    for words, verdict in (
        (("check", "proof.txt"), "\x1b[32mAccepted\x1b[0m"),
        (("check", "forged.txt"), "\x1b[31mRefused\x1b[0m"),
        (("solve", "cross-over"), "\x1b[31mloses in 18\x1b[0m"),
        (("audit", "flag-chase"), "1. \x1b[32m✓\x1b[0m Skill wins: \x1b[32mproved\x1b[0m."),
        (("audit", "flag-chase"), "2. \x1b[31m✗\x1b[0m No draw: \x1b[31mrefuted\x1b[0m."),
        (("audit", "flag-chase", "--variants"), "\x1b[33mholds in part\x1b[0m"),
        (("engine-check", "false"), "\x1b[31m1 check failed.\x1b[0m"),
    ):
        coloured = program(*words, "--color", "always").out
        assert verdict in coloured
        assert program("--color", "always", *words).out == coloured
        plain = program(*words).out
        assert COLOUR not in plain
        assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


def test_every_command_takes_colour() -> None:
    assert all(
        any("--color" in option.names for option in command.options) for command in TREE.values()
    )


# Files of long work


@pytest.mark.parametrize(
    ("command", "rest"),
    [
        ("tournament", ("ctf-tokens", "--players", "1", "2", "--games", "2", "--cores", "1")),
        ("sweep", ("ctf-tokens", "--vary", "track.length=9", "--cores", "1")),
    ],
)
def test_new_work_takes_a_new_file_and_resume_the_last(
    program: Program, command: str, rest: tuple[str, ...]
) -> None:
    """And says which, with its folder."""
    first, second = program(command, *rest), program(command, *rest)
    said = f"Using the file {command}.jsonl in {program.folder}.\n"
    assert (first.status, first.err) == (0, said)
    said = f"Using the file {command}-2.jsonl in {program.folder}.\n"
    assert (second.status, second.err) == (0, said)
    kept = sorted(path.name for path in program.folder.glob("*.jsonl"))
    assert kept == [f"{command}-2.jsonl", f"{command}.jsonl"]
    resumed = program(command, "--resume")
    assert (resumed.status, resumed.err) == (0, said)
    assert sorted(path.name for path in program.folder.glob("*.jsonl")) == kept
    named = program(command, *rest, "--file", f"{command}.jsonl")
    assert named.status == 2
    assert "--resume" in named.err


# Completion


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What `lineduel completion` prints for each shell."""
    folder = tmp_path_factory.mktemp("completion")
    printed = {}
    for shell in SHELLS:
        done = Program(folder)("completion", shell)
        assert (done.status, done.err) == (0, "")
        printed[shell] = folder / shell
        printed[shell].write_text(done.out)
    return printed


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_script_names_every_command_and_option(
    scripts: dict[str, Path], shell: str
) -> None:
    """And no option that was renamed; a shell that is installed accepts it."""
    text = scripts[shell].read_text()
    for command in TREE.values():
        assert command.name in text
        for option in command.options:
            for name in option.names:
                shown = f"-l {name[2:]}" if shell == "fish" and name[:2] == "--" else name
                assert (shell == "fish" and name[1] != "-") or shown in text
    for address in game_words():
        assert address in text
    assert "--most" not in text
    if shutil.which(shell):
        assert subprocess.run([shell, "-n", str(scripts[shell])], check=False).returncode == 0


def test_every_quote_of_the_zsh_script_is_closed(scripts: dict[str, Path]) -> None:
    """Each specification is one word that names an option or a place."""
    lines = scripts["zsh"].read_text().splitlines()
    specs = [line.strip().rstrip("\\").strip() for line in lines if line.lstrip().startswith("'")]
    assert len(specs) > 100
    for spec in specs:
        (word,) = shlex.split(spec)
        assert re.match(r"\*?--?[\w-]+\[.+\]|\d::?[\w ]*:|\*:: :->rest|\*:\w+:|[\w-]+:\w", word), (
            word
        )


def completed(script: Path, line: str) -> list[str]:
    """What bash offers to complete a line."""
    asked = (
        'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _lineduel; '
        'for one in "${COMPREPLY[@]}"; do echo "$one"; done'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", asked, "bash", str(script), line],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("lineduel pl", ["play"]),
        ("lineduel --plain pl", ["play"]),
        ("lineduel --color always pl", ["play"]),
        ("lineduel --color n", ["never"]),
        ("lineduel play --co", ["--coach", "--copy", "--color"]),
        ("lineduel play cross", ["cross-over", "cross-over:own-may-share", "cross-over:no-jump"]),
        ("lineduel play cross-over:n", ["no-jump"]),
        ("lineduel play cross-over --p2 ex", ["expert"]),
        ("lineduel play cross-over --p2=ma", ["master"]),
        ("lineduel play --first ", ["1", "2", "random"]),
        ("lineduel tournament flag-chase --players easy hard pe", ["perfect"]),
        ("lineduel help la", ["ladder"]),
        ("lineduel completion z", ["zsh"]),
        ("lineduel replay ga", []),
        ("lineduel play --seed ", []),
    ],
)
def test_bash_completes(scripts: dict[str, Path], line: str, offered: list[str]) -> None:
    """Commands, options, games with their variants, levels; names of files are left to bash."""
    assert completed(scripts["bash"], line) == offered


@pytest.mark.terminal
def test_bash_completes_at_a_terminal(scripts: dict[str, Path]) -> None:
    """Somebody presses Tab in a real bash."""
    settings = {"PATH": os.environ["PATH"], "TERM": "dumb", "PS1": "> ", "INPUTRC": os.devnull}
    shell = pexpect.spawn(
        "bash", ["--norc", "-i"], env=settings, cwd=scripts["bash"].parent, timeout=PATIENCE
    )
    try:
        shell.sendline("lineduel() { echo ran \"$@\"; }; source ./bash; echo re''ady")
        shell.expect_exact("ready")
        shell.send("lineduel pl\tcross-over:no\t--p2 exp\t\r")
        shell.expect_exact("ran play cross-over:no-jump --p2 expert")
        shell.send("lineduel replay fi\t\r")
        shell.expect_exact("ran replay fish")
    finally:
        shell.close(force=True)


# The manual


def manual(program: Program) -> str:
    done = program("man")
    assert (done.status, done.err) == (0, "")
    return done.out


def test_the_manual_has_every_command_and_option(program: Program) -> None:
    """In the usual sections, and with nothing that roff would take for its own."""
    page = manual(program)
    sections = re.findall(r"^\.SH (.*)$", page, re.M)
    assert sections[:5] == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS"]
    assert {"ENVIRONMENT", "EXIT STATUS", "EXAMPLES"} <= set(sections)
    for command in TREE.values():
        assert not command.name or f".SS {command.name}\n".replace("-", r"\-") in page
        for option in command.options:
            assert option.names[-1].replace("-", r"\-") in page


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_groff_formats_the_manual_without_a_warning(program: Program) -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-P-c"],
        input=manual(program),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    text = re.sub(".\b", "", done.stdout)
    assert "largest number of rule changes to try (default: 3)" in " ".join(text.split())
    assert "lineduel play flag-chase --p2 'engine:python my_engine.py'" in text


def test_the_tree_is_that_of_the_program() -> None:
    """What completion and manual are made from is what the program takes."""
    assert list(TREE) == ["", *COMMANDS]
    play = TREE["play"]
    assert isinstance(play, CommandHelp)
    assert [(one.value, one.kind) for one in play.arguments] == [("GAME", ValueKind.GAME)]
