#include "output/result_file.hpp"
#include "output/event_tables.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "math/error.hpp"
#include "output/fixture.hpp"
#include "output/hdf5.hpp"
#include "output/result_reader.hpp"
#include "output/step_columns.hpp"
#include "output/version.hpp"

namespace sim {
namespace result_file_test {

using testing::Folder;
using testing::numbered_report;
using testing::numbered_state;
using testing::points;
using testing::small_header;
using testing::small_model;
using testing::two_contacts;

template <class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no FileError";
}

// What contains the path and the words.
void expect_message(const std::string& message, const std::string& path, const std::string& words) {
  EXPECT_NE(message.find(path), std::string::npos) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ResultFile, GivesBackWhatWasWritten) {
  const Folder folder;
  const std::string path = folder.file("small.h5");
  const Model model = small_model();
  {
    ResultFile file(path, model, small_header());
    for (std::int64_t k = 0; k < 3; ++k) file.append_frame(numbered_state(9, k));
    file.finish("done", "");
  }
  const ResultReader reader(path);
  EXPECT_EQ(reader.info().format_version, 1);
  EXPECT_EQ(reader.info().program_version, "0.1.0 (abc)");
  EXPECT_EQ(reader.info().status, "done");
  EXPECT_EQ(reader.info().scene, small_header().scene_json);
  EXPECT_EQ(reader.info().solver, "cr-full");
  EXPECT_EQ(reader.info().threads, 3);
  EXPECT_EQ(reader.info().command_line, "simrun small.json -o small.h5");
  const Mesh mesh = reader.rest_mesh();
  EXPECT_EQ(mesh.vertices, model.mesh.vertices);
  EXPECT_EQ(mesh.tets, model.mesh.tets);
  EXPECT_EQ(mesh.triangles, model.mesh.triangles);
  ASSERT_EQ(reader.frame_count(), 3);
  for (std::int64_t k = 0; k < 3; ++k) {
    EXPECT_EQ(reader.frame_time(k), numbered_state(9, k).time);
    EXPECT_EQ(reader.frame_step(k), 10 * k);
    EXPECT_EQ(reader.positions(k), numbered_state(9, k).x);
    EXPECT_EQ(reader.velocities(k), numbered_state(9, k).v);
  }
}

TEST(ResultFile, KeepsObjectsEmptyOnesIncluded) {
  const Folder folder;
  { const ResultFile file(folder.file("a.h5"), small_model(), small_header()); }
  const auto objects = ResultReader(folder.file("a.h5")).objects();
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0].name, "tet");
  EXPECT_EQ(objects[0].type, "deformable");
  EXPECT_EQ(objects[0].material, "rubber");
  EXPECT_EQ(objects[1].type, "scripted");
  EXPECT_EQ(objects[1].material, "");
  EXPECT_EQ(objects[1].vertices.size(), 0);
  EXPECT_EQ(objects[2].vertices.begin, 4);
  EXPECT_EQ(objects[2].vertices.end, 9);
  EXPECT_EQ(objects[2].tets.size(), 0);
  EXPECT_EQ(objects[2].triangles.begin, 4);
  EXPECT_EQ(objects[2].triangles.end, 6);
}

TEST(ResultFile, AModelWithoutAnythingIsAFileWithoutRows) {
  const Folder folder;
  Model model;
  {
    ResultFile file(folder.file("a.h5"), model, small_header());
    file.append_frame(numbered_state(0, 0));
    file.finish("done", "");
  }
  const ResultReader reader(folder.file("a.h5"));
  EXPECT_EQ(reader.vertex_count(), 0);
  EXPECT_EQ(reader.frame_count(), 1);
  EXPECT_EQ(reader.positions(0).size(), 0);
  EXPECT_EQ(reader.step_count(), 0);
  EXPECT_TRUE(reader.step_column("momentum").empty());
  EXPECT_TRUE(reader.rest_mesh().tets.empty());
  EXPECT_TRUE(reader.objects().empty());
}

TEST(ResultFile, StatusGoesFromRunningToWhatFinishSays) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  for (const char* status : {"done", "stopped", "interrupted"}) {
    ResultFile file(path, points(2), small_header());
    EXPECT_EQ(ResultReader(path).info().status, "running");
    EXPECT_EQ(ResultReader(path).info().reason, "");
    file.finish(status, "because");
    EXPECT_EQ(ResultReader(path).info().status, status);
    EXPECT_EQ(ResultReader(path).info().reason, "because");
  }
  { const ResultFile file(path, points(2), small_header()); }
  EXPECT_EQ(ResultReader(path).info().status, "running");
}

TEST(ResultFile, FramesCanBeReadWhileItIsWritten) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  ResultFile file(path, points(5), small_header());
  for (std::int64_t k = 0; k < 700; ++k) {
    for (std::int64_t step = 10 * k - 9; k > 0 && step <= 10 * k; ++step) file.append_step(numbered_report(step));
    file.append_frame(numbered_state(5, k));
    if (k % 50 != 0) continue;
    const ResultReader reader(path);
    ASSERT_EQ(reader.frame_count(), k + 1);
    ASSERT_EQ(reader.step_count(), 10 * k);
    for (std::int64_t j = 0; j <= k; ++j) ASSERT_EQ(reader.positions(j), numbered_state(5, j).x);
  }
}

TEST(ResultFile, StepsHaveTheirNumbersInTheirColumns) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  {
    ResultFile file(path, points(1), small_header());
    for (std::int64_t step = 1; step <= 1234; ++step) file.append_step(numbered_report(step));
  }  // closing writes the rows that still waited
  const ResultReader reader(path);
  ASSERT_EQ(reader.step_count(), 1234);
  const auto steps = reader.step_column("step"), residuals = reader.step_column("residual");
  const auto iterations = reader.step_column("iterations"), momenta = reader.step_column("momentum");
  ASSERT_EQ(momenta.size(), 3u * 1234);
  for (int i = 0; i < 1234; ++i) {
    EXPECT_EQ(steps[i], i + 1);
    EXPECT_EQ(iterations[i], 7 * (i + 1));
    EXPECT_EQ(residuals[i], 1.0 / (i + 1));
    EXPECT_EQ(momenta[3 * i + 2], 3.0 * (i + 1));
  }
}

TEST(ResultFile, VelocitiesCanBeLeftOut) {
  const Folder folder;
  ResultHeader header = small_header();
  header.velocities = false;
  ResultFile file(folder.file("a.h5"), points(2), header);
  file.append_frame(numbered_state(2, 0));
  const ResultReader reader(folder.file("a.h5"));
  EXPECT_FALSE(reader.has_velocities());
  EXPECT_EQ(reader.positions(0), numbered_state(2, 0).x);
  expect_message(message_of([&] { reader.velocities(0); }), "a.h5", "velocities");
}

// 400,000 vertices: 9.6 MB a frame, so three chunks.
TEST(ResultFile, LargeFramesAreDividedAndWhole) {
  const Folder folder;
  constexpr Index vertices = 400000;
  ResultFile file(folder.file("a.h5"), points(vertices), small_header());
  file.append_frame(numbered_state(vertices, 0));
  file.append_frame(numbered_state(vertices, 1));
  const ResultReader reader(folder.file("a.h5"));
  for (std::int64_t k = 0; k < 2; ++k) EXPECT_EQ(reader.positions(k), numbered_state(vertices, k).x);
}

// 8180 chunks fill the blocks of an index that lie within a page; beyond that a kill could divide one.
TEST(ResultFile, NoDatasetOfALongRunHasMoreChunksThanItsIndexTakes) {
  const Folder folder;
  ResultHeader header = small_header();
  header.trace = header.contacts = true;
  header.last_step = 8640000;  // a day, of 10 ms each
  header.every = 10;
  header.checkpoint = 100;
  for (const Index vertices : {4, 2000, 400000}) {
    const std::string path = folder.file("long" + std::to_string(vertices) + ".h5");
    { const ResultFile file(path, points(vertices), header); }
    const hdf5::Handle file = hdf5::open_file(path);
    for (const auto& [name, planned] :
         std::vector<std::pair<std::string, double>>{{"frames/time", 864e3},
                                                     {"frames/positions", 864e3},
                                                     {"frames/velocities", 864e3},
                                                     {"contacts/begin", 864e3},
                                                     {"steps/step", 8640e3},
                                                     {"steps/momentum", 8640e3},
                                                     {"trace/begin", 8640e3},
                                                     {"checkpoint/step", 86.4e3},
                                                     {"checkpoint/digest", 86.4e3},
                                                     {"checkpoint/positions", 86.4e3}}) {
      const hdf5::Handle dataset = hdf5::open_dataset(file, name);
      const hdf5::Handle creation(H5Dget_create_plist(dataset), H5Pclose);
      hsize_t chunk[3] = {1, 1, 1};
      const int rank = H5Pget_chunk(creation, 3, chunk);
      const double pieces = rank == 3 ? std::ceil(vertices / static_cast<double>(chunk[1])) : 1;
      const double bytes = 8.0 * static_cast<double>(chunk[0] * chunk[1] * chunk[2]);
      // 400,000 vertices for a day are 8 TB a dataset: there the size of a chunk is what is limited.
      EXPECT_TRUE(planned * pieces / static_cast<double>(chunk[0]) <= 8180 || bytes > (8 << 20)) << name << vertices;
      EXPECT_LE(bytes, 16 << 20) << name;
      if (rank == 3) {
        EXPECT_EQ(H5Pget_nfilters(creation), 0) << name;  // a compressed chunk has one row
      }
    }
  }
}

TEST(ResultFile, FramesAreCompressedWhereTheyAreNotTooMany) {
  const Folder folder;
  const auto filters = [&](std::int64_t last_step) {
    ResultHeader header = small_header();
    header.last_step = last_step;
    const std::string path = folder.file("a.h5");
    { const ResultFile file(path, points(2000), header); }
    const hdf5::Handle file = hdf5::open_file(path);
    const hdf5::Handle dataset = hdf5::open_dataset(file, "frames/positions");
    return H5Pget_nfilters(hdf5::Handle(H5Dget_create_plist(dataset), H5Pclose));
  };
  EXPECT_EQ(filters(-1), 2);
  EXPECT_EQ(filters(7000), 2);
  EXPECT_EQ(filters(9000), 0);
}

TEST(ResultFile, EqualRunsGiveEqualBytes) {
  const Folder folder;
  for (const char* name : {"a", "b"}) {
    std::filesystem::create_directory(folder.file(name));
    ResultFile file(folder.file(name) + "/x.h5", small_model(), small_header());
    for (std::int64_t k = 0; k < 20; ++k) file.append_frame(numbered_state(9, k));
    file.finish("done", "");
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // into another second of the day
  }
  // All but the extension of the superblock, an object header of 60 bytes right behind it: HDF5 writes the time of
  // day there and cannot be told not to.
  const auto comparable = [&](const char* name) {
    std::string bytes = text_of(folder.file(name));
    EXPECT_EQ(bytes.substr(48, 4), "OHDR");
    EXPECT_EQ(bytes.substr(108, 4), "OHDR");
    return bytes.erase(48, 60);
  };
  EXPECT_TRUE(comparable("a/x.h5") == comparable("b/x.h5"));
  EXPECT_TRUE(text_of(folder.file("a/x.xdmf")) == text_of(folder.file("b/x.xdmf")));
}

TEST(ResultFile, ReplacesAnOlderResultOnlyOnceItsOwnIsWhole) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  { ResultFile(path, points(2), small_header()).append_frame(numbered_state(2, 0)); }
  const ResultReader old(path);
  ResultFile file(path, points(3), small_header());
  EXPECT_EQ(ResultReader(path).vertex_count(), 3);
  EXPECT_EQ(old.positions(0), numbered_state(2, 0).x);  // who has it open keeps it
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST(ResultFile, RefusesAFileThatAnotherRunIsWriting) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  ResultFile file(path, points(2), small_header());
  expect_message(message_of([&] { ResultFile(path, points(3), small_header()); }), path, "another run is writing it");
  file.append_frame(numbered_state(2, 0));
  EXPECT_EQ(ResultReader(path).vertex_count(), 2);
}

TEST(ResultFile, SaysWhereItCannotBeCreated) {
  const Folder folder;
  const auto create = [](const std::string& path) {
    return message_of([&] { ResultFile(path, points(1), small_header()); });
  };
  expect_message(create(folder.file("none/a.h5")), folder.file("none/a.h5"), "No such file or directory");
  std::filesystem::create_directory(folder.file("folder.h5"));
  expect_message(create(folder.file("folder.h5")), folder.file("folder.h5"), "it is a directory");
  expect_message(create("/dev/full"), "/dev/full", "it is not a regular file");
  expect_message(create(folder.file("a.xdmf")), folder.file("a.xdmf"), "choose another");
}

// The limit on the size of files stands for a full disk: writing beyond it fails.
TEST(ResultFile, AFailedWriteIsAnErrorAndLeavesTheFramesBeforeIt) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  constexpr Index vertices = 50000;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  std::int64_t written = 0;
  {
    ResultFile file(path, points(vertices), small_header());
    rlimit small = before;
    small.rlim_cur = 4 << 20;
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string first = message_of([&] {
      for (; written < 1000; ++written) file.append_frame(numbered_state(vertices, written));
    });
    expect_message(first, path, "File too large");
    EXPECT_EQ(message_of([&] { file.append_frame(numbered_state(vertices, 0)); }), first);
    EXPECT_EQ(message_of([&] { file.append_step({}); }), first);
    EXPECT_EQ(message_of([&] { file.finish("done", ""); }), first);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_GT(written, 3);
  const ResultReader reader(path);
  ASSERT_EQ(reader.frame_count(), written);
  EXPECT_EQ(reader.info().status, "running");
  for (std::int64_t k = 0; k < written; ++k) EXPECT_EQ(reader.positions(k), numbered_state(vertices, k).x);
}

TEST(ResultReader, SaysWhatIsWrongWithAFile) {
  const Folder folder;
  const auto read = [](const std::string& path) { return message_of([&] { ResultReader reader(path); }); };
  expect_message(read(folder.file("none.h5")), folder.file("none.h5"), "No such file or directory");
  std::ofstream(folder.file("text.h5")) << "not HDF5";
  expect_message(read(folder.file("text.h5")), folder.file("text.h5"), "is not an HDF5 file");
  const std::string path = folder.file("a.h5");
  { const ResultFile file(path, points(2), small_header()); }
  const ResultReader reader(path);
  expect_message(message_of([&] { reader.positions(0); }), path, "there is no frame 0, the file has 0");
  expect_message(message_of([&] { reader.step_column("stop"); }), path, "no column \"stop\"");
}

// A result file with one of its columns in another length.
void replace_column(const std::string& path, const std::string& name, hsize_t rows) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &rows, nullptr);
  const hid_t dataset =
      H5Dcreate2(file, name.c_str(), H5T_NATIVE_INT32, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Fclose(file);
}

TEST(ResultReader, RefusesTablesOfObjectsThatDoNotFitEachOther) {
  const Folder folder;
  const std::string path = folder.file("damaged.h5");
  { ResultFile file(path, small_model(), small_header()); }
  ASSERT_FALSE(ResultReader(path).objects().empty());
  replace_column(path, "/model/objects/half_space", 0);
  expect_message(message_of([&] { ResultReader(path).objects(); }), path, "/model/objects/half_space has 0 rows");
  { ResultFile file(path, small_model(), small_header()); }
  replace_column(path, "/model/objects/vertex_end", 2);
  expect_message(message_of([&] { ResultReader(path).objects(); }), path, "/model/objects/vertex_end has 2 rows");
}

TEST(ResultReader, SaysWhichFormatItReads) {
  const Folder folder;
  const std::string path = folder.file("a.h5");
  const auto read = [&] { return message_of([&] { ResultReader reader(path); }); };
  { const hdf5::Handle empty(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose); }
  expect_message(read(), path, "not a result file of simrun");
  { const ResultFile file(path, points(2), small_header()); }
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Handle attribute(H5Aopen(file, "format_version", H5P_DEFAULT), H5Aclose);
    const int newer = 2;
    ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT, &newer), 0);
  }
  expect_message(read(), path, "has format version 2, this program reads versions 1 to 1");
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    hdf5::rewrite_attribute(file, "format", "other");
  }
  expect_message(read(), path, "has the format \"other\", expected \"simrun\"");
}

// Every name, type and shape of the format, and every number of the small file, as h5py sees them.
TEST(ResultFormat, IsWhatH5pyReads) {
  const char* root = std::getenv("SIMRUN_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set SIMRUN_SOURCE_DIR";
  const Folder folder;
  ResultHeader header = small_header();
  header.scene_folder = "/some/where";
  header.origin = "other.h5, step 7";
  header.checkpoint = 20;
  ResultFile file(folder.file("small.h5"), small_model(), header);
  for (std::int64_t k = 0; k < 5; ++k) {
    for (std::int64_t step = 10 * k - 9; k > 0 && step <= 10 * k; ++step) file.append_step(numbered_report(step));
    file.append_frame(numbered_state(9, k));
    State state = numbered_state(9, k);
    if (k == 4) state.contacts = two_contacts().contacts;
    file.append_checkpoint(state);
  }
  file.finish("stopped", "told to");
  const std::string command =
      SIMRUN_PYTHON " '" + std::string(root) + "/tests/output/layout_test.py' '" + folder.file("small.h5") + "'";
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << SIMRUN_PYTHON " has no h5py";
  EXPECT_EQ(status, 0) << command;
}

TEST(ResultFormat, ThePageListsTheColumnsThatAreWritten) {
  const char* root = std::getenv("SIMRUN_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set SIMRUN_SOURCE_DIR";
  const std::string page = text_of(std::string(root) + "/docs/result-format.md");
  EXPECT_NE(page.find("\n" + step_columns_reference() + "\n"), std::string::npos)
      << "docs/result-format.md must contain:\n"
      << step_columns_reference();
  EXPECT_NE(page.find("\n" + event_columns_reference() + "\n"), std::string::npos)
      << "docs/result-format.md must contain:\n"
      << event_columns_reference();
}

TEST(Version, StartsWithTheVersionOfTheProject) {
  EXPECT_EQ(std::string(program_version()).rfind("0.", 0), 0u) << program_version();
}

}  // namespace result_file_test
}  // namespace sim
