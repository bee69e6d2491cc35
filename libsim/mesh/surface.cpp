#include "mesh/surface.hpp"

#include <algorithm>
#include <tuple>

namespace sim {

std::vector<Triangle> extract_surface(std::span<const Tet> tets) {
  struct Face {
    Triangle key;     // ascending, the same from both sides
    std::size_t tet;  // with `corner` the place in the order of tets and faces
    unsigned corner;  // the one the face does not have
  };
  constexpr unsigned outward[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  const auto face_of = [&](std::size_t tet, unsigned corner) {
    const auto& f = outward[corner];
    return Triangle{tets[tet][f[0]], tets[tet][f[1]], tets[tet][f[2]]};
  };

  std::vector<Face> faces;
  faces.reserve(4 * tets.size());
  for (std::size_t tet = 0; tet < tets.size(); ++tet) {
    for (unsigned corner = 0; corner < 4; ++corner) {
      Triangle key = face_of(tet, corner);
      std::sort(key.begin(), key.end());
      faces.push_back({key, tet, corner});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return std::tie(a.key, a.tet, a.corner) < std::tie(b.key, b.tet, b.corner);
  });

  std::vector<std::size_t> single;  // 4 tet + corner
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].key == faces[i].key) ++end;
    if (end == i + 1) single.push_back(4 * faces[i].tet + faces[i].corner);
    i = end;
  }
  std::sort(single.begin(), single.end());
  std::vector<Triangle> surface;
  surface.reserve(single.size());
  for (const std::size_t s : single) surface.push_back(face_of(s / 4, static_cast<unsigned>(s % 4)));
  return surface;
}

void drop_unused_vertices(Mesh& mesh, std::size_t first) {
  std::vector<Index> number(mesh.vertices.size(), -1);
  std::fill_n(number.begin(), first, 0);
  const auto for_corners = [&mesh](const auto& visit) {
    for (Tet& t : mesh.tets) std::for_each(t.begin(), t.end(), visit);
    for (Triangle& t : mesh.triangles) std::for_each(t.begin(), t.end(), visit);
  };
  for_corners([&](Index corner) { number[corner] = 0; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<Index>(kept);
    mesh.vertices[kept++] = mesh.vertices[i];
  }
  mesh.vertices.resize(kept);
  for_corners([&](Index& corner) { corner = number[corner]; });
}

void hollow_out(Mesh& mesh) {
  mesh.tets = {};
  drop_unused_vertices(mesh);
}

bool is_closed(std::span<const Triangle> triangles) {
  struct Side {
    Index low, high;
    int direction;  // 1 from low to high
    auto edge() const { return std::pair(low, high); }
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.edge() < b.edge(); });
  int sum = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sum += sides[i].direction;
    const bool last = i + 1 == sides.size() || sides[i + 1].edge() != sides[i].edge();
    if (last && sum != 0) return false;
  }
  return true;
}

double mean_edge(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  double sum = 0;
  for (const Triangle& corners : triangles) {
    for (int k = 0; k < 3; ++k) sum += (vertices[corners[(k + 1) % 3]] - vertices[corners[k]]).norm();
  }
  return triangles.empty() ? 0 : sum / (3.0 * static_cast<double>(triangles.size()));
}

double mean_edge(const Mesh& mesh, Range triangles) {
  return mean_edge(mesh.vertices, std::span(mesh.triangles)
                                      .subspan(static_cast<std::size_t>(triangles.begin),
                                               static_cast<std::size_t>(triangles.size())));
}

}  // namespace sim
