"""Ambient occlusion from the depth of a picture: what is near a surface keeps light from it, so that bodies darken where they touch,
and what floats casts nothing (screen-space ambient occlusion; McGuire et al. 2011 have its derivation):

    A(p) = 1 - STRENGTH / N sum_i max(0, cos(v_i, n) - BIAS) max(0, 1 - |v_i|^2 / R^2),   v_i = p_i - p

with N points p_i of the picture on a spiral around p. Lengths are in units of half the picture's height at the focus.
"""
import numpy as np

RADIUS = 0.14        # R
STRENGTH, BIAS = 3.4, 0.08
DARKEST = 0.3
SAME = 0.4           # of R, that distances may differ by on one surface
SAMPLES = 12
TURNS = 5            # of the spiral that samples lie on
COARSE = 4           # pixels of the picture, a pixel here


def distances(depth, camera, near, far):
    """m, along the axis of the camera; depth as OpenGL has it, from 0 to 1."""
    near, far = np.float32(near), np.float32(far)
    if camera.scale is not None:
        return near + depth * (far - near)
    return near * far / (far - depth * (far - near))


def points_of(depth, camera, near, far):
    """[3,h,w] and where there is anything [h,w]; rows from the bottom."""
    height, width = depth.shape
    distance = distances(depth, camera, near, far)
    if camera.scale is None:
        across = distance * np.float32(camera.slope)
        unit = np.linalg.norm(camera.position - camera.focus) * camera.slope
    else:
        across = np.full_like(depth, camera.scale)
        unit = camera.scale
    x = (np.arange(width, dtype=np.float32) + np.float32(0.5 - width / 2)) / np.float32(unit * height / 2)
    y = (np.arange(height, dtype=np.float32) + np.float32(0.5 - height / 2)) / np.float32(unit * height / 2)
    return np.array([x[None, :] * across, y[:, None] * across, -distance / np.float32(unit)]), depth < 1


def nearer(before, after):
    """Of two differences the one across the smaller step of depth: not that over an edge."""
    return np.where(abs(before[2]) < abs(after[2]), before, after)


def normals_of(points):
    """[3,h,w], toward the camera."""
    dx, dy = points[:, :, 1:] - points[:, :, :-1], points[:, 1:] - points[:, :-1]
    dx = nearer(np.concatenate([dx[:, :, :1], dx], 2), np.concatenate([dx, dx[:, :, -1:]], 2))
    dy = nearer(np.concatenate([dy[:, :1], dy], 1), np.concatenate([dy, dy[:, -1:]], 1))
    found = np.array([dx[1] * dy[2] - dx[2] * dy[1], dx[2] * dy[0] - dx[0] * dy[2], dx[0] * dy[1] - dx[1] * dy[0]])
    return found / np.sqrt(np.maximum((found * found).sum(axis=0), 1e-30))


def offsets(height):
    """Whole pixels (x, y) on a spiral, evenly over its radius: most of them are near, as is what shades most."""
    k = np.arange(SAMPLES)
    radius = (k + 0.5) / SAMPLES * RADIUS * height / 2
    angle = 2 * np.pi * TURNS * (k + 0.5) / SAMPLES
    found = np.rint(np.array([radius * np.cos(angle), radius * np.sin(angle)])).astype(int).T
    return [(x, y) for x, y in found.tolist() if x or y]


def shifted(values, axis, by):
    """The rows (axis 0) or columns from `by` further on, those at the border again where there are none."""
    place = np.clip(np.arange(values.shape[axis]) + by, 0, values.shape[axis] - 1)
    return np.take(values, place, axis)


def softened(light, distance):
    """The mean of 7 x 7 of about the same distance: the pattern of the samples goes, the shade stays on its side of an edge."""
    for axis in (0, 1):
        total, count = light.copy(), np.ones_like(light)
        for by in (-3, -2, -1, 1, 2, 3):
            alike = abs(shifted(distance, axis, by) - distance) < np.float32(SAME * RADIUS)
            total += alike * shifted(light, axis, by)
            count += alike
        light = total / count
    return light


def light_of(depth, camera, near, far):
    """[h,w] from DARKEST to 1."""
    points, there = points_of(depth, camera, near, far)
    normals = normals_of(points)
    height, width = depth.shape
    blocked = np.zeros_like(depth)
    chosen = offsets(height)
    for dx, dy in chosen:
        rows, columns = slice(max(0, -dy), min(height, height - dy)), slice(max(0, -dx), min(width, width - dx))
        from_rows, from_columns = slice(max(0, dy), min(height, height + dy)), slice(max(0, dx), min(width, width + dx))
        v = points[:, from_rows, from_columns] - points[:, rows, columns]
        n = normals[:, rows, columns]
        square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        cosine = (v[0] * n[0] + v[1] * n[1] + v[2] * n[2]) / np.sqrt(square + np.float32(1e-12))
        near_by = 1 - square / np.float32(RADIUS * RADIUS)
        blocked[rows, columns] += np.maximum(cosine - np.float32(BIAS), 0) * np.maximum(near_by, 0)
    light = softened(np.float32(1) - np.float32(STRENGTH / max(len(chosen), 1)) * blocked, points[2])
    return np.where(there, np.clip(light, DARKEST, 1), 1).astype(np.float32)
