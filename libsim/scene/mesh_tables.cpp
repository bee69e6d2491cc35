#include "scene/mesh_tables.hpp"

#include "scene/scene.hpp"

namespace sim {
namespace {

const Table& tetrahedralize_table() {
  static const Table made = table<TetrahedralizeOptions>(
      "tetrahedralize", "How TetGen fills a closed surface with tetrahedra. The surface itself is kept as it is.",
      {key("quality", &TetrahedralizeOptions::quality, number(above(1)), "",
           "Bound on the ratio of circumradius to shortest edge; smaller is better and makes more tetrahedra."),
       key("min_dihedral", &TetrahedralizeOptions::min_dihedral, number(from_to(0, 30)), "degrees",
           "Smallest dihedral angle that is tried for."),
       key("max_volume", &TetrahedralizeOptions::max_volume, number(at_least(0)), "m^3",
           "Volume that tetrahedra should not exceed, after scaling; a goal, which the kept surface may stand "
           "against. "
           "0: none.")});
  return made;
}

const Table& embed_table() {
  static const Table made = [] {
    Table t = table<EmbedSpec>(
        "embed",
        "The mesh's closed surface goes with a cage of tetrahedra, which carry mass and elasticity, and collides for "
        "them. `cell` has a cage made, `cage` takes one of yours: one of the two. `boundary` and forces choose "
        "vertices of the cage, pressure and traction such of the surface.",
        {key("cell", &EmbedSpec::cell, maybe(number(above(0))), "m",
             "Edge of the cubes of the cage that is made: those that meet the inside of the surface, six tetrahedra "
             "each. Every tetrahedron resists by the part of it that is inside; its corners weigh "
             "what gives the body the mass, the centre and the inertia of the solid."),
         key("cage", &EmbedSpec::cage, maybe(text()), "",
             "A mesh of tetrahedra that holds all of the surface, where the surface is.")});
    set_rule<EmbedSpec>(t, [](const Json& json, const std::string& path, const EmbedSpec& embed, Defects& defects) {
      if (embed.cell.has_value() != embed.cage.has_value()) return;
      add_defect(defects, path, shown(json), "expected one of \"cell\" and \"cage\"");
    });
    return t;
  }();
  return made;
}

constexpr const char* scale_meaning =
    "Factor on all coordinates, or one along each axis, before anything else is done with the mesh. Negative ones "
    "mirror; the surface faces outward all the same.";

Value<std::string> axes_to_flip() {
  Value<std::string> value = one_of({"x", "y", "z", "xy", "xz", "yz", "xyz"});
  value.write = [](const std::string& in) { return in.empty() ? Json() : Json(in); };
  return value;
}

template <class Part>
Table mesh_table(const char* tag, const char* title, const char* meaning, const std::vector<KeyOf<Part>>& keys) {
  const auto part = [](auto& mesh) -> auto& {
    return std::get<Part>(mesh.shape);
  };
  Table made;
  made.title = title;
  made.meaning = meaning;
  made.tag = tag;
  made.start = [](void* mesh) { static_cast<MeshSpec*>(mesh)->shape = Part{}; };
  made.holds = [](const void* mesh) {
    return std::holds_alternative<Part>(static_cast<const MeshSpec*>(mesh)->shape);
  };
  made.keys = lift<MeshSpec>(keys, part);
  made.keys.push_back(key("scale", &MeshSpec::scale, factors(), "", scale_meaning));
  made.keys.push_back(key("flip", &MeshSpec::flip, axes_to_flip(), "",
                          "Axes along which the mesh is mirrored, as by factors of -1."));
  made.keys.push_back(key("embed", &MeshSpec::embed, maybe(object<EmbedSpec>(embed_table())), "",
                          "Let the surface of the mesh go with a coarser cage of tetrahedra."));
  return made;
}

template <class Part>
Table generated(const char* name, const char* title, const char* meaning, const std::vector<KeyOf<Part>>& keys) {
  Table made = mesh_table<Part>("generate", title, meaning, keys);
  made.tag_value = name;
  Value<MeshSpec> value;
  value.shape.kind = Shape::Kind::text;
  value.shape.choices = {name};
  value.read = [](const Json&, const std::string&, MeshSpec&, Defects&) { return true; };
  value.write = [name](const MeshSpec&) { return Json(name); };
  KeyOf<MeshSpec> which = key_at<MeshSpec>(
      "generate", [](auto& mesh) -> auto& { return mesh; }, value, "", "Which shape to make.");
  made.keys.insert(made.keys.begin(), which.must_be_given());
  return made;
}

template <class Owner, std::size_t count>
KeyOf<Owner> cells(const char* meaning) {
  return key("cells", &Owner::cells, array_of<Index, count>(whole(at_least(1))), "", meaning);
}

const Table& box_table() {
  static const Table made = generated<BoxShape>(
      "box", "mesh: box", "A box of hexahedral cells, six tetrahedra each, with its middle at the origin.",
      {key("size", &BoxShape::size, vector(above(0)), "m", "Edge lengths along x, y and z."),
       cells<BoxShape, 3>("Cells along x, y and z.")});
  return made;
}

const Table& slab_table() {
  static const Table made = generated<SlabShape>(
      "slab", "mesh: slab", "A flat plate, one cell thick: floors and walls.",
      {key("size", &SlabShape::size, array_of<double, 2>(number(above(0))), "m", "Edge lengths along x and y."),
       key("thickness", &SlabShape::thickness, number(above(0)), "m", "Thickness along z, half of it above z = 0."),
       cells<SlabShape, 2>("Cells along x and y.")});
  return made;
}

const Table& torus_table() {
  static const Table made = [] {
    Table t = generated<TorusShape>(
        "torus", "mesh: torus",
        "A ring of square cross-section about the z axis, of hexahedral cells, six tetrahedra each.",
        {key("segments", &TorusShape::segments, whole(at_least(3)), "", "Hexahedra around the ring."),
         key("major_radius", &TorusShape::major_radius, number(above(0)), "m",
             "From the centre to the middle of the cross-section."),
         key("side", &TorusShape::side, number(above(0)), "m",
             "Edge of the cross-section; less than twice the major radius."),
         key("across", &TorusShape::across, whole(at_least(1)), "",
             "Hexahedra along both edges of the cross-section.")});
    set_rule<MeshSpec>(t, [](const Json&, const std::string& path, const MeshSpec& mesh, Defects& defects) {
      const auto& torus = std::get<TorusShape>(mesh.shape);
      if (torus.side < 2 * torus.major_radius) return;
      add_defect(defects, sub_path(path, "side"), shown(torus.side),
                 "expected a number < " + shown(2 * torus.major_radius) +
                     ", twice the major_radius: the ring would close its hole");
    });
    return t;
  }();
  return made;
}

const Table& sphere_table() {
  static const Table made = generated<SphereShape>(
      "sphere", "mesh: sphere", "A ball.",
      {key("radius", &SphereShape::radius, number(above(0)), "m", "Radius."),
       key("resolution", &SphereShape::resolution, whole(at_least(1)), "", "Cells from the centre to the surface.")});
  return made;
}

const Table& cylinder_table() {
  static const Table made = generated<CylinderShape>(
      "cylinder", "mesh: cylinder", "A round rod along the z axis, half of it above z = 0.",
      {key("radius", &CylinderShape::radius, number(above(0)), "m", "Radius."),
       key("length", &CylinderShape::length, number(above(0)), "m", "Length along z."),
       key("segments", &CylinderShape::segments, whole(at_least(3)), "", "Cells around the axis.")});
  return made;
}

const Table& sheet_table() {
  static const Table made = generated<SheetShape>(
      "sheet", "mesh: sheet", "A flat rectangle of triangles, which faces z: cloth and paper.",
      {key("size", &SheetShape::size, array_of<double, 2>(number(above(0))), "m", "Edge lengths along x and y."),
       cells<SheetShape, 2>(
           "Cells along x and y; of `equilateral` triangles along a row, and rows: for shells as many "
           "rows as size[1] has of 0.866 times the length of a cell, size[0] / cells[0]."),
       key("pattern", &SheetShape::pattern,
           one_of<SheetPattern>({{"grid", SheetPattern::grid},
                                 {"equilateral", SheetPattern::equilateral},
                                 {"cross", SheetPattern::cross}}),
           "",
           "How it is cut: a grid whose cells have one diagonal or the other in turn; rows of triangles, shifted by "
           "half a cell (equilateral where rows are 0.866 as high as cells are long); or a grid with a vertex in the "
           "middle of each cell and both diagonals.")});
  return made;
}

template <class Part>
KeyOf<Part> points_of_line() {
  return key("points", &Part::points, list_of(vector(), 2), "m", "Its corners, one after the other.").must_be_given();
}

const Table& path_table() {
  static const Table made = generated<PathShape>(
      "path", "mesh: path",
      "Segments of equal length along a line through points, whose corners they cut: cables. As a fixed or scripted "
      "object it is rods of the object's `thickness`.",
      {points_of_line<PathShape>(),
       key("segments", &PathShape::segments, whole(at_least(1)), "", "Segments of all the line.")});
  return made;
}

const Table& ribbon_table() {
  static const Table made = generated<RibbonShape>(
      "ribbon", "mesh: ribbon", "A strip of triangles along a line through points: belts.",
      {points_of_line<RibbonShape>(),
       key("segments", &RibbonShape::segments, whole(at_least(1)), "", "Cells along all the line."),
       key("across", &RibbonShape::across, direction(), "", "Direction across, of any length."),
       key("width", &RibbonShape::width, number(above(0)), "m", "Width, half of it on either side of the line."),
       key("cells", &RibbonShape::cells, whole(at_least(1)), "", "Cells across.")});
  return made;
}

const Table& wedge_table() {
  static const Table made = [] {
    Table t = generated<WedgeShape>(
        "wedge", "mesh: wedge",
        "A stone of an arch: a sector of a ring about the z axis, half of it on either side of x, five tetrahedra a "
        "cell. The axis of the ring goes through the origin.",
        {key("radii", &WedgeShape::radii, array_of<double, 2>(number(above(0))), "m", "Inner and outer radius."),
         key("degrees", &WedgeShape::degrees, number(above(0)), "degrees", "Angle of the sector, 180 at most."),
         key("depth", &WedgeShape::depth, number(above(0)), "m", "Length along z, half of it above z = 0."),
         cells<WedgeShape, 3>("Cells from inside out, along the ring and along z.")});
    set_rule<MeshSpec>(t, [](const Json&, const std::string& path, const MeshSpec& mesh, Defects& defects) {
      const auto& wedge = std::get<WedgeShape>(mesh.shape);
      if (!(wedge.radii[1] > wedge.radii[0]))
        add_defect(defects, sub_path(path, "radii"), shown(wedge.radii), "expected a larger outer radius");
      if (!(wedge.degrees <= 180))
        add_defect(defects, sub_path(path, "degrees"), shown(wedge.degrees), "expected 180 at most");
    });
    return t;
  }();
  return made;
}

const Table& file_table() {
  static const Table made = mesh_table<FileShape>(
      "file", "mesh: file",
      "A mesh from a file. Tetrahedra: `.msh` (Gmsh 2.2 and 4.1), `.node` or `.ele` (TetGen), `.vtk` (legacy). "
      "Surfaces: `.obj`, `.off`, `.ply`, `.stl`.",
      {key("file", &FileShape::file, text(), "", "The file, relative to the folder of the scene file.")
           .must_be_given(),
       key("refine", &FileShape::refine, whole(at_least(0)), "",
           "How often every triangle is cut into four and every tetrahedron into eight, at the middles of edges: the "
           "shape stays as it is. Before it is filled with tetrahedra."),
       key("tetrahedralize", &FileShape::tetrahedralize, maybe(object<TetrahedralizeOptions>(tetrahedralize_table())),
           "", "Fill the surface with tetrahedra; deformable objects need it when the file holds a surface only.")});
  return made;
}

const Table& half_space_table() {
  static const Table made = generated<HalfSpaceShape>(
      "half-space", "mesh: half-space",
      "All below an endless plane through the origin, which faces z. For fixed and scripted objects.",
      std::vector<KeyOf<HalfSpaceShape>>{});
  return made;
}

template <class Part>
KeyOf<Part> points_of() {
  return key("points", &Part::points, list_of(vector(), 1), "m", "Their places.").must_be_given();
}

const Table& segments_table() {
  static const Table made = [] {
    Table t = generated<SegmentsShape>(
        "segments", "mesh: segments",
        "Straight segments: obstacles, rods where the object has `thickness`, or nets of cables.",
        {points_of<SegmentsShape>(),
         key("segments", &SegmentsShape::segments, list_of(array_of<Index, 2>(whole(at_least(0)))), "",
             "Which points each segment joins, from 0; left out, one point and the next.")});
    set_rule<MeshSpec>(t, [](const Json& json, const std::string& path, const MeshSpec& mesh, Defects& defects) {
      const auto& shape = std::get<SegmentsShape>(mesh.shape);
      const auto count = static_cast<Index>(shape.points.size());
      if (shape.segments.empty() && count < 2) {
        add_defect(defects, sub_path(path, "points"), shown(json["points"]), "expected at least two points");
      }
      for (std::size_t i = 0; i < shape.segments.size(); ++i) {
        const auto& [a, b] = shape.segments[i];
        if (a < count && b < count && a != b) continue;
        add_defect(defects, sub_path(sub_path(path, "segments"), i), shown(json["segments"][i]),
                   "expected two different numbers from 0 to " + std::to_string(count - 1));
      }
    });
    return t;
  }();
  return made;
}

const Table& points_table() {
  static const Table made = generated<PointsShape>(
      "points", "mesh: points", "Points. For fixed and scripted objects.", {points_of<PointsShape>()});
  return made;
}

}  // namespace

const std::vector<const Table*>& mesh_tables() {
  static const std::vector<const Table*> all = {
      &box_table(),        &slab_table(),     &torus_table(),  &sphere_table(), &cylinder_table(),
      &sheet_table(),      &path_table(),     &ribbon_table(), &wedge_table(),  &file_table(),
      &half_space_table(), &segments_table(), &points_table()};
  return all;
}

}  // namespace sim
