#include "convert/folded.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "convert/stacks.hpp"
#include "convert/text_blocks.hpp"
#include "render/names.hpp"

namespace callcost::convert {
namespace {

std::string folded_name(std::string_view bytes) {
    auto name = render::to_utf8(bytes);
    for (char& c : name) {
        if (c == ';') c = ':';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    return name.empty() ? "?" : name;
}

}  // namespace

Result<void> write_folded(const CallGraph& graph, const Tree& tree, const Sink& sink) {
    const auto costs = whole_self_costs(tree);
    FunctionTable functions(graph);
    std::vector<std::string> names;
    std::vector<std::uint32_t> stack;  // rows of functions down to the current frame
    const bool is_inverted = tree.direction == TreeDirection::callers;
    TextBlocks blocks(sink);
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        const auto function = functions.row_of(frame);
        if (function == names.size()) names.push_back(folded_name(functions.rows()[function].name));
        stack.resize(frame.level - 1);
        stack.push_back(function);
        if (costs[row] == 0) continue;
        auto& text = blocks.text();
        for (std::size_t i = 0; i < stack.size(); ++i) {
            if (i != 0) text += ';';
            text += names[stack[is_inverted ? stack.size() - 1 - i : i]];
        }
        text += ' ';
        text += std::to_string(costs[row]);
        text += '\n';
        blocks.end_row();
    }
    return blocks.finish();
}

}  // namespace callcost::convert
