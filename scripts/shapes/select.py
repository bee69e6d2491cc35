"""Frames and objects as they are named on a command line."""

from common.command_line import Complaint

HELP_FRAMES = ("frames by number, separated by commas: 7, -1 or last, a range a:b (without b) or a:b:c (every cth), or all")


class SelectionError(Complaint):
    """What was asked for is not there; one line that says what is."""


def choose_frames(text, count, path):
    """The numbers of the frames, in the order they are named."""
    if count == 0:
        raise SelectionError(f"{path}: has no frames yet")
    chosen = [number for part in text.split(",") for number in _part(part.strip(), count, path)]
    if not chosen:
        raise SelectionError(f"--frames {text}: chooses no frame; {_has(count, path)}")
    return chosen


def _has(count, path):
    return f"{path} has {count}, 0 to {count - 1}"


def _part(text, count, path):
    if text == "all":
        return range(count)
    if text == "last":
        return [count - 1]
    try:
        numbers = [int(number) if number.strip() else None for number in text.split(":")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2, 3) or numbers == [None]:
        raise SelectionError(f"--frames {text}: expected {HELP_FRAMES}")
    if len(numbers) == 1:
        return [_inside(numbers[0], count - 1, count, path)]
    begin, end, step = (numbers + [None])[:3]
    if step is not None and step < 1:
        raise SelectionError(f"--frames {text}: expected every 1st, 2nd, ... frame, got {step}")
    begin = 0 if begin is None else _inside(begin, count - 1, count, path)
    end = count if end is None else _inside(end, count, count, path)
    return range(begin, end, step or 1)


def _inside(number, last, count, path):
    if not -count <= number <= last:
        raise SelectionError(f"there is no frame {number}: {_has(count, path)}")
    return number + count if number < 0 else number


def choose_objects(names, result, option="--objects"):
    """Objects by name or by type, in the order of the file; all of them without names."""
    if not names:
        return list(result.objects)
    wanted = [name for text in names for name in text.split(",") if name]
    known = {found.name for found in result.objects} | {found.type for found in result.objects}
    for name in wanted:
        if name not in known:
            result_names = [found.name for found in result.objects]
            told = ", ".join(result_names[:8]) + (f" and {len(result_names) - 8} more" if len(result_names) > 8 else "")
            raise SelectionError(f"{option} {name}: there is no object or type of that name; {result.path} has {told}")
    return [found for found in result.objects if found.name in wanted or found.type in wanted]
