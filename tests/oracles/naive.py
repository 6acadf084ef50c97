"""The rules a second time, slowly and in plain words, as a witness against the engine.

Written from the text of the design and from nothing else: it reads the data of a rulebook file,
keeps men on a board of its own, and speaks in the text forms of positions and moves, so that it
shares no code with the engine. A board remembers who won, instead of reading it off the men.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any


@dataclass
class Man:
    """A piece on the board, or out of the game when it has no cell."""

    name: str
    owner: int
    home: int
    cell: int | None


@dataclass
class Board:
    """Where the men stand, who moves, where a battle is open, and who has won."""

    men: list[Man]
    mover: int
    fight: int | None = None
    won: int | None = None
    hands: dict[int, list[int]] | None = None
    """The numbers that each player can still choose, where numbers are spent."""

    def of(self, player: int) -> list[Man]:
        return [man for man in self.men if man.owner == player]

    def on(self, cell: int) -> list[Man]:
        return [man for man in self.men if man.cell == cell]

    def __str__(self) -> str:
        """`P1 cells/P2 cells/side`, and the mark of an open battle."""
        sides = [
            ",".join("x" if man.cell is None else str(man.cell) for man in self.of(player))
            for player in (1, 2)
        ]
        text = f"{sides[0]}/{sides[1]}/{self.mover}"
        if self.fight is not None:
            cells = {man.cell for man in self.of(1)} & {man.cell for man in self.of(2)} - {None}
            text += "*" if len(cells) == 1 else f"*{self.fight}"
        if self.hands is None:
            return text
        left = ["".join(str(one) for one in sorted(self.hands[player])) for player in (1, 2)]
        return f"{text};{left[0]}/{left[1]}"


def known(word: str, *words: str) -> str:
    """A word that this oracle can play by; any other is refused, so that it is taught first."""
    if word not in words:
        raise ValueError(f"{word!r} is new here: teach it to this oracle.")
    return word


class Naive:
    """A rulebook's data, played by the book."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.cells = range(data["track"]["first"], data["track"]["last"] + 1)
        self.pieces = {player: data[f"player{player}"]["pieces"] for player in (1, 2)}
        self.goals = {player: data[f"player{player}"]["goal"] for player in (1, 2)}
        self.needs = {player: data[f"player{player}"].get("goal_needs", 1) for player in (1, 2)}
        self.beginners = {"player1": [1], "player2": [2], "either": [1, 2]}[data["turn"]["first"]]
        self.stuck_loses = {"passes": False, "loses": True}[data["turn"].get("stuck", "passes")]
        self.steps: dict[str, list[int]] = {}
        listed = list(data["move"]["steps"])
        for player in (1, 2):
            of_all = data[f"player{player}"].get("steps", [])
            of_one = data[f"player{player}"].get("piece_steps", {})
            for name in self.pieces[player]:
                self.steps[name] = of_one.get(name) or of_all or data["move"]["steps"]
            listed += [*of_all, *(step for steps in of_one.values() for step in steps)]
        self.listed = list(dict.fromkeys(listed))
        self.stay_at_edge = {"illegal": False, "stay": True}[data["move"]["edge"]]
        self.may_jump: bool = data["move"]["jump"]
        self.again = {"never": False, "capture": True}[data["move"].get("again", "never")]
        self.own = known(data["meet"]["own"], "blocked", "shared")
        self.enemy = known(
            data["meet"]["enemy"], "blocked", "shared", "captured", "sent home", "battle", "wins"
        )
        battle = data.get("battle", {"numbers": 0, "wins": ""})
        self.numbers = battle["numbers"]
        self.battle_rule = known(battle["wins"], "", "higher", "cyclic", "undercut")
        self.tie = known(battle.get("tie", "both"), "both", "attacker", "defender", "nobody")
        self.spends = {"kept": False, "spent": True}[battle.get("hand", "kept")]
        self.losers_go_home = {"sent home": True, "captured": False}[
            battle.get("loser", "sent home")
        ]

    def start(self, beginner: int) -> Board:
        """Every piece on its home."""
        men = [
            Man(name, player, home, home)
            for player in (1, 2)
            for name, home in self.pieces[player].items()
        ]
        board = Board(men, beginner)
        if self.spends:
            board.hands = {player: self._all_numbers() for player in (1, 2)}
        self._judge_stuck(board)
        return board

    def moves(self, board: Board) -> list[str]:
        """The text of every legal move: pieces in order, and for each the steps in order."""
        if board.won is not None:
            return []
        if board.fight is not None:
            left = board.hands or {player: self._all_numbers() for player in (1, 2)}
            return [f"{one}:{two}" for one in left[1] for two in left[2]]
        steps = [
            f"{man.name}{step:+d}"
            for man in board.of(board.mover)
            for step in self.steps_of(man)
            if self._may(board, man, step)
        ]
        return steps if steps else ["pass"]

    def play(self, board: Board, move: str) -> Board:
        """The board after a move that is legal."""
        men = [replace(man) for man in board.men]
        after = Board(men, mover=3 - board.mover, fight=board.fight, hands=board.hands)
        if board.fight is not None:
            one, two = move.split(":")
            self._settle(after, board.fight, int(one), int(two), attacked=board.mover)
            if board.hands is not None:
                after.hands = {
                    player: self._without(board.hands[player], int(number))
                    for player, number in ((1, one), (2, two))
                }
            after.mover = board.mover  # it was the other player's turn already
        elif move != "pass":
            for man in after.of(board.mover):
                for step in self.steps_of(man):
                    if move == f"{man.name}{step:+d}":
                        self._step(after, man, step)
                        break
        self._judge(after)
        if self.again and board.fight is None and self._took_somebody(board, after):
            self._let_move_again(after, board.mover)
        self._judge_stuck(after)
        return after

    def count(self, board: Board, depth: int) -> int:
        """The number of move sequences of that length."""
        if depth == 0:
            return 1
        return sum(self.count(self.play(board, move), depth - 1) for move in self.moves(board))

    def _all_numbers(self) -> list[int]:
        return list(range(1, self.numbers + 1))

    def _without(self, hand: list[int], number: int) -> list[int]:
        """What is left of a hand; when nothing is, all numbers come back at once."""
        left = hand.copy()
        left.remove(number)
        return left if left else self._all_numbers()

    def steps_of(self, man: Man) -> list[int]:
        """The steps of a man, in the order in which the book names them first."""
        return [step for step in self.listed if step in self.steps[man.name]]

    def _target(self, man: Man, step: int) -> int:
        """Player 1 moves toward the last cell, player 2 toward the first."""
        assert man.cell is not None
        return man.cell + step if man.owner == 1 else man.cell - step

    def _may(self, board: Board, man: Man, step: int) -> bool:
        if man.cell is None:
            return False
        if step == 0:
            return True  # staying is a legal move and meets nobody
        target = self._target(man, step)
        if target not in self.cells:
            return self.stay_at_edge
        if not self.may_jump and any(board.on(cell) for cell in _between(man.cell, target)):
            return False
        met = board.on(target)
        if self.own == "blocked" and any(other.owner == man.owner for other in met):
            return False
        return not (self.enemy == "blocked" and any(other.owner != man.owner for other in met))

    def _step(self, board: Board, man: Man, step: int) -> None:
        target = self._target(man, step)
        if step == 0 or target not in self.cells:
            return
        enemies = [other for other in board.on(target) if other.owner != man.owner]
        man.cell = target
        if not enemies:
            return
        if self.enemy == "captured":
            for other in enemies:
                other.cell = None
        elif self.enemy == "sent home":
            for other in enemies:
                other.cell = other.home
        elif self.enemy == "battle":
            board.fight = target
        elif self.enemy == "wins":
            board.won = man.owner

    def _took_somebody(self, before: Board, after: Board) -> bool:
        """Whether an enemy of the mover is on another cell than before, or on none."""
        enemies = zip(before.of(3 - before.mover), after.of(3 - before.mover), strict=True)
        return any(one.cell != other.cell for one, other in enemies)

    def _let_move_again(self, board: Board, player: int) -> None:
        """The turn stays with whoever took an enemy, unless there is nothing to move."""
        board.mover = player
        if self.moves(board) in ([], ["pass"]):
            board.mover = 3 - player

    def _settle(self, board: Board, cell: int, one: int, two: int, attacked: int) -> None:
        """All pieces of the losing side on that cell go home, or out; on a tie whom it names.

        Where nobody is left, whoever did not attack has won; the attacker has had his turn.
        """
        winner = self._battle_winner(one, two)
        if winner is not None:
            losers = [3 - winner]
        else:
            both = {"attacker": [3 - attacked], "defender": [attacked], "nobody": []}
            losers = both.get(self.tie, [1, 2])
        for man in board.on(cell):
            if man.owner in losers:
                man.cell = man.home if self.losers_go_home else None
        board.fight = None
        if _gone(board.men):
            board.won = attacked

    def _battle_winner(self, one: int, two: int) -> int | None:
        if one == two:
            return None
        if self.battle_rule == "cyclic":
            ahead = (one - two) % self.numbers
            return 1 if 1 <= ahead <= (self.numbers - 1) // 2 else 2
        if self.battle_rule == "undercut" and abs(one - two) == 1:
            return 1 if one < two else 2
        return 1 if one > two else 2

    def _judge(self, board: Board) -> None:
        """Who has won now that the move is settled; while a battle is open it is not."""
        if board.fight is not None:
            return
        winners = set() if board.won is None else {board.won}
        for player in (1, 2):
            arrived = [man for man in board.of(player) if man.cell in self.goals[player]]
            if len(arrived) >= self.needs[player]:
                winners.add(player)
            if _gone(board.of(3 - player)) and not _gone(board.of(player)):
                winners.add(player)
        assert len(winners) <= 1, f"{board} is won by both"
        board.won = winners.pop() if winners else None

    def _judge_stuck(self, board: Board) -> None:
        """Whoever has the turn and no legal move has lost, where the rules say so."""
        if self.stuck_loses and self.moves(board) == ["pass"]:
            board.won = 3 - board.mover


def _gone(men: list[Man]) -> bool:
    return all(man.cell is None for man in men)


def _between(one: int, other: int) -> Iterator[int]:
    yield from range(min(one, other) + 1, max(one, other))
