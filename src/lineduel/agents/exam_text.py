"""The report of an exam for people, as text and as a page."""

from collections import Counter
from collections.abc import Iterator
from textwrap import fill

from lineduel import documents
from lineduel.errors import shown
from lineduel.page import write_page
from lineduel.players import level_in_words
from lineduel.quantities import counted

_WIDTH = 76
_ENOUGH = 10
"""The fewest finished games after which a level is named."""


def exam_lines(found: "documents.ExamDocument") -> Iterator[str]:
    """The report for people."""
    settings = found.settings
    yield f"Exam of {shown(found.agent, 200)}"
    groups = Counter(one.group for one in found.rule_sets)
    sets = ", ".join(f"{number} {name}" for name, number in groups.items())
    yield f"{counted(len(found.rule_sets), 'rule set')}: {sets}; seed {settings.seed}."
    yield ""
    yield "What a choice gives away (0 is best play, 2 turns a sure win into a sure loss)"
    for name, part in (("fixed positions", found.positions), ("games", found.games)):
        if part.regret.count:
            questions = counted(part.regret.count, "question")
            yield f"  {name:<18}{estimate_text(part.regret)}   {questions}"
            if part.of_legal.count < part.regret.count:
                yield f"  {'  legal answers':<18}{estimate_text(part.of_legal)}"
            for group, one in part.groups.items() if len(part.groups) > 1 else ():
                yield f"    {group:<16}{estimate_text(one)}"
            if part.random is not None:
                yield f"  {'  by chance':<18}{part.random:.4f} (exact, in the same positions)"
    if found.scores:
        yield ""
        yield "Score against each level, over both seats (unfinished games count half)"
        for row in found.scores:
            score = estimate_text(row.score, share=True)
            results = f"{row.won} won, {row.lost} lost, {row.unfinished} unfinished"
            yield f"  {level_in_words(row.level):<18}{score}   {results}"
        if found.matches is not None:
            yield f"  {match_text(found)}"
    yield ""
    failures = found.failures
    yield f"Illegal answers:    {rate_text(failures.illegal)}"
    yield f"Unreadable answers: {rate_text(failures.unreadable)}"
    if failures.why:
        yield fill(
            "  " + ", ".join(f"{shown(why)}: {count}" for why, count in failures.why.items()),
            _WIDTH,
            subsequent_indent="  ",
        )
    for name, same in (
        ("Same choice with the rules in other words", found.consistency.rephrased),
        ("Same choice from the other end of the line", found.consistency.mirrored),
    ):
        if same.total:
            yield f"{name}: {rate_text(same)}"
    yield from _mixing_lines(found.mixing)
    yield from _mistake_lines(found.mistakes)
    yield from _usage_lines(found.usage)
    yield ""
    yield fill(f"Settings: {settings_text(settings)}", _WIDTH, subsequent_indent="  ")


def _mixing_lines(mixing: "documents.MixingDocument") -> Iterator[str]:
    if not mixing.mixed or mixing.distinct is None or mixing.distinct_best is None:
        return
    battles = counted(mixing.mixed, "battle")
    yield (
        f"Battles: in {battles} where best play mixes, it used {mixing.distinct:.1f} different "
        f"numbers on average;"
    )
    yield (
        f"  best play would use {mixing.distinct_best:.1f}. "
        f"In {mixing.always_same} it always chose the same number."
    )


def _mistake_lines(mistakes: "documents.MistakesDocument") -> Iterator[str]:
    if not mistakes.count.total:
        return
    yield f"Mistakes: {rate_text(mistakes.count)}"
    if mistakes.reasons:
        kinds = ", ".join(f"{kind} {count}" for kind, count in mistakes.reasons.items())
        yield fill(f"  Reasons: {kinds}", _WIDTH, subsequent_indent="  ")
    for one in mistakes.worst[:3]:
        said = one.sentence or "No short reason is known."
        where = f"{shown(one.rule_set)}, {one.position}, player {one.side}: {one.choice}"
        yield fill(
            f"  {where} gives away {one.regret:.3f}. {said}", _WIDTH, subsequent_indent="    "
        )


def _usage_lines(usage: "documents.ExamUsageDocument") -> Iterator[str]:
    told = [f"{usage.answers:,} answers"]
    if usage.input_tokens or usage.output_tokens:
        told.append(f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out")
    if usage.seconds:
        told.append(f"{usage.seconds:,.1f} seconds")
    if usage.cost:
        told.append(f"cost {usage.cost:,.4f}")
    yield f"Used: {'; '.join(told)}."


def settings_text(settings: "documents.ExamSettingsDocument") -> str:
    """The settings in one sentence."""
    reading = {
        "last": "the last choice behind the last 'ANSWER:' counts, or without it the last choice",
        "marked": "only the last choice behind the last 'ANSWER:' counts",
    }[settings.reading]
    told = [
        f"legal moves {'shown' if settings.show_moves else 'not shown'}",
        f"history {'shown' if settings.history else 'not shown'}",
        f"{counted(settings.retries, 'retry', 'retries')}",
        f"positions as {settings.form}",
        f"rules in English, {settings.phrasing} phrasing",
        reading,
        f"up to {settings.seconds:g} seconds for an answer",
        f"games stopped after {settings.plies} turns",
        f"seed {settings.seed}",
    ]
    if settings.model:
        told.append(f"model {shown(settings.model)}")
    return "; ".join(told) + "."


def match_text(found: "documents.ExamDocument") -> str:
    """Which level an agent matches, with the levels that fit as well."""
    if found.matches is None:
        return ""
    if sum(row.won + row.lost for row in found.scores) < _ENOUGH:
        return "Too few finished games to say which level it matches."
    text = f"Its scores are nearest to those of {level_in_words(found.matches)}"
    low, high = found.matches_low, found.matches_high
    if low is None or high is None or low == high:
        return f"{text}."
    return f"{text}; levels {low} to {high} fit."


def estimate_text(one: "documents.EstimateDocument", share: bool = False) -> str:
    """A mean with its interval: `0.123 [0.101, 0.144]`, `54% [50%, 59%]`."""
    if one.mean is None:
        return "-"
    form = "{:.0%}" if share else "{:.4f}"
    mean = form.format(one.mean)
    if one.low is None or one.high is None:
        return f"{mean} (no interval: one rule set)"
    return f"{mean} [{form.format(one.low)}, {form.format(one.high)}]"


def rate_text(one: "documents.RateDocument") -> str:
    """A rate with its interval: `3 of 200, 1.5% [0.5%, 4.3%]`."""
    if one.rate is None:
        return "none asked"
    return f"{one.count:,} of {one.total:,}, {one.rate:.1%} [{one.low:.1%}, {one.high:.1%}]"


def exam_page(found: "documents.ExamDocument") -> str:
    """The report as one HTML page that loads nothing."""
    return write_page(
        "exam.html",
        title=f"Exam of {shown(found.agent, 200)}",
        found=found,
        estimate=estimate_text,
        rate=rate_text,
        level=level_in_words,
        matches=match_text(found),
        settings=settings_text(found.settings),
    )
