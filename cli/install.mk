# install.mk -- what goes where.  DESTDIR is put before everything.
bindir     = $(DESTDIR)$(PREFIX)/bin
libdir     = $(DESTDIR)$(PREFIX)/lib
includedir = $(DESTDIR)$(PREFIX)/include/redblue
mandir     = $(DESTDIR)$(PREFIX)/share/man/man1
compdir    = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
# what a program may include, and what that includes; asked of the compiler only when installing
PUBLIC    := $(wildcard base/mem.h base/json.h base/num.h cdag/cdag.h pebble/game.h pebble/optimal.h schedules/schedule.h schedules/any.h \
               bounds/bound.h bounds/certificate.h bounds/checker.h report/setting.h report/sweep.h report/table.h report/plot.h report/time.h \
               report/lesson.h report/api.h report/redblue.h)
HEADERS    = $(sort $(filter $(ROOMS:%=%/%),$(shell for h in $(PUBLIC); do $(CC) -I. -D_GNU_SOURCE $(PKG_CFLAGS) -MM -x c $$h; done | tr -d '\\')))

# Libs.private names the shared libraries below ours: their own static dependencies are seldom installed
install: all
	install -d $(bindir) $(libdir)/pkgconfig $(mandir) $(compdir) $(addprefix $(includedir)/,$(ROOMS))
	install -m 755 $(OBJ)/redblue $(bindir)/redblue
	install -m 644 $(OBJ)/libredblue.a $(libdir)/libredblue.a
	install -m 755 $(OBJ)/libredblue.so $(libdir)/libredblue.so.0
	ln -sf libredblue.so.0 $(libdir)/libredblue.so
	for h in $(HEADERS); do install -D -m 644 $$h $(includedir)/$$h; done
	printf 'prefix=%s\nlibdir=$${prefix}/lib\nincludedir=$${prefix}/include\n\nName: redblue\nDescription: red-blue pebble games: bounds, schedules, verdicts\nVersion: %s\nRequires: gmp\nLibs: -L$${libdir} -lredblue\nLibs.private: -lm\nCflags: -I$${includedir}/redblue\n' '$(PREFIX)' '$(VERSION)' > $(libdir)/pkgconfig/redblue.pc
	if $(OBJ)/redblue man >/dev/null 2>&1; then \
	  $(OBJ)/redblue man > $(mandir)/redblue.1; \
	  for v in $(VERBS); do $(OBJ)/redblue man $$v > $(mandir)/redblue-$$v.1; done; \
	  $(OBJ)/redblue completion > $(compdir)/redblue; fi

uninstall:
	rm -f $(bindir)/redblue $(libdir)/libredblue.a $(libdir)/libredblue.so $(libdir)/libredblue.so.0 \
	  $(libdir)/pkgconfig/redblue.pc $(mandir)/redblue.1 $(foreach v,$(VERBS),$(mandir)/redblue-$(v).1) $(compdir)/redblue
	rm -rf $(includedir)
.PHONY: install uninstall
