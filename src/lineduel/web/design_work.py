"""What worker processes compute for the designer; each says how far it is."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache

from lineduel import documents
from lineduel.jobs import LongRun, Pool, Progress, tell_parent
from lineduel.lab import (
    Analysis,
    Audit,
    RepairWork,
    SearchStage,
    Verdict,
    audit_analysis,
    claims_of,
    compile_quick_figures,
    single_changes,
)
from lineduel.rulebooks import find_rulebook
from lineduel.rules import apply_variant
from lineduel.web.rulebook_shelf import RulebookText, cache_for, rulebook_of

REPAIR_SECONDS = 45.0
"""How long repairs are looked for."""
MOST_REPAIRS = 6
"""The search ends when it has found this many."""
MOST_CHANGES = 2
MOST_CANDIDATES = 4000
CHANGES_SECONDS = 20.0
"""How long single changes are tried."""
_SHARES = {SearchStage.WEIGHING: 0.6, SearchStage.AUDITING: 0.9}
"""The part of the time by which each stage of a search is over."""
_PAUSE = 0.2
"""Seconds between two reports."""
_KEPT = 2
"""Audits that a worker keeps."""


@cache
def get_ready_to_judge() -> None:
    """Load or compile what every audit needs."""
    for game in ("ctf-tokens", "flag-chase"):
        audit_analysis(Analysis(find_rulebook(game)))


@cache
def get_ready_to_repair() -> None:
    """Load or compile what every search for repairs needs."""
    get_ready_to_judge()
    for with_battles in (False, True):
        compile_quick_figures(with_battles)


def judged(text: RulebookText, before: documents.FormerVerdicts | None) -> documents.FoundVerdicts:
    """The verdict on every claim; who wins is sent ahead, as soon as it is known."""
    return documents.found_verdicts(_audited(text), before)


def audit_for_page(text: RulebookText) -> documents.FoundAudit:
    """An audit of all properties, with what shows each verdict."""
    return documents.found_audit(_audited(text))


def audit_html(text: RulebookText, made: date) -> str:
    """The page that `lineduel audit --all --html` writes."""
    page = documents.audit_report([_audited(text)], made).page
    assert page is not None
    return page


def repaired(
    text: RulebookText, everything: bool = False, clock: Callable[[], float] = time.monotonic
) -> documents.FoundRulebooks:
    """The smallest changes that make every claim true, as far as the time allows.

    With `everything`, so that nothing fails that the author does not promise, either.
    """
    before, rulebook = _audited(text), rulebook_of(text)
    if everything:
        claims = tuple(claims_of(rulebook.rules, rulebook.claims, everything))
        rulebook = replace(rulebook, claims=claims)
    wanted = {one.property for one in claims_of(rulebook.rules, rulebook.claims)}
    failing = [one for one in before.findings if one.ruling.verdict is not Verdict.PROVED]
    if not any(one.claim.property in wanted for one in failing):
        return documents.nothing_to_repair(
            len(wanted), [one.claim.property for one in failing], bool(rulebook.claims)
        )
    begun = clock()
    with Pool(0) as pool:
        work = RepairWork(
            rulebook,
            prefer_fair=True,
            most=MOST_CHANGES,
            wanted=MOST_REPAIRS,
            most_tried=MOST_CANDIDATES,
            is_over=lambda stage: clock() - begun > _SHARES[stage] * REPAIR_SECONDS,
        )
        LongRun(work).run(pool, _Reports().show)
    return documents.found_repairs(work.search, before.figures.value)


def changed_once(
    text: RulebookText, clock: Callable[[], float] = time.monotonic
) -> documents.FoundRulebooks:
    """What every single change that a repair would try does to the value."""
    was, begun = _audited(text).figures.value, clock()
    tried = single_changes(
        rulebook_of(text), _Reports().show, lambda: clock() - begun > CHANGES_SECONDS
    )
    return documents.found_changes(tried, was)


def compared_variants(text: RulebookText) -> documents.FoundRulebooks:
    """Every variant of a rulebook, audited."""
    base, was = rulebook_of(text), _audited(text).figures.value
    reports, total, audits = _Reports(), len(base.variants), []
    for number, variant in enumerate(base.variants, start=1):
        report = reports.share(f"auditing variant {number} of {total}")
        report(0)
        made = Analysis(apply_variant(base, variant.name), report=report, cache=cache_for(text.id))
        audits.append(audit_analysis(made, True))
    return documents.found_variants(base, audits, was)


@lru_cache(_KEPT)
def _audited(text: RulebookText) -> Audit:
    """An audit of all properties; the value is sent ahead."""
    reports = _Reports()
    reports.show(Progress("Solving the game"))
    report = reports.share("Testing every claim")
    analysis = Analysis(rulebook_of(text), report=report, cache=cache_for(text.id))
    tell_parent(documents.found_value(analysis.value, len(analysis.graph)))
    return audit_analysis(analysis, True)


class _Reports:
    """Reports how far the work is, but not too often."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._last = clock, 0.0
        self._doing = ""

    def show(self, progress: Progress) -> None:
        """Report how much of a stage is done."""
        now, doing = self._clock(), progress.doing
        if doing != self._doing or now - self._last > _PAUSE:
            self._last, self._doing = now, doing
            label = f"{doing[:1].upper()}{doing[1:]}"
            tell_parent(
                documents.WorkProgress(doing=label, done=progress.done, total=progress.total)
            )

    def share(self, doing: str) -> Callable[[float], None]:
        """A function that takes the share done of a stage."""
        return lambda done: self.show(Progress(doing, done, 1))
