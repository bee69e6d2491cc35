#include "step/curved_ways.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "step/part.hpp"

namespace sim {

namespace {

constexpr double golden = 0.382;  // of a part: at half of it whole turns are where they were
constexpr int most_legs = 64;
constexpr double same_way = 0.5;  // cosine: less than 60 degrees apart

class Ways {
 public:
  explicit Ways(Part& of) : part(of), s(of.s), ways(of.s.curves) {}

  void find_met() {
    ways.met.clear();
    const double bow = find_curved();
    if (!(bow > 0)) return;
    const int legs =
        static_cast<int>(std::clamp(std::ceil(std::sqrt(bow / farthest())), 2.0, static_cast<double>(most_legs)));
    find_candidates_of(legs);
    if (ways.candidates.size() == 0) return;
    list_pushing();
    ways.from = part.state.x;
    for (int i = 1; i <= legs; ++i) {
      place_at(static_cast<double>(i) / legs, ways.to);
      check_candidates(part.model.surface, ways.candidates, ways.from, ways.to, part.options.detection, ways.check,
                       ways.hits);
      std::erase_if(ways.hits, [&](const Hit& hit) { return is_held(hit); });
      ways.met.insert(ways.met.end(), ways.hits.begin(), ways.hits.end());
      ways.from.swap(ways.to);
    }
  }

 private:
  Part& part;
  Scratch& s;
  CurvedWays& ways;

  double farthest() const {
    const CollisionSurface& surface = part.model.surface;
    double finest = published_gap;
    if (!surface.object_gap.empty()) finest = *std::min_element(surface.object_gap.begin(), surface.object_gap.end());
    return part.options.contact.tracking.farthest * finest;
  }

  // Of rigid bodies and of obstacles: take(vertex, place) at a part f of the way. What is free goes no way of its own
  // in a quasi-static increment.
  template <class Take>
  void visit(double f, const Take& take) {
    for (std::size_t i = 0; i < s.rigid.size(); ++i) {
      const RigidBody& body = part.model.rigid[i];
      if (s.inertia.is_static() || !is_solved(part, body) || s.rigid[i].turn.isZero()) continue;
      const RigidState& start = part.state.rigid[i];
      const Mat3 turn = (exponential(f * s.rigid[i].turn) * start.turn).toRotationMatrix();
      const Vec3 center = start.center + f * (s.rigid[i].end.center - start.center);
      for (Index v = body.vertices.begin; v < body.vertices.end; ++v)
        take(v, Vec3(center + turn * (part.model.mesh.vertices[v] - body.center)));
    }
    for (const PrescribedVertices& some : part.model.prescribed) {
      if (!holds(some, part.state.time) || some.motion.stands_still()) continue;
      const Pose pose = some.motion.pose(part.state.time + f * part.dt);
      for (const Index v : some.vertices) {
        if (s.division.moves[part.model.surface.vertex_object[v]] == 0)
          take(v, pose.apply(part.model.mesh.vertices[v]));
      }
    }
  }

  Vec3 straight(double f, Index v) const {
    return block(part.state.x, v) + f * (block(s.x1, v) - block(part.state.x, v));
  }

  // Of a half-space, whose triangle is as large as the scene ten thousand times, along its normal; half way chords
  // have that, too.
  double off_chord(double f, Index v, const Vec3& place) const {
    const Vec3 off = place - straight(f, v);
    const Index object = part.model.surface.vertex_object[v];
    if (!part.model.surface.is_half_space(object)) return off.norm();
    if (f != 0.5) return 0;
    const Index first = part.model.objects[object].vertices.begin;
    const Vec3 a = straight(f, first), b = straight(f, first + 1), c = straight(f, first + 2);
    return std::abs(off.dot((b - a).cross(c - a).normalized()));
  }

  // The largest bow, m; 0: none is too far from its chord.
  double find_curved() {
    const double enough = farthest();
    double bow = 0;
    ways.curved.assign(part.model.objects.size(), 0);
    for (const double f : {golden, 0.5}) {
      visit(f, [&](Index v, const Vec3& place) {
        const double off = off_chord(f, v, place);
        if (!(off > enough)) return;
        ways.curved[part.model.surface.vertex_object[v]] = 1;
        bow = std::max(bow, off);
      });
    }
    return bow;
  }

  void place_at(double f, VecX& x) {
    x = part.state.x + f * (s.x1 - part.state.x);
    visit(f, [&](Index v, const Vec3& place) {
      if (ways.curved[part.model.surface.vertex_object[v]] != 0) block(x, v) = place;
    });
  }

  Pushing pushing(const Contact& contact) const {
    const auto object = [&](std::size_t k) { return part.model.surface.vertex_object[contact.vertices[k]]; };
    return {objects_of(part.model.surface, contact.vertices), object(0) <= object(3) ? contact.n : Vec3(-contact.n)};
  }

  void list_pushing() {
    ways.pushing.clear();
    for (const Contact& contact : part.state.contacts.contacts)
      if (contact.lambda > 0) ways.pushing.push_back(pushing(contact));
    std::ranges::stable_sort(ways.pushing, {}, &Pushing::objects);
  }

  // By a contact of the same two objects that pushes along much the same direction.
  bool is_held(const Hit& hit) const {
    const Pushing met = pushing(make_contact(part.model.surface, hit, ways.from, ways.to));
    return std::ranges::any_of(std::ranges::equal_range(ways.pushing, met.objects, {}, &Pushing::objects),
                               [&](const Pushing& one) { return one.direction.dot(met.direction) > same_way; });
  }

  void find_candidates_of(int legs) {
    const CollisionSurface& surface = part.model.surface;
    const DetectionOptions& options = part.options.detection;
    const auto box = [&](const VecX& x, Index v) {
      const double wider = options.margin + surface.radius_of(v);
      const Eigen::Array4d p(x[3 * v], x[3 * v + 1], x[3 * v + 2], 0.0), margin(wider, wider, wider, 0.0);
      return Box{p - margin, p + margin};
    };
    ways.boxes.resize(surface.vertex_object.size());
    for (int i = 0; i <= legs; ++i) {
      place_at(static_cast<double>(i) / legs, ways.to);
      for (const Index v : surface.vertices)
        ways.boxes[v] = i == 0 ? box(ways.to, v) : hull(ways.boxes[v], box(ways.to, v));
    }
    find_candidates(surface, ways.boxes, {part.state.x, s.motion, part.dt}, options, ways.detection, ways.candidates);
    const auto drop = [&](ContactKind kind, std::vector<Pair>& pairs) {
      std::erase_if(pairs, [&](Pair pair) {
        const std::array<Index, 4> vertices = stencil(surface, kind, pair);
        const std::array<Index, 2> objects = objects_of(surface, vertices);
        return (ways.curved[objects[0]] == 0 && ways.curved[objects[1]] == 0) || objects[0] == objects[1] ||
               has(s.division, surface, vertices, Share::divided) ||
               !has(s.division, surface, vertices, Share::solved);
      });
    };
    drop(ContactKind::vertex_face, ways.candidates.vertex_face);
    drop(ContactKind::edge_edge, ways.candidates.edge_edge);
  }
};

}  // namespace

std::span<const Hit> find_met_on_curves(Part& part) {
  Ways(part).find_met();
  return part.s.curves.met;
}

}  // namespace sim
