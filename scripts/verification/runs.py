"""Scenes, runs and results for scripts/verify.py: what every case shares."""
import json
import os
import subprocess

import numpy as np

import simrun_results as sr

GRAVITY = 9.81
TIGHT = {"solver": {"tolerance": 1e-9}, "contact": {"friction": 0.5, "tolerance": 1e-8}}


class Failed(Exception):
    """A run that did not end as it should."""


class Row:
    """One line of the table: a number judged against what theory says; `holds` is None where it is only told."""

    def __init__(self, case, expected, measured, tolerance, holds, note=""):
        self.case, self.expected, self.measured = case, expected, measured
        self.tolerance, self.holds, self.note = tolerance, None if holds is None else bool(holds), note


def relative(case, unit, expected, measured, tolerance, note=""):
    """Row for a value that may be off by `tolerance` times the expected one."""
    error = abs(measured / expected - 1)
    return Row(case, f"{expected:.6g} {unit}", f"{measured:.6g} {unit} ({100 * (measured / expected - 1):+.2g} %)",
               f"{100 * tolerance:.2g} %", error <= tolerance, note)


def below(case, unit, bound, measured, note=""):
    """Row for a value that theory says is zero."""
    return Row(case, "0", f"{measured:.3g} {unit}", f"{bound:.0e} {unit}", measured <= bound, note)


def told(row):
    """The same number, of a setting for which nothing is promised."""
    row.tolerance, row.holds = "reported only", None
    return row


class Context:
    def __init__(self, simrun, simcheck, folder, quick, settings=()):
        self.simrun, self.simcheck, self.folder, self.quick = simrun, simcheck, folder, quick
        self.settings = [word for text in settings for word in ("--set", text)]
        os.makedirs(folder, exist_ok=True)

    def run(self, name, scene, must_finish=True, limit=None):
        """Writes the scene, runs it, and reads the result. `limit`: seconds after which a run counts as one that hangs."""
        path = os.path.join(self.folder, name + ".json")
        with open(path, "w") as file:
            json.dump(scene, file, indent=1)
        result = os.path.join(self.folder, name + ".h5")
        try:
            done = subprocess.run([self.simrun, path, "-o", result, "--quiet", "--threads", "1", *self.settings],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            raise Failed(f"{name}: not done after {limit} s") from None
        if done.returncode not in (0, 2) or (done.returncode and must_finish):
            raise Failed(f"{name}: exit status {done.returncode}: {done.stderr.strip()[:300]}")
        return Result(result)

    def judge(self, case, name, scene, rows, limit=300):
        """Rows of one run among many; one that does not end as it should is a row that does not hold, and the case goes on."""
        try:
            run = self.run(name, scene, limit=limit)
        except Failed as error:
            yield Row(case, "a run that ends", str(error).replace("\n", " ").replace("|", "/"), "", False)
        else:
            yield from rows(run)

    def check(self, result):
        """Exit status of simcheck: 0 where no surfaces intersect."""
        return subprocess.run([self.simcheck, result.path], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode


class Result:
    def __init__(self, path):
        self.path = path
        with sr.open(path) as result:
            self.status, self.reason = result.status, result.reason
            self.rest, self.tets, self.triangles = result.rest_positions, result.tets, result.triangles
            self.part = {body.name: body.vertices for body in result.objects}
            self.time, self.x, self.v = result.frames.time, result.frames.read("positions"), result.frames.read("velocities")
            self.steps, self.energies = dict(result.steps), result.steps.energy
            materials, bodies = result.scene["materials"], result.objects
            self.gravity = np.array(result.scene["gravity"])
        self.mass = np.zeros(len(self.rest))
        for body in bodies:
            if body.material:
                self.add_mass(self.tets[body.tets], materials[body.material]["density"])

    def add_mass(self, tets, density):
        a, b, c, d = (self.rest[tets[:, i]] for i in range(4))
        volume = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
        np.add.at(self.mass, tets, density * volume[:, None] / 4)

    def total_mass(self, name=None):
        return self.mass[self.part[name] if name else slice(None)].sum()

    def mean(self, what, name):
        """Of positions or velocities, over the mass of an object: [frames, 3]."""
        mass = self.mass[self.part[name]]
        return np.einsum("i,nij->nj", mass, what[:, self.part[name]]) / mass.sum()

    def place(self, name):
        return self.mean(self.x, name)

    def velocity(self, name):
        return self.mean(self.v, name)

    def energy(self):
        """J: kinetic, elastic and potential energy, before the first step and after each of them; a step that was not taken is left
        out. At time 0 the bodies of these scenes are at rest in themselves: every vertex has the velocity of its body."""
        taken = self.steps["accepted"] == 1
        after = self.energies[taken]
        before = 0.5 * self.mass @ (self.v[0]**2).sum(axis=1) - self.mass @ self.x[0] @ self.gravity
        return np.concatenate([[before], after])

    def unconverged(self):
        return int((self.steps["status"] != 0).sum())


def scene(materials, meshes, objects, dt, duration, **more):
    every = more.pop("every", 1)
    made = {"time": {"step": dt, "duration": duration}, "materials": materials, "meshes": meshes, "objects": objects,
            "output": {"every": every, "checkpoint": 1000000}}
    made.update(more)
    return made


def material(young=5e5, poisson=0.2, density=1000.0, damping=None):
    made = {"young": young, "poisson": poisson, "density": density}
    if damping:
        made["damping"] = damping
    return made


def box(size, cells):
    return {"generate": "box", "size": list(size), "cells": list(cells)}


def body(name, mesh, position, velocity=(0, 0, 0), rotation=None, rigid=False, material="soft"):
    made = {"name": name, "mesh": mesh, "material": material, "position": [float(c) for c in position],
            "velocity": [float(c) for c in velocity]}
    if rigid:
        made["type"] = "rigid"
    if rotation:
        made["rotation"] = rotation
    return made


def floor(size=(20, 20), thickness=0.1, rotation=None):
    """A fixed slab whose upper side is z = 0, or that plane turned about the origin, and its mesh."""
    turned = np.array([0, 0, -thickness / 2])
    if rotation:
        turned = turn(rotation) @ turned
    made = {"name": "floor", "type": "fixed", "mesh": "plate", "position": list(turned)}
    if rotation:
        made["rotation"] = rotation
    return made, {"generate": "slab", "size": list(size), "thickness": thickness, "cells": [1, 1]}


def turn(rotation):
    """Matrix of a scene's rotation (Rodrigues)."""
    axis = np.array(rotation["axis"], float)
    axis /= np.linalg.norm(axis)
    angle = np.radians(rotation["degrees"])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
