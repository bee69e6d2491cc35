#include <cmath>

#include "job.hpp"
#include "math/format.hpp"

namespace simsolve {

namespace {

using sim::format;

std::string residual_text(const sim::ContactResidual& r) {
  return format("momentum %.3g kg m/s, normal %.3g m, tangential %.3g m", r.momentum, r.normal, r.tangential);
}

std::string reference_text(const Reference& reference) {
  const std::string difference =
      std::isnan(reference.difference) ? "the file's is 0, ours is not" : format("%.3g", reference.difference);
  return "reference    relative difference in v " + difference +
         "; its own residual: " + residual_text(reference.residual) + "\n";
}

}  // namespace

std::string table_text(const CommandLine& line, const Finding& finding) {
  const sim::SolveReport& report = finding.report;
  const sim::ContactTolerance& tolerance = line.options.tolerance;
  std::string text = line.problem + "\n";
  text += format("problem      %d contacts, %d unknowns\n", finding.file.problem.contacts(),
                 3 * finding.file.problem.A.rows());
  text += "solver       " + line.solver + (line.as_published ? ", as published" : "") +
          (line.guess.empty() ? "" : ", from " + line.guess) +
          format(", tolerances %.3g kg m/s and %.3g m\n", tolerance.momentum, tolerance.constraint);
  text += "status       " + std::string(to_string(report.status)) +
          (report.reason.empty() ? "" : ": " + report.reason) + "\n";
  text +=
      format("iterations   %d, %d resets, %d evaluations\n", report.iterations, report.resets, report.evaluations);
  text += format("work         %d products with A, %d passes over the contacts, %d factorisations\n", report.products,
                 report.passes, report.factorisations);
  if (report.rounds > 0)
    text += format("rounds       %d, the last ones changed friction %.3g times as much as the one before\n",
                   report.rounds, report.contraction);
  text += format("time         %.3g s", finding.seconds) +
          (line.repeat > 1 ? format(", the shortest of %d", line.repeat) : "") + "\n";
  if (report.construction_seconds > 0)
    text +=
        format("built in     %.3g s before the first iteration, of the last solve\n", report.construction_seconds);
  text += format("contacts     %d open, %d sticking, %d sliding\n", finding.states.open, finding.states.sticking,
                 finding.states.sliding);
  text += "residual     " + residual_text(report.residual) + "\n";
  text += format("at worst     %.3g m too deep, %.3g N of pull, %.3g N outside the cone\n",
                 report.residual.penetration, report.residual.pull, report.residual.cone);
  const sim::ContactResidual& cone = report.cone_residual;
  if (cone.tangential != report.residual.tangential) {
    const bool frictionless = line.solver == "qp-active-set";
    text += format("with cone    tangential %.3g m, %.3g N outside: the method ", cone.tangential, cone.cone) +
            (frictionless ? "knows no friction\n" : "has a pyramid of friction\n");
  }
  if (finding.reference) text += reference_text(*finding.reference);
  for (const std::string& note : finding.file.notes) text += "note         " + note + "\n";
  return text;
}

}  // namespace simsolve
