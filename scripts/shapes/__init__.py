"""What exports and pictures of a result share: which frames and objects, fields on vertices and cells, forces, colours."""
from .arrows import KINDS as ARROWS, arrows
from .colors import object_colors
from .fields import CELL_FIELDS, OF_TETS, POINT_FIELDS, PRINCIPAL, cell_field, point_field, present, tets_of_triangles, unit_of
from .obstacles import near_part, scene_box, thin_parts
from .select import SelectionError, choose_frames, choose_objects

__all__ = ["ARROWS", "CELL_FIELDS", "OF_TETS", "POINT_FIELDS", "PRINCIPAL", "SelectionError", "arrows", "cell_field", "choose_frames",
           "choose_objects", "object_colors", "near_part", "point_field", "present", "scene_box", "tets_of_triangles", "thin_parts", "unit_of"]
