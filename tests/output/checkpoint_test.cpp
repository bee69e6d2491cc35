// /checkpoint of the result file: what goes in comes out, and going on with a file.
#include "output/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "math/error.hpp"
#include "output/fixture.hpp"
#include "output/hdf5.hpp"
#include "output/result_reader.hpp"

namespace sim {
namespace checkpoint_test {

using testing::Folder;
using testing::numbered_report;
using testing::numbered_state;
using testing::points;
using testing::small_header;
using testing::small_model;

using Steps = std::vector<std::int64_t>;

Model model_with_surface() {
  Model model = small_model();
  model.initial_velocity = VecX::Zero(27);
  finish_model(model);
  return model;
}

// With a number of its own in every field that is not bound by the pair.
Contact numbered_contact(const Model& model, ContactKind kind, Pair pair, double number) {
  Contact c;
  c.kind = kind;
  c.pair = pair;
  c.id = contact_id(kind, pair);
  c.vertices = stencil(model.surface, kind, pair);
  const auto next = [&number] { return number += 1.0 / 3; };
  for (double& w : c.weights) w = next();
  for (Vec3* axis : {&c.n, &c.t1, &c.t2}) *axis = Vec3(next(), next(), next());
  c.gap = next();
  c.target_gap = next();
  c.time = next();
  c.lambda = next();
  for (auto* along : {&c.c_t, &c.gamma, &c.delta, &c.slip, &c.drift}) *along = {next(), -next()};
  c.age = 7;
  c.slid_from = contact_id(kind, pair) + 5;
  c.turns = 3;
  c.raised = 2;
  c.frozen = true;
  c.state = FrictionState::sliding;
  c.for_exact = 34;
  return c;
}

void expect_equal(const Contact& a, const Contact& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.pair, b.pair);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.n, b.n);
  EXPECT_EQ(a.t1, b.t1);
  EXPECT_EQ(a.t2, b.t2);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.target_gap, b.target_gap);
  EXPECT_EQ(a.c_t, b.c_t);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.age, b.age);
  EXPECT_EQ(a.slid_from, b.slid_from);
  EXPECT_EQ(a.turns, b.turns);
  EXPECT_EQ(a.raised, b.raised);
  EXPECT_EQ(a.frozen, b.frozen);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.for_exact, b.for_exact);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_EQ(a.gamma, b.gamma);
  EXPECT_EQ(a.delta, b.delta);
  EXPECT_EQ(a.slip, b.slip);
  EXPECT_EQ(a.drift, b.drift);
}

void expect_equal(const State& a, const State& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.left_over, b.left_over);
  ASSERT_EQ(a.contacts.contacts.size(), b.contacts.contacts.size());
  for (std::size_t i = 0; i < a.contacts.contacts.size(); ++i)
    expect_equal(a.contacts.contacts[i], b.contacts.contacts[i]);
}

class Checkpoint : public ::testing::Test {
 protected:
  Checkpoint() {
    header.every = 20;
    header.checkpoint = 20;
    header.contacts = header.trace = true;
  }

  State state(std::int64_t k) const {
    State made = numbered_state(9, k);
    for (Index i = 0; i < k % 3; ++i) {
      const bool face = i == 0;
      made.contacts.contacts.push_back(
          numbered_contact(model, face ? ContactKind::vertex_face : ContactKind::edge_edge,
                           face ? Pair{3, 4} : Pair{0, static_cast<Index>(model.surface.edges.size()) - 1},
                           static_cast<double>(100 * k)));
    }
    return made;
  }
  // Ten steps to each state; frames and checkpoints as a run writes them.
  void go_on(ResultFile& file, std::int64_t first, std::int64_t last) const {
    for (std::int64_t k = first; k <= last; ++k) {
      const State reached = state(k);
      for (std::int64_t step = 10 * k - 9; k > 0 && step <= 10 * k; ++step)
        file.append_step(numbered_report(step), Trace(static_cast<std::size_t>(step % 3), TraceRow{}));
      const bool due = reached.step % 20 == 0 || k == last;
      if (due && file.last_frame() != reached.step) file.append_frame(reached, reached.contacts.contacts);
      if (due) file.append_checkpoint(reached);
    }
  }
  void write(std::int64_t last) const {
    ResultFile file(path, model, header);
    go_on(file, 0, last);
    file.finish("interrupted", "");
  }
  std::string message_of_read(std::int64_t step, const Model& other) const {
    try {
      read_checkpoint(path, step, other);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const Folder folder;
  const std::string path = folder.file("a.h5");
  const Model model = model_with_surface();
  ResultHeader header = small_header();
};

template <class T>
std::vector<T> rows(const std::string& path, const std::string& name) {
  const hdf5::Handle file = hdf5::open_file(path);
  const hdf5::Shape shape = hdf5::shape_of(file, name);
  std::vector<T> values(shape.at(0) * (shape.size() > 1 ? shape[1] : 1));
  hdf5::read_rows(file, name, 0, shape[0], hdf5::native_type<T>(), values.data());
  return values;
}

TEST_F(Checkpoint, GivesBackTheStateToTheLastField) {
  write(8);
  EXPECT_EQ(checkpoint_steps(path), (Steps{0, 20, 40, 60, 80}));
  for (const std::int64_t k : {0, 2, 4, 6, 8}) expect_equal(read_checkpoint(path, 10 * k, model), state(k));
}

// Files of a version whose `acm` remembered layers: rows that have some are told, others are read.
TEST_F(Checkpoint, WhatOtherLawsOfFrictionRememberedIsRefused) {
  write(2);
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Handle group(H5Gopen(file, "checkpoint", H5P_DEFAULT), H5Gclose);
    hdf5::Table begin = hdf5::create_table(group, "layer_begin", H5T_NATIVE_INT64, {}, {8});
    const std::array<std::int64_t, 3> rows{0, 0, 2};
    hdf5::append_rows(begin, rows.size(), rows.data());
  }
  expect_equal(read_checkpoint(path, 0, model), state(0));
  try {
    read_checkpoint(path, 20, model);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("another law of friction"), std::string::npos) << error.what();
  }
}

TEST_F(Checkpoint, GivesBackRigidBodies) {
  Model rigid = small_model();
  rigid.objects[0].type = ObjectType::rigid;
  rigid.initial_velocity = VecX::Zero(27);
  finish_model(rigid);
  const auto made = [&](std::int64_t k) {
    State numbered = numbered_state(9, k);
    RigidState body;
    double number = static_cast<double>(k);
    for (Vec3* v : {&body.center, &body.velocity, &body.spin, &body.left_over, &body.left_over_spin}) {
      for (double& entry : *v) entry = number += 1.0 / 3;
    }
    body.turn = Eigen::Quaterniond(0.1, -0.5, 0.7, -0.5);  // of length 1
    numbered.rigid = {body};
    return numbered;
  };
  ResultFile file(path, rigid, header);
  for (const std::int64_t k : {0, 2, 3}) file.append_checkpoint(made(k));
  for (const std::int64_t k : {0, 2, 3}) {
    const State read = read_checkpoint(path, 10 * k, rigid), expected = made(k);
    ASSERT_EQ(read.rigid.size(), 1U);
    const RigidState &a = read.rigid[0], &b = expected.rigid[0];
    EXPECT_EQ(a.center, b.center);
    EXPECT_EQ(a.turn.coeffs(), b.turn.coeffs());
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.spin, b.spin);
    EXPECT_EQ(a.left_over, b.left_over);
    EXPECT_EQ(a.left_over_spin, b.left_over_spin);
  }
  State bent = made(4);
  bent.rigid[0].turn.w() = 2;
  file.append_checkpoint(bent);
  EXPECT_NE(message_of_read(40, rigid).find("turned by what is no rotation"), std::string::npos);
}

TEST_F(Checkpoint, OneBetweenTheRegularOnesLastsUntilTheNext) {
  ResultFile file(path, model, header);
  file.append_checkpoint(state(0));
  file.append_checkpoint(state(1));
  EXPECT_EQ(checkpoint_steps(path), (Steps{0, 10}));
  expect_equal(read_checkpoint(path, 10, model), state(1));
  file.append_checkpoint(state(5));
  EXPECT_EQ(checkpoint_steps(path), (Steps{0, 50}));
  expect_equal(read_checkpoint(path, 50, model), state(5));
  file.append_checkpoint(state(5));
  EXPECT_EQ(checkpoint_steps(path), (Steps{0, 50}));
  file.append_checkpoint(state(8));
  EXPECT_EQ(checkpoint_steps(path), (Steps{0, 80}));
  expect_equal(read_checkpoint(path, 80, model), state(8));
}

TEST_F(Checkpoint, TheFirstIsKeptWhateverItsStep) {
  ResultFile file(path, model, header);
  for (const std::int64_t k : {3, 4, 6}) file.append_checkpoint(state(k));
  EXPECT_EQ(checkpoint_steps(path), (Steps{30, 40, 60}));
}

TEST_F(Checkpoint, TheStepsBeforeItAreInTheFileWithIt) {
  ResultFile file(path, model, header);
  file.append_step(numbered_report(1), Trace(2));
  file.append_checkpoint(state(2));
  EXPECT_EQ(ResultReader(path).step_count(), 1);
  EXPECT_EQ(rows<double>(path, "/trace/residual").size(), 2U);
}

// Ended between two frames and two checkpoints, gone on, and compared with a file that was written in one go.
TEST_F(Checkpoint, AFileThatIsGoneOnWithIsTheOneOfARunThatNeverStopped) {
  write(11);
  const std::string whole = path;
  std::filesystem::rename(path, folder.file("whole.h5"));
  write(5);
  EXPECT_EQ(ResultReader(path).frame_step(3), 50);
  for (const auto& [from, to] : {std::pair{5, 9}, {9, 11}}) {
    const State start = read_checkpoint(path, 10 * from, model);
    expect_equal(start, state(from));
    ResultFile file(path, model, header, start);
    EXPECT_EQ(file.last_frame(), 10 * (from - 1));
    EXPECT_EQ(checkpoint_steps(path).back(), 10 * from);
    go_on(file, from + 1, to);
    file.finish("done", "");
  }
  const std::string other = folder.file("whole.h5");
  for (const char* name : {"/frames/step", "/steps/step", "/trace/step", "/trace/begin", "/contacts/begin",
                           "/checkpoint/step", "/checkpoint/begin", "/checkpoint/last/step"})
    EXPECT_EQ(rows<std::int64_t>(path, name), rows<std::int64_t>(other, name)) << name;
  for (const char* name : {"/frames/time", "/steps/residual", "/steps/momentum", "/trace/residual",
                           "/contacts/lambda", "/contacts/point", "/checkpoint/contact_reals"})
    EXPECT_EQ(rows<double>(path, name), rows<double>(other, name)) << name;
  const ResultReader a(path), b(other);
  ASSERT_EQ(a.frame_count(), 7);
  for (std::int64_t k = 0; k < 7; ++k) EXPECT_EQ(a.positions(k), b.positions(k));
  for (const std::int64_t step : checkpoint_steps(other))
    expect_equal(read_checkpoint(path, step, model), read_checkpoint(other, step, model));
}

TEST_F(Checkpoint, ParaViewsFileIsMadeAnewToo) {
  write(6);
  const std::string companion = folder.file("a.xdmf");
  const auto size = std::filesystem::file_size(companion);
  write(2);
  {
    ResultFile file(path, model, header, read_checkpoint(path, 20, model));
    go_on(file, 3, 6);
  }
  EXPECT_EQ(std::filesystem::file_size(companion), size);
}

// Compressed rows of one chunk, and of two that are not alike in size.
TEST_F(Checkpoint, LargeFramesAreCarriedOver) {
  for (const Index vertices : {2000, 180001}) {
    const Model large = points(vertices);
    const auto append = [&](ResultFile& file, std::int64_t k) {
      file.append_frame(numbered_state(vertices, k));
      file.append_checkpoint(numbered_state(vertices, k));
    };
    {
      ResultFile file(path, large, header);
      for (const std::int64_t k : {0, 2, 4, 5}) append(file, k);
    }
    {
      ResultFile file(path, large, header, read_checkpoint(path, 50, large));
      append(file, 6);
    }
    EXPECT_EQ(checkpoint_steps(path), (Steps{0, 20, 40, 60}));
    const ResultReader reader(path);
    ASSERT_EQ(reader.frame_count(), 4);
    for (std::int64_t frame = 0; frame < 4; ++frame) {
      const State expected = numbered_state(vertices, 2 * frame);
      EXPECT_EQ(reader.positions(frame), expected.x);
      EXPECT_EQ(reader.velocities(frame), expected.v);
      expect_equal(read_checkpoint(path, 20 * frame, large), expected);
    }
  }
}

TEST_F(Checkpoint, AFileWithoutOneSaysSo) {
  { const ResultFile file(path, model, header); }
  const auto message = [&] {
    try {
      checkpoint_steps(path);
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(), path +
                           ": holds no checkpoint to go on from: the run was killed before its first. Run its scene "
                           "anew");
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    hdf5::remove(file, "checkpoint");
  }
  EXPECT_EQ(message(),
            path + ": holds no checkpoint to go on from: 0.1.0 (abc) did not write any. Run its scene anew");
}

TEST_F(Checkpoint, OfAnotherModelIsRefused) {
  write(2);
  const auto expect_refused = [&](const std::string& what, const auto& change) {
    Model other = model_with_surface();
    change(other);
    const std::string message = message_of_read(20, other);
    EXPECT_EQ(message.rfind(path + ": " + what, 0), 0U) << message;
  };
  expect_refused("/model/objects has other objects", [](Model& m) { m.objects[0].name = "tut"; });
  expect_refused("/model/objects has other objects", [](Model& m) { m.objects.pop_back(); });
  expect_refused("/model/rest_positions has other", [](Model& m) { m.mesh.vertices[3][1] += 1e-15; });
  expect_refused("/model/tets has other", [](Model& m) { std::swap(m.mesh.tets[0][0], m.mesh.tets[0][1]); });
  expect_refused("/model/triangles has other", [](Model& m) { std::swap(m.mesh.triangles[0], m.mesh.triangles[1]); });
  EXPECT_EQ(message_of_read(20, model), "");
  EXPECT_EQ(message_of_read(10, model), path + ": there is no checkpoint of step 10");
}

TEST_F(Checkpoint, ThatIsDamagedIsRefused) {
  const auto spoil = [&](const std::string& name, hsize_t row, hsize_t column, auto value) {
    write(8);  // the last state has two contacts
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Handle dataset(H5Dopen2(file, ("/checkpoint/" + name).c_str(), H5P_DEFAULT), H5Dclose);
    const hdf5::Handle space(H5Dget_space(dataset), H5Sclose), one(H5Screate(H5S_SCALAR), H5Sclose);
    const hsize_t place[] = {row, column, 0};
    H5Sselect_elements(space, H5S_SELECT_SET, 1, place);
    H5Dwrite(dataset, hdf5::native_type<decltype(value)>(), one, space, H5P_DEFAULT, &value);
  };
  const auto expect_damage = [&](const std::string& what) {
    EXPECT_EQ(message_of_read(80, model), path + ": the checkpoint is damaged: " + what +
                                              ". Go on from an earlier one: --from STEP with -o new.h5");
  };
  const hsize_t row = 4, contact = 3;  // of the last state; three contacts are before them
  spoil("positions", row, 3, std::numeric_limits<double>::quiet_NaN());
  expect_damage("it holds numbers that are not finite");
  spoil("contact_reals", contact, 5, std::numeric_limits<double>::infinity());
  expect_damage("it holds numbers that are not finite");
  spoil("contact_integers", contact, 1, std::int64_t{3});
  expect_damage("a contact is of no known kind");
  spoil("contact_integers", contact, 2, std::int64_t{9});
  expect_damage("a contact is between things that are not there");
  spoil("contact_integers", contact, 3, std::int64_t{-1});
  expect_damage("a contact is between things that are not there");
  spoil("contact_integers", contact, 5, std::int64_t{0});
  expect_damage("a contact contradicts itself");
  spoil("contact_integers", contact, 13, std::int64_t{3});
  expect_damage("a contact is in no known state");
  spoil("begin", row + 1, 0, std::int64_t{100});
  expect_damage("it names contacts that are not there");
  // Numbers that could be a state, but are not the one that was written: the last bit of one of them is enough.
  const std::string other = "its numbers are not those that were written";
  const State whole = state(8);
  spoil("positions", row, 3, std::nextafter(whole.x[9], 1e9));
  expect_damage(other);
  spoil("velocities", row, 8, -whole.v[24]);
  expect_damage(other);
  spoil("left_over", row, 0, 0.0);
  expect_damage(other);
  spoil("time", row, 0, std::nextafter(whole.time, 1e9));
  expect_damage(other);
  spoil("contact_reals", contact, 0, 0.125);
  expect_damage(other);
  spoil("contact_integers", contact, 8, std::int64_t{8});
  expect_damage(other);
  EXPECT_EQ(message_of_read(60, model), "");  // the one before is as it was
}

TEST_F(Checkpoint, WithoutADigestIsReadAsItIs) {  // as older versions wrote them
  write(4);
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    hdf5::remove(file, "checkpoint/digest");
  }
  expect_equal(read_checkpoint(path, 40, model), state(4));
  {
    ResultFile file(path, model, header, read_checkpoint(path, 40, model));
    go_on(file, 5, 6);
    file.finish("done", "");
  }
  expect_equal(read_checkpoint(path, 40, model), state(4));
  expect_equal(read_checkpoint(path, 60, model), state(6));
  const auto digests = rows<std::int64_t>(path, "checkpoint/digest");
  ASSERT_EQ(digests.size(), 4U);
  EXPECT_EQ((std::vector<std::int64_t>{digests[0], digests[1], digests[2]}), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_NE(digests[3], 0);
}

TEST_F(Checkpoint, ThatNamesOtherColumnsOfContactsIsRefused) {
  write(2);
  const std::string name = "/checkpoint/contact_reals";
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    std::string columns = hdf5::read_text_attribute(hdf5::open_dataset(file, name), "columns");
    std::swap(columns[8], columns[18]);  // weights_1 weights_0 ...
    hdf5::rewrite_attribute(hdf5::open_dataset(file, name), "columns", columns);
  }
  EXPECT_EQ(message_of_read(20, model),
            path + ": " + name + " has other columns than this version of the program knows");
}

// Something is missing in the old file, so the new one cannot be made: the old one is what it was.
TEST_F(Checkpoint, WhereGoingOnFailsTheFileStaysAsItIs) {
  write(5);
  const State start = read_checkpoint(path, 50, model);
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    hdf5::remove(file, "frames/velocities");
  }
  const std::string before = bytes();
  EXPECT_THROW(ResultFile(path, model, header, start), FileError);
  EXPECT_TRUE(bytes() == before);
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST_F(Checkpoint, AFileThatARunIsWritingIsNotGoneOnWith) {
  ResultFile file(path, model, header);
  go_on(file, 0, 2);
  try {
    const ResultFile second(path, model, header, read_checkpoint(path, 20, model));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("another run is writing it"), std::string::npos) << error.what();
  }
  go_on(file, 3, 4);
  EXPECT_EQ(checkpoint_steps(path), (Steps{0, 20, 40}));
}

}  // namespace checkpoint_test
}  // namespace sim
