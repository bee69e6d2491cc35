"""Residuals: at the end of each step from /steps and, where there is a /trace, iteration by iteration of one step."""
import numpy as np

from simrun_results import MARKS

from . import lines
from .steps import failures

# In tolerances, or as published in kg m/s and m (docs/result-format.md).
CURVES = {"residual": "residual", "preconditioned_residual": "preconditioned residual",
          "constraint_residual": "constraint residual"}
ANEW, CHANGED, RELAXED = 2, 1, 3


def residuals(results, over="step", step=None):
    """step: which one of the trace; that with the most iterations, else."""
    if step is not None:
        for result in results:
            result.trace.step(step)  # complains where there is none
    traced = [(result, name) for result, name in zip(results, lines.names(results)) if result.has_trace and result.trace.iterations.any()]
    columns = max(1, min(3, len(traced)))
    rows = 1 + -(-len(traced) // columns)
    figure = lines.new_figure("Residual of the contact solver" + (", by time step and by iteration" if traced else ", by time step"),
                              rows, columns)
    grid = figure.add_gridspec(rows, columns)
    notes = by_step(figure.add_subplot(grid[0, :]), results, over)
    for number, (result, name) in enumerate(traced):
        axes = figure.add_subplot(grid[1 + number // columns, number % columns])
        notes.append(by_iteration(axes, result, chosen(result, step), name if len(results) > 1 else ""))
    return lines.finish(figure, results, notes)


def chosen(result, step):
    if step is not None:
        return step
    return int(result.trace.steps[np.argmax(result.trace.iterations)])


def by_step(axes, results, over):
    x, sizes, notes = lines.over_axis(axes, over), [], []
    axes.set_yscale("log")
    for number, (result, name) in enumerate(zip(results, lines.names(results))):
        steps, values = result.steps, result.steps["residual"]
        sizes.append(lines.line(axes, steps[x], values, lines.color(number), name))
        failures(axes, steps[x], np.where(values > 0, values, np.nan), steps["status"], name)
        zero, odd = int((values == 0).sum()), int((~np.isfinite(values)).sum())
        notes += [f"{name}: the residual of {zero} step(s) is zero, which has no place on this axis."] if zero else []
        notes += [f"{name}: the residual of {odd} step(s) is not a finite number."] if odd else []
    axes.set_ylabel(lines.label_of(results[0], "residual", "at the end of the step"))
    return [lines.note_of(sizes), *notes]


def by_iteration(axes, result, step, name):
    """With what the marks of the trace say. A preconditioned residual of zero was not computed there."""
    trace = result.trace.step(step)
    axes.set_yscale("log")
    iteration = 1 + np.arange(len(trace))
    sizes = [lines.line(axes, iteration, getattr(trace, column), lines.color(number), label)
             for number, (column, label) in enumerate(CURVES.items())]
    anew = np.flatnonzero(trace.mark == ANEW)
    if len(anew):
        axes.plot(iteration[anew], trace.residual[anew], "ko", mfc="none", ms=6, label=MARKS[ANEW])
    for mark, shade, height in ((CHANGED, "#444444", 0.06), (RELAXED, "#CC0000", 0.02)):
        there = iteration[trace.mark == mark]
        if len(there):
            axes.plot(there, np.full(len(there), height), "|", color=shade, ms=6, transform=axes.get_xaxis_transform(),
                      label=MARKS[mark])
    most = ", the most of all that were traced" if len(trace) == result.trace.iterations.max() and len(result.trace) > 1 else ""
    axes.set_title((name + ", " if name else "") + f"step {step}: {len(trace)} iterations with contacts{most}", fontsize=9)
    axes.set_xlabel("iteration")
    return lines.note_of(sizes, f"iterations of step {step}")
