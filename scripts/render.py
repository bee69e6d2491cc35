#!/usr/bin/python3
"""Renders frames of a result file to PNG, off screen.

    scripts/render.py out.h5                         the last frame, to out.png
    scripts/render.py out.h5 --frames 0,20,40,last   several moments side by side in one picture
    scripts/render.py out.h5 --every 5 -o film/f     film/f0000.png, film/f0001.png ... (5 frames apart)

Debian packages: python3-numpy python3-h5py python3-vtk9 xvfb xauth.
"""
import argparse
import os
import shutil
import sys

PACKAGES = "python3-numpy python3-h5py python3-vtk9 xvfb xauth"
try:
    import numpy as np
    import simrun_results as sr
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
except ImportError as error:
    sys.exit(f"render.py: {error}. With {sys.executable} as python3; on Debian: apt-get install {PACKAGES}")

PALETTE = [(0.90, 0.45, 0.25), (0.25, 0.55, 0.80), (0.95, 0.75, 0.30), (0.35, 0.65, 0.45), (0.65, 0.45, 0.70),
           (0.85, 0.55, 0.60), (0.45, 0.70, 0.75), (0.60, 0.50, 0.40)]
OBSTACLE = (0.78, 0.78, 0.76)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", help="result file (.h5)")
    parser.add_argument("-o", "--output", help="PNG file, or with --every the beginning of their names")
    parser.add_argument("--frames", default="last", help="comma-separated frame numbers, or last (default)")
    parser.add_argument("--every", type=int, help="render every Nth frame to a picture of its own")
    parser.add_argument("--size", default="1200x900", help="of one view in pixels (default 1200x900)")
    parser.add_argument("--view", default="0.55,-1,0.4", help="direction from the scene to the camera (default 0.55,-1,0.4)")
    parser.add_argument("--zoom", type=float, default=1.0)
    parser.add_argument("--see-through", action="store_true", help="draw fixed and scripted objects transparent")
    parser.add_argument("--smooth", action="store_true", help="shade smoothly, for round bodies")
    return parser.parse_args()


def need_display():
    """Debian's VTK draws through X; without a display, run again under a virtual one."""
    if os.environ.get("DISPLAY"):
        return
    if not shutil.which("xvfb-run"):
        sys.exit(f"render.py: there is no display and no xvfb-run. On Debian: apt-get install {PACKAGES}")
    os.execvp("xvfb-run", ["xvfb-run", "-a", "-s", "-screen 0 640x480x24", sys.executable, *sys.argv])


def object_actor(vertices, triangles, color, smooth, opacity):
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(vertices), deep=True))
    cells = vtk.vtkCellArray()
    offsets = np.arange(0, 3 * len(triangles) + 1, 3, dtype=np.int64)
    cells.SetData(numpy_to_vtkIdTypeArray(offsets, deep=True),
                  numpy_to_vtkIdTypeArray(triangles.astype(np.int64).ravel(), deep=True))
    mesh = vtk.vtkPolyData()
    mesh.SetPoints(points)
    mesh.SetPolys(cells)
    mapper = vtk.vtkPolyDataMapper()
    if smooth:
        normals = vtk.vtkPolyDataNormals()
        normals.SetInputData(mesh)
        normals.SetFeatureAngle(40)
        mapper.SetInputConnection(normals.GetOutputPort())
    else:
        mapper.SetInputData(mesh)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    surface = actor.GetProperty()
    surface.SetColor(color)
    surface.SetOpacity(opacity)
    surface.SetSpecular(0.25)
    surface.SetSpecularPower(30)
    surface.SetAmbient(0.2)
    surface.SetDiffuse(0.8)
    if not smooth:
        surface.SetInterpolationToFlat()
    return actor


class Result:
    def __init__(self, path):
        self.file = sr.open(path)
        self.types = [body.type for body in self.file.objects]
        self.parts = [self.file.triangles[body.triangles] for body in self.file.objects]
        self.frames = self.file.frames
        self.time = self.frames.time

    def frame_number(self, text):
        count = len(self.time)
        number = count - 1 if text == "last" else int(text)
        if not -count <= number < count:
            sys.exit(f"render.py: there is no frame {text}: the file has frames 0 to {count - 1}")
        return number % count

    def moving_bounds(self, frames):
        """Box of the deformable objects over the frames; of everything where there are none."""
        chosen = [i for i, kind in enumerate(self.types) if kind in ("deformable", "rigid")] or range(len(self.types))
        used = np.unique(np.concatenate([self.parts[i].ravel() for i in chosen]))
        extremes = [(x.min(axis=0), x.max(axis=0)) for x in (self.frames[frame].positions[used] for frame in frames)]
        return np.min([low for low, _ in extremes], axis=0), np.max([high for _, high in extremes], axis=0)

    def actors(self, frame, smooth, see_through):
        vertices = self.frames[frame].positions
        mobile = 0
        for i, kind in enumerate(self.types):
            color, opacity = OBSTACLE, 0.25 if see_through else 1
            if kind in ("deformable", "rigid"):
                color, opacity = PALETTE[mobile % len(PALETTE)], 1
                mobile += 1
            if len(self.parts[i]):
                yield object_actor(vertices, self.parts[i], color, smooth, opacity)


def make_view(result, frame, bounds, options):
    view = vtk.vtkRenderer()
    view.SetBackground(1, 1, 1)
    view.SetBackground2(0.86, 0.89, 0.93)
    view.GradientBackgroundOn()
    view.SetUseDepthPeeling(options.see_through)
    for actor in result.actors(frame, options.smooth, options.see_through):
        view.AddActor(actor)
    low, high = bounds
    center = 0.5 * (low + high)
    direction = np.array([float(x) for x in options.view.split(",")])
    camera = view.GetActiveCamera()
    camera.SetFocalPoint(center)
    camera.SetPosition(center + direction / np.linalg.norm(direction))
    camera.SetViewUp(0, 0, 1)
    view.ResetCamera(low[0], high[0], low[1], high[1], low[2], high[2])
    camera.Zoom(1.25 * options.zoom)
    view.ResetCameraClippingRange()
    label = vtk.vtkTextActor()
    label.SetInput(f"t = {result.time[frame]:.3f} s")
    label.GetTextProperty().SetColor(0.2, 0.2, 0.2)
    label.GetTextProperty().SetFontSize(22)
    label.SetPosition(16, 12)
    view.AddActor2D(label)
    return view


def write_picture(result, frames, bounds, path, options):
    width, height = (int(x) for x in options.size.split("x"))
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0 if options.see_through else 8)  # depth peeling does without
    window.SetAlphaBitPlanes(options.see_through)
    window.SetSize(width * len(frames), height)
    for i, frame in enumerate(frames):
        view = make_view(result, frame, bounds, options)
        view.SetViewport(i / len(frames), 0, (i + 1) / len(frames), 1)
        window.AddRenderer(view)
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetInputConnection(grab.GetOutputPort())
    writer.SetFileName(path)
    writer.Write()
    print(path)


def main():
    options = arguments()
    need_display()
    try:
        result = Result(options.result)
    except sr.ResultError as error:
        sys.exit(f"render.py: {error}")
    stem = os.path.splitext(options.result)[0]
    if options.every:
        frames = range(0, len(result.time), options.every)
        bounds = result.moving_bounds(frames)
        os.makedirs(os.path.dirname(options.output or stem) or ".", exist_ok=True)
        for number, frame in enumerate(frames):
            write_picture(result, [frame], bounds, f"{options.output or stem}{number:04d}.png", options)
    else:
        frames = [result.frame_number(text) for text in options.frames.split(",")]
        write_picture(result, frames, result.moving_bounds(frames), options.output or stem + ".png", options)


if __name__ == "__main__":
    main()
