#!/usr/bin/python3
"""Makes a release of the checkout: version, changelog, commit and annotated tag. Nothing is pushed.

    scripts/release.py 0.2.0                 "Unreleased" of CHANGELOG.md becomes 0.2.0 of today, a commit, and the tag v0.2.0 with these notes
    scripts/release.py --notes 0.2.0         only prints the notes of a version, for a forge's page of releases
    scripts/release.py --check               only says whether the files agree on the version, and with the tag of this commit if it has one

docs/releasing.md says which number is next, and what is run before. Exit status: 0 done; 1 usage, or what is missing for a release;
3 a file cannot be read or written.
"""
import datetime
import os
import re
import subprocess
import sys

from common import command_line
from common.command_line import Complaint, FileComplaint

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
CHANGELOG, BUILD, CITATION = "CHANGELOG.md", "CMakeLists.txt", "CITATION.cff"
OF_VERSION = {BUILD: re.compile(r"^(project\(simrun VERSION )(\S+)", re.M), CITATION: re.compile(r"^(version: )(\S+)", re.M)}
UNRELEASED = "## Unreleased\n"


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("version", nargs="?", help="the new one, such as 0.2.0")
    parser.add_argument("--notes", metavar="VERSION", help="print the notes of this version, and stop")
    parser.add_argument("--check", action="store_true", help="check that the files agree, and stop")
    options = parser.parse_args()
    if sum(map(bool, (options.version, options.notes, options.check))) != 1:
        parser.error("expected a version, --notes VERSION or --check")
    for version in filter(None, (options.version, options.notes)):
        if not re.fullmatch(r"\d+\.\d+\.\d+", version):
            parser.error(f"{version}: expected a version such as 0.2.0")
    return options


def read(name):
    try:
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise FileComplaint(f"{name}: cannot be read: {error}") from error


def write(name, text):
    try:
        with open(os.path.join(TOP, name), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise FileComplaint(f"{name}: cannot be written: {error.strerror}") from error


def git(*words, **settings):
    done = subprocess.run(["git", "-C", TOP, *words], capture_output=True, text=True, **settings)
    if done.returncode:
        raise Complaint(f"git {words[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def version_in(name):
    found = OF_VERSION[name].search(read(name))
    if not found:
        raise Complaint(f"{name}: names no version")
    return found[2]


def notes_of(changelog, heading):
    """The text below the heading "## 0.2.0" or "## 0.2.0 - 2027-01-31", up to the next one."""
    found = re.search(rf"^## {re.escape(heading)}(?: - [^\n]*)?\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if not found:
        raise Complaint(f"{CHANGELOG}: has no \"## {heading}\"")
    return found[1].strip() + "\n"


def check():
    """The one version that all files name."""
    versions = {name: version_in(name) for name in OF_VERSION}
    if len(set(versions.values())) > 1:
        raise Complaint(", ".join(f"{name} has {version}" for name, version in versions.items()) + ": expected the same")
    version = versions[BUILD]
    tags = [tag for tag in git("tag", "--points-at", "HEAD").split() if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
    if tags and tags != ["v" + version]:
        raise Complaint(f"this commit has the tag {' '.join(tags)}, and its files have {version}")
    if tags:
        notes_of(read(CHANGELOG), version)
    return version


def release(version):
    old = check()
    first = not git("tag", "--list", "v*").strip()  # which may have the version that the checkout has been given
    new, least = (tuple(map(int, text.split("."))) for text in (version, old))
    if new < least or (new == least and not first):
        raise Complaint(f"{version}: expected more than {old}, the version of the checkout")
    if git("tag", "--list", "v" + version).strip():
        raise Complaint(f"v{version}: there is such a tag")
    if git("status", "--porcelain").strip():
        raise Complaint("the checkout has changes that are not committed")
    changelog = read(CHANGELOG)
    notes = notes_of(changelog, "Unreleased")
    if not notes.strip():
        raise Complaint(f"{CHANGELOG}: \"Unreleased\" is empty")
    today = datetime.date.today().isoformat()
    write(CHANGELOG, changelog.replace(UNRELEASED, f"{UNRELEASED}\n## {version} - {today}\n", 1))
    for name, pattern in OF_VERSION.items():
        write(name, pattern.sub(rf"\g<1>{version}", read(name), count=1))
    citation = re.sub(r"^date-released: .*\n", "", read(CITATION), flags=re.M)
    write(CITATION, OF_VERSION[CITATION].sub(rf"\g<0>\ndate-released: {today}", citation, count=1))
    git("commit", "-q", "-m", f"Release {version}", "--", CHANGELOG, *OF_VERSION)
    git("tag", "-a", "--cleanup=verbatim", "-F", "-", "v" + version, input=f"simrun {version}\n\n{notes}")
    print(f"commit and tag v{version} are made. Look at them (git show v{version}), then: git push --follow-tags")


def main():
    options = arguments()
    if options.notes:
        print(notes_of(read(CHANGELOG), options.notes), end="")
    elif options.check:
        print(check())
    else:
        release(options.version)
    return command_line.DONE


if __name__ == "__main__":
    sys.exit(command_line.run(main))
