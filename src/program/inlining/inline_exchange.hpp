/// What the process that reads debug information is asked and answers, as bytes. It reads files of any
/// origin, so its answers are checked in full.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/inlining.hpp>

namespace callcost::program {

/// What the profile says about an object.
struct InlineRequest {
    struct Record {
        std::uint64_t address = 0;                                        ///< of the profile
        std::uint32_t function = 0;                                       ///< row of `functions`
        std::uint32_t file = 0;                                           ///< row of `files`
        std::uint64_t line = 0;                                           ///< 0: not known
        friend auto operator<=>(const Record&, const Record&) = default;  // NOLINT(modernize-use-nullptr)
    };
    /// Code of the file as it lay in memory.
    struct Mapped {
        std::uint64_t offset = 0, size = 0;                               ///< in the file
        friend auto operator<=>(const Mapped&, const Mapped&) = default;  // NOLINT(modernize-use-nullptr)
    };
    std::string path;           ///< of the object
    std::string debug_path;     ///< of its debug information; empty: it is in the object
    std::string shared_path{};  ///< of what debug files have in common (dwz), if it is not where they say
    std::string build_id;       ///< of both; empty: not known
    bool is_same = false;       ///< the profile says that this build was measured
    std::vector<std::string> functions, files;  ///< names
    std::vector<Record> records;                ///< ascending, none twice
    std::vector<std::uint64_t> unnamed{};       ///< of functions without name, ascending: asks for names only
    std::vector<Mapped> mapped{};               ///< if there are any, `unnamed` are offsets in the file
};

enum class InlineProblem : std::uint8_t {
    none,
    unreadable,         ///< not an ELF file, or a damaged one
    no_debug_info,      ///< or none that tells of functions
    damaged,            ///< debug information that cannot be read
    other_debug_file,   ///< the separate file is that of another build
    no_split_file,      ///< `detail` names a .dwo file that is missing
    no_shared_file,     ///< `detail` names the file that debug files have in common (dwz), which is missing
    other_shared_file,  ///< `detail` names such a file of another build
    other_build,        ///< names are not those of the program that was measured
};

struct InlineReply {
    InlineProblem problem = InlineProblem::none;
    std::string detail;
    InlineMap map;                     ///< without the object's name
    std::vector<std::uint32_t> stale;  ///< rows of the request's functions, ascending: not in the map
    std::uint32_t compared = 0;        ///< how many functions were compared
    std::vector<std::string> names{};  ///< of functions
    std::vector<std::uint32_t> rows_of_names{};  ///< by the request's `unnamed`; InlineSite::none: not known
};

[[nodiscard]] std::string encoded(const InlineRequest& request);
[[nodiscard]] std::optional<InlineRequest> decode_request(std::string_view bytes);

[[nodiscard]] std::string encoded(const InlineReply& reply);
/// How many rows of a request a reply may name.
struct ReplyBounds {
    std::size_t functions = 0, unnamed = 0;
};
/// Nothing if it is no valid reply: every row exists, a parent comes before its sites, runs and lines ascend.
[[nodiscard]] std::optional<InlineReply> decode_reply(std::string_view bytes, const ReplyBounds& bounds);
/// The same if it is one to this request: runs and lines begin at its addresses.
[[nodiscard]] std::optional<InlineReply> decode_reply(std::string_view bytes, const InlineRequest& request);

/// Messages one after the other, with their sizes.
void append_message(std::string& all, std::string_view message);
/// Takes the first one off; nothing if it is not there as a whole.
[[nodiscard]] std::optional<std::string_view> take_message(std::string_view& all);

}  // namespace callcost::program
