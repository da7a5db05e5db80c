#include "exporters/folded.hpp"

#include <string>
#include <vector>

#include "exporters/stacks.hpp"
#include "exporters/text_blocks.hpp"
#include "text/utf8.hpp"

namespace callcost::engine {
std::string folded_name(std::string_view bytes) {
    auto name = to_utf8(bytes);
    for (char& c : name) {
        if (c == ';') c = ':';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    return name.empty() ? "?" : name;
}

Result<void> write_folded(const CallGraph& graph, const Tree& tree, const Sink& sink) {
    FunctionTable functions(graph);
    const auto stacks = estimated_stacks(graph, tree, functions);
    std::vector<std::uint32_t> path;  // rows of functions down to the current frame
    const bool is_inverted = tree.direction == TreeDirection::callers;
    TextBlocks blocks(sink);
    std::vector<std::string> names;  // by row of functions
    auto stack = stacks.begin();
    for (std::uint32_t row = 0; row < tree.frames.size(); ++row) {
        path.resize(tree.frames[row].level - 1);
        path.push_back(functions.row_of(tree.frames[row]));
        while (names.size() < functions.rows().size())
            names.push_back(folded_name(functions.rows()[names.size()].name));
        for (; stack != stacks.end() && stack->frame == row; ++stack) {
            if (stack->below != FunctionTable::unknown) path.push_back(stack->below);
            auto& text = blocks.text();
            for (std::size_t i = 0; i < path.size(); ++i) {
                if (i != 0) text += ';';
                text += names[path[is_inverted ? path.size() - 1 - i : i]];
            }
            text += ' ';
            text += std::to_string(stack->cost);
            text += '\n';
            if (!blocks.end_row()) return blocks.finish();
            path.resize(tree.frames[row].level);
        }
    }
    return blocks.finish();
}

}  // namespace callcost::engine
