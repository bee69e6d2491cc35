"""Sweeps as array jobs of a real Slurm, of one node on this machine. usage: sweep_slurm_test.py <repository> <simrun> <folder>

Exit status 77: Slurm or h5py is not installed (WITH_SLURM=1 scripts/test.sh installs it).
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
except ImportError:
    sys.exit(77)

from sweep_scene import GRID, NAMES, SweepCase, without_timings, write_scene

REPOSITORY, SIMRUN, FOLDER = sys.argv[1:4]
SCRIPT = os.path.join(REPOSITORY, "scripts", "sweep.py")
ONE_NODE = os.path.join(REPOSITORY, "scripts", "lib", "one-node-slurm.sh")


def queue(job):
    done = subprocess.run(["squeue", "--noheader", "--array", "--jobs", job, "--format", "%T"], capture_output=True, text=True)
    return done.stdout.split()


class SlurmSweepTest(SweepCase):
    programs = SCRIPT, SIMRUN, FOLDER

    @classmethod
    def setUpClass(cls):
        """Sockets have short names, so Slurm does not live in the build folder."""
        cls.slurm = tempfile.mkdtemp(prefix="slurm")
        cls.addClassCleanup(shutil.rmtree, cls.slurm)
        cls.addClassCleanup(subprocess.run, [ONE_NODE, "stop", cls.slurm])
        done = subprocess.run([ONE_NODE, "start", cls.slurm, "2"], stdout=subprocess.PIPE, text=True)
        if done.returncode == 77:
            cls.doClassCleanups()
            sys.exit(77)
        assert done.returncode == 0
        os.environ["SLURM_CONF"] = os.path.join(cls.slurm, "slurm.conf")

    def wait_until(self, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what():
                return
            time.sleep(0.05)
        self.fail("this never came to be")

    def submitted(self, sweep, *options):
        """All of the array job has ended then; sbatch --wait would look only every few seconds."""
        job = re.search(r"array job (\d+)", self.finished(sweep.call("--slurm", *options)))[1]
        self.wait_until(lambda: not queue(job), 90)

    def collected(self, sweep, status):
        done = subprocess.run([sys.executable, SCRIPT, "--collect", "-o", sweep.folder], capture_output=True, text=True)
        return self.finished(done, status)

    def test_an_array_job_makes_the_table_that_a_local_sweep_makes(self):
        local, cluster = self.sweep("local"), self.sweep("a cluster")
        self.finished(local.call(*GRID))
        text = self.finished(cluster.call(*GRID, "--slurm", "--wait", "--time", "10", "--mem", "500M"))
        self.assertIn("6 runs are tasks of array job", text)
        self.assertIn("6 of 6 runs are done", text)
        self.assertEqual(without_timings(cluster.table()), without_timings(local.table()))
        with h5py.File(cluster.path(NAMES[0] + ".h5")) as file:
            self.assertEqual(file.attrs["threads"], 1)
        text = self.finished(cluster.call(*GRID, "--slurm", "--wait"))
        self.assertIn("6 of 6 runs are kept", text)
        self.assertNotIn("array job", text)

    def test_a_job_that_was_cancelled_goes_on_when_the_sweep_is_called_again(self):
        local, cluster = self.sweep("local"), self.sweep("cluster")
        longer = ["--", "--duration", "5"]
        self.finished(local.call(*GRID, *longer))
        text = self.finished(cluster.call(*GRID, "-j", "1", "--slurm", *longer))
        job = re.search(r"array job (\d+)", text)[1]
        self.wait_until(lambda: os.path.exists(cluster.path(NAMES[1] + ".h5")))
        self.assertLessEqual(queue(job).count("RUNNING"), 1)
        done = cluster.call(*GRID, "--slurm", *longer)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, rf"array job {job} of this sweep has \d task\(s\) in the queue")
        subprocess.run(["scancel", job], check=True)
        self.wait_until(lambda: not queue(job))
        self.collected(cluster, 2)
        statuses = [row["status"] for row in cluster.table()]
        self.assertEqual(statuses[0], "done")
        self.assertIn("not run", statuses)
        self.submitted(cluster, *GRID, *longer)
        self.assertIn("6 of 6 runs are done", self.collected(cluster, 0))
        self.assertEqual(without_timings(cluster.table()), without_timings(local.table()))

    def test_runs_that_fail_are_listed_with_their_reason(self):
        sweep = self.sweep()
        axes = ["--zip", "solver.max_iterations=1,10000,10000", "objects.block.position=[0,0,0.06],[0,0,0.02],[0,0,0.07]"]
        self.finished(sweep.call(*axes, "--no-validate", "--slurm", "--wait"), 2)
        rows = sweep.table()
        self.assertEqual([row["status"] for row in rows], ["stopped", "failed", "done"])
        self.assertIn("objects overlap at the start", rows[1]["reason"])

    def test_a_scene_that_changes_while_the_job_waits_is_not_run(self):
        sweep = self.sweep()
        text = self.finished(sweep.call("--grid", "contact.friction=0.1,0.2", "--slurm", "--sbatch=--begin=now+3"))
        job = re.search(r"array job (\d+)", text)[1]
        write_scene(self.scene, gravity=[0, 0, -1])
        self.wait_until(lambda: not queue(job), 90)
        self.collected(sweep, 2)
        for row in sweep.table():
            self.assertEqual(row["status"], "failed")
            self.assertIn("has changed since the sweep was submitted", row["reason"])

    def test_what_sbatch_says_is_told(self):
        done = self.sweep().call(*GRID, "--slurm", "--partition", "nowhere")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("sbatch refused the job", done.stderr)
        self.assertIn("invalid partition", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
