"""Wall time a step, by stage. What t_total has beyond the stages is drawn as the rest."""
import numpy as np

from . import lines

STAGES = {"t_integrate": "integration", "t_detect": "detection", "t_solve": "contact solver", "t_relinearize": "re-linearisation",
          "t_output": "writing"}
REST = "rest"
SHADES = {**{label: lines.color(number) for number, label in enumerate(STAGES.values())}, REST: "#BBBBBB"}
BEYOND = 2.0  # times the height that all but a hundredth of the points stay below: what is higher is cut off, and told
BARS = 40  # steps; more are areas
POINTS = 300  # means of several steps each, where there are more


def by_stage(steps):
    """label -> s a step; they sum up to t_total."""
    found = {label: steps[name] for name, label in STAGES.items()}
    found[REST] = steps["t_total"] - sum(found.values())
    return found


def means(values, size):
    """Of groups of `size` steps; the last may be smaller."""
    starts = np.arange(0, len(values), size)
    return np.add.reduceat(values, starts) / np.diff([*starts, len(values)])


def timings(results, over="step"):
    columns = min(2, len(results))
    rows = -(-len(results) // columns)
    foot = 0.8 + 0.35 * len(results)
    figure = lines.new_figure("Wall time of each step, by stage", size=(14 if columns > 1 else 9, 3.3 * rows + foot + 1.5))
    grid = figure.add_gridspec(rows + 1, columns, height_ratios=[3.3] * rows + [foot])
    notes, shared, heights = [], None, []
    for number, (result, name) in enumerate(zip(results, lines.names(results))):
        axes = shared = figure.add_subplot(grid[number // columns, number % columns], sharey=shared)
        heights.append(stacked(axes, result, over))
        size = group(result)
        notes.append(f"Up to {size} steps make one point, at their mean." if size > 1 else "")
        axes.set_title(name if len(results) > 1 else "", fontsize=9)
    notes += cut(shared, heights, lines.names(results))
    totals(figure.add_subplot(grid[rows, :]), results)
    return lines.finish(figure, results, notes)


def group(result):
    return -(-len(result.steps) // POINTS)


def cut(axes, heights, names):
    """A few long steps must not flatten all others: the axis ends where they are told to go beyond it."""
    usual = max(np.percentile(values, 99) for values in heights)
    highest = max(values.max() for values in heights)
    if usual <= 0 or highest <= BEYOND * usual:
        return []
    limit = BEYOND * usual
    axes.set_ylim(0, limit)
    return [f"{name}: {np.sum(values > limit)} point(s) beyond this axis, up to {values.max():.4g} ms a step."
            for name, values in zip(names, heights) if values.max() > limit]


def stacked(axes, result, over):
    """Returns the height of each point, in ms."""
    found, count = by_stage(result.steps), len(result.steps)
    x, size = np.asarray(result.steps[lines.over_axis(axes, over)], float), group(result)
    heights = [1e3 * means(values, size) for values in found.values()]
    hues = [SHADES[label] for label in found]
    if count <= BARS:
        below, width = np.zeros(count), 0.8 * (np.diff(x).min() if count > 1 else 1)
        for values, hue, label in zip(heights, hues, found):
            axes.bar(x, values, width, below, color=hue, label=label)
            below = below + values
        axes.set_xlim(x[0] - width, x[-1] + width)
    else:
        axes.stackplot(means(x, size), heights, colors=hues, labels=found, lw=0)
        axes.margins(x=0)
    axes.set_ylabel("ms a step")
    return sum(heights)


def totals(axes, results):
    """A bar a file: the seconds of all its steps."""
    for row, result in enumerate(results):
        left, whole = 0.0, result.steps["t_total"].sum()
        for label, values in by_stage(result.steps).items():
            seconds = values.sum()
            axes.barh(row, seconds, left=left, color=SHADES[label], height=0.7)
            if seconds > 0.07 * max(r.steps["t_total"].sum() for r in results):
                axes.text(left + seconds / 2, row, f"{seconds:.3g} s\n{seconds / whole:.0%}", ha="center", va="center", fontsize=7)
            left += seconds
    axes.set_yticks(range(len(results)), lines.names(results), fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("s, all steps together")
