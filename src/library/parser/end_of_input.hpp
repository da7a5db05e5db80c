/// What is done when a source has no more chunks, by whoever consumes the scanner's result.
#pragma once

#include "parser/scanner.hpp"
#include "parser/text_chunks.hpp"

namespace callcost {

/// Closes what is open. `last` is the last line, numbered as in the last chunk; `cut` tells that it had no
/// line end.
template <class Sink>
void end_of_input(Scanner<Sink>& scanner, const TextChunks& chunks, bool cut, const LineView& last,
                  DiagnosticLog& log) {
    if (cut) log.add(DiagnosticId::no_final_newline, last);
    scanner.finish(cut, last);
    if (const auto& error = chunks.error()) {
        const bool compressed = error->code == ErrorCode::truncated_compression;
        log.add(compressed ? DiagnosticId::truncated_compression : DiagnosticId::read_failed, last);
    }
}

}  // namespace callcost
