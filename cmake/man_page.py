"""A manual page of what a program says about itself. usage: man_page.py <name> <version> <program or script.py> <page>

Of a program it is what --help prints, of a Python script its docstring, without importing what the script needs.
"""
import ast
import re
import subprocess
import sys

NAME, VERSION, SOURCE, PAGE = sys.argv[1:]
HEADING = re.compile(r"^(Usage|Positionals|Options|Examples|Exit status): *(.*)$")


def help_text():
    """(one line, the rest)."""
    if SOURCE.endswith(".py"):
        with open(SOURCE, encoding="utf-8") as file:
            text = ast.get_docstring(ast.parse(file.read()))
        text = text.replace(f"scripts/{SOURCE.rsplit('/', 1)[-1]}", NAME)
    else:
        text = subprocess.run([SOURCE, "--help"], capture_output=True, text=True, check=True).stdout
    first, _, rest = text.strip().partition("\n")
    return first.removeprefix(f"{NAME}: ").rstrip("."), rest


def escaped(line):
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def page():
    short, rest = help_text()
    lines = [f'.TH {NAME.upper()} 1 "" "simrun {VERSION}" "User Commands"', ".SH NAME", f"{escaped(NAME)} \\- {escaped(short)}"]
    if not rest.lstrip().startswith("Usage:"):
        lines += [".SH DESCRIPTION", ".nf"]
    for line in rest.strip().splitlines():
        heading = HEADING.match(line)
        if heading:
            lines += [".fi", ".SH " + {"Usage": "SYNOPSIS"}.get(heading[1], heading[1]).upper(), ".nf"]
            line = heading[2]
        lines.append(escaped(line))
    if SOURCE.endswith(".py"):
        lines += [".fi", ".SH OPTIONS", f"{escaped(NAME)} \\-\\-help lists them."]
    lines += [".fi", ".SH SEE ALSO", "/usr/share/doc/simrun, or share/doc/simrun where it is installed."]
    return "\n".join(lines) + "\n"


with open(PAGE, "w", encoding="utf-8") as file:
    file.write(page())
