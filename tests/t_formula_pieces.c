/* Formulas of loops that go to and fro, and of loops whose iterations in the middle are of several kinds: by hand, and
   at sizes that dice choose against the count, there and at others of which they speak. */
#include "cdag/cdag.h"
#include "tests/support.h"
#include "tests/support_formula.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  cdag *g;
  schedule *s;
} setting;

static void clear(setting *t)
{
  schedule_free(t->s);
  cdag_free(t->g);
}

/* ---- by hand ---- */

static const struct { const char *body, *io, *holds;
} known[] = {
  /* of ceil(m/a) sweeps every other one, beginning with the first, leaves out the first b columns, and the others the
     last block */
  { "for I in m by a { for J in n by b snake { if 1 - first(J) { load B[0,J] } } }",
    "n ceil(ceil(m/a)/2) + b ceil(m/a) ceil(n/b) - b ceil(m/a) - b ceil(n/b) ceil(ceil(m/a)/2)", "ceil(n/b) >= 2" },
  /* i + 1 rows, of b columns for the ceil(m/2) even i, which add up to ceil(m/2)^2 rows, and of the r = k + b - b
     ceil(k/b) of the last block for others */
  { "for i in m { for J in k by b snake { if first(J) { load A[0..i + 1,J] } } }",
    "1/2 m^2 k + 1/2 m^2 b + 1/2 m k + 1/2 m b + b ceil(k/b) ceil(m/2)^2 - 1/2 m^2 b ceil(k/b) - 1/2 m b ceil(k/b) - k "
    "ceil(m/2)^2",
    "ceil(k/b) >= 2" },
  { "for J in n by b snake { if last(J) { load B[0,J] } }", "n + b - b ceil(n/b)", "" }, /* entered once: never back */
  { "for l in k { if l < c { load B[l,*] } }", "n c", "k >= c + 1" },
  { "for l in k { if (l >= c)*(first(l) + (l < k - b)) { load B[l,*] } }", "n k - n b - n c", "k >= b + c" },
  { "for l in k { load B[l..l + c,*] }", "n k c + 1/2 n c - 1/2 n c^2",
    "k >= c + 1" }, /* c rows, less 1, 2, .. c - 1 at the end */
  { "for l in k { load B[l - c..l + 1,*] }", "n k c + n k - 1/2 n c^2 - 1/2 n c",
    "k >= c + 1" }, /* c + 1, less c, .. 1 in the beginning */
  /* with ceil(c/a) blocks that begin before c: k rows, 0 + a + 2a + .. before these, c before each of the others */
  { "for L in k by a { load B[lo(L) - c..hi(L),*] }",
    "n k + 1/2 n a ceil(c/a)^2 + n c ceil(k/a) - 1/2 n a ceil(c/a) - n c ceil(c/a)", "ceil(k/a) >= 1 + ceil(c/a)" },
};

static void open_known(setting *t, int i, const char *assign)
{
  char program[400];
  diag d = { 0 };
  snprintf(program, sizeof program, "param a\nparam b\nparam c\n%s\n", known[i].body);
  ck_assert_msg(cdag_open(&t->g, "matmul:m=30,n=40,k=50", &d) == OK, "%s", d.message);
  ck_assert_msg(schedule_parse(&t->s, t->g, 1000, "text", program, assign, &d) == OK, "%s\n%s", d.message, program);
}

START_TEST(known_by_hand)
{
  setting t = { 0 };
  text io = { 0 }, holds = { 0 }, reason = { 0 };
  open_known(&t, _i, "a=7,b=9,c=11");
  ck_assert_msg(schedule_formula(t.s, &io, &holds, &reason), "%s: %s", known[_i].body, text_str(&reason));
  ck_assert_msg(!strcmp(text_str(&io), known[_i].io), "%s: %s", known[_i].body, text_str(&io));
  ck_assert_msg(!strcmp(text_str(&holds), known[_i].holds), "%s: %s", known[_i].body, text_str(&holds));
  text_clear(&io);
  text_clear(&holds);
  text_clear(&reason);
  clear(&t);
}
END_TEST

/* ---- at other sizes ---- */

static const struct {
  const char *family, *schedule;
  int sizes;
  const char *size[3];
  int params;
  const char *param[8];
  int m;
} family[] = {
  { "matmul", "resident", 3, { "m", "n", "k" }, 8, { "a", "q", "r", "wide", "wide2", "s", "u", "s2" }, 300 },
  { "stencil2d", "strips", 3, { "w", "h", "t" }, 2, { "b", "c" }, 1000 },
  { "attention-lowrank", "sliced", 3, { "n", "d", "r" }, 3, { "s", "f", "e" }, 300 },
  { "attention-online", "square-tiling", 3, { "n", "d", "b" }, 3, { "t", "c", "g" }, 1200 },
};

/* Sizes up to 40, blocks that are chosen or as the schedule has them; false: it has none for these. */
static bool open_random(setting *t, support_random *r, int k, bool blocks)
{
  text spec = { 0 }, how = { 0 };
  diag d = { 0 };
  *t = (setting){ 0 };
  for (int i = 0; i < family[k].sizes; i++)
    text_printf(&spec, "%s%s%s=%d", i ? "" : family[k].family, i ? "," : ":", family[k].size[i],
                (int)support_between(r, 1, 40));
  text_add(&how, family[k].schedule);
  for (int i = 0; i < family[k].params && blocks; i++)
    text_printf(&how, "%s%s=%d", i ? "," : ":", family[k].param[i], (int)support_between(r, 1, 12));
  ck_assert_msg(cdag_open(&t->g, text_str(&spec), &d) == OK, "%s", d.message);
  bool open = schedule_open(&t->s, t->g, (uint64_t)support_between(r, 5, family[k].m), text_str(&how), &d) == OK;
  text_clear(&spec);
  text_clear(&how);
  return open;
}
static void compare(const setting *t, const text *io, const text *holds, int seed)
{
  text told = { 0 };
  text_printf(&told, "seed %d, if %s", seed, text_str(holds));
  formula_gives_count(io, t->s, told.s);
  text_clear(&told);
}

/* Every size has a formula, and it is right here and wherever it says that it holds. */
START_TEST(of_the_library)
{
  support_random r = { (uint64_t)_i };
  setting t, other;
  text io = { 0 }, holds = { 0 }, reason = { 0 };
  uint64_t count;
  int k = _i % COUNT(family);
  bool blocks = _i / COUNT(family) % 2;
  if (open_random(&t, &r, k, blocks) && formula_counted_io(t.s, &count)) {
    bool found = schedule_formula(t.s, &io, &holds, &reason);
    ck_assert_msg(found || blocks, "seed %d: %s", _i, text_str(&reason));
    if (found)
      compare(&t, &io, &holds, _i);
    bool tables = strstr(text_str(&holds), "the table "); /* as they are here */
    for (int i = 0; i < support_rounds(4) && found && !tables; i++) {
      if (open_random(&other, &r, k, blocks) && formula_covers(&holds, other.s))
        compare(&other, &io, &holds, _i);
      clear(&other);
    }
  }
  text_clear(&io);
  text_clear(&holds);
  text_clear(&reason);
  clear(&t);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("formula_pieces");
  TCase *c = support_case(s, "pieces");
  tcase_add_loop_test(c, known_by_hand, 0, COUNT(known));
  tcase_add_loop_test(c, of_the_library, 0, support_rounds(32));
  return support_run(s);
}
