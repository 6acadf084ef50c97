PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Where it is set, each of hundreds of processes would translate all of the sources again.
unexport PYTHONDONTWRITEBYTECODE

WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help play test compiled-code test-long check check-page search bench docs docs-serve dist lowest audit-packages constraints clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

play: $(VENV)/play ## install what is needed and open the game
	@$(BIN)/lineduel

test: $(VENV)/test ## every check that CI runs
	@$(MAKE) --no-print-directory --jobs=2 check compiled-code
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

compiled-code: $(VENV)/test
	@$(BIN)/python tests/compile_code.py

test-long: $(VENV)/test ## the tests that take minutes each, and four times as many random examples
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m hypothesis --hypothesis-profile=thorough

check: $(VENV)/test ## style, types and layers only
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@[ "$$CI" != true ] || command -v npm >/dev/null \
		|| { apt-get update -q && apt-get install -y -q nodejs npm; } >/dev/null 2>&1 || true
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory check-page; \
	else echo "Without Node.js and npm the browser's code is not checked."; [ "$$CI" != true ]; fi

check-page: node_modules/installed ## style and types of the browser's code
	node_modules/.bin/biome check --error-on-warnings
	node_modules/.bin/tsc --project .

MINUTES ?= 10
search: $(VENV)/test ## the laws with fresh random examples, for MINUTES=10
	$(BIN)/python tests/search_laws.py $(MINUTES)

bench: $(VENV)/bench ## how fast it is, beside its peers
	$(BIN)/python -m bench

docs: $(VENV)/docs ## build the documentation site in build/site; any warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "Open build/site/index.html in a browser."

docs-serve: $(VENV)/docs ## show the site at http://127.0.0.1:8000 and rebuild it after changes
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

dist: $(VENV)/release ## build the packages into dist/, check them, and try the wheel
	$(BIN)/python release/check_packages.py

# What shows in a few minutes whether another version of Python or of a package works.
FAST_TESTS := $(addprefix tests/, $(addsuffix .py, engine/test_engine documents/test_parsers \
	rules/test_vocabulary solve/test_matrix_games tablebase/test_row_rules \
	project/test_project_files solve/test_certificates storage/test_storage jobs/test_cluster \
	tui/test_home web/test_games web/test_storage envs/test_batch envs/test_gymnasium \
	envs/test_jax envs/test_openspiel envs/test_pettingzoo))

lowest: ## the fast tests with the lowest versions that pyproject.toml allows, in .venv-lowest
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(PYTHON) release/lowest_versions.py > .venv-lowest/lowest.txt
	.venv-lowest/bin/python -m pip install --quiet --constraint .venv-lowest/lowest.txt \
		--editable '.[full,postgres,cluster,envs]' --group test
	.venv-lowest/bin/python -m pytest -W default $(FAST_TESTS)  # old releases warn of each other

audit-packages: $(VENV)/release ## look up known vulnerabilities of the packages in constraints.txt
	$(BIN)/pip-audit --requirement constraints.txt --no-deps --disable-pip

constraints: ## write constraints.txt anew, with the newest versions that fit together
	$(PYTHON) -m venv --clear build/constraints
	build/constraints/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	build/constraints/bin/python -m pip install --quiet --editable \
		'.[full,postgres,cluster,envs,textarena,inspect]' \
		--group test --group docs --group release --group bench
	build/constraints/bin/python -m pip freeze --exclude-editable > constraints.txt

clean: ## remove what the other commands made
	rm -rf $(VENV) .venv-lowest node_modules build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find src -name __pycache__ -prune -exec rm -rf {} +

# A stamp file for each set of packages, made anew when what is asked for changes.
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "lineduel needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade 'pip>=25.1'  # the first that knows dependency groups

$(VENV)/play: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[full,web]'
	@touch $@

$(VENV)/test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[full,postgres,cluster,envs,textarena,inspect]' --group test
	@command -v chromium >/dev/null || { apt-get update -q && apt-get install -y -q chromium; } \
		>/dev/null 2>&1 || echo "Without Chromium the tests of pages are left out."
	@touch $@ $(VENV)/play

$(VENV)/bench: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[full,postgres,envs]' --group bench
	@touch $@ $(VENV)/play

$(VENV)/docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[full,web]' --group docs
	@touch $@ $(VENV)/play

$(VENV)/release: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable . --group release
	@touch $@

node_modules/installed: package.json
	npm install --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@
