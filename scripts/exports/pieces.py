"""What of the model is exported: which vertices and cells, the same in every frame."""
import collections

import numpy as np

import shapes

# points: rows of the result's vertices. cells: of each kind (tets, triangles, segments) vertices [.,4, 3 or 2] as rows of `points`;
# owner and tet: of all cells, tets first, then triangles, the object and the tetrahedron in or behind it (-1: none).
Pieces = collections.namedtuple("Pieces", "points tets triangles segments owner tet")


def pieces_of(result, objects, volumes):
    """Of these objects: with `volumes` the tetrahedra, and the surfaces of objects that have none or a cage; else all surfaces."""
    tets, triangles, segments = (np.zeros(len(of), bool) for of in (result.tets, result.triangles, result.segments))
    segment_owner = np.zeros(len(segments), int)
    tet_owner = np.zeros(len(result.tets), int)
    for found in objects:
        tet_owner[found.tets] = found.index
        segment_owner[found.segments] = found.index
        segments[found.segments] = True
        if volumes and found.tets.stop > found.tets.start and found.matter != "embedded":
            tets[found.tets] = True
        elif found.matter != "cable":
            triangles[found.triangles] = True
    a, b, c = result.triangles.T
    rods = triangles & (a != b) & (b == c)  # obstacles of segments, and those of points, are triangles without area
    triangles &= b != c
    behind = shapes.tets_of_triangles(result)[triangles]
    corners = [result.tets[tets], result.triangles[triangles], np.concatenate([result.segments[segments], result.triangles[rods][:, :2]])]
    used = np.zeros(len(result.rest_positions), bool)
    for vertices in corners:
        used[vertices] = True
    if volumes:  # loose vertices of the objects stay, so that of all objects the rows are those of the result
        for found in objects:
            used[found.vertices] = True
    row = np.cumsum(used) - 1
    owner = np.concatenate([tet_owner[tets], result.triangle_object[triangles], segment_owner[segments], result.triangle_object[rods]])
    return Pieces(np.flatnonzero(used), *(row[vertices] for vertices in corners), owner.astype(np.int32),
                  np.concatenate([np.flatnonzero(tets), behind, np.full(len(corners[2]), -1)]))
