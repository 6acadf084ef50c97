"""A design: the rules of a duel that is the same for both sides, as few values.

Two designs are the same game exactly if they are equal: cells are counted from each side's own
end, pieces have no names, and words that could not matter are left out.
"""

from dataclasses import dataclass

from lineduel.rules import (
    OWN_MEETINGS,
    Again,
    Battle,
    BattleRule,
    Claim,
    Displacement,
    Edge,
    Loser,
    Meeting,
    Meetings,
    Movement,
    Piece,
    Rulebook,
    Rules,
    Side,
    Team,
    Tie,
    Track,
    Words,
)

_LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Design:
    """The rules of a duel in which both sides have the same pieces, goals and moves."""

    cells: int
    homes: tuple[int, ...]
    """Where a side's pieces start, in cells from its own end, in ascending order."""
    goal: tuple[int, ...]
    """The cells on which a side wins, counted from the far end, in ascending order."""
    steps: tuple[int, ...]
    """In ascending order."""
    edge: Edge
    jump: bool
    again: Again
    own: Meeting
    enemy: Meeting
    numbers: int = 0
    """The numbers of a battle; 0 without battles. What follows is at its default then."""
    wins: BattleRule = BattleRule.HIGHER
    loser: Loser = Loser.SENT_HOME
    tie: Tie = Tie.BOTH

    @property
    def words(self) -> int:
        """How much there is to learn: pieces, steps and goal cells of a side, and special rules."""
        special = (
            self.edge.keeps_cell,
            not self.jump,
            self.again.after_displacing,
            not self.own.consequences.blocks,
            not self.enemy.consequences.blocks,
            self.numbers and self.wins is not BattleRule.HIGHER,
            self.numbers and self.loser is not Loser.SENT_HOME,
            self.numbers and self.tie is not Tie.BOTH,
        )
        return len(self.homes) + len(self.steps) + len(self.goal) + sum(map(bool, special))

    def in_normal_form(self) -> "Design":
        """The same game without words that cannot matter, and in order."""
        consequences = self.enemy.consequences
        displaces = consequences.displaces is not Displacement.NONE
        battle = consequences.opens_battle
        return Design(
            cells=self.cells,
            homes=tuple(sorted(self.homes)),
            goal=tuple(sorted(set(self.goal))),
            steps=tuple(sorted(set(self.steps))),
            edge=self.edge,
            jump=self.jump,
            again=self.again if displaces else Again.NEVER,
            own=self.own if len(self.homes) > 1 else OWN_MEETINGS[0],
            enemy=self.enemy,
            numbers=self.numbers if battle else 0,
            wins=self.wins if battle else BattleRule.HIGHER,
            loser=self.loser if battle else Loser.SENT_HOME,
            tie=self.tie if battle else Tie.BOTH,
        )


def rulebook_of_design(
    design: Design,
    id: str = "design",
    *,
    title: str = "A Duel",
    summary: str = "",
    claims: tuple[Claim, ...] = (),
) -> Rulebook:
    """The rulebook of a design; RulebookError if its rules contradict each other."""
    last = design.cells
    rules = Rules(
        track=Track(first=1, last=last),
        player1=Team(
            _pieces("P1", [1 + home for home in design.homes]),
            tuple(last - goal for goal in design.goal),
        ),
        player2=Team(
            _pieces("P2", [last - home for home in design.homes]),
            tuple(1 + goal for goal in design.goal),
        ),
        movement=Movement(
            steps=tuple(sorted(design.steps, key=lambda step: (step < 1, abs(step)))),
            edge=design.edge,
            jump=design.jump,
            again=design.again,
        ),
        meet=Meetings(own=design.own, enemy=design.enemy),
        battle=_battle(design) if design.numbers else None,
    )
    return Rulebook(id=id, title=title, summary=summary, rules=rules, words=Words(), claims=claims)


def _pieces(side: str, cells: list[int]) -> tuple[Piece, ...]:
    named = zip(_LETTERS, cells, strict=False)
    return tuple(Piece(f"{side}-{letter}", cell) for letter, cell in named)


def _battle(design: Design) -> Battle:
    return Battle(numbers=design.numbers, wins=design.wins, loser=design.loser, tie=design.tie)


def design_of(rules: Rules) -> Design | None:
    """The design of some rules; None if the two sides are not alike."""
    track, move, meet = rules.track, rules.movement, rules.meet
    battle = rules.battle or Battle(numbers=2)
    teams = [
        (
            tuple(sorted(home - track.first for home in rules.player1.homes)),
            tuple(sorted(track.last - goal for goal in rules.player1.goal)),
        ),
        (
            tuple(sorted(track.last - home for home in rules.player2.homes)),
            tuple(sorted(goal - track.first for goal in rules.player2.goal)),
        ),
    ]
    if teams[0] != teams[1] or rules.first is Side.TWO:
        return None
    return Design(
        cells=len(track),
        homes=teams[0][0],
        goal=teams[0][1],
        steps=move.steps,
        edge=move.edge,
        jump=move.jump,
        again=move.again,
        own=meet.own,
        enemy=meet.enemy,
        numbers=battle.numbers if rules.battle else 0,
        wins=battle.wins,
        loser=battle.loser,
        tie=battle.tie,
    ).in_normal_form()
