"""The page of a benchmark: what was run, on what, and the published figures beside those that were measured."""
import csv
import os

from benchmarks import catalogue, place
from common.files import replacing
from comparison import tables


def rows_of(folder):
    """part -> method -> row of comparison.csv."""
    found = {"window": {}, "full": {}}
    with open(os.path.join(folder, "comparison.csv"), newline="") as file:
        for row in csv.DictReader(file):
            found[row["part"]][row["solver"]] = row
    return found


def seconds(row, key):
    return number(float(row[key]) / 1e3) if row.get(key) else "-"


def number(value):
    return f"{float(value):.3g}" if value not in ("", None) else "-"


def pair(pair_of_numbers):
    return "{:g} ({:g})".format(*pair_of_numbers)


HEAD = ["scene", "method", "from", "resolution s", "collision s", "total s", "iterations", "constraints", "iterations, CR (Full) = 1",
        "failures", "steps"]


def published_row(scene, method):
    row, base = catalogue.TABLE_1.get((scene, method)), catalogue.TABLE_1.get((scene, "cr-full"))
    if not row:
        return None
    return [scene, method, "published", pair(row.resolution), f"{row.collision:g}", pair(row.total), pair(row.iterations),
            pair(row.constraints), f"{row.iterations[0] / base.iterations[0]:.3g}", "-", "-"]


def measured_row(scene, method, row, what):
    both = lambda key: f"{seconds(row, key + '_mean')} ({seconds(row, key + '_median')})"
    iterations = f"{number(row['iterations_mean'])} ({number(row['iterations_median'])})"
    steps = row["steps"] if row["status"] == "done" else f"{row['steps']}, {row['status']}"
    return [scene, method, what, both("resolution_ms"), seconds(row, "collision_ms_mean"), both("total_ms"), iterations,
            number(row["constraints_mean"]), number(row["iterations_ratio"]), row["failures"] or "-", steps]


def table(scene, rows):
    """Markdown lines: every method, published and measured."""
    body = []
    for method in dict.fromkeys([*rows["window"], *rows["full"]]):
        body.append(published_row(scene, method))
        body += [measured_row(scene, method, rows[part][method], part) for part in ("window", "full") if method in rows[part]]
    return [row for row in body if row]


LEGEND = """Means (medians) a time step. *published*: Verschoor & Jalba 2019, Table 1, over the whole simulation, each method on its own
trajectory, one core of an AMD FX-8350 at 4 GHz. *window*: measured from one checkpoint over the same steps for all; *full*: each on its
own trajectory from the start. An iteration of one method costs not what one of another does. *constraints* are contacts that push; how
the paper counts is not told. *failures* are steps that did not converge: their iterations and times are in the means."""


def command_lines(commands):
    return ["", *("    " + command for command in commands), ""]


def write(folder, title, facts, body, pictures, verdicts=(), name="README.md"):
    """The page of the folder; returns its path."""
    text = [f"# {title}", "", *facts, "", *body, ""]
    for picture, caption in pictures:
        text += [f"![{caption.split(' (')[0]}]({picture})", "", caption, ""]
    if verdicts:
        text += ["## simcheck", "", *verdicts, ""]
    path = os.path.join(folder, name)
    with replacing(path) as file:
        file.write("\n".join(text).rstrip() + "\n")
    return path


def facts(version, command, threads):
    return [f"{version}, {threads} thread(s), {place.machine()}.", *command_lines([command])]


def markdown_table(rows):
    return list(tables.lines(HEAD, rows))
