// /checkpoint of the result file: states, one row each. For sources of this room only.
//
// Rows are only ever added, so what is committed stays as it is. A state that lies between two regular checkpoints is
// put into a group of its own, "last", of the same layout, which goes away again when the next regular one is there.
// It changes its name, by one write of the group's header, when it is whole.
#pragma once

#include <optional>
#include <vector>

#include "model/state.hpp"
#include "output/hdf5.hpp"

namespace sim {

struct CheckpointLayout {
  hsize_t vertices = 0, bodies = 0;
  hsize_t planned = 1;  // how many there are going to be
  int compression = 0;
  hsize_t remembers = 0;  // objects, where the time scheme has a history
  hsize_t strains = 0;    // numbers of Model::strains, where it has one
  hsize_t unseen = 0;     // numbers of State::unseen
};

class CheckpointTables {
 public:
  CheckpointTables(hid_t parent, const std::string& name, const CheckpointLayout& layout);
  void append(const State& state);
  void copy_until(hid_t from, std::int64_t last_step);  // those of another file, up to this step
  hid_t group() const { return group_; }
  haddr_t counter() const { return hdf5::header_address(step_.dataset); }  // what must be written last
  std::int64_t newest() const { return newest_; }                          // its step; -1: there is none

 private:
  void append_history(const State& state);

  hdf5::Handle group_;
  hdf5::Table step_, time_, positions_, velocities_, left_over_, digest_, begin_, integers_, reals_;
  std::optional<hdf5::Table> rigid_;                         // where there are rigid bodies
  std::optional<hdf5::Table> acceleration_, force_, holds_;  // where the time scheme has a history
  std::optional<hdf5::Table> strain_rates_;                  // where that and stiffness damping is
  std::optional<hdf5::Table> unseen_;                        // where there are springs or membranes
  std::int64_t newest_ = -1;
};

inline constexpr const char* checkpoint_group = "checkpoint";
inline constexpr const char* last_checkpoint = "last";  // in that group
inline constexpr const char* next_checkpoint = "next";  // in that group, until it is whole

// Throws Failure where the row is not there, or holds what cannot be a state of the model.
State read_checkpoint_row(hid_t file, const std::string& group, hsize_t row, const Model& model);

}  // namespace sim
