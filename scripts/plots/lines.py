"""What all plots share: names of files, lines that stay readable from one step to 100,000, and what stands below a picture.

Where there are more steps than points across the picture, several steps make one point: the line is their median, and a band goes
from the smallest to the largest, so that no peak is lost. The picture then says so.
"""
import os
import warnings

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from common.files import short_names
from simrun_results import MissingError

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F3C8D", "#4D4D4D")  # told apart by the colour-blind
STYLES = ("-", (0, (6, 2)), (0, (4, 1, 1, 1)), (0, (1, 1)))  # of files that may lie on one another
POINTS = 1000  # across a picture
MARKED = 40  # so few values are drawn as points, too: a line through one of them is nothing
OVER = {"step": ("step", "time step"), "time": ("time", "simulated time [s]")}


def color(number):
    return COLORS[number % len(COLORS)]


def style(number):
    return STYLES[number % len(STYLES)]


def checked(results):
    """A list of results, each of which has something to draw."""
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    for result in results:
        if not len(result.steps):
            raise MissingError(f"{result.path}: has no time steps yet, there is nothing to draw")
    return results


def names(results):
    return short_names([os.path.splitext(result.path)[0] for result in results])


def reduced(x, y, most=POINTS):
    """x, median, smallest and largest of groups of steps, and how many make one; the values themselves where they are few enough."""
    size = -(-len(x) // most)
    if size < 2:
        return x, y, y, y, 1
    starts = np.arange(0, len(x), size)
    table = np.full((len(starts), size), np.nan)
    table.ravel()[:len(x)] = y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # groups of nothing but NaN are gaps
        middle, low, high = (function(table, axis=1) for function in (np.nanmedian, np.nanmin, np.nanmax))
    last = np.minimum(starts + size, len(x)) - 1
    return 0.5 * (x[starts] + x[last]), middle, low, high, size


def line(axes, x, y, hue, label, dashes="-"):
    """Draws one; returns how many values make a point. Those that are not finite are gaps, and counted in the legend."""
    gaps = int((~np.isfinite(y)).sum())
    label += f" ({gaps} of {len(y)} not finite)" if gaps else ""
    shown = np.where(np.isfinite(y), y, np.nan)
    if axes.get_yscale() == "log":
        shown = np.where(shown > 0, shown, np.nan)
    x, middle, low, high, size = reduced(np.asarray(x, float), shown)
    points = np.arange(len(x)) if len(x) <= MARKED else np.flatnonzero(alone(middle))
    axes.plot(x, middle, linestyle=dashes, color=hue, lw=1, marker="." if len(points) else None, markevery=points.tolist(), label=label)
    if size > 1:
        axes.fill_between(x, low, high, color=hue, alpha=0.25, lw=0)
    return size


def alone(values):
    """Which values are between gaps, where no line reaches them?"""
    there = np.concatenate([[False], np.isfinite(values), [False]])
    return there[1:-1] & ~there[:-2] & ~there[2:]


def about(result, name):
    """One line on a file, for below the picture."""
    told = (f"{name}: {result.name}, {result.solver}, {result.threads} thread(s), simrun {result.program_version}, "
            f"{len(result.steps)} step(s), {result.status}")
    reason = " ".join(result.reason.split())
    return told + (f" ({reason[:100]}{'...' if len(reason) > 100 else ''})" if reason else "")


def new_figure(title, rows=1, columns=1, size=None):
    figure = Figure(figsize=size or (min(6.5 * columns, 15) if columns > 1 else 9, 3.6 * rows + 1.2), layout="constrained")
    figure.suptitle(title, fontsize=11)
    return figure


def finish(figure, results, notes=()):
    """What is in the picture, and what must be known of it."""
    for axes in figure.axes:
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize=7, ncols=1 + len(axes.get_legend_handles_labels()[0]) // 9)
    told = [*dict.fromkeys(note for note in notes if note), *map(about, results, names(results))]
    figure.supxlabel("\n".join(told), x=0.01, ha="left", fontsize=6.5)
    return figure


def note_of(sizes, what="steps"):
    size = max(sizes, default=1)
    return f"Up to {size} {what} make one point: line at the median, band from the smallest to the largest." if size > 1 else ""


def over_axis(axes, over):
    """The horizontal axis, of steps or of time; returns the column of /steps."""
    name, text = OVER[over]
    axes.set_xlabel(text)
    axes.margins(x=0.01)
    if name == "step":
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    return name


def label_of(result, column, text=None):
    unit = result.steps.unit(column)
    return (text or column.replace("_", " ")) + (f" [{unit}]" if unit not in ("", "1") else "")


def all_rows(steps):
    return np.ones(len(steps), bool)


def note_of_rows(results, rows):
    left_out = sum(int((~rows(result.steps)).sum()) for result in results)
    return f"{left_out} step(s) that were not accepted hold no state and are left out." if left_out else ""


def curves(results, series, title, over, unit, rows=all_rows):
    """Several curves of one result in one panel; of several results a panel a curve, with all of them in it.

    series: label -> (function of the step table, color), and the panel of a single result where that is not the first; unit: for the
    axis, with what it is that they all are; rows: which steps are drawn, a function of the step table.
    """
    single = len(results) == 1
    series = {label: (*curve, 0)[:3] for label, curve in series.items()}
    across, down = (2, -(-len(series) // 2)) if not single and len(series) > 1 else (1, 1 + max(panel for *_, panel in series.values()))
    figure = new_figure(title, down, across)
    panels, sizes = figure.subplots(down, across, squeeze=False).ravel(), []
    for number, (label, (values, own, panel)) in enumerate(series.items()):
        axes = panels[panel if single else number]
        x = over_axis(axes, over)
        for file, (result, name) in enumerate(zip(results, names(results))):
            hue, dashes, text = (own, "-", label) if single else (color(file), style(file), name)
            shown = rows(result.steps)
            sizes.append(line(axes, result.steps[x][shown], values(result.steps)[shown], hue, text, dashes))
        axes.set_ylabel(unit if single else f"{label}{', ' if panel else ' '}{unit}")
    for axes in panels[down if single else len(series):]:
        axes.set_visible(False)
    return finish(figure, results, [note_of(sizes), note_of_rows(results, rows)])
