"""What is done to a drawn picture: light on it, glass before it, smooth edges. Pictures are [height, width] whole numbers of 32 bits, one
byte a colour, rows from the bottom.

For films every millisecond counts: colours are scaled two at a time, by parts of 256, and few rows at a time, which stay in the
processor's cache.
"""
import numpy as np

ROWS = 64
STEP = 28  # of the green, 0 to 255: what is an edge
ODD, EVEN = np.uint32(0xFF00FF00), np.uint32(0x00FF00FF)
HALF = np.uint32(0x7F7F7F7F)


def scaled(pixels, part):
    """Every byte times part / 256."""
    odd = (pixels >> 8) & EVEN
    odd *= part
    odd &= ODD
    even = pixels & EVEN
    even *= part
    even >>= 8
    even &= EVEN
    return np.bitwise_or(odd, even, out=odd)


def mean(a, b):
    """Of every byte, rounded down."""
    return (a & b) + (((a ^ b) >> 1) & HALF)


def between(new, old):
    """For `new` places evenly over `old` rows: the row before, the row behind, and the part of the latter."""
    at = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
    low = np.minimum(at.astype(int), max(old - 2, 0))
    return low, np.minimum(low + 1, old - 1), (at - low).astype(np.float32)


class Pane:
    """Glass: its picture, and where it is nearer than what is behind it, by depth as OpenGL has it."""

    def __init__(self, pixels, depth, opacity):
        self.part = np.uint32(round(256 * opacity))
        self.pixels, self.depth = scaled(pixels, self.part), depth


def composed(pixels, depth, light, pane):
    """Times light, which is coarse, from 0 to 1, and linear in between; behind the pane, or None."""
    height, width = pixels.shape
    made = np.empty_like(pixels)
    left, right, part = between(width, light.shape[1])
    across = 256 * (np.take(light, left, 1) * (1 - part) + np.take(light, right, 1) * part)
    low, high, part = between(height, len(light))
    for begin in range(0, height, ROWS):
        rows = slice(begin, begin + ROWS)
        below = across[low[rows]]
        shade = (below + part[rows, None] * (across[high[rows]] - below)).astype(np.uint32)
        if pane:
            seen = (pane.depth[rows] < depth[rows]).astype(np.uint32)
            shade -= (shade * (seen * pane.part)) >> 8
            made[rows] = scaled(pixels[rows], shade)
            made[rows] += pane.pixels[rows] * seen
        else:
            made[rows] = scaled(pixels[rows], shade)
    return made


def halved(pixels):
    return mean(mean(pixels[0::2, 0::2], pixels[1::2, 1::2]), mean(pixels[0::2, 1::2], pixels[1::2, 0::2]))


def edges(green):
    """[h,w]: the pixels beside a step, without the border."""
    steep = np.maximum(green[1:], green[:-1]) - np.minimum(green[1:], green[:-1]) > STEP
    found = np.zeros(green.shape, bool)
    found[1:-1] = steep[1:] | steep[:-1]
    steep = np.maximum(green[:, 1:], green[:, :-1]) - np.minimum(green[:, 1:], green[:, :-1]) > STEP
    found[1:-1, 1:-1] |= steep[1:-1, 1:] | steep[1:-1, :-1]
    found[:, [0, -1]] = False
    return found


def smoothed(pixels):
    """Pixels beside an edge take a half from the four around them: stairs become ramps."""
    row, flat = pixels.shape[1], pixels.ravel()
    at = np.flatnonzero(edges(((pixels >> 8) & 255).astype(np.uint8)))
    around = mean(mean(flat[at - row], flat[at + row]), mean(flat[at - 1], flat[at + 1]))
    flat[at] = mean(flat[at], around)
    return flat.reshape(pixels.shape)
