"""Exams: what is asked, how an answer is read, and what the report says about it."""

import json
import resource
import shlex
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given

from agents import stand_ins
from agents.stand_ins import legal_moves
from lineduel import find_rulebook
from lineduel.agents import (
    Exam,
    ExamSettings,
    Failure,
    Group,
    ReadingRule,
    RuleSet,
    SolvedRuleSet,
    benchmark_document,
    benchmark_lines,
    benchmark_page,
    compare_exams,
    comparison_lines,
    exam_document,
    exam_lines,
    exam_page,
    make_agent,
    question_text,
    read_choice,
    rule_set_of,
    shipped_baselines,
    shipped_rule_sets,
    sitting,
    unseen_rule_sets,
)
from lineduel.agents.agent import AgentQuestion, load_function
from lineduel.agents.answers import AgentAnswer
from lineduel.agents.rule_sets import mirrored_move, mirrored_position, mirrored_rules
from lineduel.agents.sitting import KEPT_AGENT, sit
from lineduel.arena import RandomStream
from lineduel.documents import ExamDocument, plain_data
from lineduel.engine import Game
from lineduel.errors import AgentError, LineduelError, NotationError
from lineduel.graph import joint_chances
from lineduel.jobs import LEDGER_KIND, Ledger, LongRun, Pool
from lineduel.players import table_of_level
from lineduel.record import read_position
from lineduel.rules import Phrasing, Rulebook, Side, Words, parse_rules, rule_sentences
from support.program import Program, wait_for
from support.repetition import for_games, tried
from support.strategies import rulebooks

CROSS, FLAG = find_rulebook("cross-over"), find_rulebook("flag-chase")
SMALL = (rule_set_of(find_rulebook("ctf-tokens")), rule_set_of(FLAG))
SPENT = Rulebook(
    id="spent",
    title="Spent",
    summary="",
    rules=parse_rules(
        "track.first=1; track.last=4; player1.pieces=A:1; player1.goal=4; player2.pieces=X:4; "
        "player2.goal=1; turn.first=player1; move.steps=1,3; move.edge=illegal; move.jump=true; "
        "meet.own=blocked; meet.enemy=battle; battle.numbers=3; battle.wins=higher; "
        "battle.hand=spent"
    ),
    words=Words(),
)
SMALL_GAMES = ("ctf-tokens", "flag-chase", "blockade-duel", "flag-chase:may-stay")
STAND_IN = "python:agents.stand_ins:first_legal"
AGENT = """
import sys
lines = []
for line in sys.stdin:
    if line != "answer?\\n":
        lines.append(line)
        continue
    text, lines = "".join(lines), []
    legal = [one for one in text.splitlines() if one.startswith("Your legal moves: ")]
    print("I think about it.")
    print("ANSWER:", legal[0].split()[3] if legal else 1)
    print("usage input_tokens 100 output_tokens 7 cost 0.5")
    print("done", flush=True)
"""


def sat(agent: str, rule_sets: tuple[RuleSet, ...] = SMALL, **settings: Any) -> Exam:
    """A finished exam, done in this process."""
    chosen: dict[str, Any] = {"positions": 3, "levels": (1, 3), "pairs": 1} | settings
    made = ExamSettings(agent=agent, rule_sets=rule_sets, **chosen)
    made.check()
    with Pool(0) as pool:
        return LongRun(Exam(made)).run(pool)


def answers(agent: str, **settings: Any) -> ExamDocument:
    return exam_document(sat(agent, **settings))


# Strength


@pytest.fixture(scope="module")
def unseen() -> tuple[RuleSet, ...]:
    return tuple(unseen_rule_sets(20, 5))


def expected_regret(rule_sets: tuple[RuleSet, ...], level: int, plies: int) -> float:
    """What a random player gives away a question in games against a level, by the Markov chain."""
    lost = asked = 0.0
    for one in rule_sets:
        solved = SolvedRuleSet(one.rulebook)
        graph = solved.solution.explored()
        tables = {number: table_of_level(number, graph) for number in (1, level)}
        for seat in Side:
            seats = (tables[1], tables[level]) if seat is Side.ONE else (tables[level], tables[1])
            chances = joint_chances(graph, *seats)
            cost, count = np.zeros(len(graph)), np.zeros(len(graph))
            for at, position in enumerate(graph.positions):
                mine = position.battle is not None or position.side is seat
                if not mine or solved.game.outcome(position) is not None:
                    continue
                regrets = solved.regrets(position, seat)
                if len(regrets) > 1:
                    cost[at], count[at] = float(sum(regrets)) / len(regrets), 1
            here = np.zeros(len(graph))
            here[0] = 1
            for _ in range(plies):
                lost += float(here @ cost)
                asked += float(here @ count)
                after = np.zeros(len(graph))
                np.add.at(after, graph.after, here[graph.origin] * chances)
                here = after
    return lost / asked


def test_random_play_has_the_regret_that_the_chain_gives(unseen: tuple[RuleSet, ...]) -> None:
    """In games and in fixed positions, on 20 unseen rule sets, within the interval."""
    assert len(unseen) == 20
    assert {one.group for one in unseen} == {Group.UNSEEN}
    found = answers("player:random", rule_sets=unseen, positions=6, pairs=8, levels=(1,))
    exact = expected_regret(unseen, 1, 100)
    games, fixed = found.games.regret, found.positions.regret
    assert games.low is not None
    assert games.high is not None
    assert games.low <= exact <= games.high
    assert games.mean == pytest.approx(exact, rel=0.1)
    assert fixed.low is not None
    assert fixed.high is not None
    assert found.positions.random is not None
    assert fixed.low <= found.positions.random <= fixed.high
    assert found.matches == 1
    assert found.mistakes.count.count > 0
    assert found.mistakes.reasons
    assert all(one.sentence for one in found.mistakes.worst[:3])


def test_perfect_play_gives_nothing_away(unseen: tuple[RuleSet, ...]) -> None:
    found = answers("player:perfect", rule_sets=unseen, positions=6, pairs=1, levels=(1,))
    for part in (found.positions, found.games):
        assert (part.regret.mean, part.regret.low, part.regret.high) == (0.0, 0.0, 0.0)
    assert found.mistakes.count.count == 0
    assert found.scores[0].score.mean is not None
    assert found.scores[0].score.mean > 0.8
    assert found.mixing.always_same < found.mixing.mixed or not found.mixing.mixed


def test_a_level_matches_itself() -> None:
    sets = tuple(rule_set_of(find_rulebook(one)) for one in ("ctf-tokens", "flag-chase"))
    found = answers("player:level:3", rule_sets=sets, positions=0, pairs=12, levels=(1, 5))
    assert found.matches in (2, 3, 4)
    assert [one.level for one in found.scores] == [1, 5]
    for one in found.scores:
        assert one.won + one.lost + one.unfinished == 2 * 12 * 2
        assert one.score.count == 2 * 12


# Reading

BATTLE = read_position(Game(FLAG), "3/3/1*")
START = Game(CROSS).start()


@pytest.mark.parametrize(
    ("said", "last", "marked"),
    [
        ("I like P1-B+2 best.", "P1-B+2", "no line ANSWER:"),  # prose around the move
        ("First P1-A+1, no: ANSWER: P1-B+2", "P1-B+2", "P1-B+2"),
        ("ANSWER: P1-C+1 or P1-C+2", "P1-C+2", "P1-C+2"),  # two moves
        ("ANSWER: P1-C+1\nWait.\nANSWER: P1-C+2", "P1-C+2", "P1-C+2"),
        ("ANSWER: P1-C+٢", "P1-C+2", "P1-C+2"),  # another script's digits
        ("ANSWER: P1-C＋２", "P1-C+2", "P1-C+2"),
        ("ANSWER: P2-A+1", Failure.ILLEGAL, Failure.ILLEGAL),  # illegal
        ("ANSWER: P1-A+7", Failure.ILLEGAL, Failure.ILLEGAL),
        ("ANSWER: X9+1", Failure.ILLEGAL, Failure.ILLEGAL),
        ("ANSWER: pass", Failure.ILLEGAL, Failure.ILLEGAL),
        ("", "empty", "empty"),  # empty
        ("  \n ", "empty", "empty"),
        ('{"move": "P1-B+2"}', "P1-B+2", "no line ANSWER:"),  # JSON
        ('{"answer": "P1-B+2"}', "P1-B+2", "P1-B+2"),
        ("**ANSWER:** `P1-B+2`", "P1-B+2", "P1-B+2"),  # markdown
        ("```\nANSWER: p1-b +2\n```", "P1-B+2", "P1-B+2"),
        ("I cannot help with that.", "no choice in it", "no line ANSWER:"),  # refusal
        ("ANSWER:", "no choice in it", "no choice in it"),
    ],
)
def test_how_a_move_is_read(said: str, last: object, marked: object) -> None:
    for rule, expected in ((ReadingRule.LAST, last), (ReadingRule.MARKED, marked)):
        read = read_choice(Game(CROSS), START, said, rule)
        if read.choice is not None:
            assert str(read.choice) == expected
        else:
            assert expected in (read.failure, read.why)
            assert (read.failure is Failure.ILLEGAL) == (expected is Failure.ILLEGAL)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("ANSWER: 4", 4),
        ("Perhaps 2, or rather 5.", 5),
        ("ANSWER: 9", Failure.ILLEGAL),
        ("ANSWER: 0", Failure.ILLEGAL),
        ("ANSWER: ４", 4),
        ("none", Failure.UNREADABLE),
        ("P1+1", Failure.UNREADABLE),
    ],
)
def test_how_a_number_is_read(said: str, expected: object) -> None:
    read = read_choice(Game(FLAG), BATTLE, said)
    assert expected in (read.choice, read.failure)


@pytest.mark.parametrize("hands", ["13/2", "2/13", "123/1", "12/23"])
def test_a_number_is_read_from_the_hand_of_who_was_asked(hands: str) -> None:
    """Where numbers are spent both sides may have others left."""
    game = Game(SPENT)
    for position in (read_position(game, f"3/3/{side}*;{hands}") for side in Side):
        for side in Side:
            read = {n: read_choice(game, position, f"ANSWER: {n}", side=side) for n in (1, 2, 3)}
            legal = [n for n, one in read.items() if one.choice == n]
            assert tuple(legal) == game.hand(position, side)
            assert {read[n].failure for n in read if n not in legal} <= {Failure.ILLEGAL}


@for_games("game")
def test_every_legal_choice_can_be_written_and_read(game: str) -> None:
    """Whatever a question offers is understood, in the middle of prose, too."""
    solved = SolvedRuleSet(find_rulebook(game))
    for position in list(solved.solution.explored().positions)[:300]:
        for choice in (
            solved.choices(position, position.side) if solved.game.moves(position) else ()
        ):
            for said in (f"ANSWER: {choice}", f"Well, {choice}. That is it"):
                assert read_choice(solved.game, position, said).choice == choice


TEN_BAD_ANSWERS = {
    "prose around the move": "I would rather play {move} than wait.",
    "two moves": "ANSWER: {other} or {move}",
    "another script's digits": "ANSWER: {foreign}",
    "illegal": "ANSWER: {piece}+63",
    "empty": "",
    "too long": "ANSWER: {move}" + " " * 100_001,
    "late": "late",
    "JSON": '{{"move": "{move}"}}',
    "markdown": "**ANSWER:** `{move}`",
    "refusal": "I am sorry, but I cannot help with that.",
}
READ_LAST = {"prose around the move", "two moves", "another script's digits", "JSON", "markdown"}
READ_MARKED = {"two moves", "another script's digits", "markdown"}


@pytest.mark.parametrize(
    ("reading", "understood"), [(ReadingRule.LAST, READ_LAST), (ReadingRule.MARKED, READ_MARKED)]
)
@pytest.mark.parametrize("way", TEN_BAD_ANSWERS)
def test_ten_bad_answers_are_judged_as_the_settings_say(
    way: str, reading: ReadingRule, understood: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A choice that can be read counts; else the answer is unreadable, and only one is illegal."""

    def said(text: str) -> object:
        other, move = legal_moves(text)[0], legal_moves(text)[-1]
        foreign = move.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
        words = {"piece": move.partition("+")[0], "foreign": foreign, "other": other}
        answer = TEN_BAD_ANSWERS[way].format(move=move, **words)
        return AgentAnswer("", problem="late") if answer == "late" else answer

    monkeypatch.setattr(stand_ins, "first_legal", said)
    load_function.cache_clear()
    exam = sat(STAND_IN, SMALL[:1], positions=3, variations=0, pairs=0, reading=reading)
    load_function.cache_clear()
    found = exam_document(exam)
    asked = found.positions.regret.count
    assert asked == 3
    illegal = asked if way == "illegal" else 0
    legal = asked if way in understood else 0
    assert found.positions.of_legal.count == legal
    assert found.failures.illegal.count == illegal
    assert found.failures.unreadable.count == asked - legal - illegal
    if way in ("empty", "too long", "late"):
        assert found.failures.why == {way: asked}
    if legal:  # the last move of two, and always the same one
        solved = SolvedRuleSet(SMALL[0].rulebook)
        for line in exam.lines.values():
            for one in line.asked:
                position = read_position(solved.game, one.position)
                assert one.choice == str(solved.choices(position, Side(one.side))[-1])


def test_of_a_part_that_stands_twice_in_the_file_the_first_counts(tmp_path: Path) -> None:
    """As where two processes wrote to one file."""
    exam = sat(STAND_IN, SMALL[:1], pairs=0)
    path, lines = tmp_path / "exam.jsonl", list(exam.lines.values())
    [first, *_] = [line for line in lines if line.asked]
    second = msgspec.structs.replace(first, asked=[])
    with Ledger.begin(path, exam.header) as ledger:
        ledger.append(b"".join(msgspec.json.encode(one) + b"\n" for one in (*lines, second)))
    with Ledger.go_on(path, str(exam.header[LEDGER_KIND])) as ledger:
        assert Exam.resumed(ledger).lines == exam.lines


def test_failures_are_counted_apart_and_judged_as_losing_at_once() -> None:
    """Too long and late are unreadable as well; a failure forfeits a game."""
    found = answers("python:agents.stand_ins:bad", positions=4)
    assert found.failures.illegal.count > 0
    assert {"empty", "no choice in it", "too long", "late", "failed"} <= found.failures.why.keys()
    assert found.failures.unreadable.count > found.failures.illegal.count
    assert found.positions.regret.count > found.positions.of_legal.count
    assert found.positions.regret.mean is not None
    assert found.positions.regret.mean > 0


def test_a_retry_says_what_was_wrong() -> None:
    once = answers("python:agents.stand_ins:corrects_itself", positions=2, pairs=0)
    again = answers("python:agents.stand_ins:corrects_itself", positions=2, pairs=0, retries=1)
    assert once.positions.of_legal.count == 0
    assert again.positions.of_legal.count == again.positions.regret.count > 0
    assert again.failures.illegal.count > 0
    assert again.failures.why == {}


# The question


def test_the_question_has_what_the_settings_say() -> None:
    game = Game(CROSS)
    moves = game.moves(START)
    plain = question_text(game, START, Side.ONE)
    assert "You are player 1." in plain
    assert f"Your legal moves: {' '.join(map(str, moves))}" in plain
    assert "Moves so far" not in plain
    bare = question_text(game, START, Side.ONE, show_moves=False, history=moves[:1])
    assert "legal moves:" not in bare
    assert f"Moves so far: {moves[0]}" in bare
    for phrasing in Phrasing:
        text = question_text(game, START, Side.ONE, phrasing=phrasing)
        for sentence in rule_sentences(CROSS.rules, phrasing):
            assert sentence in text


def test_the_number_in_the_example_of_an_answer_is_in_hand() -> None:
    game = Game(SPENT)
    for text, side, number in (("3/3/1*;13/2", Side.ONE, 1), ("3/3/1*;13/2", Side.TWO, 2)):
        position = read_position(game, text)
        asked = question_text(game, position, side)
        assert asked.endswith(f"ANSWER: {number}\n")
        assert read_choice(game, position, asked, side=side).choice == number


def test_a_question_about_a_battle_never_has_the_other_number() -> None:
    """Both are asked about the same position; history has only settled battles."""
    found = sat("python:agents.stand_ins:notes_history", (SMALL[1],), history=True, pairs=2)
    for line in found.lines.values():
        if not line.result:
            continue
        for asked in line.asked:
            assert asked.failure is None
            assert asked.ply <= len(line.moves.split())


@given(rulebooks())
def test_the_rules_are_said_in_three_ways(rulebook: Rulebook) -> None:
    """Each sentence is there three times, and no two are alike."""
    ways = [rule_sentences(rulebook.rules, phrasing) for phrasing in Phrasing]
    assert len({len(way) for way in ways}) == 1
    for sentences in zip(*ways, strict=True):
        assert len(set(sentences)) == 3


@for_games("game")
def test_the_mirrored_game_is_the_same_game(game: str) -> None:
    """Every position has the value of its mirrored one, and moves are the same moves."""
    here = SolvedRuleSet(find_rulebook(game))
    there, rules = here.mirrored, here.game.rules
    for position in list(here.solution.explored().positions)[:500]:
        mirrored = mirrored_position(rules, position)
        value, other = here.solution.value(position), there.solution.value(mirrored)
        assert (value.low, value.high, value.plies) == (-other.high, -other.low, other.plies)
        if position.battle is None:
            moves = [mirrored_move(rules, move) for move in there.game.moves(mirrored)]
            assert moves == list(here.game.moves(position))


@given(rulebooks())
def test_mirrored_twice_a_game_is_itself(rulebook: Rulebook) -> None:
    """Whatever words its rules have, none is lost on the way."""
    rules = rulebook.rules
    turned = mirrored_rules(rules)
    again = mirrored_rules(turned)
    assert replace(again, player1=rules.player1, player2=rules.player2) == rules
    for team, other, twice in (
        (rules.player1, turned.player2, again.player1),
        (rules.player2, turned.player1, again.player2),
    ):
        assert (other.goal_needs, twice.homes) == (team.goal_needs, team.homes)
        assert set(twice.goal) == set(team.goal)
    here, there = Game(rulebook), Game(replace(rulebook, rules=turned))
    position = here.start()
    mirrored = mirrored_position(rules, position)
    for _ in range(20):
        moves = here.moves(position)
        won = here.outcome(position)
        assert there.outcome(mirrored) == (None if won is None else won.other)
        if not moves or position.battle is not None:
            return
        assert [mirrored_move(rules, move) for move in there.moves(mirrored)] == list(moves)
        position = here.play(position, moves[0])
        mirrored = there.play(mirrored, there.moves(mirrored)[0])


def test_consistency_sees_who_depends_on_words_and_direction() -> None:
    steady = answers("python:agents.stand_ins:first_legal", positions=4, variations=4, pairs=0)
    fickle = answers("python:agents.stand_ins:by_the_words", positions=4, variations=4, pairs=0)
    assert steady.consistency.rephrased.rate == steady.consistency.mirrored.rate == 1.0
    assert fickle.consistency.rephrased.rate is not None
    assert fickle.consistency.rephrased.rate < 1.0


def test_mixing_tells_one_number_from_many() -> None:
    pure = answers("python:agents.stand_ins:first_legal", rule_sets=SMALL[1:], positions=9)
    best = answers("player:perfect", rule_sets=SMALL[1:], positions=9)
    if pure.mixing.mixed:
        assert pure.mixing.always_same == pure.mixing.mixed
        assert pure.mixing.distinct == 1.0
        assert best.mixing.always_same < best.mixing.mixed


# The agents


def test_a_command_speaks_lines_and_tells_its_usage(tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text(AGENT, encoding="utf-8")
    found = answers(f"{sys.executable} {script}", positions=2, repeats=2)
    assert found.failures.why == {}
    assert found.usage.input_tokens == 100 * found.usage.answers
    assert found.usage.output_tokens == 7 * found.usage.answers
    assert found.usage.cost == 0.5 * found.usage.answers


def test_a_rule_set_is_learned_by_one_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: learning may take most of the time."""
    lessons = tmp_path / "lessons"
    monkeypatch.setenv(stand_ins.LESSONS, str(lessons))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    settings = ExamSettings(
        agent="python:agents.stand_ins:Learner",
        rule_sets=tuple(map(rule_set_of, map(find_rulebook, SMALL_GAMES))),
        positions=8,
        variations=0,
        repeats=1,
        levels=(1,),
    )
    with Pool(3) as pool:
        LongRun(Exam(settings)).run(pool)
    assert sorted(lessons.read_text(encoding="utf-8").split()) == sorted(SMALL_GAMES)


CHILD_HOLDS_THE_PIPE = """
import os, signal
if os.fork():
    os._exit(3)
os.setsid()
signal.alarm(60)
signal.pause()
"""
"""Its standard output stays open in a group of its own, until the alarm."""


@pytest.mark.parametrize(
    ("script", "why", "seconds"),
    [
        ("import sys; sys.stdin.read()", "late", 0.5),
        ("print('x' * 500_000, flush=True); input()", "too long", 60),
        ("while True: print('x' * 99)", "too long", 60),
        ("import sys; sys.exit(3)", "failed", 60),
        ("import sys; sys.exit('This is more than I can do.')", "failed", 60),
        (CHILD_HOLDS_THE_PIPE, "failed", 0.5),
    ],
)
def test_a_command_that_does_not_answer_is_unreadable(
    script: str, why: str, seconds: float
) -> None:
    """It is started again for the next question."""
    command = shlex.join([sys.executable, "-c", script])
    found = answers(
        command, rule_sets=SMALL[:1], positions=2, variations=0, pairs=0, seconds=seconds
    )
    assert found.failures.why == {why: found.positions.regret.count}
    assert found.positions.of_legal.count == 0


def test_a_function_that_hangs_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exam goes on without it."""
    held = threading.Event()
    monkeypatch.setattr(stand_ins, "first_legal", lambda text: held.wait())
    load_function.cache_clear()
    try:
        found = answers(
            STAND_IN, rule_sets=SMALL[:1], positions=2, variations=0, pairs=0, seconds=0.05
        )
    finally:
        held.set()
        load_function.cache_clear()
    assert found.failures.why == {"late": 2}


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("Breaks", "It raised ValueError: on purpose."),
        ("SaysNothing", "It returned NoneType, not text."),
        ("raises_without_text", "It raised Textless."),
    ],
)
def test_what_the_agents_own_code_raises_is_a_failed_answer(name: str, detail: str) -> None:
    """Of a class as of a function; the exam goes on."""
    agent = f"python:agents.stand_ins:{name}"
    exam = sat(agent, rule_sets=SMALL[:1], positions=2, variations=0, pairs=0)
    asked = [one for line in exam.lines.values() for one in line.asked]
    assert {(one.why, one.said) for one in asked} == {("failed", detail)}


def test_a_class_says_where_no_exam_is_possible() -> None:
    with pytest.raises(AgentError, match=r"The agent cannot be made: ValueError: no licence\."):
        make_agent("python:agents.stand_ins:Unmade")
    with pytest.raises(LineduelError, match="No machine to learn on"):
        sat("python:agents.stand_ins:Unable", rule_sets=SMALL[:1], positions=1, pairs=0)


def test_whatever_an_agent_prints_is_not_the_report(program: Program) -> None:
    """Standard output is one document, whoever prints: the agent's file, or its function."""
    loud = "print('loaded')\ndef answer(text):\n    print('asked')\n    return 'ANSWER: P1+1'\n"
    (program.folder / "loud.py").write_text(loud, encoding="utf-8")
    done = program(
        *("exam", "python:loud.py:answer", "--games", "ctf-tokens", "--unseen", "0", "--json"),
        *("--positions", "1", "--levels", "1", "--cores", "1"),
    )
    assert done.status == 0, done.err
    assert json.loads(done.out)["agent"] == "python:loud.py:answer"
    assert "loaded" in done.err
    assert "asked" in done.err


def test_a_command_is_started_once_and_may_think_aloud_in_one_long_line(tmp_path: Path) -> None:
    """It may take long to start; 50,000 characters are not too many."""
    script = tmp_path / "agent.py"
    begun = f"open({str(tmp_path / 'begun')!r}, 'a').write('x')\n"
    long = AGENT.replace('"I think about it."', '"hm " * 20_000')
    script.write_text(begun + long, encoding="utf-8")
    found = answers(f"{sys.executable} {script}", positions=2, repeats=2)
    assert found.failures.why == {}
    assert found.usage.answers > 4
    assert (tmp_path / "begun").read_text(encoding="utf-8") == "x"


class Endpoint(BaseHTTPRequestHandler):
    """A chat endpoint that is busy once, and then answers with a legal choice."""

    seen: list[dict[str, Any]]
    busy: int

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind = type(self)
        if kind.busy:
            kind.busy -= 1
            self.send_response(503)
            self.send_header("Content-Length", "6")
            self.end_headers()
            self.wfile.write(b"Oops!\n")
            return
        kind.seen.append({"key": self.headers["Authorization"], **body})
        text = body["messages"][0]["content"]
        legal = [one for one in text.splitlines() if one.startswith("Your legal moves: ")]
        content = f"ANSWER: {legal[0].split()[3] if legal else 1}"
        reply = json.dumps(
            {
                "choices": [{"message": {"role": "assistant", "content": content}}],
                "usage": {"prompt_tokens": 11, "completion_tokens": 3},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr("lineduel.agents.endpoint._PAUSES", (0.0, 0.0))
    Endpoint.seen, Endpoint.busy = [], 1
    with serving(Endpoint) as address:
        yield f"{address}v1/chat/completions"


def test_an_endpoint_is_asked_in_the_common_chat_form(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret")
    exam = sat(endpoint, positions=2, pairs=0, model="m", key_variable="MY_KEY")
    found = exam_document(exam)
    assert found.failures.why == {}
    assert {one["model"] for one in Endpoint.seen} == {"m"}
    assert {one["key"] for one in Endpoint.seen} == {"Bearer secret"}
    assert found.usage.input_tokens == 11 * found.usage.answers == 11 * len(Endpoint.seen)
    assert "secret" not in json.dumps([plain_data(found), exam.header])


def test_a_worker_asks_with_the_key_and_the_model_of_the_exam(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its agent stays from one exam to the next."""
    keys = {"FIRST": "one", "SECOND": "two", "": None}
    for name, key in keys.items():
        if key:
            monkeypatch.setenv(name, key)
    asked = [(name, model) for model in ("m", "n") for name in keys]
    for name, model in asked + asked[::-1]:
        Endpoint.seen.clear()
        settings = ExamSettings(agent=endpoint, rule_sets=SMALL, model=model, key_variable=name)
        sit(settings, [1])
        key = f"Bearer {keys[name]}" if name else None
        assert {(one["key"], one["model"]) for one in Endpoint.seen} == {(key, model)}
    KEPT_AGENT.close()


class Redirecting(BaseHTTPRequestHandler):
    """An endpoint that sends whoever asks on to another address."""

    status: int
    elsewhere: str

    def do_POST(self) -> None:
        self.send_response(self.status)
        self.send_header("Location", self.elsewhere)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_not_followed(endpoint: str, status: int) -> None:
    """The key is for one address; another host never sees it, nor the question."""
    Redirecting.status, Redirecting.elsewhere = status, endpoint
    with (
        serving(Redirecting) as address,
        pytest.raises(AgentError, match=f"status {status}, which redirects to {endpoint}"),
    ):
        make_agent(address, key="secret").answer(SimpleNamespace(text="Choose."), 60)  # type: ignore[arg-type]
    assert Endpoint.seen == []
    assert Endpoint.busy == 1


class Saying(BaseHTTPRequestHandler):
    """An endpoint that always says the same."""

    reply: bytes

    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.reply)))
        self.end_headers()
        self.wfile.write(self.reply)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    "reply",
    [b"", b"[]", b"{}", b"no JSON", b"\xff", b"[" * 100_000, b'{"choices": [{"message": "x"}]}'],
)
def test_a_reply_in_another_form_stops_the_exam(reply: bytes) -> None:
    Saying.reply = reply
    question: Any = SimpleNamespace(text="Choose.")
    with (
        serving(Saying) as address,
        pytest.raises(AgentError, match="not answer in the form of chat completions"),
    ):
        make_agent(address).answer(question, 60)


@pytest.mark.parametrize("told", ["1e300", "9" * 400, "NaN", "Infinity", "-1", "null", '"x"', "[]"])
def test_absurd_costs_are_left_out(told: str) -> None:
    content = '"choices": [{"message": {"content": "ANSWER: 1"}}]'
    Saying.reply = f'{{{content}, "usage": {{"prompt_tokens": {told}, "cost": {told}}}}}'.encode()
    question: Any = SimpleNamespace(text="Choose.")
    with serving(Saying) as address:
        assert make_agent(address).answer(question, 60) == AgentAnswer("ANSWER: 1")


class Dripping(BaseHTTPRequestHandler):
    """An endpoint that goes on sending for as long as somebody listens."""

    in_headers: bool
    status: int

    def do_POST(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Length", "1000000")
        if self.in_headers:
            self.flush_headers()
        else:
            self.end_headers()
        with suppress(OSError):
            while not GONE.wait(0.005):
                self.wfile.write(b"x")

    def log_message(self, *_: object) -> None:
        pass


GONE = threading.Event()


@pytest.mark.parametrize(("in_headers", "status"), [(False, 200), (True, 200), (False, 400)])
def test_an_endpoint_that_sends_drops_past_its_time_is_late(in_headers: bool, status: int) -> None:
    """However often it sends something, be it an error; the exam goes on."""
    GONE.clear()
    Dripping.in_headers, Dripping.status = in_headers, status
    question: Any = SimpleNamespace(text="Choose.")
    with serving(Dripping) as address:
        try:
            assert make_agent(address).answer(question, 0.1).problem == "late"
        finally:
            GONE.set()


def test_an_endpoint_that_cannot_be_reached_stops_the_exam() -> None:
    """What was not answered does not count as a wrong answer."""
    with pytest.raises(LineduelError, match="cannot be asked"):
        sat("http://127.0.0.1:9/v1/chat/completions", positions=1, pairs=0)


def test_an_endpoint_that_stays_busy_is_quoted(endpoint: str) -> None:
    """It is asked again after a pause, and then given up."""
    Endpoint.busy = 3
    with pytest.raises(LineduelError) as raised:
        sat(endpoint, positions=1, pairs=0)
    assert str(raised.value) == f'{endpoint} cannot be asked: status 503, "Oops!".'
    assert Endpoint.busy == 0


def test_an_endpoint_that_does_not_speak_http_stops_the_exam() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1)
                connection.sendall(b"220 mail.example.org\r\n\r\n")
                while connection.recv(1 << 16):
                    pass

        threading.Thread(target=talk, daemon=True).start()
        with pytest.raises(LineduelError, match="cannot be asked"):
            sat(f"http://127.0.0.1:{server.getsockname()[1]}/", positions=1, pairs=0)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("python:nowhere.py:answer", "There is no function"),
        ("python:agents.raises:answer", "RuntimeError: on purpose"),
        ("python:agents.stand_ins:nothing", "There is no function"),
        ("python:agents.stand_ins:BAD_ANSWERS", "not a function"),
        ("player:nobody", "nobody"),
        ("", "empty"),
    ],
)
def test_an_agent_that_does_not_exist_is_refused(name: str, why: str) -> None:
    with pytest.raises(LineduelError, match=why):
        make_agent(name)


def test_a_command_that_cannot_be_started_is_refused() -> None:
    solved = SolvedRuleSet(CROSS)
    question = AgentQuestion(
        text="",
        game=solved.game,
        position=START,
        side=Side.ONE,
        seed=1,
        exam_seed=1,
        solution=lambda: solved.solution,
    )
    with pytest.raises(AgentError, match="no program called"):
        make_agent("no-such-program-anywhere").answer(question, 1.0)


# Reports


def test_an_exam_repeats_bit_for_bit() -> None:
    one, two = (sat("player:level:2") for _ in range(2))
    assert plain_data(exam_document(one)) == plain_data(exam_document(two))
    assert one.lines == two.lines
    other = sat("player:level:2", seed=2)
    assert other.lines != one.lines


def test_both_games_of_a_pair_have_the_same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opponent's, whichever seat it has; other pairs and other seeds have others."""
    keys: list[int] = []

    def stream(key: int) -> RandomStream:
        keys.append(key)
        return RandomStream(key)

    monkeypatch.setattr(sitting, "RandomStream", stream)
    for seed in (1, 2):
        sat("player:level:1", SMALL[:1], positions=0, levels=(1, 3), pairs=2, seed=seed)
    assert keys[::2] == keys[1::2]
    assert len(set(keys)) == len(keys) // 2 == 8


def test_two_agents_are_compared_position_by_position() -> None:
    exams = [sat(f"player:{name}", positions=8) for name in ("random", "perfect", "level:3")]
    found = compare_exams(exams[:2])
    (pair,) = found.pairs
    assert found.ratings == []
    assert pair.difference.mean is not None
    assert pair.difference.mean > 0
    three = compare_exams(exams)
    assert len(three.pairs) == 3
    strongest = [row.player for row in three.ratings if row.player.startswith("player:")]
    assert strongest[0] == "player:perfect"
    assert strongest[-1] == "player:random"
    for row in three.ratings:
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.elo <= row.high
    assert any(" [" in line for line in comparison_lines(three))
    with pytest.raises(NotationError, match="same agent"):
        compare_exams([exams[0], exams[0]])
    with pytest.raises(NotationError, match="not asked about"):
        compare_exams([exams[0], sat("player:perfect", tuple(unseen_rule_sets(1, 9)))])


def test_the_page_escapes_whatever_an_agent_is_called() -> None:
    exam = sat("python:agents.stand_ins:bad", positions=10, model="</script><b>m")
    found = replace_all(exam_document(exam), agent=(name := "<script>alert(1)</script>\x1b[31m&"))
    row = replace_all(shipped_baselines()[0], agent=name, commands=[f"lineduel {name}"])
    for page in (exam_page(found), benchmark_page(benchmark_document([row]))):
        assert page.count("<script") == page.count("</script")
        assert "alert(1)" in page
        assert "<script>alert" not in page
        assert "<b>m" not in page
        assert "\x1b" not in page
    assert exam_page(found).count("<h2>") >= 5
    for lines in (exam_lines(found), benchmark_lines(benchmark_document([row]))):
        text = "\n".join(lines)
        assert text.replace("\n", "").isprintable()
        assert "alert(1)" in text


def replace_all(document: Any, **others: Any) -> Any:
    """A document with other values."""
    return msgspec.structs.replace(document, **others)


def test_the_command_examines_resumes_and_compares(program: Program) -> None:
    """Stopped halfway, the file goes on to the same report."""
    sets = ("--games", "ctf-tokens", "flag-chase", "--unseen", "1")
    small = (*sets, "--positions", "2", "--levels", "1", "--cores", "1")
    whole = program("exam", "player:level:3", *small, "--json", "--html", "exam.html")
    assert whole.status == 0, whole.err
    assert (program.folder / "exam.html").exists()
    kept = (program.folder / "exam.jsonl").read_bytes().splitlines(keepends=True)
    (program.folder / "half.jsonl").write_bytes(b"".join(kept[: len(kept) // 2]))
    again = program("exam", "--resume", "--file", "half.jsonl", "--cores", "1", "--json")
    assert again.status == 0, again.err
    assert again.out == whole.out
    other = program("exam", "player:random", *small, "--file", "other.jsonl")
    assert other.status == 0, other.err
    assert "What a choice gives away" in other.out
    compared = program("exam", "--compare", "exam.jsonl", "other.jsonl", "--json")
    assert json.loads(compared.out)["agents"] == ["player:level:3", "player:random"]
    wrong = program("exam", "player:random", "--resume", "--file", "half.jsonl")
    assert wrong.status == 2
    assert "another agent" in wrong.err
    assert program("exam").status == 2


SLOW_AGENT = AGENT.replace("import sys\n", "import sys, time\n").replace(
    "    legal = ", "    time.sleep(0.01)\n    legal = ", 1
)


@tried(2, 6)
def test_killed_and_resumed_an_exam_comes_to_the_same_report(program: Program, times: int) -> None:
    """SIGKILL at random moments, of an agent that is a program of its own."""
    (program.folder / "agent.py").write_text(SLOW_AGENT, encoding="utf-8")
    agent = f"{sys.executable} agent.py"
    sets = ("--games", "ctf-tokens", "flag-chase", "--unseen", "1", "--levels", "1")
    asked = ("exam", agent, *sets, "--positions", "9", "--cores", "2")
    file, chance = program.folder / "killed.jsonl", Random(3)
    for attempt in range(times):
        again = ["--resume", "--trust"] if attempt else []
        begun = asked if not attempt else asked[:1]
        with program.started(*begun, "--file", file.name, *again) as process:
            wait_for(file, file.read_bytes().count(b"\n") if file.exists() else 0, process)
            time.sleep(chance.random() * 0.25)
            assert process.poll() is None
            process.kill()
    resumed = program("exam", "--resume", "--trust", "--file", file.name, "--json")
    whole = program(*asked, "--file", "whole.jsonl", "--json")
    assert (resumed.status, whole.status) == (0, 0), resumed.err + whole.err
    one, other = json.loads(resumed.out), json.loads(whole.out)
    assert one == other


def test_a_file_that_starts_a_program_is_asked_about(program: Program) -> None:
    made = ExamSettings(agent="sh evil.sh", rule_sets=SMALL, positions=1, pairs=0)
    LongRun.begin(program.folder / "exam.jsonl", Exam(made)).close()
    done = program("exam", "--resume")
    assert done.status == 2
    assert "sh evil.sh" in done.err
    assert "--trust" in done.err


@pytest.mark.long
def test_a_large_exam_takes_less_than_two_minutes() -> None:
    """500 games and 2,000 positions on two cores, which may be busy with other work, too."""
    sets = (*shipped_rule_sets(), *unseen_rule_sets(20, 1))
    made = ExamSettings(agent="player:level:1", rule_sets=sets, positions=64, pairs=2)
    assert made.games * len(sets) >= 500
    assert made.positions * len(sets) >= 2000
    began = processor_seconds()
    with Pool(2) as pool:
        exam = LongRun(Exam(made)).run(pool)
    assert exam.is_done
    assert (processor_seconds() - began) / 2 < 120


def processor_seconds() -> float:
    """What this process and its workers, once they have ended, have used."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
