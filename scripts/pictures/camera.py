"""Where to look from: by default so that all that moves stays in view, in all frames."""
import math

import numpy as np

import shapes.colors

VIEW_ANGLE = 30.0  # degrees, vertical
MARGIN = 1.08


def moving_box(result, frames):
    """Low and high corner, over these frames, of the surfaces that move by themselves; of all where there are none."""
    moving = np.array([shapes.colors.mobile(found.type) for found in result.objects], bool)
    triangles = result.triangles[moving[result.triangle_object]] if moving.any() else result.triangles
    if len(triangles) == 0:
        used = np.arange(len(result.rest_positions))
    else:
        used = np.unique(triangles)
    if len(used) == 0:
        return np.zeros(3), np.ones(3)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for frame in frames:
        positions = frame.positions[used]
        low, high = np.minimum(low, positions.min(axis=0)), np.maximum(high, positions.max(axis=0))
    return low, high


class Camera:
    def __init__(self, position, focus, up):
        self.position, self.focus, self.up = (np.asarray(v, float) for v in (position, focus, up))

    @staticmethod
    def fitted(box, direction, aspect, zoom=1.0):
        """From this direction, as near as all corners of the box allow."""
        low, high = box
        corners = np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        toward = np.asarray(direction, float) / np.linalg.norm(direction)
        up = np.array([0.0, 0, 1]) if abs(toward[2]) < 0.99 else np.array([0.0, 1, 0])
        right = np.cross(up, toward)
        right /= np.linalg.norm(right)
        upward = np.cross(toward, right)
        focus = 0.5 * (low + high)
        slope = math.tan(math.radians(VIEW_ANGLE / 2))
        offset = corners - focus
        needed = np.maximum(abs(offset @ upward) / slope, abs(offset @ right) / (slope * aspect)) * MARGIN + offset @ toward
        distance = max(needed.max(), 1e-9) / zoom
        return Camera(focus + distance * toward, focus, up)

    def apply(self, camera):
        camera.SetViewAngle(VIEW_ANGLE)
        camera.SetPosition(*self.position)
        camera.SetFocalPoint(*self.focus)
        camera.SetViewUp(*self.up)
