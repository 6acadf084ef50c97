"""An agent sits an exam: each item is asked, and every answer is judged by the exact solution.

An item depends on the settings, its number and the agent, and on nothing else, so it does not
matter in which order items are done, or whether the exam was stopped in between.
"""

import os
from collections.abc import Sequence
from typing import Any

from lineduel import coach
from lineduel.agents.agent import Agent, AgentQuestion, make_agent
from lineduel.agents.answers import AnswerCost
from lineduel.agents.exam_settings import AskedLine, ExamSettings, How, ItemLine
from lineduel.agents.question import (
    Failure,
    ReadAnswer,
    again_text,
    question_text,
    read_choice,
)
from lineduel.agents.rule_sets import (
    SolvedRuleSet,
    mirrored_move,
    mirrored_position,
    solved_rule_set,
)
from lineduel.arena import RandomStream, key_of, play_game
from lineduel.engine import Move, Position
from lineduel.errors import EngineError, shown
from lineduel.narration import NUMBERED
from lineduel.players import SamplingPlayer
from lineduel.rules import Phrasing, Side

_LONGEST_SAID = 300


def sit(settings: ExamSettings, items: Sequence[int]) -> list[ItemLine]:
    """Do some items; the agent stays for the next ones, since it may take long to start."""
    agent = KEPT_AGENT.agent(settings)
    try:
        return [_item(settings, agent, item) for item in items]
    except BaseException:
        KEPT_AGENT.close(hasty=True)
        raise


class _KeptAgent:
    """The agent that this process has started; a command ends with the process at the latest."""

    def __init__(self) -> None:
        self._known: tuple[tuple[str, ...], Agent] | None = None

    def agent(self, settings: ExamSettings) -> Agent:
        key = os.environ.get(settings.key_variable, "") if settings.key_variable else ""
        wanted = settings.agent, settings.model, key
        if self._known is None or self._known[0] != wanted:
            self.close()
            self._known = wanted, make_agent(*wanted)
        return self._known[1]

    def close(self, hasty: bool = False) -> None:
        known, self._known = self._known, None
        if known is not None:
            known[1].close(hasty)


KEPT_AGENT = _KeptAgent()


def _item(settings: ExamSettings, agent: Agent, item: int) -> ItemLine:
    at_rules, at = divmod(item, settings.each)
    rule_set = settings.rule_sets[at_rules]
    solved = solved_rule_set(rule_set)
    if at == 0:
        scores = solved.expected_scores(settings.levels) if settings.games else []
        return ItemLine(item=item, scores=scores)
    examinee = Examinee(settings, solved, agent, key_of(settings.seed, rule_set.rules, at))
    if at <= settings.positions:
        return _position_item(settings, solved, examinee, item, at - 1)
    return _game_item(settings, solved, examinee, item, at - 1 - settings.positions)


def _position_item(
    settings: ExamSettings, solved: SolvedRuleSet, examinee: "Examinee", item: int, at: int
) -> ItemLine:
    # The positions of a benchmark do not depend on the seed.
    seed = settings.seed if settings.benchmark is None else 0
    questions = solved.questions(settings.positions, seed)
    if at >= len(questions):
        return ItemLine(item=item)
    position, side = questions[at]
    line = ItemLine(item=item, random=_mean(solved.regrets(position, side)))
    first = examinee.ask(position, side)
    line.asked.append(first)
    if position.battle is not None:
        line.best = [float(one) for one in solved.solution.mixture(position, side).values()]
        line.asked += [
            examinee.ask(position, side, how="repeated") for _ in range(settings.repeats - 1)
        ]
    elif at < settings.variations:
        for phrasing in Phrasing:
            if phrasing is not settings.phrasing:
                other = examinee.ask(position, side, how="rephrased", phrasing=phrasing)
                other.same = _same(solved, position, first.choice, other.choice)
                line.asked.append(other)
        line.asked.append(_mirrored(solved, examinee, position, side, first))
    return line


def _mirrored(
    solved: SolvedRuleSet, examinee: "Examinee", position: Position, side: Side, first: AskedLine
) -> AskedLine:
    """The same question from the other end; its choice is written as in the game itself."""
    rules, mirrored = solved.game.rules, solved.mirrored
    there = mirrored_position(rules, position)
    asked = examinee.at(mirrored).ask(there, side.other, how="mirrored")
    if asked.choice:
        moves = {str(move): move for move in mirrored.game.moves(there)}
        asked.choice = str(mirrored_move(rules, moves[asked.choice]))
    asked.same = _same(solved, position, first.choice, asked.choice)
    return asked


def _same(solved: SolvedRuleSet, position: Position, one: str, other: str) -> bool:
    """Whether two moves lead to the same position, like pieces not told apart; failures do not."""
    moves = {str(move): move for move in solved.game.moves(position)}
    if one not in moves or other not in moves:
        return False
    standing = solved.solution.likeness.standing_for
    return standing(solved.game.play(position, moves[one])) == standing(
        solved.game.play(position, moves[other])
    )


def _game_item(
    settings: ExamSettings, solved: SolvedRuleSet, examinee: "Examinee", item: int, at: int
) -> ItemLine:
    opponent, rest = divmod(at, 2 * settings.pairs)
    side = Side.ONE if rest % 2 == 0 else Side.TWO
    # Both games of a pair have the same random numbers.
    key = key_of(settings.seed, format(at // 2), solved.game.rulebook.id)
    level = SamplingPlayer(solved.level(settings.levels[opponent]), solved.game, RandomStream(key))
    player1, player2 = (examinee, level) if side is Side.ONE else (level, examinee)
    played = play_game(
        solved.game, solved.start, player1, player2, settings.plies, examinee.history.append
    )
    return ItemLine(
        item=item,
        asked=examinee.asked,
        moves=" ".join(map(str, played.moves)),
        result="*" if played.winner is None else "1" if played.winner is Side.ONE else "2",
        why=played.why or "",
    )


class Examinee:
    """The agent in one item of an exam; as a player it takes a seat in a game."""

    def __init__(
        self, settings: ExamSettings, solved: SolvedRuleSet, agent: Agent, key: int
    ) -> None:
        self._settings, self._solved, self._agent, self._key = settings, solved, agent, key
        self._questions = 0
        self.history: list[Move] = []
        self.asked: list[AskedLine] = []
        """The questions of a game."""

    def at(self, solved: SolvedRuleSet) -> "Examinee":
        """The same agent with another rule set."""
        return Examinee(self._settings, solved, self._agent, self._key ^ 1)

    def choose_move(self, position: Position) -> Move:
        choice = self._choose(position, position.side)
        moves = {str(move): move for move in self._solved.game.moves(position)}
        return moves[choice]

    def choose_number(self, position: Position, side: Side) -> int:
        return int(self._choose(position, side))

    def close(self) -> None:
        pass

    def _choose(self, position: Position, side: Side) -> str:
        choices = self._solved.choices(position, side)
        if len(choices) == 1:  # nothing to ask
            return str(choices[0])
        line = self.ask(position, side)
        line.ply = len(self.history)
        self.asked.append(line)
        if line.failure is not None:
            raise EngineError(f"{line.failure}: {line.why}")
        return line.choice

    def ask(
        self,
        position: Position,
        side: Side,
        *,
        how: How = "asked",
        phrasing: Phrasing | None = None,
    ) -> AskedLine:
        """Ask, as often as the settings allow, and judge the answer."""
        settings, solved = self._settings, self._solved
        text = question_text(
            solved.game,
            position,
            side,
            phrasing=phrasing or settings.phrasing,
            form=settings.form,
            history=self.history if settings.history else None,
            show_moves=settings.show_moves,
        )
        line = AskedLine(how=how, position=str(position), side=1 if side is Side.ONE else 2)
        asked = text
        for attempt in range(settings.retries + 1):
            read, said, usage = self._answer(asked, position, side)
            line.usage += usage
            if read.failure is None:
                return self._judged(line, position, side, read)
            line.failure, line.why, line.said = read.failure, read.why, shown(said, _LONGEST_SAID)
            if attempt < settings.retries:
                line.failures.append(read.failure)
                asked = again_text(text, read)
        line.regret = solved.losing_regret(position, side)
        return line

    def _answer(
        self, text: str, position: Position, side: Side
    ) -> tuple[ReadAnswer, str, AnswerCost]:
        self._questions += 1
        solved = self._solved
        answer = self._agent.answer(
            AgentQuestion(
                text=text,
                game=solved.game,
                position=position,
                side=side,
                seed=key_of(self._key, self._questions),
                exam_seed=self._settings.seed,
                solution=lambda: solved.solution,
            ),
            self._settings.seconds,
        )
        if answer.problem:
            return (
                ReadAnswer(None, Failure.UNREADABLE, answer.problem),
                answer.text or answer.detail,
                answer.usage,
            )
        read = read_choice(solved.game, position, answer.text, self._settings.reading, side=side)
        return read, answer.text, answer.usage

    def _judged(
        self, line: AskedLine, position: Position, side: Side, read: ReadAnswer
    ) -> AskedLine:
        solved = self._solved
        choices = solved.choices(position, side)
        regret = solved.regrets(position, side)[choices.index(read.choice)]
        line.choice, line.failure, line.why, line.said = str(read.choice), None, "", ""
        line.regret = float(regret)
        if regret and line.how == "asked":
            line.kinds, line.sentence = _why(solved, position, side, read.choice)
        return line


def _why(
    solved: SolvedRuleSet, position: Position, side: Side, choice: Move | int | None
) -> tuple[list[str], str]:
    """The kinds of reasons why a choice is a mistake, and the reasons in words."""
    if isinstance(choice, int):
        found = coach.number_reasons(solved.solution, position, side, choice)
        kinds = ["predictable" if isinstance(one, coach.Predictable) else "beaten" for one in found]
        return kinds, " ".join(map(coach.number_sentence, found))
    assert choice is not None
    reasons = coach.reasons(solved.solution, position, choice)
    words = coach.ReasonWords(game=solved.game, position=position, move=choice, names=NUMBERED)
    return [str(one.kind) for one in reasons], words.sentences(reasons)


def _mean(numbers: Sequence[Any]) -> float:
    return float(sum(numbers)) / len(numbers)
