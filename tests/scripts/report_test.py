"""Tests of scripts/report.py: what the page tells is what the result files hold. usage: report_test.py <scripts folder> <simrun> <folder>

Shares no code with the script; the geometry is unpacked anew from the description in scripts/report/geometry.py. The tests in a
browser need chromium, those of the player node and npm; where they are missing, they are skipped and say so. Exit status 77: no h5py.
"""
import base64
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

import chromium
import in_process
from report_page import Page, decoded, stated, unpacked

SCRIPTS, SIMRUN, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
SCENE = os.path.join(os.path.dirname(SCRIPTS), "scenes", "bouncing-rings.json")
CACHE = os.path.join(FOLDER, "player")
sys.path.insert(0, SCRIPTS)
NASTY = '</script><b>"R&D" <!-- \'ring\' $title'
NO_NETWORK = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH")


def inside(name):
    return os.path.join(FOLDER, name)


def simulate(name, *options):
    path = inside(name)
    subprocess.run([SIMRUN, SCENE, "--quiet", "--set", "output.every=20", "-o", path, *options], check=True, capture_output=True)
    return path


def changed(name, change, source="rings.h5"):
    """A copy of a result that `change` has had its way with."""
    shutil.copy(inside(source), inside(name))
    with h5py.File(inside(name), "r+") as file:
        change(file)
    return inside(name)


def shorten(file, frames, steps):
    for name in file["frames"]:
        rows = file["frames"][name][:frames]
        del file["frames"][name]
        file["frames"][name] = rows
    for name in file["steps"]:
        old = file["steps"][name]
        rows, notes = old[:steps], dict(old.attrs)
        del file["steps"][name]
        file["steps"].create_dataset(name, data=rows).attrs.update(notes)


def run_script(arguments, page, environment=None):
    """In an interpreter of its own where it has an environment of its own."""
    words = ["--cache", CACHE, "-o", inside(page), *arguments]
    if environment is None:
        return in_process.run(SCRIPTS, "report.py", *words)
    return subprocess.run([sys.executable, os.path.join(SCRIPTS, "report.py"), *words], capture_output=True, text=True, env=environment)


@functools.cache
def report(*arguments, plots=False):
    """The page that the script writes of these arguments."""
    made = f"page{report.cache_info().misses}.html"
    done = run_script(arguments if plots else [*arguments, "--no-plots"], made)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return Page(inside(made))


def complaint(*arguments, page="none.html", status=1):
    """What the script says where it cannot write a page: one line."""
    done = run_script(arguments, page)
    assert done.returncode == status and done.stderr.count("\n") == 1, (done.returncode, done.stdout, done.stderr)
    return done.stderr


def setUpModule():
    os.makedirs(FOLDER, exist_ok=True)
    simulate("rings.h5", "--duration", "0.4")
    simulate("diag.h5", "--duration", "0.4", "--solver", "cr-diag")
    simulate("touching.h5", "--duration", "0.4", "--set", "output.contacts=true")


def need_player():
    """Built once for all tests."""
    if not shutil.which("node") or not shutil.which("npm"):
        raise unittest.SkipTest("node or npm is not installed: nothing of the player is tested")
    done = run_script([inside("rings.h5"), "--no-plots"], "first.html")
    if done.returncode and any(word in done.stderr for word in NO_NETWORK):
        raise unittest.SkipTest("the npm registry cannot be reached: nothing of the player is tested")


class Numbers(unittest.TestCase):
    def test_every_number_is_that_of_the_files(self):
        page = report(inside("rings.h5"), inside("diag.h5"), "--no-player")
        self.assertIn("This page was made without the player.", page.text)
        for k, name in enumerate(("rings.h5", "diag.h5")):
            with h5py.File(inside(name)) as file:
                steps, attributes = {key: column[:] for key, column in file["steps"].items()}, dict(file.attrs)
                shapes = {key: len(file["model"][key]) for key in ("rest_positions", "tets", "triangles")}
                frames = len(file["frames/time"])
            for label, column in (("Iterations a step", "iterations"), ("Contacts a step", "contacts"), ("Sliding a step", "sliding"),
                                  ("Active contacts a step", "active"), ("Re-linearisations a step", "relinearizations")):
                told = page.numbers(label)[k]
                self.assertEqual(told, {"mean": np.mean(steps[column]), "median": np.median(steps[column]), "max": steps[column].max()})
            for label, column in (("contact solver", "t_solve"), ("contact detection", "t_detect"), ("whole step", "t_total"),
                                  ("integration", "t_integrate"), ("re-linearisation", "t_relinearize"), ("output", "t_output")):
                told = page.numbers("Time a step: " + label)[k]
                self.assertAlmostEqual(told["mean"], 1e3 * np.mean(steps[column]), delta=1e-12)
                self.assertAlmostEqual(told["median"], 1e3 * np.median(steps[column]), delta=1e-12)
            self.assertEqual(page.numbers("Steps")[k], 400)
            self.assertEqual(page.numbers("Simulated time")[k], steps["time"][-1])
            self.assertEqual(page.numbers("Frames in the file")[k], frames)
            self.assertEqual(page.numbers("Vertices")[k], shapes["rest_positions"])
            self.assertEqual(page.numbers("Tetrahedra")[k], shapes["tets"])
            self.assertEqual(page.numbers("Surface triangles")[k], shapes["triangles"])
            self.assertEqual(page.numbers("Unknowns")[k], 2 * 72 * 3)  # two rings of 72 vertices
            self.assertEqual(page.numbers("Failures")[k], 0)
            self.assertEqual(page.numbers("Smallest gap")[k], min(gap for gap, n in zip(steps["min_gap"], steps["contacts"]) if n))
            self.assertEqual(page.numbers("Smallest volume")[k], steps["min_volume_ratio"].min())
            self.assertEqual(page.numbers("Steps with tetrahedra turned inside out")[k], 0)
            for label, column in (("Work of prescribed motion", "work_prescribed"), ("Work of loads", "work_loads"), ("Work of corrections", "work_correction"),
                                  ("Energy lost to friction", "dissipation_friction"), ("Energy lost to damping", "dissipation_damping"),
                                  ("Energy lost to the scheme", "dissipation_scheme")):
                self.assertAlmostEqual(page.numbers(label)[k], steps[column].sum(), delta=1e-12)
            energy = steps["kinetic_energy"] + steps["elastic_energy"] + steps["potential_energy"] - np.cumsum(steps["work_prescribed"])
            growth = max(0, max(b - a for n, a in enumerate(energy) for b in energy[n:]))  # after the first step
            self.assertAlmostEqual(page.numbers("Energy that nothing gave")[k], growth, delta=1e-9)
            self.assertEqual(page.numbers("Largest residual")[k], steps["residual"].max())
            self.assertEqual(page.numbers("Largest constraint error")[k], steps["constraint_error"].max())
            self.assertAlmostEqual(page.numbers("Time of all steps")[k], steps["t_total"].sum(), delta=1e-12)
            self.assertEqual(page.rows["Solver"][k], attributes["solver"])
            self.assertEqual(page.rows["Version"][k], attributes["program_version"])
            self.assertEqual(page.rows["Status"][k], "done")
            self.assertIn(attributes["command_line"], page.text)

    def test_failed_and_divided_steps_and_the_reason_of_a_stop_are_told(self):
        def spoil(file):
            file.attrs["status"], file.attrs["reason"] = "stopped", "step 400: iteration limit: <no> convergence"
            file["steps/status"][7], file["steps/status"][399] = 3, 1
            file["steps/accepted"][399] = 0
            file["steps/substeps"][100:104] = 2
            file["steps/min_gap"][200] = -1e-4
            file["steps/residual"][300] = np.nan
            file["steps/min_volume_ratio"][50], file["steps/min_volume_ratio"][399] = -0.5, np.nan
            file["steps/inverted"][50:53], file["steps/inverted"][51] = 2, 12
        page = report(changed("stopped.h5", spoil), "--no-player")
        self.assertIn("auto: stopped (step 400: iteration limit: <no> convergence)", page.text)
        self.assertIn("2: 1 iteration limit, 1 collision", page.text)
        self.assertIn("399, to step 399; 1 not accepted", page.text)
        self.assertEqual(page.numbers("Divided steps"), [4])
        self.assertIn("-0.0001 m in step 201", page.text)
        self.assertIn("-0.5 in step 51", page.text)
        self.assertIn("3, up to 12 tetrahedra", page.text)
        self.assertEqual(page.numbers("Steps with extrapolated tetrahedra"), [0])
        self.assertEqual(page.rows["Largest residual"], ["nan"])
        self.assertIn("nan kg m/s in step 301", page.text)

    def test_names_cannot_break_the_page(self):
        def rename(file):
            names = file["model/objects/name"]
            names[0] = NASTY
            scene = json.loads(file.attrs["scene"])
            scene["name"] = NASTY
            file.attrs["scene"], file.attrs["command_line"], file.attrs["reason"] = json.dumps(scene), NASTY, NASTY
            del file.attrs["scene_digest"]  # that of the old text
        page = report(changed("a<b>&'c.h5", rename), "--no-player")
        self.assertEqual([tag for tag, _ in page.elements if tag == "b"], [])
        self.assertEqual(page.rows["Scene"], [NASTY])
        self.assertEqual(page.rows["File"], ["a<b>&'c.h5"])
        self.assertEqual(page.text.count(NASTY), 5)  # two titles, reason, scene, command line

    def test_the_plots_are_pictures_in_the_page(self):
        try:
            import matplotlib
        except ImportError as error:
            raise unittest.SkipTest("matplotlib is not installed: no plots are tested") from error
        self.assertTrue(matplotlib)
        page = report(inside("rings.h5"), inside("diag.h5"), "--no-player", plots=True)
        pictures = {a["alt"]: a["src"] for tag, a in page.elements if tag == "img"}
        self.assertEqual(list(pictures), ["iterations", "residuals", "constraints", "timings", "energy", "momentum", "volumes"])
        for source in pictures.values():
            kind, data = source.split(";base64,")
            start = {"data:image/svg+xml": b"<?xml", "data:image/png": b"\x89PNG"}[kind]
            self.assertTrue(base64.b64decode(data).startswith(start))

    def test_files_of_one_name_are_told_apart_by_their_folders(self):
        for folder in ("left", "right"):
            os.makedirs(inside(folder), exist_ok=True)
        page = report(changed("left/out.h5", lambda file: None), changed("right/out.h5", lambda file: None), "--no-player")
        self.assertIn("left/out.h5, auto: done right/out.h5, auto: done", page.text)

    def test_a_run_that_goes_on_is_shown_as_far_as_it_is(self):
        def cut(file):
            file.attrs["status"] = "running"
            shorten(file, 3, 60)
        page = report(changed("running.h5", cut), "--no-player")
        self.assertIn("auto: running (when this page was made, or killed before)", page.text)
        self.assertEqual(page.numbers("Steps") + page.numbers("Frames in the file"), [60, 3])

    def test_a_run_without_a_step_or_a_frame_has_a_page(self):
        page = report(changed("empty.h5", lambda file: shorten(file, 0, 0)), "--no-player", plots=True)
        self.assertIn("There are no plots: no time step has been written yet.", page.text)
        self.assertEqual(page.rows["Iterations a step"], ["-"])

    def test_without_matplotlib_the_page_says_what_to_install(self):
        os.makedirs(inside("no-matplotlib/matplotlib"), exist_ok=True)
        with open(inside("no-matplotlib/matplotlib/__init__.py"), "w") as file:
            file.write("raise ImportError('there is no matplotlib')\n")
        run_script([inside("rings.h5"), "--no-player"], "plain.html", {**os.environ, "PYTHONPATH": inside("no-matplotlib")})
        text = Page(inside("plain.html")).text
        self.assertIn("There are no plots: there is no matplotlib. On Debian: apt-get install python3-matplotlib", text)

    def test_what_cannot_be_read_or_written_is_named_in_one_line(self):
        with open(inside("not.h5"), "w") as file:
            file.write("no")
        for arguments, word in ((["missing.h5"], "missing.h5"), ([inside("not.h5")], "not.h5")):
            self.assertIn(word, complaint(*arguments, "--no-player", status=3))
        self.assertIn("no/page.html", complaint(inside("rings.h5"), "--no-player", page="no/page.html", status=3))
        for page in ("rings.h5", "notes.txt", "none"):
            self.assertIn("expected a name ending in .html", complaint(inside("rings.h5"), "--no-player", page=page))
        os.link(inside("rings.h5"), inside("linked.html"))
        self.assertIn("linked.html: is the file", complaint(inside("rings.h5"), "--no-player", page="linked.html"))
        os.remove(inside("linked.html"))
        self.assertIn("expected a number above 0", complaint(inside("rings.h5"), "--frames", "0"))

    def test_without_node_it_says_what_to_install(self):
        os.makedirs(inside("no-node"), exist_ok=True)
        done = run_script([inside("rings.h5"), "--no-plots", "--cache", inside("no-player")], "none.html", {**os.environ, "PATH": inside("no-node")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get install nodejs npm", done.stderr)
        self.assertFalse(os.path.exists(inside("none.html")))


class Player(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        need_player()

    def matches(self, page, path, run=0, frames=None):
        """Corners of every triangle, in every frame shown, against the file's; returns the frames."""
        about = page.runs()[run]
        positions, corners = decoded(page, about)
        off = dict(zip((True, False), stated(page, run)))
        with h5py.File(path) as file:
            triangles, model = file["model/triangles"][:], file["model/objects"]
            for shown, number in enumerate(about["number"]):
                self.assertEqual(about["time"][shown], file["frames/time"][number])
                self.assertEqual(about["step"][shown], file["frames/step"][number])
                true = file["frames/positions"][number]
                for thing in about["objects"]:
                    row, (begin, end) = thing["row"], thing["triangles"]
                    name, kind = model["name"].asstr()[row], model["type"].asstr()[row]
                    self.assertEqual((thing["name"], thing["type"]), (name, kind))
                    wanted = true[triangles[model["triangle_begin"][row]:model["triangle_end"][row]]]
                    error = np.abs(positions[shown][corners[begin:end]] - wanted).max()
                    self.assertLessEqual(error, thing["grid"] / 2 * (1 + 1e-6))
                    self.assertLessEqual(error, off[kind != "fixed"] * 1.05)  # two digits are told
            self.assertEqual(sum(len(range(*thing["triangles"])) for thing in about["objects"]), len(triangles))
        return about["number"]

    def test_positions_are_those_of_the_file_within_what_is_stated(self):
        page = report(inside("rings.h5"), inside("diag.h5"))
        for run, name in enumerate(("rings.h5", "diag.h5")):
            self.assertEqual(self.matches(page, inside(name), run), list(range(21)))
        self.assertIn("All frames of the file are shown.", page.text)
        self.assertLess(stated(page)[0], 1e-5)

    def test_speeds_are_those_of_the_file(self):
        page = report(inside("rings.h5"))
        run = page.runs()[0]
        speeds = unpacked(page.scripts[run["parts"]["speeds"]], 1, 21, run["counts"]["moving"])
        with h5py.File(inside("rings.h5")) as file:
            true = np.linalg.norm(file["frames/velocities"][:, :144], axis=2)  # vertices of the rings, all on the surface
        self.assertLessEqual(np.abs(speeds * run["speed_grid"] - true).max(), run["speed_grid"] / 2 * (1 + 1e-9))
        self.assertAlmostEqual(255 * run["speed_grid"], true.max(), delta=1e-12)

    def test_thinned_frames_are_told(self):
        page = report(inside("rings.h5"), "--frames", "5")
        self.assertIn("5 of the 21 frames of the file are shown, evenly thinned.", page.text)
        self.assertEqual(self.matches(page, inside("rings.h5")), [0, 5, 10, 15, 20])

    def test_the_page_keeps_to_its_size(self):
        whole = os.path.getsize(report(inside("rings.h5"), inside("diag.h5")).path) / 1e6
        parts = report(inside("rings.h5"), inside("diag.h5")).scripts
        empty = whole - sum(len(text) for name, text in parts.items() if re.match(r"run\d", name)) / 1e6
        for size in (empty + 0.75 * (whole - empty), empty + 0.5 * (whole - empty)):
            page = report(inside("rings.h5"), inside("diag.h5"), "--max-size", f"{size:.4f}")
            self.assertLessEqual(os.path.getsize(page.path), size * 1e6)
            for run, name in enumerate(("rings.h5", "diag.h5")):
                shown = self.matches(page, inside(name), run)
                self.assertTrue(1 <= len(shown) < 21 and shown[-1] == 20, shown)
                self.assertIn(f"{len(shown)} of the 21 frames", page.text)
        self.assertIn("a single frame takes", complaint(inside("rings.h5"), "--no-plots", "--max-size", "0.1"))

    def test_nothing_is_loaded_from_anywhere(self):
        page = report(inside("rings.h5"))
        for tag, attributes in page.elements:
            for name in ("src", "href", "srcset", "action", "data", "poster"):
                self.assertTrue(attributes.get(name, "data:").startswith("data:"), (tag, attributes))
        self.assertNotIn("url(", page.scripts["style"])
        self.assertNotIn("@import", page.scripts["style"])
        policy = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
        self.assertTrue(policy and policy[0].startswith("default-src 'none'"))
        self.assertIn("The MIT License", page.text)
        self.assertIn("three.js authors", page.text)

    def test_frames_that_are_not_finite_are_left_out(self):
        def spoil(file):
            file["frames/positions"][4, 3, 1] = np.nan
        path = changed("nan.h5", spoil)
        page = report(path)
        self.assertIn("Frames with numbers that are not finite are left out: 4.", page.text)
        self.assertNotIn(4, self.matches(page, path))

    def test_without_velocities_there_are_no_speeds(self):
        def spoil(file):
            del file["frames/velocities"]
        page = report(changed("slow.h5", spoil))
        self.assertNotIn("speeds", page.runs()[0]["parts"])
        self.assertIn("Speeds cannot be shown: the file has no velocities.", page.text)

    def test_forces_are_those_of_the_file(self):
        page = report(inside("touching.h5"), "--frames", "11")
        run = page.runs()[0]
        told, numbers = run["forces"], run["number"]
        places, values = unpacked(page.scripts[run["parts"]["forces"]], 2, 2, 3 * told["begin"][-1]).reshape(2, -1, 3)
        places, values = np.array(told["origin"]) + told["grid"] * places, told["newton"] * (values - 32768)
        with h5py.File(inside("touching.h5")) as file:
            begin, contacts, kinds = file["contacts/begin"][:], file["contacts"], file["model/objects/type"].asstr()[:]
            force = contacts["lambda"][:][:, None] * contacts["normal"][:] + contacts["friction"][:]
            shown = np.concatenate([np.arange(begin[n], begin[n + 1]) for n in numbers])
            longest = np.linalg.norm(force[shown], axis=1).max()
            self.assertAlmostEqual(told["longest"], longest, delta=1e-12)
            count = 0
            for k, number in enumerate(numbers):
                rows = [row for row in range(begin[number], begin[number + 1]) if np.linalg.norm(force[row]) >= 0.01 * longest]
                self.assertEqual(told["begin"][k + 1] - told["begin"][k], len(rows))
                for row, place, value in zip(rows, places[told["begin"][k]:], values[told["begin"][k]:]):
                    first, second = contacts["objects"][row]
                    on_first = kinds[first] == "deformable" and (kinds[second] == "fixed" or first >= second)
                    np.testing.assert_allclose(value, force[row] if on_first else -force[row], rtol=0, atol=told["newton"] / 2 * (1 + 1e-6))
                    np.testing.assert_allclose(place, contacts["point"][row], rtol=0, atol=told["grid"] / 2 * (1 + 1e-6))
                    count += 1
        self.assertGreater(count, 20)
        self.assertIn(f"Forces are those of contacts, the longest {longest:.3g} N", page.text)
        without = report(inside("rings.h5"))
        self.assertIsNone(without.runs()[0]["forces"])
        self.assertIn("Forces cannot be shown: the file has no contacts (output.contacts).", without.text)

    def test_a_run_without_frames_leaves_the_player_to_the_others(self):
        empty = changed("empty.h5", lambda file: shorten(file, 0, 0))
        page = report(empty, inside("rings.h5"))
        self.assertEqual(len(page.runs()), 1)
        self.matches(page, inside("rings.h5"))
        self.assertIn("No frame has been written yet.", report(empty).text)


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not chromium.program():
            raise unittest.SkipTest("chromium is not installed: the page is not tried in a browser")
        need_player()

        cls.browser = chromium.Chromium()
        cls.addClassCleanup(cls.browser.close)

    def opened(self, page, width=800, height=600, browser=None, **options):
        browser = browser or self.browser
        browser.open(page.path, width, height, **options)
        browser.wait_for("globalThis.simrunPlayer !== undefined")
        return browser

    def is_quiet(self, browser):
        self.assertEqual(browser.errors, [])
        self.assertEqual([url for url in browser.requests if not url.startswith(("file:", "data:"))], [])

    def test_the_picture_follows_slider_mouse_and_buttons(self):
        browser = self.opened(report(inside("rings.h5")))
        start = browser.pixels("#view")
        self.assertGreater(len(np.unique(start)), 200)
        browser.evaluate("document.getElementById('scrub').focus()")
        for _ in range(8):
            browser.press("ArrowRight")
        self.assertEqual(browser.evaluate("simrunPlayer.frame"), 8)
        self.assertIn("t = 0.16 s, step 160, frame 8 of 0 to 20", browser.evaluate("document.getElementById('now').textContent"))
        later = browser.pixels("#view")
        self.assertGreater(differing(start, later), 0.01)
        browser.drag("#view", 120, 30)
        turned = browser.pixels("#view")
        self.assertGreater(differing(later, turned), 0.05)
        browser.wheel("#view", -400)
        self.assertGreater(differing(turned, browser.pixels("#view")), 0.05)
        browser.click("#reset")
        self.assertEqual(differing(later, browser.pixels("#view")), 0)
        browser.click("#near")
        self.assertGreater(differing(later, browser.pixels("#view")), 0.05)
        browser.click("#reset")
        browser.evaluate("document.getElementById('color').value = 'speed', document.getElementById('color').onchange()")
        self.assertGreater(differing(later, browser.pixels("#view")), 0.01)
        browser.click("#play")
        browser.wait_for("simrunPlayer.frame > 10")
        browser.click("#play")
        self.assertFalse(browser.evaluate("simrunPlayer.playing"))
        self.is_quiet(browser)

    def test_the_browser_has_the_positions_of_the_file(self):
        page = report(inside("rings.h5"), inside("diag.h5"))
        browser = self.opened(page)
        for run, name in enumerate(("rings.h5", "diag.h5")):
            browser.evaluate(f"simrunPlayer.choose({run}).then(() => simrunPlayer.goTo(13))")
            shown = np.array(browser.evaluate("Array.from(simrunPlayer.positions)")).reshape(-1, 3)
            corners = np.array(browser.evaluate("Array.from(simrunPlayer.run.triangles)")).reshape(-1, 3)
            with h5py.File(inside(name)) as file:
                true = file["frames/positions"][13][file["model/triangles"][:]]  # objects are in the order of the file here
            error = np.abs(shown[corners] + np.array(page.runs()[run]["centre"]) - true)
            self.assertLess(error.max(), 1.05 * max(stated(page, run)))
        self.is_quiet(browser)

    def test_forces_are_drawn_as_arrows_where_there_are_some(self):
        def red(browser):
            """Pixels of the arrows' colour; the lowest byte is red."""
            pixels = browser.pixels("#view")
            return int(((pixels & 255 > 150) & (pixels >> 8 & 255 < 60) & (pixels >> 16 & 255 < 70)).sum())
        page = report(inside("rings.h5"), inside("touching.h5"))
        plain = chromium.Chromium(webgl=False)
        self.addCleanup(plain.close)
        for browser in (self.browser, plain):
            self.opened(page, browser=browser)
            self.assertTrue(browser.evaluate("document.getElementById('forces').disabled"))
            browser.evaluate("simrunPlayer.choose(1).then(() => simrunPlayer.goTo(simrunPlayer.run.forces.begin.findIndex(n => n > 0) - 1))")
            before = red(browser)
            browser.click("#forces")
            self.assertGreater(red(browser), before + 20)
            self.assertIn("longest arrow of all frames", browser.evaluate("document.getElementById('legend').textContent"))
            browser.evaluate("simrunPlayer.goTo(0)")  # nothing touches yet
            self.assertLessEqual(red(browser), before)
            browser.click("#forces")
            self.assertNotIn("arrow", browser.evaluate("document.getElementById('legend').textContent"))
            browser.evaluate("simrunPlayer.choose(0)")  # of a run that has none
            self.is_quiet(browser)

    def test_on_a_phone_nothing_sticks_out(self):
        long = changed("a-name-that-is-much-longer-than-any-telephone-is-wide-in-any-direction-at-all.h5", lambda file: None)
        browser = self.opened(report(inside("rings.h5"), inside("diag.h5"), long), 390, 844, phone=True)
        self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), 390)
        before = browser.pixels("#view")
        browser.swipe("#view", 60, 25)
        self.assertGreater(differing(before, browser.pixels("#view")), 0.05)
        self.is_quiet(browser)

    def test_dark_is_dark(self):
        shades = []
        for dark in (False, True):
            browser = self.opened(report(inside("rings.h5")), dark=dark)
            shades.append((browser.pixels("h1") & 255).mean())
            self.assertGreater(len(np.unique(browser.pixels("#view"))), 200)
            self.is_quiet(browser)
        self.assertGreater(shades[0], 200)
        self.assertLess(shades[1], 60)

    def test_without_webgl_it_says_so_and_draws_all_the_same(self):
        browser = chromium.Chromium(webgl=False)
        self.addCleanup(browser.close)
        self.opened(report(inside("rings.h5")), browser=browser)
        self.assertIn("no WebGL", browser.evaluate("document.getElementById('trouble').textContent"))
        start = browser.pixels("#view")
        self.assertGreater(len(np.unique(start)), 20)
        browser.evaluate("simrunPlayer.goTo(10)")
        self.assertGreater(differing(start, browser.pixels("#view")), 0.01)
        self.is_quiet(browser)

    def test_unusual_files_play(self):
        def still(file):
            file["model/objects/type"][...] = "fixed"

        def rename(file):
            file["model/objects/name"][0] = NASTY
        cases = ((changed("one.h5", lambda file: shorten(file, 1, 0)), "The only frame of the file is shown."),
                 (changed("still.h5", still), "Nothing in this scene moves."),
                 (changed("named.h5", rename), "All frames"))
        for path, text in cases:
            with self.subTest(path):
                browser = self.opened(report(path))
                told = browser.evaluate("document.body.innerText")
                self.assertIn(text, told)
                self.assertNotIn("Speeds cannot be shown", told)
                self.assertGreater(len(np.unique(browser.pixels("#view"))), 100)
                self.is_quiet(browser)
        self.assertIn(NASTY, browser.evaluate("document.getElementById('legend').textContent"))
        self.assertEqual(browser.evaluate("document.getElementsByTagName('b').length"), 0)


def differing(a, b):
    """Share of the pixels that are not the same."""
    return float((a != b).mean())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)  # with the reasons of what is skipped
