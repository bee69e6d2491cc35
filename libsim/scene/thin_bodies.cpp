#include <algorithm>

#include "math/number_text.hpp"
#include "mesh/thickness.hpp"
#include "scene/defects.hpp"
#include "scene/load.hpp"

namespace sim {

namespace {

// Too stiff by half at three cells is what users of linear tetrahedra know; twice is not.
constexpr double most_excess = 2;
constexpr double largest_measured = 0.499;  // poisson, of bending_excess()

std::string times(double excess) {
  return number_text(excess, 2) + " times";
}

std::string times_of(int cells, double poisson) {
  return (poisson > largest_measured ? "at least " : "") + times(bending_excess(cells, poisson)) + " (poisson " +
         number_text(poisson, 6) + ")";
}

// Visits one of all copies of every deformable solid with its cells across and poisson.
template <class Visit>
void for_solids(const Model& model, const Visit& visit) {
  std::vector<std::string> seen;
  for (const Object& object : model.objects) {
    const std::string name = name_without_number(object.name);
    if (object.type != ObjectType::deformable || is_thin(object) ||
        std::find(seen.begin(), seen.end(), name) != seen.end())
      continue;
    seen.push_back(name);
    const std::span all(model.mesh.tets);
    visit(quoted(name),
          cells_across(
              all.subspan(static_cast<std::size_t>(object.tets.begin), static_cast<std::size_t>(object.tets.size()))),
          model.materials[object.material].poisson);
  }
}

}  // namespace

std::vector<std::string> thin_bodies(const Model& model) {
  std::vector<std::string> sentences;
  for_solids(model, [&](const std::string& name, int cells, double poisson) {
    if (cells > 2) return;
    sentences.push_back(
        name + " has " + (cells == 1 ? "one cell" : "two cells") +
        " across, and linear tetrahedra are too stiff there: where it bends, about " + times_of(cells, poisson) +
        (cells == 1 ? " where cells are as long as high, twice that where they are "
                      "twice as long, six times where four times"
                    : " where cells are as long as high, 1.6 times that where "
                      "they are twice as long, four times where four times") +
        ". Four cells across, as long as high, are " + times(bending_excess(4, poisson)) + " too stiff");
  });
  return sentences;
}

std::vector<std::string> locking_bodies(const Model& model) {
  std::vector<std::string> sentences;
  for_solids(model, [&](const std::string& name, int cells, double poisson) {
    if (cells <= 2 || bending_excess(cells, poisson) < most_excess) return;
    sentences.push_back(
        name +
        " is of linear tetrahedra, which lock where the material keeps its volume: where it bends, it is too "
        "stiff by about " +
        times_of(cells, poisson) + " with its " + std::to_string(cells) +
        " cells across, where they are as long as high, and more where longer; at poisson 0.45 " +
        times(bending_excess(cells, 0.45)) + "; with " + std::to_string(2 * cells) + " cells across " +
        times(bending_excess(2 * cells, poisson)));
  });
  return sentences;
}

}  // namespace sim
