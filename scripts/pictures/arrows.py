"""Forces as arrows, drawn over everything: half of each would be hidden in a body else."""
import collections

import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk

import shapes

COLOR = (0.72, 0.05, 0.10)
LONGEST = 0.2    # of the size of what moves, where nobody says how long a newton is
SHORTEST = 0.01  # of the longest, that are drawn

# kind: of shapes.arrows; scale: m a N; longest: N, in the frames that are drawn.
Arrows = collections.namedtuple("Arrows", "kind scale longest")


def fitted(result, frames, kind, scale, box):
    """With the scale that is asked for, or the longest force of these frames as a fifth of the box."""
    longest = 0.0
    for frame in frames:
        _, forces = shapes.arrows(result, frame, kind)
        longest = max(longest, np.linalg.norm(forces, axis=1).max(initial=0.0))
    size = np.linalg.norm(box[1] - box[0])
    return Arrows(kind, scale or (LONGEST * size / longest if longest > 0 else 1.0), longest)


def told(arrows):
    """For the label."""
    return f"longest arrow: {arrows.longest:.3g} N" if arrows.longest > 0 else "no forces"


class Layer:
    """A renderer over that of a view, with its camera."""

    def __init__(self, result, arrows, below):
        self.result, self.arrows = result, arrows
        self.renderer = vtk.vtkRenderer()
        self.renderer.SetLayer(1)
        self.renderer.InteractiveOff()
        self.renderer.SetActiveCamera(below.GetActiveCamera())
        self.points = vtk.vtkPolyData()
        source = vtk.vtkArrowSource()
        source.SetTipLength(0.3)
        source.SetTipRadius(0.09)
        source.SetShaftRadius(0.03)
        source.SetTipResolution(24)
        source.SetShaftResolution(16)
        glyphs = vtk.vtkGlyph3D()
        glyphs.SetInputData(self.points)
        glyphs.SetSourceConnection(source.GetOutputPort())
        glyphs.SetVectorModeToUseVector()
        glyphs.SetScaleModeToScaleByVector()
        glyphs.SetScaleFactor(1.0)
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputConnection(glyphs.GetOutputPort())
        mapper.ScalarVisibilityOff()
        self.actor = vtk.vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().SetColor(*COLOR)
        self.actor.GetProperty().SetAmbient(0.55)
        self.actor.GetProperty().SetDiffuse(0.5)
        self.renderer.AddActor(self.actor)

    def show(self, frame):
        """Returns whether there is an arrow; the actor's bounds are those of this frame."""
        places, forces = shapes.arrows(self.result, frame, self.arrows.kind)
        kept = np.linalg.norm(forces, axis=1) >= SHORTEST * self.arrows.longest
        kept &= np.any(forces != 0, axis=1)
        points = vtk.vtkPoints()
        points.SetData(numpy_to_vtk(np.ascontiguousarray(places[kept], float), deep=True))
        self.points.Initialize()
        self.points.SetPoints(points)
        self.points.GetPointData().SetVectors(numpy_to_vtk(np.ascontiguousarray(self.arrows.scale * forces[kept]), deep=True))
        self.actor.SetVisibility(bool(kept.any()))
        return bool(kept.any())
