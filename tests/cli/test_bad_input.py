"""Whatever is asked of the program: it does it, or says in a line or two why it cannot.

The real program, in a process of its own. A traceback is a defect, everywhere.
"""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from lineduel.cli.main import COMMANDS, main
from lineduel.safe_toml import parse_toml
from support.program import PATIENCE, PYTHON_M, Finished, Program

MINE = """\
title = "Mine"
summary = "A rulebook of my own."

[track]
first = 1
last = 6

[player1]
pieces = { Ant = 1 }
goal = [6]

[player2]
pieces = { Bee = 6 }
goal = [1]

[turn]
first = "either"

[move]
steps = [1, 2]

[meet]
enemy = "sent home"

[words]
answer = "step"
turn = "{player} – it's your turn."
won_goal = "Bravo, {player}!"

[variants.slow]
summary = "One step at a time."
why = "It is written for children."

[variants.slow.move]
steps = [1]
"""

TO_THE_END = "2\n2\n2\n2\n1\n"
"""Answers to Mine: both run, player 1 gets there first."""


def refused(done: Finished, *parts: str) -> None:
    """Nothing was done, and one or two plain lines say why."""
    assert done.status == 2, done
    assert done.out == ""
    explained(done, *parts)
    assert done.err.startswith("lineduel")


def explained(done: Finished, *parts: str, most: int = 2) -> None:
    """What went wrong is told in so many lines at most, and with these words."""
    for output in (done.out, done.err):
        assert "Traceback" not in output, output
        assert "Exception" not in output, output
    lines = done.err.rstrip("\n").split("\n")
    assert 1 <= len(lines) <= most, done.err
    assert all(line.strip() and len(line) <= 1000 for line in lines), done.err
    assert not any(letter < " " for line in lines for letter in line), done.err
    for part in parts:
        assert part in done.err


def quiet(done: Finished, status: int = 0) -> None:
    """It went as it should, and there was nothing to complain about."""
    assert (done.status, done.err) == (status, "")
    assert "Traceback" not in done.out


@pytest.fixture
def mine(program: Program) -> Path:
    """A user's own rulebook, the sixth."""
    path = program.folder / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


# Names of games


@pytest.mark.parametrize(
    "command",
    [("rules",), ("play",), ("perft", "3"), ("solve",), ("play", "--set", "move.jump=true")],
)
def test_an_unknown_game_is_answered_with_the_nearest_names(
    program: Program, command: tuple[str, ...]
) -> None:
    """Every command that takes a game takes a slip of the finger in the same way."""
    name, *rest = command
    refused(program(name, "crossover", *rest), "no game called 'crossover'", "cross-over")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("cross-over:nope", ["cross-over:no-jump", "cross-over:own-may-share"]),
        ("ctf-soldiers:nope", ["no variants"]),
        ("cross-over:", []),
        ("CROSS OVER", ["cross-over"]),
        ("", []),
        ("zzzzzzzzzz", ["lineduel games"]),
        ("nowhere.toml", ["no file nowhere.toml"]),
        ("./nowhere", ["no file nowhere"]),
        (".", []),
        ("/", ["directory"]),
        ("a\nb\nc", []),
        ("\x1b[31mred", []),
        ("x" * 10_000, []),
        ("/" + "x" * 10_000, []),
    ],
)
def test_what_is_no_game_is_refused(program: Program, name: str, parts: list[str]) -> None:
    """Variants that are not there, files that are not there, and plain nonsense."""
    refused(program("rules", name), *parts)


def test_a_name_that_is_no_text_is_refused(program: Program) -> None:
    """File names can be any bytes."""
    for name in (b"\xff", b"\xff.toml"):
        refused(program("rules", name))
    refused(program("replay", b"\xff.duel"), "no file")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["dance"], ["dance", "lineduel --help"]),
        (["rules"], ["GAME", "lineduel rules --help"]),
        (["replay"], ["FILE"]),
        (["perft", "cross-over"], ["DEPTH"]),
        (["perft", "cross-over", "many"], ["many"]),
        (["play", "cross-over", "--speed"], ["--speed"]),
        (["play", "cross-over", "--position"], ["--position"]),
        (["play", "cross-over", "flag-chase"], ["flag-chase"]),
        (["games", "cross-over"], ["cross-over"]),
        (["play", "ctf-tokens", "--seed", "x", "--first", "random"], ["--seed"]),
    ],
)
def test_a_command_that_is_not_understood_says_where_to_look(
    program: Program, arguments: list[str], parts: list[str]
) -> None:
    """What is wrong in one line, where to look in the other."""
    done = program(*arguments)
    refused(done, *parts)
    assert done.complaints[-1].startswith("See 'lineduel")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help_with_an_example(program: Program, command: str) -> None:
    """`--help` ends well and shows at least one line that could be typed."""
    done = program(*([command] if command else []), "--help")
    quiet(done)
    _, examples = done.out.split("examples:")
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    assert lines
    assert all(line.startswith(f"lineduel {command}".strip()) for line in lines)


# Positions, beginners and changed rules


@pytest.mark.parametrize(
    ("game", "position", "part"),
    [
        ("cross-over", "", "is not a valid position"),
        ("cross-over", "here", "and the side to move, as 0,1,2/10,9,8/1."),
        ("flag-chase", "here", "and the side to move, as 1/5/1."),
        ("cross-over", "0,1,2/10,9,8", "is not a valid position"),
        ("cross-over", "0,1,2/10,9,8/3", "is not a valid position"),
        ("cross-over", "0,1,y/10,9,8/1", "neither a cell nor x"),
        ("cross-over", "0,1,2.5/10,9,8/1", "neither a cell nor x"),
        ("cross-over", "0,1/10,9,8/1", "player 1 has 3 pieces (P1-A, P1-B, P1-C), not 2"),
        ("cross-over", "0,1,99/10,9,8/1", "P1-C on 99 is off the track, which goes from 0 to 10"),
        ("cross-over", "-1,1,2/10,9,8/1", "off the track"),
        ("cross-over", "0,2,2/10,9,8/1", "pieces of one player may not share a cell"),
        ("cross-over", "0,1,5/5,9,8/1", "enemies cannot both rest on cell 5"),
        ("cross-over", "x,x,x/x,x,x/1", "somebody must have a piece left"),
        ("cross-over", "8,1,3/2,9,10/1", "both players would have won"),
        ("cross-over", "0,1,5/5,9,8/1*", "no battles in this game"),
        ("ctf-soldiers", "x,0/10,10/1", "cannot be captured"),
        ("flag-chase", "1/5/1*", "both players on no cell"),
        ("flag-chase", "3/3/1", "Write * at the end if a battle is open"),
        ("flag-chase", "3/4/1*3", "needs both players' pieces"),
        ("ctf-tokens", "9" * 5000 + "/5/1", "is not a valid position"),
        ("ctf-tokens", "²/5/1", "neither a cell nor x"),
        ("ctf-tokens", "\n\n\n/5/1", "is not a valid position"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(
    program: Program, game: str, position: str, part: str
) -> None:
    """Text that is none, and pieces where they can never stand."""
    refused(program("play", game, "--position", position), part)


def test_a_position_may_begin_with_a_minus(program: Program) -> None:
    """`-5/5/2` is a position and no option."""
    for arguments in (["--position", "-5/5/2"], ["--position=-5/5/2"]):
        done = program("play", "ctf-tokens", *arguments)
        quiet(done)
        assert "Player 2's turn." in done.out


def test_a_position_where_the_game_is_over_says_so(program: Program) -> None:
    """Nobody is asked for a move that cannot be made."""
    done = program("play", "blockade-duel", "--position", "10/5/2", typed="1\n")
    quiet(done)
    assert "Player 1" in done.out.splitlines()[-1]
    assert "Enter your move" not in done.out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["cross-over", "--first", "2"], "player 1 begins"),
        (["cross-over", "--first", "random"], "--set turn.first=either"),
        (["ctf-tokens", "--first", "1", "--position", "-5/5/2"], "contradicts --position"),
        (["ctf-tokens", "--first", "3"], "--first takes "),
        (["--resume", "--first", "1"], "leave out"),
        (["--resume", "--position", "-5/5/2"], "leave out"),
        (["--resume", "--set", "move.steps=1"], "leave out"),
        (["--resume", "--seed", "0"], "leave out"),
    ],
)
def test_contradictions_about_who_begins_are_refused(
    program: Program, arguments: list[str], part: str
) -> None:
    """The rulebook, the position and a game under way each say who begins."""
    refused(program("play", *arguments), part)


def test_who_begins_can_be_said_where_it_is_open(program: Program) -> None:
    """Agreed, drawn by lot, or set free: and the same seed draws the same lot."""
    for arguments in (
        ["ctf-tokens", "--first", "2"],
        ["cross-over", "--first", "2", "--set", "turn.first=either"],
        ["cross-over", "--set", "turn.first=player2"],
    ):
        done = program("play", *arguments)
        quiet(done)
        assert "Player 2's turn" in done.out.replace("Turn", "turn")
    lots = [program("play", "ctf-tokens", "--first", "random", "--seed", "7").out for _ in "12"]
    assert lots[0] == lots[1]


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ("move.steps", ["does not set a rule", "key=value"]),
        ("=", ["is not a rule"]),
        ("steps=1", ["Did you mean player1.steps, player2.steps or move.steps?"]),
        ("move.stepz=1", ["'move.stepz' is not a rule. Did you mean move.steps?"]),
        ("goal=1", ["Did you mean player1.goal or player2.goal?"]),
        ("colour=red", ["The rules: track.length, track.first,"]),
        ("move.steps=", ["whole numbers"]),
        ("move.steps=1,two", ["move.steps takes whole numbers, not 'two'"]),
        ("move.steps=1,1", ["move.steps", "different"]),
        ("move.steps=64", ["-63 to 63"]),
        ("move.jump=maybe", ["true or false"]),
        ("move.edge=wrap", ["move.edge", '"stay"']),
        ("meet.enemy=hug", ["meet.enemy", '"sent home"']),
        ("meet.enemy=battle", ["battle", "a table with numbers"]),
        ("battle.numbers=3", ["battle"]),
        ("track.last=99", ["2 to 64 cells"]),
        ("track.last=" + "9" * 5000, ["track.last"]),
        ("track.length=65", ["track.length: 65", "2 to 64 cells"]),
        ("track.length=-1", ["track.length: -1", "2 to 64 cells"]),
        ("track.length=long", ["track.length takes whole numbers"]),
        ("player1.pieces=A", ["A:0,B:1"]),
        ("player1.pieces=A:0,A:1", ["different names"]),
        ("player1.pieces=1:0", ["a letter"]),
        ("player1.goal=99", ["player1.goal", "off the track"]),
        ("title=x", ["is not a rule"]),
        ("\n\n\n=1", ["is not a rule"]),
    ],
)
def test_a_rule_that_cannot_be_set_is_refused(
    program: Program, change: str, parts: list[str]
) -> None:
    """`--set`: what is wrong with the key or its value, and what would be right."""
    refused(program("rules", "cross-over", "--set", change), *parts)


def test_a_rule_cannot_be_set_twice(program: Program) -> None:
    """Which of the two should hold?"""
    twice = ("--set", "move.steps=1", "--set", "move.steps=2")
    refused(program("rules", "cross-over", *twice), "set twice")


# At the prompt


def test_an_illegal_move_is_answered_with_the_reason_and_what_is_legal(program: Program) -> None:
    """One line each; then the question is asked again, and the game goes on."""
    wrong = {
        "P1-A+1": "your own piece is on 1",
        "P2-A+1": "P2-A belongs to player 2",
        "P1-C+3": "cannot go",
        "pass": "only when there is no legal move",
    }
    done = program("play", "cross-over", typed="\n".join([*wrong, "P1-C+2"]))
    assert done.status == 0
    explained(done, most=len(wrong))
    for line, reason in zip(done.complaints, wrong.values(), strict=True):
        assert reason in line
        assert line.endswith("Legal: P1-B+2, P1-C+1, P1-C+2.")
    assert "You moved P1-C to position 4." in done.out


@pytest.mark.parametrize("game", ["ctf-soldiers", "flag-chase", "blockade-duel", "cross-over"])
def test_an_answer_that_is_none_is_asked_again(program: Program, game: str) -> None:
    """Odd characters, odd numbers and a whole book: a line of complaint each, not a long one."""
    answers = ["", "hello", "²", "+-1", "--", "0", "99999999999999999999", "x" * 1_000_000, "é" * 9]
    done = program("play", game, typed="\n".join([*answers, "moves", "quit", ""]))
    assert done.status == 0
    explained(done, most=len(answers))
    assert len(done.complaints) == len(answers)
    assert all(len(line) < 300 for line in done.complaints)


def test_a_battle_wants_numbers(program: Program) -> None:
    """What is no number of the battle is refused, and both are asked until they have chosen."""
    answers = ["0", "6", "x", "²", "", "1" * 5000, "3", "9", "3"]
    done = program("play", "flag-chase", "--position", "3/3/1*", typed="\n".join(answers))
    assert done.status == 0
    explained(done, "from 1 to 5", most=7)
    assert "The battle is a tie!" in done.out


@pytest.mark.parametrize("moves", [0, 1, 4])
def test_the_end_of_input_ends_the_sitting_not_the_game(program: Program, moves: int) -> None:
    """The game is kept as far as it went, and goes on from there."""
    done = program("play", "flag-chase", typed="1\n" * moves)
    quiet(done)
    assert len(program.saved) == (1 if moves else 0)
    if moves:
        assert "lineduel play --resume" in done.out.splitlines()[-1]
        again = program("play", "--resume")
        quiet(again)
        assert ("after 1 turn." if moves == 1 else f"after {moves} turns.") in again.out


def test_a_half_typed_last_line_counts(program: Program) -> None:
    """An answer needs no line end when it is the last."""
    done = program("play", "blockade-duel", typed="1")
    quiet(done)
    assert "Player 1 moves to position 6." in done.out


def test_input_that_is_no_text_is_refused(program: Program) -> None:
    """Bytes that are not UTF-8: at the prompt, in a battle, and at the menu."""
    for arguments in (
        ["play", "blockade-duel"],
        ["play", "flag-chase", "--position", "3/3/1*"],
        [],
    ):
        done = program(*arguments, typed=b"\xff\xfe\n2\n")
        assert done.status in (0, 2)
        explained(done)


def test_input_without_end_of_line_or_with_other_ends_is_read(program: Program) -> None:
    """Lines as Windows ends them, and a NUL among them."""
    done = program("play", "blockade-duel", typed=b"1\r\n\0\r\n2\r\n")
    assert done.status == 0
    explained(done, most=1)
    assert "Player 2 moves to position 3." in done.out


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/proc/nothing/here.duel",
        "/dev/null/here.duel",
        "a\0b",
        "~nobody-by-this-name/x.duel",
        "x" * 5000,
        "there.duel",
        ".",
    ],
)
def test_a_game_that_cannot_be_saved_there_goes_on(program: Program, name: str) -> None:
    """`save` says why it cannot, overwrites nothing, and asks again."""
    there = program.folder / "there.duel"
    there.write_text("precious", encoding="utf-8")
    done = program("play", "blockade-duel", typed=f"1\nsave {name}\n2\nsave fine.duel\n")
    assert done.status == 0
    explained(done, most=2)
    assert "Player 2 moves to position 3." in done.out
    assert there.read_text(encoding="utf-8") == "precious"
    quiet(program("replay", "fine.duel"))


# Rulebooks of the user's own


@pytest.mark.parametrize("command", [("rules",), ("play",), ("perft", "2"), ("solve",)])
def test_a_broken_rulebook_is_refused_with_its_place(
    program: Program, mine: Path, command: tuple[str, ...]
) -> None:
    """The file, the line, the key, what it holds and what it may hold, whatever the command."""
    before, _, _ = MINE.partition('"sent home"')
    mine.write_text(MINE.replace('"sent home"', '"hug"'), encoding="utf-8")
    name, *rest = command
    place = f"mine.toml:{1 + before.count(chr(10))}: "
    told = place + 'meet.enemy: "hug". Allowed: "blocked"'
    refused(program(name, "mine.toml", *rest), told, "lineduel validate mine.toml")


def test_a_misspelt_word_of_a_rulebook_names_the_nearest(program: Program, mine: Path) -> None:
    """As a misspelt key does; all that is allowed is listed as well."""
    mine.write_text(MINE.replace('"sent home"', '"send home"'), encoding="utf-8")
    told = 'meet.enemy: "send home". Did you mean "sent home"? Allowed: "blocked"'
    refused(program("play", "mine.toml"), told)


@pytest.mark.parametrize(
    "text",
    [
        "a." * 900 + "b = 1",
        "a." * 50_000 + "b = 1",
        '"a" . ' * 50_000 + "b = 1",
        "[" + "a." * 20_000 + "b]",
        "a = " + "{a = " * 100 + "1" + "}" * 100,
        "a = " + "[" * 100 + "]" * 100,
    ],
)
def test_a_rulebook_nested_too_deeply_is_refused_at_once(
    program: Program, mine: Path, text: str
) -> None:
    """By every command; and the list of games does not stumble over it either."""
    assert program("validate", "mine.toml").status == 0
    mine.write_text(text, encoding="utf-8")
    for command in ("rules", "solve", "puzzle"):
        refused(program(command, "mine.toml"), "nested too deeply")
    done = program("validate", "mine.toml")
    assert (done.status, done.err) == (1, "")
    assert "mine.toml:1: not TOML: nested too deeply" in done.out
    assert program("games").status == 0


def test_what_is_long_but_not_deep_is_read_quickly() -> None:
    """Looking for keys that are too long takes no longer than reading."""
    long = ("x" * 500_000, '"' * 500_000, "a" + " " * 500_000, "a.b " * 100_000, "'" * 500_000)
    for text in long:
        with pytest.raises(ValueError, match=r"line|statement|value|key"):
            parse_toml(text)
    assert parse_toml('x = "' + "a." * 20 + '"') == {"x": "a." * 20}


def test_a_misspelt_key_is_told_and_not_that_another_is_missing(
    program: Program, mine: Path
) -> None:
    mine.write_text(MINE.replace("steps =", "stepz =", 1), encoding="utf-8")
    told = "move.stepz: unknown key. Did you mean steps?"
    done = program("rules", "mine.toml")
    refused(done, told)
    assert "missing" not in done.err


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "title: missing"),
        (b"\xff\xfe\x00", "not a text file in UTF-8"),
        (b"title = ", "not TOML"),
        (b"title = 'x'\ntitle = 'y'", "not TOML"),
        (b"x = " + b"[" * 100_000, "not TOML"),
        (b"title = " + b"1" * 5000, "mine.toml"),
        (b"title = 0x" + b"f" * 5000, "mine.toml"),
        (b'"a\\nb\\nc" = 1', "mine.toml"),
        (MINE.replace("goal = [6]", "goal = [99]").encode(), "player1.goal"),
        (MINE.replace("Bravo, {player}!", "{winner}!").encode(), "words.won_goal"),
        (MINE.replace("[variants.slow.move]\nsteps = [1]", "meet = 5").encode(), "variants.slow"),
    ],
)
def test_a_file_that_is_no_rulebook_is_refused(
    program: Program, mine: Path, content: bytes, part: str
) -> None:
    """Not TOML, not text, not whole, not right."""
    mine.write_bytes(content)
    refused(program("rules", "./mine.toml"), part)


def test_a_users_rulebook_plays_is_kept_goes_on_and_is_shown_again(
    program: Program, mine: Path
) -> None:
    """All from its path; and the record is enough when the rulebook itself is gone."""
    done = program("play", "mine.toml", typed="2\n2\n")
    quiet(done)
    assert "Player 1 – it's your turn." in done.out
    mine.unlink()
    done = program("play", "--resume", typed="save copy.duel\n2\n2\n1\n")
    quiet(done)
    assert "Mine, after 2 turns." in done.out
    assert "Bravo, Player 1!" in done.out
    shown = program("replay", str(program.saved[0]))
    quiet(shown)
    assert "Player 1 – it's your turn." in shown.out
    assert "Bravo, Player 1!" in shown.out
    told = program("replay", "copy.duel", "--json")
    quiet(told)
    document = json.loads(told.out)
    assert (document["game"], document["moves"]) == ("mine", ["Ant+2", "Bee+2"])


def test_a_variant_of_a_users_rulebook_plays_and_goes_on(program: Program, mine: Path) -> None:
    """`path:variant`, as with the shipped games."""
    done = program("play", f"{mine}:slow", typed="2\n1\n")
    assert done.status == 0
    explained(done, "cannot go")
    again = program("play", "--resume", typed="1\n")
    quiet(again)
    assert "Bee" in again.out
    refused(program("play", f"{mine}:fast"), "slow")


def test_a_users_game_goes_on_by_the_path_it_was_begun_with(program: Program, mine: Path) -> None:
    """`play GAME --resume` takes a game as `play GAME` takes it."""
    quiet(program("play", "mine.toml", typed="2\n"))
    quiet(program("play", "ctf-tokens", typed="2\n"))
    done = program("play", "mine.toml", "--resume")
    quiet(done)
    assert "Mine, after 1 turn." in done.out


def test_a_rulebook_named_like_a_shipped_one_is_still_its_own(program: Program) -> None:
    """A copy of a shipped file that was changed, with a variant added, is another game."""
    (program.folder / "cross-over.toml").write_text(MINE, encoding="utf-8")
    for address in ("./cross-over.toml", "./cross-over.toml:slow"):
        quiet(program("play", address, typed="1\n"))
        done = program("play", "--resume", typed="1\n")
        quiet(done)
        assert "Mine, after 1 turn." in done.out
    assert len(program.saved) == 2


@pytest.mark.parametrize(
    "name",
    [
        b"m" * 245,
        "é".encode() * 120,
        b"\xff\xfe",
        b"a\x1b[31mb",
        b"new\nline",
        b"tab\t\x07",
        "ab\u202ecd".encode(),
        b"..",
        b"-",
    ],
    ids=repr,
)
def test_a_rulebook_of_any_name_is_played_kept_and_goes_on(program: Program, name: bytes) -> None:
    """Long names, names that are no text, and names that would steer a terminal."""
    path = os.fsencode(program.folder) + b"/" + name + b".toml"
    Path(os.fsdecode(path)).write_text(MINE, encoding="utf-8")
    for arguments in ((path,), ("--resume",), (path, "--resume")):
        done = program("play", *arguments, typed="2\n")
        quiet(done)
        assert all(letter == "\n" or letter.isprintable() for letter in done.out)
    assert "Mine, after 2 turns." in done.out
    (kept,) = program.saved
    assert kept.name.isascii()
    assert kept.name.replace("-", "").removesuffix(".duel").isalnum()
    shown = program("replay", str(kept), "--json")
    assert len(json.loads(shown.out)["moves"]) == 3


@pytest.mark.parametrize("name", [b"a\x1b[31mb.txt", b"\xff.txt", "a\u202eb.txt".encode()])
def test_a_file_of_any_name_is_written_and_told_of(program: Program, name: bytes) -> None:
    """What is told shows the odd characters escaped."""
    typed = b"1\nsave " + name.replace(b".txt", b".duel") + b"\n"
    for done in (
        program("solve", "blockade-duel", "--certificate", name),
        *([program("play", "blockade-duel", typed=typed)] if name[0] != 0xFF else []),
    ):
        quiet(done)
        assert all(letter == "\n" or letter.isprintable() for letter in done.out)
    quiet(program("check", name))


def test_words_that_are_not_understood_are_shown_escaped(program: Program) -> None:
    """Nothing that is typed at a shell comes back to steer the terminal."""
    refused(program("games", "\x1b[31mred\u202e"), "\\x1b[31mred\\u202e")
    refused(program("perft", "cross-over", "\x1b[31m"), "\\x1b[31m")


def test_words_with_odd_letters_survive_being_kept(program: Program, mine: Path) -> None:
    """A line separator or a quote in a title does not damage the saved game."""
    odd = MINE.replace('title = "Mine"', 'title = "M\\u2028i\\u00a0n\\ne \\"quoted\\" \\\\"')
    mine.write_text(odd, encoding="utf-8")
    quiet(program("play", "mine.toml", typed="2\n"))
    quiet(program("play", "--resume", typed="2\n"))
    quiet(program("replay", str(program.saved[0])))


@pytest.mark.parametrize(
    "letter",
    ["\\u001b[31m", "\\r", "\\u0085", "\\b", "\\u007f", "\\u202e", "\\u2066", "\\u200f"],
)
def test_words_cannot_steer_the_terminal(program: Program, mine: Path, letter: str) -> None:
    """A stranger's rulebook shows text and nothing else, in the order it is written."""
    mine.write_text(MINE.replace('title = "Mine"', f'title = "Mi{letter}ne"'), encoding="utf-8")
    refused(program("play", "mine.toml"), "title", "control characters")
    mine.write_text(MINE.replace("variants.slow", f'variants."sl{letter}ow"'), encoding="utf-8")
    refused(program("rules", "mine.toml"), "variants", "control characters")


# Records


@pytest.fixture
def record(program: Program) -> Path:
    """A game of Flag Chase with a battle, saved to a file."""
    quiet(program("play", "flag-chase", typed="1\n1\n1\n1\n4\n2\n1\nsave game.duel\n"))
    return program.folder / "game.duel"


def test_a_record_that_was_cut_short_is_refused(program: Program, record: Path) -> None:
    """Wherever it was cut: no part of a record passes for the whole."""
    whole = record.read_bytes()
    for length in [*range(0, len(whole) - 1, len(whole) // 12), len(whole) - 2]:
        record.write_bytes(whole[:length])
        refused(program("replay", "game.duel"), "game.duel")


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b'[Event "Casual"]\n[White "A"]\n\n1. e4 e5 1-0\n', "no tag Game"),
        (b"\x89PNG\r\n\x1a\n\x00", "UTF-8"),
        (b"title = 'x'", "is not a saved game"),
        (b"\x00" * 1000, "game.duel"),
        (b'[Game "' + b"x" * 1_000_000 + b'"]\n\n*\n', "game.duel"),
        (b"\n" * 1000, "game.duel"),
    ],
)
def test_a_file_that_is_no_record_is_refused(
    program: Program, record: Path, content: bytes, part: str
) -> None:
    """Chess games, pictures, rulebooks, rubbish."""
    record.write_bytes(content)
    refused(program("replay", "game.duel"), part)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("1. P1+1", "1. P1+2", "Move 1 of the record is wrong"),
        ("4:2", "9:2", "Move 5 of the record is wrong"),
        ('[Result "*"]', '[Result "1"]', "Result"),
        ("*\n", "2\n", "2"),
    ],
)
def test_a_record_of_an_impossible_game_is_refused(
    program: Program, record: Path, old: str, new: str, part: str
) -> None:
    """A record is replayed by the rules it names, or not at all."""
    text = record.read_text(encoding="utf-8")
    assert old in text
    record.write_text(text.replace(old, new), encoding="utf-8")
    refused(program("replay", "game.duel"), "game.duel", part)


@pytest.mark.parametrize("name", ["chess", "flag-chase:gone", "cross-over"])
def test_a_record_is_replayed_by_the_rules_it_carries(
    program: Program, record: Path, name: str
) -> None:
    """Also where its game, or that variant of it, is not known or is another one by now."""
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('"flag-chase"', f'"{name}"'), encoding="utf-8")
    done = program("replay", "game.duel", "--json")
    quiet(done)
    assert json.loads(done.out)["game"] == name
    assert json.loads(done.out)["positions"][-1] == "4/5/2"


def test_a_record_that_cannot_be_read_is_refused(program: Program) -> None:
    """Not there, or a folder."""
    refused(program("replay", "nothing.duel"), "no file nothing.duel")
    refused(program("replay", "."), "directory")
    refused(program("replay", "x" * 5000))


def test_a_record_with_half_a_character_breaks_nothing(program: Program, mine: Path) -> None:
    """JSON can hold what no text can; it is refused or shown, but nothing falls over."""
    quiet(program("play", "mine.toml", typed="2\nsave game.duel\n"))
    record = program.folder / "game.duel"
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("it's your turn", "\\\\ud800"), encoding="utf-8")
    refused(program("replay", "game.duel"), "game.duel")


# What is no file


@pytest.mark.parametrize("what", ["/dev/zero", "/dev/urandom", "a-pipe", "a-folder", "too-large"])
def test_only_files_of_a_size_that_can_be_meant_are_read(program: Program, what: str) -> None:
    """Nothing waits for the end of what has none; every command says what it was given."""
    os.mkfifo(program.folder / "a-pipe")
    (program.folder / "a-folder").mkdir()
    with (program.folder / "too-large").open("wb") as file:
        file.truncate(1 << 31)
    reasons = {"a-folder": "directory", "too-large": ""}
    for command in (
        ("replay", what),
        ("review", what),
        ("rules", what if what.startswith("/") else f"./{what}"),
        ("check", what),
        ("tournament", "--resume", "--file", what),
        ("sweep", "--resume", "--file", what),
    ):
        if what == "too-large" and command[0] not in ("replay", "review", "rules"):
            continue
        done = program(*command)
        refused(done, what, reasons.get(what, "not a file"))
        assert "too large" in done.err or what != "too-large"


def test_a_line_without_end_is_cut(program: Program) -> None:
    """A hundred megabytes in a line are one answer that is not understood, in little memory."""
    (program.folder / "line").write_bytes(b"1" + b" " * 100_000_000 + b"\nquit\n")
    done = subprocess.run(
        ["bash", "-c", 'ulimit -v 200000; "$@" < line', "bash", *PYTHON_M, "play", "blockade-duel"],
        capture_output=True,
        text=True,
        cwd=program.folder,
        env=program.environment(),
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1
    assert "is not understood" in done.stderr


# The folder of games


@pytest.mark.parametrize("place", ["file", "/dev/full", "/proc/nothing", "/dev/null/games", "long"])
def test_a_game_that_cannot_be_kept_goes_on_and_says_so(
    program: Program, mine: Path, place: str
) -> None:
    """From the first move to the last: once when it fails, and once more at the end."""
    (program.folder / "file").write_text("", encoding="utf-8")
    folder = {"file": str(program.folder / "file"), "long": f"/tmp/{'x' * 300}"}.get(place, place)
    done = program("play", "mine.toml", typed=TO_THE_END, LINEDUEL_DATA=folder)
    assert done.status == 1
    explained(done, "The game is not saved:", "save FILE", most=3)
    assert done.err.count("The game is not saved:") == 2
    assert "Bravo, Player 1!" in done.out
    left = program("play", "mine.toml", typed="2\n", LINEDUEL_DATA=folder)
    assert "is kept" not in left.out
    assert left.status == 1
    assert program("play", "mine.toml", typed="quit\n", LINEDUEL_DATA=folder).status == 0


def test_a_game_that_cannot_be_kept_cannot_go_on_later(program: Program) -> None:
    """`--resume` says what is the matter with the folder."""
    (program.folder / "file").write_text("", encoding="utf-8")
    for folder in ("file", "/dev/null/games", f"/tmp/{'x' * 300}"):
        refused(program("play", "--resume", LINEDUEL_DATA=folder))


def test_there_must_be_a_game_to_go_on_with(program: Program) -> None:
    """No game at all, none of that name, and none that is not over."""
    refused(program("play", "--resume"), "no unfinished game")
    quiet(program("play", "cross-over", typed="1\n"))
    refused(program("play", "flag-chase", "--resume"), "no unfinished game of flag-chase")
    quiet(program("play", "cross-over", "--resume", typed="resign\n"))
    refused(program("play", "--resume"), "no unfinished game")


@pytest.mark.parametrize("damage", ["cut", "bytes", "empty", "wrong"])
def test_a_damaged_game_is_kept_aside_and_said_so(program: Program, damage: str) -> None:
    """It is never deleted; asking again goes on with the game before it."""
    quiet(program("play", "blockade-duel", typed="1\n"))
    older = program.saved[0]
    os.utime(older, (1, 1))
    quiet(program("play", "flag-chase", typed="1\n1\n"))
    newer = next(path for path in program.saved if path != older)
    whole = newer.read_bytes()
    spoilt = {
        "cut": whole[: len(whole) // 2],
        "bytes": b"\xff" + whole,
        "empty": b"",
        "wrong": whole.replace(b"1. P1+1", b"1. P1+9"),
    }[damage]
    newer.write_bytes(spoilt)
    done = program("play", "--resume")
    refused(done, "damaged")
    (aside,) = [path for path in program.saved if path not in (older, newer)]
    assert str(aside) in done.err
    assert aside.read_bytes() == spoilt
    assert not newer.exists()
    again = program("play", "--resume")
    quiet(again)
    assert "Blockade Duel, after 1 turn." in again.out


def test_damaged_games_do_not_push_one_another_out(program: Program) -> None:
    """Each is kept aside under a name of its own."""
    quiet(program("play", "flag-chase", typed="1\n"))
    path = program.saved[0]
    for content in ("one", "two", "three"):
        path.write_text(content, encoding="utf-8")
        refused(program("play", "--resume"), "damaged")
    assert sorted(one.read_text(encoding="utf-8") for one in program.saved) == [
        "one",
        "three",
        "two",
    ]


# Pipes, and the end of the program


OUTPUTS = [
    ["games"],
    ["games", "--json"],
    ["rules", "cross-over"],
    ["perft", "cross-over", "6"],
    ["play", "cross-over"],
    ["--help"],
]


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_nobody_has_to_read_to_the_end(program: Program, arguments: list[str]) -> None:
    """A reader who has gone is no error: not before the first line, and not after it."""
    reading, writing = os.pipe()
    os.close(reading)
    for reader in (writing, None):
        if reader is None:
            command = ["bash", "-c", '"$@" | head -1', "bash", *PYTHON_M, *arguments]
        else:
            command = [*PYTHON_M, *arguments]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=reader if reader is not None else subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=program.environment(),
            cwd=program.folder,
            timeout=PATIENCE,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
    os.close(writing)


@pytest.mark.parametrize("arguments", OUTPUTS[:5], ids=" ".join)
def test_a_full_disk_is_told(program: Program, arguments: list[str]) -> None:
    """What cannot be written is an error, and one that is said in a line."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*PYTHON_M, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            env=program.environment(),
            cwd=program.folder,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode in (1, 2)
    explained(Finished(done.returncode, "", done.stderr.decode()), "space")


@pytest.mark.parametrize(
    ("arguments", "status"), [(["play", "cross-over"], 0), (["rules", "nothing"], 2), (["x"], 2)]
)
def test_complaints_that_cannot_be_written_change_nothing(
    program: Program, arguments: list[str], status: int
) -> None:
    """The exit status is the same, and what is said on standard output."""
    whole = program(*arguments, typed="nonsense\n1\n")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*PYTHON_M, *arguments],
            input=b"nonsense\n1\n",
            stdout=subprocess.PIPE,
            stderr=full,
            env=program.environment(LINEDUEL_DATA=str(program.folder / "other")),
            cwd=program.folder,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stdout.decode()) == (status, whole.out)
    assert whole.status == status


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "There is not enough memory"),
        (PermissionError(13, "Permission denied", "/some/file"), "/some/file: permission denied"),
        (OSError(24, "Too many open files"), "lineduel: too many open files"),
        (BrokenPipeError(32, "Broken pipe"), "lineduel: broken pipe"),
        (ConnectionError("The scheduler is gone"), "lineduel: the scheduler is gone"),
        (OSError(), "lineduel: oserror"),
    ],
    ids=repr,
)
def test_what_the_system_refuses_is_told_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    error: BaseException,
    told: str,
) -> None:
    """Which file it was, where that is known; and never as the output's fault."""

    def fail(options: object) -> int:
        raise error

    monkeypatch.setattr("lineduel.cli.games.run", fail)
    assert main(["games"]) == 2
    said = capfd.readouterr().err
    assert told in said
    assert "output" not in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_any_output_has_a_way_to_show_any_text(program: Program, encoding: str) -> None:
    """Boxes and arrows become plain characters; a JSON document stays the same."""
    mine = MINE.replace('title = "Mine"', 'title = "Día \U0001f600 “x”"')
    (program.folder / "mine.toml").write_text(mine, encoding="utf-8")
    quiet(program("play", "mine.toml", typed=TO_THE_END + "save game.duel\n"))
    (game,) = program.saved
    commands = (
        ["review", str(game), "--color", "never"],
        ["rules", "mine.toml"],
        ["solve", "flag-chase"],
        ["rules", "--json", "mine.toml"],
    )
    fresh = program.python("-m", "lineduel", *commands[0], PYTHONIOENCODING=encoding)
    assert fresh == program(*commands[0], PYTHONIOENCODING=encoding)
    for arguments in commands:
        done = program(*arguments, PYTHONIOENCODING=encoding)
        assert (done.status, done.err) == (0, "")
        whole = program(*arguments)
        assert done.out.encode(errors="surrogateescape").decode(encoding).count("\n") == (
            whole.out.count("\n")
        )
        if "--json" in arguments:
            assert json.loads(done.out.encode(errors="surrogateescape").decode(encoding)) == (
                json.loads(whole.out)
            )
        elif encoding == "ascii":
            assert done.out.isascii()
            assert "\\u" not in done.out
    assert "+-" in program(*commands[0], PYTHONIOENCODING="ascii").out


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_break_nothing(program: Program, closed: str) -> None:
    """Without input there is nobody to ask, without output nobody to tell."""
    done = subprocess.run(
        ["bash", "-c", f'"$@" {closed}', "bash", *PYTHON_M, "play", "cross-over"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=program.environment(),
        cwd=program.folder,
        timeout=PATIENCE,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)


def test_an_interrupt_ends_with_130_and_keeps_the_game(program: Program) -> None:
    """As programs do that are interrupted, and what was played is not lost."""
    with subprocess.Popen(
        [*PYTHON_M, "play", "blockade-duel"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=program.environment(),
        cwd=program.folder,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("1\n")
        running.stdin.flush()
        for line in running.stdout:
            if line.startswith("Player 2's turn"):
                break
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert err.strip() == ""
    assert "lineduel play --resume" in out
    done = program("play", "--resume")
    quiet(done)
    assert "after 1 turn." in done.out


def test_an_interrupt_ends_what_takes_long(program: Program) -> None:
    """Counting is broken off with the same status, and without a word."""
    with subprocess.Popen(
        [*PYTHON_M, "perft", "ctf-soldiers", "9999"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=program.environment(),
        cwd=program.folder,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().split() == ["1", "4"]
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert err.strip() == ""


def test_nothing_asked_is_nothing_done(program: Program) -> None:
    """The menu without an answer ends well, and so does an answer that is no game."""
    quiet(program())
    done = program(typed="²\n" + "1" * 5000 + "\nnope.toml\n\n99\nquit\n")
    assert done.status == 0
    explained(done, most=10)


def test_the_version_is_told(program: Program) -> None:
    """One line."""
    done = program("--version")
    quiet(done)
    assert done.out.startswith("lineduel ")


def test_what_is_meant_is_guessed(program: Program) -> None:
    """A name that was not typed to its end, and one that was misspelt."""
    assert "Did you mean ctf-tokens or ctf-soldiers?" in program("play", "ctf").err
    assert "Did you mean easy?" in program("play", "cross-over", "--p2", "eazy").err
