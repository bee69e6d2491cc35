"""Large compression of the neo-Hookean law, psi = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2: foam under a weight, a ball between
plates. Stresses and volumes are computed here from the positions, by that law alone: what the program puts in its place where a
tetrahedron is nearly flat shows as a difference."""
import numpy as np

import simrun_results as sr
from verification.runs import GRAVITY, Row, body, box, floor, relative, scene
from verification.stiff import iterations

FOAM = {"model": "neo-hookean", "young": 1e5, "poisson": 0.0, "density": 100.0, "damping": {"mass": 0, "stiffness": 0.05}}
WIDTH, HEIGHT, PLATE, THICK = 0.3, 0.1, 0.36, 0.05  # m


def foam_scene(pressure):
    """A rigid plate as heavy as `pressure` times the area of the foam beneath it."""
    plate, mesh = floor((4, 4))
    heavy = {"young": 1e5, "density": pressure * WIDTH**2 / (GRAVITY * PLATE**2 * THICK)}
    gap = 1e-6
    return scene({"foam": FOAM, "heavy": heavy},
                 {"foam": box((WIDTH, WIDTH, HEIGHT), (4, 4, 2)), "weight": box((PLATE, PLATE, THICK), (1, 1, 1)), "plate": mesh},
                 [body("foam", "foam", (0, 0, HEIGHT / 2 + gap), material="foam"),
                  body("weight", "weight", (0, 0, HEIGHT + THICK / 2 + 2 * gap), rigid=True, material="heavy"), plate],
                 2e-3, 2.0, every=20)


def foam_height(pressure):
    """Without lambda the sides are free of stress where they keep their width, and mu (1/s - s) = p for the stretch s upwards;
    p grows downwards by the foam's own weight."""
    shear, depth = FOAM["young"] / 2, (np.arange(1000) + 0.5) / 1000 * HEIGHT
    p = (pressure + FOAM["density"] * GRAVITY * depth) / shear
    return HEIGHT * np.mean(0.5 * (np.sqrt(p**2 + 4) - p))


def foam(context):
    for share in (0.5,) if context.quick else (0.1, 0.25, 0.5, 1.0):
        case = f"foam: neo-Hookean, nu 0, under a weight of {share:g} E"

        def rows(run, case=case, pressure=share * FOAM["young"]):
            height = np.ptp(run.x[-1, run.part["foam"], 2])
            speed = np.abs(run.v[-1]).max()
            yield relative(f"{case}: height", "m", foam_height(pressure), height, 0.01,
                           f"{height / HEIGHT:.4g} of that at rest; last speed {speed:.1e} m/s; {iterations(run)}")
            least = jacobians(run, "foam", every=True)
            yield Row(f"{case}: least J of any tetrahedron at any frame", "> 0", f"{least.min():.3g}", "none", least.min() > 0)
        yield from context.judge(case, f"foam-{share:g}", foam_scene(share * FOAM["young"]), rows)


BALL = {"model": "neo-hookean", "young": 5e5, "poisson": 0.45, "density": 1000.0}
RADIUS, LEFT = 0.05, 0.2  # m; share of the diameter that the plates leave
PRESS, HOLD = 0.8, 0.2  # s


def ball_scene(dt, resolution):
    """Two plates come together and stay."""
    way, gap, half = RADIUS * (1 - LEFT), 1e-6, 0.02

    def plate(name, side):
        return {"name": name, "type": "scripted", "mesh": "plate", "position": [0, 0, side * (RADIUS + gap + half)],
                "motion": {"keyframes": [{"time": 0}, {"time": PRESS, "translation": [0, 0, -side * way]}]}}
    made = scene({"soft": BALL}, {"ball": {"generate": "sphere", "radius": RADIUS, "resolution": resolution},
                                  "plate": {"generate": "slab", "size": [0.6, 0.6], "thickness": 2 * half, "cells": [1, 1]}},
                 [body("ball", "ball", (0, 0, 0)), plate("upper", 1), plate("lower", -1)], dt, PRESS + HOLD,
                 every=max(1, round(0.02 / dt)), gravity=[0, 0, 0])
    made["output"]["contact_forces"] = True
    return made


def gradients(rest, x, tets):
    """Deformation gradients, and the volumes at rest."""
    edges = np.stack([rest[tets[:, n]] - rest[tets[:, 0]] for n in (1, 2, 3)], axis=2)
    now = np.stack([x[tets[:, n]] - x[tets[:, 0]] for n in (1, 2, 3)], axis=2)
    return now @ np.linalg.inv(edges), np.linalg.det(edges) / 6, np.linalg.inv(edges)


def tets_of(run, name):
    part = run.part[name]
    return run.tets[((run.tets >= part.start) & (run.tets < part.stop)).all(axis=1)]


def jacobians(run, name, every=False):
    tets = tets_of(run, name)
    return np.array([np.linalg.det(gradients(run.rest, x, tets)[0]) for x in (run.x if every else run.x[-1:])])


def forces(rest, x, tets):
    """What the elements of the ball exert on their vertices, N, by the law alone; that asks for J > 0."""
    F, volume, inverse = gradients(rest, x, tets)
    E, nu = BALL["young"], BALL["poisson"]
    shear, lame = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
    turned = np.swapaxes(np.linalg.inv(F), 1, 2)
    stress = shear * F + (lame * np.log(np.linalg.det(F)) - shear)[:, None, None] * turned
    part = -volume[:, None, None] * (stress @ np.swapaxes(inverse, 1, 2))
    force = np.zeros_like(rest)
    for n in (1, 2, 3):
        np.add.at(force, tets[:, n], part[:, :, n - 1])
    np.add.at(force, tets[:, 0], -part.sum(axis=2))
    return force


def contact_forces(run):
    """N, on every vertex, at the end."""
    with sr.open(run.path) as result:
        return result.frames[-1].contact_forces


def pressed(run):
    """Force of the upper plate, N; the least J of all frames and the share of tetrahedra that were ever inverted; the volume."""
    least = jacobians(run, "ball", every=True)
    volume = gradients(run.rest, run.x[-1], tets_of(run, "ball"))[1]
    return (contact_forces(run)[run.part["upper"], 2].sum(), least.min(), (least <= 0).any(axis=0).mean(),
            np.average(least[-1], weights=volume))


def ball(context):
    resolution, steps = (3, (0.01, 0.005)) if context.quick else (5, (0.01, 0.005, 0.0025))
    runs = {}
    for dt in steps:
        case = f"ball: neo-Hookean, nu 0.45, {20 * resolution**3} tetrahedra, pressed to a fifth, dt {dt:g}"

        def rows(run, case=case, dt=dt):
            runs[dt] = run
            force, least, inverted, volume = pressed(run)
            yield Row(f"{case}: inverted tetrahedra", "0", f"{100 * inverted:.3g} %", "none", inverted == 0,
                      f"least J {least:.3g}; volume {volume:.4g} of that at rest; plate force {force:.5g} N; {iterations(run)}")
        yield from context.judge(case, f"ball-{dt:g}", ball_scene(dt, resolution), rows, limit=900)
    if runs:
        yield from balanced(*list(runs.items())[0])
    if len(runs) > 1:
        first, *finer = [pressed(run)[0] for run in runs.values()]
        for dt, force in zip(list(runs)[1:], finer):
            yield relative(f"ball: force of the plate at dt {list(runs)[0]:g} against that at {dt:g}", "N", force, first, 0.02)


def balanced(dt, run):
    """At rest the plate carries what the upper half pushes with, and the virial of the plates' forces f gives the mean of ln J:
    3 lambda mean(ln J) + mu mean(I1 - 3) = sum f.x / V."""
    part, tets = run.part["ball"], tets_of(run, "ball")
    F, volume, _ = gradients(run.rest, run.x[-1], tets)
    jacobian, f = np.linalg.det(F), contact_forces(run)
    case = f"ball: dt {dt:g}"
    if jacobian.min() <= 0:
        yield Row(f"{case}: force of the plate by the law from the positions", f"{f[run.part['upper'], 2].sum():.5g} N",
                  "none: tetrahedra are inverted", "0.1 %", False)
        return
    x = run.x[-1]
    upper = np.arange(part.start, part.stop)[x[part, 2] > 0]
    push = forces(run.rest, x, tets)[upper, 2].sum()
    yield relative(f"{case}: force of the plate, against the law from the positions", "N", push, f[run.part["upper"], 2].sum(), 0.001)
    E, nu = BALL["young"], BALL["poisson"]
    shear, lame = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
    stretch = np.average((F**2).sum(axis=(1, 2)) - 3, weights=volume)
    expected = ((f[part] * x[part]).sum() / volume.sum() - shear * stretch) / (3 * lame)
    yield relative(f"{case}: mean of ln J, against the law from the forces", "", expected,
                   np.average(np.log(jacobian), weights=volume), 0.001)
