"""Runs on this machine: some at a time, each a simrun of its own.

A run is a session of its own, so that Ctrl-C reaches it only through us: once, and it finishes its step and closes its file.
Where we are killed, the system sends it SIGTERM, with the same effect.
"""
import collections
import os
import shlex
import signal
import subprocess
import sys
import time

from common.programs import end_with_parent
from comparison.runs import trouble

from . import folder as at
from .plan import look, mesh_files

PAUSE = 0.05  # s between looks at what has ended
DONE, STOPPED, INTERRUPTED = 0, 2, 130
ORDERLY = (DONE, STOPPED, INTERRUPTED, -signal.SIGINT, -signal.SIGTERM)  # asked to end before it could listen, too
LOG_TAIL = 20000  # bytes of a log in which the complaint is looked for

Ended = collections.namedtuple("Ended", "name action exit_status reason seconds")


class Task:
    """One run, from the lock to what it came to."""

    def __init__(self, options, run):
        self.options, self.run, self.process, self.lock = options, run, None, None

    @property
    def name(self):
        return self.run["name"]

    def start(self):
        """Ended where nothing is left to do, None where it has begun, False where somebody else is at it."""
        self.lock = at.lock_of_run(self.options.output, self.name)
        if self.lock is None:
            return False
        self.need, self.began = look(self.options, self.run), time.monotonic()
        if self.need.action not in ("run", "resume"):
            self.lock.close()
            return Ended(self.name, self.need.action, None, self.need.why, 0)
        self.remember(None, "")
        self.process = self.spawn()
        return None

    def command(self):
        path = at.file_of(self.options.output, self.name)
        where = ["--resume", path] if self.need.action == "resume" else ["-o", path]
        return [self.options.simrun, self.options.scene, *where, "--threads", str(self.options.threads), *self.run["words"]]

    def spawn(self):
        path = at.file_of(self.options.output, self.name)
        self.log = at.file_of(self.options.output, self.name, ".log")
        if self.need.action == "run":  # cut off before there was anything to go on with
            at.remove(path, os.path.splitext(path)[0] + ".xdmf", self.log)
        with open(self.log, "a") as log:
            log.write(shlex.join(self.command()) + "\n")
            log.flush()
            self.log_begin = log.tell()
            return subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                                    pass_fds=[self.lock.fileno()], preexec_fn=end_with_parent(os.getpid()))

    def remember(self, exit_status, reason):
        old = at.read_json(at.state_file(self.options.output, self.name)) or {}
        fresh = self.need.action == "run"
        meshes = mesh_files(self.run["scene"], self.options.scene) if fresh else old.get("meshes", {})
        at.write_json(at.state_file(self.options.output, self.name), {"exit_status": exit_status, "reason": reason, "meshes": meshes})

    def poll(self):
        """None while it runs."""
        status = self.process.poll()
        if status is None:
            return None
        reason = self.complaint(status)
        self.remember(status, reason)
        self.lock.close()
        return Ended(self.name, self.need.action, status, reason, time.monotonic() - self.began)

    def complaint(self, status):
        """What simrun said last, where it did not end in an orderly way."""
        if status in ORDERLY:
            return ""
        with open(self.log, "rb") as log:
            log.seek(max(self.log_begin, os.path.getsize(self.log) - LOG_TAIL))
            text = log.read().decode(errors="replace")
        said = text[text.rfind("simrun: "):] if "simrun: " in text else text
        return trouble(subprocess.CompletedProcess([], status, None, said))


class Signals:
    """Ctrl-C, SIGTERM and a closed terminal are handed on to the runs; none is started any more."""

    def __init__(self, running):
        self.running, self.asked = running, False

    def __enter__(self):
        self.before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        for number, handler in self.before.items():
            if handler != signal.SIG_IGN:
                signal.signal(number, self.hand_on)
        return self

    def __exit__(self, *_):
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def hand_on(self, number, _):
        self.asked = True
        for task in self.running:
            if task.process.poll() is None:
                task.process.send_signal(signal.SIGTERM if number == signal.SIGHUP else number)
        if self.running:
            print("interrupted: the runs finish their step and close their files; once more ends them at once", file=sys.stderr, flush=True)


def run_all(options, runs, tell, begin=lambda name, action: None):
    """Runs them all, `options.jobs` at a time; begin(name, "run" or "resume") and tell(Ended) for each. Returns whether it was
    interrupted."""
    waiting, running = collections.deque(Task(options, run) for run in runs), []
    told_of_others = False
    with Signals(running) as signals:
        while running or (waiting and not signals.asked):
            busy = 0
            while waiting and len(running) < options.jobs and busy < len(waiting) and not signals.asked:
                task = waiting.popleft()
                began = task.start()
                if began is None:
                    running.append(task)
                    begin(task.name, task.need.action)
                    if signals.asked:  # just now, and this one was not there yet
                        task.process.send_signal(signal.SIGTERM)
                elif began:
                    tell(began)
                else:
                    waiting.append(task)
                    busy += 1
            if busy and not running and not told_of_others:
                told_of_others = True
                print("waiting for runs that somebody else has started in this folder, or that finish a step after their sweep was killed",
                      flush=True)
            time.sleep(PAUSE * (10 if busy and not running else 1))
            for task in list(running):
                ended = task.poll()
                if ended:
                    running.remove(task)
                    tell(ended)
    return signals.asked
