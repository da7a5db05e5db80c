// export_profile FORMAT FILE: writes a profile in another format to standard output, for exports.py.
#include <cstdio>
#include <string>
#include <string_view>

#include "convert/dot.hpp"
#include "convert/model_json.hpp"
#include "convert/svg.hpp"
#include "convert/table_text.hpp"
#include "input/open.hpp"
#include <callcost/read.hpp>

namespace callcost {
namespace {

Result<void> write(std::string_view format, const CallGraph& graph, const Sink& sink) {
    using namespace convert;  // NOLINT(google-build-using-namespace)
    if (format == "dot") return write_dot(graph, {}, sink);
    if (format == "svg") return write_svg(graph, {}, sink);
    if (format == "json") return write_model_json(graph, {}, sink);
    ModelJsonOptions strings;
    strings.integers = JsonIntegers::strings;
    if (format == "json-strings") return write_model_json(graph, strings, sink);
    TableOptions table;
    if (format == "functions") return write_table(graph, table, sink);
    table.rows = TableRows::arcs;
    if (format == "arcs") return write_table(graph, table, sink);
    table.rows = TableRows::lines;
    if (format == "lines") return write_table(graph, table, sink);
    table.fields = render::CsvFields::tabs;
    if (format == "lines-tsv") return write_table(graph, table, sink);
    return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = std::string(format)});
}

/// 0, 1, or 2 if the file is no profile.
int run(const std::string& format, const std::string& path) {
    const auto complain = [&](const Error& error, int status) {
        std::fprintf(stderr, "%s: %s %s\n", path.c_str(), std::string(to_string(error.code)).c_str(),
                     error.detail.c_str());
        return status;
    };
    const auto source = input::open_source(path);
    if (!source) return complain(source.error(), 1);
    const auto profile = read_profile(*source);
    if (!profile) return complain(profile.error(), 2);
    const auto graph = call_graph(*profile);
    if (!graph) return complain(graph.error(), 1);
    const auto written = write(format, *graph, [](std::string_view block) -> Result<void> {
        if (std::fwrite(block.data(), 1, block.size(), stdout) == block.size()) return {};
        return tl::unexpected(Error{.code = ErrorCode::read_failed, .detail = "cannot write"});
    });
    return written ? 0 : complain(written.error(), 1);
}

}  // namespace
}  // namespace callcost

int main(int argc, char** argv) { return argc == 3 ? callcost::run(argv[1], argv[2]) : 1; }
