"""The figures of Verschoor & Jalba 2019, drawn from result files; every caption tells what was published."""
import os
import textwrap

import matplotlib
import numpy as np
from matplotlib import pyplot

import simrun_results as sr
from common.files import replacing

matplotlib.use("Agg")

LABEL = {"cr-full": "CR (Full)", "cr-diag": "CR (Diag)", "ica": "ICA", "sp-active-set": "SP (active set)", "sp-cr": "SP (2xCR)"}


def label(name):
    return LABEL.get(name, name)


def short(outcome):
    """Status, step and kind of failure, without the reasons and the advice."""
    return ": ".join(dict.fromkeys(outcome.split(". ")[0].split(": ")[:3]))[:120]


def save(figure, path, caption):
    lines = textwrap.wrap(caption, round(16 * figure.get_size_inches()[0]))
    figure.text(0.01, -0.01, "\n".join(lines), fontsize=8, va="top")
    with replacing(path, binary=True) as file:
        figure.savefig(file, dpi=120, bbox_inches="tight", format=os.path.splitext(path)[1][1:])
    pyplot.close(figure)
    with replacing(os.path.splitext(path)[0] + ".txt") as file:
        file.write(caption + "\n")
    print(path)


def dress(axes, across, up, legend=True):
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.3)
    if legend:
        axes.legend(fontsize=8)


def steps_of(path):
    with sr.open(path) as result:
        return dict(result.steps)


def iterations_per_step(runs, path, caption):
    """Figure 11. runs: (label, result file, dashed)."""
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for name, file, dashed in runs:
        steps = steps_of(file)
        axes.semilogy(steps["step"], np.maximum(steps["iterations"], 1), "--" if dashed else "-", lw=0.8, label=name)
    dress(axes, "time step", "iterations a step")
    save(figure, path, caption)


def totals_over_steps(runs, path, caption):
    """Figure 10. runs: (label, result file)."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    for name, file in runs:
        steps = steps_of(file)
        left.plot(steps["step"], np.cumsum(steps["t_total"]), label=name)
        right.plot(steps["step"], np.cumsum(steps["iterations"]), label=name)
    for axes, what in ((left, "run time so far [s]"), (right, "iterations so far")):
        axes.set_yscale("log")
        dress(axes, "time step", what)
    save(figure, path, caption)


def over_time_steps(runs, path, caption):
    """Figure 9. runs: (dt, result file)."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    totals = []
    for dt, file in runs:
        steps = steps_of(file)
        left.semilogy(steps["time"], np.maximum(steps["iterations"], 1), lw=0.8, label=f"dt {dt:g} s")
        totals.append(steps["iterations"].sum() / steps["time"][-1])
    right.bar([f"{dt:g}" for dt, _ in runs], totals)
    dress(left, "simulated time [s]", "iterations a step")
    dress(right, "dt [s]", "iterations a simulated second", legend=False)
    save(figure, path, caption)


def over_stiffness(runs, path, caption):
    """Section 6.1. runs: (young, result file)."""
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    totals = np.array([steps_of(file)["iterations"].sum() for _, file in runs], float)
    axes.semilogx([young for young, _ in runs], totals / totals[0], "o-")
    axes.set_ylim(bottom=0)
    dress(axes, "E [Pa]", f"iterations in all over those at {runs[0][0]:g} Pa", legend=False)
    save(figure, path, caption)


def trace_of(path, step):
    with sr.open(path) as result:
        return result.trace.step(step)


def convergence(runs, step, path, caption):
    """Figure 6. runs: (label, result file with /trace)."""
    figure, all_axes = pyplot.subplots(1, len(runs), figsize=(6 * len(runs), 4.5), squeeze=False)
    for axes, (name, file) in zip(all_axes[0], runs):
        trace = trace_of(file, step)
        axes.semilogy(trace.residual, lw=0.8, label="residual")
        axes.semilogy(trace.preconditioned_residual, lw=0.8, label="preconditioned residual")
        axes.semilogy(trace.constraint_residual, lw=0.8, label="constraint residual")
        anew = np.nonzero(trace.mark == 2)[0]
        axes.plot(anew, trace.preconditioned_residual[anew], "ko", mfc="none", label="constraints made anew")
        axes.set_title(f"{name}, step {step}")
        dress(axes, "iteration", "")
    save(figure, path, caption)


def delassus(series, path, caption):
    """Figure 12. series: scene -> list of (contacts, seconds of CR (Full), seconds to build the Delassus operator)."""
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for (name, points), color in zip(series.items(), ("C0", "C1", "C2", "C3")):
        contacts, ours, built = np.array(sorted(points)).T
        axes.loglog(contacts, built, "s--", color=color, label=f"{name}: building $L A^{{-1}} L^T$")
        axes.loglog(contacts, ours, "o-", color=color, label=f"{name}: CR (Full), the whole solve")
    dress(axes, "contacts", "time [s]")
    save(figure, path, caption)


def rounds(series, path, caption):
    """Histogram of Otaduy et al. 2009, section 6. series: name -> rounds of each step with contacts."""
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    most = 11  # and more
    width = 0.8 / len(series)
    for k, (name, values) in enumerate(series.items()):
        counts = np.bincount(np.minimum(values.astype(int), most), minlength=most + 1)[1:]
        axes.bar(np.arange(1, most + 1) + (k - (len(series) - 1) / 2) * width, 100 * counts / max(1, counts.sum()), width, label=name)
    axes.set_xticks(range(1, most + 1), [*map(str, range(1, most)), f"{most}+"])
    dress(axes, "rounds until the step is valid", "steps with contacts [%]")
    save(figure, path, caption)
