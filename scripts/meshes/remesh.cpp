// remesh in.off out.off edge_length height iterations
// Even triangles of about edge_length (in units of the input) on a closed surface (CGAL's isotropic remeshing, PMP).
// The result stands upright (y of the input becomes z), its bounding box centred at the origin and `height` high.
// Whatever is not a closed surface without self-intersections is refused: TetGen could not fill it.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/bbox.h>
#include <CGAL/Polygon_mesh_processing/remesh.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <string>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
namespace processing = CGAL::Polygon_mesh_processing;

static int fail(const std::string& message) {
  std::fprintf(stderr, "remesh: %s\n", message.c_str());
  return 1;
}

static void place(Mesh& mesh, double height) {
  const CGAL::Bbox_3 box = processing::bbox(mesh);
  const double scale = height / (box.ymax() - box.ymin());
  for (auto vertex : mesh.vertices()) {
    Kernel::Point_3& p = mesh.point(vertex);
    const double x = p.x() - 0.5 * (box.xmin() + box.xmax());
    const double y = p.y() - 0.5 * (box.ymin() + box.ymax());
    const double z = p.z() - 0.5 * (box.zmin() + box.zmax());
    p = Kernel::Point_3(scale * x, -scale * z, scale * y);
  }
}

int main(int count, char** words) {
  if (count != 6) return fail("usage: remesh in.off out.off edge_length height iterations");
  Mesh mesh;
  std::ifstream in(words[1]);
  if (!(in >> mesh)) return fail(std::string(words[1]) + " cannot be read");
  processing::isotropic_remeshing(mesh.faces(), std::atof(words[3]), mesh,
                                  processing::parameters::number_of_iterations(std::atoi(words[5])));
  mesh.collect_garbage();
  place(mesh, std::atof(words[4]));
  if (!CGAL::is_closed(mesh)) return fail(std::string(words[1]) + ": the remeshed surface has holes");
  if (processing::does_self_intersect(mesh))
    return fail(std::string(words[1]) + ": the remeshed surface intersects itself");
  std::ofstream out(words[2]);
  out << std::setprecision(17) << mesh;
  if (!out.flush()) return fail(std::string(words[2]) + " cannot be written");
  std::printf("%zu vertices, %zu faces\n", static_cast<std::size_t>(mesh.number_of_vertices()),
              static_cast<std::size_t>(mesh.number_of_faces()));
}
