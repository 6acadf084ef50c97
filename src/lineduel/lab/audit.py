"""Tests whether a rulebook keeps its promises, with the evidence."""

from collections.abc import Callable
from dataclasses import dataclass

from lineduel.engine import Move
from lineduel.lab.analysis import Analysis
from lineduel.lab.claims import Ruling, Verdict, claims_of, rule
from lineduel.lab.evidence import Evidence, evidence
from lineduel.lab.figures import Figures
from lineduel.rules import Claim, Rulebook, rule_sentences
from lineduel.solve import Cache, Value


@dataclass(frozen=True, slots=True)
class AuditedClaim:
    """A claim, the verdict on it, and the evidence."""

    claim: Claim
    ruling: Ruling
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything an audit found about a rulebook."""

    analysis: Analysis
    figures: Figures
    findings: tuple[AuditedClaim, ...]

    @property
    def rulebook(self) -> Rulebook:
        return self.analysis.rulebook

    @property
    def refuted(self) -> tuple[AuditedClaim, ...]:
        return tuple(one for one in self.findings if one.ruling.verdict is Verdict.REFUTED)

    @property
    def openings(self) -> tuple[tuple[Move, Value], ...]:
        """Every first move with its value."""
        return self.analysis.solution.moves(self.analysis.game.start())


def audit(
    rulebook: Rulebook,
    everything: bool = False,
    report: Callable[[float], None] | None = None,
    cache: Cache | None = None,
) -> Audit:
    """Decide a rulebook's claims; those that any might make as well, if everything is asked."""
    return audit_analysis(Analysis(rulebook, report=report, cache=cache), everything)


def audit_analysis(analysis: Analysis, everything: bool = False) -> Audit:
    """The same for a rulebook of which some things may be known already."""
    rulebook, figures = analysis.rulebook, analysis.figures
    findings = []
    for claim in claims_of(rulebook.rules, rulebook.claims, everything):
        ruling = rule(claim.property, figures, lambda: analysis.words)
        findings.append(AuditedClaim(claim, ruling, evidence(analysis, claim.property)))
    return Audit(analysis, figures, tuple(findings))


@dataclass(frozen=True, slots=True)
class Difference:
    """The sentences in which two rulebooks differ."""

    here: tuple[str, ...]
    there: tuple[str, ...]


def difference(rulebook: Rulebook, other: Rulebook) -> Difference:
    """The sentences that only the one or only the other rulebook has."""
    here, there = rule_sentences(rulebook.rules), rule_sentences(other.rules)
    return Difference(
        tuple(one for one in here if one not in there),
        tuple(one for one in there if one not in here),
    )
