#!/usr/bin/python3
"""race.py out.off MAJOR MINOR AROUND ACROSS: the surface of a round torus about z, as an OFF file of triangles."""
import math
import sys

path, major, minor, around, across = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
turn = 2 * math.pi
with open(path, "w") as file:
    file.write(f"OFF\n{around * across} {2 * around * across} 0\n")
    for i in range(around):
        for j in range(across):
            a, b = turn * i / around, turn * j / across
            r = major + minor * math.cos(b)
            file.write(f"{r * math.cos(a)!r} {r * math.sin(a)!r} {minor * math.sin(b)!r}\n")
    for i in range(around):
        for j in range(across):
            near, far = i * across, (i + 1) % around * across
            a, b, c, d = near + j, far + j, far + (j + 1) % across, near + (j + 1) % across
            file.write(f"3 {a} {b} {c}\n3 {a} {c} {d}\n")
