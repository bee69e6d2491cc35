"""Does what docs/extending.md says. usage: extending_test.py <source> <simrun> <simsolve> <folder> <compiler> <include folders...>

Exit status 77: h5py or scipy is not installed.
"""
import os
import re
import subprocess
import sys
import unittest

try:
    import h5py  # noqa: F401, the script of the page needs them
    import scipy.sparse  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SOURCE, SIMRUN, SIMSOLVE, FOLDER, COMPILER, *INCLUDES = sys.argv[1:]
with open(os.path.join(SOURCE, "docs", "extending.md"), encoding="utf-8") as file:
    PAGE = file.read()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, cwd=FOLDER)


class Extending(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(os.path.join(FOLDER, "contact"), exist_ok=True)

    def write(self, name, text):
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_the_method_in_python_solves_a_problem_of_the_first_scene(self):
        scene = os.path.join(SOURCE, "scenes", "first.json")
        done = run(SIMRUN, scene, "--duration", "0.2", "--dump-problem", "50", "-o", "first.h5", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write("my_method.py", blocks("python")[0])
        done = run(sys.executable, "my_method.py", "first.step50.hdf5")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(SIMSOLVE, "first.step50.hdf5", "--solver", "constraint-anticipation")
        self.assertEqual(done.returncode, 0, done.stderr)
        own = re.search(r"relative difference in v (\S+); its own residual: momentum (\S+) kg m/s, normal (\S+) m, tangential (\S+) m", done.stdout)
        difference, momentum, normal, tangential = map(float, own.groups())
        self.assertLess(difference, 0.01)
        self.assertLess(momentum, 1e-9)  # by sparse factors
        self.assertLess(max(normal, tangential), 5e-6)  # the benchmarks' tolerance

    def test_the_method_in_cpp_compiles(self):
        code = blocks("cpp")
        self.write("contact/uzawa.hpp", code[0])
        self.write("contact/uzawa.cpp", code[1])
        done = run(COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I" + FOLDER,
                   *(word for path in INCLUDES if path != "/usr/include" for word in ("-isystem", path)), "contact/uzawa.cpp")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_places_it_names_are_there(self):
        for path in re.findall(r"`((?:libsim|tests|scripts|docs|scenes)/[\w/.-]+\.(?:[ch]pp|json|md|sh|txt|py))`", PAGE):
            if "uzawa" not in path:
                self.assertTrue(os.path.exists(os.path.join(SOURCE, path)), path)
        for path, words in (("libsim/contact/solve.cpp", ["known_solvers", "struct Solve {", "ConstraintAnticipationOptions{}}"]),
                            ("libsim/scene/tables.cpp", ["contact_table()", "material_table()", "maybe(number(above(0)))"]),
                            ("libsim/scene/load.cpp", ["options.detection.margin = "]), ("libsim/scene/scene.hpp", ["struct ContactSpec"]),
                            ("libsim/elasticity/invariant_energy.cpp", ["is_of_invariants", "without_volume", "volume_coefficients", "of_volume"]),
                            ("libsim/model/measure.cpp", ["Measures measure("]), ("libsim/model/ledger.cpp", ["void record("]),
                            ("libsim/output/step_columns.cpp", ["StepColumn{"]), ("tests/elasticity/material_test.cpp", ["laws()"])):
            with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                text = file.read()
            for word in words:
                self.assertIn(word, text, path)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
