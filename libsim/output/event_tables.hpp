// /events, with a row a step of what asynchronous contact mechanics did. For sources of this room only.
#pragma once

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

}  // namespace sim
