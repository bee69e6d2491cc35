"""Area and pressure of contact, vertex by vertex, from the contact forces and the surface as it is.

A third of every surface triangle belongs to each of its corners. At an edge of a body only one side is pressed: of the triangles
around a vertex those count that make less than 45 degrees with the one that the force meets most squarely. With a their area, n their
mean normal (outward) and f the force of all contacts on the vertex:

    area = a (0 without force),   pressure = -f . n / a
"""
import numpy as np

SAME_SIDE = np.cos(np.radians(45))


def pressed(positions, triangles, forces):
    """(m^2, Pa), both [N]: NaN where a force acts on a vertex without area, 0 where none acts."""
    loaded = np.flatnonzero(np.any(forces != 0, axis=1))
    areas, pressures = np.zeros(len(positions)), np.zeros(len(positions))
    if not len(loaded):
        return areas, pressures
    number = np.full(len(positions), -1)
    number[loaded] = np.arange(len(loaded))
    touched = triangles[(number[triangles] >= 0).any(axis=1)]
    a, b, c = (positions[touched[:, corner]] for corner in range(3))
    double = np.cross(b - a, c - a)
    size = np.linalg.norm(double, axis=1)
    touched, double, size = touched[size > 0], double[size > 0], size[size > 0]
    normals = double / size[:, None]
    corner = number[touched].ravel()  # three in a row for each triangle
    owner = np.repeat(np.arange(len(touched)), 3)[corner >= 0]
    corner = corner[corner >= 0]
    side = facing_normals(corner, owner, normals, size, forces[loaded])
    kept = np.einsum("ij,ij->i", normals[owner], side[corner]) > SAME_SIDE
    sums = np.zeros((len(loaded), 4))
    np.add.at(sums, corner[kept], np.column_stack([size, double])[owner[kept]] / 6)
    with np.errstate(invalid="ignore", divide="ignore"):
        direction = sums[:, 1:] / np.linalg.norm(sums[:, 1:], axis=1)[:, None]
        pressures[loaded] = -np.einsum("ij,ij->i", forces[loaded], direction) / sums[:, 0]
    areas[loaded] = np.where(sums[:, 0] > 0, sums[:, 0], np.nan)
    return areas, pressures


def facing_normals(corner, owner, normals, size, forces):
    """[loaded,3]: of each vertex the normal of the triangle that faces its force most; of equals the largest, then the first."""
    facing = np.round(np.einsum("ij,ij->i", normals[owner], forces[corner]) / np.linalg.norm(forces[corner], axis=1), 9)
    order = np.lexsort((np.arange(len(owner)), -size[owner], facing, corner))
    first = order[np.concatenate([[True], np.diff(corner[order]) > 0])] if len(order) else order
    side = np.zeros((len(forces), 3))
    side[corner[first]] = normals[owner[first]]
    return side
