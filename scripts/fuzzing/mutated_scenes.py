#!/usr/bin/python3
"""scripts/fuzzing/mutated_scenes.py SIMRUN [--count N] [--seed S] [--steps K]: scenes of this repository with changes made at
random; each is to end with a status of docs/troubleshooting.md and, where that is not 0, a message. With --steps they run so
many steps, else they are checked only (--validate). What ends otherwise is kept in build/fuzz/found; exit status 1."""
import argparse
import copy
import json
import pathlib
import random
import re
import resource
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
NUMBERS = [0, -1, 1, 1e-300, 1e300, 1e308, -1e308, 1e18, 9.3e18, 2**31, 2**31 - 1, 2**32, -2**63, 0.5, 1e-9, 1e9, 3, 7, 100, 10**6]
OTHERS = ["", "x", "ring", "a" * 5000, None, True, False, [], {}, [[]], [1, 2], [1, 2, 3], {"a": 1}, "1/0", "sin(t)", "t^t^t",
          "((((", "\0", "\u00e9", "../../etc/passwd", "/dev/null", ".", "floor", [0, 0, 0], [1e300] * 3, [[0, 0, 0], [1, 1, 1]]]
KEYS = ["thickness", "friction", "velocity", "boundary", "loads", "scatter", "array", "poses", "motion", "material", "mesh", "type",
        "name", "pattern", "embed", "x"]
MEMORY, SECONDS = 6 << 30, 60


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def places(json_value, above=()):
    yield above
    items = json_value.items() if isinstance(json_value, dict) else enumerate(json_value) if isinstance(json_value, list) else ()
    for key, value in items:
        yield from places(value, (*above, key))


def at(json_value, place):
    for key in place:
        json_value = json_value[key]
    return json_value


def change(scene, rng):
    all_places = [place for place in places(scene) if place]
    place = rng.choice(all_places)
    parent, key = at(scene, place[:-1]), place[-1]
    what = rng.random()
    if what < 0.12:
        del parent[key]
    elif what < 0.6 and is_number(parent[key]):
        parent[key] = rng.choice(NUMBERS) if what < 0.5 else parent[key] * rng.choice([-1, 1e-6, 1e-3, 1e3, 1e6])
    elif what < 0.75:
        parent[key] = rng.choice(OTHERS)
    elif what < 0.85:
        parent[key] = copy.deepcopy(at(scene, rng.choice(all_places)))
    elif isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    else:
        parent[rng.choice(KEYS)] = rng.choice(OTHERS + NUMBERS)


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(arguments, file, result):
    how = ["--steps", str(arguments.steps), "--quiet", "-o", str(result)] if arguments.steps else ["--validate"]
    try:
        done = subprocess.run([arguments.simrun, str(file), *how], capture_output=True, timeout=SECONDS, preexec_fn=limits)
    except subprocess.TimeoutExpired:
        return "too long", ""
    return done.returncode, done.stderr.decode("utf8", "replace")


def is_fine(status, message):
    if status == "too long":
        return None
    return 0 <= status < 128 and (status == 0 or message.strip()) and "terminate" not in message and "std::" not in message


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simrun")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    found = TOP / "build/fuzz/found"
    found.mkdir(parents=True, exist_ok=True)
    scenes = [json.loads(re.sub(r"(?m)(^|(?<=[\s,\]}\"\d]))//.*$", "", file.read_text())) for file in sorted((TOP / "scenes").glob("[a-z]*.json"))]
    file, result = TOP / f"scenes/.mutated-{arguments.seed}.json", found / f"mutated-{arguments.seed}.h5"
    counts, bad = {}, 0
    for n in range(arguments.count):
        scene = copy.deepcopy(rng.choice(scenes))
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            change(scene, rng)
        file.write_text(json.dumps(scene))
        status, message = run(arguments, file, result)
        counts[status] = counts.get(status, 0) + 1
        if is_fine(status, message) is False:
            bad += 1
            kept = found / f"scene-{arguments.seed}-{n}.json"
            kept.write_text(json.dumps(scene))
            print(f"{kept.relative_to(TOP)}: status {status}: {message.strip()[-300:]}", flush=True)
    for rest in [file, result, result.with_suffix(".xdmf")]:
        rest.unlink(missing_ok=True)
    print(f"{arguments.count} scenes, by status: {dict(sorted(counts.items(), key=str))}; {bad} without a proper end")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
