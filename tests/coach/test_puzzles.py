"""Puzzles have one good move, are judged by the solution, and come back when they were missed."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from lineduel.coach.puzzles import (
    PUZZLE_KINDS,
    Puzzle,
    find_puzzles,
    judge,
    puzzle_at,
    puzzle_of_the_day,
)
from lineduel.coach.reason_facts import ReasonKind
from lineduel.coach.reasons import reasons
from lineduel.coach.training import Practice, PuzzleRating, Training, load_rating, note_answer
from lineduel.engine import Game
from lineduel.errors import StorageError
from lineduel.narration import MoveWords
from lineduel.players import LEVELS, Level
from lineduel.record import read_position
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook
from lineduel.rules.assignments import assign
from lineduel.solve.mistakes import keeping_moves, only_move
from support.program import Program
from support.solved import solution_of
from support.strategies import ALL_GAMES

TODAY = date(2026, 5, 1)


def test_the_same_move_of_pieces_that_are_alike_is_one_only_move() -> None:
    """In every position of a game in which pieces begin on one cell."""
    solution = solution_of("ctf-soldiers")
    game, standing, several = solution.game, solution.likeness.standing_for, 0
    for position, _ in solution.items():  # noqa: PERF102  a solution is no dict
        if position.battle is None and game.moves(position):
            keeping = keeping_moves(solution, position)
            reached = {standing(game.play(position, move)) for move in keeping}
            is_only = len(reached) == 1 and len(keeping) < len(game.moves(position))
            assert only_move(solution, position) == (keeping[0] if is_only else None), position
            several += is_only and len(keeping) > 1
    assert several > 100


@pytest.mark.parametrize("address", ALL_GAMES)
def test_a_puzzle_has_exactly_one_good_move(address: str) -> None:
    """All other moves lead to less, but for the same move of a piece that is alike."""
    solution = solution_of(address)
    game = solution.game
    for puzzle, _ in zip(find_puzzles(solution, Random(4)), range(40), strict=False):
        side = puzzle.position.side
        worth = solution.value(puzzle.position).for_side(side)[:2]
        assert 0 <= puzzle.grade <= 8
        words = MoveWords(game, puzzle.position)
        for move, value in solution.moves(puzzle.position):
            verdict = judge(solution, puzzle.position, move)
            assert verdict.right == (value.for_side(side)[:2] == worth)
            if not verdict.right:
                assert str(verdict).startswith(f"No: {words(move)} ")
        answer = judge(solution, puzzle.position, puzzle.answer)
        assert answer.right
        assert str(answer).startswith(f"Right: {words(puzzle.answer)} ")
        assert answer.as_answer().startswith(f"The good move was {words(puzzle.answer)}: it ")
        assert puzzle.answer in game.moves(puzzle.position)


def test_a_grade_counts_the_levels_that_rather_miss_than_find() -> None:
    """One that finds the move as often as not does not count: level 1 with two moves to choose."""
    seen = set()
    for address in ("blockade-duel", "ctf-tokens", "cross-over"):
        solution = solution_of(address)
        for puzzle in islice(find_puzzles(solution, Random(1)), 40):
            moves = solution.game.moves(puzzle.position)
            answer, missed = moves.index(puzzle.answer), 0
            for number in LEVELS:
                chances = Level(number, solution).chances(puzzle.position, puzzle.position.side)
                alike = judge(solution, puzzle.position, puzzle.answer).alike
                found = chances[answer] + sum(chances[moves.index(one)] for one in alike)
                missed += found < 1 - found
                seen.add(found == 0.5)
            assert puzzle.grade == missed, puzzle
    assert seen == {True, False}


def test_where_every_move_is_right_there_is_no_puzzle() -> None:
    """Two soldiers on one cell are alike: whichever goes, the same is reached, and it wins."""
    solution = solution_of("ctf-soldiers")
    position = read_position(solution.game, "9,9/1,7/1")
    moves = solution.game.moves(position)
    after = {solution.likeness.standing_for(solution.game.play(position, one)) for one in moves}
    assert len(moves) > len(after) == 1
    assert puzzle_at(solution, position) is None


def test_a_seed_makes_the_puzzles_repeatable() -> None:
    """The dice decide, and the same dice decide the same."""
    solution = solution_of("ctf-soldiers")
    one, same, other = (
        [puzzle.position for puzzle, _ in zip(find_puzzles(solution, Random(seed)), range(5))]  # noqa: B905  the first five
        for seed in (1, 1, 2)
    )
    assert one == same != other


def test_missed_puzzles_come_back_and_solved_ones_wait_longer_and_longer(tmp_path: Path) -> None:
    """A miss is due at once; each solution in a row doubles the wait; a miss begins anew."""
    practice = Practice(tmp_path / "puzzles.json")
    practice.note("game a", False, TODAY)
    assert practice.due("game ", TODAY) == ["game a"]
    day = TODAY
    for wait in (1, 2, 4, 8, 16, 32, 32):
        practice.note("game a", True, day)
        assert practice.due("game ", day + timedelta(days=wait - 1)) == []
        day += timedelta(days=wait)
        assert Practice.load(practice.path).due("game ", day) == ["game a"]
    practice.note("game a", False, day)
    assert practice.due("game ", day) == ["game a"]
    assert practice.due("another ", day) == []


DAMAGED = {
    "cut": "{",
    "a list": "[]",
    "a number": '{"a": 1}',
    "no day": '{"a": [1, "never"]}',
    "a number without end": '{"a": [1e999, "2026-05-01"]}',
    "more digits than are read": f'{{"a": [{"9" * 5000}, "2026-05-01"]}}',
    "less than nothing": '{"a": [-1, "2026-05-01"]}',
    "true": '{"a": [true, "2026-05-01"]}',
    "nested without end": "[" * 100_000,
    "no text": "\udcff\udcfe",
}


def test_damaged_results_are_kept_aside(tmp_path: Path) -> None:
    """Nothing is deleted or overwritten, and the next time begins afresh."""
    path = tmp_path / "puzzles.json"
    for text in DAMAGED.values():
        path.write_bytes(text.encode(errors="surrogateescape"))
        with pytest.raises(StorageError, match="damaged") as error:
            Practice.load(path)
        assert str(path) in str(error.value)
        assert Practice.load(path).results == {}
    asides = [one.read_bytes() for one in tmp_path.glob("*.damaged")]
    assert sorted(asides) == sorted(
        text.encode(errors="surrogateescape") for text in DAMAGED.values()
    )


def test_one_bad_entry_costs_only_itself(tmp_path: Path) -> None:
    """The file is put aside and named, and the other results go on."""
    path = tmp_path / "puzzles.json"
    Practice(path).note("game a", False, TODAY)
    text = path.read_text().replace("{", '{"game b": [1e999, "2026-05-01"],', 1)
    path.write_text(text)
    with pytest.raises(StorageError, match="damaged"):
        Practice.load(path)
    assert Practice.load(path).due("game ", TODAY) == ["game a"]
    assert [one.read_text() for one in tmp_path.glob("*.damaged")] == [text]


def test_a_name_that_is_no_position_is_passed_over(program: Program) -> None:
    """Whatever stands in the file, there are puzzles."""
    asked = ("puzzle", "blockade-duel", "--count", "1", "--seed", "2")
    missed = program(*asked, typed="P2+1\n")
    path = program.data / "puzzles.json"
    (name,) = json.loads(path.read_text())
    key = name.partition(" ")[0]
    for bad in (f"{key} nonsense", f"{key} 1,1,1/2/1", f"{key} 99/1/1", key):
        path.write_text(json.dumps({bad: [0, "2026-01-01"], name: [0, "2026-01-02"]}))
        done = program(*asked[:-1], "9", typed="P2+2\n")
        assert (done.status, done.err) == (0, "")
        assert done.out.splitlines()[1] == missed.out.splitlines()[1]


def test_answers_given_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    """Several programs note their results in one file."""
    path = tmp_path / "puzzles.json"
    runs = [Practice.load(path) for _ in range(8)]
    with ThreadPoolExecutor(len(runs)) as threads:
        for number in range(5):
            noted = [
                threads.submit(run.note, f"game {at}-{number}", False, TODAY)
                for at, run in enumerate(runs)
            ]
            for one in noted:
                one.result()
    assert len(Practice.load(path).results) == 40


def test_an_answer_is_judged_and_the_missed_puzzle_asked_again(program: Program) -> None:
    """Wrong answers are refuted; what was missed is the first question next time."""
    asked = ("puzzle", "blockade-duel", "--count", "1", "--seed", "2")
    missed = program(*asked, typed="5\nP2+1\n")
    assert missed.status == 0
    assert "No: P2 2→1 loses in 2 turns. The reply: P1 8→10.\n" in missed.out
    assert "The good move was P2 2→0: it wins in 1 turn.\n" in missed.out
    assert "0 of 1 solved;" in missed.out
    listed = missed.out.partition("The only good move")[0]
    assert "2: P2 2→0" in listed
    assert "wins" not in listed, "the list gives the answer away"
    again = program(*asked[:-1], "9", typed="2\n")
    assert again.out.splitlines()[1] == missed.out.splitlines()[1]
    assert "Right: P2 2→0 wins in 1" in again.out
    later = program(*asked, typed="quit\n")
    assert later.out.splitlines()[1] != missed.out.splitlines()[1]


def test_a_game_without_puzzles_says_so(program: Program) -> None:
    """In Flag Chase with closed cells no move is ever better than another."""
    done = program("puzzle", "flag-chase:closed-cells")
    assert done.out == "This game has no position with exactly one good move.\n"


def test_whoever_leaves_at_once_is_told_nothing_of_the_game(program: Program) -> None:
    """That there was a puzzle could be seen."""
    for typed in ("quit\n", "q\n", ""):
        done = program("puzzle", "blockade-duel", typed=typed)
        assert done.status == 0
        assert "Puzzle, grade " in done.out
        assert "no position with exactly one good move" not in done.out
        assert "solved" not in done.out


def test_puzzles_belong_to_the_rules_whatever_the_game_is_called(tmp_path: Path) -> None:
    """By another name it is the same course; by other rules it is another, under any name."""
    practice = Practice(tmp_path / "puzzles.json")
    rulebook = find_rulebook("blockade-duel")
    training = Training(Game(rulebook), practice)
    puzzle = next(training.puzzles(Random(1), TODAY))
    training.note(puzzle, False, TODAY)

    def first(other: Rulebook) -> Puzzle:
        return next(Training(Game(other), practice).puzzles(Random(2), TODAY))

    assert first(replace(rulebook, id="another", title="Another")) == puzzle
    longer = assign(rulebook, ["track.length=13"])
    assert (longer.id, first(longer) == puzzle) == (rulebook.id, False)


def test_your_own_mistakes_come_back_as_puzzles(program: Program) -> None:
    """A mistake in a saved game is asked for; solved, it waits; nobody else's mistakes count."""
    program("play", "ctf-tokens", typed="3\n3\n2\nquit\n")
    asked = ("puzzle", "ctf-tokens", "--mistakes")
    missed = program(*asked, typed="3\nanswer\nquit\n")
    assert "Capture the Flag (Tokens). Player 1 to move." in missed.out
    assert "No: P1 -5→-2 loses in 4 turns." in missed.out
    assert "P2 +5→+2 leaves P1 and P2 4 cells apart with you to move" in " ".join(
        missed.out.split()
    )
    solved = program(*asked, typed="2\nquit\n")
    assert "Right: P1 -5→-3 wins in 5 turns" in solved.out
    later = program(*asked)
    assert later.out == "None of your mistakes in this game is due. Play, or come back later.\n"
    other = program("puzzle", "blockade-duel", "--mistakes")
    assert "None of your mistakes" in other.out


def test_own_mistakes_wait_longer_and_longer(tmp_path: Path) -> None:
    """Spaced repetition, as for all puzzles; several moves may be good."""
    solution = solution_of("cross-over")
    position = read_position(solution.game, "0,3,4/8,9,7/1")
    training = Training(solution.game, Practice(tmp_path / "puzzles.json"))
    (puzzle,) = training.own_mistakes([position], TODAY)
    assert not puzzle.is_only
    assert [judge(solution, position, move).right for move in solution.game.moves(position)] == [
        False,
        False,
        True,
        True,
        False,
    ]
    training._practice.note(training._name(position), True, TODAY)
    assert list(training.own_mistakes([position], TODAY)) == []
    assert list(training.own_mistakes([position], TODAY + timedelta(days=1))) == [puzzle]


@pytest.mark.parametrize("kind", PUZZLE_KINDS)
def test_puzzles_by_kind_have_such_a_reason(kind: ReasonKind) -> None:
    """Every kind that can be asked for occurs in some game."""
    seen = 0
    for address in SHIPPED:
        solution = solution_of(address)
        for puzzle in islice(find_puzzles(solution, Random(1), kind), 2):
            found = reasons(solution, puzzle.position, puzzle.answer)
            kinds = {one.kind for one in found}
            if kind is ReasonKind.ZUGZWANG:  # at a losing distance no move is good either
                kinds |= {kind} if ReasonKind.DISTANCE in kinds else set()
            assert kind in kinds
            seen += 1
    assert seen


def test_the_puzzle_of_the_day_follows_from_the_date_alone() -> None:
    """These are golden: another machine, version or order of games must not change them."""
    found = {
        str(day): f"{solution.game.rulebook.id} {puzzle.position} {puzzle.answer}"
        for day in (TODAY, TODAY + timedelta(days=1), TODAY + timedelta(days=2))
        for solution, puzzle in [puzzle_of_the_day(day, solution_of)]
    }
    assert found == DAYS


DAYS = {
    "2026-05-01": "ctf-tokens -2/5/2 P2+3",
    "2026-05-02": "cross-over 1,4,x/5,6,10/1 P1-B+2",
    "2026-05-03": "ctf-tokens -3/4/1 P1+3",
}


# The rating


def test_a_rating_is_an_elo_rating_against_the_grade() -> None:
    """K is 32; a puzzle of grade 2 counts 1000, so an even chance gains or costs 16."""
    start = PuzzleRating()
    assert start.after(2, True).rating == start.rating + 16
    assert start.after(2, False).rating == start.rating - 16
    assert start.after(8, True).rating > start.rating + 31
    assert start.after(0, True).rating < start.rating + 3


def test_a_streak_counts_puzzles_in_a_row() -> None:
    rating = PuzzleRating()
    for solved in (True, True, False, True):
        rating = rating.after(3, solved)
    assert (rating.streak, rating.best_streak, rating.answered) == (1, 2, 4)


def test_a_rating_is_kept_and_a_damaged_one_begins_anew(tmp_path: Path) -> None:
    """The damaged file is put aside."""
    path = tmp_path / "rating.json"
    kept = note_answer(5, True, path)
    assert load_rating(path) == kept
    for damage in ('{"rating": 1e999, "streak": 0, "best_streak": 0, "answered": 0}', "[", "{}"):
        path.write_text(damage)
        assert load_rating(path) == PuzzleRating()
        assert not path.exists()


def test_a_missed_puzzle_can_be_tried_again_before_the_answer_is_shown(program: Program) -> None:
    """Only the first try counts."""
    tried = program("puzzle", "blockade-duel", "--count", "1", "--seed", "2", typed="P2+1\nP2+2\n")
    assert "Try again." in tried.out
    assert "Right: P2 2→0" in tried.out
    assert "The good move was" not in tried.out
    assert "0 of 1 solved; rating 9" in tried.out
    asked = program("puzzle", "blockade-duel", "--count", "1", typed="P2+1\nanswer\n")
    assert "The good move was P2 2→0" in asked.out
