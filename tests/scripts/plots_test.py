"""scripts/plots and scripts/plot.py on files made by hand. usage: plots_test.py <scripts folder> <simrun> <scenes folder>

What is expected is worked out here from the numbers that went into the files. Exit status 77: h5py or matplotlib is missing.
"""
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

try:
    import h5py  # noqa: F401
    import matplotlib.image
    import numpy as np
except ImportError:
    sys.exit(77)

SCRIPTS, SIMRUN, SCENES = sys.argv[1:4]
sys.path.insert(0, SCRIPTS)

import plot
import plots
from common import command_line
import simrun_results as sr
import small_result as small
from plots import lines, stages


def curve(axes, label):
    """y of the line whose legend begins like this."""
    found = [line for line in axes.get_lines() if line.get_label().startswith(label)]
    assert len(found) == 1, (label, [line.get_label() for line in axes.get_lines()])
    return found[0]


def below(figure):
    return figure._supxlabel.get_text()


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def result(self, count=4, name="out.h5", parts=(small.trace,), **columns):
        result = sr.open(small.write(self.path(name), small.step_columns(count, **columns), parts=parts))
        self.addCleanup(result.close)
        return result


class Curves(Folder):
    def test_iterations_are_those_of_the_file_and_steps_that_failed_are_crossed(self):
        r = self.result(iterations=[5, 0, 9, 2], status=[0, 0, 1, 0])
        axes = plots.draw(r, "iterations").axes[0]
        self.assertEqual(curve(axes, "out, 16 in all").get_xydata().tolist(), [[11, 5], [12, 0], [13, 9], [14, 2]])
        self.assertEqual(curve(axes, "out not converged: 1 of 4 steps").get_xydata().tolist(), [[13, 9]])
        over_time = plots.draw(r, "iterations", over="time").axes[0]
        np.testing.assert_allclose(curve(over_time, "out, ").get_xdata(), [0.11, 0.12, 0.13, 0.14])

    def test_constraints(self):
        columns = {"contacts": [4, 5, 6, 7], "active": [3, 4, 5, 6], "sticking": [2, 3, 1, 0], "sliding": [1, 1, 4, 6]}
        axes = plots.draw(self.result(**columns), "constraints").axes[0]
        for name, values in columns.items():
            self.assertEqual(curve(axes, name).get_ydata().tolist(), values)

    def test_the_total_energy_is_the_sum_of_all_three(self):
        r = self.result(kinetic_energy=[1.0, 2, 3, 4], elastic_energy=[10.0, 20, 30, 40], potential_energy=[-100.0, 0, 100, 200])
        axes = plots.draw(r, "energy").axes[0]
        self.assertEqual(curve(axes, "total").get_ydata().tolist(), [-89, 22, 133, 244])
        self.assertEqual(curve(axes, "potential").get_ydata().tolist(), [-100, 0, 100, 200])
        self.assertEqual(axes.get_ylabel(), "energy [J]")

    def test_the_ledger_is_summed_below_and_its_change_is_that_of_the_total(self):
        ledger = {"work_prescribed": [5.0, 6, 7, 8], "work_loads": [2.0, 0, -1, 0], "work_correction": [0.5, -1, 0, 0], "dissipation_friction": [1.0, 1, 2, 2],
                  "dissipation_damping": [0.25, 0, 0, 0], "dissipation_scheme": [0.0, 3, 0, 1]}
        change = [6.25, 1, 4, 5]  # of every step
        r = self.result(kinetic_energy=10 + np.cumsum(change), **ledger)
        above, axes = plots.draw(r, "energy").axes
        for label, name in (("work of prescribed motion", "work_prescribed"), ("work of loads", "work_loads"), ("work of corrections", "work_correction"),
                            ("lost to friction", "dissipation_friction"), ("lost to damping", "dissipation_damping"),
                            ("lost to the scheme", "dissipation_scheme")):
            self.assertEqual(curve(axes, label).get_ydata().tolist(), np.cumsum(ledger[name]).tolist())
        self.assertEqual(curve(axes, "change of the total").get_ydata().tolist(), np.cumsum(change).tolist())
        self.assertEqual(np.diff(curve(above, "total").get_ydata()).tolist(), change[1:])
        colors = [line.get_color() for line in axes.get_lines()]
        self.assertEqual(len(set(colors)), len(colors))
        # Rows of an older version: nothing is known of them, and the sums begin after them.
        older = {name: [np.nan, np.nan, *values[2:]] for name, values in ledger.items()}
        axes = plots.draw(self.result(name="resumed.h5", **older), "energy").axes[1]
        np.testing.assert_array_equal(curve(axes, "lost to friction").get_ydata(), [np.nan, np.nan, 2, 4])

    def test_momentum_and_angular_momentum_by_component(self):
        values = np.arange(12.0).reshape(4, 3)
        first, second = plots.draw(self.result(momentum=values, angular_momentum=-values), "momentum").axes
        self.assertEqual(curve(first, "y").get_ydata().tolist(), [1, 4, 7, 10])
        self.assertEqual(curve(second, "z").get_ydata().tolist(), [-2, -5, -8, -11])
        self.assertEqual((first.get_ylabel(), second.get_ylabel()), ("momentum [kg m/s]", "angular momentum [kg m^2/s]"))

    def test_steps_that_were_not_accepted_have_no_energy_and_no_momentum(self):
        values = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9], [0, 0, 0]])
        r = self.result(kinetic_energy=[1.0, 2, 3, 0], potential_energy=[4.0, 4, 4, 0], momentum=values, accepted=[1, 1, 1, 0])
        for kind, name, expected in (("energy", "total", [[11, 5], [12, 6], [13, 7]]), ("momentum", "y", [[11, 2], [12, 5], [13, 8]])):
            figure = plots.draw(r, kind, over="step")
            self.assertEqual(curve(figure.axes[0], name).get_xydata().tolist(), expected)
            self.assertIn("1 step(s) that were not accepted hold no state and are left out.", below(figure))
        self.assertNotIn("left out", below(plots.draw(self.result(name="whole.h5"), "energy")))
        for kind in ("energy", "momentum"):
            plots.draw(self.result(name=f"none-{kind}.h5", accepted=[0, 0, 0, 0]), kind).savefig(io.BytesIO())

    def test_volumes_and_tetrahedra_turned_inside_out(self):
        r = self.result(min_volume_ratio=[1.0, 0.5, -0.25, 0.0], inverted=[0, 0, 7, 0], extrapolated=[0, 3, 9, 0], accepted=[1, 1, 1, 0])
        figure = plots.draw(r, "volumes", over="step")
        ratios, counts = figure.axes
        self.assertEqual(curve(ratios, "out").get_xydata().tolist(), [[11, 1], [12, 0.5], [13, -0.25]])
        self.assertEqual(curve(counts, "out, inverted").get_ydata().tolist(), [0, 0, 7])
        self.assertEqual(curve(counts, "out, extrapolated").get_ydata().tolist(), [0, 3, 9])
        self.assertIn("1 step(s) that were not accepted", below(figure))
        none = plots.draw(self.result(name="none.h5", min_volume_ratio=np.ones(4), inverted=np.zeros(4, int), extrapolated=np.zeros(4, int)), "volumes")
        self.assertEqual(none.axes[1].get_ylim(), (0, 1))

    def test_volumes_of_files_that_have_none(self):
        columns = small.step_columns(4)
        for name in ("min_volume_ratio", "inverted", "extrapolated"):
            del columns[name]
        older = sr.open(small.write(self.path("older.h5"), columns, parts=()))
        self.addCleanup(older.close)
        rigid = self.result(name="rigid.h5", min_volume_ratio=np.full(4, np.nan))
        figure = plots.draw([older, rigid], "volumes")
        self.assertIn("older: its version of simrun did not record volumes.", below(figure))
        self.assertIn("rigid: no tetrahedra that deform.", below(figure))
        figure.savefig(io.BytesIO())

    def test_residuals_by_step_and_of_the_traced_step_with_the_most_iterations(self):
        figure = plots.draw(self.result(residual=[1e-3, 0.0, np.inf, 1e-5]), "residuals")
        steps, iterations = figure.axes
        np.testing.assert_array_equal(curve(steps, "out").get_ydata(), [1e-3, np.nan, np.nan, 1e-5])
        self.assertIn("the residual of 1 step(s) is zero", below(figure))
        self.assertIn("the residual of 1 step(s) is not a finite number", below(figure))
        self.assertEqual(iterations.get_title(), "step 13: 3 iterations with contacts, the most of all that were traced")
        self.assertEqual(curve(iterations, "residual").get_xydata().tolist(), [[1, 0.25], [2, 0.125], [3, 0.0625]])
        self.assertEqual(curve(iterations, "constraint residual").get_ydata().tolist(), [2, 3, 4])
        self.assertEqual(curve(iterations, sr.MARKS[1]).get_xdata().tolist(), [1])
        self.assertEqual(curve(iterations, sr.MARKS[3]).get_xdata().tolist(), [2])
        self.assertEqual(curve(iterations, sr.MARKS[2]).get_xydata().tolist(), [[3, 0.0625]])

    def test_residuals_of_the_step_that_is_asked_for(self):
        r = self.result(residual=np.ones(4))
        self.assertEqual(plots.draw(r, "residuals", step=11).axes[1].get_title(), "step 11: 2 iterations with contacts")
        self.assertRaisesRegex(sr.MissingError, "/trace has no step 10; it has 11 to 14", lambda: plots.draw(r, "residuals", step=10))
        bare = self.result(name="bare.h5", parts=(), residual=np.ones(4))
        self.assertEqual(len(plots.draw(bare, "residuals").axes), 1)
        self.assertRaisesRegex(sr.MissingError, "has no /trace: run it with --trace", lambda: plots.draw(bare, "residuals", step=11))


class Forces(Folder):
    def test_components_length_and_sums_of_the_contacts_between_two_objects(self):
        r = self.result(parts=(small.contacts,))
        for objects in (("tet", "flo\u00f6r"), ["tet"], "tet", ("t*", "flo*")):
            figure = plots.draw(r, "force", objects=objects)
            above, below_it = figure.axes
            for label, values in (("x", [0.5, 0]), ("y", [-0.25, 0]), ("z", [5, 0]), ("length", [np.sqrt(25.3125), 0])):
                np.testing.assert_allclose(curve(above, label).get_xydata(), np.column_stack([[0.12, 0.14], values]))
            np.testing.assert_allclose(curve(below_it, "normal").get_ydata(), [5, 0])
            np.testing.assert_allclose(curve(below_it, "friction").get_ydata(), [0.75, 0])
        figure = plots.draw(r, "force", objects=("flo\u00f6r", "tet"), over="step")
        self.assertEqual(curve(figure.axes[0], "z").get_xydata().tolist(), [[12, -5], [14, 0]])
        self.assertEqual(figure._suptitle.get_text(), "Force on flo\u00f6r of tet, at each frame")

    def test_several_files_have_a_panel_for_each_line(self):
        both = [self.result(name=name, parts=(small.contacts,)) for name in ("one.h5", "two.h5")]
        figure = plots.draw(both, "force", objects=["tet"])
        self.assertEqual([axes.get_ylabel() for axes in figure.axes],
                         ["x [N]", "y [N]", "z [N]", "length [N]", "normal forces [N]", "friction forces [N]"])
        for axes, first in zip(figure.axes, (0.5, -0.25, 5, np.sqrt(25.3125), 5, 0.75)):
            for name in ("one", "two"):
                np.testing.assert_allclose(curve(axes, name).get_ydata(), [first, 0])

    def test_a_name_stands_for_its_copies(self):
        def rename(file):
            small.contacts(file)
            file["model/objects/name"][:] = ["heap.2", "heaps"]
        r = self.result(parts=(rename,))
        self.assertEqual([found.name for found in plots.forces.objects_of(r, "heap")], ["heap.2"])
        self.assertEqual(curve(plots.draw(r, "force", objects=("heap", "heaps")).axes[0], "z").get_ydata().tolist(), [5, 0])

    def test_what_cannot_be_drawn(self):
        r, bare = self.result(parts=(small.contacts,)), self.result(name="bare.h5", parts=())
        for result, objects, error, text in ((r, ("tet", "tet"), sr.ArgumentError, "the force of \"tet\" on itself"),
                                             (r, ("tot",), sr.MissingError, "there is no object \"tot\""),
                                             (bare, ("tet",), sr.MissingError, "run it with --set output.contacts=true"),
                                             (r, (), ValueError, "0 are named")):
            self.assertRaisesRegex(error, text, lambda: plots.draw(result, "force", objects=objects))


class Timings(Folder):
    STAGES = {"t_integrate": 1.0, "t_detect": 2.0, "t_solve": 4.0, "t_relinearize": 8.0, "t_output": 16.0}

    def timed(self, count, **more):
        columns = {name: np.full(count, 1e-3 * value) for name, value in self.STAGES.items()}
        return self.result(count, parts=(), **(columns | {"t_total": np.full(count, 41e-3)} | more))

    def test_the_rest_is_what_the_whole_step_has_beyond_the_stages(self):
        steps, totals = plots.draw(self.timed(4), "timings").axes
        names = ["integration", "detection", "contact solver", "re-linearisation", "writing", "rest"]
        self.assertEqual([bars.get_label() for bars in steps.containers], names)
        for bars, height, bottom in zip(steps.containers, [1, 2, 4, 8, 16, 10], [0, 1, 3, 7, 15, 31]):
            for bar in bars:
                np.testing.assert_allclose((bar.get_height(), bar.get_y()), (height, bottom), atol=1e-12)
        np.testing.assert_allclose([bars[0].get_width() for bars in totals.containers], np.array([1, 2, 4, 8, 16, 10]) * 4e-3)
        self.assertEqual({text.get_text() for text in totals.texts},  # those with room for it
                         {"0.016 s\n10%", "0.032 s\n20%", "0.064 s\n39%", "0.04 s\n24%"})

    def test_of_many_steps_the_mean_of_each_group_is_stacked(self):
        solve = np.arange(1000.0)
        whole = solve + 27 + 10
        figure = plots.draw(self.timed(1000, t_solve=1e-3 * solve, t_total=1e-3 * whole), "timings")
        self.assertIn("Up to 4 steps make one point, at their mean.", below(figure))
        top = figure.axes[0].collections[-1].get_paths()[0].vertices[:, 1].max()
        np.testing.assert_allclose(top, np.mean([996, 997, 998, 999]) + 37)

    def test_means_of_groups_of_which_the_last_is_smaller(self):
        self.assertEqual(stages.means(np.array([1.0, 3, 5, 7, 20]), 2).tolist(), [2, 6, 20])

    def test_what_goes_beyond_the_axis_is_told(self):
        whole = np.full(200, 41e-3)
        whole[150] = 41.0
        figure = plots.draw(self.timed(200, t_total=whole), "timings")
        self.assertIn("out: 1 point(s) beyond this axis, up to 4.1e+04 ms a step.", below(figure))
        np.testing.assert_allclose(figure.axes[0].get_ylim(), (0, 82))


class Sizes(Folder):
    def test_a_single_step_is_a_point_in_every_plot(self):
        r = self.result(1, iterations=[3], residual=[1e-3], parts=())
        for kind in plots.KINDS:
            figure = plots.draw(r, kind)
            figure.draw_without_rendering()
            for axes in figure.axes if kind != "timings" else ():
                for line in axes.get_lines():
                    self.assertNotIn(line.get_marker(), (None, "None", ""), kind)

    def test_of_100000_steps_the_median_and_the_whole_range_are_drawn(self):
        count = 100000
        iterations = np.arange(count) % 100
        iterations[54321] = 7777
        r = self.result(count, iterations=iterations, parts=())
        figure = plots.draw(r, "iterations")
        drawn = figure.axes[0].get_lines()[0]
        self.assertEqual(len(drawn.get_ydata()), 1000)
        self.assertEqual(set(drawn.get_ydata()), {49.5, 50.5})  # of 0 to 99; of one group with 7777 in place of 21
        self.assertEqual(drawn.get_xdata()[0], 11 + 49.5)
        band = figure.axes[0].collections[0].get_paths()[0].vertices[:, 1]
        self.assertEqual((band.min(), band.max()), (0, 7777))
        self.assertIn("Up to 100 steps make one point: line at the median, band from the smallest to the largest.", below(figure))
        for kind in plots.KINDS:
            plots.draw(r, kind).draw_without_rendering()

    def test_groups_of_steps(self):
        x, middle, low, high, size = lines.reduced(np.arange(7.0), np.array([1.0, 5, 3, np.nan, 2, 4, 6]), 3)
        self.assertEqual((size, x.tolist(), middle.tolist()), (3, [1, 4, 6], [3, 3, 6]))
        self.assertEqual((low.tolist(), high.tolist()), ([1, 2, 6], [5, 4, 6]))
        _, middle, _, _, _ = lines.reduced(np.arange(4.0), np.array([np.nan, np.nan, 1, 3]), 2)
        np.testing.assert_array_equal(middle, [np.nan, 2])

    def test_a_value_between_gaps_is_a_point(self):
        found = lines.alone(np.array([np.nan, 1, np.nan, 2, 3, np.nan, 4]))
        self.assertEqual(found.tolist(), [False, True, False, False, False, False, True])
        values = np.full(100, np.nan)
        values[50], values[60:] = 1.0, 2.0
        r = self.result(100, residual=values, parts=())
        drawn = plots.draw(r, "residuals").axes[0].get_lines()[0]
        self.assertEqual((drawn.get_marker(), drawn.get_markevery()), (".", [50]))

    def test_a_run_without_steps_cannot_be_drawn(self):
        r = self.result(0, parts=())
        for kind in plots.KINDS:
            self.assertRaisesRegex(sr.ResultError, "out.h5: has no time steps yet", lambda: plots.draw(r, kind))


class Layers(Folder):
    def test_of_acm_layers_are_drawn_and_no_solver(self):
        scene = os.path.join(SCENES, "reef-knot-small.json")
        subprocess.run([SIMRUN, scene, "-o", self.path("knot.h5"), "--duration", "0.3", "--quiet", "--set", "acm.stiffness=1"], check=True)
        other = self.result()
        with sr.open(self.path("knot.h5")) as r, h5py.File(self.path("knot.h5")) as file:
            self.assertEqual(plots.kinds_of([r]), ["layers", "constraints", "timings", "energy", "momentum", "volumes"])
            self.assertEqual(plots.kinds_of([r, other]), list(plots.KINDS))
            self.assertNotIn("layers", plots.kinds_of([other]))
            kicks, depths, clocks = plots.draw(r, "layers").axes
            kinds = set(file["events"]) & {"kicks_" + kind for kind in ("tet", "spring", "membrane", "hinge", "bend")}
            expected = {"knot, of elements": sum(file["events"][name][:] for name in kinds),
                        "knot, of gravity": file["events/kicks_steady"][:]}
            for label, values in expected.items():
                np.testing.assert_array_equal(curve(kicks, label).get_ydata(), np.where(values > 0, values, np.nan))
            np.testing.assert_array_equal(curve(depths, "knot").get_ydata(), file["events/deepest"][:])
            np.testing.assert_array_equal(curve(clocks, "knot").get_ydata(), file["events/smallest_h"][:])
            np.testing.assert_allclose(curve(clocks, "knot").get_xdata(), file["steps/time"][:])
            self.assertIn("out: cr-full has no layers and no clocks.", below(plots.draw([r, other], "layers")))


class Several(Folder):
    def test_each_file_is_in_each_panel_under_a_name_of_its_own(self):
        os.makedirs(self.path("a"))
        os.makedirs(self.path("b"))
        both = [self.result(name=name, kinetic_energy=np.full(4, value), elastic_energy=np.zeros(4))
                for name, value in (("a/x.h5", 1.0), ("b/x.h5", 2.0))]
        self.assertEqual(lines.names(both), ["a/x", "b/x"])
        for kind, panels in (("iterations", 1), ("constraints", 4), ("energy", 4), ("momentum", 6)):
            figure = plots.draw(both, kind)
            self.assertEqual(len(figure.axes), panels)
            for axes in figure.axes:
                self.assertEqual([line.get_label().split(",")[0] for line in axes.get_lines()], ["a/x", "b/x"])
        kinetic = plots.draw(both, "energy").axes[0]
        self.assertEqual([set(line.get_ydata()) for line in kinetic.get_lines()], [{1.0}, {2.0}])
        self.assertEqual(len(plots.draw(both, "timings").axes), 3)
        self.assertEqual([axes.get_title()[:11] for axes in plots.draw(both, "residuals").axes], ["", "a/x, step 1", "b/x, step 1"])

    def test_the_picture_says_what_was_run_and_how_it_ended(self):
        told = below(plots.draw(self.result(), "energy"))
        self.assertEqual(told, "out: by hand, cr-full, 3 thread(s), simrun 0.0 (hand), 4 step(s), stopped (told to)")

    def test_the_same_file_twice_has_one_name(self):
        r = self.result()
        self.assertEqual(lines.names([r, r]), ["out", "out"])

    def test_an_unknown_kind(self):
        with self.assertRaisesRegex(ValueError, "no kind energies; expected one of iterations, residuals"):
            plots.draw(self.result(), "energies")


class CommandLine(Folder):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def plot(self, *words, expected=0):
        """The program in this process: what it wrote, or what it complained of."""
        said, complained = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["plot.py", *words]), redirect_stdout(said), redirect_stderr(complained):
            try:
                status = command_line.run(plot.main)
            except SystemExit as error:
                status = error.code
        self.assertEqual(status, expected, complained.getvalue())
        return complained.getvalue() if expected else said.getvalue().split()

    def begins(self, name, magic):
        with open(self.path(name), "rb") as file:
            self.assertEqual(file.read(len(magic)), magic)

    def test_all_kinds_of_a_run_of_simrun(self):
        scene = os.path.join(SCENES, "bouncing-rings.json")
        subprocess.run([SIMRUN, scene, "-o", self.path("run.h5"), "--duration", "0.1", "--trace", "--quiet"], check=True)
        done = subprocess.run([os.path.join(SCRIPTS, "plot.py"), "run.h5"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        written = done.stdout.split()
        self.assertEqual(written, [f"run-{kind}.png" for kind in plots.KINDS if kind != "layers"])
        for name in written:
            self.begins(name, b"\x89PNG")
            self.assertGreater(np.ptp(matplotlib.image.imread(self.path(name))), 0)

    def test_where_pictures_go(self):
        small.write(self.path("out.h5"))
        self.assertEqual(self.plot("out.h5", "--kind", "energy,momentum", "-o", "to/there", "--format", "svg"),
                         ["to/there/energy.svg", "to/there/momentum.svg"])
        self.begins("to/there/energy.svg", b"<?xml")
        self.assertEqual(self.plot("out.h5", "--kind", "energy", "-o", "new/e.pdf"), ["new/e.pdf"])
        self.assertEqual(self.plot("out.h5", "-o", "all.pdf"), ["all.pdf"])
        self.begins("all.pdf", b"%PDF")
        with open(self.path("all.pdf"), "rb") as file:
            self.assertEqual(len(re.findall(rb"/Type /Page\b", file.read())), 7)

    def test_usage(self):
        os.symlink(small.write(self.path("out.h5")), self.path("link.png"))
        for words, text in ((["--kind", "energies"], "--kind energies: there is no such kind; expected some of iterations"),
                            (["-o", "all.png"], "-o all.png: a .png holds one picture, and all kinds are asked for"),
                            (["--kind", "energy", "-o", "e.svg", "--format", "png"], "--format png: the output e.svg ends differently"),
                            (["--kind", "force"], "--kind force: say of which object"),
                            (["--objects", "tet"], "--objects tet: only the force is drawn of objects"),
                            (["--kind", "force", "--objects", "a,b,c"], "--objects a,b,c: expected one name, or two"),
                            (["--kind", "energy,force", "--objects", "tot"], "out.h5: there is no object \"tot\"; there are tet"),
                            (["--kind", "energy", "--step", "12"], "--step: only residuals"), (["--dpi", "0"], "--dpi: 0: expected a number above 0"),
                            (["--format", "jpg"], "invalid choice"),
                            (["-o", "energy.jpg"], "-o energy.jpg: pictures end in .png, .svg or .pdf"),
                            (["--kind", "energy", "-o", "link.png"], "link.png: is the file out.h5 that is read")):
            said = self.plot("out.h5", *words, expected=1)
            self.assertTrue(said.startswith("plot.py: ") and text in said and said.count("\n") == 1, said)
        self.assertEqual(sorted(os.listdir(self.folder)), ["link.png", "out.h5"])

    def test_the_force_is_drawn_where_it_is_asked_for(self):
        small.write(self.path("out.h5"))
        self.assertEqual(self.plot("out.h5", "--kind", "force", "--objects", "tet, flo\u00f6r"), ["out-force.png"])
        self.begins("out-force.png", b"\x89PNG")

    def test_files_that_cannot_be_drawn(self):
        small.write(self.path("out.h5"), parts=())
        small.write(self.path("empty.h5"), small.step_columns(0), parts=())
        for words, status, text in ((["nothing.h5"], 3, "nothing.h5: there is no such file"),
                                    (["empty.h5"], 1, "empty.h5: has no time steps yet"),
                                    (["out.h5", "--kind", "residuals", "--step", "12"], 1, "out.h5: has no /trace: run it with --trace"),
                                    (["out.h5", "--step", "12"], 1, "out.h5: has no /trace: run it with --trace"),
                                    (["out.h5", "-o", "out.h5/pictures"], 3, "out.h5/pictures: cannot be written: Not a directory")):
            said = self.plot(*words, expected=status)
            self.assertTrue(said.startswith("plot.py: ") and text in said and said.count("\n") == 1, said)
        self.assertEqual(sorted(os.listdir(self.folder)), ["empty.h5", "out.h5"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
