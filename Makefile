# redblue -- see README.md; `make help` lists the targets.
# Files are found by wildcard: adding a .c, a family, a schedule, a verb or a test needs no line here.

VARIANT  ?= release
BUILD    ?= build
OBJ      := $(BUILD)/$(VARIANT)
PREFIX   ?= /usr/local
VERSION  := 0.2.0
PACKAGES := glpk igraph gmp jansson cairo
ROOMS    := base cdag pebble schedules bounds report
MOD      ?=
ROUNDS   ?= 1
FUZZ_S   ?= 60

# `deps` must be able to run before pkg-config exists
CFLAGS_release  := -O2 -g
# -g1: reports need lines only, and variables cost a third of the build.  What AddressSanitizer sees anyway is not asked at each access too (null,
# object-size: two thirds of UBSan's tables); alignment is, in the fuzz targets
CFLAGS_asan     := -O1 -g1 -fsanitize=address,undefined -fno-sanitize=null,object-size,alignment -fno-sanitize-recover=undefined \
                   -fno-omit-frame-pointer
# the program's tables for reports are megabytes of addresses: an executable that stays where it is linked starts in two thirds of the time
PLACED_asan     := -no-pie
CFLAGS_coverage := -O0 -g --coverage
CFLAGS_valgrind := -O1 -g
# the library for libFuzzer (clang)
CFLAGS_fuzz     := -O1 -g1 -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
WARN     := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wvla
WERROR   ?=
PKG_CFLAGS := $(shell pkg-config --cflags igraph gmp jansson cairo 2>/dev/null)
# igraph, GLPK, AMD and cairo are not linked: base/late.h loads them when they are called
PKG_LIBS   := $(shell pkg-config --libs gmp 2>/dev/null) -lm
CHECK_LIBS := $(shell pkg-config --libs check igraph 2>/dev/null)
CPPFLAGS_ALL = -I. -I$(OBJ)/gen -D_GNU_SOURCE -DREDBLUE_VERSION='"$(VERSION)"' $(PKG_CFLAGS) $(CPPFLAGS)
CFLAGS_ALL   = -std=c11 $(CFLAGS_$(VARIANT)) $(WARN) $(WERROR) $(PIC) -MMD -MP $(CFLAGS)
PIC         := -fPIC
LINK_LIBS    = $(PKG_LIBS) $(LDFLAGS)
# V=1 shows the commands; else a word and what is made
Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '%-3s %s\n' $(1) $(@:$(OBJ)/%=%))

LIB_SRC  := $(foreach r,$(ROOMS),$(wildcard $(r)/*.c $(r)/*/*.c $(r)/*/*/*.c))
CLI_SRC  := $(wildcard cli/*.c)
ifeq ($(VARIANT),wasm)
include playground/wasm.mk
endif
TEST_SRC := $(filter-out tests/support%,$(wildcard tests/t_*.c))
SUPPORT  := $(wildcard tests/support*.c)
BENCH    := $(wildcard tests/bench/*.c)
LIB_OBJ  := $(LIB_SRC:%.c=$(OBJ)/%.o) $(OBJ)/gen/embedded.o $(OBJ)/gen/theorems.o
CLI_OBJ  := $(CLI_SRC:%.c=$(OBJ)/%.o) $(OBJ)/gen/verbs.o
PROGRAMS := $(TEST_SRC:tests/%.c=$(OBJ)/tests/%)
PICKED   := $(if $(MOD),$(filter $(addprefix $(OBJ)/tests/t_,$(addsuffix %,$(MOD))),$(PROGRAMS)),$(PROGRAMS))

# what users run is never a variant's program
all: $(OBJ)/redblue $(OBJ)/libredblue.so $(if $(filter release,$(VARIANT)),$(BUILD)/redblue)

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c $< -o $@

$(OBJ)/gen/%.o: $(OBJ)/gen/%.c
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c $< -o $@

# the texts of families, schedules, machines, the lesson page and proofs, inside the library
EMBED := $(sort $(wildcard cdag/families/*.cdag schedules/library/*.sched report/machines/* report/lesson/* bounds/*/*.txt))
$(OBJ)/gen/embedded.c: base/embed.sh $(EMBED)
	@mkdir -p $(@D)
	$(call say,GEN)
	$(Q)sh base/embed.sh $(EMBED) > $@.new && mv $@.new $@

# calls into a library that is loaded when it is first used: gen/late_LIBRARY.h for the file, or the folder, that makes them
LATE := igraph=bounds/graph/graph_tools amd=bounds/graph/graph_tools glpk=bounds/program/lp cairo=report/plot_cairo isl=cdag/import/flow/*
define late_rule
$(OBJ)/gen/late_$(1).h: $(wildcard $(2).c) base/late.sh
	@mkdir -p $$(@D)
	$$(Q)CC="$(or $(HOST_CC),$(CC))" sh base/late.sh $(1) $(if $(filter glpk,$(1)),glp,$(1)) $$(filter %.c,$$^) > $$@.new && mv $$@.new $$@
$(patsubst %.c,$(OBJ)/%.o,$(wildcard $(2).c)): $(OBJ)/gen/late_$(1).h
endef
$(foreach l,$(LATE),$(eval $(call late_rule,$(word 1,$(subst =, ,$(l))),$(word 2,$(subst =, ,$(l))))))

# the table of verbs, from the names of the files
VERBS := $(sort $(patsubst cli/verb_%.c,%,$(wildcard cli/verb_*.c)))
$(OBJ)/gen/verbs.c: $(wildcard cli/verb_*.c) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "cli/cli.h"'; \
	   for v in $(VERBS); do echo "extern const cli_verb cli_verb_$$v;"; done; \
	   echo 'const cli_verb *const cli_verbs[] = {'; \
	   for v in $(VERBS); do echo "  &cli_verb_$$v,"; done; echo '  0 };'; } > $@

# theorems and who checks them, from the definitions in the files of bounds/
BOUNDS := $(filter bounds/%,$(LIB_SRC))
$(OBJ)/gen/theorems.c: bounds/collect.sh $(BOUNDS)
	@mkdir -p $(@D)
	$(call say,GEN)
	$(Q)sh bounds/collect.sh $(BOUNDS) > $@.new && mv $@.new $@

$(OBJ)/libredblue.a: $(LIB_OBJ)
	$(call say,AR)
	$(Q)rm -f $@ && ar qcs $@ $^
$(OBJ)/libredblue.so: $(LIB_OBJ)
	$(call say,LD)
	$(Q)$(CC) -shared -Wl,-soname,libredblue.so.0 $(CFLAGS_ALL) -o $@ $^ $(LINK_LIBS)
	$(Q)ln -sf libredblue.so $@.0
$(OBJ)/redblue: $(CLI_OBJ) $(OBJ)/libredblue.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS_ALL) $(PLACED_$(VARIANT)) -o $@ $(CLI_OBJ) $(OBJ)/libredblue.a $(LINK_LIBS)
$(BUILD)/redblue: $(BUILD)/release/redblue
	@cp -f $< $@.new && mv $@.new $@

# a hundred programs, each with the library in it, are gigabytes (five under sanitizers): they share it, and are not linked anew when it is;
# the linker need not look for what it takes from others
TESTED    := $(OBJ)/libredblue.so
TESTED_AT := -Wl,-rpath,$(abspath $(OBJ)) -Wl,--unresolved-symbols=ignore-in-shared-libs
$(OBJ)/tests/t_%: $(OBJ)/tests/t_%.o $(SUPPORT:%.c=$(OBJ)/%.o) | $(TESTED)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $^ $(TESTED) $(TESTED_AT) $(CHECK_LIBS) $(LINK_LIBS)

tests: $(PROGRAMS) $(OBJ)/redblue fuzz-targets

# Each t_NAME is a Check program; scripts t_*.sh drive the built program.
check: deps
	@$(MAKE) --no-print-directory all tests
	@OBJ=$(OBJ) ROUNDS=$(ROUNDS) MOD="$(MOD)" sh tests/run.sh $(PICKED)

# what is freed is kept for 16 MB, not 256: pages that are new cost more than all the rest
asan:
	@$(MAKE) --no-print-directory VARIANT=asan all tests
	@OBJ=$(BUILD)/asan ROUNDS=$(ROUNDS) MOD="$(MOD)" SANITIZED=yes TEST_LIMIT=900 CK_FORK=no \
	  ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=16:malloc_context_size=8 \
	  LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	  sh tests/run.sh $(patsubst $(OBJ)/%,$(BUILD)/asan/%,$(PICKED))

valgrind:
	@$(MAKE) --no-print-directory VARIANT=valgrind all tests
	@OBJ=$(BUILD)/valgrind MOD="$(MOD)" SANITIZED=yes TEST_LIMIT=3600 CK_FORK=no WRAP="valgrind -q --error-exitcode=9 --leak-check=full" \
	  sh tests/run.sh $(patsubst $(OBJ)/%,$(BUILD)/valgrind/%,$(PICKED))

# FILES= and TESTS=: others than the games and the certificate checker with their tests
coverage:
	@OBJ=$(BUILD)/coverage ROUNDS=$(ROUNDS) sh tests/coverage/run.sh $(FILES)

DEB := build-essential pkg-config libglpk-dev libigraph-dev libsuitesparse-dev check libgmp-dev libjansson-dev libcairo2-dev libisl-dev
deps:
	@sh base/deps.sh $(DEB)

# The theorems machine-checked (docs/proofs.md): minutes; nothing else needs Coq.  `make coqchk` asks Coq's small checker as well.
# CERTIFICATES: how many random ones of each theorem Coq is asked
CERTIFICATES ?= 4
DEB_PROOFS := coq libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra libcoq-mathcomp-zify
proofs-deps:
	@sh base/deps.sh $(DEB_PROOFS)
WRITER := $(OBJ)/proofs/certificates
$(WRITER): $(OBJ)/proofs/certificates.o $(OBJ)/libredblue.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $^ $(LINK_LIBS)
proofs: proofs-deps all $(WRITER)
	@nice $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$$(nproc)) -C proofs
	@REDBLUE=$(abspath $(OBJ)/redblue) sh proofs/edges.sh
	@WRITER=$(abspath $(WRITER)) sh proofs/certificates.sh $(CERTIFICATES)
# after `make proofs`: COUNT=500 random certificates of each theorem
certificates: $(WRITER)
	@WRITER=$(abspath $(WRITER)) nice sh proofs/certificates.sh $(or $(COUNT),500) $(or $(SEED),1)
coqchk: proofs
	@nice $(MAKE) --no-print-directory -C proofs chk

demo: deps
	@$(MAKE) --no-print-directory -s all
	@REDBLUE=$(OBJ)/redblue sh examples/demo.sh

# HISTORY=1 keeps the ratios in tests/bench/history.md
bench: all
	@OBJ=$(OBJ) CC="$(CC)" LIBS="$(LINK_LIBS)" sh tests/bench/run.sh
fuzz:
	@FUZZ_S=$(FUZZ_S) CC="$(CC)" sh tests/fuzz/run.sh

# corrupt the trusted code one place at a time; see that the tests notice (hours; EVERY=20 tries a sample)
mutation:
	@OBJ=$(OBJ) CC="$(CC)" sh tests/mutation/run.sh
print-flags:
	@echo $(CPPFLAGS_ALL) $(filter-out -MMD -MP,$(CFLAGS_ALL))
print-libs:
	@echo $(LINK_LIBS)
print-objects:
	@echo $(LIB_OBJ)

# a fuzz target is a tests/fuzz/NAME.c; tests/fuzz/run.sh says which main it gets
FUZZ_MAIN    ?= $(OBJ)/tests/fuzz/driver.o
FUZZ_SHARED  := tests/fuzz/fuzz.c
FUZZ_TARGETS := $(filter-out $(FUZZ_SHARED) tests/fuzz/driver.c tests/fuzz/shrink.c,$(wildcard tests/fuzz/*.c))
FUZZ_LINK     = $(FUZZ_SHARED:%.c=$(OBJ)/%.o) $(SUPPORT:%.c=$(OBJ)/%.o) $(OBJ)/libredblue.a
fuzz-targets: $(FUZZ_TARGETS:tests/%.c=$(OBJ)/%) $(OBJ)/fuzz/shrink
$(OBJ)/fuzz/shrink: $(OBJ)/tests/fuzz/shrink.o $(FUZZ_LINK)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $^ $(CHECK_LIBS) $(LINK_LIBS)
$(OBJ)/fuzz/%: $(OBJ)/tests/fuzz/%.o $(FUZZ_LINK) $(filter %.o,$(FUZZ_MAIN))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter -%,$(FUZZ_MAIN)) $^ $(CHECK_LIBS) $(LINK_LIBS)
examples: all
	@REDBLUE=$(OBJ)/redblue OBJ=$(OBJ) sh examples/run.sh
# one table for a paper: make paper-NAME for each examples/paper/NAME.table
paper-%: all
	@$(OBJ)/redblue table examples/paper/$*.table --jobs 2 -q
# docs/open-problems.md with today's bounds and plays (minutes)
open-problems: all
	@REDBLUE=$(OBJ)/redblue sh tests/open-problems.sh docs/open-problems.md > $(OBJ)/open-problems.md
	@mv $(OBJ)/open-problems.md docs/open-problems.md
# bounds, plays and gaps of the computations in tests/nests at full size (minutes); MEMORY="1024 32768"
nests: all
	@REDBLUE=$(OBJ)/redblue sh tests/nests.sh $(MEMORY)
paper-polybench: all
	@$(OBJ)/redblue table examples/polybench/polybench.table --jobs 2 -q
# the Python package with the library in it
wheel: all
	@python3 python/make_wheel.py $(OBJ)/libredblue.so $(VERSION) $(BUILD)/wheel
# docs, course, lessons and pictures as one static folder; the course as one page and a PDF.  They want pandoc and python3, the PDF chromium
playground: all
	@sh playground/build.sh $(BUILD) $(BUILD)/site/playground
site: all
	@sh playground/build.sh $(BUILD) $(BUILD)/site/playground --if-possible
	@python3 docs/site/build.py $(abspath $(OBJ)/redblue) $(BUILD)/site
book: all
	@python3 docs/site/build.py $(abspath $(OBJ)/redblue) $(BUILD)/book --book
# slides of two chapters: a file each, and a PDF where chromium is there
slides: all
	@python3 docs/site/build.py $(abspath $(OBJ)/redblue) $(BUILD) --slides
check-docs: all
	@REDBLUE=$(abspath $(OBJ)/redblue) sh docs/check-docs.sh
# the pages in a browser: minutes; wants node, chromium and `npm install` in tests/browser.  PART=guided: one test of it
check-browser: all
	@OBJ=$(OBJ) sh tests/browser/run.sh $(PART)
check-layers:
	@sh tests/layers.sh

clean:
	rm -rf $(BUILD)

help:
	@echo "make [all]       build/redblue and the library      make check      all tests (MOD=name ROUNDS=10)"
	@echo "make V=1         the same, showing the commands      make paper-NAME examples/paper/NAME.table"
	@echo "make demo        a bound, a play, a gap, explained   make asan       tests under ASan and UBSan"
	@echo "make deps        install what is missing (Debian)    make valgrind   tests under valgrind"
	@echo "make bench       rates and ratios                    make coverage   branches no test takes"
	@echo "make mutation    do the tests notice corrupted guards?"
	@echo "make fuzz        all fuzz targets (FUZZ_S=60)        make check-docs every example in docs/"
	@echo "make examples    the example programs and tables     make install    PREFIX=/usr/local DESTDIR="
	@echo "make proofs      the theorems in Coq                make coqchk     the same by Coq's checker"
	@echo "make check-layers  who may include whom              make check-browser  the pages in Chromium"
	@echo "make site        docs, course, lessons in build/site  make book      the course as a page and a PDF"
	@echo "make playground  the program in a page, in build/site/playground (emscripten)"
	@echo "make slides      slides of two chapters, in build/slides"
	@echo "make nests       gaps of the computations in tests/nests"
	@echo "make wheel       the Python package                  make deb        a Debian package"
	@echo "make uninstall   take an installation away           make clean      remove build/"

-include $(wildcard cli/install.mk)
-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
.PHONY: nests playground site book slides check-browser proofs proofs-deps certificates coqchk all tests check asan valgrind coverage deps demo bench fuzz mutation print-flags print-libs print-objects fuzz-targets examples wheel check-docs check-layers clean help
.SECONDARY:
