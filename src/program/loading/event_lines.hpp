/// The lines about event types of a file while it is read: its own, as a profile of several files has only
/// those that came first.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/event_type.hpp>

namespace callcost::program {

class EventLines {
  public:
    /// The bytes that follow those of before.
    void take(std::string_view bytes);
    /// As the file describes them, by `event:` lines wherever they are. `head` begins the file: who made it.
    [[nodiscard]] std::vector<EventType> events(std::string_view head) const;

  private:
    std::size_t append(std::string_view bytes);
    void end_line();

    static constexpr std::size_t longest_line = 4096, max_bytes = std::size_t{1} << 20U;
    std::string before_ = "\n\n";  // the last two bytes
    std::string line_;             // that is being read; empty: none
    std::set<std::string, std::less<>> lines_;
    std::string text_;  // of the lines, in their order
};

}  // namespace callcost::program
