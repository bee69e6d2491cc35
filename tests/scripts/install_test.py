"""Installs the build below a prefix, moves that, and runs what is there. usage: install_test.py <cmake> <build> <source> <folder>

Exit status 77: h5py is not installed.
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

try:
    import h5py  # noqa: F401, the module needs it
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

CMAKE, BUILD, SOURCE, FOLDER = sys.argv[1:]
PREFIX = os.path.join(FOLDER, "moved", "prefix")
SMALL = {"name": "small", "time": {"step": 0.01, "duration": 0.05}, "materials": {"stone": {"density": 2000}},
         "objects": [{"name": "block", "type": "rigid", "mesh": "box", "material": "stone", "position": [0, 0, 0.501]},
                     {"name": "floor", "type": "fixed", "mesh": "half-space"}]}


def run(program, *options, **environment):
    """From another folder, with nothing of the checkout in reach."""
    kept = {name: os.environ[name] for name in ("HOME", "DISPLAY", "LD_LIBRARY_PATH") if name in os.environ}
    path = os.path.join(PREFIX, "bin")
    return subprocess.run([os.path.join(path, program), *options], capture_output=True, text=True, cwd=os.path.join(FOLDER, "elsewhere"),
                          env={**kept, "PATH": f"{path}:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", **environment})


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(os.path.join(FOLDER, "elsewhere"))
        first = os.path.join(FOLDER, "prefix")
        done = subprocess.run([CMAKE, "--install", BUILD, "--prefix", first], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        os.makedirs(os.path.dirname(PREFIX))
        os.rename(first, PREFIX)
        with open(os.path.join(FOLDER, "elsewhere", "small.json"), "w", encoding="utf-8") as file:
            json.dump(SMALL, file)
        done = run("simrun", "small.json", "--quiet")
        assert done.returncode == 0, done.stderr

    def there(self, *parts):
        path = os.path.join(PREFIX, *parts)
        self.assertTrue(os.path.exists(path), path)
        return path

    def test_scenes_of_the_package_are_found_valid(self):
        done = run("simrun", self.there("share", "simrun", "scenes", "first.json"), "--validate")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_terms_are_those_of_what_is_linked(self):
        for program in ("simrun", "simcheck", "simsolve"):
            linked = subprocess.run(["ldd", self.there("bin", program)], capture_output=True, text=True, check=True).stdout
            told = run(program, "--version").stdout
            self.assertEqual("AGPL" in told, "libtet" in linked, told)
            self.assertIn("MIT licence", told)
        with open(self.there("share", "doc", "simrun", "copyright"), encoding="utf-8") as file:
            self.assertEqual("AGPL" in file.read(), "AGPL" in run("simrun", "--version").stdout)

    def test_the_schema_and_the_pages_are_those_of_the_programs(self):
        with open(self.there("share", "simrun", "scene.schema.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), run("simrun", "--print-schema").stdout)
        for name, word in (("simrun", "--resume"), ("simcheck", "--frames"), ("simsolve", "--guess"), ("simrun-render", "--film")):
            with open(self.there("share", "man", "man1", f"{name}.1"), encoding="utf-8") as file:
                page = file.read()
            self.assertIn(word, page.replace("\\-", "-"))
            self.assertIn(".SH NAME", page)
            if shutil.which("groff"):
                done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_script_runs(self):
        scripts = sorted(name for name in os.listdir(os.path.join(PREFIX, "bin")) if name.startswith("simrun-"))
        self.assertEqual(len(scripts), 8)
        for script in scripts:
            done = run(script, "--help")
            if "apt-get install" not in done.stderr:
                self.assertEqual(done.returncode, 0, (script, done.stderr))
        done = run("simrun-export", "small.h5", "--format", "obj", "--frames", "last")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("simrun-report", "small.h5", "--no-player", "--no-plots")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("simrun-sweep", "small.json", "--grid", "contact.friction=0.1,0.2", "-o", "sweep")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_module_reads_a_result(self):
        done = subprocess.run([sys.executable, "-c", "import simrun_results as sr; print(sr.open('small.h5').status)"], text=True,
                              capture_output=True, cwd=os.path.join(FOLDER, "elsewhere"),
                              env={**os.environ, "PYTHONPATH": self.there("lib", "python3", "dist-packages")})
        self.assertEqual(done.stdout, "done\n", done.stderr)

    def test_the_module_is_installed_by_pip_without_a_network(self):
        if subprocess.run([sys.executable, "-c", "import pip, setuptools, wheel"], capture_output=True).returncode:
            self.skipTest("there is no pip, setuptools or wheel")
        source, target = (os.path.join(FOLDER, name) for name in ("scripts", "site"))
        shutil.copytree(os.path.join(SOURCE, "scripts", "simrun_results"), os.path.join(source, "simrun_results"))
        shutil.copy(os.path.join(SOURCE, "scripts", "pyproject.toml"), source)
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation", "--target", target,
                               source], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([sys.executable, "-c", "import simrun_results as sr; print(sr.__file__)"], text=True, capture_output=True,
                              cwd=FOLDER, env={**os.environ, "PYTHONPATH": target})
        self.assertIn(target, done.stdout, done.stderr)

    def test_licence_and_documents_are_there(self):
        for name in ("LICENSE", "README.md", "CHANGELOG.md", "docs/scene-format.md", "docs/images/first.png"):
            self.there("share", "doc", "simrun", *name.split("/"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
