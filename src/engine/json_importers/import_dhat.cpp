// DHAT's JSON: places where blocks were allocated, each with its stack, from the leaf on, and what was
// counted there; then the table of frames. https://valgrind.org/docs/manual/dh-manual.html
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "encodings/import_input.hpp"
#include "encodings/json_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/stack_trees.hpp"
#include "import_model/valgrind_frames.hpp"
#include "json_importers/json_importers.hpp"

namespace callcost::engine {
namespace {

struct DhatCount {
    std::string_view key, name, long_name;
};
/// What can be added up: peaks of single places (`mb`) cannot.
constexpr std::array dhat_counts{
    DhatCount{"tb", "total_bytes", "Allocated (bytes)"},
    DhatCount{"tbk", "total_blocks", "Allocated blocks"},
    DhatCount{"gb", "peak_bytes", "Alive at the peak of the heap (bytes)"},
    DhatCount{"gbk", "peak_blocks", "Blocks alive at the peak of the heap"},
    DhatCount{"eb", "end_bytes", "Alive at the end (bytes)"},
    DhatCount{"ebk", "end_blocks", "Blocks alive at the end"},
    DhatCount{"rb", "read_bytes", "Read in blocks (bytes)"},
    DhatCount{"wb", "write_bytes", "Written in blocks (bytes)"},
};

class DhatHandler : public JsonHandler<DhatHandler, JsonNesting::bounded> {
  public:
    struct Costs {  // of a stack
        std::uint32_t stack, count;
        std::int64_t cost;
    };

    [[nodiscard]] bool has_version() const { return has_version_; }

    void begin(bool is_array) {
        ++depth_;
        if (depth_ == 3 && in_places_ && !is_array) costs_.clear();
        if (depth_ == 4 && in_places_ && is_array && is_key(key_, "fs")) {
            in_stack_ = true;
            frames_.clear();
        }
        if (depth_ == 2) {
            in_places_ = is_array && is_key(key_, "pps");
            in_table_ = is_array && is_key(key_, "ftbl");
        }
    }

    void end() {
        if (depth_ == 4) in_stack_ = false;
        if (depth_ == 3 && in_places_) end_place();
        if (depth_ == 2) in_places_ = in_table_ = false;
        --depth_;
    }

    void key(std::string_view text) { key_ = text; }

    void text(std::string_view text) {
        if (depth_ == 2 && in_table_) table_.push_back(names_.row(text));
        if (depth_ != 1) return;
        if (is_key(key_, "cmd")) command_ = text;
        if (is_key(key_, "mode")) mode_ = text;
        if (is_key(key_, "bsu")) unit_ = text;
        if (is_key(key_, "bksu")) block_unit_ = text;
    }

    void number(JsonNumber number) {
        if (depth_ == 1 && is_key(key_, "dhatFileVersion")) has_version_ = true;
        if (in_stack_ && depth_ == 4)
            frames_.push_back(number.whole < 0 || number.whole >= UINT32_MAX
                                  ? no_row
                                  : static_cast<std::uint32_t>(number.whole));
        if (!in_places_ || depth_ != 3) return;
        for (std::uint32_t count = 0; count < dhat_counts.size(); ++count)
            if (key_ == dhat_counts[count].key) {
                costs_.push_back({.stack = 0, .count = count, .cost = number.rounded()});
                has_count_[count] = true;
            }
    }

    NameRows names_;
    std::vector<std::uint32_t> table_;  // names of frames
    KeyRows stacks_;                    // (the caller's row + 1, frame)
    std::vector<Costs> all_costs_;
    std::array<bool, dhat_counts.size()> has_count_{};
    std::string command_, mode_, unit_, block_unit_;
    std::uint64_t places_ = 0, without_stack_ = 0;

  private:
    void end_place() {
        ++places_;
        if (frames_.empty()) ++without_stack_;
        std::uint32_t stack = no_row;
        std::for_each(frames_.rbegin(), frames_.rend(),
                      [&](std::uint32_t frame) { stack = stacks_.row(key_of(stack + 1, frame)); });
        for (Costs& costs : costs_) costs.stack = stack;
        if (stack != no_row) all_costs_.insert(all_costs_.end(), costs_.begin(), costs_.end());
        frames_.clear();
    }

    std::vector<std::uint32_t> frames_;  // of the place at hand, from the leaf on
    std::vector<Costs> costs_;
    std::string key_;
    std::size_t depth_ = 0;
    bool in_places_ = false, in_table_ = false, in_stack_ = false, has_version_ = false;
};

class DhatImport {
  public:
    DhatImport(DhatHandler& json, const ImportOptions& options) : json_(json), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::dhat;
        notes_.kind =
            "DHAT profile" + (json_.mode_.empty() || json_.mode_ == "heap" ? "" : ", mode " + json_.mode_);
        notes_.counted = "stack";
        notes_.limits = "all is counted, nothing is estimated";
        notes_.samples = json_.places_;
        if (json_.without_stack_ != 0) note(notes_, ImportOddity::without_stack, 0, json_.without_stack_);
        name_events();
        std::sort(json_.all_costs_.begin(), json_.all_costs_.end(), [](const auto& a, const auto& b) {
            return a.stack != b.stack ? a.stack < b.stack : a.count < b.count;
        });
        std::vector<std::uint32_t> callers;
        std::vector<StackFrame> frames;
        for (std::size_t row = 0; row < json_.stacks_.size(); ++row) {
            callers.push_back(first_of(json_.stacks_[row]) - 1);
            frames.push_back(frame_of(second_of(json_.stacks_[row])));
        }
        (void)add_stack_trees(profile_, callers, frames, [&](std::uint32_t stack) {
            auto costs =
                std::lower_bound(json_.all_costs_.begin(), json_.all_costs_.end(), stack,
                                 [](const auto& one, std::uint32_t wanted) { return one.stack < wanted; });
            for (; costs != json_.all_costs_.end() && costs->stack == stack; ++costs)
                if (costs->cost != 0) profile_.add({.event = events_[costs->count], .cost = costs->cost});
        });
        if (auto done = profile_.write(
                {.command = json_.command_, .unknown_count_as_one = options_.unknown_count_as_one}, sink);
            !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    /// Ad-hoc events have units of the program's own.
    void name_events() {
        events_.fill(no_row);
        for (std::size_t count = 0; count < dhat_counts.size(); ++count) {
            if (!json_.has_count_[count]) continue;
            const std::string& unit = count == 0 ? json_.unit_ : json_.block_unit_;
            if (count < 2 && json_.mode_ == "copy") {
                events_[count] = count == 0 ? profile_.event("copied_bytes", "Copied (bytes)")
                                            : profile_.event("copies", {});
                continue;
            }
            const bool is_own = count < 2 && !unit.empty() && json_.mode_ == "ad-hoc";
            events_[count] = is_own ? profile_.event(unit, {})
                                    : profile_.event(dhat_counts[count].name, dhat_counts[count].long_name);
        }
        if (profile_.event_count() == 0) (void)profile_.event(dhat_counts[0].name, dhat_counts[0].long_name);
    }

    StackFrame frame_of(std::uint32_t row) {
        if (row >= json_.table_.size()) {
            note(notes_, ImportOddity::invalid_reference);
            return {.function = profile_.function({}, {}, "(unknown)")};
        }
        if (frames_.empty()) frames_.resize(json_.table_.size(), {.function = no_row});
        StackFrame& frame = frames_[row];
        if (frame.function != no_row) return frame;
        const ValgrindFrame read = parse_valgrind_frame(json_.names_[json_.table_[row]]);
        frame = {.function = profile_.function(read.object, read.file, read.name),
                 .place = profile_.place({}, read.line)};
        return frame;
    }

    DhatHandler& json_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::array<std::uint32_t, dhat_counts.size()> events_{};
    std::vector<StackFrame> frames_;  // by their rows in the table
};

}  // namespace

Result<ImportNotes> import_dhat(const Source& source, const ImportOptions& options, const Sink& sink) {
    DhatHandler handler;
    JsonStream stream(source);
    if (auto done = read_json(stream, handler); !done) return tl::unexpected(done.error());
    if (!handler.has_version())
        return tl::unexpected(not_in_format("it has no \"dhatFileVersion\": no profile of DHAT"));
    return DhatImport(handler, options).run(sink);
}

}  // namespace callcost::engine
