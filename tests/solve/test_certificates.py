"""A certificate proves a solution: true ones are accepted, anything else is refused."""

import json
import os
import runpy
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from lineduel.engine import Game
from lineduel.errors import CertificateError, TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from lineduel.solve import (
    PlainSolution,
    Solution,
    check_certificate,
    read_certificate,
    write_certificate,
)
from lineduel.solve.cache import Cache
from lineduel.solve.solver import solve_plainly
from lineduel.solve.table import solve_table
from support.program import Program
from support.repetition import for_games, tried
from support.solved import solution_of
from support.strategies import ALL_GAMES, battle_rulebooks, rulebooks

SMALL = [name for name in ALL_GAMES if not name.startswith(("cross-over", "ctf-soldiers"))]
MOST = 3000
EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "check_certificate.py"))
"""The checker for readers to copy."""


@cache
def certificate_of(address: str) -> str:
    return write_certificate(solution_of(address))


def refused(text: str) -> bool:
    """By the program, and then by the example that shares no code with it, too."""
    try:
        check_certificate(read_certificate(text))
    except CertificateError:
        assert refused_by_example(text), "the example accepts what the program refuses"
        return True
    return False


def refused_by_example(text: str) -> bool:
    try:
        EXAMPLE["check"](text)
    except EXAMPLE["Refused"]:
        return True
    return False


def sealed(lines: list[str]) -> str:
    """The certificate with these lines and a seal that fits them: a forgery, not damage."""
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}sha256 {sha256(body.encode()).hexdigest()}\n"


def lines_of(text: str) -> list[str]:
    return text.splitlines()[:-1]


@for_games("address")
def test_the_solution_of_every_shipped_game_is_accepted(address: str) -> None:
    """Every rulebook and variant, every position of it."""
    check_certificate(read_certificate(certificate_of(address)))
    assert not refused_by_example(certificate_of(address))


@given(rulebook=rulebooks())
def test_the_solution_of_any_rulebook_is_accepted(rulebook: Rulebook) -> None:
    """The solver and the checker know nothing of each other, and agree."""
    game = Game(rulebook)
    try:
        graph = explore_by_engine(game, game.start(), MOST)
    except TooLarge:
        return
    text = write_certificate(solve_plainly(graph))
    check_certificate(read_certificate(text))
    assert not refused_by_example(text)


@pytest.mark.parametrize("address", SMALL)
def test_a_changed_byte_is_found(address: str) -> None:
    """Wherever it stands, and whatever it becomes."""
    text = certificate_of(address)
    rng = Random(address)
    for _ in range(200):
        at = rng.randrange(len(text))
        other = rng.choice([letter for letter in "0123456789,/-*x \n" if letter != text[at]])
        assert refused(text[:at] + other + text[at + 1 :])


@pytest.mark.parametrize("address", SMALL)
def test_a_certificate_cut_short_is_refused(address: str) -> None:
    """At every length."""
    text = certificate_of(address)
    rng = Random(address)
    for length in [0, 1, len(text) - 1, *(rng.randrange(len(text)) for _ in range(50))]:
        assert refused(text[:length])


@tried(15, 60)
@pytest.mark.parametrize("address", SMALL)
def test_a_forged_line_is_refused(address: str, times: int) -> None:
    """A line left out, doubled, or with a better value or other plies, under a seal that fits."""
    lines = lines_of(certificate_of(address))
    rng = Random(address)
    for _ in range(times):
        at = rng.randrange(3, len(lines))
        words = lines[at].split(" ")
        plies = "-" if words[-1 if len(words) == 3 else 3] != "-" else "4"
        forged = {
            "left out": lines[:at] + lines[at + 1 :],
            "doubled": [*lines, lines[at]],
            "other plies": [*lines[:at], _with_plies(words, plies), *lines[at + 1 :]],
            "better for player 1": [*lines[:at], _raised(words), *lines[at + 1 :]],
        }
        for what, text in forged.items():
            if text != lines:
                assert refused(sealed(text)), (what, lines[at])


def _with_plies(words: list[str], plies: str) -> str:
    at = 2 if len(words) == 3 else 3
    return " ".join((*words[:at], plies, *words[at + 1 :]))


def _raised(words: list[str]) -> str:
    """Player 1's sure share made larger."""
    if words[1] == "1":
        return " ".join(words)
    better = [words[0], "1", *words[2:]]
    if len(words) > 3:
        better[2] = "1"
    return " ".join(better)


def test_a_solution_of_other_rules_is_refused() -> None:
    """The same positions under another rule do not hold."""
    lines = lines_of(certificate_of("ctf-tokens"))
    lines[1] = lines[1].replace("meet.enemy=wins", "meet.enemy=shared")
    assert refused(sealed(lines))


def test_check_says_yes_with_0_and_no_with_1(program: Program) -> None:
    """The command's own 'no' is a status of its own."""
    wrote = program("solve", "ctf-tokens", "--certificate", "proof.txt")
    assert wrote.status == 0
    assert "lineduel check proof.txt" in wrote.out
    yes = program("check", "proof.txt")
    assert (yes.status, yes.err) == (0, "")
    assert yes.out == "Accepted: all 138 positions hold, from -5/5/1 on.\n"
    path = program.folder / "proof.txt"
    path.write_text(path.read_text().replace(" 1 5\n", " 1 3\n", 1))
    no = program("check", "proof.txt")
    assert no.status == 1
    assert no.out.startswith("Refused. ")
    assert program("check", "missing.txt").status == 2


# Files of strangers: refused in a sentence, at once, and in little memory

HUGE_RULES = (
    "track.first=0; track.last=63; "
    f"player1.pieces={','.join(f'A{cell}:{cell}' for cell in range(8))}; player1.goal=63; "
    f"player2.pieces={','.join(f'B{cell}:{cell + 50}' for cell in range(8))}; player2.goal=0; "
    "turn.first=player1; move.steps=1,2,3,-1,-2,4,5,-3; move.edge=illegal; move.jump=true; "
    "meet.own=shared; meet.enemy=captured"
)
HUGE_START = f"{','.join(map(str, range(8)))}/{','.join(map(str, range(50, 58)))}/1"
LOPSIDED_RULES = HUGE_RULES.replace("B0:50,B1:51,B2:52,B3:53,B4:54,B5:55,B6:56,B7:57", "B0:50")
"""Many formations against few: their product says little about what it takes to list them."""
LONG = "9" * 1_000_000


def battle_lines() -> list[str]:
    return lines_of(certificate_of("flag-chase"))


def with_line(at: int, *changes: tuple[int, str]) -> Callable[[], bytes]:
    """A sealed certificate of Flag Chase in which words of one line are others."""

    def made() -> bytes:
        lines = battle_lines()
        words = lines[at].split(" ")
        for word, text in changes:
            words[word] = text
        return sealed([*lines[:at], " ".join(words), *lines[at + 1 :]]).encode()

    return made


def with_many_lines() -> bytes:
    return sealed([*battle_lines()[:3], *["1/5/1 0 -"] * 250_000]).encode()


def table(rules: str, start: str, numbers: int, head: str = "lineduel table 2") -> bytes:
    """A sealed table without any truth in it."""
    lines = "".join(
        f"{one}\n" for one in (head, f"rules {rules}", f"start {start}", "counts 0 0 0 -")
    )
    body = lines.encode() + bytes(2 * numbers)
    return body + sha256(body).digest()


def rules_line(address: str) -> str:
    return lines_of(certificate_of(address))[1].removeprefix("rules ")


STRANGERS: dict[str, tuple[Callable[[], bytes], str]] = {
    "a chance without end": (
        with_line(3, (5, "1e999999999")),
        "Line 4 of the certificate is wrong.",
    ),
    "a value without end": (
        with_line(3, (1, "1e999999999")),
        "Line 4 of the certificate is wrong.",
    ),
    "a long value": (with_line(3, (1, f"1/{LONG}")), "Line 4 of the certificate is wrong."),
    "long plies": (with_line(3, (3, LONG)), "Line 4 of the certificate is wrong."),
    "a long rank": (with_line(3, (4, LONG)), "Line 4 of the certificate is wrong."),
    "a piece too many": (with_line(2, (1, "1,1/5/1")), "player 1 has 1 piece"),
    "a million pieces": (with_line(2, (1, f"{'1,' * 10**6}1/5/1")), "it is too long"),
    "a start off the track": (with_line(2, (1, "9/5/1")), "off the track"),
    "too many positions": (with_many_lines, "250,000 positions"),
    "a table with a piece too many": (
        lambda: table(rules_line("ctf-tokens"), "1,1/5/1", 200),
        "player 1 has 1 piece",
    ),
    "a table from off the track": (
        lambda: table(rules_line("ctf-tokens"), "77/5/1", 200),
        "off the track",
    ),
    "a table of another start": (
        lambda: table(rules_line("ctf-tokens"), "-5/5/1", 200),
        "size of the table does not match its rules",
    ),
    "a table with battles": (
        lambda: table(rules_line("flag-chase"), "1/5/1", 200),
        "Rules with battles have no table.",
    ),
    "a small table of huge rules": (
        lambda: table(HUGE_RULES, HUGE_START, 200),
        "size of the table does not match its rules",
    ),
    "a larger table of huge rules": (
        lambda: table(HUGE_RULES, HUGE_START, 4_000_000),
        "size of the table does not match its rules",
    ),
    "a table of many against one": (
        lambda: table(LOPSIDED_RULES, f"{HUGE_START.split('/')[0]}/50/1", 4_000_000),
        "size of the table does not match its rules",
    ),
    "a table of long ago": (
        lambda: table(rules_line("ctf-tokens"), "-5/5/1", 200, "lineduel table 1"),
        "This is a 'lineduel table 1', written by an older version of lineduel.",
    ),
    "a table of the future": (
        lambda: table(rules_line("ctf-tokens"), "-5/5/1", 200, "lineduel table 9"),
        "does not begin with 'lineduel table 2'",
    ),
}
CHECKS = """
import time
from pathlib import Path
from lineduel.errors import CertificateError
from lineduel.solve import check_proof
for path in sorted(Path("strangers").iterdir(), key=lambda path: int(path.name)):
    begun = time.process_time()
    try:
        check_proof(path, lambda done: None)
        print("accepted")
    except CertificateError as error:
        print(" ".join(str(error).split()))
    print(time.process_time() - begun)
for line in Path("/proc/self/status").read_text().splitlines():
    if line.startswith("VmHWM"):  # ru_maxrss would count what the parent held when it started us
        print(line.split()[1])
"""


def test_files_of_strangers_are_refused_at_once_and_in_little_memory(program: Program) -> None:
    """Numbers without end, foreign starts, huge rules: what does not fit is never worked out."""
    folder = program.folder / "strangers"
    folder.mkdir()
    for number, (made, _) in enumerate(STRANGERS.values()):
        (folder / str(number)).write_bytes(made())
    with (folder / "999").open("wb") as file:
        file.write(b"lineduel certificate 1\n")
        os.truncate(file.fileno(), 1 << 34)
    program.python("-c", CHECKS)  # compiling, once, takes memory of its own
    *lines, memory = program.python("-c", CHECKS).out.splitlines()
    told, seconds = lines[::2], list(map(float, lines[1::2]))
    expected = {
        **{name: why for name, (_, why) in STRANGERS.items()},
        "sparse": "larger than 64 MiB",
    }
    for (name, why), message in zip(expected.items(), told, strict=True):
        assert why in message, name
        assert len(message) < 300
    assert max(seconds) < 5  # of the processor's time; some tenths at most on any machine
    assert int(memory) < 500_000  # kilobytes, of which the compiler takes a third


@pytest.mark.parametrize(
    "name", ["a chance without end", "a piece too many", "a table with battles"]
)
def test_check_tells_what_is_wrong_with_a_stranger_s_file(program: Program, name: str) -> None:
    """In one sentence, with the status of a 'no'."""
    made, why = STRANGERS[name]
    (program.folder / "proof").write_bytes(made())
    no = program("check", "proof")
    assert (no.status, no.err) == (1, "")
    assert no.out.startswith("Refused. ")
    assert why in no.out


# Solutions that were kept


def falsified(text: str) -> str:
    """All that player 1 wins is won by player 2 now, under a seal that fits."""
    lines = lines_of(text)
    return sealed([*lines[:3], *(line.replace(" 1 ", " -1 ") for line in lines[3:])])


@pytest.mark.parametrize("command", [("solve", "ctf-tokens", "--json"), ("solve", "ctf-tokens")])
def test_a_kept_solution_that_is_false_is_not_used(tmp_path: Path, command: tuple[str]) -> None:
    """It is solved anew, the file is replaced, and the way to use none is named."""
    program = Program(tmp_path)
    right = program(*command)
    [kept] = program.cached
    whole = kept.read_text()
    kept.write_text(falsified(whole))
    again = program(*command)
    assert (again.status, again.out) == (0, right.out)
    assert "--no-cache" in again.err
    assert len(again.complaints) == 2
    assert kept.read_text() == whole
    assert program(*command) == right


@pytest.mark.parametrize("name", ["a chance without end", "a piece too many"])
def test_a_stranger_s_file_in_the_cache_does_no_harm(tmp_path: Path, name: str) -> None:
    program = Program(tmp_path)
    right = program("solve", "flag-chase", "--json")
    [kept] = program.cached
    whole = kept.read_bytes()
    kept.write_bytes(STRANGERS[name][0]())
    assert program("solve", "flag-chase", "--json") == right
    assert kept.read_bytes() == whole


def test_a_table_that_is_false_older_or_huge_is_not_used(tmp_path: Path) -> None:
    """Neither does it stand in the way of what is kept in its place."""
    game = Game(find_rulebook("ctf-tokens"))
    start, notes = game.start(), list[str]()
    cache = Cache(tmp_path, notes.append)
    right = solve_table(game, start)
    cache.store(right)
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    known = cache.load(game, start)
    assert known is not None
    assert (known.value(start), known.positions) == (right.value(start), right.positions)
    assert notes == []

    head, numbers = (
        whole[: -32 - right.dense.table(Side.ONE).nbytes * 2],
        right.dense.table(Side.ONE),
    )
    false = head + b"".join((numbers ^ 1).astype("<u2").tobytes() for _ in Side)
    file.write_bytes(false + sha256(false).digest())
    assert cache.load(game, start) is None
    assert len(notes) == 1
    assert "is wrong; solving again" in notes[0]

    file.write_bytes(table(rules_line("ctf-tokens"), str(start), 200, "lineduel table 1"))
    assert cache.load(game, start) is None
    file.write_bytes(table(HUGE_RULES, HUGE_START, 200))
    assert cache.load(game, start) is None
    assert len(notes) == 1
    plain = solve_plainly(explore_by_engine(game, start, 1000))
    cache.store(plain)
    assert [path.suffix for path in tmp_path.iterdir()] == [".txt"]
    assert isinstance(cache.load(game, start), PlainSolution)


@given(rulebook=rulebooks())
@settings(max_examples=40)
def test_a_kept_solution_of_any_rulebook_is_used(rulebook: Rulebook) -> None:
    """True solutions never give rise to doubt, whichever way they were solved."""
    game = Game(rulebook)
    try:
        solved: list[Solution] = [solve_plainly(explore_by_engine(game, game.start(), 600))]
    except TooLarge:
        return
    if rulebook.rules.battle is None:
        solved.append(solve_table(game, solved[0].start))
    for solution in solved:
        with TemporaryDirectory() as folder:
            Cache(Path(folder)).store(solution)
            known = Cache(Path(folder)).load(game, solution.start)
            assert known is not None
            assert known.value(known.start) == solution.value(solution.start)


# What is counted


@given(rulebook=rulebooks())
@settings(max_examples=60)
def test_a_table_has_the_values_of_a_plain_solution(rulebook: Rulebook) -> None:
    """All that can come up is there, ended positions too."""
    game = Game(rulebook)
    try:
        plain = solve_plainly(explore_by_engine(game, game.start(), 600))
    except TooLarge:
        return
    plies = [value.plies for _, value in plain.items() if value.plies]
    assert plain.longest == (max(plies) if plies else None)
    if rulebook.rules.battle is not None:
        return
    solution = solve_table(game, plain.start)
    for position in plain.explored().positions:
        assert solution.value(position) == plain.value(position)


def test_nothing_is_forced_where_play_only_ends_by_mistake(program: Program) -> None:
    """The ended positions alone are no forced win that is still to come."""
    told = json.loads(program("solve", "flag-chase", "--json").out)
    assert (told["value"], told["longest"]) == ([0, 0], None)


# What only a start can hide


@given(rulebook=battle_rulebooks())
@settings(max_examples=25)
def test_no_forced_win_at_the_start_can_be_hidden(rulebook: Rulebook) -> None:
    """No other line depends on it; whoever wins, and whoever is to move."""
    game = Game(rulebook)
    try:
        graph = explore_by_engine(game, game.start(), 300)
    except TooLarge:
        return
    forced = zip(graph.positions, graph.forced_lists.plies, strict=True)
    for position in [one for one, plies in forced if plies > 0][:6]:
        lines = lines_of(write_certificate(solve_plainly(explore_by_engine(game, position))))
        start = lines[2].removeprefix("start ")
        at = next(at for at, line in enumerate(lines) if line.startswith(f"{start} "))
        lines[at] = _with_plies(lines[at].split(" "), "-")
        assert refused(sealed(lines)), lines[at]


def test_a_kept_solution_without_its_own_start_is_not_used(tmp_path: Path) -> None:
    """All that is in it may be right."""
    solution = solution_of("ctf-tokens")
    cache = Cache(tmp_path)
    cache.store(solution)
    [kept] = tmp_path.iterdir()
    lines = lines_of(kept.read_text())
    kept.write_text(sealed([line for line in lines if not line.startswith(f"{solution.start} ")]))
    assert cache.load(solution.game, solution.start) is None
