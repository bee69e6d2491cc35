"""The tables of scripts/compare.py: Markdown for people, CSV with all digits for programs."""
import collections
import csv
import os

from common.files import replacing

About = collections.namedtuple("About", "scene reference start end steps repeat repeat_full threads version settings")
Written = collections.namedtuple("Written", "text markdown csv")

COLUMNS = ["part", "solver", "status", "outcome", "runs", "steps", "iterations_mean", "iterations_median",
           "products_mean", "products_median", "passes_mean", "passes_median", "factorisations_mean", "factorisations_median",
           "resolution_ms_mean", "resolution_ms_median", "collision_ms_mean", "collision_ms_median", "total_ms_mean",
           "total_ms_median", "processor_s", "constraints_mean", "relinearizations_mean", "failures", "by_its_rule", "divided", "parts_mean", "overlap_worst", "residual_worst",
           "constraint_error_worst", "iterations_ratio", "products_ratio", "resolution_ratio", "total_ratio", "total_ratio_least", "total_ratio_most",
           "processor_ratio", "processor_ratio_least", "processor_ratio_most", "first_positions", "first_velocities", "end_positions", "end_velocities"]

OWN_STEP = ("local", "acm")


def number(value, digits=3):
    return "-" if value is None else f"{value:.{digits}g}" if value < 1e4 else f"{value:.0f}"


def pair(row, key, digits=3):
    return f"{number(row.get(key + '_mean'), digits)} ({number(row.get(key + '_median'), digits)})"


def small(value):
    return "-" if value is None else f"{value:.1e}"


def lines(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(str(cell).replace("|", "/").replace("\n", " ") for cell in row) + " |"


def main_table(rows):
    head = ["method", "status", "steps", "iterations", "products with A", "passes", "factorisations", "resolution ms", "collision ms", "total ms", "processor s a step", "constraints",
            "re-lin.", "failures", "by rule", "divided", "residual kg m/s", "constraint m"]
    body = [[row["solver"], row["status"], row["steps"], pair(row, "iterations"), pair(row, "products"), number(row.get("passes_mean")),
             number(row.get("factorisations_mean")), pair(row, "resolution_ms"),
             pair(row, "collision_ms"), pair(row, "total_ms"), number(row.get("processor_s")), number(row.get("constraints_mean")),
             number(row.get("relinearizations_mean")), row.get("failures", "-"), row.get("by_its_rule", "-"), row.get("divided", "-"),
             small(row.get("residual_worst")), small(row.get("constraint_error_worst"))] for row in rows]
    return lines(head, body)


def spread(row, key):
    """Median (least to most) of the turns."""
    text = number(row.get(key))
    least, most = (number(row.get(f"{key}_{end}")) for end in ("least", "most"))
    return text if row["runs"] == 1 or text == "-" else f"{text} ({least} to {most})"


def ratio_table(rows, states):
    head = ["method", "steps", "iterations", "products", "resolution", "total", "processor"]
    keys = ["first_positions", "first_velocities", "end_positions", "end_velocities"] if states else []
    head += ["positions, first step", "velocities, first step", "positions, end", "velocities, end"] if states else []
    body = [[row["solver"], row["steps"], *(number(row.get(key)) for key in ("iterations_ratio", "products_ratio")),
             *(spread(row, key) for key in ("resolution_ratio", "total_ratio", "processor_ratio")), *(small(row.get(key)) for key in keys)] for row in rows]
    return lines(head, body)


def warnings(about, rows):
    """What a reader must know before believing the table."""
    for row in rows:
        if row["status"] != "done":
            yield f"{row['solver']} did not get to the end: {short(row['outcome'])}. Its means are over the rows it left, its ratios over the steps it made."
        if row.get("failures"):
            yield f"{row['solver']} did not converge on {row['failures']} of {row['rows']} step(s)."
        if row.get("by_its_rule"):
            yield f"{row['solver']} ended {row['by_its_rule']} of {row['rows']} step(s) by the rule of its paper where the common residual is not within the tolerances."
        if row.get("overlap_worst"):
            yield f"{row['solver']} leaves objects in each other, by up to {row['overlap_worst']:.2g} m at the end of a step."
        if row["solver"].split("-")[0] in OWN_STEP:
            yield (f"{row['solver']} makes no contact problem: it took {number(row.get('parts_mean'))} parts a step, its iterations are passes, and it has no residual. "
                   "Its states differ from the others' as far as its integrator does.")
        if row.get("first_outcome", "done") not in ("done", row["outcome"]):
            yield f"{row['solver']} on the first step alone: {short(row['first_outcome'])}."
        if row.get("same_start") is False:
            yield f"{row['solver']} did not start from the state of {about.reference}: nothing here can be compared."
        if row.get("repeatable") is False:
            yield f"{row['solver']} did not end in the same state each time."
        if row["solver"] == about.reference and row.get("failures"):
            yield "The reference is among them: agreement with it says little."
        if row["solver"] == about.reference and row.get("first_constraints") == 0:
            yield "The reference has no active contact in the first step: agreement there says nothing."
        if row["solver"] == about.reference and row.get("constraints_mean") == 0:
            yield "The reference has no active contact in any of these steps: there is nothing to compare."


def short(outcome):
    """The table names all; a list of causes and remedies stands in the CSV."""
    return outcome.split(". The last good state")[0].removesuffix(".")


def part(about, title, rows, states):
    text = [f"## {title}", "", *main_table(rows), "", f"Over those of {about.reference}"
            + (", and relative difference of the states from it" if states else "") + ":", "", *ratio_table(rows, states), ""]
    told = [f"- {line}" for line in warnings(about, rows)]
    return text + told + ([""] if told else [])


def write(folder, about, windows, fulls):
    text = [f"# {about.scene}: contact methods", "",
            f"{about.version}, {about.threads} thread(s), {about.repeat} run(s) a window"
            + (f", {about.repeat_full} from the start" if fulls else "") + ". Mean (median) a step; worst residuals; of ratios of time the median (least to most) of the turns.", "",
            "Settings other than the scene's: " + (f"`{about.settings}`." if about.settings else "none."), ""]
    title = "The same checkpoint" if about.start else "All from time 0, each on its own trajectory"
    text += part(about, f"{title}: steps {about.start + 1} to {about.end}", list(windows.values()), True)
    if fulls:
        text += part(about, f"Each on its own trajectory: steps 1 to {about.steps}", list(fulls.values()), False)
    markdown, table = os.path.join(folder, "comparison.md"), os.path.join(folder, "comparison.csv")
    with replacing(markdown) as file:
        file.write("\n".join(text))
    with replacing(table, newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for name, rows in (("window", windows), ("full", fulls)):
            for row in rows.values():
                row = {**row, "part": name}
                writer.writerow(["" if row.get(key) is None else row[key] for key in COLUMNS])
    return Written("\n".join(text), markdown, table)
