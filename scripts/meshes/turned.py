#!/usr/bin/python3
"""turned.py out.vtk SHAPE: a chess figure as a solid of revolution about z, its foot at z = 0, of about 100 vertices and 180 tetrahedra.

SHAPE: pawn, rook, knight, bishop, queen or king. The figures of Spillmann, Becker & Teschner 2007 (Figure 5; 101 vertices and 176
tetrahedra each) are not to be had. Each is a stack of eight-sided rings about a line of vertices; every layer has eight prisms of three
tetrahedra. Along all sides between prisms the diagonal goes from the axis below to the ring above, so that they fit.
"""
import math
import sys

SIDES = 8
PROFILES = {  # mm: height above the foot, radius
    "pawn": [(0, 8), (3, 8), (8, 4), (15, 3.5), (19, 6), (24, 6.5), (28, 3.5)],
    "rook": [(0, 9), (4, 9), (9, 5), (19, 5), (24, 7.5), (28, 7.5), (32, 7)],
    "knight": [(0, 9), (4, 9), (9, 5), (15, 5.5), (21, 8), (28, 7), (34, 3.5)],
    "bishop": [(0, 9), (4, 8.5), (10, 4.5), (20, 4), (25, 6), (31, 5.5), (36, 3), (38, 2.5)],
    "queen": [(0, 9.5), (4, 9.5), (10, 5), (22, 4.5), (28, 6.5), (35, 8), (38, 5), (40, 3)],
    "king": [(0, 9.5), (4, 9.5), (10, 5.5), (22, 5), (28, 7), (33, 7), (36, 4), (40, 4)],
}


def vertices_of(profile):
    for height, radius in profile:
        yield 0.0, 0.0, 1e-3 * height
        for k in range(SIDES):
            angle = 2 * math.pi * k / SIDES
            yield 1e-3 * radius * math.cos(angle), 1e-3 * radius * math.sin(angle), 1e-3 * height


def tets_of(layers):
    for layer in range(layers):
        below, above = layer * (SIDES + 1), (layer + 1) * (SIDES + 1)
        for k in range(SIDES):
            b, c = 1 + k, 1 + (k + 1) % SIDES
            yield below, below + b, below + c, above + c
            yield below, below + b, above + c, above + b
            yield below, above + b, above + c, above


def main():
    path, shape = sys.argv[1:]
    profile = PROFILES[shape]
    vertices, tets = list(vertices_of(profile)), list(tets_of(len(profile) - 1))
    with open(path, "w") as file:
        file.write(f"# vtk DataFile Version 3.0\n{shape} (scripts/meshes/turned.py)\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        file.write(f"POINTS {len(vertices)} double\n" + "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in vertices))
        file.write(f"CELLS {len(tets)} {5 * len(tets)}\n" + "".join("4 " + " ".join(map(str, tet)) + "\n" for tet in tets))
        file.write(f"CELL_TYPES {len(tets)}\n" + "10\n" * len(tets))


main()
