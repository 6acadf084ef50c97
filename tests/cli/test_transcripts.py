"""Whole games at a real terminal: the rulebooks' own words, on every screen, in colour or not."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.program import Program
from support.terminal import CTRL_A, CTRL_E, ENTER, NARROW, Sitting, rows_of, screen

pytestmark = pytest.mark.terminal

GOLDEN = Path(__file__).parents[1] / "golden" / "transcripts"
UPDATE = "LINEDUEL_UPDATE_GOLDEN"
COLOUR = re.compile(rb"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Game:
    """A game as it is played at a terminal: each prompt with the answer to it."""

    arguments: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]
    rulebook: str
    """What the rulebook's interaction section prints, line by line."""


def numbered(prompt: str, answers: str) -> tuple[tuple[str, str], ...]:
    return tuple((prompt, answer) for answer in answers.split())


SOLDIERS = "Enter the soldier to move ({}) and positions to move (1 or 2): "
TOKENS = "Enter your move (1-{} spaces forward): "
CHOICE = "Enter choice (1-2): "
CROSSING = "Enter the number of your chosen move: "


def soldiers(answers: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (SOLDIERS.format("S1/S2" if answer[:2] in ("S1", "S2") else "S3/S4"), answer)
        for answer in answers.split(", ")
    )


def chase(turns: str) -> tuple[tuple[str, str], ...]:
    """Flag Chase's answers: 1 and 2 are actions, 4:2 is a battle."""
    answers: list[tuple[str, str]] = []
    for turn in turns.split():
        if ":" in turn:
            for player, number in enumerate(turn.split(":"), start=1):
                answers.append((f"Player {player}, choose a number between 1 and 5: ", number))
        else:
            answers.append((CHOICE, turn))
    return tuple(answers)


GAMES = {
    "blockade-duel": Game(
        arguments=("blockade-duel",),
        answers=numbered("Enter your move (1 or 2): ", "1 2 2 2 2"),
        rulebook="""\
--- Game Start ---
Player 1 and Player 2 are both at position 5.

Player 1's turn:
- Your token is at position 5.
- Move 1 or 2 steps toward position 10.
Enter your move (1 or 2): 1
Player 1 moves to position 6.

Player 2's turn:
- Your token is at position 5.
- Move 1 or 2 steps toward position 0.
Enter your move (1 or 2): 2
Player 2 moves to position 3.

Player 1's turn:
- Your token is at position 6.
- Move 1 or 2 steps toward position 10.
Enter your move (1 or 2): 2
Player 1 moves to position 8.

Player 2's turn:
- Your token is at position 3.
- Move 1 or 2 steps toward position 0.
Enter your move (1 or 2): 2
Player 2 moves to position 1.

Player 1's turn:
- Your token is at position 8.
- Move 1 or 2 steps toward position 10.
Enter your move (1 or 2): 2
Player 1 moves to position 10.

Player 1 has reached Player 2's base. Player 1 wins!
""",
    ),
    "ctf-tokens": Game(
        arguments=("ctf-tokens",),
        answers=numbered(TOKENS.format(3), "3 3 2 3 3 1") + numbered(TOKENS.format(2), "2"),
        rulebook="""\
--- Capture the Flag ---

Player 1 is at position -5.
Player 2 is at position +5.

Player 1's turn.
Enter your move (1-3 spaces forward): 3
Player 1 moves to position -2.

Player 2's turn.
Enter your move (1-3 spaces forward): 3
Player 2 moves to position +2.

Player 1's turn.
Enter your move (1-3 spaces forward): 2
Player 1 moves to position 0.

Player 2's turn.
Enter your move (1-3 spaces forward): 3
Player 2 moves to position -1.

Player 1's turn.
Enter your move (1-3 spaces forward): 3
Player 1 moves to position +3.

Player 2's turn.
Enter your move (1-3 spaces forward): 1
Player 2 moves to position -2.

Player 1's turn.
Enter your move (1-2 spaces forward): 2
Player 1 moves to position +5.

Player 1 has captured Player 2's flag! Player 1 wins!
""",
    ),
    "ctf-soldiers": Game(
        arguments=("ctf-soldiers",),
        answers=soldiers("S1 2, S3 1, S2 1, S3 2, S1 2, S4 2, S1 2, S3 2, S1 2, S3 1, S1 2"),
        rulebook="""\
Welcome to Capture the Flag!
Player 1: You are 'P1' with soldiers S1 and S2 starting at position 0.
Player 2: You are 'P2' with soldiers S3 and S4 starting at position 10.

Positions: 0 [P1_Flag] ... 10 [P2_Flag]

Player 1, it's your turn.
Enter the soldier to move (S1/S2) and positions to move (1 or 2): S1 2
Player 1 moves S1 forward 2 positions to position 2.

Positions:
0 [P1_Flag, S2]
1 []
2 [S1]
...
10 [P2_Flag, S3, S4]

Player 2, it's your turn.
Enter the soldier to move (S3/S4) and positions to move (1 or 2):
Combat Occurs: Soldier S1 lands on position 8 occupied by Soldier S4.
Soldier S4 is sent back to Player 2's flag at position 10.
Capturing the Flag: Soldier S1 reaches Player 2's flag position.
Result: Player 1 wins the game by capturing Player 2's flag.
""",
    ),
    "flag-chase": Game(
        arguments=("flag-chase",),
        answers=chase("1 1 1 1 4:2 1 1 3:5 1 1 2 1 2 1 5:3 1 1 1 1 2:1 1 1 1:5 1 1 2 1 2 1 2:5"),
        # At a base the second choice also says that the piece stays there.
        rulebook="""\
Grid: [P1] [ ] [ ] [ ] [P2]
Player 1, choose action:
1. Move Forward
Enter choice (1-2): 1
Grid: [ ] [P1] [ ] [ ] [P2]
Player 2, choose action:
1. Move Forward
Enter choice (1-2): 1
Grid: [ ] [P1] [ ] [P2] [ ]
Battle Initiated at Cell 3!
Player 1, choose a number between 1 and 5:
Player 2, choose a number between 1 and 5:
Player 1 chose 4.
Player 2 chose 2.
Player 1 wins the battle!
Player 2 is sent back to their base.
Player 1, choose action:
1. Move Forward
2. Move Backward
Player 1 stays at Cell 1.
Player 2 wins the battle!
Player 1 is sent back to their base.
Player 2 has captured Player 1's flag!
Player 2 Wins!
""",
    ),
    "cross-over": Game(
        arguments=("cross-over",),
        answers=numbered(CROSSING, "3 3 5 3 3 3 4 4 4 3 4"),
        # The rulebook's picture has the numbers closer together than the pieces below them.
        rulebook="""\
           P1-A P1-B P1-C           P2-C P2-B P2-A
Player 1's Turn:
Your Pieces:
Opponent's Pieces:
Available Moves:
Enter the number of your chosen move: 3
Result:
Player 2's Turn:
""",
    ),
    # The sample's position has two pieces on 9, which needs the variant that lets them share.
    # Its last choice captures P1-B on 4 although P1-B stands on 3; that is the second sample.
    "cross-over-sample": Game(
        arguments=("cross-over:own-may-share", "--position", "x,1,2/9,9,5/1"),
        answers=numbered(CROSSING, "2 6 quit"),
        rulebook="""\
Player 1's Turn:

Your Pieces:
- P1-B at position 1
- P1-C at position 2

Opponent's Pieces:
- P2-A at position 9
- P2-B at position 9
- P2-C at position 5

Available Moves:
1. Move P1-B from position 1 to 2 (forward 1)
2. Move P1-B from position 1 to 3 (forward 2)
3. Move P1-C from position 2 to 3 (forward 1)
4. Move P1-C from position 2 to 4 (forward 2)

Enter the number of your chosen move: 2

Result:
- You moved P1-B to position 3.

Player 2's Turn:

Your Pieces:
- P2-A at position 9
- P2-B at position 9
- P2-C at position 5

Opponent's Pieces:
- P1-B at position 3
- P1-C at position 2

Available Moves:
1. Move P2-A from position 9 to 8 (forward 1)
2. Move P2-A from position 9 to 7 (forward 2)
3. Move P2-B from position 9 to 8 (forward 1)
4. Move P2-B from position 9 to 7 (forward 2)
""",
    ),
    "cross-over-capture": Game(
        arguments=("cross-over:own-may-share", "--position", "x,4,2/9,9,5/2"),
        answers=numbered(CROSSING, "5 quit"),
        rulebook="""\
Player 2's Turn:

Your Pieces:
- P2-A at position 9
- P2-B at position 9
- P2-C at position 5

Opponent's Pieces:
- P1-C at position 2

Available Moves:
1. Move P2-A from position 9 to 8 (forward 1)
2. Move P2-A from position 9 to 7 (forward 2)
3. Move P2-B from position 9 to 8 (forward 1)
4. Move P2-B from position 9 to 7 (forward 2)
5. Move P2-C from position 5 to 4 (forward 1) to capture P1-B.

Enter the number of your chosen move: 5

Result:
- You moved P2-C to position 4 and captured P1-B!
""",
    ),
}
WHOLE = ("blockade-duel", "ctf-tokens")
"""Where the rulebook prints a game from its first line to its last."""
COMPLETE = ("blockade-duel", "ctf-tokens", "ctf-soldiers", "flag-chase", "cross-over")

LONGER_IN_THE_RULEBOOK = (
    re.compile(r"Player [12]: You are 'P[12]' with soldiers S[13] and S[24] starting at position"),
    re.compile(r"Enter the soldier to move \(S[13]/S[24]\) and positions to move \(1 or 2\): "),
    re.compile(r"Combat Occurs: Soldier S\d lands on position \d+ occupied by Soldier S\d\.$"),
    re.compile(r"Capturing the Flag: Soldier S\d reaches Player [12]'s flag position\.$"),
    re.compile(r"\d\. Move \S+ from position \d+ to \d+ \(forward [12]\) to capture \S+\.$"),
)
"""What a rulebook itself words in more than 60 columns."""


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def play(
    program: Program,
    name: str,
    *options: str,
    columns: int = 100,
    settings: dict[str, str] | None = None,
) -> Sitting:
    """Play a game to its end at a terminal, each answer typed once its prompt is there."""
    game = GAMES[name]
    with Sitting(
        program, "play", *game.arguments, *options, columns=columns, settings=settings
    ) as sitting:
        for prompt, answer in game.answers:
            # Its last characters stand together on a narrow screen and in colour, too.
            sitting.answer(prompt[-3:] if columns < len(prompt) else prompt[-9:], answer)
        assert sitting.end() == 0
    return sitting


@pytest.mark.parametrize("name", GAMES)
def test_a_game_at_a_terminal_prints_what_it_always_printed(program: Program, name: str) -> None:
    """The whole output of a game, keystroke by keystroke, is the golden transcript."""
    shown = play(program, name).shown
    if os.environ.get(UPDATE):
        GOLDEN.mkdir(parents=True, exist_ok=True)
        (GOLDEN / f"{name}.txt").write_text(shown, encoding="utf-8")
    assert shown == golden(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_transcript_has_every_line_that_the_rulebook_prints(name: str) -> None:
    """The rulebook's lines occur in the transcript as they are and in their order."""
    lines = iter(golden(name).splitlines())
    for wanted in GAMES[name].rulebook.splitlines():
        if not wanted:
            continue
        for line in lines:
            # After a prompt that the rulebook ends with a colon, the answer follows.
            if line == wanted or (wanted[-1] == ":" and line.startswith(f"{wanted} ")):
                break
        else:
            pytest.fail(f"not in the transcript, or not in this order: {wanted}")


@pytest.mark.parametrize("name", WHOLE)
def test_a_game_that_the_rulebook_prints_whole_is_printed_just_so(name: str) -> None:
    """Nothing is left out, nothing added, down to the empty lines."""
    assert golden(name) == GAMES[name].rulebook


@pytest.mark.parametrize(
    ("arguments", "answers"),
    [
        pytest.param("ctf-soldiers", "moves board S12 undo resign", id="soldiers"),
        pytest.param("ctf-soldiers", "help quit", id="soldiers, help"),
        pytest.param("ctf-soldiers --position 6,0/8,8/1", "S12 quit", id="soldiers, combat"),
        pytest.param("ctf-soldiers --position 6,0/8,8/1", "moves", id="soldiers, moves"),
        pytest.param("ctf-soldiers --position 9,0/8,8/1", "S11", id="soldiers, the flag"),
        pytest.param("flag-chase", "moves board 1 undo resign", id="chase"),
        pytest.param("flag-chase", "help quit", id="chase, help"),
        pytest.param("flag-chase --position 3/3/1*", "help moves board 3 3 quit", id="a battle"),
        pytest.param("flag-chase:may-stay", "3 moves quit", id="staying"),
        pytest.param("blockade-duel", "moves board help 1 undo resign", id="blockade"),
        pytest.param("blockade-duel:from-bases-no-jump --position 5/6/1", "help quit", id="a pass"),
        pytest.param("ctf-tokens", "moves board help 1 undo resign", id="tokens"),
        pytest.param("ctf-tokens --position 4/-2/1", "1", id="tokens, the flag"),
        pytest.param("ctf-tokens --position 0/2/2", "moves 2", id="tokens, the enemy"),
        pytest.param("cross-over", "board moves 1 undo resign", id="crossing"),
        pytest.param("cross-over", "help quit", id="crossing, help"),
        pytest.param("cross-over --position 0,1,7/10,9,6/1", "3", id="crossing, crossed over"),
        pytest.param("cross-over --position x,3,x/x,x,4/1", "1", id="crossing, all taken"),
    ],
)
def test_no_line_is_wider_than_60_columns_unless_the_rulebook_words_it_so(
    program: Program, arguments: str, answers: str
) -> None:
    """What a game says fits on a narrow screen without being broken amid a word."""
    done = program("play", *arguments.split(), typed=answers.replace(" ", "\n") + "\n")
    assert done.status == 0
    for line in done.out.splitlines():
        if len(line) > NARROW and not any(long.match(line) for long in LONGER_IN_THE_RULEBOOK):
            pytest.fail(f"{len(line)} columns: {line}")


def wrapped(text: str, columns: int) -> list[str]:
    """A text's lines as a terminal breaks them."""
    return [
        line[start : start + columns].rstrip()
        for line in text.rstrip("\n").split("\n")
        for start in range(0, max(len(line), 1), columns)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_screen_of_60_columns_shows_all_of_the_game(program: Program, name: str) -> None:
    """Nothing is overwritten or lost, also where a long prompt is wrapped and answered."""
    sitting = play(program, name, columns=NARROW)
    assert rows_of(screen(sitting.raw)) == wrapped(golden(name), NARROW)


@pytest.mark.parametrize("name", COMPLETE)
def test_colour_changes_no_letter_of_the_game(program: Program, name: str) -> None:
    """With colours the narrow screen shows the same text, wrapped prompts included."""
    sitting = play(program, name, "--color", "always", columns=NARROW)
    assert COLOUR.search(sitting.raw)
    assert rows_of(screen(sitting.raw)) == wrapped(golden(name), NARROW)


def test_a_long_answer_can_be_edited_after_a_coloured_prompt(program: Program) -> None:
    """Colours take no room: what is typed at the front of a wrapped answer appears there."""
    with Sitting(program, "play", "ctf-soldiers", "--color", "always", columns=80) as sitting:
        sitting.see("(1 or 2): ")
        sitting.press(b"2" + b" " * 30 + CTRL_A + b"S1 " + CTRL_E + ENTER)
        sitting.see("Player 1\x1b[0m moves")
    prompt = SOLDIERS.format("S1/S2")
    assert f"{prompt}S1 2" in rows_of(screen(sitting.raw, columns=80))


def test_each_player_has_a_colour(program: Program) -> None:
    """Player 1's and player 2's names are told apart by colour, and nothing else is coloured."""
    sitting = play(program, "flag-chase", settings={"NO_COLOR": ""})
    shown = screen(sitting.raw, columns=100)
    colours: dict[str, set[str]] = {"1": set(), "2": set()}
    for number, row in enumerate(shown.display):
        named = {
            at: match[1]
            for match in re.finditer(r"(?:Player |P)([12])", row)
            for at in range(*match.span())
        }
        for at in range(100):
            colour = shown.buffer[number][at].fg
            if at in named:
                colours[named[at]].add(colour)
            else:
                assert colour == "default", row
    assert all(len(found) == 1 for found in colours.values()), colours
    assert colours["1"] != colours["2"]
    assert "default" not in colours["1"] | colours["2"]


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        pytest.param((), {"NO_COLOR": "1"}, id="NO_COLOR"),
        pytest.param(("--color", "never"), {"NO_COLOR": ""}, id="--color never"),
        pytest.param((), {"NO_COLOR": "", "TERM": "dumb"}, id="TERM=dumb"),
    ],
)
@pytest.mark.parametrize("name", COMPLETE)
def test_colour_can_be_had_without(
    program: Program, name: str, options: tuple[str, ...], settings: dict[str, str]
) -> None:
    """With NO_COLOR, with --color never and on a dumb terminal there is no colour at all."""
    assert not COLOUR.search(play(program, name, *options, settings=settings).raw)


@pytest.mark.parametrize(
    ("choice", "coloured"), [("auto", False), ("never", False), ("always", True)]
)
def test_colour_goes_into_a_pipe_only_when_it_is_asked_for(
    program: Program, choice: str, coloured: bool
) -> None:
    """Output that is not a terminal is plain, unless --color always says otherwise."""
    done = program("play", "ctf-tokens", "--color", choice, typed="3\nquit\n")
    assert ("\x1b[" in done.out) is coloured


@pytest.mark.parametrize("name", COMPLETE)
def test_answers_from_a_pipe_make_the_same_transcript(program: Program, name: str) -> None:
    """Typed or piped, a game reads the same; a secret number is shown in neither."""
    game = GAMES[name]
    done = program("play", *game.arguments, typed="".join(f"{a}\n" for _, a in game.answers))
    assert (done.status, done.err) == (0, "")
    assert done.out == golden(name)


def test_a_step_too_far_is_answered_as_the_rulebook_does(program: Program) -> None:
    """Turn 6 of the example: four positions, the correction, then three."""
    typed = "3\n3\n2\n3\n2\n4\n3\n3\n"
    done = program("play", "ctf-tokens", typed=typed)
    assert done.err.splitlines() == [
        "Correction: Player 2 can only move up to 3 positions.",
        "Valid Options: Move to -2, -3, or -4.",
    ]
    assert "Player 2 moves to position -4." in done.out
    assert done.out.endswith("Player 1 has captured Player 2's flag! Player 1 wins!\n")
    for short in ("0", "-1"):
        done = program("play", "ctf-tokens", typed=f"{short}\n3\nquit\n")
        assert done.err.splitlines() == [
            "Correction: Player 1 can only move up to 3 positions.",
            "Valid Options: Move to -4, -3, or -2.",
        ]


def test_every_soldier_on_the_cell_is_named_and_sent_back(program: Program) -> None:
    """Two soldiers on one cell are two combats, each said as the rulebook says one."""
    done = program("play", "ctf-soldiers", "--position", "6,0/8,8/1", typed="S1 2\nquit\n")
    said = [line for line in done.out.splitlines() if "Soldier S" in line]
    assert said == [
        line
        for soldier in ("S3", "S4")
        for line in (
            f"Combat Occurs: Soldier S1 lands on position 8 occupied by Soldier {soldier}.",
            f"Soldier {soldier} is sent back to Player 2's flag at position 10.",
        )
    ]


def test_a_tie_at_a_base_sends_both_back(program: Program) -> None:
    """Also the piece that is on its base already."""
    done = program("play", "flag-chase", "--position", "1/1/1*", typed="3\n3\nquit\n")
    assert (
        "The battle is a tie!\n"
        "Player 1 is sent back to their base.\n"
        "Player 2 is sent back to their base.\n"
    ) in done.out
