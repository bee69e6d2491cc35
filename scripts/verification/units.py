"""Sizes and units: a problem scaled alike in all units takes the same iterations and the same path.

With the unit of length l, of mass m and of time t as factors: places times l, density times m / l^3, Young's modulus times
m / (l t^2), gravity times l / t^2, velocities times l / t, times times t. Factors of 2^10 change no bit of a mantissa: where nothing
absolute is left, such runs are the same bit for bit.
"""
import numpy as np

from verification.runs import GRAVITY, Row, body, box, floor, scene, told

SIDE, DT, DURATION = 0.1, 1e-3, 0.5
TURNS = ({"axis": [1, 2, 0], "degrees": 20.0}, {"axis": [0, 1, 3], "degrees": 70.0}, None, {"axis": [1, 1, 0], "degrees": 45.0},
         {"axis": [2, 0, 1], "degrees": 110.0}, {"axis": [1, -1, 0], "degrees": 55.0})
PLACES = ((-0.09, 0, 0.1), (0.09, 0.02, 0.1), (0, 0.19, 0.06), (0.01, 0.01, 0.27), (0.02, 0.19, 0.24), (0.01, 0.1, 0.42))


def boxes_scene(length, mass, time, duration=DURATION):
    """Six boxes fall on the floor and on each other."""
    plate, mesh = floor((2 * length, 2 * length), 0.1 * length)
    made_of = {"young": 1e6 * mass / (length * time**2), "poisson": 0.2, "density": 1000 * mass / length**3}
    boxes = [body(f"box.{n}", "box", length * np.array(place), rotation=turned) for n, (place, turned) in enumerate(zip(PLACES, TURNS), 1)]
    return scene({"soft": made_of}, {"box": box([SIDE * length] * 3, (2, 2, 2)), "plate": mesh}, [*boxes, plate],
                 DT * time, duration * time, every=5, gravity=[0, 0, -GRAVITY * length / time**2])


def variants(quick):
    """Name -> factors of length, mass, time. Sizes: gravity and density stay, as if the bodies were built smaller."""
    sizes = {f"{1e3 * SIDE * s:g} mm": (s, s**3, np.sqrt(s)) for s in ((0.01,) if quick else (0.1, 0.01, 1e-3, 10, 1e3))}
    units = {f"unit of {name} {factor:g}": tuple(factor if n == k else 1 for k in range(3))
             for n, name in enumerate(("length", "mass", "time")) for factor in ((1e-3,) if quick else (1e-3, 1e3)) if not (quick and n == 2)}
    return sizes | units


def exact(context, first, duration):
    """Told only: where a run leaves the first one, if only by a bit."""
    for k, name in enumerate(("length", "mass", "time")):
        case, factors = f"units: six falling boxes, unit of {name} 2^10", [1024.0 if n == k else 1.0 for n in range(3)]

        def rows(run, case=case, length=factors[0]):
            same = [(a == b / length).all() for a, b in zip(first.x, run.x)]
            yield told(Row(f"{case}: places over the unit, bit for bit", "equal", f"{same.index(False)} of {len(same)} frames equal"
                           if False in same else f"all {len(same)} frames equal", "", None, first_difference(first, run)))
        yield from context.judge(case, f"units-exact-{name}", boxes_scene(*factors, duration), rows)


def units(context):
    duration = 0.2 if context.quick else DURATION
    first = context.run("units-100-mm", boxes_scene(1, 1, 1, duration))
    expected, path = first.steps["iterations"].sum(), paths(first, 1)
    for name, (length, mass, time) in variants(context.quick).items():
        case = f"units: six falling boxes, {name}"

        def rows(run, case=case, length=length):
            count = run.steps["iterations"].sum()
            off = count / expected - 1
            yield Row(f"{case}: iterations of all steps", f"{expected}, as at 100 mm", f"{count} ({100 * off:+.2g} %)", "10 %",
                      abs(off) <= 0.1, f"{run.unconverged()} steps not converged")
            off = np.linalg.norm(paths(run, length) - path, axis=2).max() / SIDE
            yield Row(f"{case}: paths of the centres against the first, over the side", "0", f"{off:.2g}", "0.01", off <= 0.01,
                      first_difference(first, run))
        yield from context.judge(case, "units-" + name.replace(" ", "-"), boxes_scene(length, mass, time, duration), rows)
    if not context.quick:
        yield from exact(context, first, duration)


def paths(run, length):
    return np.array([run.place(f"box.{n + 1}") for n in range(len(PLACES))]) / length


def first_difference(first, run):
    """The step from which on the solver has taken other ways."""
    same = min(len(first.steps["iterations"]), len(run.steps["iterations"]))
    other = np.flatnonzero(first.steps["iterations"][:same] != run.steps["iterations"][:same])
    return f"iterations differ from step {other[0] + 1} on" if len(other) else "every step takes the same iterations"
