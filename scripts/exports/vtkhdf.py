"""VTKHDF: all frames in one HDF5 file, with their times, for ParaView from 5.12 on and VTK from 9.3 on; older ones show its first frame.

Reference: VTKHDF format specification, version 2.0. Arrays of all steps stand one after the other, and `Steps` says where each begins;
what does not change from frame to frame is there once. Text is of fixed length, which readers before 9.3 insist on.
"""
import os

import h5py
import numpy as np

import shapes
from common.files import new_name

from .vtu import TENSOR, cells_of


def offsets_of(rows, frames, changes):
    """Where the rows of each frame begin."""
    return np.arange(frames, dtype=np.int64) * (rows if changes else 0)


class Fields:
    """Datasets for the rows of all frames, filled frame by frame."""

    def __init__(self, root, steps, kind, rows, frames):
        self.group = root.create_group(kind)
        self.offsets = steps.create_group(kind + "Offsets")
        self.rows, self.frames = rows, frames

    def once(self, name, values):
        self.group[name] = values
        self.offsets[name] = offsets_of(self.rows, self.frames, False)

    def put(self, name, frame, values):
        if name not in self.group:
            self.group.create_dataset(name, (self.frames * self.rows, *values.shape[1:]), values.dtype)
            self.offsets[name] = offsets_of(self.rows, self.frames, True)
        self.group[name][frame * self.rows:(frame + 1) * self.rows] = values


def write_cells(root, pieces):
    corners, ends, types = cells_of(pieces)
    root["NumberOfPoints"], root["NumberOfCells"] = np.array([len(pieces.points)]), np.array([len(types)])
    root["NumberOfConnectivityIds"] = np.array([len(corners)])
    root["Connectivity"], root["Types"] = corners, types
    root["Offsets"] = np.concatenate([[0], ends])


def write_steps(root, times, points):
    steps, count = root.create_group("Steps"), len(times)
    steps.attrs["NSteps"] = count
    steps["Values"] = times
    steps["PointOffsets"] = offsets_of(points, count, True)
    steps["NumberOfParts"] = np.ones(count, np.int64)
    for name in ("PartOffsets", "CellOffsets", "ConnectivityIdOffsets"):
        steps[name] = offsets_of(0, count, False)
    return steps


def reserve(path, fields, pieces, frames):
    """The room that the frames will take: of a full disk HDF5 tells late, and on a hundred lines."""
    width = {"contact_pressure": 1, "contact_area": 1, "tension": 1, "von_mises": 1, "stress": 6, "strain": 6}
    of_points = 3 + sum(width.get(name, 3) for name in fields if name in shapes.POINT_FIELDS)
    of_cells = sum(width.get(name, 0) for name in fields if name in shapes.CELL_FIELDS)
    with open(path, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 8 * frames * (of_points * len(pieces.points) + of_cells * len(pieces.owner)))


def fill(root, result, frames, pieces, fields):
    points = len(pieces.points)
    root.attrs["Version"], root.attrs["Type"] = np.array([2, 0]), np.bytes_("UnstructuredGrid")
    write_cells(root, pieces)
    root.create_dataset("Points", (len(frames) * points, 3), np.float64)
    steps = write_steps(root, result.frames.time[frames], points)
    of_points = Fields(root, steps, "PointData", points, len(frames))
    of_cells = Fields(root, steps, "CellData", len(pieces.owner), len(frames))
    of_points.once("vertex", pieces.points.astype(np.int32))
    of_cells.once("object", pieces.owner)
    for number, frame in enumerate(map(result.frames.__getitem__, frames)):
        root["Points"][number * points:(number + 1) * points] = frame.positions[pieces.points]
        for name in fields:
            if name in shapes.POINT_FIELDS:
                of_points.put(name, number, shapes.point_field(frame, name)[pieces.points])
            elif name != "object":
                values = shapes.cell_field(frame, name, pieces.owner, pieces.tet)
                of_cells.put(name, number, values if values.ndim == 1 else values[:, list(TENSOR.values())])


def write_all(path, result, frames, pieces):
    """Everything that the file holds of the frames of these numbers."""
    fields = shapes.present(result)
    with new_name(path) as new:
        reserve(new, fields, pieces, len(frames))
        with h5py.File(new, "w") as file:
            fill(file.create_group("VTKHDF"), result, frames, pieces, fields)
