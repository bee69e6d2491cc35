#include <algorithm>
#include <utility>

#include "math/number_text.hpp"
#include "mesh/thickness.hpp"
#include "scene/defects.hpp"
#include "scene/load.hpp"

namespace sim {

namespace {

// Too stiff by half at three cells is what users of linear tetrahedra know; twice is not.
constexpr double most_excess = 2;
constexpr double largest_measured = 0.499;  // poisson, of bending_excess()
constexpr double least_length = 1.5;        // of cells that are called long

struct Bending {
  std::string name;
  BendingCells cells;
  double poisson;
  double excess() const { return bending_excess(cells.across, poisson, cells.length); }
  bool is_thin() const { return cells.across <= 2; }
};

std::string times(double excess) {
  return number_text(excess, excess < 99.5 ? 2 : 3) + " times";
}

// One of all copies of every deformable solid.
std::vector<Bending> solids_that_bend(const Model& model) {
  std::vector<Bending> all;
  for (const Object& object : model.objects) {
    const std::string name = quoted(name_without_number(object.name));
    if (object.type != ObjectType::deformable || is_thin(object) ||
        std::any_of(all.begin(), all.end(), [&](const Bending& b) { return b.name == name; }))
      continue;
    const std::span tets =
        std::span<const Tet>(model.mesh.tets)
            .subspan(static_cast<std::size_t>(object.tets.begin), static_cast<std::size_t>(object.tets.size()));
    all.push_back({name, bending_cells(tets, model.mesh.vertices), model.materials[object.material].poisson});
  }
  return all;
}

std::string all_but_names(const Bending& b) {
  const bool is_long = b.cells.length >= least_length;
  const bool locks = !b.is_thin() && bending_excess(b.cells.across, b.poisson) >= most_excess;
  std::string text =
      (b.cells.across == 1 ? "one cell" : std::to_string(b.cells.across) + " cells") + std::string(" across");
  if (is_long) text += ", about " + times(b.cells.length) + " as long as high";
  text += ", of linear tetrahedra" + std::string(locks ? ", which lock where the material keeps its volume" : "") +
          ": in bending too stiff by " +
          (b.poisson > largest_measured   ? "at least "
           : is_long && !b.cells.straight ? "up to about "
                                          : "about ") +
          times(b.excess()) + " (poisson " + number_text(b.poisson, 6) + ")" +
          (is_long && !b.cells.straight ? ", where they are long along it" : "");
  if (is_long) text += "; with cells as long as high by " + times(bending_excess(b.cells.across, b.poisson));
  if (locks) text += "; at poisson 0.45 by " + times(bending_excess(b.cells.across, 0.45, b.cells.length));
  const int more = b.is_thin() ? 4 : 2 * b.cells.across;
  return text + "; with " + std::to_string(more) + " cells across" + (is_long ? ", as long as high," : "") + " by " +
         times(bending_excess(more, b.poisson));
}

// Twice as stiff as it ought to be; a thin one, which every user knows to be too stiff, as its cells alone make it.
bool is_worth_a_word(const Bending& b) {
  return b.excess() >= most_excess * (b.is_thin() ? bending_excess(b.cells.across, 0) : 1);
}

}  // namespace

std::vector<std::string> stiff_bodies(const Model& model, Thin thin) {
  std::vector<std::pair<std::string, std::vector<std::string>>> told;  // what there is to say, and of whom
  for (const Bending& b : solids_that_bend(model)) {
    if (!is_worth_a_word(b) && !(b.is_thin() && thin == Thin::all)) continue;
    const std::string text = all_but_names(b);
    const auto same = std::find_if(told.begin(), told.end(), [&](const auto& entry) { return entry.first == text; });
    (same == told.end() ? told.emplace_back(text, std::vector<std::string>()) : *same).second.push_back(b.name);
  }
  std::vector<std::string> sentences;
  for (const auto& [text, names] : told) {
    const std::size_t others = names.size() - 1;
    sentences.push_back(names.front() +
                        (others == 0
                             ? " has "
                             : " and " + std::to_string(others) + (others == 1 ? " other have " : " others have ")) +
                        text);
  }
  return sentences;
}

}  // namespace sim
