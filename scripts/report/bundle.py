"""Makes the player of the page: scripts/report/web and three.js from npm, in one file, by esbuild.

Done once for each state of web/, in a folder outside version control; later pages need neither node nor a network.
"""
import collections
import fcntl
import hashlib
import os
import shutil
import subprocess

from common.command_line import FileComplaint

from .errors import ReportError

WEB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "web")
SOURCES = (".js", ".json", ".npmrc")
LICENSED = ("three",)  # packages of which the bundle holds a part

Bundle = collections.namedtuple("Bundle", "script licences")


def made(folder):
    """The bundle, built where `folder` does not hold that of the present sources."""
    names = sorted(name for name in os.listdir(WEB) if name.endswith(SOURCES))
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(WEB, name), "rb") as file:
            digest.update(name.encode() + b"\0" + file.read() + b"\0")
    done = os.path.join(folder, digest.hexdigest()[:16])
    try:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(done):
                build(names, folder, done)
        with open(os.path.join(done, "bundle.js"), encoding="utf-8") as file:
            script = file.read()
        with open(os.path.join(done, "licences.txt"), encoding="utf-8") as file:
            return Bundle(script, file.read())
    except OSError as error:
        raise FileComplaint(f"{error.filename or folder}: {error.strerror or error}; name another folder with --cache") from error


def build(names, folder, done):
    if not shutil.which("node") or not shutil.which("npm"):
        raise ReportError("the player is built once, by node and npm, and they are not installed. On Debian: "
                          "apt-get install nodejs npm; or write the page without it: --no-player")
    work = os.path.join(folder, "work")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    for name in names:
        shutil.copy(os.path.join(WEB, name), work)
    call(work, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    call(work, "npm", "run", "--silent", "build")
    with open(os.path.join(work, "licences.txt"), "w", encoding="utf-8") as out:
        for package in LICENSED:
            with open(os.path.join(work, "node_modules", package, "LICENSE"), encoding="utf-8") as file:
                out.write(f"{package}: {file.read().strip()}\n\n")
    shutil.rmtree(os.path.join(work, "node_modules"))
    os.rename(work, done)


def call(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line.lower()]
        told = " ".join((lines or ["no message"])[0].split())[:300]
        raise ReportError(f"{' '.join(command[:2])} failed in {folder}: {told}. Building the player needs the npm registry, "
                          "the first time only; or write the page without it: --no-player")
