/// @file profile.hpp
/// The model: the contents of one or more profile files, in columns, immutable. Include it to walk over
/// functions, arcs and records yourself; the analyses of call_graph.hpp and lines.hpp answer the usual
/// questions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "callcost/error.hpp"
#include "callcost/event_type.hpp"

namespace callcost {

struct ProfileData;  // the columns; private to the library

/// How much of the files a Profile holds.
enum class Detail : std::uint8_t {
    functions,  ///< functions and arcs with their costs: enough for lists and graphs of the whole profile
    full,  ///< also every cost line, call and jump: needed for lines, instructions and a selection of parts
};

enum class Dialect : std::uint8_t { generic, callgrind, cachegrind };  ///< F20

/// One input as it was read.
struct SourceInfo {
    std::string name;
    std::uint64_t bytes = 0;  ///< after decompression
    std::uint64_t lines = 0;
};

/// A cost per event type, only those that are not 0, by ascending event.
class CALLCOST_API Costs {
  public:
    Costs() = default;
    /// In any order; costs of the same event are added up.
    explicit Costs(std::vector<std::pair<EventId, Cost>> cells);

    [[nodiscard]] Cost operator[](EventId event) const;
    [[nodiscard]] std::span<const std::pair<EventId, Cost>> cells() const { return cells_; }
    [[nodiscard]] bool empty() const { return cells_.empty(); }

  private:
    std::vector<std::pair<EventId, Cost>> cells_;
};

/// A `pid:`, `part:` or `thread:` value: the text, and the number if it is one (F18).
struct HeaderNumber {
    std::string_view text;
    std::optional<std::uint64_t> number;
};

/// A section with header lines of its own: a dump in time, a thread, one of several profiles in a file (F81).
/// Its views live as long as the Profile: a copy of a Part must not outlive it.
struct Part {
    std::uint32_t source = 0;  ///< index into Profile::sources()
    std::uint32_t profile =
        0;  ///< which profile, counted over all sources: name ids never reach further (F22)
    Dialect dialect = Dialect::generic;
    std::string_view
        version;  ///< inherited by further parts of a profile, as creator, command, pid and columns are
    std::string_view creator;
    std::string_view command;
    HeaderNumber pid, part, thread;
    std::string trigger;                                             ///< `desc: Trigger:`
    std::string timerange;                                           ///< `desc: Timerange:`
    std::vector<std::string> descriptions;                           ///< the other `desc:` values
    std::vector<std::pair<std::string, std::string>> other_headers;  ///< F28
    std::span<const std::string> positions;                          ///< column names
    std::span<const EventId> events;  ///< the columns of its `events:` line, in order
    Costs self;                       ///< sum of its plain cost lines (F70)
    std::optional<Costs> summary;     ///< `summary:`, kept and compared, not used as the total
    std::optional<Costs> totals;      ///< `totals:`
    std::uint64_t cost_lines = 0;     ///< plain ones
    std::uint64_t call_records = 0;   ///< `calls=` lines
    std::uint64_t call_count = 0;     ///< their known counts added up
    bool calls_at_least = false;      ///< further calls of them are not counted (F57)
    std::uint64_t jumps = 0;
    Costs inclusive_sum;  ///< cost over all call records: a checksum, not a meaningful total
};

/// A call count: `known` calls, and whether further ones were not counted (`calls=0`, F57, F74).
struct CallCount {
    static constexpr std::uint64_t most = INT64_MAX;  ///< `known` saturates here: then it is "at least", too
    std::uint64_t known = 0;
    bool at_least = false;

    /// What one `calls=` line says.
    [[nodiscard]] static CallCount of(std::uint64_t written) {
        return written > most ? CallCount{most, true} : CallCount{written, written == 0};
    }
    void add(CallCount more) {
        const bool is_too_much = more.known > most - known;
        known = is_too_much ? most : known + more.known;
        at_least = at_least || more.at_least || is_too_much;
    }
    friend bool operator==(const CallCount&, const CallCount&) = default;
};

/// Where code of a function is that the compiler put into another one (expand_inlined).
struct InlinedPlace {
    FunctionId in;                         ///< the function it is directly in, which may be inlined itself
    FileId file;                           ///< of the call that it takes the place of; row 0: not known
    std::uint64_t line = 0;                ///< of that call; 0: not known
    std::uint64_t entry = 0;               ///< address of its first instruction; 0: not known
    std::optional<std::uint64_t> entries;  ///< how often that was executed: about as often as it was entered
};

/// A cost line, call or jump of a function, as in the file.
struct Record {
    enum class Kind : std::uint8_t { cost, call, jump };
    Kind kind = Kind::cost;
    bool conditional = false;      ///< jump: `jcnd=`
    bool has_target_place = true;  ///< call, jump: a target position was written
    bool has_place = true;         ///< false for a call or jump whose source line is missing
    FileId file;                   ///< where the line is located (F51, F73); without a place: the function's
    std::uint64_t address = 0;     ///< 0 = unknown or no `instr` column
    std::uint64_t line = 0;        ///< 0 = unknown or no `line` column
    std::span<const Cost> costs;   ///< by the part's `events`; shorter = 0; valid until the next record
    ArcId arc;                     ///< call
    std::uint64_t count = 0;       ///< call: 0 = unknown (F57)
    std::uint64_t executed = 0;    ///< jump
    std::uint64_t followed = 0;    ///< jump: how often it was taken
    std::uint64_t target_address = 0, target_line = 0;  ///< call: information only (F58)
    FileId target_file;                                 ///< jump
    FunctionId target_function;                         ///< jump; invalid if no such function has costs
};

/// Walks the records of one function in file order. Needs a profile with Detail::full, else it has no
/// records. Shares the data, so it may outlive the Profile it is from.
class RecordCursor {
  public:
    /// False at the end. `part` tells which part the record belongs to.
    CALLCOST_API bool next(Record& record);
    [[nodiscard]] PartId part() const { return part_; }

  private:
    friend class Profile;
    friend struct ProfileAccess;
    CALLCOST_API RecordCursor(std::shared_ptr<const ProfileData> data, FunctionId function);
    bool open_block();
    void read_cost(unsigned op, Record& record);
    void read_place(unsigned flags, Record& record);
    void read_target_place(Record& record);
    void read_call(unsigned flags, Record& record);
    void read_jump(unsigned flags, Record& record);
    [[nodiscard]] FileId file_of(std::uint32_t number) const;

    std::shared_ptr<const ProfileData> data_;
    FunctionId function_;
    std::uint32_t block_;  ///< the next one
    PartId part_;
    PartId only_part_;                   ///< valid: it ends where another part begins
    std::size_t columns_ = 0;            ///< of the part
    bool no_line_ = false;               ///< a line written as -1 means none in this part (F39)
    const unsigned char* at_ = nullptr;  ///< in the block's packed records; null between blocks
    std::uint64_t address_ = 0, line_ = 0;
    FileId file_;
    std::vector<Cost> costs_;  // of the last plain line
    std::vector<Cost> call_costs_;
};

/// An immutable profile; copies share the data and are cheap. All costs are two's complement 64-bit numbers
/// (F44), sums wrap (F82). Views returned by its functions live as long as any copy. Ids must be of this
/// profile and valid: they are asserted if the library is built with CALLCOST_CHECKED, and not checked
/// otherwise.
class CALLCOST_API Profile {
  public:
    explicit Profile(std::shared_ptr<const ProfileData> data);  ///< for the library

    [[nodiscard]] Detail detail() const;
    [[nodiscard]] std::span<const SourceInfo> sources() const;
    [[nodiscard]] std::span<const Part> parts() const;
    [[nodiscard]] std::span<const EventType> events() const;
    [[nodiscard]] std::span<const EventFormula> formulas() const;
    [[nodiscard]] std::span<const Diagnostic> diagnostics() const;

    [[nodiscard]] std::size_t object_count() const;  ///< rows, the unknown one (row 0) included
    [[nodiscard]] std::size_t file_count() const;    ///< rows, the unknown one (row 0) included
    [[nodiscard]] std::size_t function_count() const;
    [[nodiscard]] std::size_t arc_count() const;

    [[nodiscard]] std::string_view name(ObjectId object) const;  ///< bytes as in the file; "???" if unknown
    [[nodiscard]] std::string_view name(FileId file) const;
    [[nodiscard]] std::string_view name(FunctionId function) const;
    [[nodiscard]] ObjectId object(FunctionId function) const;
    [[nodiscard]] FileId file(FunctionId function) const;  ///< the one of `fl=` (F71)
    /// False for a function that is only called and never listed with costs of its own (F61).
    [[nodiscard]] bool has_records(FunctionId function) const;
    [[nodiscard]] Cost self(FunctionId function, EventId event) const;

    /// Whether some functions are inlined code: then a function has a row for its own code and one for every
    /// place where it is inlined, all of the same name. That code belongs to this row only.
    [[nodiscard]] bool has_inlined() const;
    [[nodiscard]] FunctionId inlined_in(
        FunctionId function) const;                            ///< InlinedPlace::in; invalid: not inlined
    [[nodiscard]] FunctionId host(FunctionId function) const;  ///< the one around it that is not inlined
    [[nodiscard]] InlinedPlace inlined_place(FunctionId function) const;  ///< nothing if it is not inlined

    [[nodiscard]] FunctionId caller(ArcId arc) const;
    [[nodiscard]] FunctionId callee(ArcId arc) const;
    [[nodiscard]] CallCount count(ArcId arc) const;           ///< not known if the callee is inlined code
    [[nodiscard]] Cost cost(ArcId arc, EventId event) const;  ///< inclusive cost of the calls

    [[nodiscard]] Cost total(EventId event) const;  ///< sum over all plain cost lines (F70)
    [[nodiscard]] RecordCursor records(FunctionId function) const { return {data_, function}; }

  private:
    friend struct ProfileAccess;  // the library's own analyses
    std::shared_ptr<const ProfileData> data_;
};

}  // namespace callcost
