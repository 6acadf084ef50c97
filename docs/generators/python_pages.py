"""The Python API: a page for each package, filled in by mkdocstrings."""

PACKAGES = {
    "lineduel": "the names that most programs need",
    "lineduel.rules": "the vocabulary: a validated, immutable rulebook",
    "lineduel.rulebooks": "the games that come with it, and how a rulebook is found",
    "lineduel.engine": "positions, moves and play",
    "lineduel.record": "positions, moves and games as text",
    "lineduel.solve": "exact values, certificates and their checker",
    "lineduel.players": "everyone who can choose a move",
    "lineduel.bot": "the engine protocol, for authors of bots",
    "lineduel.match": "a game in this process: people, programs, advice and its file",
    "lineduel.play": "one game between anyone, without input and output",
    "lineduel.narration": "what is said about a game",
    "lineduel.history": "the games a person has played, and their statistics",
    "lineduel.coach": "hints, reviews and puzzles",
    "lineduel.arena": "ladders and tournaments",
    "lineduel.lab": "audits, repairs and sweeps",
    "lineduel.discover": "the search for new duels",
    "lineduel.envs": "environments for learning programs",
    "lineduel.agents": "exams, data and adapters for programs that read and write text",
    "lineduel.documents": "what `--json` prints, as types",
    "lineduel.testing": "checks for your own rulebooks, players and engines",
    "lineduel.facts": "what sentences about a game are made from",
    "lineduel.quantities": "counts and shares as people read them",
    "lineduel.errors": "everything that can go wrong",
}
"""The packages that others import, with what each is for."""
FOLDER = "reference/python"


def python_pages() -> dict[str, str]:
    """An index, and a page for each package."""
    lines = "\n".join(f"- [`{name}`]({name}.md): {about}" for name, about in PACKAGES.items())
    index = (
        "# The Python API\n\n"
        "Every public name with its types. [lineduel in Python](../../python.md) is the short "
        f"tour.\n\n{lines}\n"
    )
    pages = {f"{FOLDER}/{name}.md": f"# {name}\n\n::: {name}\n" for name in PACKAGES}
    return {f"{FOLDER}/index.md": index, **pages}
