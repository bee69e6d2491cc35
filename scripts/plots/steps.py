"""Plots of columns of /steps: iterations, constraints, energy, momentum, volumes."""
import numpy as np

from . import lines

LOGARITHMIC = 10  # times the usual number of iterations: where a step takes more, the axis is logarithmic


def failures(axes, x, y, status, name=""):
    """A cross on every step that did not converge; `name` says of which file."""
    failed = np.flatnonzero((status != 0) & np.isfinite(y))
    if len(failed):
        axes.plot(x[failed], y[failed], "x", color="#CC0000", ms=5, label=f"{name} not converged: {len(failed)} of {len(status)} steps")


def usual(result):
    """Median of the steps that take any iterations."""
    some = result.steps["iterations"][result.steps["iterations"] > 0]
    return np.median(some) if len(some) else 1


def iterations(results, over="step"):
    figure = lines.new_figure("Iterations of the solver, all solves of a step together")
    axes = figure.subplots()
    x = lines.over_axis(axes, over)
    if max(result.steps["iterations"].max() for result in results) > LOGARITHMIC * min(map(usual, results)):
        axes.set_yscale("symlog", linthresh=1)  # steps without contacts take none
    sizes = []
    for number, (result, name) in enumerate(zip(results, lines.names(results))):
        steps = result.steps
        total = f", {steps['iterations'].sum()} in all"
        sizes.append(lines.line(axes, steps[x], steps["iterations"], lines.color(number), name + total))
        failures(axes, steps[x], steps["iterations"], steps["status"], name)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("iterations a step")
    return lines.finish(figure, results, [lines.note_of(sizes)])


def column(name):
    return lambda steps: steps[name]


def constraints(results, over="time"):
    shades = {"contacts": "#999999", "active": "black", "sticking": lines.color(0), "sliding": lines.color(1)}
    figure = lines.curves(results, {name: (column(name), shade) for name, shade in shades.items()},
                          "Contacts of the last solve of each step: all, those that push (active), and what these do", over, "contacts")
    for axes in figure.axes:
        axes.set_ylim(bottom=0)
        axes.set_ylabel(axes.get_ylabel().replace("contacts contacts", "contacts"))
    return figure


def accepted(steps):
    """Which rows hold a state: energies and momenta of the others are 0."""
    return steps["accepted"] != 0


def contact_energy(steps):
    """What contacts give back: of acm only."""
    return steps["contact_energy"] if "contact_energy" in steps else np.zeros(len(steps))


LEDGER = {"work of prescribed motion": "work_prescribed", "work of loads": "work_loads", "work of corrections": "work_correction", "lost to friction": "dissipation_friction",
          "lost to damping": "dissipation_damping", "lost to the scheme": "dissipation_scheme"}


def of_ledger(steps, name):
    """Before there were loads they gave nothing."""
    if name != "work_loads":
        return steps[name]
    values = steps[name] if name in steps else np.zeros(len(steps))
    return np.where(np.isnan(values) & ~np.isnan(steps["work_prescribed"]), 0.0, values)


def summed(values):
    """Since the first step that has a value; those before, of a version without such a column, have none."""
    return np.where(np.isnan(values), np.nan, np.nancumsum(values))


def change(steps):
    """Of the total energy, as the ledger has it."""
    prescribed, loads, correction, *losses = (of_ledger(steps, name) for name in LEDGER.values())
    return prescribed + loads + correction - sum(losses)


def energy(results, over="time"):
    """Where all files have a ledger, its sums are drawn in a second panel."""
    series = {name: (column(name + "_energy"), lines.color(number)) for number, name in enumerate(("kinetic", "elastic", "potential"))}
    if any(contact_energy(result.steps).any() for result in results):
        series["in contacts"] = contact_energy, lines.color(3)
    series["total"] = lambda steps: steps.energy, "black"
    title = "Energy at the end of each step (potential: of gravity, zero at the origin)"
    if all(name in result.steps for result in results for name in LEDGER.values() if name != "work_loads"):
        for number, (label, name) in enumerate(LEDGER.items()):
            series[label] = lambda steps, name=name: summed(of_ledger(steps, name)), lines.color(number), 1
        series["change of the total"] = lambda steps: summed(change(steps)), "black", 1
        title += "\nSince the start: its change, and what made it"
    return lines.curves(results, series, title, over, lines.label_of(results[0], "kinetic_energy", "energy"), accepted)


def part(name, axis):
    return lambda steps: steps[name][:, axis]


def momentum(results, over="time"):
    """Of one result the components in one panel; of several results a panel a component."""
    many = len(results) > 1
    figure = lines.new_figure("Momentum at the end of each step; angular momentum about the origin", 2, 2 if many else 1)
    panels, sizes = figure.subplots(2, 3 if many else 1, squeeze=False), []
    for row, name in enumerate(("momentum", "angular_momentum")):
        for axis, letter in enumerate("xyz"):
            axes = panels[row][axis if many else 0]
            x = lines.over_axis(axes, over)
            for number, (result, file) in enumerate(zip(results, lines.names(results))):
                hue, dashes, text = (lines.color(number), lines.style(number), file) if many else (lines.color(axis), "-", letter)
                shown = accepted(result.steps)
                sizes.append(lines.line(axes, result.steps[x][shown], part(name, axis)(result.steps)[shown], hue, text, dashes))
            axes.set_ylabel(lines.label_of(results[0], name, name.replace("_", " ") + (f", {letter}" if many else "")))
    return lines.finish(figure, results, [lines.note_of(sizes), lines.note_of_rows(results, accepted)])


def volumes(results, over="time"):
    """The most squeezed tetrahedron above, how many are turned inside out or extrapolated below. Older files have none of it."""
    figure = lines.new_figure("Volume of the most squeezed tetrahedron over that at rest, at the end of each step", 2)
    (ratios, counts), sizes, notes = figure.subplots(2), [], []
    for axes in (ratios, counts):
        x = lines.over_axis(axes, over)
    for number, (result, name) in enumerate(zip(results, lines.names(results))):
        if "min_volume_ratio" not in result.steps:
            notes.append(f"{name}: its version of simrun did not record volumes.")
            continue
        steps, hue = result.steps, lines.color(number)
        shown = accepted(steps) & ~np.isnan(steps["min_volume_ratio"])
        if not shown.any():
            notes.append(f"{name}: no tetrahedra that deform.")
            continue
        sizes.append(lines.line(ratios, steps[x][shown], steps["min_volume_ratio"][shown], hue, name))
        for count, dashes in (("inverted", "-"), ("extrapolated", lines.style(1))):
            sizes.append(lines.line(counts, steps[x][shown], steps[count][shown], hue, f"{name}, {count}", dashes))
    ratios.set_ylim(bottom=min(0, ratios.get_ylim()[0]))
    ratios.set_ylabel("volume over that at rest")
    if not counts.dataLim.y1 > 0:
        counts.set_ylim(0, 1)
    counts.set_ylabel("tetrahedra")
    return lines.finish(figure, results, [*notes, lines.note_of(sizes), lines.note_of_rows(results, accepted)])
