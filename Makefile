# Two commands are enough on a fresh machine with python3 (venv), gcc and make:
#   make scan    set up, scan the sample monorepo (or ROOT=/some/tree OUT=/some/dir) and show the result
#   make test    set up what is missing and run the whole test suite
# make bench measures the scanner side by side with its peers (docs/benchmarks.md).

PYTHON ?= python3
VENV := .venv
ROOT ?= examples/harbour-market
OUT ?= build/scan
# Findings are part of the result here, not a failure of make.
SCAN_FLAGS ?= --fail-on never

.PHONY: scan test lint types format expected clean bench bench-quick bench-prepare bench-report bench-monorepos

scan: $(VENV)/.ready
	$(VENV)/bin/scan-cluster run "$(ROOT)" --out "$(OUT)" $(SCAN_FLAGS)

test: $(VENV)/.ready-dev
	$(VENV)/bin/python -m pytest -n auto --dist loadgroup $(PYTEST_FLAGS)

lint: $(VENV)/.ready-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/.ready-dev
	$(VENV)/bin/mypy

format: $(VENV)/.ready-dev
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

# After a wanted change of results: write what the tests expect of the sample monorepo, then read the diff.
expected: $(VENV)/.ready
	$(VENV)/bin/scan-cluster run examples/harbour-market --out tests/expected/harbour-market --depth full \
		--fail-on never --quiet
	rm tests/expected/harbour-market/run.json

# BENCH_FLAGS: --only npm,models,sizes,workers,oracle to measure parts, --rounds 5, --sizes 1000,200000
bench: $(VENV)/.ready-bench
	$(VENV)/bin/python bench/side_by_side.py run $(BENCH_FLAGS)

bench-quick: $(VENV)/.ready-bench
	$(VENV)/bin/python bench/side_by_side.py run --quick $(BENCH_FLAGS)

# Peers and corpora alone, so that a later make bench needs no network.
bench-prepare: $(VENV)/.ready-bench
	$(VENV)/bin/python bench/side_by_side.py prepare

# The tables and the picture again, from docs/benchmarks.json.
bench-report: $(VENV)/.ready-bench
	$(VENV)/bin/python bench/side_by_side.py report

# Two real monorepos: what following imports finds there and costs, for docs/resolution.md.
bench-monorepos: $(VENV)/.ready-bench
	$(VENV)/bin/python bench/monorepos.py --write

clean:
	rm -rf $(VENV) build

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(VENV)/bin/pip
	$(VENV)/bin/pip install --quiet --editable .
	touch $@

$(VENV)/.ready-dev: pyproject.toml | $(VENV)/bin/pip
	$(VENV)/bin/pip install --quiet --editable '.[dev]'
	touch $(VENV)/.ready $@

$(VENV)/.ready-bench: pyproject.toml | $(VENV)/bin/pip
	$(VENV)/bin/pip install --quiet --editable '.[bench]'
	touch $(VENV)/.ready $@
