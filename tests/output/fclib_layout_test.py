"""Reads a file of the hand-worked problem of fclib_test.cpp as any other program would. Exit status 77: no h5py."""
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)


def dense(group):
    """Compressed columns, by their definition."""
    A = np.zeros((group["m"][0], group["n"][0]))
    p, i, x = group["p"][:], group["i"][:], group["x"][:]
    for column in range(A.shape[1]):
        for k in range(p[column], p[column + 1]):
            A[i[k], column] += x[k]
    return A


with h5py.File(sys.argv[1], "r") as file:
    root = file["fclib_global"]
    for matrix in (root["M"], root["H"]):
        assert matrix["nz"][0] == -1 and matrix["nzmax"][0] == len(matrix["x"]) == len(matrix["i"]) == matrix["p"][-1]
        assert all(matrix[name].dtype == np.int32 and matrix[name].shape == (1,) for name in ("nzmax", "m", "n", "nz"))
        assert matrix["p"].dtype == matrix["i"].dtype == np.int32 and matrix["x"].dtype == np.float64
    M = np.diag([3.0, 2, 2, 5, 4, 4])
    M[0, 3] = M[3, 0] = -1
    H = np.zeros((6, 3))
    H[2, 0] = H[0, 1] = H[1, 2] = 0.5
    H[5, 0] = H[3, 1] = H[4, 2] = -0.5
    assert root["spacedim"].shape == (1,) and root["spacedim"][0] == 3
    assert (dense(root["M"]) == M).all() and len(root["M/x"]) == 8
    assert (dense(root["H"]) == H).all() and len(root["H/x"]) == 6
    assert (root["vectors/f"][:] == [1, 2, 3, 4, 5, 6]).all()
    assert (root["vectors/w"][:] == [0.1, -0.2, 0.3]).all()
    assert (root["vectors/mu"][:] == [0.4]).all()
    assert (file["solution/v"][:] == [1, 2, 3, 4, 5, 6]).all()
    assert (file["solution/u"][:] == [7, 8, 9]).all()
    assert (file["solution/r"][:] == [10, 11, 12]).all()
