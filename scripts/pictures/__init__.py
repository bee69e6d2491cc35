"""Pictures and films of results, drawn by VTK off screen."""
import shapes

from .arrows import fitted as fitted_arrows
from .camera import Camera, moving_box
from .display import MissingProgram, need_display
from .film import film, need_ffmpeg
from .view import BAR, FIELDS, FINER, Look, View, Window, look_range, write_png

COLORS = ("object", *shapes.OF_TETS, *FIELDS)

__all__ = ["BAR", "COLORS", "Camera", "FINER", "Look", "MissingProgram", "View", "Window", "film", "fitted_arrows", "look_range", "moving_box",
           "need_display", "need_ffmpeg", "write_png"]
