// The XDMF companion of a result file: lets ParaView show the bodies, frame by frame.
//
// A temporal collection with one page of the file (4096 bytes, or the next multiple that a frame's text needs) a
// frame, that refers to the datasets of the HDF5 file. It is a whole XML document at every moment: see xdmf.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "elasticity/tet_fields.hpp"
#include "math/types.hpp"
#include "output/descriptor.hpp"

namespace sim {

struct XdmfShape {
  std::string name;  // of the simulation
  Index vertices = 0;
  Index triangles = 0;
  bool velocities = true;
  bool contact_forces = false;
  // Where there are tetrahedra, they are shown with these fields, and the surfaces only of objects that have none.
  AskedFields of_tets;
  Index tets = 0;
  Index shell_triangles = 0;
  Index segments = 0;  // of cables
};

class XdmfFile {
 public:
  // Beside the result file, with the ending .xdmf instead of its own. Throws FileError.
  XdmfFile(const std::string& result_path, const XdmfShape& shape);
  void publish();
  void append_frame(double time);

  static std::string path_of(const std::string& result_path);

 private:
  void write_page(std::int64_t page, const std::string& text, const std::string& tail) const;

  NewFile file_;
  XdmfShape shape_;
  std::string source_;  // name of the result file, escaped
  std::size_t page_size_;
  std::int64_t frames_ = 0;
  std::string last_page_;  // without what ends the document
};

}  // namespace sim
