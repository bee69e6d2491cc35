"""Light bodies at rest: beside heavy ones, under heavy ones, on what moves. Nothing of this may move them."""
import numpy as np

from verification.runs import Row, below, body, box, floor, material, scene
from verification.stiff import iterations

GAP = 1e-6
SIDE, HEAVY = 0.01, 0.5  # m: 1 g and 125 kg
CELLS = (4, 4, 4)
SETTLED, END = 0.25, 1.25  # s: the way is that of the second between
WAY, SPEED = 1e-5, 1e-5  # m, m/s
STIFF = material(young=2e10)  # the heavy cube stands on the light one alone: below 4e9 Pa that topples, E L^3 / 12 < m g h


def light_scene(gap=GAP, more=(), velocity=(0, 0, 0), made_of=None, dt=1e-3, duration=END):
    """The light cube on a floor that moves with `velocity`, the cube and all others with it."""
    plate, mesh = floor((4, 4))
    if any(velocity):
        plate |= {"type": "scripted", "motion": {"velocity": [float(c) for c in velocity]}}
    objects = [body("light", "light", (0, 0, SIDE / 2 + gap), velocity), *more, plate]
    meshes = {"light": box([SIDE] * 3, CELLS), "heavy": box([HEAVY] * 3, CELLS), "plate": mesh}
    return scene({"soft": made_of or material()}, meshes, objects, dt, duration, every=5)


def scenes(quick):
    beside = body("heavy", "heavy", (1, 0, HEAVY / 2 + GAP))
    falls = body("heavy", "heavy", (1, 0, HEAVY / 2 + 0.05))
    on_top = (0, 0, SIDE + HEAVY / 2 + 2 * GAP)
    made = {"alone": light_scene(), "125 kg beside it": light_scene(more=[beside]), "on a belt at 10 m/s": light_scene(velocity=(10, 0, 0)),
            "under 125 kg": light_scene(more=[body("heavy", "heavy", on_top)], made_of=STIFF)}
    if not quick:
        made |= {"125 kg falls beside it": light_scene(more=[falls]),
                 "under 125 kg, rigid": light_scene(more=[body("heavy", "heavy", on_top, rigid=True)], made_of=STIFF),
                 "on a belt at 6, 8 m/s": light_scene(velocity=(6, 8, 0)), "in a lift at 10 m/s": light_scene(velocity=(0, 0, 10)),
                 "on a belt at 10 m/s, 125 kg beside it": light_scene(
                     more=[beside | {"velocity": [10.0, 0.0, 0.0]}], velocity=(10, 0, 0)),
                 "under 125 kg, steel": light_scene(more=[body("heavy", "heavy", on_top)], made_of=material(young=2e11)),
                 "under 125 kg with three others, steel": light_scene(more=legs(), made_of=material(young=2e11)),
                 "alone, dt 1e-4": light_scene(dt=1e-4), "on a belt at 10 m/s, dt 1e-4": light_scene(velocity=(10, 0, 0), dt=1e-4)}
    return made


def legs():
    """Three more light cubes, and the heavy one on all four."""
    others = [body(f"leg.{n}", "light", (x, y, SIDE / 2 + GAP)) for n, (x, y) in enumerate(((0.4, 0), (0, 0.4), (0.4, 0.4)), 1)]
    return [*others, body("heavy", "heavy", (0.2, 0.2, SIDE + HEAVY / 2 + 2 * GAP))]


def light(context):
    for name, made in scenes(context.quick).items():
        case = f"light: cube of 1 g at rest, {name}"
        yield from context.judge(case, "light-" + name.replace(",", "").replace("/", "").replace(" ", "-"), made, stays(case))


def stays(case):
    def rows(run):
        way, velocity = relative_to(run)
        late = run.time >= SETTLED
        shift = np.linalg.norm(way[late] - way[late][0], axis=1).max()
        aside = np.linalg.norm(way[:, :2], axis=1).max()
        yield below(f"{case}: largest way sideways over the floor, from the start", "m", WAY, aside, iterations(run))
        yield below(f"{case}: way in the second after {SETTLED:g} s", "m", WAY, shift)
        yield below(f"{case}: largest speed against the floor in that second", "m/s", SPEED, np.linalg.norm(velocity[late], axis=1).max())
    return rows


def relative_to(run):
    """Way and velocity of the light cube against the floor."""
    floor_way = run.x[:, run.part["floor"]].mean(axis=1)
    floor_velocity = np.gradient(floor_way, run.time, axis=0)
    way = run.place("light") - floor_way
    return way - way[0], run.velocity("light") - floor_velocity


BLOCK = 1.0  # m: 1000 kg


BUILDS = {"": (0.35, 1, 2), ", finer block": (0.2, 4, 1)}  # m: the cubes off the middle; cells of the block, of the cubes


def ratio_scene(build, dt, duration):
    """A rigid block of 1000 kg on two rigid cubes of 1 kg."""
    plate, mesh = floor((4, 4))
    off, cells, of_cubes = BUILDS[build]
    cubes = [body(f"cube.{n}", "cube", (x, 0, 0.05 + GAP), rigid=True) for n, x in ((1, -off), (2, off))]
    return scene({"soft": material()}, {"block": box([BLOCK] * 3, [cells] * 3), "cube": box([0.1] * 3, [of_cubes] * 3), "plate": mesh},
                 [*cubes, body("block", "block", (0, 0, 0.1 + BLOCK / 2 + 2 * GAP), rigid=True), plate], dt, duration, every=5)


def ratio(context):
    for build, dt in (("", 1e-3),) if context.quick else (("", 1e-2), ("", 1e-3), ("", 1e-4), (", finer block", 1e-3)):
        case = f"ratio: rigid block of 1000 kg on two of 1 kg{build}, dt {dt:.0e}"
        duration = 0.5 if context.quick else {1e-2: 5.0, 1e-3: 2.0, 1e-4: 0.5}[dt]
        yield from context.judge(case, f"ratio{build}-{dt:.0e}".replace(", ", "-").replace(" ", "-"), ratio_scene(build, dt, duration),
                                 stands(case))


def stands(case):
    def rows(run):
        bodies = slice(0, run.part["floor"].start)
        creep = np.linalg.norm(run.x[:, bodies] - run.x[0, bodies], axis=2).max()
        late = run.time >= 0.75 * run.time[-1]
        speed = np.linalg.norm(run.v[late][:, bodies], axis=2).max()
        mean = run.steps["iterations"].mean()
        yield below(f"{case}: way of any vertex in {run.time[-1]:g} s", "m", 2e-5, creep)
        yield below(f"{case}: largest speed in the last quarter", "m/s", SPEED, speed)
        yield Row(f"{case}: iterations a step", "under 150", f"{mean:.3g}", "none", mean < 150 and run.unconverged() == 0,
                  f"{run.unconverged()} not converged")
    return rows
