"""A page of scripts/report.py taken apart: its table, its text, and its geometry from the description in scripts/report/geometry.py."""
import base64
import html.parser
import json
import re
import zlib

import numpy as np


class Page(html.parser.HTMLParser):
    """The page as a browser takes it apart."""

    def __init__(self, path):
        super().__init__()
        self.path, self.elements, self.scripts, self.rows, self.text = path, [], {}, {}, ""
        self.script = self.label = self.cell = None
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.feed(self.source)
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag in ("script", "style"):
            self.script = attributes.get("id", tag)
            self.scripts[self.script] = ""
        if tag in ("th", "td", "data"):
            self.cell = tag
        if tag == "td":
            self.rows.setdefault(self.label, []).append("")
        if tag == "data":
            self.rows[self.label][-1] = attributes["value"]

    def handle_data(self, data):
        if self.script:
            self.scripts[self.script] += data
            return
        self.text += data
        if self.cell == "th":
            self.label = data
        if self.cell == "td":
            self.rows[self.label][-1] += data

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.script = None
        if tag in ("th", "td", "data"):
            self.cell = None

    def runs(self):
        return json.loads(self.scripts["runs"])

    def numbers(self, label):
        return [json.loads(text) for text in self.rows[label]]


def unpacked(text, width, count, length):
    """Rows of differences modulo 256^width, a plane for each byte, zlib, base64."""
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(count, width, length)
    differences = sum(planes[:, b].astype(np.int64) << 8 * b for b in range(width)) if length else planes[:, 0].astype(np.int64)
    return np.cumsum(differences, axis=0) % 256 ** width


def decoded(page, run):
    """Positions [frame, vertex, 3] and corners of the triangles, from the text of the page alone."""
    counts, frames = run["counts"], len(run["time"])
    still = counts["vertices"] - counts["moving"]
    moving = unpacked(page.scripts[run["parts"]["moving"]], 2, frames, 3 * counts["moving"])
    fixed = unpacked(page.scripts[run["parts"]["still"]], 2, 1, 3 * still)
    whole = np.hstack([moving, np.repeat(fixed, frames, axis=0)]).reshape(frames, counts["vertices"], 3)
    positions = np.empty(whole.shape)
    for thing in run["objects"]:
        rows = slice(thing["first"], thing["first"] + thing["count"])
        positions[:, rows] = np.array(thing["origin"]) + thing["grid"] * whole[:, rows]
    return positions, unpacked(page.scripts[run["parts"]["triangles"]], 4, 3, counts["triangles"]).T


def stated(page, run=0):
    """Metres by which positions are off at most, as the page tells its reader: of what can move, of what is fixed."""
    notes = [a for tag, a in page.elements if "data-note-of" in a]
    assert len(notes) == len(page.runs())
    moving = re.findall(r"objects that can move by at most (\S+) m", page.text)
    fixed = re.findall(r"fixed ones by at most (\S+) m", page.text)
    return float(moving[run]), float(fixed[run])
