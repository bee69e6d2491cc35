"""What pictures and the player of the report look at, and from where.

Up is against gravity. The usual direction to the camera is FROM, turned from z to up. In view is what moves: bodies, and scripted
objects no larger than these that do not go GOES times as far; and what the bodies are in, a bucket or the walls round them, where it is no
larger than GOES times what they reach. Obstacles that hide more than HIDES of the bodies from the camera are see-through.
"""
import numpy as np

from .colors import mobile
from .obstacles import near_part

FROM = (0.55, -1.0, 0.4)
FIELD = 30.0   # degrees, the shorter side of a picture
GOES = 2.0     # of what the bodies reach
HIDES = 0.1    # of the points that are tried
LINES = 16     # across, through the middle of the bodies
BETWEEN = 4    # of them, at least, meet walls on both sides of bodies that are in something
RAYS, FRAMES = 2000, 8
WORK = 2e7     # rays times triangles, at most, an obstacle


def unit(vector):
    vector = np.asarray(vector, float)
    return vector / np.linalg.norm(vector)


def upwards(result):
    gravity = np.array(result.scene.get("gravity", [0, 0, -9.81]), float)
    return -unit(gravity) if np.any(gravity) else np.array([0.0, 0, 1])


def usual_direction(up):
    """FROM, turned by the shortest way that takes z to up."""
    z, up, direction = np.array([0.0, 0, 1]), unit(up), unit(FROM)
    if up @ z < -1 + 1e-12:
        return direction * [1, -1, -1]
    axis = np.cross(z, up)  # its length is the sine
    return direction + np.cross(axis, direction) + np.cross(axis, np.cross(axis, direction)) / (1 + up @ z)


def axes(toward, up):
    """Right, upward and toward the camera: the rows of a matrix, each of length 1."""
    toward = unit(toward)
    if abs(toward @ unit(up)) > 0.999:  # along up: another axis is up in the picture
        up = [0, 1, 0] if abs(toward[1]) < 0.9 else [0, 0, 1]
    right = unit(np.cross(up, toward))
    return np.array([right, np.cross(toward, right), toward])


def vertices_of(result, chosen):
    """Those on the surfaces of these objects (rows); of objects without triangles all."""
    surface = [np.unique(result.triangles[result.objects[row].triangles]) for row in chosen]
    whole = [np.arange(result.objects[row].vertices.start, result.objects[row].vertices.stop) for row in chosen]
    return [some if len(some) else every for some, every in zip(surface, whole)]


def box_of(positions):
    return positions.min(axis=0), positions.max(axis=0)


def across(up):
    """[2 LINES,3]: ways evenly about `up`; the second half of them are those against the first."""
    first = unit(np.cross(up, np.eye(3)[np.argmin(np.abs(up))]))
    angles = np.pi / LINES * np.arange(LINES)[:, None]
    ways = np.cos(angles) * first + np.sin(angles) * np.cross(unit(up), first)
    return np.concatenate([ways, -ways])


def met(middle, ways, low, high):
    """[ways]: which of the boxes low[B,3] to high[B,3] a ray from the middle meets first; -1 where it meets none."""
    ways = np.where(np.abs(ways) < 1e-12, 1e-12, ways)[:, None]
    one, other = (low - middle) / ways, (high - middle) / ways
    enters, leaves = np.minimum(one, other).max(axis=2), np.maximum(one, other).min(axis=2)
    enters[(leaves < enters) | (leaves < 0)] = np.inf
    return np.where(np.isfinite(enters.min(axis=1)), enters.argmin(axis=1), -1)


def around(middle, ways, low, high, most):
    """[boxes]: whether the bodies, with this middle, are in one of the boxes low[B,3] to high[B,3], or in several together. One that holds the
    middle is such; the others are walls where at least BETWEEN of LINES meet one on both sides, and those first met are together no larger than
    `most`."""
    found = np.all((low < middle) & (middle < high), axis=1)
    beside = np.flatnonzero(~found)
    if len(beside):
        first = met(middle, ways, low[beside], high[beside])
        walls = beside[np.unique(first[first >= 0])]
        between = np.count_nonzero(np.all(first.reshape(2, -1) >= 0, axis=0)) >= BETWEEN
        if between and np.linalg.norm(high[walls].max(axis=0) - low[walls].min(axis=0)) <= most:
            found[walls] = True
    return found


def subjects(result, frames, hidden=()):
    """Rows of the objects to look at, of those that are not hidden: bodies; scripted objects that move, are no larger than the bodies
    together, and do not go away from them; and obstacles that the bodies are in, in a frame."""
    shown = [found for found in result.objects if found.index not in hidden]
    bodies = [found.index for found in shown if mobile(found.type)]
    others = [found.index for found in shown if not mobile(found.type)]
    if not bodies:
        bodies, others = [found.index for found in shown], []
    vertices = dict(zip(bodies + others, vertices_of(result, bodies + others)))
    others = [row for row in others if len(vertices[row])]
    if not sum(len(vertices[row]) for row in bodies) or not others:
        return bodies
    together = np.concatenate([vertices[row] for row in bodies])
    first, moved, boxes = None, np.zeros(len(others), bool), []
    for frame in frames:
        x = frame.positions
        first = x if first is None else first
        boxes.append([box_of(x[part]) for part in (together, *(vertices[row] for row in others))])
        moved |= [bool(np.any(x[vertices[row]] != first[vertices[row]])) for row in others]
    low, high = np.moveaxis(np.array(boxes), 2, 0)  # [frames, bodies and then others, 3] each
    reached = np.linalg.norm(high.max(axis=0) - low.min(axis=0), axis=1)
    size, most = reached[0], GOES * reached[0]
    seen = moved & (np.linalg.norm(high[0] - low[0], axis=1)[1:] <= size)
    stay = np.flatnonzero(reached[1:] <= most)
    ways = across(upwards(result))
    for a, b in zip(low, high):
        seen[stay] |= around((a[0] + b[0]) / 2, ways, a[1:][stay], b[1:][stay], most)
    return sorted(bodies + [others[k] for k in stay if seen[k]])


def seen_vertices(result, frames, hidden=()):
    found = [part for part in vertices_of(result, subjects(result, frames, hidden)) if len(part)]
    return np.concatenate(found) if found else np.zeros(0, int)


def evenly(items, count):
    """At most `count` of them, the last and where there is room the first among them."""
    if len(items) <= count:
        return list(items)
    if count == 1:
        return [items[-1]]
    return [items[k] for k in sorted({round(x) for x in np.linspace(0, len(items) - 1, count)})]


def crossed(origins, ways, corners):
    """[rays]: whether origin + s way, 0.001 < s < 1, meets one of the triangles [T,3,3] (Moeller & Trumbore 1997)."""
    found = np.zeros(len(origins), bool)
    edge1, edge2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    for begin in range(0, len(origins), max(1, int(2e5 / max(len(corners), 1)))):
        part = slice(begin, begin + max(1, int(2e5 / max(len(corners), 1))))
        way, start = ways[part, None, :], origins[part, None, :] - corners[None, :, 0]
        p = np.cross(way, edge2[None])
        volume = np.einsum("rtk,tk->rt", p, edge1)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1 / volume
            u = np.einsum("rtk,rtk->rt", start, p) * inverse
            q = np.cross(start, edge1[None])
            v = np.einsum("rtk,rtk->rt", np.broadcast_to(way, q.shape), q) * inverse
            s = np.einsum("rtk,tk->rt", q, edge2) * inverse
            found[part] = ((u >= 0) & (v >= 0) & (u + v <= 1) & (s > 1e-3) & (s < 1)).any(axis=1)
    return found


def hiding(result, frames, eye=None, toward=None):
    """Rows of the obstacles that hide more than HIDES of the bodies' surface points from the eye, or from far away in direction
    `toward`."""
    obstacles = [found for found in result.objects if not mobile(found.type) and len(result.triangles[found.triangles])]
    bodies = [found.index for found in result.objects if mobile(found.type)]
    vertices = [part for part in vertices_of(result, bodies) if len(part)]
    if not obstacles or not vertices:
        return []
    vertices, chosen, hidden = np.concatenate(vertices), evenly(frames, FRAMES), {}
    tried = np.random.default_rng(1).permutation(vertices)[:RAYS // len(chosen)]
    for frame in chosen:
        positions = near_part(result, frame.positions)
        origins = positions[tried]
        ways = eye - origins if eye is not None else np.broadcast_to(
            np.asarray(toward) * 10 * np.linalg.norm(np.ptp(positions, axis=0)), origins.shape)
        for found in obstacles:
            corners = positions[result.triangles[found.triangles]]
            some = slice(None, None, int(np.ceil(len(origins) * len(corners) * len(chosen) / WORK)))
            hidden.setdefault(found.index, []).append(crossed(origins[some], ways[some], corners).mean())
    return [row for row, parts in hidden.items() if np.mean(parts) > HIDES]
