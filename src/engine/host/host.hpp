/// Services that a session needs from its owner: the server, a page, or a test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/lines.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// The text of a source file of the profiled program, or why there is none.
struct SourceFile {
    std::string path;  ///< where it was found
    std::optional<std::string> text;
    std::string problem, hint;  ///< in words; without text
    bool is_newer = false;      ///< than the profile
    bool is_guess = false;      ///< found by path suffix only
    std::string withheld_in{};  ///< the file is below this directory, which was not named to us
};

struct Instruction {
    std::uint64_t address = 0;  ///< as in the profile
    std::string bytes;          ///< "48 89 e5"
    std::string text;           ///< "mov %rsp,%rbp"
};
/// How many bytes it takes; 0 if they are not known.
[[nodiscard]] inline std::uint64_t size_of(const Instruction& instruction) {
    const auto is_digit = [](char c) { return c != ' '; };
    return static_cast<std::uint64_t>(
               std::count_if(instruction.bytes.begin(), instruction.bytes.end(), is_digit)) /
           2;
}

/// The machine code of some ranges of an object, or why there is none.
struct MachineCode {
    std::string path;
    std::vector<Instruction> instructions;  ///< by address
    std::string problem, hint;              ///< messages; there may be instructions anyway
    bool is_guess = false;                  ///< of an object that was found by path suffix only
    bool is_doubtful = false;               ///< it is not, or may not be, the measured one
};

/// A place in a function where code of another one was inlined.
struct InliningPlace {
    std::string file;
    std::uint64_t line = 0;
    std::string function;  ///< the one that was inlined; empty: not known
};

/// Which code of a function was inlined, and where.
struct InlinedCode {
    static constexpr std::uint32_t none = UINT32_MAX;
    /// Instructions from an address, as in the profile, to that of the next run.
    struct Run {
        std::uint64_t address = 0;
        std::uint32_t site = none;  ///< row of `sites`; none: not inlined
    };
    /// All instructions of a source line: for profiles without addresses.
    struct Line {
        std::string file;
        std::uint64_t line = 0;
        std::uint32_t site = none;  ///< none: they were inlined at several places
    };
    std::vector<InliningPlace> sites{};
    std::vector<Run> runs{};  ///< by address
    std::vector<Line> lines{};
    std::string problem{}, hint{};  ///< why nothing is known
};

enum class Syntax : std::uint8_t { att, intel };
/// Of two builds of a program each has its own code.
enum class Build : std::uint8_t { after, before };

/// The profile in another format, for other tools.
struct ExportedFile {
    std::string name;  ///< such as "callgrind.pb.gz"
    std::string type;  ///< its media type
    std::string bytes;
    bool needs_gzip = false;  ///< before they are a file of that name: a browser can do that, too
};

/// Facts about the original files of a profile that was rewritten, for some parts or for a report: members of
/// the answer to `profile`, as JSON.
struct Origin {
    std::string files, diagnostics;
};

/// Services of the host. Empty functions are not available.
struct Host {
    /// Whether a text matches the expression, anywhere; or what is wrong with that.
    using Matcher = std::function<bool(std::string_view)>;
    std::function<tl::expected<Matcher, std::string>(std::string_view expression)> compile{};
    /// By the name that the profile has for the file.
    std::function<SourceFile(std::string_view recorded_name)> source{};
    /// From now on, what was withheld in a directory, if that is what `source` said of this name.
    std::function<void(std::string_view recorded_name, std::string_view directory)> show_sources{};
    /// As `source`, of the old profile alone: its version of the file.
    std::function<SourceFile(std::string_view recorded_name)> source_before{};
    std::function<MachineCode(Build build, std::string_view object, std::span<const AddressRange> ranges,
                              Syntax syntax)>
        machine_code{};
    /// Without ranges, all code of functions of this name.
    std::function<InlinedCode(Build build, std::string_view object, std::string_view function,
                              std::span<const AddressRange> ranges)>
        inlined_code{};
    std::optional<Origin> origin{}, origin_before{};  ///< of rewritten profiles
    std::string inlined_option{};                     ///< of --inlined, where it is not the default
    /// Why not all inlined code is shown as functions; messages.
    std::string inlined_problem{}, inlined_hint{};
    StacksOfSources stacks{}, stacks_before{};  ///< recorded beside the profiles; empty: none
    /// What `export` can write, and how, with the stacks recorded beside the profile; the error is in words.
    std::vector<std::string> formats{};
    std::function<tl::expected<ExportedFile, std::string>(
        std::string_view format, Build build, const CallGraph& graph, const StacksOfSources& stacks,
        const Measure& measure)>
        write{};
};

}  // namespace callcost::engine
