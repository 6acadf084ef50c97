"""Solve rulebooks with battles: forced wins first, then proved bounds for all other positions."""

from fractions import Fraction

from lineduel.engine import Position
from lineduel.graph import NOT_FORCED, GameGraph
from lineduel.rules import Side
from lineduel.solve.solution import Mixture, PlainSolution, Plan
from lineduel.solve.stochastic.arena import Arena, Choice, Clash, Ended, Node
from lineduel.solve.stochastic.concurrent import Bounds, solve_arena
from lineduel.solve.value import Number, Value


def solve_battles(graph: GameGraph) -> PlainSolution:
    """The value of every position in a graph with battles, and the plans that prove it."""
    forced = graph.forced_lists
    bounds = solve_arena(_arena(graph))
    values: dict[Position, Value] = {}
    plans: dict[Position, tuple[Plan, Plan]] = {}
    # The rank of a forced win is its number of plies; all other positions get higher ranks.
    later = 1 + max(0, *forced.plies)
    for at, position in enumerate(graph.positions):
        plies = forced.plies[at]
        if plies != NOT_FORCED:
            values[position] = Value.won(Side(forced.winner[at]), plies)
            plan1, plan2 = (
                _of_all_numbers(graph, at, side, _forced_chances(graph, at, side)) for side in Side
            )
            plans[position] = Plan(plan1, plies), Plan(plan2, plies)
        else:
            low, high = bounds.lower[at], bounds.upper[at]
            values[position] = Value(_plain(low), _plain(high))
            plan1, plan2 = (
                _of_all_numbers(
                    graph,
                    at,
                    side,
                    _winning_number(graph, bounds, at, side)
                    or _bound_chances(graph, bounds, at, side),
                )
                for side in Side
            )
            ranks = bounds.ranks1[at], bounds.ranks2[at]
            plans[position] = Plan(plan1, later + ranks[0]), Plan(plan2, later + ranks[1])
    return PlainSolution(
        graph.game, graph.positions[0], values, plans, limited=bounds.limited, graph=graph
    )


def _arena(graph: GameGraph) -> Arena:
    """The graph as an arena in which a forced win counts as the end of the game."""
    nodes: list[Node] = []
    for at, (position, after) in enumerate(zip(graph.positions, graph.successors, strict=True)):
        winner = graph.forced_lists.winner[at]
        if winner:
            nodes.append(Ended(1 if winner == Side.ONE else -1))
        elif position.battle is not None:
            nodes.append(Clash(tuple(_rows(graph, at))))
        else:
            nodes.append(Choice(position.side, after))
    return Arena(tuple(nodes))


def _rows(graph: GameGraph, at: int) -> list[tuple[int, ...]]:
    """A battle's matrix, one row for each number of player 1, with the numbers in hand only."""
    position, after, size = graph.positions[at], graph.successors[at], graph.numbers
    rows, columns = (graph.game.hand(position, side) for side in Side)
    return [tuple(after[(one - 1) * size + two - 1] for two in columns) for one in rows]


def _of_all_numbers(graph: GameGraph, at: int, side: Side, in_hand: Mixture) -> Mixture:
    """A mixture over all numbers from one over the numbers in hand."""
    position = graph.positions[at]
    if position.battle is None or not in_hand:
        return in_hand
    chances = [Fraction(0)] * graph.numbers
    for number, chance in zip(graph.game.hand(position, side), in_hand, strict=True):
        chances[number - 1] = chance
    return tuple(chances)


def _forced_chances(graph: GameGraph, at: int, side: Side) -> Mixture:
    """The choice that wins soonest or loses latest against every reply."""
    position, after, forced = graph.positions[at], graph.successors[at], graph.forced_lists
    if not after:
        return ()
    if position.battle is not None:
        rows = _rows(graph, at)
        choices = rows if side is Side.ONE else list(zip(*rows, strict=True))
    elif position.side is side:
        choices = [(to,) for to in after]
    else:
        return ()
    wins = forced.winner[at] == side

    def worst(choice: tuple[int, ...]) -> float:
        """A sort key, lowest is best: most plies to a win or inf, or minus fewest to a loss."""
        if any(forced.winner[to] != forced.winner[at] for to in choice):
            return float("inf") if wins else float("-inf")
        plies = [forced.plies[to] for to in choice]
        return max(plies) if wins else -min(plies)

    best = min(range(len(choices)), key=lambda choice: worst(choices[choice]))
    return _pure(best, len(choices))


def _bound_chances(graph: GameGraph, bounds: Bounds, at: int, side: Side) -> Mixture:
    plan = (bounds.player1 if side is Side.ONE else bounds.player2)[at]
    match plan:
        case None:
            return ()
        case int():
            return _pure(plan, len(graph.successors[at]))
        case _:
            return plan


def _winning_number(graph: GameGraph, bounds: Bounds, at: int, side: Side) -> Mixture:
    """The single number that keeps the bound and wins the cell most often; () if there is none.

    If the battle does not affect the value, every choice is optimal, but people expect one that
    tends to win the battle.
    """
    battle = graph.game.rules.battle
    if graph.positions[at].battle is None or battle is None:
        return ()
    ranks = bounds.ranks1 if side is Side.ONE else bounds.ranks2
    lower = bounds.lower if side is Side.ONE else [-value for value in bounds.upper]
    rows = _rows(graph, at)
    choices = rows if side is Side.ONE else list(zip(*rows, strict=True))
    keeping = [
        place
        for place, choice in enumerate(choices)
        if all(
            lower[to] >= lower[at]
            and (lower[at] <= 0 or not graph.successors[to] or ranks[to] < ranks[at])
            for to in choice
        )
    ]
    if not keeping:
        return ()
    position = graph.positions[at]
    own, others = (graph.game.hand(position, one) for one in (side, side.other))
    attacker = position.side.other

    def won(place: int) -> int:
        mine = own[place]
        pairs = ((mine, other) if side is Side.ONE else (other, mine) for other in others)
        results = [battle.keeper(*pair, attacker=attacker) for pair in pairs]
        return results.count(side) - results.count(side.other)

    return _pure(max(keeping, key=won), len(own))


def _pure(choice: int, size: int) -> Mixture:
    return tuple(Fraction(number == choice) for number in range(size))


def _plain(number: Fraction) -> Number:
    return int(number) if number.denominator == 1 else number
