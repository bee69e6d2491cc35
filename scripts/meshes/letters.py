#!/usr/bin/python3
"""letters.py FILE LETTER: a letter 0.3 m high and 5 cm deep as a closed surface (.off).
letters.py scene [small] > scenes/letters.json: 164 of them in layers over a floor between walls, which push in; small: 12 of them."""
import math
import random
import sys

HEIGHT, DEPTH, EDGE = 0.3, 0.05, 0.06  # m; EDGE: of the outline, at most
CELL = 0.05                            # m: 141 tetrahedra a letter, the mean of the 164

# Outlines counter-clockwise, holes clockwise, in a box one high.
W = 0.22  # of a stroke
OUTLINES = {
    "A": [[(0, 0), (.24, 0), (.31, .2), (.59, .2), (.66, 0), (.9, 0), (.57, 1), (.33, 1)], [(.38, .4), (.45, .62), (.52, .4)]],
    "E": [[(0, 0), (.7, 0), (.7, W), (W, W), (W, .39), (.6, .39), (.6, .61), (W, .61), (W, .78), (.7, .78), (.7, 1), (0, 1)]],
    "F": [[(0, 0), (W, 0), (W, .37), (.6, .37), (.6, .59), (W, .59), (W, .78), (.7, .78), (.7, 1), (0, 1)]],
    "H": [[(0, 0), (W, 0), (W, .39), (.56, .39), (.56, 0), (.78, 0), (.78, 1), (.56, 1), (.56, .61), (W, .61), (W, 1), (0, 1)]],
    "I": [[(0, 0), (.5, 0), (.5, .18), (.36, .18), (.36, .82), (.5, .82), (.5, 1), (0, 1), (0, .82), (.14, .82), (.14, .18), (0, .18)]],
    "K": [[(0, 0), (W, 0), (W, .32), (.33, .43), (.56, 0), (.83, 0), (.48, .6), (.82, 1), (.53, 1), (W, .62), (W, 1), (0, 1)]],
    "L": [[(0, 0), (.66, 0), (.66, W), (W, W), (W, 1), (0, 1)]],
    "M": [[(0, 0), (W, 0), (W, .6), (.45, .2), (.68, .6), (.68, 0), (.9, 0), (.9, 1), (.7, 1), (.45, .56), (.2, 1), (0, 1)]],
    "N": [[(0, 0), (W, 0), (W, .6), (.56, 0), (.78, 0), (.78, 1), (.56, 1), (.56, .4), (W, 1), (0, 1)]],
    "O": [[(.25, 0), (.6, 0), (.85, .25), (.85, .75), (.6, 1), (.25, 1), (0, .75), (0, .25)],
          [(.34, .22), (.22, .34), (.22, .66), (.34, .78), (.51, .78), (.63, .66), (.63, .34), (.51, .22)]],
    "S": [[(0, 0), (.7, 0), (.7, .61), (W, .61), (W, .78), (.7, .78), (.7, 1), (0, 1), (0, .39), (.48, .39), (.48, W), (0, W)]],
    "T": [[(.29, 0), (.51, 0), (.51, .78), (.8, .78), (.8, 1), (0, 1), (0, .78), (.29, .78)]],
    "U": [[(.18, 0), (.6, 0), (.78, .2), (.78, 1), (.56, 1), (.56, .3), (.5, .22), (.28, .22), (.22, .3), (.22, 1), (0, 1), (0, .2)]],
    "X": [[(0, 0), (.26, 0), (.42, .3), (.58, 0), (.84, 0), (.55, .5), (.84, 1), (.58, 1), (.42, .7), (.26, 1), (0, 1), (.29, .5)]],
    "Z": [[(0, 0), (.72, 0), (.72, .2), (.3, .2), (.72, .8), (.72, 1), (0, 1), (0, .8), (.42, .8), (0, .2)]],
}


def subdivided(loop):
    points = []
    for (x0, y0), (x1, y1) in zip(loop, loop[1:] + loop[:1]):
        parts = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) * HEIGHT / EDGE - 1e-9))
        points += [(x0 + (x1 - x0) * k / parts, y0 + (y1 - y0) * k / parts) for k in range(parts)]
    return points


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crosses(a, b, c, d):
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def smallest_angle(a, b, c):
    angles = []
    for p, q, r in ((a, b, c), (b, c, a), (c, a, b)):
        u, v = (q[0] - p[0], q[1] - p[1]), (r[0] - p[0], r[1] - p[1])
        angles.append(math.atan2(abs(u[0] * v[1] - u[1] * v[0]), u[0] * v[0] + u[1] * v[1]))
    return min(angles)


def bridged(loops, points):
    """One loop of point numbers: each hole is joined to the outline by the shortest way that crosses nothing."""
    ring = list(loops[0])
    for hole in loops[1:]:
        sides = [(points[a], points[b]) for loop in loops for a, b in zip(loop, loop[1:] + loop[:1])]
        ways = sorted((math.dist(points[ring[i]], points[hole[j]]), i, j) for i in range(len(ring)) for j in range(len(hole)))
        i, j = next((i, j) for _, i, j in ways if not any(crosses(points[ring[i]], points[hole[j]], *side) for side in sides))
        ring = ring[:i + 1] + hole[j:] + hole[:j + 1] + ring[i:]
    return ring


def triangulated(ring, points):
    """By cutting ears, the one with the largest smallest angle first."""
    triangles = []
    while len(ring) > 3:
        def angle_of(k):
            a, b, c = (points[ring[(k + d) % len(ring)]] for d in (-1, 0, 1))
            if turn(a, b, c) <= 1e-12:
                return -1
            corners = {ring[k - 1], ring[k], ring[(k + 1) % len(ring)]}
            inside = any(turn(a, b, points[p]) >= 0 and turn(b, c, points[p]) >= 0 and turn(c, a, points[p]) >= 0
                         for p in ring if p not in corners)
            return -1 if inside else smallest_angle(a, b, c)
        best = max(range(len(ring)), key=angle_of)
        triangles.append((ring[best - 1], ring[best], ring[(best + 1) % len(ring)]))
        del ring[best]
    return triangles + [tuple(ring)]


def flipped(triangles, borders, points):
    """Edges inside are turned while that makes the smallest angle of their two triangles larger."""
    changed = True
    while changed:
        changed = False
        across = {}
        for t in triangles:
            for k in range(3):
                across[t[k], t[(k + 1) % 3]] = (t, t[(k + 2) % 3])
        for (a, b), (one, c) in across.items():
            if (b, a) not in across or (a, b) in borders:
                continue
            other, d = across[b, a]
            new = (c, a, d), (d, b, c)
            if any(turn(*(points[p] for p in t)) <= 1e-9 for t in new):
                continue
            quality = [min(smallest_angle(*(points[p] for p in t)) for t in pair) for pair in (new, (one, other))]
            if quality[0] > quality[1] + 1e-9:
                triangles = [t for t in triangles if t not in (one, other)] + list(new)
                changed = True
                break
    return triangles


def surface(letter):
    """Vertices (m, about the middle) and triangles of the letter."""
    points, loops = [], []
    for loop in OUTLINES[letter]:
        loops.append(list(range(len(points), len(points) + len(subdivided(loop)))))
        points += subdivided(loop)
    borders = {pair for loop in loops for pair in zip(loop, loop[1:] + loop[:1])}
    faces = flipped(triangulated(bridged(loops, points), points), borders, points)
    width, n = max(x for x, _ in points), len(points)
    vertices = [(HEIGHT * (x - width / 2), HEIGHT * (y - 0.5), z) for z in (-DEPTH / 2, DEPTH / 2) for x, y in points]
    triangles = [(c, b, a) for a, b, c in faces] + [(a + n, b + n, c + n) for a, b, c in faces]
    for a, b in borders:
        triangles += [(a, b, b + n), (a, b + n, a + n)]
    return vertices, triangles


SCENE = '''// {count} letters of soft rubber, triangles embedded in cages of tetrahedra, fall in layers upon each other between walls,
// come to rest, and the walls push in to 70 % (Otaduy et al. 2009, Figure 7: 164 letters of 140 tetrahedra each, steps of 30 ms, 40 s;
// other measures are not told). scripts/meshes.sh letters makes the meshes, scripts/meshes/letters.py wrote this file.
{{
  "name": "{name}",
  "time": {{ "step": 0.03, "duration": {duration} }},
  "materials": {{ "rubber": {{ "model": "corotational", "young": 1e5, "poisson": 0.3, "density": 300, "damping": {{ "mass": 0.5 }} }} }},
  "meshes": {{
{meshes}
    "plane": {{ "generate": "half-space" }}
  }},
  "objects": [
{letters}
    {{ "name": "floor", "type": "fixed", "mesh": "plane" }},
    {{ "name": "front", "type": "fixed", "mesh": "plane", "position": [0, {back}, 0], "rotation": {{ "axis": [1, 0, 0], "degrees": -90 }} }},
    {{ "name": "rear", "type": "fixed", "mesh": "plane", "position": [0, {front}, 0], "rotation": {{ "axis": [1, 0, 0], "degrees": 90 }} }},
    {{ "name": "left", "type": "scripted", "mesh": "plane", "position": [{left}, 0, 0], "rotation": {{ "axis": [0, 1, 0], "degrees": 90 }},
      "motion": {{ "keyframes": [ {{ "time": {begin} }}, {{ "time": {end}, "translation": [{way}, 0, 0] }} ] }} }},
    {{ "name": "right", "type": "scripted", "mesh": "plane", "position": [{right}, 0, 0], "rotation": {{ "axis": [0, 1, 0], "degrees": -90 }},
      "motion": {{ "keyframes": [ {{ "time": {begin} }}, {{ "time": {end}, "translation": [-{way}, 0, 0] }} ] }} }}
  ],
  "contact": {{ "friction": 0.5 }},
  "output": {{ "every": {every} }}
}}'''


def scene(small):
    count, columns, rows = (12, 2, 2) if small else (164, 5, 4)
    pitch, layer = 0.42, 0.24  # m
    dice, poses = random.Random(7), {letter: [] for letter in OUTLINES}
    names = sorted(OUTLINES)
    for number in range(count):
        z, rest = divmod(number, columns * rows)
        y, x = divmod(rest, columns)
        place = [pitch * (x - (columns - 1) / 2), pitch * (y - (rows - 1) / 2), 0.15 + layer * z]
        axis = [round(dice.uniform(-0.3, 0.3), 3), round(dice.uniform(-0.3, 0.3), 3), 1]
        degrees = round(dice.uniform(-60, 60), 1)
        poses[names[number * 7 % len(names)]].append(
            f'{{ "position": [{place[0]:.3f}, {place[1]:.3f}, {place[2]:.3f}], "rotation": {{ "axis": [{axis[0]}, {axis[1]}, 1], "degrees": {degrees} }} }}')
    used = [letter for letter in names if poses[letter]]
    meshes = "\n".join(f'    "{a}": {{ "file": "meshes/letter-{a}.off", "embed": {{ "cell": {CELL} }} }},' for a in used)
    letters = "\n".join(f'    {{ "name": "{a}", "mesh": "{a}", "material": "rubber", "poses": [\n      ' + ",\n      ".join(poses[a]) + " ] }," for a in used)
    wide, deep = pitch * columns / 2, pitch * rows / 2
    begin, end, duration = (2, 3, 3.6) if small else (20, 30, 40)
    print(SCENE.format(count=count, name="letters-small" if small else "letters", duration=duration, meshes=meshes, letters=letters,
                       back=-deep, front=deep, left=-wide, right=wide, begin=begin, end=end, way=round(0.3 * wide, 4),
                       every=2 if small else 10))


if sys.argv[1] == "scene":
    scene("small" in sys.argv)
else:
    vertices, triangles = surface(sys.argv[2])
    with open(sys.argv[1], "w") as file:
        print(f"OFF\n{len(vertices)} {len(triangles)} 0", file=file)
        for x in vertices:
            print(*(f"{value:.9g}" for value in x), file=file)
        for t in triangles:
            print(3, *t, file=file)
