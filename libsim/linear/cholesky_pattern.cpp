#include "linear/cholesky_pattern.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>
#include <utility>

#include "linear/bodies.hpp"
#include "linear/dense_kernels.hpp"

namespace sim {

namespace {

constexpr Index most_columns = 32;  // blocks of a front: wider ones do not stay in the cache

// Flops, and what else takes as long as so many: of a front with so many scalar columns and rows in all.
double front_flops(double columns, double rows) {
  const double below = rows - columns;
  return columns * columns * columns / 3 + columns * columns * below + columns * below * below;
}
double front_cost(Index column_blocks, Index below_blocks) {
  constexpr double a_front = 4000, an_entry_moved = 8;
  const double columns = 3.0 * column_blocks, rows = columns + 3.0 * below_blocks;
  return front_flops(columns, rows) + a_front + an_entry_moved * 0.5 * rows * rows;
}

// Rows with the same columns are one node.
struct Nodes {
  std::vector<Index> of_row;
  std::vector<Index> begin{0}, rows;  // of each node, ascending
  std::vector<Index> first;           // row that stands for it
  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  Index size(Index node) const { return begin[node + 1] - begin[node]; }
};

std::span<const Index> columns_of(const BlockMatrix& A, Index row) {
  return std::span(A.column).subspan(A.row_begin[row], A.row_begin[row + 1] - A.row_begin[row]);
}

Nodes find_nodes(const BlockMatrix& A) {
  const Index rows = A.rows();
  // The same columns have the same first one: only among those who name it first is one looked for.
  std::vector<std::vector<Index>> starting(static_cast<std::size_t>(rows));
  Nodes nodes;
  nodes.of_row.resize(static_cast<std::size_t>(rows));
  for (Index row = 0; row < rows; ++row) {
    const std::span<const Index> own = columns_of(A, row);
    std::vector<Index>& candidates = starting[own.front()];
    const auto same = std::find_if(candidates.begin(), candidates.end(), [&](Index node) {
      const std::span<const Index> other = columns_of(A, nodes.first[node]);
      return std::equal(own.begin(), own.end(), other.begin(), other.end());
    });
    if (same != candidates.end()) {
      nodes.of_row[row] = *same;
      continue;
    }
    nodes.of_row[row] = static_cast<Index>(nodes.first.size());
    candidates.push_back(nodes.of_row[row]);
    nodes.first.push_back(row);
  }
  nodes.begin.assign(nodes.first.size() + 1, 0);
  for (const Index node : nodes.of_row) ++nodes.begin[node + 1];
  std::partial_sum(nodes.begin.begin(), nodes.begin.end(), nodes.begin.begin());
  nodes.rows.resize(static_cast<std::size_t>(rows));
  std::vector<Index> next(nodes.begin.begin(), nodes.begin.end() - 1);
  for (Index row = 0; row < rows; ++row) nodes.rows[next[nodes.of_row[row]]++] = row;
  return nodes;
}

using Graph = std::vector<std::vector<Index>>;  // neighbours of each node, without itself

Graph graph_of(const BlockMatrix& A, const Nodes& nodes) {
  Graph graph(static_cast<std::size_t>(nodes.count()));
  std::vector<Index> seen(graph.size(), -1);
  for (Index node = 0; node < nodes.count(); ++node) {
    seen[node] = node;
    for (const Index column : columns_of(A, nodes.first[node])) {
      const Index other = nodes.of_row[column];
      if (seen[other] == node) continue;
      seen[other] = node;
      graph[node].push_back(other);
    }
  }
  return graph;
}

// The order of elimination: turn of a node.
std::vector<Index> minimum_degree(const Graph& graph) {
  const auto count = static_cast<Index>(graph.size());
  Eigen::SparseMatrix<double> pattern(count, count);
  std::vector<Index> sorted;
  for (Index node = 0; node < count; ++node) {
    sorted = graph[node];
    sorted.push_back(node);
    std::sort(sorted.begin(), sorted.end());
    pattern.startVec(node);
    for (const Index other : sorted) pattern.insertBack(other, node) = 1;
  }
  pattern.finalize();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found;
  Eigen::AMDOrdering<int>()(pattern, found);
  std::vector<Index> turn(graph.size());
  for (Index i = 0; i < count; ++i) turn[found.indices()[i]] = i;
  return turn;
}

// Nodes on their way to fronts.
struct Tree {
  struct Vertex {
    std::vector<Index> nodes;     // that are its columns, in their order
    std::vector<Index> below;     // nodes that its rows are of: those eliminated later
    Index columns = 0, rows = 0;  // blocks of both
    std::vector<Index> children;
    bool joined = false;
  };
  std::vector<Vertex> vertices;
  std::vector<Index> roots;
};

// The child's columns come first.
void join(Tree::Vertex& child, Tree::Vertex& vertex) {
  child.nodes.insert(child.nodes.end(), vertex.nodes.begin(), vertex.nodes.end());
  vertex.nodes = std::move(child.nodes);
  vertex.columns += child.columns;
  vertex.children.insert(vertex.children.end(), child.children.begin(), child.children.end());
  child = {};
  child.joined = true;
}

// Vertices by the turns of their (first) nodes: what a node's elimination leaves to those that come later.
Tree eliminate(const Graph& graph, const Nodes& nodes, const std::vector<Index>& turn) {
  const std::size_t count = graph.size();
  std::vector<Index> order(count);
  for (std::size_t node = 0; node < count; ++node) order[turn[node]] = static_cast<Index>(node);
  Tree tree;
  tree.vertices.resize(count);
  std::vector<Index> seen(count, -1);
  for (Index i = 0; i < static_cast<Index>(count); ++i) {  // vertex i is the node order[i]
    Tree::Vertex& vertex = tree.vertices[i];
    const Index own = order[i];
    vertex.nodes.push_back(own);
    vertex.columns = nodes.size(own);
    seen[own] = i;
    const auto add = [&](Index node) {
      if (seen[node] == i || turn[node] < i) return;
      seen[node] = i;
      vertex.below.push_back(node);
      vertex.rows += nodes.size(node);
    };
    for (const Index node : graph[own]) add(node);
    for (const Index child : vertex.children) {
      for (const Index node : tree.vertices[child].below) add(node);
    }
    Index parent = static_cast<Index>(count);
    for (const Index node : vertex.below) parent = std::min(parent, turn[node]);
    if (parent < static_cast<Index>(count)) {
      tree.vertices[parent].children.push_back(i);
    } else {
      tree.roots.push_back(i);
    }
    // A child with the same rows is put before this one. Its list is not needed any more then, which keeps memory at
    // that of the fronts.
    const auto same = std::find_if(vertex.children.begin(), vertex.children.end(), [&](Index child) {
      return tree.vertices[child].rows == vertex.rows + nodes.size(own);
    });
    if (same == vertex.children.end()) continue;
    const Index child = *same;
    vertex.children.erase(same);
    join(tree.vertices[child], vertex);
  }
  return tree;
}

// Joins children to their parents where the zeros that come with it cost less than a front more.
void join_fronts(Tree& tree) {
  for (Tree::Vertex& vertex : tree.vertices) {  // children come before their parents
    if (vertex.joined) continue;
    for (std::size_t c = 0; c < vertex.children.size();) {
      const Index one = vertex.children[c];
      Tree::Vertex& child = tree.vertices[one];
      const double joined = front_cost(child.columns + vertex.columns, vertex.rows);
      if (joined > front_cost(child.columns, child.rows) + front_cost(vertex.columns, vertex.rows)) {
        ++c;
        continue;
      }
      vertex.children.erase(vertex.children.begin() + static_cast<std::ptrdiff_t>(c));
      join(child, vertex);
    }
  }
}

// Vertices in postorder.
std::vector<Index> postorder(const Tree& tree) {
  std::vector<Index> order;
  std::vector<std::pair<Index, std::size_t>> way;
  for (const Index root : tree.roots) {
    way.emplace_back(root, 0);
    while (!way.empty()) {
      auto& [vertex, next] = way.back();
      if (next < tree.vertices[vertex].children.size()) {
        way.emplace_back(tree.vertices[vertex].children[next++], 0);
      } else {
        order.push_back(vertex);
        way.pop_back();
      }
    }
  }
  return order;
}

void number_columns(const Tree& tree, const std::vector<Index>& vertices, const Nodes& nodes, CholeskyPattern& p) {
  for (const Index v : vertices) {
    for (const Index node : tree.vertices[v].nodes) {
      for (Index i = nodes.begin[node]; i < nodes.begin[node + 1]; ++i) p.order.push_back(nodes.rows[i]);
    }
  }
  p.turn.resize(p.order.size());
  for (Index i = 0; i < p.blocks(); ++i) p.turn[p.order[i]] = i;
}

// A vertex becomes one front, or several one on top of the other, of which the lowest one has its children.
void make_fronts(const Tree& tree, const std::vector<Index>& vertices, const Nodes& nodes, CholeskyPattern& p,
                 std::vector<Index>& lowest) {
  std::vector<Index> below;
  Index first = 0;
  for (const Index v : vertices) {
    const Tree::Vertex& vertex = tree.vertices[v];
    below.clear();
    for (const Index node : vertex.below) {
      for (Index i = nodes.begin[node]; i < nodes.begin[node + 1]; ++i) below.push_back(p.turn[nodes.rows[i]]);
    }
    std::sort(below.begin(), below.end());
    const Index parts = (vertex.columns + most_columns - 1) / most_columns, end = first + vertex.columns;
    for (Index part = 0; part < parts; ++part) {
      CholeskyPattern::Front front;
      front.first = first;
      front.columns = (vertex.columns * (part + 1)) / parts - (vertex.columns * part) / parts;
      first += front.columns;
      front.rows_begin = static_cast<Index>(p.rows.size());
      for (Index row = first; row < end; ++row) p.rows.push_back(row);
      p.rows.insert(p.rows.end(), below.begin(), below.end());
      front.rows_end = static_cast<Index>(p.rows.size());
      front.stride = whole_lanes(3 * (front.columns + front.below()));
      front.begin = p.values;
      front.parent = part + 1 < parts ? static_cast<Index>(p.fronts.size()) + 1 : -1;
      lowest.push_back(static_cast<Index>(p.fronts.size()) - part);
      p.values += static_cast<std::size_t>(front.stride) * static_cast<std::size_t>(3 * front.columns);
      p.front_of.insert(p.front_of.end(), static_cast<std::size_t>(front.columns),
                        static_cast<Index>(p.fronts.size()));
      p.fronts.push_back(front);
    }
  }
  p.values += 2 * row_lanes;  // read beyond the end
}

void link_to_parents(const std::vector<Index>& lowest, CholeskyPattern& p) {
  p.in_parent.resize(p.rows.size());
  for (CholeskyPattern::Front& front : p.fronts) {
    if (front.below() == 0) continue;
    if (front.parent < 0) front.parent = lowest[p.front_of[p.rows[front.rows_begin]]];
    const CholeskyPattern::Front& parent = p.fronts[front.parent];
    Index place = parent.rows_begin;
    for (Index i = front.rows_begin; i < front.rows_end; ++i) {
      const Index row = p.rows[i];
      if (row < parent.first + parent.columns) {
        p.in_parent[i] = row - parent.first;
        continue;
      }
      while (p.rows[place] < row) ++place;
      p.in_parent[i] = parent.columns + place - parent.rows_begin;
    }
  }
}

std::size_t update_size(const CholeskyPattern::Front& front) {
  const auto below = static_cast<std::size_t>(3 * front.below());
  return below * static_cast<std::size_t>(whole_lanes(3 * front.below()));
}

void count_work(CholeskyPattern& p) {
  // Updates of children are below the one that is made from them.
  std::vector<std::size_t> of_children(p.fronts.size(), 0);
  std::size_t height = 0;
  for (std::size_t f = 0; f < p.fronts.size(); ++f) {
    const CholeskyPattern::Front& front = p.fronts[f];
    const double columns = 3.0 * front.columns, rows = columns + 3.0 * front.below();
    p.flops += front_flops(columns, rows);
    p.solve_flops += 4 * columns * (rows - 0.5 * columns);
    const std::size_t own = update_size(front);
    p.stack = std::max(p.stack, height + own);
    height += own - of_children[f];
    if (front.parent >= 0) of_children[front.parent] += own;
  }
  p.stack += 2 * row_lanes;
}

void find_targets(const BlockMatrix& A, CholeskyPattern& p) {
  p.target.resize(A.column.size());
  for (Index row = 0; row < A.rows(); ++row) {
    const Index j = p.turn[row];
    const CholeskyPattern::Front& front = p.fronts[p.front_of[j]];
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
      const Index i = p.turn[A.column[slot]];
      if (i < j) {
        p.target[slot] = CholeskyPattern::upper;
        continue;
      }
      Index place = i - front.first;
      if (place >= front.columns) {
        const auto begin = p.rows.begin() + front.rows_begin, end = p.rows.begin() + front.rows_end;
        place = front.columns + static_cast<Index>(std::lower_bound(begin, end, i) - begin);
      }
      p.target[slot] = front.begin +
                       static_cast<std::size_t>(front.stride) * static_cast<std::size_t>(3 * (j - front.first)) +
                       static_cast<std::size_t>(3 * place);
    }
  }
}

std::size_t hash_of(std::span<const Index> rows, std::span<const Index> place, const BlockMatrix& A) {
  std::uint64_t hash = 1469598103934665603U;
  for (const Index row : rows) {
    for (const Index column : columns_of(A, row))
      hash = (hash ^ static_cast<std::uint64_t>(place[column])) * 1099511628211U;
    hash = (hash ^ 0xffffffffU) * 1099511628211U;
  }
  return hash;
}

}  // namespace

CholeskyPattern analyse(const BlockMatrix& A) {
  const Nodes nodes = find_nodes(A);
  const Graph graph = graph_of(A, nodes);
  Tree tree = eliminate(graph, nodes, minimum_degree(graph));
  join_fronts(tree);
  const std::vector<Index> vertices = postorder(tree);
  CholeskyPattern pattern;
  number_columns(tree, vertices, nodes, pattern);
  std::vector<Index> lowest;
  make_fronts(tree, vertices, nodes, pattern, lowest);
  link_to_parents(lowest, pattern);
  count_work(pattern);
  find_targets(A, pattern);
  return pattern;
}

std::shared_ptr<const CholeskyPattern> CholeskyPatterns::find(const BlockMatrix& A, std::span<const Index> rows,
                                                              std::span<const Index> place) {
  const std::size_t hash = hash_of(rows, place, A);
  const auto is_same = [&](const Known& known) {
    if (known.hash != hash || known.row_begin.size() != rows.size() + 1) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::span<const Index> columns = columns_of(A, rows[i]);
      const auto begin = known.column.begin() + known.row_begin[i],
                 end = known.column.begin() + known.row_begin[i + 1];
      if (!std::equal(columns.begin(), columns.end(), begin, end,
                      [&](Index column, Index mine) { return place[column] == mine; }))
        return false;
    }
    return true;
  };
  const auto found = std::find_if(known_.begin(), known_.end(), is_same);
  if (found != known_.end()) return found->pattern;
  BlockMatrix part;
  part.row_begin.assign(1, 0);
  for (const Index row : rows) {
    for (const Index column : columns_of(A, row)) part.column.push_back(place[column]);
    part.row_begin.push_back(static_cast<Index>(part.column.size()));
  }
  auto pattern = std::make_shared<const CholeskyPattern>(analyse(part));
  known_.push_back({hash, std::move(part.row_begin), std::move(part.column), pattern});
  return pattern;
}

}  // namespace sim
