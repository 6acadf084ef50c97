"""What a battle is about, before anybody chooses a number."""

from collections.abc import Iterator

from lineduel.engine import Captured, Event, Game, Numbers, Position, SentHome, Won
from lineduel.narration.move_text import cell_label
from lineduel.narration.narrator import Names
from lineduel.narration.turn_sentence import capitalized, verb
from lineduel.rules import Side, listed


def battle_stakes(game: Game, position: Position, names: Names) -> str:
    """`If you win, P2 goes home to 5. If the computer wins, it wins the game. On a tie, …`"""
    battle = game.rules.battle
    assert battle is not None
    results: dict[Side | None, Numbers] = {}
    for move in game.moves(position):
        if isinstance(move, Numbers):
            results.setdefault(battle.winner(*move), move)
    said = []
    for winner in (*Side, None):
        if winner in results:
            who = f"if {names[winner]} {verb(names[winner], 'wins')}" if winner else "on a tie"
            clauses = list(_clauses(game, game.events(position, results[winner]), names))
            nothing = "nothing changes" if position.hands is None else "no piece moves"
            said.append(f"{who}, {listed(clauses, 'and') or nothing}.")
    return " ".join(map(capitalized, said))


def _clauses(game: Game, events: tuple[Event, ...], names: Names) -> Iterator[str]:
    for event in events:
        match event:
            case SentHome(_, piece, _, home):
                yield f"{piece} goes home to {cell_label(game, home)}"
            case Captured(_, piece):
                yield f"{piece} is taken"
            case Won(side):
                yield f"{names[side]} {verb(names[side], 'wins')} the game"
            case _:
                pass
