// The parts of the result file that a scene asks for. /trace and /contacts, whose rows have no fixed number a step or
// a frame: those of one step or frame k are begin[k] up to, but not including, begin[k + 1]. /objects, with a row a
// step of all objects. For sources of this room only.
#pragma once

#include <vector>

#include "contact/report.hpp"
#include "output/contact_records.hpp"
#include "output/hdf5.hpp"
#include "output/object_records.hpp"

namespace sim {

struct TracedStep {
  std::int64_t step = 0;
  Trace rows;
};

class TraceTables {
 public:
  TraceTables(hid_t file, hsize_t planned_steps);
  void append(const std::vector<TracedStep>& steps);
  void copy_until(hid_t from, std::int64_t last_step);                     // those of another file, up to this step
  haddr_t counter() const { return hdf5::header_address(step_.dataset); }  // what must be written last

 private:
  hdf5::Table residual_, preconditioned_, constraint_, mark_, step_, begin_;
};

class ContactTables {
 public:
  ContactTables(hid_t file, hsize_t planned_frames);
  void append(const std::vector<ContactRecord>& contacts);  // of the next frame
  void copy_frames(hid_t from, hsize_t frames);             // the first ones of another file

 private:
  hdf5::Table kind_, state_, pair_, objects_, vertices_, point_, normal_, gap_, lambda_, friction_, begin_;
};

class LimitTables {
 public:
  LimitTables(hid_t file, hsize_t planned_frames);  // that has /contacts
  void append(const std::vector<LimitRecord>& limits);
  void copy_frames(hid_t from, hsize_t frames);

 private:
  hdf5::Table spring_, lambda_, begin_;
};

struct StepOfObjects {
  std::int64_t step = 0;
  std::vector<ObjectRow> rows;  // of all objects
};

class ObjectTables {
 public:
  ObjectTables(hid_t file, hsize_t objects, hsize_t planned_steps);
  void append(const std::vector<StepOfObjects>& steps);
  void copy_until(hid_t from, std::int64_t last_step);
  haddr_t counter() const { return hdf5::header_address(step_.dataset); }  // what must be written last

 private:
  hdf5::Table center_, velocity_, force_, torque_, work_, step_;
};

}  // namespace sim
