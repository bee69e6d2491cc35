"""The text of an IPC scene: shapes and settings, each with its line."""
import collections

from common.command_line import FileComplaint

from .meshes import lines_of

Shape = collections.namedtuple("Shape", "line path translate rotate scale extras")  # extras: (name, [numbers])
Setting = collections.namedtuple("Setting", "line name words")
EXTRAS = {"material": (3, 3), "linearVelocity": (3, 3), "angularVelocity": (3, 3), "initVel": (6, 6), "DBC": (12, 14), "NBC": (9, 11)}


def joined_lines(path):
    """(number, words) of lines, those that end in a backslash joined with the next; comments and empty lines left out."""
    begun, words = None, []
    for number, line in enumerate(lines_of(path), 1):
        line = line.split("#")[0].rstrip()
        goes_on = line.endswith("\\")
        words += line.rstrip("\\").split()
        begun = begun or number
        if not goes_on:
            if words:
                yield begun, words
            begun, words = None, []
    if words:
        yield begun, words


def fail(path, line, what):
    raise FileComplaint(f"{path}: line {line}: {what}")


def numbers(path, line, words):
    try:
        return [float(word) for word in words]
    except ValueError:
        fail(path, line, f"{' '.join(words)}: expected numbers")


def read_shape(path, line, words):
    if len(words) < 10:
        fail(path, line, f"{' '.join(words)}: expected a file, then where it goes, how it is turned and scaled, three numbers each")
    values, extras, at = numbers(path, line, words[1:10]), [], 10
    while at < len(words):
        name = words[at]
        end = at + 1
        while end < len(words) and words[end] not in EXTRAS and words[end] not in ("meshSeq",):
            end += 1
        if name in EXTRAS:
            low, high = EXTRAS[name]
            if not low <= end - at - 1 <= high:
                fail(path, line, f"{name}: expected {low} numbers, found {end - at - 1}")
            extras.append((name, numbers(path, line, words[at + 1:end])))
        else:
            extras.append((name, words[at + 1:end]))
        at = end
    return Shape(line, words[0], values[:3], values[3:6], values[6:9], extras)


def read(path):
    """(shapes, settings)"""
    shapes, settings, wanted = [], [], 0
    for line, words in joined_lines(path):
        if wanted:
            shapes.append(read_shape(path, line, words))
            wanted -= 1
        elif words[0] == "shapes" and len(words) == 3 and words[2].isdigit():
            wanted = int(words[2])
        elif words[0] == "shape" and len(words) == 3:
            shapes.append(Shape(line, words[2], [0.0] * 3, [0.0] * 3, [1.0] * 3, []))
        else:
            settings.append(Setting(line, words[0], words[1:]))
    if wanted:
        fail(path, line, f"expected {wanted} more shapes")
    return shapes, settings
