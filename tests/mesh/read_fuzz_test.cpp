// Damaged files: every prefix of every file, and every byte of it changed in turn, is read or refused with a message.
#include <gtest/gtest.h>

#include "mesh/read_files.hpp"

namespace sim {
namespace read_fuzz_test {

class DamagedFile : public testing::TestWithParam<const char*> {
 protected:
  // TetGen needs the undamaged partner beside the damaged file.
  void SetUp() override {
    const std::filesystem::path original = fixture(GetParam());
    for (const char* ending : {".node", ".ele"}) {
      std::filesystem::path partner = original;
      partner.replace_extension(ending);
      if (std::filesystem::exists(partner)) write_file(folder_ / partner.filename().string(), contents(partner));
    }
    text_ = contents(original);
    ASSERT_FALSE(text_.empty());
    path_ = folder_ / GetParam();
    write_file(path_, text_);
  }

  // True when the damaged file could be read; then the mesh makes sense.
  bool read() {
    Mesh mesh;
    try {
      mesh = read_mesh(path_);
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).find(": expected ") != std::string::npos) << error.what();
      return false;
    }
    const auto count = static_cast<Index>(mesh.vertices.size());
    bool fine = !mesh.tets.empty() || !mesh.triangles.empty();
    for (const Tet& tet : mesh.tets) {
      for (const Index v : tet) fine = fine && v >= 0 && v < count;
    }
    for (const Triangle& triangle : mesh.triangles) {
      for (const Index v : triangle) fine = fine && v >= 0 && v < count;
    }
    for (const Vec3& x : mesh.vertices) fine = fine && x.allFinite();
    EXPECT_TRUE(fine);
    return true;
  }

  // Changes the file where it is: thousands of new files would take the disk minutes.
  void put(std::size_t place, char byte) {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(place)).put(byte);
  }

  TemporaryFolder folder_;
  std::string text_, path_;
};

TEST_P(DamagedFile, IsReadOrRefusedWhenCutOff) {
  EXPECT_TRUE(read());
  bool was_read = true;
  for (std::size_t size = text_.size(); size-- > 0;) {
    std::filesystem::resize_file(path_, size);
    was_read = read();
    if (size == text_.size() / 2) {
      EXPECT_FALSE(was_read);
    }
  }
  EXPECT_FALSE(was_read);
}

TEST_P(DamagedFile, IsReadOrRefusedWhenAByteIsWrong) {
  constexpr unsigned char changes[] = {0x01, 0x80, 0xff};
  for (std::size_t place = 0; place < text_.size(); ++place) {
    put(place, static_cast<char>(text_[place] ^ changes[place % 3]));
    read();
    put(place, place % 2 ? '9' : '\n');
    read();
    put(place, text_[place]);
  }
  EXPECT_TRUE(read());
}

INSTANTIATE_TEST_SUITE_P(AllFormats, DamagedFile,
                         testing::Values("cube_22.msh", "cube_22_binary.msh", "cube_41.msh", "cube_41_big_endian.msh",
                                         "cube_0.node", "cube_1.node", "cube_0.ele", "cube_1.ele", "cube_30.vtk",
                                         "cube_42_binary.vtk", "cube_51.vtk", "cube_51_binary.vtk", "cube.obj",
                                         "cube_quads.obj", "cube.off", "cube_colour.off", "cube.ply",
                                         "cube_big_endian.ply", "cube_index.ply", "cube.stl", "cube_binary.stl"),
                         name_of_case);

}  // namespace read_fuzz_test
}  // namespace sim
