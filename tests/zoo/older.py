"""An engine from before `go` named the moves: it knows the rules, and refuses words it does not."""

import sys

from lineduel import Game, Rulebook, parse_move, read_position
from lineduel.errors import LineduelError
from lineduel.rules import Words, parse_rules


def answer(game: Game | None, where: str, line: str) -> str:
    match line.split():
        case ["go", "movetime", _] if game and where:
            return f"bestmove {game.moves(read_position(game, where))[0]}"
        case ["go", "movetime", _, "side", _] if game and where:
            return "bestmove 1"
    return f"error not understood: {line.strip()}"


def main() -> None:
    game, where = None, ""
    for line in sys.stdin:
        said = ""
        try:
            match line.split():
                case ["duel"]:
                    said = "id name older\nduelok"
                case ["isready"]:
                    said = "readyok"
                case ["rules", "set", *_]:
                    rules = parse_rules(line.split(None, 2)[2])
                    book = Rulebook(id="", title="", summary="", rules=rules, words=Words())
                    game = Game(book)
                case ["position", text, *moves] if game:
                    position = read_position(game, text)
                    for move in moves[1:]:
                        position = game.play(position, parse_move(move))
                    where = str(position)
                case ["quit"]:
                    return
                case []:
                    pass
                case _:
                    said = answer(game, where, line)
        except LineduelError as error:
            said = f"error {' '.join(str(error).split())}"
        if said:
            print(said, flush=True)


main()
