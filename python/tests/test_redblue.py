"""The package's answers are those of the program, numbers are exact, and mistakes say where they are."""

import unittest

import redblue
from redblue._native import run

PRODUCT = """param m n k
param z = 1
input A[m,k], B[k,n]
C[i:m, j:n, l:k] = C[i,j,l-1], A[i,l], B[l,j]
output C[*,*,k-1]
"""


class Answers(unittest.TestCase):
    def setUp(self):
        self.attention = redblue.Computation("attention", n=1024, d=16)

    def test_bound_is_the_programs(self):
        bounds, said = self.attention.bound("4K"), run("bound", "attention:n=1024,d=16", "-M", "4K", "--limit-time", "20")
        self.assertEqual(bounds.best.value, said["best"]["value"])
        self.assertIn(bounds.best.name, bounds.proof())
        self.assertEqual(bounds[bounds.best.name].value, int(bounds.best))

    def test_verdict(self):
        verdict = self.attention.verify("attenio", 4096)
        self.assertTrue(verdict)
        self.assertEqual(verdict.io, verdict.loads + verdict.stores)
        self.assertGreaterEqual(verdict.io, verdict.lower_bound)
        self.assertEqual(self.attention.count("attenio", 4096).io, verdict.io)

    def test_numbers_are_exact(self):
        huge = redblue.Computation("matmul", m=10**9, n=10**9, k=9)
        self.assertEqual(huge.count("naive", 1000).io, 19 * 10**18)

    def test_own_texts(self):
        own = redblue.Computation(PRODUCT, m=12, n=13, k=14)
        family = redblue.Computation("matmul", m=12, n=13, k=14)
        self.assertEqual(own.bound(40).best.value, family.bound(40).best.value)
        self.assertEqual(own.describe()["vertices"], family.describe()["vertices"])

    def test_illegal_is_an_answer(self):
        verdict = redblue.Computation("dot", k=3).verify(redblue.Schedule("load x[0]\nload x[0]\n"), 4)
        self.assertFalse(verdict)
        self.assertEqual((verdict.error["rule"], verdict.error["line"]), ("already red", 2))

    def test_mistakes_have_a_place(self):
        with self.assertRaises(redblue.InputError) as caught:
            redblue.Computation("dot", k=3).verify("for i in 3 {\nlaod x[i]\n}\n", 4)
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 1))
        with self.assertRaises(redblue.UsageError):
            redblue.Computation("dot", q=3).bound(4)
        with self.assertRaises(redblue.UsageError):
            redblue.memory("64Q")

    def test_tables(self):
        rows = redblue.table("matmul", {"m": [64], "n": [64], "k": [8, 64], "M": [100, 400]}, ["bound", "best", "gap"])
        self.assertEqual(len(rows), 4)
        self.assertTrue(all(isinstance(r["bound"], int) and r["best"] >= r["bound"] for r in rows))
        self.assertIn("<table>", rows._repr_html_())
        self.assertIn("tabular", rows._repr_latex_())

    def test_optimum_and_tuning(self):
        small = redblue.Computation("matmul", m=2, n=2, k=2)
        self.assertEqual((small.optimal(5).io, small.optimal(5).proved), (14, True))
        self.assertGreaterEqual(self.attention.tune(4096, "attenio").io, self.attention.bound(4096).best.value)

    def test_plots(self):
        drawn = redblue.plot("matmul:m=64,n=64,k=64", "M=64..1K*4", ["tuned(resident)", "bound"], title="A product")
        self.assertTrue(drawn._repr_svg_().lstrip().startswith("<?xml") or "<svg" in drawn.svg)
        self.assertIn("A product", drawn.svg)
        with self.assertRaises(redblue.Error):
            redblue.plot("matmul:m=64,n=64,k=64", "M=64..1K*4", ["tuned(nothing)"])

    def test_lessons(self):
        self.assertIn("<html", redblue.Computation("matmul", m=2, n=2, k=2).lesson("tall-skinny", 12).html)


if __name__ == "__main__":
    unittest.main()
