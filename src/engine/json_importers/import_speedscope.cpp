// speedscope's JSON: frames, and profiles of samples or of events that open and close frames.
// https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts
#include <algorithm>
#include <string>
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/estimated_marks.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/stack_trees.hpp"
#include "json_importers/json_importers.hpp"
#include "json_importers/speedscope_json.hpp"

namespace callcost::engine {
namespace {

class SpeedscopeImport {
  public:
    SpeedscopeImport(SpeedscopeJson json, const ImportOptions& options)
        : json_(std::move(json)), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::speedscope;
        notes_.kind = "speedscope profile";
        notes_.producer = name(json_.exporter);
        take_names();
        name_events();
        frames_.assign(json_.frames.size(), {.function = no_row});
        for (std::size_t row = 0; row < json_.profiles.size(); ++row) {
            add_profile(json_.profiles[row], measured_[row]);
            json_.profiles[row] = {};
            if (!options_.budget.covers(json_.bytes, profile_.max_bytes()))
                return tl::unexpected(options_.budget.error("the stacks"));
        }
        if (auto done = profile_.write(
                {.first_event = first_event_, .unknown_count_as_one = options_.unknown_count_as_one}, sink);
            !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    /// What a profile measures, by the numbers of the file.
    struct Measured {
        std::uint32_t event = no_row;  // row of events_
        std::size_t thread = 0;        // row of threads_
    };
    struct Event {
        std::string name, unit;   // ours
        std::int64_t factor = 1;  // that keeps decimals
        int decimals = 0;
        double magnitude = 0;
        std::size_t profiles = 0;
        std::uint64_t samples = 0;
        std::uint32_t row = no_row;  // of profile_
    };

    [[nodiscard]] const std::string& name(std::uint32_t row) const { return json_.names[row]; }

    /// In files of callcost, each profile is of another event type. Files that were saved by speedscope keep
    /// only the name, which says what is estimated, too.
    void take_names() {
        const bool is_own = name(json_.exporter).starts_with("callcost ");
        bool are_estimates = false;
        for (SpeedscopeProfile& profile : json_.profiles) {
            const std::string& text = name(profile.name);
            const std::size_t mark = text.find(estimated_profile_mark);
            if (mark != std::string::npos) profile.is_estimate = true;
            if (profile.event == 0 && (is_own || mark != std::string::npos))
                profile.event = json_.names.row(std::string(text, 0, mark));
            are_estimates = are_estimates || profile.is_estimate;
        }
        if (!are_estimates) return;
        note(notes_, ImportOddity::estimated_stacks);
        notes_.limits = "its stacks are estimates";
        profile_.take_for_estimates();
    }

    /// Profiles of the same unit are threads, those of another one are of another event type.
    void name_events() {
        for (const SpeedscopeProfile& profile : json_.profiles) {
            const std::uint32_t event = event_of(profile);
            Event& of_profile = events_[event];
            measured_.push_back({.event = event, .thread = of_profile.profiles++});
            if (threads_.size() < of_profile.profiles) threads_.push_back(name(profile.name));
            if (nanoseconds_of(name(profile.unit)) == 0)  // which may have come behind the costs
                of_profile.decimals = std::max(of_profile.decimals, profile.decimals);
            of_profile.magnitude += profile.magnitude;
            of_profile.samples += profile.samples;
            notes_.samples = std::max(notes_.samples, of_profile.samples);  // those of others are the same
        }
        for (const Event& event : events_)
            if (event.name == "samples" && event.magnitude != static_cast<double>(event.samples))
                notes_.counted = "stack";  // the costs say how many samples there are
        if (threads_.size() > 1) notes_.threads = threads_.size();
        for (Event& event : events_) {
            const CostScale scale = cost_scale(event.decimals, event.magnitude);
            if (scale.decimals < event.decimals) note(notes_, ImportOddity::values_rounded);
            const std::string long_name = scale.factor == 1 ? event.unit : scale.long_name(event.name);
            event.row = profile_.event(scale.name(event.name), long_name);
            event.factor = scale.factor;
        }
        if (events_.empty()) (void)profile_.event("samples", {});
        const auto active = static_cast<std::size_t>(std::max<std::int64_t>(json_.active, 0));
        if (active < measured_.size() && events_[measured_[active].event].row != no_row)
            first_event_ = events_[measured_[active].event].row;
    }

    std::uint32_t event_of(const SpeedscopeProfile& profile) {
        const std::string& unit = name(profile.unit);
        Event event{.name = unit, .unit = {}};
        if (unit.empty() || unit == "none") event.name = "samples";
        if (unit == "bytes") event.unit = "bytes";
        if (nanoseconds_of(unit) != 0) {
            event.name = "Time";
            event.unit = "nanoseconds";
        }
        if (profile.event != 0) event.name = name(profile.event);
        const std::uint32_t row = event_keys_.row(event.name + '\n' + event.unit) - 1;
        if (row == events_.size()) events_.push_back(std::move(event));
        return row;
    }

    void add_profile(const SpeedscopeProfile& profile, Measured measured) {
        const auto count = [&](ImportOddity what, std::uint64_t number) {
            if (number != 0) note(notes_, what, 0, number);
        };
        count(ImportOddity::without_stack, profile.without_stack);
        count(ImportOddity::missing_samples, profile.without_weight);
        count(ImportOddity::unmatched_ends, profile.unmatched);
        count(ImportOddity::times_reversed, profile.reversed);
        const Event& event = events_[measured.event];
        if (event.row == no_row) return count(ImportOddity::events_dropped, profile.samples);
        if (profile.costs.empty()) return;
        if (notes_.threads != 0)
            profile_.set_thread({.number = measured.thread + 1, .name = threads_[measured.thread]});
        const std::int64_t factor =
            event.factor * std::max<std::int64_t>(nanoseconds_of(name(profile.unit)), 1);
        std::vector<StackFrame> frames;
        frames.reserve(profile.frames.size());
        for (const std::uint32_t frame : profile.frames) frames.push_back(frame_of(frame));
        (void)add_stack_trees(profile_, profile.callers, frames, [&](std::uint32_t stack) {
            if (stack >= profile.costs.size()) return;
            const Cost cost = profile.costs[stack].times(factor);
            if (cost != 0) profile_.add({.event = event.row, .cost = cost});
        });
    }

    StackFrame frame_of(std::uint32_t row) {
        if (row >= frames_.size()) {
            note(notes_, ImportOddity::invalid_reference);
            return {.function = profile_.function({}, {}, "(unknown)")};
        }
        StackFrame& frame = frames_[row];
        if (frame.function != no_row) return frame;
        const SpeedscopeFrame& named = json_.frames[row];
        const std::string_view function =
            named.name == 0 ? "(anonymous)" : std::string_view(name(named.name));
        frame.function = profile_.function({}, name(named.file), function);
        frame.place = profile_.place({}, static_cast<std::uint64_t>(std::max<std::int64_t>(named.line, 0)));
        return frame;
    }

    SpeedscopeJson json_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::uint32_t first_event_ = 0;
    NameRows event_keys_;  // one more than events_
    std::vector<Event> events_;
    std::vector<Measured> measured_;    // by profile
    std::vector<std::string> threads_;  // names
    std::vector<StackFrame> frames_;
};

}  // namespace

Result<ImportNotes> import_speedscope(const Source& source, const ImportOptions& options, const Sink& sink) {
    Result<SpeedscopeJson> json = read_speedscope_json(source);
    if (!json) return tl::unexpected(json.error());
    return SpeedscopeImport(std::move(*json), options).run(sink);
}

}  // namespace callcost::engine
