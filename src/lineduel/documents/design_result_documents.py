"""The JSON of what a design is worth: messages that come one after the other."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import UNSET, UnsetType

from lineduel import lab
from lineduel.documents.document import Document
from lineduel.documents.live_documents import BoardDocument, board_document
from lineduel.documents.solution_documents import ValueInterval, interval
from lineduel.engine import Game
from lineduel.narration import Narrator
from lineduel.quantities import counted, plural
from lineduel.rules import Property, Rulebook, assignments_between, listed
from lineduel.solve import Value, as_sentence, in_short


class WorkProgress(Document, frozen=True, kw_only=True, tag_field="type", tag="progress"):
    """How far the work is."""

    doing: str
    done: float = 0
    total: float = 0
    """0 if it is not known."""


class WorkError(Document, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """Why there is no answer."""

    error: str


class FoundValue(Document, frozen=True, kw_only=True, tag_field="type", tag="value"):
    """Who wins with best play."""

    value: ValueInterval
    plies: int | None
    positions: int
    sentence: str


class ShownVerdict(Document, frozen=True, kw_only=True):
    """A claim and the verdict on it."""

    property: Property
    says: str
    claimed: bool
    """Whether the author promises it; else any rulebook might."""
    verdict: lab.Verdict
    why: str
    changed: bool
    """Whether the verdict was another one before the change."""


class FoundVerdicts(Document, frozen=True, kw_only=True, tag_field="type", tag="verdicts"):
    """Who wins with best play, and the verdict on every claim."""

    worth: FoundValue
    verdicts: list[ShownVerdict]
    changed: str
    """What the change has changed, in words; empty if nothing is known of the time before."""


class FormerVerdicts(Document, frozen=True, kw_only=True):
    """What was known before a change, as the server sent it."""

    sentence: str
    verdicts: dict[Property, lab.Verdict]


def found_value(value: Value, positions: int) -> FoundValue:
    """The value of a rulebook."""
    return FoundValue(
        value=interval(value),
        plies=value.plies,
        positions=positions,
        sentence=as_sentence(value),
    )


def found_verdicts(audit: "lab.Audit", before: FormerVerdicts | None) -> FoundVerdicts:
    """The verdicts of an audit, and what is different from before."""
    claims = audit.rulebook.claims
    known = {} if before is None else before.verdicts
    verdicts = [
        ShownVerdict.of(
            one.ruling,
            property=one.claim.property,
            says=one.claim.says,
            claimed=one.claim in claims,
            changed=known.get(one.claim.property, one.ruling.verdict) is not one.ruling.verdict,
        )
        for one in audit.findings
    ]
    return FoundVerdicts(
        worth=found_value(audit.figures.value, audit.figures.positions),
        verdicts=verdicts,
        changed=_changed(audit, verdicts, before),
    )


def _changed(
    audit: "lab.Audit", verdicts: Sequence[ShownVerdict], before: FormerVerdicts | None
) -> str:
    """What a change has changed, in a few sentences."""
    if before is None:
        return ""
    told = []
    if as_sentence(audit.figures.value) != before.sentence:
        told.append(f"Before the change: {before.sentence[:1].lower()}{before.sentence[1:]}")
    for verdict in lab.Verdict:
        new = dict.fromkeys(
            str(one.property) for one in verdicts if one.changed and one.verdict is verdict
        )
        if new:
            told.append(f"{_now(verdict, len(new))}: {listed(list(new), 'and')}.")
    return " ".join(told) or "The change makes no difference to the winner or to the verdicts."


def _now(verdict: "lab.Verdict", count: int) -> str:
    if verdict is lab.Verdict.IN_PART:
        return "This now holds in part" if count == 1 else "These now hold in part"
    return f"Now {verdict}"


# Other rulebooks close by


class ShownRuling(Document, frozen=True, kw_only=True):
    """The verdict on a property."""

    property: Property
    verdict: lab.Verdict
    why: str


class NearbyRulebook(Document, frozen=True, kw_only=True):
    """A rulebook some changes away."""

    changes: list[str]
    """The changes in short."""
    about: str
    """What a single change is about, such as `move.steps`; empty for several."""
    set: list[str] | UnsetType = UNSET
    """The changes as assignments, to be sent as `set`."""
    variant: str | UnsetType = UNSET
    """Its name, if it is a variant of the rulebook."""
    sentences: list[str]
    """The rules in words that are different."""
    sentence: str
    """Who wins with best play."""
    short: str
    """The same in a few letters: `P2 in 20`."""
    effect: lab.ChangeEffect
    """What is different with best play: the value, only the length, nothing, or not known."""
    fair: bool | UnsetType = UNSET
    """Whether it is proved that neither seat is favoured."""
    rulings: list[ShownRuling]
    board: BoardDocument


class FoundRulebooks(Document, frozen=True, kw_only=True, tag_field="type", tag="rulebooks"):
    """Rulebooks close by: repairs, variants, or all that are a single change away."""

    sentence: str
    effects: dict[lab.ChangeEffect, int] | UnsetType = UNSET
    """Of single changes: how many have which effect."""
    unpromised: list[Property] | UnsetType = UNSET
    """If every promise holds: what fails, or holds only in part, without being promised."""
    rulebooks: list[NearbyRulebook]


def nearby_rulebook(
    game: Game,
    base: Rulebook,
    worth: Value,
    was: Value,
    *,
    changes: Sequence[str],
    about: str = "",
    variant: str | UnsetType = UNSET,
    fair: bool | UnsetType = UNSET,
    rulings: Sequence[ShownRuling] = (),
) -> NearbyRulebook:
    """A rulebook close to `base`, whose value is `was`."""
    return NearbyRulebook(
        changes=list(changes),
        about=about,
        set=list(assignments_between(base.rules, game.rules)) if variant is UNSET else UNSET,
        variant=variant,
        sentences=list(lab.difference(base, game.rulebook).there),
        sentence=as_sentence(worth),
        short=in_short(worth),
        effect=lab.effect_of(was, worth),
        fair=fair,
        rulings=list(rulings),
        board=board_document(game, Narrator(game), game.start()),
    )


def nothing_to_repair(
    promises: int, failing: Sequence[Property], is_promised: bool
) -> FoundRulebooks:
    """That every promise holds, and what else fails, which may be repaired, too."""
    held = f"All {promises} promises hold." if promises != 1 else "The one promise holds."
    told = [held if is_promised else "Every property that was tested is proved."]
    if failing:
        fails = f"{listed([str(one) for one in failing], 'and')}"
        told.append(f"Not promised, and not proved: {fails}.")
    return FoundRulebooks(
        sentence=" ".join(told), unpromised=list(failing) if failing else UNSET, rulebooks=[]
    )


def found_repairs(search: "lab.RepairSearch", was: Value) -> FoundRulebooks:
    """The best repairs, or where there are none, what comes nearest."""
    found = search.repairs or search.nearest
    return FoundRulebooks(
        sentence=" ".join(_told_search(search)),
        rulebooks=[_repair(search.rulebook, one, was) for one in found],
    )


def _repair(base: Rulebook, one: "lab.Repair", was: Value) -> NearbyRulebook:
    return nearby_rulebook(
        Game(one.candidate.rulebook),
        base,
        one.figures.value,
        was,
        changes=[change.text for change in one.candidate.changes],
        fair=one.is_fair,
        rulings=[ShownRuling.of(ruling, property=about) for about, ruling in one.rulings.items()],
    )


def _told_search(search: "lab.RepairSearch") -> Iterable[str]:
    """What was found, and how far the search went."""
    count = len(search.repairs)
    if count:
        yield (
            "One repair meets every claim." if count == 1 else f"{count} repairs meet every claim."
        )
    else:
        yield lab.NO_REPAIR
        if search.nearest:
            yield "In those below no claim is refuted, but some hold only in part."
    yield f"Tried {counted(search.tried, 'rulebook')}."
    if search.sizes:
        changes = "one change" if search.sizes == 1 else f"up to {search.sizes} changes"
        yield f"That is every rulebook with {changes}{', and some more' * search.cut_short}."
    if search.cut_short:
        yield "Then the time was over; 'lineduel repair' searches on."


def found_changes(tried: "lab.SingleChanges", was: Value) -> FoundRulebooks:
    """What each single change does to the value of a rulebook, which is `was`."""
    found = [
        nearby_rulebook(
            Game(one.rulebook),
            tried.rulebook,
            one.value,
            was,
            changes=[one.change.text],
            about=one.change.about,
        )
        for one in tried.found
    ]
    counts = Counter(one.effect for one in found)
    effects = {effect: counts[effect] for effect in lab.ChangeEffect}
    return FoundRulebooks(
        sentence=" ".join(_told_changes(tried, effects)), effects=effects, rulebooks=found
    )


def _told_changes(
    tried: "lab.SingleChanges", effects: Mapping[lab.ChangeEffect, int]
) -> Iterable[str]:
    """How many changes have which effect, and what was not tried."""
    value, length, unknown = (
        effects[effect]
        for effect in (lab.ChangeEffect.VALUE, lab.ChangeEffect.LENGTH, lab.ChangeEffect.UNKNOWN)
    )
    total = sum(effects.values())
    changes = f"single {plural(total, 'change', 'changes')}"
    yield f"{value} of {total} {changes} {plural(value, 'changes', 'change')} the value."
    if length:
        yield f"{length} more {plural(length, 'changes', 'change')} only how long the game lasts."
    if unknown:
        yield f"For {unknown} more the bounds are too wide to tell."
    if tried.too_large:
        makes = plural(tried.too_large, "makes", "make")
        yield f"{tried.too_large} more {makes} the game too large to solve here."
    if tried.cut_short:
        yield "Then the time was over, so others were not tried."


def found_variants(base: Rulebook, audits: Iterable["lab.Audit"], was: Value) -> FoundRulebooks:
    """The audited variants of a rulebook, whose value is `was`."""
    found = [_variant(base, one, was) for one in audits]
    return FoundRulebooks(sentence="" if found else "No variants.", rulebooks=found)


def _variant(base: Rulebook, audit: "lab.Audit", was: Value) -> NearbyRulebook:
    variant = audit.rulebook.variant
    assert variant is not None
    return nearby_rulebook(
        audit.analysis.game,
        base,
        audit.figures.value,
        was,
        changes=[variant.summary],
        variant=variant.name,
        rulings=[ShownRuling.of(one.ruling, property=one.claim.property) for one in audit.findings],
    )
