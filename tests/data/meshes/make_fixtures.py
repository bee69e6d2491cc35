#!/usr/bin/env python3
"""Writes the cube in every mesh format that simrun reads, from the descriptions of the formats alone.

    python3 tests/data/meshes/make_fixtures.py        writes beside itself
"""

import struct
from pathlib import Path

HERE = Path(__file__).resolve().parent
A, B = -0.625, 1.375  # exact in single precision, so that every format can hold them
POINTS = [(A, A, A), (A, B, A), (B, B, A), (B, A, A), (A, A, B), (B, A, B), (B, B, B), (A, B, B)]
TETS = [(0, 3, 2, 6), (0, 5, 3, 6), (0, 2, 1, 6), (0, 1, 7, 6), (0, 4, 5, 6), (0, 7, 4, 6)]
QUADS = [(0, 1, 2, 3), (4, 5, 6, 7), (0, 3, 5, 4), (3, 2, 6, 5), (2, 1, 7, 6), (1, 0, 4, 7)]
TRIANGLES = [t for q in QUADS for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]


def pack(order, kind, *values):
    return struct.pack(f"{order}{len(values)}{kind}", *values)


def text(name, lines, end="\n"):
    (HERE / name).write_bytes((end.join(lines) + end).encode())


def row(*values):
    return " ".join(str(v) for v in values)


# --- Gmsh: a point (type 15), a line (1) and triangles (2) come with the tets; node 9 belongs to no tet -------------
NODE_TAGS_2 = [7, 3, 10, 4, 20, 21, 2, 1000]  # gaps and no order
EXTRA = (99, (0.5, 0.5, 0.5))


def gmsh22_ascii():
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "1", '3 1 "rub ber"', "$EndPhysicalNames"]
    lines += ["$Nodes", "9", row(EXTRA[0], *EXTRA[1])]
    lines += [row(tag, *p) for tag, p in zip(NODE_TAGS_2, POINTS)] + ["$EndNodes", "$Elements", "9"]
    lines += ["1 15 2 0 5 99", "2 1 2 0 1 99 7", "3 2 2 0 1 7 3 10"]
    lines += [row(4 + i, 4, 2, 1, 1, *(NODE_TAGS_2[v] for v in t)) for i, t in enumerate(TETS)] + ["$EndElements"]
    text("cube_22.msh", lines)
    text("cube_22_crlf.msh", lines, "\r\n")


def gmsh22_binary(order, name):
    def ints(*v):
        return pack(order, "i", *v)

    out = b"$MeshFormat\n2.2 1 8\n" + ints(1) + b"\n$EndMeshFormat\n$Nodes\n9\n"
    for tag, p in [EXTRA] + list(zip(NODE_TAGS_2, POINTS)):
        out += ints(tag) + pack(order, "d", *p)
    out += b"\n$EndNodes\n$Elements\n8\n"
    out += ints(15, 1, 2) + ints(1, 0, 5, 99)
    out += ints(2, 1, 2) + ints(2, 0, 1, 7, 3, 10)
    for begin, end in ((0, 2), (2, 6)):  # elements of one type in two blocks
        out += ints(4, end - begin, 2)
        for i in range(begin, end):
            out += ints(3 + i, 1, 1, *(NODE_TAGS_2[v] for v in TETS[i]))
    (HERE / name).write_bytes(out + b"\n$EndElements\n")


# --- Gmsh 4.1: nodes in blocks, one of them parametric (on a surface: two more numbers a node), one empty ------------
BLOCKS_4 = [(0, 1, 0, [EXTRA]), (1, 1, 1, []), (2, 3, 1, [(11 + i, POINTS[i]) for i in range(3)]),
            (3, 1, 0, [(50 + 10 * i, POINTS[i]) for i in range(3, 8)])]
NODE_TAGS_4 = [11, 12, 13, 80, 90, 100, 110, 120]
ELEMENTS_4 = [(0, 1, 15, [(1, 99)]), (2, 3, 2, [(2, 11, 12, 13)]),
              (3, 1, 4, [(3 + i, *(NODE_TAGS_4[v] for v in t)) for i, t in enumerate(TETS)])]


def gmsh41_ascii():
    lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$Entities", "0 0 0 0", "$EndEntities"]
    lines += ["$Nodes", "4 9 11 120"]
    for dimension, tag, parametric, nodes in BLOCKS_4:
        lines.append(row(dimension, tag, parametric, len(nodes)))
        lines += [str(node) for node, _ in nodes]
        lines += [row(*p, *((0.25, 0.75) if parametric else ())) for _, p in nodes]
    lines += ["$EndNodes", "$Elements", "3 8 1 8"]
    for dimension, tag, kind, elements in ELEMENTS_4:
        lines.append(row(dimension, tag, kind, len(elements)))
        lines += [row(*e) for e in elements]
    text("cube_41.msh", lines + ["$EndElements", "$Comments", "any thing", "$EndComments"])


def gmsh41_binary(order, name):
    out = b"$MeshFormat\n4.1 1 8\n" + pack(order, "i", 1) + b"\n$EndMeshFormat\n"
    out += b"$Nodes\n" + pack(order, "Q", 4, 9, 11, 120)
    for dimension, tag, parametric, nodes in BLOCKS_4:
        out += pack(order, "i", dimension, tag, parametric) + pack(order, "Q", len(nodes))
        out += pack(order, "Q", *(node for node, _ in nodes))
        for _, p in nodes:
            out += pack(order, "d", *p, *((0.25, 0.75) if parametric else ()))
    out += b"\n$EndNodes\n$Elements\n" + pack(order, "Q", 3, 8, 1, 8)
    for dimension, tag, kind, elements in ELEMENTS_4:
        out += pack(order, "i", dimension, tag, kind) + pack(order, "Q", len(elements))
        for e in elements:
            out += pack(order, "Q", *e)
    (HERE / name).write_bytes(out + b"\n$EndElements\n")


# --- TetGen ----------------------------------------------------------------------------------------------------------
def tetgen(first, name):
    extra = first == 1  # with attributes, boundary markers and comments
    lines = ["# nodes", "8 3 2 1 # head", ""] if extra else ["8 3 0 0"]
    lines += [row(first + i, *p, *((0.5, "nan", -1) if extra else ())) for i, p in enumerate(POINTS)]
    text(name + ".node", lines + (["# written by hand"] if extra else []))
    lines = ["6 4 1" if extra else "6 4 0"]
    lines += [row(first + i, *(first + v for v in t), *((7,) if extra else ())) for i, t in enumerate(TETS)]
    text(name + ".ele", lines)


# --- VTK: a triangle (type 5) and a vertex (1) come with the tets ----------------------------------------------------
CELLS = [(5, (0, 1, 2))] + [(10, t) for t in TETS] + [(1, (3,))]


def vtk_text_4():
    lines = ["# vtk DataFile Version 3.0", "a cube", "ASCII", "DATASET UNSTRUCTURED_GRID"]
    lines += ["FIELD FieldData 1", "TIME 1 1 double", "0.5", "POINTS 8 double"]
    lines += [row(*(c for p in POINTS[i:i + 3] for c in p)) for i in range(0, 8, 3)]
    lines += ["METADATA", "INFORMATION 0", "", f"CELLS {len(CELLS)} {sum(1 + len(c) for _, c in CELLS)}"]
    lines += [row(len(c), *c) for _, c in CELLS] + [f"CELL_TYPES {len(CELLS)}", row(*(t for t, _ in CELLS))]
    text("cube_30.vtk", lines + ["POINT_DATA 8", "SCALARS s float", "LOOKUP_TABLE default", "0 0 0 0 0 0 0 0"])


def vtk_binary_4():
    out = b"# vtk DataFile Version 4.2\na cube\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
    out += b"FIELD FieldData 1\nTIME 1 1 double\n" + pack(">", "d", 0.5) + b"\nPOINTS 8 float\n"
    out += b"".join(pack(">", "f", *p) for p in POINTS)
    out += f"\nCELLS {len(CELLS)} {sum(1 + len(c) for _, c in CELLS)}\n".encode()
    out += b"".join(pack(">", "i", len(c), *c) for _, c in CELLS)
    out += f"\nCELL_TYPES {len(CELLS)}\n".encode() + pack(">", "i", *(t for t, _ in CELLS)) + b"\n"
    (HERE / "cube_42_binary.vtk").write_bytes(out)


def vtk_5():
    offsets = [0]
    for _, c in CELLS:
        offsets.append(offsets[-1] + len(c))
    points = [v for _, c in CELLS for v in c]
    head = "# vtk DataFile Version 5.1\na cube\n{}\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
    cells = f"CELLS {len(offsets)} {len(points)}\n"
    types = f"CELL_TYPES {len(CELLS)}\n"
    text("cube_51.vtk", [head.format("ASCII") + "\n".join(row(*p) for p in POINTS), cells + "OFFSETS vtktypeint64",
                         row(*offsets), "CONNECTIVITY vtktypeint64", row(*points), types + row(*(t for t, _ in CELLS))])
    out = head.format("BINARY").encode() + b"".join(pack(">", "d", *p) for p in POINTS)
    out += ("\n" + cells + "OFFSETS vtktypeint64\n").encode() + pack(">", "q", *offsets)
    out += b"\nCONNECTIVITY vtktypeint64\n" + pack(">", "q", *points)
    out += ("\n" + types).encode() + pack(">", "i", *(t for t, _ in CELLS)) + b"\n"
    (HERE / "cube_51_binary.vtk").write_bytes(out)


# --- surfaces --------------------------------------------------------------------------------------------------------
def obj():
    lines = ["# a cube", "mtllib none.mtl", "o cube"] + [row("v", *p) for p in POINTS] + ["vt 0 0", "vn 0 0 1", "s off"]
    corner = ["{}", "{}/1", "{}//1", "{}/1/1"]
    for i, t in enumerate(TRIANGLES):
        lines.append(row("f", *(corner[i % 4].format(v + 1) for v in t)))
    text("cube.obj", lines, "\r\n")
    lines = [row("v", *p, 1.0) for p in POINTS] + ["usemtl steel"]
    lines += ["f " + row(*(v - 8 for v in q[:2])) + " \\\n " + row(*(v - 8 for v in q[2:])) for q in QUADS]
    text("cube_quads.obj", lines)


def off():
    text("cube.off", ["OFF", "# a cube", "8 12 0", ""] + [row(*p) for p in POINTS] + [row(3, *t) for t in TRIANGLES])
    text("cube_colour.off", ["COFF 8 6 12"] + [row(*p, 255, 0, 0, 255) for p in POINTS]
         + [row(4, *q, 0.1, 0.2, 0.3) + " # side" for q in QUADS])


def ply():
    def head(kind, real, faces):
        return (f"ply\nformat {kind} 1.0\ncomment a cube\nelement vertex 8\nproperty {real} x\nproperty {real} y\n"
                f"property uchar red\nproperty {real} z\nproperty list uchar short extra\nelement face {faces}\n"
                "property float quality\nproperty list uchar int vertex_indices\nelement edge 1\n"
                "property ushort first\nproperty double length\nend_header\n")

    text("cube.ply", [head("ascii", "double", 6) + "\n".join(row(x, y, 255, z, 2, 5, -6) for x, y, z in POINTS)]
         + [row("nan", 4, *q) for q in QUADS] + ["1 0.5"])
    for order, kind, real, code in (("<", "binary_little_endian", "float", "f"), (">", "binary_big_endian", "float64", "d")):
        out = head(kind, real, 12).encode()
        for x, y, z in POINTS:
            out += struct.pack(f"{order}2{code}B{code}B2h", x, y, 255, z, 2, 5, -6)
        for t in TRIANGLES:
            out += struct.pack(f"{order}fB3i", float("nan"), 3, *t)
        out += struct.pack(f"{order}Hd", 1, 0.5)
        (HERE / f"cube_{kind[7:]}.ply").write_bytes(out)
    out = ("ply\r\nformat binary_little_endian 1.0\r\nelement vertex 8\r\nproperty float32 x\r\nproperty float32 y\r\n"
           "property float32 z\r\nelement face 6\r\nproperty list uint32 uint8 vertex_index\r\nend_header\r\n").encode()
    out += b"".join(pack("<", "f", *p) for p in POINTS) + b"".join(struct.pack("<I4B", 4, *q) for q in QUADS)
    (HERE / "cube_index.ply").write_bytes(out)


def stl():
    lines = ["solid a cube"]
    for t in TRIANGLES:
        lines += ["  facet normal nan 0 1", "    outer loop"] + ["      vertex " + row(*POINTS[v]) for v in t]
        lines += ["    endloop", "  endfacet"]
    text("cube.stl", lines + ["endsolid a cube"])
    out = b"solid but binary".ljust(80) + struct.pack("<I", len(TRIANGLES))
    for t in TRIANGLES:
        out += struct.pack("<12fH", 0, 0, 1, *(c for v in t for c in POINTS[v]), 7)
    (HERE / "cube_binary.stl").write_bytes(out)


gmsh22_ascii()
gmsh22_binary("<", "cube_22_binary.msh")
gmsh22_binary(">", "cube_22_big_endian.msh")
gmsh41_ascii()
gmsh41_binary("<", "cube_41_binary.msh")
gmsh41_binary(">", "cube_41_big_endian.msh")
tetgen(0, "cube_0")
tetgen(1, "cube_1")
vtk_text_4()
vtk_binary_4()
vtk_5()
obj()
off()
ply()
stl()
