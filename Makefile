# Everything that has to be done by hand, which is little. `make run` and `make test` start from nothing.

PYTHON ?= python3
VENV = .venv
BIN = $(VENV)/bin
FROZEN = tests/releases/migrations.sha256
# Where it is set, each test process would compile all modules and tests again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run setup test pythons tests nightly lint types style rules untraced collected lock texts audit sbom freeze release hooks findings

run:  ## serve http://localhost:8000 (PORT, HOST, DATABASE_URL; DEMO=no leaves an empty database empty)
	@$(PYTHON) ops/bootstrap.py requirements.txt
	@exec $(BIN)/python -m ops.serve $(if $(filter no,$(DEMO)),--no-demo)

setup:  ## the environment, with all that developers need
	@$(PYTHON) ops/bootstrap.py requirements-dev.txt

# In this order, two at a time: types are checked while the tests are compiled, style while they run.
test: setup  ## lint, types, import rules and all tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=line types untraced style rules

# Each in an environment of its own. In the workflow of GitHub each is a job of its own, and this runs one.
PYTHONS = python3.11 python3.12 python3.13 python3.14

pythons:  ## the tests under each version of Python that is here (PYTHONS="python3.13 /opt/python/bin/python3")
	@for python in $(PYTHONS); do \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2> /dev/null) \
			|| { echo "No $$python here"; continue; }; \
		echo "Python $$version"; \
		$(MAKE) --no-print-directory PYTHON=$$python VENV=.venv-$$version tests || exit 1; \
	done

tests: setup
	$(BIN)/pytest --numprocesses 3 --dist worksteal --maxfail 20

# Every test with all its examples, then the benches that try to break a site.
nightly: export MUSTERBOOK_NIGHTLY = 1
nightly: setup lint  ## everything that takes too long for `make test`: 50 minutes on two cores
	$(BIN)/pytest --numprocesses 2 tests/rules
	$(BIN)/pytest --numprocesses 3 --dist worksteal -m "nightly or not nightly" --ignore tests/rules
	@unset MUSTERBOOK_NIGHTLY; $(MAKE) --no-print-directory pythons
	$(BIN)/python bench/kill.py --seed 1 --step 4
	$(BIN)/python bench/event_kill.py --step 4
	$(BIN)/python bench/attack.py --seconds 60
	$(BIN)/python bench/fuzz.py --seconds 300 --seed 1
	$(BIN)/python bench/postgres_down.py --seconds 6
	$(BIN)/python bench/cluster.py --battles 4
	$(BIN)/python bench/load.py
	$(BIN)/python bench/event_load.py --short
	$(BIN)/python bench/paint.py

lint: setup  ## style and types, side by side
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target style types

types:
	$(BIN)/mypy

rules:
	$(BIN)/pytest tests/rules --cov --cov-report term --cov-fail-under 100

# Without coverage: tracing lines would slow these by half.
untraced: collected
	$(BIN)/pytest --numprocesses 3 --dist worksteal --maxfail 20 --ignore tests/rules

collected:  # while the types are checked: compiles the tests once, which each of their processes would do for itself
	@$(BIN)/pytest --quiet --collect-only > /dev/null

style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djade --check --target-version 5.2 $$(find templates -name '*.html')
	$(BIN)/djangofmt --check templates

# With the extras: a pip before 23.1 (Debian 12's) takes "coverage[toml]" for unlocked where "coverage==…" is.
lock: setup  ## pin the newest versions that pyproject.toml allows
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-strip-extras \
		--custom-compile-command "make lock" pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-strip-extras \
		--custom-compile-command "make lock" --group dev -c requirements.txt pyproject.toml -o requirements-dev.txt
	echo uv | $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" -c requirements-dev.txt - -o ops/uv.txt

texts: setup  ## .texts/django.pot: all texts of code and templates, for translators (needs gettext)
	$(BIN)/python -m ops.translation_catalogue

audit: setup  ## known weaknesses of the locked versions (AUDIT=required: not to know is one)
	@$(BIN)/python -m ops.audit

sbom: setup  ## musterbook.cdx.json: all that the app is made of, as CycloneDX
	$(BIN)/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-reproducible -o musterbook.cdx.json

freeze:  ## list the migrations of a release, which a test keeps from being changed after it
	git ls-files '*/migrations/0*.py' | xargs sha256sum > $(FROZEN)

# The archive of a commit is the same bytes wherever it is made, so others can make it again and compare.
release: VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
release: sbom  ## dist/: what a host downloads: the archive of this version, the list of its parts, and checksums
	@test -z "$$(git status --porcelain)" || { echo "Commit or remove the changes first: git status"; exit 1; }
	@git ls-files '*/migrations/0*.py' | xargs sha256sum | cmp --silent - $(FROZEN) \
		|| { echo "New migrations are not in $(FROZEN) yet: make freeze"; exit 1; }
	rm -rf dist && mkdir dist
	git archive --prefix=musterbook-$(VERSION)/ HEAD | gzip -9n > dist/musterbook-$(VERSION).tar.gz
	mv musterbook.cdx.json dist/musterbook-$(VERSION).cdx.json
	cd dist && sha256sum musterbook-* > SHA256SUMS

hooks: setup  ## what `make lint` runs, before each commit
	$(BIN)/pre-commit install

findings:  ## surprises of public tools and formats, each shown and checked by a script (needs a network, npm and poppler)
	@for finding in findings/*.sh; do echo "$$finding"; bash "$$finding" || exit 1; done
