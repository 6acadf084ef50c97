"""What a fixed way of playing is worth against its best reply, in exact numbers.

Against a fixed player the other side faces a Markov decision process in which staying for ever
pays 0. Its end components, the sets in which play can be kept for ever, become one state each with
one more choice: to stay. Every policy of what is left ends, so its value is the solution of a
linear system; policy iteration in fractions then finds the best, however long play takes.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from lineduel.engine import Game, Position
from lineduel.rules import Side
from lineduel.solve import PlainSolution

Law = dict[int, Fraction]
"""The states that a choice may lead to, with their chances."""
Choices = list[list[Law]]
Chances = Callable[[Position, Side], tuple[Fraction, ...]]


def best_reply(solution: PlainSolution, side: Side, chances: Chances) -> dict[Position, Fraction]:
    """What that side can expect of each position if it plays so and the other replies best."""
    positions = [position for position, _ in solution.items()]
    numbers = {position: at for at, position in enumerate(positions)}
    standing, game = solution.likeness.standing_for, solution.game

    def after(position: Position) -> list[int]:
        return [numbers[standing(game.play(position, move))] for move in game.moves(position)]

    choices: Choices = []
    paid: dict[int, Fraction] = {}
    for at, position in enumerate(positions):
        winner = game.outcome(position)
        if winner is not None:
            paid[at] = Fraction(1 if winner is side else -1)
        choices.append(_replies(game, position, side, after(position), chances))
    values = _least(choices, paid)
    return dict(zip(positions, values, strict=True))


def expected(
    solution: PlainSolution, one: Chances, two: Chances, *, either: bool = False
) -> dict[Position, Fraction]:
    """What player 1 can expect of each position when both ways of playing are fixed.

    `either` counts a win of either side as 1, which gives the chance that play ends.
    """

    def together(position: Position, side: Side) -> tuple[Fraction, ...]:
        return one(position, side) if side is Side.ONE else two(position, side)

    positions = [position for position, _ in solution.items()]
    numbers = {position: at for at, position in enumerate(positions)}
    standing, game = solution.likeness.standing_for, solution.game
    laws: Choices = []
    paid: dict[int, Fraction] = {}
    for at, position in enumerate(positions):
        winner = game.outcome(position)
        if winner is not None:
            paid[at] = Fraction(1 if either or winner is Side.ONE else -1)
            laws.append([])
            continue
        if position.battle is None:
            parts: Iterable[Fraction] = together(position, position.side)
        else:
            parts = [
                p * q for p in together(position, Side.ONE) for q in together(position, Side.TWO)
            ]
        reached = [numbers[standing(game.play(position, move))] for move in game.moves(position)]
        laws.append([_law(zip(reached, parts, strict=True))])
    return dict(zip(positions, _least(laws, paid), strict=True))


def _replies(
    game: Game, position: Position, side: Side, after: list[int], chances: Chances
) -> list[Law]:
    if not after:
        return []
    if position.battle is not None:
        mixture = chances(position, side)
        size = len(mixture)
        rows = [after[at * size : at * size + size] for at in range(size)]
        lines = zip(*rows, strict=True) if side is Side.ONE else rows
        return [_law(zip(line, mixture, strict=True)) for line in lines]
    if position.side is side:
        return [_law(zip(after, chances(position, side), strict=True))]
    return [{to: Fraction(1)} for to in set(after)]


def _law(parts: Iterable[tuple[int, Fraction]]) -> Law:
    law: Law = {}
    for to, chance in parts:
        if chance:
            law[to] = law.get(to, Fraction(0)) + chance
    assert sum(law.values()) == 1
    return law


def _least(choices: Choices, paid: dict[int, Fraction]) -> list[Fraction]:
    """The least that whoever chooses can hold each state to."""
    state = list(range(len(choices)))
    lingering = set()
    for component in _end_components(choices):
        lingering.add(min(component))
        for one in component:
            state[one] = min(component)
    options: dict[int, list[Law]] = {at: [] for at in set(state) if at not in paid}
    for at, laws in enumerate(choices):
        for law in laws:
            merged = _law((state[to], chance) for to, chance in law.items())
            if merged != {state[at]: Fraction(1)}:
                options[state[at]].append(merged)
    for at in lingering:
        options[at].append({})  # stay: nothing is paid
    policy = dict.fromkeys(options, 0)
    while True:
        values = {**paid, **_evaluated({at: options[at][policy[at]] for at in options}, paid)}
        better = {}
        for at, laws in options.items():
            worth = [sum(chance * values[to] for to, chance in law.items()) for law in laws]
            if min(worth) < values[at]:
                better[at] = worth.index(min(worth))
        if not better:
            return [values[state[at]] for at in range(len(choices))]
        policy.update(better)


def _evaluated(laws: dict[int, Law], paid: dict[int, Fraction]) -> dict[int, Fraction]:
    """Solve value = law @ value by taking out state after state, those with few links first."""
    rows = {at: {to: one for to, one in law.items() if to not in paid} for at, law in laws.items()}
    gains = {
        at: sum((one * paid[to] for to, one in law.items() if to in paid), Fraction(0))
        for at, law in laws.items()
    }
    before: dict[int, set[int]] = {at: set() for at in rows}
    for at, row in rows.items():
        for to in row:
            before[to].add(at)
    order = []
    left = set(rows)
    while left:
        at = min(left, key=lambda one: (len(rows[one]) * len(before[one]), one))
        left.discard(at)
        order.append(at)
        row = rows[at]
        away = 1 - row.pop(at, Fraction(0))
        before[at].discard(at)
        rows[at] = row = {to: one / away for to, one in row.items()}
        gains[at] /= away
        for to in row:
            before[to].discard(at)
        for earlier in before[at]:
            weight = rows[earlier].pop(at)
            gains[earlier] += weight * gains[at]
            for to, one in row.items():
                rows[earlier][to] = rows[earlier].get(to, Fraction(0)) + weight * one
                before[to].add(earlier)
    values: dict[int, Fraction] = {}
    for at in reversed(order):
        values[at] = gains[at] + sum(one * values[to] for to, one in rows[at].items())
    return values


def _end_components(choices: Choices) -> list[set[int]]:
    """Maximal sets of states in which whoever chooses can stay for ever."""
    waiting = [{at for at, laws in enumerate(choices) if laws}]
    found = []
    while waiting:
        inside = waiting.pop()
        while True:
            staying = {at for at in inside if any(law.keys() <= inside for law in choices[at])}
            if staying == inside:
                break
            inside = staying
        parts = _strong(
            {at: {to for law in choices[at] if law.keys() <= inside for to in law} for at in inside}
        )
        if len(parts) == 1:
            found.append(parts[0])
        else:
            waiting += [part for part in parts if part]
    return [part for part in found if part]


def _strong(graph: dict[int, set[int]]) -> list[set[int]]:
    """Strongly connected sets, by who reaches whom."""
    left, parts = set(graph), []
    back: dict[int, set[int]] = {at: set() for at in graph}
    for at, reached in graph.items():
        for to in reached:
            back[to].add(at)
    while left:
        at = next(iter(left))
        part = _reach(graph, at) & _reach(back, at)
        parts.append(part)
        left -= part
    return parts


def _reach(graph: dict[int, set[int]], start: int) -> set[int]:
    found, waiting = {start}, [start]
    for at in waiting:
        fresh = graph[at] - found
        found |= fresh
        waiting += fresh
    return found
