"""Wavefront OBJ: surfaces and the lines of cables, a group an object. Numbers have the digits that give back the same double."""
import numpy as np

from common.files import replacing


def write(path, result, frame, pieces):
    vertices = frame.positions[pieces.points]
    with replacing(path) as file:
        file.write(f"# frame {frame.index}, step {frame.step}, {frame.time!r} s\n")
        file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in vertices.tolist())
        of_triangles, of_segments = np.split(pieces.owner, [len(pieces.triangles)])
        for index in np.unique(pieces.owner):
            name = "_".join(result.objects[index].name.split()) or f"object{index}"
            file.write(f"g {name}\n")
            file.writelines(f"f {a} {b} {c}\n" for a, b, c in (pieces.triangles[of_triangles == index] + 1).tolist())
            file.writelines(f"l {a} {b}\n" for a, b in (pieces.segments[of_segments == index] + 1).tolist())
