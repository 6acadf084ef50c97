"""A solution as text that a separate checker can verify line by line.

    lineduel certificate 1
    rules track.first=0; track.last=10; …
    start 0,1,2/8,9,10/1
    0,1,2/8,9,10/1 -1 20
    …
    sha256 …

Each line gives a position, its value for player 1 and the plies of a forced win (`-` if there is
none). With battles it gives bounds instead of a value, `1/47 1/47 -`, followed by each side's plan:
its rank and the probabilities of its moves or numbers, `3 1/2,0,1/2` (`-` if it has no choice). If
numbers are spent, those that are not in hand have the probability 0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256

from lineduel.engine import Game, Position
from lineduel.errors import CertificateError, LineduelError, NotationError, shown
from lineduel.record import parse_position
from lineduel.rules import Rulebook, Rules, Side, Words, format_rules, parse_rules
from lineduel.solve.solution import PlainSolution, Plan
from lineduel.solve.value import Number, Value

HEAD = "lineduel certificate 1"
MOST_CERTIFIED = 200_000
"""Most positions in a certificate; larger rulebooks are solved as a table."""
LARGEST_FILE = 1 << 26
"""Largest size in bytes of a file that is read."""
MOST_DIGITS = 1000
"""Most digits in a number. The solver writes a few dozen; longer ones only waste time."""
_HEAD_LINES = 3
_LONGEST_POSITION = 16 * len("-9999,") + len("/1*-9999;123456789/123456789")
_SEAL = "sha256 "
_WHOLE = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}")
_FRACTION = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}(/[0-9]{{1,{MOST_DIGITS}}})?")


@dataclass(frozen=True, slots=True)
class CertificateEntry:
    """One line: a position, its value and, with battles, the plans that prove it."""

    position: Position
    value: Value
    plans: tuple[Plan, Plan] | None


@dataclass(frozen=True, slots=True)
class Certificate:
    """A parsed certificate: the rules, the start position and all entries."""

    rules: Rules
    start: Position
    entries: tuple[CertificateEntry, ...]

    def game(self) -> Game:
        """A playable game with these rules."""
        return Game(
            Rulebook(id="certificate", title="", summary="", rules=self.rules, words=Words())
        )


def write_certificate(solution: PlainSolution) -> str:
    """The text of a certificate, with a SHA-256 hash so that any changed byte is detected."""
    lines = [
        HEAD,
        f"rules {format_rules(solution.game.rules)}",
        f"start {solution.start}",
        *(_line(solution, position, value) for position, value in solution.items()),
    ]
    body = "\n".join(lines) + "\n"
    return f"{body}{_SEAL}{sha256(body.encode()).hexdigest()}\n"


def read_certificate(text: str) -> Certificate:
    """Parse what `write_certificate` wrote; this does not check that the values are correct."""
    body, seal, digest = text.rpartition(_SEAL)
    if not text.startswith(HEAD + "\n"):
        raise CertificateError(f"This is not a certificate: it does not begin with '{HEAD}'.")
    if not seal or digest != f"{sha256(body.encode()).hexdigest()}\n":
        raise CertificateError("The certificate is damaged: its checksum does not match its text.")
    size = body.count("\n") - _HEAD_LINES
    if size > MOST_CERTIFIED:
        raise CertificateError(
            f"The certificate has {size:,} positions; at most {MOST_CERTIFIED:,} are read."
        )
    *lines, rest = body.split("\n")
    try:
        if rest:
            raise CertificateError("The last line of the certificate is cut short.")
        rules = parse_rules(_after(lines[1], "rules "))
        start = _position(_after(lines[2], "start "))
        return Certificate(rules, start, tuple(_entries(lines[_HEAD_LINES:])))
    except IndexError:
        raise CertificateError("The certificate is cut short.") from None
    except CertificateError:
        raise
    except LineduelError as error:
        raise CertificateError(f"The certificate is wrong. {error}") from None


def solution_of(certificate: Certificate, game: Game) -> PlainSolution:
    """The solution in a certificate, without checking it."""
    values = {entry.position: entry.value for entry in certificate.entries}
    plans = {entry.position: entry.plans for entry in certificate.entries if entry.plans}
    return PlainSolution(game, certificate.start, values, plans)


def _line(solution: PlainSolution, position: Position, value: Value) -> str:
    plies = "-" if value.plies is None else str(value.plies)
    plans = [plan for side in Side if (plan := solution.plan(position, side))]
    if not plans:
        return f"{position} {value.low} {plies}"
    shown = " ".join(f"{plan.rank} {','.join(map(str, plan.chances)) or '-'}" for plan in plans)
    return f"{position} {value.low} {value.high} {plies} {shown}"


def _entries(lines: list[str]) -> Iterator[CertificateEntry]:
    for number, line in enumerate(lines, start=_HEAD_LINES + 1):
        words = line.split(" ")
        try:
            if len(words) == 3:
                yield CertificateEntry(_position(words[0]), _value(words[1], words[2]), None)
            else:
                position, low, high, plies, rank1, chances1, rank2, chances2 = words
                value = Value(_number(low), _number(high), _plies(plies))
                plans = (
                    Plan(_chances(chances1), _whole(rank1)),
                    Plan(_chances(chances2), _whole(rank2)),
                )
                yield CertificateEntry(_position(position), value, plans)
        except (ValueError, ZeroDivisionError, LineduelError):
            raise CertificateError(f"Line {number} of the certificate is wrong.") from None


def _after(line: str, start: str) -> str:
    if not line.startswith(start):
        raise CertificateError(f"The certificate has no line for its {start.strip()}.")
    return line.removeprefix(start)


def _position(text: str) -> Position:
    if len(text) > _LONGEST_POSITION:
        raise NotationError(f"'{shown(text)}' is not a position: it is too long.")
    return parse_position(text).unchecked()  # the checker validates each position


@lru_cache(maxsize=1 << 10)
def _value(worth: str, plies: str) -> Value:
    """A value without bounds, which many positions share."""
    exact = _number(worth)
    return Value(exact, exact, _plies(plies))


def _number(text: str) -> Number:
    return _fraction(text) if "/" in text else _whole(text)


def _plies(text: str) -> int | None:
    return None if text == "-" else _whole(text)


def _chances(text: str) -> tuple[Fraction, ...]:
    return () if text == "-" else tuple(map(_fraction, text.split(",")))


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _fraction(text: str) -> Fraction:
    """Parse a fraction; decimals and exponents are rejected (`1e999999999` would take for ever)."""
    if not _FRACTION.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)
