"""Where to look from: by default so that what moves fills the picture, in all frames (shapes/outlook.py)."""
import math

import numpy as np

import shapes
from shapes import outlook

MARGIN = 1.08


def moving_box(result, frames, hidden=()):
    """Low and high corner, over these frames, of what pictures look at."""
    used = outlook.seen_vertices(result, frames, hidden)
    if len(used) == 0:
        return np.zeros(3), np.ones(3)
    boxes = [outlook.box_of(frame.positions[used]) for frame in frames]
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


class Camera:
    """slope: half the height of the picture over the distance; scale: half its height in m, of a parallel projection, else None."""

    def __init__(self, position, focus, up, slope=math.tan(math.radians(outlook.FIELD / 2)), scale=None):
        self.position, self.focus, self.up = (np.asarray(v, float) for v in (position, focus, up))
        self.slope, self.scale = slope, scale

    @property
    def axes(self):
        return outlook.axes(self.position - self.focus, self.up)

    @staticmethod
    def fitted(result, frames, direction, up, aspect, zoom=1.0, ortho=False, covered=0.0, arrows=None, hidden=()):
        """From this direction, as near as all that is looked at, and the tips of arrows, allow in these frames. `covered`: the part of the width, on the right, that
        something else stands on."""
        turn = outlook.axes(direction, up)
        used = outlook.seen_vertices(result, frames, hidden)
        slope = math.tan(math.radians(outlook.FIELD / 2)) / min(1.0, aspect)
        slopes = np.array([slope * aspect, slope])
        reach = Reach(slopes, slopes * [1 - 2 * covered, 1], ortho)
        for frame in frames:
            reach.add(frame.positions[used] @ turn.T if len(used) else np.array([[0.0, 0, 0], [1, 1, 1]]))
            if arrows:
                places, forces = shapes.arrows(result, frame, arrows.kind)
                if len(places):
                    reach.add((places + arrows.scale * forces) @ turn.T)
        middle, depth, distance = reach.fit(zoom)
        focus = np.array([*middle, depth]) @ turn
        return Camera(focus + distance * turn[2], focus, turn[1], slope, distance * slope if ortho else None)

    def apply(self, camera):
        camera.SetViewAngle(2 * math.degrees(math.atan(self.slope)))
        camera.SetPosition(*self.position)
        camera.SetFocalPoint(*self.focus)
        camera.SetViewUp(*self.up)
        if self.scale is not None:
            camera.ParallelProjectionOn()
            camera.SetParallelScale(self.scale)


class Reach:
    """The four sides of the smallest picture that holds all points: -a (cz - z) <= x - cx <= b (cz - z) for a camera at c, which a point of
    the least x - a z and one of the greatest x + b z meet with equality."""

    def __init__(self, below, above, ortho):
        self.below, self.above, self.tilted = below, above, 0.0 if ortho else 1.0
        self.high, self.low = np.full(2, -np.inf), np.full(2, np.inf)
        self.near, self.far = -np.inf, np.inf

    def add(self, points):
        self.high = np.maximum(self.high, (points[:, :2] + self.tilted * self.above * points[:, 2:]).max(axis=0))
        self.low = np.minimum(self.low, (points[:, :2] - self.tilted * self.below * points[:, 2:]).min(axis=0))
        self.near, self.far = max(self.near, points[:, 2].max()), min(self.far, points[:, 2].min())

    def fit(self, zoom):
        """The middle across, the depth of the focus, and the distance of the camera from there."""
        depth = (self.near + self.far) / 2
        needed = (self.high - self.low) / (self.below + self.above) - self.tilted * depth
        distance = max(MARGIN * needed.max(), 1e-9) / zoom
        aside = (self.below - self.above) / 2 * (distance + self.tilted * depth)
        return (self.high + self.low) / 2 + aside, depth, distance
