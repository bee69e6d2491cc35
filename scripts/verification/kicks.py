"""Nothing is thrown by being set right: bodies set down, bodies that meet slowly, at small time steps."""
import numpy as np

from verification.runs import GRAVITY, Row, below, body, box, floor, material, relative, scene
from verification.stiff import MU, TANGENT, acceleration, cube_on_slope, directions, iterations

SIDE = 0.1
ABOVE = 2.5e-6  # m: where the cube is let go over the floor
SLOW = 1e-3  # m/s
STEPS = {1e-6: 2000, 1e-5: 2000, 1e-4: 2000, 1e-3: 1000}  # how many, by time step
RIGID = material()
ELASTIC = {"5e5 Pa": material(), "1e7 Pa": material(young=1e7), "3e9 Pa": material(young=3e9)}


def set_down_scene(made_of, rigid, dt, count):
    plate, mesh = floor((4, 4))
    return scene({"soft": made_of}, {"cube": box([SIDE] * 3, (2, 2, 2)), "plate": mesh},
                 [body("cube", "cube", (0, 0, SIDE / 2 + ABOVE), rigid=rigid), plate], dt, count * dt, every=1)


def setdown(context):
    for dt in (1e-6, 1e-4) if context.quick else STEPS:
        case = f"setdown: rigid cube of 1 kg, {1e6 * ABOVE:g} um above the floor, dt {dt:.0e}"
        yield from context.judge(case, f"setdown-rigid-{dt:.0e}", set_down_scene(RIGID, True, dt, STEPS[dt]), rigid_down(case, dt))
    for name in ("1e7 Pa",) if context.quick else ELASTIC:
        for dt in (1e-5,) if context.quick else STEPS:
            case = f"setdown: cube of {name}, {1e6 * ABOVE:g} um above the floor, dt {dt:.0e}"
            yield from context.judge(case, f"setdown-{name}-{dt:.0e}".replace(" ", "-"),
                                     set_down_scene(ELASTIC[name], False, dt, STEPS[dt]), no_gain(case))
    for rigid in (True,) if context.quick else (True, False):
        yield from on_slope(context, rigid)


def rigid_down(case, dt):
    """It may fall what is under it, no faster than freely; then it lies."""
    free = np.sqrt(2 * GRAVITY * ABOVE)

    def rows(run):
        v = run.v[:, run.part["cube"]]
        up, aside = v[:, :, 2].max(), np.linalg.norm(v[:, :, :2], axis=2).max()
        yield below(f"{case}: largest speed of any vertex, up or sideways", "m/s", SLOW, max(up, aside), iterations(run))
        down = -v[:, :, 2].min()
        yield Row(f"{case}: largest speed downwards", f"at most {free:.3g} m/s, of a free fall of {1e6 * ABOVE:g} um", f"{down:.3g} m/s",
                  "a step of gravity", down <= free + GRAVITY * dt)
        late = np.linalg.norm(v, axis=2)[3 * len(v) // 4:].max()
        yield below(f"{case}: largest speed in the last quarter", "m/s", SLOW, late)
        yield from no_gain(case)(run)
    return rows


def no_gain(case):
    """An elastic cube may bounce, but no higher than it was."""
    def rows(run):
        rise = (run.place("cube")[:, 2] - run.place("cube")[0, 2]).max()
        energy = run.energy()
        growth = (energy.max() - energy[0]) / (run.total_mass() * GRAVITY * ABOVE)
        yield Row(f"{case}: growth of energy above the start, over m g {1e6 * ABOVE:g} um", "0", f"{growth:.2g}", "0.01",
                  growth <= 1e-2, f"rises {1e6 * rise:.3g} um; {iterations(run)}")
    return rows


def on_slope(context, rigid):
    dt, angle = 1e-5, np.arctan(TANGENT)
    down, out = directions(angle, False)
    kind = "rigid" if rigid else "1e7 Pa"
    made = cube_on_slope(material(young=1e7), angle, False, dt, 0.02 if context.quick else 0.1)
    if rigid:
        made["objects"][0]["type"] = "rigid"
    case = f"setdown: {kind} cube on a slope of tan 0.5, mu 0.3, dt {dt:.0e}"

    def rows(run):
        rise = ((run.place("cube") - run.place("cube")[0]) @ out).max()
        yield below(f"{case}: largest rise from the plane", "m", 1e-5, rise, iterations(run))
        yield relative(f"{case}: acceleration", "m/s^2", GRAVITY * (np.sin(angle) - MU * np.cos(angle)),
                       acceleration(run, down, out), 0.005)
    yield from context.judge(case, f"setdown-slope-{kind}".replace(" ", "-"), made, rows)


APART = 6e-6  # m: where the two start


def meet_scene(made_of, rigid, speed, dt):
    """Two cubes without weight, side by side but shifted, come together with `speed`, and go on for as long again."""
    half = 0.5 * (SIDE + APART)
    return scene({"soft": made_of}, {"cube": box([SIDE] * 3, (2, 2, 2))},
                 [body("left", "cube", (-half, 0, 0), (0.5 * speed, 0, 0), rigid=rigid),
                  body("right", "cube", (half, 0.03, 0.02), (-0.5 * speed, 0, 0), rigid=rigid)],
                 dt, max(2 * APART / speed, 20 * dt), every=max(1, round(2 * APART / speed / dt / 200)), gravity=[0, 0, 0])


def meet(context):
    kinds = {"rigid": (material(), True), "5e5 Pa": (material(), False), "3e9 Pa": (material(young=3e9), False)}
    for kind, (made_of, rigid) in kinds.items():
        for speed, dt in ((1e-4, 1e-3),) if context.quick else ((1e-4, 1e-2), (1e-4, 1e-3), (1e-4, 1e-4), (1e-6, 1e-2), (1e-6, 1e-3)):
            case = f"meet: two {kind} cubes at {speed:.0e} m/s, dt {dt:.0e}"
            yield from context.judge(case, f"meet-{kind}-{speed:.0e}-{dt:.0e}".replace(" ", "-"),
                                     meet_scene(made_of, rigid, speed, dt), met(case, speed))


def met(case, speed):
    def rows(run):
        energy, momentum = run.energy(), run.steps["momentum"]
        parting = (run.velocity("right") - run.velocity("left"))[-1, 0]
        touched = int((run.steps["active"] > 0).sum())
        most = energy[1:].max() / energy[0]
        yield Row(f"{case}: largest energy over that at the start", "at most 1", f"{most:.9g}", "1e-06",
                  most <= 1 + 1e-6 and touched > 0,
                  f"parts with {parting / speed:.3g} of the speed; {touched} steps in contact; {iterations(run)}")
        change = np.linalg.norm(momentum, axis=1).max() / (0.5 * run.total_mass() * speed)
        yield below(f"{case}: largest momentum of both over that of each", "", 1e-3, change)
    return rows
