"""Sweeps on this machine. usage: sweep_test.py <sweep.py> <simrun> <folder>. Exit status 77: h5py is not installed."""
import json
import os
import signal
import statistics
import subprocess
import sys
import time
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

from sweep_scene import GRID, NAMES, SCENE, SweepCase, without_timings, write_scene

SCRIPT, SIMRUN, FOLDER = sys.argv[1:4]
sys.path.insert(0, os.path.dirname(SCRIPT))


def datasets(path):
    """All of a result but its wall times."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset)
                        and not name.startswith("steps/t_") else None)
    return found


def attribute(path, name):
    with h5py.File(path) as file:
        return file.attrs[name]


def runs_of(pid):
    """The numbers of the simruns that the process has started and that simulate."""
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = [int(word) for word in file.read().split()]
    found = []
    for child in children:
        try:
            with open(f"/proc/{child}/cmdline") as file:
                words = file.read().split("\0")
        except OSError:
            continue
        simulates = not {"--print-scene", "--validate", "--version"} & set(words)
        if os.path.basename(words[0]) == "simrun" and simulates:
            found.append(child)
    return found


class SweepTest(SweepCase):
    programs = SCRIPT, SIMRUN, FOLDER

    def refused(self, done, *parts):
        """Before anything was run, in one place of the standard error output."""
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(done.stderr.startswith("sweep.py: "), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        for _, _, files in os.walk(self.place):
            self.assertFalse([name for name in files if name.endswith(".h5")])

    def test_every_number_of_the_table_is_that_of_the_files(self):
        sweep = self.sweep()
        self.finished(sweep.call(*GRID, "-j", "2"))
        rows = sweep.table()
        self.assertEqual([row["file"] for row in rows], [name + ".h5" for name in NAMES])
        for row in rows:
            with h5py.File(sweep.path(row["file"])) as file:
                steps = {name: column[:] for name, column in file["steps"].items()}
                scene = json.loads(file.attrs["scene"])
            self.assertEqual((row["contact.friction"], row["solver.method"]),
                             (str(scene["contact"]["friction"]), scene["solver"]["method"]))
            self.assertEqual((row["status"], row["reason"], row["steps"]), ("done", "", "600"))
            contacts = [int(n) for n in steps["contacts"]]
            self.assertGreater(max(contacts), 3)
            near = {"iterations_mean": statistics.mean(map(float, steps["iterations"])),
                    "iterations_median": statistics.median(map(float, steps["iterations"])),
                    "contacts_mean": sum(contacts) / 600, "contacts_max": max(contacts),
                    "worst_gap": min(gap for gap, n in zip(steps["min_gap"], contacts) if n),
                    "energy": steps["kinetic_energy"][-1] + steps["elastic_energy"][-1] + steps["potential_energy"][-1],
                    "solve_ms_mean": 1000 * sum(steps["t_solve"]) / 600,
                    "detect_ms_median": 1000 * statistics.median(steps["t_detect"]), "total_s": sum(steps["t_total"])}
            for key, value in near.items():
                self.assertAlmostEqual(float(row[key]), value, delta=1e-9 * abs(value), msg=key)
        with open(sweep.path("table.md")) as file:
            text = file.read()
        self.assertIn("6 of 6 runs are done", text)
        self.assertIn("| 0.3 | ica | done | 600 |", text)
        # Friction brakes: of the three the roughest floor leaves the least energy.
        energies = [float(row["energy"]) for row in rows if row["solver.method"] == "cr-full"]
        self.assertGreater(energies[0], energies[2])

    def test_a_second_call_keeps_what_is_done_and_a_larger_grid_adds_to_it(self):
        sweep = self.sweep()
        self.finished(sweep.call("--grid", "contact.friction=0.1,0.3"))
        before = {name: os.stat(sweep.path(f"friction={name}.h5")).st_mtime_ns for name in ("0.1", "0.3")}
        text = self.finished(sweep.call("--grid", "contact.friction=0.5,0.1,0.3"))
        self.assertIn("friction=0.1: kept (done)", text)
        self.assertIn("\nfriction=0.5: begins\n[1/1] friction=0.5: done", text)
        self.assertEqual(before, {name: os.stat(sweep.path(f"friction={name}.h5")).st_mtime_ns for name in before})
        self.assertEqual([row["contact.friction"] for row in sweep.table()], ["0.5", "0.1", "0.3"])

    def wait_for_the_middle(self, process, sweep):
        """A run is done, and another is under way."""
        end = time.monotonic() + 100
        while time.monotonic() < end and process.poll() is None:
            started = [name for name in NAMES if os.path.exists(sweep.path(name + ".h5"))]
            runs = runs_of(process.pid)
            if len(started) >= 2 and runs and any(self.is_far_from_both_ends(sweep.path(name + ".h5")) for name in started):
                return runs
            time.sleep(0.005)
        self.fail(f"the sweep has no middle: {process.communicate()}")

    def is_far_from_both_ends(self, path):
        """It is running, has checkpoints to go on from, and has more than half of the way before it."""
        try:
            with h5py.File(path) as file:
                steps = file["checkpoint/step"]
                end = json.loads(file.attrs["scene"])["time"]["duration"] / 0.001
                return file.attrs["status"] == "running" and len(steps) > 2 and steps[-1] < end / 2
        except (OSError, KeyError):
            return False

    def same_as_undisturbed(self, sweep, undisturbed):
        self.assertEqual(without_timings(sweep.table()), without_timings(undisturbed.table()))
        for name in NAMES:
            ours, theirs = datasets(sweep.path(name + ".h5")), datasets(undisturbed.path(name + ".h5"))
            self.assertEqual(ours.keys(), theirs.keys())
            for key, value in ours.items():
                np.testing.assert_array_equal(np.asarray(value), np.asarray(theirs[key]), str((name, key)))

    def test_what_was_killed_or_interrupted_goes_on_to_the_same_table(self):
        undisturbed, killed = self.sweep("undisturbed"), self.sweep("killed")
        longer = ["--", "--duration", "3"]
        self.finished(undisturbed.call(*GRID, *longer))
        # The sweep alone: its runs are asked to end by the system, the next call waits for that.
        process = killed.start(*GRID, "-j", "1", *longer)
        self.wait_for_the_middle(process, killed)
        process.kill()
        process.communicate()
        self.assertFalse(os.path.exists(killed.path("table.csv")))
        # Ctrl-C.
        process = killed.start(*GRID, "-j", "2", *longer)
        self.wait_for_the_middle(process, killed)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, output + errors)
        self.assertIn("the same command goes on from here", errors)
        self.assertIn("interrupted", {row["status"] for row in killed.table()})
        # The sweep and its runs, at once and without notice.
        process = killed.start(*GRID, "-j", "2", *longer)
        runs = self.wait_for_the_middle(process, killed)
        process.send_signal(signal.SIGSTOP)  # else its end asks them to end before they are killed
        for pid in runs:
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.communicate()
        self.finished(subprocess.run([sys.executable, SCRIPT, "--collect", "-o", killed.folder], capture_output=True, text=True), 2)
        self.assertIn("cut off", {row["status"] for row in killed.table()})
        text = self.finished(killed.call(*GRID, *longer))
        self.assertIn("went on, done", text)
        self.same_as_undisturbed(killed, undisturbed)
        calls = [attribute(killed.path(name + ".h5"), "command_line").splitlines() for name in NAMES]
        self.assertTrue(any(len(lines) > 1 and "--resume" in lines[-1] for lines in calls), calls)

    def test_a_longer_duration_goes_on_with_what_is_done(self):
        short, whole = self.sweep(), self.sweep("whole")
        axis = ["--grid", "contact.friction=0.1,0.3"]
        self.finished(short.call(*axis, "--", "--duration", "0.3"))
        self.assertIn("went on, done, 600 steps", self.finished(short.call(*axis)))
        self.finished(whole.call(*axis))
        self.assertEqual(without_timings(short.table()), without_timings(whole.table()))

    def test_runs_that_stop_or_fail_do_not_stop_the_others_and_are_listed(self):
        sweep = self.sweep()
        axes = ["--zip", "solver.max_iterations=1,10000,10000", "objects.block.position=[0,0,0.06],[0,0,0.02],[0,0,0.07]"]
        done = sweep.call(*axes, "--no-validate", "-j", "1")
        text = self.finished(done, 2)
        stopped, failed, well = sweep.table()
        self.assertEqual(stopped["status"], "stopped")
        self.assertEqual(stopped["reason"], attribute(sweep.path(stopped["file"]), "reason"))
        self.assertIn("iteration limit", stopped["reason"])
        self.assertEqual(failed["status"], "failed")
        self.assertIn("exit status 1: simrun: ", failed["reason"])
        self.assertIn("objects overlap at the start", failed["reason"])
        self.assertEqual((well["status"], well["steps"]), ("done", "600"))
        self.assertIn("1 of 3 runs are done", text)
        # Again: what stopped would stop again, what failed may have been repaired.
        text = self.finished(sweep.call(*axes, "--no-validate"), 2)
        self.assertIn("kept (stopped)", text)
        self.assertIn("[1/1]", text)
        self.assertIn("[2/2]", self.finished(sweep.call(*axes, "--no-validate", "--redo", "stopped"), 2))

    def test_a_changed_scene_or_version_is_told_and_not_reused(self):
        sweep, axis = self.sweep(), ["--grid", "contact.friction=0.1,0.3"]
        self.finished(sweep.call(*axis))
        path = sweep.path("friction=0.1.h5")
        before = os.stat(path).st_mtime_ns
        write_scene(self.scene, gravity=[0, 0, -1.6])
        done = sweep.call(*axis)
        self.assertEqual(done.returncode, 1)
        self.assertIn("friction=0.1: gravity.2 is -1.6, was -9.81", done.stderr)
        self.assertIn("--redo changed", done.stderr)
        self.assertEqual(os.stat(path).st_mtime_ns, before)
        self.assertIn("[2/2]", self.finished(sweep.call(*axis, "--redo", "changed")))
        self.assertEqual(json.loads(attribute(path, "scene"))["gravity"], [0, 0, -1.6])
        with h5py.File(path, "r+") as file:
            file.attrs.modify("program_version", np.bytes_("0.0.1 (1234567)"))
        done = sweep.call(*axis)
        self.assertEqual(done.returncode, 1)
        self.assertIn("was 0.0.1 (1234567)", done.stderr)
        text = self.finished(sweep.call(*axis, "--any-version"))
        self.assertIn("friction=0.1: kept (done)", text)
        self.assertIn("these are results of several versions", text)

    def test_a_changed_mesh_file_is_told(self):
        block = os.path.join(self.place, "block.obj")

        def write_block(height):
            corners = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, height)]
            faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
            with open(block, "w") as file:
                file.writelines([f"v {x} {y} {z}\n" for x, y, z in corners] + [f"f {face}\n" for face in faces])
        write_block(0.1)
        objects = [{**SCENE["objects"][0], "type": "rigid", "position": [0, 0, 0.01]}, SCENE["objects"][1]]
        write_scene(self.scene, meshes={"block": {"file": "block.obj"}}, objects=objects, time={"step": 0.001, "duration": 0.02})
        sweep, axis = self.sweep(), ["--grid", "contact.friction=0.1,0.3"]
        self.finished(sweep.call(*axis))
        self.finished(sweep.call(*axis))
        write_block(0.11)
        done = sweep.call(*axis)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{block} has changed", done.stderr)

    def write_metrics(self):
        path = os.path.join(self.place, "mine.py")
        with open(path, "w") as file:
            file.write("""import neighbour
def iterations(result):
    return result.steps["iterations"].sum()  # a NumPy integer
def end(result):
    block = result.frames[-1].positions[result.object("block").vertices]
    return {"x": block[:, 0].mean(), "height": block[:, 2].min(), "name": result.name + "|", "none": None}
def rough(result):
    return result.scene["contact"]["friction"] > 0.2 and result.objct("block")
def several(result):
    return [1, 2]
number = 3
""")
        with open(os.path.join(self.place, "neighbour.py"), "w") as file:
            file.write("")
        return path

    def test_metrics_of_the_user_are_columns(self):
        sweep, path, axis = self.sweep(), self.write_metrics(), ["--grid", "contact.friction=0.1:0.3:0.1"]
        text = self.finished(sweep.call(*axis, "--metric", f"{path}:end", "--metric", f"{path}:iterations"))
        rows = sweep.table()
        self.assertEqual([row["contact.friction"] for row in rows], ["0.1", "0.2", "0.3"])
        self.assertEqual(list(rows[0])[:7], ["contact.friction", "end.x", "end.height", "end.name", "end.none", "iterations", "status"])
        for row in rows:
            with h5py.File(sweep.path(row["file"])) as file:
                end, begin = (file[f"model/objects/vertex_{side}"][0] for side in ("end", "begin"))
                block = file["frames/positions"][-1][begin:end]
                self.assertEqual((float(row["end.x"]), float(row["end.height"])), (np.mean(block[:, 0]), block[:, 2].min()))
                self.assertEqual(row["iterations"], str(file["steps/iterations"][:].sum()))
            self.assertEqual((row["end.name"], row["end.none"], row["status"]), ("drop|", "", "done"))
        self.assertIn("| contact.friction | end.x | end.height | end.name | end.none | iterations | status |", text)
        self.assertIn("| drop/ |", text)  # a bar would end the cell
        # They stay with the sweep, also where only the table is made anew; others take their place.
        collect = [sys.executable, SCRIPT, "--collect", "-o", sweep.folder]
        self.finished(subprocess.run(collect, capture_output=True, text=True))
        self.assertEqual(sweep.table(), rows)
        done = subprocess.run([*collect, "--metric", f"{path}:rough", "--metric", f"{path}:several"], capture_output=True, text=True)
        text = self.finished(done, 2)
        self.assertEqual([row["rough"] for row in sweep.table()], ["False", "False", ""])
        self.assertIn("- friction=0.3: metric rough: AttributeError: 'Result' object has no attribute 'objct' (mine.py, line 8)", text)
        self.assertIn("- friction=0.1: metric several: TypeError: it returned list, expected a number", text)

    def test_metrics_that_cannot_be_asked_for_are_refused_before_anything_is_run(self):
        sweep, path = self.sweep(), self.write_metrics()
        for metric, words in ((path, "expected FILE.py:FUNCTION"), (f"{path}:number", "there is no such function; there are iterations, end, rough"),
                              (f"{path}:status", "there is no such function")):
            self.refused(sweep.call("--grid", "contact.friction=0.1,0.3", "--metric", metric), words)
        with open(path, "a") as file:
            file.write("status = end\nimport nowhere_at_all\n")
        self.refused(sweep.call("--grid", "contact.friction=0.1,0.3", "--metric", f"{path}:end"), "mine.py:end: the file cannot be run: ModuleNotFound",
                     "(mine.py, line 13)")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace("import nowhere_at_all\n", ""))
        self.refused(sweep.call("--grid", "contact.friction=0.1,0.3", "--metric", f"{path}:status"), "the table has a column status already")
        self.refused(sweep.call("--grid", "contact.friction=0.1,0.3", *2 * ["--metric", f"{path}:end"]), "the table has a column end already")
        done = sweep.call("--grid", "contact.friction=0.1,0.3", "--metric", "nowhere.py:end")
        self.assertEqual((done.returncode, "nowhere.py:end: there is no such file" in done.stderr), (3, True), done.stderr)

    def test_ranges_hold_their_end(self):
        def values(text):
            done = self.sweep().call_here("--grid", f"contact.friction={text}", "--dry-run")
            return [line.split(":")[0].removeprefix("friction=") for line in self.finished(done).splitlines() if line.startswith("friction=")]
        self.assertEqual(values("0.1:0.5:0.1"), ["0.1", "0.2", "0.3", "0.4", "0.5"])
        self.assertEqual(values(".3:0:-0.1"), ["0.3", "0.2", "0.1", "0"])
        self.assertEqual(values("0:1:0.4"), ["0", "0.4", "0.8"])  # whose step does not lead to the end
        self.assertEqual(values("0:1:0.33333333333"), ["0", "0.33333333333", "0.66666666666", "1"])
        self.assertEqual(values("0.7,1:2:1"), ["0.7", "1", "2"])
        for text, words in (("0.1:0.5:-0.1", "never ends"), ("0.1:0.5:0", "never ends"), ("0:1:1e-6", "1000001 values; expected at most 10000")):
            self.refused(self.sweep().call_here("--grid", f"contact.friction={text}"), words)

    def test_mistakes_are_refused_before_anything_is_run(self):
        sweep = self.sweep()
        self.refused(sweep.call_here("--grid", "contact.fricton=0.1,0.3"), "did you mean \"friction\"?", "/contact/fricton")
        self.refused(sweep.call_here("--grid", "materials.rubbr.young=1e5,1e6"), "--set materials.rubbr.young=1e5: /materials: \"rubbr\"",
                     "did you mean \"rubber\"?", "young=1e6:")
        self.refused(sweep.call_here("--grid", "materials.rubber.young=1e5,1e6", "--", "--set", 'materials.steel={"young": 2e11}'),
                     "no object uses the material \"steel\"")
        self.refused(sweep.call_here("--grid", "meshes.blok.size=[0.1,0.1,0.1],[0.2,0.1,0.1]"), "did you mean \"block\"?")
        self.refused(sweep.call_here("--grid", "objects.blok.velocity=[1,0,0],[2,0,0]"), "did you mean \"block\"?")
        self.refused(sweep.call_here("--grid", "contact.friction=0.1,-2"), "friction=-2:", "expected a number >= 0")
        self.refused(sweep.call_here("--grid", "objects.block.position=[0,0,0.06],[0,0,0.02]"), "objects overlap at the start")
        self.refused(sweep.call_here("--grid", "contact.friction"), "expected KEY=VALUE")
        self.refused(sweep.call_here("--grid", "contact.friction=0.1,0.1"), "is there twice")
        self.refused(sweep.call_here("--grid", "contact.friction=0.1", "--grid", "contact.friction=0.2"), "is given 2 times")
        self.refused(sweep.call_here("--zip", "contact.friction=0.1,0.2", "time.step=0.001"), "contact.friction has 2, time.step has 1")
        self.refused(sweep.call_here("--grid", "contact.friction=0.1,1e-1"), "are the same scene")
        for own in (["--solver", "ica"], ["--set", "solver.method=ica"], ["--set=solver.method=ica"]):
            self.refused(sweep.call_here("--grid", "solver.method=ica,cr-full", "--", *own), "what follows -- sets solver.method")
        self.refused(sweep.call_here(*GRID, "--", "--log-file", "x"), "each run has its .log")
        self.refused(sweep.call_here(), "there is nothing to vary")
        self.refused(sweep.call_here("--zip", "contact.friction=0.1,0.2", "other.json"), "the scene file stands before --zip")
        self.refused(sweep.call_here(*GRID, "-j", "0"), "-j/--jobs")
        self.refused(sweep.call_here(*GRID, "--mem", "1G"), "--mem is for --slurm")
        os.remove(self.scene)
        done = sweep.call(*GRID)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("the scene file cannot be opened", done.stderr)

    def test_a_dry_run_lists_the_runs_and_writes_nothing(self):
        sweep = self.sweep()
        text = self.finished(sweep.call(*GRID, "--dry-run"))
        for name in NAMES:
            self.assertIn(f"{name}: run (not run yet)", text)
        self.assertFalse(os.path.exists(sweep.folder))

    def test_values_with_commas_and_awkward_letters_have_names_of_their_own(self):
        sweep = self.sweep()
        self.finished(sweep.call("--grid", "gravity=[0,0,-9.81],[0,0,-1.62]", "--grid", "objects.block.velocity=[0,0,0]",
                                 "--", "--steps", "2"))
        rows = sweep.table()
        self.assertEqual([row["gravity"] for row in rows], ["[0,0,-9.81]", "[0,0,-1.62]"])
        self.assertEqual(len({row["file"] for row in rows}), 2)
        for row in rows:
            self.assertEqual(json.loads(attribute(sweep.path(row["file"]), "scene"))["gravity"], json.loads(row["gravity"]))

    def test_two_sweeps_at_once_in_one_folder_are_refused(self):
        sweep = self.sweep()
        process = sweep.start(*GRID, "--", "--duration", "3")
        self.wait_for_the_middle(process, sweep)
        done = sweep.call(*GRID)
        self.assertEqual(done.returncode, 1)
        self.assertIn("another sweep is writing to", done.stderr)
        output, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, output + errors)

    def test_a_file_that_is_no_result_is_left_alone(self):
        sweep = self.sweep()
        os.makedirs(sweep.folder)
        with open(sweep.path("friction=0.1.h5"), "w") as file:
            file.write("my notes")
        done = sweep.call("--grid", "contact.friction=0.1,0.3")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("friction=0.1", done.stderr)
        self.assertIn("move away what cannot be read, or --redo all runs everything again; -o", done.stderr)
        done = sweep.call("--grid", "contact.friction=0.1,0.3", "--redo", "all")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Nothing was run. To go on: move away what cannot be read; -o", done.stderr)
        with open(sweep.path("friction=0.1.h5")) as file:
            self.assertEqual(file.read(), "my notes")

    def test_a_result_that_lost_its_end_is_told_and_can_be_made_anew(self):
        sweep = self.sweep()
        grid = ("--grid", "contact.friction=0.1,0.3")
        self.finished(sweep.call(*grid))
        os.truncate(sweep.path("friction=0.1.h5"), 5000)
        done = sweep.call(*grid)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("friction=0.1", done.stderr)
        self.assertEqual(os.path.getsize(sweep.path("friction=0.1.h5")), 5000)
        done = sweep.call(*grid, "--redo", "changed")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn("--redo changed", done.stderr)
        self.assertIn("move away what cannot be read, or --redo all", done.stderr)
        self.finished(sweep.call(*grid, "--redo", "all"))
        self.assertEqual(attribute(sweep.path("friction=0.1.h5"), "status"), "done")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
