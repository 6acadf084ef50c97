"""What rulebooks are worth: the JSON of `audit`, `repair`, `sweep` and `discover`."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from lineduel import discover, lab
from lineduel.documents.document import Document
from lineduel.documents.strength_documents import PairDocument, pair_documents
from lineduel.record import write_record
from lineduel.rules import Property, Rules, rulebook_data
from lineduel.solve import Endless, Value

# Audits


class EvidenceDocument(Document, frozen=True, kw_only=True):
    """The evidence for a verdict."""

    told: str
    """The evidence in a sentence."""
    position: str | None
    record: str | None
    """A line of play that shows it, as a record that can be replayed."""


class FindingDocument(Document, frozen=True, kw_only=True):
    """A claim, the verdict on it, and the evidence."""

    says: str
    """The author's sentence."""
    property: Property
    """The property that was tested."""
    not_tested: str | None
    """What the sentence says beyond the property."""
    verdict: lab.Verdict
    why: str
    evidence: EvidenceDocument


class SkillDocument(Document, frozen=True, kw_only=True):
    """The score of the best player against a random one, for each seat: 0 to 1."""

    as_player1: float
    as_player2: float


class EqualsDocument(Document, frozen=True, kw_only=True):
    """A player's games against itself."""

    player: str
    seat: float
    """What player 1 can expect: win 1, loss -1, endless 0."""
    endless: float
    """The chance that play never ends."""
    plies: float | None
    """The expected length of the games that end; null if none does."""


class BattlesDocument(Document, frozen=True, kw_only=True):
    """How battles are played best."""

    total: int
    mixed: int
    """How many battles have no single number that secures the value for either side."""
    always_best: int | None
    """A number that is proved to be best for both sides in every battle."""
    perhaps_best: bool
    """Whether some number may be best for both sides in every battle."""


class FiguresDocument(Document, frozen=True, kw_only=True):
    """The figures of a rulebook; the `definitions` of an audit explain them."""

    positions: int
    branching: float
    value: tuple[float, float]
    plies: int | None
    longest: int | None
    longest_game: int | None
    """Null if a game can go on for ever."""
    shortest_game: int | None
    """Null if no game ends."""
    endless: Endless | None
    """Whether best play of both sides can go on for ever; null if unknown."""
    decisions: float
    only_moves: float
    turning_points: float
    lead_changes: float
    drama: float
    elo_range: float | None
    chain: tuple[str, ...]
    """The longest line of players in which each scores 0.6 or more against the next."""
    skill: SkillDocument
    equals: list[EqualsDocument]
    """From the weakest player to the best."""
    battles: BattlesDocument | None


class OpeningDocument(Document, frozen=True, kw_only=True):
    """A first move and its value; plies are counted from the position after it."""

    move: str
    value: tuple[float, float]
    plies: int | None


class UsageDocument(Document, frozen=True, kw_only=True):
    """In how many positions a rule matters."""

    word: lab.Word
    positions: int
    in_best_play: int
    """How many of those positions occur in best play."""
    example: str | None
    """The position of these that is nearest to the start."""


class DefinitionDocument(Document, frozen=True, kw_only=True):
    """What a figure means, and its source."""

    meaning: str
    source: str


class AuditDocument(Document, frozen=True, kw_only=True):
    """Whether a rulebook keeps its promises, and everything that was measured."""

    game: str
    claims: list[FindingDocument]
    figures: FiguresDocument
    pairs: list[PairDocument]
    """Every pairing of the ladder."""
    openings: list[OpeningDocument]
    words: list[UsageDocument]
    definitions: dict[str, DefinitionDocument]

    @property
    def is_refuted(self) -> bool:
        """Whether any claim is refuted."""
        return any(one.verdict is lab.Verdict.REFUTED for one in self.claims)


VariantsDocument = list[AuditDocument]
"""The audits of a rulebook and of each of its variants."""


def audit_document(audit: "lab.Audit") -> AuditDocument:
    """An audit with its figures, pairings, first moves and rules."""
    return AuditDocument(
        game=audit.rulebook.id,
        claims=[_finding(one) for one in audit.findings],
        figures=figures_document(audit.figures),
        pairs=pair_documents(audit.analysis.ladder),
        openings=[
            OpeningDocument(move=str(move), value=_bounds(value), plies=value.plies)
            for move, value in audit.openings
        ],
        words=[
            UsageDocument.of(one, example=None if one.example is None else str(one.example))
            for one in audit.analysis.words
        ],
        definitions={name: DefinitionDocument.of(one) for name, one in lab.DEFINITIONS.items()},
    )


def figures_document(figures: lab.Figures) -> FiguresDocument:
    """The figures of a rulebook."""
    return FiguresDocument.of(
        figures,
        value=_bounds(figures.value),
        plies=figures.value.plies,
        endless=figures.value.endless,
        skill=SkillDocument.of(figures.skill),
        equals=[EqualsDocument.of(one) for one in figures.equals],
        battles=figures.battles and BattlesDocument.of(figures.battles),
    )


def _finding(finding: "lab.AuditedClaim") -> FindingDocument:
    shown = finding.evidence
    return FindingDocument.of(
        finding.ruling,
        says=finding.claim.says,
        property=finding.claim.property,
        not_tested=finding.claim.not_tested or None,
        evidence=EvidenceDocument(
            told=shown.text,
            position=None if shown.position is None else str(shown.position),
            record=None if shown.record is None else write_record(shown.record),
        ),
    )


def _bounds(value: Value) -> tuple[float, float]:
    """A value as the two ends of its interval."""
    return float(value.low), float(value.high)


# Repairs


class WantedDocument(Document, frozen=True, kw_only=True):
    """A claim that a repair has to make true."""

    says: str
    property: Property


class RepairedDocument(Document, frozen=True, kw_only=True):
    """A rulebook with some changes, audited."""

    changes: list[str]
    """The changes, as assignments."""
    play: str
    """The command that plays it."""
    rulings: Mapping[Property, lab.Ruling]
    figures: FiguresDocument
    fair: bool
    """Whether it is proved that neither seat is favoured."""
    track: list[str]
    """The track at the start, as lines of text, and the goal cells."""


class RepairDocument(Document, frozen=True, kw_only=True):
    """The smallest changes that make a rulebook's claims true.

    If every claim is already proved, nothing is searched, and only `repairs` is set (empty).
    """

    game: str
    sound: bool
    """Whether every claim is proved without any change."""
    claims: list[WantedDocument] | UnsetType = UNSET
    tried: int | UnsetType = UNSET
    """How many rulebooks were tried."""
    same: int | UnsetType = UNSET
    """How many more were not tried because they are the same games as others."""
    too_large: int | UnsetType = UNSET
    """How many more were not tried because they are too large."""
    changes: int | UnsetType = UNSET
    """All rulebooks with up to this many changes were tried."""
    repairs: list[RepairedDocument]
    """The repairs, those with the fewest changes first."""
    nearest: list[RepairedDocument] | UnsetType = UNSET
    """Rulebooks in which no claim is refuted, but some hold only in part."""
    misses: list[RepairedDocument] | UnsetType = UNSET
    """If there are neither repairs nor nearest: the closest, with claims that are refuted."""
    excluded: list[list[Property]] | UnsetType = UNSET
    """The smallest sets of claims that no candidate proves together."""
    fair_first: bool | UnsetType = UNSET
    """Whether fair seats were preferred, because one seat wins the best repair."""
    trade_off: dict[lab.Measure, list[int]] | UnsetType = UNSET
    """The three best repairs by each measure, as places in `repairs`, counted from 0."""


def repair_document(search: "lab.RepairSearch", command: Callable[[Rules], str]) -> RepairDocument:
    """A search for repairs; `command` returns the command that plays some rules."""
    return RepairDocument.of(
        search,
        game=search.rulebook.id,
        sound=False,
        claims=[WantedDocument.of(one) for one in search.claims],
        same=search.twice,
        changes=search.sizes,
        repairs=[_repaired(one, command) for one in search.repairs],
        nearest=[_repaired(one, command) for one in search.nearest],
        misses=[_repaired(one, command) for one in search.misses],
        excluded=[sorted(some) for some in search.excluded()],
        trade_off={
            measure: list(places) for measure, places in lab.trade_off(search.repairs).items()
        },
    )


def _repaired(one: "lab.Repair", command: Callable[[Rules], str]) -> RepairedDocument:
    return RepairedDocument(
        changes=[str(change) for change in one.candidate.changes],
        play=command(one.candidate.rulebook.rules),
        rulings=one.rulings,
        figures=figures_document(one.figures),
        fair=one.is_fair,
        track=list(lab.track_lines(one.candidate.rulebook)),
    )


# Sweeps


def _columns_schema() -> dict[str, Any]:
    """The schema of the figures of a row."""
    _, components = msgspec.json.schema_components([lab.RowFigures])
    properties: dict[str, Any] = components["RowFigures"]["properties"]
    return properties


SweepRow = Annotated[
    dict[str, Any],
    Meta(
        description="A combination: its number, the keys that vary with their values, a status, "
        "and where that is `done` the figures.",
        extra_json_schema={
            "required": ["number", "status"],
            "properties": {
                "number": {"type": "integer", "minimum": 0},
                "status": {"type": "string"},
                **_columns_schema(),
            },
            "additionalProperties": {"type": "string"},
        },
    ),
]


class SweepDocument(Document, frozen=True, kw_only=True):
    """The figures of all combinations of some keys."""

    game: str
    """The original rulebook."""
    solved: int
    """How many rulebooks were computed in this run; others were known, or are the same games."""
    rows: list[SweepRow]


def sweep_document(sweep: "lab.Sweep") -> SweepDocument:
    """A sweep with all its rows."""
    return SweepDocument(game=sweep.space.rulebook.id, solved=sweep.solved, rows=sweep.table())


# Searches for new duels


class FoundDocument(Document, frozen=True, kw_only=True):
    """A duel that was found."""

    id: str
    """Its number, which is also the name of its files."""
    title: str
    front: bool
    """Whether no other duel that was kept is at least as good by every preferred figure."""
    figures: dict[str, float]
    """Exact, by name; games that never end last 1e9 turns."""
    verdicts: dict[Property, lab.Verdict]
    rulebook: dict[str, Any]
    """As in its file."""


class DiscoverDocument(Document, frozen=True, kw_only=True):
    """A search for duels."""

    tried: int
    """Candidates."""
    measured: int
    """Those that are rulebooks of a size that can be proved."""
    too_large: int
    """Those that are rulebooks with too many positions, which were left out."""
    with_battles: int
    """Those that have battles, whatever became of them."""
    complete: bool
    """Whether every duel within the bounds was tried."""
    seed: int
    goals: list[str]
    """All of them are proved for every duel that was found."""
    dropped: tuple[discover.DroppedGoal, ...]
    """Default goals that were not searched for, because nothing within the bounds can meet them."""
    preferred: tuple[str, ...]
    found: list[FoundDocument]


def discover_document(
    search: "discover.DesignSearch", found: "list[discover.Proved]"
) -> DiscoverDocument:
    """A search with the duels that it kept."""
    question = search.question
    return DiscoverDocument.of(
        search,
        complete=question.complete,
        seed=question.seed,
        goals=[goal.text for goal in question.goals],
        dropped=question.dropped,
        preferred=question.preferred,
        found=[
            FoundDocument(
                id=one.rulebook.id,
                title=one.rulebook.title,
                front=one.on_front,
                figures=one.figures,
                verdicts={about: ruling.verdict for about, ruling in one.rulings.items()},
                rulebook=rulebook_data(one.rulebook),
            )
            for one in found
        ],
    )
