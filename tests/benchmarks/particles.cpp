// particles RESTITUTION [FRICTION]: points in a plane under nested layers with regular clocks (Harmon et al. 2009,
// sections 6.2, 6.3), written without the code that it is compared with. Without a friction 900 of them fly in a box:
// their energy by time, and how far the nearest is at the end. With one 400 of them come to rest in a box, whose
// right wall then makes way for a slope: what is past its edge 2.5 s later. docs/papers/harmon-2009.md has what came
// out.
//
// All layers to the deepest that can be met are watched at each of the finest ticks: nothing to foresee, nothing to
// miss.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <unordered_map>
#include <vector>

namespace {

constexpr int layers = 64;
constexpr double thickness = 0.1, mass = 0.04;  // m, kg
constexpr double fraction = 0.1;

struct Vec {
  double x = 0, y = 0;
};
Vec operator+(Vec a, Vec b) {
  return {a.x + b.x, a.y + b.y};
}
Vec operator-(Vec a, Vec b) {
  return {a.x - b.x, a.y - b.y};
}
Vec operator*(double s, Vec a) {
  return {s * a.x, s * a.y};
}
double dot(Vec a, Vec b) {
  return a.x * b.x + a.y * b.y;
}
double norm(Vec a) {
  return std::sqrt(dot(a, a));
}

struct Wall {
  Vec begin, end;
};

struct Layer {
  double thickness = 0, stiffness = 0;
  std::int64_t period = 1;  // finest ticks
};

struct Memory {  // of a layer that pushed at its last tick
  bool known = false;
  double distance = 0;
  Vec first, second;  // the material points that were nearest
};

// Two points, or a point and a wall (`second` is then its number).
struct Pair {
  int first = 0, second = 0;
  bool of_wall = false;
  int remembered = 0;  // layers that may remember something
  std::array<Memory, layers> memory;
};

class Particles {
 public:
  double restitution = 1, friction = 0, gravity = 0;
  std::vector<Vec> x, v;
  std::vector<Wall> walls;

  explicit Particles(double stiffness) {
    const double longest = 2 * fraction / std::sqrt(stiffness * 2 / mass);
    finest_ = longest * std::pow(layers, -1.5);
    for (int l = 1; l <= layers; ++l) {
      std::int64_t period = 1;
      while (static_cast<double>(2 * period) * finest_ <= longest * std::pow(l, -1.5)) period *= 2;
      layers_[l - 1] = {thickness * std::pow(l, -0.25), stiffness * std::pow(l, 3.0), period};
    }
  }

  // False where a pair is nearer than the deepest layer.
  bool advance(double seconds) {
    const auto ticks = static_cast<std::int64_t>(std::llround(seconds / finest_));
    for (std::int64_t n = 0; n < ticks; ++n, ++now_) {
      if (!tick()) return false;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + finest_ * v[i];
    }
    return true;
  }
  void forget() { pairs_.clear(), places_.clear(); }  // when walls change

  double kinetic() const {
    double sum = 0;
    for (const Vec& u : v) sum += 0.5 * mass * dot(u, u);
    return sum;
  }
  double of_layers() {  // J, what they give back
    look_again();
    double sum = 0;
    for (const Pair& pair : pairs_) {
      const double d = nearest(pair).distance;
      for (const Layer& layer : layers_)
        if (d < layer.thickness) sum += 0.5 * layer.stiffness * (layer.thickness - d) * (layer.thickness - d);
    }
    return restitution * sum;
  }

 private:
  static constexpr double skin = 0.05;
  std::array<Layer, layers> layers_;
  double finest_ = 0;
  std::int64_t now_ = 0;
  std::vector<Pair> pairs_;
  std::vector<Vec> places_;  // when pairs were looked for

  struct Nearest {
    double distance = 0;
    Vec n, on_second;
  };
  Nearest nearest(const Pair& pair) const {
    const Vec p = x[pair.first];
    Vec q;
    if (pair.of_wall) {
      const auto& [a, b] = walls[pair.second];
      const Vec along = b - a;
      q = a + std::clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0) * along;
    } else {
      q = x[pair.second];
    }
    const double d = norm(p - q);
    return {d, 1 / d * (p - q), q};
  }

  void look_again() {
    bool may_meet = places_.size() != x.size();
    for (std::size_t i = 0; i < x.size() && !may_meet; ++i) may_meet = norm(x[i] - places_[i]) > skin / 2;
    if (!may_meet) return;
    places_ = x;
    const double reach = thickness + skin;
    const auto cell = [&](double s) { return static_cast<std::int64_t>(std::floor(s / reach)); };
    const auto key = [](std::int64_t i, std::int64_t j) { return i * 1000003 + j; };
    std::unordered_map<std::int64_t, std::vector<int>> cells;
    for (int i = 0; i < static_cast<int>(x.size()); ++i) cells[key(cell(x[i].x), cell(x[i].y))].push_back(i);
    std::vector<Pair> found;
    for (int i = 0; i < static_cast<int>(x.size()); ++i) {
      for (std::int64_t a = cell(x[i].x) - 1; a <= cell(x[i].x) + 1; ++a) {
        for (std::int64_t b = cell(x[i].y) - 1; b <= cell(x[i].y) + 1; ++b) {
          const auto there = cells.find(key(a, b));
          if (there == cells.end()) continue;
          for (const int j : there->second)
            if (j > i && norm(x[i] - x[j]) < reach) found.push_back({i, j, false, 0, {}});
        }
      }
      for (int w = 0; w < static_cast<int>(walls.size()); ++w) {
        const Pair pair{i, w, true, 0, {}};
        if (nearest(pair).distance < reach) found.push_back(pair);
      }
    }
    const auto same = [](const Pair& a) {
      return (std::int64_t{a.first} * 1000003 + a.second) * 2 + (a.of_wall ? 1 : 0);
    };
    std::sort(found.begin(), found.end(), [&](const Pair& a, const Pair& b) { return same(a) < same(b); });
    auto old = pairs_.begin();
    for (Pair& pair : found) {
      while (old != pairs_.end() && same(*old) < same(pair)) ++old;
      if (old != pairs_.end() && same(*old) == same(pair)) pair = *old;
    }
    pairs_ = std::move(found);
  }

  bool tick() {
    look_again();
    std::vector<Vec> kicks(x.size());
    for (Pair& pair : pairs_) {
      const Nearest near = nearest(pair);
      if (near.distance < layers_.back().thickness) return false;
      for (int l = 0; l < layers; ++l) {
        const Layer& layer = layers_[l];
        Memory& memory = pair.memory[l];
        if (near.distance >= layer.thickness && l >= pair.remembered) break;
        if (now_ % layer.period != 0) continue;
        if (near.distance >= layer.thickness) {
          memory.known = false;
          continue;
        }
        const bool separates = memory.known && near.distance > memory.distance;
        const double J = static_cast<double>(layer.period) * finest_ * (separates ? restitution : 1) *
                         layer.stiffness * (layer.thickness - near.distance);
        Vec impulse = J * near.n;
        if (memory.known && friction > 0) {
          const Vec moved = (x[pair.first] - memory.first) - (pair.of_wall ? Vec{} : x[pair.second] - memory.second);
          const Vec across = moved - dot(moved, near.n) * near.n;
          if (norm(across) > 0) impulse = impulse - friction * J / norm(across) * across;
        }
        kicks[pair.first] = kicks[pair.first] + impulse;
        if (!pair.of_wall) kicks[pair.second] = kicks[pair.second] - impulse;
        pair.remembered = std::max(pair.remembered, l + 1);
        memory = {true, near.distance, x[pair.first], pair.of_wall ? near.on_second : x[pair.second]};
      }
    }
    if (now_ % layers_[7].period == 0)  // gravity: as often as what rests in layer 8 may ask for
      for (Vec& kick : kicks) kick.y -= static_cast<double>(layers_[7].period) * finest_ * mass * gravity;
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = v[i] + 1 / mass * kicks[i];
    return true;
  }
};

int too_deep() {
  std::fprintf(stderr, "a pair is nearer than layer %d\n", layers);
  return 2;
}

int fly_in_a_box(double restitution) {
  Particles all(1000);
  all.restitution = restitution;
  const double half = 3.85;
  all.walls = {{{-half, -half}, {half, -half}},
               {{half, -half}, {half, half}},
               {{half, half}, {-half, half}},
               {{-half, half}, {-half, -half}}};
  std::mt19937 random(1);
  const auto uniform = [&] { return 2.0 * random() / 4294967296.0 - 1; };
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 30; ++j) {
      all.x.push_back({0.245 * (i - 14.5) + 0.05 * uniform(), 0.245 * (j - 14.5) + 0.05 * uniform()});
      all.v.push_back({1.75 * uniform(), 1.75 * uniform()});
    }
  }
  const double start = all.kinetic();
  double lowest = start, rise = 0;
  std::printf("s, J: 0 %.4g", start);
  for (int n = 1; n <= 60; ++n) {
    if (!all.advance(0.05)) return too_deep();
    const double energy = all.kinetic() + all.of_layers();
    rise = std::max(rise, energy - lowest);
    lowest = std::min(lowest, energy);
    if (n % 10 == 0) std::printf("; %g %.4g", 0.05 * n, energy);
  }
  std::vector<double> apart;
  for (std::size_t i = 0; i < all.x.size(); ++i) {
    double least = 1e9;
    for (std::size_t j = 0; j < all.x.size(); ++j)
      if (j != i) least = std::min(least, norm(all.x[i] - all.x[j]));
    apart.push_back(least);
  }
  std::sort(apart.begin(), apart.end());
  std::printf("\nlargest rise %.2f %%; the nearest is %.4f m away in the median\n", 100 * rise / start,
              apart[apart.size() / 2]);
  return 0;
}

int flow_down_a_slope(double restitution, double friction) {
  Particles all(100);
  all.restitution = restitution, all.friction = friction, all.gravity = 9.81;
  const double edge = 1.5, slope = 25 * M_PI / 180;
  const Wall floor{{-edge, 0}, {edge, 0}}, left{{-edge, 0}, {-edge, 9}}, gate{{edge, 0}, {edge, 9}},
      down{{edge, 0}, {edge + 60 * std::cos(slope), -60 * std::sin(slope)}};
  all.walls = {floor, left, gate};
  std::mt19937 random(1);
  for (int n = 0; n < 400; ++n) {
    all.x.push_back({-1.33 + 0.14 * (n % 20) + 0.01 * (2.0 * random() / 4294967296.0 - 1), 0.11 + 0.12 * (n / 20)});
    all.v.push_back({});
  }
  if (!all.advance(4)) return too_deep();
  std::printf("at rest: %.3g J of motion\n", all.kinetic());
  all.walls = {floor, left, down};
  all.forget();
  if (!all.advance(2.5)) return too_deep();
  double past = 0, middle = 0;
  for (const Vec& p : all.x) past += p.x > edge ? 1 : 0, middle += p.x;
  std::printf("2.5 s later %.1f %% past the edge, the middle at %.3g m\n", past / 4, middle / 400);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const double restitution = count > 1 ? std::atof(words[1]) : -1, friction = count > 2 ? std::atof(words[2]) : 0;
  if (count < 2 || count > 3 || restitution < 0 || restitution > 1 || friction < 0) {
    std::fprintf(stderr, "usage: particles RESTITUTION [FRICTION]\n");
    return 1;
  }
  return count == 2 ? fly_in_a_box(restitution) : flow_down_a_slope(restitution, friction);
}
