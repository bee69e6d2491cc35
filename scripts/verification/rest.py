"""Bodies at rest: the force that carries a box, and a stack that stands."""
import numpy as np

from verification.runs import GRAVITY, TIGHT, Row, below, body, box, floor, material, relative, scene, told

GAP = 1e-6  # m
STACK_YOUNG = 2e7  # Pa: a column 1 m high buckles under its own weight below 1.5e6 Pa (7.84 E I = rho g A L^3)
DAMPING = {"mass": 0, "stiffness": 0.002}  # takes the bouncing out; a body at rest feels nothing of it


def rest_scene(tolerance, dt, duration):
    plate, mesh = floor((4, 4))
    solver = {"solver": {"tolerance": tolerance, "linear_tolerance": 1e-14}} if tolerance else {}
    return scene({"soft": material(damping=DAMPING)}, {"block": box((0.2, 0.2, 0.2), (3, 3, 3)), "plate": mesh},
                 [body("block", "block", (0, 0, 0.1 + GAP)), plate], dt, duration, every=10, **solver)


def rest(context):
    """The floor's force is what gravity does not explain of the change of momentum: F = (p1 - p0)/dt + m g."""
    dt = 0.002
    for tolerance in (1e-9,) if context.quick else (1e-9, None):
        tag = "tolerance 1e-9" if tolerance else "defaults"
        run = context.run("rest-" + ("tight" if tolerance else "default"), rest_scene(tolerance, dt, 2.0))
        mass, momentum = run.total_mass("block"), run.steps["momentum"]
        weight = mass * GRAVITY
        force = np.diff(momentum[:, 2]) / dt + weight
        late = force[-100:]
        worst = late[np.argmax(abs(late - weight))]
        rows = [relative(f"box at rest, {tag}: force of the floor, the farthest off of the last 100 steps", "N", weight,
                         worst, 1e-6)]
        most = np.linalg.norm(momentum[-100:], axis=1).max()
        rows.append(below(f"box at rest, {tag}: momentum over weight times step", "", 1e-6, most / (weight * dt)))
        yield from rows if tolerance else map(told, rows)


def stack(context):
    for tight in (False,) if context.quick else (False, True):
        yield from stacked(context, tight)


def stacked(context, tight):
    count, side, dt, tag = 10, 0.1, 0.002, "tight" if tight else "defaults"
    plate, mesh = floor((4, 4))
    blocks = [body(f"block.{i + 1}", "block", (0, 0, (i + 0.5) * side + (i + 1) * GAP)) for i in range(count)]
    run = context.run(f"stack-{tag}",
                      scene({"soft": material(young=STACK_YOUNG, damping=DAMPING)},
                            {"block": box((side, side, side), (2, 2, 2)), "plate": mesh}, blocks + [plate], dt, 5.0,
                            every=50) | (TIGHT if tight else {}))
    yield below(f"stack of 10 boxes, {tag}: kinetic energy after 5 s", "J", 1e-10, run.steps["kinetic_energy"][-1],
                f"{run.unconverged()} steps not converged")
    paths = [run.place(b["name"]) for b in blocks]
    late = max(np.linalg.norm(path[-1] - path[run.time >= 4][0]) for path in paths)
    settled = run.time >= 1
    shift = max(np.abs(path[settled] - path[settled][0])[:, :2].max() for path in paths)
    settling = max(np.abs(path[settled][0] - path[0])[:2].max() for path in paths)
    yield Row(f"stack of 10 boxes, {tag}: drift of any box from 4 s to 5 s", "0", f"{1e6 * late:.2g} um", "5 um",
              late <= 5e-6)
    row = Row(f"stack of 10 boxes, {tag}: largest shift sideways of any box from 1 s to 5 s", "0",
              f"{1e6 * shift:.3g} um", "5 um", shift <= 5e-6, f"{1e6 * settling:.3g} um while it settled before")
    if not context.quick:
        yield row
