"""Obstacles that are no bodies, as pictures show them: half-spaces, segments and points."""
import numpy as np

from .colors import mobile

TIMES = 30  # inradius of what is shown of a half-space, over the size of the scene


def scene_box(result, positions):
    """Low and high corner of all vertices but those of half-spaces."""
    kept = np.ones(len(positions), bool)
    for found in result.half_spaces:
        kept[found.vertices] = False
    used = positions[kept] if kept.any() else np.zeros((1, 3))
    return used.min(axis=0), used.max(axis=0)


def near_part(result, positions):
    """The positions, with the triangle of each half-space made as small as the scene, about the point nearest to it."""
    if not result.half_spaces:
        return positions
    positions = np.array(positions, float)
    low, high = scene_box(result, positions)
    middle = (low + high) / 2
    for found in result.half_spaces:
        x = positions[found.vertices]
        center = x.mean(axis=0)
        normal = np.cross(x[1] - x[0], x[2] - x[0])
        normal /= np.linalg.norm(normal)
        nearest = middle - normal * ((middle - center) @ normal)
        size = TIMES * (np.linalg.norm(high - low) + np.linalg.norm(middle - nearest))
        inradius = np.linalg.norm((x[0] + x[1]) / 2 - center)
        positions[found.vertices] = nearest + (x - center) * (size / inradius)
    return positions


def thin_parts(result):
    """(segments [n,2], points [m]) of obstacles, as vertices: triangles {a, b, b} and {a, a, a}."""
    obstacle = np.array([not mobile(found.type) for found in result.objects], bool)
    triangles = result.triangles[obstacle[result.triangle_object]] if len(result.objects) else np.zeros((0, 3), int)
    thin = triangles[triangles[:, 1] == triangles[:, 2]]
    is_point = thin[:, 0] == thin[:, 1]
    return thin[~is_point][:, :2], thin[is_point][:, 0]
