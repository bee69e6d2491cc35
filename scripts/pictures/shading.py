"""Light on surfaces, worked out for the corners of triangles: drawing them is then the least that there is to do.

Lambert's law with a sun above and somewhat to the left of the camera, a weaker light from the camera, and a sky that is brighter above.
"""
import numpy as np

SUN, HEAD, SKY, BASE = 0.50, 0.28, 0.12, 0.34
CREASE = np.cos(np.radians(40))  # sharper edges are not smoothed


def normals(corners):
    """[F,3] of length 1, and twice the areas [F]; of triangles without area 0."""
    a = corners[:, 1] - corners[:, 0]
    b = corners[:, 2] - corners[:, 0]
    found = np.cross(a, b)
    size = np.sqrt(np.einsum("fk,fk->f", found, found))
    return found / np.where(size > 0, size, 1)[:, None], size


def smooth_normals(triangles, count, flat, sizes):
    """[F,3,3] at the corners: the mean of those that meet there, but its own beside a crease."""
    total = np.zeros((count, 3))
    for axis in range(3):
        total[:, axis] = np.bincount(triangles.ravel(), np.repeat(flat[:, axis] * sizes, 3), minlength=count)
    size = np.linalg.norm(total, axis=1)
    mean = (total / np.where(size > 0, size, 1)[:, None])[triangles]
    sharp = np.einsum("fck,fk->fc", mean, flat) < CREASE
    return np.where(sharp[..., None], flat[:, None], mean)


def light(normals, toward, up, two_sided):
    """Factor on the colour, 0 to about 1.2, of normals [..., 3]."""
    sun = 0.5 * toward + 1.2 * up - 0.5 * np.cross(up, toward)
    sun /= np.linalg.norm(sun)
    facing = normals @ toward
    if two_sided:  # seen from behind, it is the other side that is seen
        normals = np.where(facing[..., None] < 0, -normals, normals)
        facing = abs(facing)
    return BASE + SUN * np.maximum(normals @ sun, 0) + HEAD * np.maximum(facing, 0) + SKY * (normals @ up)
