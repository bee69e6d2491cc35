// The words at the beginning and at the end of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collide/surface.hpp"
#include "model/report.hpp"
#include "scene/load.hpp"

namespace simrun {

// What --validate prints: objects, counts, masses, unknowns, the surface (which has been found free of overlaps), and
// the steps that would be taken.
std::string describe_model(const sim::Scene& scene, const sim::Model& model, const sim::Options& options,
                           std::int64_t steps);

std::string counted(std::int64_t count, const char* thing);  // "1 step", "2 steps"

// Figures of a run as they come in; memory does not grow with the number of steps.
class Summary {
 public:
  void add(const sim::StepReport& report);
  std::int64_t steps() const { return steps_; }
  std::int64_t unconverged() const { return unconverged_; }  // accepted all the same
  std::int64_t inverted() const { return inverted_; }        // with tetrahedra turned inside out
  std::string table()
      const;  // mean, median and share of each stage and of the rest, iterations, contacts, what went wrong

 private:
  // Medians from a histogram on a logarithmic scale (2 % wide bins).
  struct Series {
    void add(double value);
    double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
    double median() const;
    double sum = 0, largest = 0;
    std::int64_t count = 0;
    std::vector<std::int64_t> bins;
  };
  void add_volumes(const sim::StepReport& report);
  std::string volumes() const;
  std::string clocks() const;
  std::string troubles() const;

  std::int64_t steps_ = 0, divided_ = 0, unconverged_ = 0, by_rule_ = 0, failed_ = 0, inverted_ = 0,
               extrapolated_ = 0, overlapping_ = 0;
  sim::Index deepest_layer_ = 0, most_too_deep_ = 0;
  double deepest_ = 0;  // m: overlap, where a method allows it
  sim::Index most_parts_ = 1, most_inverted_ = 0, most_extrapolated_ = 0;
  std::optional<double> shortest_step_;    // s, of a clock, where forces have clocks
  std::optional<double> worst_gap_;        // m, of steps with contacts
  std::optional<double> smallest_volume_;  // of a tetrahedron, over its rest volume
  Series integrate_, detect_, solve_, relinearize_, output_, rest_, total_, iterations_, contacts_, relinearizations_,
      kicks_;
};

}  // namespace simrun
