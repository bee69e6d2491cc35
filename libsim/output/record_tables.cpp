#include "output/record_tables.hpp"

#include "output/chunks.hpp"

namespace sim {

namespace {

using hdf5::Shape;
using hdf5::Table;

// Long chunks: there can be many rows, a hundred and more for each step or frame.
hsize_t records_of_chunk(hsize_t planned) {
  constexpr hsize_t usual = 8192, most = 1 << 16, records_of_each = 100;
  return rows_of_chunk(usual, records_of_each * planned, most);
}

struct Group {
  hdf5::Handle group;
  hsize_t planned = 0;  // steps or frames
};

Table create(const Group& into, const std::string& name, hid_t type, hsize_t width, const std::string& unit,
             const std::string& meaning) {
  const hsize_t rows = records_of_chunk(into.planned);
  Table table = hdf5::create_table(into.group, name, type, width > 1 ? Shape{width} : Shape{},
                                   width > 1 ? Shape{rows, width} : Shape{rows});
  hdf5::write_attribute(table.dataset, "units", unit);
  hdf5::write_attribute(table.dataset, "meaning", meaning);
  return table;
}

Table create_index(const Group& into, const std::string& name) {
  return hdf5::create_table(into.group, name, H5T_NATIVE_INT64, {}, {numbers_of_chunk(into.planned)});
}

void append_value(Table& table, std::int64_t value) {
  hdf5::append_rows(table, 1, &value);
}

void append_end(Table& begin, const Table& rows) {
  append_value(begin, static_cast<std::int64_t>(rows.rows));
}

// One column of a list of structs; `get` returns a number, or an array or vector of `Number`.
template <class Number, class Row, class Get>
void append_column(Table& table, const std::vector<Row>& rows, const Get& get) {
  if (rows.empty()) return;
  std::vector<Number> values;
  const std::size_t width = table.row.empty() ? 1 : table.row[0];
  values.reserve(rows.size() * width);
  for (const Row& row : rows) {
    const auto value = get(row);
    const auto* numbers = reinterpret_cast<const Number*>(&value);
    static_assert(sizeof(value) % sizeof(Number) == 0);
    values.insert(values.end(), numbers, numbers + width);
  }
  hdf5::append_rows(table, rows.size(), values.data());
}

}  // namespace

TraceTables::TraceTables(hid_t file, hsize_t planned_steps) {
  const Group group{hdf5::create_group(file, "trace"), planned_steps};
  const hid_t real = H5T_NATIVE_DOUBLE;
  residual_ = create(group, "residual", real, 1, "1",
                     "norm of the residual in tolerances, momentum rows and active constraint rows together; as "
                     "published in kg m/s and m");
  preconditioned_ = create(group, "preconditioned_residual", real, 1, "1",
                           "square root of |r . C^-1 r|, r the residual and C the preconditioner");
  constraint_ = create(group, "constraint_residual", real, 1, "1",
                       "largest residual of an active constraint row in tolerances; as published in m");
  mark_ = create(group, "mark", H5T_NATIVE_INT32, 1, "1",
                 "0 nothing, 1 constraints changed their state, 2 the solve ended here and contacts were "
                 "re-linearised or new ones found, 3 a sweep of relaxation");
  begin_ = create_index(group, "begin");
  append_value(begin_, 0);
  step_ = create_index(group, "step");
}

void TraceTables::append(const std::vector<TracedStep>& steps) {
  for (const TracedStep& traced : steps) {
    const Trace& rows = traced.rows;
    append_column<double>(residual_, rows, [](const TraceRow& r) { return r.residual; });
    append_column<double>(preconditioned_, rows, [](const TraceRow& r) { return r.preconditioned_residual; });
    append_column<double>(constraint_, rows, [](const TraceRow& r) { return r.constraint_residual; });
    append_column<std::int32_t>(mark_, rows, [](const TraceRow& r) { return static_cast<std::int32_t>(r.mark); });
    append_end(begin_, residual_);
    append_value(step_, traced.step);
  }
}

void TraceTables::copy_until(hid_t from, std::int64_t last_step) {
  const hsize_t steps = hdf5::rows_until(from, "/trace/step", last_step);
  hdf5::copy_rows(from, "/trace", begin_, steps + 1);
  const auto rows = static_cast<hsize_t>(hdf5::read_row<std::int64_t>(from, "/trace/begin", steps));
  for (Table* table : {&residual_, &preconditioned_, &constraint_, &mark_})
    hdf5::copy_rows(from, "/trace", *table, rows);
  hdf5::copy_rows(from, "/trace", step_, steps);
}

ContactTables::ContactTables(hid_t file, hsize_t planned_frames) {
  const Group group{hdf5::create_group(file, "contacts"), planned_frames};
  const hid_t whole = H5T_NATIVE_INT32, real = H5T_NATIVE_DOUBLE;
  kind_ = create(group, "kind", whole, 1, "1", "0 vertex and face, 1 two edges");
  state_ = create(group, "state", whole, 1, "1", "0 open, 1 sticking, 2 sliding");
  pair_ =
      create(group, "pair", whole, 2, "1", "vertex and triangle, or two edges: the same pair has the same numbers");
  objects_ = create(group, "objects", whole, 2, "1", "rows of /model/objects: first side, second side");
  vertices_ = create(group, "vertices", whole, 4, "1", "the vertex and the three of the face, or two of each edge");
  point_ = create(group, "point", real, 3, "m",
                  "at the end of the step, on the first side: the vertex, or a point on the first edge");
  normal_ = create(group, "normal", real, 3, "1", "unit vector from the second side to the first, as solved");
  gap_ = create(group, "gap", real, 1, "m", "at the end of the step, along the normal; negative for penetration");
  lambda_ = create(group, "lambda", real, 1, "N", "normal force: lambda normal acts on the first side");
  friction_ = create(group, "friction", real, 3, "N", "friction force on the first side");
  begin_ = create_index(group, "begin");
  append_value(begin_, 0);
}

void ContactTables::append(const std::vector<ContactRecord>& contacts) {
  using R = ContactRecord;
  append_column<std::int32_t>(kind_, contacts, [](const R& r) { return static_cast<std::int32_t>(r.kind); });
  append_column<std::int32_t>(state_, contacts, [](const R& r) { return static_cast<std::int32_t>(r.state); });
  append_column<Index>(pair_, contacts, [](const R& r) { return r.pair; });
  append_column<Index>(objects_, contacts, [](const R& r) { return r.objects; });
  append_column<Index>(vertices_, contacts, [](const R& r) { return r.vertices; });
  append_column<double>(point_, contacts, [](const R& r) { return r.point; });
  append_column<double>(normal_, contacts, [](const R& r) { return r.normal; });
  append_column<double>(gap_, contacts, [](const R& r) { return r.gap; });
  append_column<double>(lambda_, contacts, [](const R& r) { return r.lambda; });
  append_column<double>(friction_, contacts, [](const R& r) { return r.friction; });
  append_end(begin_, kind_);
}

void ContactTables::copy_frames(hid_t from, hsize_t frames) {
  hdf5::copy_rows(from, "/contacts", begin_, frames + 1);
  const auto rows = static_cast<hsize_t>(hdf5::read_row<std::int64_t>(from, "/contacts/begin", frames));
  for (Table* table :
       {&kind_, &state_, &pair_, &objects_, &vertices_, &point_, &normal_, &gap_, &lambda_, &friction_})
    hdf5::copy_rows(from, "/contacts", *table, rows);
}

LimitTables::LimitTables(hid_t file, hsize_t planned_frames) {
  const Group group{hdf5::create_group(file, "contacts/limits"), planned_frames};
  spring_ = create(group, "spring", H5T_NATIVE_INT32, 1, "1", "row of /model/springs");
  lambda_ = create(group, "lambda", H5T_NATIVE_DOUBLE, 1, "N",
                   "force of the strain limit: pulls the ends of the spring together; negative: pushes them apart");
  begin_ = create_index(group, "begin");
  append_value(begin_, 0);
}

void LimitTables::append(const std::vector<LimitRecord>& limits) {
  append_column<Index>(spring_, limits, [](const LimitRecord& r) { return r.spring; });
  append_column<double>(lambda_, limits, [](const LimitRecord& r) { return r.lambda; });
  append_end(begin_, spring_);
}

void LimitTables::copy_frames(hid_t from, hsize_t frames) {
  hdf5::copy_rows(from, "/contacts/limits", begin_, frames + 1);
  const auto rows = static_cast<hsize_t>(hdf5::read_row<std::int64_t>(from, "/contacts/limits/begin", frames));
  for (Table* table : {&spring_, &lambda_}) hdf5::copy_rows(from, "/contacts/limits", *table, rows);
}

ObjectTables::ObjectTables(hid_t file, hsize_t objects, hsize_t planned_steps) {
  const Group into{hdf5::create_group(file, "objects"), planned_steps};
  const auto make = [&](const char* name, const Shape& row, const char* unit, const char* meaning) {
    constexpr hsize_t chunk_bytes = 1 << 18;
    Table table = hdf5::create_table(into.group, name, H5T_NATIVE_DOUBLE, row,
                                     row_layout(row, planned_steps, 0, chunk_bytes).chunk);
    hdf5::write_attribute(table.dataset, "units", std::string(unit));
    hdf5::write_attribute(table.dataset, "meaning", std::string(meaning));
    return table;
  };
  center_ = make("center", {objects, 3}, "m", "centre of mass at the end of the step; of obstacles of the vertices");
  velocity_ = make("velocity", {objects, 3}, "m/s", "of the centre");
  force_ = make("contact_force", {objects, 3}, "N", "of all contacts, mean over the last part of the step");
  torque_ = make("contact_torque", {objects, 3}, "N m", "of these about the centre");
  work_ = make("contact_work", {objects}, "J", "of these in the step");
  step_ = create_index(into, "step");
}

void ObjectTables::append(const std::vector<StepOfObjects>& steps) {
  for (const StepOfObjects& step : steps) {
    const auto append_row = [&](Table& table, const auto& get) {
      std::vector<double> values;
      for (const ObjectRow& row : step.rows) {
        const auto value = get(row);
        const auto* numbers = reinterpret_cast<const double*>(&value);
        values.insert(values.end(), numbers, numbers + sizeof(value) / sizeof(double));
      }
      hdf5::append_rows(table, 1, values.data());
    };
    append_row(center_, [](const ObjectRow& row) { return row.center; });
    append_row(velocity_, [](const ObjectRow& row) { return row.velocity; });
    append_row(force_, [](const ObjectRow& row) { return row.contact_force; });
    append_row(torque_, [](const ObjectRow& row) { return row.contact_torque; });
    append_row(work_, [](const ObjectRow& row) { return row.contact_work; });
    append_value(step_, step.step);
  }
}

void ObjectTables::copy_until(hid_t from, std::int64_t last_step) {
  const hsize_t steps = hdf5::rows_until(from, "/objects/step", last_step);
  for (Table* table : {&center_, &velocity_, &force_, &torque_, &work_, &step_})
    hdf5::copy_rows(from, "/objects", *table, steps);
}

}  // namespace sim
