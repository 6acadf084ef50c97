"""The programs in `examples` that show how to talk to lineduel, or how to do without it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import which

import pytest
from hypothesis import given, settings, strategies as st

from lineduel import Game, find_rulebook, solve
from lineduel.engine import Hands, ParsedPosition, check_position
from lineduel.errors import InvalidPosition
from lineduel.rules import Rulebook, Rules, Side, format_rules
from lineduel.solve import PlainSolution, write_certificate
from solve.test_certificates import EXAMPLE, lines_of, refused, sealed
from support.program import PATIENCE, Program
from support.strategies import rulebooks

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = ("flag-chase", "flag-chase:may-stay", "blockade-duel:from-bases-no-jump", "ctf-tokens")
RULEBOOKS = ("last-stand", "standoff")


def certificate(game: str) -> str:
    solution = solve(Game(find_rulebook(game)))
    assert isinstance(solution, PlainSolution)
    return write_certificate(solution)


@pytest.mark.parametrize(
    "game", [*GAMES, *(str(EXAMPLES / "rulebooks" / f"{name}.toml") for name in RULEBOOKS)]
)
def test_a_checker_with_rules_of_its_own_accepts_certificates(game: str) -> None:
    """It was written from the page about certificates, and imports nothing of lineduel."""
    text = certificate(game)
    assert EXAMPLE["check"](text) == text.count("\n") - 4


@pytest.mark.parametrize(
    ("game", "true", "false"),
    [
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n-5/5/1 1 7\n"),
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n-5/5/1 0 -\n"),
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n"),
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n-5/5/1 1 5\n9/5/1 1 5\n"),
        ("ctf-tokens", "\n-5/5/1 1 5\n", "\n-5/5/1 1 1 5 0 1,0,0 0 -\n"),
        ("flag-chase", "\n1/5/1 0 0 - ", "\n1/5/1 1/9 1/9 - "),
        ("flag-chase", "battle.wins=higher", "battle.wins=lower"),
        ("flag-chase", "battle.wins=higher", "battle.wins=higher; battle.wins=higher"),
        ("flag-chase", "battle.numbers=5", "battle.numbers=50"),
        ("flag-chase", "; battle.numbers=5", ""),
        ("ctf-tokens", "move.edge=illegal", "move.edge=wrap"),
        ("ctf-tokens", "move.edge=illegal", "move.edge"),
        ("ctf-tokens", "move.edge=illegal", "move.edge=illegal; move.speed=2"),
        ("ctf-tokens", "move.edge=illegal", "move.edge=illegal; battle.numbers=5"),
        ("ctf-tokens", "move.jump=true", "move.jump=maybe"),
        ("ctf-tokens", "player1.pieces=P1:-5", "player1.pieces=P1:-6"),
        ("ctf-tokens", "player1.pieces=P1:-5", "player1.pieces=P2:-5"),
        ("ctf-tokens", "track.last=5", "track.last=500"),
        ("ctf-tokens", "\nrules ", "\n"),
        ("ctf-tokens", "\nstart ", "\nbegin "),
        ("ctf-tokens", "\nstart -5/5/1", "\nstart x/5/1"),
    ],
)
def test_a_checker_with_rules_of_its_own_refuses_forgeries(
    game: str, true: str, false: str
) -> None:
    """What is false is found even under a new seal, and so are rules that do not exist."""
    body = certificate(game).rpartition("sha256 ")[0]
    assert true in body
    assert refused(sealed(body.replace(true, false).removesuffix("\n").split("\n")))


def torn(lines: list[str], chance: Random) -> Iterator[list[str]]:
    """What can become of the lines of a file, one line at a time."""
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        place = chance.choice([place for place, letter in enumerate(line) if letter.isdigit()])
        yield [*before, *after]
        yield [*before, line, line, *after]
        yield [*before, line[: chance.randrange(len(line))], *after]
        yield [*before, "", line, *after]
        yield [*before, line.replace(" ", "  ", 1), *after]
        for other in ("a", "\0", "٣", "½", "9" * 5000, "1/0", "-", "_", "\x1b[2J", "\r", "\ufeff"):
            yield [*before, line[:place] + other + line[place + 1 :], *after]


@pytest.mark.parametrize("game", ["blockade-duel", "flag-chase"])
def test_torn_certificates_are_refused_and_nothing_else_happens(game: str) -> None:
    """Under a seal that fits, and without one."""
    lines = lines_of(certificate(game))
    for forged in torn(lines, Random(game)):
        text = sealed(forged)
        assert refused(text) or forged[3:] == lines[3:]  # a piece may have another name
        assert refused(text[: len(text) // 2])
        assert refused("\n".join(forged))


@settings(max_examples=50)
@given(rulebooks(), st.randoms(use_true_random=False))
def test_both_checkers_agree_which_positions_are_possible(
    rulebook: Rulebook, chance: Random
) -> None:
    """Pieces anywhere, captured or not, with a battle, with hands or without."""
    rules = EXAMPLE["Rules"](format_rules(rulebook.rules))
    cells = [*rulebook.rules.track.cells, None]
    for _ in range(30):
        some = chance.sample(cells, min(3, len(cells)))
        player1, player2 = (
            tuple(chance.choice(some) for _ in rulebook.rules.team(side).pieces) for side in Side
        )
        battle = chance.choice([None, None, *some])
        hands = some_hands(rulebook.rules, chance)
        position = ParsedPosition(player1, player2, chance.choice(list(Side)), battle, hands)
        sides = [list(player1), list(player2)]
        held = hands and [[number - 1 for number in hand] for hand in hands]
        why = rules.impossible(EXAMPLE["Position"](sides, position.side - 1, held, battle))
        if why is None:
            check_position(rulebook.rules, position)
        else:
            with pytest.raises(InvalidPosition):
                check_position(rulebook.rules, position)


def some_hands(rules: Rules, chance: Random) -> Hands | None:
    """Both hands as the rules ask for them, mostly; now and then what no hand can be."""
    if (rules.battle is None or not rules.battle.hand.is_spent) and chance.random() < 0.9:
        return None
    top = rules.battle.numbers if rules.battle else 2
    one, two = (
        [number for number in range(1, top + 1) if chance.random() < 0.7] or [top] for _ in Side
    )
    wrong = chance.random()
    if wrong < 0.05:
        return None
    if wrong < 0.1:
        one.append(top + 1)
    elif wrong < 0.15:
        one.append(one[0])
    elif wrong < 0.2:
        two.clear()
    elif wrong < 0.25:
        two.reverse()
    return tuple(one), tuple(two)


def reply(path: Path) -> tuple[int, str]:
    """What the example answers at the shell."""
    command = [sys.executable, str(EXAMPLES / "check_certificate.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_checker_with_rules_of_its_own_answers_in_one_sentence(tmp_path: Path) -> None:
    """Whatever the file is: exit status 1 and one line, never a traceback."""
    path, true = tmp_path / "proof.txt", certificate("ctf-tokens").encode()
    path.write_bytes(true)
    assert reply(path) == (0, "Accepted: all 138 positions hold.\n")
    for content in (
        b"",
        b"\n",
        b"\0" * 1000,
        bytes(range(256)) * 9,
        true[: len(true) // 2],
        true.replace(b"\n", b"\r\n"),
        sealed(["lineduel certificate 1"]).encode(),
        sealed([*lines_of(true.decode()), "-5/5/1 1 " + "9" * 100_000]).encode(),
    ):
        path.write_bytes(content)
        status, said = reply(path)
        assert status == 1
        assert re.fullmatch(r"Refused: [^\n]+\.\n", said), said
    for other in (tmp_path, tmp_path / "nothing.txt"):
        status, said = reply(other)
        assert status == 1
        assert re.fullmatch(r"The file cannot be read: [^\n]+\.\n", said), said


@pytest.mark.skipif(which("node") is None, reason="there is no Node.js here")
def test_the_engine_in_javascript_keeps_to_the_protocol(program: Program) -> None:
    checked = program("engine-check", f"node {EXAMPLES / 'engine.js'}")
    assert checked.out.endswith("All checks passed.\n")
