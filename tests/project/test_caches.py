"""What is kept answers the question it was kept for, and no other."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import product, starmap
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lineduel.coach import review
from lineduel.coach.chances import Forecast
from lineduel.coach.known_chances import AskedChances
from lineduel.documents.audit_reports import AuditCache, AuditReport, audit_question
from lineduel.engine import Game, Move, Position
from lineduel.graph import explore_by_engine, explore_compiled
from lineduel.history import KnownAccuracies, SavedGame, known_accuracies, review_unknown
from lineduel.lab.repair_search import RepairWork, default_repair_file
from lineduel.narration import Narrator
from lineduel.players import Level, Lookahead, Perfect, Search
from lineduel.record import Record
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Claim, Property, Rulebook, Side, assign
from lineduel.solve import Cache, PlainSolution, Solution, cache as solution_cache, solve, solver
from lineduel.solve.graph_solution import solve_graph
from lineduel.solve.solver import Silence
from lineduel.solve.table import solve_table
from support.strategies import reachable

FLAG_CHASE = find_rulebook("flag-chase")
UNEVEN = assign(FLAG_CHASE, ["battle.tie=attacker", "battle.wins=undercut", "move.steps=1,2"])
"""Both sides have other chances in its battles."""
TOKENS = find_rulebook("ctf-tokens")
Question = tuple[Position, Side, int]


def solved(rulebook: Rulebook) -> PlainSolution:
    solution = solve(Game(rulebook))
    assert isinstance(solution, PlainSolution)
    return solution


def searching(search: Search, question: Question) -> object:
    search.rng.seed(question[2])
    return search.chances(*question[:2])


def in_words(narrator: Narrator, question: Question) -> object:
    position, side, _ = question
    after = [narrator.game.events(position, move) for move in narrator.game.moves(position)]
    told = [narrator.tell(events) for events in after]
    return (
        narrator.turn(position),
        narrator.prompt(position, side),
        narrator.board(position),
        narrator.after(position),
        told,
    )


ASKED: dict[str, tuple[Callable[[Rulebook], Any], Callable[[Any, Question], object]]] = {
    "level": (
        lambda rulebook: Level(4, solved(rulebook)),
        lambda level, question: level.chances(*question[:2]),
    ),
    "perfect": (
        lambda rulebook: Perfect(solved(rulebook)),
        lambda perfect, question: perfect.chances(*question[:2]),
    ),
    "lookahead": (
        lambda rulebook: Lookahead(Game(rulebook), 300),
        lambda ahead, question: ahead.look(question[0], 3 + question[2]),
    ),
    "search": (lambda rulebook: Search(Game(rulebook), Random(0), games=20), searching),
    "forecast": (
        lambda rulebook: Forecast(solved(rulebook)),
        lambda forecast, question: forecast.chances(
            *question[:2], level=1 + question[2] % 2, turns=5 + question[2]
        ),
    ),
    "narrator": (lambda rulebook: Narrator(Game(rulebook), ("Ann", None)), in_words),
    "solution": (solved, lambda solution, question: solution.outlook(question[0])),
}


@pytest.mark.parametrize(("make", "ask"), ASKED.values(), ids=ASKED)
def test_whatever_was_asked_before_the_answer_is_that_of_a_fresh_one(
    make: Callable[[Rulebook], Any], ask: Callable[[Any, Question], object]
) -> None:
    """In any order, and beside another that answers about other rules."""
    chance = Random(3)
    shared = {rulebook: make(rulebook) for rulebook in (UNEVEN, FLAG_CHASE)}
    for _ in range(12):
        rulebook = chance.choice((UNEVEN, FLAG_CHASE))
        positions = [one for one in reachable(Game(rulebook), 60) if Game(rulebook).moves(one)]
        place = chance.choice([one for one in positions if one.battle is not None] + positions[:9])
        side = chance.choice(list(Side)) if place.battle is not None else place.side
        question = place, side, chance.randrange(3)
        assert ask(shared[rulebook], question) == ask(make(rulebook), question), question
        if place.battle is not None:
            other = place, side.other, question[2]
            assert ask(shared[rulebook], other) == ask(make(rulebook), other), other


# On the disk


def test_each_start_and_each_rule_has_a_solution_of_its_own(tmp_path: Path) -> None:
    """All are there at once, each from its own start and by its own rules."""
    cache, kept = Cache(tmp_path), []
    for changes in ([], ["move.steps=1,2"], ["track.length=9"], ["meet.enemy=shared"]):
        game = Game(assign(TOKENS, changes))
        for start in reachable(game, 4):
            if game.moves(start):
                solution = solve(game, start)
                cache.store(solution)
                kept.append(solution)
    assert len(list(tmp_path.iterdir())) == len(kept)
    for solution in kept:
        known = cache.load(solution.game, solution.start)
        assert known is not None
        assert (known.start, known.positions) == (solution.start, solution.positions)
        assert known.value(known.start) == solution.value(solution.start)


def in_fractions() -> list[Solution]:
    return [solve(Game(book)) for book in (FLAG_CHASE, UNEVEN)]


def in_tables() -> list[Solution]:
    games = [Game(assign(TOKENS, [steps])) for steps in ("move.steps=1", "move.steps=1,2")]
    return [solve_table(game, game.start(), Silence()) for game in games]


def in_bounds() -> list[Solution]:
    games = [Game(book) for book in (FLAG_CHASE, UNEVEN)]
    return [solve_graph(explore_compiled(game), Silence()) for game in games]


@pytest.mark.parametrize("solved", [in_fractions, in_tables, in_bounds])
def test_a_kept_solution_of_other_rules_is_not_used_under_any_name(
    solved: Callable[[], list[Solution]], tmp_path: Path
) -> None:
    """Though it is whole and true, and begins at the same start."""
    solutions = solved()
    names = []
    for number, solution in enumerate(solutions):
        cache = Cache(tmp_path / str(number))
        cache.store(solution)
        assert cache.load(solution.game, solution.start) is not None
        [file] = (tmp_path / str(number)).iterdir()
        names.append(file)
    assert solutions[0].start == solutions[1].start
    names[1].replace(names[0].with_name(names[1].name))
    names[0].replace(names[0].with_name("aside"))
    names[0].with_name(names[1].name).replace(names[0])
    assert Cache(tmp_path / "0").load(solutions[0].game, solutions[0].start) is None


def test_each_question_has_an_audit_of_its_own(tmp_path: Path) -> None:
    cache = AuditCache(tmp_path)
    claimed = replace(TOKENS, claims=(Claim("Quick.", Property.ENDS_QUICKLY),))
    books = [TOKENS, claimed, replace(TOKENS, id="other"), assign(TOKENS, ["move.steps=1"])]
    several = [[one] for one in books] + [books[:2], books[1::-1], books[1:3], books[2:0:-1]]
    questions = [audit_question(one, everything) for one in several for everything in (True, False)]
    for number, question in enumerate(questions):
        cache.store(question, AuditReport(audits=[], text=[str(number)], page=None))
    reports = [cache.load(question) for question in questions]
    assert [one and one.text for one in reports] == [[str(n)] for n in range(len(questions))]


def test_each_search_for_repairs_has_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEDUEL_CACHE", str(tmp_path))
    works = [
        RepairWork(TOKENS),
        RepairWork(TOKENS, (Property.NO_DRAW,)),
        RepairWork(TOKENS, most=2),
        RepairWork(TOKENS, prefer_fair=True),
        RepairWork(assign(TOKENS, ["move.steps=1"])),
    ]
    assert len({default_repair_file(work.header) for work in works}) == len(works)


def record(game: Game, start: Position, moves: int) -> Record:
    position, done = start, list[Move]()
    while len(done) < moves and game.moves(position):
        done.append(game.moves(position)[len(done) % len(game.moves(position))])
        position = game.play(position, done[-1])
    return Record(rulebook=game.rulebook, start=start, moves=tuple(done))


def test_each_game_has_an_accuracy_of_its_own(tmp_path: Path) -> None:
    """By its rules, its start, its moves and the side; and two programs lose nothing."""
    games = [Game(FLAG_CHASE), Game(assign(FLAG_CHASE, ["battle.wins=undercut"]))]
    records = [
        record(game, start, moves)
        for game in games
        for start in reachable(game, 6)[::5]
        for moves in (2, 3)
    ]
    path = tmp_path / "accuracies.json"
    first, second = KnownAccuracies(path), KnownAccuracies(path)
    expected = {}
    for number, one in enumerate(records):
        judged = review(one, solve(Game(one.rulebook), one.start))
        assert first.of(one, Side.ONE) is second.of(one, Side.ONE) is None
        (first if number % 2 else second).note(judged)
        expected[number] = [judged.accuracy(side) for side in Side]
    first.save()
    second.save()
    known = KnownAccuracies(path)
    for number, accuracies in expected.items():
        for side, accuracy in zip(Side, accuracies, strict=True):
            kept = known.of(records[number], side)
            assert kept == (accuracy.kept, accuracy.choices)


def test_what_another_version_has_kept_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may be whole and true, and its figures mean something else."""
    solution, path = solved(TOKENS), tmp_path / "accuracies.json"
    cache, game, known = Cache(tmp_path), solution.game, KnownAccuracies(path)
    played = record(game, solution.start, 3)
    cache.store(solution)
    known.note(review(played, solution))
    known.save()
    for same in (True, False):
        if not same:
            monkeypatch.setattr(solution_cache, "_VERSION", 1000)
            monkeypatch.setattr(known_accuracies, "_VERSION", 1000)
        assert (cache.load(game, solution.start) is not None) is same
        assert (KnownAccuracies(path).of(played, Side.ONE) is not None) is same


def test_games_from_different_starts_are_reviewed_by_their_own_solutions(tmp_path: Path) -> None:
    """Each from where it began, though the rules are the same."""
    game = Game(TOKENS)
    players = (("Player1", "human"), ("Player2", "level:1"))
    starts = [one for one in reachable(game, 40) if game.moves(one)][::9]
    saved = []
    for start in starts:
        whole = record(game, start, 99)
        saved.append(SavedGame(tmp_path, replace(whole, tags=players), None))
    known = KnownAccuracies(tmp_path / "accuracies.json")
    review_unknown(saved, known, Cache(tmp_path))
    for one in saved:
        accuracy = review(one.record, solve(game, one.record.start)).accuracy(Side.ONE)
        assert known.of(one.record, Side.ONE) == (accuracy.kept, accuracy.choices)


@pytest.mark.parametrize("limited", [True, False])
def test_only_a_solution_that_no_limit_cut_short_is_kept(
    limited: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A later solver may find tighter bounds."""
    game, solution = Game(TOKENS), solved(TOKENS)
    solution.limited = limited
    monkeypatch.setattr(solver, "_solve", lambda *_: solution)
    solve(game, cache=Cache(tmp_path))
    assert (Cache(tmp_path).load(game, game.start()) is None) is limited


def test_a_kept_solution_takes_the_graph_that_it_is_given(tmp_path: Path) -> None:
    """So that nobody explores the game again."""
    game, cache = Game(TOKENS), Cache(tmp_path)
    graph = explore_by_engine(game, game.start())
    for _ in range(2):
        assert solve(game, cache=cache, graph=graph).explored() is graph


CHANCES = list(
    product((FLAG_CHASE, UNEVEN), starmap(AskedChances, product(Side, (3, 4), (29, 30))))
)
"""What chances are asked for, and by which rules."""


def chances_of(rulebook: Rulebook, asked: AskedChances, cache: Cache) -> list[object]:
    solution = solved(rulebook)
    forecast = Forecast(solution, cache)
    return [forecast.chances(position, *asked) for position, _ in solution.items()]


def test_all_kept_chances_answer_what_they_were_computed_for(tmp_path: Path) -> None:
    """All are there at once, to the last digit, and any file under another's name is not used."""
    cache = Cache(tmp_path)
    computed = [chances_of(rulebook, asked, cache) for rulebook, asked in CHANCES]
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(files) == len(CHANCES)
    for kept in (files.values(), reversed(files.values())):
        for path, content in zip(files, kept, strict=True):
            path.write_bytes(content)
        found = [chances_of(rulebook, asked, cache) for rulebook, asked in CHANCES]
        assert found == computed
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files


def wrong_digit(text: bytes) -> bytes:
    return text.replace(b" 0.0", b" 0.1", 1)


@pytest.mark.parametrize(
    "spoilt",
    [
        wrong_digit,
        lambda text: text[: len(text) // 2],
        lambda text: sealed_again(text.replace(b"chances 1", b"chances 0")),
        lambda text: sealed_again(text.replace(b"sight=3", b"sight=2")),
        lambda text: sealed_again(b"\n".join(text.split(b"\n")[:-3]) + b"\n"),
        lambda text: sealed_again(text.replace(b" 0.0", b" none", 1)),
        lambda text: b"\xff",
        lambda text: b"",
    ],
    ids=["changed", "cut", "version", "level", "incomplete", "no number", "no text", "empty"],
)
def test_chances_that_do_not_fit_are_computed_and_kept_again(
    spoilt: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """Of a file that is damaged, or made by a program with another format or other levels."""
    cache, asked = Cache(tmp_path), AskedChances(Side.ONE, 4, 29)
    computed = chances_of(FLAG_CHASE, asked, cache)
    [kept] = tmp_path.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(spoilt(whole))
    assert kept.read_bytes() != whole
    assert chances_of(FLAG_CHASE, asked, cache) == computed
    assert kept.read_bytes() == whole


def sealed_again(text: bytes) -> bytes:
    body = text.rpartition(b"sha256 ")[0] or text
    return body + b"sha256 " + sha256(body).hexdigest().encode() + b"\n"


def test_a_kept_audit_that_was_changed_is_not_used(tmp_path: Path) -> None:
    """Though it can be read."""
    cache, question = AuditCache(tmp_path), audit_question([TOKENS], True)
    cache.store(question, AuditReport(audits=[], text=["proved"], page=None))
    [kept] = tmp_path.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b'"proved"', b'"proven"'))
    assert cache.load(question) is None
    kept.write_bytes(whole)
    assert cache.load(question) is not None
