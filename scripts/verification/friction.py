"""Coulomb friction against closed form: a block on a slope, a block thrown over a floor."""
import numpy as np

from verification.runs import GRAVITY, TIGHT, Row, below, body, box, floor, material, relative, scene, turn

MU = 0.5
SIZE = (0.2, 0.2, 0.1)
GAP = 1e-6  # m: where the block starts over the plane


def slope_scene(angle, tilted_plane, dt, duration, every):
    """A block at rest on a plane of `angle` radians, falling line along +x."""
    rotation = {"axis": [0, 1, 0], "degrees": float(np.degrees(angle))} if tilted_plane else None
    plate, mesh = floor((40, 4), rotation=rotation)
    place = np.array([0, 0, SIZE[2] / 2 + GAP])
    gravity = GRAVITY * np.array([np.sin(angle), 0, -np.cos(angle)])
    if tilted_plane:
        place, gravity = turn(rotation) @ place, np.array([0, 0, -GRAVITY])
    return scene({"soft": material()}, {"block": box(SIZE, (4, 4, 2)), "plate": mesh},
                 [body("block", "block", place, rotation=rotation), plate], dt, duration, every=every,
                 gravity=list(gravity), contact={"friction": MU})


def down(angle, tilted_plane):
    return np.array([np.cos(angle), 0, -np.sin(angle)]) if tilted_plane else np.array([1, 0, 0])


SETTLED = 3.0  # s: the block first slides while it bounces, and is then slowed down by 1 % of the friction only


def slope(context):
    stick, slide = np.arctan(0.99 * MU), np.arctan(1.2 * MU)
    planes = (True,) if context.quick else (False, True)
    tolerances = (False,) if context.quick else (False, True)
    for tilted_plane, tight in [(plane, tight) for tight in tolerances for plane in planes]:
        what = ("plane turned" if tilted_plane else "gravity turned") + (", tight" if tight else ", defaults")
        tag = ("plane" if tilted_plane else "gravity") + ("-tight" if tight else "")
        more = TIGHT if tight else {}
        run = context.run(f"slope-stick-{tag}", slope_scene(stick, tilted_plane, 0.002, 5.0, 10) | more)
        way = run.place("block") @ down(stick, tilted_plane)
        late = run.time >= SETTLED
        speed = np.abs(run.velocity("block") @ down(stick, tilted_plane))[late].max()
        yield below(f"slope 1 % below the friction angle, {what}: creep from {SETTLED:g} s to 5 s", "m/s", 1e-6,
                    abs(way[late][-1] - way[late][0]) / (5 - SETTLED),
                    f"slipped {1e3 * (way[-1] - way[0]):.2g} mm before; largest speed then {speed:.1e} m/s")
        run = context.run(f"slope-slide-{tag}", slope_scene(slide, tilted_plane, 0.002, 1.0, 10) | more)
        speed = run.velocity("block") @ down(slide, tilted_plane)
        late = run.time >= 0.2
        rate = np.polyfit(run.time[late], speed[late], 1)[0]
        expected = GRAVITY * (np.sin(slide) - MU * np.cos(slide))
        yield relative(f"slope tan = 1.2 mu, {what}: acceleration", "m/s^2", expected, rate, 0.005)


def throw_scene(degrees, speed, tight):
    plate, mesh = floor((40, 40))
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0])
    made = scene({"soft": material()}, {"block": box(SIZE, (2, 2, 1)), "plate": mesh},
                 [body("block", "block", (0, 0, SIZE[2] / 2 + GAP), speed * way), plate], 0.001, 0.6, every=10,
                 contact={"friction": MU})
    return made | (TIGHT if tight else {}), way


def throw(context):
    for tight in (True,) if context.quick else (False, True):
        yield from thrown(context, 2.0, tight)


def thrown(context, speed, tight):
    expected, tag = speed**2 / (2 * MU * GRAVITY), "tight" if tight else "defaults"
    ways, turns = [], []
    directions = (0, 30, 135) if context.quick else range(0, 360, 15)
    for degrees in directions:
        made, way = throw_scene(degrees, speed, tight)
        run = context.run(f"throw-{degrees}-{tag}", made)
        shift = run.place("block")[-1] - run.place("block")[0]
        ways.append(shift @ way)
        turns.append(abs(shift @ np.cross([0, 0, 1], way)) / expected)
    worst = max(range(len(ways)), key=lambda i: abs(ways[i] / expected - 1))
    yield relative(f"throw at {speed:g} m/s, {len(ways)} directions, {tag}: way to rest, the farthest off", "m", expected,
                   ways[worst], 0.005, f"at {directions[worst]} degrees")
    spread = (max(ways) - min(ways)) / np.mean(ways)
    yield Row(f"throw, {tag}: spread of the ways over their mean", "0", f"{100 * spread:.2g} %", "0.5 %",
              spread <= 0.005)
    yield Row(f"throw, {tag}: shift across the way over the way", "0", f"{100 * max(turns):.2g} %", "0.5 %",
              max(turns) <= 0.005)
