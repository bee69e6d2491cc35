// The continuous tests, and the rational reference that judges them elsewhere, against the exact answers of the
// sample queries. All six sets are degenerate on purpose: unit-tests by name, erleben-* because the cubes, wedges and
// spikes are stacked so that faces and edges coincide.
#include "geometry/ccd_queries.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "geometry/closest_points.hpp"
#include "geometry/rational_reference.hpp"

namespace sim {
namespace {

using reference::CcdQuery;
using Collision = ContinuousResult (*)(const MovingPoints&, double);
using Contact = reference::FirstContact (*)(const MovingPoints&);

class CcdQueries : public testing::Test {
 protected:
  void SetUp() override {
    const std::string folder = reference::ccd_queries_folder();
    if (folder.empty()) GTEST_SKIP() << "no sample queries: set CCD_QUERIES_DIR to their folder";
    sets_ = reference::read_ccd_queries(folder);
    ASSERT_FALSE(sets_.empty()) << folder << " holds no folders of queries";
  }

  template <class Body>
  void for_all(const Body& body) const {
    for (const auto& set : sets_) {
      body(set.name + "/vertex-face", set.vertex_face, Collision{vertex_face_collision},
           Contact{reference::vertex_face});
      body(set.name + "/edge-edge", set.edge_edge, Collision{edge_edge_collision}, Contact{reference::edge_edge});
    }
  }

  std::vector<reference::CcdQuerySet> sets_;
};

TEST_F(CcdQueries, CoordinatesAreDoubles) {
  for_all([](const std::string& name, const std::vector<CcdQuery>& queries, Collision, Contact) {
    ASSERT_FALSE(queries.empty()) << name;
    for (const CcdQuery& query : queries) EXPECT_TRUE(query.exact) << name;
  });
}

TEST_F(CcdQueries, NoCollisionIsMissed) {
  for_all([](const std::string& name, const std::vector<CcdQuery>& queries, Collision collision, Contact) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const bool missed = queries[i].hit && !collision(queries[i].points, 0).hit;
      EXPECT_FALSE(missed) << name << " query " << i;
    }
  });
}

double distance_at(const CcdQuery& query, bool edges, double t) {
  std::array<Vec3, 4> x;
  for (int k = 0; k < 4; ++k) x[k] = (1 - t) * query.points.x0[k] + t * query.points.x1[k];
  return edges ? closest_segment_segment(x[0], x[1], x[2], x[3]).distance
               : closest_point_triangle(x[0], x[1], x[2], x[3]).distance;
}

// Every false alarm is a motion that comes nearer than doubles can tell apart, at coordinates of size 1, and not a
// search that was given up. Only the cliff edges come that near, by differences of 1e-17.
TEST_F(CcdQueries, FalseAlarmsAreNearerThanRoundingAndElsewhereBelowTwoPercent) {
  for_all([](const std::string& name, const std::vector<CcdQuery>& queries, Collision collision, Contact) {
    int free = 0, alarms = 0, longest = 0;
    for (const CcdQuery& query : queries) {
      const ContinuousResult result = collision(query.points, 0);
      longest = std::max(longest, result.samples);
      if (query.hit) continue;
      ++free;
      if (!result.hit) continue;
      ++alarms;
      EXPECT_LT(distance_at(query, collision == edge_edge_collision, result.time), 1e-13) << name;
    }
    std::cout << name << ": " << alarms << " false alarms in " << free << " free queries of " << queries.size()
              << ", longest search " << longest << " samples\n";
    EXPECT_LT(longest, max_samples) << name;
    if (name.find("cube-cliff-edges") != std::string::npos) return;
    EXPECT_LE(alarms, 0.02 * free) << name;
  });
}

TEST_F(CcdQueries, RationalReferenceAgreesWithEveryAnswer) {
  for_all([](const std::string& name, const std::vector<CcdQuery>& queries, Collision, Contact contact) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      EXPECT_EQ(contact(queries[i].points).hit, queries[i].hit) << name << " query " << i;
    }
  });
}

TEST_F(CcdQueries, TimeIsNeverLaterThanTheFirstContact) {
  for_all([](const std::string& name, const std::vector<CcdQuery>& queries, Collision collision, Contact contact) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const reference::FirstContact first = contact(queries[i].points);
      if (!first.hit) continue;
      const double time = collision(queries[i].points, 0).time;
      EXPECT_LE(time, first.not_after) << name << " query " << i;
      EXPECT_NEAR(time, first.not_before, 1e-6) << name << " query " << i;
    }
  });
}

}  // namespace
}  // namespace sim
