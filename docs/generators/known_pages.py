"""What is known about the games that come with lineduel: computed, with proofs to download."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from generators.boards import board_of
from generators.markdown import table
from lineduel.arena import draw_heatmap_svg
from lineduel.lab import DEFINITIONS, Audit, audit, audit_page, draw_position
from lineduel.lab.report import claims_that_hold, shown_figures, tested, value_for_designers
from lineduel.narration import line_text
from lineduel.rulebooks import CatalogueEntry, catalogue, find_rulebook
from lineduel.rules import Rulebook, describe
from lineduel.solve import Cache, as_sentence, proof_of

FOLDER = "known"
_ROOT = Path(__file__).parents[2]
_EXAMPLES = "examples/rulebooks"
_LONGEST_LINE = 20
"""Moves of best play that are shown; an endless game has no last one."""


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game or a variant with its audit."""

    address: str
    summary: str
    audit: Audit

    @property
    def file_name(self) -> str:
        """The name that its files begin with."""
        return _page_name(self.address).replace(":", "-")

    def best_line(self) -> str:
        """Best play from the start in one line."""
        game, solution = self.audit.analysis.game, self.audit.analysis.solution
        moves = solution.line(game.start(), _LONGEST_LINE + 1)
        last = game.start()
        for move in moves:
            last = game.play(last, move)
        shown = line_text(game, game.start(), moves[:_LONGEST_LINE])
        if last.battle is not None:
            return f"{shown}, and then a battle"
        return f"{shown}." if game.outcome(last) else f"{shown} …"


_Games = list[tuple[CatalogueEntry, list[KnownGame]]]


def known_addresses() -> list[str]:
    """The addresses of the pages, without making them."""
    addresses = (one.address for one in (*catalogue(), *examples()))
    return [f"{FOLDER}/{name}.md" for name in ("index", *map(_page_name, addresses))]


@cache
def examples() -> tuple[CatalogueEntry, ...]:
    """The rulebooks that show one word each, by their paths in the project."""
    return tuple(
        CatalogueEntry(f"{_EXAMPLES}/{path.name}", rulebook.title, rulebook.summary, ())
        for path in sorted((_ROOT / _EXAMPLES).glob("*.toml"))
        for rulebook in (find_rulebook(str(path)),)
    )


def _page_name(address: str) -> str:
    """The name of a game's page: its id, or that of its file."""
    return address.removeprefix(f"{_EXAMPLES}/").removesuffix(".toml")


def _rulebook(address: str) -> Rulebook:
    return find_rulebook(str(_ROOT / address) if address.endswith(".toml") else address)


def known_files(today: date) -> dict[str, str]:
    """Every page about the games, with their pictures, certificates and whole reports."""
    games, others = (
        [(entry, known_game(entry)) for entry in entries] for entries in (catalogue(), examples())
    )
    files = {f"{FOLDER}/index.md": _index(games, others)}
    for entry, known in (*games, *others):
        files |= files_of(entry, known, today)
    return files


def known_game(entry: CatalogueEntry) -> list[KnownGame]:
    """A game and its variants."""
    summaries = (entry.summary, *(summary for _, summary in entry.variants))
    return [
        KnownGame(address, summary, audit(_rulebook(address), cache=Cache()))
        for address, summary in zip(entry.addresses(), summaries, strict=True)
    ]


def files_of(entry: CatalogueEntry, known: list[KnownGame], today: date) -> dict[str, str]:
    """The page of a game, and the files that it links to."""
    files = {f"{FOLDER}/{_page_name(entry.address)}.md": _page(entry, known)}
    for one in known:
        files |= _downloads(one, today)
    return files


def _index(games: _Games, others: _Games) -> str:
    return (
        "# What is known\n\n"
        "Five games come with lineduel, some with variants: other ways to take an ambiguous rule. "
        "All of them are solved. Everything on these pages was computed when the site was built, "
        "and each game has a certificate that you can download and check with "
        "`lineduel check FILE`, or with [a checker of your own](../explanation/certificates.md)."
        "\n\n"
        "A value is what player 1 can expect with best play: 1 is a win, -1 a loss, and 0 a game "
        "that nobody can win by force. Lengths are in turns.\n\n"
        f"{_overview(games)}\n"
        "## Rulebooks to start from\n\n"
        "Each of these shows one word of the [vocabulary](../rulebooks.md) at work. They are in "
        f"`{_EXAMPLES}`, to be played from their paths and to be changed.\n\n"
        f"{_overview(others)}"
    )


def _overview(games: _Games) -> str:
    rows = (
        (
            f"[{_page_name(one.address)}]({_page_name(entry.address)}.md)",
            f"{one.audit.figures.positions:,}",
            value_for_designers(one.audit.figures.value),
            _or_none(one.audit.figures.longest),
            claims_that_hold(one.audit),
        )
        for entry, known in games
        for one in known
    )
    heads = ("game", "positions", "value for player 1", "longest forced win", "its promises")
    return table(heads, rows)


def _or_none(number: int | None) -> str:
    return "none" if number is None else str(number)


def _page(entry: CatalogueEntry, known: list[KnownGame]) -> str:
    own, *variants = known
    parts = [
        f"# {entry.title}",
        board_of(_rulebook(entry.address)),
        f"{own.summary} **{as_sentence(own.audit.figures.value)}**",
        f"```sh\nlineduel play {entry.address} --p2 easy --coach\n```",
        *_rules(entry.address),
        "## With best play",
    ]
    parts += _game(own, "##")
    for one in variants:
        parts += [f"## Variant {one.address}", one.summary, *_game(one, "###")]
    return "\n\n".join(parts) + "\n"


def _rules(address: str) -> Iterator[str]:
    """The rules themselves, which are the first parts of a description."""
    yield "## Rules"
    for section in describe(_rulebook(address))[:4]:
        yield f"**{section.heading}**"
        yield "\n".join(f"- {paragraph}" for paragraph in section.paragraphs)


def _game(known: KnownGame, heading: str) -> Iterator[str]:
    found, name = known.audit, known.file_name
    suffix = known.address.partition(":")[2]
    of_variant = f" of {suffix}" if suffix else ""
    yield f"![The track at the start](pictures/{name}-track.svg)"
    yield f"**{as_sentence(found.figures.value)}**"
    yield f"Best play: {known.best_line()}"
    yield (
        f"[Certificate](certificates/{name}.txt){{ download }} · "
        f"[whole audit as a page](audits/{name}.html)"
    )
    yield f"{heading} Claims{of_variant}"
    yield f"{claims_that_hold(found)}."
    yield table(
        ("what the rulebook says", "verdict", "why"),
        ((f"“{one.claim.says}”", tested(one), one.ruling.why) for one in found.findings),
    )
    yield f"{heading} Figures{of_variant}"
    yield table(
        ("figure", "", "meaning"),
        (
            (DEFINITIONS[key].title, shown, DEFINITIONS[key].meaning)
            for key, shown in shown_figures(found.figures)
        ),
    )
    yield f"{heading} Ladder{of_variant}"
    yield f"![What each player scores against each other](pictures/{name}-ladder.svg)"


def _downloads(known: KnownGame, today: date) -> dict[str, str]:
    found, name = known.audit, known.file_name
    game = found.analysis.game
    proof = proof_of(found.analysis.solution)
    assert isinstance(proof, str), "the games that come with lineduel are small"
    return {
        f"{FOLDER}/certificates/{name}.txt": proof,
        f"{FOLDER}/audits/{name}.html": audit_page(found, today),
        f"{FOLDER}/pictures/{name}-track.svg": draw_position(game, game.start()),
        f"{FOLDER}/pictures/{name}-ladder.svg": draw_heatmap_svg(found.analysis.ladder),
    }
