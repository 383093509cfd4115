# Two commands set everything up on a machine with Python 3.11+, pip and make:
#   make demo   the main job on the built-in motions
#   make test   linters, types, import rules and all tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test format bench clean

demo: $(VENV)/demo.done
	$(BIN)/motionloom demo --force

test: $(VENV)/test.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist worksteal

format: $(VENV)/test.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench.done
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) motionloom-demo

# Debian's Python comes without the module that puts pip into a new environment; pip then installs itself there.
$(VENV)/made.done:
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV) 2>/dev/null || \
		($(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install -q pip)
	touch $@

$(VENV)/demo.done: $(VENV)/made.done pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[plot]'
	touch $@

$(VENV)/test.done: $(VENV)/demo.done pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[test]'
	touch $@

$(VENV)/bench.done: $(VENV)/test.done pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[bench]'
	touch $@
