"""The JSON of study: any position with its values, reviews in words, puzzles, rulebooks."""

from collections.abc import Iterable, Iterator

from msgspec import field

from lineduel import coach
from lineduel.documents.document import Document
from lineduel.documents.game_documents import RulesDocument, rules_document
from lineduel.documents.live_documents import (
    SIDE_IDS,
    BoardDocument,
    EventDocument,
    PossibleMove,
    ShownVariant,
    SideId,
    board_document,
    event_documents,
    log_lines,
    possible_moves,
)
from lineduel.documents.reason_documents import ReasonDocument, reason_documents
from lineduel.documents.record_documents import ReviewDocument, review_document
from lineduel.documents.solution_documents import ValueInterval, interval
from lineduel.engine import BattleSettled, Game, Move, Position
from lineduel.narration import MoveLog, Names, Narrator, capitalized, move_text, names_for
from lineduel.play import Session, Turn
from lineduel.rules import Side, goal_sentence, rule_sentences
from lineduel.solve import as_sentence

MOST_TURNS_OF_A_LINE = 60
"""Turns of best play that are shown."""


class ChancesDocument(Document, frozen=True, kw_only=True):
    """How likely the side to move is to win soon, if it plays its best against a level."""

    win: float
    lose: float
    level: int
    """The level of the opponent."""
    turns: int
    """Within how many turns."""


class StudiedMove(Document, frozen=True, kw_only=True):
    """A legal move with what it leads to."""

    move: str
    said: str
    """The move as people read it, such as `P1-C 2→4`."""
    piece: str | None
    """The piece that moves; null for a pass."""
    start: int | None = field(name="from")
    end: int | None = field(name="to")
    text: str
    """What it does besides moving a piece."""
    after: str
    """The position it leads to."""
    value: ValueInterval
    """What player 1 can expect after it."""
    plies: int | None
    """Of a forced win, counted from the position in front of you."""
    chances: ChancesDocument | None
    """After it; null where a win is forced, or where the game is too large."""
    sentence: str
    """Value and chances in words, for the side to move: `wins in 7`."""
    best: bool
    """Whether it is one of the best moves by value; moves of equal value are ranked by chances."""
    words: str
    """The first reason for it in a few words; often empty."""
    reasons: list[ReasonDocument]
    """Why it is good or bad, the most telling first; none in games that are too large."""


class NumberChance(Document, frozen=True, kw_only=True):
    """How often best play chooses a number in a battle, and what it is worth."""

    number: int
    chance: float
    worth: float | None
    """What its chooser can expect; null where that is not known."""


class Continuation(Document, frozen=True, kw_only=True):
    """A move, or both numbers of a battle, and the position it leads to."""

    move: str
    text: str
    """What it does, as the log says it: `P1-C 2→4`."""
    position: str
    winner: SideId | None
    """Who wins the battle that it settles; null for a tie, and for any other move."""


class StudyDocument(Document, frozen=True, kw_only=True):
    """A position and all that is known about it."""

    game: str
    title: str
    board: BoardDocument
    start: str
    """The position that the game begins with."""
    winner: SideId | None
    """Who has won; null while the game is not over."""
    value: ValueInterval | None
    """What player 1 can expect, as a proved interval; null where the game is too large."""
    plies: int | None
    chances: ChancesDocument | None
    """Of the side to move; null in a battle, where a win is forced, and in games too large."""
    sentence: str
    """Who wins with best play."""
    hint: str
    """What to play and why; empty when the game is over."""
    moves: list[StudiedMove]
    mixture: dict[SideId, list[NumberChance]] | None
    """In an open battle, in place of moves."""
    outcomes: list[Continuation]
    """How an open battle can go on."""
    line: list[Continuation]
    """Best play from here."""
    estimate: bool
    """Whether the game is too large to solve, so that a search looked ahead instead."""


class ReviewedMove(Document, frozen=True, kw_only=True):
    """A move of a reviewed game, ready to be shown."""

    n: int
    move: str
    side: SideId | None
    text: str
    mark: str
    """`?`, `??`, `!` or `?!`; often empty."""
    sentence: str
    """What it cost; empty for a good move."""
    reason: str
    """Why it was wrong, or what it left to the other side or missed; often empty."""
    board: BoardDocument
    """After the move."""
    value: float
    """What player 1 can expect after it."""
    events: list[EventDocument]
    better: list["LineStep"]
    """Best play from the position before it, if it was a mistake; otherwise empty."""


class LineStep(Document, frozen=True, kw_only=True):
    """A turn of a line that can be stepped through."""

    text: str
    """What it does, as the log says it: `P1-C 2→4`."""
    board: BoardDocument
    """After it."""
    events: list[EventDocument]


class ReviewPageDocument(Document, frozen=True, kw_only=True):
    """A played game with a sentence for each mistake, and the value over time."""

    game: str
    title: str
    start: BoardDocument
    value: float
    """What player 1 can expect at the start."""
    ending: str
    names: dict[SideId, str]
    """What each side is called."""
    account: list[str]
    """How well both sides played, and what accuracy means."""
    turning_point: int | None
    """The number `n` of the move to open the review at: the last mistake of the side that lost."""
    harmless: list[SideId]
    """Sides whose habits cost them nothing, as they made no mistake."""
    take_aways: dict[SideId, list[str]]
    """Two or three things that each side can learn from what it did."""
    moves: list[ReviewedMove]
    review: ReviewDocument
    """The same as `lineduel review --json`."""


class PuzzleDocument(Document, frozen=True, kw_only=True):
    """A position in which exactly one move is good, or, if it was asked for, some moves are."""

    game: str
    board: BoardDocument
    grade: int
    """How many of the eight levels miss it."""
    sentence: str
    moves: list[PossibleMove]
    """Without what they do, which would give the answer away."""


class PuzzleAnswer(Document, frozen=True, kw_only=True):
    """What there is to say about an answer."""

    right: bool
    sentence: str
    grade: int
    solution: str | None
    """The good move, if you asked for it or found it."""
    board: BoardDocument
    """After the good move, if that is shown; otherwise the puzzle's."""
    events: list[EventDocument]
    follows: list[LineStep]
    """A wrong move and the reply to it, turn by turn; empty for a good one."""
    reason: str
    """Why, in words; often empty for a wrong move."""
    reasons: list[ReasonDocument]
    rating: float
    """Yours after this answer, if it was the first to this puzzle."""
    streak: int
    """How many puzzles in a row you solved then."""


class RulebookPage(Document, frozen=True, kw_only=True):
    """A rulebook with its board, its rules in words and its text."""

    game: str
    title: str
    summary: str
    goals: dict[SideId, str]
    """How each side wins, in one line."""
    rules: list[str]
    rulebook: RulesDocument
    board: BoardDocument
    toml: str
    variants: list[ShownVariant]


def study_document(
    adviser: "coach.Adviser", game: Game, position: Position, estimate: bool
) -> StudyDocument:
    """A position with the value of every move, or the mixtures of an open battle."""
    narrator, side = Narrator(game), position.side
    log = MoveLog(narrator)
    winner = game.outcome(position)
    possible = {one.move: one for one in possible_moves(game, position)}
    moves = () if winner or position.battle is not None else adviser.moves(position)
    value = None if estimate else adviser.solution.value(position)
    if winner is not None:
        sentence = f"{narrator.name(winner)} has won."
    elif value is None:
        sentence = (
            f"{game.rulebook.title} is too large to solve here: a search looks ahead instead."
        )
    else:
        sentence = as_sentence(value)
    return StudyDocument(
        game=game.rulebook.id,
        title=game.rulebook.title,
        board=board_document(game, narrator, position),
        start=str(game.start()),
        winner=None if winner is None else SIDE_IDS[winner],
        value=None if value is None else interval(value),
        plies=None if value is None else value.plies,
        chances=None if not moves or estimate else _chances(adviser.chances(position, side)),
        sentence=sentence,
        hint="" if winner else str(adviser.hint(position, side)),
        moves=[
            StudiedMove.of(
                possible[str(one.move)],
                after=str(game.play(position, one.move)),
                value=interval(one.value),
                plies=one.value.plies,
                chances=_chances(one.chances),
                sentence=coach.value_in_words(one, side),
                best=one.best,
                words=coach.reason_in_short(game, position, one),
                reasons=[] if estimate else _reasons(adviser, game, position, one.move),
            )
            for one in moves
        ],
        mixture=_mixture(adviser, position) if position.battle is not None else None,
        outcomes=[
            _continuation(log, game, position, move)
            for move in (game.moves(position) if position.battle is not None else ())
        ],
        line=[] if estimate or winner else _line(adviser, log, game, position),
        estimate=estimate,
    )


def _reasons(
    adviser: "coach.Adviser", game: Game, position: Position, move: Move
) -> list[ReasonDocument]:
    found = coach.reasons(adviser.solution, position, move)
    return reason_documents(game, position, move, found, coach.Tense.BEFORE)


def _chances(chances: "coach.WinningChances | None") -> ChancesDocument | None:
    return None if chances is None else ChancesDocument.of(chances)


def _line(
    adviser: "coach.Adviser", log: MoveLog, game: Game, position: Position
) -> list[Continuation]:
    """Best play, position by position, to the end of the game if it has one."""
    steps = []
    for move in adviser.line(position, MOST_TURNS_OF_A_LINE):
        steps.append(_continuation(log, game, position, move))
        position = game.play(position, move)
    return steps


def _continuation(log: MoveLog, game: Game, position: Position, move: Move) -> Continuation:
    turn = Turn(position, move, game.play(position, move), game.events(position, move))
    winner = next((one.winner for one in turn.events if isinstance(one, BattleSettled)), None)
    return Continuation(
        move=str(move),
        text=log.entry(1, turn).told,
        position=str(turn.after),
        winner=None if winner is None else SIDE_IDS[winner],
    )


def _mixture(adviser: "coach.Adviser", position: Position) -> dict[SideId, list[NumberChance]]:
    return {
        SIDE_IDS[side]: [
            NumberChance.of(one, chance=float(one.chance))
            for one in adviser.numbers(position, side)
        ]
        for side in Side
    }


def review_page_document(
    found: "coach.Review", estimate: bool, you: str | None = None
) -> ReviewPageDocument:
    """A review ready to be shown, to the person who played one side of the game."""
    record = found.record
    session = Session.from_record(record)
    narrator = Narrator(session.game, session.names)
    sides = frozenset(side for side in Side if SIDE_IDS[side] == you)
    names = names_for(narrator, sides, session.people)
    lines = log_lines(MoveLog(narrator).entries(session, names))
    start = found.judgements[0].before if found.judgements else found.last
    return ReviewPageDocument(
        game=record.rulebook.id,
        title=record.rulebook.title,
        start=board_document(session.game, narrator, record.start),
        value=float(start.expected(Side.ONE)),
        ending=coach.ending(found, names),
        names={SIDE_IDS[side]: capitalized(names[side]) for side in Side},
        account=[*(_account(found, side, names) for side in Side), coach.ACCURACY],
        turning_point=turning.number if (turning := found.turning_point) else None,
        harmless=[
            SIDE_IDS[side]
            for side in Side
            if not (found.accuracy(side).blunders or found.accuracy(side).slips)
            and any(one.habit is not coach.Habit.ONLY_MOVE for one in coach.take_aways(found, side))
        ],
        take_aways={
            SIDE_IDS[side]: [str(one) for one in coach.take_aways(found, side)] for side in Side
        },
        moves=[
            ReviewedMove.of(
                line,
                mark=str(one.mark),
                sentence=_explained(one, session.game, names),
                reason=coach.reviewed_reason(one, session.game, names),
                board=board_document(session.game, narrator, turn.after),
                value=float(one.after.expected(Side.ONE)),
                events=event_documents(turn.events),
                better=list(_steps(session.game, narrator, one.position, one.line)),
            )
            for line, turn, one in zip(lines, session.turns, found.judgements, strict=True)
        ],
        review=review_document(found, estimate),
    )


def _account(found: "coach.Review", side: Side, names: Names) -> str:
    """How one side played, in one paragraph."""
    lines = (line.strip() for line in coach.account(side, found.accuracy(side), names))
    told = (" ".join(line.split()) for line in lines)
    sentences = (f"{line[:1].upper()}{line[1:].rstrip('.')}." for line in told)
    return " ".join(filter(None, (*sentences, coach.delays_in_words(found, side))))


def _explained(one: "coach.Judgement", game: Game, names: Names) -> str:
    """What a move cost: a mistake, with what was better, or only turns; empty for a good one."""
    if one.draws:
        return ""
    if one.mistake and one.better is not None:
        changed = coach.mistake_in_words(one, one.position.side, names)
        better = move_text(game, one.position, one.better)
        return f"{changed} {coach.punishment(one, game)}Better: {better}."
    return coach.delay_in_words(one, names) if one.delay else ""


def _steps(
    game: Game, narrator: Narrator, position: Position, line: Iterable[Move]
) -> Iterator[LineStep]:
    """A line, turn by turn."""
    log = MoveLog(narrator)
    for move in line:
        turn = Turn(position, move, game.play(position, move), game.events(position, move))
        position = turn.after
        yield LineStep(
            text=log.entry(1, turn).told,
            board=board_document(game, narrator, position),
            events=event_documents(turn.events),
        )


def puzzle_document(game: Game, puzzle: "coach.Puzzle") -> PuzzleDocument:
    """A puzzle without its answer."""
    narrator = Narrator(game)
    return PuzzleDocument(
        game=game.rulebook.id,
        board=board_document(game, narrator, puzzle.position),
        grade=puzzle.grade,
        sentence=f"{narrator.name(puzzle.position.side)} to move: {puzzle.question}.",
        moves=[one.without_text() for one in possible_moves(game, puzzle.position)],
    )


def puzzle_answer(
    game: Game,
    puzzle: "coach.Puzzle",
    verdict: "coach.PuzzleVerdict",
    found: bool,
    rating: "coach.PuzzleRating",
) -> PuzzleAnswer:
    """What there is to say about an answer.

    The good move is part of it if the answer is right, or if the player gave up.
    """
    position, right = puzzle.position, found and verdict.right
    told = verdict.move if right or not found else None
    after = position if told is None else game.play(position, told)
    return PuzzleAnswer.of(
        rating.after(puzzle.grade, right),
        right=right,
        sentence=str(verdict) if found else verdict.as_answer(),
        grade=puzzle.grade,
        solution=None if told is None else str(told),
        board=board_document(game, Narrator(game), after),
        events=[] if told is None else event_documents(game.events(position, told)),
        follows=[]
        if verdict.right
        else list(_steps(game, Narrator(game), position, (verdict.move, *verdict.line[:1]))),
        reason=verdict.why(game, position),
        reasons=reason_documents(game, position, verdict.move, verdict.reasons, coach.Tense.BEFORE),
    )


def rulebook_page(game: Game, toml: str) -> RulebookPage:
    """A rulebook to read and to try."""
    rulebook, narrator = game.rulebook, Narrator(game)
    return RulebookPage.of(
        rulebook,
        game=rulebook.id,
        goals={
            SIDE_IDS[side]: goal_sentence(rulebook.rules, side, narrator.label) for side in Side
        },
        rules=list(rule_sentences(rulebook.rules)),
        rulebook=rules_document(rulebook),
        board=board_document(game, narrator, game.start()),
        toml=toml,
        variants=[ShownVariant.of(one) for one in rulebook.variants],
    )
