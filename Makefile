# The two commands of a fresh machine are `make demo` and `make test`; each installs and builds what it needs.
# Swift 6.2 or later has to be there already (https://www.swift.org/install).

SWIFT ?= swift
PREFIX ?= /usr/local
PROMPT ?= What's the weather in San Francisco?
export PROMPT

.PHONY: help docs demo test fuzz sanitize test-kernels test-arm lint imports build install uninstall clean dependencies model

help:
	@echo "make demo       ask a small model a question that it answers by calling a Swift tool"
	@echo "make test       build and run every test"
	@echo "make build      build ra-run and ra-bench (release)"
	@echo "make fuzz       damaged inputs for SECONDS seconds a suite (now $(SECONDS))"
	@echo "make sanitize   the fast suites under the thread and the address sanitizer"
	@echo "make test-kernels  the C kernels against scalar references, also with sanitizers"
	@echo "make test-arm   run the Arm kernels under qemu"
	@echo "make lint       check the formatting and documentation rules"
	@echo "make docs       convert the documentation; broken links are errors"
	@echo "make imports    check that every target imports only what its floor allows"
	@echo "make install    copy ra-run and ra-bench to PREFIX/bin (now $(PREFIX))"
	@echo "make uninstall  remove them again"
	@echo "make clean      remove what was built; downloaded models stay"

# What has to be on the machine: OpenBLAS on Linux, nothing on macOS.
dependencies:
	@Scripts/install-dependencies.sh

build: dependencies
	$(SWIFT) build -c release --product ra-run
	$(SWIFT) build -c release --product ra-bench

demo: dependencies
	@Scripts/install-dependencies.sh --pip
	$(SWIFT) build -c release --product ra-run
	@Scripts/demo.sh

# The default model is fetched when it can be; without it the tests on real weights are skipped and say so.
test: dependencies
	@Scripts/test.sh

# Damaged inputs for SECONDS seconds a suite; every test run has some hundred of them.
SECONDS ?= 60
fuzz: dependencies
	RA_FUZZ_SECONDS=$(SECONDS) $(SWIFT) test -c release -Xswiftc -enable-testing --disable-xctest --no-parallel --filter Fuzz

# The fast suites with a sanitizer; each takes a build of its own.
sanitize: dependencies
	@Scripts/sanitize

# The C kernels against scalar references: this machine's with sanitizers, and the Arm ones under qemu; what they need is
# said at the scripts' heads.
test-kernels:
	@Scripts/test-kernels

test-arm:
	@Scripts/test-arm-kernels

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Benchmarks Snippets Package.swift

docs: dependencies
	@Scripts/check-docs.sh

imports: dependencies
	@Scripts/check-imports.sh

install: build
	@Scripts/install.sh "$(PREFIX)"

uninstall:
	rm -f "$(PREFIX)/bin/ra-run" "$(PREFIX)/bin/ra-bench"

clean:
	$(SWIFT) package clean
