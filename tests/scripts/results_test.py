"""scripts/simrun_results against files made by hand and by simrun. usage: results_test.py <scripts folder> <simrun> <scenes folder>

What is expected comes from small_result.py or from plain h5py. Exit status 77: h5py is missing.
"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from unittest import mock

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

SCRIPTS, SIMRUN, SCENES = sys.argv[1:4]
sys.path.insert(0, SCRIPTS)

import simrun_results as sr
import small_result as small
from simrun_results import source


THROWN = {  # a block over the middle of one of the floor's triangles, so that no edge crosses another
    "time": {"step": 0.002, "duration": 0.2}, "materials": {"soft": {"young": 5e5, "poisson": 0.2, "density": 1000.0}},
    "meshes": {"block": {"generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]},
               "floor": {"generate": "slab", "size": [8, 8], "thickness": 0.1, "cells": [1, 1]}},
    "objects": [{"name": "block", "mesh": "block", "material": "soft", "position": [2, -1, 0.11], "velocity": [1.5, 0.3, 0]},
                {"name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05]}],
    "contact": {"friction": 0.5}, "solver": {"linear_tolerance": 1e-14},
    "output": {"every": 1, "checkpoint": 1, "contacts": True}}


# Boxes and a ring slide, tumble and hit each other, on edges, too
TUMBLING = {
    "time": {"step": 0.002, "duration": 0.3}, "materials": {"soft": {"young": 2e5, "poisson": 0.3, "density": 1000.0}},
    "meshes": {"box": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
               "ring": {"generate": "torus", "segments": 12, "major_radius": 0.08, "side": 0.04},
               "floor": {"generate": "slab", "size": [2, 2], "thickness": 0.1}},
    "objects": [{"name": "a", "mesh": "box", "material": "soft", "position": [0.003, 0.007, 0.051], "velocity": [0.8, 0, 0]},
                {"name": "b", "mesh": "box", "material": "soft", "position": [0.013, 0.017, 0.161], "velocity": [0.2, 0.1, -0.5]},
                {"name": "r", "mesh": "ring", "material": "soft", "position": [0.21, 0.017, 0.1], "angular_velocity": [0, 9, 3]},
                {"name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05]}],
    "solver": {"linear_tolerance": 1e-14}, "output": {"every": 1, "checkpoint": 1, "contacts": True, "contact_forces": True}}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name="out.h5"):
        return os.path.join(self.folder, name)

    def open(self, *args, **options):
        result = sr.open(small.write(self.path(), *args, **options))
        self.addCleanup(result.close)
        return result

    def complains(self, error, text, work):
        """With the path first, so that one line says it all."""
        with self.assertRaises(error) as caught:
            work()
        self.assertTrue(str(caught.exception).startswith(self.folder), caught.exception)
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))


class ByHand(Folder):
    def test_the_attributes_of_the_root_are_told(self):
        r = self.open()
        self.assertEqual((r.status, r.reason, r.solver, r.threads, r.format_version), ("stopped", "told to", "cr-full", 3, 1))
        self.assertEqual((r.program_version, r.command_line, r.origin), ("0.0 (hand)", "simrun hand.json", "first.h5, step 10"))
        self.assertEqual((r.scene_folder, r.scene, r.name), ("/some/where", small.SCENE, "by hand"))

    def test_objects_are_named_and_have_their_slices(self):
        r = self.open()
        self.assertEqual([tuple(body) for body in r.objects], [
            (0, "tet", "deformable", "rubber", slice(0, 4), slice(0, 1), slice(0, 4), "solid", 0.0, slice(0, 0)),
            (1, "flo\u00f6r", "fixed", "", slice(4, 7), slice(1, 1), slice(4, 5), "solid", 0.0, slice(0, 0))])
        np.testing.assert_array_equal(r.rest_positions[r.object("flo\u00f6r").vertices], small.REST[4:])
        self.assertEqual(r.triangles[r.object("flo\u00f6r").triangles].tolist(), [[4, 5, 6]])
        self.assertEqual((r.tets.tolist(), r.triangle_object.tolist()), ([[0, 1, 2, 3]], [0, 0, 0, 0, 1]))
        self.complains(sr.MissingError, "no object \"floor\"; there are tet, flo\u00f6r", lambda: r.object("floor"))

    def test_frames_are_those_that_are_counted(self):
        r = self.open()
        self.assertEqual(len(r.frames), 3)
        self.assertEqual([frame.index for frame in r.frames], [0, 1, 2])
        self.assertEqual([frame.step for frame in r.frames[::-1]], [14, 12, 10])
        self.assertEqual(r.frames.step.tolist(), [10, 12, 14])
        last = r.frames[-1]
        self.assertEqual((last.index, last.step, last.time), (2, 14, 0.1 + 0.02 * 2))
        np.testing.assert_array_equal(last.positions, small.position(2))
        np.testing.assert_array_equal(last.velocities, small.position(2) + 100)
        np.testing.assert_array_equal(last.displacements, np.tile([2.0, 0.0, 1.0], (7, 1)))
        np.testing.assert_array_equal(r.frames.read("positions", slice(4, 7)), [small.position(k)[4:] for k in range(3)])
        self.assertEqual([r.frames.nearest(t).index for t in (-1, 0.109, 0.111, 9)], [0, 0, 1, 2])

    def test_a_frame_that_is_not_there_is_an_index_error(self):
        r = self.open()
        for number in (3, -4):
            self.complains(sr.FrameError, f"there is no frame {number}; it has 3, 0 to 2", lambda: r.frames[number])
        self.assertTrue(issubclass(sr.FrameError, IndexError))
        empty = sr.open(small.write(self.path("empty.h5"), frame_count=0))
        self.complains(sr.FrameError, "it has none", lambda: empty.frames[-1])
        self.complains(sr.FrameError, "it has none", lambda: empty.frames.nearest(0))

    def test_rows_of_all_frames_are_chosen_as_numpy_does(self):
        r = self.open()
        whole = np.stack([small.position(k) for k in range(3)])
        for rows in ([3, 1, 1], [-1, 0], (5, 2), slice(5, 1, -1), slice(None, None, 2), slice(9, 2), 2, -1, np.array([True] + 6 * [False]),
                     small.REST[:, 0] > 0, r.triangles):
            np.testing.assert_array_equal(r.frames.read("positions", rows), whole[:, list(rows) if isinstance(rows, tuple) else rows])
        self.assertEqual(r.frames.read("positions", []).shape, (3, 0, 3))
        np.testing.assert_array_equal(r.frames.read("positions", r.object("tet")), whole[:, :4])

    def test_what_is_asked_wrongly_is_no_damage(self):
        r = self.open()
        frames, one = r.frames, r.frames[1].contacts
        stranger = r.object("tet")._replace(name="other")
        with mock.patch.object(source.time, "sleep", side_effect=AssertionError("tried again")):
            for work, text in ((lambda: frames.read("positions", [999]), "[999] names rows that are not there; expected a slice or whole numbers, 0 to 6"),
                               (lambda: frames.read("positions", [0.5]), "[0.5] names rows"),
                               (lambda: frames.read("positions", "tet"), "'tet' names rows"),
                               (lambda: frames.read("positions", [True, False]), "names rows"),
                               (lambda: frames.read("positions", stranger), "there is no object \"other\" in row 0, it is of another result"),
                               (lambda: frames.read("displacements"), "'displacements' is nothing that frames.read() gives; expected one of positions,"),
                               (lambda: frames[1.5], "there is no frame 1.5; expected a whole number or a slice"),
                               (lambda: frames.nearest(float("nan")), "no frame nearest to nan"),
                               (lambda: frames.nearest("last"), "no frame nearest to 'last'"),
                               (lambda: one.force_on(2), "there is no object 2; expected one of this result, its name, or its row, 0 to 1"),
                               (lambda: one.force_on(-1), "there is no object -1"),
                               (lambda: one.force_on(None), "there is no object None"),
                               (lambda: one.force_on(stranger), "there is no object \"other\"")):
                self.complains(sr.ArgumentError, text, work)
            self.complains(sr.MissingError, "there is no object \"left\"; there are tet, flo\u00f6r", lambda: one.force_on("left"))
        self.assertTrue(issubclass(sr.ArgumentError, sr.ResultError))

    def test_nothing_big_is_read_before_it_is_asked_for_and_then_only_that_frame(self):
        path, read, original = small.write(self.path()), [], h5py.Dataset.__getitem__

        def noting(dataset, selection, **options):
            values = original(dataset, selection, **options)
            read.append((dataset.name, np.shape(values)))
            return values

        with mock.patch.object(h5py.Dataset, "__getitem__", noting):
            with sr.open(path) as r:
                (r.status, len(r.frames), len(r.steps), len(r.checkpoints), r.steps.columns, r.has_trace, r.has_contacts)
                self.assertEqual(read, [])
                r.frames[1].positions
                self.assertEqual(read, [("/frames/positions", (1, 7, 3))])
                frame = r.frames[1]
                self.assertIs(frame.velocities, frame.velocities)
                self.assertEqual(read[1:], [("/frames/velocities", (1, 7, 3))])
                r.steps["iterations"], r.steps["iterations"]
                self.assertEqual(read[2:], [("/steps/iterations", (4,))])
                frame.contacts.gap
                self.assertEqual(read[3:], [("/contacts/begin", (2,)), ("/contacts/gap", (2,))])

    def test_columns_of_steps_have_as_many_rows_as_are_counted(self):
        momentum = np.arange(12.0).reshape(4, 3)
        r = self.open(small.step_columns(4, iterations=[5, 0, 9, 2], momentum=momentum, status=[0, 0, 1, 0]))
        self.assertEqual(len(r.steps), 4)
        self.assertEqual(r.steps["iterations"].tolist(), [5, 0, 9, 2])
        np.testing.assert_array_equal(r.steps["momentum"], momentum)
        self.assertEqual(sorted(dict(r.steps)), sorted(r.steps.columns))
        self.assertEqual((r.steps.unit("residual"), r.steps.meaning("residual")), ("kg m/s", "the residual"))
        self.assertEqual(r.steps.status_names, {0: "converged", 1: "iteration limit", 2: "breakdown", 3: "collision", 4: "something new"})
        self.assertEqual(r.steps.row(13), 2)
        self.complains(sr.MissingError, "/steps has no step 10; it has 11 to 14", lambda: r.steps.row(10))
        self.complains(KeyError, "/steps has no column \"iteration\"; it has accepted, active", lambda: r.steps["iteration"])
        self.assertRaises(TypeError, iter, r.steps)
        self.assertRaises(ValueError, r.steps["iterations"].sort)  # what others see stays as the file has it

    def test_counts_that_an_older_version_did_not_write_are_minus_one(self):
        path = small.write(self.path("resumed.h5"), small.step_columns(4, by_exact=[-1, -1, 2, 3], inverted=[-1, -1, 0, 0]))
        with sr.open(path) as result:
            self.assertEqual(list(result.steps["by_exact"]), [-1, -1, 2, 3])
            self.assertEqual(list(result.steps["inverted"]), [-1, -1, 0, 0])
        for column, value in (("by_exact", -2), ("iterations", -1)):
            with sr.open(small.write(self.path("damaged.h5"), small.step_columns(4, **{column: [0, 0, value, 0]}))) as result:
                with self.assertRaisesRegex(sr.ResultError, f"/steps/{column}, row 2: {value}, expected at least"):
                    result.steps[column]

    def test_the_trace_of_a_step_is_found_by_its_number(self):
        r = self.open()
        self.assertEqual((len(r.trace), r.trace.steps.tolist(), r.trace.iterations.tolist()), (4, [11, 12, 13, 14], [2, 0, 3, 1]))
        trace = r.trace.step(13)
        self.assertEqual(trace.residual.tolist(), [0.25, 0.125, 0.0625])
        self.assertEqual(trace.preconditioned_residual.tolist(), [0.75, 0.375, 0.1875])
        self.assertEqual(trace.constraint_residual.tolist(), [2.0, 3.0, 4.0])
        self.assertEqual((trace.mark.tolist(), len(trace), len(r.trace.step(12))), ([1, 3, 2], 3, 0))
        self.complains(sr.MissingError, "/trace has no step 15; it has 11 to 14", lambda: r.trace.step(15))

    def test_contacts_belong_to_their_frame_and_their_forces_sum_up(self):
        r = self.open()
        self.assertEqual([len(frame.contacts) for frame in r.frames], [0, 2, 2])
        one, two = r.frames[1].contacts, r.frames[2].contacts
        self.assertEqual((one.lambda_.tolist(), one["lambda"].tolist(), two.gap.tolist()), ([2.0, 3.0], [2.0, 3.0], [0.3, 0.4]))
        self.assertEqual([sr.STATES[state] for state in one.state], ["sticking", "sliding"])
        np.testing.assert_array_equal(one.force, [[0.5, 0, 2], [0, 0.25, -3]])
        np.testing.assert_array_equal(one.force_on(0), [0.5, -0.25, 5])  # of the second one the tet is the second side
        for floor in (1, "flo\u00f6r", r.object("flo\u00f6r")):
            np.testing.assert_array_equal(one.force_on(floor), [-0.5, 0.25, -5])
        np.testing.assert_array_equal(two.force_on(0), [0, 0, 0])  # what it does to itself cancels
        np.testing.assert_array_equal(r.frames[0].contacts.force_on(0), [0, 0, 0])
        np.testing.assert_array_equal(one.sides("tet"), [1, -1])
        np.testing.assert_array_equal(one.sides("tet", "flo\u00f6r"), [1, -1])
        np.testing.assert_array_equal(two.sides(0), [1, 0])  # the second is within the tet
        for others in (None, 1, "flo\u00f6r", [r.object("flo\u00f6r")], ("flo\u00f6r",)):
            np.testing.assert_array_equal(one.force_between("tet", others), [0.5, -0.25, 5])
        np.testing.assert_array_equal(one.force_between(1, [0]), [-0.5, 0.25, -5])
        np.testing.assert_array_equal(one.force_between([0, 1]), [0, 0, 0])  # of all others, and there are none
        self.complains(sr.ArgumentError, "the force of \"tet\" on itself is asked for", lambda: one.force_between([0, 1], "tet"))
        self.complains(sr.MissingError, "there is no object \"tat\"", lambda: one.force_between("tet", "tat"))
        self.complains(sr.MissingError, "/contacts has no column \"force\"", lambda: one["force"])
        self.assertRaises(AttributeError, lambda: one.forces)
        self.assertIn("lambda_", dir(one))

    def test_the_checkpoint_between_two_multiples_is_the_last(self):
        r = self.open()
        self.assertEqual([checkpoint.step for checkpoint in r.checkpoints], [10, 12, 14])
        np.testing.assert_array_equal(r.checkpoints[1].velocities, small.REST + 112)
        np.testing.assert_array_equal(r.checkpoints[-1].positions, small.REST + 14)
        np.testing.assert_array_equal(r.checkpoints[-1].left_over, small.REST + 214)
        self.assertEqual(r.checkpoints[-1].time, 0.14)
        self.complains(sr.FrameError, "there is no checkpoint 3", lambda: r.checkpoints[3])

    def test_what_a_file_may_lack_is_told_with_what_to_do(self):
        path = small.write(self.path(), parts=())
        with h5py.File(path, "r+") as file:
            del file["frames/velocities"], file.attrs["origin"], file.attrs["scene_folder"]
        with sr.open(path) as r:
            self.assertEqual((r.has_velocities, r.has_contacts, r.has_trace, len(r.checkpoints), r.origin), (False, False, False, 0, ""))
            self.complains(sr.MissingError, "has no /frames/velocities: the scene says", lambda: r.frames[0].velocities)
            self.complains(sr.MissingError, "has no /frames/velocities", lambda: r.frames.read("velocities"))
            self.assertEqual((r.has_stress, r.has_stress_tensor, r.has_strain_tensor), (False, False, False))
            for name, key in (("stress", "stress_tensor"), ("strain", "strain_tensor")):
                for field in (name, "principal_" + name):
                    self.complains(sr.MissingError, f"has no /frames/{name}: run it with --set output.{key}=true", lambda: getattr(r.frames[0], field))
            self.complains(sr.MissingError, "has no /contacts: run it with --set output.contacts=true", lambda: r.frames[0].contacts)
            self.complains(sr.MissingError, "has no /trace: run it with --trace", lambda: r.trace)
            np.testing.assert_array_equal(r.frames[1].positions, small.position(1))


class Tensors(Folder):
    def test_principal_values_are_those_of_a_known_tensor(self):
        """Q diag(p) Q^T has the principal values p, whatever the rotation Q."""
        chance = np.random.default_rng(1)
        for principal in ([7.0, 2.0, -3.0], [5.0, 5.0, 1.0], [0.0, 0.0, 0.0], [-1e6, -2e6, -2e6], [1e-9, 0.0, -1e-9]):
            Q, _ = np.linalg.qr(chance.normal(size=(3, 3)))
            tensor = Q @ np.diag(principal) @ Q.T
            six = [tensor["xyz".index(name[0]), "xyz".index(name[1])] for name in sr.tensors.COMPONENTS]
            np.testing.assert_array_equal(sr.tensors.full(six), np.triu(tensor) + np.triu(tensor, 1).T)
            np.testing.assert_allclose(sr.tensors.principal(six), principal, rtol=0, atol=1e-14 * np.abs(principal).max())

    def test_those_of_a_plane_are_worked_out_by_hand(self):
        """Of (1, 2; 2, 4) 5 and 0; of shear by t t and -t; of what is no tensor, or has a number missing, none."""
        six = np.array([[[1, 2, 0, 4, 0, -1], [0, 0, 3, 0, 0, 0]], [[0, 0, 0, 0, -4, 0], [1, 2, 0, 4, np.nan, -1]]], float)
        expected = [[[5, 0, -1], [3, 0, -3]], [[4, 0, -4], [np.nan] * 3]]
        np.testing.assert_allclose(sr.tensors.principal(six), expected, rtol=0, atol=1e-14)
        self.assertEqual(sr.tensors.principal(np.zeros((0, 6))).shape, (0, 3))

    def test_frames_have_what_the_file_holds(self):
        path = small.write(self.path())
        stored = np.arange(24.0).reshape(4, 1, 6)
        with h5py.File(path, "r+") as file:
            file["frames/stress"], file["frames/strain"] = stored, stored / 64
        with sr.open(path) as r:
            self.assertEqual((r.has_stress, r.has_stress_tensor, r.has_strain_tensor), (False, True, True))
            np.testing.assert_array_equal(r.frames.read("stress"), stored[:3])
            np.testing.assert_array_equal(r.frames.read("strain", r.object("tet")), stored[:3] / 64)
            for k, frame in enumerate(r.frames):
                np.testing.assert_array_equal(frame.stress, stored[k])
                np.testing.assert_array_equal(frame.strain, stored[k] / 64)
                xx, xy, xz, yy, yz, zz = stored[k, 0]
                roots = np.sort(np.roots(np.poly(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))).real)[::-1]
                np.testing.assert_allclose(frame.principal_stress, [roots], rtol=0, atol=1e-9 * zz)
                np.testing.assert_allclose(frame.principal_strain, [roots / 64], rtol=0, atol=1e-9 * zz)

    def test_rows_of_another_shape_are_refused(self):
        for shape in ((4, 1), (4, 1, 9), (4, 2, 6)):
            path = small.write(self.path())
            with h5py.File(path, "r+") as file:
                file["frames/stress"] = np.zeros(shape)
            with sr.open(path) as r:
                self.complains(sr.ResultError, "/frames/stress: rows of", lambda: r.frames[0].stress)


class Pressure(unittest.TestCase):
    """Of the tetrahedron of small_result.py, whose vertex 0 has three right-angled sides of area 1/2."""
    SIDES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])

    def pressed(self, vertex, force):
        forces = np.zeros((7, 3))
        forces[vertex] = force
        areas, pressures = sr.pressure.pressed(small.REST, self.SIDES, forces)
        for values in (areas, pressures):
            np.testing.assert_array_equal(np.delete(values, vertex), np.zeros(6))
        return areas[vertex], pressures[vertex]

    def test_one_side_of_an_edge_is_pressed(self):
        for force in ([0, 0, 2], [0.5, -0.3, 2], [-0.9, 0, 2]):  # friction, too
            np.testing.assert_allclose(self.pressed(0, force), (1 / 6, 12))

    def test_all_sides_that_face_alike_are_pressed(self):
        flat = small.REST * [1, 1, 0.1]  # a flat pyramid on its back: the normals of its three sides are near each other at vertex 3
        forces = np.zeros((7, 3))
        forces[3] = [0, 0, -3]
        corners = np.array([[4, 5, 3], [5, 6, 3], [6, 4, 3]])
        flat[[4, 5, 6, 3]] = [[-1, -1, 0], [1, -1, 0], [0, 1, 0], [0, 0, 0.1]]
        areas, pressures = sr.pressure.pressed(flat, corners, forces)
        double = np.cross(flat[corners[:, 1]] - flat[corners[:, 0]], flat[corners[:, 2]] - flat[corners[:, 0]])
        area = np.linalg.norm(double, axis=1).sum() / 6
        np.testing.assert_allclose(areas[3], area)
        np.testing.assert_allclose(pressures[3] * area, 3, rtol=0.01)

    def test_a_vertex_without_area(self):
        self.assertTrue(np.isnan(self.pressed(4, [0, 0, 1])).all())  # of no triangle here


class NotAResult(Folder):
    def complains_on_open(self, text, path=None):
        self.complains(sr.ResultError, text, lambda: sr.open(path or self.path()))

    def test_nothing_there_or_no_hdf5(self):
        self.complains_on_open("there is no such file")
        with open(self.path(), "w") as file:
            file.write("{}")
        self.complains_on_open("is not an HDF5 file, expected a result file of simrun")
        os.makedirs(self.path("folder"))
        self.complains_on_open("cannot be read: Is a directory", self.path("folder"))

    def test_another_hdf5_file(self):
        with h5py.File(self.path(), "w") as file:
            file["x"] = 1
        self.complains_on_open("is an HDF5 file but not a result file of simrun")
        small.write(self.path(), attributes=small.ATTRIBUTES | {"format": "other"})
        self.complains_on_open("has the format \"other\", expected \"simrun\"")

    def test_a_newer_version(self):
        small.write(self.path(), attributes=small.ATTRIBUTES | {"format_version": 2, "program_version": "9.0 (abc)"})
        self.complains_on_open("has format version 2, this reads version 1; take simrun_results of the program that wrote it (9.0 (abc))")

    def test_half_a_file(self):
        path = small.write(self.path())
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) // 2)
        self.complains_on_open("the file is damaged or not whole")

    def test_parts_that_must_be_there(self):
        small.write(self.path())
        with h5py.File(self.path(), "r+") as file:
            del file["steps"]
        self.complains_on_open("damaged or not whole")
        small.write(self.path(), attributes={key: value for key, value in small.ATTRIBUTES.items() if key != "status"})
        self.complains_on_open("has no attribute \"status\"")

    def test_after_close(self):
        with self.open() as r:
            pass
        self.complains(sr.ResultError, "was closed", lambda: r.frames[0].positions)


APPEND = """
import h5py, sys
with h5py.File(sys.argv[1], "r+") as file:
    for column in file["steps"].values():
        column.resize(7, axis=0)
        column[4:] = column[0]
    file["steps/iterations"][4:] = (70, 80, 90)
    file.attrs["status"] = "done"
"""


class BesideAWriter(Folder):
    def append(self, path):
        subprocess.run([sys.executable, "-c", APPEND, path], check=True, env=os.environ | {"HDF5_USE_FILE_LOCKING": "FALSE"})

    def test_refresh_sees_new_rows_also_where_another_result_has_the_file_open(self):
        r = self.open(small.step_columns(4, iterations=[1, 2, 3, 4]), more=0)
        other = sr.open(self.path())
        before, old = r.steps, other.steps["iterations"]
        self.append(self.path())
        self.assertEqual((len(r.steps), r.status), (4, "stopped"))
        r.refresh()
        self.assertEqual((len(r.steps), r.status), (7, "done"))
        self.assertEqual(r.steps["iterations"].tolist(), [1, 2, 3, 4, 70, 80, 90])
        self.assertEqual(before["iterations"].tolist(), [1, 2, 3, 4])
        self.assertEqual((len(other.steps), old.tolist(), other.status), (4, [1, 2, 3, 4], "stopped"))
        self.assertEqual(other.steps["residual"].shape, (4,))

    def test_a_result_sees_all_rows_when_it_is_opened_also_where_another_has_the_file_open(self):
        other = self.open(small.step_columns(4, iterations=[1, 2, 3, 4]), more=0)
        self.assertEqual(other.steps["iterations"].tolist(), [1, 2, 3, 4])
        self.append(self.path())
        with sr.open(self.path()) as r:
            self.assertEqual((len(r.steps), r.status), (7, "done"))
            self.assertEqual(r.steps["iterations"].tolist(), [1, 2, 3, 4, 70, 80, 90])

    def test_h5py_may_have_the_file_open_too(self):
        path = small.write(self.path())
        with h5py.File(path, "r") as plain, sr.open(path) as r:
            self.assertEqual(len(r.frames), 3)
            self.assertEqual(len(plain["frames/time"]), 3)
        with sr.open(path) as r, h5py.File(path, "r") as plain:
            self.assertEqual(len(r.frames), len(plain["frames/time"]))
        with h5py.File(path, "r", locking=False), sr.open(path) as r:
            self.assertEqual(len(r.frames), 3)

    def test_h5py_opens_the_file_also_where_a_result_failed_to_once(self):
        path, opened, failures = small.write(self.path()), h5py.File, [OSError("truncated file: eof = 8, superblock ...")]

        def failing(*args, **options):
            if failures:
                raise failures.pop()
            return opened(*args, **options)

        with mock.patch.object(h5py, "File", failing):
            r = sr.open(path)
        self.addCleanup(r.close)
        self.assertEqual(failures, [])
        with h5py.File(path, "r") as plain:
            self.assertEqual(len(r.frames), len(plain["frames/time"]))

    def test_a_file_that_cannot_be_locked_is_read_without(self):
        path, opened = small.write(self.path()), h5py.File

        def without_locks(*args, locking=None, **options):
            if locking is not False:
                raise OSError(37, "Unable to open file (unable to lock file, errno = 37, error message = 'No locks available')")
            return opened(*args, locking=locking, **options)

        with mock.patch.object(h5py, "File", without_locks), sr.open(path) as r:
            self.assertEqual(len(r.frames), 3)

    def test_a_read_that_fails_once_is_done_again_on_the_file_opened_anew(self):
        r, opened, failures = self.open(), source.open_plainly, [OSError("bad checksum"), KeyError("bad object header")]

        def failing(path):
            if failures:
                raise failures.pop()
            return opened(path)

        with mock.patch.object(source, "open_plainly", failing):
            r.refresh()
        self.assertEqual((failures, len(r.frames)), ([], 3))
        with mock.patch.object(source, "open_plainly", mock.Mock(side_effect=OSError("bad checksum"))):
            self.complains(sr.ResultError, "damaged or not whole: bad checksum", r.refresh)

        file, seen = source.Source(self.path()), []

        def torn_at_first(handle):
            seen.append(handle.id)
            if len(seen) == 1:
                raise OSError("bad checksum")
            return bool(handle.id) and not seen[0]  # the new one is open, the first is closed

        self.assertTrue(file.read(torn_at_first))

    def test_a_file_that_was_replaced_is_never_mistaken_for_the_one_that_was_opened(self):
        r = self.open(more=0)
        for frames in (1, 5):
            before = len(r.frames)
            small.write(self.path("other.h5"), frame_count=frames, more=0)
            os.replace(self.path("other.h5"), self.path())
            np.testing.assert_array_equal(r.frames[before - 1].positions, small.position(before - 1))
            with sr.open(self.path()) as other:
                other.refresh()
                self.assertEqual(len(other.frames), frames)
            np.testing.assert_array_equal(r.frames[before - 1].positions, small.position(before - 1))  # the old one is still open
            r._source.drop()
            self.complains(sr.ResultError, "the file was replaced by another one since; open it again", lambda: r.frames[0].positions)
            r.refresh()
            self.assertEqual(len(r.frames), frames)


class BySimrun(Folder):
    def command(self, scene, *options):
        return [SIMRUN, os.path.join(SCENES, scene), "-o", self.path(), "--quiet", *options]

    def run_scene(self, scene, *options):
        subprocess.run(self.command(scene, *options), check=True)
        result = sr.open(self.path())
        self.addCleanup(result.close)
        return result

    def test_everything_is_what_h5py_reads(self):
        r = self.run_scene("bouncing-rings.json", "--duration", "0.15", "--trace", "--set", "output.contacts=true", "--threads", "1")
        with h5py.File(self.path(), "r") as file:
            self.assertEqual((r.status, len(r.frames), len(r.steps), r.threads), ("done", 16, 150, 1))
            for name, column in file["steps"].items():
                np.testing.assert_array_equal(r.steps[name], column[:], name)
                self.assertEqual((r.steps.unit(name), r.steps.meaning(name)), (column.attrs["units"], column.attrs["meaning"]))
            for k, frame in enumerate(r.frames):
                np.testing.assert_array_equal(frame.positions, file["frames/positions"][k])
                np.testing.assert_array_equal(frame.velocities, file["frames/velocities"][k])
                begin, end = file["contacts/begin"][k:k + 2]
                self.assertEqual(len(frame.contacts), end - begin)
                for name in frame.contacts.columns:
                    np.testing.assert_array_equal(frame.contacts[name], file[f"contacts/{name}"][begin:end])
            self.assertGreater(len(r.frames[-1].contacts), 0)
            for k, step in enumerate(file["trace/step"][:]):
                begin, end = file["trace/begin"][k:k + 2]
                for name in ("residual", "preconditioned_residual", "constraint_residual", "mark"):
                    np.testing.assert_array_equal(getattr(r.trace.step(step), name), file[f"trace/{name}"][begin:end])
            for name in ("rest_positions", "tets", "triangles", "triangle_object"):
                np.testing.assert_array_equal(getattr(r, name), file[f"model/{name}"][:])
            self.assertEqual([body.name for body in r.objects], file["model/objects/name"].asstr()[:].tolist())
            self.assertEqual(r.checkpoints[-1].step, 150)
            self.assertEqual(r.steps.status_names[0], "converged")
            self.assertEqual((r.scene["name"], r.scene["time"]["duration"]), ("bouncing-rings", 0.15))

    def test_principal_stresses_make_the_von_mises_stress_and_strains_the_volume(self):
        """J^2 = det(1 + 2 E), and the volumes are those of the positions."""
        r = self.run_scene("materials.json", "--duration", "0.1", "--set", "output.stress_tensor=true", "--set", "output.strain_tensor=true",
                           "--set", "output.every=50")
        soft = np.concatenate([np.arange(len(r.tets))[body.tets] for body in r.objects if body.type == "deformable"])
        corners = r.tets[soft]
        volume = lambda x: np.linalg.det(x[corners[:, 1:]] - x[corners[:, :1]])
        for frame in r.frames:
            first, second, third = frame.principal_stress[soft].T
            self.assertTrue((first >= second).all() and (second >= third).all())
            expected = np.sqrt(((first - second)**2 + (second - third)**2 + (third - first)**2) / 2)
            np.testing.assert_allclose(frame.von_mises[soft], expected, rtol=0, atol=1e-9 * np.abs(first).max() + 1e-6)
            ratio = np.sqrt(np.prod(1 + 2 * frame.principal_strain[soft], axis=1))
            np.testing.assert_allclose(ratio, volume(frame.positions) / volume(r.rest_positions), rtol=1e-10)
        self.assertGreater(np.abs(frame.principal_strain[soft]).max(), 0.01)

    def test_contact_forces_change_the_momentum(self):
        """p1 - p0 = dt (m g + force of the floor), but for what one step leaves over to the next (docs/decisions/left-over.md)."""
        with open(self.path("thrown.json"), "w") as file:
            json.dump(THROWN, file)
        r = self.run_scene(self.path("thrown.json"))
        p, dt, floor, block = r.steps["momentum"], 0.002, r.object("floor").index, r.object("block").index
        left_over = np.array([checkpoint.left_over.sum(axis=0) for checkpoint in r.checkpoints])
        sliding = 0
        for k in range(1, len(r.steps)):
            self.assertEqual((r.steps["substeps"][k], r.checkpoints[k + 1].step, r.frames[k + 1].step), (1, k + 1, k + 1))
            contacts = r.frames[k + 1].contacts
            force = contacts.force_on(block)
            np.testing.assert_array_equal(force, -contacts.force_on(floor))
            change = dt * (force - [0, 0, 8 * 9.81]) + left_over[k] - left_over[k + 1]  # 0.2^3 m^3 of 1000 kg/m^3
            np.testing.assert_allclose(p[k] - p[k - 1], change, rtol=0, atol=1e-10)
            sliding += force[0] < -10
        self.assertGreater(sliding, 20)

    def test_the_momentum_of_every_body_changes_by_its_contact_forces_also_where_contacts_turn(self):
        """Normals and forces belong to one solve. Those made anew for the next step are off by 0.2 N here."""
        with open(self.path("tumbling.json"), "w") as file:
            json.dump(TUMBLING, file)
        r = self.run_scene(self.path("tumbling.json"))
        x, tets, dt = r.rest_positions, r.tets, 0.002
        a, b, c, d = (x[tets[:, corner]] for corner in range(4))
        mass = np.zeros(len(x))
        np.add.at(mass, tets, 1000.0 / 24 * np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)[:, None])
        self.assertTrue((r.steps["substeps"] == 1).all())
        for k in range(1, len(r.frames)):
            frame = r.frames[k]
            change = mass[:, None] * (frame.velocities - r.frames[k - 1].velocities) + r.checkpoints[k].left_over - r.checkpoints[k - 1].left_over
            for body in r.objects[:3]:
                part = body.vertices
                force = change[part].sum(axis=0) / dt + [0, 0, 9.81 * mass[part].sum()]
                np.testing.assert_allclose(frame.contacts.force_on(body.index), force, rtol=0, atol=1e-10)
                np.testing.assert_allclose(frame.contact_forces[part].sum(axis=0), force, rtol=0, atol=1e-10)
                of_each = sum(frame.contacts.force_between(body, other) for other in r.objects if other != body)
                np.testing.assert_allclose(of_each, force, rtol=0, atol=1e-10)
        self.assertGreater(r.steps["relinearizations"].sum(), 20)
        self.assertGreater((r.steps["sliding"] > 3).sum(), 20)

    def test_objects_after_every_step_are_what_frames_and_contacts_say(self):
        """A soft box, a rigid one and a ring tumble over a floor and a paddle that moves; sums by hand from frames of every step."""
        objects = [*TUMBLING["objects"], {"name": "paddle", "type": "scripted", "mesh": "box", "position": [-0.12, 0.01, 0.07],
                                          "motion": {"velocity": [0.4, 0, 0]}}]
        objects[1] = {**objects[1], "type": "rigid"}
        with open(self.path("tumbling.json"), "w") as file:
            json.dump({**TUMBLING, "objects": objects, "output": {"every": 1, "contacts": True, "contact_forces": True, "objects": True}}, file)
        r = self.run_scene(self.path("tumbling.json"))
        x, tets, dt, density = r.rest_positions, r.tets, 0.002, 1000.0
        a, b, c, d = (x[tets[:, corner]] for corner in range(4))
        mass = np.zeros(len(x))
        np.add.at(mass, tets, density / 24 * np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)[:, None])
        self.assertEqual((r.object_steps.step.tolist(), len(r.object_steps)), (r.steps["step"].tolist(), len(r.steps)))
        self.assertEqual(r.object_steps["center"].shape, (len(r.steps), 5, 3))
        works = {}
        for body in r.objects:
            steps, part = r.object_steps.of(body), body.vertices
            weight = mass[part] if body.type == "deformable" else np.ones(part.stop - part.start)  # the rigid box: even, too
            for k, frame in enumerate(r.frames[1:]):
                places, velocities, forces = frame.positions[part], frame.velocities[part], frame.contact_forces[part]
                center = weight @ places / weight.sum()
                np.testing.assert_allclose(steps.center[k], center, rtol=0, atol=1e-9)
                np.testing.assert_allclose(steps.velocity[k], weight @ velocities / weight.sum(), rtol=0, atol=1e-9)
                if r.steps["substeps"][k] > 1:  # /contacts has its last part
                    continue
                np.testing.assert_allclose(steps.contact_force[k], frame.contacts.force_on(body), rtol=0, atol=1e-9)
                np.testing.assert_allclose(steps.contact_torque[k], np.cross(places - center, forces).sum(axis=0), rtol=0, atol=1e-8)
                own = 1e-3 if body.type == "rigid" else 0  # of the turn in the step, not of that which its spin has at the end
                work = dt * (forces * velocities).sum()
                self.assertAlmostEqual(steps.contact_work[k], work, delta=1e-9 + own * abs(dt * forces * velocities).sum())
            works[body.name] = np.sum(steps.contact_work)
        self.assertEqual(works["floor"], 0)
        self.assertGreater(abs(works["paddle"]), 1e-4)
        self.assertTrue(np.isfinite(r.object_steps["contact_force"]).all())
        self.complains(sr.MissingError, "/objects has no column \"mass\"; it has center", lambda: r.object_steps["mass"])
        self.assertRaises(AttributeError, lambda: r.object_steps.of(0).mass)

    def test_objects_after_every_step_go_on_with_the_run(self):
        whole, parts = self.path("whole.h5"), self.path("parts.h5")
        options = ["--set", "output.objects=true", "--threads", "1", "--quiet"]
        scene = os.path.join(SCENES, "bouncing-rings.json")
        subprocess.run([SIMRUN, scene, "-o", whole, "--duration", ".15", *options], check=True)
        subprocess.run([SIMRUN, scene, "-o", parts, "--duration", "0.113", *options], check=True)
        subprocess.run([SIMRUN, "--resume", parts, "--duration", ".15", "--threads", "1", "--quiet"], check=True)
        with sr.open(whole) as one, sr.open(parts) as other:
            self.assertEqual((len(one.object_steps), other.object_steps.step.tolist()), (150, one.object_steps.step.tolist()))
            for name in one.object_steps.columns:
                np.testing.assert_array_equal(one.object_steps[name], other.object_steps[name], name)
            self.assertGreater(abs(one.object_steps["contact_force"]).max(), 1)
        self.run_scene("elasticity.json", "--duration", "0.01")
        with sr.open(self.path()) as r:
            self.assertFalse(r.has_object_steps)
            self.complains(sr.MissingError, "has no /objects: run it with --set output.objects=true", lambda: r.object_steps)

    def test_events_are_those_of_the_file_and_of_acm_only(self):
        r = self.run_scene("reef-knot-small.json", "--duration", "0.1")
        with h5py.File(self.path()) as file:
            self.assertEqual(sorted(r.events.columns), sorted(file["events"]))
            for name in file["events"]:
                np.testing.assert_array_equal(r.events[name], file["events"][name][:], name)
                self.assertEqual(r.events.unit(name), file["events"][name].attrs.get("units", ""))
        self.assertEqual((r.events["layer_histogram"].shape, r.events.row(3)), ((len(r.steps), 32), 2))
        self.complains(sr.MissingError, "/events has no column \"kicks\"; it has ", lambda: r.events["kicks"])
        self.run_scene("elasticity.json", "--duration", "0.01")
        with sr.open(self.path()) as other:
            self.assertFalse(other.has_events)
            self.complains(sr.MissingError, "has no /events: only runs of the method acm have it", lambda: other.events)

    def test_damaged_events_are_named(self):
        self.run_scene("reef-knot-small.json", "--duration", "0.05").close()
        for name, value, words in (("kicks_pair", -4, "/events/kicks_pair, row 1: -4, expected at least 0"), ("t_cull", np.nan, "/events/t_cull, row 1: nan"),
                                   ("step", 7, "/events/step, row 1: 7, expected 1 more than 1")):
            with h5py.File(self.path(), "r+") as file:
                before, file["events"][name][1] = file["events"][name][1], value
            with sr.open(self.path()) as r:
                self.complains(sr.ResultError, words, lambda r=r, name=name: r.events[name])
            with h5py.File(self.path(), "r+") as file:
                file["events"][name][1] = before

    def test_the_pressure_under_a_block_carries_it_on_the_area_of_its_side(self):
        with open(self.path("rest.json"), "w") as file:
            json.dump({**THROWN, "time": {"step": 0.01, "duration": 1}, "output": {"every": 100, "contact_forces": True},
                       "objects": [{**THROWN["objects"][0], "position": [2, -1, 0.1001], "velocity": [0, 0, 0]}, THROWN["objects"][1]]}, file)
        r = self.run_scene(self.path("rest.json"))
        frame, part, weight = r.frames[-1], r.object("block").vertices, 8 * 9.81
        areas, pressures = frame.contact_areas[part], frame.contact_pressures[part]
        self.assertEqual(np.count_nonzero(areas), 9)  # the vertices of the lower side: edges have none of the others
        np.testing.assert_allclose(areas.sum(), 0.2**2, rtol=1e-3)
        np.testing.assert_allclose(areas @ pressures, weight, rtol=1e-3)
        self.assertTrue((pressures >= 0).all())
        np.testing.assert_array_equal(r.frames[0].contact_pressures, np.zeros(len(r.rest_positions)))

    def test_frames_are_there_while_the_run_goes_on_and_when_it_was_killed(self):
        options = ["--duration", "60", "--set", "output.every=1", "--threads", "1"]
        run = subprocess.Popen(self.command("bouncing-rings.json", *options), stdout=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        while not os.path.exists(self.path()):
            self.assertIsNone(run.poll())
            time.sleep(0.01)
        r, counts, early = sr.open(self.path()), [], None
        self.addCleanup(r.close)
        end = time.monotonic() + 60
        while len(counts) < 20 or counts[-1] < 50:
            self.assertLess(time.monotonic(), end, f"there are still {counts[-1:]} frames")
            r.refresh()
            counts.append(len(r.frames))
            self.assertEqual(r.status, "running")
            self.assertEqual(r.steps["step"].tolist(), list(range(1, len(r.steps) + 1)))
            if counts[-1]:
                early = early or r.frames[-1]
                self.assertTrue(np.isfinite(r.frames[-1].positions).all())
        run.kill()
        run.wait()
        r.refresh()
        self.assertEqual((counts, r.status), (sorted(counts), "running"))
        self.assertEqual(r.frames.step.tolist(), list(range(len(r.frames))))
        np.testing.assert_array_equal(early.positions, r.frames[early.index].positions)
        self.assertGreaterEqual(len(r.frames), counts[-1])

    def test_without_velocities(self):
        r = self.run_scene("elasticity.json", "--duration", "0.01", "--set", "output.velocities=false")
        self.complains(sr.MissingError, "has no /frames/velocities", lambda: r.frames[-1].velocities)

    def test_rows_of_a_run_from_a_checkpoint_begin_later(self):
        self.run_scene("elasticity.json", "--duration", "0.02", "--set", "output.checkpoint=5")
        subprocess.run([SIMRUN, "--resume", self.path(), "--from", "5", "-o", self.path("b.h5"), "--quiet"], check=True)
        with sr.open(self.path("b.h5")) as r:
            self.assertEqual((r.frames[0].step, r.steps["step"][0], r.steps.row(6)), (5, 6, 0))
            self.assertIn("step 5", r.origin)


class Import(unittest.TestCase):
    def test_from_any_folder_by_the_path_alone(self):
        code = "import simrun_results, sys; print(simrun_results.FORMAT_VERSION, 'matplotlib' in sys.modules)"
        environment = os.environ | {"PYTHONPATH": SCRIPTS}
        done = subprocess.run([sys.executable, "-c", code], cwd="/", env=environment, capture_output=True, text=True)
        self.assertEqual(done.stdout, "1 False\n", done.stderr)

    def test_the_version_of_the_package_is_that_of_the_format(self):
        import tomllib
        with open(os.path.join(SCRIPTS, "pyproject.toml"), "rb") as file:
            self.assertEqual(tomllib.load(file)["project"]["version"], str(sr.FORMAT_VERSION))


class Page(Folder):
    def test_the_examples_of_the_page_run(self):
        with open(os.path.join(SCRIPTS, "..", "docs", "post-processing.md")) as file:
            blocks = re.findall(r"(?:^    .*\n|^\n)+", file.read(), re.MULTILINE)
        examples = [textwrap.dedent(block) for block in blocks if block.lstrip("\n").startswith("    import ")]
        self.assertEqual(len(examples), 8)
        subprocess.run([SIMRUN, os.path.join(SCENES, "bouncing-rings.json"), "-o", self.path(), "--quiet", "--duration", "0.3", "--trace",
                        "--set", "output.contacts=true", "--set", "output.contact_forces=true", "--set", "output.stress_tensor=true"], check=True)
        for example in examples:
            if "import plots" in example and not importlib.util.find_spec("matplotlib"):
                continue
            done = subprocess.run([sys.executable, "-c", example], cwd=self.folder, env=os.environ | {"PYTHONPATH": SCRIPTS},
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, example + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
