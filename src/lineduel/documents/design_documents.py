"""The JSON of the designer: what can be filled in, a rulebook on trial, and what it is worth."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, UnsetType, field

from lineduel.documents.document import Document
from lineduel.documents.live_documents import (
    SIDE_IDS,
    BoardDocument,
    EventDocument,
    ShownVariant,
    SideId,
    board_document,
    event_documents,
    possible_moves,
)
from lineduel.documents.solution_documents import ValueInterval, interval
from lineduel.documents.validate_documents import ProblemDocument
from lineduel.errors import RulebookError
from lineduel.lab import Verdict
from lineduel.rules import (
    COMMAND_KEYS,
    FIELD_MEANINGS,
    KEY_CHOICES,
    KEY_COUNTS,
    KEY_NEEDS,
    KEY_RANGES,
    OTHER_MEANINGS,
    PROPERTY_MEANINGS,
    REQUIRED,
    RULE_MEANINGS,
    RULE_TABLES,
    TABLE_MEANINGS,
    Problem,
    Property,
    Rulebook,
    assignments_between,
    describe,
    edited_toml,
    listed,
    pack_rulebook,
    rule_defaults,
    rule_keys,
    rulebook_data,
    rulebook_from_data,
    word_keys,
)
from lineduel.session import Narrator, Turn, turn_sentence
from lineduel.solve import Value, as_sentence, in_short

if TYPE_CHECKING:
    from lineduel.engine import Game, Move, Position
    from lineduel.lab import Audit, Repair, RepairSearch, SingleChanges

_RULES = 4
"""The first sections of a description are the rules themselves."""
_LISTS = {
    "claims": {"says": True, "property": True, "not_tested": False},
    "errata": {"where": True, "says": True, "ruling": True},
}
"""The lists of tables, with their keys and whether each is required."""

# What can be filled in


class AllowedWord(Document, frozen=True, kw_only=True):
    """A word that a key may hold."""

    word: str
    meaning: str


class TemplateField(Document, frozen=True, kw_only=True):
    """A field of a text, as in `{player}`."""

    name: str
    meaning: str


class FormNeed(Document, frozen=True, kw_only=True):
    """What another key has to hold for a table or key to have a meaning."""

    key: str
    words: list[str]


class FormKey(Document, frozen=True, kw_only=True):
    """A key of a rulebook file."""

    key: str
    """With its table, such as `move.steps`."""
    kind: Literal["integer", "integers", "pieces", "flag", "word", "text"]
    meaning: str
    required: bool
    default: Any
    """What it is when a file leaves it out; null where it is required."""
    lowest: int | None
    highest: int | None
    """The range of its number or numbers."""
    fewest: int | None
    most: int | None
    """How many entries it may have."""
    words: list[AllowedWord]
    """The words it may hold; any text if there are none."""
    fields: list[TemplateField]
    """What is filled in in a text."""
    needs: FormNeed | None


class FormTable(Document, frozen=True, kw_only=True):
    """A table of a rulebook file, or a list of such tables."""

    table: str
    """Empty for the keys at the top of the file."""
    meaning: str
    several: bool
    """Whether it is a list of tables, such as `[[claims]]`."""
    keys: list[FormKey]
    needs: FormNeed | None


class DesignForm(Document, frozen=True, kw_only=True):
    """Every table and key of a rulebook file, in order; variants are left to its text."""

    tables: list[FormTable]


def design_form() -> DesignForm:
    """What can be filled in, from the vocabulary."""
    return DesignForm(
        tables=[
            _form_table("", [_other_key(key, key == "title") for key in ("title", "summary")]),
            *(_form_table(table, _rule_keys(table)) for table in RULE_TABLES),
            *(_form_table(table, _word_keys(table)) for table in ("words", "words.board")),
            *(_form_table(name, _list_keys(name), several=True) for name in _LISTS),
        ]
    )


def _form_table(table: str, keys: list[FormKey], several: bool = False) -> FormTable:
    meaning = TABLE_MEANINGS.get(table, "")
    return FormTable(table=table, meaning=meaning, several=several, keys=keys, needs=_need(table))


def _rule_keys(table: str) -> list[FormKey]:
    defaults = rule_defaults()
    return [
        _form_key(
            key,
            COMMAND_KEYS[key],
            RULE_MEANINGS[key],
            defaults[key] is REQUIRED,
            None if defaults[key] is REQUIRED else defaults[key],
        )
        for key in rule_keys()
        if key.startswith(f"{table}.")
    ]


def _word_keys(table: str) -> list[FormKey]:
    return [
        _form_key(
            one.key,
            "word" if one.key in KEY_CHOICES else "text",
            one.meaning,
            False,
            one.default,
            one.fields,
        )
        for one in word_keys()
        if one.key.rpartition(".")[0] == table
    ]


def _list_keys(name: str) -> list[FormKey]:
    return [_other_key(f"{name}.{key}", required) for key, required in _LISTS[name].items()]


def _other_key(key: str, required: bool) -> FormKey:
    kind = "word" if key == "claims.property" else "text"
    return _form_key(key, kind, OTHER_MEANINGS[key], required, None if required else "")


def _form_key(
    key: str, kind: Any, meaning: str, required: bool, default: Any, fields: Iterable[str] = ()
) -> FormKey:
    lowest, highest = KEY_RANGES.get(key, (None, None))
    fewest, most = KEY_COUNTS.get(key, (None, None))
    words = PROPERTY_MEANINGS if key == "claims.property" else KEY_CHOICES.get(key, {})
    return FormKey(
        key=key,
        kind=kind,
        meaning=meaning,
        required=required,
        default=default,
        lowest=lowest,
        highest=highest,
        fewest=fewest,
        most=most,
        words=[AllowedWord(word=str(word), meaning=said) for word, said in words.items()],
        fields=[TemplateField(name=name, meaning=FIELD_MEANINGS[name]) for name in fields],
        needs=_need(key),
    )


def _need(name: str) -> FormNeed | None:
    need = KEY_NEEDS.get(name)
    return None if need is None else FormNeed(key=need.key, words=[str(one) for one in need.words])


# A rulebook on trial


class TriedMove(Document, frozen=True, kw_only=True):
    """A legal move, or both numbers of a battle, with what comes of it."""

    move: str
    piece: str | None
    """The piece that moves; null for a pass and for a battle."""
    start: int | None = field(name="from")
    end: int | None = field(name="to")
    text: str
    """What it does besides moving a piece."""
    after: str
    """The position it leads to."""
    events: list[EventDocument]
    sentence: str
    """What happened, once it is played."""


class TriedPosition(Document, frozen=True, kw_only=True):
    """A position with its legal moves; nothing is solved."""

    board: BoardDocument
    winner: SideId | None
    sentence: str
    """Whose turn it is, or who has won."""
    moves: list[TriedMove]
    """In an open battle every pair of numbers; none when the game is over."""


class DesignDocument(Document, frozen=True, kw_only=True):
    """A rulebook as text and as data, with all that is wrong with it."""

    toml: str
    rulebook: dict[str, Any] | None
    """The data of the text, right or wrong; null where it is not TOML."""
    packed: str
    """The text for an address: `/design#PACKED`."""
    valid: bool
    problems: list[ProblemDocument]
    title: str
    rules: list[str]
    """The rules in words; empty unless the rulebook is valid."""
    start: TriedPosition | None
    variants: list[ShownVariant]


def tried_position(game: "Game", position: "Position") -> TriedPosition:
    """A position to try moves in."""
    narrator = Narrator(game)
    winner = game.outcome(position)
    moves = () if winner is not None else game.moves(position)
    return TriedPosition(
        board=board_document(game, narrator, position),
        winner=None if winner is None else SIDE_IDS[winner],
        sentence=_standing(game, narrator, position),
        moves=_tried_moves(game, narrator, position, moves),
    )


def _tried_moves(
    game: "Game", narrator: Narrator, position: "Position", moves: Iterable["Move"]
) -> list[TriedMove]:
    steps = {one.move: one for one in possible_moves(game, position)}
    names = {side: narrator.name(side) for side in SIDE_IDS}
    made = []
    for move in moves:
        turn = Turn(position, move, game.play(position, move), game.events(position, move))
        step = steps.get(str(move))
        made.append(
            TriedMove(
                move=str(move),
                piece=step.piece if step else None,
                start=step.start if step else None,
                end=step.end if step else None,
                text=step.text if step else "",
                after=str(turn.after),
                events=event_documents(turn.events),
                sentence=turn_sentence(turn, names, narrator.label),
            )
        )
    return made


def _standing(game: "Game", narrator: Narrator, position: "Position") -> str:
    winner = game.outcome(position)
    if winner is not None:
        return f"{narrator.name(winner)} has won."
    if position.battle is not None:
        place = narrator.label(position.battle)
        return f"Battle on {place}. Choose a number for each player."
    return f"{narrator.name(position.side)} to move."


def design_document(
    toml: str, data: dict[str, Any] | None, problems: Sequence[Problem], game: "Game | None"
) -> DesignDocument:
    """A rulebook on trial; `game` is given where nothing is wrong with it."""
    rulebook = None if game is None else game.rulebook
    title = data.get("title") if data else None
    return DesignDocument(
        toml=toml,
        rulebook=data,
        packed=pack_rulebook(toml),
        valid=game is not None,
        problems=[ProblemDocument(**one._asdict()) for one in problems],
        title=title if isinstance(title, str) else "",
        rules=[] if rulebook is None else _rules_in_words(rulebook),
        start=None if game is None else tried_position(game, game.start()),
        variants=[]
        if rulebook is None
        else [ShownVariant(name=one.name, summary=one.summary) for one in rulebook.variants],
    )


def _rules_in_words(rulebook: Rulebook) -> list[str]:
    return [
        paragraph for section in describe(rulebook)[:_RULES] for paragraph in section.paragraphs
    ]


def changed_text(rulebook: Rulebook, before: str) -> str:
    """A rulebook with changed rules as a file; without its variants if one no longer fits.

    The comments of the file before stay where that is possible.
    """
    data = rulebook_data(rulebook)
    try:
        rulebook_from_data(data, rulebook.id)
    except RulebookError:
        data = rulebook_data(replace(rulebook, variants=()))
    return edited_toml(before, {key: one for key, one in data.items() if one not in ({}, [], "")})


# What it is worth: messages that come one after the other


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
    verdict: Verdict
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
    """What was known before a change, as the server told it."""

    sentence: str
    verdicts: dict[Property, Verdict]


def found_value(value: Value, positions: int) -> FoundValue:
    """The value of a rulebook."""
    return FoundValue(
        value=interval(value),
        plies=value.plies,
        positions=positions,
        sentence=as_sentence(value),
    )


def found_verdicts(audit: "Audit", before: FormerVerdicts | None) -> FoundVerdicts:
    """The verdicts of an audit, and what is different from before."""
    claims = audit.rulebook.claims
    known = {} if before is None else before.verdicts
    verdicts = [
        ShownVerdict(
            property=one.claim.property,
            says=one.claim.says,
            claimed=one.claim in claims,
            verdict=one.ruling.verdict,
            why=one.ruling.why,
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
    audit: "Audit", verdicts: Sequence[ShownVerdict], before: FormerVerdicts | None
) -> str:
    """What a change has changed, in a few sentences."""
    if before is None:
        return ""
    told = []
    if as_sentence(audit.figures.value) != before.sentence:
        told.append(f"Before the change: {before.sentence[:1].lower()}{before.sentence[1:]}")
    for verdict in Verdict:
        new = dict.fromkeys(
            str(one.property) for one in verdicts if one.changed and one.verdict is verdict
        )
        if new:
            told.append(f"{_NOW[verdict]}: {listed(list(new), 'and')}.")
    return " ".join(told) or "The change makes no difference to the winner or to the verdicts."


_NOW = {
    Verdict.PROVED: "Now proved",
    Verdict.IN_PART: "Now holds in part",
    Verdict.REFUTED: "Now refuted",
}

# Other rulebooks close by


class ShownRuling(Document, frozen=True, kw_only=True):
    """The verdict on a property."""

    property: Property
    verdict: Verdict
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
    differs: bool
    """Whether the value is another one than that of the rulebook as it is."""
    fair: bool | UnsetType = UNSET
    """Whether it is proved that neither seat is favoured."""
    rulings: list[ShownRuling]
    board: BoardDocument


class FoundRulebooks(Document, frozen=True, kw_only=True, tag_field="type", tag="rulebooks"):
    """Rulebooks close by: repairs, variants, or all that are a single change away."""

    sentence: str
    rulebooks: list[NearbyRulebook]


DesignMessage = WorkProgress | WorkError | FoundValue | FoundVerdicts | FoundRulebooks
"""What comes while a worker judges a rulebook, or looks for others close by."""


def nearby_rulebook(
    game: "Game",
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
    from lineduel.lab import difference

    return NearbyRulebook(
        changes=list(changes),
        about=about,
        set=list(assignments_between(base.rules, game.rules)) if variant is UNSET else UNSET,
        variant=variant,
        sentences=list(difference(base, game.rulebook).there),
        sentence=as_sentence(worth),
        short=in_short(worth),
        differs=in_short(worth) != in_short(was),
        fair=fair,
        rulings=list(rulings),
        board=board_document(game, Narrator(game), game.start()),
    )


def nothing_to_repair() -> FoundRulebooks:
    """Where every claim holds."""
    return FoundRulebooks(sentence="Every claim holds: nothing to repair.", rulebooks=[])


def found_repairs(search: "RepairSearch", was: Value) -> FoundRulebooks:
    """The best repairs, or where there are none, what comes nearest."""
    found = search.repairs or search.nearest
    return FoundRulebooks(
        sentence=" ".join(_told_search(search)),
        rulebooks=[_repair(search.rulebook, one, was) for one in found],
    )


def _repair(base: Rulebook, one: "Repair", was: Value) -> NearbyRulebook:
    from lineduel.engine import Game

    return nearby_rulebook(
        Game(one.candidate.rulebook),
        base,
        one.figures.value,
        was,
        changes=[change.told for change in one.candidate.changes],
        fair=one.is_fair,
        rulings=[
            ShownRuling(property=about, verdict=ruling.verdict, why=ruling.why)
            for about, ruling in one.rulings.items()
        ],
    )


def _told_search(search: "RepairSearch") -> Iterable[str]:
    """What was found, and how far the search went."""
    count = len(search.repairs)
    if count:
        yield (
            "One repair meets every claim." if count == 1 else f"{count} repairs meet every claim."
        )
    else:
        yield "No rulebook that was tried meets every claim and keeps the game's character."
        if search.nearest:
            yield "In those below no claim is refuted, but some hold only in part."
    yield f"Tried {search.tried:,} rulebook{'' if search.tried == 1 else 's'}."
    if search.sizes:
        changes = "one change" if search.sizes == 1 else f"up to {search.sizes} changes"
        yield f"That is every rulebook with {changes}{', and some more' * search.cut_short}."
    if search.cut_short:
        yield "Then the time was over; 'lineduel repair' searches on."


def found_changes(tried: "SingleChanges", was: Value) -> FoundRulebooks:
    """What each single change does to the value of a rulebook, which is `was`."""
    from lineduel.engine import Game

    found = [
        nearby_rulebook(
            Game(one.rulebook),
            tried.rulebook,
            one.value,
            was,
            changes=[one.change.told],
            about=one.change.about,
        )
        for one in tried.found
    ]
    told = [f"{sum(one.differs for one in found)} of {len(found)} single changes change the value."]
    if tried.too_large:
        told.append(f"{tried.too_large} more make the game too large to solve here.")
    if tried.cut_short:
        told.append("Then the time was over, so others were not tried.")
    return FoundRulebooks(sentence=" ".join(told), rulebooks=found)


def found_variants(base: Rulebook, audits: Iterable["Audit"], was: Value) -> FoundRulebooks:
    """The audited variants of a rulebook, whose value is `was`."""
    found = [_variant(base, one, was) for one in audits]
    return FoundRulebooks(sentence="" if found else "No variants.", rulebooks=found)


def _variant(base: Rulebook, audit: "Audit", was: Value) -> NearbyRulebook:
    variant = audit.rulebook.variant
    assert variant is not None
    return nearby_rulebook(
        audit.analysis.game,
        base,
        audit.figures.value,
        was,
        changes=[variant.summary],
        variant=variant.name,
        rulings=[
            ShownRuling(property=one.claim.property, verdict=one.ruling.verdict, why=one.ruling.why)
            for one in audit.findings
        ],
    )
