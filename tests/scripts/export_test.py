"""Exports a small result and reads the files back: VTU and VTKHDF by VTK, OBJ and PLY by readers of its own, and the times of VTKHDF,
which VTK reads from 9.3 on, as the format's specification has it.
usage: export_test.py <scripts> <simrun> <folder> [Export.test_...]

Exit status 77: no h5py. Without VTK those tests are skipped.
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
try:
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkObject, vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkPolyData
    from vtkmodules.vtkFiltersCore import vtkTensorGlyph
    from vtkmodules.vtkFiltersSources import vtkLineSource
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError:
    vtkXMLUnstructuredGridReader = None

import full_result

SCRIPTS, SIMRUN, FOLDER, *ONLY = sys.argv[1:]


def export(*options):
    return full_result.script(SCRIPTS, "export.py", *options)


def read_vtu(path):
    """The one frame, or the first, of a .vtu or .vtkhdf."""
    reader = vtkHDFReader() if path.endswith(".vtkhdf") else vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutputDataObject(0)
    arrays, read_vtu.components = {}, {}
    for data in (grid.GetPointData(), grid.GetCellData(), grid.GetFieldData()):
        for array in map(data.GetArray, range(data.GetNumberOfArrays())):
            arrays[array.GetName()] = vtk_to_numpy(array)
            read_vtu.components[array.GetName()] = [array.GetComponentName(i) for i in range(array.GetNumberOfComponents())]
    cells = [[grid.GetCell(i).GetPointId(k) for k in range(grid.GetCell(i).GetNumberOfPoints())] for i in range(grid.GetNumberOfCells())]
    return vtk_to_numpy(grid.GetPoints().GetData()), cells, arrays


def read_step(root, step):
    """A step of a VTKHDF file of one part, as the specification of its version 2.0 has it."""
    assert root.attrs["Version"].tolist() == [2, 0] and root.attrs["Type"] == b"UnstructuredGrid"
    steps = root["Steps"]
    part, point, cell, corner = (int(steps[name][step]) for name in ("PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"))
    assert steps["NumberOfParts"][step] == 1
    points, cells, corners = (int(root[name][part]) for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"))
    ends = root["Offsets"][cell + part:cell + part + cells + 1]
    connectivity = root["Connectivity"][corner:corner + corners]
    arrays = {"Time": steps["Values"][step]}
    for kind, rows in (("PointData", points), ("CellData", cells)):
        for name, values in root[kind].items():
            begin = int(steps[f"{kind}Offsets/{name}"][step])
            arrays[name] = values[begin:begin + rows]
    return root["Points"][point:point + points], [connectivity[a:b].tolist() for a, b in zip(ends, ends[1:])], arrays


def largest_by_vtk(tensors):
    """The largest principal value of each, in single precision, as VTK takes six components for a tensor."""
    points = vtkPoints()
    for number in range(len(tensors)):
        points.InsertNextPoint(number, 0, 0)
    data, glyphs, line = vtkPolyData(), vtkTensorGlyph(), vtkLineSource()
    data.SetPoints(points)
    data.GetPointData().SetTensors(numpy_to_vtk(np.ascontiguousarray(tensors), deep=True))
    glyphs.SetInputData(data)
    glyphs.SetSourceConnection(line.GetOutputPort())
    glyphs.SetColorModeToEigenvalues()
    glyphs.ColorGlyphsOn()
    glyphs.Update()
    return vtk_to_numpy(glyphs.GetOutput().GetPointData().GetScalars())[::2]  # a line has two points


def read_obj(path):
    vertices, groups = [], {}
    with open(path, encoding="utf-8") as file:
        for words in map(str.split, file):
            if words[0] == "v":
                vertices.append([float(word) for word in words[1:]])
            elif words[0] == "g":
                group = groups.setdefault(words[1], [])
            elif words[0] == "f":
                group.append([int(word) - 1 for word in words[1:]])
    return np.array(vertices), {name: np.array(faces) for name, faces in groups.items()}


def read_ply(path):
    with open(path, "rb") as file:
        assert file.readline() == b"ply\n" and file.readline() == b"format binary_little_endian 1.0\n"
        words, counts = None, {}
        while words != ["end_header"]:
            words = file.readline().decode().split()
            if words[0] == "element":
                counts[words[1]] = int(words[2])
        vertices = np.frombuffer(file.read(27 * counts["vertex"]), [("x", "<f8", 3), ("rgb", "u1", 3)])
        faces = np.frombuffer(file.read(), [("n", "u1"), ("v", "<i4", 3), ("object", "<i4")])
    assert len(faces) == counts["face"] and (faces["n"] == 3).all()
    return vertices, faces


def same_bits(a, b):
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.shape == b.shape and a.dtype.newbyteorder("=") == b.dtype.newbyteorder("=") and a.tobytes() == b.tobytes()


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.path = full_result.make(SIMRUN, FOLDER)
        cls.file = h5py.File(cls.path, "r")
        cls.model, cls.frames = cls.file["model"], cls.file["frames"]
        cls.names = list(cls.model["objects/name"].asstr()[:])
        assert len(cls.frames["time"]) == full_result.FRAMES

    @classmethod
    def tearDownClass(cls):
        cls.file.close()

    def setUp(self):
        self.stood = 0  # frames in which the stone was looked at

    def rows(self, part, name):
        k = self.names.index(name)
        return slice(self.model[f"objects/{part}_begin"][k], self.model[f"objects/{part}_end"][k])

    def bare(self):
        """Objects without tetrahedra, as obstacles are: their numbers, and the triangles of them all."""
        bare = [k for k, name in enumerate(self.names) if self.rows("tet", name).start == self.rows("tet", name).stop]
        rows = [self.rows("triangle", self.names[k]) for k in bare]
        return np.repeat(bare, [r.stop - r.start for r in rows]), [t for r in rows for t in self.model["triangles"][r].tolist()]

    def folder(self, name):
        return os.path.join(FOLDER, name)

    def expect_fields(self, arrays, k, vertices):
        self.assertEqual(arrays["Time"] if "Time" in arrays else arrays["TimeValue"][0], self.frames["time"][k])
        self.assertTrue(same_bits(arrays["vertex"], np.asarray(vertices, np.int32)))
        for name, source in (("velocity", "velocities"), ("contact_force", "contact_forces")):
            self.assertTrue(same_bits(arrays[name], self.frames[source][k][vertices]), name)
        moved = self.frames["positions"][k] - self.model["rest_positions"][:]
        self.assertTrue(same_bits(arrays["displacement"], moved[vertices]))
        forces = self.frames["contact_forces"][k][vertices]
        self.assertEqual(np.flatnonzero(arrays["contact_area"]).tolist(), np.flatnonzero(forces.any(axis=1)).tolist())
        stone = np.isin(vertices, np.arange(len(self.model["rest_positions"]))[self.rows("vertex", "stone")])
        if forces[stone].any():  # it comes down flat: on its lower side, of 0.1 m
            self.assertAlmostEqual(arrays["contact_area"][stone].sum(), 0.01, delta=1e-4)
            carried = arrays["contact_area"][stone] @ arrays["contact_pressure"][stone]
            self.assertAlmostEqual(carried, forces[stone, 2].sum(), delta=1e-3 * carried)
            self.stood += 1

    @unittest.skipUnless(vtkXMLUnstructuredGridReader, "python3-vtk9 is not installed")
    def test_vtu_equals_the_result_bit_for_bit(self):
        done = export(self.path, "-o", self.folder("vtu"))
        self.assertEqual(done.returncode, 0, done.stderr)
        tets = self.model["tets"][:].tolist()
        owner_of_bare, bare = self.bare()
        owner = np.concatenate([np.repeat(np.arange(5), [t.stop - t.start for t in (self.rows("tet", n) for n in self.names)]),
                                owner_of_bare]).astype(np.int32)
        for k in range(full_result.FRAMES):
            points, cells, arrays = read_vtu(self.folder(f"vtu/out.{k:04d}.vtu"))
            self.assertTrue(same_bits(points, self.frames["positions"][k]))
            self.assertEqual(cells, tets + bare)
            self.expect_fields(arrays, k, np.arange(len(points)))
            self.assertTrue(same_bits(arrays["object"], owner))
            stress = np.concatenate([self.frames["von_mises"][k], np.full(len(bare), np.nan)])
            self.assertTrue(np.array_equal(arrays["von_mises"], stress, equal_nan=True))
            for name in ("stress", "strain"):  # by name: the order of the file is another than VTK's
                tensor = np.concatenate([self.frames[name][k], np.full((len(bare), 6), np.nan)])
                order = self.frames[name].attrs["components"].upper().split()
                self.assertEqual(read_vtu.components[name], ["XX", "YY", "ZZ", "XY", "YZ", "XZ"])
                for column, component in zip(arrays[name].T, read_vtu.components[name]):
                    self.assertTrue(np.array_equal(column, tensor[:, order.index(component)], equal_nan=True), component)
        self.assertGreater(np.nanmax(arrays["von_mises"]), 0)
        self.assertGreater(np.nanmin(np.nanmax(abs(arrays["stress"]), axis=0)), 10)  # Pa: every component is something
        soft = np.arange(len(tets))[self.rows("tet", "rubber box")]
        expected = [np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])[2] for xx, xy, xz, yy, yz, zz in self.frames["stress"][-1][soft]]
        np.testing.assert_allclose(largest_by_vtk(arrays["stress"][soft]), expected, rtol=0, atol=2e-7 * np.max(np.abs(expected)))
        self.assertGreater(abs(arrays["contact_force"]).max(), 0)
        self.assertGreater(self.stood, 3)

    @unittest.skipUnless(vtkXMLUnstructuredGridReader, "python3-vtk9 is not installed")
    def test_cables_have_their_tension_and_rods_are_lines(self):
        """A cable of W that hangs has W/8, 3 W/8, 5 W/8 and 7 W/8 in its segments from below; beside it a rod and a point."""
        path, result = self.folder("hanging.json"), self.folder("hanging.h5")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"time": {"step": 1, "duration": 1, "scheme": "quasi-static"}, "materials": {"k": {"model": "cable", "stretch": 1e4, "thickness": 0.01}},
                       "meshes": {"line": {"generate": "path", "points": [[0, 0, 0], [0, 0, 1]], "segments": 4},
                                  "rod": {"generate": "segments", "points": [[1, 0, 0], [1, 1, 0]]},
                                  "point": {"generate": "points", "points": [[2, 0, 0]]}},
                       "objects": [{"name": "cable", "mesh": "line", "material": "k", "boundary": [{"plane": {"point": [0, 0, 0.999], "normal": [0, 0, 1]}}]},
                                   {"name": "rod", "type": "fixed", "mesh": "rod", "thickness": 0.01}, {"name": "point", "type": "fixed", "mesh": "point"}],
                       "output": {"every": 1, "tension": True}}, file)
        done = subprocess.run([SIMRUN, path, "--quiet", "-o", result], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        weight = 1000 * np.pi * 0.005**2 * 9.81
        for form, file in (("vtu", "hanging.0001.vtu"), ("vtkhdf", "hanging.vtkhdf")):
            done = export(result, "--format", form, "--frames", "last", "-o", self.folder(form + "-hanging"))
            self.assertEqual(done.returncode, 0, done.stderr)
            points, cells, arrays = read_vtu(self.folder(os.path.join(form + "-hanging", file)))
            self.assertEqual(sorted(map(len, cells)), [2] * 5)
            self.assertEqual(np.ptp(points[[cell for cell, owner in zip(cells, arrays["object"]) if owner == 1]], axis=1).tolist(), [[0, 1, 0]])
            rows = np.argsort(points[:5, 2])
            np.testing.assert_allclose(arrays["tension"][rows] / weight, [1 / 8, 1 / 4, 1 / 2, 3 / 4, 7 / 8], rtol=1e-3)
            self.assertTrue(np.isnan(arrays["tension"][5:]).all())

    @unittest.skipUnless(vtkXMLUnstructuredGridReader, "python3-vtk9 is not installed")
    def test_surfaces_have_the_stress_of_the_tetrahedron_behind(self):
        done = export(self.path, "-o", self.folder("surfaces"), "--surfaces", "--frames", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        points, cells, arrays = read_vtu(self.folder("surfaces/out.0007.vtu"))
        vertices = arrays["vertex"]
        self.assertTrue(same_bits(points, self.frames["positions"][7][vertices]))
        self.expect_fields(arrays, 7, vertices)
        self.assertEqual(vertices[np.array(cells)].tolist(), self.model["triangles"][:].tolist())
        self.assertTrue(same_bits(arrays["object"], self.model["triangle_object"][:]))
        tets = [set(tet) for tet in self.model["tets"][:].tolist()]
        stress = self.frames["von_mises"][7]
        for triangle, value in zip(self.model["triangles"][:].tolist(), arrays["von_mises"]):
            behind = [t for t, tet in enumerate(tets) if tet.issuperset(triangle)]
            self.assertLessEqual(len(behind), 1)
            np.testing.assert_array_equal(value, stress[behind[0]] if behind else np.nan)
        faces = {frozenset(tet - {corner}): t for t, tet in enumerate(tets) for corner in tet}
        for triangle, value in zip(self.model["triangles"][:].tolist(), arrays["strain"]):
            t = faces.get(frozenset(triangle))
            np.testing.assert_array_equal(value[:3], self.frames["strain"][7][t][[0, 3, 5]] if t is not None else np.nan)

    def test_vtkhdf_has_every_frame_bit_for_bit(self):
        done = export(self.path, "-o", self.folder("vtkhdf"), "--format", "vtkhdf")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.folder("vtkhdf")), ["out.vtkhdf"])
        cells = self.model["tets"][:].tolist() + self.bare()[1]
        with h5py.File(self.folder("vtkhdf/out.vtkhdf"), "r") as file:
            self.assertEqual(file["VTKHDF/Steps"].attrs["NSteps"], full_result.FRAMES)
            for k in range(full_result.FRAMES):
                points, found, arrays = read_step(file["VTKHDF"], k)
                self.assertTrue(same_bits(points, self.frames["positions"][k]))
                self.assertEqual(found, cells)
                self.expect_fields(arrays, k, np.arange(len(points)))
                tets = len(self.model["tets"])
                self.assertTrue(same_bits(arrays["von_mises"][:tets], self.frames["von_mises"][k]))
                order = self.frames["stress"].attrs["components"].upper().split()
                for column, component in zip(arrays["stress"].T, ("XX", "YY", "ZZ", "XY", "YZ", "XZ")):
                    self.assertTrue(same_bits(column[:tets], self.frames["stress"][k][:, order.index(component)]), component)
            self.assertEqual(file["VTKHDF/Types"][:].tolist(), [{4: 10, 3: 5}[len(cell)] for cell in cells])

    @unittest.skipUnless(vtkXMLUnstructuredGridReader, "python3-vtk9 is not installed")
    def test_vtkhdf_is_read_by_vtk(self):
        """Of VTK before 9.3, which warns of the version, the first frame: so each frame is the first once."""
        vtkObject.GlobalWarningDisplayOff()
        for k in range(full_result.FRAMES):
            for part in ("--surfaces", "--objects=rubber box,wall"):
                done = export(self.path, "-o", self.folder("hdf"), "--format", "vtkhdf", "--frames", f"last,{k}", part)
                self.assertEqual(done.returncode, 0, done.stderr)
                points, cells, arrays = read_vtu(self.folder("hdf/out.vtkhdf"))
                vertices = arrays["vertex"]
                self.assertTrue(same_bits(points, self.frames["positions"][k][vertices]))
                expected = (self.model["triangles"][:] if part == "--surfaces" else
                            [*self.model["tets"][self.rows("tet", "rubber box")], *self.model["triangles"][self.rows("triangle", "wall")]])
                self.assertEqual([vertices[cell].tolist() for cell in cells], [cell.tolist() for cell in expected])
                self.expect_fields({**arrays, "Time": self.frames["time"][k]}, k, vertices)

    def test_pvd_has_the_times(self):
        done = export(self.path, "-o", self.folder("pvd"), "--frames", "2:11:4,last")
        self.assertEqual(done.returncode, 0, done.stderr)
        sets = xml.etree.ElementTree.parse(self.folder("pvd/out.pvd")).findall("Collection/DataSet")
        self.assertEqual([float(s.get("timestep")) for s in sets], [self.frames["time"][k] for k in (2, 6, 10, 12)])
        self.assertEqual([s.get("file") for s in sets], [f"out.{k:04d}.vtu" for k in (2, 6, 10, 12)])
        self.assertEqual(sorted(os.listdir(self.folder("pvd"))), sorted([s.get("file") for s in sets] + ["out.pvd"]))

    def test_obj_has_a_group_for_each_object(self):
        done = export(self.path, "-o", self.folder("obj"), "--format", "obj", "--frames", "0,5,-1")
        self.assertEqual(done.returncode, 0, done.stderr)
        for k in (0, 5, 12):
            vertices, groups = read_obj(self.folder(f"obj/out.{k:04d}.obj"))
            self.assertEqual(list(groups), ["wall", "rubber_box", "floor", "stone", "gum"])
            for group, name in zip(groups.values(), self.names):
                self.assertTrue(same_bits(vertices[group], self.frames["positions"][k][self.model["triangles"][self.rows("triangle", name)]]))

    def test_ply_has_the_objects_and_their_colours(self):
        done = export(self.path, "-o", self.folder("ply"), "--format", "ply", "--frames", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        vertices, faces = read_ply(self.folder("ply/out.0003.ply"))
        self.assertTrue(same_bits(vertices["x"][faces["v"]], self.frames["positions"][3][self.model["triangles"][:]]))
        self.assertEqual(faces["object"].tolist(), self.model["triangle_object"][:].tolist())
        colors = {o: {tuple(rgb) for rgb in vertices["rgb"][faces["v"][faces["object"] == o].ravel()]} for o in range(5)}
        self.assertEqual([len(found) for found in colors.values()], [1] * 5)
        self.assertEqual(colors[0], colors[2])  # what stands fixed is grey
        self.assertEqual(len(set.union(*colors.values())), 4)

    def test_objects_are_chosen_by_name_and_type(self):
        done = export(self.path, "-o", self.folder("chosen"), "--format", "obj", "--frames", "1", "--objects", "gum,rigid")
        self.assertEqual(done.returncode, 0, done.stderr)
        vertices, groups = read_obj(self.folder("chosen/out.0001.obj"))
        self.assertEqual(list(groups), ["stone", "gum"])
        self.assertEqual(len(vertices), len(np.unique(np.concatenate(list(groups.values())))))
        self.assertTrue(same_bits(vertices[groups["gum"]], self.frames["positions"][1][self.model["triangles"][self.rows("triangle", "gum")]]))

    def test_what_is_not_there_is_named(self):
        text = os.path.join(FOLDER, "scene.json")
        for options, status, words in (((self.path, "--frames", "13"), 1, ["no frame 13", "out.h5 has 13, 0 to 12"]),
                                       ((self.path, "--frames", "2:14"), 1, ["no frame 14"]),
                                       ((self.path, "--frames=-14"), 1, ["no frame -14"]),
                                       ((self.path, "--frames", "5:5"), 1, ["--frames 5:5", "chooses no frame"]),
                                       ((self.path, "--frames", "one"), 1, ["--frames one", "expected"]),
                                       ((self.path, "--frames", "1:9:0"), 1, ["--frames 1:9:0", "every"]),
                                       ((self.path, "--objects", "gun"), 1, ["--objects gun", "wall, rubber box"]),
                                       ((self.path, "--format", "stl"), 1, ["--format", "stl"]),
                                       ((os.path.join(FOLDER, "none.h5"),), 3, ["none.h5"]),
                                       ((text,), 3, ["scene.json"]),
                                       ((self.path, "-o", text), 3, ["scene.json"])):
            done = export(*options)
            self.assertEqual(done.returncode, status, (options, done.stderr))
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
        with open(text, encoding="utf-8") as file:
            self.assertIn("small", file.read())

    def test_where_the_disk_is_full_no_half_file_has_the_name_and_the_message_names_it(self):
        for form in ("vtu", "obj", "ply", "vtkhdf"):
            folder = self.folder("full-" + form)
            command = 'ulimit -f 1; exec "$0" "$@"'
            done = subprocess.run(["bash", "-c", command, sys.executable, os.path.join(SCRIPTS, "export.py"), self.path, "--format", form,
                                   "--frames", "3", "-o", folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 3, done.stderr)
            name = "out.vtkhdf" if form == "vtkhdf" else f"out.0003.{form}"
            self.assertIn(name + ": cannot be written", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(os.listdir(folder), [])

    def test_a_file_that_is_being_written_is_exported_as_far_as_it_is(self):
        path, running = full_result.start(SIMRUN, FOLDER)
        try:
            while running.poll() is None:
                done = export(path, "--format", "obj", "--frames", "last", "-o", self.folder("running"))
                if done.returncode == 0:
                    break
                time.sleep(0.1)
            self.assertIsNone(running.poll(), "the run has ended")
        finally:
            running.kill()
            running.communicate()
        with h5py.File(path, "r") as result:
            name, = os.listdir(self.folder("running"))
            vertices, groups = read_obj(self.folder("running/" + name))
            positions = result["frames/positions"][int(name.split(".")[1])]
            self.assertTrue(same_bits(vertices[groups["gum"]], positions[self.model["triangles"][self.rows("triangle", "gum")]]))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *ONLY])
