"""Writes result files by h5py with numbers that can be worked out by hand, as docs/result-format.md lays them out."""
import json

import h5py
import numpy as np

SCENE = {"name": "by hand", "materials": {"rubber": {"density": 1000.0}}}
ATTRIBUTES = {"format": "simrun", "format_version": np.int32(1), "program_version": "0.0 (hand)", "status": "stopped",
              "reason": "told to", "scene": json.dumps(SCENE), "solver": "cr-full", "threads": np.int32(3),
              "command_line": "simrun hand.json", "scene_folder": "/some/where", "origin": "first.h5, step 10"}
REST = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [5, 5, 0], [6, 5, 0], [5, 6, 0]], float)
INTEGERS = ("substeps status accepted iterations relinearizations detection_rounds resets evaluations by_exact candidates contacts active sticking "
            "sliding inverted extrapolated").split()
REALS = ("dt residual constraint_error min_gap kinetic_energy elastic_energy potential_energy min_volume_ratio t_integrate t_detect t_solve "
         "t_relinearize t_output t_total").split()
UNITS = {"time": "s", "dt": "s", "residual": "kg m/s", "momentum": "kg m/s", "angular_momentum": "kg m^2/s", "kinetic_energy": "J",
         "t_total": "s"}
MEANINGS = {"status": "0 converged, 1 iteration limit, 2 breakdown, 3 collision, 4 something new"}


def texts(values):
    return np.array(values, dtype=h5py.string_dtype())


def position(frame):
    """Frame k: all vertices moved by k along x and 0.5 k up."""
    return REST + frame * np.array([1.0, 0.0, 0.5])


def model(file):
    file["model/rest_positions"] = REST
    file["model/tets"] = np.array([[0, 1, 2, 3]], np.int32)
    file["model/triangles"] = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2], [4, 5, 6]], np.int32)
    file["model/triangle_object"] = np.array([0, 0, 0, 0, 1], np.int32)
    objects = file.create_group("model/objects")
    for column, values in (("name", ["tet", "flo\u00f6r"]), ("type", ["deformable", "fixed"]), ("material", ["rubber", ""])):
        objects[column] = texts(values)
    for part, begin, end in (("vertex", [0, 4], [4, 7]), ("tet", [0, 1], [1, 1]), ("triangle", [0, 4], [4, 5])):
        objects[part + "_begin"], objects[part + "_end"] = np.array(begin, np.int32), np.array(end, np.int32)


def frames(file, count, more):
    """`more` rows that are not counted yet: what a reader beside a run may meet."""
    group = file.create_group("frames")
    group["time"], group["step"] = 0.1 + 0.02 * np.arange(count), 10 + 2 * np.arange(count, dtype=np.int64)
    for name, shift in (("positions", 0.0), ("velocities", 100.0)):
        group[name] = np.stack([position(frame) + shift for frame in range(count + more)])
        group[name].attrs["units"] = "m"


def step_columns(count, **columns):
    """All of /steps; what is not given is zero, all are accepted, and time goes on by 0.01 s a step from 0.1 s, where step 10 ended."""
    made = {"step": 11 + np.arange(count, dtype=np.int64), "time": 0.11 + 0.01 * np.arange(count)}
    made |= {name: np.zeros(count, np.int32) for name in INTEGERS} | {name: np.zeros(count) for name in REALS}
    made["accepted"] = np.ones(count, np.int32)
    made |= {"momentum": np.zeros((count, 3)), "angular_momentum": np.zeros((count, 3))}
    return made | {name: np.asarray(values) for name, values in columns.items()}


def steps(file, columns, more):
    for name, values in columns.items():
        spare = 0 if name == "step" else more
        data = np.concatenate([values, values[:1].repeat(spare, 0)])
        dataset = file.create_dataset(f"steps/{name}", data=data, maxshape=(None, *values.shape[1:]), chunks=True)
        dataset.attrs["units"], dataset.attrs["meaning"] = UNITS.get(name, "1"), MEANINGS.get(name, "the " + name)


def trace(file):
    """Step 11: two rows; 12: none; 13: three; 14: one. The rows of a fifth step are there, but not counted."""
    file["trace/step"] = np.array([11, 12, 13, 14], np.int64)
    file["trace/begin"] = np.array([0, 2, 2, 5, 6, 9], np.int64)
    file["trace/residual"] = 0.5 ** np.arange(9)
    file["trace/preconditioned_residual"] = 3 * 0.5 ** np.arange(9)
    file["trace/constraint_residual"] = 1.0 * np.arange(9)
    file["trace/mark"] = np.array([0, 2, 1, 3, 2, 0, 0, 0, 0], np.int32)


def contacts(file):
    """Frame 0: none; 1: the tet on the floor, twice; 2: once, and once within the tet."""
    group = file.create_group("contacts")
    group["begin"] = np.array([0, 0, 2, 4], np.int64)
    group["kind"], group["state"] = np.array([0, 1, 0, 0], np.int32), np.array([1, 2, 0, 1], np.int32)
    group["objects"] = np.array([[0, 1], [1, 0], [0, 1], [0, 0]], np.int32)
    group["pair"] = group["objects"][:]
    group["vertices"] = np.arange(16, dtype=np.int32).reshape(4, 4) % 7
    group["point"] = np.zeros((4, 3))
    group["normal"] = np.array([[0, 0, 1.0], [0, 0, -1], [0, 0, 1], [1, 0, 0]])
    group["gap"] = np.array([0.1, 0.2, 0.3, 0.4])
    group["lambda"] = np.array([2.0, 3.0, 0.0, 7.0])
    group["friction"] = np.array([[0.5, 0, 0], [0, 0.25, 0], [0, 0, 0], [0, 1, 0]])


def checkpoints(file):
    for name, rows in (("checkpoint", [10, 12]), ("checkpoint/last", [14])):
        group = file.require_group(name)
        group["step"], group["time"] = np.array(rows, np.int64), 0.01 * np.array(rows)
        for number, what in enumerate(("positions", "velocities", "left_over")):
            group[what] = np.stack([REST + step + 100 * number for step in rows])


def write(path, columns=None, parts=(trace, contacts, checkpoints), frame_count=3, more=1, attributes=ATTRIBUTES):
    with h5py.File(path, "w") as file:
        file.attrs.update(attributes)
        model(file)
        frames(file, frame_count, more)
        steps(file, step_columns(4) if columns is None else columns, more)
        for part in parts:
            part(file)
    return str(path)
