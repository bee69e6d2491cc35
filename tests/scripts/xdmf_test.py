"""What the .xdmf beside a result says, and what ParaView's own reader makes of it.
usage: xdmf_test.py <scripts> <simrun> <folder> [paraview] [Xdmf.test_...]

Without `paraview`: by an interpreter of the references, here, that knows XML and HDF5 only, and against what scripts/export.py writes; stress and strain are computed anew from
positions and materials. With it: vtkXdmfReader of ParaView reads the same. It is in Debian's python3-paraview, which cannot be
installed beside python3-vtk9, but in a container or a chroot. Unpacked somewhere (apt-get download, dpkg -x; its libraries, too) it
is found by SIMRUN_PARAVIEW_PYTHON=FOLDER/usr/lib/python3/dist-packages. Exit status 77: no h5py, or no such reader.
"""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: python3-numpy or python3-h5py is not installed")
    sys.exit(77)

import full_result

SCRIPTS, SIMRUN, FOLDER, *ONLY = [word for word in sys.argv[1:] if word != "paraview"]
PARAVIEW = "paraview" in sys.argv

READER = """
import sys
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader

path, out = sys.argv[1:]
reader = vtkXdmfReader()
reader.SetFileName(path)
reader.UpdateInformation()
key, info = pipeline.TIME_STEPS(), reader.GetOutputInformation(0)
times = [info.Get(key, i) for i in range(info.Length(key))]
found = {"times": np.array(times)}
for k, time in enumerate(times):
    reader.UpdateTimeStep(time)
    data = reader.GetOutputDataObject(0)
    grids = [data.GetBlock(i) for i in range(data.GetNumberOfBlocks())] if data.IsA("vtkMultiBlockDataSet") else [data]
    for b, grid in enumerate(grids):
        found[f"{k} {b} points"] = vtk_to_numpy(grid.GetPoints().GetData())
        found[f"{k} {b} cells"] = np.array([[grid.GetCell(i).GetPointId(p) for p in range(grid.GetCell(i).GetNumberOfPoints())]
                                            for i in range(grid.GetNumberOfCells())])
        for arrays in (grid.GetPointData(), grid.GetCellData()):
            for i in range(arrays.GetNumberOfArrays()):
                found[f"{k} {b} {arrays.GetArrayName(i)}"] = vtk_to_numpy(arrays.GetArray(i))
np.savez(out, **found)
"""


def paraview_python():
    """The environment in which ParaView's modules are found, or None."""
    folder = os.environ.get("SIMRUN_PARAVIEW_PYTHON")
    environment = {**os.environ, "PYTHONPATH": folder} if folder else dict(os.environ)
    done = subprocess.run([sys.executable, "-c", "import vtkmodules.vtkIOXdmf2"], env=environment, capture_output=True, text=True)
    return environment if done.returncode == 0 else None


def read_by_paraview(path):
    """Times, and of each frame a list of grids, each a dictionary of arrays."""
    out = path + ".npz"
    done = subprocess.run([sys.executable, "-c", READER, os.path.abspath(path), out], env=paraview_python(), capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    frames = {}
    with np.load(out) as arrays:
        for key in arrays.files[1:]:
            k, b, name = key.split(" ")
            frames.setdefault(int(k), {}).setdefault(int(b), {})[name] = arrays[key]
        return arrays["times"], [list(frames[k].values()) for k in range(len(frames))]


def value_of(item, folder):
    """The array that a DataItem stands for; its shape must be what it says."""
    shape = [int(n) for n in item.get("Dimensions").split()]
    kind, parts = item.get("ItemType"), item.findall("DataItem")
    if kind == "HyperSlab":
        start, stride, count = np.array(parts[0].text.split(), int).reshape([int(n) for n in parts[0].get("Dimensions").split()])
        whole = value_of(parts[1], folder)
        value = whole[tuple(slice(a, a + s * c, s) for a, s, c in zip(start, stride, count))]
        assert value.shape == tuple(count), (value.shape, count)
    elif kind == "Function":
        assert item.get("Function") == "$0 - $1"
        value = value_of(parts[0], folder) - value_of(parts[1], folder)
    else:
        assert item.get("Format") == "HDF" and kind is None
        name, path = item.text.removeprefix("FILE:").rsplit(":", 1)
        with h5py.File(os.path.join(folder, name), "r") as file:
            stored = file[path]
            assert stored.dtype == {"Float": np.dtype("<f8"), "Int": np.dtype("<i4")}[item.get("NumberType")]
            assert len(stored) >= shape[0] and stored.shape[1:] == tuple(shape[1:]), (path, stored.shape, shape)
            value = stored[:shape[0]]
    assert value.shape == tuple(shape), (value.shape, shape)
    return value


def read_by_reference(path):
    folder = os.path.dirname(path)
    with open(path, "rb") as file:
        root = xml.etree.ElementTree.fromstring(file.read())
    collection, = root.findall("Domain/Grid")
    assert collection.get("CollectionType") == "Temporal"
    times, frames = [], []
    for frame in collection.findall("Grid"):
        times.append(float(frame.find("Time").get("Value")))
        grids = frame.findall("Grid") or [frame]
        assert len(grids) == 1 or frame.get("CollectionType") == "Spatial"
        frames.append([arrays_of(grid, folder) for grid in grids])
    return np.array(times), frames


def arrays_of(grid, folder):
    topology = grid.find("Topology")
    cells = value_of(topology.find("DataItem"), folder)
    assert cells.shape == (int(topology.get("NumberOfElements")), {"Triangle": 3, "Tetrahedron": 4}[topology.get("TopologyType")])
    found = {"cells": cells, "points": value_of(grid.find("Geometry/DataItem"), folder)[0]}
    for attribute in grid.findall("Attribute"):
        value = value_of(attribute.find("DataItem"), folder)
        found[attribute.get("Name")] = shown = value if attribute.get("Name") == "object" else value[0]
        assert shown.shape[1:] == {"Scalar": (), "Vector": (3,), "Tensor6": (6,)}[attribute.get("AttributeType")], attribute.get("Name")
    return found


read = read_by_paraview if PARAVIEW else read_by_reference


def tensors_shown(stored):
    """The reader makes all nine entries of Tensor6, which XDMF has as the upper triangle, row by row."""
    return stored[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]] if PARAVIEW else stored


def cauchy(material, F):
    """Pa: P F^T / J, by the definitions of both laws; for gum above the extrapolation only."""
    E, nu = material["young"], material["poisson"]
    mu, lam = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
    if material["model"] == "corotational":
        U, _, Vt = np.linalg.svd(F)
        R = U @ np.diag([1, 1, np.linalg.det(U @ Vt)]) @ Vt
        P = 2 * mu * (F - R) + lam * np.trace(R.T @ F - np.eye(3)) * R
    else:
        inverse = np.linalg.inv(F).T
        assert np.linalg.det(F) > 0.7
        P = mu * (F - inverse) + lam * np.log(np.linalg.det(F)) * inverse
    return P @ F.T / np.linalg.det(F)


def von_mises(sigma):
    """Pa: sqrt(3/2 s:s) of the deviator s."""
    deviator = sigma - np.trace(sigma) / 3 * np.eye(3)
    return np.sqrt(1.5) * np.linalg.norm(deviator)


class Xdmf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.path = full_result.make(SIMRUN, FOLDER)

    def expect_points(self, grid, frames, model, k, fields):
        np.testing.assert_array_equal(grid["points"], frames["positions"][k])
        np.testing.assert_array_equal(grid["displacement"], frames["positions"][k] - model["rest_positions"][:])
        for name in fields:
            np.testing.assert_array_equal(grid[name], frames[{"velocity": "velocities", "contact_force": "contact_forces"}[name]][k])

    def test_volumes_have_stress_and_all_else_surfaces(self):
        times, shown = read(self.path[:-2] + "xdmf")
        with h5py.File(self.path, "r") as file:
            frames, model = file["frames"], file["model"]
            np.testing.assert_array_equal(times, frames["time"][:])
            self.assertEqual(len(shown), full_result.FRAMES)
            tets = np.diff([model["objects/tet_begin"][:], model["objects/tet_end"][:]], axis=0)[0]
            for k, (volumes, shells) in enumerate(shown):
                for grid in (volumes, shells):
                    self.expect_points(grid, frames, model, k, ("velocity", "contact_force"))
                np.testing.assert_array_equal(volumes["cells"], model["tets"][:])
                np.testing.assert_array_equal(volumes["object"], np.repeat(np.arange(5), tets))
                np.testing.assert_array_equal(volumes["von_mises"], frames["von_mises"][k])
                for name in ("stress", "strain"):
                    np.testing.assert_array_equal(volumes[name], tensors_shown(frames[name][k]))
                self.assertEqual(set(volumes), {"points", "cells", "displacement", "velocity", "contact_force", "object", "von_mises",
                                                "stress", "strain"})
                owner = np.repeat(np.arange(5), np.diff([model["objects/triangle_begin"][:], model["objects/triangle_end"][:]], axis=0)[0])
                bare = np.isin(owner, np.flatnonzero(tets == 0))  # wall and floor: obstacles have no inside
                np.testing.assert_array_equal(shells["cells"], model["triangles"][:][bare])
                np.testing.assert_array_equal(shells["object"], owner[bare])
                self.assertEqual(set(shells), {"points", "cells", "displacement", "velocity", "contact_force", "object"})

    def test_volumes_have_a_tensor_alone(self):
        for key, name in (("stress_tensor", "stress"), ("strain_tensor", "strain")):
            off = [f"output.{other}=false" for other in ("stress", "stress_tensor", "strain_tensor") if other != key]
            path = full_result.make(SIMRUN, FOLDER, "tensor.h5", *(word for setting in off for word in ("--set", setting)))
            _, shown = read(path[:-2] + "xdmf")
            with h5py.File(path, "r") as file:
                self.assertEqual(sorted(file["frames"]), sorted(["contact_forces", "positions", name, "step", "time", "velocities"]))
                for k, (volumes, shells) in enumerate(shown):
                    np.testing.assert_array_equal(volumes[name], tensors_shown(file["frames"][name][k]))
                    self.assertEqual(set(volumes), {*shells, name})

    def test_surfaces_are_shown_without_stress(self):
        for options, fields in (((), ("velocity",)), (("output.velocities=false",), ()),
                                (("output.contact_forces=true",), ("velocity", "contact_force"))):
            settings = ["output.stress=false", "output.stress_tensor=false", "output.strain_tensor=false", "output.contact_forces=false", *options]
            path = full_result.make(SIMRUN, FOLDER, "surfaces.h5", *(word for setting in settings for word in ("--set", setting)))
            times, shown = read(path[:-2] + "xdmf")
            with h5py.File(path, "r") as file:
                frames, model = file["frames"], file["model"]
                self.assertEqual(sorted(frames), sorted(["positions", "step", "time", *({"velocity": "velocities", "contact_force":
                                                                                       "contact_forces"}[name] for name in fields)]))
                self.assertEqual(len(times), full_result.FRAMES)
                for k, (grid,) in enumerate(shown):
                    self.expect_points(grid, frames, model, k, fields)
                    np.testing.assert_array_equal(grid["cells"], model["triangles"][:])
                    np.testing.assert_array_equal(grid["object"], model["triangle_object"][:])
                    self.assertEqual(set(grid), {"points", "cells", "displacement", "object", *fields})

    def test_frames_take_as_many_pages_as_they_need(self):
        name = "x" * 230 + "&.h5"  # as long as file names go, and longer where & is written out
        path = full_result.make(SIMRUN, FOLDER, name)
        times, shown = read(path[:-2] + "xdmf")
        self.assertEqual(len(times), full_result.FRAMES)
        with h5py.File(path, "r") as file:
            np.testing.assert_array_equal(shown[-1][0]["von_mises"], file["frames/von_mises"][-1])
        self.assertEqual(os.path.getsize(path[:-2] + "xdmf") % 4096, 0)
        self.assertGreater(os.path.getsize(path[:-2] + "xdmf"), 8192 * full_result.FRAMES)

    def test_odd_names_are_referred_to_so_that_the_reader_finds_them(self):
        """It takes what is before the first colon for a name, drops blanks, and wants a folder before letters that are not ASCII."""
        for name, reference in (("a: b.h5", "FILE:./a: b.h5"), (" a.h5", "./ a.h5"), ("\u00e4.h5", "./\u00e4.h5"),
                                ("a#%20&b;'c.h5", "a#%20&b;'c.h5")):
            path = full_result.make(SIMRUN, FOLDER, name)
            with open(path[:-2] + "xdmf", encoding="utf-8") as file:
                text = file.read()
            root = xml.etree.ElementTree.fromstring(text)
            found = {item.text.rsplit(":", 1)[0] for item in root.iter("DataItem") if item.get("Format") == "HDF"}
            self.assertEqual(found, {reference})
            times, shown = read(path[:-2] + "xdmf")
            with h5py.File(path, "r") as file:
                np.testing.assert_array_equal(shown[-1][0]["points"], file["frames/positions"][-1])

    @unittest.skipIf(PARAVIEW, "what is compared is text")
    def test_the_one_that_export_makes_is_the_same(self):
        off = [f"output.{name}=false" for name in ("stress", "stress_tensor", "strain_tensor", "velocities")]
        for name, settings in (("all.h5", ()), ("odd: \u00e4.h5", ()), ("without.h5", off)):
            path = full_result.make(SIMRUN, FOLDER, name, *(word for setting in settings for word in ("--set", setting)))
            companion = path[:-2] + "xdmf"
            nodes = lambda: [(node.tag, node.attrib, (node.text or "").strip()) for node in xml.etree.ElementTree.parse(companion).iter()]
            before = nodes()
            os.remove(companion)
            done = full_result.script(SCRIPTS, "export.py", path, "--format", "xdmf")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(nodes(), before)
            moved = os.path.join(FOLDER, "moved " + name)
            os.rename(path, moved)
            os.remove(companion)
            self.assertEqual(full_result.script(SCRIPTS, "export.py", moved, "--format", "xdmf").returncode, 0)
            self.assertEqual(len(read(moved[:-2] + "xdmf")[0]), full_result.FRAMES)
        done = full_result.script(SCRIPTS, "export.py", moved, "--format", "xdmf", "--frames", "1")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)

    def test_is_whole_beside_a_run_and_after_a_kill(self):
        """A read that lasts longer than a frame may meet two states of the text; that is one in thousands."""
        path, running = full_result.start(SIMRUN, FOLDER)
        counts, torn = [], []
        try:
            begin = time.monotonic()
            while len(set(counts)) < 3 and time.monotonic() < begin + 120:
                self.assertIsNone(running.poll())
                if os.path.exists(path):
                    try:
                        counts.append(len(read(path[:-2] + "xdmf")[0]))
                    except (AssertionError, xml.etree.ElementTree.ParseError) as error:
                        torn.append(str(error))
        finally:
            running.kill()
            running.communicate()
        self.assertLessEqual(len(torn), 1, torn)
        self.assertGreaterEqual(len(set(counts)), 3, "the number of frames never grew")
        self.assertEqual(counts, sorted(counts))
        times, shown = read(path[:-2] + "xdmf")
        self.assertGreaterEqual(len(times), counts[-1])
        with h5py.File(path, "r") as file:
            self.assertLessEqual(0, len(file["frames/time"]) - len(times))
            self.assertLessEqual(len(file["frames/time"]) - len(times), 1)
            np.testing.assert_array_equal(times, file["frames/time"][:len(times)])
            self.expect_points(shown[-1][0], file["frames"], file["model"], len(times) - 1, ("velocity", "contact_force"))

    @unittest.skipIf(PARAVIEW, "the numbers are those of the other test")
    def test_stress_and_forces_follow_from_the_frames(self):
        with h5py.File(self.path, "r") as file:
            materials = json.loads(file.attrs["scene"])["materials"]
            rest, tets = file["model/rest_positions"][:], file["model/tets"][:]
            objects = {name: file["model/objects/" + name][:] for name in ("tet_begin", "tet_end", "vertex_begin", "vertex_end")}
            names = list(file["model/objects/name"].asstr()[:])
            checked, largest, strained = 0, 0.0, 0.0
            for k in range(full_result.FRAMES):
                stored, x = file["frames/von_mises"][k], file["frames/positions"][k]
                stress, strain = file["frames/stress"][k], file["frames/strain"][k]
                for name, material in (("rubber box", "rubber"), ("gum", "gum")):
                    row = names.index(name)
                    for t in range(objects["tet_begin"][row], objects["tet_end"][row]):
                        shape = lambda p: (p[tets[t, 1:]] - p[tets[t, 0]]).T
                        F = shape(x) @ np.linalg.inv(shape(rest))
                        sigma = cauchy(materials[material], F)
                        expected = von_mises(sigma)
                        self.assertAlmostEqual(stored[t], expected, delta=1e-9 * expected + 1e-9 * materials[material]["young"])
                        rounding = 1e-9 * abs(sigma).max() + 1e-9 * materials[material]["young"]
                        np.testing.assert_allclose(stress[t], sigma[np.triu_indices(3)], rtol=0, atol=rounding)
                        green = (F.T @ F - np.eye(3)) / 2
                        np.testing.assert_allclose(strain[t], green[np.triu_indices(3)], rtol=0, atol=1e-12)
                        strained = max(strained, abs(green).max())
                        checked, largest = checked + 1, max(largest, expected)
                for name in ("floor", "stone"):
                    row = names.index(name)
                    for values in (stored, stress, strain):
                        self.assertTrue(np.isnan(values[objects["tet_begin"][row]:objects["tet_end"][row]]).all())
            self.assertEqual(checked, full_result.FRAMES * 96)
            self.assertGreater(largest, 1e3)
            self.assertGreater(strained, 1e-3)
            self.expect_forces(file, names, objects)

    def expect_forces(self, file, names, objects):
        """On each object: the sum over its vertices is that over its contacts; on all together: nothing."""
        contacts, largest = file["contacts"], 0.0
        for k in range(full_result.FRAMES):
            rows = slice(*contacts["begin"][k:k + 2])
            force = contacts["lambda"][rows][:, None] * contacts["normal"][rows] + contacts["friction"][rows]
            stored = file["frames/contact_forces"][k]
            scale = abs(force).sum() + 1e-300
            self.assertLess(np.linalg.norm(stored.sum(axis=0)), 1e-13 * scale)
            touched = set(contacts["vertices"][rows].ravel().tolist())
            for vertex in set(range(len(stored))) - touched:
                self.assertTrue((stored[vertex] == 0).all())
            for row in range(len(names)):
                first, second = ((contacts["objects"][rows][:, side] == row).astype(int) for side in (0, 1))
                total = ((first - second)[:, None] * force).sum(axis=0)
                mine = stored[objects["vertex_begin"][row]:objects["vertex_end"][row]].sum(axis=0)
                self.assertLess(np.linalg.norm(mine - total), 1e-13 * scale)
                largest = max(largest, np.linalg.norm(mine))
        self.assertGreater(largest, 5)  # N: two boxes of a kilogram each come to rest on the floor


if __name__ == "__main__":
    if PARAVIEW and paraview_python() is None:
        print("skipped: ParaView's reader (vtkIOXdmf2) is not there; see the beginning of this file")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *ONLY])
