# The arena's commands. Everything is installed into this folder: .venv, node_modules, build; data is stored in var.

PYTHON ?= python3
VENV := .venv/bin
PIP := $(VENV)/python -m pip install -qq --disable-pip-version-check --require-hashes
LOCK := $(VENV)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-emit-index-url --no-emit-find-links --no-emit-options
TEMPLATES := $(shell find templates arena -name '*.html')
# The sources of the bundles, and the templates, which name the scripts that pages load.
BUNDLED := $(TEMPLATES) $(shell find static arena/*/ -path '*static/*' \( -name '*.js' -o -name '*.css' \))
# Games of EXTRA_GAMES whose packages are in this checkout contribute files of their own.
EXTRA_GAME_FOLDERS := $(wildcard $(subst .,/,$(foreach pair,$(subst $(,), ,$(EXTRA_GAMES)),$(firstword $(subst =, ,$(pair))))))
ifneq ($(EXTRA_GAME_FOLDERS),)
BUNDLED += $(shell find $(EXTRA_GAME_FOLDERS) -name '*.html' -o -path '*static/*' \( -name '*.js' -o -name '*.css' \))
endif
CATALOGS := $(wildcard locale/*/LC_MESSAGES/*.po)
# Debian packages of the engines that games compare their bots with in the benchmark.
RIVALS := $(shell cat bots/*/bench/packages.txt)

# One more than cores, because the tests that break a running site mostly wait. Two more would slow each other down.
TEST_PROCESSES ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')

, := ,

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# --- commands ---------------------------------------------------------------------------

.PHONY: help
help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile

.PHONY: up
up: install ## install what is missing and run the arena; set BIND, PORT, DATABASE_URL, REDIS_URL or WORKER_CONCURRENCY to configure it
	@exec $(VENV)/python -m arena.platform.supervisor

.PHONY: organizer
organizer: .venv/.runtime ## make a signed-up person an organizer: make organizer USER=name
ifneq ($(origin USER),command line)
	@echo "Specify the user: make organizer USER=name" >&2; exit 1
else
	@$(VENV)/python manage.py organizer "$(USER)"
endif

# Containers often forbid compiled files beside the sources, but then each process of the tests compiles all of them.
export PYTHONDONTWRITEBYTECODE :=

PYTEST = $(VENV)/python -m pytest --numprocesses $(TEST_PROCESSES) --no-loadscope-reorder
# Tests that take minutes or need servers: failures of a running site, pages in a browser, thousands of games.
SLOW := (stack or browser or long) and not smoke

.PHONY: test
test: develop ## run all tests except the slow ones, as before a commit; PYTEST_ARGS narrows the selection
	@$(PYTEST) -m "not ($(SLOW))" $(PYTEST_ARGS)

.PHONY: slow-tests
slow-tests: develop browser servers ## run the slow tests: failures of a running site, page audits, thousands of games
	@$(PYTEST) -m "$(SLOW)" $(PYTEST_ARGS)

.PHONY: test-all
test-all: test slow-tests ## run all tests, the quick ones first; TEST_PROCESSES sets the number of processes

# The longest first, because two run at a time.
CHECKS := check-types check-scripts check-layers check-names check-templates check-site check-style

.PHONY: check
check: develop ## check style, types, layers, names of games, vocabulary, docstrings, scripts, templates, migrations, deployment settings
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target $(CHECKS)

.PHONY: $(CHECKS)
check-style:
	@$(VENV)/ruff check --quiet .
	@$(VENV)/ruff format --quiet --check .

check-types:
	@$(VENV)/mypy

check-layers:
	@$(VENV)/lint-imports --cache-dir build/import-linter

check-names:
	@$(VENV)/python -m tests.game_names
	@$(VENV)/python -m tests.vocabulary
	@$(VENV)/python -m tests.docstrings

check-scripts:
	@npm run --silent lint
	@npm run --silent types

check-templates:
	@$(VENV)/djlint templates arena --lint --quiet
	@$(VENV)/djade --target-version 5.2 --check $(TEMPLATES)

check-site:
	@$(VENV)/python manage.py makemigrations --check --dry-run
	@ARENA_ENV=production ARENA_VAR=build/production ALLOWED_HOSTS=arena.example REDIS_URL=redis://redis.example \
		DATABASE_URL=postgres://arena@database.example/arena SECRET_KEY=$$(head -c 48 /dev/urandom | base64 -w 0) \
		EMAIL_URL=smtp://mail.example PROXY_COUNT=1 \
		$(VENV)/python manage.py check --deploy --fail-level WARNING

.PHONY: bench
bench: develop ## measure starts, answers, matches, live events and memory; BENCH_ARGS="--only live" selects one benchmark
	@$(VENV)/python -m bench $(BENCH_ARGS)

.PHONY: training
training: develop ## install the training libraries: numba, PyGAD
	@$(MAKE) --silent --no-print-directory .venv/.training

.PHONY: rivals
rivals: training ## install the engines that the benchmark compares with
	$(call packaged,$(RIVALS),dpkg --status $(RIVALS))

.PHONY: format
format: .venv/.dev ## format Python files and templates
	@$(VENV)/ruff check --fix .
	@$(VENV)/ruff format .
	@$(VENV)/djade --target-version 5.2 $(TEMPLATES) || true

.PHONY: watch
watch: node_modules/.package-lock.json ## rebundle scripts and styles whenever one changes; use with DEBUG=1 make up
	@npm run --silent watch

.PHONY: messages
messages: .venv/.dev ## collect texts to translate in locale/ (needs GNU gettext)
	@command -v xgettext >/dev/null || { echo "Install GNU gettext first (Debian: apt install gettext)." >&2; exit 1; }
	@$(VENV)/python manage.py makemessages --locale zh_Hans --no-location --ignore node_modules --ignore build --ignore var
	@$(VENV)/python manage.py makemessages --locale zh_Hans --no-location --domain djangojs \
		--ignore node_modules --ignore build --ignore var --ignore static/src

.PHONY: lock
lock: .venv/.dev ## update the pinned versions of all Python packages
	@$(LOCK) --extra server --extra s3 --extra env --extra dev --output-file requirements-dev.txt pyproject.toml
	@# Sites run the tested versions.
	@$(LOCK) --extra server --constraint requirements-dev.txt --output-file requirements.txt pyproject.toml
	@$(LOCK) --extra training --constraint requirements-dev.txt --output-file requirements-training.txt pyproject.toml
	@for extra in bot-libraries:bots s3:s3; do \
		$(VENV)/python -c "import sys, tomllib; \
			print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies'][sys.argv[1]], sep='\n')" \
			"$${extra%:*}" | $(LOCK) --output-file "requirements-$${extra#*:}.txt" -; \
	done

.PHONY: clean
clean: ## remove everything that was installed or built, but not the data in var
	rm -rf .venv node_modules build .mypy_cache .ruff_cache .pytest_cache .hypothesis $(CATALOGS:.po=.mo)

# --- prerequisites of the commands ----------------------------------------------------------------------------

# Only one make at a time, because two would delete each other's folders; machines without flock skip the lock.
define locked
@mkdir -p build
@exec 9>build/install.lock; \
if command -v flock >/dev/null && ! flock --nonblock 9; then echo "waiting for another make that is installing here"; flock 9; fi; \
$(MAKE) --silent --no-print-directory $(1) 9>&-
endef

.PHONY: install
install:
	$(call locked,installed)

.PHONY: develop
develop:
	$(call locked,installed .venv/.dev)

.PHONY: installed
installed: .venv/.runtime build/bot-libraries/.complete build/static/bundle.json $(CATALOGS:.po=.mo)

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "Install Python 3.11 or later first." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$$($(PYTHON) --version) is too old. Install Python 3.11 or later, or select another Python: make up PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python has no venv. Install it first (Debian: apt install python3-venv)." >&2; exit 1; }
	@echo "creating .venv"
	@$(PYTHON) -m venv .venv

.venv/.runtime: requirements.txt | .venv/bin/python
	@echo "installing Python packages"
	@$(PIP) -r requirements.txt
	@touch $@

.venv/.dev: requirements-dev.txt .venv/.runtime
	@echo "installing Python packages for development"
	@$(PIP) -r requirements-dev.txt
	@touch $@

.venv/.training: requirements-training.txt .venv/.dev
	@echo "installing Python packages for training"
	@$(PIP) -r requirements-training.txt
	@touch $@

build/bot-libraries/.complete: requirements-bots.txt | .venv/bin/python
	@echo "installing the libraries that bots may import"
	@rm -rf build/bot-libraries
	@$(PIP) --target build/bot-libraries -r requirements-bots.txt
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json
	@command -v npm >/dev/null || { echo "Install Node.js with npm first (Debian: apt install nodejs npm)." >&2; exit 1; }
	@echo "installing browser libraries"
	@npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

.PHONY: FORCE
FORCE:

# Contains EXTRA_GAMES and changes with it.
build/extra-games: FORCE
	@mkdir -p build
	@echo "$(EXTRA_GAMES)" | cmp --silent - $@ || echo "$(EXTRA_GAMES)" > $@

build/static/bundle.json: esbuild.config.js build/extra-games $(BUNDLED) node_modules/.package-lock.json
	@echo "bundling scripts and styles"
	@npm run --silent bundle

%.mo: %.po | .venv/.runtime
	@$(VENV)/pybabel --quiet compile --locale $(notdir $(patsubst %/LC_MESSAGES/,%,$(dir $<))) --input-file $< --output-file $@

# Installs Debian's packages $(1) unless the shell finds $(2); without root, it says what to install.
define packaged
@if ! { $(2); } >/dev/null 2>&1; then \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing $(1)"; \
		mkdir -p build; \
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $(1); } \
			>build/apt.log 2>&1 || { tail -20 build/apt.log >&2; exit 1; }; \
	else \
		echo "The tests need $(1). Install these packages first (Debian: apt install $(1))." >&2; exit 1; \
	fi; \
fi
endef

# Chromium, without its window, runs the browser tests; gettext finds untranslated texts.
.PHONY: browser
browser:
	$(call packaged,chromium-headless-shell gettext,{ command -v chromium-headless-shell || command -v chromium; } && command -v xgettext)

# The failure tests break their own database, broker and clock, on free ports.
.PHONY: servers
servers:
	$(call packaged,postgresql redis-server,command -v redis-server && ls /usr/lib/postgresql/*/bin/initdb)
	$(call packaged,gcc libc6-dev,command -v $(CC))
	@$(MAKE) --silent --no-print-directory build/stepped-clock.so

build/stepped-clock.so: tests/stack/stepped_clock.c
	@mkdir -p build
	@$(CC) -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $< -ldl
