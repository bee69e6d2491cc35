#include "collide/similarity.hpp"

#include <cmath>

namespace sim {

namespace {

// Lists for every vertex that moves the contacts that it is in, in their order.
void list_contacts(const CollisionSurface& surface, std::span<const Contact> contacts, SimilarityBuffers& buffers) {
  const std::size_t vertices = surface.vertex_moves.size();
  auto& begin = buffers.begin;
  begin.assign(vertices + 2, 0);
  for (const Contact& c : contacts) {
    for (const Index v : c.vertices) begin[v + 2] += surface.vertex_moves[v];
  }
  for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
  buffers.contacts.resize(static_cast<std::size_t>(begin.back()));
  for (Index i = 0; i < static_cast<Index>(contacts.size()); ++i) {
    for (const Index v : contacts[i].vertices) {
      if (surface.vertex_moves[v] != 0) buffers.contacts[begin[v + 1]++] = i;
    }
  }
}

// The product over common moving vertices; `first` is the place in a of the first of them.
struct Likeness {
  double product = 1;
  int first = -1;
};

Likeness compare(const CollisionSurface& surface, const Contact& a, const Contact& b) {
  Likeness result;
  for (int i = 0; i < 4; ++i) {
    if (surface.vertex_moves[a.vertices[i]] == 0) continue;
    for (int j = 0; j < 4; ++j) {
      if (a.vertices[i] != b.vertices[j]) continue;
      result.product *= 1 - std::abs(std::abs(a.weights[i]) - std::abs(b.weights[j]));
      if (result.first == -1) result.first = i;
    }
  }
  return result;
}

}  // namespace

double likeness(const CollisionSurface& surface, const Contact& a, const Contact& b) {
  const Likeness like = compare(surface, a, b);
  return like.first >= 0 ? like.product : 0;
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
        const Likeness like = compare(surface, contacts[a], contacts[b]);
        if (like.first == i) Z[a] += like.product;
      }
    }
  }
}

}  // namespace sim
