#include "mesh/tetrahedralize.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <map>
#include <set>
#include <sstream>

#include "math/error.hpp"
#include "mesh/apart.hpp"
#include "mesh/check.hpp"
#include "mesh/order.hpp"
#include "mesh/surface.hpp"

#ifdef SIMRUN_TETGEN
#include <tetgen.h>
#undef REAL
#endif

namespace sim {

namespace {

constexpr Index most_inner_points = 1000000;

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  std::ostringstream message;
  (message << ... << parts);
  throw InputError(message.str());
}

void check_options(const TetrahedralizeOptions& options) {
  if (!(options.quality > 1) || !std::isfinite(options.quality)) {
    refuse("quality is ", options.quality, "; expected a radius-edge ratio above 1, such as 1.4");
  }
  if (!(options.min_dihedral >= 0 && options.min_dihedral <= 30)) {
    refuse("min_dihedral is ", options.min_dihedral, "; expected an angle from 0 to 30 degrees, such as 15");
  }
  if (!(options.max_volume >= 0) || !std::isfinite(options.max_volume)) {
    refuse("max_volume is ", options.max_volume, "; expected a volume in m^3, or 0 for no bound");
  }
}

void check_surface(const Mesh& surface, const TetrahedralizeOptions& options) {
  const std::vector<std::string> defects = surface_defects(surface);
  if (!defects.empty()) {
    std::ostringstream list;
    for (const std::string& defect : defects) list << "\n  " << defect;
    refuse("the surface cannot be filled with tets:", list.str());
  }
  const auto before = [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::map<Vec3, Index, decltype(before)> places(before);
  for (Index i = 0; i < static_cast<Index>(surface.vertices.size()); ++i) {
    const auto [place, is_new] = places.try_emplace(surface.vertices[i], i);
    if (!is_new) {
      refuse("the surface cannot be filled with tets: vertices ", place->second, " and ", i,
             " are at the same place; merge them or move them apart");
    }
  }
  const double enclosed = volume(Mesh{surface.vertices, {}, surface.triangles});
  if (options.max_volume > 0 && enclosed / options.max_volume > 8.0 * most_inner_points) {
    refuse("max_volume is ", options.max_volume, "; the surface encloses ", enclosed,
           " m^3 and would need too many tets: expected at least ", enclosed / (8.0 * most_inner_points));
  }
}

#ifdef SIMRUN_TETGEN

std::string first_of(const std::set<Index>& ids) {
  constexpr int most_named = 10;
  std::ostringstream text;
  int named = 0;
  for (const Index id : ids) {
    if (named == most_named) {
      text << ", ...";
      break;
    }
    text << (named++ > 0 ? ", " : "") << id;
  }
  return text.str();
}

// TetGen works on a grid of 2^32 steps along the longest side of the surface: differences that small are noise, and
// noise makes it see folds in flat places and fail.
struct Grid {
  Vec3 origin;
  double step;  // m, a power of two

  explicit Grid(const std::vector<Vec3>& vertices) {
    Vec3 low = vertices[0], high = vertices[0];
    for (const Vec3& x : vertices) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    origin = low;
    step = std::ldexp(1.0, std::ilogb((high - low).maxCoeff()) - 31);
  }
  Vec3 to_grid(const Vec3& x) const { return ((x - origin) / step).array().round(); }
  Vec3 to_world(const Vec3& p) const { return origin + step * p; }
};

std::string switches_of(const TetrahedralizeOptions& options, double grid_step) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::fixed << "pq" << options.quality << '/' << options.min_dihedral << "YAQS" << most_inner_points;
  if (options.max_volume > 0) text << 'a' << std::max(options.max_volume / std::pow(grid_step, 3), 1.0);
  return text.str();
}

void fill(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles, tetgenio& in) {
  in.firstnumber = 0;
  in.numberofpoints = static_cast<int>(points.size());
  in.pointlist = new double[3 * points.size()];
  for (std::size_t i = 0; i < points.size(); ++i) std::copy_n(points[i].data(), 3, in.pointlist + 3 * i);
  in.numberoffacets = static_cast<int>(triangles.size());
  in.facetlist = new tetgenio::facet[triangles.size()];
  in.facetmarkerlist = new int[triangles.size()];
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    tetgenio::facet& facet = in.facetlist[i];
    tetgenio::init(&facet);
    facet.numberofpolygons = 1;
    facet.polygonlist = new tetgenio::polygon[1];
    tetgenio::init(facet.polygonlist);
    facet.polygonlist->numberofvertices = 3;
    facet.polygonlist->vertexlist = new int[3]{triangles[i][0], triangles[i][1], triangles[i][2]};
    in.facetmarkerlist[i] = static_cast<int>(i) + 1;  // 0 means no marker
  }
}

void call_tetgen(std::string switches, tetgenio& in, tetgenio& out) {
  ::tetrahedralize(switches.data(), &in, &out);
}

// Runs in a process of its own. The answer: how many triangles intersect, and these; or 0, the number of points and
// of tets, the points, and the corners and region of each tet.
std::vector<double> detect_and_mesh(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles,
                                    const std::string& switches) {
  std::vector<double> answer;
  {
    tetgenio in, out;
    fill(points, triangles, in);
    call_tetgen("dQ", in, out);
    answer.push_back(out.numberoftrifaces);
    for (int i = 0; i < out.numberoftrifaces; ++i) answer.push_back(out.trifacemarkerlist[i] - 1);
    if (out.numberoftrifaces > 0) return answer;
  }
  tetgenio in, out;
  fill(points, triangles, in);
  call_tetgen(switches, in, out);
  answer.push_back(out.numberofpoints);
  answer.push_back(out.numberoftetrahedra);
  answer.insert(answer.end(), out.pointlist, out.pointlist + std::ptrdiff_t{3} * out.numberofpoints);
  for (std::ptrdiff_t i = 0; i < out.numberoftetrahedra; ++i) {
    const int* corners = out.tetrahedronlist + i * out.numberofcorners;
    answer.insert(answer.end(), corners, corners + 4);
    const int attributes = out.numberoftetrahedronattributes;
    answer.push_back(attributes > 0 ? out.tetrahedronattributelist[i * attributes] : 0);
  }
  return answer;
}

struct Filling {
  std::vector<Vec3> points;  // on the grid
  std::vector<Tet> tets;
  std::vector<double> region;  // of each tet: surfaces separate regions
};

Filling run_tetgen(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles,
                   const std::string& switches) {
  std::string failure;
  const std::vector<double> answer = run_apart([&] { return detect_and_mesh(points, triangles, switches); }, failure);
  if (answer.empty()) {
    refuse("TetGen ", failure, " on this surface (switches ", switches,
           "): look for triangles that nearly touch or are very thin, and remesh the surface there");
  }
  if (answer[0] > 0) {
    std::set<Index> crossing;
    for (std::size_t i = 1; i < answer.size(); ++i) crossing.insert(static_cast<Index>(answer[i]));
    refuse("the surface intersects or touches itself: ", crossing.size(), " triangles (", first_of(crossing),
           ") meet or nearly meet others that are not their neighbours; move them apart or unite the parts");
  }
  Filling filling;
  const auto point_count = static_cast<std::size_t>(answer[1]);
  const auto tet_count = static_cast<std::size_t>(answer[2]);
  const double* next = answer.data() + 3;
  for (std::size_t i = 0; i < point_count; ++i, next += 3) filling.points.emplace_back(next[0], next[1], next[2]);
  for (std::size_t i = 0; i < tet_count; ++i, next += 5) {
    Tet tet;
    std::transform(next, next + 4, tet.begin(), [](double v) { return static_cast<Index>(v); });
    filling.tets.push_back(tet);
    filling.region.push_back(next[4]);
  }
  return filling;
}

// The same triangle, its lowest vertex first.
Triangle turned(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

// Keeps the tets of the regions that lie behind a triangle of the surface; what lies in cavities goes.
void remove_cavities(const std::vector<Triangle>& surface, const std::vector<double>& region,
                     std::vector<Tet>& tets) {
  std::set<Triangle> outward;
  for (const Triangle& t : surface) outward.insert(turned(t));
  std::set<double> solid;
  for (std::size_t i = 0; i < tets.size(); ++i) {
    for (const Triangle& face : extract_surface({&tets[i], 1})) {
      if (outward.count(turned(face)) == 1) solid.insert(region[i]);
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tets.size(); ++i) {
    if (solid.count(region[i]) == 1) tets[kept++] = tets[i];
  }
  tets.resize(kept);
}

// TetGen is believed nothing: points, boundary and tets are looked at.
void check_filling(const Mesh& mesh) {
  std::set<Triangle> boundary;
  for (const Triangle& t : extract_surface(mesh.tets)) boundary.insert(turned(t));
  std::set<Index> lost;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (boundary.erase(turned(mesh.triangles[i])) == 0) lost.insert(static_cast<Index>(i));
  }
  if (!lost.empty()) {
    refuse(
        "the surface could not be kept as it is: ", lost.size(), " of its triangles (", first_of(lost),
        ") do not bound the tets; they are part of a surface inside another (turn it inside out if it is the wall ",
        "of a cavity, or remove it) or nearly touch others (move them apart or remesh the surface there)");
  }
  if (!boundary.empty()) {
    refuse("TetGen left ", boundary.size(), " open faces inside the surface; remesh the surface more evenly");
  }
  const std::vector<std::string> defects = tet_defects(mesh);
  if (!defects.empty()) {
    refuse("TetGen filled the surface with a broken mesh (", defects.front(), "); remesh the surface more evenly");
  }
}

Mesh fill_surface(const Mesh& surface, const TetrahedralizeOptions& options) {
  const Grid grid(surface.vertices);
  std::vector<Vec3> points;
  for (const Vec3& x : surface.vertices) points.push_back(grid.to_grid(x));
  Filling filling = run_tetgen(points, surface.triangles, switches_of(options, grid.step));

  const std::size_t first_inner = points.size();
  if (filling.points.size() < first_inner || !std::equal(points.begin(), points.end(), filling.points.begin())) {
    refuse("TetGen changed vertices of the surface: some lie closer together than ", grid.step,
           " m; merge them or move them apart");
  }
  if (filling.points.size() >= first_inner + most_inner_points) {
    refuse("more than ", most_inner_points, " inner vertices were needed: quality ", options.quality,
           ", min_dihedral ", options.min_dihedral, " or max_volume ", options.max_volume,
           " ask for too much; relax them");
  }
  Mesh mesh{surface.vertices, std::move(filling.tets), surface.triangles};
  for (std::size_t i = first_inner; i < filling.points.size(); ++i) {
    mesh.vertices.push_back(grid.to_world(filling.points[i]));
  }
  orient_tets(mesh);
  remove_cavities(surface.triangles, filling.region, mesh.tets);
  drop_unused_vertices(mesh, first_inner);
  order_locally(mesh, static_cast<Index>(first_inner));
  check_filling(mesh);
  return mesh;
}

#else

Mesh fill_surface(const Mesh&, const TetrahedralizeOptions&) {
  refuse("this program was built without TetGen and cannot fill a surface with tets: give a tet mesh (.msh, ",
         ".node and .ele, .vtk), or build with -DSIMRUN_TETGEN=ON (Debian package libtet1.5-dev)");
}

#endif

}  // namespace

Mesh tetrahedralize(const Mesh& surface, const TetrahedralizeOptions& options) {
  check_options(options);
  check_surface(surface, options);
  return fill_surface(surface, options);
}

}  // namespace sim
