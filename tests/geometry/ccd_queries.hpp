// Sample queries of continuous collision detection with exact answers, in the format of
// https://github.com/Continuous-Collision-Detection/Sample-Queries (Wang et al. 2021).
#pragma once

#include <string>
#include <vector>

#include "geometry/continuous.hpp"

namespace sim::reference {

struct CcdQuery {
  MovingPoints points;
  bool hit = false;
  bool exact = true;  // the rational coordinates of the file are doubles
};

struct CcdQuerySet {
  std::string name;
  std::vector<CcdQuery> vertex_face, edge_edge;
};

// The folder from the environment variable CCD_QUERIES_DIR, for the full set, or that of the extract in tests/data.
std::string ccd_queries_folder();
std::vector<CcdQuerySet> read_ccd_queries(const std::string& folder);

}  // namespace sim::reference
