"""Whatever text or data comes in: a value, or an error that a person can read. Nothing else."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given, strategies as st

from lineduel.engine import Game, ParsedPosition, Position, Step, check_position
from lineduel.errors import (
    IllegalMove,
    InvalidPosition,
    LineduelError,
    NotARulebook,
    NotationError,
    RecordError,
    RulebookError,
    StorageError,
    UnknownGame,
)
from lineduel.match import Saves, load
from lineduel.narration import Narrator, read_answer, read_number
from lineduel.record import (
    Record,
    parse_move,
    parse_position,
    read_position,
    read_record,
    write_record,
)
from lineduel.rulebooks import SHIPPED, find_rulebook
from lineduel.rules import (
    BoardWords,
    Rulebook,
    Side,
    Words,
    apply_changes,
    rulebook_data,
    rulebook_from_data,
)
from lineduel.rules.assignments import format_rules, parse_assignments, parse_rules
from lineduel.rules.describe import describe
from lineduel.rules.toml import words_from_data
from support.strategies import (
    ALL_GAMES,
    Played,
    games_under_way,
    play_out,
    rulebook_data as random_rulebook_data,
    rulebooks,
)

MOST_CHARACTERS = 1000
ODD = "\n\r\0\x1b\x85\u2028\ufeff²٣é{}[]()\"'\\=:;,./+-*#x0159 "
JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([-(10**40), 0, 1])
    | st.floats()
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
"""Anything that TOML or JSON could hold, and more."""


def is_plain(message: str) -> bool:
    """One or two lines that say something, not endless, with nothing a terminal would obey."""
    lines = message.split("\n")
    return (
        1 <= len(lines) <= 2
        and all(line.strip() for line in lines)
        and len(message) <= MOST_CHARACTERS
        and not any(unicodedata.category(one) in ("Cc", "Zl", "Zp") for one in "".join(lines))
    )


def value_or_complaint(parse: Callable[[], object]) -> object:
    """What parsing gives, or None where it complained as it should."""
    try:
        return parse()
    except LineduelError as error:
        complaint = str(error)
    assert is_plain(complaint), repr(complaint)
    return None


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A valid text with one to three things cut out, put in, doubled or swapped."""
    text = draw(texts)
    for _ in range(draw(st.sampled_from((1, 1, 2, 3)))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from((0, 1, 1, 2, 5, 40))))
        put = draw(
            st.sampled_from(("", *ODD, text[start:end] * 2, text[start:end][::-1]))
            | st.text(max_size=4)
        )
        text = text[:start] + put + text[end:]
    return text


# Positions


def texts_of_positions() -> st.SearchStrategy[str]:
    return games_under_way(10).map(lambda played: str(played.last))


@given(text=st.text() | mutated(texts_of_positions()))
@example(text="1" * 5000)
@example(text="0/0/1*" + "1" * 5000)
@example(text="²/٣/1")
@example(text="\n\n\n")
def test_any_text_is_a_position_or_is_refused(text: str) -> None:
    """And what was understood is understood again when it is written down."""
    position = value_or_complaint(lambda: parse_position(text))
    if isinstance(position, ParsedPosition):
        assert parse_position(str(position)) == position


@given(played=games_under_way(10), data=st.data())
def test_any_text_is_a_position_of_the_game_or_is_refused(
    played: Played, data: st.DataObject
) -> None:
    """What is taken as a position of a game can be played on from, and only to such positions."""
    text = data.draw(mutated(st.just(str(played.last))))
    position = value_or_complaint(lambda: read_position(played.game, text))
    if isinstance(position, Position):
        _play_on(played.game, position)


@given(rulebook=rulebooks(), data=st.data())
def test_any_arrangement_is_playable_or_is_refused(rulebook: Rulebook, data: st.DataObject) -> None:
    """Pieces put down anywhere: refused, or everything that follows is accepted as well."""
    game = Game(rulebook)
    track = rulebook.rules.track
    cells = st.sampled_from([*track.cells, *track.cells, track.last + 1, None])
    player1, player2 = (
        tuple(data.draw(cells) for _ in rulebook.rules.team(side).pieces) for side in Side
    )
    shared = sorted({cell for cell in player1 if cell is not None} & set(player2) - {None})
    battle = data.draw(st.sampled_from([None, *shared]))
    hands = None
    if rulebook.rules.battle and rulebook.rules.battle.hand.is_spent:
        any_hand = st.sampled_from([(1,), (2,), (1, 2), (2, 1), (1, 1), (1, 3), (1, 9)])
        hands = data.draw(st.none() | st.tuples(any_hand, any_hand))
    position = Position(player1, player2, data.draw(st.sampled_from(Side)), battle, hands)
    read = value_or_complaint(lambda: read_position(game, str(position)))
    if read is None:
        with pytest.raises(InvalidPosition):
            check_position(game.rules, position)
    else:
        assert read == position
        _play_on(game, position)


def test_where_landing_wins_only_one_cell_can_be_shared() -> None:
    """The first landing ends the game, so a second shared cell cannot come up."""
    changes = parse_assignments(
        ["player1.pieces=A:1,B:2", "player2.pieces=C:8,D:9", "meet.enemy=wins"]
    )
    game = Game(apply_changes(find_rulebook("cross-over"), changes))
    assert game.outcome(read_position(game, "8,2/8,9/2")) is Side.ONE
    with pytest.raises(InvalidPosition, match="enemies cannot both rest on cell"):
        read_position(game, "8,9/8,9/2")


def test_where_pieces_are_captured_enemies_never_share_a_cell() -> None:
    """Not even at home: whoever lands there takes what stands there."""
    game = Game(find_rulebook("cross-over"))
    for cell in game.rules.track.cells:
        for side in Side:
            with pytest.raises(InvalidPosition, match=f"cannot both rest on cell {cell} "):
                read_position(game, f"{cell},x,x/{cell},x,x/{side}")


def _play_on(game: Game, position: Position) -> None:
    """Everything can be asked about an accepted position, and leads to accepted ones."""
    assert bool(game.moves(position)) == (game.outcome(position) is None)
    Narrator(game).board(position)
    for move in game.moves(position):
        game.events(position, move)
        check_position(game.rules, game.play(position, move))


@pytest.mark.parametrize("text", ["1 0/5/2", "10/5 /1 2", "1,0 1/5,5/1", "3/3/1* 3 4"])
def test_a_space_inside_a_number_is_not_overlooked(text: str) -> None:
    """Reading never guesses: two numbers side by side are not one number."""
    with pytest.raises(NotationError):
        parse_position(text)
    assert parse_position(" 0, 1,x / 5 ,6,7 / 2 ") == parse_position("0,1,x/5,6,7/2")


def test_a_battle_on_one_of_several_cells_has_to_be_named() -> None:
    """`*` alone means the cell that both share, if there is exactly one."""
    assert parse_position("1,2/1,3/1*").battle == 1
    assert parse_position("1,2/1,2/1*2").battle == 2
    for text, cells in (("1,2/1,2/1*", "2 cells"), ("1,2/3,4/1*", "no cell")):
        with pytest.raises(NotationError, match=cells):
            parse_position(text)


# Moves


@given(text=st.text() | mutated(st.sampled_from(["P1-B+2", "pass", "4:2", "S3+1", "P1-1", "P1+0"])))
@example(text="P1+" + "1" * 5000)
@example(text="P1+²")
@example(text="٣:1")
@example(text="A" * 5000 + "+1")
def test_any_text_is_a_move_or_is_refused(text: str) -> None:
    """And what was understood is written as it was read."""
    move = value_or_complaint(lambda: parse_move(text))
    assert move is None or str(move) == text


@given(played=games_under_way(10), data=st.data())
def test_any_answer_is_a_legal_move_or_is_refused(played: Played, data: st.DataObject) -> None:
    """At the prompt: a move that can be played, or what was wrong with the answer."""
    legal = played.game.moves(played.last)
    assume(legal)
    texts = st.text() | mutated(st.sampled_from([str(move) for move in legal]))
    text = data.draw(texts | st.text(alphabet=ODD))
    move = value_or_complaint(lambda: read_answer(played.game, played.last, text))
    assert move is None or move in legal


@pytest.mark.parametrize("address", ALL_GAMES)
@given(text=st.text(max_size=6) | st.text(alphabet=ODD, max_size=6))
@example(text="+-1")
@example(text="²")
@example(text="--")
@example(text="1" * 5000)
@example(text="1 1")
def test_no_answer_to_a_shipped_game_goes_unanswered(address: str, text: str) -> None:
    """Each game's own way of answering takes any text, at the start and after some moves."""
    played = play_out(find_rulebook(address), None, 3, Random(1))
    for position in (played.start, played.last):
        move = value_or_complaint(partial(read_answer, played.game, position, text))
        assert move is None or move in played.game.moves(position)


@given(text=st.text() | st.text(alphabet=ODD))
@example(text="1" * 5000)
def test_any_text_is_a_battles_number_or_none(text: str) -> None:
    """A number as people type it, or nothing."""
    number = read_number(text)
    assert number is None or str(number) == "".join(text.split()).lstrip("0") or number == 0


@pytest.mark.parametrize("text", ["P1+01", "P1-0", "P1+00", "P1-01", "P1+100", "P1 +1", "P1+1 "])
def test_a_move_is_written_in_one_way_only(text: str) -> None:
    """What looks like a move and is written otherwise is not taken for it."""
    with pytest.raises(NotationError, match="is not a move"):
        parse_move(text)


@pytest.mark.parametrize("numbers", range(2, 10))
def test_a_step_in_a_battle_is_answered_with_the_numbers_there_are(numbers: int) -> None:
    changes = parse_assignments([f"battle.numbers={numbers}"])
    game = Game(apply_changes(find_rulebook("flag-chase"), changes))
    with pytest.raises(IllegalMove, match=f"two numbers up to {numbers}:{numbers}, not P1"):
        game.play(read_position(game, "3/3/1*"), Step("P1", 1))


def test_a_move_written_in_full_is_never_in_doubt() -> None:
    """The notation of a move means that move, whatever other pieces are called."""
    data = rulebook_data(find_rulebook("cross-over"))
    data["track"] = {"first": 0, "last": 30}
    data["player1"] = {"pieces": {"P": 20, "P-1": 10}, "goal": [30]}
    data["player2"] = {"pieces": {"Q": 29}, "goal": [0]}
    data["move"]["steps"] = [-12, 2]
    game = Game(rulebook_from_data(data, "doubtful"))
    for move in game.moves(game.start()):
        assert read_answer(game, game.start(), str(move)) == move


def test_an_answer_with_two_meanings_is_asked_about() -> None:
    """`S1 2` is not taken for `S12`: what could be two moves is no guess."""
    data = rulebook_data(find_rulebook("ctf-soldiers"))
    data["player1"] = {"pieces": {"S1": 0, "S": 0}, "goal": [10]}
    data["move"]["steps"] = [1, 2, 11]
    data["track"]["last"] = 20
    game = Game(rulebook_from_data(data, "doubtful"))
    with pytest.raises(NotationError, match="could be"):
        read_answer(game, game.start(), "S11")
    assert read_answer(game, game.start(), "S1+1") == Step("S1", 1)
    assert read_answer(game, game.start(), "S+11") == Step("S", 11)


def test_an_illegal_answer_is_explained_of_the_piece_that_was_named() -> None:
    """`S12 3` is about S12, though there is a piece called S1 as well."""
    data = rulebook_data(find_rulebook("ctf-soldiers"))
    for names in (("S1", "S12"), ("S12", "S1")):
        data["player1"] = {"pieces": dict.fromkeys(names, 0), "goal": [10]}
        data["move"]["steps"] = [1, 2]
        game = Game(rulebook_from_data(data, "doubtful"))
        with pytest.raises(IllegalMove, match="cannot go 3 cells"):
            read_answer(game, game.start(), "S12 3")


# Records


def texts_of_records() -> st.SearchStrategy[str]:
    return games_under_way(12).map(
        lambda played: write_record(
            Record(
                rulebook=played.game.rulebook,
                start=played.start,
                moves=played.moves,
                tags=(("Player1", "human"), ("Date", "2024.02.29")),
            )
        )
    )


@given(text=st.text() | mutated(texts_of_records()))
@example(text="")
@example(text="\n\n*\n")
@example(text='[Game "cross-over"]')
def test_any_text_is_a_record_or_is_refused(text: str) -> None:
    """A record that was read can be replayed to its end and written again."""
    record = value_or_complaint(lambda: read_record(text))
    if isinstance(record, Record):
        again = read_record(write_record(record))
        assert (again.moves, again.positions(), again.winner) == (
            record.moves,
            record.positions(),
            record.winner,
        )


SHIPPED_RECORD = write_record(
    Record(
        rulebook=find_rulebook("flag-chase"),
        start=Game(find_rulebook("flag-chase")).start(),
        moves=play_out(find_rulebook("flag-chase"), None, 12, Random(5)).moves,
    )
)


def test_no_beginning_of_a_record_is_taken_for_the_whole() -> None:
    """Cut off anywhere, a record is refused; only the last line end can be missing."""
    for length in range(len(SHIPPED_RECORD) - 1):
        with pytest.raises(RecordError) as error:
            read_record(SHIPPED_RECORD[:length])
        assert is_plain(str(error.value))
    assert read_record(SHIPPED_RECORD[:-1]) == read_record(SHIPPED_RECORD)


WRONG_RECORDS = {
    "another game's move": ("1. ", "1. S1+1 "),
    "a move that is no move": ("1. ", "1. jump "),
    "a result the moves do not have": ('[Result "*"]', '[Result "1"]'),
    "an end that is another result": ("*\n", "1\n"),
    "a number too many at the end": (" *\n", " 99. *\n"),
    "a wrong number": ("2. ", "3. "),
    "no number": ("2. ", ""),
    "a tag twice": ("[Title", '[Game "x"]\n[Title'),
    "a line that is no tag": ("[Title", "Title"),
    "no game": ('[Game "flag-chase"]\n', ""),
    "no rules": ("[Rules", "[Rulez"),
    "rules that are none": ("track.first=1", "track.first=one"),
    "rules that break a rule": ("battle.numbers=5", "battle.numbers=99"),
    "a rule missing": ("track.first=1; ", ""),
    "words that are no JSON": ("[Position", '[Words "{"]\n[Position'),
    "words that are no table": ("[Position", '[Words "[1]"]\n[Position'),
    "words nested without end": ("[Position", f'[Words "{"[" * 100_000}"]\n[Position'),
    "a word that is no word": ("[Position", '[Words "{\\"turm\\":1}"]\n[Position'),
    "a template that means nothing": ("[Position", '[Words "{\\"turn\\":\\"{x}\\"}"]\n[Position'),
    "half a character": ("[Position", '[Words "{\\"turn\\":\\"\\\\ud800\\"}"]\n[Position'),
    "no position": ("[Position", "[Positron"),
    "an impossible position": ('"1/5/1"', '"9/5/1"'),
    "an end nobody knows": ("[Result", '[Termination "earthquake"]\n[Result'),
    "a resignation that nobody won": ("[Result", '[Termination "resignation"]\n[Result'),
    "an agreement that nobody knows": ("[Result", '[Termination "Agreement"]\n[Result'),
}


@pytest.mark.parametrize("mistake", WRONG_RECORDS)
def test_a_wrong_record_is_refused_with_what_is_wrong(mistake: str) -> None:
    """Each mistake is told in a sentence that nobody has to be a programmer to read."""
    old, new = WRONG_RECORDS[mistake]
    assert old in SHIPPED_RECORD
    with pytest.raises(RecordError) as error:
        read_record(SHIPPED_RECORD.replace(old, new, 1))
    assert is_plain(str(error.value))
    assert "None" not in str(error.value)


FINISHED = play_out(find_rulebook("blockade-duel"), None, 99, Random(5))
FINISHED_RECORD = write_record(
    Record(rulebook=FINISHED.game.rulebook, start=FINISHED.start, moves=FINISHED.moves)
)
WINNER = FINISHED_RECORD.rstrip()[-1]
LOSER = {"1": "2", "2": "1"}[WINNER]
WRONG_ENDS = {
    "a resignation after the end": ("[Result", '[Termination "resignation"]\n[Result'),
    "an end nobody knows": ("[Result", '[Termination "earthquake"]\n[Result'),
    "an agreement to stop after the end": ("[Result", '[Termination "agreement"]\n[Result'),
    "an agreement in place of the winner": (
        f'[Result "{WINNER}"]',
        '[Termination "agreement"]\n[Result "*"]',
        True,
    ),
    "another winner": (f'[Result "{WINNER}"]', f'[Result "{LOSER}"]', True),
    "no winner": (f'[Result "{WINNER}"]', '[Result "*"]', True),
    "another winner in the tag": (f'[Result "{WINNER}"]', f'[Result "{LOSER}"]'),
    "a move after the end": (f" {WINNER}\n", f" P1+1 {WINNER}\n"),
    "a pass after the end": (f" {WINNER}\n", f" pass {WINNER}\n"),
}


@pytest.mark.parametrize("mistake", WRONG_ENDS)
def test_a_wrong_end_of_a_finished_game_is_refused(mistake: str) -> None:
    """Who has won by the moves has won, and nobody resigns after that."""
    assert WINNER in "12"
    assert read_record(FINISHED_RECORD).winner == int(WINNER)
    old, new, *everywhere = WRONG_ENDS[mistake]
    text = FINISHED_RECORD.replace(str(old), str(new), 1)
    assert text != FINISHED_RECORD
    if everywhere:  # the end of the moves says the same as the tag
        text = text.rstrip()[:-1] + str(new)[-3] + "\n"
    with pytest.raises(RecordError) as error:
        read_record(text)
    assert is_plain(str(error.value))


def test_a_record_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Some editors write one; it is no part of the record, and is not written again."""
    record = read_record(SHIPPED_RECORD)
    assert read_record("\ufeff" + SHIPPED_RECORD) == record
    path = tmp_path / "game.duel"
    path.write_bytes(SHIPPED_RECORD.replace("\n", "\r\n").encode("utf-8-sig"))
    assert load(path) == record
    assert write_record(load(path)) == SHIPPED_RECORD


@pytest.mark.parametrize("game", ["/../../../x", "..", "/etc/passwd", "a/b\\\\c"])
def test_a_record_of_any_game_is_kept_among_the_games(tmp_path: Path, game: str) -> None:
    """The name of a stranger's game is never a path."""
    folder = tmp_path / "here" / "games"
    record = read_record(SHIPPED_RECORD.replace('"flag-chase"', f'"{game}"'))
    path = Saves(folder).add(record, datetime(2026, 5, 1))
    assert path.resolve().parent == folder
    assert list(tmp_path.rglob("*.duel")) == [path]
    assert load(path) == record


# Rules in one line


def texts_of_rules() -> st.SearchStrategy[str]:
    return rulebooks().map(lambda rulebook: format_rules(rulebook.rules))


@given(text=st.text() | mutated(texts_of_rules()))
@example(text="track.first=" + "1" * 5000)
def test_any_text_is_rules_or_is_refused(text: str) -> None:
    """Rules that were understood are written and read again as the same rules."""
    rules = value_or_complaint(lambda: parse_rules(text))
    if rules is not None:
        assert parse_rules(format_rules(rules)) == rules  # type: ignore[arg-type]


ASSIGNMENTS = st.sampled_from(format_rules(find_rulebook("flag-chase").rules).split("; "))


@given(texts=st.lists(st.text() | ASSIGNMENTS | mutated(ASSIGNMENTS), max_size=4))
def test_any_texts_are_changes_or_are_refused(texts: list[str]) -> None:
    """What `--set` understands, a rulebook takes or refuses."""
    changes = value_or_complaint(lambda: parse_assignments(texts))
    if isinstance(changes, dict):
        for address in SHIPPED:
            value_or_complaint(partial(apply_changes, find_rulebook(address), changes))


# Rulebooks


@given(data=JUNK)
def test_any_data_is_a_rulebook_or_is_refused(data: Any) -> None:
    """Whatever TOML can say."""
    assume(isinstance(data, dict))
    value_or_complaint(lambda: rulebook_from_data(data, "junk"))


@st.composite
def mutated_data(draw: st.DrawFn, datas: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """Valid data with something changed, taken out or put in somewhere."""
    data = deepcopy(draw(datas))
    for _ in range(draw(st.sampled_from((1, 1, 2)))):
        table, key = draw(st.sampled_from([*_places(data)]))
        match draw(st.sampled_from(("junk", "junk", "remove", "add"))):
            case "remove":
                table.pop(key)
            case "add" if isinstance(table, dict):
                table[draw(st.text(max_size=6))] = draw(JUNK)
            case _:
                table[key] = draw(JUNK)
        assume(any(True for _ in _places(data)))
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in the data with every key of it."""
    keys: list[Any] = []
    if isinstance(data, dict):
        keys = list(data)
    elif isinstance(data, list):
        keys = list(range(len(data)))
    for key in keys:
        yield data, key
        yield from _places(data[key])


SHIPPED_DATA = [rulebook_data(find_rulebook(name)) for name in SHIPPED]


@given(data=mutated_data(random_rulebook_data() | st.sampled_from(SHIPPED_DATA)))
def test_spoilt_data_is_a_rulebook_or_is_refused(data: dict[str, Any]) -> None:
    """A rulebook that was read has all its variants, and survives being written as data."""
    rulebook = value_or_complaint(lambda: rulebook_from_data(data, "spoilt"))
    if isinstance(rulebook, Rulebook):
        assert rulebook_from_data(rulebook_data(rulebook), "spoilt") == rulebook


SHIPPED_FILES = [
    files("lineduel.rulebooks").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    for name in SHIPPED
]
ODD_VALUES = (
    "1" * 5000,
    "0x" + "f" * 5000,
    "-9223372036854775809",
    "1e400",
    "inf",
    "nan",
    "1979-05-27T07:32:00Z",
    "07:32:00",
    "[" * 3000,
    "{}",
    "[{}]",
    "[[1]]",
    '"\\u0000"',
    '"""\n\n\n"""',
    "true",
    "",
)


@st.composite
def spoilt_files(draw: st.DrawFn) -> str:
    """A shipped rulebook's text with a value exchanged for an odd one, or spoilt anyhow."""
    text = draw(st.sampled_from(SHIPPED_FILES))
    if draw(st.booleans()):
        return draw(mutated(st.just(text)))
    start, end = draw(st.sampled_from([one.span(1) for one in re.finditer(r"= (.*)", text)]))
    return text[:start] + draw(st.sampled_from(ODD_VALUES)) + text[end:]


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rulebooks") / "mine.toml"


@given(text=spoilt_files())
@example(text=SHIPPED_FILES[0].replace("first = 0", f"first = {'1' * 5000}"))
@example(text=SHIPPED_FILES[0].replace("first = 0", f"first = 0x{'f' * 5000}"))
@example(text="a=" + "[" * 100_000)
@example(text='"\\n\\n\\n" = 1')
@example(text='[track]\n"\\n\\n\\n" = 1')
def test_any_file_is_a_rulebook_or_is_refused(somewhere: Path, text: str) -> None:
    """A complaint about a file names the file."""
    somewhere.write_text(text, encoding="utf-8", newline="")
    complaint = f"{somewhere}: none"
    try:
        find_rulebook(str(somewhere))
    except (RulebookError, NotARulebook) as error:
        complaint = str(error)
    assert re.match(rf"{re.escape(str(somewhere))}(:([0-9]+:)? .| is not a rulebook\.$)", complaint)
    assert is_plain(complaint), repr(complaint)


@given(content=st.binary())
@example(content=b"\xff\xfe")
def test_any_bytes_are_a_rulebook_or_are_refused(somewhere: Path, content: bytes) -> None:
    """A file that is no text at all is refused as such."""
    somewhere.write_bytes(content)
    with pytest.raises((RulebookError, StorageError), match=re.escape(str(somewhere))):
        find_rulebook(str(somewhere))


@given(address=st.text() | mutated(st.sampled_from(ALL_GAMES)))
@example(address="cross-over:")
@example(address=":no-jump")
@example(address="x" * 5000)
@example(address="x" * 5000 + ".toml")
@example(address="a\0b.toml")
@example(address="a\nb\nc")
def test_any_address_is_a_rulebooks_or_is_refused(address: str) -> None:
    """A name that is found is the name that was asked for."""
    rulebook = value_or_complaint(lambda: find_rulebook(address))
    assert rulebook is None or getattr(rulebook, "id", None) == address


# The rules in plain words


@pytest.mark.parametrize("address", ALL_GAMES)
@pytest.mark.parametrize("steps", ["1", "-1", "0,1", "1,2", "-2", "3"])
@pytest.mark.parametrize("jump", ["true", "false"])
def test_the_rules_say_whether_a_piece_may_jump(address: str, steps: str, jump: str) -> None:
    """Wherever a step is long enough to pass over a cell, and only there."""
    rulebook = find_rulebook(address)
    changes = parse_assignments([f"move.steps={steps}", f"move.jump={jump}"])
    told = " ".join(
        paragraph
        for section in describe(apply_changes(rulebook, changes))
        for paragraph in section.paragraphs
        if section.heading == "A turn"
    )
    is_long = any(abs(int(step)) > 1 for step in steps.split(","))
    assert ("may pass over occupied cells" in told) == (is_long and jump == "true")
    assert ("may not pass over occupied cells" in told) == (is_long and jump == "false")


# Words


@given(
    template=st.text() | st.text(alphabet="{}!:.[]player 0") | mutated(st.just("{player}, {to}"))
)
@example(template="{")
@example(template="{player!r}")
@example(template="{player.real}")
@example(template="{player[0]}")
@example(template="{0}")
@example(template="{}")
@example(template="{player:>1000000000}")
@example(template="{" * 5000)
def test_any_text_is_a_template_or_is_refused(template: str) -> None:
    """A template that was taken can be said."""
    for key in ("prompt", "choice", "welcome"):
        words = value_or_complaint(partial(words_from_data, {key: template}))
        if isinstance(words, Words):
            _say_everything(play_out(_with_words(words), None, 4, Random(1)))


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("1", "1"),
        ("1,2", "1-2"),
        ("0,1,2", "0-2"),
        ("1,3", "1, 3"),
        ("-1,0,1", "-1, 0, 1"),
        ("1,-1", "1, -1"),
    ],
)
def test_steps_in_a_row_are_told_as_a_range(steps: str, told: str) -> None:
    """But not from a number below 0, whose sign would look like the range's."""
    changes: dict[str, Any] = parse_assignments([f"move.steps={steps}", "player1.pieces=P1:5"])
    rulebook = apply_changes(
        find_rulebook("blockade-duel"), changes | {"words": {"prompt": "{range}"}}
    )
    game = Game(rulebook)
    assert Narrator(game).prompt(game.start(Side.ONE), Side.ONE) == told


@pytest.mark.parametrize("address", ALL_GAMES)
def test_every_field_that_a_template_may_use_is_filled(address: str) -> None:
    """Templates made of all the fields they may use leave none of them open, whatever happens."""
    everything = {
        group: {
            entry.name: "".join(f"<{{{name}}}>" for name in sorted(entry.metadata["fields"]))
            for entry in fields(group)
            if "fields" in entry.metadata
        }
        for group in (Words, BoardWords)
    }
    words = words_from_data({**everything[Words], "board": everything[BoardWords]})
    data = rulebook_data(find_rulebook(address))
    data["words"] = rulebook_data(_with_words(words))["words"]
    for seed in range(10):
        _say_everything(play_out(rulebook_from_data(data, "wordy"), None, 60, Random(seed)))


def _with_words(words: Words) -> Rulebook:
    shipped = find_rulebook("cross-over")
    return Rulebook(id="wordy", title="", summary="", rules=shipped.rules, words=words)


def _say_everything(played: Played) -> None:
    narrator = Narrator(played.game)
    narrator.welcome(played.start)
    for side in Side:
        narrator.resigned(side)
        narrator.forfeited(side)
    narrator.repeated(2)
    for position in played.positions:
        narrator.board(position)
        narrator.after(position)
        narrator.choices(position)
        for side in Side:
            narrator.prompt(position, side)
        narrator.turn(position)
    for position, move in zip(played.positions, played.moves, strict=False):
        events = played.game.events(position, move)
        narrator.tell(events)
        narrator.victory(events)


# Every mistake that a rulebook file can hold

GOOD = """\
title = "Mine"
summary = "A rulebook of my own."

[track]
first = 0
last = 9

[player1]
pieces = { A = 0, B = 1 }
goal = [9]

[player2]
pieces = { C = 9, D = 8 }
goal = [0]

[turn]
first = "player1"

[move]
steps = [1, 2]
edge = "illegal"
jump = true

[meet]
own = "blocked"
enemy = "battle"

[battle]
numbers = 5
wins = "higher"

[words]
answer = "number"
prompt = "{player}: "

[words.board]
between = " "

[[claims]]
says = "It ends."
property = "always ends"

[[errata]]
where = "Here"
says = "This."
ruling = "That."

[variants.calm]
summary = "Nobody fights."
why = "It could be meant so."

[variants.calm.meet]
enemy = "shared"
"""

# mistake: (what is replaced, by what, the key that is named, what it holds, what is allowed)
MISTAKES: dict[str, tuple[str, str, str, str, str]] = {
    "an unknown table": ("[track]", "[trakc]\nx = 1\n[track]", "trakc", "unknown key", "track"),
    "an unknown key": ("first = 0", "first = 0\nfrist = 1", "track.frist", "unknown key", "first"),
    "a length in place of an end": (
        "last = 9",
        "length = 10",
        "track.length",
        "not a key of a rulebook file",
        "for 10 cells write first = 0 and last = 9",
    ),
    "an unknown key of a team": ("goal = [9]", "goal = [9]\nx = 1", "player1.x", "unknown", "goal"),
    "an unknown key of turn": ('"player1"', '"player1"\nx = 1', "turn.x", "unknown key", "first"),
    "an unknown key of move": ("jump = true", "jmp = true", "move.jmp", "unknown key", "jump"),
    "an unknown key of meet": ("own =", "mine =", "meet.mine", "unknown key", "own, enemy"),
    "an unknown key of battle": ("wins =", "win =", "battle.win", "unknown key", "numbers, wins"),
    "an unknown word": ("prompt =", "promt =", "words.promt", "unknown key", "prompt"),
    "an unknown board word": ("between =", "betwen =", "words.board.betwen", "unknown", "between"),
    "an unknown key of a claim": ("says = ", "x = 1\nsays = ", "claims[1].x", "unknown", "says"),
    "an unknown key of an erratum": (
        "where =",
        "x = 1\nwhere =",
        "errata[1].x",
        "unknown",
        "where",
    ),
    "an unknown key of a variant": ("why =", "x = 1\nwhy =", "variants.calm.x", "unknown", "meet"),
    "the old name of variants": (
        "[variants.calm]",
        "[readings.x]\n[variants.calm]",
        "readings",
        "an old name",
        "'variants' instead",
    ),
    "the old name of a property": (
        '"always ends"',
        '"every word is used"',
        "claims[1].property",
        "an old name",
        "every rule matters",
    ),
    "no title": ('title = "Mine"\n', "", "title", "missing", "text"),
    "a title that is a number": ('"Mine"', "7", "title", "7", "text"),
    "a summary that is a list": ('"A rulebook of my own."', "[1]", "summary", "[1]", "text"),
    "no track": ("[track]\nfirst = 0\nlast = 9\n", "", "track", "missing", "a table"),
    "a track that is a list": ("[track]\nfirst = 0\nlast = 9", "", "track", "missing", "a table"),
    "a label that is no number": ("first = 0", 'first = "a"', "track.first", '"a"', "whole number"),
    "a label that is half": ("first = 0", "first = 0.5", "track.first", "0.5", "whole number"),
    "a label that is true": ("first = 0", "first = true", "track.first", "true", "whole number"),
    "a label far out": ("last = 9", "last = 10000", "track.last", "10000", "-9999 to 9999"),
    "a label far, far out": ("last = 9", f"last = 0x{'f' * 5000}", "track.last", "", ""),
    "65 cells": ("last = 9", "last = 64", "track", "65 cells", "2 to 64 cells"),
    "1 cell": ("last = 9", "last = 0", "track", "1 cell", "2 to 64 cells"),
    "a track the wrong way round": ("last = 9", "last = -9", "track", "0 cells", "2 to 64 cells"),
    "no pieces": ("{ A = 0, B = 1 }", "{}", "player1.pieces", "", "1 to 8"),
    "9 pieces": (
        "{ A = 0, B = 1 }",
        "{ E1=0, E2=0, E3=0, E4=0, E5=0, E6=0, E7=0, E8=0, E9=0 }",
        "player1.pieces",
        "9 pieces",
        "1 to 8 pieces",
    ),
    "pieces in a list": ("{ A = 0, B = 1 }", "[0, 1]", "player1.pieces", "[0, 1]", "names"),
    "a piece on no cell": ("B = 1", 'B = "x"', "player1.pieces.B", '"x"', "a cell's number"),
    "a piece off the track": ("B = 1", "B = 10", "player1.pieces", "B starts on 10", "0 to 9"),
    "a piece on its own goal": ("B = 1", "B = 9", "player1.pieces", "B starts on 9", "win at once"),
    "two pieces of one name": ("D = 8", "a = 8", "player2.pieces", "called a", "either case"),
    "a piece called pass": ("B = 1", "pass = 1", "player1.pieces", "'pass'", "a letter"),
    "a piece without a name": ("B = 1", '"" = 1', "player1.pieces", "''", "a letter"),
    "a piece with an odd name": ("B = 1", '"b c" = 1', "player1.pieces", "'b c'", "a letter"),
    "a piece that ends in a dash": ("B = 1", "B- = 1", "player1.pieces", "'B-'", "not ending"),
    "a piece that begins with a digit": ("B = 1", "1B = 1", "player1.pieces", "'1B'", "a letter"),
    "a long name": ("B = 1", f"{'B' * 17} = 1", "player1.pieces", "BBB", "at most 16"),
    "enemies on one cell": (
        "D = 8",
        "D = 1",
        "player2.pieces",
        "both players start on 1",
        "differ",
    ),
    "no goal": ("goal = [9]\n", "", "player1.goal", "missing", "a list of whole numbers"),
    "an empty goal": ("goal = [9]", "goal = []", "player1.goal", "[]", "one or more"),
    "a goal twice": ("goal = [9]", "goal = [9, 9]", "player1.goal", "[9, 9]", "different cells"),
    "a goal off the track": ("goal = [9]", "goal = [10]", "player1.goal", "10", "cells 0 to 9"),
    "a goal that is no list": ("goal = [9]", "goal = 9", "player1.goal", "9", "list of whole"),
    "a beginner who is nobody": ('"player1"', '"me"', "turn.first", '"me"', '"either"'),
    "no move": (
        '[move]\nsteps = [1, 2]\nedge = "illegal"\njump = true\n',
        "",
        "move",
        "missing",
        "a table",
    ),
    "a table under another": ("[move]", "[words.move]", "words.move", "unknown key", "moved"),
    "no steps": ("steps = [1, 2]\n", "", "move.steps", "missing", "a list of whole numbers"),
    "an empty list of steps": ("[1, 2]", "[]", "move.steps", "[]", "1 to 8 different"),
    "a step twice": ("[1, 2]", "[1, 1]", "move.steps", "[1, 1]", "different"),
    "9 steps": ("[1, 2]", "[1, 2, 3, 4, 5, 6, 7, 8, 9]", "move.steps", "9]", "1 to 8"),
    "a step too long": ("[1, 2]", "[64]", "move.steps", "[64]", "-63 to 63"),
    "half a step": ("[1, 2]", "[0.5]", "move.steps", "[0.5]", "whole numbers"),
    "an edge of another kind": ('"illegal"', '"wrap"', "move.edge", '"wrap"', '"stay"'),
    "a jump that is a word": ("jump = true", 'jump = "yes"', "move.jump", '"yes"', "true or false"),
    "own pieces that fight": ('"blocked"', '"battle"', "meet.own", '"battle"', '"shared"'),
    "enemies that hug": ('"battle"', '"hug"', "meet.enemy", '"hug"', '"sent home"'),
    "no word for enemies": ('enemy = "battle"\n', "", "meet.enemy", "missing", '"captured"'),
    "a battle without its table": (
        '[battle]\nnumbers = 5\nwins = "higher"\n',
        "",
        "battle",
        "missing",
        "a table with numbers",
    ),
    "a battle nobody fights": ('"battle"', '"shared"', "battle", "given", "no such table"),
    "0 numbers": ("numbers = 5", "numbers = 0", "battle.numbers", "0", "2 to 9"),
    "10 numbers": ("numbers = 5", "numbers = 10", "battle.numbers", "10", "2 to 9"),
    "an even circle": ('5\nwins = "higher"', '4\nwins = "cyclic"', "battle.numbers", "4", "odd"),
    "a battle of another kind": ('"higher"', '"lower"', "battle.wins", '"lower"', '"undercut"'),
    "words that are a list": ("[words]", "[words.x]", "words.x", "unknown key", "prompt"),
    "a word that is a number": ('"{player}: "', "5", "words.prompt", "5", "text"),
    "a way to answer that is none": ('"number"', '"shout"', "words.answer", '"shout"', '"step"'),
    "a field nobody fills": ("{player}: ", "{plyer}: ", "words.prompt", "{plyer}", "{player}"),
    "a brace that stays open": ("{player}: ", "{player: ", "words.prompt", "not a template", "{{"),
    "a field with a sign behind it": (
        "{player}: ",
        "{player!r}: ",
        "words.prompt",
        "not a template",
        "{player}",
    ),
    "a promise nobody can keep": (
        '"always ends"',
        '"is fun"',
        "claims[1].property",
        "fun",
        "no draw",
    ),
    "a claim that says nothing": ('says = "It ends."\n', "", "claims[1].says", "missing", "text"),
    "claims in a table": ("[[claims]]", "[claims]", "claims", "a table", "a list of tables"),
    "an erratum without ruling": ('ruling = "That."\n', "", "errata[1].ruling", "missing", "text"),
    "a variant without a reason": (
        'why = "It could be meant so."\n',
        "",
        "variants.calm.why",
        "missing",
        "text",
    ),
    "a variant that breaks a rule": (
        '"shared"',
        '"hug"',
        "variants.calm.meet.enemy",
        '"hug"',
        "wins",
    ),
    "a variant with an unknown key": (
        'enemy = "shared"',
        "foe = 1",
        "variants.calm.meet.foe",
        "unknown key",
        "own, enemy",
    ),
    "a variant with a number for a table": (
        '[variants.calm.meet]\nenemy = "shared"',
        "meet = 5",
        "variants.calm.meet",
        "5",
        "a table",
    ),
    "variants in a list": (
        "[variants.calm]",
        "[[variants]]\n[variants.calm]",
        "variants",
        "[",
        "a table",
    ),
    "a word over several lines": ('"illegal"', '"a\\nb\\nc"', "move.edge", "a", '"stay"'),
    "a key over several lines": (
        "[track]",
        '"a\\nb\\nc" = 1\n[track]',
        "a",
        "unknown key",
        "track",
    ),
    "two keys of one name": ("first = 0", "first = 0\nfirst = 1", "not TOML", "", "TOML"),
    "something that is not TOML": ("first = 0", "first: 0", "not TOML", "line 5", "TOML"),
    "a number without end": ("last = 9", f"last = {'9' * 5000}", "", "", ""),
}


def test_the_good_file_is_good(tmp_path: Path) -> None:
    """What the mistakes are made in is itself right, and its variant too."""
    path = tmp_path / "mine.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert find_rulebook(str(path)).title == "Mine"
    assert find_rulebook(f"{path}:calm").rules.battle is None
    assert rulebook_data(find_rulebook(str(path)))["track"] == tomllib.loads(GOOD)["track"]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_file_is_told_with_its_place(mistake: str, tmp_path: Path) -> None:
    """The file, the key, what it holds, and what it may hold."""
    old, new, key, holds, allowed = MISTAKES[mistake]
    assert old in GOOD
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RulebookError) as caught:
        find_rulebook(str(path))
    error = caught.value
    assert re.match(rf"{re.escape(str(path))}:([0-9]+:)? {re.escape(key)}", str(error))
    assert error.key.startswith(key)
    assert holds in error.holds
    assert allowed in error.allowed
    assert is_plain(str(error).removeprefix(str(path)))


def test_a_file_that_cannot_be_read_is_told_as_such(tmp_path: Path) -> None:
    """Not there, a folder, no text: the file's name and what is the matter with it."""
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "latin.toml").write_bytes('title = "Fußball"'.encode("latin-1"))
    for name, matter in (
        ("missing.toml", "no file"),
        ("folder.toml", "directory"),
        ("latin.toml", "UTF-8"),
        ("folder.toml/inside.toml", "no file"),
        ("latin.toml/inside.toml", "directory"),
        (f"{'x' * 300}.toml", "too long"),
    ):
        with pytest.raises(StorageError) as caught:
            find_rulebook(str(tmp_path / name))
        assert name[:60] in str(caught.value)
        assert matter in str(caught.value)


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    """A slip of the finger, a title, a variant's name."""
    for typed, meant in (
        ("crossover", "cross-over"),
        ("Flag Chase", "flag-chase"),
        ("cross-over:nojump", "cross-over:no-jump"),
        ("blokade-duel", "blockade-duel"),
    ):
        with pytest.raises(UnknownGame) as caught:
            find_rulebook(typed)
        assert meant in str(caught.value)
        assert is_plain(str(caught.value))


def test_an_illegal_move_is_answered_with_the_legal_ones() -> None:
    """The reason first, then what could be played instead; long lists are cut."""
    game = Game(find_rulebook("cross-over"))
    for text, reason in (
        ("P1-A+1", "own piece is on 1"),
        ("P1-A+3", "cannot go"),
        ("P2-A+1", "belongs to player 2"),
        ("P1-Z+1", "no piece called P1-Z"),
        ("pass", "only when there is no legal move"),
        ("4:2", "No battle is open"),
    ):
        with pytest.raises(IllegalMove) as caught:
            game.play(game.start(), parse_move(text))
        assert reason in str(caught.value)
        assert "Legal: P1-B+2, P1-C+1, P1-C+2." in str(caught.value)
    battle = Game(find_rulebook("flag-chase"))
    with pytest.raises(IllegalMove, match=r"and 13 more") as caught:
        battle.play(read_position(battle, "3/3/1*"), parse_move("P1+1"))
    assert is_plain(str(caught.value))


@pytest.mark.parametrize("address", SHIPPED)
def test_a_shipped_game_with_words_of_its_own_keeps_them(address: str) -> None:
    """In a record that is written and read again."""
    rulebook = find_rulebook(address)
    mine = apply_changes(rulebook, {"words": {"prompt": "Mine: "}})
    mine = replace(mine, id=rulebook.id)
    record = Record(rulebook=mine, start=Game(mine).start(), moves=())
    assert read_record(write_record(record)).rulebook.words == mine.words


@pytest.mark.parametrize("address", SHIPPED)
def test_pieces_that_are_set_take_the_place_of_the_old_ones(address: str) -> None:
    rulebook = find_rulebook(address)
    home = rulebook.rules.player1.homes[0]
    changes = parse_assignments([f"player1.pieces=Zoe:{home}"])
    assert [one.name for one in apply_changes(rulebook, changes).rules.player1.pieces] == ["Zoe"]


@given(games_under_way())
def test_lines_of_moves_are_as_full_as_they_can_be_and_no_wider(played: Played) -> None:
    record = Record(rulebook=played.game.rulebook, start=played.start, moves=played.moves)
    lines = write_record(record).split("\n\n", 1)[1].splitlines()
    assert max(map(len, lines)) <= 78
    for line, after in pairwise(lines):
        assert len(line) + 1 + len(after.split(" ")[0]) > 78


def test_a_record_of_older_rules_is_replayed_by_those() -> None:
    """Though a game of that name is shipped, whose rules are others by now."""
    shipped = find_rulebook("ctf-tokens")
    older = replace(apply_changes(shipped, {"move": {"steps": [1, 2]}}), words=Words())
    text = write_record(Record(rulebook=older, start=Game(older).start(), moves=()))
    without = "\n".join(line for line in text.split("\n") if not line.startswith("[Words"))
    for one in (text, without):
        assert read_record(one).rulebook.rules == older.rules
