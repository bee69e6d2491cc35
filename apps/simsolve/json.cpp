#include <nlohmann/json.hpp>

#include "job.hpp"
#include "math/parallel.hpp"
#include "output/version.hpp"

namespace simsolve {

namespace {

using Json = nlohmann::ordered_json;  // writes numbers that are not finite as null

Json json_of(const sim::ContactResidual& r) {
  return {{"momentum", r.momentum},       {"normal", r.normal}, {"tangential", r.tangential},
          {"penetration", r.penetration}, {"pull", r.pull},     {"cone", r.cone}};
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

}  // namespace

std::string json_text(const CommandLine& line, const Finding& finding) {
  const sim::SolveReport& report = finding.report;
  Json json;
  json["program"] = std::string("simsolve ") + sim::program_version();
  json["file"] = line.problem;
  json["contacts"] = finding.file.problem.contacts();
  json["unknowns"] = 3 * finding.file.problem.A.rows();
  json["solver"] = line.solver;
  json["as_published"] = line.as_published;
  json["tolerance"] = {{"momentum", line.options.tolerance.momentum},
                       {"constraint", line.options.tolerance.constraint}};
  json["max_iterations"] = line.options.max_iterations;
  json["guess"] = text_or_null(line.guess);
  json["threads"] = sim::thread_count();
  json["status"] = to_string(report.status);
  json["reason"] = report.reason;
  json["exit_status"] = exit_status(finding);
  json["iterations"] = report.iterations;
  json["resets"] = report.resets;
  json["evaluations"] = report.evaluations;
  json["products"] = report.products;
  json["passes"] = report.passes;
  json["factorisations"] = report.factorisations;
  json["rounds"] = report.rounds;
  json["contraction"] = report.contraction;
  json["seconds"] = finding.seconds;
  json["construction_seconds"] = report.construction_seconds;
  json["repeat"] = line.repeat;
  json["states"] = {
      {"open", finding.states.open}, {"sticking", finding.states.sticking}, {"sliding", finding.states.sliding}};
  json["residual"] = json_of(report.residual);
  json["cone_residual"] = json_of(report.cone_residual);
  json["reference"] = nullptr;
  if (finding.reference) {
    json["reference"] = {{"relative_difference", finding.reference->difference},
                         {"residual", json_of(finding.reference->residual)}};
  }
  json["output"] = text_or_null(line.output);
  json["notes"] = finding.file.notes;
  // Names of files may hold anything: what is not UTF-8 in them is replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace simsolve
