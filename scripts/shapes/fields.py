"""Fields of a frame, under the names that the .xdmf gives them, and what is worked out from them: area and pressure of contact."""
import numpy as np

from simrun_results import tensors

POINT_FIELDS = {"displacement": "m", "velocity": "m/s", "contact_force": "N", "contact_pressure": "Pa", "contact_area": "m^2",
                "tension": "N"}
CELL_FIELDS = {"object": "", "von_mises": "Pa", "stress": "Pa", "strain": ""}
PRINCIPAL = {"max_principal_stress": ("stress", 0), "min_principal_stress": ("stress", 2),  # the tensor, and which of its principal
             "max_principal_strain": ("strain", 0), "min_principal_strain": ("strain", 2)}  # values, the largest being the first
OF_TETS = ("von_mises", *PRINCIPAL)  # one number a tetrahedron


def unit_of(name):
    name = PRINCIPAL[name][0] if name in PRINCIPAL else name
    return {**POINT_FIELDS, **CELL_FIELDS, "speed": "m/s"}[name]


def present(result):
    """Names of the fields that every frame of this file has."""
    there = {"velocity": result.has_velocities, "tension": result.has_tension, "von_mises": result.has_stress,
             "stress": result.has_stress_tensor, "strain": result.has_strain_tensor,
             **{name: result.has_contact_forces for name in ("contact_force", "contact_pressure", "contact_area")}}
    return [name for name in (*POINT_FIELDS, *CELL_FIELDS) if there.get(name, True)]


def point_field(frame, name):
    """[N,3], or [N] of pressure, area and tension, of all vertices."""
    return {"displacement": lambda: frame.displacements, "velocity": lambda: frame.velocities,
            "contact_force": lambda: frame.contact_forces, "contact_pressure": lambda: frame.contact_pressures,
            "contact_area": lambda: frame.contact_areas, "tension": lambda: frame.mean_tension}[name]()


def cell_field(frame, name, owner, tet):
    """Of cells that belong to the objects `owner` and lie in or on the tetrahedra `tet` (-1: none, which has no stress). Also the
    principal values; tensors are [.,6], in the order of the result."""
    if name == "object":
        return owner
    stored, which = PRINCIPAL.get(name, (name, None))
    of_tets = getattr(frame, stored)
    values = np.full((len(tet), *of_tets.shape[1:]), np.nan)
    values[tet >= 0] = of_tets[tet[tet >= 0]]
    return values if which is None else tensors.principal(values)[:, which]


def tets_of_triangles(result):
    """[F]: the tetrahedron behind each surface triangle, -1 where its object has none."""
    corners = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
    tets, triangles = result.tets, result.triangles
    behind = np.full(len(triangles), -1)
    if len(tets) == 0 or len(triangles) == 0:
        return behind
    faces = np.concatenate([tets[:, corners].reshape(-1, 3), triangles])
    _, same = np.unique(np.sort(faces, axis=1), axis=0, return_inverse=True)
    tet_of_face = np.full(same.max() + 1, -1)
    tet_of_face[same[:4 * len(tets)]] = np.repeat(np.arange(len(tets)), 4)
    return tet_of_face[same[4 * len(tets):]]
