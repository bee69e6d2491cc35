// A judgement in words and as JSON: docs/simcheck.md is the reference of both.
#pragma once

#include <string>

#include "judge.hpp"

namespace simcheck {

std::string table_text(const Subject& subject, const Judgement& judgement);  // table, findings, verdict
std::string json_text(const Subject& subject, const Judgement& judgement);   // one object

int exit_status(const Judgement& judgement);

}  // namespace simcheck
