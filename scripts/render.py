#!/usr/bin/python3
"""Renders frames of a result file to PNG pictures or a film, off screen.

    scripts/render.py out.h5                              the last frame, to out.png
    scripts/render.py out.h5 --frames 0,20,40,last        several moments side by side in one picture
    scripts/render.py out.h5 --every 5 -o film/f          a picture of every fifth frame: film/f0000.png, film/f0001.png ...
    scripts/render.py out.h5 --film out.mp4 --fps 25      all frames as a film
    scripts/render.py out.h5 --color von_mises            deformable and rigid bodies coloured by a field
    scripts/render.py out.h5 --arrows contacts            the forces of the contacts as arrows

Bodies keep their colours in every picture of a run; what stands fixed or is moved as told is grey. The camera sees all that moves by
itself, over all the frames that are drawn. A file that a run is still writing is drawn as far as it is. docs/post-processing.md has
more. Exit status: 0 done; 1 usage, something is missing or not in the file; 3 a file cannot be read or written, or a frame holds
what is no number; 130 interrupted. Debian packages: python3-numpy python3-h5py python3-vtk9, xvfb where there is no display, and ffmpeg for films.
"""
import argparse
import os
import sys

from common import command_line
from common.files import make_folder, refuse_inputs

with command_line.needing("python3-numpy python3-h5py python3-vtk9 xvfb"):
    import numpy as np
    import pictures
    import shapes
    import simrun_results as sr
    from shapes.select import HELP_FRAMES

MOST_PIXELS = 16384  # a side, of one picture


def numbers(text, count, between=","):
    """`count` finite numbers; argparse makes an error with the option's name of what is raised."""
    try:
        values = [float(part) for part in text.split(between)]
    except ValueError:
        values = []
    if len(values) != count or not np.isfinite(values).all():
        raise argparse.ArgumentTypeError(f"{text}: expected {count} numbers with {between} between them")
    return values


def size(text):
    values = [int(value) for value in numbers(text, 2, "x")]
    if not all(16 <= value <= MOST_PIXELS for value in values):
        raise argparse.ArgumentTypeError(f"{text}: expected 16x16 to {MOST_PIXELS}x{MOST_PIXELS} pixels")
    return values


def direction(text):
    values = numbers(text, 3)
    if not np.any(values):
        raise argparse.ArgumentTypeError(f"{text}: is no direction")
    return values


def camera(text):
    places = [numbers(part, 3) for part in text.split(":")]
    if len(places) != 2 or places[0] == places[1]:
        raise argparse.ArgumentTypeError(f"{text}: expected where it is and another point that it looks at, as x,y,z:x,y,z")
    return places


def value_range(text):
    low, high = numbers(text, 2, ":")
    if low >= high:
        raise argparse.ArgumentTypeError(f"{text}: expected the low end first")
    return low, high


def arguments():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("result", metavar="out.h5", help="result file")
    parser.add_argument("-o", "--output", metavar="FILE", help="PNG file, or with --every the beginning of their names (named after the "
                        "result, beside it)")
    parser.add_argument("--frames", help=HELP_FRAMES + " (last; all with --every or --film)")
    parser.add_argument("--every", type=command_line.positive(int), metavar="N", help="every Nth of the frames; each gets a picture of its own")
    parser.add_argument("--film", metavar="FILE", help="a film of the frames: .mp4, or whatever else ffmpeg knows by its ending")
    parser.add_argument("--fps", type=command_line.positive(float), default=30.0, help="frames of the result that the film shows a second (30)")
    parser.add_argument("--color", choices=pictures.COLORS, default="object", help="(object) von_mises needs output.stress in the scene, "
                        "principal values output.stress_tensor or output.strain_tensor, contact_force and contact_pressure output.contact_forces; of vectors the length is shown")
    parser.add_argument("--range", type=value_range, metavar="LOW:HIGH", help="of the colours of --color, in SI units (0 to the largest "
                        "value in the frames; of principal values from the smallest, where that is below 0)")
    parser.add_argument("--arrows", choices=shapes.ARROWS, help="forces of contacts on deformable and rigid bodies as arrows, drawn over "
                        "everything: of each contact, or their sum on each of the objects (both need output.contacts in the scene), or on each "
                        "vertex (output.contact_forces)")
    parser.add_argument("--arrow-scale", type=command_line.positive(float), metavar="M", help="length of an arrow of 1 N, in m (so that the "
                        "longest in the frames is a fifth of what moves)")
    parser.add_argument("--size", type=size, default=[1200, 900], metavar="WxH", help="of one view in pixels (1200x900)")
    parser.add_argument("--view", type=direction, default=[0.55, -1, 0.4], metavar="X,Y,Z", help="direction from the scene to the camera "
                        "(0.55,-1,0.4)")
    parser.add_argument("--zoom", type=command_line.positive(float), default=1.0, help="above 1: nearer (1)")
    parser.add_argument("--camera", type=camera, metavar="X,Y,Z:X,Y,Z", help="the place of the camera and the point it looks at, in m; "
                        "instead of --view and --zoom")
    parser.add_argument("--see-through", action="store_true", help="draw fixed and scripted objects transparent")
    parser.add_argument("--smooth", action="store_true", help="shade smoothly, for round bodies")
    parser.add_argument("--no-label", action="store_true", help="leave out the time")
    options = parser.parse_args()
    if options.film and options.output:
        parser.error("-o and --film: the film already has a name; leave out one of them")
    if not options.film and not options.every:
        options.output = options.output or os.path.splitext(options.result)[0] + ".png"
        if os.path.splitext(options.output)[1].lower() != ".png":
            parser.error(f"-o {options.output}: the picture is a PNG file; expected a name ending in .png")
    if options.film and any(pixels % 2 for pixels in options.size):
        parser.error(f"--size {options.size[0]}x{options.size[1]}: films have an even number of pixels each way")
    if options.arrow_scale and not options.arrows:
        parser.error("--arrow-scale: there are no arrows; say which with --arrows")
    if options.range and options.color == "object":
        parser.error("--range: objects have no range; name a field with --color")
    return options


def check_field(result, color):
    frame = result.frames[0]
    if color in shapes.OF_TETS:
        stored = shapes.PRINCIPAL.get(color, (color,))[0]
        if not np.isfinite(getattr(frame, stored)).any():  # raises what says how to get it where the file has none
            raise shapes.SelectionError(f"--color {color}: no object of {result.path} has it, none of them is deformable")
    elif color in ("contact_force", "contact_pressure"):
        frame.contact_forces
    elif color == "speed":
        frame.velocities


def make_view(options, result, frames):
    """A function that makes views, all of them alike, with or without the scale of colours."""
    check_field(result, options.color)
    span = options.range or (pictures.look_range(result, frames, options.color) if options.color != "object" else None)
    box = pictures.moving_box(result, frames)
    arrows = pictures.fitted_arrows(result, frames, options.arrows, options.arrow_scale, box) if options.arrows else None
    look = pictures.Look(options.color, span, options.smooth, options.see_through, not options.no_label, arrows)
    if options.camera:
        place, focus = (np.array(point) for point in options.camera)
        along = abs((focus - place)[:2]).max() < 1e-6 * np.linalg.norm(focus - place)
        where = pictures.Camera(place, focus, [0, 1, 0] if along else [0, 0, 1])
    else:
        aspect = options.size[0] / options.size[1]
        where = pictures.Camera.fitted(box, options.view, aspect, options.zoom)
    return lambda bar=True: pictures.View(result, where, look, options.size, bar)


def side_by_side(options, result, frames):
    if options.size[0] * len(frames) > MOST_PIXELS:
        raise shapes.SelectionError(f"--frames: {len(frames)} views side by side would be wider than {MOST_PIXELS} pixels; take fewer, or "
                                    "--every or --film for a picture each")
    view = make_view(options, result, frames)
    window = pictures.Window([view(frame is frames[-1]) for frame in frames], options.size, options.see_through)
    pictures.write_png(options.output, window.pixels(frames))
    print(options.output)


def each(options, result, frames):
    window = pictures.Window([make_view(options, result, frames)()], options.size, options.see_through)
    stem = options.output or os.path.splitext(options.result)[0]
    make_folder(os.path.dirname(stem))
    for number, frame in enumerate(frames):
        path = f"{stem}{number:04d}.png"
        pictures.write_png(path, window.pixels([frame]))
        print(path, flush=True)


def film(options, result, frames):
    window = pictures.Window([make_view(options, result, frames)()], options.size, options.see_through)
    with pictures.film(options.film, options.size, options.fps) as made:
        for frame in frames:
            made.add(window.pixels([frame]))
    print(f"{options.film}: {len(frames)} frames, {len(frames) / options.fps:.3g} s{pace(frames, options.fps)}")


def pace(frames, fps):
    """How fast time runs in the film."""
    between = np.diff([frame.time for frame in frames])
    if not len(between):
        return ""
    even = between.max() <= 1.001 * between.min()
    return f"; a second of it shows {between.mean() * fps:.4g} s of the simulation{'' if even else ' on average'}"


def render(options):
    with sr.open(options.result, finite=True) as result:
        text = options.frames or ("all" if options.every or options.film else "last")
        chosen = shapes.choose_frames(text, len(result.frames), options.result)[::options.every or 1]
        pictures.need_display()
        frames = [Moment(result, number) for number in chosen]
        draw = film if options.film else each if options.every else side_by_side
        draw(options, result, frames)


class Moment:
    """A frame that forgets what it has read: a film may have more of them than the memory holds."""

    def __init__(self, result, number):
        self.result, self.number = result, number

    def __getattr__(self, name):
        return getattr(self.result.frames[self.number], name)


def main():
    options = arguments()
    refuse_inputs(options.film or options.output or "", [options.result])
    if options.film:
        pictures.need_ffmpeg()
    render(options)
    return command_line.DONE


if __name__ == "__main__":
    sys.exit(command_line.run(main))
