// Massif's text: snapshots, some of them with a tree of where the memory was allocated, from malloc() on to
// its callers. A profile is one of them: the peak, or the largest if the program did not come that far.
//
//     snapshot=12
//     mem_heap_B=4150
//     heap_tree=peak
//     n2: 4150 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
//      n1: 2550 0x109170: get (dh.c:5)
//       n0: 2550 0x1091C4: list (dh.c:6)
//      n0: 1600 in 3 places, all below massif's threshold (1.00%)
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/valgrind_frames.hpp"
#include "importers/importers.hpp"

namespace callcost::engine {
namespace {

class MassifImport {
  public:
    MassifImport(const Source& source, const ImportOptions& options)
        : lines_(source, options.longest_line, notes_), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::massif;
        for (auto line = lines_.next(); line; line = lines_.next()) read(*line);
        if (lines_.error()) return tl::unexpected(*lines_.error());
        if (lines_.bytes() == 0) return tl::unexpected(Error{.code = ErrorCode::empty_file, .detail = {}});
        if (snapshots_ == 0) return tl::unexpected(not_in_format("no snapshot of Massif found", 1, 1));
        if (chosen_.tree.empty())
            return tl::unexpected(
                not_in_format("none of its snapshots is detailed: "
                              "valgrind --tool=massif --detailed-freq=1 makes all so"));
        if (!has_tree_line_ || lines_.ends_within_line() ||
            std::any_of(chosen_.tree.begin(), chosen_.tree.end(),
                        [](const Place& place) { return place.callers_left != 0; }))
            note(notes_, ImportOddity::trace_cut);
        event_ = profile_.event("heap_bytes", "Alive on the heap (bytes)");
        for (std::size_t row = 0; row < chosen_.tree.size(); ++row) add(row);
        if (!options_.budget.covers(lines_.bytes(), profile_.max_bytes()))
            return tl::unexpected(options_.budget.error("the stacks"));
        describe();
        if (auto done = profile_.write(
                {.command = command_, .unknown_count_as_one = options_.unknown_count_as_one}, sink);
            !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 60U;

    struct Place {
        std::uint64_t callers_left = 0;  // that are stated and did not come yet
        std::size_t depth = 0;           // 0: all of the heap
        std::int64_t size = 0;           // with that of its callers
        std::int64_t of_callers = 0;     // sum of their sizes
        StackFrame frame{};
    };
    struct Snapshot {
        std::uint64_t number = 0;
        bool is_peak = false;
        std::vector<Place> tree;
    };

    void read(std::string_view line) {
        const auto behind = [&](std::string_view key) {
            return line.starts_with(key) ? std::optional(line.substr(key.size())) : std::nullopt;
        };
        if (const auto command = behind("cmd: ")) {
            command_ = *command;
        } else if (const auto number = behind("snapshot=")) {
            ++snapshots_;
            is_open_ = false;
            has_tree_line_ = false;
            number_ = parse_digits(*number).value_or(0);
        } else if (const auto kind = behind("heap_tree=")) {
            has_tree_line_ = true;
            begin_tree(*kind);
        } else if (is_open_) {
            read_place(line);
        }
    }

    /// Trees that are not chosen are not kept.
    void begin_tree(std::string_view kind) {
        is_open_ = (kind == "peak" || kind == "detailed") && !chosen_.is_peak;
        is_first_ = true;
        is_peak_ = kind == "peak";
    }

    void read_place(std::string_view line) {
        const std::size_t depth = std::min(line.find_first_not_of(' '), line.size());
        std::string_view rest = line.substr(depth);
        const std::size_t colon = rest.find(": ");
        if (!rest.starts_with('n') || colon == std::string_view::npos) return;
        const auto callers = parse_digits(rest.substr(1, colon - 1));
        if (!callers) return;
        rest.remove_prefix(colon + 2);
        const std::size_t blank = rest.find(' ');
        const auto size = parse_digits(rest.substr(0, blank));
        if (!size || *size > most_bytes || blank == std::string_view::npos)
            return note(notes_, ImportOddity::unreadable_line, lines_.number());
        if (std::exchange(is_first_, false)) {
            is_open_ = depth == 0 && (is_peak_ || chosen_.tree.empty() ||
                                      static_cast<std::int64_t>(*size) > chosen_.tree[0].size);
            if (!is_open_) return;
            chosen_ = {.number = number_, .is_peak = is_peak_, .tree = {}};
            has_small_places_ = false;
        } else if (depth == 0 || depth > chosen_.tree.back().depth + 1) {
            return note(notes_, ImportOddity::unreadable_line, lines_.number());
        }
        above_.resize(depth);
        if (depth != 0) {
            Place& callee = chosen_.tree[above_.back()];
            callee.of_callers = Cost(callee.of_callers) + static_cast<std::int64_t>(*size);
            if (callee.callers_left != 0) --callee.callers_left;
        }
        above_.push_back(chosen_.tree.size());
        chosen_.tree.push_back({.callers_left = *callers,
                                .depth = depth,
                                .size = static_cast<std::int64_t>(*size),
                                .frame = depth == 0 ? StackFrame{} : frame(rest.substr(blank + 1))});
    }

    StackFrame frame(std::string_view text) {
        if (!text.starts_with("0x")) {
            has_small_places_ = true;
            return {.function = profile_.function({}, {}, "(below threshold)")};
        }
        const ValgrindFrame read = parse_valgrind_frame(text);
        return {.function = profile_.function(read.object, read.file, read.name),
                .place = profile_.place({}, read.line)};
    }

    /// What is left of a place without its callers was allocated by a stack that begins there. Lines are as
    /// long as their stacks are deep, so setting each is no more work than reading it.
    void add(std::size_t row) {
        const Place& place = chosen_.tree[row];
        path_.resize(place.depth);
        if (place.depth != 0) path_.back() = place.frame;
        const Cost own = Cost(place.size) - place.of_callers;
        if (own == 0) return;
        ++notes_.samples;
        stack_.assign(path_.rbegin(), path_.rend());
        if (stack_.empty()) stack_.push_back({.function = profile_.function({}, {}, "(heap)")});
        profile_.set_stack(stack_);
        profile_.add({.event = event_, .cost = own});
    }

    void describe() {
        notes_.counted = "stack";
        notes_.kind = "Massif profile of the " +
                      std::string(chosen_.is_peak ? "peak" : "largest detailed snapshot") + " (snapshot " +
                      std::to_string(chosen_.number) + ")";
        if (has_small_places_)
            notes_.limits =
                "places below Massif's threshold are together, without names; 'valgrind --tool=massif "
                "--threshold=0.0' keeps their names";
    }

    LineReader lines_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::uint32_t event_ = 0;
    std::string command_;

    std::uint64_t snapshots_ = 0, number_ = 0;  // the number of the last one
    bool is_open_ = false, is_first_ = false, is_peak_ = false, has_small_places_ = false;
    bool has_tree_line_ = false;  // the last snapshot: its last line, or what stands before its tree
    Snapshot chosen_;
    std::vector<std::size_t> above_;        // rows of the chosen tree: the last one at each depth
    std::vector<StackFrame> path_, stack_;  // from the leaf on, from the root on
};

}  // namespace

Result<ImportNotes> import_massif(const Source& source, const ImportOptions& options, const Sink& sink) {
    return MassifImport(source, options).run(sink);
}

}  // namespace callcost::engine
