"""What shows that a claim holds or fails: a line of play to replay, a position, or a number."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from lineduel.arena.atlas import together, write_out
from lineduel.arena.ladder import everyone
from lineduel.arena.percent import percent
from lineduel.engine import Move, Numbers, Position
from lineduel.lab.claims import SELDOM, named
from lineduel.lab.study import Study
from lineduel.record import Record
from lineduel.rules import Property, Side
from lineduel.solve import PlainSolution
from lineduel.solve.reachability import leading_to
from lineduel.solve.value import Endless
from lineduel.solve.wording import move_in_words


@dataclass(frozen=True, slots=True)
class Evidence:
    """What can be looked at; a line of play is a record that can be replayed."""

    told: str
    record: Record | None = None
    position: Position | None = None


def evidence(study: Study, about: Property) -> Evidence:
    """What the verdict on a property rests on."""
    match about:
        case Property.ALWAYS_ENDS | Property.NO_DRAW if study.figures.longest_game is None:
            return _endless_line(study)
        case Property.FAIR_SEATS if study.figures.value.winner is not None:
            return _line(study, best_line(study), "Best play")
        case Property.CHOICES_MATTER:
            return _decision(study)
        case Property.NO_BEST_NUMBER:
            return _battle(study)
        case Property.WORDS_USED:
            return _words(study)
        case Property.ENDS_QUICKLY if study.figures.shortest_game is not None:
            return _length(study)
        case _:
            return Evidence(f"Computed over all {study.figures.positions:,} positions.")


def _endless_line(study: Study) -> Evidence:
    """Play that goes on for ever: best play if it can, else between levels, else at all."""
    if study.figures.value.endless is not Endless.NEVER:
        return _line(study, best_loop(study), "Best play that comes back to where it was")
    pairs = [
        (result.endless, one, two)
        for one, row in enumerate(study.ladder.results)
        for two, result in enumerate(row)
    ]
    endless, one, two = max(pairs)
    if endless > 0:
        names = study.ladder.players
        told = f"A game that {names[one]} and {names[two]} never end"
        return _line(study, loop_between(study, one, two), told)
    return _line(study, round_trip(study), "Play that comes back, if both want it")


def _length(study: Study) -> Evidence:
    """A game that never ends between equals, if that is not rare; else the shortest game."""
    equals = study.figures.equals
    worst = max(range(len(equals)), key=lambda at: equals[at].endless)
    if equals[worst].endless >= SELDOM:
        told = f"A game that two {named(equals[worst].player)} never end"
        return _line(study, loop_between(study, worst, worst), told)
    after = _after(study)
    end = next(at for at in _in_breadth(after) if not after[at])
    return _line(study, _played(study, _way(after, 0, end)), "The shortest possible game")


def best_loop(study: Study) -> tuple[Move, ...]:
    """Best play of both until a position comes back."""
    if study.game.rules.battle is None:
        return best_line(study)
    assert isinstance(study.solution, PlainSolution)  # battles are never solved in a table
    return _replayed(study, study.solution.best_play.loop(study.solution.start))


def loop_between(study: Study, one: int, two: int) -> tuple[Move, ...]:
    """The way of two players of the ladder to where they never end, and once round there."""
    atlas, players = study.atlas, everyone(study.solution)
    chances = together(atlas, write_out(players[one], atlas), write_out(players[two], atlas))
    choices = [
        [at for at in range(*span) if chances[at] > 0] for span in pairwise(atlas.first.tolist())
    ]
    after = [[int(atlas.after[at]) for at in row] for row in choices]
    ending = leading_to(after, atlas.winner.nonzero()[0].tolist())
    way = _way(after, 0, next(at for at in _in_breadth(after) if at not in ending))
    while (ahead := after[way[-1]][0]) not in way:
        way.append(ahead)
    steps = []
    for at, to in pairwise([*way, ahead]):
        choice = choices[at][after[at].index(to)] - int(atlas.first[at])
        steps.append((study.game.moves(atlas.positions[at])[choice], atlas.positions[to]))
    return _replayed(study, steps)


def best_line(study: Study) -> tuple[Move, ...]:
    """Best play until the end or until a position comes back; in a battle the likeliest numbers."""
    solution, game = study.solution, study.game
    position = game.start()
    line: list[Move] = []
    seen = {position}
    while game.outcome(position) is None:
        if position.battle is not None:
            move: Move = Numbers(*(_likeliest(solution.mixture(position, side)) for side in Side))
        else:
            move = solution.safe_moves(position)[0]
        line.append(move)
        position = game.play(position, move)
        if position in seen:
            break
        seen.add(position)
    return tuple(line)


def _likeliest(mixture: Mapping[int, Fraction]) -> int:
    return max(mixture, key=lambda number: (mixture[number], number))


def round_trip(study: Study) -> tuple[Move, ...]:
    """The way to a position that can come back, and once round."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    atlas = study.atlas
    size = len(atlas)
    ones = [1] * len(atlas.after)
    graph = csr_array((ones, (atlas.origin, atlas.after)), shape=(size, size))
    _, part = connected_components(graph, connection="strong")
    after = _after(study)
    for at in _in_breadth(after):
        inside = [one for one in after[at] if part[one] == part[at]]
        if inside:
            there = _way(after, 0, at)
            around = _way(after, inside[0], at, (part == part[at]).__getitem__)
            return _played(study, [*there, *around])
    return ()


def way_to(study: Study, position: Position) -> tuple[Move, ...]:
    """The shortest way from the start to a position."""
    after = _after(study)
    target = list(study.atlas.positions).index(study.solution.likeness.standing_for(position))
    return _played(study, _way(after, 0, target)[1:] if target else [])


def _after(study: Study) -> list[list[int]]:
    """Where each position leads, by number."""
    atlas = study.atlas
    return [atlas.after[atlas.first[at] : atlas.first[at + 1]].tolist() for at in range(len(atlas))]


def _in_breadth(after: list[list[int]]) -> Iterable[int]:
    seen, waiting = {0}, deque([0])
    while waiting:
        at = waiting.popleft()
        yield at
        for reached in after[at]:
            if reached not in seen:
                seen.add(reached)
                waiting.append(reached)


def _way(
    after: list[list[int]], start: int, end: int, within: Callable[[int], bool] = lambda _: True
) -> list[int]:
    """The shortest way through positions that are within, both ends included."""
    came = {start: start}
    waiting = deque([start])
    while waiting and end not in came:
        at = waiting.popleft()
        for reached in after[at]:
            if reached not in came and within(reached):
                came[reached] = at
                waiting.append(reached)
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


def _played(study: Study, numbers: list[int]) -> tuple[Move, ...]:
    """Moves that lead from the start through the positions of these numbers."""
    steps = [(None, study.atlas.positions[number]) for number in numbers]
    begins = bool(steps) and steps[0][1] == study.solution.likeness.standing_for(study.game.start())
    return _replayed(study, steps[begins:])


def _replayed(study: Study, steps: Sequence[tuple[Move | None, Position]]) -> tuple[Move, ...]:
    """Moves from the start that lead to what these positions stand for.

    Numbers in a battle are those that come with the step, if any do; a move may be one of
    another piece that is alike.
    """
    game, standing = study.game, study.solution.likeness.standing_for
    position = game.start()
    line: list[Move] = []
    for wanted, target in steps:
        move = next(
            one
            for one in ((wanted,) if isinstance(wanted, Numbers) else game.moves(position))
            if standing(game.play(position, one)) == target
        )
        line.append(move)
        position = game.play(position, move)
    return tuple(line)


def _line(study: Study, moves: tuple[Move, ...], told: str) -> Evidence:
    game = study.game
    record = Record(rulebook=study.rulebook, start=game.start(), moves=moves)
    return Evidence(f"{told}: {_shortened(moves)}", record)


def _shortened(moves: tuple[Move, ...], most: int = 12) -> str:
    shown = " ".join(map(str, moves[:most]))
    return shown if len(moves) <= most else f"{shown} … ({len(moves)} plies)"


def _decision(study: Study) -> Evidence:
    """The first decision that matters."""
    found = study.shape.matters.nonzero()[0]
    if not len(found):
        return Evidence(f"Computed over all {study.figures.positions:,} positions.")
    position = study.atlas.positions[int(found[0])]
    told = ", ".join(
        f"{move} {move_in_words(value, position.side)}"
        for move, value in study.solution.moves(position)[:6]
    )
    return Evidence(f"In {position}: {told}.", position=position)


def _battle(study: Study) -> Evidence:
    """The first battle, and how it is played best."""
    battles = [one for one in study.atlas.positions if one.battle is not None]
    mixed = [one for one in battles if len(study.drawn(one, Side.ONE)) > 1]
    if not battles:
        return Evidence("No battle can come up.")
    position = (mixed or battles)[0]
    mixture = study.solution.mixture(position, Side.ONE)
    drawn = {number: chance for number, chance in mixture.items() if chance}
    if len(drawn) == 1:
        told = f"always plays {next(iter(drawn))}"
    else:
        shares = ", ".join(f"{number} with {percent(float(one))}" for number, one in drawn.items())
        told = f"draws {shares}"
    return Evidence(f"In {position} player 1 {told}.", position=position)


def _words(study: Study) -> Evidence:
    """Where each word counts first."""
    parts = [
        f"{one.word.value} in {one.positions:,}"
        + (f" (first {one.example})" if one.example else "")
        for one in study.words
    ]
    used = [one for one in study.words if one.example]
    rare = min(used, key=lambda one: one.positions, default=None)
    told = f"Positions in which it counts: {'; '.join(parts)}."
    if rare is None or rare.example is None:
        return Evidence(told)
    moves = way_to(study, rare.example)
    record = Record(rulebook=study.rulebook, start=study.game.start(), moves=moves)
    return Evidence(told, record, rare.example)
