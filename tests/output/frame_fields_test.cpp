// What frames hold on request: stress and strain of tetrahedra, and the contact forces on vertices.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "output/contact_records.hpp"
#include "output/fixture.hpp"
#include "output/hdf5.hpp"

namespace sim {
namespace frame_fields_test {

using testing::Folder;
using testing::numbered_state;
using testing::small_header;
using testing::small_model;
using testing::two_contacts;

template <class T>
std::vector<T> values(const std::string& path, const std::string& name, const hdf5::Shape& shape) {
  const hdf5::Handle file = hdf5::open_file(path);
  EXPECT_EQ(hdf5::shape_of(file, name), shape) << name;
  std::size_t count = 1;
  for (const hsize_t extent : shape) count *= extent;
  std::vector<T> read(count);
  if (count > 0) hdf5::read_rows(file, name, 0, shape[0], hdf5::native_type<T>(), read.data());
  return read;
}

// On vertex 3, in the middle of others: 10 N up and friction (-3, -4, 0), against half and quarters of it on 4, 5, 6.
// On the edges: 2 N along x and friction (0, 1/4, -1/2).
TEST(ContactForces, AreDividedAmongTheVerticesAsTheContactPointIs) {
  const VecX forces = contact_forces(two_contacts().contacts.contacts, 9);
  ASSERT_EQ(forces.size(), 27);
  const Vec3 face(-3, -4, 10), edge(2, 0.25, -0.5);
  const std::array<Vec3, 9> expected{
      Vec3(0, 0, 0), 0.75 * edge,  0.25 * edge, face, -0.5 * face, -0.25 * face, Vec3(-0.25 * face - 0.5 * edge),
      -0.5 * edge,   Vec3(0, 0, 0)};
  for (Index i = 0; i < 9; ++i) EXPECT_EQ(Vec3(block(forces, i)), expected[i]) << "vertex " << i;
}

TEST(ContactForces, DoNotPull) {
  State state = two_contacts();
  for (Contact& contact : state.contacts.contacts) {
    contact.lambda = -1;
    contact.friction = {0, 0};
  }
  EXPECT_EQ(contact_forces(state.contacts.contacts, 9), VecX(VecX::Zero(27)));
}

TEST(FrameFields, AreThereOnRequest) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  ResultHeader header = small_header();
  header.of_tets.von_mises = header.contact_forces = true;
  {
    ResultFile file(path, small_model(), header);
    for (const double stress : {1e5, std::numeric_limits<double>::quiet_NaN(), 0.125}) {
      const State state = stress == 1e5 ? two_contacts() : numbered_state(9, 1);
      file.append_frame(state, state.contacts.contacts, {{stress}, {}, {}});
    }
    file.finish("done", "");
  }
  const auto stress = values<double>(path, "/frames/von_mises", {3, 1});
  EXPECT_EQ(stress[0], 1e5);
  EXPECT_TRUE(std::isnan(stress[1]));
  EXPECT_EQ(stress[2], 0.125);
  const auto forces = values<double>(path, "/frames/contact_forces", {3, 9, 3});
  const VecX first = contact_forces(two_contacts().contacts.contacts, 9);
  EXPECT_EQ(std::vector<double>(forces.begin(), forces.begin() + 27),
            std::vector<double>(first.begin(), first.end()));
  EXPECT_EQ(std::vector<double>(forces.begin() + 27, forces.end()), std::vector<double>(54, 0.0));
  EXPECT_EQ(values<std::int32_t>(path, "/model/tet_object", {1}), (std::vector<std::int32_t>{0}));
  EXPECT_EQ(values<std::int32_t>(path, "/model/shell_triangles", {2, 3}),
            (std::vector<std::int32_t>{4, 5, 6, 4, 6, 7}));
  EXPECT_EQ(values<std::int32_t>(path, "/model/shell_object", {2}), (std::vector<std::int32_t>{2, 2}));
}

TEST(FrameFields, TensorsHaveSixComponentsInTheOrderThatTheFileTells) {
  const Folder folder;
  for (const AskedFields& asked : {AskedFields{false, true, true}, {false, true, false}, {false, false, true}}) {
    const std::string path = folder.file("a.h5");
    ResultHeader header = small_header();
    header.of_tets = asked;
    const TetFields fields{{}, {{1, 2, 3, 4, 5, 6}}, {{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}}};
    {
      ResultFile file(path, small_model(), header);
      for (std::int64_t k = 0; k < 3; ++k) file.append_frame(numbered_state(9, k), {}, fields);
    }
    const hdf5::Handle file = hdf5::open_file(path);
    EXPECT_FALSE(hdf5::exists(file, "/frames/von_mises"));
    EXPECT_TRUE(hdf5::exists(file, "/model/tet_object"));
    EXPECT_TRUE(hdf5::exists(file, "/model/shell_triangles"));
    for (const auto& [name, there, row] : {std::tuple{"/frames/stress", asked.stress, fields.stress[0]},
                                           {"/frames/strain", asked.strain, fields.strain[0]}}) {
      ASSERT_EQ(hdf5::exists(file, name), there) << name;
      if (!there) continue;
      const auto read = values<double>(path, name, {3, 1, 6});
      for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], row[i % 6]) << name;
    }
  }
}

TEST(FrameFields, StressOfAModelWithoutTetrahedraIsARowWithoutNumbers) {
  const Folder folder;
  ResultHeader header = small_header();
  header.of_tets = {true, true, true};
  {
    ResultFile file(folder.file("a.h5"), testing::points(3), header);
    file.append_frame(numbered_state(3, 0));
  }
  EXPECT_TRUE(values<double>(folder.file("a.h5"), "/frames/von_mises", {1, 0}).empty());
  EXPECT_TRUE(values<double>(folder.file("a.h5"), "/frames/stress", {1, 0, 6}).empty());
  EXPECT_TRUE(values<double>(folder.file("a.h5"), "/frames/strain", {1, 0, 6}).empty());
}

// 10,000 tetrahedra: 80 kB a frame, 480 of a tensor, so compressed.
TEST(FrameFields, ManyTetrahedraKeepTheirBits) {
  const Folder folder;
  Model model = testing::points(4);
  model.mesh.tets.assign(10000, {0, 1, 2, 3});
  model.objects[0].tets = {0, 10000};
  ResultHeader header = small_header();
  header.of_tets = {true, true, false};
  std::vector<double> stress(10000);
  std::vector<SymmetricTensor> tensors(10000);
  for (std::size_t t = 0; t < stress.size(); ++t) {
    stress[t] = std::sqrt(static_cast<double>(t));
    for (std::size_t i = 0; i < 6; ++i) tensors[t][i] = std::cbrt(static_cast<double>(6 * t + i));
  }
  {
    ResultFile file(folder.file("a.h5"), model, header);
    for (std::int64_t k = 0; k < 3; ++k) file.append_frame(numbered_state(4, k), {}, {stress, tensors, {}});
  }
  const auto read = values<double>(folder.file("a.h5"), "/frames/von_mises", {3, 10000});
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], stress[i % 10000]);
  const auto six = values<double>(folder.file("a.h5"), "/frames/stress", {3, 10000, 6});
  for (std::size_t i = 0; i < six.size(); ++i) ASSERT_EQ(six[i], tensors[i / 6 % 10000][i % 6]);
}

TEST(FrameFields, AreLeftOutUnlessAskedFor) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  { ResultFile(path, small_model(), small_header()).append_frame(two_contacts(), two_contacts().contacts.contacts); }
  const hdf5::Handle file = hdf5::open_file(path);
  for (const char* name : {"/frames/von_mises", "/frames/stress", "/frames/strain", "/frames/contact_forces",
                           "/model/tet_object", "/model/shell_triangles"})
    EXPECT_FALSE(hdf5::exists(file, name)) << name;
}

}  // namespace frame_fields_test
}  // namespace sim
