#include "contact/body_compliance.hpp"

#include <algorithm>
#include <numeric>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index contacts_a_panel = 8;

// Every part on some lane, the same whatever the number of threads.
template <class Body>
void for_each_part(BodyCompliances& s, const Body& body) {
  const auto lanes = static_cast<Index>(s.lanes.size());
  parallel_for(lanes, 1, [&](Index lane, Index) {
    for (Index part = lane; part < s.parts.count(); part += lanes) body(part, s.lanes[lane]);
  });
}

BodyVersion version_of(const ContactProblem& problem, const BodyCompliances& s, Index part) {
  return problem.versions.size() == s.body_of_part.size() ? problem.versions[part] : BodyVersion{};
}

bool has_same_A(const BodyVersion& one, const BodyVersion& other) {
  return one.A != 0 && one.A == other.A && one.unit == other.unit;
}

void forget(CompliantBody& body) {
  body.version = {};
  body.panels.clear();
  body.products.clear();
  body.sides.clear();
}

// The rows of contact i on this part.
void rows_of_side(const BlockMatrix& L, const Bodies& parts, Index part, Index i, std::vector<SparseRow>& rows) {
  rows.clear();
  for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
    if (parts.of_row[L.column[slot]] == part)
      rows.push_back({parts.place[L.column[slot]], 0, L.at(slot).transpose()});
  }
}

bool is_same(const std::vector<SparseRow>& a, const std::vector<SparseRow>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SparseRow& x, const SparseRow& y) { return x.row == y.row && x.block == y.block; });
}

// Sides by their first row: those that may be the same as another one.
std::vector<std::pair<Index, Index>> by_first_row(const std::vector<ContactSide>& sides) {
  std::vector<std::pair<Index, Index>> order;
  for (std::size_t i = 0; i < sides.size(); ++i) order.emplace_back(sides[i].rows.front().row, static_cast<Index>(i));
  std::sort(order.begin(), order.end());
  return order;
}

// Where the product of panels i >= j is.
std::size_t product_of(Index i, Index j) {
  const auto row = static_cast<std::size_t>(i);
  return row * (row + 1) / 2 + static_cast<std::size_t>(j);
}

// Gives every contact of the body a side; the ones that are not known yet are the last of `sides`.
void recognise(const ContactProblem& problem, const Bodies& parts, Index part, CompliantBody& body) {
  const std::vector<std::pair<Index, Index>> known = by_first_row(body.sides);
  body.side_of.clear();
  std::vector<SparseRow> rows;
  for (const Index contact : body.contacts) {
    rows_of_side(problem.L, parts, part, contact, rows);
    auto place = std::lower_bound(known.begin(), known.end(), std::pair<Index, Index>{rows.front().row, -1});
    while (place != known.end() && place->first == rows.front().row && !is_same(body.sides[place->second].rows, rows))
      ++place;
    if (place != known.end() && place->first == rows.front().row) {
      body.side_of.push_back(place->second);
    } else {
      body.side_of.push_back(static_cast<Index>(body.sides.size()));
      body.sides.push_back({rows, -1});
    }
  }
}

// Forgets the panels of which no contact of this solve has a side: rows change wherever a contact is re-linearised,
// and products with all rows of before would be the square of the rounds of a step.
void forget_unused(CompliantBody& body) {
  const auto panels = static_cast<Index>(body.panels.size());
  std::vector<Index> panel_now(body.panels.size(), -1);
  for (const Index side : body.side_of) {
    if (body.sides[side].panel >= 0) panel_now[body.sides[side].panel] = 0;
  }
  if (std::count(panel_now.begin(), panel_now.end(), 0) == panels) return;
  Index kept = 0;
  std::vector<std::vector<double>> products;
  for (Index i = 0; i < panels; ++i) {
    if (panel_now[i] < 0) continue;
    for (Index j = 0; j <= i; ++j) {
      if (panel_now[j] >= 0) products.push_back(std::move(body.products[product_of(i, j)]));
    }
    panel_now[i] = kept;
    if (kept != i) body.panels[kept] = std::move(body.panels[i]);
    ++kept;
  }
  body.panels.resize(static_cast<std::size_t>(kept));
  body.products = std::move(products);
  std::vector<Index> side_now(body.sides.size(), -1);
  std::vector<ContactSide> sides;
  for (std::size_t i = 0; i < body.sides.size(); ++i) {
    ContactSide& side = body.sides[i];
    if (side.panel >= 0 && panel_now[side.panel] < 0) continue;
    if (side.panel >= 0) side.panel = panel_now[side.panel];
    side_now[i] = static_cast<Index>(sides.size());
    sides.push_back(std::move(side));
  }
  body.sides = std::move(sides);
  for (Index& side : body.side_of) side = side_now[side];
}

// Panels of the sides that have none yet, those together that reach about the same fronts.
double make_panels(CompliantBody& body, const Stop& stop, BodyCompliances::Lane& lane) {
  const CholeskyPattern& p = *body.C.pattern;
  std::vector<std::pair<Index, Index>> order;  // lowest turn, side
  for (std::size_t i = 0; i < body.sides.size(); ++i) {
    if (body.sides[i].panel >= 0) continue;
    Index lowest = p.blocks();
    for (const SparseRow& row : body.sides[i].rows) lowest = std::min(lowest, p.turn[row.row]);
    order.emplace_back(lowest, static_cast<Index>(i));
  }
  std::sort(order.begin(), order.end());
  double flops = 0;
  for (std::size_t begin = 0; begin < order.size() && !stop.asked(); begin += contacts_a_panel) {
    const std::size_t end = std::min(order.size(), begin + contacts_a_panel);
    lane.entries.clear();
    for (std::size_t i = begin; i < end; ++i) {
      ContactSide& side = body.sides[order[i].second];
      side.panel = static_cast<Index>(body.panels.size());
      for (SparseRow& row : side.rows) {
        row.column = static_cast<Index>(i - begin);
        lane.entries.push_back(row);
      }
    }
    body.panels.emplace_back();
    flops += solve_forwards(body.C, lane.entries, 3 * static_cast<Index>(end - begin), lane.panel, body.panels.back(),
                            stop);
    for (const ForwardPanel& other : body.panels) {
      if (stop.asked()) break;
      body.products.emplace_back();
      flops += multiply_transposed(body.panels.back(), other, body.products.back());
    }
  }
  return flops;
}

// The block of W between two sides of a body; `i` and `j` say where they are.
Mat3 block_between(const CompliantBody& body, const ContactSide& i, const ContactSide& j) {
  const auto at = [&](const ContactSide& a, const ContactSide& b) -> Mat3 {
    const std::vector<double>& product = body.products[product_of(a.panel, b.panel)];
    const Index stride = body.panels[a.panel].width;
    return Eigen::Map<const Mat3, 0, Eigen::OuterStride<>>(
        &product[static_cast<std::size_t>(3 * b.rows.front().column * stride + 3 * a.rows.front().column)],
        Eigen::OuterStride<>(stride));
  };
  return i.panel >= j.panel ? at(i, j) : Mat3(at(j, i).transpose());
}

}  // namespace

void prepare(const ContactProblem& problem, BodyCompliances& s) {
  s.parts = find_bodies(problem.A);
  s.body_of_part.resize(static_cast<std::size_t>(s.parts.count()));
  if (problem.bodies.size() == s.body_of_part.size()) {
    s.body_of_part = problem.bodies;
  } else {
    std::iota(s.body_of_part.begin(), s.body_of_part.end(), 0);
  }
  for (Index part = 0; part < s.parts.count(); ++part) {
    if (s.body_of_part[part] >= static_cast<Index>(s.bodies.size())) s.bodies.resize(s.body_of_part[part] + 1);
    CompliantBody& body = body_of(s, part);
    body.contacts.clear();
    if (has_same_A(body.version, version_of(problem, s, part))) continue;
    forget(body);
    body.C.pattern = s.patterns.find(problem.A, s.parts.rows_of(part), s.parts.place);
  }
  for (Index i = 0; i < problem.contacts(); ++i) {
    for (Index slot = problem.L.row_begin[i]; slot < problem.L.row_begin[i + 1]; ++slot) {
      std::vector<Index>& contacts = body_of(s, s.parts.of_row[problem.L.column[slot]]).contacts;
      if (contacts.empty() || contacts.back() != i) contacts.push_back(i);
    }
  }
}

bool is_factored(const ContactProblem& problem, const BodyCompliances& s, Index part) {
  const CompliantBody& body = body_of(s, part);
  return has_same_A(body.version, version_of(problem, s, part)) && body.definite;
}

bool factor_bodies(const ContactProblem& problem, BodyCompliances& s, double& flops, const Stop& stop) {
  s.flops.assign(s.body_of_part.size(), 0.0);
  s.factored.assign(s.body_of_part.size(), 0);
  for_each_part(s, [&](Index part, BodyCompliances::Lane& lane) {
    CompliantBody& body = body_of(s, part);
    const BodyVersion now = version_of(problem, s, part);
    const bool known = is_factored(problem, s, part);
    if (known && body.version.b == now.b) return;
    if (!known) {
      s.factored[part] = 1;
      s.flops[part] += body.C.pattern->flops;
      body.definite = factor(problem.A, s.parts.rows_of(part), lane.cholesky, body.C, stop);
      if (!body.definite) return;
    }
    take_rows(problem.b, s.parts.rows_of(part), body.free);
    solve_forwards(body.C, lane.cholesky, body.free);
    solve_back(body.C, lane.cholesky, body.free);
    body.version = now;
    s.flops[part] += body.C.pattern->solve_flops;
  });
  for (const double part : s.flops) flops += part;
  return std::all_of(s.body_of_part.begin(), s.body_of_part.end(),
                     [&](Index body) { return s.bodies[body].definite; });
}

void free_velocity(const BodyCompliances& s, VecX& v) {
  v.resize(3 * static_cast<Eigen::Index>(s.parts.of_row.size()));
  for (Index part = 0; part < s.parts.count(); ++part) put_rows(body_of(s, part).free, s.parts.rows_of(part), v);
}

void coupling_pattern(const ContactProblem& problem, const BodyCompliances& s, BlockMatrix& W) {
  const BlockMatrix& L = problem.L;
  W.row_begin.assign(1, 0);
  W.column.clear();
  std::vector<Index> seen(static_cast<std::size_t>(problem.contacts()), -1);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(W.column.size());
    Index last = -1;
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
      const Index part = s.parts.of_row[L.column[slot]];
      if (part == last) continue;
      last = part;
      for (const Index j : body_of(s, part).contacts) {
        if (seen[j] == i) continue;
        seen[j] = i;
        W.column.push_back(j);
      }
    }
    std::sort(W.column.begin() + begin, W.column.end());
    W.row_begin.push_back(static_cast<Index>(W.column.size()));
  }
}

double delassus(const ContactProblem& problem, BodyCompliances& s, BlockMatrix& W, const Stop& stop) {
  s.flops.assign(s.body_of_part.size(), 0.0);
  for_each_part(s, [&](Index part, BodyCompliances::Lane& lane) {
    CompliantBody& body = body_of(s, part);
    recognise(problem, s.parts, part, body);
    forget_unused(body);
    s.flops[part] = make_panels(body, stop, lane);
  });
  if (stop.asked()) {
    for (CompliantBody& body : s.bodies) forget(body);
    return 0;
  }
  W.values.assign(9 * W.column.size() + 1, 0.0);
  for (Index part = 0; part < s.parts.count(); ++part) {
    const CompliantBody& body = body_of(s, part);
    for (std::size_t i = 0; i < body.contacts.size() && !stop.asked(); ++i) {
      Index slot = W.row_begin[body.contacts[i]];
      for (std::size_t j = 0; j < body.contacts.size(); ++j) {
        while (W.column[slot] < body.contacts[j]) ++slot;
        W.at(slot) += block_between(body, body.sides[body.side_of[i]], body.sides[body.side_of[j]]);
      }
    }
  }
  return std::accumulate(s.flops.begin(), s.flops.end(), 0.0);
}

void solve_bodies(const ContactProblem& problem, const VecX& r, BodyCompliances& s, VecX& v) {
  VecX push = problem.b;
  add_transposed(problem.L, r, push);
  v.resize(push.size());
  for_each_part(s, [&](Index part, BodyCompliances::Lane& lane) {
    const CompliantBody& body = body_of(s, part);
    VecX x;
    take_rows(push, s.parts.rows_of(part), x);
    solve_forwards(body.C, lane.cholesky, x);
    solve_back(body.C, lane.cholesky, x);
    put_rows(x, s.parts.rows_of(part), v);
  });
}

}  // namespace sim
