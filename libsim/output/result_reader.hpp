// Reads result files: docs/result-format.md is their reference.
//
// The file may still be written by a run: what is counted below is what was in it when it was opened. Frames and
// steps that were added later show up when it is opened again, after all readers of it in this process were closed
// (HDF5 shares what they know).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "math/types.hpp"
#include "mesh/mesh.hpp"

namespace sim {

struct ResultInfo {  // attributes of the root
  std::int64_t format_version = 0;
  std::string program_version;
  std::string status;  // "running", "done", "stopped" or "interrupted"
  std::string reason;
  std::string scene;  // JSON text
  std::string solver;
  std::int64_t threads = 0;
  std::string command_line;
  // Empty in files of versions that did not write them:
  std::string scene_folder;  // where the scene's relative mesh files start
  std::string origin;        // of a run that started from another's checkpoint: that file and the step
};

struct ResultObject {
  std::string name, type, material;
  Range vertices, tets, triangles;
  bool half_space = false;
  bool cable = false;  // its triangles are segments {a, b, b}
};

// Is this a result file of simrun, of whatever version and however far it has got? False also where it cannot be
// read.
bool is_result_file(const std::string& path);

// Every function throws FileError, with the path and what is wrong, where the file is not what it should be.
class ResultReader {
 public:
  explicit ResultReader(const std::string& path);
  ~ResultReader();
  ResultReader(ResultReader&&) noexcept;

  const ResultInfo& info() const;
  Mesh rest_mesh() const;
  std::vector<ResultObject> objects() const;

  Index vertex_count() const;
  std::int64_t frame_count() const;
  double frame_time(std::int64_t frame) const;
  std::int64_t frame_step(std::int64_t frame) const;
  VecX positions(std::int64_t frame) const;
  bool has_velocities() const;
  VecX velocities(std::int64_t frame) const;
  double unseen_energy(std::int64_t frame) const;  // J; 0 where the file does not know

  bool has_trace() const;
  std::int64_t step_count() const;
  bool has_step_column(const std::string& name) const;
  // A column of /steps, as doubles; one that holds vectors gives the three components of each row one after the
  // other.
  std::vector<double> step_column(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sim
