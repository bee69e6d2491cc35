#!/usr/bin/python3
"""Renders frames of a result file to PNG pictures or a film, off screen.

    scripts/render.py out.h5                              the last frame, to out.png
    scripts/render.py out.h5 --frames 0,20,40,last        several moments side by side in one picture
    scripts/render.py out.h5 --moments 4 --columns 2      four moments, evenly over the run, in two rows
    scripts/render.py out.h5 --every 5 -o film/f          a picture of every fifth frame: film/f0000.png, film/f0001.png ...
    scripts/render.py out.h5 --film out.mp4 --fps 25      all frames as a film
    scripts/render.py out.h5 --color von_mises            deformable and rigid bodies coloured by a field
    scripts/render.py out.h5 --arrows contacts            the forces of the contacts as arrows

Bodies keep their colours in every picture of a run; fixed and scripted objects are grey, and see-through where they hide the bodies.
Up is against gravity, and what moves fills the picture, over all the frames that are drawn. A file that a run is still writing is drawn as far as it is. docs/post-processing.md has
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
    from shapes import outlook
    from shapes.colors import mobile
    from shapes.select import HELP_FRAMES

MOST_PIXELS = 16384  # a side, that OpenGL draws


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
    parser.add_argument("--moments", type=command_line.positive(int), metavar="N", help="instead of --frames: N frames, evenly from the first to the "
                        "last (1: the last)")
    parser.add_argument("--columns", type=command_line.positive(int), metavar="N", help="moments beside each other, before a new row (all)")
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
    parser.add_argument("--view", type=direction, metavar="X,Y,Z", help="direction from the scene to the camera (0.55,-1,0.4 where z is up)")
    parser.add_argument("--up", type=direction, metavar="X,Y,Z", help="what is up in the picture (against gravity)")
    parser.add_argument("--ortho", action="store_true", help="parallel projection: lengths are the same near and far")
    parser.add_argument("--zoom", type=command_line.positive(float), default=1.0, help="above 1: nearer (1)")
    parser.add_argument("--camera", type=camera, metavar="X,Y,Z:X,Y,Z", help="the place of the camera and the point it looks at, in m; "
                        "instead of --view and --zoom")
    parser.add_argument("--hide", action="append", metavar="NAMES", help="leave out these objects (or all of a type), separated by commas")
    parser.add_argument("--see-through", action="store_true", help="draw all fixed and scripted objects transparent, not only those that hide "
                        "the bodies")
    parser.add_argument("--solid", action="store_true", help="draw none transparent")
    parser.add_argument("--smooth", action="store_true", help="shade smoothly, for round bodies")
    parser.add_argument("--no-label", action="store_true", help="leave out the time")
    options = parser.parse_args()
    if options.frames and options.moments:
        parser.error("--moments and --frames: both choose the frames; leave out one of them")
    if options.columns and (options.film or options.every):
        parser.error("--columns: is for several moments in one picture, not for --every and --film")
    if options.see_through and options.solid:
        parser.error("--see-through and --solid: leave out one of them")
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


def make_camera(options, result, frames, arrows, hidden):
    up = options.up or outlook.upwards(result)
    if not options.camera:
        aspect = options.size[0] / options.size[1]
        toward = options.view or outlook.usual_direction(up)
        covered = 0.0 if options.color == "object" else min(0.4, pictures.BAR / aspect)  # by the scale of colours
        tips = None if options.arrow_scale else arrows  # of any length by that, and bodies would be small beside them
        return pictures.Camera.fitted(result, frames, toward, up, aspect, options.zoom, options.ortho, covered, tips, hidden)
    place, focus = (np.array(point) for point in options.camera)
    made = pictures.Camera(place, focus, outlook.axes(place - focus, up)[1])
    if options.ortho:
        made.scale = np.linalg.norm(place - focus) * made.slope
    return made


def see_through(options, result, frames, camera):
    """Rows of objects."""
    if options.see_through:
        return [found.index for found in result.objects if not mobile(found.type)]
    if options.solid:
        return []
    return outlook.hiding(result, frames, **({"toward": camera.axes[2]} if options.ortho else {"eye": camera.position}))


def make_view(options, result, frames):
    """A function that makes views, all of them alike, with or without the scale of colours."""
    check_field(result, options.color)
    span = options.range or (pictures.look_range(result, frames, options.color) if options.color != "object" else None)
    hidden = [found.index for found in shapes.choose_objects(options.hide, result, "--hide")] if options.hide else []
    arrows = None
    if options.arrows:
        arrows = pictures.fitted_arrows(result, frames, options.arrows, options.arrow_scale, pictures.moving_box(result, frames, hidden))
    where = make_camera(options, result, frames, arrows, hidden)
    look = pictures.Look(options.color, span, options.smooth, see_through(options, result, frames, where), hidden, not options.no_label, arrows)
    return lambda bar=True, finer=pictures.FINER: pictures.View(result, where, look, options.size, bar, finer)


def side_by_side(options, result, frames):
    columns = min(options.columns or len(frames), len(frames))
    rows = -(-len(frames) // columns)
    if options.size[0] * columns > MOST_PIXELS or options.size[1] * rows > MOST_PIXELS:
        raise shapes.SelectionError(f"--frames: {len(frames)} views side by side would be larger than {MOST_PIXELS} pixels; take fewer, or "
                                    "--every or --film for a picture each")
    view = make_view(options, result, frames)
    finer = pictures.FINER if max(options.size[0] * columns, options.size[1] * rows) * pictures.FINER <= MOST_PIXELS else 1
    window = pictures.Window([view(frame is frames[-1], finer) for frame in frames], options.size, columns, finer)
    pictures.write_png(options.output, window.pixels(frames))
    print(options.output)


def each(options, result, frames):
    finer = pictures.FINER if max(options.size) * pictures.FINER <= MOST_PIXELS else 1
    window = pictures.Window([make_view(options, result, frames)(finer=finer)], options.size, finer=finer)
    stem = options.output or os.path.splitext(options.result)[0]
    make_folder(os.path.dirname(stem))
    for number, frame in enumerate(frames):
        path = f"{stem}{number:04d}.png"
        pictures.write_png(path, window.pixels([frame]))
        print(path, flush=True)


def film(options, result, frames):
    window = pictures.Window([make_view(options, result, frames)(finer=1)], options.size, finer=1)
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


def chosen_frames(options, result):
    count = len(result.frames)
    if options.moments and count:
        return outlook.evenly(range(count), options.moments)
    text = options.frames or ("all" if options.every or options.film else "last")
    return shapes.choose_frames(text, count, options.result)[::options.every or 1]


def render(options):
    with sr.open(options.result, finite=True) as result:
        chosen = chosen_frames(options, result)
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
