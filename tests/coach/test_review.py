"""Reviews: mistakes that were planted are found, and nothing else is."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, reject, settings

from lineduel.cli.main import main
from lineduel.coach.chances import ASSUMED_LEVEL, Forecast
from lineduel.coach.commentary import (
    account,
    delay_in_words,
    delays_in_words,
    mistake_in_words,
    review_lines,
)
from lineduel.coach.review import Accuracy, Mistake, Review, review
from lineduel.coach.take_aways import Habit, take_aways
from lineduel.coach.value_curve import draw_curve_svg, draw_curve_text
from lineduel.engine import Game, Move, Numbers, Position
from lineduel.errors import TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.narration import NUMBERED, YOU
from lineduel.play import Session
from lineduel.record import Record, parse_move, read_position, write_record
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import Rulebook, Side, apply_changes
from lineduel.rules.assignments import parse_assignments
from lineduel.solve import Solution, solve
from lineduel.solve.solver import solve_plainly
from support.program import Program
from support.repetition import for_games
from support.solved import solution_of
from support.strategies import ALL_GAMES, Played, games_under_way, play_out

SVG = "{http://www.w3.org/2000/svg}"
WIDTH = 60


@lru_cache
def solution_from(rulebook: Rulebook, start: Position) -> Solution:
    """Shipped games are solved already."""
    if rulebook.id in ALL_GAMES and start == Game(rulebook).start():
        shipped = solution_of(rulebook.id)
        if shipped.game.rules == rulebook.rules:
            return shipped
    return solve(Game(rulebook), start)


def changed(address: str, *texts: str) -> Rulebook:
    return apply_changes(find_rulebook(address), parse_assignments(texts))


def reviewed(record: Record) -> Review:
    return review(record, solution_from(record.rulebook, record.start))


def planted(address: str, moves: str = "", start: str = "") -> Record:
    """The given moves, then best play of both to its end."""
    rulebook = find_rulebook(address)
    game = Game(rulebook)
    first = read_position(game, start) if start else game.start()
    position = first
    given = tuple(parse_move(move) for move in moves.split())
    for move in given:
        position = game.play(position, move)
    line = solution_from(rulebook, first).line(position)
    return Record(rulebook=rulebook, start=first, moves=given + line)


def by_chance(rulebook: Rulebook, seed: int, length: int = 80) -> Record:
    played = play_out(rulebook, None, length, Random(seed))
    return Record(rulebook=rulebook, start=played.start, moves=played.moves)


def found(record: Record) -> list[tuple[int, str, str | None]]:
    """The mistakes, as number, move and mark."""
    return [(one.number, str(one.move), one.mistake) for one in reviewed(record).mistakes]


def written(folder: Path, record: Record) -> str:
    path = folder / "game.duel"
    path.write_text(write_record(record), encoding="utf-8")
    return str(path)


# Mistakes


@for_games("address")
def test_best_play_has_no_mistakes(address: str) -> None:
    """Nobody who plays the best line to its end is told of anything."""
    judged = reviewed(planted(address))
    assert judged.mistakes == ()
    assert all(one.delay == 0 for one in judged.judgements)
    for side in Side:
        assert judged.accuracy(side).share in (1, None)
        assert judged.accuracy(side).could_last is None  # nobody could have held out longer


@pytest.mark.parametrize(
    ("address", "start", "moves", "number", "mark"),
    [
        ("cross-over:no-jump", "", "P1-C+1", 1, Mistake.BLUNDER),
        ("cross-over:no-jump", "", "P1-C+2 P2-C+1 P1-B+2 P2-B+1 P1-A+1", 5, Mistake.BLUNDER),
        ("ctf-tokens", "", "P1+1", 1, Mistake.BLUNDER),
        ("blockade-duel", "", "P1+1 P2+1 P1+2 P2+2 P1+1", 5, Mistake.BLUNDER),
    ],
)
def test_a_planted_mistake_is_found_and_only_it(
    address: str, start: str, moves: str, number: int, mark: Mistake
) -> None:
    """One bad move among best play."""
    record = planted(address, moves, start)
    assert found(record) == [(number, moves.split()[-1], mark)]
    judged = reviewed(record)
    game, one = Game(record.rulebook), judged.mistakes[0]
    guilty = one.side
    assert guilty is not None
    assert judged.accuracy(guilty.other).share == 1
    account = judged.accuracy(guilty)
    assert account.kept == account.choices - 1
    # The better line does lead to a win, and the reply does punish.
    position = one.position
    assert one.line[0] == one.better
    for move in one.line:
        position = game.play(position, move)
    assert game.outcome(position) is guilty
    assert one.punished_by == record.moves[number]


@pytest.mark.parametrize("address", ["cross-over:no-jump", "cross-over", "ctf-tokens"])
def test_wherever_a_mistake_is_planted_it_is_found(address: str) -> None:
    """Each bad move off the best line, each with best play before and after it."""
    line = planted(address)
    game, position = Game(line.rulebook), line.start
    solution = solution_from(line.rulebook, line.start)
    tried = 0
    for at, best in enumerate(line.moves):
        winner = solution.value(position).winner
        for move, value in solution.moves(position):
            if value.winner is not winner:
                tried += 1
                moves = " ".join(map(str, (*line.moves[:at], move)))
                assert found(planted(address, moves)) == [(at + 1, str(move), Mistake.BLUNDER)]
        position = game.play(position, best)
    assert tried


@pytest.mark.parametrize("seed", range(20))
def test_endless_play_that_is_lost_by_one_move_is_told(seed: int) -> None:
    """Best play up to some moment of CTF soldiers, then a losing move: `?` for that one."""
    rulebook = find_rulebook("ctf-soldiers")
    game, chance = Game(rulebook), Random(seed)
    solution = solution_from(rulebook, game.start())
    position, moves = game.start(), list[Move]()
    while True:
        losing = [move for move, value in solution.moves(position) if value.winner]
        if losing:
            moves.append(losing[0])
            break
        moves.append(chance.choice(solution.best(position)))
        position = game.play(position, moves[-1])
    line = solution.line(game.play(position, moves[-1]))
    record = Record(rulebook=rulebook, start=game.start(), moves=(*moves, *line))
    assert found(record) == [(len(moves), str(moves[-1]), Mistake.SLIP)]
    one = reviewed(record).mistakes[0]
    assert one.before.is_even
    assert one.after.winner is position.side.other
    assert one.better is not None
    assert solution.value(game.play(position, one.better)).is_even


def test_a_win_that_becomes_endless_play_is_a_slip() -> None:
    """Half of what there was to lose."""
    rulebook = find_rulebook("ctf-soldiers")
    record = by_chance(rulebook, 3, 120)
    slips = [one for one in reviewed(record).mistakes if one.before.winner and one.after.is_even]
    assert slips
    assert {one.mistake for one in slips} == {Mistake.SLIP}


def test_chances_are_those_against_the_level_of_the_opponent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever moved; a person counts as a level that is assumed."""
    asked: list[tuple[Side, int]] = []

    def lost(_: object, position: Position, move: Move, level: int) -> None:
        asked.append((position.side, level))

    monkeypatch.setattr(Forecast, "lost", lost)
    record = planted("cross-over")
    for seats, levels in (
        (("human", "level:2"), (2, ASSUMED_LEVEL)),
        (("level:7", "level:3"), (3, 7)),
    ):
        tags = tuple(zip(("Player1", "Player2"), seats, strict=True))
        reviewed(replace(record, tags=tags))
        assert set(asked) == set(zip(Side, levels, strict=True))
        asked.clear()


def test_a_slower_win_is_no_mistake() -> None:
    """It is told as the plies it cost."""
    record = by_chance(find_rulebook("cross-over:no-jump"), 3)
    slower = [one for one in reviewed(record).judgements if one.delay]
    assert slower
    for one in slower:
        assert one.mistake is None
        assert one.delay > 0
        assert one.before.winner is one.after.winner


@for_games("address")
def test_mistakes_are_exactly_the_moves_that_lower_the_value(address: str) -> None:
    """Judged without the review's own words, over random play."""
    rulebook = find_rulebook(address)
    game = Game(rulebook)
    solution = solution_from(rulebook, game.start())
    for seed in range(5):
        record = by_chance(rulebook, seed)
        for one in reviewed(record).judgements:
            if one.side is None:
                continue
            sign = 1 if one.side is Side.ONE else -1
            after = [value.low * sign for _, value in solution.moves(one.position)]
            played = solution.value(game.play(one.position, one.move)).low * sign
            lost = max(after) - played
            assert one.mistake == {0: None, 1: Mistake.SLIP, 2: Mistake.BLUNDER}[int(lost)]


# Battles


@pytest.mark.parametrize("wins", ["higher", "undercut", "cyclic"])
def test_skill_and_luck_add_up(wins: str) -> None:
    """Expectation plus luck is the value after, and no number is better than the battle."""
    rulebook = changed("flag-chase", f"battle.wins={wins}")
    battles = 0
    for seed in range(12):
        judged = reviewed(by_chance(rulebook, seed))
        for one in judged.judgements:
            assert (one.draws is None) == (not isinstance(one.move, Numbers))
            for side, draw in zip(Side, one.draws or (), strict=False):
                battles += 1
                before, after = one.before.expected(side), one.after.expected(side)
                assert draw.expected + draw.luck == after
                assert before + draw.skill + draw.luck == after
                assert draw.skill <= Fraction(1, 10**6)
                if draw.optimal:
                    assert draw.mistake is None
        skill = {side: judged.accuracy(side).skill for side in Side}
        assert all(one <= Fraction(1, 10**6) for one in skill.values())
    assert battles


def test_skill_and_luck_are_told_apart() -> None:
    """Whoever loses by a number that best play never chooses lacked skill, not luck."""
    judged = reviewed(by_chance(find_rulebook("flag-chase"), 3, 120))
    last = judged.judgements[-1]
    assert last.before.is_even
    assert last.after.winner is Side.ONE
    assert last.draws is not None
    mine, theirs = last.draws
    assert (mine.number, theirs.number) == (5, 3)
    assert [mine.optimal, mine.skill, mine.luck] == [1, 0, 1]
    assert [theirs.optimal, theirs.skill, theirs.luck] == [0, -1, 0]
    assert (mine.mistake, theirs.mistake) == (None, Mistake.SLIP)
    assert judged.accuracy(Side.ONE).share == 1
    assert judged.accuracy(Side.TWO).share != 1


def test_losing_a_fair_battle_is_luck_alone() -> None:
    """Where the best mixture is even, a number out of it costs nothing."""
    rulebook = changed("flag-chase", "battle.wins=cyclic")
    start = read_position(Game(rulebook), "3/3/1*")
    solution = solution_from(rulebook, start)
    assert set(solution.mixture(start, Side.ONE).values()) == {Fraction(1, 5)}
    for pair in (Numbers(1, 2), Numbers(2, 1), Numbers(4, 4)):
        judged = reviewed(Record(rulebook=rulebook, start=start, moves=(pair,)))
        (one,) = judged.judgements
        assert one.draws is not None
        assert [draw.skill for draw in one.draws] == [0, 0]
        assert one.draws[0].luck == -one.draws[1].luck
        assert judged.mistakes == ()


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(played=games_under_way(20))
def test_any_play_of_any_rulebook_can_be_reviewed(played: Played) -> None:
    """Accounts add up, a mistake has something better, and both pictures can be drawn."""
    try:
        graph = explore_by_engine(played.game, played.start, 1000)
    except TooLarge:
        reject()
    record = Record(rulebook=played.game.rulebook, start=played.start, moves=played.moves)
    judged = review(record, solve_plainly(graph))
    assert len(judged.curve) == len(played.positions)
    for one in judged.judgements:
        for side, draw in zip(Side, one.draws or (), strict=False):
            assert draw.expected + draw.luck == one.after.expected(side)
        if one.mistake and one.side:
            assert one.better != one.move
            lost = one.before.expected(one.side) - one.after.expected(one.side)
            assert 0 < lost <= 2
        assert one.delay >= 0
    assert max(map(len, draw_curve_text(judged).splitlines())) <= WIDTH
    ElementTree.fromstring(draw_curve_svg(judged))


# Pictures


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("length", [0, 1, 7, 400])
def test_pictures_fit_and_mark_every_mistake(game: str, length: int) -> None:
    """In characters at most 60 columns; the SVG is XML with a mark for each mistake."""
    judged = reviewed(by_chance(find_rulebook(game), 3, length))
    assert max(map(len, draw_curve_text(judged).splitlines())) <= WIDTH
    root = ElementTree.fromstring(draw_curve_svg(judged))
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title")
    marks = [one for one in root.iter(f"{SVG}circle") if one.get("class") == "mistake"]
    assert len(marks) == len(judged.mistakes)
    labels = [text.text for text in root.iter(f"{SVG}text")]
    assert {"turns", "player 1 expects"} <= set(labels)


def test_any_names_stand_in_a_picture_as_they_are() -> None:
    """None of them is taken for a part of the picture."""
    names = {Side.ONE: "Tom & <Jerry>", Side.TWO: "</text>"}
    picture = draw_curve_svg(reviewed(planted("cross-over:no-jump", "P1-C+1")), names)
    root = ElementTree.fromstring(picture)
    assert root.findtext(f"{SVG}title") == "Cross Over: what Tom & <Jerry> could expect"
    assert "Tom & <Jerry> expects" in {text.text for text in root.iter(f"{SVG}text")}


def test_a_picture_shows_where_the_value_fell() -> None:
    """Cross Over without jumping, given away by the first move."""
    text = draw_curve_text(reviewed(planted("cross-over:no-jump", "P1-C+1")))
    lines = text.splitlines()
    assert lines[0] == " +1 ┤●"
    assert lines[8] == f" -1 ┤  {'─'.join('●' * 20)}"
    assert lines[10] == "       ?"
    assert lines[11] == "     0         5         10        15        20"


@pytest.mark.parametrize("columns", [20, 40, 60, 100, 200])
def test_marks_and_numbers_stand_below_their_turns(columns: int) -> None:
    """On screens of any width: the curve is drawn with `●`, a turn at which one looks has `▲`."""
    judged = reviewed(planted("blockade-duel", "P1+1 P2+2 P1+1"))
    lines = draw_curve_text(judged, columns, turn=3).splitlines()
    lost = lines[8].index("●")
    assert lines[0].rindex("●") < lost
    assert lines[-2].index("?") == lines[-1].index("▲") == lost
    assert lines[-1].index("0") == lines[0].index("●")
    assert lines[-1].index("6") == lines[8].rindex("●")
    assert lines[-2].strip() == "??"


# The command


def test_review_tells_the_mistake_and_what_was_better(program: Program) -> None:
    """Each once: what it changed, the best reply, and the line that was better."""
    path = written(program.folder, planted("cross-over:no-jump", "P1-C+1"))
    done = program("review", path)
    assert (done.status, done.err) == (0, "")
    words = " ".join(done.out.split())
    assert "1. player 1 P1-C 2→3 ?? wins in 17 → loses in 20" in words
    assert "could have won" not in words
    assert "The best reply is P2-C 8→7. Better: P1-C 2→4, P2-C 8→7, P1-B 1→3" in words
    assert "Player 1: 1 blunder (turn 1); accuracy 89% (8 of 9 choices kept the value)" in words
    assert "Player 2: no mistakes; accuracy 100%" in words
    assert done.out.count("??") == 1


@for_games("address")
def test_random_play_of_every_game_can_be_reviewed_in_60_columns(
    address: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever was played, finished or not."""
    monkeypatch.setenv("LINEDUEL_CACHE", str(tmp_path / "cache"))
    for seed in range(3):
        path = written(tmp_path, by_chance(find_rulebook(address), seed, 20 + 60 * seed))
        assert main(["review", path, "--color", "never"]) == 0
        out = capsys.readouterr().out
        assert out
        assert max(map(len, out.splitlines())) <= WIDTH


def test_the_document_has_what_was_promised(program: Program) -> None:
    """One JSON document, values for player 1."""
    path = written(program.folder, planted("cross-over:no-jump", "P1-C+1"))
    done = program("review", path, "--json", "--svg", "game.svg")
    assert (done.status, done.err) == (0, "")
    document = json.loads(done.out)
    assert (document["game"], document["result"]) == ("cross-over:no-jump", "2")
    first, second = document["moves"][:2]
    assert first["before"] == {"value": [1, 1], "plies": 17}
    assert first["after"] == second["before"] == {"value": [-1, -1], "plies": 19}
    assert (first["move"], first["side"], first["mistake"]) == ("P1-C+1", 1, "??")
    assert (first["better"], first["punished_by"]) == ("P1-C+2", second["move"])
    assert len(first["line"]) == 17
    assert (second["mistake"], second["better"], second["line"]) == (None, None, [])
    assert first["battle"] is second["battle"] is None
    assert document["accuracy"]["player1"]["kept"] == 8
    assert document["accuracy"]["player2"]["share"] == 1
    assert ElementTree.parse(program.folder / "game.svg").getroot().tag == f"{SVG}svg"


def test_a_battle_in_the_document_has_both_numbers(program: Program) -> None:
    """And no side of its own."""
    rulebook = find_rulebook("flag-chase")
    start = read_position(Game(rulebook), "3/3/1*")
    record = Record(rulebook=rulebook, start=start, moves=(Numbers(5, 3),))
    done = program("review", written(program.folder, record), "--json")
    (move,) = json.loads(done.out)["moves"]
    assert move["side"] is None
    assert {name: one["number"] for name, one in move["battle"].items()} == {
        "player1": 5,
        "player2": 3,
    }


# Records that are not whole games


def test_an_unfinished_game_is_reviewed_as_far_as_it_goes(program: Program) -> None:
    """And that is said."""
    record = by_chance(find_rulebook("cross-over"), 1, 4)
    done = program("review", written(program.folder, record))
    assert done.status == 0
    assert "not finished" in done.out
    assert "  4. player 2 " in done.out


def test_a_game_without_moves_has_nothing_to_review(program: Program) -> None:
    """In words and as a document."""
    path = written(program.folder, by_chance(find_rulebook("ctf-tokens"), 1, 0))
    done = program("review", path)
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("No move was played, so there is nothing to review.\n")
    document = json.loads(program("review", path, "--json").out)
    assert document["moves"] == []
    assert document["accuracy"]["player1"]["share"] is None


def test_resigning_a_won_position_is_noticed(program: Program) -> None:
    """Nobody has to look for it."""
    rulebook = find_rulebook("ctf-tokens")
    start = Game(rulebook).start()
    record = Record(rulebook=rulebook, start=start, moves=(), resigned=Side.ONE)
    done = program("review", written(program.folder, record))
    assert "Player 1 resigned a position that was not lost (wins in 5)." in done.out


def test_a_damaged_record_is_refused(program: Program) -> None:
    """In a plain sentence."""
    path = Path(written(program.folder, planted("ctf-tokens")))
    path.write_text(path.read_text(encoding="utf-8").replace("P1+2", "P1+9", 1), encoding="utf-8")
    done = program("review", str(path), "--json")
    assert (done.status, done.out) == (2, "")
    assert "Move 1 of the record is wrong" in done.err
    assert "Traceback" not in done.err
    assert program("review", "nowhere.duel").status == 2


def test_a_picture_never_replaces_its_record(program: Program) -> None:
    """Though it could be asked for."""
    path = Path(written(program.folder, planted("ctf-tokens")))
    before = path.read_bytes()
    done = program("review", str(path), "--svg", "game.duel")
    assert done.status == 2
    assert path.read_bytes() == before


def test_a_game_too_large_to_solve_is_reviewed_as_an_estimate(program: Program) -> None:
    """By search, and marked as such."""
    pieces = {1: "A B C D E F G H", 2: "I J K L M N O P"}
    rules = [
        "track.first=0",
        "track.last=63",
        *(
            f"player{side}.pieces={','.join(f'{name}:{at}' for at, name in _placed(side, names))}"
            for side, names in pieces.items()
        ),
        "player1.goal=11",  # not far, so that the games of the search are short
        "player2.goal=52",
    ]
    rulebook = changed("cross-over", *rules)
    game = Game(rulebook)
    record = Record(rulebook=rulebook, start=game.start(), moves=(parse_move("H+1"),))
    done = program("review", written(program.folder, record))
    assert done.status == 0, done
    assert done.out.startswith("Too large to solve: all values here are estimates by search.\n")
    assert "Traceback" not in done.err
    told = json.loads(program("review", "game.duel", "--json").out)
    assert told["estimate"] is True


def _placed(side: int, names: str) -> list[tuple[int, str]]:
    return [(at if side == 1 else 63 - at, name) for at, name in enumerate(names.split(), start=1)]


@pytest.mark.parametrize(
    ("kept", "choices", "told"),
    [(199, 200, "99%"), (999, 1000, "99%"), (200, 200, "100%"), (1, 3, "33%"), (0, 4, "0%")],
)
def test_only_a_game_without_a_mistake_has_an_accuracy_of_100(
    kept: int, choices: int, told: str
) -> None:
    """However long it was."""
    (line,) = account(
        Side.TWO, Accuracy(choices, kept, choices - kept, 0, 0, Fraction(0), Fraction(0))
    )
    assert f"accuracy {told} ({kept} of {choices:,} choices" in " ".join(line.split())


def test_whoever_was_lost_all_along_is_told_so() -> None:
    """Accuracy alone would look like praise; whoever was not lost once is not told."""
    played = planted("cross-over", "P1-C+2")
    game = reviewed(played)
    loser = game.start.winner.other if game.start.winner else None
    assert loser is Side.ONE
    (_, told) = account(Side.ONE, game.accuracy(Side.ONE))
    assert (
        " ".join(told.split())
        == "lost against best play at every choice: no move could have saved it, "
        "but the game could have lasted 20 turns"
    )
    assert len(list(account(Side.TWO, game.accuracy(Side.TWO)))) == 1
    spoilt = reviewed(by_chance(find_rulebook("cross-over"), 5))
    assert spoilt.accuracy(Side.TWO).blunders
    assert not spoilt.accuracy(Side.ONE).always_lost


def test_a_review_names_its_turning_point_and_what_to_take_away() -> None:
    """The last mistake of the side that lost, and advice from what happened."""
    played = planted("blockade-duel", "P1+1 P2+2 P1+1")
    found = reviewed(played)
    assert found.turning_point is found.judgements[2]
    told = [" ".join(line.split()) for line in review_lines(found, NUMBERED)]
    assert "The turning point was turn 3." in told
    assert "To take away for player 1:" in told
    assert any(line.startswith("- Once you went into a race") for line in told)
    assert any(line.startswith("Accuracy is the share of choices") for line in told)
    assert reviewed(planted("blockade-duel")).turning_point is None


@pytest.mark.parametrize("battles", [1, 2, 3])
def test_the_same_number_in_every_battle_is_a_habit_from_the_second_on(battles: int) -> None:
    """Where it could have been used; whoever varies has no such habit."""
    rulebook = changed("flag-chase", "battle.wins=cyclic", "battle.numbers=3")
    for varies in (False, True):
        session, fought = Session(Game(rulebook)), 0
        while fought < battles:
            if session.position.battle is None:
                session.play(session.moves[0])
            else:
                session.play(Numbers(1, 1 + (fought % 2 if varies else 0)))
                fought += 1
        found = reviewed(session.record())
        habits = [{one.habit for one in take_aways(found, side)} for side in Side]
        expected = [battles > 1, battles > 1 and not varies]
        assert [Habit.SAME_NUMBER in one for one in habits] == expected


def test_what_one_move_shows_twice_is_told_once() -> None:
    """A habit counts moves, not reasons."""
    shown = 0
    for seed in range(5):
        found = reviewed(by_chance(find_rulebook("cross-over"), seed))
        twice = [replace(one, reasons=one.reasons * 2) for one in found.judgements]
        for side in Side:
            told = take_aways(found, side)
            assert take_aways(replace(found, judgements=tuple(twice)), side) == told
            shown += len(told)
    assert shown > 5


@pytest.mark.parametrize("address", ["ctf-tokens", "blockade-duel", "blockade-duel:from-bases"])
def test_what_could_not_be_chosen_is_no_choice(address: str) -> None:
    """A side is judged by the moves where it had several, and by its numbers."""
    game = Game(find_rulebook(address))
    forced = 0
    for seed in range(30):
        played = play_out(game.rulebook, None, 40, Random(seed))
        found = reviewed(Record(rulebook=game.rulebook, start=played.start, moves=played.moves))
        for side in Side:
            asked = [
                len(game.moves(position))
                for position, _ in zip(played.positions, played.moves, strict=False)
                if position.battle is not None or position.side is side
            ]
            assert found.accuracy(side).choices == sum(number > 1 for number in asked)
            forced += asked.count(1)
    assert forced


def test_a_game_that_is_too_large_to_forecast_is_reviewed_without_chances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With battles, too: no position is explored but those of the game."""
    rulebook = changed("flag-chase", "battle.wins=undercut")
    solution = solve(Game(rulebook))

    def explored(**_: object) -> None:
        raise TooLarge(0, 0, "There are too many positions to compute with all.")

    monkeypatch.setattr(solution, "is_small", False)
    monkeypatch.setattr(solution, "explored", explored)
    played = play_out(rulebook, None, 20, Random(1))
    found = review(Record(rulebook=rulebook, start=played.start, moves=played.moves), solution)
    assert len(found.judgements) == len(played.moves) > 0
    assert all(one.chances_lost is None for one in found.judgements)


def test_what_a_move_cost_is_said_with_the_turns_of_the_solution() -> None:
    """A mistake and a slow move, to the one who played them and to anybody."""
    record = planted("cross-over", "P1-C+2 P2-C+1 P1-B+1 P2-C+2 P1-A+1", "0,3,4/8,9,7/1")
    found, solution = reviewed(record), solution_from(record.rulebook, record.start)
    names = {Side.ONE: YOU, Side.TWO: "the computer"}
    first = found.judgements[0]
    won, lost = solution.value(first.position), first.after
    assert won.winner is Side.ONE
    assert lost.winner is Side.TWO
    assert lost.plies is not None
    said = f"a win in {won.plies} becomes a loss in {lost.plies + 1}."
    assert mistake_in_words(first, Side.ONE, names) == f"For you, {said}"
    assert mistake_in_words(first, Side.ONE, NUMBERED) == f"For player 1, {said}"
    after, slow = record.positions(), [one for one in found.judgements if one.mark == "?!"]
    assert slow
    for one in slow:
        side = one.position.side
        best, played = (solution.value(at).plies for at in (one.position, after[one.number]))
        assert best is not None
        assert played is not None
        late = abs(played + 1 - best)
        turns = "1 turn" if late == 1 else f"{late} turns"
        told = delay_in_words(one, names)
        wins = one.before.winner is side
        assert f"{turns} {'later' if wins else 'sooner'} than needed." in told
        assert told.startswith("You " if side is Side.ONE else "The computer ")
    for side in Side:
        count = sum(one.side is side for one in slow)
        assert (delays_in_words(found, side) == "") == (count == 0)
        assert not count or f" {count} move" in delays_in_words(found, side)
