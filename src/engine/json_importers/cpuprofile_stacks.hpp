/// V8's samples as stacks: of a .cpuprofile, or of a profile in a trace.
#pragma once

#include <cstdint>

#include "encodings/import_notes.hpp"
#include "import_model/imported_stacks.hpp"
#include "json_importers/v8_json.hpp"

namespace callcost::engine {

/// Rows of StackProfile; `time`, in microseconds, is used only if the profile has times.
struct CpuProfileEvents {
    std::uint32_t time = no_row, hits = no_row;
};

/// Adds what was sampled to the thread at hand.
void add_cpuprofile(const V8Json& json, CpuProfileEvents events, StackProfile& profile, ImportNotes& notes);

}  // namespace callcost::engine
