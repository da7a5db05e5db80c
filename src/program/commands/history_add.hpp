/// Adds profiles to a history, for `history add` and `record --add`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "history/store.hpp"
#include "loading/preparation.hpp"
#include "options/command_line.hpp"
#include "options/profile_options.hpp"

namespace callcost::program {

/// What is said of the entries; what is empty is found out.
struct EntryOptions {
    std::string series;  ///< empty: the name of the program that was profiled
    std::string commit;
    std::string branch;
    std::string machine;
    std::optional<std::int64_t> time;  ///< seconds since 1970, UTC
    std::map<std::string, std::string> tags;
    bool replace = false;
    std::string program{};  ///< that was run just now; empty: not by this command
};
/// Of a profile of this command: `./build/parse -x file` is of the series parse.
[[nodiscard]] std::string default_series(std::string_view command);
/// `KEY=VALUE`; throws UsageError.
void add_tag(const std::string& text, std::map<std::string, std::string>& tags);
/// Of an option; throws UsageError.
void take_time(std::string_view option, const std::string& text, std::optional<std::int64_t>& time);
void declare_entry(CommandLine& line, EntryOptions& options);

enum class AddedAs : std::uint8_t { an_entry_each, one_entry };

/// Each file is an entry, with its other parts if they are asked for; or all are one. What is wrong is said,
/// and the others are added.
[[nodiscard]] Exit add_to_history(const InputOptions& input, const EntryOptions& options,
                                  const Console& console, AddedAs how = AddedAs::an_entry_each);

}  // namespace callcost::program
