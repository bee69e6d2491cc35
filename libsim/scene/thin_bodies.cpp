#include <algorithm>

#include "math/number_text.hpp"
#include "mesh/thickness.hpp"
#include "scene/defects.hpp"
#include "scene/load.hpp"

namespace sim {

// Too stiff by half at three cells is what users of linear tetrahedra know; twice is not.
constexpr double most_excess = 2;

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
    const double poisson = model.materials[object.material].poisson, excess = bending_excess(cells, poisson);
    if (cells > 2 && excess < most_excess) continue;
    const std::string times = number_text(excess, 2) + " times (poisson " + number_text(poisson, 3) + ")";
    if (cells > 2) {
      sentences.push_back(
          quoted(name) +
          " is of linear tetrahedra, which lock where the material keeps its volume: where it bends, it is about " +
          times + " too stiff with its " + std::to_string(cells) + " cells across, " +
          number_text(bending_excess(cells, 0.45), 2) + " times at poisson 0.45; " + std::to_string(2 * cells) +
          " cells across are " + number_text(bending_excess(2 * cells, poisson), 2) + " times");
      continue;
    }
    sentences.push_back(quoted(name) + " has " + (cells == 1 ? "one cell" : "two cells") +
                        " across, and linear tetrahedra are too stiff there: where it bends, about " + times +
                        (cells == 1 ? " where cells are as long as high, twice that where they are "
                                      "twice as long, six times where four times"
                                    : " where cells are as long as high, 1.6 times that where "
                                      "they are twice as long, four times where four times") +
                        ". Four cells across, as long as high, are " + number_text(bending_excess(4, poisson), 2) +
                        " times too stiff");
  }
  return sentences;
}

}  // namespace sim
