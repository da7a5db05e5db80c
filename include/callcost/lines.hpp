/// @file lines.hpp
/// Cost per source line and per instruction, call sites and jumps. All of it decodes records, so the profile
/// must have been read with Detail::full.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "callcost/call_graph.hpp"
#include "callcost/error.hpp"

namespace callcost {

/// Calls made at one place along one arc.
struct CallSite {
    ArcId arc;  ///< of the CallGraph
    FileId file;
    std::uint64_t line = 0;
    std::uint64_t address = 0;
    CallCount count;
    Cost cost = 0;  ///< inclusive
};

/// A jump, added up over equal source and target.
struct JumpSite {
    NodeId function;  ///< node it is in
    FileId file;
    std::uint64_t line = 0;
    std::uint64_t address = 0;
    NodeId target_function;  ///< node; invalid if unknown
    FileId target_file;
    std::uint64_t target_line = 0;
    std::uint64_t target_address = 0;
    bool conditional = false;
    std::uint64_t executed = 0;
    std::uint64_t followed = 0;
};

/// Self cost located on one line, of all functions together.
struct LineCost {
    std::uint64_t line = 0;  ///< 0 = no line known (F79)
    std::vector<Cost> self;  ///< by the measures asked for
    bool inlined = false;    ///< some of it belongs to functions that are defined in another file
    std::vector<CallSite> calls;
    std::vector<JumpSite> jumps;
};

struct FileLines {
    FileId file;
    std::vector<LineCost> lines;  ///< ascending; only lines with cost, calls or jumps
    std::vector<Cost> self;       ///< of the whole file ("located in"), by the measures asked for
};

/// The lines of these files; CallSite::cost is by the first measure. Error: needs_detail.
[[nodiscard]] CALLCOST_API Result<std::vector<FileLines>> file_lines(const CallGraph& graph,
                                                                     std::span<const FileId> files,
                                                                     MeasureSpan measures);

/// A source line of the profile and the self cost located on it, of all functions together.
struct HotLine {
    FileId file;
    std::uint64_t line = 0;     ///< 0 = no line known (F79)
    NodeId function;            ///< the one that costs most there
    std::size_t functions = 0;  ///< how many have cost there
    std::vector<Cost> self;     ///< by the measures asked for; of a part of it that is not known an estimate
    std::vector<Cost> least, most;  ///< its bounds
    /// With the calls made on it and the code inlined there, without calls that are counted again. Empty if
    /// it was not asked for, not all is kept, or it is not known: there is no line, or several functions on
    /// it make calls, which may be to each other.
    std::vector<Cost> with_calls{};
};

struct FilteredCosts;  // callcost/tree.hpp

struct LinesOptions {
    MeasureSpan measures{};  ///< the first one sorts; none: default_measure()
    std::size_t limit = std::numeric_limits<std::size_t>::max();
    double threshold = 0;  ///< leave out lines below this share (0..1) of the total
    /// Only of functions for which it is true; empty: of all. The others are left out, and their cost with
    /// them.
    std::function<bool(NodeId)> where{};
    /// By the measures, what filters keep of self costs; empty: all of it. Of each line of a function the
    /// same share is the estimate.
    std::vector<const FilteredCosts*> kept{};
    /// Files and objects of the system or the compiler; empty: no difference is made. Of the lines that are
    /// chosen by their costs, theirs come behind all others, and what no line is known of comes last. Code of
    /// theirs that is inlined (expand_inlined) counts on the line that it was inlined at.
    std::function<bool(FileId)> is_system_file{};
    std::function<bool(ObjectId)> is_system_object{};
    bool with_calls = false;  ///< HotLine::with_calls is wanted
};

/// The chosen lines, most expensive first (but see LinesOptions::is_system_file); all other lines that cost
/// anything are the omitted ones. The total is that of the graph, so that what the filters leave out is in
/// `omitted_self`, too.
struct LineList {
    std::vector<HotLine> rows;
    std::size_t omitted_rows = 0;
    std::vector<Cost> omitted_self;  ///< by the measures asked for
};

/// Error: needs_detail.
[[nodiscard]] CALLCOST_API Result<LineList> lines_by_cost(const CallGraph& graph,
                                                          const LinesOptions& options = {});

/// Self cost located in each file (row = FileId), by one measure (F73). Error: needs_detail.
[[nodiscard]] CALLCOST_API Result<std::vector<Cost>> located_costs(const CallGraph& graph,
                                                                   const Measure& measure);

/// A source file and a cost in it.
struct FileCost {
    FileId file;
    Cost cost = 0;
    /// Sum of the absolute costs of its lines or functions, which may cancel out.
    std::uint64_t absolute = 0;
};

/// All files by the self cost located in them (F73), most absolute cost first. Error: needs_detail.
[[nodiscard]] CALLCOST_API Result<std::vector<FileCost>> files_by_located_cost(const CallGraph& graph,
                                                                               const Measure& measure);

/// All files by the self cost of the functions defined in them, most absolute cost first. Needs no detail.
[[nodiscard]] CALLCOST_API std::vector<FileCost> files_by_defined_cost(const CallGraph& graph,
                                                                       const Measure& measure);

/// How many of the first make up this share of the total together, or of the sum of absolute costs where some
/// are negative. All of them if either is not positive.
[[nodiscard]] CALLCOST_API std::size_t covering(std::span<const FileCost> files, double share, Cost total);

/// Where a file's cost is, given a text of so many lines. The three add up to it.
struct CostInText {
    Cost lines = 0;     ///< on lines of the text
    Cost no_line = 0;   ///< line not known (F79)
    Cost past_end = 0;  ///< beyond its last line
};
/// By the first of the measures that the lines were asked for.
[[nodiscard]] CALLCOST_API CostInText cost_in_text(const FileLines& file, std::uint64_t line_count);

/// Cost per instruction of one function, by ascending address.
struct InstructionCost {
    std::uint64_t address = 0;  ///< 0 = unknown
    FileId file;
    std::uint64_t line = 0;
    FunctionId inlined{};  ///< the function of the profile that has it, if that is inlined code; else invalid
    std::vector<Cost> self;
    std::vector<CallSite> calls;
    std::vector<JumpSite> jumps;
};
[[nodiscard]] CALLCOST_API Result<std::vector<InstructionCost>> instructions(const CallGraph& graph,
                                                                             NodeId node,
                                                                             MeasureSpan measures);

/// Addresses further apart than this are not those of adjacent instructions, on any processor.
inline constexpr std::uint64_t longest_instruction = 16;

/// Some code, by addresses as they are in the profile.
struct AddressRange {
    std::uint64_t first = 0;  ///< of an instruction
    std::uint64_t end = 0;    ///< just behind the first byte of the last instruction
    friend bool operator==(const AddressRange&, const AddressRange&) = default;
};
/// Where the code with cost is: one range as long as instructions may be adjacent. Unknown addresses are in
/// none.
[[nodiscard]] CALLCOST_API std::vector<AddressRange> code_ranges(std::span<const InstructionCost> rows);

/// A row for each address of `rows` and of `code`, ascending: with the instructions of a disassembler, what
/// was not executed stands between what was. Rows of one address are added up, at the line of the most
/// expensive. A row that is not of `rows` has an empty `self`.
[[nodiscard]] CALLCOST_API std::vector<InstructionCost> code_listing(std::vector<InstructionCost> rows,
                                                                     std::span<const std::uint64_t> code);

/// Instructions that are executed one after the other, equally often: rows of a listing.
struct BasicBlock {
    std::size_t first = 0, last = 0;
    std::vector<Cost> self;  ///< by the measures of the rows
};
struct BlockEdge {
    enum class Kind : std::uint8_t {
        taken,      ///< a conditional jump that is taken
        not_taken,  ///< a conditional jump that is not
        jump,       ///< an unconditional one
        next,       ///< no jump at all
        indirect,   ///< one of several targets of an unconditional jump
    };
    std::size_t from = 0, to = 0;  ///< blocks
    Kind kind = Kind::next;
    std::optional<std::uint64_t> count;  ///< how often; none if the profile does not tell exactly
};
/// Of one function, as far as the profile knows: branches never taken are missing, and so is what leaves
/// the function.
struct ControlFlow {
    std::vector<BasicBlock> blocks;  ///< by address
    std::vector<BlockEdge> edges;    ///< by block they come from, then by the one they lead to
};
/// `rows` as of instructions() or code_listing(), in which the measure `executions` counts how often an
/// instruction was executed; none if no measure does.
[[nodiscard]] CALLCOST_API ControlFlow control_flow(std::span<const InstructionCost> rows,
                                                    std::optional<std::size_t> executions);
/// The measure that counts how often an instruction was executed: Callgrind's Ir, nothing in other profiles.
[[nodiscard]] CALLCOST_API std::optional<Measure> executions(const CallGraph& graph);

/// Lines of one function, in its own file and in those it inlines from, by file then line.
[[nodiscard]] CALLCOST_API Result<std::vector<FileLines>> function_lines(const CallGraph& graph, NodeId node,
                                                                         MeasureSpan measures);

/// The places where the calls of an arc are made, most expensive first.
[[nodiscard]] CALLCOST_API Result<std::vector<CallSite>> call_sites(const CallGraph& graph, ArcId arc,
                                                                    const Measure& measure);

/// The same for several arcs at once, by their order here; the records of each caller are read only once.
[[nodiscard]] CALLCOST_API Result<std::vector<std::vector<CallSite>>> call_sites(const CallGraph& graph,
                                                                                 std::span<const ArcId> arcs,
                                                                                 const Measure& measure);

/// The jumps of one function, by position.
[[nodiscard]] CALLCOST_API Result<std::vector<JumpSite>> jumps(const CallGraph& graph, NodeId node);

}  // namespace callcost
