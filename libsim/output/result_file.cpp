#include "output/result_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>

#include "math/error.hpp"
#include "output/checkpoint_tables.hpp"
#include "output/chunks.hpp"
#include "output/commit_driver.hpp"
#include "output/contact_records.hpp"
#include "output/digest.hpp"
#include "output/event_tables.hpp"
#include "output/hdf5.hpp"
#include "output/model_tables.hpp"
#include "output/record_tables.hpp"
#include "output/step_columns.hpp"
#include "output/xdmf.hpp"

namespace sim {
namespace {

using hdf5::Handle;
using hdf5::Table;
using hdf5::write_array;

constexpr hsize_t chunk_bytes = 1 << 20;  // of positions and velocities
constexpr std::size_t rows_kept = 100;    // of /steps, in memory until the next commit

void write_root(hid_t file, const ResultHeader& header) {
  hdf5::write_attribute(file, "format", std::string("simrun"));
  hdf5::write_attribute(file, "format_version", std::int32_t{result_format_version});
  hdf5::write_attribute(file, "program_version", header.program_version);
  hdf5::write_attribute(file, "status", std::string("running"));
  hdf5::write_attribute(file, "reason", std::string());
  hdf5::write_attribute(file, "scene", header.scene_json);
  hdf5::write_attribute(file, "scene_digest", digest_of(header.scene_json));
  hdf5::write_attribute(file, "scene_folder", header.scene_folder);
  hdf5::write_attribute(file, "solver", header.solver);
  hdf5::write_attribute(file, "threads", std::int32_t{header.threads});
  hdf5::write_attribute(file, "command_line", header.command_line);
  hdf5::write_attribute(file, "origin", header.origin);
}

// What the run is going to write, as far as that is known; one more for each of its ends.
hsize_t planned_rows(const ResultHeader& header, Index every) {
  return static_cast<hsize_t>(std::max<std::int64_t>(0, header.last_step) / std::max<Index>(1, every)) + 2;
}

// Passes the values of one column, as the file wants them, to append_rows().
struct AppendColumn {
  Table& table;
  const std::vector<StepReport>& rows;

  template <class T>
  void operator()(T StepReport::*member) const {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, std::int32_t, T>> values;
    for (const StepReport& row : rows) values.push_back(row.*member);
    hdf5::append_rows(table, rows.size(), values.data());
  }
};

struct ColumnType {
  hid_t operator()(std::int64_t StepReport::*) const { return H5T_NATIVE_INT64; }
  hid_t operator()(Index StepReport::*) const { return H5T_NATIVE_INT32; }
  hid_t operator()(bool StepReport::*) const { return H5T_NATIVE_INT32; }
  hid_t operator()(StepStatus StepReport::*) const { return H5T_NATIVE_INT32; }
  hid_t operator()(double StepReport::*) const { return H5T_NATIVE_DOUBLE; }
  hid_t operator()(Vec3 StepReport::*) const { return H5T_NATIVE_DOUBLE; }
};

std::vector<Table> create_step_tables(hid_t file, hsize_t planned) {
  const Handle group = hdf5::create_group(file, "steps");
  std::vector<Table> tables;
  const hsize_t rows = numbers_of_chunk(planned);
  for (const StepColumn& column : step_columns()) {
    const bool vector = std::holds_alternative<Vec3 StepReport::*>(column.member);
    const hid_t type = std::visit(ColumnType{}, column.member);
    tables.push_back(hdf5::create_table(group, column.name, type, vector ? hdf5::Shape{3} : hdf5::Shape{},
                                        vector ? hdf5::Shape{rows, 3} : hdf5::Shape{rows}));
    hdf5::write_attribute(tables.back().dataset, "units", std::string(column.unit));
    hdf5::write_attribute(tables.back().dataset, "meaning", std::string(column.meaning));
  }
  return tables;
}

// A frame of a field, where the file has it: a number or a tensor of every tetrahedron.
template <class Value>
void append_tets(std::optional<Table>& table, const std::vector<Value>& values) {
  if (!table) return;
  assert(values.size() == table->row[0]);
  hdf5::append_rows(*table, 1, values.data());
}

}  // namespace

struct ResultFile::Impl {
  std::string path;
  NewFile target;
  Handle file;
  Table time, step, positions;
  std::optional<Table> velocities, von_mises, stress, strain, contact_forces, tension, unseen_energy;
  std::vector<Table> columns;
  std::optional<TraceTables> trace;
  std::optional<ContactTables> contacts;
  std::optional<LimitTables> limits;
  std::optional<ObjectTables> of_objects;
  std::optional<EventTables> events;
  std::optional<CheckpointTables> checkpoints, last_checkpoint;
  CheckpointLayout checkpoint_layout;  // of one
  Index checkpoint_interval = 1;
  std::int64_t last_frame = -1;  // its step
  std::vector<Object> objects;   // of the model: who owns which vertices
  std::vector<Spring> springs;   // of the model
  std::vector<Membrane> membranes;
  std::vector<LengthLimit> limits_of_model;
  std::optional<XdmfFile> xdmf;
  std::vector<StepReport> waiting;
  std::vector<TracedStep> waiting_traces;
  std::vector<StepOfObjects> waiting_objects;
  std::string failure;  // what every call throws after the first error

  void start(const std::string& result, const Model& model, const ResultHeader& header, const State* resumed);
  void create(const Model& model, const ResultHeader& header, const State* resumed);
  void copy_beginning(const State& state, const ResultHeader& header);
  void create_xdmf(const Model& model, const ResultHeader& header);
  void create_frames(const Model& model, const ResultHeader& header);
  std::vector<Table*> frame_tables();
  void write_waiting();
  void commit() { hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "write"); }
  void wait_for_disk() const {
    if (fsync(target.descriptor()) != 0 && errno != EINVAL)
      throw FileError(path + ": cannot be written: " + std::strerror(errno));
  }

  // Does `work`, whose errors become FileError; after one of them the file is not touched again.
  template <class Work>
  void guarded(const Work& work) {
    if (!failure.empty()) throw FileError(failure);
    try {
      work();
    } catch (const hdf5::Failure& error) {
      failure = path + ": " + error.what();
      hdf5::give_up(file);
      throw FileError(failure);
    } catch (const FileError& error) {
      failure = error.what();
      hdf5::give_up(file);
      throw;
    }
  }
};

void ResultFile::Impl::create_frames(const Model& model, const ResultHeader& header) {
  const Mesh& mesh = model.mesh;
  const Handle group = hdf5::create_group(file, "frames");
  const hsize_t planned = planned_rows(header, header.every), numbers = numbers_of_chunk(planned);
  time = hdf5::create_table(group, "time", H5T_NATIVE_DOUBLE, {}, {numbers});
  hdf5::write_attribute(time.dataset, "units", std::string("s"));
  step = hdf5::create_table(group, "step", H5T_NATIVE_INT64, {}, {numbers});
  const hdf5::Shape vectors{mesh.vertices.size(), 3}, scalars{mesh.tets.size()}, tensors{mesh.tets.size(), 6};
  const auto make = [&](const char* name, const hdf5::Shape& row, const char* unit) {
    const auto [chunk, compression] = row_layout(row, planned, header.compression, chunk_bytes);
    Table table = hdf5::create_table(group, name, H5T_NATIVE_DOUBLE, row, chunk, compression);
    hdf5::write_attribute(table.dataset, "units", std::string(unit));
    return table;
  };
  positions = make("positions", vectors, "m");
  if (header.velocities) velocities = make("velocities", vectors, "m/s");
  const auto make_tensors = [&](const char* name, const char* unit) {
    Table table = make(name, tensors, unit);
    hdf5::write_attribute(table.dataset, "components", std::string("xx xy xz yy yz zz"));
    return table;
  };
  if (header.of_tets.von_mises) von_mises = make("von_mises", scalars, "Pa");
  if (header.of_tets.stress) stress = make_tensors("stress", "Pa");
  if (header.of_tets.strain) strain = make_tensors("strain", "1");
  if (header.contact_forces) contact_forces = make("contact_forces", vectors, "N");
  springs = model.elastic.springs;
  membranes = model.elastic.membranes;
  if (header.tension && !springs.empty()) tension = make("tension", {springs.size()}, "N");
  if (!springs.empty() || !membranes.empty()) {
    unseen_energy = hdf5::create_table(group, "unseen_energy", H5T_NATIVE_DOUBLE, {}, {numbers});
    hdf5::write_attribute(unseen_energy->dataset, "units", std::string("J"));
  }
}

// All of /frames that every version wrote; the time, which readers count frames by, comes last.
std::vector<Table*> ResultFile::Impl::frame_tables() {
  std::vector<Table*> tables{&positions};
  for (std::optional<Table>* table : {&velocities, &von_mises, &stress, &strain, &contact_forces, &tension})
    if (*table) tables.push_back(&**table);
  tables.insert(tables.end(), {&step, &time});
  return tables;
}

// What the file of the same name holds up to the checkpoint, as a run that never ended would have it.
void ResultFile::Impl::copy_beginning(const State& state, const ResultHeader& header) {
  const Handle from = hdf5::open_file(path);
  const std::vector<std::int64_t> frame_steps = hdf5::read_integers(from, "/frames/step");
  const auto in_between = [&](std::int64_t frame) {
    return frame > state.step || (frame % header.every != 0 && frame != header.last_step);
  };
  const auto end = std::find_if(frame_steps.begin() + (frame_steps.empty() ? 0 : 1), frame_steps.end(), in_between);
  const auto frames =
      std::min(static_cast<hsize_t>(end - frame_steps.begin()), hdf5::row_count(from, "/frames/time"));
  if (unseen_energy) hdf5::copy_known_rows(from, "/frames", *unseen_energy, frames);
  for (Table* table : frame_tables()) hdf5::copy_rows(from, "/frames", *table, frames);
  if (contacts) contacts->copy_frames(from, frames);
  if (limits) limits->copy_frames(from, frames);
  if (frames > 0) last_frame = frame_steps[frames - 1];

  const hsize_t rows = hdf5::rows_until(from, "/steps/step", state.step);
  for (Table& column : columns) hdf5::copy_known_rows(from, "/steps", column, rows);
  if (trace) trace->copy_until(from, state.step);
  if (of_objects) of_objects->copy_until(from, state.step);
  if (events) events->copy_until(from, state.step);

  checkpoints->copy_until(from, state.step);
  if (checkpoints->newest() == state.step) return;
  last_checkpoint.emplace(checkpoints->group(), sim::last_checkpoint, checkpoint_layout);
  last_checkpoint->append(state);
}

void ResultFile::Impl::create_xdmf(const Model& model, const ResultHeader& header) {
  const auto vertices = static_cast<Index>(model.mesh.vertices.size());
  const auto triangles = static_cast<Index>(model.mesh.triangles.size());
  XdmfShape shape{model.name, vertices, triangles, header.velocities, header.contact_forces};
  if (any(header.of_tets)) {
    shape.of_tets = header.of_tets;
    // Cages are not what is to be seen: with them the surfaces of all objects are shown.
    if (model.mesh.embedded.empty()) shape.tets = static_cast<Index>(model.mesh.tets.size());
    shape.shell_triangles = static_cast<Index>(shell_triangles(model).triangles.size());
  }
  shape.segments = static_cast<Index>(segments(model).ends.size());
  xdmf.emplace(path, shape);
  for (hsize_t frame = 0; frame < time.rows; ++frame)
    xdmf->append_frame(hdf5::read_row<double>(file, "/frames/time", frame));
}

void ResultFile::Impl::create(const Model& model, const ResultHeader& header, const State* resumed) {
  hdf5::silence();
  file = hdf5::create_file(path, target.descriptor());
  write_root(file, header);
  write_model(file, model, any(header.of_tets));
  create_frames(model, header);
  columns = create_step_tables(file, planned_rows(header, 1));
  objects = model.objects;
  if (header.trace) trace.emplace(file, planned_rows(header, 1));
  if (header.events) events.emplace(file, planned_rows(header, 1));
  if (header.objects) of_objects.emplace(file, objects.size(), planned_rows(header, 1));
  if (header.contacts) contacts.emplace(file, planned_rows(header, header.every));
  limits_of_model = model.surface.limits;
  if (header.contacts && !limits_of_model.empty()) limits.emplace(file, planned_rows(header, header.every));
  checkpoint_layout = {model.mesh.vertices.size(), model.rigid.size(), 1, header.compression};
  checkpoint_layout.unseen = static_cast<hsize_t>(unseen_numbers(model.elastic));
  if (header.history) {
    checkpoint_layout.remembers = model.objects.size();
    checkpoint_layout.strains = static_cast<hsize_t>(model.strains.numbers);
  }
  checkpoint_interval = header.checkpoint;
  CheckpointLayout all = checkpoint_layout;
  all.planned = planned_rows(header, header.checkpoint);
  checkpoints.emplace(file, checkpoint_group, all);
  if (resumed) copy_beginning(*resumed, header);
  // A reader that goes by the lengths of /trace/step, /objects/step, /steps/step, /frames/time and /checkpoint/step
  // finds as many rows in all other datasets; and what comes before a checkpoint is there when it is.
  std::vector<haddr_t> last;
  if (trace) last.push_back(trace->counter());
  if (of_objects) last.push_back(of_objects->counter());
  if (events) last.push_back(events->counter());
  last.push_back(hdf5::header_address(columns.front().dataset));
  last.push_back(hdf5::header_address(time.dataset));
  last.push_back(checkpoints->counter());
  hdf5::commit_last(file, last);
  commit();
  create_xdmf(model, header);
  if (resumed) wait_for_disk();  // what it replaces may be there for good already
  xdmf->publish();               // first: it may have fewer frames than the file that it is beside, but not more
  target.publish();
}

void ResultFile::Impl::write_waiting() {
  if (waiting.empty()) return;
  const auto list = step_columns();
  for (std::size_t i = 0; i < list.size(); ++i) std::visit(AppendColumn{columns[i], waiting}, list[i].member);
  if (events) events->append(waiting);
  waiting.clear();
  if (trace) trace->append(waiting_traces);
  waiting_traces.clear();
  if (of_objects) of_objects->append(waiting_objects);
  waiting_objects.clear();
}

void ResultFile::Impl::start(const std::string& result, const Model& model, const ResultHeader& header,
                             const State* resumed) {
  if (XdmfFile::path_of(result) == result)
    throw FileError(result +
                    ": the ending .xdmf is for the companion of the result file; choose another, such as .h5");
  path = result;
  target = NewFile(path);
  guarded([&] { create(model, header, resumed); });
}

ResultFile::ResultFile(const std::string& path, const Model& model, const ResultHeader& header)
    : impl_(std::make_unique<Impl>()) {
  impl_->start(path, model, header, nullptr);
}

ResultFile::ResultFile(const std::string& path, const Model& model, const ResultHeader& header, const State& state)
    : impl_(std::make_unique<Impl>()) {
  impl_->start(path, model, header, &state);
}

ResultFile::~ResultFile() {
  if (!impl_) return;
  try {
    impl_->guarded([&] {
      impl_->write_waiting();
      impl_->commit();
    });
  } catch (const FileError&) {  // a destructor cannot report it; finish() would have
  }
}

ResultFile::ResultFile(ResultFile&&) noexcept = default;

void ResultFile::append_frame(const State& state, std::span<const Contact> contacts, const TetFields& fields,
                              std::span<const Contact> limits) {
  Impl& r = *impl_;
  r.guarded([&] {
    assert(static_cast<hsize_t>(state.x.size()) == 3 * r.positions.row[0] && state.v.size() == state.x.size());
    r.write_waiting();
    hdf5::append_rows(r.positions, 1, state.x.data());
    if (r.velocities) hdf5::append_rows(*r.velocities, 1, state.v.data());
    append_tets(r.von_mises, fields.von_mises);
    append_tets(r.stress, fields.stress);
    append_tets(r.strain, fields.strain);
    if (r.contact_forces)
      hdf5::append_rows(*r.contact_forces, 1, contact_forces(contacts, r.positions.row[0]).data());
    if (r.tension) hdf5::append_rows(*r.tension, 1, tensions(r.springs, state.x, unseen_of(state)).data());
    if (r.unseen_energy) {
      const double unseen = unseen_energy(r.springs, r.membranes, state.x, unseen_of(state));
      hdf5::append_rows(*r.unseen_energy, 1, &unseen);
    }
    if (r.contacts) r.contacts->append(contact_records(r.objects, contacts, state.x));
    if (r.limits) r.limits->append(limit_records(r.limits_of_model, limits));
    hdf5::append_rows(r.step, 1, &state.step);
    hdf5::append_rows(r.time, 1, &state.time);
    r.commit();
    r.last_frame = state.step;
    r.xdmf->append_frame(state.time);
  });
}

std::int64_t ResultFile::last_frame() const {
  return impl_->last_frame;
}

void ResultFile::append_checkpoint(const State& state) {
  Impl& r = *impl_;
  const auto has = [&](const std::optional<CheckpointTables>& tables) {
    return tables && tables->newest() == state.step;
  };
  r.guarded([&] {
    if (has(r.checkpoints) || has(r.last_checkpoint)) return;
    r.write_waiting();
    const hid_t group = r.checkpoints->group();
    const bool regular = r.checkpoints->newest() < 0 || state.step % r.checkpoint_interval == 0;
    std::optional<CheckpointTables> next;
    if (regular) {
      r.checkpoints->append(state);
    } else {
      next.emplace(group, next_checkpoint, r.checkpoint_layout);
      next->append(state);
    }
    r.commit();
    if (r.last_checkpoint) {
      r.last_checkpoint.reset();
      hdf5::remove(group, sim::last_checkpoint);
    }
    if (next) {
      hdf5::rename(group, next_checkpoint, sim::last_checkpoint);
      r.last_checkpoint = std::move(next);
    }
    r.commit();
  });
}

void ResultFile::append_step(const StepReport& report, const Trace& trace, const std::vector<ObjectRow>& objects) {
  Impl& r = *impl_;
  r.guarded([&] {
    r.waiting.push_back(report);
    if (r.trace) r.waiting_traces.push_back({report.step, trace});
    if (r.of_objects) {
      assert(objects.size() == r.objects.size());
      r.waiting_objects.push_back({report.step, objects});
    }
    if (r.waiting.size() < rows_kept) return;
    r.write_waiting();
    r.commit();
  });
}

void ResultFile::finish(const std::string& status, const std::string& reason) {
  Impl& r = *impl_;
  r.guarded([&] {
    r.write_waiting();
    r.commit();
    hdf5::rewrite_attribute(r.file, "reason", reason);
    hdf5::rewrite_attribute(r.file, "status", status);
    r.commit();
    r.wait_for_disk();
  });
}

}  // namespace sim
