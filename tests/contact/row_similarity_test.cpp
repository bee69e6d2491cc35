#include "contact/row_similarity.hpp"

#include <gtest/gtest.h>

#include <map>

namespace sim {
namespace row_similarity_test {

// One row of blocks a contact: column -> weight, in a frame of its own, times a step of 0.01 s.
BlockMatrix rows(const std::vector<std::map<Index, double>>& contacts) {
  BlockMatrix L;
  double turn = 0;
  for (const auto& contact : contacts) {
    const Mat3 frame = Eigen::AngleAxisd(turn += 1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    L.row_begin.push_back(L.row_begin.back() + static_cast<Index>(contact.size()));
    for (const auto& [column, weight] : contact) {
      L.column.push_back(column);
      const Mat3 block = 0.01 * weight * frame;
      L.values.insert(L.values.end(), block.data(), block.data() + 9);
    }
  }
  L.values.push_back(0);
  return L;
}

void expect_z(const std::vector<std::map<Index, double>>& contacts, const std::vector<double>& expected) {
  const std::vector<double> Z = row_similarity(rows(contacts));
  ASSERT_EQ(Z.size(), expected.size());
  for (std::size_t i = 0; i < Z.size(); ++i) EXPECT_NEAR(Z[i], expected[i], 1e-14) << "contact " << i;
}

TEST(RowSimilarity, ContactsThatShareNothingAreThereOnce) {
  expect_z({{{0, 1}, {1, -1}}, {{2, 1}, {3, -1}}}, {1, 1});
}

TEST(RowSimilarity, ACopyCountsFully) {
  const std::map<Index, double> contact{{0, 1}, {4, -0.25}, {5, -0.25}, {6, -0.5}};
  expect_z({contact, contact}, {2, 2});
  expect_z({contact, {{9, 1}}, contact, contact}, {3, 1, 3, 3});
}

TEST(RowSimilarity, SharedColumnsMultiply) {
  // Common are columns 0 and 4: (1 - 0) (1 - |0.25 - 0.75|) = 1/2.
  expect_z({{{0, 1}, {4, -0.25}, {5, -0.75}}, {{0, 1}, {4, -0.75}, {6, -0.25}}}, {1.5, 1.5});
}

TEST(RowSimilarity, SumsOverAllThatShareAColumn) {
  // 0 and 1 share column 0: 1 - 0.5. 1 and 2 share column 3: 1 - 0.8. 0 and 2 share nothing.
  expect_z({{{0, 1}}, {{0, 0.5}, {3, -1}}, {{3, -0.2}}}, {1.5, 1.7, 1.2});
}

TEST(RowSimilarity, WeightsAreMeasuredByTheHeaviest) {
  // The same with all weights halved: the heaviest counts as 1.
  expect_z({{{0, 0.5}}, {{0, 0.25}, {3, -0.5}}, {{3, -0.1}}}, {1.5, 1.7, 1.2});
}

TEST(RowSimilarity, AZeroBlockIsNoSharedColumn) {
  expect_z({{{0, 1}, {1, 0}}, {{1, 0}, {2, 1}}}, {1, 1});
}

TEST(RowSimilarity, OfNoContactsIsEmpty) {
  expect_z({}, {});
}

}  // namespace row_similarity_test
}  // namespace sim
