#include "output/event_tables.hpp"

#include <array>
#include <variant>

#include "output/chunks.hpp"

namespace sim {

namespace {

using E = StepEvents;

struct EventColumn {
  const char* name;
  std::variant<std::int64_t E::*, Index E::*, double E::*> member;
  const char* unit;
  const char* meaning;
};

constexpr std::array columns{
    EventColumn{"kicks_tet", &E::kicks_tet, "1", "kicks of tetrahedra"},
    EventColumn{"kicks_spring", &E::kicks_spring, "1", "kicks of springs"},
    EventColumn{"kicks_membrane", &E::kicks_membrane, "1", "kicks of membranes"},
    EventColumn{"kicks_hinge", &E::kicks_hinge, "1", "kicks of hinges"},
    EventColumn{"kicks_bend", &E::kicks_bend, "1", "kicks of bends of cables"},
    EventColumn{"kicks_steady", &E::kicks_steady, "1", "kicks of gravity, loads and mass damping, by vertex"},
    EventColumn{"kicks_pair", &E::kicks_pair, "1", "kicks of layers that push"},
    EventColumn{"pairs", &E::pairs, "1", "pairs that are watched at the end of the step"},
    EventColumn{"deepest", &E::deepest, "1", "the deepest layer that was entered"},
    EventColumn{"rest_too_deep", &E::rest_too_deep, "1",
                "pairs that end the step in a layer beyond `acm.rest_depth`"},
    EventColumn{"smallest_h", &E::smallest_h, "s", "of all clocks that tick"},
    EventColumn{"c_null_ticks", &E::c_null_ticks, "1", "ticks of pairs that did not push"},
    EventColumn{"c_proofs", &E::c_proofs, "1", "pairs whose way was looked at"},
    EventColumn{"c_failures", &E::c_failures, "1",
                "pairs that got more layers; of `kds` nodes that were opened, too"},
    EventColumn{"c_windows", &E::c_windows, "1", "windows that the step was flown in"},
    EventColumn{"c_reruns", &E::c_reruns, "1", "windows that were flown again"},
    EventColumn{"c_certificates", &E::c_certificates, "1", "certificates that `kds` made"},
    EventColumn{"c_reconfirmed", &E::c_reconfirmed, "1", "certificates that held when they were to fail"},
    EventColumn{"c_tubes", &E::c_tubes, "1", "kicks that left the tube of their vertex"},
    EventColumn{"c_rescheduled", &E::c_rescheduled, "1", "certificates that such a kick brought forward"},
    EventColumn{"t_force", &E::t_force, "s", "wall time of kicks, those of windows that were flown again, too"},
    EventColumn{"t_cull", &E::t_cull, "s", "wall time of finding what comes near, but for queues"},
    EventColumn{"t_queue", &E::t_queue, "s",
                "wall time of the queues of certificates (`kds`) and of free clocks: one access in 64 is measured"},
};

template <class T>
hid_t type_of(T E::*) {
  return hdf5::native_type<T>();
}

constexpr hsize_t octaves = std::tuple_size_v<decltype(E::by_octave)>;
constexpr const char* histogram_meaning =
    "pairs that end the step in the layers from 2^k to 2^(k+1) - 1, k the column";

}  // namespace

EventTables::EventTables(hid_t file, hsize_t planned_steps) {
  const hdf5::Handle group = hdf5::create_group(file, "events", columns.size() + 2);
  const hsize_t rows = numbers_of_chunk(planned_steps);
  for (const EventColumn& column : columns) {
    const hid_t type = std::visit([](auto member) { return type_of(member); }, column.member);
    columns_.push_back(hdf5::create_table(group, column.name, type, {}, {rows}));
    hdf5::write_attribute(columns_.back().dataset, "units", std::string(column.unit));
    hdf5::write_attribute(columns_.back().dataset, "meaning", std::string(column.meaning));
  }
  octaves_ = hdf5::create_table(group, "layer_histogram", H5T_NATIVE_INT64, {octaves}, {rows, octaves});
  hdf5::write_attribute(octaves_.dataset, "units", std::string("1"));
  hdf5::write_attribute(octaves_.dataset, "meaning", std::string(histogram_meaning));
  step_ = hdf5::create_table(group, "step", H5T_NATIVE_INT64, {}, {rows});
}

void EventTables::append(const std::vector<StepReport>& steps) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::visit(
        [&]<class T>(T E::*member) {
          std::vector<T> values;
          for (const StepReport& step : steps) values.push_back(step.events.*member);
          hdf5::append_rows(columns_[k], values.size(), values.data());
        },
        columns[k].member);
  }
  std::vector<std::int64_t> pairs;
  for (const StepReport& step : steps)
    pairs.insert(pairs.end(), step.events.by_octave.begin(), step.events.by_octave.end());
  hdf5::append_rows(octaves_, steps.size(), pairs.data());
  std::vector<std::int64_t> numbers;
  for (const StepReport& step : steps) numbers.push_back(step.step);
  hdf5::append_rows(step_, numbers.size(), numbers.data());
}

void EventTables::copy_until(hid_t from, std::int64_t last_step) {
  const hsize_t rows = hdf5::rows_until(from, "/events/step", last_step);
  for (hdf5::Table& column : columns_) hdf5::copy_known_rows(from, "/events", column, rows);
  hdf5::copy_known_rows(from, "/events", octaves_, rows);
  hdf5::copy_rows(from, "/events", step_, rows);
}

std::string event_columns_reference() {
  std::string text = "| column | unit | meaning |\n|---|---|---|\n";
  for (const EventColumn& column : columns)
    text += std::string("| `") + column.name + "` | " + column.unit + " | " + column.meaning + " |\n";
  return text + "| `layer_histogram` | 1 | " + histogram_meaning + " |\n";
}

}  // namespace sim
