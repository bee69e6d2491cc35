"""Compares the file that ResultFormat.IsWhatH5pyReads has written with the format, by h5py. usage: layout_test.py small.h5"""
import os
import sys
import xml.dom.minidom

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

INT_COLUMNS = ("substeps status accepted iterations relinearizations detection_rounds resets evaluations "
               "products passes factorisations by_its_rule by_exact first_order candidates contacts active sticking sliding limited inverted "
               "extrapolated").split()
REAL_COLUMNS = ("time dt residual constraint_error min_gap overlap max_strain kinetic_energy elastic_energy potential_energy contact_energy work_prescribed work_loads "
                "dissipation_friction dissipation_damping dissipation_scheme work_correction work_of_gaps min_volume_ratio "
                "t_integrate t_detect t_solve t_relinearize t_output t_total").split()
VECTOR_COLUMNS = ("momentum angular_momentum impulse_external impulse_prescribed impulse_left_over impulse_scheme "
                  "angular_impulse_external angular_impulse_prescribed").split()


def digest(words):
    """As docs/result-format.md has it."""
    value = 0x9e3779b97f4a7c15
    for word in words:
        value = (value ^ int(word)) * 0xbf58476d1ce4e5b9 % 2**64
        value ^= value >> 32
    return value


SCENE = '{"name": "sm\u00e5ll"}'
ATTRIBUTES = {
    "format": "simrun", "program_version": "0.1.0 (abc)", "status": "stopped", "reason": "told to",
    "scene": SCENE, "solver": "cr-full", "command_line": "simrun small.json -o small.h5",
    "scene_digest": f"{digest(SCENE.encode()):016x}", "scene_folder": "/some/where", "origin": "other.h5, step 7",
}


def expect(dataset, dtype, shape):
    assert dataset.dtype == np.dtype(dtype) and dataset.shape == shape, (dataset.name, dataset.dtype, dataset.shape)


def check_model(model):
    expect(model["rest_positions"], "<f8", (9, 3))
    expect(model["tets"], "<i4", (1, 4))
    expect(model["triangles"], "<i4", (6, 3))
    expect(model["triangle_object"], "<i4", (6,))
    assert model["rest_positions"][8].tolist() == [0.1, 0.2, 0.3]
    assert model["tets"][0].tolist() == [0, 1, 2, 3]
    assert model["triangles"][5].tolist() == [4, 6, 7]
    assert model["triangle_object"][:].tolist() == [0, 0, 0, 0, 2, 2]
    objects = model["objects"]
    assert objects["name"].asstr()[:].tolist() == ["tet", "nothing", "floor"]
    assert objects["type"].asstr()[:].tolist() == ["deformable", "scripted", "fixed"]
    assert objects["material"].asstr()[:].tolist() == ["rubber", "", ""]
    ranges = {"vertex": ([0, 4, 4], [4, 4, 9]), "tet": ([0, 1, 1], [1, 1, 1]), "triangle": ([0, 4, 4], [4, 4, 6])}
    for name, (begin, end) in ranges.items():
        for which, values in (("_begin", begin), ("_end", end)):
            expect(objects[name + which], "<i4", (3,))
            assert objects[name + which][:].tolist() == values, name + which
    assert objects["matter"].asstr()[:].tolist() == ["solid", "solid", "solid"]
    expect(objects["thickness"], "<f8", (3,))
    for which in ("_begin", "_end"):
        expect(objects["segment" + which], "<i4", (3,))
    assert len(objects) == 13
    expect(model["segments"], "<i4", (0, 2))
    expect(model["segment_object"], "<i4", (0,))
    expect(model["mass"], "<f8", (9,))


def check_frames(frames):
    assert sorted(frames) == ["positions", "step", "time", "velocities"]
    expect(frames["time"], "<f8", (5,))
    expect(frames["step"], "<i8", (5,))
    assert frames["step"][:].tolist() == [0, 10, 20, 30, 40]
    assert frames["time"][:].tolist() == [0.1 * k for k in range(5)]
    numbers = np.arange(27).reshape(9, 3) / 1048576.0
    for name, shift in (("positions", 0.0), ("velocities", 1e6)):
        expect(frames[name], "<f8", (5, 9, 3))
        for k in range(5):
            assert np.array_equal(frames[name][k], k + numbers + shift), (name, k)


def check_steps(steps):
    assert sorted(steps) == sorted(["step"] + INT_COLUMNS + REAL_COLUMNS + VECTOR_COLUMNS)
    expect(steps["step"], "<i8", (40,))
    for name in INT_COLUMNS:
        expect(steps[name], "<i4", (40,))
    for name in REAL_COLUMNS:
        expect(steps[name], "<f8", (40,))
    for name in VECTOR_COLUMNS:
        expect(steps[name], "<f8", (40, 3))
    k = np.arange(1, 41)
    assert np.array_equal(steps["step"], k) and np.array_equal(steps["iterations"], 7 * k)
    assert np.array_equal(steps["time"], 0.01 * k) and np.array_equal(steps["residual"], 1.0 / k)
    assert np.array_equal(steps["momentum"], np.outer(k, [1.0, 2.0, 3.0]))
    assert (steps["substeps"][:] == 1).all() and (steps["contacts"][:] == 0).all()
    for name, column in steps.items():
        assert column.attrs["units"] and column.attrs["meaning"], name
    assert steps["kinetic_energy"].attrs["units"] == "J"


CONTACT_INTEGERS = ("id kind pair_0 pair_1 vertices_0 vertices_1 vertices_2 vertices_3 age slid_from turns raised "
                    "frozen state")
CONTACT_REALS = ("weights_0 weights_1 weights_2 weights_3 n_0 n_1 n_2 t1_0 t1_1 t1_2 t2_0 t2_1 t2_2 gap aim c_t_0 c_t_1 "
                 "time lambda gamma_0 gamma_1 delta_0 delta_1 friction_0 friction_1 slip_0 slip_1 drift_0 drift_1")


def check_checkpoints(checkpoint):
    """After frames 0, 2 and 4, which has two contacts: every twentieth step."""
    assert sorted(checkpoint) == ["begin", "contact_integers", "contact_reals", "digest", "left_over", "positions", "step",
                                  "time", "velocities"]
    expect(checkpoint["step"], "<i8", (3,))
    expect(checkpoint["time"], "<f8", (3,))
    expect(checkpoint["positions"], "<f8", (3, 9, 3))
    expect(checkpoint["velocities"], "<f8", (3, 9, 3))
    expect(checkpoint["digest"], "<i8", (3,))
    expect(checkpoint["begin"], "<i8", (4,))
    expect(checkpoint["contact_integers"], "<i8", (2, len(CONTACT_INTEGERS.split())))
    expect(checkpoint["contact_reals"], "<f8", (2, len(CONTACT_REALS.split())))
    assert checkpoint["contact_integers"].attrs["columns"] == CONTACT_INTEGERS
    assert checkpoint["contact_reals"].attrs["columns"] == CONTACT_REALS
    assert checkpoint["step"][:].tolist() == [0, 20, 40]
    assert checkpoint["begin"][:].tolist() == [0, 0, 0, 2]
    forces = checkpoint["contact_reals"][:, CONTACT_REALS.split().index("lambda")]
    assert forces.tolist() == [10.0, 2.0], forces
    for row in range(3):
        assert checkpoint["positions"][row, 0, 0] == 2 * row
        begin, end = checkpoint["begin"][row:row + 2]
        numbers = [checkpoint[name][row] for name in ("step", "time", "positions", "velocities", "left_over")]
        numbers += [checkpoint[name][begin:end] for name in ("contact_integers", "contact_reals")]
        words = np.concatenate([np.ascontiguousarray(part).view("<u8").ravel() for part in numbers])
        assert checkpoint["digest"][row] == np.uint64(digest(words)).astype("<i8")


def check_xdmf(path):
    """Five frames, of nine points and six triangles, whose references and selections fit the HDF5 file."""
    document = xml.dom.minidom.parse(path)
    times = [float(t.getAttribute("Value")) for t in document.getElementsByTagName("Time")]
    assert times == [0.1 * k for k in range(5)], times
    with h5py.File(path[:-4] + "h5", "r") as f:
        for k, geometry in enumerate(document.getElementsByTagName("Geometry")):
            _, selection, source = geometry.getElementsByTagName("DataItem")
            start, stride, count = np.array(selection.firstChild.data.split(), int).reshape(3, 3)
            name, dataset = source.firstChild.data.split(":")
            assert name == os.path.basename(f.filename) and dataset == "/frames/positions"
            assert (stride == 1).all() and start.tolist() == [k, 0, 0] and count.tolist() == [1, 9, 3]
            assert f[dataset][tuple(slice(a, a + c) for a, c in zip(start, count))][0, 0, 0] == k
        for topology in document.getElementsByTagName("Topology"):
            assert topology.getAttribute("NumberOfElements") == "6"
            assert f[topology.getElementsByTagName("DataItem")[-1].firstChild.data.split(":")[1]].shape == (6, 3)


with h5py.File(sys.argv[1], "r") as result:
    assert sorted(result) == ["checkpoint", "frames", "model", "steps"]
    assert sorted(result.attrs) == sorted(list(ATTRIBUTES) + ["format_version", "threads"])
    for key, value in ATTRIBUTES.items():
        assert result.attrs[key] == value, (key, result.attrs[key])
    assert result.attrs["format_version"] == 1 and result.attrs["threads"] == 3
    check_model(result["model"])
    check_frames(result["frames"])
    check_steps(result["steps"])
    check_checkpoints(result["checkpoint"])
check_xdmf(os.path.splitext(sys.argv[1])[0] + ".xdmf")
