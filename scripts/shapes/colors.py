"""A colour for each object that depends on its place in the file only: the same in every picture of a run."""
import colorsys

PALETTE = [(0.90, 0.45, 0.25), (0.25, 0.55, 0.80), (0.95, 0.75, 0.30), (0.35, 0.65, 0.45), (0.65, 0.45, 0.70),
           (0.85, 0.55, 0.60), (0.45, 0.70, 0.75), (0.60, 0.50, 0.40)]
OBSTACLE = (0.78, 0.78, 0.76)
GOLDEN = 0.6180339887498949  # parts of the circle: hues one after the other lie far apart
SHADES = [(0.60, 0.85), (0.45, 0.95), (0.75, 0.70)]  # saturation, value


def mobile(kind):
    return kind in ("deformable", "rigid")


def color_of_object(result, index):
    """(red, green, blue) from 0 to 1: grey for what does not move by itself."""
    if not mobile(result.objects[index].type):
        return OBSTACLE
    number = sum(mobile(found.type) for found in result.objects[:index])
    if number < len(PALETTE):
        return PALETTE[number]
    return colorsys.hsv_to_rgb(number * GOLDEN % 1, *SHADES[number % len(SHADES)])
