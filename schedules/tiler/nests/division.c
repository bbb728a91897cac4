/* The nests of a division, one after another, as one text: their lengths are its parameters. */
#include "schedules/tiler/nests/division.h"
#include "base/mem.h"
#include "schedules/tiler/nests/text.h"
#include "schedules/tiler/nests/words.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool name_taken(const cdag *g, const tiler_candidate *const *c, int n, const char *name, const text *used)
{
  char look[CDAG_NAME + 4];
  snprintf(look, sizeof look, " %s ", name);
  if (tiler_name_taken(g, name) || (used->n && strstr(text_str(used), look)))
    return true;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c[i]->nest->classes; k++)
      if (strcmp(c[i]->nest->cls[k].name, name) == 0 || strcmp(c[i]->nest->cls[k].block, name) == 0)
        return true;
  return false;
}

/* That name, or where it is taken the first letter that is free. */
static void fresh_name(const cdag *g, const tiler_candidate *const *c, int n, const char *wanted, text *used, char *out)
{
  static const char letters[] = "abcefghpqrstuvwxyz";
  snprintf(out, CDAG_NAME, "%s", wanted);
  for (int k = 0; name_taken(g, c, n, out, used); k++)
    snprintf(out, CDAG_NAME, k < 18 ? "%c" : "%c%d", letters[k % 18], k / 18);
  text_printf(used, "%s%s ", used->n ? "" : " ", out);
}

static void write_lengths(const cdag *g, const tiler_candidate *const *c, int n, int i, text *names, text *params,
                          char length[][CDAG_NAME])
{
  for (int k = 0; k < c[i]->lengths; k++) {
    fresh_name(g, c, n, "a", names, length[c[i]->cls[k]]);
    text_printf(params, "param %s = %" PRId64 "\n", length[c[i]->cls[k]], c[i]->b.b[k]);
  }
}

void division_write_nests(const cdag *g, const tiler_candidate *const *c, int n, text *names, text *params, text *body)
{
  tiler_tree *t = MEM_NEW(tiler_tree, 1);
  for (int i = 0; i < n; i++) {
    char length[TILER_CLASSES][CDAG_NAME] = { { 0 } };
    write_lengths(g, c, n, i, names, params, length);
    tiler_tree_build(t, c[i]->nest, &c[i]->plan);
    tiler_print(t, length, body);
  }
  mem_free(t);
}

void division_write_triangles(const cdag *g, const tiler_candidate *const *c, int n, int at, const tiler_triangle *o,
                            text *out)
{
  tiler_tree *t = MEM_NEW(tiler_tree, 1);
  text names = { 0 }, body = { 0 };
  char length[TILER_CLASSES][CDAG_NAME] = { { 0 } };
  tiler_bundles b = { .rows = o->rows, .before = o->before, .mirror = o->mirror, .plane = o->design != DESIGN_GROUPS,
                      .even = o->design == DESIGN_EVEN,
                      .first_digits = o->digits[1] ? TILER_DIGITS : 0 };
  static const char *const wanted[] = { "r", "t", "c", "x", "y", "u", "v", "d", "e" };
  tiler_print_title(g, "found", out);
  division_write_nests(g, c, at, &names, out, &body);
  char *name[] = { b.groups, b.bundle, b.cycle, b.x, b.y, b.u, b.v, b.digits, b.more };
  for (int k = 0; k < 7 + b.plane + (b.first_digits > 0) && o->groups; k++)
    fresh_name(g, c, n, wanted[k], &names, name[k]);
  if (o->groups) {
    text_printf(out, "param %s = %" PRId64 ", %s = %" PRId64 ", %s = %" PRId64, b.groups, o->groups, b.bundle,
                o->bundle, b.cycle, o->cycle);
    if (b.plane)
      text_printf(out, ", %s = %" PRId64, b.digits, o->digits[0]);
    if (b.first_digits)
      text_printf(out, ", %s = %" PRId64, b.more, o->digits[1]);
    text_char(out, '\n');
    tiler_tree_build(t, o->pair.nest, &o->pair.plan);
    tiler_print_triangles(t, &b, &body);
  }
  if (o->rest) {
    write_lengths(g, c, n, at, &names, out, length);
    tiler_tree_build(t, o->squares.nest, &o->squares.plan);
    (o->groups ? tiler_print_rest : tiler_print_mirrored)(t, (const char(*)[CDAG_NAME])length, &b, &body);
  }
  division_write_nests(g, c + at + 1, n - at - 1, &names, out, &body);
  text_add(out, text_str(&body));
  mem_free(t);
  text_clear(&names);
  text_clear(&body);
}

void division_write(const cdag *g, const tiler_candidate *const *c, int n, text *out)
{
  text names = { 0 }, body = { 0 };
  tiler_print_title(g, "found", out);
  division_write_nests(g, c, n, &names, out, &body);
  text_add(out, text_str(&body));
  text_clear(&names);
  text_clear(&body);
}
