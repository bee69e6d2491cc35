"""What exports and pictures of a result share: which frames and objects, fields on vertices and cells, colours."""
from .colors import object_colors
from .fields import CELL_FIELDS, POINT_FIELDS, cell_field, point_field, present, tets_of_triangles, unit_of
from .select import SelectionError, choose_frames, choose_objects

__all__ = ["CELL_FIELDS", "POINT_FIELDS", "SelectionError", "cell_field", "choose_frames", "choose_objects", "object_colors",
           "point_field", "present", "tets_of_triangles", "unit_of"]
