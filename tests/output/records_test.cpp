// /trace and /contacts of the result file, and what a contact becomes there.
#include <gtest/gtest.h>

#include "output/contact_records.hpp"
#include "output/fixture.hpp"
#include "output/hdf5.hpp"
#include "output/result_reader.hpp"

namespace sim {
namespace records_test {

using testing::Folder;
using testing::numbered_report;
using testing::numbered_state;
using testing::small_header;
using testing::small_model;
using testing::two_contacts;

template <class T>
std::vector<T> column(const std::string& path, const std::string& name, hsize_t rows, std::size_t width = 1) {
  const hdf5::Handle file = hdf5::open_file(path);
  EXPECT_EQ(hdf5::shape_of(file, name).at(0), rows) << name;
  std::vector<T> values(rows * width);
  hdf5::read_rows(file, name, 0, rows, hdf5::native_type<T>(), values.data());
  return values;
}

bool has(const std::string& path, const std::string& name) {
  const hdf5::Handle file = hdf5::open_file(path);
  return hdf5::exists(file, name);
}

// `count` iterations with numbers that tell step and iteration; the last one is marked.
Trace trace_of(std::int64_t step, int count) {
  Trace trace;
  for (int i = 0; i < count; ++i) {
    const double number = static_cast<double>(100 * step + i);
    trace.push_back({number, number + 0.25, number + 0.5, TraceMark::none});
  }
  if (count > 0) trace.back().mark = TraceMark::relinearised;
  return trace;
}

TEST(ContactRecords, AreInWorldCoordinatesOnTheFirstSide) {
  const Model model = small_model();
  const State state = two_contacts();
  const auto records = contact_records(model.objects, state.contacts.contacts, state.x);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].point, Vec3(0, 0, 1));  // vertex 3
  EXPECT_EQ(records[0].friction, Vec3(-3, -4, 0));
  EXPECT_EQ(records[0].normal, Vec3(0, 0, 1));
  EXPECT_EQ(records[1].point, Vec3(0.75, 0.25, 0));  // three quarters (1, 0, 0) and one (0, 1, 0)
  EXPECT_EQ(records[1].friction, Vec3(0, 0.25, -0.5));
}

TEST(ContactRecords, NameTheObjectsOfBothSidesEmptyObjectsSkipped) {
  const Model model = small_model();
  const State state = two_contacts();
  for (const ContactRecord& record : contact_records(model.objects, state.contacts.contacts, state.x)) {
    EXPECT_EQ(record.objects, (std::array<Index, 2>{0, 2}));
  }
}

void append(ResultFile& file, const State& state) {
  file.append_frame(state, state.contacts.contacts);
}

// Where a file with records goes, and what is to be in it.
class ResultRecords : public ::testing::Test {
 protected:
  const Folder folder;
  const std::string path = folder.file("a.h5");
  ResultHeader header = small_header();
};

struct ResultContacts : ResultRecords {
  ResultContacts() { header.contacts = true; }
};

struct ResultTrace : ResultRecords {
  ResultTrace() { header.trace = true; }
};

TEST_F(ResultContacts, EveryFrameHasItsOwn) {
  {
    ResultFile file(path, small_model(), header);
    file.append_frame(numbered_state(9, 0));
    append(file, two_contacts());
    file.append_frame(numbered_state(9, 2));
    append(file, two_contacts());
    file.finish("done", "");
  }
  EXPECT_EQ(column<std::int64_t>(path, "/contacts/begin", 5), (std::vector<std::int64_t>{0, 0, 2, 2, 4}));
  EXPECT_EQ(column<std::int32_t>(path, "/contacts/kind", 4), (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(column<std::int32_t>(path, "/contacts/state", 4), (std::vector<std::int32_t>{2, 1, 2, 1}));
  EXPECT_EQ(column<std::int32_t>(path, "/contacts/pair", 4, 2), (std::vector<std::int32_t>{3, 4, 7, 8, 3, 4, 7, 8}));
  const auto vertices = column<std::int32_t>(path, "/contacts/vertices", 4, 4);
  EXPECT_EQ(std::vector<std::int32_t>(vertices.begin(), vertices.begin() + 8),
            (std::vector<std::int32_t>{3, 4, 5, 6, 1, 2, 6, 7}));
  EXPECT_EQ(column<double>(path, "/contacts/gap", 4), (std::vector<double>{2e-6, -1e-6, 2e-6, -1e-6}));
  EXPECT_EQ(column<double>(path, "/contacts/lambda", 4), (std::vector<double>{10, 2, 10, 2}));
  EXPECT_EQ(column<double>(path, "/contacts/friction", 4, 3),
            (std::vector<double>{-3, -4, 0, 0, 0.25, -0.5, -3, -4, 0, 0, 0.25, -0.5}));
}

TEST_F(ResultContacts, OfAFrameCanBeReadBeforeTheEnd) {
  ResultFile file(path, small_model(), header);
  append(file, two_contacts());
  EXPECT_EQ(column<std::int64_t>(path, "/contacts/begin", 2), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(column<double>(path, "/contacts/lambda", 2), (std::vector<double>{10, 2}));
}

TEST_F(ResultTrace, EveryStepHasItsIterationsAlsoStepsWithoutAny) {
  {
    ResultFile file(path, small_model(), header);
    file.append_frame(numbered_state(9, 0));
    file.append_step(numbered_report(1), trace_of(1, 2));
    file.append_step(numbered_report(2), trace_of(2, 0));
    file.append_step(numbered_report(3), trace_of(3, 1));
    file.finish("done", "");
  }
  EXPECT_EQ(column<std::int64_t>(path, "/trace/step", 3), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(column<std::int64_t>(path, "/trace/begin", 4), (std::vector<std::int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(column<double>(path, "/trace/residual", 3), (std::vector<double>{100, 101, 300}));
  EXPECT_EQ(column<double>(path, "/trace/preconditioned_residual", 3), (std::vector<double>{100.25, 101.25, 300.25}));
  EXPECT_EQ(column<double>(path, "/trace/constraint_residual", 3), (std::vector<double>{100.5, 101.5, 300.5}));
  EXPECT_EQ(column<std::int32_t>(path, "/trace/mark", 3), (std::vector<std::int32_t>{0, 2, 2}));
}

TEST_F(ResultTrace, ReachesTheFileWithTheStepsAndTheFrame) {
  ResultFile file(path, small_model(), header);
  file.append_step(numbered_report(1), trace_of(1, 3));
  EXPECT_EQ(ResultReader(path).step_count(), 0);
  column<std::int64_t>(path, "/trace/step", 0);
  file.append_frame(numbered_state(9, 0));
  EXPECT_EQ(ResultReader(path).step_count(), 1);
  EXPECT_EQ(column<double>(path, "/trace/residual", 3), (std::vector<double>{100, 101, 102}));
}

std::vector<ObjectRow> objects_of(double number) {
  std::vector<ObjectRow> rows(3);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double first = number + 10 * static_cast<double>(k);
    rows[k] = {Vec3::Constant(first), Vec3::Constant(first + 1), Vec3(first, 2, 3), Vec3(4, first, 6), first + 7};
  }
  return rows;
}

TEST(ResultObjects, HaveARowAStepOfAllObjects) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  ResultHeader header = small_header();
  header.objects = true;
  {
    ResultFile file(path, small_model(), header);
    file.append_frame(numbered_state(9, 0));
    file.append_step(numbered_report(1), {}, objects_of(100));
    file.append_step(numbered_report(2), {}, objects_of(200));
    column<std::int64_t>(path, "/objects/step", 0);  // with the next frame
    file.finish("done", "");
  }
  EXPECT_EQ(column<std::int64_t>(path, "/objects/step", 2), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(column<double>(path, "/objects/contact_work", 2, 3), (std::vector<double>{107, 117, 127, 207, 217, 227}));
}

TEST(ResultFile, HasNeitherTraceNorContactsNorObjectsUnlessAskedFor) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  {
    ResultFile file(path, small_model(), small_header());
    append(file, two_contacts());
    file.append_step(numbered_report(1), trace_of(1, 3));
    file.finish("done", "");
  }
  EXPECT_FALSE(has(path, "/trace"));
  EXPECT_FALSE(has(path, "/contacts"));
  EXPECT_FALSE(has(path, "/objects"));
}

}  // namespace records_test
}  // namespace sim
