#include "collide/similarity.hpp"

#include <algorithm>
#include <cmath>

namespace sim {

namespace {

constexpr double same_point = 0.9;

// Lists for every elastic vertex the contacts that it is in, in their order.
void list_contacts(const CollisionSurface& surface, std::span<const Contact> contacts, SimilarityBuffers& buffers) {
  const std::size_t vertices = surface.vertex_moves.size();
  auto& begin = buffers.begin;
  begin.assign(vertices + 2, 0);
  for (const Contact& c : contacts) {
    for (const Index v : c.vertices) begin[v + 2] += is_elastic(surface, v) ? 1 : 0;
  }
  for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
  buffers.contacts.resize(static_cast<std::size_t>(begin.back()));
  for (Index i = 0; i < static_cast<Index>(contacts.size()); ++i) {
    for (const Index v : contacts[i].vertices) {
      if (is_elastic(surface, v)) buffers.contacts[begin[v + 1]++] = i;
    }
  }
}

// The product over common vertices that count; `first` is the place in a of the first of them.
struct Likeness {
  double product = 1;
  int first = -1;
};

template <class Counts>
Likeness compare(const Contact& a, const Contact& b, const Counts& counts) {
  Likeness result;
  for (int i = 0; i < 4; ++i) {
    if (!counts(a.vertices[i])) continue;
    for (int j = 0; j < 4; ++j) {
      if (a.vertices[i] != b.vertices[j]) continue;
      result.product *= 1 - std::abs(std::abs(a.weights[i]) - std::abs(b.weights[j]));
      if (result.first == -1) result.first = i;
    }
  }
  return result;
}

// Of contacts in which only rigid bodies move: how many there are between the same two objects.
void count_rigid(const CollisionSurface& surface, std::span<const Contact> contacts,
                 std::vector<SimilarityBuffers::RigidPair>& pairs, std::vector<double>& Z) {
  pairs.clear();
  for (Index i = 0; i < static_cast<Index>(contacts.size()); ++i) {
    const auto& vertices = contacts[i].vertices;
    if (std::any_of(vertices.begin(), vertices.end(), [&](Index v) { return is_elastic(surface, v); })) continue;
    pairs.push_back({objects_of(surface, vertices), i});
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& x, const auto& y) {
    return x.objects != y.objects ? x.objects < y.objects : x.contact < y.contact;
  });
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    while (end < pairs.size() && pairs[end].objects == pairs[begin].objects) ++end;
    for (std::size_t i = begin; i < end; ++i) Z[pairs[i].contact] = static_cast<double>(end - begin);
  }
}

// Whether one rests, on a side, with all but a tenth of its weight on vertices that move and that the other has not.
bool acts_elsewhere(const CollisionSurface& surface, const Contact& one, const Contact& other) {
  const auto weight_of_its_own = [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const Index v = one.vertices[k];
      if (surface.vertex_moves[v] != 0 && std::ranges::find(other.vertices, v) == other.vertices.end())
        sum += std::abs(one.weights[k]);
    }
    return sum;
  };
  const std::size_t second = first_of_second(one.kind);
  return std::max(weight_of_its_own(0, second), weight_of_its_own(second, 4)) > same_point;
}

}  // namespace

double likeness(const CollisionSurface& surface, const Contact& a, const Contact& b) {
  const Likeness like = compare(a, b, [&](Index v) { return surface.vertex_moves[v] != 0; });
  return like.first >= 0 ? like.product : 0;
}

bool say_the_same(const CollisionSurface& surface, const Contact& a, const Contact& b) {
  return likeness(surface, a, b) > same_point && !acts_elsewhere(surface, a, b) && !acts_elsewhere(surface, b, a);
}

void similarity(const CollisionSurface& surface, std::span<const Contact> contacts, SimilarityBuffers& buffers,
                std::vector<double>& Z) {
  list_contacts(surface, contacts, buffers);
  Z.assign(contacts.size(), 1);
  for (Index a = 0; a < static_cast<Index>(contacts.size()); ++a) {
    for (int i = 0; i < 4; ++i) {
      const Index v = contacts[a].vertices[i];
      for (Index place = buffers.begin[v]; place < buffers.begin[v + 1]; ++place) {
        const Index b = buffers.contacts[place];
        if (b == a) continue;
        // A contact with several common vertices is met several times; it counts at the first.
        const Likeness like =
            compare(contacts[a], contacts[b], [&](Index vertex) { return is_elastic(surface, vertex); });
        if (like.first == i) Z[a] += like.product;
      }
    }
  }
  count_rigid(surface, contacts, buffers.pairs, Z);
}

}  // namespace sim
