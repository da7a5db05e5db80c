#include "import_model/valgrind_frames.hpp"

#include "encodings/import_input.hpp"

namespace callcost::engine {

ValgrindFrame parse_valgrind_frame(std::string_view text) {
    constexpr std::string_view in_object = " (in ";
    ValgrindFrame frame{.name = text};
    const std::size_t begin = text.find(": ");
    if (!text.starts_with("0x") || begin == std::string_view::npos || !text.ends_with(')')) return frame;
    // Names may have parentheses; paths that do are rare, and those of objects are absolute.
    std::size_t open = text.rfind(" (in /");
    if (open == std::string_view::npos || open < begin + 2) open = text.rfind(" (");
    if (open == std::string_view::npos || open < begin + 2) return frame;
    frame.name = text.substr(begin + 2, open - begin - 2);
    if (text.substr(open).starts_with(in_object)) {
        frame.object = text.substr(open + in_object.size(), text.size() - open - in_object.size() - 1);
        return frame;
    }
    frame.file = text.substr(open + 2, text.size() - open - 3);
    const std::size_t colon = frame.file.rfind(':');
    if (colon == std::string_view::npos) return frame;
    if (const auto line = parse_digits(frame.file.substr(colon + 1))) {
        frame.line = *line;
        frame.file = frame.file.substr(0, colon);
    }
    return frame;
}

}  // namespace callcost::engine
