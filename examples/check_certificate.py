"""Checks a certificate of `lineduel solve --certificate FILE` without any code of lineduel.

    python examples/check_certificate.py proof.txt

It reads the file as docs/explanation/certificates.md describes it, plays every move by rules of its
own, and looks at each position once, together with the positions that its moves lead to. Whatever
else is in the file is refused, with exit status 1.
"""

import re
import sys
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

LARGEST_FILE, MOST_POSITIONS = 1 << 26, 200_000
CELL = "-?[0-9]{1,4}"
CELLS = f"{CELL}(?:,{CELL})*"
PIECE = f"[A-Za-z](?:[A-Za-z0-9_-]{{0,14}}[A-Za-z0-9])?:{CELL}"
PIECES = f"{PIECE}(?:,{PIECE})*"
WHOLE = "-?[0-9]{1,1000}"
FRACTION = f"{WHOLE}(?:/[1-9][0-9]{{0,999}})?"
CHANCES = f"(?:-|{FRACTION}(?:,{FRACTION})*)"
LINE = re.compile(
    f"[^ ]+ {FRACTION} (?:-|{WHOLE})"
    f"|[^ ]+ {FRACTION} {FRACTION} (?:-|{WHOLE}) {WHOLE} {CHANCES} {WHOLE} {CHANCES}"
)
OWN = f"{PIECE}(?:/{CELL})*"
PIECE_STEPS = f"{OWN}(?:,{OWN})*"
PLACES = f"(?:x|{CELL})(?:,(?:x|{CELL}))*"
HANDS = "(?:;([1-9]{1,9})/([1-9]{1,9}))?"
POSITION = re.compile(f"({PLACES})/({PLACES})/([12])([*]({CELL})?)?{HANDS}")
RULES = {
    "track.first": CELL,
    "track.last": CELL,
    "player1.pieces": PIECES,
    "player1.goal": CELLS,
    "player1.goal_needs": "[1-8]",
    "player1.steps": CELLS,
    "player1.piece_steps": PIECE_STEPS,
    "player2.pieces": PIECES,
    "player2.goal": CELLS,
    "player2.goal_needs": "[1-8]",
    "player2.steps": CELLS,
    "player2.piece_steps": PIECE_STEPS,
    "turn.first": "player1|player2|either",
    "turn.stuck": "passes|loses",
    "move.steps": CELLS,
    "move.edge": "illegal|stay",
    "move.jump": "true|false",
    "move.again": "never|capture",
    "meet.own": "blocked|shared",
    "meet.enemy": "captured|sent home|blocked|shared|battle|wins",
    "battle.numbers": "[2-9]",
    "battle.wins": "higher|undercut|cyclic",
    "battle.loser": "sent home|captured",
    "battle.tie": "both|attacker|defender|nobody",
    "battle.hand": "kept|spent",
}
"""What each key of the rules may hold."""
OPTIONAL = {
    "player1.goal_needs",
    "player1.steps",
    "player1.piece_steps",
    "player2.goal_needs",
    "player2.steps",
    "player2.piece_steps",
    "turn.stuck",
    "move.again",
    "battle.loser",
    "battle.tie",
    "battle.hand",
}


class Refused(Exception):
    """The certificate is wrong, and why."""


def require(holds, why):
    if not holds:
        raise Refused(why)


class Position:
    """Both sides' cells (None: captured), the side to move, the cell of an open battle, both hands.

    The numbers in hand count from 0; there are no hands where none is ever spent.
    """

    def __init__(self, sides, turn, hands, battle=None):
        self.sides, self.turn, self.hands, self.battle = sides, turn, hands, battle

    def shared(self):
        """The cells with pieces of both sides."""
        return {*self.sides[0]} & {*self.sides[1]} - {None}

    def __str__(self):
        cells = ["x" if cell is None else str(cell) for side in self.sides for cell in side]
        one, two = cells[: len(self.sides[0])], cells[len(self.sides[0]) :]
        alone = len(self.shared()) == 1
        mark = "" if self.battle is None else "*" if alone else f"*{self.battle}"
        hands = ["".join(str(number + 1) for number in hand) for hand in self.hands or ()]
        spent = f";{'/'.join(hands)}" if hands else ""
        return f"{','.join(one)}/{','.join(two)}/{self.turn + 1}{mark}{spent}"


class Rules:
    """The line `rules`, and play by it. Side 0 is player 1, side 1 is player 2."""

    def __init__(self, text):
        pairs = [part.split("=", 1) for part in text.split("; ")]
        keys = dict(pair for pair in pairs if len(pair) == 2)
        require(len(keys) == len(pairs), "a rule has no value, or is there twice")
        require(keys.keys() <= RULES.keys(), "there is a rule that does not exist")
        for key, value in keys.items():
            require(re.fullmatch(RULES[key], value), f"{key} has a value that does not exist")
        needed = {key for key in RULES if key in keys or key not in OPTIONAL}
        if keys.get("meet.enemy") != "battle":
            needed = {key for key in needed if not key.startswith("battle.")}
        require(keys.keys() == needed, "a rule is missing, or one about battles is there in vain")
        self.cells = range(int(keys["track.first"]), int(keys["track.last"]) + 1)
        pieces = (keys["player1.pieces"].split(","), keys["player2.pieces"].split(","))
        self.homes = [[int(one.rpartition(":")[2]) for one in side] for side in pieces]
        self.goals = [[*map(int, keys[f"player{n}.goal"].split(","))] for n in (1, 2)]
        self.needs = [int(keys.get(f"player{n}.goal_needs", 1)) for n in (1, 2)]
        self.steps = self.read_steps(keys, pieces)
        self.own_steps = [
            f"player{n}.steps" in keys or f"player{n}.piece_steps" in keys for n in (1, 2)
        ]
        self.stay, self.jump = keys["move.edge"] == "stay", keys["move.jump"] == "true"
        self.again = keys.get("move.again") == "capture"
        self.stuck_loses = keys.get("turn.stuck") == "loses"
        self.own, self.enemy = keys["meet.own"], keys["meet.enemy"]
        self.numbers, self.wins = int(keys.get("battle.numbers", 0)), keys.get("battle.wins")
        self.loser, self.tie = keys.get("battle.loser", "sent home"), keys.get("battle.tie", "both")
        self.spends = keys.get("battle.hand") == "spent"
        self.fate = self.loser if self.numbers else self.enemy
        self.homes_matter = self.fate == "sent home"
        names = [one.partition(":")[0].upper() for side in pieces for one in side]
        self.check_limits(names)

    def read_steps(self, keys, pieces):
        """The steps of each piece, in the order in which the rules name them first."""
        of_all = [*map(int, keys["move.steps"].split(","))]
        listed, found = [of_all], []
        for n, side in enumerate(pieces, start=1):
            of_side = [int(one) for one in keys.get(f"player{n}.steps", "").split(",") if one]
            own = [
                one.split(":") for one in keys.get(f"player{n}.piece_steps", "").split(",") if one
            ]
            of_piece = {name: [*map(int, steps.split("/"))] for name, steps in own}
            names = [one.partition(":")[0] for one in side]
            require(len(of_piece) == len(own), "a piece has its own steps twice")
            require({*of_piece} <= {*names}, "there are steps of a piece that does not exist")
            listed += [of_side, *of_piece.values()]
            found.append([of_piece.get(name) or of_side or of_all for name in names])
        for steps in listed:
            require(len({*steps}) == len(steps) <= 8, "there are not 1 to 8 different steps")
            require(all(abs(step) <= 63 for step in steps), "a step is longer than 63")
        order = [*dict.fromkeys(step for steps in listed for step in steps)]
        return [[[step for step in order if step in own] for own in side] for side in found]

    def check_limits(self, names):
        """Refuse rules that are no rules of a game."""
        require(2 <= len(self.cells) <= 64, "the track does not have 2 to 64 cells")
        require(len({*names}) == len(names), "two pieces have the same name")
        require("PASS" not in names, "a piece is called pass")
        for homes, goal, needs in zip(self.homes, self.goals, self.needs, strict=True):
            require(needs <= len(homes), "a goal needs more pieces than there are")
            require(len(homes) <= 8, "a side has more than 8 pieces")
            require({*homes, *goal} <= {*self.cells}, "a home or a goal is off the track")
            require(len({*goal}) == len(goal), "a goal is there twice")
            require(not {*homes} & {*goal}, "a piece starts on its own goal")
        for side, sign in ((0, 1), (1, -1)):
            ends = [
                home + sign * step
                for home, steps in zip(self.homes[side], self.steps[side], strict=True)
                for step in steps
            ]
            can = self.stay or not self.own_steps[side] or {*ends} & {*self.cells}
            require(can, "the steps of a side leave it without any move")
        apart = not {*self.homes[0]} & {*self.homes[1]}
        require(apart or self.enemy in ("blocked", "shared"), "enemies start on the same cell")
        displaces = self.enemy in ("captured", "sent home")
        require(displaces or not self.again, "nobody who captures could move again")
        odd = self.wins != "cyclic" or self.numbers % 2 == 1
        require(odd, "cyclic battles need an odd number of numbers")

    def impossible(self, at):
        """Why the rules do not allow a position, or None."""
        for side, cells in enumerate(at.sides):
            if len(cells) != len(self.homes[side]):
                return "a side has a wrong number of pieces"
            if None in cells and self.fate != "captured":
                return "nobody can be captured"
            if not {*cells} - {None} <= {*self.cells}:
                return "a piece is off the track"
            together = [cell for cell in {*cells} - {None} if cells.count(cell) > 1]
            if self.own == "blocked" and any(
                self.guests(at, side, cell) > self.homes_matter for cell in together
            ):
                return "pieces of one side share a cell"
        if (at.hands is not None) != self.spends:
            return "the hands are missing, or there in vain"
        for hand in at.hands or ():
            if not hand or hand != sorted({*hand}) or hand[-1] >= self.numbers:
                return "a hand is empty, out of order, or has a number that does not exist"
        gone = [{*side} == {None} for side in at.sides]
        if all(gone) and not (self.numbers and self.tie == "both"):
            return "nobody has a piece left"
        shared = at.shared()
        if at.battle is not None and (not self.numbers or at.battle not in shared):
            return "there is no such battle"
        won = [self.arrived(at, side, at.battle) for side in (0, 1)]
        if self.enemy == "wins" and shared:
            won[1 - at.turn] = True
        if all(won) or (any(won) and at.battle is not None):
            return "the game was over before"
        if not all(self.can_rest(at, cell, shared) for cell in shared - {at.battle}):
            return "enemies share a cell"
        return None

    def can_rest(self, at, cell, shared):
        """Whether enemies can share a cell once a move is complete."""
        guests = [self.guests(at, side, cell) > 0 for side in (0, 1)]
        if self.enemy == "wins":
            return len(shared) == 1
        if self.enemy == "blocked":
            return not any(guests)
        if self.enemy == "shared" or (self.numbers and self.tie == "nobody"):
            return True
        return self.homes_matter and not all(guests)

    def guests(self, at, side, cell):
        """How many pieces of a side are on a cell that is not their home."""
        cells, homes = at.sides[side], self.homes[side]
        if not self.homes_matter:  # then all pieces of a side are alike
            return max(0, cells.count(cell) - homes.count(cell))
        return sum(on == cell != home for on, home in zip(cells, homes, strict=True))

    def arrived(self, at, side, but=None):
        """Whether enough pieces of a side are on goal cells, those on one cell not counted."""
        on_goal = [cell for cell in at.sides[side] if cell in self.goals[side] and cell != but]
        return len(on_goal) >= self.needs[side]

    def winner(self, at):
        """The side that has won, or None."""
        if at.battle is not None:
            return None
        for side in (0, 1):
            if self.arrived(at, side):
                return side
        gone = [{*side} == {None} for side in at.sides]
        if any(gone):
            return at.turn if all(gone) else 0 if gone[1] else 1
        if self.enemy == "wins" and at.shared():
            return 1 - at.turn
        if self.stuck_loses and not self.steps_from(at):
            return 1 - at.turn
        return None

    def after(self, at):
        """The positions that the legal moves lead to, in the order of the rules."""
        if self.winner(at) is not None:
            return []
        if at.battle is not None:
            one, two = self.in_hand(at, 0), self.in_hand(at, 1)
            return [self.in_order(self.settled(at, a, b)) for a in one for b in two]
        found = self.steps_from(at) or [Position(at.sides, 1 - at.turn, at.hands)]
        return [self.in_order(one) for one in found]

    def in_hand(self, at, side):
        """The numbers that a side can choose."""
        return range(self.numbers) if at.hands is None else at.hands[side]

    def steps_from(self, at):
        """The positions that legal steps lead to."""
        found = [
            self.moved(at, piece, step)
            for piece in range(len(at.sides[at.turn]))
            for step in self.steps[at.turn][piece]
        ]
        return [one for one in found if one is not None]

    def moved(self, at, piece, step):
        """The position after a step, or None if the step is not legal."""
        side, cell = at.turn, at.sides[at.turn][piece]
        if cell is None:
            return None
        to = cell + (step if side == 0 else -step)
        if step == 0 or to not in self.cells:
            return Position(at.sides, 1 - side, at.hands) if step == 0 or self.stay else None
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
        battle = to if meets and self.enemy == "battle" else None
        after = Position(sides, 1 - side, at.hands, battle)
        if self.again and sides[1 - side] != list(at.sides[1 - side]):
            again = Position(sides, side, at.hands)
            return again if self.steps_from(again) and self.winner(again) is None else after
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
        hands = None
        if self.spends:
            left = [
                [n for n in hand if n != chosen]
                for hand, chosen in zip(at.hands, (one, two), strict=True)
            ]
            hands = [hand or [*range(self.numbers)] for hand in left]
        return Position(sides, at.turn, hands)

    def displace(self, sides, side, cell, how):
        for piece, home in enumerate(self.homes[side]):
            if sides[side][piece] == cell:
                sides[side][piece] = None if how == "captured" else home

    def in_order(self, at):
        """The same position with like pieces in order, as certificates have it."""
        sides = []
        for cells, homes, steps in zip(at.sides, self.homes, self.steps, strict=True):
            kinds = [
                (home if self.homes_matter else 0, frozenset(own))
                for home, own in zip(homes, steps, strict=True)
            ]
            waiting = {
                kind: sorted(
                    (cell for cell, other in zip(cells, kinds, strict=True) if other == kind),
                    key=lambda cell: (cell is None, cell or 0),
                )
                for kind in kinds
            }
            sides.append([waiting[kind].pop(0) for kind in kinds])
        return Position(sides, at.turn, at.hands, at.battle)


class Entry:
    """A line: the position, its bounds, its plies, and each side's rank and chances."""

    def __init__(self, line):
        self.text, *words = line.split(" ")
        self.has_plans = len(words) > 2
        if not self.has_plans:
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


def read_position(rules, text, where):
    """The position of a text that stands in a line; refuses what the rules do not allow."""
    found = POSITION.fullmatch(text)
    require(found, f"{where} has no position")
    one, two, side, star, cell, *hands = found.groups()
    sides = [[None if c == "x" else int(c) for c in cells.split(",")] for cells in (one, two)]
    held = [[int(digit) - 1 for digit in hand] for hand in hands] if hands[0] else None
    at = Position(sides, int(side) - 1, held)
    if star:
        require(cell or len(at.shared()) == 1, f"{where} does not say where the battle is")
        at.battle = int(cell) if cell else at.shared().pop()
    why = rules.impossible(at)
    require(why is None, f"{where} has an impossible position: {why}")
    return at


def check(text):
    """The number of positions; raises Refused with the first thing that is wrong."""
    require(text.startswith("lineduel certificate 1\n"), "this is not a certificate")
    body, _, digest = text.rpartition("sha256 ")
    require(digest == f"{sha256(body.encode()).hexdigest()}\n", "the seal is broken")
    _, *lines, rest = body.split("\n")
    require(len(lines) >= 2 and not rest, "the file is cut short")
    rules, start, *lines = lines
    require(rules.startswith("rules "), "line 2 has no rules")
    require(start.startswith("start "), "line 3 has no start")
    require(len(lines) <= MOST_POSITIONS, f"there are more than {MOST_POSITIONS:,} positions")
    for number, line in enumerate(lines, start=4):
        require(LINE.fullmatch(line), f"line {number} is not a position with its value")
    rules = Rules(rules.removeprefix("rules "))
    entries = {entry.text: entry for entry in map(Entry, lines)}
    require(len(entries) == len(lines), "a position is there twice")
    first = rules.in_order(read_position(rules, start.removeprefix("start "), "line 3"))
    require(str(first) in entries, "the start is missing")
    for number, entry in enumerate(entries.values(), start=4):
        at = read_position(rules, entry.text, f"line {number}")
        require(str(rules.in_order(at)) == entry.text, f"line {number} has pieces out of order")
        reached = [str(one) for one in rules.after(at)]
        require(all(one in entries for one in reached), f"{entry.text}: a move leads nowhere")
        why = mistake(rules, at, entry, [entries[one] for one in reached])
        require(why is None, f"{entry.text}: {why}")
    return len(entries)


def mistake(rules, at, entry, after):
    """What is wrong with an entry, or None."""
    if not -1 <= entry.low <= entry.high <= 1:
        return "bounds out of order"
    if entry.has_plans and not rules.numbers:
        return "a game without battles has no plans"
    winner = rules.winner(at)
    for side in (0, 1):
        asked = winner is None and (at.battle is not None or at.turn == side)
        if entry.chances[side] and not asked:
            return f"player {side + 1} has nothing to choose"
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
        one, two = len(rules.in_hand(at, 0)), len(rules.in_hand(at, 1))
        if side == 0:
            return [after[i * two : i * two + two] for i in range(one)]
        return [after[i::two] for i in range(two)]
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
    if at.battle is not None and len(chances) == rules.numbers:
        held = rules.in_hand(at, side)
        if any(p for number, p in enumerate(chances) if number not in held):
            return f"player {side + 1} chooses a number that is not in hand"
        chances = [chances[number] for number in held]
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
    if len(sys.argv) != 2:
        sys.exit("Name the certificate: python check_certificate.py proof.txt")
    try:
        with Path(sys.argv[1]).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        require(len(content) <= LARGEST_FILE, "the file is larger than 64 MiB")
        count = check(content.decode())
    except OSError as error:
        sys.exit(f"The file cannot be read: {error.strerror}.")
    except UnicodeDecodeError:
        sys.exit("Refused: this is not text.")
    except Refused as error:
        sys.exit(f"Refused: {error}.")
    print(f"Accepted: all {count:,} positions hold.")
