/// The parts of a profile with their costs and time ranges, for `info --parts`.
#pragma once

#include <cstddef>
#include <string>

#include "loading/preparation.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/style.hpp"

namespace callcost::program {

/// The first `limit` parts, and what the others cost together.
void write_part_list(std::string& out, const PreparedProfile& prepared, std::size_t limit,
                     const engine::Style& style);
/// The members of the schema callcost.parts/1, behind those of write_origin().
void write_part_list(engine::JsonWriter& json, const PreparedProfile& prepared, std::size_t limit);
void write_part_list(engine::CsvWriter& csv, const PreparedProfile& prepared, std::size_t limit);

}  // namespace callcost::program
