"""The .xdmf beside a result, as simrun writes it (libsim/output/xdmf.cpp), for the name that the result has now.

It holds no numbers but times: all else is read from the result by ParaView. Where the result was renamed, or came without it.
"""
import os
from xml.sax.saxutils import escape, quoteattr

from common.files import replacing

F64, I32 = 'NumberType="Float" Precision="8"', 'NumberType="Int" Precision="4"'


def reference_to(name):
    """As ParaView's reader takes it: of a plain name as it is; the reader cuts others at a colon, or does not find them."""
    plain = name[0] != " " and all(" " <= c <= "~" and c != ":" for c in name)
    return name if plain else ("FILE:" if ":" in name else "") + "./" + name


def item(kind, dimensions, content):
    return f'<DataItem Format="HDF" {kind} Dimensions="{dimensions}">{content}</DataItem>'


def slab(kind, dimensions, rows, selection, whole):
    """`selection`, of the shape `rows`: the start, the stride and the count in each dimension of `whole`."""
    return (f'<DataItem ItemType="HyperSlab" {kind} Dimensions="{dimensions}"><DataItem Dimensions="{rows}" {I32} Format="XML">'
            f"{selection}</DataItem>{whole}</DataItem>")


def attribute(name, kind, center, data):
    return f'<Attribute Name="{name}" AttributeType="{kind}" Center="{center}">{data}</Attribute>\n'


class FrameText:
    """The text of one frame."""

    def __init__(self, result, source, frame):
        self.result, self.source, self.frame = result, source, frame
        self.count = len(result.rest_positions)

    def rows_of(self, dataset, width=3):
        rows = f"{self.count} {width}"
        return slab(F64, f"1 {rows}", "3 3", f"{self.frame} 0 0 1 1 1 1 {rows}",
                    item(F64, f"{self.frame + 1} {rows}", f"{self.source}:/frames/{dataset}"))

    def of_tets(self, name, width):
        rows = f"{len(self.result.tets)}" + (f" {width}" if width > 1 else "")
        zeros, ones = "0 " * len(rows.split()), "1 " * len(rows.split())
        return attribute(name, "Scalar" if width == 1 else "Tensor6", "Cell",
                         slab(F64, f"1 {rows}", f"3 {1 + len(rows.split())}", f"{self.frame} {zeros}1 {ones}1 {rows}",
                              item(F64, f"{self.frame + 1} {rows}", f"{self.source}:/frames/{name}")))

    def vertices(self):
        text = f'<Geometry GeometryType="XYZ">{self.rows_of("positions")}</Geometry>\n'
        text += attribute("displacement", "Vector", "Node",
                          f'<DataItem ItemType="Function" Function="$0 - $1" {F64} Dimensions="1 {self.count} 3">'
                          + self.rows_of("positions") + item(F64, f"{self.count} 3", f"{self.source}:/model/rest_positions") + "</DataItem>")
        for there, name, dataset in ((self.result.has_velocities, "velocity", "velocities"),
                                     (self.result.has_contact_forces, "contact_force", "contact_forces")):
            text += attribute(name, "Vector", "Node", self.rows_of(dataset)) if there else ""
        return text

    def cells(self, kind, count, corners, dataset, owner):
        rows = f"{count} {corners}"
        return (f'<Topology TopologyType="{kind}" NumberOfElements="{count}">'
                + slab(I32, rows, "3 2", f"0 0 1 1 {rows}", item(I32, rows, f"{self.source}:/model/{dataset}")) + "</Topology>\n"
                + self.vertices() + attribute("object", "Scalar", "Cell", item(I32, str(count), f"{self.source}:/model/{owner}")))

    def parts(self):
        """[(name, text)]: volumes where they have stress or strain, surfaces of what has none, cables."""
        result = self.result
        fields = {"von_mises": (result.has_stress, 1), "stress": (result.has_stress_tensor, 6), "strain": (result.has_strain_tensor, 6)}
        shown = [(name, width) for name, (there, width) in fields.items() if there]
        embedded = any(found.matter == "embedded" for found in result.objects)
        found = []
        if shown and len(result.tets) and not embedded:
            found.append(("volumes", self.cells("Tetrahedron", len(result.tets), 4, "tets", "tet_object")
                          + "".join(self.of_tets(*field) for field in shown)))
            shells = sum(o.triangles.stop - o.triangles.start for o in result.objects if o.tets.stop == o.tets.start)
            if shells:
                found.append(("shells", self.cells("Triangle", shells, 3, "shell_triangles", "shell_object")))
        elif len(result.triangles):
            found.append(("surfaces", self.cells("Triangle", len(result.triangles), 3, "triangles", "triangle_object")))
        else:
            found.append(("surfaces", f'<Topology TopologyType="Polyvertex" NumberOfElements="{self.count}" NodesPerElement="1"/>\n'
                          + self.vertices()))
        if len(result.segments):
            found.append(("segments", self.cells('Polyline" NodesPerElement="2', len(result.segments), 2, "segments", "segment_object")))
        return found

    def grid(self, time):
        parts, when = self.parts(), f'<Time Value="{time:.17g}"/>\n'
        if len(parts) == 1:
            return f'<Grid Name="{self.frame}">{when}{parts[0][1]}</Grid>\n'
        inside = "".join(f'<Grid Name="{name}">{text}</Grid>\n' for name, text in parts)
        return f'<Grid Name="{self.frame}" GridType="Collection" CollectionType="Spatial">{when}{inside}</Grid>\n'


def write_beside(result, path):
    """Returns the name of the file."""
    source = escape(reference_to(os.path.basename(path)), {'"': "&quot;"})
    name = str(result.scene.get("name") or "").encode()[:500].decode(errors="ignore")
    made = os.path.splitext(path)[0] + ".xdmf"
    with replacing(made) as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<Xdmf Version="2.0"><Domain>\n'
                   f'<Grid Name={quoteattr(name)} GridType="Collection" CollectionType="Temporal">\n')
        file.writelines(FrameText(result, source, number).grid(time) for number, time in enumerate(result.frames.time.tolist()))
        file.write("</Grid></Domain></Xdmf>\n")
    return made
