"""The table of a sweep: one row a run, every number a plain statistic of the columns of /steps of its file.

Mean and median are over the rows of /steps, those of a step that failed included; `steps` counts the steps that moved the bodies,
`worst_gap` (m) is the smallest gap of those with contacts, energies (J) are those after the last of them.
"""
import csv
import os

import numpy as np

import simrun_results as sr
from common.files import replacing
from comparison.tables import lines, number, small

from . import folder as at
from . import metrics

MILLI = 1e3
STAGES = ("integrate", "detect", "solve", "relinearize", "output", "total")
AFTER_VALUES = ["status", "reason", "steps", "time", "iterations_mean", "iterations_median", "contacts_mean", "contacts_max",
                "unconverged", "divided", "worst_gap", "kinetic_energy", "elastic_energy", "potential_energy", "energy",
                *(f"{stage}_ms_{what}" for stage in STAGES for what in ("mean", "median")), "total_s", "threads", "version", "file"]
ENERGIES = ("kinetic_energy", "elastic_energy", "potential_energy")


def measures(result):
    steps = result.steps
    found = {"threads": result.threads, "version": result.program_version, "steps": 0}
    if not len(steps):
        return found
    accepted = steps["accepted"] == 1
    found["steps"] = int(accepted.sum())
    found["iterations_mean"], found["iterations_median"] = float(np.mean(steps["iterations"])), float(np.median(steps["iterations"]))
    found["contacts_mean"], found["contacts_max"] = float(np.mean(steps["contacts"])), int(np.max(steps["contacts"]))
    found["unconverged"] = int((steps["status"] != 0).sum())
    found["divided"] = int((steps["substeps"] > 1).sum())
    touching = accepted & (steps["contacts"] > 0) & ~np.isnan(steps["min_gap"])
    if touching.any():
        found["worst_gap"] = float(steps["min_gap"][touching].min())
    if accepted.any():
        last = np.flatnonzero(accepted)[-1]
        found["time"] = float(steps["time"][last])
        for name in ENERGIES:
            found[name] = float(steps[name][last])
        found["energy"] = float(steps.energy[last])
    for stage in STAGES:
        times = MILLI * steps[f"t_{stage}"]
        found[f"{stage}_ms_mean"], found[f"{stage}_ms_median"] = float(np.mean(times)), float(np.median(times))
    found["total_s"] = float(steps["t_total"].sum())
    return found


def row_of(folder, run, functions=None):
    """Status: that of the file, or changed (a result of another scene), failed (simrun gave an error or was killed), not run.
    functions: metrics of the user, whose values go to row["own"] and whose complaints to row["troubles"]."""
    path = at.file_of(folder, run["name"])
    state = at.read_json(at.state_file(folder, run["name"])) or {}
    row = {**run["values"], "file": os.path.basename(path), "status": "not run", "reason": "", "own": {}, "troubles": []}
    if os.path.exists(path):
        try:
            with sr.open(path) as result:
                row.update(measures(result), status=result.status, reason=result.reason)
                if at.digest_of_scene(result.scene) != run["scene_digest"]:
                    row.update(status="changed", reason="the result is of another scene than this sweep's")
                elif functions:
                    row["own"], row["troubles"] = metrics.columns(functions, result)
        except sr.ResultError as error:
            row.update(status="failed", reason=str(error))
    if state.get("reason") and row["status"] == "done":
        row["reason"] = f"simrun ended with exit status {state['exit_status']} all the same, {run['name']}.log tells why"
    elif state.get("reason") and row["status"] in ("not run", "running", "interrupted"):
        row.update(status="failed", reason=state["reason"])
    elif row["status"] == "running":
        lock = at.lock_of_run(folder, run["name"])
        row["reason"] = "it runs, or its machine cannot tell" if lock is None else "cut off; the same sweep goes on with it"
        if lock:
            lock.close()
            row["status"] = "cut off"
    return row


def rows_of(folder, plan):
    functions = metrics.load(plan.get("metrics", []), columns_taken(plan))
    return [row_of(folder, run, functions) for run in plan["runs"]]


def columns_taken(plan):
    return [*keys_of(plan), *AFTER_VALUES]


def own_columns(rows):
    """Of the user's metrics, in the order in which they first turn up."""
    return list(dict.fromkeys(name for row in rows for name in row["own"]))


def keys_of(plan):
    return list(plan["runs"][0]["values"]) if plan["runs"] else []


def short(reason):
    return reason.split(". The last good state")[0].replace("\n", " ").removesuffix(".")


def markdown(plan, rows):
    keys, own = keys_of(plan), own_columns(rows)
    head = [*keys, *own, "status", "steps", "iterations", "contacts", "worst gap m", "energy J", "detect ms", "solve ms", "relin. ms",
            "total ms", "total s"]
    body = []
    for row in rows:
        def mean(key, row=row):
            return number(row.get(key + "_mean"))
        body.append([*(row[key] for key in keys), *(cell(row["own"].get(name)) for name in own), row["status"], row.get("steps", "-"),
                     f"{mean('iterations')} ({number(row.get('iterations_median'))})", f"{mean('contacts')} ({row.get('contacts_max', '-')})",
                     small(row.get("worst_gap")), number(row.get("energy"), 6), mean("detect_ms"), mean("solve_ms"),
                     mean("relinearize_ms"), mean("total_ms"), number(row.get("total_s"))])
    done = sum(row["status"] == "done" for row in rows)
    versions = sorted({row["version"] for row in rows if row.get("version")})
    options = f" Options: `{' '.join(plan['options'])}`." if plan["options"] else ""
    text = [f"# Sweep of {os.path.basename(plan['scene'])}", "",
            f"{done} of {len(rows)} runs are done.{options} Program: simrun {' and '.join(versions) or '-'}. Iterations: mean (median) a step; "
            "contacts: mean (most); times: mean a step.", "", *lines(head, body), ""]
    for row in rows:
        if row["status"] != "done" or row["reason"]:
            text.append(f"- {row['file'].removesuffix('.h5')}: {row['status']}" + (f": {short(row['reason'])}" if row["reason"] else ""))
        elif row.get("unconverged"):
            text.append(f"- {row['file'].removesuffix('.h5')}: {row['unconverged']} step(s) did not converge and were accepted all the same")
        text += [f"- {row['file'].removesuffix('.h5')}: {trouble}" for trouble in row["troubles"]]
    if len(versions) > 1:
        text.append("- these are results of several versions of simrun")
    return "\n".join(text).rstrip() + "\n"


def cell(value):
    """Of a metric, for people."""
    return "-" if value is None else number(value, 6) if isinstance(value, float) else str(value)


def write(folder, plan):
    """table.md and table.csv, each replaced as a whole; the rows, the text, and where they are."""
    rows, keys = rows_of(folder, plan), keys_of(plan)
    own = own_columns(rows)
    text = markdown(plan, rows)
    paths = [os.path.join(folder, name) for name in ("table.md", "table.csv")]
    with replacing(paths[0]) as file:
        file.write(text)
    with replacing(paths[1], newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*keys, *own, *AFTER_VALUES])
        for row in rows:
            cells = {**row, **row["own"]}
            writer.writerow(["" if cells.get(key) is None else cells[key] for key in [*keys, *own, *AFTER_VALUES]])
    return rows, text, paths
