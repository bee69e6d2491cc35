"""A frame of a result as VTK draws it."""
import collections

import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy

import shapes
from common.files import replacing
from shapes.colors import OBSTACLE, mobile

from . import arrows

# color: "object" or the name of a field, that moving bodies are coloured by; range: of the field, (low, high); arrows: None or Arrows.
Look = collections.namedtuple("Look", "color range smooth see_through label arrows")

# Dark to bright, evenly to the eye and to the colour-blind: nine colours of Matplotlib's viridis.
MAP = [(0.267, 0.005, 0.329), (0.279, 0.175, 0.483), (0.230, 0.322, 0.546), (0.173, 0.449, 0.558), (0.128, 0.567, 0.551),
       (0.158, 0.684, 0.502), (0.369, 0.789, 0.383), (0.678, 0.864, 0.190), (0.993, 0.906, 0.144)]
FIELDS = {"speed": "velocity", "displacement": "displacement", "contact_force": "contact_force", "contact_pressure": "contact_pressure"}


def values(frame, color, triangle_tet):
    """(values, whether they are those of vertices): of all vertices, or of all surface triangles."""
    if color in shapes.OF_TETS:
        return shapes.cell_field(frame, color, None, triangle_tet), False
    field = shapes.point_field(frame, FIELDS[color])
    return field if field.ndim == 1 else np.linalg.norm(field, axis=1), True


def moving_triangles(result):
    return np.array([mobile(found.type) for found in result.objects], bool)[result.triangle_object]


def look_range(result, frames, color):
    """0 to the largest value on the surfaces of moving bodies in these frames; of principal values, which have signs, from the
    smallest, where that is below 0."""
    moving = moving_triangles(result)
    behind = shapes.tets_of_triangles(result) if color in shapes.OF_TETS else None
    smallest = largest = 0.0
    for frame in frames:
        data, of_points = values(frame, color, behind)
        data = data[result.triangles[moving]] if of_points else data[moving]
        data = data[np.isfinite(data)]
        smallest = min(smallest, data.min(initial=0.0) if color in shapes.PRINCIPAL else 0.0)
        largest = max(largest, data.max(initial=0.0))
    return float(smallest), float(largest)


def color_table(low, high):
    table = vtk.vtkLookupTable()
    ramp = vtk.vtkColorTransferFunction()
    for i, color in enumerate(MAP):
        ramp.AddRGBPoint(i / (len(MAP) - 1), *color)
    table.SetNumberOfTableValues(256)
    for i in range(256):
        table.SetTableValue(i, *ramp.GetColor(i / 255))
    table.SetNanColor(*OBSTACLE, 1)
    table.SetTableRange(low, high if high > low else low + 1)
    return table


class Surface:
    """Some triangles of the result, whose vertices move from frame to frame."""

    def __init__(self, result, chosen, look, by_field):
        self.result, self.chosen, self.look, self.by_field = result, chosen, look, by_field
        self.used, corners = np.unique(result.triangles[chosen], return_inverse=True)
        self.behind = shapes.tets_of_triangles(result)[chosen] if by_field and look.color in shapes.OF_TETS else None
        self.mesh = vtk.vtkPolyData()
        cells = vtk.vtkCellArray()
        count = int(chosen.sum())
        cells.SetData(numpy_to_vtkIdTypeArray(np.arange(0, 3 * count + 1, 3, dtype=np.int64), deep=True),
                      numpy_to_vtkIdTypeArray(corners.astype(np.int64).ravel(), deep=True))
        self.mesh.SetPoints(vtk.vtkPoints())
        self.mesh.SetPolys(cells)
        if not by_field:
            self.set_object_colors()
        self.actor = self.make_actor()

    def set_object_colors(self):
        cells = np.round(255 * shapes.object_colors(self.result)[self.result.triangle_object[self.chosen]]).astype(np.uint8)
        self.mesh.GetCellData().SetScalars(numpy_to_vtk(cells, deep=True))

    def make_actor(self):
        mapper = vtk.vtkPolyDataMapper()
        if self.look.smooth:
            normals = vtk.vtkPolyDataNormals()
            normals.SetInputData(self.mesh)
            normals.SetFeatureAngle(40)
            mapper.SetInputConnection(normals.GetOutputPort())
        else:
            mapper.SetInputData(self.mesh)
        if self.by_field:
            mapper.SetLookupTable(color_table(*self.look.range))
            mapper.UseLookupTableScalarRangeOn()
            mapper.SetInterpolateScalarsBeforeMapping(self.look.color not in shapes.OF_TETS)
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        surface = actor.GetProperty()
        surface.SetSpecular(0.0 if self.by_field else 0.25)
        surface.SetSpecularPower(30)
        surface.SetAmbient(0.35 if self.by_field else 0.2)
        surface.SetDiffuse(0.85)
        if not self.look.smooth:
            surface.SetInterpolationToFlat()
        return actor

    def show(self, frame):
        positions = shapes.near_part(self.result, frame.positions)
        self.mesh.GetPoints().SetData(numpy_to_vtk(np.ascontiguousarray(positions[self.used]), deep=True))
        self.mesh.GetPoints().Modified()
        if self.by_field:
            data, of_points = values(frame, self.look.color, self.behind)
            target = self.mesh.GetPointData() if of_points else self.mesh.GetCellData()
            target.SetScalars(numpy_to_vtk(np.ascontiguousarray(data[self.used] if of_points else data), deep=True))
        self.mesh.Modified()


class Thin:
    """Segments and points of obstacles, as rods and balls of a two-hundredth of what is in view."""

    def __init__(self, result):
        self.result, self.parts = result, shapes.thin_parts(result)
        self.actor = vtk.vtkActor()
        self.actor.GetProperty().SetColor(0.35, 0.35, 0.35)

    def show(self, frame):
        low, high = shapes.scene_box(self.result, frame.positions)
        radius = np.linalg.norm(high - low) / 400
        together = vtk.vtkAppendPolyData()
        for a, b in self.parts[0]:
            line = vtk.vtkLineSource()
            line.SetPoint1(frame.positions[a])
            line.SetPoint2(frame.positions[b])
            rod = vtk.vtkTubeFilter()
            rod.SetInputConnection(line.GetOutputPort())
            rod.SetRadius(radius)
            rod.SetNumberOfSides(12)
            rod.CappingOn()
            together.AddInputConnection(rod.GetOutputPort())
        for point in self.parts[1]:
            ball = vtk.vtkSphereSource()
            ball.SetCenter(frame.positions[point])
            ball.SetRadius(1.5 * radius)
            together.AddInputConnection(ball.GetOutputPort())
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputConnection(together.GetOutputPort())
        mapper.ScalarVisibilityOff()
        self.actor.SetMapper(mapper)


class View:
    """One moment in a window, of `size` pixels; show() another."""

    def __init__(self, result, camera, look, size, bar=True):
        self.renderer, self.result = vtk.vtkRenderer(), result
        self.renderer.SetBackground(1, 1, 1)
        self.renderer.SetBackground2(0.86, 0.89, 0.93)
        self.renderer.GradientBackgroundOn()
        self.renderer.SetUseDepthPeeling(look.see_through)
        moving, by_field = moving_triangles(result), look.color != "object"
        self.surfaces = []
        if moving.any():
            self.add(Surface(result, moving, look, by_field), 1)
        if not moving.all():
            self.add(Surface(result, ~moving, look, False), 0.25 if look.see_through else 1)
        if any(len(part) for part in shapes.thin_parts(result)):
            self.add(Thin(result), 1)
        camera.apply(self.renderer.GetActiveCamera())
        self.add_lights(camera)
        self.label = self.add_label(size) if look.label else None
        self.note = "\n" + arrows.told(look.arrows) if look.arrows else ""
        self.over = arrows.Layer(result, look.arrows, self.renderer) if look.arrows else None
        if bar and by_field and moving.any():
            self.add_bar(look, size)

    def add(self, surface, opacity):
        surface.actor.GetProperty().SetOpacity(opacity)
        self.surfaces.append(surface)
        self.renderer.AddActor(surface.actor)

    def add_lights(self, camera):
        """The sun, above and somewhat to the left of the camera, and a weaker light from the camera."""
        toward = camera.position - camera.focus
        toward = toward / np.linalg.norm(toward)
        for place, strength in ((0.5 * toward + 1.2 * camera.up - 0.5 * np.cross(camera.up, toward), 0.75), (toward, 0.4)):
            light = vtk.vtkLight()
            light.SetLightTypeToSceneLight()
            light.PositionalOff()
            light.SetFocalPoint(0, 0, 0)
            light.SetPosition(*place)
            light.SetIntensity(strength)
            self.renderer.AddLight(light)

    def add_label(self, size):
        label = vtk.vtkTextActor()
        label.GetTextProperty().SetColor(0.2, 0.2, 0.2)
        label.GetTextProperty().SetFontSize(max(9, size[1] // 40))
        label.SetPosition(size[1] // 60, size[1] // 75)
        self.renderer.AddActor2D(label)
        return label

    def add_bar(self, look, size):
        bar = vtk.vtkScalarBarActor()
        bar.SetLookupTable(color_table(*look.range))
        unit = shapes.unit_of(look.color)
        bar.SetTitle(look.color.replace("_", " ") + f" ({unit})" * bool(unit))
        bar.SetNumberOfLabels(5)
        bar.SetLabelFormat("%.3g")
        bar.SetPosition(1 - 0.24 * size[1] / size[0], 0.06)
        bar.SetWidth(0.23 * size[1] / size[0])
        bar.SetHeight(0.45)
        bar.SetBarRatio(0.2)
        bar.UnconstrainedFontSizeOn()
        for text, pixels in ((bar.GetTitleTextProperty(), size[1] // 42), (bar.GetLabelTextProperty(), size[1] // 48)):
            text.SetColor(0.2, 0.2, 0.2)
            text.SetFontSize(max(8, pixels))
            text.ItalicOff()
            text.BoldOff()
            text.ShadowOff()
        self.renderer.AddActor2D(bar)

    def show(self, frame):
        for surface in self.surfaces:
            surface.show(frame)
        if self.label:
            self.label.SetInput(f"t = {frame.time:.3f} s{self.note}")
        bounds = vtk.vtkBoundingBox(self.renderer.ComputeVisiblePropBounds())
        if self.over and self.over.show(frame):
            bounds.AddBounds(self.over.actor.GetBounds())
        whole = [0.0] * 6
        bounds.GetBounds(whole)
        self.renderer.ResetCameraClippingRange(whole)


class Window:
    """Views side by side."""

    def __init__(self, views, size, see_through=False):
        self.window, self.views = vtk.vtkRenderWindow(), views
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0 if see_through else 8)  # depth peeling does without
        self.window.SetAlphaBitPlanes(see_through)
        self.window.SetSize(size[0] * len(views), size[1])
        self.window.SetNumberOfLayers(2)
        for i, view in enumerate(views):
            for renderer in (view.renderer, *([view.over.renderer] if view.over else [])):
                renderer.SetViewport(i / len(views), 0, (i + 1) / len(views), 1)
                self.window.AddRenderer(renderer)

    def pixels(self, frames):
        """[height, width, 3] bytes, from the top, of these frames, one a view."""
        for view, frame in zip(self.views, frames):
            view.show(frame)
        self.window.Render()
        grab = vtk.vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        image = grab.GetOutput()
        width, height, _ = image.GetDimensions()
        return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)[::-1, :, :3]


def write_png(path, pixels):
    height, width, _ = pixels.shape
    image = vtk.vtkImageData()
    image.SetDimensions(width, height, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(pixels[::-1]).reshape(-1, 3), deep=True))
    writer = vtk.vtkPNGWriter()
    writer.SetInputData(image)
    writer.WriteToMemoryOn()
    writer.Write()
    with replacing(path, binary=True) as file:
        file.write(vtk_to_numpy(writer.GetResult()).tobytes())
