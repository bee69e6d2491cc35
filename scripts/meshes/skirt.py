#!/usr/bin/python3
"""skirt.py out.off LAYER [small]      a layer of the skirt, 0 the innermost: a cone of 28 rings of 100 vertices, small: of 11 rings of 40
skirt.py out.off hips|leg              closed surfaces of the body
skirt.py out.csv turn|left|right       the poses of hips and waistband, and of the legs, about the middle of the hips
skirt.py scene [small] > out.json

A skirt of six layers on a body that turns by 360 degrees in 0.9 s and makes steps, after Otaduy et al. 2009, Figure 1 (16,800 vertices in six layers, steps of
2 ms, 10 s). Their dance and cuts are not to be had: steps are swings of two stiff legs about the axis through both hip joints, one against the other.
"""
import math
import sys

WAIST, HEM, HIPS = 1.0, 0.35, 0.88  # m, heights
RADIUS, SLOPE, BETWEEN = 0.14, 0.45, 0.006  # m; m/m; m between layers
MIDDLE = (0, 0, HIPS)
TURNS = [(1.5, 2.4), (6.5, 7.4)]  # s, of 360 degrees each
STEPS = [(3.0, 6.0), (8.0, 10.0)]  # s, of swings


def cone(layer, small):
    around, rings = (40, 11) if small else (100, 28)
    vertices = []
    for ring in range(rings):
        z = WAIST - (WAIST - HEM) * ring / (rings - 1)
        r = RADIUS + BETWEEN * layer + SLOPE * (WAIST - z)
        for k in range(around):
            angle = 2 * math.pi * (k + ring % 2 / 2) / around
            vertices.append((r * math.cos(angle), r * math.sin(angle), z))
    triangles = []
    for ring in range(rings - 1):
        a, b = ring * around, (ring + 1) * around
        for k in range(around):
            n = (k + 1) % around
            if ring % 2:
                triangles += [(a + k, b + n, a + n), (a + k, b + k, b + n)]
            else:
                triangles += [(a + k, b + k, a + n), (a + n, b + k, b + n)]
    return vertices, triangles


def turned(profile, sides=24):
    """A solid of revolution: (radius, height) from below, on the axis at both ends."""
    vertices = [(0, 0, profile[0][1]), (0, 0, profile[-1][1])]
    for r, z in profile[1:-1]:
        vertices += [(r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides), z) for k in range(sides)]
    triangles, last = [], 2 + (len(profile) - 3) * sides
    for k in range(sides):
        n = (k + 1) % sides
        triangles += [(0, 2 + n, 2 + k), (1, last + k, last + n)]
        for a in range(2, last, sides):
            triangles += [(a + k, a + n, a + sides + n), (a + k, a + sides + n, a + sides + k)]
    return vertices, triangles


def hips():
    rise = [math.pi * k / 10 - math.pi / 2 for k in range(11)]
    return turned([(0.15 * math.cos(a), HIPS + 0.12 * math.sin(a)) for a in rise])


def leg():
    """Upright, its hip joint at the origin, 0.8 m long."""
    r = 0.055
    ends = [math.pi * k / 8 for k in range(5)]
    foot = [(r * math.sin(a), -0.8 - r * math.cos(a)) for a in ends]
    shaft = [(r, -0.8 + 0.1 * k) for k in range(1, 8)]
    return turned(foot + shaft + [(r * math.cos(a), r * math.sin(a)) for a in ends])


def smooth(u):
    u = min(max(u, 0), 1)
    return u * u * (3 - 2 * u)


def turn(t):
    return sum(2 * math.pi * smooth((t - begin) / (end - begin)) for begin, end in TURNS)


def swing(t):
    """Forward, of the left leg: 30 degrees, a step in 0.8 s."""
    return sum(math.radians(30) * math.sin(2 * math.pi * (t - begin) / 0.8) * smooth(2 * (t - begin)) * smooth(2 * (end - t))
               for begin, end in STEPS if begin < t < end)


def poses(name):
    for k in range(int(10 / 0.02) + 1):
        t = 0.02 * k
        half, lift = turn(t) / 2, {"turn": 0, "left": 1, "right": -1}[name] * swing(t) / 2
        c, s, a, b = math.cos(half), math.sin(half), math.cos(lift), math.sin(lift)
        yield f"{t:.2f},0,0,0,{c * a:.12g},{c * b:.12g},{s * b:.12g},{s * a:.12g}"  # about x, then about z


SCENE = """// A skirt of {layers} layers, {vertices} vertices in all, on a body that turns by 360 degrees in 0.9 s and makes steps (after Otaduy et al. 2009, Figure 1:
// 6 layers, 16,800 vertices, steps of 2 ms, 10 s; their dance is not to be had). scripts/meshes.sh skirt makes the meshes and poses,
// scripts/meshes/skirt.py wrote this file.
{{
  "name": "{name}",
  "time": {{ "step": 0.002, "duration": {duration} }},
  "materials": {{
    "cotton": {{ "model": "edge-springs", "stretch": 60, "bend": 1e-5, "density": 200, "thickness": 1e-3, "damping": {{ "mass": 0.5 }} }}
  }},
  "meshes": {{
{meshes}
    "hips": {{ "file": "meshes/skirt-hips.off" }},
    "leg": {{ "file": "meshes/skirt-leg.off" }}
  }},
  "objects": [
{objects}
    {{ "name": "hips", "type": "scripted", "mesh": "hips", "motion": {{ "file": "meshes/skirt-turn.csv", "center": [0, 0, {hips}] }} }},
    {{ "name": "left", "type": "scripted", "mesh": "leg", "position": [-0.075, 0, {hips}], "motion": {{ "file": "meshes/skirt-left.csv", "center": [0, 0, {hips}] }} }},
    {{ "name": "right", "type": "scripted", "mesh": "leg", "position": [0.075, 0, {hips}], "motion": {{ "file": "meshes/skirt-right.csv", "center": [0, 0, {hips}] }} }}
  ],
  "contact": {{ "friction": 0.3 }},
  "output": {{ "every": 10 }}
}}"""


def scene(small):
    layers, each, end = (3, 440, "-small") if small else (6, 2800, "")
    meshes = "\n".join(f'    "layer-{k}": {{ "file": "meshes/skirt{end}-{k}.off" }},' for k in range(layers))
    objects = "\n".join(
        f'    {{ "name": "layer-{k}", "mesh": "layer-{k}", "material": "cotton",\n      "boundary": [ {{ "plane": {{ "point": [0, 0, {WAIST - 0.001:g}], '
        f'"normal": [0, 0, 1] }}, "motion": {{ "file": "meshes/skirt-turn.csv", "center": [0, 0, {HIPS}] }} }} ] }},' for k in range(layers))
    print(SCENE.format(layers=layers, vertices=f"{layers * each:,}", name="skirt" + end, duration=4 if small else 10, meshes=meshes, objects=objects, hips=HIPS))


def main():
    if sys.argv[1] == "scene":
        return scene("small" in sys.argv)
    what = sys.argv[2]
    with open(sys.argv[1], "w") as file:
        if what in ("turn", "left", "right"):
            print("time,x,y,z,qw,qx,qy,qz", file=file)
            return print(*poses(what), sep="\n", file=file)
        vertices, triangles = {"hips": hips, "leg": leg}[what]() if what in ("hips", "leg") else cone(int(what), "small" in sys.argv)
        print(f"OFF\n{len(vertices)} {len(triangles)} 0", file=file)
        for x in vertices:
            print(*(f"{value:.9g}" for value in x), file=file)
        for t in triangles:
            print(3, *t, file=file)


main()
