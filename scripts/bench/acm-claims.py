#!/usr/bin/python3
"""Measures claims of Harmon et al. 2009 (asynchronous contact mechanics); docs/papers/harmon-2009.md has what came out.

    scripts/bench/acm-claims.py                                all claims: half an hour of processor time
    scripts/bench/acm-claims.py order damping --simrun build/release/apps/simrun

Prints a row of a Markdown table for each claim. Runs are kept in results/acm-claims (-o) and not made again when they are there. The bunny
needs scripts/meshes.sh bunny-shells. Exit status: 0 all was measured, whatever the verdict; 1 usage; 2 a run that should have gone to its
end did not; 3 a file cannot be read or written; 130 interrupted. Debian packages: python3-numpy python3-h5py.
"""
import json
import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import command_line, programs
from common.files import make_folder

with command_line.needing("python3-numpy python3-h5py"):
    import h5py
    import numpy as np
    import simrun_results as sr

SCENES = os.path.join(programs.TOP, "scenes")


class Runs:
    """Result files by name; each is made once."""

    def __init__(self, options):
        self.simrun, self.folder, self.limit = options.simrun, options.output, options.limit
        self.unfinished = []

    def run(self, name, scene, *words, may_stop=False):
        """The result file, of a run that went to its end; with may_stop also of one that stopped or was cut off."""
        path, told = os.path.join(self.folder, name + ".h5"), os.path.join(self.folder, name + ".txt")
        command = [self.simrun, *([os.path.join(SCENES, scene + ".json")] if scene else []), "--threads", "1", "--quiet", "-o", path, *words]
        asked = " ".join(command[1:])
        if not (os.path.exists(path) and os.path.exists(told) and open(told).read().splitlines()[0] == asked):
            print(f"{name}: {scene} {' '.join(words)}", file=sys.stderr, flush=True)
            if os.path.exists(path):
                os.remove(path)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            try:
                process = subprocess.Popen(command, preexec_fn=programs.end_with_parent(os.getpid()), stderr=subprocess.DEVNULL)
                process.wait(self.limit)
            except subprocess.TimeoutExpired:
                process.terminate()
                process.wait()
            with open(told, "w") as file:
                file.write(f"{asked}\n{resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before:.2f}\n")
        if not os.path.exists(path):
            raise command_line.Complaint(f"no result of {asked}")
        with h5py.File(path) as file:
            if file.attrs["status"] != "done" and not may_stop:
                self.unfinished.append(f"{name}: {file.attrs['status']} after {file['steps/time'][-1]:g} s, {file.attrs['reason']}")
        return path

    def seconds(self, name):
        """Processor time of a run."""
        return float(open(os.path.join(self.folder, name + ".txt")).read().splitlines()[1])

    def intersecting(self, path):
        """How many frames simcheck finds intersecting, of how many, and its exit status."""
        check = subprocess.run([programs.beside(self.simrun, "simcheck"), path, "--json", "--threads", "1"], capture_output=True, text=True)
        totals = json.loads(check.stdout)["totals"]
        return totals["intersecting_frames"], totals["frames_judged"], check.returncode


def column(path, name, table="steps"):
    with h5py.File(path) as file:
        return file[table][name][:]


def energy(path):
    with sr.open(path) as result:
        return result.steps.energy


def positions(path, frame=-1):
    with h5py.File(path) as file:
        return file["frames/positions"][frame]


def largest_change(path, other):
    """Of a coordinate of a vertex that has mass, at the end."""
    with h5py.File(path) as a, h5py.File(other) as b:
        return np.abs(a["frames/positions"][-1] - b["frames/positions"][-1])[a["model/mass"][:] > 0].max()


def ranks(values):
    order = np.argsort(values, kind="stable")
    rank = np.empty(len(values))
    rank[order] = np.arange(len(values))
    for value in np.unique(values):
        rank[values == value] = rank[values == value].mean()
    return rank


def rank_correlation(a, b):
    return np.corrcoef(ranks(a), ranks(b))[0, 1]


def listed(values, form="{:.3g}"):
    return ", ".join(form.format(value) for value in values)


def row(claim, measured, verdict):
    print(f"| {claim} | {measured} | {verdict} |", flush=True)


def order(runs):
    """A start, a stiffness or a clock changed in the twelfth digit: does it matter in which order kicks then come?"""
    told, largest, smooth_largest = [], 0.0, 0.0
    off = 1 + 1e-12
    fraction = 0.02
    scenes = {"pogo": ("bench/pogo", "objects.stick", 1.0, ["--dt", "0.01", "--duration", "0.1", "--set", "output.every=1", "--set", "objects.stick.velocity=[0,0,-1]"],
                       lambda shift: f"[0,0,{0.11 + shift!r}]", "materials.spring.stretch", 1.0),
              "two sheets": ("bench/two-sheets", "objects.upper", 0.2, [], lambda shift: f"[0.013,0.007,{0.005 + shift!r}]", "materials.cloth.stretch", 20.0)}
    smooth = ["--set", "acm.restitution=1", "--set", "contact.friction=0"]
    scenes["two sheets, restitution 1, no friction"] = (*scenes["two sheets"][:3], smooth, *scenes["two sheets"][4:])
    scenes["two sheets, no friction"] = (*scenes["two sheets"][:3], smooth[2:], *scenes["two sheets"][4:])
    scenes["two sheets, restitution 1"] = (*scenes["two sheets"][:3], smooth[:2], *scenes["two sheets"][4:])
    for name, (scene, moved, size, words, place, stiffness, value) in scenes.items():
        for clocks in ("binary", "free"):
            base = [*words, "--set", f"acm.contact_fraction={fraction}", "--set", f"acm.clocks={clocks}"] + (["--set", "acm.elastic_fraction=0.1"] if clocks == "free" else [])
            stem = f"order-{name.replace(',', '').replace(' ', '-')}-{clocks}"
            first = runs.run(stem, scene, *base, "--set", f"{moved}.position={place(0.0)}")
            changed = {"start": ["--set", f"{moved}.position={place(1e-12 * size)}"],
                       "stiffness": ["--set", f"{moved}.position={place(0.0)}", "--set", f"{stiffness}={value * off!r}"],
                       "clock": ["--set", f"{moved}.position={place(0.0)}", "--set", f"acm.contact_fraction={fraction * off!r}"]}
            changes = [largest_change(runs.run(f"{stem}-{what}", scene, *base, *more), first) / size for what, more in changed.items()]
            if "restitution 1" in name or name == "pogo":
                smooth_largest = max(smooth_largest, *changes)
            largest = max(largest, *changes)
            told.append(f"{name}, {clocks} clocks: {listed(changes, '{:.1e}')}")
    row("order does not matter", "largest change of a position after 0.1 s, in sizes of the body, by the start, a stiffness and `acm.contact_fraction` changed by 1e-12: "
        + "; ".join(told), "holds" if largest < 1e-9 else "holds with restitution 1" if smooth_largest < 1e-9 else "does not hold")


def strain(path):
    """The largest extension of a spring of a sheet over all frames."""
    with h5py.File(path) as file:
        ends, rest = file["model/springs/vertices"][:], file["model/springs/rest_length"][:]
        return max((np.linalg.norm(x[ends[:, 0]] - x[ends[:, 1]], axis=1) / rest).max() - 1 for x in file["frames/positions"])


def inextensible(runs):
    """A ball thrown at the curtain from 2 mm before it touches, until it would have come 30 mm far."""
    told, holds = [], True
    for speed in (1, 10, 100, 300, 1000):
        words = ["--dt", repr(0.001 / speed), "--duration", repr(0.03 / speed), "--set", f"objects.ball.velocity=[0,{speed},0]", "--set", "objects.ball.position=[0.03,-0.085,0.3]",
                 "--set", "materials.rubber.young=1e7", "--set", "output.every=1", "--set", "acm.max_layers=100000"]
        with_limit = runs.run(f"inextensible-{speed}", "curtain-small", *words)
        without = runs.run(f"extensible-{speed}", "curtain-small", *words, "--set", "materials.cloth.strain_limit=1")
        largest = strain(with_limit)
        holds = holds and largest <= 0.1
        told.append(f"{speed} m/s: {100 * largest:.1f} % and {100 * strain(without):.0f} %, layers {column(with_limit, 'deepest', 'events').max()} and "
                    f"{column(without, 'deepest', 'events').max()}, clean" + ("" if runs.intersecting(with_limit)[0] + runs.intersecting(without)[0] == 0 else ": NO"))
    row("inextensible at any speed", "largest extension of a spring with the limit of 10 % and without: " + "; ".join(told), "holds" if holds else "does not hold")


def swings(path):
    """Largest distances of the centre of mass from the middle, one for each half swing."""
    with h5py.File(path) as file:
        mass = file["model/mass"][:]
        y = np.array([mass @ x[:, 1] for x in file["frames/positions"]]) / mass.sum()
    turns = np.flatnonzero(np.diff(np.sign(y)) != 0)
    return np.array([np.abs(y[a + 1:b + 1]).max() for a, b in zip([-1, *turns], turns)])


def damping(runs):
    told, kept = [], {}
    for name, words in {"acm": [], "acm without damping": ["--set", "materials.cloth.damping.stiffness=0"],
                        "cr-full, implicit Euler": ["--solver", "cr-full", "--set", "time.scheme=implicit-euler"],
                        "the same, without damping": ["--solver", "cr-full", "--set", "time.scheme=implicit-euler", "--set", "materials.cloth.damping.stiffness=0"]}.items():
        path = runs.run("swing-" + name.replace(",", "").replace(" ", "-"), "bench/swing", *words)
        peaks = swings(path)
        kept[name] = peaks[19:21].max() / peaks[0] if len(peaks) > 20 else float("nan")
        loss = energy(path)
        told.append(f"{name} {100 * kept[name]:.0f} % ({1000 * (loss[-1] - loss[0]):.2g} mJ)")
    row("internal damping leaves swinging alone", "amplitude after 10 swings (change of energy in all): " + "; ".join(told), "holds" if kept["acm"] > 0.9 else "does not hold")


def tightness(runs):
    told, holds = [], True
    for scene in ("reef-knot-small", "compactor-small"):
        path = runs.run(scene, scene)
        parts = lambda values, how: np.array([how(part) for part in np.array_split(values, 50)])
        seconds, deepest = parts(column(path, "t_total"), np.median), parts(column(path, "deepest", "events"), np.mean)
        kicks, contacts, smallest = parts(column(path, "kicks_pair", "events"), np.mean), parts(column(path, "contacts"), np.mean), column(path, "smallest_h", "events")
        told.append(f"`{scene}`: time with the deepest layer {rank_correlation(seconds, deepest):.2f}, with contacts {rank_correlation(seconds, contacts):.2f}; kicks of layers with the deepest layer "
                    f"{rank_correlation(kicks, deepest):.2f}; the last fifth takes {seconds[-10:].mean() / seconds[:10].mean():.1f} times the time of the first, and {kicks[-10:].mean() / max(1, kicks[:10].mean()):.0f} times the kicks of layers; "
                    f"smallest step {smallest.max():.2g} to {smallest.min():.2g} s")
        holds = holds and rank_correlation(seconds, deepest) > 0.5 and rank_correlation(kicks, deepest) > 0.5
    row("cost grows with tightness", "rank correlations over fiftieths of the time: " + "; ".join(told), "holds" if holds else "does not hold")


def completes(runs):
    """Walls that close all the way, and beyond."""
    words = []
    for side, sign in (("left", ""), ("right", "-")):
        words += ["--set", f'objects.{side}.motion.translation=["{sign}0.2*min(t,0.3)/0.3",0,0]']
    path = runs.run("closed", "compactor-small", *words, "--set", "output.every=1", "--duration", "0.35", may_stop=True)
    with h5py.File(path) as file:
        status, reason = file.attrs["status"], file.attrs["reason"]
    bad, frames, judged = runs.intersecting(path)
    row("driven beyond the possible it stops by a limit", f"walls of `compactor-small` closed all the way in 0.3 s: {status} at {column(path, 'time')[-1]:.3f} s ({reason.split(':')[1].strip() if ':' in reason else reason}), "
        f"layer {column(path, 'deepest', 'events').max()}; {bad} of {frames} frames intersect, simcheck {judged}", "holds" if status == "stopped" and bad == 0 else "does not hold")


def pogo(runs):
    """The energy of a pogo stick by twelfths of the time, by how finely layers are stepped; and by the three laws of contact of section 3."""
    told, worst = [], {}
    for fraction in (0.1, 0.05, 0.02, 0.01):
        path = runs.run(f"pogo-{fraction:g}", "bench/pogo", "--duration", "100000", "--set", f"acm.contact_fraction={fraction}")
        means = [part.mean() for part in np.array_split(energy(path), 12)]
        worst[fraction] = max(means) / min(means) - 1
        told.append(f"{fraction:g}: {min(means):.4g} to {max(means):.4g} J")
    program = os.path.join(os.path.dirname(os.path.abspath(runs.simrun)), "..", "tests", "benchmarks", "pogo")
    laws = []
    for law, fraction in (("regular", 0.1), ("regular", 0.02), ("restarted", 0.1), ("restarted", 0.02), ("reflected", 0.1)) if os.path.exists(program) else ():
        parts = subprocess.run([program, law, str(fraction), "100000"], capture_output=True, text=True).stdout.split()
        laws.append(f"{law} {fraction:g}: {listed([float(mean) for mean in parts[::3]], '{:.4g}')}")
    row("energy has no trend", "pogo stick of 0.3 J, means of twelfths of 100,000 s by `acm.contact_fraction`: " + "; ".join(told) + ". By a program of its own and law: " + ("; ".join(laws) or "not built"),
        "holds for fine steps" if worst[0.02] < 0.01 else "does not hold")


def parameters(runs):
    """Walls that come as near as in the scene, in 0.3 s, with stiffness and thickness varied; nails by 30 steps from where the sheet meets them."""
    told, bad_in_all = [], 0
    walls = []
    for side, sign in (("left", ""), ("right", "-")):
        walls += ["--set", f'objects.{side}.motion.translation=["{sign}0.13*min(t,0.3)/0.3",0,0]']
    for scene, words, stiffness, thickness in (("compactor-small", [*walls, "--duration", "0.35"], 200, 4e-3), ("nails-small", ["--duration", "0.15", "--set", "objects.lower.position=[0.013,0.009,0.31]"], 20, 3e-3)):
        frames_in_all, results = 0, []
        for k in (0.1, 1, 10):
            for e in (0.5, 1, 2):
                path = runs.run(f"parameters-{scene}-{k:g}-{e:g}", scene, *words, "--set", f"acm.stiffness={stiffness * k:g}", "--set", f"acm.thickness={thickness * e:g}", may_stop=True)
                bad, frames, judged = runs.intersecting(path)
                with h5py.File(path) as file:
                    status = file.attrs["status"]
                bad_in_all, frames_in_all = bad_in_all + bad, frames_in_all + frames
                if status != "done" or judged != 0:
                    results.append(f"{stiffness * k:g} N/m with {1000 * thickness * e:g} mm {status} at {column(path, 'time')[-1]:.3g} s, simcheck {judged}")
        for v in (0, 0.5, 2):
            path = runs.run(f"parameters-{scene}-vague-{v:g}", scene, *words, "--set", "acm.culler=kds", "--set", f"acm.vagueness={v:g}", may_stop=True)
            bad, frames, judged = runs.intersecting(path)
            with h5py.File(path) as file:
                status = file.attrs["status"]
            same = min(len(column(path, "step")), len(column(os.path.join(runs.folder, f"parameters-{scene}-1-1.h5"), "step")))
            equal = np.array_equal(energy(path)[:same], energy(os.path.join(runs.folder, f"parameters-{scene}-1-1.h5"))[:same])
            bad_in_all, frames_in_all = bad_in_all + bad, frames_in_all + frames
            results.append(f"vagueness {v:g} {status} at {column(path, 'time')[-1]:.3g} s, {'the same' if equal else 'OTHER'} energies as by windows")
        told.append(f"`{scene}`: {frames_in_all} frames; " + "; ".join(results))
    row("nothing passes through anything, whatever the parameters", f"stiffness x 0.1, 1, 10 with thickness x 0.5, 1, 2, and vagueness 0, 0.5, 2: {bad_in_all} frames intersect. " + ". ".join(told),
        "holds" if bad_in_all == 0 else "does not hold")


def particles(runs):
    told, curves = [], {}
    for e in (0, 0.3, 0.7, 0.9, 1):
        path = runs.run(f"particles-{e:g}", "bench/particles", "--duration", "3", "--set", f"acm.restitution={e:g}")
        curves[e] = energy(path)
        x = positions(path)[:1800].reshape(-1, 2, 3).mean(1)[:, ::2]
        apart = np.linalg.norm(x[:, None] - x[None], axis=2) + 1e9 * np.eye(len(x))
        rise = (curves[e] - np.minimum.accumulate(curves[e])).max() / curves[e][0]
        told.append(f"e {e:g}: {curves[e][-1]:.2f} J, {100 * rise:.2f} %, {np.median(apart.min(1)):.3f} m")
    since = 5  # 0.1 s: before, what is in layers and does not come back may be more than the difference
    ordered = all((curves[a] <= curves[b] * 1.001)[since:].all() for a, b in zip((0, 0.3, 0.7, 0.9), (0.3, 0.7, 0.9, 1)))
    monotone = all((c - np.minimum.accumulate(c)).max() < 0.01 * c[0] for c in curves.values())
    row("controlled dissipation", f"900 short segments in a box, {curves[1][0]:.1f} J; after 3 s, largest rise, median distance of the nearest: " + "; ".join(told) + (". Ordered by e from 0.1 s on" if ordered else ". Not ordered by e"),
        "holds" if ordered and monotone else "does not hold")


def sludge(runs):
    past, middle = [], []
    for mu in (0, 0.1, 0.3, 0.5):
        path = runs.run(f"sludge-{mu:g}", "bench/sludge", "--set", f"contact.friction={mu:g}")
        x = positions(path)[:800].reshape(-1, 2, 3).mean(1)[:, 0]
        past.append((x > 1.5).mean())
        middle.append(x.mean())
    row("friction slows the sludge", f"400 short segments, mu 0, 0.1, 0.3, 0.5: past the edge of the box 2.5 s after its wall went {listed(100 * np.array(past))} %, their middle at {listed(middle)} m",
        "holds" if all(a > b - 0.01 for a, b in zip(middle, middle[1:])) and all(a >= b for a, b in zip(past, past[1:])) else "does not hold")  # 1 cm: what stands does not go farther


def bunny(runs):
    """Vague trajectories: a window of the compactor of a bunny by kinetic lists, at several widths of tubes, from where the walls are nearly closed."""
    whole = runs.run("bunny", "bunny-compactor-small", "--set", "output.checkpoint=20")
    window = ["--resume", whole, "--from", "140", "--duration", "0.8"]
    start = runs.run("bunny-windows", None, *window)
    told, times = [], {}
    for v in (0, 0.5, 2, 10, 50):
        path = runs.run(f"bunny-{v:g}", None, *window, "--set", "acm.culler=kds", "--set", f"acm.vagueness={v:g}")
        times[v] = runs.seconds(f"bunny-{v:g}")
        told.append(f"{v:g}: {times[v]:.1f} s" + ("" if np.array_equal(positions(path), positions(start)) else " (OTHER BITS)"))
    best, saved = min(times.values()), 1 - min(times.values()) / times[0]
    bad, frames, judged = runs.intersecting(whole)
    row("vague trajectories save some 30 %", f"`bunny-compactor-small` whole, {bad} of {frames} frames intersect, simcheck {judged}, {runs.seconds('bunny'):.0f} s; steps 140 to 160, processor time of `kds` by vagueness: {'; '.join(told)}; "
        f"by windows {runs.seconds('bunny-windows'):.1f} s", f"{100 * saved:.0f} % at the best width, {best:.1f} s")


CLAIMS = {f.__name__: f for f in (order, inextensible, damping, tightness, completes, pogo, parameters, particles, sludge, bunny)}


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("claims", nargs="*", help="of " + ", ".join(CLAIMS) + " (all)")
    parser.add_argument("--simrun", metavar="PATH", default=programs.find("simrun"), help="the program (%(default)s)")
    parser.add_argument("--limit", metavar="SECONDS", type=command_line.positive(float), default=600, help="cut off each run after so long (%(default)s)")
    parser.add_argument("-o", "--output", metavar="FOLDER", default=os.path.join(programs.TOP, "results", "acm-claims"), help="(%(default)s)")
    options = parser.parse_args()
    for claim in options.claims:
        if claim not in CLAIMS:
            parser.error(f"there is no claim {claim}; expected some of {', '.join(CLAIMS)}")
    programs.version(options.simrun)
    make_folder(options.output)
    runs = Runs(options)
    print("| claim | measured | verdict |\n|---|---|---|")
    for claim in options.claims or CLAIMS:
        CLAIMS[claim](runs)
    for line in runs.unfinished:
        print(line, file=sys.stderr)
    return 2 if runs.unfinished else 0


if __name__ == "__main__":
    sys.exit(command_line.run(main))
