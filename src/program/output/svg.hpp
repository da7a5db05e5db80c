/// The call graph as a picture in SVG, laid out by Graphviz: the program `dot`, which is started and not
/// linked.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "exporters/dot.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

struct SvgOptions {
    engine::DotOptions dot{};
    std::string program = "dot";         ///< looked up on PATH if it has no slash; called with `-Tsvg`
    std::chrono::seconds patience{300};  ///< timeout of the whole run
    std::size_t max_bytes = std::size_t{256} << 20U;  ///< of the DOT text, and of the SVG
};

/// Writes nothing before the picture is complete. Errors: cannot_open if the program cannot be started, with
/// `detail` "dot: " and the system's reason ("No such file or directory": Graphviz is not installed);
/// read_failed if it fails, takes too long or says nothing, with what it said on its standard error (at most
/// 2 kB, any bytes); too_large; what the sink says.
[[nodiscard]] Result<void> write_svg(const CallGraph& graph, const SvgOptions& options, const Sink& sink);

}  // namespace callcost::program
