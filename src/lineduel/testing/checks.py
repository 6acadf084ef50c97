"""Checks of rulebooks and players; all that come with lineduel are tested this way."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isclose
from random import Random

from lineduel.engine import Game, Move, Position, check_position
from lineduel.errors import LineduelError, TooLarge
from lineduel.players import Policy
from lineduel.record import (
    Record,
    parse_move,
    parse_position,
    read_position,
    read_record,
    write_record,
)
from lineduel.rules import (
    Rulebook,
    Side,
    apply_variant,
    describe,
    format_rules,
    parse_rules,
    rulebook_data,
    rulebook_from_data,
)
from lineduel.solve import (
    BYTES_EACH,
    PlainSolution,
    check_certificate,
    read_certificate,
    solve,
    write_certificate,
)

_GAMES, _LONGEST = 20, 60
"""The number of random games to check, and the most plies in each."""
_SOLVED, _SOLVED_WITH_BATTLES = 20_000, 300
"""Rulebooks with at most this many positions are solved and their certificates checked."""
_Check = Callable[[], str | None]
_Look = Callable[[Position, Side], str | None]
"""What is wrong with what a player does in a position for a side."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked, and what is wrong, if anything."""

    what: str
    wrong: str | None = None

    @property
    def right(self) -> bool:
        return self.wrong is None

    def __str__(self) -> str:
        return f"passed: {self.what}" if self.right else f"FAILED: {self.what}. {self.wrong}"


def check_rulebook(rulebook: Rulebook, seed: int = 0) -> list[Finding]:
    """The findings of all checks of a rulebook: its texts, random games, and its solution."""
    game = Game(rulebook)
    records = _random_games(game, seed)
    positions = [position for record in records for position in record.positions()]
    moves = [move for record in records for move in record.moves]
    checks: dict[str, _Check] = {
        "written and read back, it is the same": lambda: _survives(rulebook),
        "its rules can be explained in plain words": lambda: _is_described(rulebook),
        "each of its variants is a valid rulebook": lambda: _has_variants(rulebook),
        "there is a first move": lambda: _begins(game),
        "positions of random games are valid and can be read back": lambda: _first_wrong(
            _wrong_position(game, one) for one in positions
        ),
        "moves of random games can be read back": lambda: _first_wrong(map(_wrong_move, moves)),
        "a game is over exactly when there is no move": lambda: _first_wrong(
            _wrong_end(game, one) for one in positions
        ),
        "records of random games can be replayed": lambda: _first_wrong(
            map(_wrong_record, records)
        ),
        "if it is small, its solution has a valid certificate": lambda: _is_solved(game),
    }
    return [Finding(what, _what_is_wrong(check)) for what, check in checks.items()]


def _what_is_wrong(check: _Check) -> str | None:
    """What a check finds wrong; a `LineduelError` counts as wrong too."""
    try:
        return check()
    except LineduelError as error:
        return str(error)


def _first_wrong(found: Iterable[str | None]) -> str | None:
    return next((wrong for wrong in found if wrong), None)


def _random_games(game: Game, seed: int) -> list[Record]:
    return [_played(game, Random(f"{seed} {number}")) for number in range(_GAMES)]


def _played(game: Game, rng: Random) -> Record:
    """A game of random moves."""
    position, played = game.start(), list[Move]()
    while len(played) < _LONGEST and (moves := game.moves(position)):
        played.append(rng.choice(moves))
        position = game.play(position, played[-1])
    return Record(rulebook=game.rulebook, start=game.start(), moves=tuple(played))


def _survives(rulebook: Rulebook) -> str | None:
    data = rulebook_data(rulebook)
    if rulebook_data(rulebook_from_data(data, rulebook.id)) != data:
        return "It reads back as a different rulebook."
    if parse_rules(format_rules(rulebook.rules)) != rulebook.rules:
        return "Its rules, written in one line, read back as different rules."
    return None


def _is_described(rulebook: Rulebook) -> str | None:
    silent = [one.heading for one in describe(rulebook) if not all(one.paragraphs)]
    return f"The description says nothing about {', '.join(silent)}." if silent else None


def _has_variants(rulebook: Rulebook) -> str | None:
    for variant in rulebook.variants:
        Game(apply_variant(rulebook, variant.name)).start()
    return None


def _begins(game: Game) -> str | None:
    check_position(game.rules, game.start())
    return None if game.moves(game.start()) else "The game is over before it begins."


def _wrong_position(game: Game, position: Position) -> str | None:
    check_position(game.rules, position)
    read = read_position(game, str(position))
    same = parse_position(str(position)).unchecked() == read == position
    return None if same else f"{position} reads back as a different position."


def _wrong_move(move: Move) -> str | None:
    return None if parse_move(str(move)) == move else f"{move} reads back as a different move."


def _wrong_end(game: Game, position: Position) -> str | None:
    is_over, has_moves = game.outcome(position) is not None, bool(game.moves(position))
    return f"{position} has a winner and moves, or neither." if is_over is has_moves else None


def _wrong_record(record: Record) -> str | None:
    again = read_record(write_record(record))
    return (
        None
        if again.positions() == record.positions()
        else "The record replays as a different game."
    )


def _is_solved(game: Game) -> str | None:
    """Check the certificate of the solution; a rulebook too large to solve quickly passes."""
    most = _SOLVED if game.rules.battle is None else _SOLVED_WITH_BATTLES
    try:
        solution = solve(game, memory=most * BYTES_EACH)
    except TooLarge:
        return None
    assert isinstance(solution, PlainSolution)  # tables are used only for more positions
    check_certificate(read_certificate(write_certificate(solution)))
    return None


def check_player(player: Policy, game: Game, seed: int = 0) -> list[Finding]:
    """The findings of all checks of a policy, made in random games from the start."""
    asked = list(dict.fromkeys(_asked(_random_games(game, seed))))

    def fits(position: Position, side: Side) -> str | None:
        found, wanted = len(player.chances(position, side)), _choices(game, position, side)
        return None if found == wanted else f"{found} chances for {wanted} choices"

    def adds_up(position: Position, side: Side) -> str | None:
        chances = player.chances(position, side)
        if min(chances, default=0.0) < 0:
            return f"a chance of {min(chances)}"
        total = sum(chances)
        return None if isclose(total, 1, abs_tol=1e-9) else f"the sum is {total}"

    def repeats(position: Position, side: Side) -> str | None:
        same = player.chances(position, side) == player.chances(position, side)
        return None if same else "two answers"

    looks: dict[str, _Look] = {
        "it gives one chance for each choice": fits,
        "its chances are not negative and add up to 1": adds_up,
        "asked again, it gives the same answer": repeats,
    }
    return [
        Finding(
            what,
            _first_wrong(
                f"In {position} for player {side}: {wrong}."
                for position, side in asked
                if (wrong := look(position, side))
            ),
        )
        for what, look in looks.items()
    ]


def _asked(records: Iterable[Record]) -> Iterator[tuple[Position, Side]]:
    """The positions in which something was chosen, with each side that had to choose there."""
    for record in records:
        for position in record.positions()[: len(record.moves)]:
            for side in Side if position.battle is not None else (position.side,):
                yield position, side


def _choices(game: Game, position: Position, side: Side) -> int:
    return len(game.moves(position) if position.battle is None else game.hand(position, side))
