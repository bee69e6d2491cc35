"""Which runs there are, and what is to be done for each: nothing, to run it, to go on with it, or to ask."""
import collections
import concurrent.futures
import functools
import json
import os
import subprocess

import simrun_results as sr
from common.command_line import FILE, USAGE, Complaint
from comparison.runs import digest

from . import folder as at

Need = collections.namedtuple("Need", "action why")  # action: keep, run, resume, changed, foreign
PARTNERS = {".node": ".ele", ".ele": ".node"}  # files of TetGen come in twos
MOST_DIFFERENCES = 3


class Refused(Complaint):
    """By simrun, in its words; or by us, in ours."""

    def __init__(self, text, exit_status=USAGE):
        super().__init__(text)
        self.exit_status = exit_status


def words_of(values, options):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")] + options


def ask(simrun, scene, folder, name, words, what):
    """simrun's answer to --print-scene or --validate for one run, and its complaint with the exit status."""
    command = [simrun, scene, what, "-o", at.file_of(folder, name, ".asked.h5"), "--threads", "1", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.stdout, done.stderr.strip(), done.returncode


def ask_all(options, runs, what):
    """The answers, in order; raises Refused with the complaint of every run that has one."""
    if not runs:
        return []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = list(pool.map(lambda run: ask(options.simrun, options.scene, options.output, run["name"], run["words"], what), runs))
    complaints = collections.defaultdict(list)
    for run, (_, complaint, status) in zip(runs, answers):
        if status:
            complaints[complaint.replace(run["name"], "..."), status].append((run["name"], complaint))
    if not complaints:
        return [answer for answer, _, _ in answers]
    told = []
    for (_, status), cases in complaints.items():
        names = ", ".join(name for name, _ in cases[:4]) + (f" and {len(cases) - 4} more" if len(cases) > 4 else "")
        told.append(f"{names}:\n{cases[0][1] or f'simrun {what} ended with exit status {status}'}")
    raise Refused("\n".join(told), min(status if status in (USAGE, FILE) else USAGE for _, status in complaints))


def make_runs(options, points):
    """One dictionary a run. Asking for the effective scenes checks all keys and values."""
    runs = [{"name": point.name, "values": point.values, "words": words_of(point.values, options.own)} for point in points]
    for run, text in zip(runs, ask_all(options, runs, "--print-scene")):
        run["scene"] = json.loads(text)
    alike = collections.defaultdict(list)
    for run in runs:
        alike[at.digest_of_scene(run["scene"])].append(run["name"])
    for names in alike.values():
        if len(names) > 1:
            raise Refused(f"{names[0]} and {names[1]} are the same scene: does an option after -- undo what the grid sets, "
                          "or are two of its values the same number?")
    return runs


def mesh_files(scene, scene_file):
    """The mesh files of an effective scene and their digests; a file that is not there is left for simrun to tell."""
    found = {}
    top = os.path.dirname(os.path.abspath(scene_file))
    for mesh in scene.get("meshes", {}).values():
        if not isinstance(mesh, dict) or "file" not in mesh:
            continue
        stem, ending = os.path.splitext(os.path.join(top, mesh["file"]))
        for path in (stem + ending, stem + PARTNERS.get(ending, ending)):
            if os.path.exists(path):
                found[path] = digest_once(path, os.stat(path).st_mtime_ns)
    return found


@functools.lru_cache(maxsize=None)
def digest_once(path, _):
    return digest(path)


def differences(before, now, path=""):
    """(path, before, now) of every value that differs."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}):
            yield from differences(before.get(key), now.get(key), f"{path}.{key}" if path else key)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for index, pair in enumerate(zip(before, now)):
            yield from differences(*pair, f"{path}.{index}")
    elif before != now:
        yield path, before, now


def shown(value):
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:40] + "..."


def changes(result, run, meshes, made_from):
    """Sentences: what keeps the result from being one of this run. A longer duration does not."""
    found = list(differences(result.scene, run["scene"]))
    longer = result.scene["time"]["duration"] < run["scene"]["time"]["duration"]
    told = [f"{path} is {shown(now)}, was {shown(before)}" for path, before, now in found
            if not (path == "time.duration" and longer)]
    if made_from is not None:
        told += [f"{path} has changed" for path in meshes if path in made_from and made_from[path] != meshes[path]]
    return told, bool(found) and not told


def cut(told):
    more = len(told) - MOST_DIFFERENCES
    return "; ".join(told[:MOST_DIFFERENCES]) + (f"; and {more} more" if more > 0 else "")


def is_hdf5(path):
    """Going by its first bytes: a result that was cut off is, notes of the same name are not."""
    with open(path, "rb") as file:
        return file.read(8) == b"\x89HDF\r\n\x1a\n"


def look(options, run):
    """What the run needs, going by its file."""
    path = at.file_of(options.output, run["name"])
    state = at.read_json(at.state_file(options.output, run["name"])) or {}
    if not os.path.exists(path):
        return Need("run", "not run yet")
    if options.redo == "all" and is_hdf5(path):
        return Need("run", "asked for by --redo all")
    try:
        with sr.open(path) as result:
            told, longer = changes(result, run, mesh_files(run["scene"], options.scene), state.get("meshes"))
            if not options.any_version and result.program_version != options.version:
                told.append(f"simrun is {options.version}, was {result.program_version}")
            if told:
                return Need("run" if options.redo == "changed" else "changed", cut(told))
            return need_of(result, longer, options)
    except sr.ResultError as error:
        return Need("foreign", str(error))


def clear(options, run):
    """Takes away what is to be replaced; False where somebody is writing it."""
    lock = at.lock_of_run(options.output, run["name"])
    if lock is None:
        return False
    path = at.file_of(options.output, run["name"])
    at.remove(path, os.path.splitext(path)[0] + ".xdmf", at.file_of(options.output, run["name"], ".log"),
              at.state_file(options.output, run["name"]))
    lock.close()
    return True


def need_of(result, longer, options):
    if result.status == "stopped":
        if options.redo == "stopped":
            return Need("run", "stopped before")
        return Need("keep", "stopped")
    if result.status == "done" and not longer:
        return Need("keep", "done")
    if not len(result.checkpoints):
        return Need("run", "cut off before its first checkpoint")
    how = "its scene is longer now" if result.status == "done" else "interrupted" if result.status == "interrupted" else "cut off"
    return Need("resume", f"{how}, from step {result.checkpoints[-1].step}")
