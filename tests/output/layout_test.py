"""Compares the file that ResultFormat.IsWhatH5pyReads has written with the format, by h5py. usage: layout_test.py small.h5"""
import os
import sys
import xml.dom.minidom

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

ATTRIBUTES = {
    "format": "simrun", "program_version": "0.1.0 (abc)", "status": "stopped", "reason": "told to",
    "scene": '{"name": "sm\u00e5ll"}', "solver": "cr-full", "command_line": "simrun small.json -o small.h5",
}
INT_COLUMNS = ("substeps status accepted iterations relinearizations detection_rounds resets evaluations "
               "candidates contacts active sticking sliding").split()
REAL_COLUMNS = ("time dt residual constraint_error min_gap kinetic_energy elastic_energy potential_energy "
                "t_integrate t_detect t_solve t_relinearize t_output t_total").split()
VECTOR_COLUMNS = ["momentum", "angular_momentum"]


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
    assert len(objects) == 9


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
    assert sorted(result) == ["frames", "model", "steps"]
    assert sorted(result.attrs) == sorted(list(ATTRIBUTES) + ["format_version", "threads"])
    for key, value in ATTRIBUTES.items():
        assert result.attrs[key] == value, (key, result.attrs[key])
    assert result.attrs["format_version"] == 1 and result.attrs["threads"] == 3
    check_model(result["model"])
    check_frames(result["frames"])
    check_steps(result["steps"])
check_xdmf(os.path.splitext(sys.argv[1])[0] + ".xdmf")
