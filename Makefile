# make demo    set up, then the whole way on the embedded corpus
# make test    set up, then every quick test: at most 8 minutes
# make check   what is slow by nature: at most 25 minutes
# TORCH_INDEX  where torch comes from, for example https://download.pytorch.org/whl/cpu

PYTHON ?= python3
BIN := .venv/bin
TORCH_INDEX ?=

.PHONY: demo test check setup format clean

demo: .venv/installed
	$(BIN)/regard demo

test: .venv/tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/deptry src
	$(BIN)/basedpyright
	$(BIN)/pytest -n auto -m "not slow" --jaxtyping-packages=regard,beartype.beartype

check: .venv/tools
	$(BIN)/pytest -n auto -m slow

format: .venv/tools
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

setup: .venv/tools

.venv/torch: constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt \
	  $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	touch $@

.venv/installed: .venv/torch pyproject.toml
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

.venv/tools: .venv/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv runs
