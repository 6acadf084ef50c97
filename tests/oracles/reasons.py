"""What reasons are about, worked out a second time by the naive rules.

Positions and moves are their texts. Without battles the values come from a naive solver of its
own; with battles they are given, and proved elsewhere. Nothing is shared with the program's
reasons.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from oracles.naive import Board, Man, Naive

Worth = tuple[Fraction, Fraction, int | None]
"""What player 1 can expect, at least and at most, and the turns of a forced win."""
ENDS = ("reaches goal", "takes last", "lands", "traps")
STRIKES = ("takes", "sends home")
QUIET = ("blocks", "threatens")
ORDER = (*ENDS, *STRIKES)
"""What strikes or wins, the gravest first."""


@dataclass(frozen=True)
class Deed:
    """What a move does: the act, who does it, from where, to where, and to whom."""

    act: str
    player: int
    piece: str
    start: int
    cell: int
    victims: tuple[str, ...]

    def is_like(self, other: "Deed") -> bool:
        return (self.act, self.player, self.victims) == (other.act, other.player, other.victims)


class ReasonOracle:
    """A game by the naive rules, with the value of every position."""

    def __init__(
        self, data: dict[str, Any], start: str, given: Callable[[str], Worth] | None = None
    ) -> None:
        self.naive = Naive(data)
        self._given = given
        self._start = self.board(start)
        self._moves: dict[str, list[str]] = {}
        self._after: dict[tuple[str, str], Board] = {}
        self._waits: dict[str, int] = {}
        battle = data.get("battle")
        goes_home = data["meet"]["enemy"] == "sent home" or (
            battle and battle.get("loser", "sent home") == "sent home"
        )
        self._homes_matter = bool(goes_home)

    # The rules

    def board(self, text: str) -> Board:
        """A board from the text of a position that is not over."""
        standing, _, held = text.partition(";")
        ones, twos, rest = standing.split("/")
        side, star, fight = rest.partition("*")
        men = [
            Man(name, player, home, None if cell == "x" else int(cell))
            for player, cells in ((1, ones), (2, twos))
            for (name, home), cell in zip(
                self.naive.pieces[player].items(), cells.split(","), strict=True
            )
        ]
        board = Board(men, int(side))
        if held:
            board.hands = {
                player: [int(number) for number in hand]
                for player, hand in zip((1, 2), held.split("/"), strict=True)
            }
        if star:
            shared = {man.cell for man in board.of(1)} & {man.cell for man in board.of(2)} - {None}
            board.fight = int(fight) if fight else shared.pop()
        return board

    def moves(self, board: Board) -> list[str]:
        key = self._key(board)
        if key not in self._moves:
            self._moves[key] = self.naive.moves(board)
        return self._moves[key]

    def play(self, board: Board, move: str) -> Board:
        key = self._key(board), move
        if key not in self._after:
            assert move in self.moves(board), f"{move} is illegal in {board}"
            self._after[key] = self.naive.play(board, move)
        return self._after[key]

    def turned(self, board: Board, player: int) -> Board:
        return replace(board, mover=player)

    @staticmethod
    def _key(board: Board) -> str:
        return f"{board} {board.won}"

    # Values

    def worth(self, board: Board) -> Worth:
        """The value; KeyError for a position that play does not reach."""
        if board.won is not None:
            sure = Fraction(1 if board.won == 1 else -1)
            return sure, sure, 0
        if self._given is not None:
            return self._given(str(board))
        return self._solved[self._standing(board)]

    def bounds(self, board: Board, player: int) -> tuple[Fraction, Fraction]:
        """The least and the most that a player can expect."""
        low, high, _ = self.worth(board)
        return (low, high) if player == 1 else (-high, -low)

    def winner(self, board: Board) -> int | None:
        low, high, plies = self.worth(board)
        if plies is None or low != high:
            return None
        return {1: 1, -1: 2}.get(int(low))

    def keeping(self, board: Board) -> list[str]:
        """The moves that are not proved to be worse than another."""
        player = board.mover
        after = {move: self.bounds(self.play(board, move), player) for move in self.moves(board)}
        sure = max(self.bounds(board, player)[0], *(low for low, _ in after.values()))
        return [move for move, (_, high) in after.items() if high >= sure]

    def best(self, board: Board) -> list[str]:
        """Without battles: the moves that keep the value and win soonest or lose latest."""

        def order(move: str) -> tuple[Fraction, float]:
            after = self.play(board, move)
            plies = self.worth(after)[2]
            worth = self.bounds(after, board.mover)[0]
            haste = 0 if plies is None else -plies if worth == 1 else plies
            return worth, haste

        top = max(map(order, self.moves(board)))
        return [move for move in self.moves(board) if order(move) == top]

    def _standing(self, board: Board) -> str:
        """The same for positions that differ only in pieces that are alike."""
        parts = []
        for player in (1, 2):
            men = [
                (
                    man.home if self._homes_matter else 0,
                    sorted(self.naive.steps_of(man)),
                    man.cell is None,
                    man.cell or 0,
                )
                for man in board.of(player)
            ]
            parts.append(str(sorted(men)))
        return f"{parts}{board.mover}{board.fight}"

    @cached_property
    def _solved(self) -> dict[str, Worth]:
        """Every position from the start, worked back from the ends."""
        found: dict[str, Board] = {}
        after: dict[str, set[str]] = {}
        waiting = [self._start]
        while waiting:
            board = waiting.pop()
            key = self._standing(board)
            if key in found:
                continue
            found[key] = board
            reached = [self.naive.play(board, move) for move in self.naive.moves(board)]
            after[key] = {self._standing(one) for one in reached}
            waiting += reached
        before: dict[str, list[str]] = {key: [] for key in found}
        for key, reached_keys in after.items():
            for one in reached_keys:
                before[one].append(key)
        values = {key: (board.won, 0) for key, board in found.items() if board.won is not None}
        open_ = {key: len(reached_keys) for key, reached_keys in after.items()}
        latest, plies = list(values), 0
        while latest:
            settled, latest, plies = latest, [], plies + 1
            for known in settled:
                won = values[known][0]
                for key in before[known]:
                    open_[key] -= 1
                    if key not in values and (found[key].mover == won or open_[key] == 0):
                        values[key] = won, plies
                        latest.append(key)
        worth: dict[str, Worth] = dict.fromkeys(found, (Fraction(0), Fraction(0), None))
        for key, (won, turns) in values.items():
            sure = Fraction(1 if won == 1 else -1)
            worth[key] = sure, sure, turns
        return worth

    # What moves do

    def deed(self, board: Board, move: str) -> Deed | None:
        """The gravest thing that a move does, read off the boards before and after it."""
        if board.fight is not None or move == "pass":
            return None
        after = self.play(board, move)
        player, enemy = board.mover, 3 - board.mover
        moved = [
            (was, now)
            for was, now in zip(board.of(player), after.of(player), strict=True)
            if was.cell != now.cell
        ]
        if not moved:
            return None
        [(was, now)] = moved
        assert was.cell is not None
        assert now.cell is not None
        enemies = list(zip(board.of(enemy), after.of(enemy), strict=True))
        gone = tuple(
            one.name for one, later in enemies if one.cell is not None and later.cell is None
        )
        home = tuple(
            one.name for one, later in enemies if later.cell is not None and one.cell != later.cell
        )
        met = tuple(one.name for one, _ in enemies if one.cell == now.cell)

        def deed(act: str, victims: tuple[str, ...]) -> Deed:
            assert was.cell is not None
            assert now.cell is not None
            return Deed(act, player, was.name, was.cell, now.cell, victims)

        if after.won == player:
            arrived = [man.cell in self.naive.goals[player] for man in after.of(player)]
            if sum(arrived) >= self.naive.needs[player]:
                return deed("reaches goal", gone)
            if all(man.cell is None for man in after.of(enemy)):
                return deed("takes last", gone)
            landed = self.naive.enemy == "wins" and met
            return deed("lands", met) if landed else deed("traps", gone)
        if gone:
            return deed("takes", gone)
        if home:
            return deed("sends home", home)
        if after.fight is not None:
            return deed("battle", met)
        if after.won is None:
            could, can = (self.advancing(self.turned(one, enemy)) for one in (board, after))
            if any(name not in can for name in could):
                return deed("blocks", self.stuck(after, enemy))
            if not self.is_race(board) and self.cannot_be_stopped(after, player):
                return deed("threatens", ())
        return None

    def cannot_be_stopped(self, board: Board, player: int) -> bool:
        """The player could win now, and can after every move of the other one, who has the turn."""
        if board.mover == player or board.fight is not None:
            return False
        later = [self.play(board, move) for move in self.moves(board)]
        return all(map(self._wins_at_once, [self.turned(board, player), *later], [player] * 99))

    def _wins_at_once(self, board: Board, player: int) -> bool:
        if board.won is not None or board.fight is not None or board.mover != player:
            return False
        later = [self.play(board, move) for move in self.moves(board)]
        return any(one.won == player or self._wins_at_once(one, player) for one in later)

    def advancing(self, board: Board) -> list[str]:
        """The pieces of the player to move that can go forward."""
        legal = self.moves(board)
        return [
            man.name
            for man in board.of(board.mover)
            for steps in [[f"{man.name}{step:+d}" for step in self.naive.steps_of(man) if step > 0]]
            if any(step in legal and self.landing(board, step) for step in steps)
        ]

    def stuck(self, board: Board, player: int) -> tuple[str, ...]:
        """A player's pieces that cannot go forward, though there are cells ahead of them."""
        can, ahead = self.advancing(self.turned(board, player)), 1 if player == 1 else -1
        return tuple(
            man.name
            for man in board.of(player)
            if man.name not in can and man.cell is not None
            if any(
                step > 0 and man.cell + ahead * step in self.naive.cells
                for step in self.naive.steps_of(man)
            )
        )

    def reaches_goal(self, board: Board, player: int, turns: int) -> bool:
        """The player gets to a goal in his last turn or wins sooner, whatever the other plays."""
        if board.won is not None:
            arrived = [man.cell in self.naive.goals[player] for man in board.of(player)]
            goal = sum(arrived) >= self.naive.needs[player]
            return board.won == player and (turns > 0 or goal)
        if board.fight is not None or self.winner(board) != player:
            return False
        later = [self.play(board, move) for move in self.moves(board)]
        if board.mover == player:
            return turns > 0 and any(self.reaches_goal(one, player, turns - 1) for one in later)
        return all(self.reaches_goal(one, player, turns) for one in later)

    def threats(self, board: Board, player: int) -> Iterator[tuple[str, Deed]]:
        turned = self.turned(board, player)
        for move in self.moves(turned):
            deed = self.deed(turned, move)
            if deed is not None and deed.act not in QUIET:
                yield move, deed

    def landing(self, board: Board, move: str) -> tuple[str, int] | None:
        """The piece that changes its cell, and the new cell."""
        if board.fight is not None or move == "pass":
            return None
        after = self.play(board, move)
        for was, now in zip(board.of(board.mover), after.of(board.mover), strict=True):
            if was.cell != now.cell and now.cell is not None:
                return now.name, now.cell
        return None

    def guards(self, board: Board, piece: str, cell: int) -> bool:
        [man] = [one for one in board.men if one.name == piece]
        if man.cell == cell:
            return self.naive.enemy in ("blocked", "battle")
        if self.naive.enemy in ("blocked", "shared"):
            return False
        enemy = self.turned(board, 3 - man.owner)
        answers = []
        for move in self.moves(enemy):
            landed = self.landing(enemy, move)
            if landed is None or landed[1] != cell:
                continue
            after = self.play(enemy, move)
            if after.won is not None:
                continue
            if after.fight is not None:
                return False
            own = self.turned(after, man.owner)
            answers.append(
                any(self.landing(own, reply) == (piece, cell) for reply in self.moves(own))
            )
        return bool(answers) and all(answers)

    def is_race(self, board: Board) -> bool:
        """Nothing meets: no step goes back and all have passed, or nobody is in anybody's way."""
        steps = [step for man in board.men for step in self.naive.steps_of(man)]
        if self._may_be_stuck(board):
            return False
        long_steps = [step for step in steps if step not in (-1, 0, 1)]
        if self.naive.enemy == "shared" and (self.naive.may_jump or not long_steps):
            return True
        cells = [
            [man.cell for man in board.of(player) if man.cell is not None] for player in (1, 2)
        ]
        passed = all(one >= two for one in cells[0] for two in cells[1])
        return passed and all(step >= 0 for step in steps)

    def _may_be_stuck(self, board: Board) -> bool:
        """A player without a move loses, and a piece that cannot stay may be without one."""
        cannot_stay = [man for man in board.men if 0 not in self.naive.steps_of(man)]
        return self.naive.stuck_loses and bool(cannot_stay)

    def need(self, board: Board, player: int) -> int | None:
        """The fewest turns of a player to the goal while the other one stands still."""
        reached, seen, turns = [self.turned(board, player)], set(), 0
        while reached:
            turns += 1
            further = []
            for one in reached:
                for move in self.moves(one):
                    after = self.play(one, move)
                    arrived = [man.cell in self.naive.goals[player] for man in after.of(player)]
                    if after.won == player and sum(arrived) >= self.naive.needs[player]:
                        return turns
                    if str(after) not in seen:
                        seen.add(str(after))
                        further.append(self.turned(after, player))
            reached = further
        return None

    def is_zugzwang(self, board: Board) -> bool:
        """Worth less to the player to move than with the other one to move."""
        player = board.mover
        other = self.turned(board, 3 - player)
        return self.bounds(board, player)[1] < self.bounds(other, player)[0]

    def has_passed_all(self, board: Board, piece: str) -> bool:
        """Nothing can stop a piece: all enemies are behind it, and nobody goes back."""
        if self._may_be_stuck(board) or any(
            step < 0 for man in board.men for step in self.naive.steps_of(man)
        ):
            return False
        [man] = [one for one in board.men if one.name == piece]
        ahead = 1 if man.owner == 1 else -1
        enemies = [one.cell for one in board.of(3 - man.owner) if one.cell is not None]
        return man.cell is not None and all(ahead * man.cell >= ahead * one for one in enemies)

    def need_alone(self, board: Board, piece: str) -> int | None:
        """The fewest turns of a piece to a goal on an empty track."""
        [man] = [one for one in board.men if one.name == piece]
        ahead = 1 if man.owner == 1 else -1
        reached, turns = {man.cell}, 0
        while turns <= len(self.naive.cells):
            turns += 1
            reached = {
                cell + ahead * step
                for cell in reached
                for step in self.naive.steps_of(man)
                if cell is not None and cell + ahead * step in self.naive.cells
            }
            if reached & set(self.naive.goals[man.owner]):
                return turns
        return None

    def need_on_an_empty_track(self, board: Board, player: int) -> int | None:
        """The turns of the fastest pieces, as many as have to be on a goal, each alone."""
        turns = []
        for man in board.of(player):
            if man.cell in self.naive.goals[player]:
                turns.append(0)
            elif man.cell is not None and (alone := self.need_alone(board, man.name)) is not None:
                turns.append(alone)
        needed = self.naive.needs[player]
        return sum(sorted(turns)[:needed]) if len(turns) >= needed else None

    def loses_at_distance(self, apart: int) -> bool:
        """The player to move loses wherever the two pieces are, in two places or more."""
        places = set()
        for cell in self.naive.cells:
            if cell in self.naive.goals[1] or cell + apart in self.naive.goals[2]:
                continue
            for mover in (1, 2):
                board = self.board(f"{cell}/{cell + apart}/{mover}")
                try:
                    winner = self.winner(board)
                except KeyError:
                    continue
                if winner != 3 - mover:
                    return False
                places.add(cell)
        return len(places) > 1

    def safe_moves(self, board: Board) -> list[str]:
        """The moves that strike nothing, and after which the other player can strike nothing."""
        return [
            move
            for move in self.moves(board)
            for deed, after in [(self.deed(board, move), self.play(board, move))]
            if after.won is None and (deed is None or deed.act in QUIET)
            if not [*self.threats(after, after.mover)]
        ]

    def runs_out_of_safe_moves(self, board: Board) -> int:
        """The player who is the first without a safe move, if both wait as well as they can."""
        key = self._standing(board)
        if key not in self._waits:
            later = [
                self.runs_out_of_safe_moves(self.play(board, move))
                for move in self.safe_moves(board)
            ]
            other = 3 - board.mover
            self._waits[key] = other if other in later else board.mover
        return self._waits[key]

    def safe_moves_in_a_row(self, board: Board, player: int) -> int:
        """The most safe moves that a player could make while the other one stands still."""
        turned = self.turned(board, player)
        later = [self.play(turned, move) for move in self.safe_moves(turned)]
        return max((1 + self.safe_moves_in_a_row(one, player) for one in later), default=0)

    def answers(self, board: Board) -> list[tuple[str, Deed | None, Deed | None, bool, int | None]]:
        """Each move of the player to move: what it strikes, what strikes back, zugzwang again."""
        found = []
        for move in self.moves(board):
            after, own = self.play(board, move), self.deed(board, move)
            own = own if own is not None and own.act in STRIKES else None
            deed, repeats = None, False
            if after.mover != board.mover and after.fight is None and after.won is None:
                replies = self.keeping(after)
                deeds = [self.deed(after, reply) for reply in replies]
                acts = (*ORDER, "battle", "threatens")
                met = [one for one in deeds if one is not None and one.act in acts]
                deed = min(met, key=lambda one: acts.index(one.act), default=None)
                later = [self.play(after, reply) for reply in replies]
                repeats = any(self._is_proved_zugzwang(one, board.mover) for one in later)
            lost = self.winner(after) == 3 - board.mover
            within = self.worth(after)[2] if lost else None
            found.append((move, own, deed, repeats, within))
        return found

    def _is_proved_zugzwang(self, board: Board, player: int) -> bool:
        if board.mover != player or board.fight is not None or board.won is not None:
            return False
        if self.moves(board) == ["pass"]:
            return False
        try:
            return self.is_zugzwang(board)
        except KeyError:  # with the other player to move it is not solved
            return False

    def strike_back(self, board: Board, deed: Deed) -> str | None:
        """The first move that strikes the piece that has just struck."""
        if deed.act not in STRIKES:
            return None
        for move in self.moves(board):
            back = self.deed(board, move)
            if back is None or back.act == "battle":
                continue
            if back.cell == deed.cell and deed.piece in back.victims:
                return move
        return None

    def gravest_threat(self, board: Board, piece: str) -> Deed | None:
        """The gravest thing that a piece could do if its player had the turn."""
        if board.won is not None or board.fight is not None:
            return None
        [owner] = [man.owner for man in board.men if man.name == piece]
        found = [deed for _, deed in self.threats(board, owner) if deed.piece == piece]
        acts = (*ORDER, "battle")
        return min(found, key=lambda deed: acts.index(deed.act), default=None)

    def extra_moves(self, board: Board, player: int) -> Iterator[tuple[list[Deed], Board]]:
        """What a player strikes and wins with extra moves, and the board after them.

        Without battles the best moves; with battles all ways that keep the value.
        """
        if board.mover != player or board.fight is not None or board.won is not None:
            yield [], board
            return
        moves = self.keeping(board) if self.naive.numbers else self.best(board)[:1]
        for move in moves:
            deed = self.deed(board, move)
            struck = [deed] if deed is not None and deed.act in ORDER else []
            for more, after in self.extra_moves(self.play(board, move), player):
                yield struck + more, after

    def terms(self, board: Board, move: str) -> tuple[Worth, Worth, Worth, Worth] | None:
        """What the battle that a move opens is worth: won, tied, lost by the mover, and open.

        None where that is not all: where a result cannot come up or has more than one worth.
        """
        fight = self.play(board, move)
        if fight.fight is None:
            return None
        found: dict[int | None, set[Worth]] = {1: set(), 2: set(), None: set()}
        for pair in self.moves(fight):
            one, two = map(int, pair.split(":"))
            found[self.naive._battle_winner(one, two)].add(self.worth(self.play(fight, pair)))
        if {len(worths) for worths in found.values()} != {1}:
            return None
        won, tied, lost = (found[who].pop() for who in (board.mover, None, 3 - board.mover))
        return won, tied, lost, self.worth(fight)

    def is_free_battle(self, board: Board, move: str) -> bool:
        """Whether the mover can gain by the battle that a move opens, and risks nothing."""
        terms = self.terms(board, move)
        if terms is None:
            return False
        low, high = self.bounds(board, board.mover)
        won, tied, lost = (
            (one[0], one[1]) if board.mover == 1 else (-one[1], -one[0]) for one in terms[:3]
        )
        return won[0] > high and min(tied[0], lost[0]) >= low

    def harm(self, board: Board, move: str) -> list[Deed]:
        """What the other player can take, send home or win right after a move, or fight freely."""
        after = self.play(board, move)
        if after.won is not None or after.fight is not None or after.mover == board.mover:
            return []
        return [
            deed
            for reply, deed in self.threats(after, after.mover)
            if deed.act != "battle" or self.is_free_battle(after, reply)
        ]
