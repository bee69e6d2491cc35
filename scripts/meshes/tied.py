#!/usr/bin/python3
"""tied.py out.off reef A|B       a ribbon of 17 x 313 vertices, one of the two of a reef knot
tied.py out.off bowline        a ribbon of 5 x 799 vertices along a bowline
tied.py out.off ball N         a closed sphere of radius 1 with N vertices: 42, 119 or 162
tied.py check                  crossings of the knots, seen along -z, and how near their lines come to themselves

Shapes of the scenes of Harmon et al. 2009. Knots are tied along centripetal Catmull-Rom splines, loose, in units of 5 m; ribbons lie across the z axis.
"""
import math
import sys

UNIT = 5.0  # m
REEF = [(-6, .5, 0), (-3, .5, .8), (-2, .5, 1), (0, 1.25, -1), (1.3, 2, 0), (2.6, 0, 1), (1.3, -2, 0), (0, -1.25, -1), (-2, -.5, 1), (-3, -.5, .8), (-6, -.5, 0)]
# The standing part comes down, makes a small loop whose end lies over it, and the big loop; the end comes up through the small loop, goes behind the
# standing part and down through the small loop again.
BOWLINE = [(0, 12, 0), (0, 9, 0), (-.3, 5.5, 0), (-1.7, 2.6, 0), (-1.2, .4, 0), (.4, -.2, 0), (1.8, .8, .2), (1.7, 2.8, .6), (0, 4.1, 1), (-2.2, 3.6, 1),
           (-4.2, 1, .5), (-4.4, -4, 0), (-2.4, -7.2, 0), (.4, -7.8, 0), (3, -6, 0), (3, -2.6, -.6), (1.2, -.8, -1), (.7, 1, 0), (.9, 3, 1.8), (1.2, 5, 1.4), (.8, 6.6, 0),
           (-.6, 6.9, -1), (-1.7, 6, 0), (-1.7, 4.6, 1.8), (-.9, 3, 2), (-.2, 1.2, .4), (-.4, -.8, -1), (-1.2, -3, -.8), (-1.4, -4.6, 0)]
KNOTS = {"reef": (REEF, .7, 312, 16), "bowline": (BOWLINE, .35, 798, 4)}  # line, width, cells along and across
RINGS = {42: (5, 9, 12, 9, 5), 119: (6, 11, 15, 17, 19, 17, 15, 11, 6), 162: (5, 11, 15, 18, 20, 22, 20, 18, 15, 11, 5)}


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dense(corners, parts=60):
    """Points of a centripetal Catmull-Rom spline through the corners; its ends are straight."""
    p = [[2 * a - b for a, b in zip(corners[0], corners[1])], *corners, [2 * a - b for a, b in zip(corners[-1], corners[-2])]]
    line = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        t = [0.0]
        for u, v in ((a, b), (b, c), (c, d)):
            t.append(t[-1] + math.dist(u, v) ** 0.5)
        between = lambda u, v, i, j, s: [((t[j] - s) * x + (s - t[i]) * y) / (t[j] - t[i]) for x, y in zip(u, v)]
        for k in range(parts):
            s = t[1] + (t[2] - t[1]) * k / parts
            ab, bc, cd = between(a, b, 0, 1, s), between(b, c, 1, 2, s), between(c, d, 2, 3, s)
            line.append(between(between(ab, bc, 0, 2, s), between(bc, cd, 1, 3, s), 1, 2, s))
    return line + [list(corners[-1])]


def even(line, count):
    """So many points of a line, equally far apart along it."""
    lengths = [0.0]
    for a, b in zip(line, line[1:]):
        lengths.append(lengths[-1] + math.dist(a, b))
    points, k = [], 0
    for i in range(count):
        s = lengths[-1] * i / (count - 1)
        while k < len(line) - 2 and lengths[k + 1] < s:
            k += 1
        part = (s - lengths[k]) / (lengths[k + 1] - lengths[k])
        points.append([x + part * (y - x) for x, y in zip(line[k], line[k + 1])])
    return points


def ribbon(corners, width, along, across):
    line = even(dense(corners), along + 1)
    vertices, triangles = [], []
    for i, x in enumerate(line):
        t = minus(line[min(i + 1, along)], line[max(i - 1, 0)])
        length = math.hypot(t[0], t[1])
        side = (-t[1] / length, t[0] / length, 0)
        vertices += [[UNIT * (c + width * (j / across - .5) * s) for c, s in zip(x, side)] for j in range(across + 1)]
    for i in range(along):
        for j in range(across):
            a, b, c, d = (i * (across + 1) + j, i * (across + 1) + j + 1, (i + 1) * (across + 1) + j, (i + 1) * (across + 1) + j + 1)
            triangles += [(a, c, d), (a, d, b)] if (i + j) % 2 else [(a, c, b), (b, c, d)]
    return vertices, triangles


def ball(counts):
    """Rings of so many vertices between two poles."""
    vertices, rings = [(0, 0, 1)], [[0]]
    for k, n in enumerate(counts):
        polar = math.pi * (k + 1) / (len(counts) + 1)
        rings.append(list(range(len(vertices), len(vertices) + n)))
        vertices += [(math.sin(polar) * math.cos(2 * math.pi * (i + k % 2 / 2) / n), math.sin(polar) * math.sin(2 * math.pi * (i + k % 2 / 2) / n), math.cos(polar))
                     for i in range(n)]
    rings.append([len(vertices)])
    vertices.append((0, 0, -1))
    triangles = []
    for upper, lower in zip(rings, rings[1:]):
        i = j = 0
        while i + j < (len(upper) if len(upper) > 1 else 0) + (len(lower) if len(lower) > 1 else 0):
            a, b = upper[i % len(upper)], lower[j % len(lower)]
            if len(upper) == 1 or (len(lower) > 1 and (j + 1) * len(upper) <= (i + 1) * len(lower)):
                triangles.append((a, b, lower[(j + 1) % len(lower)]))
                j += 1
            else:
                triangles.append((a, b, upper[(i + 1) % len(upper)]))
                i += 1
    return vertices, triangles


def crossings(first, second=None):
    """Along the first line: + where it passes above the second (or itself), - below."""
    same = second is None
    second = first if same else second
    found = []
    for i, (a, b) in enumerate(zip(first, first[1:])):
        for j, (c, d) in enumerate(zip(second, second[1:])):
            if same and abs(i - j) < 3:
                continue
            u, v, w = minus(b, a), minus(d, c), minus(c, a)
            det = u[0] * v[1] - u[1] * v[0]
            if abs(det) < 1e-12:
                continue
            s, t = (w[0] * v[1] - w[1] * v[0]) / det, (w[0] * u[1] - w[1] * u[0]) / det
            if 0 <= s < 1 and 0 <= t < 1:
                height = a[2] + s * u[2] - c[2] - t * v[2]
                found.append((i + s, height))
    return " ".join(f"{'+' if h > 0 else '-'}{abs(h):.2f}" for _, h in sorted(found))


def turned(corners):
    return [(-x, y, -z) for x, y, z in corners]


def main(words):
    if words == ["check"]:
        print("reef, A against B:", crossings(even(dense(REEF), 400), even(dense(turned(REEF)), 400)))
        print("bowline:", crossings(even(dense(BOWLINE), 800)))
        return
    out, kind, *rest = words
    if kind == "ball":
        vertices, triangles = ball(RINGS[int(rest[0])])
    else:
        corners, *shape = KNOTS[kind]
        vertices, triangles = ribbon(turned(corners) if rest == ["B"] else corners, *shape)
    with open(out, "w") as file:
        file.write(f"OFF\n{len(vertices)} {len(triangles)} 0\n")
        for v in vertices:
            file.write("%.6f %.6f %.6f\n" % tuple(v))
        for t in triangles:
            file.write("3 %d %d %d\n" % t)


if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
    sys.exit(__doc__)
main(sys.argv[1:])
