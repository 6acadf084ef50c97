"""Checks a certificate of `lineduel solve --certificate FILE` without any code of lineduel.

    python examples/check_certificate.py proof.txt

It reads the file as docs/explanation/certificates.md describes it, plays every move by rules of its
own, and looks at each position once, together with the positions that its moves lead to.
"""

import sys
from fractions import Fraction
from hashlib import sha256
from pathlib import Path


class Position:
    """Both sides' cells (None: captured), the side to move, and the cell of an open battle."""

    def __init__(self, sides, turn, battle=None):
        self.sides, self.turn, self.battle = sides, turn, battle

    def __str__(self):
        cells = ["x" if cell is None else str(cell) for side in self.sides for cell in side]
        one, two = cells[: len(self.sides[0])], cells[len(self.sides[0]) :]
        shared = {*self.sides[0]} & {*self.sides[1]} - {None}
        mark = "" if self.battle is None else "*" if len(shared) == 1 else f"*{self.battle}"
        return f"{','.join(one)}/{','.join(two)}/{self.turn + 1}{mark}"


class Rules:
    """The line `rules`, and play by it. Side 0 is player 1, side 1 is player 2."""

    def __init__(self, text):
        keys = dict(part.split("=", 1) for part in text.split("; "))
        self.cells = range(int(keys["track.first"]), int(keys["track.last"]) + 1)
        pieces = (keys["player1.pieces"].split(","), keys["player2.pieces"].split(","))
        self.homes = [[int(one.rpartition(":")[2]) for one in side] for side in pieces]
        self.goals = [{*map(int, keys[f"player{n}.goal"].split(","))} for n in (1, 2)]
        self.steps = [*map(int, keys["move.steps"].split(","))]
        self.stay, self.jump = keys["move.edge"] == "stay", keys["move.jump"] == "true"
        self.again = keys.get("move.again") == "capture"
        self.own, self.enemy = keys["meet.own"], keys["meet.enemy"]
        self.numbers, self.wins = int(keys.get("battle.numbers", 0)), keys.get("battle.wins")
        self.loser, self.tie = keys.get("battle.loser", "sent home"), keys.get("battle.tie", "both")
        sent_home = self.loser if self.numbers else self.enemy
        self.homes_matter = sent_home == "sent home"

    def winner(self, at):
        """The side that has won, or None."""
        if at.battle is not None:
            return None
        for side in (0, 1):
            if self.goals[side] & {*at.sides[side]}:
                return side
        gone = [{*side} == {None} for side in at.sides]
        if any(gone):
            return at.turn if all(gone) else 0 if gone[1] else 1
        if self.enemy == "wins" and {*at.sides[0]} & {*at.sides[1]} - {None}:
            return 1 - at.turn
        return None

    def after(self, at):
        """The positions that the legal moves lead to, in the order of the rules."""
        if self.winner(at) is not None:
            return []
        if at.battle is not None:
            numbers = range(self.numbers)
            return [self.in_order(self.settled(at, a, b)) for a in numbers for b in numbers]
        found = [
            self.moved(at, piece, step)
            for piece in range(len(at.sides[at.turn]))
            for step in self.steps
        ]
        found = [one for one in found if one is not None]
        return [self.in_order(one) for one in found or [Position(at.sides, 1 - at.turn)]]

    def moved(self, at, piece, step):
        """The position after a step, or None if the step is not legal."""
        side, cell = at.turn, at.sides[at.turn][piece]
        if cell is None:
            return None
        to = cell + (step if side == 0 else -step)
        if step == 0 or to not in self.cells:
            return Position(at.sides, 1 - side) if step == 0 or self.stay else None
        between = {*range(min(cell, to) + 1, max(cell, to))}
        if not self.jump and between & {*at.sides[0], *at.sides[1]}:
            return None
        meets = to in at.sides[1 - side]
        if (to in at.sides[side] and self.own == "blocked") or (meets and self.enemy == "blocked"):
            return None
        sides = [list(one) for one in at.sides]
        sides[side][piece] = to
        if meets and self.enemy in ("captured", "sent home"):
            self.displace(sides, 1 - side, to, self.enemy)
        after = Position(sides, 1 - side, to if meets and self.enemy == "battle" else None)
        if self.again and sides[1 - side] != list(at.sides[1 - side]):
            again = Position(sides, side)
            can = any(self.moved(again, p, s) for p in range(len(sides[side])) for s in self.steps)
            return again if can and self.winner(again) is None else after
        return after

    def settled(self, at, one, two):
        """The position after a battle; the side to move did not attack."""
        ahead = (one - two) % self.numbers
        first = one > two
        if self.wins == "cyclic":
            first = 1 <= ahead <= (self.numbers - 1) // 2
        elif self.wins == "undercut" and abs(one - two) == 1:
            first = one < two
        ties = {"both": (0, 1), "attacker": (1 - at.turn,), "defender": (at.turn,), "nobody": ()}
        losers = ties[self.tie] if one == two else (1,) if first else (0,)
        sides = [list(side) for side in at.sides]
        for side in losers:
            self.displace(sides, side, at.battle, self.loser)
        return Position(sides, at.turn)

    def displace(self, sides, side, cell, how):
        for piece, home in enumerate(self.homes[side]):
            if sides[side][piece] == cell:
                sides[side][piece] = None if how == "captured" else home

    def in_order(self, at):
        """The same position with like pieces in order, as certificates have it."""
        sides = []
        for cells, homes in zip(at.sides, self.homes, strict=True):
            kinds = homes if self.homes_matter else [0] * len(homes)
            waiting = {
                kind: sorted(
                    (cell for cell, other in zip(cells, kinds, strict=True) if other == kind),
                    key=lambda cell: (cell is None, cell or 0),
                )
                for kind in kinds
            }
            sides.append([waiting[kind].pop(0) for kind in kinds])
        return Position(sides, at.turn, at.battle)


class Entry:
    """A line: the position, its bounds, its plies, and each side's rank and chances."""

    def __init__(self, line):
        self.text, *words = line.split(" ")
        if len(words) == 2:
            words = [words[0], *words, "0", "-", "0", "-"]
        low, high, plies, rank1, chances1, rank2, chances2 = words
        self.low, self.high = Fraction(low), Fraction(high)
        self.plies = None if plies == "-" else int(plies)
        self.ranks = int(rank1), int(rank2)
        self.chances = [
            [] if one == "-" else [Fraction(chance) for chance in one.split(",")]
            for one in (chances1, chances2)
        ]

    def bound(self, side):
        """What the side is guaranteed, from its own point of view."""
        return self.low if side == 0 else -self.high

    def wins(self, side):
        return self.plies is not None and self.bound(side) == 1


def read_position(text):
    one, two, turn = text.split("/")
    sides = [[None if c == "x" else int(c) for c in side.split(",")] for side in (one, two)]
    side, star, cell = turn.partition("*")
    shared = {*sides[0]} & {*sides[1]} - {None}
    return Position(sides, int(side) - 1, (int(cell) if cell else shared.pop()) if star else None)


def check(text):
    """The number of positions; raises AssertionError with the first that is wrong."""
    body, _, digest = text.rpartition("sha256 ")
    assert digest == f"{sha256(body.encode()).hexdigest()}\n", "the seal is broken"
    head, rules, start, *lines = body.removesuffix("\n").split("\n")
    assert head == "lineduel certificate 1", "this is not a certificate"
    rules = Rules(rules.removeprefix("rules "))
    entries = {entry.text: entry for entry in map(Entry, lines)}
    assert len(entries) == len(lines), "a position is there twice"
    first = rules.in_order(read_position(start.removeprefix("start ")))
    assert str(first) in entries, "the start is missing"
    for entry in entries.values():
        at = read_position(entry.text)
        assert str(rules.in_order(at)) == entry.text, f"{entry.text}: like pieces out of order"
        reached = [str(one) for one in rules.after(at)]
        assert all(one in entries for one in reached), f"{entry.text}: a move leads nowhere"
        why = mistake(rules, at, entry, [entries[one] for one in reached])
        assert why is None, f"{entry.text}: {why}"
    return len(entries)


def mistake(rules, at, entry, after):
    """What is wrong with an entry, or None."""
    if not -1 <= entry.low <= entry.high <= 1:
        return "bounds out of order"
    winner = rules.winner(at)
    if winner is not None:
        right = entry.low == entry.high == (1, -1)[winner] and entry.plies == 0
        return None if right else "the game is over"
    for side in (0, 1):
        forced = forced_win(rules, at, after, side)
        if forced != (entry.plies if entry.wins(side) else None):
            return f"the forced win of player {side + 1} takes {forced} plies"
    if entry.plies is not None and not (entry.wins(0) or entry.wins(1)):
        return "plies without a forced win"
    if not rules.numbers:
        if entry.plies is None and (entry.low, entry.high) != (0, 0):
            return "without a forced win it is worth 0"
        return None
    return broken_plan(rules, at, entry, after, 0) or broken_plan(rules, at, entry, after, 1)


def rows(rules, at, after, side):
    """For each choice of the side, what the other side's choices lead to."""
    if at.battle is not None:
        n = rules.numbers
        return (
            [after[i * n : i * n + n] for i in range(n)]
            if side == 0
            else [after[i::n] for i in range(n)]
        )
    return [[one] for one in after] if at.turn == side else [after]


def forced_win(rules, at, after, side):
    """The plies in which the side wins by force, from the entries that follow."""
    sure = [row for row in rows(rules, at, after, side) if all(one.wins(side) for one in row)]
    return min((1 + max(one.plies for one in row) for row in sure), default=None)


def broken_plan(rules, at, entry, after, side):
    """Why a side's plan does not guarantee its bound, or None."""
    mine = rows(rules, at, after, side)
    asked = at.battle is not None or at.turn == side
    chances = entry.chances[side] if asked else [Fraction(1)]
    if len(chances) != len(mine) or min(chances) < 0 or sum(chances) != 1:
        return f"player {side + 1}'s chances are not probabilities"
    bound = entry.bound(side)
    for reply in zip(*mine, strict=True):
        if bound > sum(p * one.bound(side) for p, one in zip(chances, reply, strict=True)):
            return f"player {side + 1}'s plan guarantees less"
        likely = [one for p, one in zip(chances, reply, strict=True) if p > 0]
        if bound > 0 and not any(
            one.plies == 0 or one.bound(side) <= 0 or one.ranks[side] < entry.ranks[side]
            for one in likely
        ):
            return f"player {side + 1}'s plan makes no progress"
    return None


if __name__ == "__main__":
    try:
        count = check(Path(sys.argv[1]).read_text(encoding="utf-8"))
    except AssertionError as error:
        sys.exit(f"Refused: {error}.")
    print(f"Accepted: all {count:,} positions hold.")
