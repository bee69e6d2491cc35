#include "model/crossing.hpp"

#include <algorithm>

#include "math/number_text.hpp"
#include "model/names.hpp"

namespace sim {

std::string leads_through_text(const Model& model, const Hit& hit, const VecX& x0) {
  const std::array<Index, 4> vertices = stencil(model.surface, hit.kind, hit.pair);
  const auto& object = model.surface.vertex_object;
  const auto other =
      std::find_if(vertices.begin(), vertices.end(), [&](Index v) { return object[v] != object[vertices.front()]; });
  return "prescribed motion leads " + object_text(model, object[vertices.front()]) + " and " +
         object_text(model, object[*other]) + " through each other near " + place_text(block(x0, vertices.front())) +
         ", where neither can give way: end the motion before, hold less of the body, or leave the pair out of "
         "contact (`contact.pairs`)";
}

}  // namespace sim
