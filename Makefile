# make run   sets up and starts the app        make test    sets up and passes the tests
# make check formats, lints, types, checks imports and tests
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8501
CODE := core app pages tests benchmarks sample_sources streamlit_app.py
PYTEST_ARGS ?=

.PHONY: run test check format lint types imports bench sources clean

run: $(VENV)/.run sources
	$(BIN)/streamlit run streamlit_app.py --server.port $(PORT)

test: $(VENV)/.dev sources
	$(BIN)/python -m pytest $(PYTEST_ARGS)

check: format lint types imports test

format: $(VENV)/.dev
	$(BIN)/ruff format $(if $(CI),--check) $(CODE)

lint: $(VENV)/.dev
	$(BIN)/ruff check $(CODE)

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

sources: $(VENV)/.run
	$(BIN)/python sample_sources/build.py

bench: $(VENV)/.dev sources
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and "Python 3.11 is needed; name it with make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt -c constraints.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -c constraints.txt
	touch $@

clean:
	rm -rf $(VENV) .omni .mypy_cache .ruff_cache .pytest_cache
