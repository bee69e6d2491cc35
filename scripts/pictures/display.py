"""A display to draw on. Debian's VTK is built for X only (no EGL, no OSMesa), so a machine without one gets a virtual one, Xvfb,
that this process starts, keeps for itself and ends.
"""
import atexit
import os
import select
import shutil
import subprocess

from common.command_line import Complaint
from common.programs import end_with_parent

SECONDS = 60  # that Xvfb may take to start


class MissingProgram(Complaint):
    """One line with what to install."""


def need_display():
    if os.environ.get("DISPLAY"):
        return
    if not shutil.which("Xvfb"):
        raise MissingProgram("there is no display and no virtual one. On Debian: apt-get install xvfb")
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "64x64x24", "-nolisten", "tcp"],
                              pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              start_new_session=True,  # so that Ctrl-C ends this script first
                              preexec_fn=end_with_parent(os.getpid()))
    os.close(write)
    with os.fdopen(read) as answer:
        there, _, _ = select.select([answer], [], [], SECONDS)
        number = answer.readline().strip() if there else ""  # a free one, that Xvfb has chosen
    if not number:
        server.terminate()
        reason = server.communicate()[1].decode(errors="replace").strip().splitlines()
        raise MissingProgram("the virtual display Xvfb did not start" + (f": {reason[-1]}" if reason else ""))
    atexit.register(end, server)
    os.environ["DISPLAY"] = ":" + number
    os.environ.pop("XAUTHORITY", None)


def end(server):
    server.terminate()
    server.wait()
