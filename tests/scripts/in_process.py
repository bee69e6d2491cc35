"""Runs a script in this process: what it imports and the display it draws on are started once."""
import contextlib
import io
import os
import runpy
import subprocess
import sys
from unittest import mock


def run(scripts, name, *words):
    """As subprocess.run() answers for text; what the script lets through is raised here."""
    said, complained = io.StringIO(), io.StringIO()
    words = [os.path.join(scripts, name), *words]
    with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        try:
            runpy.run_path(words[0], run_name="__main__")
        except SystemExit as end:
            return subprocess.CompletedProcess(words, end.code or 0, said.getvalue(), complained.getvalue())
    raise AssertionError(f"{name} did not end with an exit status")
