"""What the documents show is what happens."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from lineduel.cli.main import build_parser
from lineduel.rulebooks import find_rulebook
from support.prefork import QUICK_PROGRAM, SHELL_SOCKET
from support.program import PATIENCE, Program, prefork

ROOT = Path(__file__).parents[2]
PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
AT_THE_TOP = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "release/CHECKLIST.md")
DOCUMENTS = (*AT_THE_TOP, *PAGES)
STEP_BY_STEP = ("docs/tutorials/", "docs/how-to/", "docs/explanation/")
"""Pages that are read from the beginning: all their commands run in one folder."""
README_LINES = 200
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
"""As in an activated virtual environment."""


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def blocks(document: str, language: str) -> list[str]:
    return fenced((ROOT / document).read_text(encoding="utf-8"), language)


def headed(text: str) -> Iterator[tuple[str, str]]:
    """Each heading of a text, and what stands below it; what looks like one in a block is none."""
    parts = re.split(r"(^```.*?^```\n|^#+ [^\n]*\n)", text, flags=re.MULTILINE | re.DOTALL)
    heading, body = "", ""
    for part in parts:
        if re.match(r"#+ ", part):
            yield heading, body
            heading, body = part.lstrip("#").strip(), ""
        else:
            body += part
    yield heading, body


def sections(document: str) -> dict[str, str]:
    """The parts of a document that show commands, by their headings."""
    text = (ROOT / document).read_text(encoding="utf-8")
    parts = {"all": text} if document.startswith(STEP_BY_STEP) else dict(headed(text))
    return {heading: body for heading, body in parts.items() if "```console\n" in body}


def headings(path: Path) -> set[str]:
    """The names under which a page's headings are linked."""
    found = (heading.lower() for heading, _ in headed(path.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", one).replace(" ", "-") for one in found}


HOME = "/home/you"
"""How the documents call the folder in which a reader types."""
SECTIONS = [
    pytest.param(body, id=f"{document}: {heading}")
    for document in DOCUMENTS
    for heading, body in sections(document).items()
]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_shown_command_prints_what_is_shown(section: str, program: Program) -> None:
    """Commands of a section run one after the other in one folder, as a reader would type them.

    A program or a rulebook that begins with its file name is a file in that folder.
    """
    for text in (*fenced(section, "python"), *fenced(section, "toml")):
        if named := re.match(r"# ([\w-]+\.(?:py|toml))\n", text):
            (program.folder / named[1]).write_text(text, encoding="utf-8")
    for block in fenced(section, "console"):
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = shown.partition("\n")
            words = words_of(command)
            status, output = (
                program.printed(*words[1:], COLUMNS="78", PATH=PATH)
                if words[0] == "lineduel" and not any(map(is_operator, words))
                else run_by_shell(program, command)
            )
            assert output.replace(str(program.folder), HOME) == expected, command
            assert status == 0, command


def words_of(command: str) -> list[str]:
    """What a shell takes the words and operators of a command to be."""
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    return list(words)


def is_operator(word: str) -> bool:
    return set(word) <= set("();<>|&")


def run_by_shell(program: Program, command: str) -> tuple[int, str]:
    """The exit status, and all that it prints."""
    requests = prefork().fileno()
    quick = {"PATH": f"{QUICK_PROGRAM}{os.pathsep}{PATH}", SHELL_SOCKET: str(requests)}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=program.folder,
        env=program.environment(COLUMNS="78", **quick),
        pass_fds=[requests],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=4 * PATIENCE,  # some of them work on both cores for a while
    )
    return done.returncode, done.stdout


def test_no_shown_command_is_left_out() -> None:
    """Every console block of a document belongs to one of the sections that are run."""
    for document in DOCUMENTS:
        parts = sections(document).values()
        shown = [block for part in parts for block in fenced(part, "console")]
        assert shown == blocks(document, "console")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_shown_without_their_output_are_understood(document: str) -> None:
    """Those in `sh` blocks are parsed, not run: some would ask, or write into your home."""
    for line in (line for block in blocks(document, "sh") for line in block.splitlines()):
        command, *words = shlex.split(line, comments=True)
        if command == "lineduel":
            arguments = list(takewhile(lambda word: word not in ("|", ">"), words))
            build_parser(arguments).parse_args(arguments)


def test_the_readme_is_short_and_every_page_is_found_from_it() -> None:
    """By way of the first page of the documentation."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= README_LINES
    first = "docs/index.md"
    assert f"({first})" in readme
    links = re.findall(r"\]\(([^)#\s]+)", (ROOT / first).read_text(encoding="utf-8"))
    assert {f"docs/{link}" for link in links if link.endswith(".md")} == {*PAGES} - {first}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_between_documents_lead_somewhere(document: str) -> None:
    """To a file that exists, and to a heading in it."""
    path = ROOT / document
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file, _, heading = target.partition("#")
        there = path.parent / file if file else path
        assert there.exists(), target
        is_picture = there.suffix == ".svg"  # what follows # says for which colours it is
        assert not heading or is_picture or heading in headings(there), target


@pytest.mark.parametrize("document", DOCUMENTS)
def test_python_examples_give_what_they_show(document: str) -> None:
    """The Python sessions in the documents are doctests."""
    results = doctest.testfile(str(ROOT / document), module_relative=False)
    assert results.failed == 0


def test_every_stop_of_a_walk_is_there() -> None:
    """Each stop names a file and a function or class in it; a walk has at most ten."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walks = re.findall(r"^## The walk of .*\n\n((?:(?!^## ).*\n)+)", text, re.MULTILINE)
    assert walks
    for walk in walks:
        stops = re.findall(r"^\d+\. `([\w/]+\.py)`: `(?:\w+\.)?(\w+)`", walk, re.MULTILINE)
        assert len(stops) == len(re.findall(r"^\d+\. ", walk, re.MULTILINE)) <= 10
        for file, name in stops:
            source = (ROOT / "src" / "lineduel" / file).read_text(encoding="utf-8")
            assert re.search(rf"^ *(def|class) {name}\b", source, re.MULTILINE), (file, name)


def test_the_rulebook_shown_to_contributors_can_be_played(tmp_path: Path) -> None:
    """The complete rulebook in CONTRIBUTING is complete, and its battle table fits."""
    complete, battle = blocks("CONTRIBUTING.md", "toml")
    path = tmp_path / "tug.toml"
    path.write_text(complete, encoding="utf-8")
    assert find_rulebook(str(path)).title == "Tug"
    path.write_text(complete.replace('"wins" ', '"battle" ', 1) + battle, encoding="utf-8")
    fighting = find_rulebook(str(path)).rules.battle
    assert fighting is not None
    assert fighting.numbers == 5


def test_make_play_opens_the_menu() -> None:
    """The first command of the README opens the game."""
    done = subprocess.run(
        ["make", "--no-print-directory", "play"],
        cwd=ROOT,
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0
    assert "Which game?" in done.stdout
