#include "text/input_names.hpp"

#include "text/names.hpp"

namespace callcost::engine {

bool is_standard_input(const SourceInfo& source) { return source.name == "-" || source.name == "<stdin>"; }

std::string source_name(const SourceInfo& source) {
    return is_standard_input(source) ? std::string("standard input") : display_name(source.name);
}

}  // namespace callcost::engine
