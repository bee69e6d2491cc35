#!/usr/bin/python3
"""Physics verification: runs scenes with simrun and judges the results against closed form.

    scripts/verify.py                      all cases; writes the table to docs/verification.md
    scripts/verify.py --only slope         one case (repeatable); prints the table only
    scripts/verify.py --quick              a small part of every case, for CI; prints the table only
    scripts/verify.py --only rest --set solver.method=local    the same with other settings; prints the table only

What misses is shown as such. Exit status: 0 all hold; 1 usage, or something is missing; 2 a case does not hold or did
not run; 3 a file cannot be written; 130 interrupted. Debian packages: python3-numpy python3-h5py.
"""
import os
import sys
import time

from common import command_line, programs
from common.files import replacing

with command_line.needing("python3-numpy python3-h5py"):
    import simrun_results as sr
    from verification import balance, corners, friction, hertz, impact, islands, kicks, light, rest, squeezed, stiff, units
    from verification.runs import Context, Failed, Row

PAGE = os.path.join(programs.TOP, "docs", "verification.md")
NOTES = os.path.join(programs.TOP, "scripts", "verification", "notes.md")  # the end of the page: why what misses does
CASES = {"slope": friction.slope, "throw": friction.throw, "rest": rest.rest, "stack": rest.stack,
         "bars": impact.bars, "hertz": hertz.hertz, "momentum": impact.momentum, "frictionless": impact.frictionless, "scale": impact.scale,
         "corners": corners.corners, "stiff": stiff.stiff, "drop": stiff.drop, "setdown": kicks.setdown, "meet": kicks.meet,
         "light": light.light, "ratio": light.ratio, "units": units.units,
         "foam": squeezed.foam, "ball": squeezed.ball,
         "islands": islands.islands, "balance": balance.balance}

# What --quick leaves out: long runs, and what is known to miss (docs/verification.md shows it).
NOT_QUICK = {"ratio", "islands", "balance"}

HEAD = """# Verification

What `simrun` computes against what theory says. `scripts/verify.py` runs every case and writes this page; each line can be
had again with the command it names. "NO" is a miss: the number is shown as it came out, and no tolerance
was widened. Exit status 2 tells that there is one.

"Defaults" are the default tolerances of the scene format; "tight" is `solver.tolerance` 1e-9 and `contact.tolerance` 1e-8.
"""


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("--only", metavar="NAME", action="append", choices=CASES, help=", ".join(CASES))
    parser.add_argument("--quick", action="store_true", help="a small part of every case")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="override a value of every scene, as in simrun (repeatable)")
    parser.add_argument("-o", "--output", metavar="FOLDER", default="verification", help="scenes and results (%(default)s)")
    parser.add_argument("--simrun", metavar="PATH", default=programs.find("simrun"), help="the program (%(default)s)")
    return parser.parse_args()


def measure(name, context):
    """Rows of a case; what breaks it is a row that does not hold."""
    try:
        yield from CASES[name](context)
    except (Failed, sr.ResultError, OSError, KeyError, IndexError, ValueError) as error:
        yield Row(f"{name}: stopped", "", f"{type(error).__name__}: {error}".replace("\n", " ").replace("|", "/"), "",
                  False)


def verdict(row):
    return "reported" if row.holds is None else "yes" if row.holds else "NO"


def table(rows):
    lines = ["| case | expected | measured | tolerance | holds? | command |", "|---|---|---|---|---|---|"]
    for name, row in rows:
        case = row.case + (f" ({row.note})" if row.note else "")
        lines.append(f"| {case} | {row.expected} | {row.measured} | {row.tolerance} | {verdict(row)} | "
                     f"`scripts/verify.py --only {name}` |")
    return "\n".join(lines) + "\n"


def main():
    options = arguments()
    options.simrun = os.path.abspath(options.simrun)  # it is run from other folders
    simcheck = programs.beside(options.simrun, "simcheck")
    version = programs.version(options.simrun)
    programs.version(simcheck)
    context, rows = Context(options.simrun, simcheck, options.output, options.quick, options.set), []
    for name in options.only or [case for case in CASES if not (options.quick and case in NOT_QUICK)]:
        start = time.monotonic()
        for row in measure(name, context):
            rows.append((name, row))
            print(f"{verdict(row):4}  {row.case}: expected {row.expected}, measured {row.measured}, tolerance "
                  f"{row.tolerance}{'; ' + row.note if row.note else ''}", flush=True)
        print(f"      {name}: {time.monotonic() - start:.1f} s", flush=True)
    missed = sum(row.holds is False for _, row in rows)
    judged = sum(row.holds is not None for _, row in rows)
    summary = f"{judged - missed} of {judged} hold, {missed} do not."
    print(summary)
    if not options.only and not options.quick and not options.set:
        with replacing(PAGE) as file:
            file.write(f"{HEAD}\nMeasured with {version}: {summary}\n\n{table(rows)}")
            if os.path.exists(NOTES):
                file.write("\n" + open(NOTES).read())
    return command_line.UNFINISHED if missed else command_line.DONE


if __name__ == "__main__":
    sys.exit(command_line.run(main))
