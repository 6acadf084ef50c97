"""Which words of a rulebook ever come into play, and which of them with best play."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple, assert_never

from lineduel import graph
from lineduel.engine import (
    BattleOpened,
    BattleSettled,
    Captured,
    Event,
    Game,
    Likeness,
    Move,
    Moved,
    MovesAgain,
    Obstacle,
    Passed,
    Position,
    SentHome,
    Stayed,
    Step,
    Victory,
    Won,
)
from lineduel.facts import Fact
from lineduel.rules import (
    Displacement,
    Meeting,
    Rules,
    Side,
    Team,
    Tie,
    key_lines,
    listed,
    rulebook_from_data,
)
from lineduel.safe_toml import parse_toml

MOST_CHECKED_POSITIONS = 60_000
"""A rulebook with more positions is not looked at."""


class Word(Enum):
    """Something that a rulebook speaks of."""

    OWN_BLOCKS = "own pieces block"
    OWN_SHARED = "own pieces share a cell"
    ENEMY_BLOCKS = "the enemy blocks"
    ENEMY_SHARED = "enemies share a cell"
    CAPTURE = "a piece is captured"
    SENT_HOME = "a piece is sent home"
    AGAIN = "a side moves again"
    BATTLE = "a battle"
    TIE = "a battle is tied"
    SPENT = "a number is spent when a battle is fought"
    LANDING = "landing on the enemy wins"
    JUMP = "a piece is jumped"
    NO_JUMP = "a piece may not be jumped"
    EDGE = "a step off the track is not allowed"
    STAY = "a step off the track stays"
    PASS = "a turn is passed"
    STUCK = "a player without a legal move loses"
    GOAL = "a goal is reached"
    LAST_CAPTURED = "the last enemy is captured"
    BOTH_GONE = "both lose their last piece"


_OBSTACLES = {
    Obstacle.OWN: Word.OWN_BLOCKS,
    Obstacle.ENEMY: Word.ENEMY_BLOCKS,
    Obstacle.BETWEEN: Word.NO_JUMP,
    Obstacle.EDGE: Word.EDGE,
}
_EVENTS: dict[type[Event], Word] = {
    Captured: Word.CAPTURE,
    SentHome: Word.SENT_HOME,
    MovesAgain: Word.AGAIN,
    BattleOpened: Word.BATTLE,
    Passed: Word.PASS,
}
_VICTORIES = {
    Victory.GOAL: Word.GOAL,
    Victory.CAPTURED_ALL: Word.LAST_CAPTURED,
    Victory.LANDED: Word.LANDING,
    Victory.BOTH_GONE: Word.BOTH_GONE,
    Victory.STUCK: Word.STUCK,
}


_ENEMY, _OWN, _JUMP, _EDGE = "meet.enemy", "meet.own", "move.jump", "move.edge"
_UNUSED = {
    Word.OWN_BLOCKS: (_OWN, "pieces of one player never block each other"),
    Word.OWN_SHARED: (_OWN, "pieces of one player can never share a cell"),
    Word.ENEMY_BLOCKS: (_ENEMY, "no enemy ever prevents a step that would be legal otherwise"),
    Word.ENEMY_SHARED: (_ENEMY, "enemies can never share a cell"),
    Word.CAPTURE: (_ENEMY, "nothing can ever be captured"),
    Word.SENT_HOME: (_ENEMY, "nothing can ever be sent home"),
    Word.AGAIN: ("move.again", "nobody can ever move again"),
    Word.BATTLE: (_ENEMY, "there can never be a battle"),
    Word.TIE: ("battle.tie", "there can never be a tie"),
    Word.SPENT: ("battle.hand", "nobody ever fights with a number spent"),
    Word.LANDING: (_ENEMY, "nobody can ever land on an enemy"),
    Word.JUMP: (_JUMP, "nothing can ever be jumped over"),
    Word.NO_JUMP: (_JUMP, "nobody is ever kept from jumping"),
    Word.EDGE: (_EDGE, "no step ever leads off the track"),
    Word.STAY: (_EDGE, "no step ever leads off the track"),
    Word.STUCK: ("turn.stuck", "nobody is ever without a legal move"),
}
"""For each word that is a rule by itself: its key, and what it means that it is never used."""


@dataclass(slots=True)
class Usage:
    """In how many positions a word counts, how many of those best play meets, and one of them."""

    word: Word
    positions: int = 0
    in_best_play: int = 0
    example: Position | None = None


def words_of(rules: Rules) -> tuple[Word, ...]:
    """The words that a rulebook uses, what meeting an enemy does first."""
    battle, movement = rules.battle, rules.movement
    blocks = rules.meet.own.consequences.blocks
    words = (
        (_of_enemy(rules.meet.enemy), True),
        (Word.CAPTURE, battle and battle.displaces is Displacement.OUT),
        (Word.TIE, battle and battle.tie is not Tie.BOTH),
        (Word.SPENT, battle and battle.hand.is_spent),
        (Word.AGAIN, rules.moves_again),
        (
            Word.OWN_BLOCKS if blocks else Word.OWN_SHARED,
            any(len(rules.team(side).pieces) > 1 for side in Side),
        ),
        (
            Word.JUMP if movement.jump else Word.NO_JUMP,
            any(abs(step) > 1 for step in rules.all_steps),
        ),
        (Word.STAY if movement.edge.keeps_cell else Word.EDGE, True),
        # Who may stay is never forced to pass.
        (Word.PASS, not _all_may_stay(rules) and not rules.stuck.ends_game),
        (Word.STUCK, rules.stuck.ends_game),
        (Word.GOAL, True),
        (Word.LAST_CAPTURED, rules.pieces_leave),
        (Word.BOTH_GONE, rules.both_can_be_gone),
    )
    return tuple(word for word, is_used in words if is_used)


def _all_may_stay(rules: Rules) -> bool:
    return all(
        0 in rules.steps_of(side, place)
        for side in Side
        for place in range(len(rules.team(side).pieces))
    )


def usage(
    game: Game, positions: Sequence[Position], best: Mapping[Position, Sequence[Move]]
) -> tuple[Usage, ...]:
    """Each word of the rulebook over these positions, the nearest to the start as example.

    `best` holds the positions of best play, with the moves that it makes there.
    """
    found = {word: Usage(word) for word in words_of(game.rules)}
    for position in positions:
        for word in set(_met(game, position, game.moves(position))) & found.keys():
            one = found[word]
            one.positions += 1
            one.example = one.example or position
        for word in set(_met(game, position, best.get(position, ()))) & found.keys():
            found[word].in_best_play += position in best
    return tuple(found.values())


def _met(game: Game, position: Position, moves: Sequence[Move]) -> Iterator[Word]:
    """The words that count in a position: in what these moves do, or why others are illegal."""
    for move in moves:
        for event in game.events(position, move):
            yield from _words_of_event(event, position)
    whole = game.rules.battle.whole_hand if game.rules.battle else ()
    if moves and position.battle is not None and position.hands not in (None, (whole, whole)):
        yield Word.SPENT
    won = game.victory(position)
    is_stuck = won is not None and won.victory is Victory.STUCK
    if is_stuck:
        yield Word.STUCK
    if (won is None or is_stuck) and position.battle is None:
        side = position.side
        for place, piece in enumerate(game.rules.team(side).pieces):
            for step in game.rules.steps_of(side, place):
                obstacle = game.obstacle(position, Step(piece.name, step))
                if obstacle in _OBSTACLES:
                    yield _OBSTACLES[obstacle]


def _words_of_event(event: Event, position: Position) -> Iterator[Word]:
    match event:
        case Stayed(_, _, step, _) if step != 0:
            yield Word.STAY
        case BattleSettled(_, _, _, None):
            yield Word.TIE
        case Won(_, victory):
            yield _VICTORIES[victory]
        case Moved(side, _, _, start, end):
            yield from _passed_and_shared(position, side, start, end)
        case _ if type(event) in _EVENTS:
            yield _EVENTS[type(event)]


def _passed_and_shared(position: Position, side: Side, start: int, end: int) -> Iterator[Word]:
    mine, theirs = position.cells(side), position.cells(side.other)
    if any(cell in mine or cell in theirs for cell in range(min(start, end) + 1, max(start, end))):
        yield Word.JUMP
    if end in mine:
        yield Word.OWN_SHARED
    if end in theirs:
        yield Word.ENEMY_SHARED


# What a valid rulebook file may have wrong all the same


class WarningKind(StrEnum):
    """What a warning is about."""

    NO_WIN = "player cannot win"
    NO_GOAL = "goal out of reach"
    NO_ROOM = "goal too small"
    NO_MOVE = "pieces never move"
    NO_EFFECT = "rule never matters"
    NO_TURN = "over at the start"
    ONE_CELL = "pieces start together"


@dataclass(frozen=True, slots=True, order=True)
class RulebookWarning(Fact):
    """One thing to look at: where it stands, and what is the matter, as a sentence."""

    line: int
    key: str
    kind: WarningKind
    sentence: str


class FoundWarnings(NamedTuple):
    """The warnings about a rulebook file, in the order of its lines."""

    positions: int
    """How many positions can come up; all of them were looked at."""
    warnings: tuple[RulebookWarning, ...]


def warnings_of(text: str, most: int = MOST_CHECKED_POSITIONS) -> FoundWarnings:
    """The warnings about a valid rulebook file's text; `TooLarge` for more than `most` positions.

    Only rules that stand in the file are warned of, not those that have their defaults.
    """
    game = Game(rulebook_from_data(parse_toml(text), "rulebook"))
    positions = _positions(game, most)
    lines = key_lines(text)
    found = (
        RulebookWarning(lines[key], key, kind, sentence)
        for key, kind, sentence in _found(game, positions)
        if key in lines
    )
    return FoundWarnings(len(positions), tuple(sorted(found)))


def _positions(game: Game, most: int) -> Sequence[Position]:
    """All that can come up, from either first move where the rules leave open who begins."""
    found: dict[Position, None] = {}
    for start in _starts(game):
        found |= dict.fromkeys(graph.explore_by_engine(game, start, most).positions)
    return tuple(found)


def _starts(game: Game) -> list[Position]:
    sides = Side if game.rules.first is None else (game.rules.first,)
    return [game.start(side) for side in sides]


def _found(game: Game, positions: Sequence[Position]) -> Iterator[tuple[str, WarningKind, str]]:
    """Each warning: the key that it is about, its kind, and a sentence."""
    rules = game.rules
    for start in _starts(game):
        if game.outcome(start) is not None:  # only who is stuck can have lost by now
            begins = "" if rules.first else f"If player {start.side} begins, "
            sentence = (
                f"{begins}player {start.side} has no legal move at the start and has lost "
                "before anybody moves."
            )
            yield "turn.stuck", WarningKind.NO_TURN, sentence[0].upper() + sentence[1:]
    for side in Side:
        goal = f"player{side}.goal"
        won = [one for one in positions if game.outcome(one) is side]
        if not won:
            yield goal, WarningKind.NO_WIN, f"Player {side} can never win."
        elif all(how.victory is not Victory.GOAL for how in map(game.victory, won) if how):
            sentence = f"Player {side} can never reach a goal, and wins only in other ways."
            yield goal, WarningKind.NO_GOAL, sentence
        room, needs = len(rules.team(side).goal), rules.team(side).goal_needs
        if rules.meet.own.consequences.blocks and room < needs:
            sentence = (
                f"Player {side} needs {needs} pieces on goal cells, and there "
                f"{'is only 1 cell' if room == 1 else f'are only {room} cells'} for them: "
                "pieces of one player may not share a cell."
            )
            yield f"player{side}.goal_needs", WarningKind.NO_ROOM, sentence
        if rules.meet.own.consequences.blocks:
            for cell, together in _on_one_cell(rules.team(side)).items():
                sentence = (
                    f"{listed(together, 'and')} start together on {cell}, though "
                    "pieces of one player may not share a cell (meet.own)."
                )
                yield f"player{side}.pieces", WarningKind.ONE_CELL, sentence
        pieces = [piece.name for piece in rules.team(side).pieces]
        if stuck := [piece for piece in pieces if not _can_move(game, piece)]:
            sentence = f"{listed(stuck, 'and')} can never move."
            yield f"player{side}.pieces", WarningKind.NO_MOVE, sentence
    for one in usage(game, positions, {}):
        if one.word in _UNUSED and not one.positions:
            key, never = _UNUSED[one.word]
            if one.word is Word.CAPTURE and rules.battle is not None:
                key = "battle.loser"
            yield key, WarningKind.NO_EFFECT, f"This rule never matters: {never}."


def _on_one_cell(team: Team) -> dict[int, list[str]]:
    """The pieces of a side that start where another one does, by cell."""
    homes: dict[int, list[str]] = {}
    for piece in team.pieces:
        homes.setdefault(piece.home, []).append(piece.name)
    return {cell: names for cell, names in homes.items() if len(names) > 1}


def _can_move(game: Game, piece: str) -> bool:
    """Whether a piece can ever leave its cell by a step of its own.

    It waits where it is until it can, so what comes up before is all that has to be looked at. The
    other pieces that are alike may be taken for each other.
    """
    standing_for = Likeness(game.rules, apart=piece).standing_for
    waiting = list(map(standing_for, _starts(game)))
    seen = set(waiting)
    for position in waiting:
        for move in game.moves(position):
            if (
                isinstance(move, Step)
                and move.piece == piece
                and game.landing(position, move) != game.cell_of(position, piece)
            ):
                return True
            after = standing_for(game.play(position, move))
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


def _of_enemy(meeting: Meeting) -> Word:
    match meeting:
        case Meeting.BLOCKED:
            return Word.ENEMY_BLOCKS
        case Meeting.SHARED:
            return Word.ENEMY_SHARED
        case Meeting.CAPTURED:
            return Word.CAPTURE
        case Meeting.SENT_HOME:
            return Word.SENT_HOME
        case Meeting.BATTLE:
            return Word.BATTLE
        case Meeting.WINS:
            return Word.LANDING
        case _:
            assert_never(meeting)
