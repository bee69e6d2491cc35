"""A scene of simrun from what an IPC scene holds. What cannot be expressed is collected, one line each."""
import math
import os

import numpy as np

from . import meshes
from .reader import numbers

# Of its pictures, its solver and its accuracy: simrun chooses its own, and nothing of the problem is lost.
OWN_MATTERS = {"view", "zoom", "cameraTracking", "playBackSpeed", "tol", "warmStart", "constraintSolver", "constraintType", "QPSolver", "dHat",
               "epsv", "fricIterAmt", "tuning", "exactCCD", "constraintOffset", "appendStr", "disableCout", "useActiveSetConvergence",
               "noActiveSetConvergence", "useAbsParameters", "CCDMethod", "ccdMethod", "ccdTolerance"}


def axis_angle(turn):
    """An axis and degrees of Rx Ry Rz, with angles in degrees."""
    x, y, z = (math.radians(angle) for angle in turn)
    rx = np.array([[1, 0, 0], [0, math.cos(x), -math.sin(x)], [0, math.sin(x), math.cos(x)]])
    ry = np.array([[math.cos(y), 0, math.sin(y)], [0, 1, 0], [-math.sin(y), 0, math.cos(y)]])
    rz = np.array([[math.cos(z), -math.sin(z), 0], [math.sin(z), math.cos(z), 0], [0, 0, 1]])
    return matrix_to_axis(rx @ ry @ rz), rx @ ry @ rz


def matrix_to_axis(matrix):
    cosine = max(-1.0, min(1.0, (np.trace(matrix) - 1) / 2))
    angle = math.acos(cosine)
    axis = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    if angle < 1e-12:
        return None
    if math.pi - angle < 1e-6:  # half a turn: the axis is what stays
        axis = np.linalg.eigh((matrix + matrix.T) / 2)[1][:, -1]
    return {"axis": (axis / np.linalg.norm(axis)).tolist(), "degrees": math.degrees(angle)}


def upward_to(normal):
    """The turn that takes z to this direction."""
    normal = np.asarray(normal, float) / np.linalg.norm(normal)
    axis = np.cross([0, 0, 1], normal)
    angle = math.degrees(math.atan2(np.linalg.norm(axis), normal[2]))
    return {"axis": axis.tolist() if np.linalg.norm(axis) > 1e-12 else [1, 0, 0], "degrees": angle} if angle else None


def chosen_in_box(values, vertices):
    """Which are in a box that is relative to that around the mesh, as it is in its file."""
    low, size = vertices.min(axis=0), vertices.max(axis=0) - vertices.min(axis=0)
    begin, end = (np.array(part) * size + low for part in (values[:3], values[3:6]))
    return ((vertices >= begin) & (vertices <= end)).all(axis=1)


class Maker:
    def __init__(self, path, root, output):
        self.path, self.root, self.folder = path, root, os.path.dirname(os.path.abspath(output))
        self.stem = os.path.splitext(os.path.basename(output))[0]
        self.lost = []
        self.scene = {"name": self.stem, "time": {"step": 0.025, "duration": 5.0}, "gravity": [0, -9.80665, 0], "materials": {},
                      "meshes": {}, "objects": [], "contact": {"friction": 0.0}, "output": {"every": 1}}
        self.model, self.material = "neo-hookean", [1000.0, 1e5, 0.4]
        self.pairs = []

    def lose(self, line, what):
        self.lost.append(f"{self.path}: line {line}: {what}")

    # ---- settings

    def set_all(self, settings):
        for setting in settings:
            taken = getattr(self, "set_" + setting.name, None)
            if taken:
                taken(setting)
            elif setting.name not in OWN_MATTERS and setting.name != "section":
                self.lose(setting.line, f"{' '.join([setting.name, *setting.words])}: is not expressed")

    def values(self, setting, count):
        found = numbers(self.path, setting.line, setting.words[:count])
        if len(found) < count:
            self.lose(setting.line, f"{setting.name}: expected {count} numbers, found {len(found)}")
        return found if len(found) == count else None

    def set_energy(self, setting):
        self.model = "corotational" if setting.words[:1] == ["FCR"] else "neo-hookean"

    def set_timeIntegration(self, setting):
        if setting.words[:1] != ["BE"]:
            self.lose(setting.line, f"timeIntegration {' '.join(setting.words)}: is not expressed, steps are implicit Euler's")

    def set_time(self, setting):
        if found := self.values(setting, 2):
            self.scene["time"] = {"step": found[1], "duration": found[0]}

    def set_density(self, setting):
        if found := self.values(setting, 1):
            self.material[0] = found[0]

    def set_stiffness(self, setting):
        if found := self.values(setting, 2):
            self.material[1:] = found

    def set_turnOffGravity(self, _):
        self.scene["gravity"] = [0, 0, 0]

    def set_size(self, setting):
        if (found := self.values(setting, 1)) and found[0] > 0:
            self.lose(setting.line, f"size {found[0]:g}: is not expressed, shapes keep their own size")

    def set_dampingRatio(self, setting):
        if (found := self.values(setting, 1)) and found[0] > 0:
            self.lose(setting.line, f"dampingRatio {found[0]:g}: is not expressed; `damping` of a material is mass and stiffness damping")

    set_dampingStiff = set_dampingRatio

    def set_restart(self, setting):
        self.lose(setting.line, "restart: is not expressed, the run begins anew")

    def set_script(self, setting):
        if setting.words[:1] != ["null"]:
            self.lose(setting.line, f"script {' '.join(setting.words)}: is not expressed; write `motion` and `boundary` by hand")

    def set_selfCollisionOn(self, _):
        pass

    def set_selfCollisionOff(self, _):
        self.pairs.insert(0, {"between": ["*", "*"], "exclude": True})

    def set_selfFric(self, setting):
        if found := self.values(setting, 1):
            self.scene["contact"]["friction"] = found[0]

    def set_ground(self, setting):
        if found := self.values(setting, 2):
            self.add_half_space("ground", [0, found[1], 0], [0, 1, 0], found[0])

    def set_halfSpace(self, setting):
        if found := self.values(setting, 8):
            self.add_half_space("half-space", found[:3], found[3:6], found[7])

    def set_meshCO(self, setting):
        found = numbers(self.path, setting.line, setting.words[1:7])
        turn = numbers(self.path, setting.line, setting.words[8:11]) if setting.words[7:8] == ["rotate"] else [0, 0, 0]
        name = self.add_obstacle(setting.line, setting.words[0], found[:3], turn, [found[3]] * 3, [])
        self.pairs.append({"between": [name, "*"], "friction": found[5]})

    # ---- objects

    def name(self, wanted):
        taken = {found["name"] for found in self.scene["objects"]}
        names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
        return next(name for name in names if name not in taken)

    def add_half_space(self, name, point, normal, friction):
        made = {"name": self.name(name), "type": "fixed", "mesh": "half-space", "position": point}
        if turn := upward_to(normal):
            made["rotation"] = turn
        self.scene["objects"].append(made)
        self.pairs.append({"between": [made["name"], "*"], "friction": friction})

    def relative(self, path):
        return os.path.relpath(path, self.folder)

    def add_mesh(self, path, spec, scale):
        if list(scale) != [1, 1, 1]:
            spec = {**spec, "scale": list(scale)}
        known = self.scene["meshes"]
        for name, found in known.items():
            if found == spec:
                return name
        stem = os.path.splitext(os.path.basename(path))[0]
        names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(known) + 2))
        name = next(name for name in names if name not in known)
        known[name] = spec
        return name

    def place(self, made, translate, turn):
        if any(translate):
            made["position"] = list(translate)
        if turn:
            made["rotation"] = turn
        self.scene["objects"].append(made)

    def motion(self, extras, vertices):
        """Of what has a linear or an angular velocity: about the middle of the box around it, as in IPC."""
        told = dict(extras)
        motion = {}
        if any(told.get("linearVelocity", [])):
            motion["velocity"] = told["linearVelocity"]
        if any(told.get("angularVelocity", [])):
            speed = np.array(told["angularVelocity"])
            middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
            motion.update(axis=speed.tolist(), degrees_per_second=float(np.linalg.norm(speed)), center=middle.tolist())
        return motion

    def add_shape(self, shape):
        ending = os.path.splitext(shape.path)[1]
        if ending in (".obj", ".seg", ".pt"):
            return self.add_obstacle(shape.line, shape.path, shape.translate, shape.rotate, shape.scale, shape.extras)
        path = meshes.find(shape.path, self.path, self.root)
        spec, vertices, number = self.solid(path, ending)
        turn, matrix = axis_angle(shape.rotate)
        placed = (vertices * shape.scale) @ matrix.T + shape.translate
        told = {name for name, _ in shape.extras}
        made = {"name": self.name(os.path.splitext(os.path.basename(shape.path))[0]), "mesh": self.add_mesh(path, spec, shape.scale)}
        if told & {"linearVelocity", "angularVelocity"}:
            motion = self.motion(shape.extras, placed)
            made.update({"type": "scripted", "motion": motion} if motion else {"type": "fixed"})
        else:
            made["material"] = self.add_material(shape)
            self.add_extras(made, shape, vertices, number, placed)
        self.place(made, shape.translate, turn)

    def solid(self, path, ending):
        """(mesh of the scene, vertices, their numbers in it); IPC's own kind of .msh is written anew beside the scene."""
        if ending == ".msh" and meshes.is_own_msh(path):
            vertices, tets = meshes.read_own_msh(path)
            stem = f"{self.stem}-{os.path.splitext(os.path.basename(path))[0]}"
            number = meshes.write_tetgen(os.path.join(self.folder, stem), vertices, tets)
            return {"file": stem + ".node"}, vertices, number
        if ending in ("", ".ele", ".node"):
            stem = path if ending == "" else os.path.splitext(path)[0]
            lines = [line.split() for line in meshes.lines_of(stem + ".node")]
            rows = [row for row in lines if row and not row[0].startswith("#")][1:]
            vertices = np.array([row[1:4] for row in rows], float)
            return {"file": self.relative(stem + ".node")}, vertices, np.arange(len(vertices))
        raise meshes.Complaint(f"{path}: expected the .msh of IPC (its $MeshFormat begins with 4), or .node and .ele, for an elastic "
                               "body; simrun reads the .msh of Gmsh itself")

    def add_material(self, shape):
        density, young, poisson = dict(shape.extras).get("material", self.material)
        made = {"model": self.model, "young": young, "poisson": poisson, "density": density}
        known = self.scene["materials"]
        for name, found in known.items():
            if found == made:
                return name
        name = f"material-{len(known) + 1}"
        known[name] = made
        return name

    def add_extras(self, made, shape, vertices, number, placed):
        for name, values in shape.extras:
            if name == "initVel":
                for key, part in (("velocity", values[:3]), ("angular_velocity", np.radians(values[3:]).tolist())):
                    if any(part):
                        made[key] = part
            elif name == "DBC":
                self.add_boundary(made, shape, values, vertices, number, placed)
            elif name == "NBC":
                self.add_load(made, shape, values, vertices, number)
            elif name != "material":
                self.lose(shape.line, f"{name}: is not expressed")

    def add_load(self, made, shape, values, vertices, number):
        """An acceleration of chosen vertices: on their masses, which are shares of the volume."""
        found = [int(v) for v in number[chosen_in_box(values, vertices)] if v >= 0]
        if not found:
            return
        density = dict(shape.extras).get("material", self.material)[0]
        force = [density * value for value in values[6:9]]
        if len(values) == 11:
            force = [f"(t > {values[9]!r} && t < {values[10]!r}) ? {value!r} : 0" for value in force]
        made.setdefault("loads", []).append({"body_force": force, "list": found})

    def add_boundary(self, made, shape, values, vertices, number, placed):
        chosen = chosen_in_box(values, vertices)
        begin, end = values[12:14] if len(values) == 14 else (0, math.inf)
        if begin > 0:
            self.lose(shape.line, f"DBC: it begins at {begin:g} s, here it holds from the start on")
        taken = {v for entry in made.get("boundary", []) for v in entry["list"]}
        found = [int(v) for v in number[chosen] if v >= 0 and int(v) not in taken]
        if not found:
            return
        entry = {"list": found}
        motion = self.motion([("linearVelocity", values[6:9]), ("angularVelocity", values[9:12])], placed[chosen])
        if motion:
            entry["motion"] = motion
        if end < self.scene["time"]["duration"]:
            entry["release"] = end
        made.setdefault("boundary", []).append(entry)

    def add_obstacle(self, line, file, translate, rotate, scale, extras):
        path = meshes.find(file, self.path, self.root)
        ending = os.path.splitext(path)[1]
        source = path if os.path.exists(path) else os.path.splitext(path)[0] + ".obj"
        vertices, faces, segments = meshes.read_obj(source)
        if ending == ".obj":
            spec = {"file": self.relative(path)}
        elif ending == ".seg":
            spec = {"generate": "segments", "points": vertices.tolist(), "segments": [list(pair) for pair in segments or meshes.edges_of(faces)]}
        else:
            spec = {"generate": "points", "points": vertices.tolist()}
        turn, matrix = axis_angle(rotate)
        motion = self.motion(extras, (vertices * scale) @ matrix.T + translate)
        made = {"name": self.name(os.path.splitext(os.path.basename(file))[0]), "type": "scripted" if motion else "fixed",
                "mesh": self.add_mesh(path, spec, scale)}
        if motion:
            made["motion"] = motion
        for name, _ in extras:
            if name not in ("linearVelocity", "angularVelocity", "material"):
                self.lose(line, f"{name} of an obstacle: is not expressed")
        self.place(made, translate, turn)
        return made["name"]

    # ---- the whole

    def settle_pairs(self):
        own = self.scene["contact"]["friction"]
        pairs = [entry for entry in self.pairs if entry.get("exclude") or entry["friction"] != own or self.pairs[0].get("exclude")]
        if pairs:
            self.scene["contact"]["pairs"] = pairs


def make(path, shapes, settings, root, output):
    """(scene, what is lost); writes meshes beside `output` where simrun does not read IPC's."""
    maker = Maker(path, root, output)
    maker.set_all(settings)
    for shape in shapes:
        maker.add_shape(shape)
    maker.settle_pairs()
    return maker.scene, maker.lost
