"""Duels as tasks of inspect-ai, with a scorer that gives exact regret.

    inspect eval lineduel/agents/inspect_ai.py@duel_positions --model …

`duel_positions` asks about fixed positions; in `duel_games` the model plays whole games against a
level. Both take the settings of `lineduel exam` under the same names.
"""

from typing import Any

from lineduel.agents.question import (
    Failure,
    PositionForm,
    ReadingRule,
    again_text,
    question_text,
    read_choice,
)
from lineduel.agents.rule_sets import (
    RuleSet,
    SolvedRuleSet,
    rule_set_of,
    shipped_rule_sets,
    solved_rule_set,
    unseen_rule_sets,
)
from lineduel.arena import RandomStream, key_of
from lineduel.engine import Numbers, Position
from lineduel.errors import NotInstalled
from lineduel.players import SamplingPlayer
from lineduel.record import read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Phrasing, Side

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser
    from inspect_ai.scorer import Score, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, TaskState, generate, solver
except ImportError:
    raise NotInstalled("inspect-ai", "inspect") from None

RULE_SET = "rule_set"
"""The metadata that answers are clustered by."""


def _rule_sets(games: list[str] | None, unseen: int, seed: int) -> tuple[RuleSet, ...]:
    given = (
        shipped_rule_sets()
        if games is None
        else (rule_set_of(find_rulebook(game)) for game in games)
    )
    return (*given, *unseen_rule_sets(unseen, seed))


@task
def duel_positions(
    games: list[str] | None = None,
    unseen: int = 20,
    positions: int = 10,
    seed: int = 1,
    phrasing: str = "plain",
    form: str = "text",
    reading: str = "last",
    show_moves: bool = True,
) -> Task:
    """Fixed positions; the score of an answer is what it gives away."""
    samples = [
        Sample(
            id=f"{one.id}/{position}/{side}",
            input=question_text(
                solved_rule_set(one).game,
                position,
                side,
                phrasing=Phrasing(phrasing),
                form=PositionForm(form),
                show_moves=show_moves,
            ),
            metadata=_metadata(one, position, side) | {"reading": reading},
        )
        for one in _rule_sets(games, unseen, seed)
        for position, side in solved_rule_set(one).questions(positions, seed)
    ]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=exact_regret())


@task
def duel_games(
    games: list[str] | None = None,
    unseen: int = 20,
    level: int = 3,
    pairs: int = 1,
    plies: int = 100,
    seed: int = 1,
    show_moves: bool = True,
    retries: int = 0,
) -> Task:
    """Whole games against a level, in pairs with swapped seats; scored by points and regret."""
    samples = [
        Sample(
            id=f"{one.id}/{pair}/{side}",
            input=f"A duel on a line: {one.id}, as player {side}.",
            metadata=_metadata(one, solved_rule_set(one).start, side)
            | {"key": key_of(seed, one.rules, pair), "level": level},
        )
        for one in _rule_sets(games, unseen, seed)
        for pair in range(pairs)
        for side in Side
    ]
    return Task(
        dataset=MemoryDataset(samples),
        solver=play_duel(plies=plies, show_moves=show_moves, retries=retries),
        scorer=played_regret(),
    )


def _metadata(one: RuleSet, position: Position, side: Side) -> dict[str, Any]:
    return {
        RULE_SET: one.id,
        "group": str(one.group),
        "rules": one.rules,
        "position": str(position),
        "side": int(side),
    }


def _solved(metadata: dict[str, Any]) -> SolvedRuleSet:
    from lineduel.agents.rule_sets import Group

    return solved_rule_set(RuleSet(metadata[RULE_SET], Group(metadata["group"]), metadata["rules"]))


_METRICS = {"*": [mean(), stderr(cluster=RULE_SET)]}


@scorer(metrics=_METRICS)
def exact_regret() -> Any:
    """What an answer gives away; a failure counts as losing at once."""

    async def score(state: TaskState, target: Target) -> Score:
        solved, side = _solved(state.metadata), Side(state.metadata["side"])
        position = read_position(solved.game, state.metadata["position"])
        said = state.output.completion
        read = read_choice(
            solved.game, position, said, ReadingRule(state.metadata["reading"]), side=side
        )
        regret = _regret(solved, position, side, read.choice)
        return Score(
            value={
                "regret": regret,
                "illegal": float(read.failure is Failure.ILLEGAL),
                "unreadable": float(read.failure is Failure.UNREADABLE),
            },
            answer="" if read.choice is None else str(read.choice),
            explanation=read.why or None,
        )

    return score


@scorer(metrics=_METRICS)
def played_regret() -> Any:
    """The points of a game, and what a choice gave away on average."""

    async def score(state: TaskState, target: Target) -> Score:
        regrets: list[float] = state.store.get("regrets", [])
        return Score(
            value={
                "points": state.store.get("points", 0.0),
                "regret": sum(regrets) / len(regrets) if regrets else 0.0,
                "illegal": state.store.get("illegal", 0.0),
                "unreadable": state.store.get("unreadable", 0.0),
            }
        )

    return score


def _regret(solved: SolvedRuleSet, position: Position, side: Side, choice: Any) -> float:
    if choice is None:
        return solved.losing_regret(position, side)
    return float(solved.regrets(position, side)[solved.choices(position, side).index(choice)])


@solver
def play_duel(
    plies: int = 100,
    show_moves: bool = True,
    retries: int = 0,
) -> Any:
    """Play a whole game against a level; each question is a conversation of its own."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        solved, side = _solved(state.metadata), Side(state.metadata["side"])
        game, position = solved.game, solved.start
        level = SamplingPlayer(
            solved.level(state.metadata["level"]), game, RandomStream(state.metadata["key"])
        )
        regrets: list[float] = []

        async def ask(position: Position) -> Any:
            choices = solved.choices(position, side)
            if len(choices) == 1:
                return choices[0]
            text = question_text(game, position, side, show_moves=show_moves)
            asked = text
            for _ in range(retries + 1):
                state.messages = [ChatMessageUser(content=asked)]
                answered = await generate(state)
                read = read_choice(game, position, answered.output.completion, side=side)
                if read.choice is not None:
                    break
                name = str(read.failure)
                state.store.set(name, state.store.get(name, 0.0) + 1.0)
                asked = again_text(text, read)
            regrets.append(_regret(solved, position, side, read.choice))
            return read.choice

        turns, winner = 0, game.outcome(position)
        while winner is None and turns < plies:
            if position.battle is not None:
                mine = await ask(position)
                theirs = level.choose_number(position, side.other)
                choice = None if mine is None else (mine, theirs)
                move: Any = choice and Numbers(*(choice if side is Side.ONE else choice[::-1]))
            elif position.side is side:
                move = await ask(position)
            else:
                move = level.choose_move(position)
            if move is None:
                winner = side.other
                break
            position, turns = game.play(position, move), turns + 1
            winner = game.outcome(position)
        state.store.set("regrets", regrets)
        state.store.set("points", 0.5 if winner is None else float(winner is side))
        return state

    return solve
