"""A frame of a result as VTK draws it, twice as fine as wanted, with the light that bodies take from each other (occlusion.py)."""
import collections

import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

import shapes
from common.files import replacing
from shapes.colors import OBSTACLE, mobile

from . import arrows, finish, occlusion
from .surface import SEE_THROUGH, Cable, Field, Surface, Thin, closed, color_table, colors_of

# color: "object" or the name of a field, that moving bodies are coloured by; range: of the field, (low, high); see_through, hidden: rows
# of objects; arrows: None or Arrows.
Look = collections.namedtuple("Look", "color range smooth see_through hidden label arrows")

FIELDS = {"speed": "velocity", "displacement": "displacement", "contact_force": "contact_force", "contact_pressure": "contact_pressure"}
GROUND = (0.93, 0.945, 0.965)  # behind everything
FINER = 2                      # pixels that are drawn, a pixel of a picture that is no frame of a film, each way
BAR = 0.24                     # width of the scale of colours, of the height of a picture


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


def painter(result, look, chosen):
    """The colours of these triangles in a frame: of their objects, or by a field of cells."""
    if look.color in shapes.OF_TETS:
        behind = shapes.tets_of_triangles(result)[chosen]
        return lambda frame: colors_of(shapes.cell_field(frame, look.color, None, behind), look.range)
    colors = shapes.object_colors(result)[result.triangle_object[chosen]]
    return lambda frame: colors


def obstacle_painter(result, chosen):
    colors = np.tile(OBSTACLE, (int(chosen.sum()), 1))
    return lambda frame: colors


def surfaces_of(result, look):
    """(what is drawn, whether it is glass)."""
    of = result.triangle_object
    mine = np.zeros(len(result.objects), bool)
    cables = np.array([found.matter == "cable" for found in result.objects], bool)
    hidden, clear = mine.copy(), mine.copy()
    hidden[list(look.hidden)] = clear[list(look.see_through)] = True
    shut, moving = closed(result), moving_triangles(result)
    kept, clear, shut = ~hidden[of] & ~cables[of], clear[of], shut[of]
    for found in result.objects:
        if cables[found.index] and not hidden[found.index]:
            field = (lambda frame: values(frame, look.color, None)[0], look.range) if look.color in FIELDS else ()
            yield Cable(result, found, shapes.object_colors(result)[found.index], *field), False
    if look.color in FIELDS and (moving & kept).any():
        yield Field(result, moving & kept, lambda frame: values(frame, look.color, None)[0], look.range), False
        kept = kept & ~moving
    for chosen in (kept & ~clear & shut, kept & ~clear & ~shut):
        for part, paint in ((chosen & moving, painter), (chosen & ~moving, lambda result, look, part: obstacle_painter(result, part))):
            if part.any():
                yield Surface(result, part, paint(result, look, part), look.smooth, bool(shut[part].all())), False
    if (kept & clear).any():
        yield Surface(result, kept & clear, obstacle_painter(result, kept & clear), False, False), True
    if any(len(part) for part in shapes.thin_parts(result)):
        yield Thin(result), False


class View:
    """One moment in a window, of `size` pixels; show() another."""

    def __init__(self, result, camera, look, size, bar=True, finer=FINER):
        self.renderer, self.result, self.camera = vtk.vtkRenderer(), result, camera
        self.renderer.SetBackground(*GROUND)
        self.surfaces, self.glass, self.held = [], [], None
        for surface, glass in surfaces_of(result, look):
            (self.glass if glass else self.surfaces).append(surface)
            self.renderer.AddActor(surface.actor)
        self.still = not any(result.objects[row].type == "scripted" for row in look.see_through)
        camera.apply(self.renderer.GetActiveCamera())
        self.add_lights(camera)
        fine = [pixels * finer for pixels in size]
        self.label = self.add_label(fine) if look.label else None
        self.note = "\n" + arrows.told(look.arrows) if look.arrows else ""
        self.over = arrows.Layer(result, look.arrows, self.renderer) if look.arrows else None
        if bar and look.color != "object" and moving_triangles(result).any():
            self.add_bar(look, fine)

    def add_lights(self, camera):
        """For what VTK lights: as shading.py, without the sky."""
        toward, up = camera.axes[2], camera.axes[1]
        for place, strength in ((0.5 * toward + 1.2 * up - 0.5 * np.cross(up, toward), 0.75), (toward, 0.4)):
            light = vtk.vtkLight()
            light.SetLightTypeToSceneLight()
            light.PositionalOff()
            light.SetFocalPoint(0, 0, 0)
            light.SetPosition(*place)
            light.SetIntensity(strength)
            self.renderer.AddLight(light)

    def add_label(self, size):
        """On a ground of its own, to be read before anything."""
        label = vtk.vtkTextActor()
        text = label.GetTextProperty()
        text.SetColor(0.15, 0.15, 0.15)
        text.SetBackgroundColor(1, 1, 1)
        text.SetBackgroundOpacity(0.8)
        text.SetFontSize(max(9, size[1] // 36))
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
        bar.SetPosition(1 - BAR * size[1] / size[0], 0.06)
        bar.SetWidth((BAR - 0.01) * size[1] / size[0])
        bar.SetHeight(0.45)
        bar.SetBarRatio(0.2)
        bar.UnconstrainedFontSizeOn()
        bar.DrawBackgroundOn()
        bar.GetBackgroundProperty().SetColor(1, 1, 1)
        bar.GetBackgroundProperty().SetOpacity(0.8)
        for text, pixels in ((bar.GetTitleTextProperty(), size[1] // 42), (bar.GetLabelTextProperty(), size[1] // 48)):
            text.SetColor(0.15, 0.15, 0.15)
            text.SetFontSize(max(8, pixels))
            text.ItalicOff()
            text.BoldOff()
            text.ShadowOff()
        self.renderer.AddActor2D(bar)

    def show(self, frame):
        for surface in self.surfaces + self.glass:
            surface.show(frame, self.camera)
        if self.label:
            self.label.SetInput(f"t = {frame.time:.3f} s{self.note}")
        bounds = vtk.vtkBoundingBox(self.renderer.ComputeVisiblePropBounds())
        if self.over and self.over.show(frame):
            bounds.AddBounds(self.over.actor.GetBounds())
        self.set_clipping(bounds)

    def set_clipping(self, bounds):
        """The planes stay while they hold all: panes are drawn anew for others."""
        if not self.held or not all(self.held.ContainsPoint(corner) for corner in (bounds.GetMinPoint(), bounds.GetMaxPoint())):
            bounds.Inflate(0.05 * bounds.GetDiagonalLength())
            if self.held:
                bounds.AddBox(self.held)
            self.held = bounds
            whole = [0.0] * 6
            bounds.GetBounds(whole)
            self.renderer.ResetCameraClippingRange(whole)

    def draw_glass(self, instead):
        """Only what is see-through, or only what is not."""
        for surface in self.surfaces:
            surface.actor.SetVisibility(not instead)
        for surface in self.glass:
            surface.actor.SetVisibility(instead)

    def clipping(self):
        return self.renderer.GetActiveCamera().GetClippingRange()

    def light(self, depth):
        """Of its part of the picture, coarse."""
        return occlusion.light_of(depth, self.camera, *self.clipping())


class Window:
    """Views in rows of so many columns, the first one upper left. All of the same `finer`; 1: drawn as it is, edges smoothed."""

    def __init__(self, views, size, columns=None, finer=FINER):
        self.views, self.size = views, size
        self.columns = columns or len(views)
        self.rows = -(-len(views) // self.columns)
        whole = (size[0] * self.columns, size[1] * self.rows)
        self.finer, self.panes, self.drawn_with = finer, [], []
        self.window = vtk.vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetAlphaBitPlanes(1)
        self.window.SetSize(*(pixels * self.finer for pixels in whole))
        self.window.SetNumberOfLayers(2)
        for i, view in enumerate(views):
            row, column = self.rows - 1 - i // self.columns, i % self.columns
            for renderer in (view.renderer, *([view.over.renderer] if view.over else [])):
                renderer.SetViewport(column / self.columns, row / self.rows, (column + 1) / self.columns, (row + 1) / self.rows)
                self.window.AddRenderer(renderer)

    def pixels(self, frames):
        """[height, width, 4] bytes, red, green, blue and one more, from the top, of these frames, one a view."""
        over = [view.over.renderer for view in self.views if view.over]
        for view, frame in zip(self.views, frames):
            view.show(frame)
            view.draw_glass(False)
        for renderer in over:
            renderer.DrawOff()
        self.window.Render()
        plain, depth = self.colors(), self.depth()
        picture = self.reduced(self.composed(plain, depth))
        if over:
            self.add_arrows(over, self.reduced(plain), picture)
        return np.ascontiguousarray(picture[::-1]).view(np.uint8).reshape(*picture.shape, 4)

    def add_arrows(self, over, before, picture):
        """What they change is neither behind glass nor in the shade of bodies."""
        for view in self.views:
            view.draw_glass(False)
        for renderer in over:
            renderer.DrawOn()
        self.window.Render()
        after = self.reduced(self.colors())
        picture[before != after] = after[before != after]

    def composed(self, colors, depth):
        made = np.full_like(colors, np.array([*(round(255 * c) for c in GROUND), 255], np.uint8).view(np.uint32)[0])
        step = self.finer * occlusion.COARSE
        self.draw_panes()
        for view, part, pane in zip(self.views, self.parts(), self.panes):
            seen = np.ascontiguousarray(depth[part])
            light = view.light(np.ascontiguousarray(seen[step // 2::step, step // 2::step]))
            made[part] = finish.composed(colors[part], seen, light, pane)
        return made

    def draw_panes(self):
        """Once for all frames, where what is see-through stands still and the clipping planes do."""
        clipping = [view.clipping() for view in self.views]
        if self.panes and self.drawn_with == clipping and all(view.still for view in self.views):
            return
        self.panes, self.drawn_with = [None] * len(self.views), clipping
        if any(view.glass for view in self.views):
            for view in self.views:
                view.draw_glass(True)
            self.window.Render()
            colors, depth = self.colors(), self.depth()
            self.panes = [finish.Pane(colors[part], depth[part], SEE_THROUGH) for part in self.parts()]

    def parts(self):
        """Rows and columns of what is drawn, from the bottom, that each view has."""
        width, height = (pixels * self.finer for pixels in self.size)
        for i in range(len(self.views)):
            row, column = self.rows - 1 - i // self.columns, i % self.columns
            yield slice(row * height, (row + 1) * height), slice(column * width, (column + 1) * width)

    def colors(self):
        width, height = self.window.GetSize()
        data = vtk.vtkUnsignedCharArray()
        self.window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, data, 0)
        return vtk_to_numpy(data).view(np.uint32).reshape(height, width)

    def depth(self):
        width, height = self.window.GetSize()
        data = vtk.vtkFloatArray()
        self.window.GetZbufferData(0, 0, width - 1, height - 1, data)
        return vtk_to_numpy(data).reshape(height, width)

    def reduced(self, colors):
        return finish.smoothed(colors.copy()) if self.finer == 1 else finish.halved(colors)


def write_png(path, pixels):
    height, width = pixels.shape[:2]
    image = vtk.vtkImageData()
    image.SetDimensions(width, height, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(pixels[::-1, :, :3]).reshape(-1, 3), deep=True))
    writer = vtk.vtkPNGWriter()
    writer.SetInputData(image)
    writer.WriteToMemoryOn()
    writer.Write()
    with replacing(path, binary=True) as file:
        file.write(vtk_to_numpy(writer.GetResult()).tobytes())
