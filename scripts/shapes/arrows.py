"""Forces of a frame as arrows: where they act, and N. Those too short to be seen beside the longest are left out where they are drawn."""
import numpy as np

from .colors import mobile

KINDS = ("contacts", "vertices", "objects")


def arrows(result, frame, kind):
    """(points [K,3], forces [K,3]) on bodies that move by themselves.

    contacts: of each contact, the force on the side that moves; where both do, on the object that is later in the file. vertices: /frames/contact_forces.
    objects: the sum for each body, at the mean of its contact points weighted by their forces.
    """
    moves = np.array([mobile(found.type) for found in result.objects], bool)
    if kind == "vertices":
        return on_vertices(result, frame.positions, frame.contact_forces, moves)
    contacts = frame.contacts
    points, forces, owners = contacts.point, contacts.force, contacts.objects
    if kind == "contacts":
        first, second = (moves[owners[:, side]] for side in (0, 1))
        kept = (first | second) & (contacts.state != 0)
        on_first = first & (~second | (owners[:, 0] >= owners[:, 1]))
        return points[kept], np.where(on_first, 1.0, -1.0)[kept, None] * forces[kept]
    found = [on_object(row, points, forces, owners) for row in np.flatnonzero(moves)]
    found = [one for one in found if one is not None]
    return tuple(np.array([one[k] for one in found]).reshape(-1, 3) for k in (0, 1))


def on_vertices(result, positions, forces, moves):
    there = np.zeros(len(positions), bool)
    for found in result.objects:
        there[found.vertices] = moves[found.index]
    there &= np.any(forces != 0, axis=1)
    return positions[there], forces[there]


def on_object(row, points, forces, owners):
    """Place and sum of the forces on one object; None where nothing pushes it. Contacts with itself cancel."""
    sign = (owners[:, 0] == row).astype(float) - (owners[:, 1] == row)
    weights = abs(sign) * np.linalg.norm(forces, axis=1)
    if not weights.sum() > 0:
        return None
    return weights @ points / weights.sum(), sign @ forces
