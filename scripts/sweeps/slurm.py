"""A sweep as an array job of Slurm: one task a run. Queue, retries and places are Slurm's."""
import os
import shlex
import shutil
import subprocess
import sys

from common.command_line import FILE
from common.files import replacing

from . import folder as at
from .plan import Refused

SECONDS_TO_CLOSE = 60  # between the SIGTERM of a time limit and the end: the step is finished, the file closed


def need_slurm():
    if not shutil.which("sbatch"):
        raise Refused("there is no sbatch here: --slurm is for the login node of a cluster with Slurm (to try it: WITH_SLURM=1 "
                      "and scripts/lib/one-node-slurm.sh); without --slurm the runs are made on this machine")


def tasks_left(job):
    """How many tasks of the job the queue still has; a job that Slurm has forgotten has none."""
    if not shutil.which("squeue"):
        return 0
    done = subprocess.run(["squeue", "--noheader", "--array", "--jobs", job, "--format", "%i"], capture_output=True, text=True)
    return 0 if done.returncode else len(done.stdout.split())


def refuse_while_queued(plan):
    for job in (plan or {}).get("slurm_jobs", []):
        left = tasks_left(job)
        if left:
            raise Refused(f"array job {job} of this sweep has {left} task(s) in the queue; wait for it (squeue --job {job}) or cancel "
                          f"it (scancel {job}). --collect makes the table of what is done so far")


def script_of(sweep, plan_file):
    """What a task does: this program again, for one run. exec, so that the signal of a time limit gets there."""
    words = [sys.executable, os.path.abspath(sweep), "--task", plan_file]
    return "#!/bin/sh\nexec " + " ".join(shlex.quote(word) for word in words) + ' "$SLURM_ARRAY_TASK_ID"\n'


def sbatch_words(options, count, folder):
    """The options of sbatch; what the user gives comes last and wins."""
    throttle = f"%{options.jobs_asked}" if options.jobs_asked else ""
    output = os.path.join(folder.replace("%", "%%"), "state", "slurm-%A-%a.out")
    words = ["sbatch", "--parsable", f"--array=0-{count - 1}{throttle}", f"--job-name=sweep-{os.path.basename(folder)}",
             f"--cpus-per-task={options.threads}", "--ntasks=1", f"--output={output}", "--open-mode=append",
             f"--signal=B:TERM@{SECONDS_TO_CLOSE}"]
    for name in ("account", "partition", "time", "mem"):
        if getattr(options, name):
            words.append(f"--{name}={getattr(options, name)}")
    words += [word for text in options.sbatch for word in shlex.split(text)]
    return words + (["--wait"] if options.wait else [])


def submit(options, plan, runs, sweep):
    """The number of the array job. With --wait only after it has ended."""
    folder = os.path.abspath(options.output)
    number = len(plan["slurm_jobs"])
    plan_file = os.path.join(folder, "state", f"array-{number}.json")
    script = os.path.join(folder, "state", f"array-{number}.sh")
    at.write_json(plan_file, {**plan, "runs": runs})
    with replacing(script) as file:
        file.write(script_of(sweep, plan_file))
    os.chmod(script, 0o755)
    words = [*sbatch_words(options, len(runs), folder), script]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    job = process.stdout.readline().strip().split(";")[0]
    if job:
        plan["slurm_jobs"].append(job)
        at.write_json(os.path.join(folder, at.PLAN), plan)
        print(f"{len(runs)} runs are tasks of array job {job}: squeue --job {job}; to stop it: scancel {job}", flush=True)
    complaint = process.communicate()[1].strip()
    if not job:
        hint = ". Arrays may have as many tasks as `scontrol show config | grep MaxArraySize` says" if "array" in complaint else ""
        raise Refused(f"sbatch refused the job: {complaint}{hint}", FILE)
    return job
