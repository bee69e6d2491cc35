"""VTK's XML format of unstructured grids (vtu), and collections of them with times (pvd).

Reference: VTK File Formats, "XML File Formats": each array is a u64 count of bytes and the bytes themselves, here in base64 within
its element. Arrays appended to the text would be shorter by a quarter, but VTK before 9.3.1 cannot read them with expat from 2.6 on,
nor with that of Debian 12 and its security updates (libexpat #840).
"""
import base64
import os
from xml.sax.saxutils import quoteattr

import numpy as np

import shapes

from common.files import replacing

TETRA, TRIANGLE, LINE = 10, 5, 3  # VTK's numbers of cell types
# VTK's order of a symmetric tensor's components, as rows of the result's.
TENSOR = {"XX": 0, "YY": 3, "ZZ": 5, "XY": 1, "YZ": 4, "XZ": 2}
TYPES = {"f8": "Float64", "i4": "Int32", "i8": "Int64", "u1": "UInt8"}


def array_element(name, values, more=""):
    values = np.ascontiguousarray(values)
    values = values.astype(values.dtype.newbyteorder("<"), copy=False)
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    numbers = base64.b64encode(np.uint64(values.nbytes).astype("<u8").tobytes() + values.tobytes()).decode()
    return f'<DataArray type="{TYPES[values.dtype.str[1:]]}" Name={quoteattr(name)}{width}{more} format="binary">{numbers}</DataArray>\n'


def cells_of(pieces):
    """Corners of all cells one after the other, where those of each end, and VTK's type of each."""
    kinds = (pieces.tets, pieces.triangles, pieces.segments)
    counts = [len(cells) for cells in kinds]
    return (np.concatenate([cells.ravel() for cells in kinds]).astype(np.int64), np.cumsum(np.repeat([4, 3, 2], counts)).astype(np.int64),
            np.repeat([TETRA, TRIANGLE, LINE], counts).astype(np.uint8))


def cell_element(name, values):
    if values.ndim == 1:
        return array_element(name, values)
    names = "".join(f' ComponentName{number}="{component}"' for number, component in enumerate(TENSOR))
    return array_element(name, values[:, list(TENSOR.values())], names)


def write(path, result, frame, pieces):
    """Everything that the file holds of this frame."""
    fields = shapes.present(result)
    point_data = array_element("vertex", pieces.points.astype(np.int32))
    point_data += "".join(array_element(name, shapes.point_field(frame, name)[pieces.points])
                          for name in fields if name in shapes.POINT_FIELDS)
    cell_data = "".join(cell_element(name, shapes.cell_field(frame, name, pieces.owner, pieces.tet))
                        for name in fields if name in shapes.CELL_FIELDS)
    corners, ends, types = cells_of(pieces)
    with replacing(path) as file:
        file.write(f'''<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<UnstructuredGrid>
<FieldData>
{array_element("TimeValue", np.array([frame.time]), ' NumberOfTuples="1"')}</FieldData>
<Piece NumberOfPoints="{len(pieces.points)}" NumberOfCells="{len(types)}">
<Points>
{array_element("Points", frame.positions[pieces.points])}</Points>
<Cells>
{array_element("connectivity", corners)}{array_element("offsets", ends)}{array_element("types", types)}</Cells>
<PointData>
{point_data}</PointData>
<CellData>
{cell_data}</CellData>
</Piece>
</UnstructuredGrid>
</VTKFile>
''')


def write_collection(path, times, files):
    """The frames with their times, for programs that show them one after the other."""
    rows = "".join(f'<DataSet timestep="{time!r}" part="0" file={quoteattr(os.path.basename(file))}/>\n'
                   for time, file in zip(times, files))
    with replacing(path) as file:
        file.write(f'<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">\n'
                   f"<Collection>\n{rows}</Collection>\n</VTKFile>\n")
