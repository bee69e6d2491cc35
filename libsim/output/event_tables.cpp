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

constexpr hsize_t reals_of_record = 8;
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

LayerNumbers numbers_of(std::span<const LayerRecord> records) {
  LayerNumbers numbers;
  for (const LayerRecord& record : records) {
    numbers.integers.push_back(static_cast<std::int64_t>(record.pair));
    numbers.integers.push_back(record.layer);
    const LayerMemory& m = record.memory;
    numbers.reals.push_back(m.apart.norm());
    numbers.reals.insert(numbers.reals.end(), m.weights.begin(), m.weights.end());
    numbers.reals.insert(numbers.reals.end(), m.apart.data(), m.apart.data() + 3);
  }
  return numbers;
}

LayerTables::LayerTables(hid_t group, hsize_t planned) {
  constexpr hsize_t rows = 1024;
  begin_ = hdf5::create_table(group, "layer_begin", H5T_NATIVE_INT64, {}, {numbers_of_chunk(planned)});
  integers_ = hdf5::create_table(group, "layer_integers", H5T_NATIVE_INT64, {2}, {rows, 2});
  hdf5::write_attribute(integers_.dataset, "columns", std::string("pair layer"));
  reals_ = hdf5::create_table(group, "layer_reals", H5T_NATIVE_DOUBLE, {reals_of_record}, {rows, reals_of_record});
  hdf5::write_attribute(reals_.dataset, "columns",
                        std::string("distance weights_0 weights_1 weights_2 weights_3 apart_0 apart_1 apart_2"));
  const std::int64_t zero = 0;
  hdf5::append_rows(begin_, 1, &zero);
}

void LayerTables::append(const std::vector<LayerRecord>& records) {
  const LayerNumbers numbers = numbers_of(records);
  if (!records.empty()) {
    hdf5::append_rows(integers_, records.size(), numbers.integers.data());
    hdf5::append_rows(reals_, records.size(), numbers.reals.data());
  }
  const auto end = static_cast<std::int64_t>(integers_.rows);
  hdf5::append_rows(begin_, 1, &end);
}

void LayerTables::copy_rows(hid_t from, const std::string& group, hsize_t rows) {
  hdf5::copy_rows(from, group, begin_, rows + 1);
  const auto records = static_cast<hsize_t>(hdf5::read_row<std::int64_t>(from, group + "/layer_begin", rows));
  hdf5::copy_rows(from, group, integers_, records);
  hdf5::copy_rows(from, group, reals_, records);
}

bool has_layers(hid_t file, const std::string& group) {
  return hdf5::exists(file, group + "/layer_begin");
}

std::vector<LayerRecord> read_layers(hid_t file, const std::string& group, hsize_t row) {
  const auto begin = hdf5::read_row<std::int64_t>(file, group + "/layer_begin", row);
  const auto end = hdf5::read_row<std::int64_t>(file, group + "/layer_begin", row + 1);
  if (begin < 0 || end < begin) throw hdf5::Failure("the checkpoint is damaged: it names layers that are not there");
  hdf5::check_row_shape(file, group + "/layer_integers", {2});
  hdf5::check_row_shape(file, group + "/layer_reals", {reals_of_record});
  const auto first = static_cast<hsize_t>(begin), count = static_cast<hsize_t>(end - begin);
  std::vector<std::int64_t> integers(2 * count);
  std::vector<double> reals(reals_of_record * count);
  hdf5::read_rows(file, group + "/layer_integers", first, count, H5T_NATIVE_INT64, integers.data());
  hdf5::read_rows(file, group + "/layer_reals", first, count, H5T_NATIVE_DOUBLE, reals.data());
  std::vector<LayerRecord> records(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double* r = &reals[reals_of_record * k];
    records[k] = {static_cast<std::uint64_t>(integers[2 * k]),
                  static_cast<Index>(integers[2 * k + 1]),
                  {{r[1], r[2], r[3], r[4]}, {r[5], r[6], r[7]}}};
  }
  return records;
}

}  // namespace sim
