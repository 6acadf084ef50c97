"""What is known about the games that come with lineduel: computed, with proofs to download."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from generators.boards import board_at_start
from generators.markdown import table
from lineduel.arena import draw_heatmap_svg
from lineduel.lab import DEFINITIONS, Audit, audit, audit_page, draw_position
from lineduel.lab.report import claims_that_hold, shown_figures, tested, value_for_designers
from lineduel.narration import line_text
from lineduel.rulebooks import CatalogueEntry, catalogue, find_rulebook
from lineduel.rules import describe
from lineduel.solve import Cache, as_sentence, proof_of

FOLDER = "known"
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
        return self.address.replace(":", "-")

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


def known_addresses() -> list[str]:
    """The addresses of the pages, without making them."""
    return [f"{FOLDER}/{name}.md" for name in ("index", *(one.address for one in catalogue()))]


def known_files(today: date) -> dict[str, str]:
    """Every page about the games, with their pictures, certificates and whole reports."""
    games = [(entry, list(_known(entry))) for entry in catalogue()]
    files = {f"{FOLDER}/index.md": _index(games)}
    for entry, known in games:
        files[f"{FOLDER}/{entry.address}.md"] = _page(entry, known)
        for one in known:
            files |= _downloads(one, today)
    return files


def _known(entry: CatalogueEntry) -> Iterator[KnownGame]:
    summaries = (entry.summary, *(summary for _, summary in entry.variants))
    for address, summary in zip(entry.addresses(), summaries, strict=True):
        yield KnownGame(address, summary, audit(find_rulebook(address), cache=Cache()))


def _index(games: list[tuple[CatalogueEntry, list[KnownGame]]]) -> str:
    rows = (
        (
            f"[{one.address}]({entry.address}.md)",
            f"{one.audit.figures.positions:,}",
            value_for_designers(one.audit.figures.value),
            _or_none(one.audit.figures.longest),
            claims_that_hold(one.audit),
        )
        for entry, known in games
        for one in known
    )
    heads = ("game", "positions", "value for player 1", "longest forced win", "its promises")
    return (
        "# What is known\n\n"
        "Five games come with lineduel, some with variants: other ways to take an ambiguous rule. "
        "All of them are solved. Everything on these pages was computed when the site was built, "
        "and each game has a certificate that you can download and check with "
        "`lineduel check FILE`, or with [a checker of your own](../explanation/certificates.md)."
        "\n\n"
        "A value is what player 1 can expect with best play: 1 is a win, -1 a loss, and 0 a game "
        "that nobody can win by force. Lengths are in turns.\n\n"
        f"{table(heads, rows)}"
    )


def _or_none(number: int | None) -> str:
    return "none" if number is None else str(number)


def _page(entry: CatalogueEntry, known: list[KnownGame]) -> str:
    own, *variants = known
    parts = [
        f"# {entry.title}",
        board_at_start(entry.address),
        f"{own.summary} **{as_sentence(own.audit.figures.value)}**",
        f"```sh\nlineduel play {entry.address} --p2 easy --coach\n```",
        *_rules(entry.address),
        "## With best play",
    ]
    parts += _game(own, "##")
    for one in variants:
        parts += [f"## Variant {one.address}", one.summary, *_game(one, "###")]
    return "\n\n".join(parts) + "\n"


def _rules(id: str) -> Iterator[str]:
    """The rules themselves, which are the first parts of a description."""
    yield "## Rules"
    for section in describe(find_rulebook(id))[:4]:
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
