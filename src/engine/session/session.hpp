/// The page's questions about one profile, or about two, answered as JSON: docs/protocol.md. For the server
/// and for WebAssembly.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/lines.hpp>
#include <callcost/profile.hpp>

namespace callcost::answer {

/// The text of a source file of the profiled program, or why there is none.
struct SourceFile {
    std::string path;  ///< where it was found
    std::optional<std::string> text;
    std::string problem, hint;  ///< in words; without text
    bool is_newer = false;      ///< than the profile
    bool is_guess = false;      ///< found by the end of its name only
};

struct Instruction {
    std::uint64_t address = 0;  ///< as in the profile
    std::string bytes;          ///< "48 89 e5"
    std::string text;           ///< "mov %rsp,%rbp"
};

/// The machine code of some ranges of an object, or why there is none.
struct MachineCode {
    std::string path;
    std::vector<Instruction> instructions;  ///< by address
    std::string problem, hint;              ///< in words; there may be instructions nevertheless
    bool is_guess = false;                  ///< of an object that was found by the end of its name only
    bool is_doubtful = false;               ///< it is not, or may not be, what was measured
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

/// What only the files tell that a profile was read from: members of the answer to `profile`, as JSON. A
/// profile that was written anew, of some parts or for a report, comes from other files, and is not odd any
/// more.
struct Origin {
    std::string files, diagnostics;
};

/// What the engine itself does not have. Functions may be empty: then there is no such thing.
struct Surroundings {
    /// Whether a text matches the expression, anywhere; or what is wrong with that.
    using Matcher = std::function<bool(std::string_view)>;
    std::function<tl::expected<Matcher, std::string>(std::string_view expression)> compile{};
    /// By the name that the profile has for the file.
    std::function<SourceFile(std::string_view recorded_name)> source{};
    std::function<MachineCode(Build build, std::string_view object, std::span<const AddressRange> ranges,
                              Syntax syntax)>
        machine_code{};
    std::optional<Origin> origin{}, origin_before{};  ///< of profiles that were written anew
    /// What `export` can write, and how; the error is in words.
    std::vector<std::string> formats{};
    std::function<tl::expected<ExportedFile, std::string>(std::string_view format, const CallGraph& graph,
                                                          const Measure& measure)>
        write{};
};

/// A profile to ask about, and maybe one to compare it with. Keeps what it has computed for the last few
/// selections. One question at a time.
class Session {
  public:
    Session(Profile profile, std::optional<Profile> before, Surroundings surroundings);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    /// A question and its answer, both JSON. A question that is wrong is answered, too.
    [[nodiscard]] std::string answer(std::string_view question);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Of the profile whose graph it is. Files have their names without directories.
[[nodiscard]] Origin origin_of(const CallGraph& graph);

}  // namespace callcost::answer
