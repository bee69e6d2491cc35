"""Symmetric tensors as frames hold them, six components each, and what is worked out from them."""
import numpy as np

COMPONENTS = ("xx", "xy", "xz", "yy", "yz", "zz")
ENTRIES = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])


def full(components):
    """[...,3,3] of [...,6]."""
    return np.asarray(components)[..., ENTRIES]


def principal(components):
    """[...,3] of [...,6]: the principal values, the largest first; NaN where the tensor is not there."""
    components = np.asarray(components, float)
    values = np.full((*components.shape[:-1], 3), np.nan)
    there = np.isfinite(components).all(axis=-1)
    values[there] = np.linalg.eigvalsh(full(components[there]))[..., ::-1]
    return values
