"""A colour for each object that depends on its place in the file only: the same in every picture of a run."""
import colorsys

import numpy as np

PALETTE = [(0.90, 0.45, 0.25), (0.25, 0.55, 0.80), (0.95, 0.75, 0.30), (0.35, 0.65, 0.45), (0.65, 0.45, 0.70),
           (0.85, 0.55, 0.60), (0.45, 0.70, 0.75), (0.60, 0.50, 0.40)]
OBSTACLE = (0.78, 0.78, 0.76)
GOLDEN = 0.6180339887498949  # parts of the circle: hues one after the other lie far apart
SHADES = [(0.60, 0.85), (0.45, 0.95), (0.75, 0.70)]  # saturation, value


def mobile(kind):
    return kind in ("deformable", "rigid")


def object_colors(result):
    """[objects, 3], red, green and blue from 0 to 1: grey for what does not move by itself."""
    colors, number = [], 0
    for found in result.objects:
        colors.append(moving_color(number) if mobile(found.type) else OBSTACLE)
        number += mobile(found.type)
    return np.array(colors).reshape(-1, 3)


def moving_color(number):
    if number < len(PALETTE):
        return PALETTE[number]
    return colorsys.hsv_to_rgb(number * GOLDEN % 1, *SHADES[number % len(SHADES)])
