"""Pictures to a film, by ffmpeg."""
import os
import shutil
import subprocess

from .display import MissingProgram

H264 = (".mp4", ".mov", ".mkv")  # with these ffmpeg is told what every player can show; it knows what is good for the others


class FilmError(Exception):
    pass


def need_ffmpeg():
    if not shutil.which("ffmpeg"):
        raise MissingProgram("films need the program ffmpeg, which is not installed. On Debian: apt-get install ffmpeg")


class Film:
    """Use it as `with Film(path, (width, height), fps) as film: film.add(pixels)`. A film that is not finished is taken away."""

    def __init__(self, path, size, fps):
        need_ffmpeg()
        self.path = path
        codec = ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"] if path.lower().endswith(H264) else []
        self.process = subprocess.Popen(
            ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", f"{fps:g}",
             "-i", "-", *codec, "file:" + path], stdin=subprocess.PIPE, stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def add(self, pixels):
        try:
            self.process.stdin.write(pixels.tobytes())
        except BrokenPipeError:
            self.finish()

    def finish(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # what ffmpeg has to say comes next
        reason = self.process.stderr.read().decode(errors="replace").strip().splitlines()
        if self.process.wait() != 0:
            raise FilmError(f"{self.path}: ffmpeg gave up: {reason[-1] if reason else 'it gave no reason'}")

    def __exit__(self, kind, *_):
        if kind is None:
            self.finish()
            return
        self.process.kill()
        self.process.wait()
        if os.path.isfile(self.path):
            os.remove(self.path)
