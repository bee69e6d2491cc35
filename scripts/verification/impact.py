"""Impacts: two bars against wave theory, momentum and energy in a collision, the same fall at other scales."""
import numpy as np

from verification.runs import Row, below, body, box, floor, material, relative, scene, told

BAR, SIDE = 10.0, 1.0
UNIT = {"soft": material(young=1.0, poisson=0.0, density=1.0)}


def bars_scene(cells, dt, duration, every):
    gap = 1e-6
    mesh = {"bar": box((BAR, SIDE, SIDE), (cells, 1, 1))}
    return scene(UNIT, mesh, [body("left", "bar", (-(BAR + gap) / 2, 0, 0), (0.1, 0, 0)),
                              body("right", "bar", ((BAR + gap) / 2, 0, 0), (-0.1, 0, 0))], dt, duration, every=every,
                 gravity=[0, 0, 0], contact={"friction": 0.0}, solver={"tolerance": 1e-9})


def separation(run):
    """When the force between the bars has ended: the momentum of the left one changes no more."""
    push = run.mass[run.part["left"]].sum() * run.velocity("left")[:, 0]
    change = -np.diff(push) / np.diff(run.time)
    pushing = np.nonzero(change > 0.01 * change.max())[0]
    return run.time[pushing[-1] + 1], push[-1]


def bars(context):
    """A compression wave goes to the free ends and comes back: contact lasts 2 L / sqrt(E / rho) = 20 s."""
    expected, ends = 2 * BAR, []
    for cells in (20, 40) if context.quick else (20, 40, 80, 160):
        run = context.run(f"bars-{cells}", bars_scene(cells, 0.1 * BAR / cells, 26.0, 1))
        end, push = separation(run)
        ends.append((cells, end, push))
    sequence = ", ".join(f"{cells} cells {end:.4g} s" for cells, end, _ in ends)
    yield relative("two bars: end of contact", "s", expected, ends[-1][1], 0.02, sequence)
    if not context.quick:  # the implicit step of coarse meshes loses more
        yield relative("two bars: momentum of the left one after it", "kg m/s", -0.1 * BAR, ends[-1][2], 0.05)


def collision_scene(mu, solver, dt, duration):
    meshes = {"block": box((0.2, 0.2, 0.2), (2, 2, 2))}
    return scene({"soft": material()}, meshes,
                 [body("a", "block", (-0.11, 0, 0), (1.0, 0.4, 0.1)),
                  body("b", "block", (0.11, 0.05, 0.03), (-1.0, -0.2, 0.2))], dt, duration, gravity=[0, 0, 0],
                 contact={"friction": mu}, solver=solver)


EXACT = {"tolerance": 1e-13, "linear_tolerance": 1e-14}


def momentum(context):
    for tight in (True, False):
        tag = "tolerance 1e-13" if tight else "defaults"
        run = context.run("momentum-" + ("tight" if tight else "default"),
                          collision_scene(0.5, EXACT if tight else {}, 0.0005, 0.1))
        p = np.vstack([run.mass @ run.v[0], run.steps["momentum"]])
        amount = np.einsum("i,nij->n", run.mass, abs(run.v)).max()
        change = np.linalg.norm(np.diff(p, axis=0), axis=1).max() / amount
        row = below(f"oblique collision, mu 0.5, {tag}: change of momentum in a step over m |v|", "", 1e-12, change,
                    f"{run.unconverged()} steps not converged")
        yield row if tight else told(row)
        energy = run.steps["kinetic_energy"] + run.steps["elastic_energy"]
        growth = max(np.diff(energy).max(), 0) / energy[0]
        yield below(f"oblique collision, mu 0.5, {tag}: largest growth of energy in a step, relative", "", 1e-12, growth,
                    f"{100 * (1 - energy[-1] / energy[0]):.2g} % lost in all, to friction and the implicit step")


def frictionless(context):
    """On a fixed floor the normal is z all the time, whatever the box does: x and y keep their momentum."""
    plate, mesh = floor((4, 4))
    run = context.run("momentum-frictionless",
                      scene({"soft": material()}, {"block": box((0.2, 0.2, 0.2), (2, 2, 2)), "plate": mesh},
                            [body("block", "block", (0, 0, 0.16), (0.7, 0.4, -1.0), {"axis": [1, 2, 0], "degrees": 20}),
                             plate], 0.0005, 0.2, contact={"friction": 0.0}, solver=EXACT))
    v = run.velocity("block")
    worst = np.abs(v[:, :2] - v[0, :2]).max() / np.linalg.norm(v[0, :2])
    yield Row("oblique impact on a floor, mu 0: change of the tangential momentum, relative", "0", f"{worst:.2g}",
              "1e-12", worst <= 1e-12, f"along the normal from {v[0, 2]:.3g} to {v[-1, 2]:.3g} m/s")


def fall_scene(length, stiffness, solver=None):
    """A turned box falls; lengths times `length`, times by its root, so that all is similar."""
    plate, mesh = floor((4 * length, 4 * length), 0.1 * length)
    size = [0.2 * length] * 3
    place = (0, 0, 0.25 * length)
    time = np.sqrt(length)
    more = {"solver": solver} if solver else {}
    return scene({"soft": material(young=5e5 * length * stiffness)}, {"block": box(size, (3, 3, 3)), "plate": mesh},
                 [body("block", "block", place, rotation={"axis": [1, 2, 0], "degrees": 20}), plate],
                 0.001 * time, 1.0 * time, every=5, **more)


def scale(context):
    runs = {}
    for tag, length, stiffness in (("as it is", 1, 1), ("ten times smaller", 0.1, 1), ("ten times larger", 10, 1),
                                   ("a thousand times stiffer", 1, 1000)):
        made = fall_scene(length, stiffness)
        run = context.run("scale-" + tag.replace(" ", "-"), made, must_finish=False)
        runs[tag] = run
        steps, asked = len(run.steps["step"]), round(made["time"]["duration"] / made["time"]["step"])
        bad = run.unconverged()
        clean = context.check(run) == 0
        height = run.place("block")[-1][2] / length
        start = run.place("block")[0][2] / length
        yield Row(f"falling box {tag}: all steps converged, nothing intersects", f"{asked} steps",
                  f"{steps} steps, {bad} not converged, simcheck {'clean' if clean else 'finds intersections'}", "none",
                  steps == asked and bad == 0 and clean, f"height of the centre {start:.3g} to {height:.4g} (scaled)")
    if not context.quick:
        yield from similar(context, runs)


def similar(context, runs):
    """Paths over the size, against the first; the tolerances as they are, and scaled as lengths and momenta are."""
    base = runs["as it is"].place("block")
    for tag, length in (("ten times smaller", 0.1), ("ten times larger", 10)):
        made = fall_scene(length, 1, {"tolerance": 5e-5 * length**3.5}) | {"contact": {"tolerance": 5e-6 * length}}
        scaled = context.run("scale-tolerances-" + tag.replace(" ", "-"), made)
        for run, what in ((runs[tag], "defaults"), (scaled, "tolerances scaled too")):
            path = run.place("block") / length
            same = min(len(base), len(path))
            off = np.linalg.norm(path[:same] - base[:same], axis=1).max()
            yield Row(f"falling box {tag}, {what}: path of the centre against the first, over the size", "0",
                      f"{off:.2g} m", "0.01 m", off <= 0.01)
