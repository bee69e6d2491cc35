"""The grid of a sweep: keys of the scene with the values that they take, and the points that these make."""
import collections
import decimal
import hashlib
import itertools
import re

from common.command_line import Complaint

Point = collections.namedtuple("Point", "name values")  # values: {key: text as typed}
LONGEST_VALUE, LONGEST_NAME = 32, 120  # characters, in names of files
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
RANGE = re.compile(f"({NUMBER}):({NUMBER}):({NUMBER})")
MOST_VALUES = 10000  # of a range


class GridError(Complaint):
    """What is wrong with an option, in one line."""


def split(text):
    """At the commas that are not inside brackets, braces or quotes: "0.1,[0,0,-9.81]" has two values."""
    values, depth, quoted = [""], 0, False
    for c in text:
        if c == "," and not depth and not quoted:
            values.append("")
            continue
        quoted ^= c == '"'
        depth += 0 if quoted else (c in "[{") - (c in "]}")
        values[-1] += c
    if depth or quoted:
        raise GridError(f"{text}: a bracket or a quote is not closed")
    return values


def in_range(value, text):
    """0.1:0.5:0.1 as 0.1, 0.2, ... 0.5: counted in decimals, so that the end is one of them where the step leads there."""
    begin, end, step = (decimal.Decimal(part) for part in RANGE.fullmatch(value).groups())
    count = (end - begin) / step if step else None
    if count is None or count < 0:
        raise GridError(f"{text}: the range {value} never ends; expected BEGIN:END:STEP, with a step that leads from the one to the other")
    if count >= MOST_VALUES:
        raise GridError(f"{text}: the range {value} has {int(count) + 1} values; expected at most {MOST_VALUES}")
    nearest = count.to_integral_value()
    meets_end = abs(count - nearest) < decimal.Decimal("1e-9")
    whole = int(nearest if meets_end else count)
    values = [begin + k * step for k in range(whole + 1)]
    if meets_end:
        values[-1] = end
    return [format(float(value), ".15g") for value in values]


def parse(text):
    """KEY=VALUE,VALUE,...: the key and its values, those of ranges one by one."""
    key, equals, rest = text.partition("=")
    if not key or not equals:
        raise GridError(f"{text}: expected KEY=VALUE,VALUE,..., as in contact.friction=0.1,0.3")
    values = [value.strip() for value in split(rest)]
    values = [one for value in values for one in (in_range(value, text) if RANGE.fullmatch(value) else [value])]
    if "" in values:
        raise GridError(f"{text}: there is an empty value")
    twice = [value for value, count in collections.Counter(values).items() if count > 1]
    return key.strip(), values, twice


def axes(grids, zips):
    """An axis is a list of assignments. Those of --grid vary one key, those of --zip several keys together."""
    found = []
    for text in grids:
        key, values, twice = parse(text)
        if twice:
            raise GridError(f"--grid {text}: {twice[0]} is there twice")
        found.append([{key: value} for value in values])
    for group in zips:
        parsed = [parse(text) for text in group]
        if len({len(values) for _, values, _ in parsed}) > 1:
            counts = ", ".join(f"{key} has {len(values)}" for key, values, _ in parsed)
            raise GridError(f"--zip {' '.join(group)}: expected as many values for each key, but {counts}")
        check_keys([key for key, _, _ in parsed])
        found.append([dict(zip([key for key, _, _ in parsed], row)) for row in zip(*(values for _, values, _ in parsed))])
    check_keys([key for axis in found for key in axis[0]])
    return found


def check_keys(keys):
    for key, count in collections.Counter(keys).items():
        if count > 1:
            raise GridError(f"{key} is given {count} times; name each key once")


def points(found):
    """All combinations of the axes, the first varying slowest."""
    keys = [key for axis in found for key in axis[0]]
    labels = labels_of(keys)
    combined = [{key: value for part in parts for key, value in part.items()} for parts in itertools.product(*found)]
    made = [Point(name_of(values, labels), values) for values in combined]
    for name, count in collections.Counter(point.name for point in made).items():
        if count > 1:
            raise GridError(f"{count} points of the grid are alike: {name}")
    return made


def labels_of(keys):
    """The last part of a key, with as many before it as make it unlike the others."""
    def label(key, parts):
        return ".".join(key.split(".")[-parts:])
    found = {}
    for key in keys:
        parts = 1
        while parts < len(key.split(".")) and any(label(key, parts) == label(other, parts) for other in keys if other != key):
            parts += 1
        found[key] = label(key, parts)
    return found


def plain(text):
    """The text where it may stand in the name of a file; else what is left of it, and a few digits that tell it from others."""
    safe = re.sub(r"[^A-Za-z0-9.+-]+", "_", text)
    if safe == text and len(text) <= LONGEST_VALUE:
        return text
    return f"{safe[:LONGEST_VALUE]}~{hashlib.sha256(text.encode()).hexdigest()[:6]}"


def name_of(values, labels):
    name = "_".join(f"{plain(labels[key])}={plain(value)}" for key, value in values.items())
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}~{hashlib.sha256(name.encode()).hexdigest()[:8]}"
