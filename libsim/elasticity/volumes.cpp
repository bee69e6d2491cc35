#include "elasticity/volumes.hpp"

#include <Eigen/Geometry>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index tets_a_chunk = 1024;

// One result a chunk, in the order of the chunks.
template <class Result, class Body>
std::vector<Result> by_chunks(Index count, const Body& body) {
  std::vector<Result> results(static_cast<std::size_t>((count + tets_a_chunk - 1) / tets_a_chunk));
  parallel_for(count, tets_a_chunk, [&](Index begin, Index end) { body(begin, end, results[begin / tets_a_chunk]); });
  return results;
}

void take(const SmallestVolume& candidate, SmallestVolume& smallest) {
  if (candidate.tet >= 0 && (smallest.tet < 0 || candidate.ratio < smallest.ratio)) smallest = candidate;
}

}  // namespace

double volume_ratio(const ElasticBodies& bodies, const VecX& x, Index tet) {
  const auto [a, b, c, d] = bodies.tets[tet];
  const Vec3 x0 = block(x, a);
  const double ratio =
      (block(x, b) - x0).cross(block(x, c) - x0).dot(block(x, d) - x0) / (6 * bodies.rest_volume[tet]);
  return bodies.filled.empty() ? ratio : ratio * bodies.filled[tet];
}

VolumeSummary summarise_volumes(const ElasticBodies& bodies, const VecX& x) {
  const auto parts = by_chunks<VolumeSummary>(static_cast<Index>(bodies.tets.size()),
                                              [&](Index begin, Index end, VolumeSummary& part) {
                                                for (Index tet = begin; tet < end; ++tet) {
                                                  const double J = volume_ratio(bodies, x, tet);
                                                  take({J, tet}, part.of_all);
                                                  part.inverted += J > 0 ? 0 : 1;
                                                  if (J >= bodies.laws[bodies.material[tet]].continued_below)
                                                    continue;
                                                  ++part.continued;
                                                  take({J, tet}, part.of_continued);
                                                }
                                              });
  VolumeSummary all;
  for (const VolumeSummary& part : parts) {
    all.inverted += part.inverted;
    all.continued += part.continued;
    take(part.of_all, all.of_all);
    take(part.of_continued, all.of_continued);
  }
  return all;
}

std::vector<Index> turned_inside_out(const ElasticBodies& bodies, const VecX& x0, const VecX& x1) {
  const auto parts = by_chunks<std::vector<Index>>(
      static_cast<Index>(bodies.tets.size()), [&](Index begin, Index end, std::vector<Index>& part) {
        for (Index tet = begin; tet < end; ++tet) {
          if (volume_ratio(bodies, x1, tet) > 0 || bodies.laws[bodies.material[tet]].as_published) continue;
          if (volume_ratio(bodies, x0, tet) > 0) part.push_back(tet);
        }
      });
  std::vector<Index> all;
  for (const std::vector<Index>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace sim
