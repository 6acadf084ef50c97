"""Forged proofs: false in any one field, under a seal that fits. None is accepted.

What is false is decided without the checker: by a solution made anew, or by the tests' own
solver, and by the engine's moves. A wider interval, or another plan that keeps the value, is true,
and may be accepted or not.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from lineduel.engine import PASS, Game, Position
from lineduel.engine.symmetry import Likeness
from lineduel.errors import CertificateError, LineduelError, TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.record import parse_position, read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, apply_changes, rulebook_from_data
from lineduel.rules.assignments import parse_assignments, parse_rules
from lineduel.solve import Value, check_certificate, read_certificate, write_certificate
from lineduel.solve.certificate import Certificate
from lineduel.solve.solver import solve_plainly
from lineduel.solve.table import check_table, read_table, solve_table, write_table
from lineduel.tablebase import ENDLESS, estimate
from oracles import bruteforce
from solve.test_certificates import lines_of, refused, sealed
from support.repetition import tried
from support.strategies import rulebooks
from tablebase.test_tablebase import game_of, soldiers

MOST = 400
"""Positions up to which rules are solved here."""
FIRST = 3
"""Lines before the first position."""

WAIT = {
    "title": "Wait",
    "summary": "Waiting is not winning.",
    "track": {"first": 0, "last": 4},
    "player1": {"pieces": {"A": 1}, "goal": [3, 4]},
    "player2": {"pieces": {"B": 3}, "goal": [0]},
    "turn": {"first": "player2"},
    "move": {"steps": [1, 3, 0, 2], "jump": False},
    "meet": {"own": "shared", "enemy": "battle"},
    "battle": {"numbers": 4, "wins": "undercut"},
}
PASSES = {
    "title": "Passes",
    "summary": "One may have to wait: for a win, for a loss, or for ever.",
    "track": {"first": 0, "last": 5},
    "player1": {"pieces": {"A": 0}, "goal": [4]},
    "player2": {"pieces": {"B1": 2, "B2": 4}, "goal": [0]},
    "turn": {"first": "player1"},
    "move": {"steps": [2, -1]},
    "meet": {"own": "blocked", "enemy": "blocked"},
}


def changed(address: str, *assignments: str) -> Rulebook:
    return apply_changes(find_rulebook(address), parse_assignments(assignments))


BATTLES = {
    "undercut": changed("flag-chase", "battle.wins=undercut"),  # worth 1/47
    "cyclic": changed("flag-chase", "battle.wins=cyclic", "battle.numbers=3"),  # 1/47 too
    "cyclic of five": changed("flag-chase", "battle.wins=cyclic"),  # 4/111
    "wait": rulebook_from_data(WAIT, "wait"),  # 1
}
PEACEFUL = {
    "blockade-duel": find_rulebook("blockade-duel"),
    "blockade-duel:from-bases": find_rulebook("blockade-duel:from-bases"),
    "ctf-tokens": find_rulebook("ctf-tokens"),
    "passes": rulebook_from_data(PASSES, "passes"),
}
GAMES = BATTLES | PEACEFUL
TABLES = {
    "blockade-duel": PEACEFUL["blockade-duel"],
    "blockade-duel:from-bases": PEACEFUL["blockade-duel:from-bases"],
    "passes": PEACEFUL["passes"],
    "soldiers": game_of(soldiers(3, 2)).rulebook,
}


# What is true


@dataclass
class Truth:
    """The positions that play can reach, what each is worth, and where its moves lead."""

    game: Game
    values: dict[str, Value]
    after: dict[str, list[str]]

    def running(self, name: str) -> bool:
        return bool(self.after[name])


def truth_of(game: Game, start: Position) -> Truth:
    if game.rules.battle is None:
        found = bruteforce.explore(game, [start], MOST)
        values = {
            str(position): Value(0, 0) if winner is None else Value.won(winner, plies or 0)
            for position, (winner, plies) in bruteforce.solve(game, found).items()
        }
        positions = list(found)
    else:
        solution = solve_plainly(explore_by_engine(game, start, MOST))
        values = {str(position): value for position, value in solution.items()}
        positions = [position for position, _ in solution.items()]
    stands = Likeness(game.rules).standing_for
    after = {
        str(one): [str(stands(game.play(one, move))) for move in game.moves(one)]
        for one in positions
    }
    return Truth(game, values, after)


@cache
def honest(name: str) -> tuple[Truth, tuple[str, ...]]:
    """The truth about a game of these tests, and the lines of its certificate."""
    return proved(GAMES[name])


def proved(rulebook: Rulebook) -> tuple[Truth, tuple[str, ...]]:
    game = Game(rulebook)
    solution = solve_plainly(explore_by_engine(game, game.start(), MOST))
    return truth_of(game, solution.start), tuple(lines_of(write_certificate(solution)))


def is_false(truth: Truth, line: str) -> bool:
    """Whether a line says something that is not so, or nothing at all."""
    words = line.split(" ")
    battles = truth.game.rules.battle is not None
    if len(words) != (8 if battles else 3) or words[0] not in truth.values:
        return True
    right = truth.values[words[0]]
    low, high, plies = words[1:4] if battles else (words[1], words[1], words[2])
    try:
        ends = Fraction(low), Fraction(high)
        if (None if plies == "-" else int(plies)) != right.plies:
            return True
        plans = [_chances(words[5]), _chances(words[7])] if battles else []
    except (ValueError, ZeroDivisionError):
        return True
    if right.plies is not None and ends != (right.low, right.high):
        return True
    if not -1 <= ends[0] <= ends[1] <= 1 or ends[0] > right.high or ends[1] < right.low:
        return True
    return any(
        _fails(truth, words[0], side, chances, ends[0] if side is Side.ONE else -ends[1])
        for side, chances in zip(Side, plans, strict=False)
    )


def _chances(text: str) -> tuple[Fraction, ...]:
    return () if text == "-" else tuple(Fraction(one) for one in text.split(","))


def replies(truth: Truth, name: str, side: Side) -> list[list[str]]:
    """For each choice of the other side, where the choices of this side lead."""
    after, position = truth.after[name], parse_position(name)
    if position.battle is not None:
        assert truth.game.rules.battle is not None
        size = truth.game.rules.battle.numbers
        rows = [after[row * size : (row + 1) * size] for row in range(size)]
        return [list(column) for column in zip(*rows, strict=True)] if side is Side.ONE else rows
    return [after] if position.side is side else [[one] for one in after]


def _fails(
    truth: Truth, name: str, side: Side, chances: tuple[Fraction, ...], bound: Fraction
) -> bool:
    """Whether a plan is none, or lets the other side get more than the bound allows."""
    position = parse_position(name)
    if not truth.running(name) or (position.battle is None and position.side is not side):
        return bool(chances)
    choices = replies(truth, name, side)
    if any(len(choice) != len(chances) for choice in choices):
        return True
    if sum(chances) != 1 or min(chances) < 0:
        return True
    return any(
        sum(chance * _best(truth, to, side) for chance, to in zip(chances, choice, strict=True))
        < bound
        for choice in choices
    )


def _best(truth: Truth, name: str, side: Side) -> Fraction:
    """The most that a position can be worth to a side."""
    value = truth.values[name]
    return Fraction(value.high) if side is Side.ONE else -Fraction(value.low)


def stands_still(truth: Truth, lines: list[str], at: int, side: Side) -> bool:
    """Whether the other side has a choice after which a plan does not come nearer to an end."""
    entries = {line.split(" ")[0]: line.split(" ") for line in lines[FIRST:]}

    def bound(name: str) -> Fraction:
        return Fraction(entries[name][1]) if side is Side.ONE else -Fraction(entries[name][2])

    def rank(name: str) -> int:
        return int(entries[name][2 + 2 * side])

    name = lines[at].split(" ")[0]
    if bound(name) <= 0 or not truth.running(name):
        return False
    own = parse_position(name)
    alone = own.battle is None and own.side is not side
    chances = (Fraction(1),) if alone else _chances(entries[name][3 + 2 * side])
    return any(
        all(
            chance == 0 or (truth.running(to) and bound(to) > 0 and rank(to) >= rank(name))
            for chance, to in zip(chances, choice, strict=True)
        )
        for choice in replies(truth, name, side)
    )


# Ways to forge a certificate: each gives the lines with one field changed

Lines = list[str]
NO_NUMBERS = ("", "x", "1/0", "0/0", "0.5", "1e3", "nan", "inf", "1/-2", "--1", "1_0", "½", "٣")


def with_word(lines: Lines, at: int, word: int, text: str) -> Lines:
    words = lines[at].split(" ")
    words[word] = text
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


def another_number(rng: Random, text: str) -> str:
    """Far away, near by, very near by, or no number at all."""
    number = Fraction(text)
    near = [number + Fraction(sign, size) for sign in (1, -1) for size in (2, 7, 1000, 10**40)]
    numbers = [*near, -number, Fraction(0), Fraction(1), Fraction(-1), Fraction(2), Fraction(-2)]
    return rng.choice((*map(str, numbers), *NO_NUMBERS[:: rng.choice((1, 3, 5))]))


def other_low_end(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    return with_word(lines, at, 1, another_number(rng, lines[at].split(" ")[1]))


def other_high_end(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    if truth.game.rules.battle is None:
        return other_low_end(rng, truth, lines, at)
    return with_word(lines, at, 2, another_number(rng, lines[at].split(" ")[2]))


def other_value(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    number = another_number(rng, lines[at].split(" ")[1])
    both = with_word(lines, at, 1, number)
    return both if truth.game.rules.battle is None else with_word(both, at, 2, number)


def other_plies(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    word = 2 if truth.game.rules.battle is None else 3
    text = lines[at].split(" ")[word]
    plies = 0 if text == "-" else int(text)
    texts = [*(str(plies + by) for by in (1, -1, 2, -2, 0, 100)), "-", *NO_NUMBERS]
    return with_word(lines, at, word, rng.choice(texts))


def other_chances(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    """Negative among chances that sum to 1, another sum, tiny ones, another choice, too many."""
    word = rng.choice((5, 7))
    text = lines[at].split(" ")[word]
    chances = list(_chances(text)) or [Fraction(1)]
    one, two = rng.randrange(len(chances)), rng.randrange(len(chances))
    by = rng.choice([*(Fraction(1, size) for size in (1, 2, 7, 10**40)), -chances[one]])
    match rng.randrange(6):
        case 0 | 1 | 2:
            chances[one] += by
            chances[two] -= by
        case 3:
            chances[one] += by
        case 4:
            chances = [Fraction(place == one) for place in range(len(chances))]
        case _:
            chances = [*chances, Fraction(0)] if rng.random() < 0.5 else chances[:-1]
    texts = ",".join(map(str, chances)) or "-"
    bad = ",".join([rng.choice(NO_NUMBERS), *map(str, chances[1:])])
    return with_word(lines, at, word, bad if rng.random() < 0.1 else texts)


def other_position(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    return with_word(lines, at, 0, another_position(rng, lines, at))


def another_position(rng: Random, lines: Lines, at: int) -> str:
    """A piece elsewhere, off the track, captured or added; the other side's turn; a battle."""
    name = lines[at].split(" ")[0]
    player1, player2, side = name.split("/")
    cell = rng.choice([*map(str, range(-2, 12)), "x", "99999", "a", ""])
    cells = player1.split(",")
    cells[rng.randrange(len(cells))] = cell
    return rng.choice(
        [
            f"{','.join(cells)}/{player2}/{side}",
            f"{player1}/{cell}/{side}",
            f"{player1},{cell}/{player2}/{side}",
            f"{player1}/{player2}/{'2' if side[0] == '1' else '1'}{side[1:]}",
            f"{player1}/{player2}/{side[0]}{'' if '*' in side else '*'}",
            rng.choice(lines[FIRST:]).split(" ")[0],
        ]
    )


def left_out(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    return lines[:at] + lines[at + 1 :]


def doubled(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    to = rng.randrange(FIRST, len(lines) + 1)
    return [*lines[:to], lines[at], *lines[to:]]


def said_twice(rng: Random, truth: Truth, lines: Lines, at: int) -> Lines:
    """The truth, and something else."""
    return [*lines, other_value(rng, truth, lines, at)[at]]


Forge = Callable[[Random, Truth, Lines, int], Lines]
IN_A_LINE: tuple[Forge, ...] = (other_low_end, other_high_end, other_value, other_plies)
OF_LINES: tuple[Forge, ...] = (other_position, left_out, doubled, said_twice)
"""All that can come up from the start has to be there once: these are always false."""


def forge_lines(rng: Random, truth: Truth, lines: Lines, times: int) -> Counter[str]:
    """Forge that often, in every way; how many false certificates of each kind were refused."""
    tried: Counter[str] = Counter()
    ways = (*IN_A_LINE, *OF_LINES) + ((other_chances,) * 2 if truth.game.rules.battle else ())
    for turn in range(times):
        way, at = ways[turn % len(ways)], rng.randrange(FIRST, len(lines))
        forged = way(rng, truth, lines, at)
        if forged == lines or (way not in OF_LINES and not is_false(truth, forged[at])):
            continue
        assert refused(sealed(forged)), (way.__name__, lines[at], forged[at : at + 1])
        tried[way.__name__] += 1
    return tried


# Certificates


@pytest.mark.parametrize("name", GAMES)
def test_the_honest_certificates_are_true_and_accepted(name: str) -> None:
    """What the forgeries are made of; the battles among them are worth something."""
    truth, lines = honest(name)
    assert len(lines) == FIRST + len(truth.values)
    assert not any(is_false(truth, line) for line in lines[FIRST:])
    assert not refused(sealed(list(lines)))
    if name in BATTLES:
        assert truth.values[lines[2].removeprefix("start ")].low > 0


@tried(90, 270)
@pytest.mark.parametrize("name", GAMES)
def test_no_false_line_is_accepted(name: str, times: int) -> None:
    """Value ends, plies, chances, positions; lines left out, doubled, or said twice."""
    truth, lines = honest(name)
    forged = forge_lines(Random(name), truth, list(lines), times)
    assert sum(forged.values()) >= times * 2 // 3
    assert min(forged.values()) >= times // 30
    assert len(forged) == (9 if name in BATTLES else 8)


@given(rulebook=rulebooks(), seed=st.integers(0, 1 << 16))
@settings(max_examples=40, suppress_health_check=[HealthCheck.filter_too_much])
def test_no_false_line_about_any_rulebook_is_accepted(rulebook: Rulebook, seed: int) -> None:
    """Small ones over the whole vocabulary."""
    try:
        truth, lines = proved(rulebook)
    except (TooLarge, bruteforce.TooLarge):
        assume(False)
    assume(len(lines) < 60)
    forge_lines(Random(seed), truth, list(lines), 20)


@tried(20, 60)
@pytest.mark.parametrize("name", GAMES)
def test_ended_positions_are_worth_what_the_winner_has(name: str, times: int) -> None:
    """On both ends, with 0 plies: everything else about every one of them is refused."""
    truth, lines = honest(name)
    rng, numbers = Random(name), ("-1", "-1/2", "0", "1/2", "1", "2")
    ended = [at for at in range(FIRST, len(lines)) if not truth.running(lines[at].split(" ")[0])]
    for at in rng.choices(ended, k=times):
        words = lines[at].split(" ")
        said = [rng.choice(numbers), rng.choice(("0", "-", "1", "2"))]
        if name in BATTLES:
            said.insert(0, rng.choice((words[1], *numbers)))
        forged = " ".join([words[0], *said, *words[len(said) + 1 :]])
        if forged != lines[at]:
            assert is_false(truth, forged)
            assert refused(sealed([*lines[:at], forged, *lines[at + 1 :]])), forged


@pytest.mark.parametrize("name", ["blockade-duel", "undercut"])
def test_the_checker_itself_refuses_values_that_are_none(name: str) -> None:
    """Whoever made the certificate, and whatever a reader lets through."""
    true = read_certificate(sealed(list(honest(name)[1])))
    check_certificate(true)
    for at, entry in enumerate(true.entries):
        low, high, plies = entry.value.low, entry.value.high, entry.value.plies
        values = [Value(low - 3, high, plies), Value(low, high + 3, plies)]
        values += [Value(0, 0, 0), Value(-1, 1, 0), Value(high, low - 1, plies), Value(0, 0, 3)]
        for value in values:
            forged = replace(entry, value=value)
            entries = (*true.entries[:at], forged, *true.entries[at + 1 :])
            with pytest.raises(CertificateError):
                check_certificate(Certificate(true.rules, true.start, entries))


@pytest.mark.parametrize("name", GAMES)
def test_no_false_start_is_accepted(name: str) -> None:
    """One that the rules do not give, or that is not among the positions."""
    truth, lines = honest(name)
    rng, tried = Random(name), 0
    for _ in range(60):
        start = another_position(rng, list(lines), rng.randrange(FIRST, len(lines)))
        try:
            parsed = parse_position(start).unchecked()
            known = str(Likeness(truth.game.rules).standing_for(parsed))
        except (LineduelError, IndexError):
            known = ""
        if known not in truth.values:
            assert refused(sealed([*lines[:2], f"start {start}", *lines[3:]])), start
            tried += 1
    assert tried >= 20


def other_rules(rng: Random, line: str) -> str:
    """One key with another value, without a value, twice, or not at all."""
    pairs = [pair.split("=") for pair in line.split("; ")]
    at = rng.randrange(len(pairs))
    key, value = pairs[at]
    words = {
        "turn.first": ["player1", "player2", "either", "nobody"],
        "move.edge": ["illegal", "stay"],
        "move.jump": ["true", "false"],
        "meet.own": ["blocked", "shared", "captured"],
        "meet.enemy": ["captured", "sent home", "blocked", "shared", "battle", "wins"],
        "battle.wins": ["higher", "undercut", "cyclic"],
        "move.steps": ["1", "1,2", "1,-1", "2", "1,0", "1,2,3", "-1", "64"],
    }
    digits = [place for place, letter in enumerate(value) if letter.isdigit()]
    if key in words:
        value = rng.choice(words[key])
    elif digits:
        place = rng.choice(digits)
        value = value[:place] + rng.choice("0123456789") + value[place + 1 :]
    pairs[at] = [key, value]
    match rng.randrange(12):
        case 0:
            pairs.append(pairs[at])
        case 1:
            del pairs[at]
        case 2:
            pairs[at] = [f"{key}x", value]
    return "; ".join("=".join(pair) for pair in pairs)


def holds_under(rules: str, lines: Lines) -> bool | None:
    """Whether a certificate's lines are true of other rules; None if that is hard to say."""
    try:
        game = game_of(parse_rules(rules))
        start = read_position(game, lines[2].removeprefix("start "))
        truth = truth_of(game, Likeness(game.rules).standing_for(start))
    except (LineduelError, bruteforce.TooLarge):
        return False
    said = {line.split(" ")[0]: line for line in lines[FIRST:]}
    if any(name not in said or is_false(truth, said[name]) for name in truth.values):
        return False
    return True if said.keys() == truth.values.keys() else None


@pytest.mark.parametrize("name", GAMES)
def test_no_certificate_is_accepted_for_rules_under_which_it_is_false(name: str) -> None:
    """Each key of the rules changed."""
    _, lines = honest(name)
    rng, tried = Random(name), 0
    rules = lines[1].removeprefix("rules ")
    for _ in range(70):
        others = other_rules(rng, rules)
        if others != rules and holds_under(others, list(lines)) is False:
            assert refused(sealed([lines[0], f"rules {others}", *lines[2:]])), others
            tried += 1
    assert tried >= 25


# Plans that keep the bound and never come to an end


@pytest.mark.parametrize("name", BATTLES)
def test_a_rank_that_shows_no_progress_is_refused(name: str) -> None:
    """At every position, for either side: the lowest rank of all, or as high as the next."""
    truth, lines = honest(name)
    tried = 0
    for at in range(FIRST, len(lines)):
        for side in Side:
            for rank in ("0", "-1", "1"):
                forged = with_word(list(lines), at, 2 + 2 * side, rank)
                if stands_still(truth, forged, at, side):
                    assert refused(sealed(forged)), forged[at]
                    tried += 1
    assert tried >= 20


def test_progress_by_a_number_that_is_never_played_is_none() -> None:
    """The other step would leave the good positions, and the plan never takes it."""
    truth, lines = honest("undercut")
    [at] = [at for at, line in enumerate(lines) if line.startswith("1/5/1 ")]
    assert lines[at].split(" ")[4:6] == ["11", "1,0"]
    forged = with_word(list(lines), at, 4, "0")
    assert stands_still(truth, forged, at, Side.ONE)
    assert refused(sealed(forged))


@pytest.mark.parametrize("name", BATTLES)
@pytest.mark.parametrize("rank", ["0", "7"])
def test_ranks_that_are_all_alike_are_refused(name: str, rank: str) -> None:
    """Then nothing shows that play ends."""
    _, lines = honest(name)
    forged = list(lines)
    for at in range(FIRST, len(lines)):
        forged = with_word(with_word(forged, at, 4, rank), at, 6, rank)
    assert refused(sealed(forged))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("by", [2, -2, 4])
def test_plies_shifted_everywhere_are_refused(name: str, by: int) -> None:
    """They follow from each other, but an ended position has none left."""
    lines = honest(name)[1]
    word = 3 if name in BATTLES else 2
    forged = list(lines)
    for at in range(FIRST, len(lines)):
        plies = lines[at].split(" ")[word]
        if plies != "-":
            forged = with_word(forged, at, word, str(int(plies) + by))
    assert refused(sealed(forged))


@pytest.mark.parametrize("name", BATTLES)
def test_negative_chances_are_refused_though_they_sum_to_1(name: str) -> None:
    """They would make more of two moves than the better one is worth."""
    truth, lines = honest(name)
    tried = 0
    for at, line in enumerate(lines[FIRST:], start=FIRST):
        position = parse_position(line.split(" ")[0])
        after = truth.after[str(position)]
        if position.battle is not None or not after:
            continue
        worths = [_best(truth, one, position.side) for one in after]
        best, worst = worths.index(max(worths)), worths.index(min(worths))
        if worths[best] > worths[worst]:
            chances = [{best: "2", worst: "-1"}.get(place, "0") for place in range(len(after))]
            word = 3 + 2 * position.side
            assert refused(sealed(with_word(list(lines), at, word, ",".join(chances))))
            tried += 1
    assert tried > 0


# Tables


@dataclass
class TableFile:
    """A table's file, taken apart."""

    head: list[str]
    plies: "np.ndarray[tuple[int], np.dtype[np.uint16]]"

    def written(self) -> bytes:
        body = "".join(f"{line}\n" for line in self.head).encode() + self.plies.tobytes()
        return body + sha256(body).digest()


@cache
def honest_table(name: str) -> TableFile:
    game = Game(TABLES[name])
    whole = b"".join(write_table(solve_table(game, game.start())))
    *head, rest = whole.split(b"\n", 4)
    return TableFile([line.decode() for line in head], np.frombuffer(rest[:-32], "<u2"))


def table_refused(path: Path, content: bytes) -> bool:
    path.write_bytes(content)
    try:
        check_table(read_table(path))
    except CertificateError:
        return True
    return False


@pytest.mark.parametrize("name", TABLES)
def test_the_honest_tables_are_true_and_accepted(name: str, tmp_path: Path) -> None:
    """Every number in them is the one that the tests' own solver finds."""
    file = honest_table(name)
    assert not table_refused(tmp_path / "t", file.written())
    game, solution = Game(TABLES[name]), read_table(tmp_path / "t")
    tables = solution.dense.tables
    pairs = np.ndindex(tables.shape[0] - 1, tables.shape[1] - 1)
    places = [tables.position(row, column, side) for row, column in pairs for side in Side]
    held = [position for position in places if tables.holds(position)]
    right = bruteforce.solve(game, bruteforce.explore(game, held))
    assert all(solution.dense.lookup(position) == right[position] for position in held)
    if name == "passes":
        passing = [position for position in held if game.moves(position) == (PASS,)]
        assert {right[position][0] for position in passing} == {Side.ONE, Side.TWO, None}


@pytest.mark.parametrize("name", TABLES)
def test_no_false_number_in_a_table_is_accepted(name: str, tmp_path: Path) -> None:
    """Whatever stands there: a win, a loss, endless, no position, or the end."""
    file, rng = honest_table(name), Random(name)
    for at in rng.choices(range(len(file.plies)), k=120):
        right, forged = int(file.plies[at]), file.plies.copy()
        near = [right + by for by in (1, -1, 2, -2) if 0 <= right + by <= 0xFFFF]
        others = [*near, 0, 1, 2, 3, 4, ENDLESS, ENDLESS + 1, 0x8000, 0x8001, 0xFFFF]
        forged[at] = rng.choice([one for one in others if one != right])
        assert table_refused(tmp_path / "t", replace(file, plies=forged).written()), (at, right)


@pytest.mark.parametrize("name", TABLES)
def test_no_false_order_of_a_table_is_accepted(name: str, tmp_path: Path) -> None:
    """Both sides' tables exchanged, and two numbers exchanged."""
    file, rng = honest_table(name), Random(name)
    half = len(file.plies) // 2
    turned = np.concatenate((file.plies[half:], file.plies[:half]))
    orders = [turned, file.plies[::-1]]
    for _ in range(30):
        order = np.arange(len(file.plies))
        one, two = rng.sample(range(len(order)), 2)
        order[[one, two]] = order[[two, one]]
        orders.append(file.plies[order])
    for plies in orders:
        if not np.array_equal(plies, file.plies):
            assert table_refused(tmp_path / "t", replace(file, plies=plies).written())


@pytest.mark.parametrize("name", TABLES)
def test_no_false_count_of_a_table_is_accepted(name: str, tmp_path: Path) -> None:
    """Wins of either, endless ones, the longest win."""
    file = honest_table(name)
    counts = file.head[3].split(" ")
    for word in range(1, 5):
        for text in ("0", "1", "-", "-1", "1e3", "", str(int(counts[word]) + 1), "9" * 5000):
            forged = [*counts[:word], text, *counts[word + 1 :]]
            if forged != counts:
                head = [*file.head[:3], " ".join(forged)]
                assert table_refused(tmp_path / "t", replace(file, head=head).written()), forged


@pytest.mark.parametrize("name", TABLES)
def test_no_table_is_accepted_for_another_start_or_other_rules(name: str, tmp_path: Path) -> None:
    """Unless it is the table of these, too."""
    file, rng, tried = honest_table(name), Random(name), 0
    rules, start = file.head[1].removeprefix("rules "), file.head[2].removeprefix("start ")
    for turn in range(80):
        others, other = rules, start
        if turn % 2:
            others = other_rules(rng, rules)
        else:
            other = another_position(rng, [*file.head[:3], start], FIRST)
        head = [file.head[0], f"rules {others}", f"start {other}", file.head[3]]
        if is_table_of(others, other, replace(file, head=head)):
            continue
        assert table_refused(tmp_path / "t", replace(file, head=head).written()), head
        tried += 1
    assert tried >= 40


def is_table_of(rules: str, start: str, file: TableFile) -> bool:
    """Whether solving anew gives the same numbers."""
    try:
        game = game_of(parse_rules(rules))
        position = read_position(game, start)
        if game.rules.battle or estimate(game.rules, position).pairs * 2 != len(file.plies):
            return False
    except LineduelError:
        return False
    dense = solve_table(game, position).dense
    told = f"{dense.summary.wins1} {dense.summary.wins2} {dense.summary.endless}"
    return file.head[3].startswith(f"counts {told} ") and np.array_equal(
        np.concatenate([dense.table(side).reshape(-1) for side in Side]), file.plies
    )


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_another_size_is_refused(name: str, tmp_path: Path) -> None:
    """Shorter or longer, by a little or by much."""
    file = honest_table(name)
    for size in (0, 1, 2, 4, len(file.plies) // 2, len(file.plies) - 1, len(file.plies) - 2):
        plies = file.plies[:size]
        assert table_refused(tmp_path / "t", replace(file, plies=plies).written())
    longer = np.concatenate((file.plies, file.plies))
    for size in (len(file.plies) + 1, len(file.plies) + 2, len(longer)):
        assert table_refused(tmp_path / "t", replace(file, plies=longer[:size]).written())
