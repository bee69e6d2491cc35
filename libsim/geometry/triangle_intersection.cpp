#include "geometry/triangle_intersection.hpp"

#include <algorithm>
#include <utility>

#include "geometry/predicates.hpp"

namespace sim {

namespace {

using enum TriangleMeeting;
using Signs = std::array<int, 3>;

TriangleMeeting meet_anywhere(const TriangleCorners& a, const TriangleCorners& b);

bool is_flat(const TriangleCorners& t) {
  return collinear(t[0], t[1], t[2]);
}

bool same_point(const Vec3& a, const Vec3& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// An order of points that, on any one line, is the order along that line.
bool before(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

// The two ends of a triangle without area.
std::pair<Vec3, Vec3> ends(const TriangleCorners& t) {
  const auto [low, high] = std::minmax_element(t.begin(), t.end(), before);
  return {*low, *high};
}

Signs sides(const TriangleCorners& plane, const TriangleCorners& points) {
  Signs result;
  for (int i = 0; i < 3; ++i) result[i] = orientation(plane[0], plane[1], plane[2], points[i]);
  return result;
}

bool all_equal(const Signs& s, int value) {
  return s[0] == value && s[1] == value && s[2] == value;
}
bool strictly_one_side(const Signs& s) {
  return all_equal(s, 1) || all_equal(s, -1);
}
bool straddles(const Signs& s) {
  const auto [low, high] = std::minmax_element(s.begin(), s.end());
  return *low < 0 && *high > 0;
}

// All six points lie on one line.
TriangleMeeting meet_on_line(const TriangleCorners& a, const TriangleCorners& b) {
  const auto [a0, a1] = ends(a);
  const auto [b0, b1] = ends(b);
  if (before(a1, b0) || before(b1, a0)) return disjoint;
  const bool a_is_point = same_point(a0, a1), b_is_point = same_point(b0, b1);
  if (a_is_point && b_is_point) return overlapping;
  return same_point(a1, b0) || same_point(b1, a0) ? touching : overlapping;
}

// Does the line through an edge of a (shadows along `dropped`) separate a from b? `disjoint`: b has no point on
// it; `touching`: b has, but the insides are apart; `overlapping`: it does not separate.
TriangleMeeting separated_by_edges(const TriangleCorners& a, const TriangleCorners& b, int dropped) {
  TriangleMeeting result = overlapping;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &p = a[i], &q = a[(i + 1) % 3];
    if (same_point(p, q)) continue;
    const int own = orientation_in_plane(p, q, a[(i + 2) % 3], dropped);
    Signs other;
    for (int k = 0; k < 3; ++k) other[k] = orientation_in_plane(p, q, b[k], dropped);
    const auto [low, high] = std::minmax_element(other.begin(), other.end());
    if ((own <= 0 && *low > 0) || (own >= 0 && *high < 0)) return disjoint;
    const bool everything_on_it = own == 0 && *low == 0 && *high == 0;
    if (((own <= 0 && *low >= 0) || (own >= 0 && *high <= 0)) && !everything_on_it) result = touching;
  }
  return result;
}

// All six points lie in one plane. Two convex figures of a plane are apart exactly if the line through one of their
// edges separates them. Shadows along an axis do, where the plane does not contain that axis.
TriangleMeeting meet_in_plane(const TriangleCorners& a, const TriangleCorners& b) {
  const std::array<const Vec3*, 6> all{&a[0], &a[1], &a[2], &b[0], &b[1], &b[2]};
  const auto plane_is_seen_along = [&all](int dropped) {
    for (int i = 0; i < 6; ++i) {
      for (int j = i + 1; j < 6; ++j) {
        for (int k = j + 1; k < 6; ++k) {
          if (orientation_in_plane(*all[i], *all[j], *all[k], dropped) != 0) return true;
        }
      }
    }
    return false;
  };
  for (int dropped = 0; dropped < 3; ++dropped) {
    if (plane_is_seen_along(dropped)) {
      const TriangleMeeting by_a = separated_by_edges(a, b, dropped);
      if (by_a == disjoint) return disjoint;
      return std::min(by_a, separated_by_edges(b, a, dropped));
    }
  }
  return meet_on_line(a, b);
}

// A segment (the triangle without area `a`) and a triangle with area that do not lie in one plane.
TriangleMeeting meet_segment(const TriangleCorners& a, const TriangleCorners& b) {
  const auto [p, q] = ends(a);
  const int side_p = orientation(b[0], b[1], b[2], p), side_q = orientation(b[0], b[1], b[2], q);
  if (side_p * side_q > 0) return disjoint;
  if (side_p == 0 || side_q == 0) {
    const Vec3& end = side_p == 0 ? p : q;
    return meet_in_plane({end, end, end}, b) == disjoint ? disjoint : touching;
  }
  Signs around;
  for (int i = 0; i < 3; ++i) around[i] = orientation(p, q, b[i], b[(i + 1) % 3]);
  if (straddles(around)) return disjoint;
  return strictly_one_side(around) ? crossing : touching;
}

// Turns the triangle so that its first corner is the one alone on its side of the other's plane.
void put_lone_corner_first(TriangleCorners& t, Signs& side) {
  int lone = 0;
  while (!(side[lone] != 0 && side[(lone + 1) % 3] != side[lone] && side[(lone + 2) % 3] != side[lone])) ++lone;
  std::rotate(t.begin(), t.begin() + lone, t.end());
  std::rotate(side.begin(), side.begin() + lone, side.end());
}

// Each has corners on both sides of the other's plane: both cut the line that the planes share in an interval. The
// order of the intervals' ends is the sign of two determinants (Guigue & Devillers 2003).
TriangleMeeting meet_straddling(TriangleCorners a, Signs side_a, TriangleCorners b, Signs side_b) {
  put_lone_corner_first(a, side_a);
  put_lone_corner_first(b, side_b);
  if (side_a[0] < 0) std::swap(b[1], b[2]);
  if (side_b[0] < 0) std::swap(a[1], a[2]);
  const int first = orientation(a[0], a[1], b[0], b[1]);
  const int second = orientation(a[0], a[2], b[2], b[0]);
  if (first > 0 || second > 0) return disjoint;
  return first < 0 && second < 0 ? crossing : touching;
}

// The corners of t where side is 0, as the hull they span; there is at least one, and not all three.
TriangleCorners corners_on_plane(const TriangleCorners& t, const Signs& side) {
  TriangleCorners result;
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (side[i] == 0) result[count++] = t[i];
  }
  for (; count < 3; ++count) result[count] = result[count - 1];
  return result;
}

TriangleMeeting meet_full(const TriangleCorners& a, const TriangleCorners& b) {
  const Signs side_a = sides(b, a);
  if (strictly_one_side(side_a)) return disjoint;
  if (all_equal(side_a, 0)) return meet_in_plane(a, b);
  const Signs side_b = sides(a, b);
  if (strictly_one_side(side_b)) return disjoint;
  if (!straddles(side_a)) return meet_in_plane(corners_on_plane(a, side_a), b) == disjoint ? disjoint : touching;
  if (!straddles(side_b)) return meet_in_plane(a, corners_on_plane(b, side_b)) == disjoint ? disjoint : touching;
  return meet_straddling(a, side_a, b, side_b);
}

bool meet(const TriangleCorners& a, const TriangleCorners& b) {
  return meet_anywhere(a, b) != disjoint;
}
TriangleCorners segment(const Vec3& p, const Vec3& q) {
  return {p, q, q};
}

// Both are segments or points that hold v: do they leave v in the same direction?
bool share_a_ray(const Vec3& v, const TriangleCorners& a, const TriangleCorners& b) {
  for (const Vec3& p : a) {
    for (const Vec3& q : b) {
      if (((before(v, p) && before(v, q)) || (before(p, v) && before(q, v))) && collinear(v, p, q)) return true;
    }
  }
  return false;
}

// The segments from v to the corners of a (which has no area) against b (which has): is there more than v?
bool ray_enters(const TriangleCorners& a, const TriangleCorners& b) {
  for (int i = 1; i < 3; ++i) {
    if (same_point(a[0], a[i])) continue;
    if (meet(segment(a[i], a[i]), b) || meet(segment(a[0], a[i]), segment(b[1], b[2]))) return true;
  }
  return false;
}

// a[0] and b[0] are one corner.
TriangleMeeting meet_beyond_corner(const TriangleCorners& a, const TriangleCorners& b) {
  const bool a_flat = is_flat(a), b_flat = is_flat(b);
  bool beyond = false;
  if (a_flat && b_flat) {
    beyond = share_a_ray(a[0], a, b);
  } else if (a_flat) {
    beyond = ray_enters(a, b);
  } else if (b_flat) {
    beyond = ray_enters(b, a);
  } else {
    const Signs side_a = sides(b, a);  // side_a[0] is 0
    if (side_a[1] * side_a[2] > 0) return disjoint;
    // From a common point beyond the corner, the ray that leaves the corner ends on an opposite edge of one of them.
    beyond = meet(segment(a[1], a[2]), b) || meet(segment(b[1], b[2]), a);
  }
  return beyond ? meet_anywhere(a, b) : disjoint;
}

// a[0], a[1] and b[0], b[1] are one edge.
TriangleMeeting meet_beyond_edge(const TriangleCorners& a, const TriangleCorners& b) {
  if (same_point(a[0], a[1])) return meet_beyond_corner(a, b);
  if (orientation(a[0], a[1], a[2], b[2]) != 0) return disjoint;
  const bool a_flat = is_flat(a), b_flat = is_flat(b);
  if (a_flat != b_flat) return disjoint;
  if (!a_flat) return meet_anywhere(a, b) == overlapping ? overlapping : disjoint;
  const auto [low, high] = std::minmax(a[0], a[1], before);
  const bool past_low = before(a[2], low) && before(b[2], low);
  const bool past_high = before(high, a[2]) && before(high, b[2]);
  return past_low || past_high ? overlapping : disjoint;
}

TriangleMeeting meet_anywhere(const TriangleCorners& a, const TriangleCorners& b) {
  const bool a_flat = is_flat(a), b_flat = is_flat(b);
  if (!a_flat && !b_flat) return meet_full(a, b);
  if (a_flat && b_flat) {
    const auto [a0, a1] = ends(a);
    const auto [b0, b1] = ends(b);
    return orientation(a0, a1, b0, b1) != 0 ? disjoint : meet_in_plane(a, b);
  }
  const TriangleCorners &flat = a_flat ? a : b, &full = a_flat ? b : a;
  return all_equal(sides(full, flat), 0) ? meet_in_plane(flat, full) : meet_segment(flat, full);
}

// Orders along a line must see the points that the predicates see.
TriangleCorners without_dust(const TriangleCorners& t) {
  return {sim::without_dust(t[0]), sim::without_dust(t[1]), sim::without_dust(t[2])};
}

}  // namespace

TriangleMeeting triangles_intersect(const TriangleCorners& a, const TriangleCorners& b) {
  return meet_anywhere(without_dust(a), without_dust(b));
}

TriangleMeeting triangles_intersect(const TriangleCorners& a, const std::array<Index, 3>& a_index,
                                    const TriangleCorners& b, const std::array<Index, 3>& b_index) {
  // Shared corners to the front of both, in the same order.
  TriangleCorners p = without_dust(a), q = without_dust(b);
  std::array<Index, 3> i = a_index, j = b_index;
  int shared = 0;
  for (int k = 0; k < 3; ++k) {
    for (int m = shared; m < 3; ++m) {
      if (i[k] != j[m]) continue;
      std::swap(p[k], p[shared]);
      std::swap(i[k], i[shared]);
      std::swap(q[m], q[shared]);
      std::swap(j[m], j[shared]);
      ++shared;
      break;
    }
  }
  switch (shared) {
    case 0:
      return meet_anywhere(p, q);
    case 1:
      return meet_beyond_corner(p, q);
    case 2:
      return meet_beyond_edge(p, q);
    default:
      return overlapping;
  }
}

}  // namespace sim
