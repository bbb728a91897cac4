# install.mk -- what goes where.  DESTDIR is put before everything.
bindir     = $(DESTDIR)$(PREFIX)/bin
libdir     = $(DESTDIR)$(PREFIX)/lib
includedir = $(DESTDIR)$(PREFIX)/include/redblue
mandir     = $(DESTDIR)$(PREFIX)/share/man/man1
compdir    = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir     = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir    = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# what a program may include, and what that includes; asked of the compiler only when installing
PUBLIC    := $(wildcard base/mem.h base/json.h base/num.h cdag/cdag.h pebble/game.h pebble/optimal.h schedules/schedule.h schedules/any.h \
               bounds/bound.h bounds/certificate.h bounds/checker.h report/setting.h report/sweep.h report/table.h report/plot.h report/time.h \
               report/lesson.h report/api.h report/redblue.h)
HEADERS    = $(sort $(filter $(ROOMS:%=%/%),$(shell for h in $(PUBLIC); do $(CC) -I. -D_GNU_SOURCE $(PKG_CFLAGS) -MM -x c $$h; done | tr -d '\\')))

# Libs.private names the shared libraries below ours: their own static dependencies are seldom installed
install: all
	install -d $(bindir) $(libdir)/pkgconfig $(mandir) $(compdir) $(zshdir) $(fishdir) $(addprefix $(includedir)/,$(ROOMS))
	install -m 755 $(OBJ)/redblue $(bindir)/redblue
	install -m 644 $(OBJ)/libredblue.a $(libdir)/libredblue.a
	install -m 755 $(OBJ)/libredblue.so $(libdir)/libredblue.so.0
	ln -sf libredblue.so.0 $(libdir)/libredblue.so
	for h in $(HEADERS); do install -D -m 644 $$h $(includedir)/$$h; done
	printf 'prefix=%s\nlibdir=$${prefix}/lib\nincludedir=$${prefix}/include\n\nName: redblue\nDescription: red-blue pebble games: bounds, schedules, verdicts\nVersion: %s\nRequires: gmp\nLibs: -L$${libdir} -lredblue\nLibs.private: -lm\nCflags: -I$${includedir}/redblue\n' '$(PREFIX)' '$(VERSION)' > $(libdir)/pkgconfig/redblue.pc
	if $(OBJ)/redblue man >/dev/null 2>&1; then \
	  $(OBJ)/redblue man > $(mandir)/redblue.1; \
	  for v in $(VERBS); do $(OBJ)/redblue man $$v > $(mandir)/redblue-$$v.1; done; \
	  $(OBJ)/redblue completion > $(compdir)/redblue; \
	  $(OBJ)/redblue completion zsh > $(zshdir)/_redblue; \
	  $(OBJ)/redblue completion fish > $(fishdir)/redblue.fish; fi

uninstall:
	rm -f $(bindir)/redblue $(libdir)/libredblue.a $(libdir)/libredblue.so $(libdir)/libredblue.so.0 \
	  $(libdir)/pkgconfig/redblue.pc $(mandir)/redblue.1 $(foreach v,$(VERBS),$(mandir)/redblue-$(v).1) $(compdir)/redblue \
	  $(zshdir)/_redblue $(fishdir)/redblue.fish
	rm -rf $(includedir)

# a Debian package of what is built, of this machine's libraries: build/redblue_VERSION_ARCH.deb
DEB_DEPENDS = libc6, libgmp10, libigraph3, libglpk40, libamd2, libcairo2, libisl23, libjansson4
deb: all
	rm -rf $(BUILD)/deb
	$(MAKE) --no-print-directory -s install PREFIX=/usr DESTDIR=$(CURDIR)/$(BUILD)/deb \
	  zshdir=$(CURDIR)/$(BUILD)/deb/usr/share/zsh/vendor-completions # Debian's zsh looks there, and not in site-functions
	gzip -9n $(BUILD)/deb/usr/share/man/man1/*.1
	strip $(BUILD)/deb/usr/bin/redblue $(BUILD)/deb/usr/lib/libredblue.so.0
	strip -g $(BUILD)/deb/usr/lib/libredblue.a
	install -D -m 644 LICENSE $(BUILD)/deb/usr/share/doc/redblue/copyright
	gzip -9nc CHANGELOG.md > $(BUILD)/deb/usr/share/doc/redblue/changelog.gz
	install -d $(BUILD)/deb/DEBIAN
	printf 'Package: redblue\nVersion: %s\nArchitecture: %s\nMaintainer: redblue developers <redblue@localhost>\nSection: math\nPriority: optional\nInstalled-Size: %s\nDepends: %s\nDescription: red-blue pebble games: bounds, schedules, verdicts\n Describes computations as graphs, plays schedules on them under a fast\n memory of M words, proves lower bounds on their I/O, finds schedules.\n' \
	  '$(VERSION)' "$$(dpkg --print-architecture)" "$$(du -sk $(BUILD)/deb/usr | cut -f1)" '$(DEB_DEPENDS)' > $(BUILD)/deb/DEBIAN/control
	dpkg-deb --root-owner-group --build $(BUILD)/deb $(BUILD)/redblue_$(VERSION)_$$(dpkg --print-architecture).deb
.PHONY: install uninstall deb
