// Names of functions as a file may spell them: the first byte chooses the width, each line of the rest is a
// name. They become text that is harmless, and as short as it was asked for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "names/name_parts.hpp"
#include "names/short_names.hpp"
#include "record_sums.hpp"
#include "text/names.hpp"
#include "text/style.hpp"

namespace callcost::fuzz {
namespace {

using engine::Style;

void demand_harmless(std::string_view text) {
    demand(engine::to_utf8(text) == text);
    demand(std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }));
}

void demand_parts(std::string_view name) {
    std::size_t end = 0;
    for (const auto& part : engine::name_parts(name)) {
        demand(part.begin == end && part.end > part.begin);
        end = part.end;
    }
    demand(end == name.size());
}

void try_name(std::string_view bytes, std::size_t width, const Style& style) {
    demand_parts(bytes);
    const auto name = engine::display_name(bytes);
    demand_harmless(name);
    demand_harmless(engine::visible_name(bytes));
    demand_parts(name);
    (void)engine::shorten(bytes, width, style);  // what should be text may be raw bytes
    (void)engine::cut_end(bytes, width, style);
    (void)engine::short_name(bytes, width, style);
    (void)engine::short_name(name, width, style, engine::by_characters());
    (void)engine::short_name_with_scopes(name, width, style);
    (void)engine::wrapped(name, 2, style);
    for (const auto& form : {engine::shorten(name, width, style), engine::cut_end(name, width, style),
                             engine::short_name(name, width, style)}) {
        demand_harmless(form);
        demand(engine::display_width(form) <= width);
    }
    auto least = engine::display_width(name);
    for (const auto& form : engine::shorter_names(name, style)) {
        demand_harmless(form);
        demand(engine::display_width(form) < least);
        least = engine::display_width(form);
    }
}

void check(std::string_view bytes) {
    if (bytes.empty()) return;
    const auto choice = static_cast<unsigned char>(bytes[0]);
    const Style style{.unicode = choice >= 128, .width = 40};
    const std::size_t width = 4 + choice % 64;
    std::vector<std::string> names;
    for (auto rest = bytes.substr(1); !rest.empty() && names.size() < 64;) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        try_name(line, width, style);
        names.push_back(engine::display_name(line));
    }
    std::vector<engine::NameToShorten> together;
    together.reserve(names.size());
    for (const auto& name : names) together.push_back({name, width});
    const auto shortened = engine::short_names(together, style);
    demand(shortened.size() == names.size());
    for (const auto& name : shortened) demand(engine::display_width(name) <= width);
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes(data, data + size);  // its own memory: reading past its end is noticed
    callcost::fuzz::check({bytes.data(), bytes.size()});
    return 0;
}
