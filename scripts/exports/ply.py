"""Polygon files (PLY), binary: surfaces and the edges of cables in the colours of their objects, which also are the number `object` of
each face and edge."""
import numpy as np

import shapes

from common.files import replacing


def write(path, result, frame, pieces):
    vertex_owner = np.zeros(len(pieces.points), np.int32)
    of_faces, of_edges = np.split(pieces.owner, [len(pieces.triangles)])
    vertex_owner[pieces.triangles], vertex_owner[pieces.segments] = of_faces[:, None], of_edges[:, None]
    vertices = np.empty(len(pieces.points), [("position", "<f8", 3), ("color", "u1", 3)])
    vertices["position"] = frame.positions[pieces.points]
    vertices["color"] = np.round(255 * shapes.object_colors(result)[vertex_owner])
    faces = np.empty(len(pieces.triangles), [("count", "u1"), ("corners", "<i4", 3), ("object", "<i4")])
    faces["count"], faces["corners"], faces["object"] = 3, pieces.triangles, of_faces
    edges = np.empty(len(pieces.segments), [("ends", "<i4", 2), ("object", "<i4")])
    edges["ends"], edges["object"] = pieces.segments, of_edges
    edge_header = f"element edge {len(edges)}\nproperty int vertex1\nproperty int vertex2\nproperty int object\n" if len(edges) else ""
    with replacing(path, binary=True) as file:
        file.write(f"""ply
format binary_little_endian 1.0
comment frame {frame.index}, step {frame.step}, {frame.time!r} s
element vertex {len(vertices)}
property double x
property double y
property double z
property uchar red
property uchar green
property uchar blue
element face {len(faces)}
property list uchar int vertex_indices
property int object
{edge_header}end_header
""".encode())
        file.write(vertices.tobytes())
        file.write(faces.tobytes())
        file.write(edges.tobytes())
