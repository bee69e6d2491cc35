#include "output/checkpoint_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "output/chunks.hpp"
#include "output/digest.hpp"

namespace sim {

namespace {

using hdf5::Failure;
using hdf5::Shape;

constexpr unsigned most_links = 16;  // of the group

// visit(name, number) for every number of a contact but `turn`, `share_of_turn`, `slides` and `transverse`,
// which every step sets anew and which came after the format, and `eps2` and `thickness`, which the scene says.
// Naming all members here makes the compiler tell of new ones.
template <class AnyContact, class Visit>
void each_number(AnyContact& contact, const Visit& visit) {
  auto& [id, kind, pair, vertices, weights, n, t1, t2, thickness, gap, target_gap, eps2, c_t, time, age, slid_from,
         turns, turn, share_of_turn, raised, frozen, state, lambda, gamma, delta, friction, slip, drift, slides,
         has_no_room, for_exact, transverse] = contact;
  const auto list = [&visit](const std::string& name, auto& numbers) {
    for (int i = 0; i < static_cast<int>(numbers.size()); ++i) visit(name + "_" + std::to_string(i), numbers[i]);
  };
  visit("id", id);
  visit("kind", kind);
  visit("pair_0", pair.first);
  visit("pair_1", pair.second);
  list("vertices", vertices);
  visit("age", age);
  visit("slid_from", slid_from);
  visit("turns", turns);
  visit("raised", raised);
  // Two in one number each, as files of before `has_no_room` and `for_exact` have them.
  std::int64_t flags = (frozen ? 1 : 0) + (has_no_room ? 2 : 0);
  visit("frozen", flags);
  if constexpr (!std::is_const_v<AnyContact>) {
    frozen = flags % 2 != 0;
    has_no_room = flags >= 2;
  }
  constexpr std::int64_t states = 8;
  std::int64_t both = static_cast<std::int64_t>(state) + states * for_exact;
  visit("state", both);
  if constexpr (!std::is_const_v<AnyContact>) {
    state = static_cast<FrictionState>(both % states);
    for_exact = static_cast<std::uint8_t>(both / states);
  }
  list("weights", weights);
  list("n", n);
  list("t1", t1);
  list("t2", t2);
  visit("gap", gap);
  visit("aim", target_gap);
  list("c_t", c_t);
  visit("time", time);
  visit("lambda", lambda);
  list("gamma", gamma);
  list("delta", delta);
  list("friction", friction);
  list("slip", slip);
  list("drift", drift);
}

// visit(name, number) for every number of a rigid body.
template <class AnyRigidState, class Visit>
void each_number_of_body(AnyRigidState& body, const Visit& visit) {
  auto& [center, turn, velocity, spin, left_over, left_over_spin] = body;
  const auto list = [&visit](const std::string& name, auto& numbers) {
    for (int i = 0; i < static_cast<int>(numbers.size()); ++i) visit(name + "_" + std::to_string(i), numbers[i]);
  };
  list("center", center);
  list("turn", turn.coeffs());  // x, y, z, w
  list("velocity", velocity);
  list("spin", spin);
  list("left_over", left_over);
  list("left_over_spin", left_over_spin);
}

std::vector<double> numbers_of(const std::vector<RigidState>& bodies) {
  std::vector<double> numbers;
  for (const RigidState& body : bodies)
    each_number_of_body(body, [&](const std::string&, double number) { numbers.push_back(number); });
  return numbers;
}

std::vector<RigidState> bodies_of(const std::vector<double>& numbers, std::size_t count) {
  std::vector<RigidState> bodies(count);
  std::size_t next = 0;
  for (RigidState& body : bodies)
    each_number_of_body(body, [&](const std::string&, double& number) { number = numbers.at(next++); });
  return bodies;
}

std::vector<std::string> body_columns() {
  std::vector<std::string> columns;
  RigidState any;
  each_number_of_body(any, [&](const std::string& name, double) { columns.push_back(name); });
  return columns;
}

template <class Number>
constexpr bool is_real = std::is_floating_point_v<std::remove_cvref_t<Number>>;

struct Numbers {  // of all contacts, one after the other
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
};

Numbers numbers_of(const std::vector<Contact>& contacts) {
  Numbers numbers;
  for (const Contact& contact : contacts) {
    each_number(contact, [&](const std::string&, const auto& number) {
      if constexpr (is_real<decltype(number)>)
        numbers.reals.push_back(number);
      else
        numbers.integers.push_back(static_cast<std::int64_t>(number));
    });
  }
  return numbers;
}

struct Columns {  // their names, in their order
  std::vector<std::string> integers, reals;
};

Columns contact_columns() {
  Columns columns;
  Contact any;
  each_number(any, [&](const std::string& name, const auto& number) {
    (is_real<decltype(number)> ? columns.reals : columns.integers).push_back(name);
  });
  return columns;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::vector<Contact> contacts_of(const Numbers& numbers, std::size_t count) {
  std::vector<Contact> contacts(count);
  std::size_t integers = 0, reals = 0;
  for (Contact& contact : contacts) {
    each_number(contact, [&](const std::string&, auto& number) {
      using Number = std::remove_cvref_t<decltype(number)>;
      if constexpr (is_real<Number>)
        number = numbers.reals.at(reals++);
      else
        number = static_cast<Number>(numbers.integers.at(integers++));
    });
  }
  return contacts;
}

constexpr std::int64_t no_digest = 0;  // of rows that an older version wrote

// Whether anything goes on by it: before the first step, and where all has just hit something, it is as if there were
// none.
bool remembers(const History& history) {
  return std::any_of(history.holds.begin(), history.holds.end(), [](std::uint8_t one) { return one != 0; });
}

bool has_any(const VecX& unseen) {
  return unseen.size() > 0 && !unseen.isZero(0);
}

std::int64_t digest_of(const State& state, const Numbers& contacts) {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(state.step));
  digest.add(&state.time, 1);
  for (const VecX* vector : {&state.x, &state.v, &state.left_over})
    digest.add(vector->data(), static_cast<std::size_t>(vector->size()));
  const std::vector<double> bodies = numbers_of(state.rigid);
  digest.add(bodies.data(), bodies.size());
  const History& history = state.history;
  if (remembers(history)) {
    for (const VecX* vector : {&history.acceleration, &history.force})
      digest.add(vector->data(), static_cast<std::size_t>(vector->size()));
    for (const std::uint8_t one : history.holds) digest.add(static_cast<std::uint64_t>(one));
    for (const VecX* vector : {&history.strain_rate, &history.strain_acceleration})
      digest.add(vector->data(), static_cast<std::size_t>(vector->size()));
  }
  if (has_any(state.unseen)) digest.add(state.unseen.data(), static_cast<std::size_t>(state.unseen.size()));
  for (const std::int64_t number : contacts.integers) digest.add(static_cast<std::uint64_t>(number));
  digest.add(contacts.reals.data(), contacts.reals.size());
  const auto value = static_cast<std::int64_t>(digest.value);
  return value == no_digest ? 1 : value;
}

[[noreturn]] void damaged(const std::string& what) {
  throw Failure("the checkpoint is damaged: " + what + ". Go on from an earlier one: --from STEP with -o new.h5");
}

void check_columns(hid_t file, const std::string& name, const std::vector<std::string>& columns) {
  if (hdf5::read_text_attribute(hdf5::open_dataset(file, name), "columns") != joined(columns))
    throw Failure(name + " has other columns than this version of the program knows");
}

void check(const Contact& contact, const CollisionSurface& surface) {
  if (contact.kind != ContactKind::vertex_face && contact.kind != ContactKind::edge_edge &&
      contact.kind != ContactKind::limit)
    damaged("a contact is of no known kind");
  const bool face = contact.kind == ContactKind::vertex_face;
  const bool limit = contact.kind == ContactKind::limit;
  const std::size_t first = face    ? surface.vertex_object.size()
                            : limit ? surface.limits.size()
                                    : surface.edges.size();
  const std::size_t second = face ? surface.triangles.size() : limit ? 2 : surface.edges.size();
  const auto within = [](Index i, std::size_t count) { return i >= 0 && static_cast<std::size_t>(i) < count; };
  if (!within(contact.pair.first, first) || !within(contact.pair.second, second))
    damaged("a contact is between things that are not there");
  if (contact.vertices != stencil(surface, contact.kind, contact.pair) ||
      contact.id != contact_id(contact.kind, contact.pair))
    damaged("a contact contradicts itself");
  if (contact.state != FrictionState::open && contact.state != FrictionState::sticking &&
      contact.state != FrictionState::sliding)
    damaged("a contact is in no known state");
}

void check(const State& state, const Numbers& numbers, const Model& model) {
  if (state.step < 0 || !std::isfinite(state.time) || !state.x.allFinite() || !state.v.allFinite() ||
      !state.left_over.allFinite() || !state.history.acceleration.allFinite() || !state.history.force.allFinite() ||
      !state.history.strain_rate.allFinite() || !state.history.strain_acceleration.allFinite() ||
      !state.unseen.allFinite() ||
      !std::all_of(numbers.reals.begin(), numbers.reals.end(), [](double x) { return std::isfinite(x); }))
    damaged("it holds numbers that are not finite");
  for (const RigidState& body : state.rigid) {
    each_number_of_body(body, [](const std::string&, double number) {
      if (!std::isfinite(number)) damaged("it holds numbers of a rigid body that are not finite");
    });
    if (!(std::abs(body.turn.norm() - 1) < 1e-9)) damaged("a rigid body is turned by what is no rotation");
  }
  ContactId before = 0;
  for (const Contact& contact : state.contacts.contacts) {
    check(contact, model.surface);
    if (contact.id <= before && &contact != &state.contacts.contacts.front())
      damaged("its contacts are not in order");
    before = contact.id;
  }
}

}  // namespace

CheckpointTables::CheckpointTables(hid_t parent, const std::string& name, const CheckpointLayout& layout)
    : group_(hdf5::create_group(parent, name, most_links)) {
  const hid_t real = H5T_NATIVE_DOUBLE, whole = H5T_NATIVE_INT64;
  const RowLayout rows = row_layout({layout.vertices, 3}, layout.planned, layout.compression, 0);
  const hsize_t numbers = numbers_of_chunk(layout.planned), contacts_of_chunk = layout.planned < 4      ? 128
                                                                                : layout.planned < 1000 ? 1024
                                                                                                        : 8192;
  const auto vectors = [&](const char* table, const char* unit) {
    hdf5::Table made = hdf5::create_table(group_, table, real, {layout.vertices, 3}, rows.chunk, rows.compression);
    hdf5::write_attribute(made.dataset, "units", std::string(unit));
    return made;
  };
  const auto contacts = [&](const char* table, hid_t type, const std::vector<std::string>& columns) {
    hdf5::Table made = hdf5::create_table(group_, table, type, {columns.size()}, {contacts_of_chunk, columns.size()});
    hdf5::write_attribute(made.dataset, "columns", joined(columns));
    return made;
  };
  const Columns columns = contact_columns();
  time_ = hdf5::create_table(group_, "time", real, {}, {numbers});
  positions_ = vectors("positions", "m");
  velocities_ = vectors("velocities", "m/s");
  left_over_ = vectors("left_over", "kg m/s");
  integers_ = contacts("contact_integers", whole, columns.integers);
  reals_ = contacts("contact_reals", real, columns.reals);
  if (layout.bodies > 0) {
    const std::vector<std::string> names = body_columns();
    const Shape row{layout.bodies, names.size()}, chunk{rows.chunk[0], layout.bodies, names.size()};
    rigid_ = hdf5::create_table(group_, "rigid", real, row, chunk, rows.compression);
    hdf5::write_attribute(rigid_->dataset, "columns", joined(names));
  }
  if (layout.remembers > 0) {
    acceleration_ = vectors("acceleration", "m/s^2");
    force_ = vectors("force", "m/s^2");
    holds_ = hdf5::create_table(group_, "goes_on_smoothly", whole, {layout.remembers},
                                {rows.chunk[0], layout.remembers}, rows.compression);
  }
  if (layout.strains > 0) {
    const RowLayout of_strains = row_layout({layout.strains, 2}, layout.planned, layout.compression, 0);
    strain_rates_ = hdf5::create_table(group_, "strain_rates", real, {layout.strains, 2}, of_strains.chunk,
                                       of_strains.compression);
  }
  if (layout.unseen > 0) {
    const RowLayout of_unseen = row_layout({layout.unseen}, layout.planned, layout.compression, 0);
    unseen_ =
        hdf5::create_table(group_, "unseen_strains", real, {layout.unseen}, of_unseen.chunk, of_unseen.compression);
  }
  digest_ = hdf5::create_table(group_, "digest", whole, {}, {numbers});
  begin_ = hdf5::create_table(group_, "begin", whole, {}, {numbers});
  const std::int64_t zero = 0;
  hdf5::append_rows(begin_, 1, &zero);
  step_ = hdf5::create_table(group_, "step", whole, {}, {numbers});
}

namespace {

// s' and s'' of each, and nothing but zeros where the history is not gone on by.
Eigen::Matrix2Xd pairs_of_strains(const History& history, hsize_t count) {
  Eigen::Matrix2Xd pairs = Eigen::Matrix2Xd::Zero(2, static_cast<Eigen::Index>(count));
  if (!remembers(history)) return pairs;
  pairs.row(0) = history.strain_rate;
  pairs.row(1) = history.strain_acceleration;
  return pairs;
}

}  // namespace

void CheckpointTables::append_history(const State& state) {
  const bool any = remembers(state.history);
  const VecX none = VecX::Zero(state.x.size());
  hdf5::append_rows(*acceleration_, 1, any ? state.history.acceleration.data() : none.data());
  hdf5::append_rows(*force_, 1, any ? state.history.force.data() : none.data());
  std::vector<std::int64_t> holds(holds_->row.at(0), 0);
  if (any) std::copy(state.history.holds.begin(), state.history.holds.end(), holds.begin());
  hdf5::append_rows(*holds_, 1, holds.data());
  if (strain_rates_)
    hdf5::append_rows(*strain_rates_, 1, pairs_of_strains(state.history, strain_rates_->row.at(0)).data());
}

void CheckpointTables::append(const State& state) {
  const std::vector<Contact>& contacts = state.contacts.contacts;
  const Numbers numbers = numbers_of(contacts);
  hdf5::append_rows(positions_, 1, state.x.data());
  hdf5::append_rows(velocities_, 1, state.v.data());
  hdf5::append_rows(left_over_, 1, state.left_over.data());
  if (rigid_) hdf5::append_rows(*rigid_, 1, numbers_of(state.rigid).data());
  if (holds_) append_history(state);
  if (unseen_) {
    const VecX none = VecX::Zero(static_cast<Eigen::Index>(unseen_->row.at(0)));
    hdf5::append_rows(*unseen_, 1, state.unseen.size() > 0 ? state.unseen.data() : none.data());
  }
  if (!contacts.empty()) {
    hdf5::append_rows(integers_, contacts.size(), numbers.integers.data());
    hdf5::append_rows(reals_, contacts.size(), numbers.reals.data());
  }
  const auto end = static_cast<std::int64_t>(integers_.rows);
  hdf5::append_rows(begin_, 1, &end);
  const std::int64_t digest = digest_of(state, numbers);
  hdf5::append_rows(digest_, 1, &digest);
  hdf5::append_rows(time_, 1, &state.time);
  hdf5::append_rows(step_, 1, &state.step);
  newest_ = state.step;
}

namespace {

// Rows of a version that did not write them.
void append_unknown(hdf5::Table& table, hsize_t rows) {
  const std::vector<double> unknown(table.row.at(0) * table.row.at(1), std::numeric_limits<double>::quiet_NaN());
  for (hsize_t row = 0; row < rows; ++row) hdf5::append_rows(table, 1, unknown.data());
}

}  // namespace

void CheckpointTables::copy_until(hid_t from, std::int64_t last_step) {
  const std::string group = std::string("/") + checkpoint_group;
  const hsize_t rows = hdf5::rows_until(from, group + "/step", last_step);
  hdf5::copy_rows(from, group, begin_, rows + 1);
  const auto contacts = static_cast<hsize_t>(hdf5::read_row<std::int64_t>(from, group + "/begin", rows));
  hdf5::copy_rows(from, group, integers_, contacts);
  hdf5::copy_rows(from, group, reals_, contacts);
  for (hdf5::Table* table : {&positions_, &velocities_, &left_over_, &time_, &step_})
    hdf5::copy_rows(from, group, *table, rows);
  if (rigid_) hdf5::copy_rows(from, group, *rigid_, rows);
  if (holds_) {
    for (hdf5::Table* table : {&*acceleration_, &*force_, &*holds_}) hdf5::copy_rows(from, group, *table, rows);
  }
  if (strain_rates_) {
    if (hdf5::exists(from, group + "/" + strain_rates_->name)) {
      hdf5::copy_rows(from, group, *strain_rates_, rows);
    } else {
      append_unknown(*strain_rates_, rows);
    }
  }
  if (unseen_) {
    if (hdf5::exists(from, group + "/" + unseen_->name)) {
      hdf5::copy_rows(from, group, *unseen_, rows);
    } else {
      const std::vector<double> none(rows * unseen_->row.at(0), 0.0);
      hdf5::append_rows(*unseen_, rows, none.data());
    }
  }
  if (hdf5::exists(from, group + "/digest")) {
    hdf5::copy_rows(from, group, digest_, rows);
  } else {
    const std::vector<std::int64_t> none(rows, no_digest);
    hdf5::append_rows(digest_, rows, none.data());
  }
  if (rows > 0) newest_ = hdf5::read_row<std::int64_t>(from, group + "/step", rows - 1);
}

namespace {

hsize_t most_strains(const ElementNumbering& numbering) {
  Index most = 0;
  for (std::size_t kind = 0; kind < element_kinds; ++kind)
    most += strains_of(static_cast<ElementKind>(kind)) * numbering.count[kind];
  return static_cast<hsize_t>(most);
}

// Nothing where a version wrote the row that did not know them.
void read_strain_rates(hid_t file, const std::string& name, hsize_t row, const Model& model, History& history) {
  if (!hdf5::exists(file, name)) return;
  const Shape shape = hdf5::shape_of(file, name);
  if (shape.size() != 3 || shape[1] > most_strains(model.elastic.numbering) || shape[2] != 2)
    throw Failure(name + " has another shape than it should");
  Eigen::Matrix2Xd pairs(2, static_cast<Eigen::Index>(shape[1]));
  hdf5::read_rows(file, name, row, 1, H5T_NATIVE_DOUBLE, pairs.data());
  if (pairs.array().isNaN().all()) return;
  history.strain_rate = pairs.row(0);
  history.strain_acceleration = pairs.row(1);
}

History read_history(hid_t file, const std::string& group, hsize_t row, const Model& model) {
  const hsize_t vertices = model.mesh.vertices.size(), objects = model.objects.size();
  hdf5::check_row_shape(file, group + "/acceleration", {vertices, 3});
  hdf5::check_row_shape(file, group + "/force", {vertices, 3});
  hdf5::check_row_shape(file, group + "/goes_on_smoothly", {objects});
  History history;
  history.acceleration.resize(3 * static_cast<Eigen::Index>(vertices));
  history.force.resize(history.acceleration.size());
  std::vector<std::int64_t> holds(objects);
  hdf5::read_rows(file, group + "/acceleration", row, 1, H5T_NATIVE_DOUBLE, history.acceleration.data());
  hdf5::read_rows(file, group + "/force", row, 1, H5T_NATIVE_DOUBLE, history.force.data());
  hdf5::read_rows(file, group + "/goes_on_smoothly", row, 1, H5T_NATIVE_INT64, holds.data());
  for (const std::int64_t one : holds) history.holds.push_back(one != 0 ? 1 : 0);
  if (remembers(history)) read_strain_rates(file, group + "/strain_rates", row, model, history);
  return history;
}

// Empty where there are none, and in files of versions that did not know them.
VecX read_unseen(hid_t file, const std::string& name, hsize_t row, const Model& model) {
  if (!hdf5::exists(file, name)) return {};
  const Index count = unseen_numbers(model.elastic);
  hdf5::check_row_shape(file, name, {static_cast<hsize_t>(count)});
  VecX unseen(count);
  hdf5::read_rows(file, name, row, 1, H5T_NATIVE_DOUBLE, unseen.data());
  return has_any(unseen) ? unseen : VecX();
}

// Of `acm` of earlier versions, which remembered from step to step what friction went by, and reckoned otherwise.
void refuse_layers(hid_t file, const std::string& group, hsize_t row) {
  const std::string name = group + "/layer_begin";
  if (!hdf5::exists(file, name) || hdf5::row_count(file, name) <= row + 1) return;
  if (hdf5::read_row<std::int64_t>(file, name, row) != hdf5::read_row<std::int64_t>(file, name, row + 1))
    throw hdf5::Failure(
        "the checkpoint is of an earlier version, whose acm had another law of friction: run the scene from its "
        "start");
}

}  // namespace

State read_checkpoint_row(hid_t file, const std::string& group, hsize_t row, const Model& model) {
  const Columns columns = contact_columns();
  const hsize_t vertices = model.mesh.vertices.size();
  hdf5::check_row_shape(file, group + "/positions", {vertices, 3});
  hdf5::check_row_shape(file, group + "/velocities", {vertices, 3});
  hdf5::check_row_shape(file, group + "/left_over", {vertices, 3});
  check_columns(file, group + "/contact_integers", columns.integers);
  check_columns(file, group + "/contact_reals", columns.reals);
  hdf5::check_row_shape(file, group + "/contact_integers", {columns.integers.size()});
  hdf5::check_row_shape(file, group + "/contact_reals", {columns.reals.size()});

  State state;
  state.step = hdf5::read_row<std::int64_t>(file, group + "/step", row);
  state.time = hdf5::read_row<double>(file, group + "/time", row);
  state.x.resize(3 * static_cast<Eigen::Index>(vertices));
  state.v.resize(state.x.size());
  state.left_over.resize(state.x.size());
  hdf5::read_rows(file, group + "/positions", row, 1, H5T_NATIVE_DOUBLE, state.x.data());
  hdf5::read_rows(file, group + "/velocities", row, 1, H5T_NATIVE_DOUBLE, state.v.data());
  hdf5::read_rows(file, group + "/left_over", row, 1, H5T_NATIVE_DOUBLE, state.left_over.data());

  if (const hsize_t bodies = model.rigid.size(); bodies > 0) {
    const std::vector<std::string> columns_of_body = body_columns();
    check_columns(file, group + "/rigid", columns_of_body);
    hdf5::check_row_shape(file, group + "/rigid", {bodies, columns_of_body.size()});
    std::vector<double> numbers_of_bodies(bodies * columns_of_body.size());
    hdf5::read_rows(file, group + "/rigid", row, 1, H5T_NATIVE_DOUBLE, numbers_of_bodies.data());
    state.rigid = bodies_of(numbers_of_bodies, bodies);
  }

  if (hdf5::exists(file, group + "/goes_on_smoothly")) state.history = read_history(file, group, row, model);
  state.unseen = read_unseen(file, group + "/unseen_strains", row, model);
  refuse_layers(file, group, row);

  const auto begin = hdf5::read_row<std::int64_t>(file, group + "/begin", row);
  const auto end = hdf5::read_row<std::int64_t>(file, group + "/begin", row + 1);
  const auto there = static_cast<std::int64_t>(hdf5::row_count(file, group + "/contact_integers"));
  if (begin < 0 || end < begin || end > there) damaged("it names contacts that are not there");
  const auto first = static_cast<hsize_t>(begin), count = static_cast<hsize_t>(end - begin);
  Numbers numbers;
  numbers.integers.resize(count * columns.integers.size());
  numbers.reals.resize(count * columns.reals.size());
  hdf5::read_rows(file, group + "/contact_integers", first, count, H5T_NATIVE_INT64, numbers.integers.data());
  hdf5::read_rows(file, group + "/contact_reals", first, count, H5T_NATIVE_DOUBLE, numbers.reals.data());
  state.contacts.contacts = contacts_of(numbers, count);
  check(state, numbers, model);
  if (hdf5::exists(file, group + "/digest")) {
    const auto digest = hdf5::read_row<std::int64_t>(file, group + "/digest", row);
    if (digest != no_digest && digest != digest_of(state, numbers))
      damaged("its numbers are not those that were written");
  }
  // Of a version that did not keep rates of strain, or of other stiffness damping: as before the first step.
  const auto numbers_of_strains = static_cast<Eigen::Index>(model.strains.numbers);
  if (state.history.strain_rate.size() != numbers_of_strains && !state.history.holds.empty()) {
    if (numbers_of_strains == 0) {
      state.history.strain_rate.resize(0);
      state.history.strain_acceleration.resize(0);
    } else {
      state.history = {};
    }
  }
  return state;
}

}  // namespace sim
