# VARIANT=wasm: the program for a web page (playground/build.sh).  GLPK and GMP are linked; igraph, cairo and isl are left out.
# int64_t is long long here and PRId64 is "ld": both 64 bits
CFLAGS_wasm := -O2
WARN        += -Wno-format -Wno-incompatible-pointer-types
HOST_CC     := cc
CC          := clang $(shell cat $(BUILD)/wasm-libraries/flags)
PKG_CFLAGS  := -isystem $(BUILD)/wasm-libraries/include/cairo
PIC         :=
LIB_SRC     := $(filter-out base/late.c bounds/graph/graph_tools.c,$(LIB_SRC)) $(wildcard playground/*.c)
$(OBJ)/gen/late_table.h: $(OBJ)/gen/late_glpk.h
	@sed -n 's/.*late_symbol("[^"]*", "\([^"]*\)").*/HAS(\1)/p' $< > $@
$(OBJ)/playground/late.o: $(OBJ)/gen/late_table.h
$(OBJ)/redblue.wasm: $(LIB_SRC:%.c=$(OBJ)/%.o) $(OBJ)/gen/embedded.o $(OBJ)/gen/theorems.o $(CLI_SRC:%.c=$(OBJ)/%.o) $(OBJ)/gen/verbs.o playground/link.sh
	$(call say,LD)
	$(Q)sh playground/link.sh $(BUILD)/wasm-libraries $@ $(filter %.o,$^)
