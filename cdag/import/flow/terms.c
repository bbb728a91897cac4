/* terms.c -- what an element reads as text: terms, in pieces, and sums over several loops. */
#include "cdag/import/flow/flow.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  flow *f;
  const part *p, *target;
  text *out, terms;
  isl_set *known;
  bool sum; /* what p reads of itself is said already */
} term_writing;

/* A term that is there already is not said again: the vertices read are a set. */
static void put_once_only(term_writing *w, const text *term)
{
  SCOPED_TEXT line = { 0 };
  text_printf(&line, "\n%s\n", text_str(term));
  if (!strstr(text_str(&w->terms), text_str(&line))) {
    text_printf(w->out, "%s%s", w->terms.n ? ", " : " = ", text_str(term));
    text_add(&w->terms, text_str(&line));
  }
}

static void put_term(term_writing *w, isl_multi_aff *value, isl_basic_set *when)
{
  SCOPED_TEXT condition = { 0 }, term = { 0 };
  text_printf(&term, "%s[", w->target->name);
  int rank = isl_multi_aff_dim(value, OF_OUT);
  for (int r = 0; r < rank; r++) {
    SCOPED_TEXT index = { 0 };
    isl_aff *aff = isl_multi_aff_get_aff(value, r);
    flow_put_aff(w->f, w->p, aff, 1, &index);
    text_printf(&term, "%s%s", r ? "," : "", text_str(&index));
    isl_aff_free(aff);
  }
  text_add(&term, rank ? "]" : "0]");
  flow_put_conditions(w->f, w->p, when, &condition);
  if (condition.n)
    text_printf(&term, " if %s", condition.s);
  put_once_only(w, &term);
}

typedef struct {
  term_writing *w;
  isl_multi_aff *value;
  isl_set *where;
} one_piece;

static isl_stat put_part_of_piece(isl_basic_set *b, void *user)
{
  one_piece *o = user;
  b = flow_relaxed(b, o->where, o->w->known);
  put_term(o->w, o->value, b);
  isl_basic_set_free(b);
  return isl_stat_ok;
}

/* Has it integer coefficients, and no quotient? */
static bool is_whole(isl_multi_aff *value)
{
  isl_pw_multi_aff *piece = isl_pw_multi_aff_from_multi_aff(isl_multi_aff_copy(value));
  bool whole = isl_pw_multi_aff_involves_locals(piece) == isl_bool_false;
  isl_pw_multi_aff_free(piece);
  for (unsigned i = 0; i < (unsigned)isl_multi_aff_size(value) && whole; i++) {
    isl_aff *one = isl_multi_aff_get_aff(value, (int)i);
    isl_val *below = isl_aff_get_denominator_val(one);
    whole = isl_val_is_one(below) == isl_bool_true;
    isl_val_free(below);
    isl_aff_free(one);
  }
  return whole;
}

/* What it is on `where`, if that can be said. */
static isl_multi_aff *as_number(isl_multi_aff *value, isl_set *where)
{
  isl_multi_aff *there = isl_multi_aff_gist(isl_multi_aff_copy(value), isl_set_copy(where));
  bool plain = is_whole(there);
  isl_multi_aff_free(plain ? value : there);
  return plain ? there : value;
}

/* value on `where`: said without what the domains say by themselves, and as a number where it is one there. */
static isl_stat put_piece(isl_set *where, isl_multi_aff *value, void *user)
{
  term_writing *w = user;
  value = as_number(value, where);
  isl_set *target = flow_as_set(w->target->domain);
  isl_set *known =
      isl_set_intersect(isl_set_copy(w->known), isl_set_preimage_multi_aff(target, isl_multi_aff_copy(value)));
  where = isl_set_coalesce(isl_set_compute_divs(isl_set_gist(where, isl_set_copy(known))));
  isl_set *whole = isl_set_intersect(isl_set_copy(where), isl_set_copy(known)), *readers = w->known;
  w->known = known; /* where the term is there at all */
  isl_set_foreach_basic_set(where, put_part_of_piece, &(one_piece){ w, value, whole });
  w->known = readers;
  isl_set_free(known);
  isl_set_free(whole);
  isl_set_free(where);
  isl_multi_aff_free(value);
  return isl_stat_ok;
}

static isl_stat put_everywhere(isl_set *where, isl_multi_aff *value, void *user)
{
  isl_basic_set *always = isl_basic_set_universe(isl_set_get_space(where));
  put_term(user, value, always);
  isl_basic_set_free(always);
  isl_set_free(where);
  isl_multi_aff_free(value);
  return isl_stat_ok;
}

/* Where the access names something of the target it reads that: then it is said as in C, without a condition. */
static bool put_as_written(term_writing *w, isl_map *here, isl_map *access)
{
  isl_map *own = isl_map_intersect_domain(isl_map_copy(access), isl_set_copy(w->known));
  bool same = isl_map_has_equal_space(own, here) == isl_bool_true;
  if (same) {
    own = isl_map_intersect_range(own, flow_as_set(w->target->domain));
    same = isl_map_is_equal(own, here) == isl_bool_true;
  }
  isl_map_free(own);
  if (same) {
    isl_pw_multi_aff *value = isl_pw_multi_aff_from_map(isl_map_copy(access));
    same = isl_pw_multi_aff_n_piece(value) == 1 && /* several where a loop is left out */
           isl_pw_multi_aff_involves_locals(value) != isl_bool_true; /* a quotient may be a number there */
    if (same)
      isl_pw_multi_aff_foreach_piece(value, put_everywhere, w);
    isl_pw_multi_aff_free(value);
  }
  return same;
}

/* What m names, where it is one word each, and the same as `here`: the copy's own access at the copy that `to` leads
   to.  NULL: it is not so. */
static isl_pw_multi_aff *as_copied(const term_writing *w, isl_map *here, isl_map *to, isl_map *m)
{
  isl_map *both = isl_map_apply_range(isl_map_copy(to), isl_map_copy(m));
  bool same = isl_map_has_equal_space(both, here) == isl_bool_true && isl_map_is_single_valued(to) == isl_bool_true;
  if (same) {
    both = isl_map_intersect_range(both, flow_as_set(w->target->domain));
    same = isl_map_is_equal(both, here) == isl_bool_true;
  }
  isl_map_free(both);
  if (!same)
    return NULL;
  isl_pw_multi_aff *first = isl_pw_multi_aff_from_map(isl_map_copy(to)),
                   *then = isl_pw_multi_aff_from_map(isl_map_copy(m));
  isl_pw_multi_aff *value = isl_pw_multi_aff_pullback_pw_multi_aff(then, first);
  if (value && isl_pw_multi_aff_n_piece(value) == 1)
    return isl_pw_multi_aff_intersect_domain(value, isl_map_domain(isl_map_copy(here)));
  isl_pw_multi_aff_free(value);
  return NULL;
}

/* What is read past a copy (a matrix of windows), said as the copy says it: its loops are functions of the place that
   is read, where isl would solve for what is read at once, in pieces. */
static bool put_past_copy(term_writing *w, isl_map *here, isl_union_map *direct)
{
  isl_pw_multi_aff *value = NULL;
  isl_map_list *list = isl_union_map_get_map_list(direct);
  for (int i = 0; i < isl_map_list_n_map(list) && !value; i++) {
    bool input;
    isl_map *to = isl_map_list_get_map(list, i);
    int of = flow_target_of(to, &input);
    if (!input && w->f->s[of].kind == COPY) {
      to = isl_map_intersect_domain(to, isl_set_copy(w->known));
      isl_map_list *reads = isl_union_map_get_map_list(w->f->s[of].read[0]);
      for (int k = 0; k < isl_map_list_n_map(reads) && !value; k++) {
        isl_map *m = isl_map_list_get_map(reads, k);
        value = as_copied(w, here, to, m);
        isl_map_free(m);
      }
      isl_map_list_free(reads);
    }
    isl_map_free(to);
  }
  isl_map_list_free(list);
  bool found = value != NULL;
  if (found)
    isl_pw_multi_aff_foreach_piece(value, put_piece, w);
  isl_pw_multi_aff_free(value);
  return found;
}

/* What one access reads of one array or statement. */
static void put_access(term_writing *w, isl_map *map, isl_map *access, isl_union_map *direct)
{
  flow *f = w->f;
  bool input;
  int of = flow_target_of(map, &input);
  for (int i = 0; i < f->parts; i++) {
    if (f->part[i].input != input || f->part[i].of != of || (w->sum && &f->part[i] == w->p))
      continue;
    isl_map *here = isl_map_intersect_domain(isl_map_copy(map), isl_set_copy(w->known));
    here = isl_map_intersect_range(here, flow_as_set(f->part[i].domain));
    w->target = &f->part[i];
    if (!isl_map_is_empty(here) && !(input && put_as_written(w, here, access))) {
      isl_pw_multi_aff *value = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(isl_map_copy(here)));
      bool pieces = isl_pw_multi_aff_n_piece(value) > 1;
      if (!pieces || !direct || !put_past_copy(w, here, direct))
        isl_pw_multi_aff_foreach_piece(value, put_piece, w);
      isl_pw_multi_aff_free(value);
    }
    isl_map_free(here);
  }
}

/* ---- sums over several loops ---- */

/* What its elements read of the part itself. */
static isl_map *own_reads(const flow *f, const part *p)
{
  isl_set *all = flow_as_set(p->domain);
  isl_space *space = isl_space_map_from_set(isl_set_get_space(all));
  isl_map *own = isl_map_empty(isl_space_copy(space));
  for (int i = 0; i < f->n->statement[p->of].reads; i++)
    own = isl_map_union(own, isl_union_map_extract_map(f->s[p->of].read[i], isl_space_copy(space)));
  isl_space_free(space);
  own = isl_map_intersect_domain(own, isl_set_copy(all));
  return isl_map_intersect_params(isl_map_intersect_range(own, all), isl_set_copy(f->context));
}

typedef struct {
  uint32_t loops;
  int rank;
  bool mixed;
} loop_bounds;

/* Does a bound of one of the loops depend on another? */
static isl_stat note_mixed(isl_constraint *c, void *user)
{
  loop_bounds *b = user;
  int many = 0;
  for (int r = 0; r < b->rank; r++)
    many += (b->loops >> r & 1) && isl_constraint_involves_dims(c, OF_SET, (unsigned)r, 1) > 0;
  b->mixed |= many > 1;
  isl_constraint_free(c);
  return isl_stat_ok;
}

/* The loops along which the part is summed, where there are several: what an element reads of the part is the element
   before it in the order of these loops.  0: it is not so. */
static uint32_t summed_loops(const flow *f, const part *p)
{
  int rank = isl_basic_set_dim(p->domain, OF_SET);
  loop_bounds b = { .rank = rank };
  isl_map *own = own_reads(f, p);
  isl_set *all = isl_set_intersect_params(flow_as_set(p->domain), isl_set_copy(f->context));
  isl_map *before = isl_set_lex_gt_set(isl_set_copy(all), all);
  for (int r = 0; r < rank; r++) {
    isl_map *same = isl_map_equate(isl_map_copy(own), OF_IN, r, OF_OUT, r);
    if (isl_map_is_equal(own, same) > 0)
      before = isl_map_equate(before, OF_IN, r, OF_OUT, r);
    else
      b.loops |= 1u << r;
    isl_map_free(same);
  }
  isl_basic_set_foreach_constraint(p->domain, note_mixed, &b);
  bool sum = __builtin_popcount(b.loops) > 1 && !b.mixed;
  before = isl_map_lexmax(before);
  sum = sum && isl_map_is_equal(own, before) > 0;
  isl_map_free(own);
  isl_map_free(before);
  return sum ? b.loops : 0;
}

/* The last index of loop r, read at the first one only: hi - 1 + (k - lo) is inside nowhere else. */
static void put_wrapped(term_writing *w, int r, text *out)
{
  int rank = isl_basic_set_dim(w->p->domain, OF_SET);
  SCOPED_TEXT range = { 0 };
  isl_set *whole = flow_as_set(w->p->domain);
  flow_put_range(w->f, w->p, whole, r, rank, &range);
  isl_set_free(whole);
  const char *name = flow_name_of(w->f, w->p, r), *dots = strstr(text_str(&range), "..");
  int lo = (int)(dots - text_str(&range));
  size_t hi = strlen(dots + 2);
  bool one_more = hi > 2 && strcmp(dots + hi, "+1") == 0;
  text_printf(out, "%.*s%s+", (int)hi - (one_more ? 2 : 0), dots + 2, one_more ? "" : "-1");
  if (lo == 1 && *text_str(&range) == '0')
    text_add(out, name);
  else
    text_printf(out, "(%s-(%.*s))", name, lo, text_str(&range));
}

static void put_sum(term_writing *w, uint32_t loops)
{
  int rank = isl_basic_set_dim(w->p->domain, OF_SET);
  for (int m = rank - 1; m >= 0; m--) {
    SCOPED_TEXT term = { 0 };
    if (!(loops >> m & 1))
      continue;
    text_printf(&term, "%s[", w->p->name);
    for (int r = 0; r < rank; r++) {
      text_add(&term, r ? "," : "");
      if (r > m && (loops >> r & 1))
        put_wrapped(w, r, &term);
      else
        text_printf(&term, "%s%s", flow_name_of(w->f, w->p, r), r == m ? "-1" : "");
    }
    text_char(&term, ']');
    put_once_only(w, &term);
  }
}

void flow_put_terms_of(flow *f, const part *p, text *out)
{
  isl_set *known = isl_set_intersect_params(flow_as_set(p->domain), isl_set_copy(f->context));
  term_writing w = { .f = f, .p = p, .out = out, .known = known };
  uint32_t loops = summed_loops(f, p);
  w.sum = loops != 0;
  put_sum(&w, loops);
  for (int i = 0; i < f->n->statement[p->of].reads; i++) {
    isl_map_list *list = isl_union_map_get_map_list(f->s[p->of].read[i]);
    isl_map *access = flow_access_map(f, p->of, i, false);
    for (int m = 0; m < isl_map_list_n_map(list); m++) {
      isl_map *map = isl_map_list_get_map(list, m);
      put_access(&w, map, access, f->s[p->of].direct ? f->s[p->of].direct[i] : NULL);
      isl_map_free(map);
    }
    isl_map_list_free(list);
    isl_map_free(access);
  }
  text_clear(&w.terms);
  isl_set_free(known);
}
