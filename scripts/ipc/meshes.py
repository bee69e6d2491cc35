"""The mesh files of IPC: vertices, and what they span."""
import os

import numpy as np

from common.command_line import Complaint, FileComplaint


def lines_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError as error:
        raise FileComplaint(f"{path}: cannot be read: {error.strerror}") from error


def read_obj(path):
    """(vertices, faces, segments) with numbers from 0."""
    vertices, faces, segments = [], [], []
    for number, line in enumerate(lines_of(path), 1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                vertices.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
            elif words[:1] in (["s"], ["l"]) and len(words) == 3:
                segments.append([int(word) - 1 for word in words[1:]])
        except ValueError as error:
            raise FileComplaint(f"{path}: line {number}: {line.strip()}: expected numbers") from error
    return np.array(vertices).reshape(-1, 3), faces, segments


def edges_of(faces):
    """Each edge once."""
    return sorted({tuple(sorted((a, b))) for face in faces for a, b in zip(face, face[1:] + face[:1])})


def is_own_msh(path):
    """IPC's own kind: `4 0 8`, which Gmsh does not write."""
    head = lines_of(path)[:2]
    return head[:1] == ["$MeshFormat"] and len(head) == 2 and head[1].split()[:1] == ["4"]


def read_own_msh(path):
    """(vertices, tetrahedra) with numbers from 0."""
    lines = lines_of(path)
    try:
        at = lines.index("$Nodes") + 1
        count = int(lines[at].split()[1])
        vertices = np.array([line.split()[1:4] for line in lines[at + 2:at + 2 + count]], float)
        at = lines.index("$Elements") + 1
        count = int(lines[at].split()[1])
        tets = np.array([line.split()[1:5] for line in lines[at + 2:at + 2 + count]], int) - 1
    except (ValueError, IndexError) as error:
        raise FileComplaint(f"{path}: expected the .msh of IPC: one block of nodes and one of tetrahedra") from error
    if vertices.shape[1:] != (3,) or tets.shape[1:] != (4,) or tets.min() < 0 or tets.max() >= len(vertices):
        raise FileComplaint(f"{path}: expected nodes of three coordinates and tetrahedra of four of them")
    return vertices, tets


def write_tetgen(stem, vertices, tets):
    """stem.node and stem.ele; vertices without a tetrahedron are left out. Returns the new numbers of the vertices, -1 for none."""
    number = np.full(len(vertices), -1)
    used = np.unique(tets)
    number[used] = np.arange(len(used))
    with open(stem + ".node", "w", encoding="utf-8") as file:
        file.write(f"{len(used)} 3 0 0\n")
        file.writelines(f"{i} {x!r} {y!r} {z!r}\n" for i, (x, y, z) in enumerate(vertices[used].tolist()))
    with open(stem + ".ele", "w", encoding="utf-8") as file:
        file.write(f"{len(tets)} 4 0\n")
        file.writelines(f"{i} {a} {b} {c} {d}\n" for i, (a, b, c, d) in enumerate(number[tets].tolist()))
    return number


def find(path, text_file, root):
    """Where IPC would find it: below its own folder, which is one of those that the text file is in."""
    if os.path.isabs(path):
        return path
    folder = root or os.path.dirname(os.path.abspath(text_file))
    while True:
        found = os.path.join(folder, path)
        stem = os.path.splitext(found)[0]
        if any(os.path.exists(name) for name in (found, stem + ".obj", stem + ".node")):  # as IPC looks for .seg and .pt
            return found
        if root or folder == os.path.dirname(folder):
            raise Complaint(f"{text_file}: {path}: is in none of the folders that {text_file} is in; say with --root where IPC's folder is")
        folder = os.path.dirname(folder)
