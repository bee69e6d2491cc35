#include <algorithm>

#include "math/number_text.hpp"
#include "mesh/thickness.hpp"
#include "scene/defects.hpp"
#include "scene/load.hpp"

namespace sim {

std::vector<std::string> thin_bodies(const Model& model) {
  std::vector<std::string> sentences, named;
  for (const Object& object : model.objects) {
    const std::string name = name_without_number(object.name);
    if (object.type != ObjectType::deformable || is_thin(object) ||
        std::find(named.begin(), named.end(), name) != named.end())
      continue;
    named.push_back(name);
    const int cells = cells_across(
        std::span(model.mesh.tets)
            .subspan(static_cast<std::size_t>(object.tets.begin), static_cast<std::size_t>(object.tets.size())));
    if (cells > 2) continue;
    const double poisson = model.materials[object.material].poisson;
    sentences.push_back(quoted(name) + " has " + (cells == 1 ? "one cell" : "two cells") +
                        " across, and linear tetrahedra are too stiff there: where it bends, about " +
                        number_text(bending_excess(cells, poisson), 2) + " times (poisson " +
                        number_text(poisson, 3) +
                        (cells == 1 ? ") where cells are as long as high, twice that where they are "
                                      "twice as long, six times where four times"
                                    : ") where cells are as long as high, 1.6 times that where "
                                      "they are twice as long, four times where four times") +
                        ". Four cells across, as long as high, are 1.2 to 1.7 times too stiff");
  }
  return sentences;
}

}  // namespace sim
