// /events, with a row a step of what asynchronous contact mechanics did, and the memory of its layers in checkpoints.
// For sources of this room only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/report.hpp"
#include "output/hdf5.hpp"

namespace sim {

class EventTables {
 public:
  EventTables(hid_t file, hsize_t planned_steps);
  void append(const std::vector<StepReport>& steps);
  void copy_until(hid_t from, std::int64_t last_step);                     // those of another file, up to this step
  haddr_t counter() const { return hdf5::header_address(step_.dataset); }  // what must be written last

 private:
  std::vector<hdf5::Table> columns_;
  hdf5::Table octaves_, step_;
};

std::string event_columns_reference();  // the table in docs/result-format.md

// In a group of checkpoints: the records of row k are those from layer_begin[k] up to, but not including,
// layer_begin[k + 1].
class LayerTables {
 public:
  LayerTables(hid_t group, hsize_t planned);
  void append(const std::vector<LayerRecord>& records);
  void copy_rows(hid_t from, const std::string& group, hsize_t rows);  // the first ones of another file

 private:
  hdf5::Table begin_, integers_, reals_;
};

std::vector<LayerRecord> read_layers(hid_t file, const std::string& group, hsize_t row);
bool has_layers(hid_t file, const std::string& group);

struct LayerNumbers {  // of all records, one after the other
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
};
LayerNumbers numbers_of(std::span<const LayerRecord> records);

}  // namespace sim
