"""Corner cases: nothing to compare with, but every step has to converge and no surfaces may intersect."""
import os

import numpy as np

from verification.runs import Row, body, box, floor, material, scene

CORNER = {"axis": [1, -1, 0], "degrees": float(np.degrees(np.arccos(1 / np.sqrt(3))))}  # a corner points down


def ring_scene():
    """A ring of outer radius 65 mm goes through a hole of 60 mm, told how to move; the outer ring is held at two sides."""
    held = [{"plane": {"point": [side * 0.095, 0, 0], "normal": [side, 0, 0]}} for side in (1, -1)]
    return scene({"soft": material()},
                 {"tight": {"generate": "torus", "segments": 24, "major_radius": 0.08, "side": 0.04},
                  "pushed": {"generate": "torus", "segments": 24, "major_radius": 0.05, "side": 0.03}},
                 [{"name": "tight", "mesh": "tight", "material": "soft", "boundary": held},
                  {"name": "pushed", "type": "scripted", "mesh": "pushed", "position": [0, 0, 0.06],
                   "rotation": {"axis": [1, 0, 0], "degrees": 15}, "motion": {"velocity": [0, 0, -0.1]}}],
                 0.002, 1.4, every=2, contact={"friction": 0.3})


def corner_scene():
    plate, mesh = floor((4, 4))
    return scene({"soft": material()}, {"block": box((0.2, 0.2, 0.2), (3, 3, 3)), "plate": mesh},
                 [body("block", "block", (0, 0, 0.2), (0, 0, -1), CORNER), plate], 0.001, 1.5, every=2)


def edge_scene():
    """The lower edge of one cube meets the upper edge of another at right angles."""
    down = {"axis": [1, 0, 0], "degrees": 45}
    across = {"axis": [0, 1, 0], "degrees": 45}
    return scene({"soft": material()}, {"block": box((0.2, 0.2, 0.2), (3, 3, 3))},
                 [body("upper", "block", (0, 0, 0.2 * np.sqrt(2) + 0.01), (0, 0, -1), down),
                  {"name": "lower", "type": "fixed", "mesh": "block", "rotation": across}], 0.001, 0.6, every=2)


def needle_scene(folder):
    """Two slender bipyramids, the tip of one straight over the tip of the other."""
    with open(os.path.join(folder, "needle.node"), "w") as file:
        points = [(0, 0, -0.2), (0.01, 0, 0), (0, 0.01, 0), (-0.01, 0, 0), (0, -0.01, 0), (0, 0, 0.2)]
        file.write("6 3 0 0\n" + "".join(f"{n} {x} {y} {z}\n" for n, (x, y, z) in enumerate(points)))
    with open(os.path.join(folder, "needle.ele"), "w") as file:
        file.write("4 4 0\n0 0 5 1 2\n1 0 5 2 3\n2 0 5 3 4\n3 0 5 4 1\n")
    lower = {"name": "lower", "type": "fixed", "mesh": "needle"}
    return scene({"soft": material(young=5e6)}, {"needle": {"file": "needle.node"}},
                 [body("upper", "needle", (0, 0, 0.42), (0, 0, -1)), lower], 0.001, 0.3, every=1)


def corners(context):
    scenes = {"cube on its corner": corner_scene(), "edge on edge": edge_scene(),
              "needle on needle": needle_scene(context.folder)}
    if not context.quick:
        scenes["ring through a tighter ring"] = ring_scene()
    for name, made in scenes.items():
        run = context.run("corners-" + name.replace(" ", "-"), made, must_finish=False)
        steps, asked = len(run.steps["step"]), round(made["time"]["duration"] / made["time"]["step"])
        bad, clean = run.unconverged(), context.check(run) == 0
        met = int((run.steps["active"] > 0).sum())
        yield Row(f"{name}: all steps converged, nothing intersects", f"{asked} steps",
                  f"{steps} steps, {bad} not converged, simcheck {'clean' if clean else 'NOT clean'}", "none",
                  steps == asked and bad == 0 and clean and met > 0,
                  f"{met} steps in contact, at most {run.steps['substeps'].max()} substeps"
                  + (f"; {run.reason}" if run.reason else ""))
