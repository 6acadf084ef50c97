"""The games a person played: listed, opened, deleted, counted; at the shell and on the screen."""

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from documents.test_json_documents import printed
from lineduel.coach import review
from lineduel.engine import Game
from lineduel.history import (
    KnownAccuracies,
    SavedGame,
    personal_statistics,
    read_history,
    review_unknown,
    when_in_words,
)
from lineduel.match import Hold, Match, Saves
from lineduel.play import GivenNames, Seats, Session
from lineduel.record import Record, read_record, write_record
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Side
from lineduel.solve import Cache, solve
from support.program import Program
from support.screens import SMALL, viewer
from support.terminal import Sitting

NOON = datetime(2026, 3, 4, 12, 0, 0)
YOU_FIRST: Seats = ("human", "level:3")


def played(
    game: str = "blockade-duel",
    seats: Seats = YOU_FIRST,
    *,
    moves: int | None = None,
    hours_ago: int = 0,
    names: GivenNames = (None, None),
    saves: Saves | None = None,
    wins: Side | None = None,
) -> Path:
    """A saved game played at random: to its end, until some side has won, or for some moves."""
    for seed in range(100):
        session = Session(Game(find_rulebook(game)), seats=seats, names=names)
        rng = Random(seed)
        while session.winner is None and len(session.turns) != moves:
            session.play(rng.choice(session.game.moves(session.position)))
        if wins in (None, session.winner):
            break
    match = Match(session, saves or Saves(), clock=lambda: NOON - timedelta(hours=hours_ago))
    match.file.keep()
    match.close()
    assert match.file.path
    return match.file.path


def saves_of(program: Program) -> Saves:
    return Saves(program.data / "games")


# In words


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (NOON, "today 12:00"),
        (NOON - timedelta(hours=13), "yesterday 23:00"),
        (NOON - timedelta(days=2), "2026-03-02"),
        (NOON + timedelta(days=1), "2026-03-05"),
        (date(2026, 3, 4), "today"),
        (date(2025, 3, 4), "2025-03-04"),
        (None, "some time ago"),
    ],
)
def test_the_day_of_a_game_is_told_as_people_say_it(moment: date | None, told: str) -> None:
    assert when_in_words(moment, NOON) == told


@pytest.mark.parametrize(
    ("seats", "names", "players", "results"),
    [
        (("human", "level:3"), (None, None), "against the computer (level 3, easy)", "won lost"),
        (("perfect", "human"), (None, None), "against the computer (perfect)", "lost won"),
        (("human", "level:3"), ("Ann", "Deep"), "against Deep (level 3, easy)", "won lost"),
        (("human", "human"), (None, None), "two people", "Player 1 won|Player 2 won"),
        (("human", "human"), ("Ann", None), "Ann against Player 2", "Ann won|Player 2 won"),
        (
            ("level:1", "search"),
            (None, None),
            "Computer 1 (level 1, random) against Computer 2 (search)",
            "Computer 1 won|Computer 2 won",
        ),
    ],
)
def test_players_and_results_are_told_from_the_persons_side(
    seats: Seats, names: GivenNames, players: str, results: str
) -> None:
    split = results.split("|") if "|" in results else results.split()
    for side, told in zip(Side, split, strict=True):
        played(seats=seats, names=names, wins=side, hours_ago=side)
        newest = read_history(Saves()).games[-1]
        assert newest.players_in_words() == players
        assert newest.result_in_words() == told


# What is kept


def test_games_left_after_one_move_go_away_but_the_latest() -> None:
    """Finished ones, one that is open, and files that were put there stay."""
    latest = played(moves=1, hours_ago=1)
    leftovers = [played(moves=1, hours_ago=hours) for hours in (2, 5, 7)]
    is_open = played(moves=1, hours_ago=3)
    longer = played(moves=2, hours_ago=4)
    finished = {played(hours_ago=hours) for hours in (6, 8)}
    brought = Saves().folder / "mine.duel"
    brought.write_text(leftovers[0].read_text())
    hold = Hold(is_open)
    found = read_history(Saves())
    hold.release()
    assert {game.path for game in found.games} == {latest, is_open, longer, brought} | finished
    assert not any(path.exists() for path in leftovers)
    assert is_open.exists()
    assert is_open not in {game.path for game in read_history(Saves()).games}


def test_what_a_file_says_steers_no_terminal(program: Program) -> None:
    """Names and players from a record are shown as text, and a file that is no game is named."""
    path = played(saves=saves_of(program))
    text = path.read_text().replace("level:3", "level:\x1b[31m9\x07")
    path.write_text(text.replace("[Date ", '[Name2 "\x1b[5mBob"]\n[Date '))
    (path.parent / "broken\x1b.duel").write_bytes(b"\xff")
    for command in (["history"], ["history", "stats"], ["history", "review", "1"]):
        done = program(*command)
        assert done.status == 0, done.err
        assert "\x1b" not in done.out + done.err
    listed = program("history")
    assert "against the computer" in listed.out
    assert "broken\\x1b.duel is not a text file" in listed.err


# At the shell


def test_games_are_listed_and_opened_by_number(program: Program) -> None:
    """The latest is number 1, whichever games are listed."""
    saves = saves_of(program)
    played("cross-over", hours_ago=48, saves=saves)
    middle = played("blockade-duel", hours_ago=30, saves=saves, wins=Side.TWO)
    unfinished = played(
        "cross-over", ("human", "human"), moves=3, names=("Ann", "Bob"), saves=saves
    )
    rows = program("history").out.splitlines()
    assert [row.split()[0] for row in rows[:3]] == ["1", "2", "3"]
    assert rows[0].split("  ")[-1] == "Ann against Bob, 3 turns"
    assert "lost" in rows[1]
    assert "against the computer (level 3, easy)" in rows[1]
    assert "'lineduel history review 1'" in program("history").out
    assert program("history", "replay", "2").out == program("replay", str(middle)).out
    assert program("history", "review", "2").out == program("review", str(middle)).out
    only = program("history", "--game", "cross-over", "--limit", "1").out.splitlines()
    assert only[0].startswith("1 ")
    assert only[1] == "… and 1 more: lineduel history --limit 2"
    resumed = program("history", "resume", "1", typed="1\nquit\n")
    assert "Bob" in resumed.out
    assert len(read_record(unfinished.read_text()).moves) == 4


def test_a_number_that_stands_for_no_game_is_refused(program: Program) -> None:
    """With what to type instead; a finished game is not resumed."""
    assert program("history").out == (
        "You have not played yet. Begin with: lineduel play cross-over\n"
    )
    played(saves=saves_of(program))
    for words, told in (
        (
            ["review", "2"],
            "There is no game '2': you have 1 game.\nList them with: lineduel history",
        ),
        (["replay", "x"], "There is no game 'x'"),
        (["resume"], "Say which game: lineduel history resume 1"),
        (["resume", "1"], "It is over; look at it with: lineduel history review 1"),
        (["delete", "1"], "Add --yes to delete the game."),
        (["--yes"], "--yes goes with 'history delete'"),
        (["--game", "cros-over"], "Did you mean cross-over"),
    ):
        done = program("history", *words)
        assert (done.status, done.out) == (2, ""), words
        assert told in done.err
    assert "You have not played Flag Chase yet." in program("history", "--game", "flag-chase").out


@pytest.mark.terminal
def test_deleting_asks_first(program: Program) -> None:
    """At a terminal there is a question, with the game in words; otherwise `--yes` is needed."""
    for hours in (1, 2, 3):
        played(saves=saves_of(program), hours_ago=hours)
    for answer, left in (("no", 3), ("yes", 2)):
        with Sitting(program, "history", "delete", "2", columns=70) as sitting:
            sitting.see("Game 2: Blockade Duel, 2026-03-04,")
            sitting.answer("Delete it for good? (yes/no): ", answer)
            assert sitting.end() == 0
        assert len(program.saved) == left
    done = program("history", "delete", "1", "--yes")
    assert done.out.startswith("Deleted. Game 1: Blockade Duel")
    assert len(program.saved) == 1


def test_documents_of_the_history(program: Program) -> None:
    """The list and the statistics are as their schemas say."""
    saves = saves_of(program)
    path = played(saves=saves, names=("Ann", None))
    (path.parent / "broken.duel").write_text("no game")
    listed = printed(program, "history", "history")
    (game,) = listed["games"]
    assert (game["number"], game["you"], game["names"]) == (1, 1, ["Ann", None])
    assert listed["damaged"][0]["file"].endswith("broken.duel")
    none = printed(program, "history", "history", "--limit", "0")
    assert (none["total"], none["games"]) == (1, [])
    counted = printed(program, "history-stats", "history", "stats")
    assert counted["total"]["played"] == counted["opponents"][0]["score"]["played"] == 1
    assert printed(program, "review", "history", "review", "1")["game"] == "blockade-duel"


# Statistics


def test_wins_streaks_and_accuracy_are_counted() -> None:
    """By game and level; the accuracy is that of the reviews."""
    won, lost = Side.ONE, Side.TWO
    for hours, winner in enumerate((won, won, lost, won, won, won)):
        played(wins=winner, hours_ago=hours)
    played(wins=lost, seats=("level:3", "human"), hours_ago=9)
    played(wins=won, seats=("human", "perfect"), hours_ago=10)
    played(seats=("human", "human"))
    played(moves=2)
    games = read_history(Saves()).games
    known = KnownAccuracies()
    review_unknown(games, known, Cache())
    found = personal_statistics(games, known)
    easy, perfect = found.opponents
    assert (easy.opponent, perfect.opponent) == ("level:3", "perfect")
    assert (easy.score.played, easy.score.won) == (7, 6)
    assert (easy.score.streak, easy.score.best_streak) == (2, 4)
    assert (found.total.played, found.total.won, found.total.streak) == (8, 7, 2)
    assert (found.unfinished, found.others) == (1, 1)
    assert found.total.reviewed == 8
    solution = solve(Game(find_rulebook("blockade-duel")))
    accuracies = [
        review(game.record, solution).accuracy(game.you)
        for game in games
        if game.you is not None and game.record.winner is not None
    ]
    kept, choices = sum(one.kept for one in accuracies), sum(one.choices for one in accuracies)
    assert found.total.accuracy == pytest.approx(kept / choices)


def test_the_second_time_nothing_is_reviewed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Accuracies are kept; a damaged file of them is as good as none."""
    path = tmp_path / "accuracies.json"
    played()
    games = read_history(Saves()).games
    steps: list[tuple[int, int]] = []
    review_unknown(games, KnownAccuracies(path), Cache(), lambda *step: steps.append(step))
    assert steps == [(0, 1), (1, 1)]
    first = personal_statistics(games, KnownAccuracies(path)).total.accuracy
    assert first is not None
    steps.clear()
    review_unknown(games, KnownAccuracies(path), Cache(), lambda *step: steps.append(step))
    assert steps == [(0, 0)]
    for damaged in ("{", "[]", json.dumps({"version": 1, "games": {"a": [3, 2, 0, 0]}})):
        path.write_text(damaged)
        assert personal_statistics(games, KnownAccuracies(path)).total.accuracy is None


def test_statistics_at_the_shell(program: Program) -> None:
    """A table, what it leaves out, and the puzzle rating."""
    saves = saves_of(program)
    played(wins=Side.ONE, saves=saves)
    played("cross-over", moves=2, saves=saves, hours_ago=1)
    done = program("history", "stats")
    assert done.status == 0
    head, title, row, *rest = done.out.splitlines()
    assert head.split() == ["played", "won", "accuracy", "streak", "best"]
    assert title == "Blockade Duel"
    assert row.startswith("  level 3 (easy)")
    assert row.split()[-5:-3] == ["1", "1"]
    assert rest[1:] == ["Not counted: 1 unfinished game.", "Puzzle rating: none yet."]
    assert "Cross Over" not in program("history", "stats", "--game", "blockade-duel").out


# On the screen


async def test_a_game_is_deleted_on_the_screen_after_a_question() -> None:
    played("cross-over", ("human", "level:5"), wins=Side.ONE, hours_ago=1)
    path = played("blockade-duel", moves=2)
    async with viewer(size=SMALL) as home:
        await home.press("g")
        await home.see("Your games 2 games", "Blockade Duel", "unfinished", "won")
        await home.see("against the computer (level 5, medium)")
        await home.press("x")
        await home.see("Delete this game for good?", "Blockade Duel, 2026-03-04: unfinished")
        await home.press("n", "x", "y")
        await home.see("Your games 1 game", "Cross Over")
        assert not path.exists()
        await home.press("question_mark")
        await home.see("delete a game for good")
        await home.press("escape", "r")
        await home.screen("ReviewScreen")


async def test_a_game_that_is_open_elsewhere_is_not_deleted() -> None:
    path = played(moves=2)
    hold = Hold(path)
    async with viewer() as home:
        await home.press("g")
        await home.see("Your games 1 game")
        await home.press("x", "y")
        await home.hear("This game is open in another window or terminal.")
    hold.release()
    assert path.exists()


async def test_the_page_of_statistics_comes_at_once_and_fills_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first time games are reviewed beside it; the second time nothing is left to do."""
    monkeypatch.setenv("LINEDUEL_CACHE", str(tmp_path / "cache"))
    played(wins=Side.ONE)
    (Saves().folder / "broken.duel").write_text("no game")
    async with viewer() as home:
        await home.press("g")
        await home.see("Your games 1 game", "Line 1 is not a tag of a record")
        await home.press("s")
        await home.see("Blockade Duel", "level 3 (easy) 1 1", "Puzzle rating: none yet.", "%")
        await home.press("question_mark")
        await home.see("won in a row")
        await home.press("escape", "escape")
        await home.screen("HistoryScreen")
        await home.press("escape")
        await home.screen("HomeScreen")


def test_a_record_keeps_the_names(tmp_path: Path) -> None:
    """Written and read again they are the same; what cannot be a name counts as none."""
    path = played(names=("Ann", 'B "ob"'))
    record = read_record(path.read_text())
    assert Session.from_record(record).names == ("Ann", 'B "ob"')
    tags = tuple((tag, "x" * 99 if tag == "Name1" else value) for tag, value in record.tags)
    again = read_record(
        write_record(
            Record(rulebook=record.rulebook, start=record.start, moves=record.moves, tags=tags)
        )
    )
    assert Session.from_record(again).names == (None, 'B "ob"')


@pytest.mark.parametrize("seed", range(10))
def test_streaks_are_counted_from_the_latest_game(seed: int) -> None:
    """The latest comes first; a loss ends a streak, also if it is the latest of all."""
    chance, game = Random(seed), Game(find_rulebook("ctf-tokens"))
    wins = [chance.random() < 0.6 for _ in range(8)]
    tags = (("Player1", "human"), ("Player2", "level:1"))
    games = []
    for won in wins:
        loser = Side.TWO if won else Side.ONE
        record = Record(
            rulebook=game.rulebook, start=game.start(), moves=(), resigned=loser, tags=tags
        )
        games.append(SavedGame(Path("game"), record, None))
    total = personal_statistics(games, KnownAccuracies()).total
    streaks = "".join("w" if won else " " for won in wins)
    assert (total.played, total.won) == (8, sum(wins))
    assert total.streak == len(streaks) - len(streaks.lstrip("w"))
    assert total.best_streak == max(map(len, streaks.split(" ")))
