"""The force between objects over time, summed over their contacts: of runs with output.contacts."""
import fnmatch
import re

import numpy as np

from simrun_results import MissingError

from . import lines

PARTS = ("x", "y", "z", "length")
SUMS = ("normal forces", "friction forces")  # their lengths, added up


def objects_of(result, name):
    """An object by its name; all copies of one (heap: heap.1, heap.2 ...); or those that fit a pattern with *."""
    exact = [found for found in result.objects if found.name == name]
    copies = [found for found in result.objects if re.fullmatch(re.escape(name) + r"\.\d+", found.name)]
    fitting = [found for found in result.objects if "*" in name and fnmatch.fnmatchcase(found.name, name.replace("[", "[[]"))]
    return exact or copies or fitting or [result.object(name)]  # which complains


def check(result, first, second=None):
    """Complains where there are no contacts to draw, or no such objects, or one is asked for its force on itself."""
    if len(result.frames) < 2:
        raise MissingError(f"{result.path}: has no frame after the first yet, there are no forces to draw")
    result.frames[1].contacts.sides(objects_of(result, first), second and objects_of(result, second))


def history(result, first, second=None):
    """Frames that were solved for, and of each x, y, z and length of the force on `first`, and the sums. Frame 0 has no contacts."""
    check(result, first, second)
    first, second = objects_of(result, first), second and objects_of(result, second)
    rows = []
    for frame in result.frames[1:]:
        contacts = frame.contacts
        sides = contacts.sides(first, second)
        there = sides != 0
        force = np.sum(contacts.force * sides[:, None], axis=0)
        rows.append([*force, np.linalg.norm(force), contacts.lambda_[there].sum(), np.linalg.norm(contacts.friction[there], axis=1).sum()])
    return slice(1, 1 + len(rows)), np.array(rows)


def force(results, over="time", objects=()):
    """objects: one, against all others, or two. Of one result two panels; of several a panel for each of the lines."""
    names = [objects] if isinstance(objects, str) else list(objects)
    if len(names) not in (1, 2):
        raise ValueError(f"the force is drawn of one object, against all others, or between two; {len(names)} are named")
    many = len(results) > 1
    title = f"Force on {names[0]} of {names[1] if len(names) > 1 else 'all others'}, at each frame"
    figure = lines.new_figure(title, 3 if many else 2, 2 if many else 1)
    panels, sizes = figure.subplots(3 if many else 2, 2 if many else 1, squeeze=False).ravel(), []
    for number, (result, name) in enumerate(zip(results, lines.names(results))):
        rows, values = history(result, *names)
        for column, label in enumerate((*PARTS, *SUMS)):
            axes = panels[column if many else column // len(PARTS)]
            x = getattr(result.frames, lines.over_axis(axes, over))[rows]
            hue, dashes, text = (lines.color(number), lines.style(number), name) if many else (own_color(column), "--" if label == "length" else "-", label)
            sizes.append(lines.line(axes, x, values[:, column], hue, text, dashes))
            of = label if many else ("force", "sum of the lengths")[column // len(PARTS)]
            axes.set_ylabel(f"{of} [N]")
    return lines.finish(figure, results, [lines.note_of(sizes, "frames")])


def own_color(column):
    """Of the length black, so that it is told from the components."""
    return "black" if column == len(PARTS) - 1 else lines.color(column if column < len(PARTS) else column - 1)
