"""Stiff bodies: a cube slides down a slope as Coulomb says, whatever its stiffness and the time step; a dropped one never rises
above where it started."""
import numpy as np

from verification.corners import CORNER
from verification.runs import GRAVITY, Row, below, body, box, floor, material, relative, scene, turn

SIDE, CELLS = 0.1, (2, 2, 2)
MU, TANGENT = 0.3, 0.5
GAP = 1e-6  # m: where the cube starts over the plane
RISE = 1e-5  # m: two contact tolerances of this scene; exactly it is 0
STEEL = material(young=2e11, density=7850.0)
MATERIALS = {"1e5 Pa": material(young=1e5), "1e7 Pa": material(young=1e7), "3e8 Pa": material(young=3e8),
             "3e9 Pa": material(young=3e9), "3e10 Pa": material(young=3e10), "2e11 Pa": material(young=2e11), "steel": STEEL}
DURATIONS = {1e-2: 1.0, 1e-3: 0.6, 1e-4: 0.3, 1e-5: 0.05}  # s, by time step
SOFT = "1e5 Pa"
LEAST = {SOFT: 0.6, "1e7 Pa": 0.15}  # s: the cube has to slide faster than it quivers


def cube_on_slope(made_of, angle, plane_turned, dt, duration):
    """A cube at rest on a plane of `angle` radians, falling line along +x."""
    rotation = {"axis": [0, 1, 0], "degrees": float(np.degrees(angle))} if plane_turned else None
    plate, mesh = floor((4, 4), rotation=rotation)
    place, gravity = np.array([0, 0, SIDE / 2 + GAP]), GRAVITY * np.array([np.sin(angle), 0, -np.cos(angle)])
    if plane_turned:
        place, gravity = turn(rotation) @ place, np.array([0, 0, -GRAVITY])
    return scene({"soft": made_of}, {"cube": box([SIDE] * 3, CELLS), "plate": mesh},
                 [body("cube", "cube", place, rotation=rotation), plate], dt, duration,
                 every=max(1, round(duration / dt / 200)), gravity=list(gravity), contact={"friction": MU})


def directions(angle, plane_turned):
    """Down the slope, and out of it."""
    if plane_turned:
        return np.array([np.cos(angle), 0, -np.sin(angle)]), np.array([np.sin(angle), 0, np.cos(angle)])
    return np.array([1, 0, 0]), np.array([0, 0, 1])


def acceleration(run, down, out, quivers=False):
    """Slope of the velocity down the plane over the second half. Of a cube that quivers, v_down + mu v_out: while it slides, its
    friction is mu times the normal force, and m (v_down + mu v_out)' = m g (sin - mu cos) whatever the normal force does."""
    late = run.steps["time"] >= 0.5 * run.steps["time"][-1]
    velocity = run.steps["momentum"] / run.total_mass("cube")
    return np.polyfit(run.steps["time"][late], (velocity @ (down + quivers * MU * out))[late], 1)[0]


def slides(name, what, plane_turned, highest):
    angle = np.arctan(TANGENT)
    down, out = directions(angle, plane_turned)

    def rows(run):
        way = (run.place("cube") - run.place("cube")[0]) @ np.array([down, out]).T
        rise = way[:, 1].max()
        highest.append(rise - MATERIALS[name]["density"] * GRAVITY * SIDE**2 / (2 * MATERIALS[name]["young"]))
        yield relative(f"stiff: {what}, slope tan 0.5, mu 0.3: acceleration", "m/s^2",
                       GRAVITY * (np.sin(angle) - MU * np.cos(angle)), acceleration(run, down, out, name == SOFT), 0.005,
                       f"rises {1e6 * rise:.2g} um; {iterations(run)}")
    return rows


def iterations(run):
    return f"{run.steps['iterations'].mean():.3g} iterations a step, {run.unconverged()} not converged"


def duration_of(name, dt, quick):
    whole = max(DURATIONS[dt], LEAST.get(name, 0))
    return min(whole, 1000 * dt) if quick else whole


def stiff(context):
    names = ("1e7 Pa", "3e9 Pa", "steel") if context.quick else MATERIALS
    steps = (1e-3, 1e-4) if context.quick else DURATIONS
    cases = [(name, dt, False) for name in names for dt in steps]
    cases += [(name, 1e-3, True) for name in (("steel",) if context.quick else (SOFT, "3e9 Pa", "steel"))]
    highest = []
    for name, dt, plane_turned in cases:
        what = f"{name}, dt {dt:.0e}" + (", plane turned" if plane_turned else "")
        made = cube_on_slope(MATERIALS[name], np.arctan(TANGENT), plane_turned, dt, duration_of(name, dt, context.quick))
        yield from context.judge(f"stiff: {what}: acceleration", f"stiff-{what}".replace(" ", "-").replace(",", ""), made,
                                 slides(name, what, plane_turned, highest))
    yield below(f"stiff: largest rise from the plane, beyond the sag rho g L^2 / (2 E), of {len(highest)} runs that ended", "m", RISE,
                max(highest, default=np.inf))
    for name in ("steel",) if context.quick else ("1e7 Pa", "3e9 Pa", "steel"):
        for dt in (1e-3,) if context.quick else (1e-3, 1e-4):
            yield from stick(context, name, dt)


def stick(context, name, dt):
    angle, duration = np.arctan(0.99 * MU), 0.5 if context.quick else 1.0

    def rows(run):
        way = run.place("cube") - run.place("cube")[0]
        late = run.time >= 0.5 * duration
        speed = np.linalg.norm(run.velocity("cube"), axis=1)[late].max()
        creep = np.linalg.norm(way[late][-1] - way[late][0]) / (run.time[late][-1] - run.time[late][0])
        yield below(f"stiff: {name}, dt {dt:.0e}, 1 % below the friction angle: creep over the second half", "m/s", 1e-6, creep,
                    f"largest speed then {speed:.1e} m/s; moved {1e6 * np.linalg.norm(way[-1]):.3g} um in all; {iterations(run)}")
    yield from context.judge(f"stiff: {name}, dt {dt:.0e}, 1 % below the friction angle", f"stiff-stick-{name}-{dt:.0e}".replace(" ", "-"),
                             cube_on_slope(MATERIALS[name], angle, False, dt, duration), rows)


DROP = 0.01  # m
DROPPED = {"steel": STEEL, "wood": material(young=1e10, density=600.0, poisson=0.3)}
WAYS = {"flat": (None, 0.5), "on an edge": ({"axis": [1, 0, 0], "degrees": 45.0}, np.sqrt(2) / 2),
        "on a corner": (CORNER, np.sqrt(3) / 2)}  # how it is turned; the centre over its lowest point, in sides


def drop_scene(made_of, way, dt, duration):
    rotation, height = WAYS[way]
    plate, mesh = floor((4, 4))
    return scene({"soft": made_of}, {"cube": box([SIDE] * 3, CELLS), "plate": mesh},
                 [body("cube", "cube", (0, 0, height * SIDE + DROP), rotation=rotation), plate], dt, duration,
                 every=max(1, round(duration / dt / 500)))


def drop(context):
    for name, made_of in DROPPED.items():
        for way in ("flat", "on a corner") if context.quick else WAYS:
            for dt in (1e-3,) if context.quick else (1e-2, 1e-3, 1e-4):
                case = f"drop: {name} {way}, 1 cm, dt {dt:.0e}"
                yield from context.judge(case, f"drop-{name}-{way}-{dt:.0e}".replace(" ", "-"),
                                         drop_scene(made_of, way, dt, 0.3 if dt < 1e-3 else 0.6), dropped(context, case))


def dropped(context, case):
    def rows(run):
        height, energy = run.place("cube")[:, 2], run.energy()
        fallen = height.argmin()
        top = height[fallen:].max() - height[-1]
        work = run.total_mass() * GRAVITY * DROP
        growth = (energy.max() - energy[0]) / work
        row = below(f"{case}: rise above the start, over the drop", "", 1e-9, max(height.max() - height[0], 0) / DROP,
                    f"rises to {(top + height[-1] - height[fallen]) / DROP:.3g} of the drop after it; simcheck "
                    f"{'clean' if context.check(run) == 0 else 'finds intersections'}; {iterations(run)}")
        yield row
        yield Row(f"{case}: growth of energy above the start, over that of the drop", "0", f"{growth:.2g}", "1e-09", growth <= 1e-9,
                  f"largest growth in a step {np.diff(energy).max() / work:.2g}")
    return rows
