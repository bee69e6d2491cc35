"""Renders a small result and looks at the pixels. usage: render_test.py <scripts> <simrun> <folder> [Render.test_...]

Exit status 77: no VTK, h5py or display. Films are skipped where ffmpeg is missing.
"""
import json
import os
import shutil
import subprocess
import sys
import types
import unittest

try:
    import h5py  # the script needs it
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOImage import vtkPNGReader
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import full_result
import in_process

SCRIPTS, SIMRUN, FOLDER, *ONLY = sys.argv[1:]
sys.path.insert(0, SCRIPTS)
SIZE = (400, 300)


def render(*options):
    return in_process.run(SCRIPTS, "render.py", *options)


def render_in(environment, *options):
    command = [sys.executable, os.path.join(SCRIPTS, "render.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def read_png(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    width, height, _ = reader.GetOutput().GetDimensions()
    return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).reshape(height, width, 3)[::-1].astype(int)


def hues(pixels):
    """Of the pixels that have a clear colour, in degrees from 0 to 359."""
    rgb = pixels.reshape(-1, 3).astype(float)
    high, low = rgb.max(axis=1), rgb.min(axis=1)
    rgb, high, low = (values[high - low > 0.35 * high] for values in (rgb, high, low))
    red, green, blue = rgb.T
    span = high - low
    sector = np.select([high == red, high == green], [(green - blue) / span, 2 + (blue - red) / span], 4 + (red - green) / span)
    return (60 * sector % 360).astype(int)


def kinds_of_hue(pixels):
    """Hues of at least 0.2 % of the picture, the beginnings of groups that are 8 degrees and more apart."""
    counts = np.bincount(hues(pixels), minlength=360)
    found = np.flatnonzero(counts > 0.002 * pixels.shape[0] * pixels.shape[1]).tolist()
    return [h for k, h in enumerate(found) if k == 0 or h - found[k - 1] > 8]


class Render(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.path = full_result.make(SIMRUN, FOLDER)

    def place(self, name):
        return os.path.join(FOLDER, name)

    def picture(self, name, *options):
        done = render(self.path, "--size", f"{SIZE[0]}x{SIZE[1]}", "-o", self.place(name), *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read_png(self.place(name))

    def test_every_body_is_seen_in_a_colour_of_its_own(self):
        pixels = self.picture("last.png", "--no-label")
        self.assertEqual(pixels.shape, (SIZE[1], SIZE[0], 3))
        self.assertEqual(len(kinds_of_hue(pixels)), 3, kinds_of_hue(pixels))  # rubber, gum and stone; floor and wall are grey
        with h5py.File(self.path) as file:
            self.assertEqual(sorted(file["model/objects/type"].asstr()[:]), ["deformable", "deformable", "fixed", "fixed", "rigid"])

    def test_the_colour_of_a_body_stays(self):
        first, later = (kinds_of_hue(self.picture("one.png", "--frames", k, "--no-label")) for k in ("0", "12"))
        self.assertEqual(len(first), 3)
        np.testing.assert_allclose(first, later, atol=3)

    def test_what_moves_fills_the_picture_and_stays_inside(self):
        for frame in ("0", "6", "last"):
            pixels = self.picture("fit.png", "--frames", frame, "--no-label", "--view=-0.3,-1,0.3")
            colored = pixels.max(axis=2) - pixels.min(axis=2) > 0.35 * pixels.max(axis=2)
            rows, columns = np.flatnonzero(colored.any(axis=1)), np.flatnonzero(colored.any(axis=0))
            self.assertGreater(min(rows[0], SIZE[1] - 1 - rows[-1]), 0)
            self.assertGreater(min(columns[0], SIZE[0] - 1 - columns[-1]), 0)
            self.assertGreater(max((rows[-1] - rows[0]) / SIZE[1], (columns[-1] - columns[0]) / SIZE[0]), 0.7)

    def looked_at(self, gravity=(0, 0, -9.81), **boxes):
        """Names of what is, of these boxes: half their sides, and the middle."""
        from shapes import outlook
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        boxes = {"body": (0.5, (0, 0, 0)), **boxes}

        def thing(row, name):
            return types.SimpleNamespace(index=row, name=name, type="rigid" if name == "body" else "fixed", triangles=slice(row, row),
                                         vertices=slice(8 * row, 8 * row + 8))
        result = types.SimpleNamespace(objects=[thing(row, name) for row, name in enumerate(boxes)], triangles=np.zeros((0, 3), int),
                                       scene={"gravity": list(gravity)})
        positions = np.concatenate([np.asarray(half) * corners + middle for half, middle in boxes.values()])
        return [result.objects[row].name for row in outlook.subjects(result, [types.SimpleNamespace(positions=positions)])]

    def test_what_the_bodies_are_in_is_in_view(self):
        """A bucket round the bodies is, unless it is a hall; what they stand on, or beside, is not."""
        self.assertEqual(self.looked_at(bucket=(0.9, (0, 0, 0.2)), hall=(1.2, (0, 0, 0)), slab=(0.9, (0, 0, -1.5)), post=(0.2, (2, 0, 0))),
                         ["body", "bucket"])

    def test_walls_round_the_bodies_are_in_view(self):
        """Two halves of a bucket are, four walls, three, and two on both sides; one wall, or two at a corner, posts, walls of a hall, low
        ones and what is above or below are not."""
        def walls(far, half, height=0.0):
            return {"left": ((0.05, half, half), (-far, 0, height)), "right": ((0.05, half, half), (far, 0, height)),
                    "front": ((half, 0.05, half), (0, -far, height)), "back": ((half, 0.05, half), (0, far, height))}
        near, slab = walls(0.7, 0.7), {"slab": ((1.2, 1.2, 0.05), (0, 0, -0.6))}
        some = {"left": ["left"], "corner": ["left", "back"], "sides": ["left", "right"], "three": ["left", "right", "back"], "four": list(near)}
        for number, names in some.items():
            found = self.looked_at(**{name: near[name] for name in names}, **slab)
            self.assertEqual(found, ["body"] + (names if number in ("sides", "three", "four") else []), number)
        self.assertEqual(self.looked_at(one=((0.4, 0.7, 0.7), (-0.41, 0, 0)), other=((0.4, 0.7, 0.7), (0.41, 0, 0)), **slab), ["body", "one", "other"])
        self.assertEqual(self.looked_at(**walls(1.3, 1.3), **slab), ["body"])
        self.assertEqual(self.looked_at(**walls(0.7, 0.3, -0.4), **slab), ["body"])
        self.assertEqual(self.looked_at(one=(0.1, (-0.8, 0, 0)), other=(0.1, (0.8, 0, 0))), ["body"])
        plates = {"below": ((0.7, 0.7, 0.05), (0, 0, -0.6)), "above": ((0.7, 0.7, 0.05), (0, 0, 0.6))}
        self.assertEqual(self.looked_at(**plates), ["body"])
        self.assertEqual(self.looked_at((-9.81, 0, 0), **plates), ["body", "below", "above"])  # then they are sides

    def test_bodies_stand_beside_the_scale_of_colours(self):
        """Of the camera: points over half the width or height of the picture, with 0 in its middle."""
        import pictures
        import simrun_results
        from shapes import outlook
        aspect = SIZE[0] / SIZE[1]
        with simrun_results.open(self.path) as result:
            frames = [result.frames[0], result.frames[-1]]
            used = outlook.seen_vertices(result, frames)
            for ortho, covered in ((False, 0.0), (False, 0.2), (True, 0.2)):
                camera = pictures.Camera.fitted(result, frames, np.array([0.55, -1, 0.4]), np.array([0, 0, 1.0]), aspect, 1.0, ortho, covered)
                points = np.concatenate([frame.positions[used] - camera.position for frame in frames]) @ camera.axes.T
                half = np.full(len(points), camera.scale) if ortho else -camera.slope * points[:, 2]
                x, y = points[:, 0] / (half * aspect), points[:, 1] / half
                self.assertGreater(x.min(), -1)
                self.assertLess(x.max(), 1 - 2 * covered)
                self.assertLess(abs(y).max(), 1)
                self.assertGreater(max(np.ptp(x) / (2 - 2 * covered), np.ptp(y) / 2), 0.7)

    def test_the_ground_is_seen(self):
        """From above all that is grey is the floor, 1 m wide, and the wall on it; behind them is white."""
        pixels = self.picture("above.png", "--camera", "0,0,4:0,0,0", "--no-label")
        grey = (np.ptp(pixels, axis=2) < 12) & (pixels.max(axis=2) < 215)
        # 4 m away the picture is 2 * 4 * tan 15 degrees = 2.14 m high
        for line in (grey[SIZE[1] // 2 + 60], grey[:, SIZE[0] // 2 + 60]):
            self.assertAlmostEqual(line.sum(), SIZE[1] / 2.1436, delta=3)

    def test_moments_stand_side_by_side(self):
        pixels = self.picture("row.png", "--frames", "0,last", "--no-label")
        self.assertEqual(pixels.shape, (SIZE[1], 2 * SIZE[0], 3))
        left, right = pixels[:, :SIZE[0]], pixels[:, SIZE[0]:]
        self.assertEqual(len(kinds_of_hue(left)), 3)
        self.assertEqual(len(kinds_of_hue(right)), 3)
        self.assertGreater((left != right).any(axis=2).mean(), 0.01)

    def test_moments_stand_in_rows(self):
        pixels = self.picture("rows.png", "--moments", "3", "--columns", "2")
        self.assertEqual(pixels.shape, (2 * SIZE[1], 2 * SIZE[0], 3))
        parts = [pixels[y:y + SIZE[1], x:x + SIZE[0]] for y in (0, SIZE[1]) for x in (0, SIZE[0])]
        for part, frame in zip(parts, ("0", "6", "12")):
            self.assertEqual(len(kinds_of_hue(part)), 3, frame)
        self.assertEqual(np.ptp(parts[3].reshape(-1, 3), axis=0).max(), 0)  # nothing there
        alone = self.picture("alone.png", "--frames", "0,6,12")
        apart = np.abs(np.concatenate(parts[:3], axis=1) - alone).max(axis=2)
        self.assertLess((apart > 8).mean(), 0.001)  # of 255; where an edge, or light, is rounded otherwise

    def test_up_is_against_gravity_or_what_is_asked_for(self):
        usual = self.picture("usual.png", "--no-label", "--view", "0,-1,0.2")
        same = self.picture("same.png", "--no-label", "--view", "0,-1,0.2", "--up", "0,0,2")
        np.testing.assert_array_equal(usual, same)
        turned = self.picture("turned.png", "--no-label", "--view", "0,-1,0.2", "--up", "0,0,-1")

        def mask(pixels):
            return pixels.max(axis=2) - pixels.min(axis=2) > 0.35 * pixels.max(axis=2)
        self.assertGreater(mask(usual).mean(), 0.05)
        self.assertLess((mask(usual) != mask(turned)[::-1, ::-1]).mean(), 0.01)
        self.assertGreater((mask(usual) != mask(turned)).mean(), 0.05)
        from shapes import outlook
        for gravity in ([0, -9.81, 0], [3, 0, -1], [0, 0, 9.81], [0, 0, -9.81]):
            class Result:
                scene = {"gravity": gravity}
            up = outlook.upwards(Result)
            np.testing.assert_allclose(up, -np.array(gravity) / np.linalg.norm(gravity))
            toward = outlook.usual_direction(up)
            self.assertAlmostEqual(np.linalg.norm(toward), 1)
            self.assertAlmostEqual(toward @ up, 0.4 / np.linalg.norm(outlook.FROM))  # as far above the horizon as where z is up
        Result.scene = {"gravity": [0, 0, 0]}
        np.testing.assert_array_equal(outlook.upwards(Result), [0, 0, 1])

    def test_a_parallel_projection_shows_lengths_as_they_are(self):
        """From above, all that is coloured, however high it lies: 1.5 m away the picture is 2 * 1.5 * tan 15 degrees high."""
        def width(*options):
            found = self.picture("ortho.png", "--no-label", "--camera", "0,0,1.5:0,0,0", "--frames", "0", *options)
            colored = found.max(axis=2) - found.min(axis=2) > 0.35 * found.max(axis=2)
            return np.ptp(np.flatnonzero(colored.any(axis=0))) + 1
        with h5py.File(self.path) as file:
            x = file["frames/positions"][0][:, 0]
            kinds = file["model/objects/type"].asstr()[:]
            rows = zip(kinds, file["model/objects/vertex_begin"][:], file["model/objects/vertex_end"][:])
            moving = np.concatenate([x[begin:end] for kind, begin, end in rows if kind in ("deformable", "rigid")])
        meter = SIZE[1] / (2 * 1.5 * np.tan(np.radians(15)))
        self.assertAlmostEqual(width("--ortho"), np.ptp(moving) * meter, delta=2)
        self.assertGreater(width(), np.ptp(moving) * meter + 5)

    def test_what_hides_bodies_is_see_through_unless_told_otherwise(self):
        where = ("--view", "1,0,0.1", "--no-label")
        pixels = {option: self.picture("wall.png", *where, *([option] if option else [])) for option in ("", "--solid", "--see-through")}
        color = {option: len(hues(found)) for option, found in pixels.items()}
        saturated = {option: (np.ptp(found, axis=2) > 20).mean() for option, found in pixels.items()}
        self.assertGreater(saturated[""], 1.5 * saturated["--solid"], (saturated, color))
        self.assertGreater((pixels[""] != pixels["--see-through"]).any(axis=2).mean(), 0.02)  # the floor, which hides nothing
        other = [self.picture("side.png", "--view=-1,0,0.3", "--no-label", *option) for option in ((), ("--solid",))]
        np.testing.assert_array_equal(*other)  # the wall is behind

    def test_objects_can_be_left_out(self):
        self.assertEqual(len(kinds_of_hue(self.picture("less.png", "--no-label", "--hide", "stone"))), 2)
        self.assertEqual(len(kinds_of_hue(self.picture("less.png", "--no-label", "--hide", "stone,gum"))), 1)
        self.assertEqual(len(kinds_of_hue(self.picture("less.png", "--no-label", "--hide", "stone", "--hide", "deformable"))), 0)
        without = self.picture("less.png", "--no-label", "--hide", "fixed")
        colored = without.max(axis=2) - without.min(axis=2) > 0.35 * without.max(axis=2)
        self.assertLess((~colored & (without.max(axis=2) < 200)).mean(), 0.03)  # no floor

    def test_what_is_left_out_does_not_count_for_where_the_camera_stands(self):
        import pictures
        import simrun_results
        with simrun_results.open(self.path) as result:
            frame = result.frames[-1]
            bodies = [found for found in result.objects if found.type in ("deformable", "rigid")]
            for shown in bodies:
                hidden = [found.index for found in result.objects if found is not shown]
                vertices = frame.positions[shown.vertices]
                low, high = pictures.moving_box(result, [frame], hidden)
                np.testing.assert_allclose([low, high], [vertices.min(axis=0), vertices.max(axis=0)], atol=1e-12)
            self.assertGreater(len(bodies), 1)

    def test_the_label_has_a_ground_of_its_own(self):
        """Over the floor, of which the whole picture is."""
        where = ("--camera", "0.4,-0.4,0.2:0.4,-0.4,0")
        place = (slice(SIZE[1] - 14, SIZE[1] - 3), slice(5, 40))
        bare, label = self.picture("bare.png", *where, "--no-label")[place], self.picture("label.png", *where)[place]
        self.assertLess(bare.max(), 215)
        self.assertGreater(np.median(label), 225)
        self.assertLess(label.min(), 120)

    def test_what_touches_is_darker_than_what_floats(self):
        """Light by the depth of a picture: a floor seen from above, and a block on it, low, high or floating far above."""
        from pictures import occlusion
        from pictures.camera import Camera
        camera = Camera([0, 0, 10], [0, 0, 0], [0, 1, 0], scale=1.0)

        def light(height):
            depth = np.full((150, 200), 0.5, np.float32)  # of near 0 and far 20: the floor, at a distance of 10
            depth[50:100, 80:120] -= np.float32(height / 20)
            return occlusion.light_of(depth, camera, 0.0, 20.0)
        flat = light(0)
        np.testing.assert_allclose(flat, 1, atol=1e-6)
        touching, floating = light(0.05), light(3.0)
        beside, away = (75, 78), (75, 20)
        self.assertLess(touching[beside], 0.87)
        self.assertGreater(touching[away], 0.999)
        self.assertGreater(floating[beside], 0.999)
        self.assertGreater(touching[75, 100], 0.999)  # the top of the block

    def test_forces_are_arrows_over_the_bodies(self):
        def red(name, *options):
            found = hues(self.picture(name, "--no-label", *options))
            return np.count_nonzero((found > 345) | (found < 5))
        without = red("bare.png")
        for kind in ("contacts", "vertices", "objects"):
            self.assertGreater(red("arrows.png", "--arrows", kind), without + 100, kind)
            self.assertLessEqual(red("start.png", "--arrows", kind, "--frames", "0"), without)  # no forces yet
        small, large = (red("scale.png", "--arrows", "objects", "--arrow-scale", scale) for scale in ("0.002", "0.004"))
        self.assertGreater(large - without, 2 * (small - without))
        with h5py.File(self.path) as file:
            row = list(file["model/objects/name"].asstr()[:]).index("stone")
            part = slice(file["model/objects/vertex_begin"][row], file["model/objects/vertex_end"][row])
            force = file["frames/contact_forces"][-1][part].sum(axis=0)
        import shapes
        import simrun_results
        with simrun_results.open(self.path) as result:
            places, forces = shapes.arrows(result, result.frames[-1], "objects")
            middle = result.frames[-1].positions[part].mean(axis=0)
            mine = np.argmin(np.linalg.norm(places - middle, axis=1))
            np.testing.assert_allclose(forces[mine], force, rtol=0, atol=1e-10)
            np.testing.assert_allclose(places[mine], middle - [0, 0, 0.05], rtol=0, atol=0.02)  # under its middle
            np.testing.assert_allclose(sum(shapes.arrows(result, result.frames[-1], "vertices")[1]), forces.sum(axis=0), rtol=0, atol=1e-10)

    def test_tips_of_arrows_are_in_view(self):
        """Of arrows up to 2 m long, from bodies of 0.1 m."""
        import pictures
        import shapes
        import simrun_results
        with simrun_results.open(self.path) as result:
            frame = result.frames[-1]
            places, forces = shapes.arrows(result, frame, "objects")
            arrows = pictures.fitted_arrows(result, [frame], "objects", 2 / np.linalg.norm(forces, axis=1).max(),
                                            pictures.moving_box(result, [frame]))
            for ortho in (False, True):
                reach = []
                for shown in (None, arrows):
                    camera = pictures.Camera.fitted(result, [frame], np.array([0.55, -1, 0.4]), np.array([0, 0, 1.0]), 1.0, 1.0, ortho, 0.0, shown)
                    points = (places + arrows.scale * forces - camera.position) @ camera.axes.T
                    half = np.full(len(points), camera.scale) if ortho else -camera.slope * points[:, 2]
                    reach.append((abs(points[:, :2]) / half[:, None]).max())
                self.assertGreater(reach[0], 1)
                self.assertLess(reach[1], 1)

    def test_pressure_is_where_bodies_touch(self):
        """From below, through the floor: what is pressed is brighter than the dark of no pressure."""
        def bright(frame):
            pixels = self.picture("below.png", "--no-label", "--see-through", "--color", "contact_pressure", "--frames", frame, "--range", "0:2000",
                                  "--camera=-0.1,0,-2:-0.1,0,0", "--zoom", "1")
            pixels = pixels[:, :300]  # without the scale of colours
            return np.count_nonzero(pixels[:, :, 1] > pixels[:, :, 2] + 10)  # more green than blue: above half of the range
        self.assertEqual(bright("0"), 0)
        self.assertGreater(bright("last"), 50)

    def test_every_gives_a_picture_each(self):
        done = render(self.path, "--size", "64x48", "--every", "5", "-o", self.place("each/f"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.place("each"))), ["f0000.png", "f0001.png", "f0002.png"])  # frames 0, 5 and 10

    def test_fields_colour_what_moves(self):
        """A wide range makes everything dark, a range below the values everything bright."""
        for color, top in (("von_mises", "1e12"), ("speed", "1e12"), ("displacement", "1e12"), ("contact_force", "1e12"),
                           ("max_principal_stress", "1e12"), ("min_principal_strain", "1e12")):
            dark = self.picture("field.png", "--color", color, "--range", f"0:{top}", "--no-label", "--frames", "9")
            own = self.picture("field.png", "--color", color, "--no-label", "--frames", "9")
            without_bar = (slice(None), slice(0, int(0.78 * SIZE[0])))
            self.assertEqual(len(kinds_of_hue(dark[without_bar])), 1, color)
            self.assertGreater((own[without_bar] != dark[without_bar]).any(axis=2).mean(), 0.002, color)

    def test_principal_values_are_shown_from_the_smallest_to_the_largest(self):
        """On the surfaces; pressed bodies have stresses below 0."""
        import pictures
        import shapes
        import simrun_results
        with simrun_results.open(self.path) as result:
            frames = result.frames[6:]
            behind = shapes.tets_of_triangles(result)
            behind = np.unique(behind[[result.objects[row].type == "deformable" for row in result.triangle_object]])
            for name, which in (("min", 0), ("max", 2)):
                values = np.concatenate([np.linalg.eigvalsh(frame.stress[behind][:, [[0, 1, 2], [1, 3, 4], [2, 4, 5]]])[:, which] for frame in frames])
                self.assertLess(values.min(), -100)  # Pa
                low, high = pictures.look_range(result, frames, f"{name}_principal_stress")
                np.testing.assert_allclose([low, high], [values.min(), max(0, values.max())], rtol=1e-12)

    def test_the_rigid_body_has_no_stress_and_is_grey(self):
        where = ("--camera", "-0.2,-0.6,0.2:-0.2,0,0.05", "--no-label")
        colored = hues(self.picture("stone.png", *where))
        self.assertGreater(len(colored), 2000)
        stress = self.picture("stress.png", *where, "--color", "von_mises")
        self.assertLess(len(hues(stress[:, SIZE[0] // 3:SIZE[0] // 2])), 20)

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_a_film_has_the_frames_and_the_size(self):
        path = self.place("film.mp4")
        done = render(self.path, "--film", path, "--size", "160x120", "--fps", "10", "--frames", "1:12:2")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                               "stream=width,height,nb_read_frames,r_frame_rate", "-of", "csv=p=0", path], capture_output=True, text=True)
        self.assertEqual(told.stdout.strip(), "160,120,10/1,6")
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True)
        shown = np.frombuffer(raw.stdout, np.uint8).reshape(6, 120, 160, 3)
        drawn = render(self.path, "--size", "160x120", "--frames", "1:12", "--every", "2", "-o", self.place("still"))
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        for k in range(6):
            difference = abs(read_png(self.place(f"still{k:04d}.png")) - shown[k].astype(int))
            self.assertLess(difference.mean(), 6, f"frame {k}")  # what the codec loses; upside down it is above 30

    def test_a_file_that_was_killed_is_drawn_as_far_as_it_is(self):
        path, running = full_result.start(SIMRUN, FOLDER)
        while running.poll() is None:
            done = render(path, "--size", "64x48", "-o", self.place("beside.png"))
            if done.returncode == 0:
                break
        running.kill()
        running.communicate()
        self.assertEqual(done.returncode, 0, done.stderr)
        done = render(path, "--size", "64x48", "--every", "100", "-o", self.place("killed"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(self.place("killed0000.png")))

    def test_what_is_wrong_is_said_in_a_line(self):
        plain = full_result.make(SIMRUN, FOLDER, "plain.h5", "--set", "output.stress=false", "--set", "output.contact_forces=false",
                                  "--set", "output.stress_tensor=false", "--set", "output.strain_tensor=false",
                                  "--set", "output.velocities=false", "--set", "output.contacts=false")
        for options, status, words in (((plain, "--color", "von_mises"), 1, ["plain.h5", "output.stress=true"]),
                                       ((plain, "--color", "max_principal_stress"), 1, ["plain.h5", "output.stress_tensor=true"]),
                                       ((plain, "--color", "min_principal_strain"), 1, ["plain.h5", "output.strain_tensor=true"]),
                                       ((plain, "--color", "contact_force"), 1, ["output.contact_forces=true"]),
                                       ((plain, "--color", "contact_pressure"), 1, ["output.contact_forces=true"]),
                                       ((plain, "--arrows", "vertices"), 1, ["output.contact_forces=true"]),
                                       ((plain, "--arrows", "contacts"), 1, ["output.contacts=true"]),
                                       ((plain, "--arrows", "objects"), 1, ["output.contacts=true"]),
                                       ((plain, "--arrow-scale", "1"), 1, ["--arrow-scale", "--arrows"]),
                                       ((plain, "--color", "speed"), 1, ["velocities"]),
                                       ((plain, "--frames", "13"), 1, ["no frame 13", "0 to 12"]),
                                       ((plain, "--size", "100"), 1, ["--size", "100", "expected"]),
                                       ((plain, "--camera", "0,0,1"), 1, ["--camera", "expected"]),
                                       ((plain, "--view", "0,0,0"), 1, ["--view", "direction"]),
                                       ((plain, "--up", "0,0,0"), 1, ["--up", "direction"]),
                                       ((plain, "--hide", "stoone"), 1, ["--hide stoone", "rubber box"]),
                                       ((plain, "--moments", "2", "--frames", "1"), 1, ["--moments", "--frames"]),
                                       ((plain, "--moments", "0"), 1, ["--moments: 0", "above 0"]),
                                       ((plain, "--columns", "2", "--every", "2"), 1, ["--columns"]),
                                       ((plain, "--solid", "--see-through"), 1, ["--solid"]),
                                       ((plain, "--film", "a.mp4", "--size", "101x50"), 1, ["101x50", "even"]),
                                       ((plain, "--every", "0"), 1, ["--every: 0", "above 0"]),
                                       ((plain, "--frames", "all", "--size", "4000x30"), 1, ["side by side"]),
                                       ((plain, "--range", "0:1"), 1, ["--range", "--color"]),
                                       ((self.place("none.h5"),), 3, ["none.h5"]),
                                       ((self.place("scene.json"),), 3, ["scene.json"]),
                                       ((plain, "-o", self.place("none/x.png")), 3, ["none/x.png"])):
            done = render(*options)
            self.assertEqual(done.returncode, status, (options, done.stderr))
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)

    def test_the_result_is_not_replaced_by_its_picture(self):
        with open(self.path, "rb") as file:
            before = file.read()
        os.symlink(self.path, self.place("link.png"))
        for output, words in ((self.path, "expected a name ending in .png"), (self.place("out.xdmf"), "expected a name ending in .png"),
                              (self.place("scene.json"), "expected a name ending in .png"), (self.place("link.png"), "link.png: is the file")):
            done = render(self.path, "-o", output, "--size", "64x48")
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
            self.assertIn(words, done.stderr)
        os.remove(self.place("link.png"))
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_stress_of_a_scene_without_deformable_bodies(self):
        folder = self.place("hard")
        os.makedirs(folder)
        scene = {**full_result.SCENE, "objects": [body for body in full_result.SCENE["objects"] if body["name"] in ("floor", "stone")]}
        scene["meshes"] = {name: mesh for name, mesh in scene["meshes"].items() if name != "wall"}
        with open(os.path.join(folder, "hard.json"), "w", encoding="utf-8") as file:
            json.dump(scene, file)
        path = os.path.join(folder, "hard.h5")
        subprocess.run([SIMRUN, os.path.join(folder, "hard.json"), "--quiet", "--duration", "0.01", "-o", path], check=True)
        done = render(path, "--color", "von_mises", "--size", "64x48")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
        self.assertIn("no object of", done.stderr)

    def test_missing_programs_are_named(self):
        done = render_in({"PATH": "/nowhere"}, self.path, "--film", self.place("x.mp4"))
        self.assertEqual((done.returncode, "apt-get install ffmpeg" in done.stderr), (1, True), done.stderr)
        done = render_in({"PATH": "/nowhere", "DISPLAY": ""}, self.path)
        self.assertEqual((done.returncode, "apt-get install xvfb" in done.stderr), (1, True), done.stderr)


if __name__ == "__main__":
    if not os.environ.get("DISPLAY") and not shutil.which("Xvfb"):
        print("skipped: there is no display, and xvfb is not installed")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *ONLY])
