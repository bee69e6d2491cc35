"""Forces of contacts for the player, rounded to a grid: /contacts of the frames that are shown, on the bodies that move.

The part "forces" is two rows of whole numbers (scripts/report/geometry.py): where the forces act, and the forces, of all frames one after
the other; those of frame k are from begin[k] up to begin[k + 1].
    place = origin + grid * whole number,   force = newton * (whole number - 32768)
"""
import numpy as np

import shapes

HALF = 32768
STEPS = 65535
SHORTEST = 0.01  # of the longest, that are shown


class Forces:
    """Of some frames; `trouble` says why there are none."""

    def __init__(self, result, numbers):
        self.trouble, self.found = "", {}
        if not result.has_contacts:
            self.trouble = "the file has no contacts (output.contacts)"
            return
        for number in numbers:
            places, forces = shapes.arrows(result, result.frames[number], "contacts")
            if not (np.isfinite(places).all() and np.isfinite(forces).all()):
                self.trouble = "some are not finite"
                return
            self.found[number] = places, forces
        self.longest = max((np.linalg.norm(forces, axis=1).max(initial=0.0) for _, forces in self.found.values()), default=0.0)
        self.found = {number: self.seen(*both) for number, both in self.found.items()}
        everywhere = np.concatenate([places for places, _ in self.found.values()]) if self.found else np.zeros((0, 3))
        self.origin = everywhere.min(axis=0) if len(everywhere) else np.zeros(3)
        self.grid = float((everywhere.max(axis=0) - self.origin).max() / STEPS) if len(everywhere) else 0.0
        self.newton = float(self.longest / (HALF - 1))

    def seen(self, places, forces):
        size = np.linalg.norm(forces, axis=1)
        kept = (size > 0) & (size >= SHORTEST * self.longest)
        return places[kept], forces[kept]

    def rows(self, numbers):
        places, forces = (np.concatenate([self.found[number][side] for number in numbers]) for side in (0, 1))
        return [np.rint((places - self.origin) / (self.grid or 1)).astype(np.uint16).ravel(),
                (np.rint(forces / (self.newton or 1)).astype(np.int64) + HALF).astype(np.uint16).ravel()]

    def about(self, numbers):
        if self.trouble:
            return None
        return {"begin": np.cumsum([0, *(len(self.found[number][0]) for number in numbers)]).tolist(), "origin": self.origin.tolist(),
                "grid": self.grid, "newton": self.newton, "longest": float(self.longest)}
