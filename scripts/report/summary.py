"""The table of the page: what a run was, how it ended, and statistics of its rows of /steps.

Means, medians and worst values are over all rows, a last step that failed included. A cell keeps its number with all digits
beside the text that is shown.
"""
import collections
import json
import os

import numpy as np

Cell = collections.namedtuple("Cell", "text exact", defaults=(None,))
Row = collections.namedtuple("Row", "label meaning cells")
STAGES = {"t_integrate": "integration", "t_detect": "contact detection", "t_solve": "contact solver",
          "t_relinearize": "re-linearisation", "t_output": "output", "t_total": "whole step"}
COUNTS = {"iterations": "Iterations", "contacts": "Contacts", "active": "Active contacts", "sticking": "Sticking",
          "sliding": "Sliding", "relinearizations": "Re-linearisations"}
WORST = {"residual": "Largest residual", "constraint_error": "Largest constraint error"}
LEDGER = {"work_prescribed": "Work of prescribed motion", "work_loads": "Work of loads", "work_correction": "Work of corrections",
          "dissipation_friction": "Energy lost to friction", "dissipation_damping": "Energy lost to damping", "dissipation_scheme": "Energy lost to the scheme"}
NONE = Cell("-")


def number(value, digits=4):
    """Short for people; whole numbers as they are."""
    if isinstance(value, (int, np.integer)):
        return f"{value:,}".replace(",", "\u2009")
    if not np.isfinite(value):
        return str(float(value))
    return f"{value:.{digits}g}"


def cell(value, unit="", digits=4):
    return Cell(f"{number(value, digits)} {unit}".rstrip(), repr(value.item() if hasattr(value, "item") else value))


def seconds(value):
    if value < 1:
        return cell(value, "s")
    minutes, rest = divmod(value, 60)
    text = f"{number(value)} s" if value < 120 else f"{int(minutes // 60)} h {int(minutes % 60)} min {rest:.0f} s"
    return Cell(text, repr(float(value)))


def reason_of(result):
    """What there is to say beside the status."""
    if result.status == "running":
        return "when this page was made, or killed before"
    return " ".join(result.reason.split()) or ("" if result.status == "done" else "no reason is told")


def kinds(result):
    found = collections.Counter(object.type for object in result.objects)
    return Cell(f"{len(result.objects)}: " + ", ".join(f"{count} {kind}" for kind, count in found.items()), str(len(result.objects)))


def unknowns(result):
    """Three a vertex of deformable objects and six a rigid one. Which vertices are pinned or told is not in the file."""
    count = sum(3 * (object.vertices.stop - object.vertices.start) for object in result.objects if object.type == "deformable")
    count += sum(6 for object in result.objects if object.type == "rigid")
    told = any(object.get("boundary") for object in result.scene.get("objects", []) if isinstance(object, dict))
    return Cell(("at most " if told else "") + number(count), str(count))


def statistics(steps, name):
    if name not in steps or not len(steps):
        return NONE
    values = steps[name]
    exact = {"mean": float(values.mean()), "median": float(np.median(values)), "max": float(values.max())}
    return Cell(f"{number(exact['mean'])} ({number(exact['median'])}), max {number(exact['max'])}", json.dumps(exact))


def stage(steps, name):
    if name not in steps or not len(steps):
        return NONE
    exact = {"mean": 1e3 * float(steps[name].mean()), "median": 1e3 * float(np.median(steps[name]))}
    return Cell(f"{number(exact['mean'])} ({number(exact['median'])}) ms", json.dumps(exact))


def extreme(steps, name, worst):
    """The worst value and its step; numbers that are not finite are worse than any."""
    if name not in steps or not len(steps):
        return NONE
    values = steps[name]
    bad = np.flatnonzero(~np.isfinite(values))
    at = int(bad[0]) if len(bad) else int(worst(values))
    return Cell(f"{number(values[at])} {steps.unit(name)} in step {steps['step'][at]}", repr(float(values[at])))


def smallest_gap(steps):
    """A step without contacts has none: NaN, and 0 in older files."""
    touching = np.flatnonzero((steps["contacts"] > 0) & ~np.isnan(steps["min_gap"]))
    if not len(touching):
        return NONE
    at = touching[np.argmin(steps["min_gap"][touching])]
    return Cell(f"{number(steps['min_gap'][at])} {steps.unit('min_gap')} in step {steps['step'][at]}", repr(float(steps["min_gap"][at])))


def has_ledger(steps):
    return len(steps) > 0 and all(name in steps for name in LEDGER if name != "work_loads")  # which is younger


def ledger_sum(steps, name):
    """Of the steps that have it: a version that did not write it leaves NaN in its rows."""
    if not has_ledger(steps) or name not in steps or np.isnan(steps[name]).all():
        return NONE
    return cell(float(np.nansum(steps[name])), steps.unit(name))


def made_from_nothing(steps):
    """The most that energy less the work of what is prescribed has grown from a step to a later one: a fall of the sum of losses."""
    if not has_ledger(steps):
        return NONE
    lost = sum(steps[name] for name in LEDGER if name.startswith("dissipation_")) - steps["work_correction"]
    losses = np.concatenate([[0], np.nancumsum(lost)])
    if not np.isfinite(losses).all():
        return Cell("not a finite number", "nan")
    growth = np.maximum.accumulate(losses) - losses
    at = int(growth.argmax())
    exact = repr(float(growth[at]))
    if growth[at] <= 0:
        return Cell("0", exact)
    since = int(losses[:at + 1].argmax())
    first = steps["step"][0] - 1  # before the first row
    return Cell(f"{number(growth[at])} {steps.unit('work_prescribed')}, after step {first + since} to step {first + at}", exact)


def smallest_volume(steps):
    """NaN in steps that were not accepted, and where nothing deforms; older files have no such column."""
    if "min_volume_ratio" not in steps:
        return NONE
    known = np.flatnonzero(~np.isnan(steps["min_volume_ratio"]))
    if not len(known):
        return NONE
    at = known[np.argmin(steps["min_volume_ratio"][known])]
    return Cell(f"{number(steps['min_volume_ratio'][at])} in step {steps['step'][at]}", repr(float(steps["min_volume_ratio"][at])))


def squeezed(steps, name):
    """Steps that end with such tetrahedra, and the most of one."""
    if name not in steps or not len(steps):
        return NONE
    count = int((steps[name] > 0).sum())
    return Cell(f"{number(count)}, up to {number(steps[name].max())} tetrahedra" if count else "0", str(count))


def failures(steps):
    """Rows of /steps whose status is not 0, by their names."""
    if not len(steps):
        return NONE
    names, found = steps.status_names, collections.Counter(steps["status"][steps["status"] != 0].tolist())
    told = ", ".join(f"{count} {names.get(kind, kind)}" for kind, count in sorted(found.items()))
    total = sum(found.values())
    return Cell(f"{total}: {told}" if total else "0", str(total))


def made_steps(steps):
    if not len(steps):
        return Cell("0", "0")
    accepted = steps["step"][steps["accepted"] == 1]
    left = len(steps) - len(accepted)
    text = number(len(accepted)) + (f", to step {accepted[-1]}" if len(accepted) else "") + (f"; {left} not accepted" if left else "")
    return Cell(text, str(len(accepted)))


def reached(result):
    """Simulated time: of the newest accepted step, or frame where there is no step."""
    rows = np.flatnonzero(result.steps["accepted"] == 1) if len(result.steps) else []
    if len(rows):
        return cell(result.steps["time"][rows[-1]], "s", 6)
    return cell(result.frames.time[-1], "s", 6) if len(result.frames) else NONE


def rows(results):
    """The table, a row a quantity, a cell a run."""
    def row(label, of, meaning=""):
        return Row(label, meaning, [of(result) for result in results])

    def size(part):
        return lambda result: cell(int(sum(getattr(o, part).stop - getattr(o, part).start for o in result.objects)))

    def meaning(name):
        return next((result.steps.meaning(name) for result in results if name in result.steps), "")

    yield row("File", lambda r: Cell(os.path.basename(r.path)))
    yield row("Scene", lambda r: Cell(r.name))
    yield row("Solver", lambda r: Cell(r.solver))
    yield row("Status", lambda r: Cell(r.status, r.status), "why a run ended early is told at the top of the page")
    yield row("Steps", lambda r: made_steps(r.steps), "steps that moved the bodies")
    yield row("Simulated time", reached)
    yield row("Time step", lambda r: cell(float(r.scene["time"]["step"]), "s") if "step" in r.scene.get("time", {}) else NONE)
    yield row("Frames in the file", lambda r: cell(len(r.frames)))
    yield row("Objects", kinds)
    yield row("Vertices", size("vertices"))
    yield row("Tetrahedra", size("tets"))
    yield row("Surface triangles", size("triangles"))
    yield row("Unknowns", unknowns, "velocities: three a vertex of deformable objects that is not pinned or told how to move, six a rigid object")
    for name, label in COUNTS.items():
        yield row(f"{label} a step", lambda r, name=name: statistics(r.steps, name), f"mean (median), max; {meaning(name)}")
    yield row("Failures", lambda r: failures(r.steps), "steps with a status other than converged")
    yield row("Divided steps", lambda r: cell(int((r.steps["substeps"] > 1).sum())) if len(r.steps) else NONE, "steps made in parts")
    yield row("Smallest gap", lambda r: smallest_gap(r.steps), f"{meaning('min_gap')}; of the steps with contacts")
    yield row("Smallest volume", lambda r: smallest_volume(r.steps), meaning("min_volume_ratio"))
    yield row("Steps with tetrahedra turned inside out", lambda r: squeezed(r.steps, "inverted"), meaning("inverted"))
    yield row("Steps with extrapolated tetrahedra", lambda r: squeezed(r.steps, "extrapolated"), meaning("extrapolated"))
    for name, label in WORST.items():
        yield row(label, lambda r, name=name: extreme(r.steps, name, np.argmax), meaning(name))
    for name, label in LEDGER.items():
        yield row(label, lambda r, name=name: ledger_sum(r.steps, name), f"sum of {name}")
    yield row("Energy that nothing gave", lambda r: made_from_nothing(r.steps), "most that energy less that work has grown")
    for name, label in STAGES.items():
        yield row(f"Time a step: {label}", lambda r, name=name: stage(r.steps, name), f"mean (median); {meaning(name)}")
    yield row("Time of all steps", lambda r: seconds(float(r.steps["t_total"].sum())) if len(r.steps) else NONE, "sum of t_total")
    yield row("Threads", lambda r: cell(r.threads))
    yield row("Version", lambda r: Cell(r.program_version))
    yield row("Started from", lambda r: Cell(r.origin or "the scene"))
