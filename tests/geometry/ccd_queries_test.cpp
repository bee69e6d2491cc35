// The continuous tests, and the rational reference that judges them elsewhere, against the exact answers of the
// sample queries. All six sets are degenerate on purpose: unit-tests by name, erleben-* because the cubes, wedges and
// spikes are stacked so that faces and edges coincide.
#include "geometry/ccd_queries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <iostream>

#include "geometry/closest_points.hpp"
#include "geometry/rational_reference.hpp"

namespace sim {
namespace ccd_queries_test {

using reference::CcdQuery;
using Collision = ContinuousResult (*)(const MovingPoints&, double);
using Contact = reference::FirstContact (*)(const MovingPoints&);

class CcdQueries : public testing::Test {
 protected:
  void SetUp() override {
    const std::string folder = reference::ccd_queries_folder();
    sets_ = reference::read_ccd_queries(folder);
    ASSERT_GE(sets_.size(), 6U) << folder << " does not hold the six folders of queries";
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

double distance_at(const CcdQuery& query, bool edges, double t) {
  std::array<Vec3, 4> x;
  for (int k = 0; k < 4; ++k) x[k] = (1 - t) * query.points.x0[k] + t * query.points.x1[k];
  return edges ? closest_segment_segment(x[0], x[1], x[2], x[3]).distance
               : closest_point_triangle(x[0], x[1], x[2], x[3]).distance;
}

struct Tally {
  int hits = 0, missed = 0, free = 0, false_alarms = 0, longest = 0;
};

Tally count(const std::vector<CcdQuery>& queries, Collision collision) {
  Tally tally;
  for (const CcdQuery& query : queries) {
    const ContinuousResult result = collision(query.points, 0);
    tally.longest = std::max(tally.longest, result.samples);
    tally.hits += query.hit;
    tally.missed += query.hit && !result.hit;
    tally.free += !query.hit;
    tally.false_alarms += !query.hit && result.hit;
  }
  return tally;
}

TEST_F(CcdQueries, NoCollisionIsMissedAndFalseAlarmsAreFew) {
  std::cout << "set                                  hits missed   free false alarms longest search\n";
  for_all([](const std::string& name, const std::vector<CcdQuery>& queries, Collision collision, Contact) {
    const Tally tally = count(queries, collision);
    std::cout << std::left << std::setw(36) << name << std::right << std::setw(5) << tally.hits << std::setw(7)
              << tally.missed << std::setw(7) << tally.free << std::setw(13) << tally.false_alarms << std::setw(15)
              << tally.longest << "\n";
    EXPECT_EQ(tally.missed, 0) << name;
    EXPECT_LT(tally.longest, max_samples) << name;
    // Its edges pass each other at distances of 1e-17, by intention: the next test says how near each alarm is.
    if (name.find("cube-cliff-edges") != std::string::npos) return;
    EXPECT_LE(tally.false_alarms, 0.02 * tally.free) << name;
  });
}

// At coordinates of size 1: what is reported, rightly or wrongly, is nearer than doubles can tell apart.
TEST_F(CcdQueries, EveryFalseAlarmIsNearerThanRounding) {
  for_all([](const std::string& name, const std::vector<CcdQuery>& queries, Collision collision, Contact) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const ContinuousResult result = collision(queries[i].points, 0);
      if (queries[i].hit || !result.hit) continue;
      EXPECT_LT(distance_at(queries[i], collision == edge_edge_collision, result.time), 1e-13)
          << name << " query " << i;
    }
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
      EXPECT_LT(distance_at(queries[i], collision == edge_edge_collision, time), 1e-13) << name << " query " << i;
    }
  });
}

}  // namespace ccd_queries_test
}  // namespace sim
