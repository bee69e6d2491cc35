"""Pictures to a film, by ffmpeg."""
import contextlib
import os
import shutil
import signal
import subprocess

from common.command_line import FileComplaint
from common.files import new_name

from .display import MissingProgram

H264 = (".mp4", ".mov", ".mkv")  # with these ffmpeg is told what every player can show; it knows what is good for the others
FULL = "No space left on device"


def need_ffmpeg():
    if not shutil.which("ffmpeg"):
        raise MissingProgram("films need the program ffmpeg, which is not installed. On Debian: apt-get install ffmpeg")


class Film:
    """One that is being written; made by film()."""

    def __init__(self, path, written, size, fps):
        need_ffmpeg()
        self.path = path
        # -xerror: without it the status is 0 where the disk was full
        codec = ["-c:v", "libx264", "-crf", "18", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-movflags", "+faststart"] if path.lower().endswith(H264) else []
        self.process = subprocess.Popen(
            ["ffmpeg", "-y", "-xerror", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb0", "-s", f"{size[0]}x{size[1]}", "-r", f"{fps:g}",
             "-i", "-", *codec, "file:" + written], stdin=subprocess.PIPE, stderr=subprocess.PIPE)

    def add(self, pixels):
        try:
            self.process.stdin.write(pixels.tobytes())
        except BrokenPipeError:
            self.finish()

    def finish(self):
        with contextlib.suppress(BrokenPipeError):  # what ffmpeg has to say comes next
            self.process.stdin.close()
        said = self.process.stderr.read().decode(errors="replace").strip().splitlines()
        if self.process.wait() != 0:
            if any(FULL in line for line in said):
                raise FileComplaint(f"{self.path}: cannot be written: {FULL}; make room, or write to another place (--film)")
            killed = signal.strsignal(-self.process.returncode) if self.process.returncode < 0 else "it gave no reason"
            raise FileComplaint(f"{self.path}: ffmpeg gave up: {said[-1] if said else killed}")

    def end(self):
        """However it came to that."""
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stderr.close()


@contextlib.contextmanager
def film(path, size, fps):
    """With it as made: made.add(pixels). The film takes its name when it is whole."""
    with new_name(path) as written:
        made = Film(path, written, size, fps)
        try:
            yield made
            made.finish()
        finally:
            made.end()
