"""What of the model is exported: which vertices and cells, the same in every frame."""
import collections

import numpy as np

import shapes

# points: rows of the result's vertices. cells: of each kind (tets, triangles) vertices [.,4 or 3] as rows of `points`;
# owner and tet: of all cells, tets first, the object and the tetrahedron in or behind it (-1: none).
Pieces = collections.namedtuple("Pieces", "points tets triangles owner tet")


def pieces_of(result, objects, volumes):
    """Of these objects: with `volumes` the tetrahedra, and the surfaces of objects that have none; else all surfaces."""
    tets, triangles = np.zeros(len(result.tets), bool), np.zeros(len(result.triangles), bool)
    tet_owner = np.zeros(len(result.tets), int)
    for found in objects:
        tet_owner[found.tets] = found.index
        if volumes and found.tets.stop > found.tets.start:
            tets[found.tets] = True
        else:
            triangles[found.triangles] = True
    behind = shapes.tets_of_triangles(result)[triangles]
    corners = [result.tets[tets], result.triangles[triangles]]
    used = np.zeros(len(result.rest_positions), bool)
    for vertices in corners:
        used[vertices] = True
    if volumes:  # loose vertices of the objects stay, so that of all objects the rows are those of the result
        for found in objects:
            used[found.vertices] = True
    row = np.cumsum(used) - 1
    owner = np.concatenate([tet_owner[tets], result.triangle_object[triangles]])
    return Pieces(np.flatnonzero(used), row[corners[0]], row[corners[1]], owner.astype(np.int32),
                  np.concatenate([np.flatnonzero(tets), behind]))
