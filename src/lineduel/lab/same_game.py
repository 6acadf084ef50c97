"""When two rulebooks are the same game: renamed, relabelled, or seen from the other side."""

from typing import NamedTuple

from lineduel.rules import RULEBOOK_TABLES, Battle, KeyKind, Rules, Side

Key = tuple[object, ...]


class Identity(NamedTuple):
    """What a game is, whatever its pieces and cells are called, and whether it was turned round."""

    key: Key
    mirrored: bool


def identity(rules: Rules) -> Identity:
    """Equal keys are the same game; a mirrored one has the players' seats exchanged."""
    straight, turned = _key(rules, turned=False), _key(rules, turned=True)
    return Identity(straight, False) if straight <= turned else Identity(turned, True)


def _key(rules: Rules, turned: bool) -> tuple[str, ...]:
    """All that decides the game as text, with cells counted from the first player's end."""
    track = rules.track
    sides = (Side.TWO, Side.ONE) if turned else (Side.ONE, Side.TWO)

    def cell(label: int) -> int:
        return track.last - label if turned else label - track.first

    teams = [
        (sorted(map(cell, rules.team(side).homes)), sorted(map(cell, rules.team(side).goal)))
        for side in sides
    ]
    # Who begins counts from the default, as a game is solved from there.
    first = sides.index(rules.first or Side.ONE)
    words = [
        sorted(key.value(rules)) if key.kind is KeyKind.INTEGERS else key.value(rules)
        for table in ("move", "meet")
        for key in RULEBOOK_TABLES[table].keys
    ]
    battle = rules.battle and (
        _winners(rules.battle),
        *(
            key.value(rules)
            for key in RULEBOOK_TABLES["battle"].keys
            if key.name not in ("numbers", "wins")
        ),
    )
    return tuple(map(str, (len(track), teams, first, *words, battle)))


def _winners(battle: Battle) -> tuple[tuple[int, ...], ...]:
    """Which number wins against which, whatever the rule is called and from which end it counts."""
    numbers = range(1, battle.numbers + 1)
    return min(
        tuple(tuple(battle.winner(one, two) or 0 for two in order) for one in order)
        for order in (numbers, numbers[::-1])
    )
