"""What is far away is no business of a heap: with and without it, every bit of the heap is the same."""
import numpy as np

from verification.runs import Row, body, box, floor, material, scene
from verification.stiff import iterations

FAR = 100.0  # m
SIDE = 0.1
HEAP = ((0, 0, 0.06), (0.14, 0.02, 0.08), (0.05, 0.03, 0.23), (0.02, 0.15, 0.1), (0.06, 0.06, 0.38))
TURNS = (None, {"axis": [1, 2, 0], "degrees": 20.0}, {"axis": [0, 1, 3], "degrees": 70.0}, {"axis": [1, 1, 0], "degrees": 45.0},
         {"axis": [2, 0, 1], "degrees": 110.0})
MATERIALS = {"soft": material(), "hard": material(young=1e9, density=5000.0)}


def heap(name, x=0.0, velocity=(0, 0, 0), mesh="box", made_of="soft", rigid=False):
    return [body(f"{name}.{n}", mesh, np.array(place) + (x, 0, 0), velocity, turned, rigid, made_of)
            for n, (place, turned) in enumerate(zip(HEAP, TURNS), 1)]


def far_floor(**more):
    return floor((2, 2))[0] | {"name": "far floor", "position": [FAR, 0, -0.05]} | more


def bullets(rigid=False):
    """Two hard and heavy ones that fly into a far heap."""
    made = [body("bullet.1", "box", (FAR - 0.5, 0.02, 0.3), (30, 1, -15), TURNS[1], rigid, "hard"),
            body("bullet.2", "box", (FAR + 0.7, 0.05, 0.2), (-24, 0, -6), TURNS[3], rigid, "hard")]
    return heap("far", FAR) + made + [far_floor()]


def wedged():
    """A block between two scripted slabs that press it to 0.6 of its height."""
    closing = {"mesh": "plate", "type": "scripted"}
    return [body("held", "box", (FAR, 0, 0)),
            {"name": "low jaw", "position": [FAR, 0, -0.11], **closing, "motion": {"velocity": [0, 0, 0.06]}},
            {"name": "high jaw", "position": [FAR, 0, 0.11], **closing, "motion": {"velocity": [0, 0, -0.06]}}]


def scenes(quick):
    made = {"another heap": heap("far", FAR) + [far_floor()], "a heap that fast bodies hit": bullets()}
    if not quick:
        made |= {"a heap of rigid bodies": heap("far", FAR, rigid=True) + [far_floor()],
                 "a heap on a belt": heap("far", FAR, (10, 0, 0)) + [far_floor(type="scripted", motion={"velocity": [10.0, 0.0, 0.0]})],
                 "a heap of smaller cells and heavier": heap("far", FAR, mesh="fine", made_of="hard") + [far_floor()],
                 "jaws that squeeze a block": wedged()}
    return made


def heaps_scene(far, duration):
    plate, mesh = floor((2, 2))
    return scene(MATERIALS, {"box": box([SIDE] * 3, (2, 2, 2)), "fine": box([0.8 * SIDE] * 3, (4, 4, 4)), "plate": mesh},
                 [*heap("near"), plate, *far], 1e-3, duration, every=5)


def islands(context):
    duration = 0.15 if context.quick else 0.5
    alone = context.run("islands-alone", heaps_scene([], duration))
    count = alone.part["floor"].stop
    for name, far in scenes(context.quick).items():
        case = f"islands: a heap of 5, with {name} {FAR:g} m away"

        def rows(run, case=case):
            equal = [(x == y[:count]).all() and (v == w[:count]).all() for x, y, v, w in zip(alone.x, run.x, alone.v, run.v)]
            first = f"frame {equal.index(False)} of {len(equal)} differs" if False in equal else f"all {len(equal)} frames equal"
            off = np.abs(run.x[:, :count] - alone.x).max()
            yield Row(f"{case}: places and velocities of the heap, bit for bit", "equal", first, "none",
                      all(equal) and len(run.x) == len(alone.x),
                      f"at most {off:.2g} m apart; at most {run.steps['substeps'].max()} parts of a step; {iterations(run)}")
        yield from context.judge(case, "islands-" + name.replace(" ", "-"), heaps_scene(far, duration), rows)
