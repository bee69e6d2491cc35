#!/usr/bin/env python3
"""Our FCLIB files as libfclib, the library of the format, reads, judges and writes them. usage: libfclib_test.py SIMRUN SIMSOLVE SCENE
FOLDER. Exit status 77: libfclib, h5py or scipy is not installed (Debian: libfclib0 python3-h5py python3-scipy)."""
import ctypes
import os
import re
import subprocess
import sys
import unittest

try:
    import h5py
    import numpy as np
    import scipy.sparse as sp
    import scipy.sparse.linalg
    LIBRARY = ctypes.CDLL("libfclib.so.0")
except (ImportError, OSError) as missing:
    print(f"not tested: {missing}")
    sys.exit(77)

SIMRUN, SIMSOLVE, SCENE, FOLDER = sys.argv[1:]
REALS, INTEGERS = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int)


class Matrix(ctypes.Structure):
    _fields_ = [("nzmax", ctypes.c_int), ("m", ctypes.c_int), ("n", ctypes.c_int), ("p", INTEGERS), ("i", INTEGERS), ("x", REALS),
                ("nz", ctypes.c_int), ("info", ctypes.c_void_p)]

    def values(self):
        """Compressed columns (nz -1)."""
        assert self.nz == -1
        count = self.p[self.n]
        return sp.csc_matrix((array(self.x, count), array(self.i, count), array(self.p, self.n + 1)), (self.m, self.n))


class Problem(ctypes.Structure):
    _fields_ = [("M", ctypes.POINTER(Matrix)), ("H", ctypes.POINTER(Matrix)), ("G", ctypes.POINTER(Matrix)), ("mu", REALS), ("f", REALS),
                ("b", REALS), ("w", REALS), ("spacedim", ctypes.c_int), ("info", ctypes.c_void_p)]


class Local(ctypes.Structure):
    _fields_ = [("W", ctypes.POINTER(Matrix)), ("V", ctypes.POINTER(Matrix)), ("R", ctypes.POINTER(Matrix)), ("mu", REALS), ("q", REALS),
                ("s", REALS), ("spacedim", ctypes.c_int), ("info", ctypes.c_void_p)]


class Solution(ctypes.Structure):
    _fields_ = [("v", REALS), ("u", REALS), ("r", REALS), ("l", REALS)]


LIBRARY.fclib_read_global.restype = ctypes.POINTER(Problem)
LIBRARY.fclib_read_solution.restype = ctypes.POINTER(Solution)
LIBRARY.fclib_merit_local.restype = ctypes.c_double
MERIT_1 = 0


def array(pointer, count):
    return np.ctypeslib.as_array(pointer, (count,)).copy()


def run(*command):
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def difference(first, second):
    """What simsolve says of two solutions in one file's place: the relative difference of its own to that of the file."""
    return float(re.search(r"relative difference in v (\S+?);", run(SIMSOLVE, first, "--solver", second)).group(1))


class Referee(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(FOLDER, exist_ok=True)
        nearer = ("--set", "solver.relative_tolerance=1e-3")  # a solution, not what a step may miss by default
        run(SIMRUN, SCENE, "--steps", "400", *nearer, "--dump-problem", "400", "-o", "run.h5", "--quiet")
        cls.path = os.path.join(FOLDER, "run.step400.hdf5")
        cls.problem = LIBRARY.fclib_read_global(cls.path.encode())
        assert cls.problem, "libfclib cannot read the problem"
        cls.solution = LIBRARY.fclib_read_solution(cls.path.encode())
        assert cls.solution, "libfclib cannot read the solution"
        p, s = cls.problem.contents, cls.solution.contents
        cls.M, cls.H = p.M.contents.values(), p.H.contents.values()
        cls.unknowns, cls.rows = cls.H.shape
        cls.f, cls.w, cls.mu = array(p.f, cls.unknowns), array(p.w, cls.rows), array(p.mu, cls.rows // 3)
        cls.v, cls.u, cls.r = array(s.v, cls.unknowns), array(s.u, cls.rows), array(s.r, cls.rows)

    def test_it_reads_what_is_in_the_file(self):
        self.assertEqual(self.problem.contents.spacedim, 3)
        self.assertGreater(self.rows, 0)
        with h5py.File(self.path) as file:
            group = file["fclib_global"]
            for name, read in (("M", self.M), ("H", self.H)):
                self.assertTrue(np.array_equal(group[name]["x"][:], read.data), name)
                self.assertTrue(np.array_equal(group[name]["i"][:], read.indices), name)
            for name, read in (("f", self.f), ("w", self.w), ("mu", self.mu)):
                self.assertTrue(np.array_equal(group["vectors"][name][:], read), name)
            for name, read in (("v", self.v), ("u", self.u), ("r", self.r)):
                self.assertTrue(np.array_equal(file["solution"][name][:], read), name)

    def test_what_it_read_is_a_solution_of_what_it_read(self):
        momentum = self.M @ self.v - self.H @ self.r - self.f
        self.assertLess(np.linalg.norm(momentum), 1e-4 * np.linalg.norm(self.M @ self.v))
        self.assertLess(np.abs(self.H.T @ self.v + self.w - self.u).max(), 1e-12)
        normal, tangents = self.r[::3], self.r.reshape(-1, 3)[:, 1:]
        self.assertGreater(normal.max(), 0)
        self.assertTrue((normal >= 0).all())
        self.assertTrue((np.linalg.norm(tangents, axis=1) <= self.mu * normal * (1 + 1e-9)).all())

    def test_its_merit_is_that_of_a_solution(self):
        """As libfclib counts it, in the local form (of the global one it has no merit): forces that are off by 1 % are worse by two orders."""
        W = sp.csc_matrix(self.H.T @ sp.linalg.spsolve(self.M, self.H))
        q = self.H.T @ sp.linalg.spsolve(self.M, self.f) + self.w
        self.assertLess(self.merit(W, q, self.r), 0.01 * self.merit(W, q, 1.01 * self.r))
        self.assertLess(self.merit(W, q, 1.01 * self.r), 0.1 * self.merit(W, q, np.zeros(self.rows)))

    def merit(self, W, q, r):
        numbers = [np.ascontiguousarray(a) for a in (q, W @ r + q, r, self.mu, np.zeros(self.rows))]
        q, u, r, mu, none = (a.ctypes.data_as(REALS) for a in numbers)
        indices = [np.ascontiguousarray(a, dtype=np.int32) for a in (W.indptr, W.indices)]
        matrix = Matrix(W.nnz, self.rows, self.rows, *(a.ctypes.data_as(INTEGERS) for a in indices), W.data.ctypes.data_as(REALS), -1, None)
        problem = Local(ctypes.pointer(matrix), None, None, mu, q, none, 3, None)
        solution = Solution(none, u, r, none)
        return LIBRARY.fclib_merit_local(ctypes.byref(problem), MERIT_1, ctypes.byref(solution))

    def test_simsolve_takes_what_it_writes(self):
        path = os.path.join(FOLDER, "copy.hdf5")
        if os.path.exists(path):
            os.remove(path)
        self.assertEqual(LIBRARY.fclib_write_global(self.problem, path.encode()), 1)
        self.assertEqual(LIBRARY.fclib_write_solution(self.solution, path.encode()), 1)
        self.assertEqual(difference("copy.hdf5", "cr-full"), difference("run.step400.hdf5", "cr-full"))
        self.assertLess(difference("copy.hdf5", "cr-full"), 0.01)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
