"""An exam: games against levels and fixed positions, as long work that can be stopped."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import partial

import msgspec

from lineduel.agents.agent import may_learn
from lineduel.agents.exam_settings import EXAM_VERSION, ExamSettings, ItemLine
from lineduel.agents.sitting import KEPT_AGENT, sit
from lineduel.errors import LineduelError, shown
from lineduel.jobs import (
    CHUNK_SECONDS,
    LEDGER_KIND,
    Header,
    Keep,
    Ledger,
    Pool,
    Progress,
    uninterrupted,
)

_LARGEST_CHUNK = 64


@dataclass(slots=True)
class Exam:
    """An exam under way, or done."""

    settings: ExamSettings
    lines: dict[int, ItemLine] = field(default_factory=dict)
    """By the number of the item."""

    @classmethod
    def resumed(cls, ledger: Ledger) -> "Exam":
        """The exam that a file holds; of an item that is there twice the first counts."""
        exam = cls(exam_settings_of(ledger))
        decoder = msgspec.json.Decoder(ItemLine)
        for number, content in ledger.contents():
            try:
                line = decoder.decode(content)
            except msgspec.ValidationError as error:
                raise ledger.refusal(number, str(error).replace("`", "")) from None
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise ledger.refusal(number, "this is not a line of JSON") from None
            if why := _misfit(exam.settings, line):
                raise ledger.refusal(number, why)
            exam.lines.setdefault(line.item, line)
        return exam

    @property
    def header(self) -> Header:
        return self.settings.header()

    @property
    def kept(self) -> str:
        return f"{len(self.lines):,} of {self.settings.items:,} parts of the exam are kept"

    @property
    def is_done(self) -> bool:
        return len(self.lines) == self.settings.items

    def steps(self, pool: Pool, keep: Keep) -> Iterator[Progress]:
        """Ask what has not been asked yet."""
        settings = self.settings
        yield self._progress
        try:
            for lines in pool.run(
                partial(sit, settings),
                (item for item in range(settings.items) if item not in self.lines),
                kind=lambda item: item // settings.each,
                # What a worker has learned about a rule set, no other one has to learn again.
                seconds=math.inf if may_learn(settings.agent) else CHUNK_SECONDS,
                largest=_LARGEST_CHUNK,
            ):
                with uninterrupted():
                    keep(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
                    self.lines |= {line.item: line for line in lines}
                yield self._progress
        finally:
            KEPT_AGENT.close()  # if it was started here, and not in another process

    @property
    def _progress(self) -> Progress:
        return Progress("asking", len(self.lines), self.settings.items)


def exam_settings_of(ledger: Ledger) -> ExamSettings:
    """What the first line of a ledger says; whatever does not fit is refused."""
    header = dict(ledger.header)
    names = {one.name for one in fields(ExamSettings)}
    if header.pop("version", None) != EXAM_VERSION:
        raise ledger.refusal(1, "this exam was written by another version of lineduel")
    header.pop(LEDGER_KIND)
    for name in sorted(names ^ header.keys()):
        what = "is missing" if name in names else "is not a setting"
        raise ledger.refusal(1, f"'{shown(name)}' {what}")
    try:
        settings = msgspec.convert(header, ExamSettings)
        settings.check()
        for one in settings.rule_sets:
            _ = one.rulebook
    except (msgspec.ValidationError, LineduelError) as error:
        raise ledger.refusal(1, str(error).replace("`", "")) from None
    return settings


def _misfit(settings: ExamSettings, line: ItemLine) -> str | None:
    """Why a line does not belong to an exam."""
    if line.item >= settings.items:
        return f"there is no item {line.item}"
    at = line.item % settings.each
    is_game = at > settings.positions
    if bool(line.scores) != (at == 0 and settings.games > 0) or bool(line.result) != is_game:
        return f"item {line.item} is of another kind"
    return None
