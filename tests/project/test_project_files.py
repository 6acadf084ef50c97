"""What the project says about itself in several files is the same everywhere."""

import json
import re
import sys
import tomllib
from pathlib import Path
from subprocess import run

import yaml
from lowest_versions import USED, lowest_versions

import lineduel
from lineduel.agents.benchmark import BENCHMARK_VERSION

ROOT = Path(__file__).parents[2]
WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = WHOLE["project"]


def test_every_dependency_has_a_lower_and_an_upper_bound() -> None:
    """But for those that only hold another extra together, or rule out one version."""
    extras = [*PROJECT["optional-dependencies"].values(), *WHOLE["dependency-groups"].values()]
    wanted = [*PROJECT["dependencies"], *(one for extra in extras for one in extra)]
    own = [one for one in wanted if not one.startswith("lineduel[") and one != "numpy<2.5"]
    assert [one for one in own if ">=" not in one or "<" not in one.split(">=")[1]] == []
    used = {one for name in USED for one in PROJECT["optional-dependencies"][name]} & set(own)
    assert len(lowest_versions(used)) == len(used)


def test_the_workflow_runs_every_version_of_python_that_is_claimed() -> None:
    claimed = re.findall(r":: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == claimed
    assert PROJECT["requires-python"] == f">={claimed[0]}"


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == lineduel.__version__
    assert citation["license"] == PROJECT["license"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[{re.escape(lineduel.__version__)}\]", changes, re.MULTILINE)


def test_the_entry_for_bibtex_says_what_the_citation_file_says() -> None:
    """And it names the version of the benchmark that its page is about."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    entry = re.findall(r"@software\{lineduel,\n(.*?)\n\}", page, re.DOTALL)
    (fields,) = (dict(re.findall(r"(\w+) *= \{(.*)\}", one)) for one in entry)
    (author,) = citation["authors"]
    assert fields == {
        "title": citation["title"],
        "author": f"{{{author['name']}}}",
        "year": citation["date-released"][:4],
        "version": citation["version"],
        "note": f"Benchmark version {BENCHMARK_VERSION}",
    }
    assert f"\n## Version {BENCHMARK_VERSION}\n" in page


def test_issue_forms_ask_for_something() -> None:
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert forms
    for path in forms:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        if path.name != "config.yml":
            assert form["name"]
            assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_packages_of_npm_only_check_the_code() -> None:
    """In exact versions, without a lock file, which would name a host."""
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert package["private"] is True
    assert "dependencies" not in package
    versions = package["devDependencies"].values()
    assert [one for one in versions if not re.fullmatch(r"\d+\.\d+\.\d+", one)] == []
    assert not (ROOT / "package-lock.json").exists()


MANUAL_AND_COMPLETIONS = """
from lineduel.cli.command_tree import command_tree
from lineduel.cli.completion import script
from lineduel.cli.man import manual

commands = command_tree()
print(*manual(commands), *(script(shell, commands) for shell in ("bash", "zsh", "fish")))
"""


def test_the_manual_and_completions_need_no_other_package() -> None:
    """They are made when a wheel is built, in an environment that has nothing else."""
    made = run(
        [sys.executable, "-S", "-c", MANUAL_AND_COMPLETIONS],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    assert made.stderr == ""
    assert "lineduel puzzle" in made.stdout
