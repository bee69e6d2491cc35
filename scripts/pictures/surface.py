"""Triangles of a result as VTK draws them. Light is worked out beforehand (shading.py) wherever a triangle has one colour."""
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray

import shapes
from shapes.colors import OBSTACLE

from . import shading

# Dark to bright, evenly to the eye and to the colour-blind: nine colours of Matplotlib's viridis.
MAP = [(0.267, 0.005, 0.329), (0.279, 0.175, 0.483), (0.230, 0.322, 0.546), (0.173, 0.449, 0.558), (0.128, 0.567, 0.551),
       (0.158, 0.684, 0.502), (0.369, 0.789, 0.383), (0.678, 0.864, 0.190), (0.993, 0.906, 0.144)]
SEE_THROUGH = 0.22  # opacity


def colors_of(values, span):
    """[n,3] by MAP; grey where there is no value."""
    low, high = span
    at = np.clip((values - low) / (high - low if high > low else 1), 0, 1) * (len(MAP) - 1)
    there = np.isfinite(at)
    colors = np.array([np.interp(np.where(there, at, 0), np.arange(len(MAP)), channel) for channel in np.array(MAP).T]).T
    colors[~there] = OBSTACLE
    return colors


def color_table(low, high):
    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(256)
    for i, color in enumerate(colors_of(np.linspace(0, 1, 256), (0, 1))):
        table.SetTableValue(i, *color, 1)
    table.SetNanColor(*OBSTACLE, 1)
    table.SetTableRange(low, high if high > low else low + 1)
    return table


def closed(result):
    """[objects]: whether every edge has a triangle on both sides, so that none is ever seen from behind."""
    triangles = result.triangles
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).astype(np.int64)
    size = len(result.rest_positions)
    met = np.isin(ends[:, 1] * size + ends[:, 0], ends[:, 0] * size + ends[:, 1])
    open_edges = np.bincount(np.tile(result.triangle_object, 3), ~met, minlength=len(result.objects))
    return open_edges == 0


def cells(corners):
    count = len(corners)
    made = vtk.vtkCellArray()
    made.SetData(numpy_to_vtkIdTypeArray(np.arange(0, 3 * count + 1, 3, dtype=np.int64), deep=True),
                 numpy_to_vtkIdTypeArray(corners.astype(np.int64).ravel(), deep=True))
    return made


class Surface:
    """Some triangles, each in one colour: paint(frame) gives [n,3], from 0 to 1."""

    def __init__(self, result, chosen, paint, smooth, closed):
        self.result, self.paint, self.smooth, self.closed = result, paint, smooth, closed
        self.triangles = result.triangles[chosen]
        used, numbers = np.unique(self.triangles, return_inverse=True)
        self.numbers, self.count = numbers.reshape(-1, 3), len(used)
        self.mesh = vtk.vtkPolyData()
        self.mesh.SetPoints(vtk.vtkPoints())
        self.mesh.SetPolys(cells(np.arange(3 * len(self.triangles)).reshape(-1, 3)))
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputData(self.mesh)
        self.actor = vtk.vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().LightingOff()
        self.actor.GetProperty().SetBackfaceCulling(closed)

    def show(self, frame, camera):
        corners = shapes.near_part(self.result, frame.positions)[self.triangles]
        flat, sizes = shading.normals(corners)
        normals = shading.smooth_normals(self.numbers, self.count, flat, sizes) if self.smooth else flat
        light = shading.light(normals, camera.axes[2], camera.axes[1], not self.closed)
        shown = 255 * self.paint(frame)[:, None] * (light[..., None] if self.smooth else light[:, None, None])
        colors = np.empty((len(corners), 3, 3), np.uint8)
        colors[:] = np.minimum(shown, 255)
        self.mesh.GetPoints().SetData(numpy_to_vtk(corners.reshape(-1, 3).astype(np.float32), deep=True))
        self.mesh.GetPoints().Modified()
        self.mesh.GetPointData().SetScalars(numpy_to_vtk(colors.reshape(-1, 3), deep=True))
        self.mesh.Modified()


class Field:
    """Triangles coloured by a number on each vertex; VTK maps it to colours in between, and lights them."""

    def __init__(self, result, chosen, numbers, span):
        self.result, self.numbers = result, numbers
        self.used, corners = np.unique(result.triangles[chosen], return_inverse=True)
        self.mesh = vtk.vtkPolyData()
        self.mesh.SetPoints(vtk.vtkPoints())
        self.mesh.SetPolys(cells(corners.reshape(-1, 3)))
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputData(self.mesh)
        mapper.SetLookupTable(color_table(*span))
        mapper.UseLookupTableScalarRangeOn()
        mapper.InterpolateScalarsBeforeMappingOn()
        self.actor = vtk.vtkActor()
        self.actor.SetMapper(mapper)
        surface = self.actor.GetProperty()
        surface.SetAmbient(0.35)
        surface.SetDiffuse(0.85)
        surface.SetInterpolationToFlat()

    def show(self, frame, camera):
        self.mesh.GetPoints().SetData(numpy_to_vtk(np.ascontiguousarray(frame.positions[self.used]), deep=True))
        self.mesh.GetPoints().Modified()
        self.mesh.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(self.numbers(frame)[self.used]), deep=True))
        self.mesh.Modified()


class Thin:
    """Segments and points of obstacles, as rods and balls of their thickness, or of a two-hundredth of what is in view where that is more."""

    def __init__(self, result):
        self.result, self.parts = result, shapes.thin_parts(result)
        self.radius = np.zeros(len(result.rest_positions))
        for found in result.objects:
            self.radius[found.vertices] = found.thickness / 2
        self.actor = vtk.vtkActor()
        self.actor.GetProperty().SetColor(0.35, 0.35, 0.35)

    def show(self, frame, camera):
        low, high = shapes.scene_box(self.result, frame.positions)
        radius = np.linalg.norm(high - low) / 400
        together = vtk.vtkAppendPolyData()
        for a, b in self.parts[0]:
            line = vtk.vtkLineSource()
            line.SetPoint1(frame.positions[a])
            line.SetPoint2(frame.positions[b])
            rod = vtk.vtkTubeFilter()
            rod.SetInputConnection(line.GetOutputPort())
            rod.SetRadius(max(radius, self.radius[a]))
            rod.SetNumberOfSides(12)
            rod.CappingOn()
            together.AddInputConnection(rod.GetOutputPort())
        for point in self.parts[1]:
            ball = vtk.vtkSphereSource()
            ball.SetCenter(frame.positions[point])
            ball.SetThetaResolution(24)
            ball.SetPhiResolution(24)
            ball.SetRadius(max(1.5 * radius, self.radius[point]))
            together.AddInputConnection(ball.GetOutputPort())
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputConnection(together.GetOutputPort())
        mapper.ScalarVisibilityOff()
        self.actor.SetMapper(mapper)


class Cable:
    """A cable as a tube of its thickness, or of a four-hundredth of what is in view where that is more, in the colour of its object; or
    coloured by a number on each vertex, over a span."""

    def __init__(self, result, found, color, numbers=None, span=None):
        self.result, self.found, self.values = result, found, numbers
        segments = result.segments[found.segments] - found.vertices.start
        self.mesh = vtk.vtkPolyData()
        self.mesh.SetPoints(vtk.vtkPoints())
        lines = vtk.vtkCellArray()
        lines.SetData(numpy_to_vtkIdTypeArray(np.arange(0, 2 * len(segments) + 1, 2, dtype=np.int64), deep=True),
                      numpy_to_vtkIdTypeArray(segments.astype(np.int64).ravel(), deep=True))
        self.mesh.SetLines(lines)
        joined = vtk.vtkStripper()
        joined.SetInputData(self.mesh)
        joined.SetMaximumLength(len(segments) + 1)
        self.tube = vtk.vtkTubeFilter()
        self.tube.SetInputConnection(joined.GetOutputPort())
        self.tube.SetNumberOfSides(16)
        self.tube.CappingOn()
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputConnection(self.tube.GetOutputPort())
        if numbers:
            mapper.SetLookupTable(color_table(*span))
            mapper.UseLookupTableScalarRangeOn()
            mapper.InterpolateScalarsBeforeMappingOn()
        else:
            mapper.ScalarVisibilityOff()
        self.actor = vtk.vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().SetColor(*color)
        self.actor.GetProperty().SetAmbient(0.3)
        self.actor.GetProperty().SetDiffuse(0.75)

    def show(self, frame, camera):
        low, high = shapes.scene_box(self.result, frame.positions)
        self.tube.SetRadius(max(self.found.thickness / 2, np.linalg.norm(high - low) / 800))
        points = np.ascontiguousarray(frame.positions[self.found.vertices])
        self.mesh.GetPoints().SetData(numpy_to_vtk(points, deep=True))
        self.mesh.GetPoints().Modified()
        if self.values:
            self.mesh.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(self.values(frame)[self.found.vertices]), deep=True))
        self.mesh.Modified()
