#!/usr/bin/python3
"""Contact problems of a running pile, with contacts that stick, slide and are open, against Siconos.

    siconos_test.py SIMRUN SIMSOLVE      exit status 77: Siconos is not there

Comparing is done by scripts/compare-siconos.py; this only makes the problems, and checks that they are worth comparing.
"""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

STEPS = range(230, 410, 10)
AT_LEAST = 5  # problems whose answer is certain


def main(simrun, simsolve):
    for module in ("siconos", "scipy", "h5py"):
        if importlib.util.find_spec(module) is None:
            print(f"skipped: {module} is not there (python3-siconos python3-scipy python3-h5py)")
            return 77
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with tempfile.TemporaryDirectory() as folder:
        dumps = [word for step in STEPS for word in ("--dump-problem", str(step))]
        subprocess.run([simrun, os.path.join(top, "tests", "data", "small-pile.json"), "-o",
                        os.path.join(folder, "pile.h5"), "--quiet", *dumps], check=True)
        problems = [os.path.join(folder, f"pile.step{step}.hdf5") for step in STEPS]
        seen, agreed, failed = {}, 0, []
        for problem in problems:
            status = subprocess.run([sys.executable, os.path.join(top, "scripts", "compare-siconos.py"), problem, "--sure",
                                     "--simsolve", simsolve, "--solvers", "cr-full"]).returncode
            if status not in (0, 3):
                failed.append(os.path.basename(problem))
            if status != 0:
                continue
            agreed += 1
            done = subprocess.run([simsolve, problem, "--tolerance", "1e-7", "--constraint-tolerance", "1e-8", "--json"],
                                  check=True, capture_output=True, text=True)
            for state, count in json.loads(done.stdout)["states"].items():
                seen[state] = seen.get(state, 0) + count
        print(f"{agreed} of {len(problems)} problems agree, with contacts {seen}; failed: {failed or 'none'}")
        if failed or agreed < AT_LEAST:
            return 1
        if not all(seen.get(state) for state in ("open", "sticking", "sliding")):
            print("these problems do not have contacts of every state")
            return 1
        return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
