#include "elasticity/volumes.hpp"

#include <gtest/gtest.h>

#include "elasticity/specimen.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace volumes_test {

using test::material;

// Three tets on one base, each with an apex of its own at height 1, in three materials: the volume of each is in
// proportion to where its apex is.
struct Tents {
  std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  std::vector<Tet> tets{{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}};
  ElasticBodies bodies;
  VecX x;

  Tents() {
    Material published = material(MaterialModel::neo_hookean);
    published.extrapolate_below = 0.6;
    bodies = make_elastic_bodies(rest, tets, std::vector<Index>{0, 1, 2},
                                 std::vector<Material>{material(MaterialModel::neo_hookean), published,
                                                       material(MaterialModel::corotational)});
    x = test::stacked(rest);
  }
  VecX with_heights(double first, double second, double third) const {
    VecX moved = x;
    moved[3 * 3 + 2] = first;
    moved[3 * 4 + 2] = second;
    moved[3 * 5 + 2] = third;
    return moved;
  }
};

TEST(Volumes, SummaryIsThatCountedByHand) {
  const Tents t;
  VolumeSummary all = summarise_volumes(t.bodies, t.x);
  EXPECT_EQ(all.of_all.ratio, 1);
  EXPECT_EQ(all.of_all.tet, 0);
  EXPECT_EQ(all.inverted, 0);
  EXPECT_EQ(all.continued, 0);
  EXPECT_EQ(all.of_continued.tet, -1);

  // The smallest of all is none of those whose energy is continued: those are below 0.01, 0.6 and 0.3.
  all = summarise_volumes(t.bodies, t.with_heights(0.25, 0.5, 0.75));
  EXPECT_EQ(all.of_all.ratio, 0.25);
  EXPECT_EQ(all.of_all.tet, 0);
  EXPECT_EQ(all.continued, 1);
  EXPECT_EQ(all.of_continued.ratio, 0.5);
  EXPECT_EQ(all.of_continued.tet, 1);

  all = summarise_volumes(t.bodies, t.with_heights(0, 0.5, -0.125));
  EXPECT_EQ(all.of_all.ratio, -0.125);
  EXPECT_EQ(all.of_all.tet, 2);
  EXPECT_EQ(all.inverted, 2);  // flat counts too
  EXPECT_EQ(all.continued, 3);
  EXPECT_EQ(all.of_continued.tet, 2);
}

TEST(Volumes, OfNoElementsThereIsNone) {
  const VolumeSummary none = summarise_volumes(ElasticBodies{}, VecX());
  EXPECT_TRUE(std::isnan(none.of_all.ratio));
  EXPECT_EQ(none.of_all.tet, -1);
  EXPECT_TRUE(turned_inside_out(ElasticBodies{}, VecX(), VecX()).empty());
}

TEST(Volumes, BareCorotationalIsNeverContinued) {
  Material bare = material(MaterialModel::corotational);
  bare.as_published = true;
  test::Specimen s = test::make_specimen({bare});
  test::deform(s, Vec3(1, 1, -0.5), 0);
  const VolumeSummary all = summarise_volumes(s.bodies, s.x);
  EXPECT_NEAR(all.of_all.ratio, -0.5, 1e-12);
  EXPECT_EQ(all.inverted, static_cast<Index>(s.mesh.tets.size()));
  EXPECT_EQ(all.continued, 0);
}

TEST(Volumes, TurnedAreThoseThatHadVolumeAndResist) {
  const Tents t;
  const VecX flat = t.with_heights(0, -1, -1);
  EXPECT_EQ(turned_inside_out(t.bodies, t.x, flat), (std::vector<Index>{0, 2}));  // the second is as published
  EXPECT_EQ(turned_inside_out(t.bodies, t.with_heights(-1, 1, 1), flat), std::vector<Index>{2});
  EXPECT_TRUE(turned_inside_out(t.bodies, flat, t.x).empty());
  EXPECT_TRUE(turned_inside_out(t.bodies, t.x, t.with_heights(1e-9, 1, 1)).empty());
}

TEST(Volumes, AreTheDeterminantsAndTheSameForAnyNumberOfThreads) {
  test::Specimen s = test::make_specimen({material(MaterialModel::corotational)}, {9, 8, 9});
  const VecX x0 = s.x;
  test::deform(s, Vec3(1, 1, 1), 0.009);  // some elements are inverted
  const VolumeSummary one = summarise_volumes(s.bodies, s.x);
  Index inverted = 0, continued = 0;
  double smallest = 1;
  std::vector<Index> turned;
  for (Index tet = 0; tet < static_cast<Index>(s.mesh.tets.size()); ++tet) {
    const double J = test::deformation_gradient(s, tet).determinant();
    smallest = std::min(smallest, J);
    inverted += J <= 0 ? 1 : 0;
    continued += J < 0.3 ? 1 : 0;
    if (J <= 0) turned.push_back(tet);
  }
  ASSERT_GT(inverted, 5);
  EXPECT_NEAR(one.of_all.ratio, smallest, 1e-10);
  EXPECT_EQ(one.inverted, inverted);
  EXPECT_EQ(one.continued, continued);
  EXPECT_EQ(turned_inside_out(s.bodies, x0, s.x), turned);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    const VolumeSummary many = summarise_volumes(s.bodies, s.x);
    EXPECT_EQ(many.of_all.ratio, one.of_all.ratio);
    EXPECT_EQ(many.of_all.tet, one.of_all.tet);
    EXPECT_EQ(many.of_continued.tet, one.of_continued.tet);
    EXPECT_EQ(many.inverted, one.inverted);
    EXPECT_EQ(turned_inside_out(s.bodies, x0, s.x), turned);
  }
  set_thread_count(1);
}

}  // namespace volumes_test
}  // namespace sim
