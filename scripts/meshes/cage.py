#!/usr/bin/python3
"""cage.py out.vtk: the object of the pyramid, two rings of 24 hexahedra joined by twelve posts of two, six tetrahedra each.

72 hexahedra, 84 faces between them: 432 tetrahedra, 528 surface faces and 240 vertices, all on the surface. They are cells of a grid
(24 around, 1 across, 4 high) with cubes of about 2 cm, the middle of the wall at 8 cm from the axis z.
"""
import itertools
import math
import sys

AROUND, RADIUS, SIDE = 24, 0.08, 0.02
CELLS = [(i, k) for i in range(AROUND) for k in range(4) if k in (0, 3) or i % 2 == 0]
numbers, vertices, tets = {}, [], []


def vertex(i, j, k):
    key = (i % AROUND, j, k)
    if key not in numbers:
        numbers[key] = len(vertices)
        angle, r = 2 * math.pi * key[0] / AROUND, RADIUS + SIDE * (j - 0.5)
        vertices.append((r * math.cos(angle), r * math.sin(angle), SIDE * (k - 2)))
    return numbers[key]


for i, k in CELLS:
    for order in itertools.permutations(range(3)):  # the six paths from the cell's first corner to its last
        corner, path = [i, 0, k], []
        path.append(vertex(*corner))
        for axis in order:
            corner[axis] += 1
            path.append(vertex(*corner))
        even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        tets.append(path if not even else [path[1], path[0], path[2], path[3]])

with open(sys.argv[1], "w") as file:
    file.write("# vtk DataFile Version 3.0\nTwo rings joined by twelve posts (scripts/meshes/cage.py)\nASCII\nDATASET UNSTRUCTURED_GRID\n")
    file.write(f"POINTS {len(vertices)} double\n" + "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in vertices))
    file.write(f"CELLS {len(tets)} {5 * len(tets)}\n" + "".join("4 " + " ".join(map(str, tet)) + "\n" for tet in tets))
    file.write(f"CELL_TYPES {len(tets)}\n" + "10\n" * len(tets))
