"""Hertz: an elastic body with a spherical underside, pressed on a rigid plane without friction.

    a^3 = 3 F R / (4 E*),   p0 = 3 F / (2 pi a^2),   E* = E / (1 - nu^2),   p(r) = p0 sqrt(1 - r^2 / a^2)

F, a and p0 are taken from the forces that the elements exert on the vertices in contact, computed here from the positions
(co-rotational linear elasticity; the floor balances them at rest): a from their second moment, which is
sum f r^2 / sum f = 2 a^2 / 5, and p0 from the vertices within a/4 of the axis, over the mean of p / p0 there.
"""
import os

import numpy as np

from verification.runs import Row, floor, relative, scene

RADIUS, WIDTH, HEIGHT = 1.0, 0.6, 0.6  # m: of the sphere; half the body's width, and its height
YOUNG, POISSON = 1e6, 0.3
PUSH = 0.004  # m: of the body's upper face; contact then stays small against the body
GAP = 1e-6
GRADING = 4.0


def tetrahedra(nx, ny, nz):
    """Six tetrahedra a cell (Kuhn), x fastest."""
    def index(i, j, k):
        return i + (nx + 1) * (j + (ny + 1) * k)

    i, j, k = (a.ravel() for a in np.meshgrid(range(nx), range(ny), range(nz), indexing="ij"))
    tets = []
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        corner, path = [i, j, k], [index(i, j, k)]
        for axis in order:
            corner = [c + (axis == n) for n, c in enumerate(corner)]
            path.append(index(*corner))
        even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        tets.append(np.stack(path if even else [path[0], path[2], path[1], path[3]], axis=1))
    return np.concatenate(tets)


def pole_height(points):
    return RADIUS - np.sqrt(RADIUS**2 - points[..., 0]**2 - points[..., 1]**2)


def write_mesh(base, cells):
    """Cells are small at the pole and grow away from it."""
    u = np.sinh(GRADING * np.linspace(-1, 1, 2 * cells + 1)) / np.sinh(GRADING) * WIDTH
    w = np.sinh(GRADING * np.linspace(0, 1, cells + 1)) / np.sinh(GRADING)
    z, y, x = np.meshgrid(w, u, u, indexing="ij")
    x, y, z = x.ravel(), y.ravel(), z.ravel()
    under = pole_height(np.stack([x, y], axis=1))
    points = np.stack([x, y, under + (HEIGHT - under) * z], axis=1)
    tets = tetrahedra(2 * cells, 2 * cells, cells)
    with open(base + ".node", "w") as file:
        file.write(f"{len(points)} 3 0 0\n")
        file.writelines(f"{n} {p[0]:.17g} {p[1]:.17g} {p[2]:.17g}\n" for n, p in enumerate(points))
    with open(base + ".ele", "w") as file:
        file.write(f"{len(tets)} 4 0\n")
        file.writelines(f"{n} {t[0]} {t[1]} {t[2]} {t[3]}\n" for n, t in enumerate(tets))
    return WIDTH * GRADING / np.sinh(GRADING) / cells


def internal_forces(rest, x, tets):
    """What the elements exert on their vertices, N."""
    lame, shear = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
    edges = np.stack([rest[tets[:, n]] - rest[tets[:, 0]] for n in (1, 2, 3)], axis=2)
    now = np.stack([x[tets[:, n]] - x[tets[:, 0]] for n in (1, 2, 3)], axis=2)
    inverse = np.linalg.inv(edges)
    u, s, vt = np.linalg.svd(now @ inverse)
    turned = u @ vt
    strain = np.swapaxes(vt, 1, 2) @ (s[:, :, None] * vt) - np.eye(3)
    stress = 2 * shear * strain + lame * np.trace(strain, axis1=1, axis2=2)[:, None, None] * np.eye(3)
    volume = np.abs(np.linalg.det(edges)) / 6
    part = -volume[:, None, None] * (turned @ stress @ np.swapaxes(inverse, 1, 2))
    force = np.zeros_like(rest)
    for n in (1, 2, 3):
        np.add.at(force, tets[:, n], part[:, :, n - 1])
    np.add.at(force, tets[:, 0], -part.sum(axis=2))
    return force


def areas(x, triangles):
    """A third of the triangles around each vertex, seen from above."""
    a, b, c = (x[triangles[:, n], :2] for n in range(3))
    area = 0.5 * np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    total = np.zeros(len(x))
    np.add.at(total, triangles, area[:, None] / 3)
    return total


def press(context, cells):
    """Size of the smallest cells, force, radius and peak pressure."""
    base = os.path.join(context.folder, f"hertz-{cells}")
    size = write_mesh(base, cells)
    plate, mesh = floor((4, 4))
    top = {"plane": {"point": [0, 0, HEIGHT], "normal": [0, 0, 1]},
           "motion": {"keyframes": [{"time": 0}, {"time": 1, "translation": [0, 0, -PUSH]}]}}
    made = scene({"soft": {"young": YOUNG, "poisson": POISSON, "density": 1000}},
                 {"cap": {"file": f"hertz-{cells}.node"}, "plate": mesh},
                 [{"name": "cap", "mesh": "cap", "material": "soft", "position": [0, 0, GAP], "boundary": [top]}, plate],
                 0.05, 2.0, every=10, gravity=[0, 0, 0], contact={"friction": 0.0})
    run = context.run(f"hertz-{cells}", made)
    part = run.part["cap"]
    x, rest = run.x[-1][part], run.rest[part]
    force = internal_forces(rest, x, run.tets[(run.tets < part.stop).all(axis=1)])
    under = run.triangles[(run.triangles < part.stop).all(axis=1)]
    area = areas(rest, under[(rest[under, 2] <= pole_height(rest[under]) + 2 * GAP).all(axis=1)])
    touching = (area > 0) & (x[:, 2] < 2e-5)
    push, r = -force[touching, 2], np.linalg.norm(x[touching, :2], axis=1)
    total = push.sum()
    radius = np.sqrt(2.5 * (push * r**2).sum() / total)
    inner = r < radius / 4
    shape = np.sqrt(1 - (r[inner] / radius)**2)
    peak = push[inner].sum() / (area[touching][inner] * shape).sum()
    return size, total, radius, peak, run


def hertz(context):
    found = [(cells, *press(context, cells)) for cells in ((12,) if context.quick else (6, 8, 12, 16))]
    stiff = YOUNG / (1 - POISSON**2)

    def expected(total):
        radius = (3 * total * RADIUS / (4 * stiff)) ** (1 / 3)
        return radius, 3 * total / (2 * np.pi * radius**2)

    radii, peaks = [], []
    for cells, size, total, radius, peak, run in found:
        theory = expected(total)
        radii.append(f"h {size / theory[0]:.2g} a: {100 * (radius / theory[0] - 1):+.2g} %")
        peaks.append(f"h {size / theory[0]:.2g} a: {100 * (peak / theory[1] - 1):+.2g} %")
    cells, size, total, radius, peak, run = found[-1]
    theory = expected(total)
    yield relative(f"Hertz, F = {total:.4g} N: contact radius", "m", theory[0], radius, 0.05, ", ".join(radii))
    yield relative(f"Hertz, F = {total:.4g} N: peak pressure", "Pa", theory[1], peak, 0.05, ", ".join(peaks))
    yield Row("Hertz, finest mesh: steps that did not converge", "0", str(run.unconverged()), "0",
              run.unconverged() == 0)
