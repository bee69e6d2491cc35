"""Exit statuses of the scripts, and what they say where a file cannot be written. usage: command_line_test.py <scripts> <simrun> <folder>

The statuses are those of the table in docs/troubleshooting.md. Exit status 77: h5py is missing.
"""
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

try:
    import h5py  # noqa: F401
except ImportError:
    sys.exit(77)

import full_result

SCRIPTS, SIMRUN, FOLDER = sys.argv[1:4]
sys.path.insert(0, SCRIPTS)

from common import command_line

NAMES = ("plot.py", "render.py", "export.py", "report.py", "tail.py", "sweep.py", "compare.py", "bench.py", "verify.py",
         "import_ipc.py")
READERS = NAMES[:5]
PACKAGES = {"plot.py": "matplotlib", "render.py": "vtk", "bench.py": "matplotlib"}
# A limit on the size of files, set when what needs larger ones of its own is there
LIMITED = """
import os, resource, runpy, sys
sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
if sys.argv[0].endswith("render.py"):
    import pictures
    pictures.need_display()
if sys.argv[0].endswith("plot.py"):
    import matplotlib.font_manager  # has a cache
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def installed(name):
    return subprocess.run([sys.executable, "-c", f"import {PACKAGES.get(name, 'h5py')}"], capture_output=True).returncode == 0


THERE = [name for name in NAMES if installed(name)]


def place(name):
    return os.path.join(FOLDER, name)


def script(name, *words, **settings):
    return subprocess.run([sys.executable, os.path.join(SCRIPTS, name), *words], capture_output=True, text=True, **settings)


@functools.cache
def help_of(name):
    return script(name, "--help")


class Statuses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.path = full_result.make(SIMRUN, FOLDER)

    def expect(self, done, status, *words):
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_mistake_in_the_command_line_is_1(self):
        for name in THERE:
            with self.subTest(script=name):
                self.expect(script(name, "--no-such-option", "scene.json"), 1, f"{name}: ")

    def test_help_is_0(self):
        for name in THERE:
            with self.subTest(script=name):
                self.assertEqual(help_of(name).returncode, 0)

    def test_a_result_that_is_not_there_is_3(self):
        for name in set(READERS) & set(THERE):
            with self.subTest(script=name):
                self.expect(script(name, place("none.h5")), 3, f"{name}: ", "none.h5: there is no such file")

    def test_a_file_that_is_no_result_is_3(self):
        for name in set(READERS) & set(THERE):
            with self.subTest(script=name):
                self.expect(script(name, place("scene.json")), 3, "scene.json: is not an HDF5 file")

    def test_what_the_result_does_not_have_is_1(self):
        plain = full_result.make(SIMRUN, FOLDER, "plain.h5", "--set", "output.stress=false")
        for name, words in (("plot.py", ("--kind", "residuals", "--step", "3")), ("render.py", ("--color", "von_mises")),
                            ("export.py", ("--frames", "99")), ("tail.py", ("--columns", "gap"))):
            if name in THERE:
                with self.subTest(script=name):
                    self.expect(script(name, plain, *words), 1, "plain.h5")

    def test_no_program_is_1(self):
        for name, words in (("sweep.py", (place("scene.json"), "--grid", "contact.friction=0.1,0.2")), ("compare.py", (place("scene.json"),)),
                            ("bench.py", ("rings",)), ("verify.py", ())):
            if name in THERE:
                with self.subTest(script=name):
                    self.expect(script(name, *words, "-o", place("out"), "--simrun", place("none")), 1, "no program at")

    def test_a_scene_that_is_not_there_is_3(self):
        for name, words in (("sweep.py", ("--grid", "contact.friction=0.1,0.2")), ("compare.py", ())):
            done = script(name, place("none.json"), *words, "-o", place("out"), "--simrun", SIMRUN)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("none.json", done.stderr)

    def test_a_folder_that_cannot_be_made_is_3(self):
        for name, words in (("plot.py", ("-o", place("scene.json/sub"))), ("export.py", ("-o", place("scene.json/sub"))),
                            ("render.py", ("--every", "6", "--size", "32x32", "-o", place("scene.json/sub/f"))),
                            ("report.py", ("--no-player", "--no-plots", "-o", place("scene.json/page.html")))):
            if name in THERE and (name != "render.py" or os.environ.get("DISPLAY") or shutil.which("Xvfb")):
                with self.subTest(script=name):
                    self.expect(script(name, self.path, *words), 3, "scene.json/", "cannot be written: Not a directory")

    def test_a_full_disk_is_3_names_the_file_and_leaves_what_was_there(self):
        for name, file, words in (("plot.py", "old.png", ("--kind", "energy", "-o", place("old.png"))),
                                  ("plot.py", "old.pdf", ("--kind", "energy", "-o", place("old.pdf"))),
                                  ("render.py", "old.png", ("--size", "64x48", "-o", place("old.png"))),
                                  ("report.py", "old.html", ("--no-player", "--no-plots", "-o", place("old.html")))):
            if name not in THERE or (name == "render.py" and not os.environ.get("DISPLAY") and not shutil.which("Xvfb")):
                continue
            with open(place(file), "w") as old:
                old.write("before")
            command = [sys.executable, "-c", LIMITED, os.path.join(SCRIPTS, name), self.path, *words]
            with self.subTest(script=name, file=file):
                done = subprocess.run(command, capture_output=True, text=True)
                self.expect(done, 3, f"{name}: {place(file)}: cannot be written: File too large; ")
                with open(place(file)) as old:
                    self.assertEqual(old.read(), "before")
                self.assertEqual([entry for entry in os.listdir(FOLDER) if ".new" in entry], [])

    @unittest.skipUnless("render.py" in THERE and shutil.which("ffmpeg") and (os.environ.get("DISPLAY") or shutil.which("Xvfb")), "no films here")
    def test_a_film_that_did_not_get_to_its_end_leaves_what_was_there(self):
        with open(place("old.mp4"), "w") as old:
            old.write("before")
        command = [sys.executable, "-c", LIMITED, os.path.join(SCRIPTS, "render.py"), self.path, "--size", "64x48", "--film", place("old.mp4")]
        self.expect(subprocess.run(command, capture_output=True, text=True), 3, f"render.py: {place('old.mp4')}: ffmpeg gave up: ")
        with open(place("old.mp4")) as old:
            self.assertEqual(old.read(), "before")
        self.assertEqual([entry for entry in os.listdir(FOLDER) if ".new" in entry], [])

    def test_a_full_standard_output_is_3(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([sys.executable, os.path.join(SCRIPTS, "tail.py"), self.path, "--once"], stdout=full, stderr=subprocess.PIPE,
                                  text=True)
        self.assertEqual((done.returncode, done.stderr), (3, "tail.py: the standard output cannot be written: No space left on device\n"))

    def test_a_reader_that_has_seen_enough_is_no_reason_to_complain(self):
        command = f"{sys.executable} {os.path.join(SCRIPTS, 'tail.py')} {self.path} -n 100000 --once | true; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        self.assertIn((done.returncode, done.stderr), [(3, ""), (0, "")])  # 0: all of it went into the pipe before

    def test_an_interruption_is_130(self):
        path, running = full_result.start(SIMRUN, FOLDER)
        try:
            while running.poll() is None and not os.path.exists(path):
                pass
            with subprocess.Popen([sys.executable, os.path.join(SCRIPTS, "tail.py"), path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as tail:
                tail.stdout.readline()
                tail.send_signal(signal.SIGINT)
                self.assertEqual((tail.wait(), tail.stderr.read()), (130, "tail.py: interrupted\n"))
        finally:
            running.kill()
            running.communicate()


class Table(unittest.TestCase):
    def test_every_script_tells_the_statuses_of_the_table(self):
        """Those that have a cell there, and no others, in the text of --help."""
        with open(os.path.join(SCRIPTS, "..", "docs", "troubleshooting.md"), encoding="utf-8") as page:
            rows = [line.strip().strip("|").split("|") for line in page if line.startswith("| `") and line.count("|") == 9]
        cells = {name.strip("` "): row[1:] for row in rows for name in row[0].split(",")}
        statuses = ("0", "1", "2", "3", "4", "5", "130")
        for name in THERE:
            told = " ".join(help_of(name).stdout.split())
            self.assertIn(name, cells)
            there = re.findall(r"(?:^|; )(\d+) ", re.search(r"Exit status: (.*?)\. ?Debian", told)[1])
            self.assertEqual(there, [status for status, cell in zip(statuses, cells[name]) if cell.strip()], name)


class Run(unittest.TestCase):
    def test_each_kind_of_trouble_has_its_status(self):
        def raising(error):
            def main():
                raise error
            return command_line.run(main)

        self.assertEqual([raising(error) for error in (KeyboardInterrupt(), command_line.Complaint("a"), command_line.FileComplaint("b"),
                                                       FileNotFoundError(2, "No such file", "c"))], [130, 1, 3, 3])
        with self.assertRaises(ZeroDivisionError):  # a mistake of ours keeps its traceback
            raising(ZeroDivisionError())
        self.assertEqual(command_line.run(lambda: 2), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
