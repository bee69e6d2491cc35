"""Where things are, what machine this is, and what must be there before a benchmark can run."""
import os
import re
import subprocess
import sys

from common.command_line import Complaint

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOP = os.path.dirname(SCRIPTS)


def scene(name):
    return os.path.join(TOP, "scenes", name)


def prepare(meshes):
    """Makes the meshes that are missing; scripts/meshes.sh says what is wrong where it cannot."""
    if meshes and subprocess.run([os.path.join(SCRIPTS, "meshes.sh"), *meshes], stdout=sys.stderr).returncode:
        raise Complaint(f"there is no mesh {' '.join(meshes)}, and this benchmark is nothing without it")


def some_of(names, only, what):
    """Those that --only asks for, in their own order; all of them where it was not given."""
    asked = only.split(",") if only is not None else list(names)
    for name in asked:
        if name not in names:
            raise Complaint(f"--only {name}: there is no such {what}; expected some of {', '.join(names)}")
    return [name for name in names if name in asked]


def machine():
    try:
        with open("/proc/cpuinfo") as file:
            text = file.read()
        model = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
        clock = re.search(r"^cpu MHz\s*:\s*(.*)$", text, re.MULTILINE)
        told = f"{model[1] if model else 'unknown processor'}" + (f" ({float(clock[1]) / 1000:.1f} GHz)" if clock else "")
    except OSError:
        told = "unknown processor"
    return f"{told}, {os.cpu_count()} core(s)"


def spell(seconds):
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
