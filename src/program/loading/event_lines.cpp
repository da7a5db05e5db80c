#include "loading/event_lines.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <callcost/read.hpp>

namespace callcost::program {

/// Nearly no other line has a `v` as its second byte, and few have one at all.
void EventLines::take(std::string_view bytes) {
    std::size_t at = line_.empty() ? 0 : append(bytes);
    const auto byte_before = [&](std::size_t position, std::size_t distance) {
        return position >= distance ? bytes[position - distance]
                                    : before_[before_.size() - (distance - position)];
    };
    while ((at = bytes.find('v', at)) != std::string_view::npos) {
        const char before = byte_before(at, 2);
        if (byte_before(at, 1) == 'e' && (before == '\n' || before == '\r')) {
            line_ = "e";
            at += append(bytes.substr(at));
        } else {
            ++at;
        }
    }
    before_ += bytes.substr(bytes.size() - std::min(bytes.size(), std::size_t{2}));
    before_.erase(0, before_.size() - 2);
}

/// What belongs to the line; its end ends it. Returns how many bytes that is.
std::size_t EventLines::append(std::string_view bytes) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    line_ += bytes.substr(0, std::min(end, longest_line - std::min(longest_line, line_.size())));
    if (end < bytes.size()) end_line();
    return end;
}

void EventLines::end_line() {
    const std::string line = std::exchange(line_, {});
    if (!line.starts_with("event:") && !line.starts_with("events:")) return;
    if (line.size() >= longest_line || text_.size() + line.size() >= max_bytes) return;
    if (lines_.insert(line).second) text_ += line + '\n';
}

std::vector<EventType> EventLines::events(std::string_view head) const {
    constexpr std::array<std::string_view, 3> keys{"version:", "creator:", "cmd:"};
    std::string text;
    while (!head.empty()) {
        const std::size_t end = std::min(head.find_first_of("\r\n"), head.size());
        const auto line = head.substr(0, end);
        if (std::any_of(keys.begin(), keys.end(), [&](auto key) { return line.starts_with(key); }))
            text.append(line) += '\n';
        if (line.starts_with("events:")) break;
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    const auto profile = read_profile(from_memory(text + text_));
    return profile ? std::vector(profile->events().begin(), profile->events().end())
                   : std::vector<EventType>();
}

}  // namespace callcost::program
