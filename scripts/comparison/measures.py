"""Numbers of the runs for scripts/compare.py: every one a plain statistic of columns of /steps.

Mean and median are over the rows of /steps of a run, those of steps that failed included. Of repeated runs the median of
each statistic is told. Agreement, of the last states a and r (reference) that began at x0:
    positions |x_a - x_r| / |x_r - x0|,   velocities |v_a - v_r| / |v_r|.
"""
import numpy as np

MILLI = 1e3


def resolution(steps):
    return MILLI * (steps["t_solve"] + steps["t_relinearize"])


SERIES = {  # name in the table: the values of all steps
    "iterations": lambda steps: steps["iterations"],
    "products": lambda steps: steps["products"],
    "passes": lambda steps: steps["passes"],
    "factorisations": lambda steps: steps["factorisations"],
    "resolution_ms": resolution,
    "collision_ms": lambda steps: MILLI * steps["t_detect"],
    "total_ms": lambda steps: MILLI * steps["t_total"],
}


def statistics(run):
    steps = run.steps
    if not len(steps.get("step", ())):
        return {}
    found = {}
    for name, series in SERIES.items():
        found[name + "_mean"], found[name + "_median"] = float(np.mean(series(steps))), float(np.median(series(steps)))
    found["constraints_mean"] = float(np.mean(steps["active"]))
    found["relinearizations_mean"] = float(np.mean(steps["relinearizations"]))
    found["rows"] = len(steps["step"])
    found["failures"] = int((steps["status"] != 0).sum())
    found["by_its_rule"] = int((steps["by_its_rule"] > 0).sum())
    found["divided"] = int((steps["substeps"] > 1).sum())
    found["parts_mean"] = float(np.mean(steps["substeps"]))
    found["overlap_worst"] = float(np.max(steps["overlap"])) if "overlap" in steps else 0.0  # older files have none
    found["residual_worst"] = float(np.max(steps["residual"]))
    found["constraint_error_worst"] = float(np.max(steps["constraint_error"]))
    return found


def over_runs(runs):
    """The median of each statistic; failures the most of all runs, residuals the worst."""
    all_found = [found for found in map(statistics, runs) if found]
    if not all_found:
        return {}
    counts = ("rows", "failures", "by_its_rule", "divided", "overlap_worst", "residual_worst", "constraint_error_worst")
    return {key: (np.max if key in counts else np.median)([found[key] for found in all_found]).item()
            for key in all_found[0]}


def accepted(run):
    """Steps that moved the bodies; only the last of a run can be another one."""
    return int((run.steps.get("accepted", np.zeros(0)) == 1).sum())


def described(name, runs):
    """Status and statistics; of several runs the one that went worst gives the status."""
    worst = min(runs, key=lambda run: (run.status == "done", len(run.steps.get("step", ()))))
    return {"solver": name, "status": worst.status, "outcome": worst.outcome(), "steps": accepted(worst),
            "runs": len(runs), **over_runs(runs)}


RATIOS = {"iterations_ratio": "iterations", "products_ratio": "products", "resolution_ratio": "resolution_ms", "total_ratio": "total_ms"}


def ratios(runs, reference, processors):
    """Iterations and time over the reference's of the same turn, in the steps that both have made: one that failed is not
    cheap. Seconds of the processor are those of whole runs: only where both got to the end. Median, least and most of all turns."""
    found = {key: [] for key in (*RATIOS, "processor_ratio")}
    for ours, theirs, (own, others) in zip(runs, reference, processors):
        rows = min(accepted(ours), accepted(theirs))
        if not rows:
            continue
        for key, name in RATIOS.items():
            a, r = (float(SERIES[name](run.steps)[:rows].sum()) for run in (ours, theirs))
            found[key].append(a / r if r else float("nan"))
        if own and others:
            found["processor_ratio"].append(own / others)
    return {name: float(of(values)) for key, values in found.items() if values
            for name, of in ((key, np.median), (key + "_least", np.min), (key + "_most", np.max))}


def relative(difference, size):
    difference, size = np.linalg.norm(difference), np.linalg.norm(size)
    return float(difference / size) if size else float(difference > 0) * float("inf")


def agreement(run, reference):
    """None where they did not end at the same step."""
    ends = [r.frame_step[-1] if len(r.frame_step) else None for r in (run, reference)]
    finished = run.status == "done" and reference.status == "done"
    if not finished or ends[0] is None or ends[0] != ends[1]:
        return None, None
    (x, v), (xr, vr), (x0, _) = run.last, reference.last, reference.first
    return relative(x - xr, xr - x0), relative(v - vr, vr)


def same_start(run, reference):
    """Both states bit for bit; where a run has left none, nothing is known."""
    if not len(run.frame_step) or not len(reference.frame_step):
        return None
    return all(np.array_equal(a, b) for a, b in zip(run.first, reference.first))


def processor_of_window(run, first):
    """s a step of the steps after the first one: what reading and starting takes is in both. What was cut off had begun another one."""
    if run.status == "done" and run.processor and first.processor and accepted(first) == 1 and accepted(run) > 1:
        spent = (run.processor - first.processor) / (accepted(run) - accepted(first))
        return spent if spent > 0 else None  # of some steps of a millisecond it is all scatter
    return None


def processor_of_full(run):
    """s a step, start included."""
    return run.processor / accepted(run) if run.status == "done" and run.processor and accepted(run) else None


def median_of_known(values):
    known = [value for value in values if value]
    return float(np.median(known)) if known else None


def of_window(name, windows, firsts, reference):
    row = described(name, windows[name])
    own, others = ([processor_of_window(run, firsts[method]) for run in windows[method]] for method in (name, reference))
    row["processor_s"] = median_of_known(own)
    row.update(ratios(windows[name], windows[reference], zip(own, others)))
    row["first_outcome"] = firsts[name].outcome()
    row["first_constraints"] = statistics(firsts[name]).get("constraints_mean")
    row["first_positions"], row["first_velocities"] = agreement(firsts[name], firsts[reference])
    row["end_positions"], row["end_velocities"] = agreement(windows[name][0], windows[reference][0])
    row["same_start"] = all(same_start(run, windows[reference][0]) is not False for run in (firsts[name], *windows[name]))
    row["repeatable"] = repeatable(windows[name])
    return row


def repeatable(runs):
    """Do repeated runs end in the same state, bit for bit?"""
    whole = [run for run in runs if len(run.frame_step)]
    return len({run.frame_step[-1] for run in whole}) <= 1 and all(
        np.array_equal(a, b) for run in whole[1:] for a, b in zip(run.last, whole[0].last))


def of_full(name, fulls, reference):
    """States are not compared: after some hundred steps of a heap, trajectories have nothing to do with each other."""
    own, others = ([processor_of_full(run) for run in fulls[method]] for method in (name, reference))
    return {**described(name, fulls[name]), "processor_s": median_of_known(own),
            **ratios(fulls[name], fulls[reference], zip(own, others)), "repeatable": repeatable(fulls[name])}
