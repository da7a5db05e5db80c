/// One source file with the cost, the calls and the jumps of its lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "reports/cost_cells.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// The text of a source file, from any origin.
struct SourceView {
    std::string_view path;
    std::string url{};      ///< of the file; empty: none
    bool is_guess = false;  ///< the path matches the recorded name by suffix only
    bool is_newer = false;  ///< than the profile
    std::uint64_t line_count = 0;
    std::function<std::string_view(std::uint64_t)> line;  ///< counted from 1
};

/// Which lines of a file are shown.
struct ShownLines {
    std::size_t context = 0;  ///< lines around those with cost, calls or jumps
    std::uint64_t least = 0;  ///< absolute cost that a line or a call on it must have, by the first measure
};

/// The file's lines around those with cost, calls or jumps. Costs on no line and past the end of the file
/// have rows, too: all rows, and the marks of lines left out, add up to the file. What is left out of its
/// text.
Cost write_annotated_source(std::string& out, const CallGraph& graph, const LineMeasures& measures,
                            const FileLines& file, const SourceView& source, const ShownLines& shown,
                            const engine::Style& style);

/// The lines with cost, calls or jumps as an object.
void write_annotated_source(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                            const LineMeasures& measures, const FileLines& file, const SourceView& source);

}  // namespace callcost::program
