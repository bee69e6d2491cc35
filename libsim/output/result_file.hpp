// The result file (HDF5): docs/result-format.md is its reference.
//
// Every frame that append_frame() has returned from can be read by others, while the run goes on and after the
// program was killed at any moment (docs/decisions/result-file-crash-safety.md).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "contact/report.hpp"
#include "model/measure.hpp"
#include "model/model.hpp"
#include "model/report.hpp"
#include "model/state.hpp"
#include "output/object_records.hpp"

namespace sim {

inline constexpr int result_format_version = 1;

struct ResultHeader {
  std::string scene_json;    // the effective scene
  std::string scene_folder;  // absolute: where its relative mesh files start
  std::string solver;
  int threads = 1;
  std::string command_line;
  std::string program_version;  // with git hash
  bool velocities = true;       // write /frames/velocities
  int compression = 1;          // of frames: 0 none, 1 fast ... 9 small
  bool contacts = false;        // write /contacts with every frame, and /contacts/limits where there are any
  AskedFields of_tets;          // write /frames/von_mises, /frames/stress, /frames/strain
  bool contact_forces = false;  // write /frames/contact_forces
  bool tension = false;         // write /frames/tension, where there are springs
  bool trace = false;           // write /trace with every step
  bool objects = false;         // write /objects with every step
  bool history = false;         // checkpoints hold State::history
  bool events = false;          // write /events with every step
  Index every = 1;              // steps between frames; one that lies in between can only be the last
  std::int64_t last_step =
      -1;                // of the run, where that is known: its frame stays, too, when the file is gone on with
  Index checkpoint = 1;  // the same for checkpoints
  std::string origin;    // of a run that started from another's checkpoint: that file and the step
};

// Every member function throws FileError, with the path and the reason, when the file cannot be written. The frames
// before that stay readable, and every later call throws the same error again.
class ResultFile {
 public:
  // Creates `path` (and the .xdmf beside it). A file that is there is replaced once the new one is whole; one that
  // another run is writing is not replaced.
  ResultFile(const std::string& path, const Model& model, const ResultHeader& header);
  // The same for a file to go on with: the new one begins with what `path` holds up to the checkpoint `state`, and
  // takes its place once it is whole.
  ResultFile(const std::string& path, const Model& model, const ResultHeader& header, const State& state);
  ~ResultFile();  // closes; a run that was not finished keeps the status "running"
  ResultFile(ResultFile&&) noexcept;

  // state.x and state.v must have the length that the model's vertices need. `contacts`: as they were solved
  // (Scratch::solved); `fields`: of every tetrahedron (model/measure.hpp); `limits`: Scratch::limits. They are read
  // only where the header asks for them.
  void append_frame(const State& state, std::span<const Contact> contacts = {}, const TetFields& fields = {},
                    std::span<const Contact> limits = {});
  // All that the next step depends on; it stays, but for one that is no multiple of `checkpoint` steps and is
  // followed by one that is. Nothing happens where the file has it already.
  void append_checkpoint(const State& state);
  std::int64_t last_frame() const;  // its step; -1: there is none
  // Rows reach the file with the next frame, with finish(), or when 100 of them wait.
  // `trace`: what the solver went through in this step, for /trace; `objects`: all of the model, for /objects.
  void append_step(const StepReport& report, const Trace& trace = {}, const std::vector<ObjectRow>& objects = {});
  // status: "done", "stopped" (with a reason) or "interrupted". Also passes everything on to the disk.
  void finish(const std::string& status, const std::string& reason);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sim
