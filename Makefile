# The two commands: `make run` plays, `make test` checks everything. Set-up happens by itself.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready

.PHONY: run test setup lint types imports unit faults e2e coverage soak bench lock clean

run: setup
	$(BIN)/shiplog run

test: lint types imports unit e2e faults

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Shiplog needs Python 3.11 or newer: make PYTHON=python3.11 …"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/pyright

imports: setup
	$(BIN)/lint-imports

PURE := tests/games tests/events tests/projections tests/replay tests/test_tidy.py

# The rules and everything pure, in random order.
unit: setup
	$(BIN)/pytest $(PURE) -n 2

# The same, with a report of the lines and branches that no test took: tracing doubles the time.
coverage: setup
	$(BIN)/pytest $(PURE) -n 2 --cov --cov-report=term:skip-covered

# The whole service on real servers.
e2e: setup
	$(BIN)/pytest tests/service tests/cli tests/e2e -n 2

# Killed, stalled, cut and doubled.
faults: setup
	$(BIN)/pytest tests/faults

# Thousands of random matches, and all fault cases for longer: hours, not minutes.
soak: setup
	LAWS_EXAMPLES=300 SOAK=1 $(BIN)/pytest tests/games/test_laws.py tests/faults --timeout=7200

bench: setup
	$(BIN)/python -m tests.bench

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet pyproject.toml --extra dev --generate-hashes --no-header --no-annotate \
		--universal --no-emit-index-url --python-version 3.11 --upgrade -o requirements.lock

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage
