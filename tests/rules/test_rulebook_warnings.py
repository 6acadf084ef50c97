"""Warnings about valid rulebooks: each is true, and none is missing."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import tomli_w
from hypothesis import HealthCheck, assume, given, settings

from lineduel.documents import validate_document
from lineduel.engine import PASS, Cells, Game, Position, Step
from lineduel.errors import TooLarge
from lineduel.lab import RulebookWarning, WarningKind, warnings_of
from lineduel.rulebooks import rulebook_file
from lineduel.rules import (
    Rulebook,
    Side,
    Team,
    assign,
    rulebook_data as written,
    rulebook_from_data,
)
from lineduel.rules.assignments import COMMAND_KEYS
from support.program import Program
from support.strategies import reachable, rulebook_data

Data = dict[str, Any]
SMALL = 1500
"""Positions, with like pieces told apart, that are looked at one by one in a moment."""


RACE: Data = {
    "title": "Race",
    "track": {"first": 0, "last": 5},
    "player1": {"pieces": {"A": 0, "B": 1}, "goal": [5]},
    "player2": {"pieces": {"C": 5, "D": 4}, "goal": [0]},
    "move": {"steps": [1, 2], "edge": "illegal", "jump": True},
    "meet": {"own": "blocked", "enemy": "captured"},
}
"""Two pieces a side, and everything can happen."""


def race(*changes: str) -> Data:
    """The race with some keys changed, every key of the rules written out."""
    return written(assign(rulebook_from_data(RACE, "race"), changes))


def warnings(data: Data) -> set[tuple[str, str]]:
    return {(one.key, one.kind) for one in warnings_of(tomli_w.dumps(data)).warnings}


ALONE = ("player1.pieces=A:0", "player2.pieces=C:5")
APART = (*ALONE, "player1.goal=2", "player2.goal=3", "move.steps=1")
"""Whoever reaches the middle has won, so nobody meets."""
FIGHT = ("meet.enemy=battle", "battle.numbers=2", "battle.loser=captured", "battle.tie=attacker")
STUCK = ("move.steps=1", "move.jump=false", "meet.enemy=blocked", "player2.goal=1")
AT_ONCE = ("player1.pieces=A:2", "player2.pieces=C:3", "meet.enemy=blocked", "move.steps=1")
"""Each is in the other's way."""
NO_WIN, NO_GOAL, NO_ROOM, NO_MOVE, NO_EFFECT, NO_TURN, ONE_CELL = map(str, WarningKind)
PAIRS = {
    "no step fits the track": (
        ("player1.goal", NO_WIN),
        race("move.steps=20"),
        race("move.steps=2"),
    ),
    "every step stays": (
        ("player2.goal", NO_WIN),
        race("move.steps=0"),
        race("move.steps=0,1"),
    ),
    "a goal between the steps": (
        ("player1.goal", NO_WIN),
        race(*ALONE, "move.steps=2"),
        race(*ALONE, "move.steps=2", "player1.goal=4"),
    ),
    "a goal between the steps, and an enemy to capture": (
        ("player1.goal", NO_GOAL),
        race("player1.pieces=A:0", "player2.pieces=C:4", "move.steps=4"),
        race("player1.pieces=A:0", "player2.pieces=C:4", "move.steps=4,1"),
    ),
    "a piece behind another that cannot move": (
        ("player1.pieces", NO_MOVE),
        race(*STUCK, "player2.pieces=C:2,D:2"),
        race(*STUCK, "player2.pieces=C:3,D:3"),
    ),
    "own pieces on one cell, which they may not share": (
        ("player1.pieces", ONE_CELL),
        race("player1.pieces=A:0,B:0"),
        race("player1.pieces=A:0,B:0", "meet.own=shared"),
    ),
    "enemies who never meet": (
        ("meet.enemy", NO_EFFECT),
        race(*APART),
        race(*ALONE),
    ),
    "enemies who are never in the way": (
        ("meet.enemy", NO_EFFECT),
        race(*APART, "meet.enemy=blocked"),
        race(*ALONE, "meet.enemy=blocked"),
    ),
    "enemies who never share a cell": (
        ("meet.enemy", NO_EFFECT),
        race(*APART, "meet.enemy=shared"),
        race(*ALONE, "meet.enemy=shared"),
    ),
    "enemies who never win by landing": (
        ("meet.enemy", NO_EFFECT),
        race(*APART, "meet.enemy=wins"),
        race(*ALONE, "meet.enemy=wins"),
    ),
    "enemies who are never sent home": (
        ("meet.enemy", NO_EFFECT),
        race(*APART, "meet.enemy=sent home"),
        race(*ALONE, "meet.enemy=sent home"),
    ),
    "battles that never happen": (
        ("meet.enemy", NO_EFFECT),
        race(*APART, *FIGHT),
        race(*ALONE, *FIGHT),
    ),
    "battles that nobody loses": (
        ("battle.loser", NO_EFFECT),
        race(*APART, *FIGHT),
        race(*ALONE, *FIGHT),
    ),
    "ties that never happen": (
        ("battle.tie", NO_EFFECT),
        race(*APART, *FIGHT),
        race(*ALONE, *FIGHT),
    ),
    "numbers that nobody needs twice": (
        ("battle.hand", NO_EFFECT),
        race(*ALONE, *FIGHT, "battle.hand=spent"),
        race(*ALONE, *FIGHT[:2], "battle.hand=spent"),
    ),
    "a goal without room": (
        ("player1.goal_needs", NO_ROOM),
        race("player1.goal_needs=2"),
        race("player1.goal_needs=2", "player1.goal=4,5"),
    ),
    "jumps over nothing": (
        ("move.jump", NO_EFFECT),
        race("track.last=9", "player1.pieces=A:0", "player2.pieces=C:9", "player1.goal=2,3"),
        race("track.last=9", "player1.pieces=A:0", "player2.pieces=C:9"),
    ),
    "jumps that nobody could make": (
        ("move.jump", NO_EFFECT),
        race(*ALONE, "player1.goal=2", "player2.goal=3", "move.steps=2", "move.jump=false"),
        race("move.jump=false"),
    ),
    "an edge that nobody comes to": (
        ("move.edge", NO_EFFECT),
        race(*ALONE, "move.steps=1"),
        race(*ALONE, "move.steps=1,2"),
    ),
    "an edge that nobody stays at": (
        ("move.edge", NO_EFFECT),
        race(*ALONE, "move.steps=1", "move.edge=stay"),
        race(*ALONE, "move.steps=1,2", "move.edge=stay"),
    ),
    "own pieces that never meet": (
        ("meet.own", NO_EFFECT),
        race("move.steps=5", "player1.pieces=A:0,B:0"),
        race("move.steps=1", "player1.pieces=A:0,B:0"),
    ),
    "own pieces that never share a cell": (
        ("meet.own", NO_EFFECT),
        race("move.steps=5", "player1.pieces=A:0,B:0", "meet.own=shared"),
        race("move.steps=1", "player1.pieces=A:0,B:0", "meet.own=shared"),
    ),
    "nobody is ever stuck": (
        ("turn.stuck", NO_EFFECT),
        race("turn.stuck=loses", "move.steps=0,1"),
        race("turn.stuck=loses", *ALONE, "meet.enemy=blocked", "move.steps=1", "move.jump=false"),
    ),
    "nobody moves before it is over": (
        ("turn.stuck", NO_TURN),
        race("turn.stuck=loses", *AT_ONCE),
        race("turn.stuck=passes", *AT_ONCE),
    ),
    "moving again after the last capture": (
        ("move.again", NO_EFFECT),
        race(*ALONE, "move.again=capture"),
        race("move.again=capture"),
    ),
}
"""A warning, a rulebook that has it, and one that is almost the same and has it not."""


@pytest.mark.parametrize("name", PAIRS)
def test_a_warning_is_given_where_it_is_due_and_only_there(name: str) -> None:
    warning, faulty, sound = PAIRS[name]
    assert warning in warnings(faulty)
    assert warning not in warnings(sound)


def test_who_has_lost_at_the_start_depends_on_who_begins() -> None:
    data = race("turn.stuck=loses", "turn.first=either", *AT_ONCE)
    said = [one.sentence for one in warnings_of(tomli_w.dumps(data)).warnings]
    for side in (1, 2):
        begins = f"If player {side} begins, player {side} has no legal move at the start"
        assert any(one.startswith(begins) for one in said)


def test_no_rule_is_forgotten() -> None:
    """Every key that takes a word, but for who begins, and for what a battle's numbers mean."""
    words = {key for key, kind in COMMAND_KEYS.items() if kind in ("word", "flag")}
    warned = {key for (key, kind), *_ in PAIRS.values() if kind == NO_EFFECT}
    assert warned == words - {"turn.first", "battle.wins"}


def test_a_rule_that_is_left_out_is_not_warned_of() -> None:
    """The author has said nothing about it."""
    data = race(*ALONE, "move.steps=1")
    assert ("move.edge", "rule never matters") in warnings(data)
    del data["move"]["edge"]
    assert "move.edge" not in {key for key, _ in warnings(data)}


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        ("ctf-soldiers", []),
        ("flag-chase", []),
        ("blockade-duel", ["move.jump", "meet.enemy"]),
        ("ctf-tokens", []),
        ("cross-over", ["move.edge"]),
    ],
)
def test_the_shipped_games_have_the_warnings_that_are_known(game: str, keys: list[str]) -> None:
    """Blockade Duel never blocks, as its erratum says; the goals of Cross Over end at the edge."""
    text = rulebook_file(game).read_text(encoding="utf-8")
    found = warnings_of(text).warnings
    assert [one.key for one in found] == keys
    for one in found:
        assert text.splitlines()[one.line - 1].startswith(one.key.partition(".")[2])


# Each warning, worked out anew from every position


def seen_in(rulebook: Rulebook, positions: list[Position]) -> Iterator[tuple[str, str]]:
    """The warnings that all these positions give, with like pieces told apart."""
    game = Game(rulebook)
    for side in Side:
        team = rulebook.rules.team(side)
        won = [one for one in positions if game.outcome(one) is side]
        if not won:
            yield f"player{side}.goal", f"Player {side} can never win."
        elif not any(arrived(team, one.cells(side)) for one in won):
            told = f"Player {side} can never reach a goal, and wins only in other ways."
            yield f"player{side}.goal", told
        if rulebook.rules.meet.own == "blocked" and len(team.goal) < team.goal_needs:
            told = f"Player {side} needs {team.goal_needs} pieces on goal cells, and there "
            told += "is only 1 cell" if len(team.goal) == 1 else f"are only {len(team.goal)} cells"
            told += " for them: pieces of one player may not share a cell."
            yield f"player{side}.goal_needs", told
        for cell in sorted({one.home for one in team.pieces}):
            here = [one.name for one in team.pieces if one.home == cell]
            if rulebook.rules.meet.own == "blocked" and len(here) > 1:
                names = " and ".join(filter(None, (", ".join(here[:-1]), here[-1])))
                told = f"{names} start together on {cell}, though pieces of one player may not "
                yield f"player{side}.pieces", f"{told}share a cell (meet.own)."
        stuck = [one.name for one in team.pieces if not moved(game, positions, one.name)]
        if stuck:
            names = " and ".join(filter(None, (", ".join(stuck[:-1]), stuck[-1])))
            yield f"player{side}.pieces", f"{names} can never move."
    passing = Game(assign(rulebook, ["turn.stuck=passes"]))
    first = rulebook.rules.first
    for side in Side if rulebook.rules.stuck == "loses" else ():
        if first in (side, None) and passing.moves(passing.start(side)) == (PASS,):
            begins = "P" if first else f"If player {side} begins, p"
            told = f"{begins}layer {side} has no legal move at the start and has lost "
            yield "turn.stuck", f"{told}before anybody moves."
    decisive = [one for one in positions if passing.outcome(one) is None]
    for key, happens in Effects(rulebook).of_keys():
        if not any(map(happens, decisive)):
            yield key, "This rule never matters"


def arrived(team: Team, cells: Cells) -> bool:
    """Whether a side has as many pieces on its goal as it needs."""
    return len([cell for cell in cells if cell in team.goal]) >= team.goal_needs


def moved(game: Game, positions: list[Position], piece: str) -> bool:
    return any(
        game.cell_of(game.play(one, move), piece) != game.cell_of(one, piece)
        for one in positions
        for move in game.moves(one)
        if isinstance(move, Step) and move.piece == piece
    )


class Effects:
    """Whether a key of the rules makes a difference in a position."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook, self.rules, self.game = rulebook, rulebook.rules, Game(rulebook)

    def of_keys(self) -> Iterator[tuple[str, Callable[[Position], bool]]]:
        rules = self.rules
        yield "meet.enemy", self.of_enemies()
        if rules.battle and rules.battle.loser == "captured":
            yield "battle.loser", self.takes
        if rules.battle and rules.battle.tie != "both":
            yield "battle.tie", lambda at: at.battle is not None
        if rules.battle and rules.battle.hand == "spent":
            full = self.game.start().hands
            yield "battle.hand", lambda at: at.battle is not None and at.hands != full
        if rules.movement.again == "capture":
            yield "move.again", lambda at: any(one.side is at.side for one in self.after(at))
        if max(len(rules.team(side).pieces) for side in Side) > 1:
            blocks = rules.meet.own == "blocked"
            yield "meet.own", self.blocks_own if blocks else self.joins_own
        if max(map(abs, rules.all_steps)) > 1:
            yield "move.jump", self.jumps if rules.movement.jump else self.would_jump
        yield "move.edge", self.leaves
        if rules.stuck == "loses":
            yield "turn.stuck", lambda at: self.game.outcome(at) is not None

    def of_enemies(self) -> Callable[[Position], bool]:
        match str(self.rules.meet.enemy):
            case "blocked":
                return self.prevented_by_enemies
            case "shared":
                return self.joins_enemies
            case "battle":
                return lambda at: at.battle is not None
            case "wins":
                return self.wins_off_goal
            case _:
                return lambda at: any(
                    one.cells(at.side.other) != at.cells(at.side.other) for one in self.after(at)
                )

    def after(self, at: Position) -> list[Position]:
        return [self.game.play(at, move) for move in self.game.moves(at)]

    def prevented_by_enemies(self, at: Position) -> bool:
        """Whether there would be more steps if enemies could share a cell."""
        shared = Game(assign(self.rulebook, ["meet.enemy=shared"]))
        steps = [
            [move for move in game.moves(at) if isinstance(move, Step)]
            for game in (self.game, shared)
        ]
        return len(steps[1]) > len(steps[0])

    def wished(self, at: Position) -> Iterator[tuple[int, int]]:
        """Where steps on the track would begin and end, legal or not."""
        for place, cell in enumerate(at.cells(at.side) if at.battle is None else ()):
            for step in self.rules.steps_of(at.side, place):
                if cell is not None and cell + at.side.direction * step in self.rules.track:
                    yield cell, cell + at.side.direction * step

    def blocks_own(self, at: Position) -> bool:
        return any(
            end in at.cells(at.side) and begin != end
            for begin, end in self.wished(at)
            if self.rules.movement.jump or not passes(at, begin, end)
        )

    def would_jump(self, at: Position) -> bool:
        return any(passes(at, begin, end) for begin, end in self.wished(at))

    def ways(self, at: Position) -> Iterator[tuple[int, int]]:
        """Where the steps that leave a cell begin and end."""
        for move in self.game.moves(at):
            if isinstance(move, Step):
                begin, end = self.game.cell_of(at, move.piece), self.game.landing(at, move)
                assert begin is not None
                assert end is not None
                if begin != end:
                    yield begin, end

    def joins_own(self, at: Position) -> bool:
        return any(end in at.cells(at.side) for _, end in self.ways(at))

    def joins_enemies(self, at: Position) -> bool:
        return any(end in at.cells(at.side.other) for _, end in self.ways(at))

    def jumps(self, at: Position) -> bool:
        return any(passes(at, begin, end) for begin, end in self.ways(at))

    def leaves(self, at: Position) -> bool:
        """Whether a step would lead off the track."""
        return at.battle is None and any(
            cell + at.side.direction * step not in self.rules.track
            for place, cell in enumerate(at.cells(at.side))
            if cell is not None
            for step in self.rules.steps_of(at.side, place)
        )

    def wins_off_goal(self, at: Position) -> bool:
        team = self.rules.team(at.side)
        won = [one for one in self.after(at) if self.game.outcome(one) is at.side]
        return any(one.shared_cells() and not arrived(team, one.cells(at.side)) for one in won)

    def takes(self, at: Position) -> bool:
        before = (at.player1 + at.player2).count(None)
        return any((one.player1 + one.player2).count(None) > before for one in self.after(at))


def passes(at: Position, begin: int, end: int) -> bool:
    """Whether pieces stand between two cells."""
    return bool({*at.player1, *at.player2} & {*range(min(begin, end) + 1, max(begin, end))})


def told(found: tuple[RulebookWarning, ...]) -> set[tuple[str, str]]:
    no_effect = WarningKind.NO_EFFECT
    return {
        (one.key, "This rule never matters" if one.kind is no_effect else one.sentence)
        for one in found
    }


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(rulebook_data())
def test_every_warning_about_a_random_rulebook_is_true_and_none_is_missing(data: Data) -> None:
    rulebook = rulebook_from_data(data, "random")
    positions = reachable(Game(rulebook), SMALL + 1)
    assume(len(positions) <= SMALL)
    found = warnings_of(tomli_w.dumps(data))
    assert told(found.warnings) == set(seen_in(rulebook, positions))
    assert found.positions <= len(positions)


# At the command line


def write(program: Program, data: Data) -> None:
    (program.folder / "mine.toml").write_text(tomli_w.dumps(data))


def test_validate_warns_of_a_game_that_nobody_can_win(program: Program) -> None:
    """Valid all the same: status 0, and 1 only where warnings are to count."""
    write(program, race("move.steps=20"))
    done = program("validate", "mine.toml")
    assert done.status == 0
    assert "all checks passed" not in done.out
    for said in ("Player 1 can never win.", "A and B can never move."):
        assert f": {said}\n" in done.out
    assert "\nmine.toml: valid, with 7 warnings.\n" in done.out
    assert "Play it with: lineduel play mine.toml\n" in done.out
    assert program("validate", "mine.toml", "--strict").status == 1
    document = json.loads(program("validate", "mine.toml", "--json").out)
    assert document["valid"]
    assert document["positions"] == 2
    assert len(document["warnings"]) == 7
    lines = (program.folder / "mine.toml").read_text().splitlines()
    for one in document["warnings"]:
        assert f"mine.toml:{one['line']}: warning: {one['key']}: {one['sentence']}\n" in done.out
        assert one["key"].rpartition(".")[2] in lines[one["line"] - 1]


def test_a_rulebook_without_warnings_passes_strictly(program: Program) -> None:
    write(program, race())
    done = program("validate", "mine.toml", "--strict")
    assert (done.status, "mine.toml: all checks passed.\n" in done.out) == (0, True), done.out
    assert json.loads(program("validate", "mine.toml", "--json").out)["warnings"] == []


def test_a_rulebook_that_is_too_large_says_that_nobody_looked(program: Program) -> None:
    pieces = ["player1.pieces=A:0,B:1,C:2,D:3", "player2.pieces=E:40,F:39,G:38,H:37"]
    write(program, race("track.last=40", "player1.goal=40", *pieces))
    done = program("validate", "mine.toml", "--strict")
    assert done.status == 0
    assert "It has more than 60,000 positions, so it was not checked whether" in done.out
    document = validate_document("mine.toml", (), None)
    assert (document.valid, document.positions, document.warnings) == (True, None, [])


def test_more_positions_than_asked_for_are_not_looked_at() -> None:
    text = tomli_w.dumps(race())
    count = warnings_of(text).positions
    assert warnings_of(text, count).positions == count
    with pytest.raises(TooLarge):
        warnings_of(text, count - 1)


def test_whoever_may_begin_is_looked_at() -> None:
    """Where the rules leave that open, what only player 2 could do at the start can happen, too."""
    begins = (*ALONE, "player1.goal=1", "player2.goal=4", "move.steps=1")
    assert ("player2.goal", NO_WIN) in warnings(race(*begins, "turn.first=player1"))
    assert ("player2.goal", NO_WIN) not in warnings(race(*begins, "turn.first=either"))
