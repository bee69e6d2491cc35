#!/usr/bin/python3
"""Compares our contact methods with Siconos on frictional contact problems (FCLIB global format).

    scripts/compare-siconos.py [problem.hdf5...] [--solvers cr-full,cr-diag] [--agree 1e-5]

Without files: all of $FRICTION_PROBLEMS_DIR, or of ../shared/data/friction-problems beside the source. Every solution
is judged by the residual below, which shares no code with the solvers. Exit status: 0 ours agree with Siconos on every
problem; 1 usage, or something is missing; 2 on some problem ours differs, did not converge, or claims a residual that
it does not have; 3 nothing of that, but on some problem no Siconos solver converged, or they differ among themselves
(the answer is not unique, or hangs on the last digits), so that there is nothing to compare with. Debian packages: python3-h5py python3-scipy python3-siconos.
"""
import argparse
import glob
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
    import scipy.sparse as sparse
    import siconos.numerics as siconos
except ImportError as error:
    sys.exit(f"compare-siconos.py: {error}. On Debian: apt-get install python3-h5py python3-scipy python3-siconos, "
             "and run this with /usr/bin/python3")

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SICONOS = {"Siconos NSN_AC_WR": siconos.SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR,
           "Siconos NSGS_WR": siconos.SICONOS_GLOBAL_FRICTION_3D_NSGS_WR}


class Problem:
    """M v = H r + f,  u = H^T v + w,  one mu a contact."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            group = file["fclib_global"]
            self.M, self.H = matrix(group["M"]), matrix(group["H"])
            self.f, self.w, self.mu = (np.array(group["vectors"][name][()], float) for name in ("f", "w", "mu"))
        below, above = sparse.tril(self.M, -1), sparse.triu(self.M, 1)
        if (abs(below).sum() == 0) != (abs(above).sum() == 0):  # half of a symmetric matrix
            self.M = (self.M + below.T + above.T).tocsc()


def matrix(group):
    nz, shape = int(group["nz"][0]), (int(group["m"][0]), int(group["n"][0]))
    p, i, x = (group[name][()] for name in "pix")
    if nz >= 0:
        return sparse.coo_matrix((x[:nz], (p[:nz], i[:nz])), shape).tocsc()
    used = p[-1]
    kind = sparse.csc_matrix if nz == -1 else sparse.csr_matrix
    return kind((x[:used], i[:used], p), shape).tocsc()


def residual(problem, v, r):
    """Momentum (kg m/s), normal and tangential (m): the natural maps of Signorini's and Coulomb's conditions with the
    compliance k = trace(H_c^T diag(M)^-1 H_c) / 3 of each contact (Alart & Curnier 1991)."""
    momentum = np.linalg.norm(problem.f + problem.H @ r - problem.M @ v)
    if not len(problem.mu):
        return momentum, 0.0, 0.0
    s = (problem.H.T @ v + problem.w).reshape(-1, 3)
    force = r.reshape(-1, 3)
    k = (problem.H.multiply(problem.H).T @ (1 / problem.M.diagonal())).reshape(-1, 3).sum(axis=1) / 3
    normal = np.abs(s[:, 0] - np.maximum(0, s[:, 0] - k * force[:, 0]))
    gamma = -force[:, 1:]
    asked = gamma + s[:, 1:] / k[:, None]
    length, bound = np.linalg.norm(asked, axis=1), problem.mu * np.maximum(0, force[:, 0])
    shrink = np.where(length > bound, bound / np.where(length > 0, length, 1), 1)
    tangential = k * np.linalg.norm(gamma - shrink[:, None] * asked, axis=1)
    return momentum, normal.max(), tangential.max()


def wide(A):
    """With indices of the width that Siconos uses."""
    A = A.tocsc()
    A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    return A


def run_siconos(problem, solver, options, pipe):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # it prints
    M, H = wide(problem.M), wide(problem.H)
    posed = siconos.globalFrictionContactProblem_new()
    posed.dimension, posed.numberOfContacts = 3, len(problem.mu)
    posed.M, posed.H, posed.q, posed.b, posed.mu = M, H, problem.f, problem.w, problem.mu
    settings = siconos.SolverOptions(solver)
    newton = solver == siconos.SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR
    settings.iparam[siconos.SICONOS_IPARAM_MAX_ITER] = options.newton_iterations if newton else options.sweeps
    settings.dparam[siconos.SICONOS_DPARAM_TOL] = options.siconos_tolerance
    r, u, v = np.zeros(3 * len(problem.mu)), np.zeros(3 * len(problem.mu)), np.zeros(len(problem.f))
    start = time.perf_counter()
    info = siconos.gfc3d_driver(posed, r, u, v, settings)
    seconds = time.perf_counter() - start
    pipe.send((info == 0, int(settings.iparam[siconos.SICONOS_IPARAM_ITER_DONE]), seconds, v, r))
    pipe.close()
    os._exit(0)  # its destructors are not to be trusted with memory that belongs to Python


def solve_siconos(problem, solver, options):
    """A result, or a sentence that says why there is none. In a process of its own: it may crash or hang."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=run_siconos, args=(problem, solver, options, theirs))
    child.start()
    theirs.close()
    try:
        if not ours.poll(options.timeout):
            return f"not done in {options.timeout:g} s"
        return ours.recv()
    except EOFError:
        child.join()
        return f"crashed (exit status {child.exitcode})"
    finally:
        child.kill()
        child.join()


def solve_ours(path, solver, options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "solution.hdf5")
        command = [options.simsolve, path, "--solver", solver, "--json", "-o", out, "--repeat", str(options.repeat),
                   "--tolerance", repr(options.tolerance), "--constraint-tolerance", repr(options.constraint_tolerance),
                   "--max-iterations", str(options.max_iterations)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 2):
            return done.stderr.strip()
        report = json.loads(done.stdout)
        with h5py.File(out, "r") as file:
            v, r = file["solution/v"][()], file["solution/r"][()]
    return done.returncode == 0, report["iterations"], report["seconds"], v, r


def claims_too_much(problem, result, options):
    """Does simsolve call a solution converged that is not within the tolerances it was given?"""
    momentum, normal, tangential = residual(problem, result[3], result[4])
    rounding = 1e-12 * np.linalg.norm(problem.f)
    return result[0] and (momentum > options.tolerance * (1 + 1e-9) + rounding
                          or max(normal, tangential) > options.constraint_tolerance * (1 + 1e-9))


def row(name, result, problem, reference):
    converged, iterations, seconds, v, r = result
    difference = "-"
    if reference is not None and reference is not result:
        difference = f"{relative(v, reference[3]):.2e}"
    numbers = " ".join(f"{value:10.2e}" for value in residual(problem, v, r))
    print(f"  {name:18} {'yes' if converged else 'NO':9} {iterations:10} {seconds:9.4g} {numbers} {difference:>10}")


def relative(v, reference):
    size = np.linalg.norm(reference)
    return np.linalg.norm(v - reference) / (size if size > 0 else 1)


def compare(path, options):
    """Prints the table of one problem; returns its exit status."""
    problem = Problem(path)
    print(f"{os.path.basename(path)}: {len(problem.mu)} contacts, {len(problem.f)} unknowns")
    print(f"  {'solver':18} {'converged':9} {'iterations':>10} {'time s':>9} {'momentum':>10} {'normal m':>10} "
          f"{'tangent m':>10} {'diff. v':>10}")
    theirs = {name: solve_siconos(problem, solver, options) for name, solver in SICONOS.items()}
    ours = {name: solve_ours(path, name, options) for name in options.solvers}
    solid = [result for result in theirs.values() if not isinstance(result, str) and result[0]]
    reference = min(solid, key=lambda result: max(residual(problem, *result[3:])), default=None)
    for name, result in {**theirs, **ours}.items():
        if isinstance(result, str):
            print(f"  {name:18} NO        {result}")
        else:
            row(name, result, problem, reference)

    bad = [f"{name} did not converge" for name, result in ours.items() if isinstance(result, str) or not result[0]]
    bad += [f"{name} claims a residual that it does not have" for name, result in ours.items()
            if not isinstance(result, str) and claims_too_much(problem, result, options)]
    apart = max((relative(a[3], b[3]) for a in solid for b in solid), default=0)
    if options.sure and len(solid) < len(theirs):
        print("  not every Siconos solver converged: not compared")
        reference = None
    elif reference is None:
        print("  no Siconos solver converged: there is nothing to compare with")
    elif apart > options.agree * (0.01 if options.sure else 1):
        print(f"  the Siconos solvers differ by {apart:.1e} among themselves: there is nothing to compare with")
        reference = None
    else:
        bad += [f"{name} differs by more than {options.agree:g}" for name, result in ours.items()
                if not isinstance(result, str) and result[0] and relative(result[3], reference[3]) > options.agree]
    for reason in bad:
        print(f"  {reason}")
    if not bad and reference is not None:
        print("  all agree")
    return 2 if bad else 3 if reference is None else 0


def find_problems():
    folder = os.environ.get("FRICTION_PROBLEMS_DIR", os.path.join(TOP, "..", "shared", "data", "friction-problems"))
    return sorted(glob.glob(os.path.join(folder, "*.hdf5")))


def find_simsolve():
    for preset in ("release", "ci"):
        path = os.path.join(TOP, "build", preset, "apps", "simsolve")
        if os.access(path, os.X_OK):
            return path
    return "simsolve"


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(1, f"compare-siconos.py: {message}\n")


def parse():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help="FCLIB files (global format)")
    parser.add_argument("--solvers", default="cr-full", help="our methods, separated by commas (%(default)s)")
    parser.add_argument("--simsolve", default=find_simsolve(), help="the program (%(default)s)")
    parser.add_argument("--agree", type=float, default=1e-5, help="largest relative difference in v (%(default)g)")
    parser.add_argument("--sure", action="store_true", help="compare only where all Siconos solvers converge, to the same v by a hundredth of --agree")
    parser.add_argument("--tolerance", type=float, default=1e-7, help="of ours, kg m/s (%(default)g)")
    parser.add_argument("--constraint-tolerance", type=float, default=1e-8, help="of ours, m (%(default)g)")
    parser.add_argument("--max-iterations", type=int, default=10000, help="of ours (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, help="solves of ours, the fastest is timed (%(default)s)")
    parser.add_argument("--siconos-tolerance", type=float, default=1e-12, help="relative, Siconos' own (%(default)g)")
    parser.add_argument("--newton-iterations", type=int, default=200, help="of Siconos NSN_AC_WR (%(default)s)")
    parser.add_argument("--sweeps", type=int, default=3000, help="of Siconos NSGS_WR (%(default)s)")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one solve of Siconos (%(default)g)")
    options = parser.parse_args()
    options.solvers = options.solvers.split(",")
    options.problems = options.problems or find_problems()
    if not options.problems:
        parser.error("no problem given, and none found (set FRICTION_PROBLEMS_DIR)")
    return options


def main():
    options = parse()
    try:
        subprocess.run([options.simsolve, "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"compare-siconos.py: {error}")
    statuses = []
    for path in options.problems:
        try:
            statuses.append(compare(path, options))
        except (OSError, KeyError, ValueError) as error:
            sys.exit(f"compare-siconos.py: {path}: {error}")
    return 2 if 2 in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
