#include "collide/proximity.hpp"

#include <gtest/gtest.h>

namespace sim {
namespace proximity_test {

// Vertices of one object over a large triangle of another, and of a third one, at these heights.
struct Above {
  VecX x;
  CollisionSurface surface;
  Candidates candidates;
  std::vector<Contact> contacts;

  explicit Above(const std::vector<double>& heights) {
    const auto count = static_cast<Index>(heights.size());
    std::vector<Triangle> triangles{{0, 1, 2}};
    std::vector<Index> object{0, 0, 0};
    x.resize(9 + 9 * count);
    x.head(9) << -10, -10, 0, 20, -10, 0, -10, 20, 0;
    for (Index i = 0; i < count; ++i) {  // the lowest vertex of a triangle each
      const Index first = 3 + 3 * i;
      triangles.push_back({first, first + 1, first + 2});
      object.insert(object.end(), 3, i < 2 ? 1 : i);
      x.segment<9>(3 * first) << i, 0, heights[i], i + 0.5, 0, 1, i, 0.5, 1;
      candidates.vertex_face.push_back({first, 0});
    }
    const std::vector<std::uint8_t> moves(object.size(), 1);
    surface = make_surface(triangles, object, moves);
  }

  void push(Index i, double force) {
    Contact contact;
    contact.pair = candidates.vertex_face[i];
    contact.id = contact_id(contact.kind, contact.pair);
    contact.vertices = stencil(surface, contact.kind, contact.pair);
    contact.lambda = force;
    contacts.push_back(contact);
  }
  std::vector<Hit> nearer() const {
    std::vector<Hit> hits;
    find_nearer_than_pushing(surface, contacts, candidates, x, hits);
    return hits;
  }
};

TEST(Proximity, WhatIsNearerThanWhatPushesIsFound) {
  Above above({3e-6, 2.9e-6});
  above.push(0, 1);
  const std::vector<Hit> hits = above.nearer();
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].pair.first, 6);
  EXPECT_EQ(hits[0].time, 0);
}

TEST(Proximity, WhatIsAsFarIsNot) {
  Above above({3e-6, 2.9999e-6});
  above.push(0, 1);
  EXPECT_TRUE(above.nearer().empty());
}

TEST(Proximity, NothingIsNearerThanWhatDoesNotPush) {
  Above above({3e-6, 1e-6});
  above.push(0, 0);
  EXPECT_TRUE(above.nearer().empty());
}

TEST(Proximity, WhatPushesOtherObjectsDoesNotCount) {
  Above above({3e-6, 3e-6, 1e-6});  // the third vertex is of another object
  above.push(0, 1);
  EXPECT_TRUE(above.nearer().empty());
}

TEST(Proximity, NothingIsFoundThatWouldHaveToBeRaised) {
  Above above({3e-6, 0.1e-6});  // of 5 um that gaps may have, 0.2 are the least
  above.push(0, 1);
  EXPECT_TRUE(above.nearer().empty());
}

}  // namespace proximity_test
}  // namespace sim
