"""Runs of simrun for scripts/compare.py, each in a file of its own that a second call finds again."""
import fcntl
import functools
import hashlib
import json
import os
import resource
import signal
import subprocess
import time

import numpy as np

import simrun_results as sr
from common import programs
from common.command_line import Complaint, say
from common.files import make_folder, replacing


def hold(folder, what):
    """Until the program ends, or the file that is returned is closed: nobody else who asks may write there."""
    lock = open(os.path.join(folder, ".lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Complaint(f"another {what} is writing to {folder}") from None
    except OSError as error:
        say(f"{folder} cannot be locked ({error.strerror}): see that nobody else writes there")
    return lock


CUT_OFF = "cut off"  # by --limit, in place of an exit status


class Interrupted(KeyboardInterrupt):
    """By the user, with Ctrl-C."""


class Run:
    """What a run left: the file, or the sentence why there is none."""

    def __init__(self, name, path, trouble="", processor=None):
        self.name, self.path, self.processor = name, path, processor  # s
        self.status, self.reason, self.steps = "failed", trouble, {}
        self.frame_step = np.zeros(0, int)
        if not os.path.exists(path):
            return
        with sr.open(path) as result:
            if not trouble:
                self.status, self.reason = result.status, result.reason
            self.steps = dict(result.steps)
            self.frame_step = result.frames.step

    @functools.cached_property
    def first(self):
        return self.state(0)

    @functools.cached_property
    def last(self):
        return self.state(-1)

    def state(self, frame):
        """Positions and velocities; None where the run has left no frame."""
        if not len(self.frame_step):
            return None
        with sr.open(self.path) as result:
            return state(result, frame)

    def outcome(self):
        """For people: the status, and where and why it ended early."""
        if self.status == "done":
            return "done"
        where = f" at step {self.steps['step'][-1]}" if len(self.steps.get("step", ())) else ""
        return f"{self.status}{where}: {self.reason}"


def state(result, frame):
    """Positions and velocities of what the solver moves; obstacles go where they are told to."""
    frame = result.frames[frame]
    moved = np.zeros(len(frame.positions), bool)
    for body in result.objects:
        moved[body.vertices] = body.type in ("deformable", "rigid")
    return frame.positions[moved], frame.velocities[moved]


class Runs:
    def __init__(self, simrun, folder, threads, limit=None):
        self.simrun, self.folder, self.threads, self.limit = simrun, folder, threads, limit
        make_folder(folder)
        self.version = programs.version(simrun)
        self.recipes = {}
        self.lock = hold(folder, "comparison")

    def run(self, name, settings, scene=None, origin=None, again=()):
        """The run of that name: from a scene or from the last state of another run; kept if it is there already. `again` are words
        that one which goes on must be told once more, since its file does not hold them: --dump-problem."""
        settings = [*settings, *again]
        path = os.path.join(self.folder, name + ".h5")
        source = [scene] if scene else ["--resume", origin.path]
        common = ["--threads", str(self.threads), "--quiet"]
        recipe = {"version": self.version, "threads": self.threads, "settings": settings,
                  "source": digest(scene) if scene else self.recipes[origin.name]}
        self.recipes[name] = recipe
        fresh = [self.simrun, *source, *settings, "-o", path, *common]
        status = status_of(path) if self.same(path, recipe) else ""
        if status in ("done", "stopped"):
            print(f"{name}: kept", flush=True)
            return Run(name, path, processor=self.spent(path))
        started, spent = time.monotonic(), self.spent(path)  # None where a run was killed: what it had spent is not known
        before = processor_time()
        done = None
        if status in ("running", "interrupted"):
            self.note_spent(path, None)
            done = self.call([self.simrun, "--resume", path, *again, *common], path)
        if done is None or done.returncode not in (0, 2, CUT_OFF):  # nothing to go on with
            self.forget(path)
            spent = 0.0
            self.note_spent(path, None)
            with replacing(path + ".recipe.json") as file:
                json.dump(recipe, file, indent=1)
            done = self.call(fresh, path)
        now = processor_time() - before
        spent = spent + now if spent is not None else None
        self.note_spent(path, spent)
        run = Run(name, path, trouble(done), spent)
        if done.returncode == CUT_OFF:
            run.status, run.reason = "not finished", f"cut off after {now:.0f} s of the processor" + ("" if spent == now else " more")
        print(f"{name}: {run.outcome()}, {time.monotonic() - started:.1f} s, of the processor {now:.1f} s", flush=True)
        return run

    def note_spent(self, path, seconds):
        """None while a run goes on: it may be killed."""
        with replacing(path + ".seconds.json") as file:
            json.dump(seconds, file)

    def spent(self, path):
        """Processor seconds of what is there."""
        try:
            with open(path + ".seconds.json") as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def call(self, command, path):
        cut_off, wait = False, self.limit
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            while True:
                try:
                    errors = process.communicate(timeout=wait)[1]
                    break
                except subprocess.TimeoutExpired:  # it closes its file, and a second call goes on from there
                    if not os.path.exists(path):  # it loads, and does not hear yet
                        wait = 1
                        continue
                    cut_off, wait = True, None  # once: a second signal would end it in the middle of a step
                    process.send_signal(signal.SIGINT)
                except KeyboardInterrupt:  # simrun has it too, and closes its file
                    continue
        if process.returncode == 130 and not cut_off:
            raise Interrupted
        ended = process.returncode == 130 or (cut_off and process.returncode == -signal.SIGINT)  # while it read what it was to go on with
        return subprocess.CompletedProcess(command, CUT_OFF if ended else process.returncode, None, errors)

    def same(self, path, recipe):
        try:
            with open(path + ".recipe.json") as file:
                return json.load(file) == recipe
        except (OSError, ValueError):
            return False

    def forget(self, path):
        """An old result must not stand where the new run could not start."""
        for old in (path, os.path.splitext(path)[0] + ".xdmf"):
            if not os.path.exists(old):
                continue
            if old == path and not status_of(path):
                raise Complaint(f"{path} is not a result of simrun; it is not replaced")
            os.remove(old)


def processor_time():
    """s, of all programs that have ended, their threads included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def trouble(done):
    """Empty where simrun ended in an orderly way (0 done, 2 stopped, both told in the file)."""
    if done.returncode in (0, 2, CUT_OFF):
        return ""
    if done.returncode < 0:
        return f"killed by signal {-done.returncode}"
    return f"exit status {done.returncode}: " + " ".join(done.stderr.split())[:300]


def status_of(path):
    try:
        with sr.open(path) as result:
            return result.status
    except sr.ResultError:
        return ""


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
