PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Where it is set, each of hundreds of processes would translate all of the sources again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play test test-long check search bench clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

play: $(VENV)/play ## install what is needed and open the game
	@$(BIN)/lineduel

test: $(VENV)/test ## every check that CI runs
	@$(MAKE) --no-print-directory check
	@$(BIN)/python tests/compile_code.py
	$(BIN)/python -m pytest -n auto --dist worksteal

test-long: $(VENV)/test ## the tests that take minutes each
	$(BIN)/python -m pytest -n auto --dist worksteal -m long

check: $(VENV)/test ## style, types and layers only
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

MINUTES ?= 10
search: $(VENV)/test ## the laws with fresh random examples, for MINUTES=10
	$(BIN)/python tests/search_laws.py $(MINUTES)

bench: $(VENV)/bench ## how fast it is, beside its peers
	$(BIN)/python -m bench

clean: ## remove what the other commands made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find src -name __pycache__ -prune -exec rm -rf {} +

# A stamp file for each set of packages, made anew when what is asked for changes.
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lineduel needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/play: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[full,web]'
	@touch $@

$(VENV)/test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[full,web,cluster,envs,test]'
	@command -v chromium >/dev/null || { apt-get update -q && apt-get install -y -q chromium; } \
		>/dev/null 2>&1 || echo "Without Chromium the tests of pages are left out."
	@touch $@ $(VENV)/play

$(VENV)/bench: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[full,web,envs,bench]'
	@touch $@ $(VENV)/play
