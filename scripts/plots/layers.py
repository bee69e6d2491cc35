"""What the method acm did in each step: its kicks, its deepest layer, its smallest clock. Columns of /events."""
import numpy as np

from . import lines

CURVES = {"kicks_pair": "of layers that push", "kicks_steady": "of gravity, loads and mass damping"}


def kicks_of_elements(events):
    return sum(events[name].astype(float) for name in ("kicks_tet", "kicks_spring", "kicks_membrane", "kicks_hinge", "kicks_bend"))


def layers(results, over="time"):
    """Kicks above, layers in the middle, clocks below. Results of other methods have none of it."""
    figure = lines.new_figure("Kicks of each step, the deepest layer that it entered, and its smallest clock", 3)
    panels, sizes, notes = figure.subplots(3), [], []
    kicks, depths, clocks = panels
    for axes in panels:
        x = lines.over_axis(axes, over)
    for axes in (kicks, clocks):
        axes.set_yscale("log")
    for number, (result, name) in enumerate(zip(results, lines.names(results))):
        if not result.has_events:
            notes.append(f"{name}: {result.solver} has no layers and no clocks.")
            continue
        events, hue = result.events, lines.color(number)
        at = result.steps[x][np.searchsorted(result.steps["step"], events["step"])]
        sizes.append(lines.line(kicks, at, kicks_of_elements(events), hue, f"{name}, of elements"))
        for style, (column, label) in enumerate(CURVES.items(), 1):
            sizes.append(lines.line(kicks, at, events[column].astype(float), hue, f"{name}, {label}", lines.style(style)))
        sizes.append(lines.line(depths, at, events["deepest"].astype(float), hue, name))
        sizes.append(lines.line(clocks, at, events["smallest_h"], hue, name))
    kicks.set_ylabel("kicks a step")
    depths.set_ylabel("deepest layer")
    depths.set_ylim(bottom=0)
    clocks.set_ylabel("smallest clock [s]")
    return lines.finish(figure, results, [*notes, lines.note_of(sizes)])
