// The text of `perf script`: a line per event, then a line per frame from the leaf on, then an empty line.
//
//     comm pid/tid [cpu] time: period event:
//             address symbol+0xoffset (object)
//       file:line
//
// Which fields there are depends on `-F`, and on the version of perf; what is not there is done without.
#include <algorithm>
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "importers/importers.hpp"
#include "importers/perf_lines.hpp"

namespace callcost::engine {
namespace {

/// Clocks count nanoseconds; of other events the name itself, if it cannot be one of formulas.
std::string_view unit_of(std::string_view event) {
    const std::string_view plain = event.substr(0, event.find(':'));
    return plain == "cpu-clock" || plain == "task-clock" ? "nanoseconds" : event;
}

class PerfScriptImport {
  public:
    PerfScriptImport(const Source& source, const ImportOptions& options)
        : lines_(source, options.longest_line, notes_), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::perf_script;
        notes_.kind = "perf script output";
        for (auto line = lines_.next(); line; line = lines_.next()) add(*line);
        end_sample();
        if (lines_.error()) return tl::unexpected(*lines_.error());
        if (lines_.bytes() == 0) return tl::unexpected(Error{.code = ErrorCode::empty_file, .detail = {}});
        if (profile_.event_count() == 0)
            return tl::unexpected(not_in_format("no event or frame of `perf script` found", 1, 1));
        const StackHeading heading{.command = command_,
                                   .first_event = most_frequent_event(),
                                   .unknown_count_as_one = options_.unknown_count_as_one};
        if (auto done = profile_.write(heading, sink); !done) return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    struct ReadFrame {
        std::uint32_t function = no_row;  // none: its object is still to come
        std::string name;                 // then
        std::uint32_t place = 0;
    };

    void add(std::string_view line) {
        if (line.find_first_not_of(" \t") == std::string_view::npos) return end_sample();
        if (line.starts_with('#')) return add_comment(line);
        if (is_perf_frame(line)) return add_frame(line);
        if (const auto place = perf_source_line(line); place && !stack_.empty()) return set_place(*place);
        end_sample();
        if (const auto event = parse_perf_event(line))
            begin_sample(*event);
        else if (!is_perf_side_record(line))
            note(notes_, ImportOddity::unreadable_line, lines_.number());
    }

    void add_comment(std::string_view line) {
        constexpr std::string_view key = "# cmdline : ";
        if (line.starts_with(key)) command_ = profiled_command(line.substr(key.size()));
    }

    void begin_sample(const PerfEvent& event) {
        is_open_ = true;
        event_ = event_row(event);
        cost_ = event.period.value_or(1);
        if (options_.process_root == ProcessRoot::name)
            root_ = profile_.function({}, {}, event.process.empty() ? "(unknown)" : event.process);
        if (!event.frame.empty()) add_frame(event.frame);
    }

    std::uint32_t event_row(const PerfEvent& event) {
        const std::string_view name = event.name;
        const std::uint32_t known = event_names_.row(name);
        if (known < event_rows_.size()) return event_rows_[known];
        while (event_rows_.size() <= known) event_rows_.push_back(no_row);
        const std::string plain = name.empty() ? "samples" : std::string(without_precision(name));
        for (std::uint32_t row = 0; row < event_plain_.size(); ++row)
            if (event_plain_[row] == plain) return event_rows_[known] = row;
        const std::uint32_t row = profile_.event(plain, event.period ? unit_of(name) : name);
        if (row != no_row) {
            event_plain_.push_back(plain);
            event_samples_.push_back(0);
        }
        return event_rows_[known] = row;
    }

    /// What was sampled most is what the measurement was about; faults and switches come along with it.
    [[nodiscard]] std::uint32_t most_frequent_event() const {
        const auto most = std::max_element(event_samples_.begin(), event_samples_.end());
        return most == event_samples_.end() ? 0 : static_cast<std::uint32_t>(most - event_samples_.begin());
    }

    void add_frame(std::string_view line) {
        if (!is_open_) begin_sample({});  // `-F ip,sym` prints no line for the event
        const PerfFrame frame = parse_perf_frame(line);
        if (frame.is_inlined) {
            stack_.push_back({.name = std::string(frame.name)});
            return;
        }
        // Inlined functions are in the object of the one that holds their code, which follows them.
        for (auto inlined = stack_.rbegin(); inlined != stack_.rend() && inlined->function == no_row;
             ++inlined)
            inlined->function = profile_.function(frame.object, {}, inlined->name);
        // Without an object it may be inlined, which a source line behind it says.
        stack_.push_back({.function = profile_.function(frame.object, {}, frame.name),
                          .name = std::string(frame.object.empty() ? frame.name : std::string_view())});
    }

    void set_place(const PerfSourceLine& place) {
        ReadFrame& frame = stack_.back();
        frame.place = profile_.place(place.file, place.line);
        if (place.is_inlined && !frame.name.empty()) frame.function = no_row;
    }

    void end_sample() {
        if (!std::exchange(is_open_, false)) return;
        ++notes_.samples;
        frames_.clear();
        if (options_.process_root == ProcessRoot::name) frames_.push_back({.function = root_});
        if (stack_.empty()) note(notes_, ImportOddity::no_stack, lines_.number());
        std::reverse(stack_.begin(), stack_.end());
        for (const ReadFrame& frame : stack_) {
            const bool is_known = frame.function != no_row;
            frames_.push_back({.function = is_known ? frame.function : profile_.function({}, {}, frame.name),
                               .place = frame.place});
        }
        stack_.clear();
        if (event_ == no_row) return note(notes_, ImportOddity::events_dropped, lines_.number());
        ++event_samples_[event_];
        profile_.set_stack(frames_);
        profile_.add({.event = event_, .cost = cost_});
    }

    LineReader lines_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::string command_;

    NameRows event_names_;                      // as printed
    std::vector<std::uint32_t> event_rows_;     // by their row: of the profile's event
    std::vector<std::string> event_plain_;      // by event, without precision
    std::vector<std::uint64_t> event_samples_;  // by event

    bool is_open_ = false;  // a sample
    std::uint32_t event_ = 0, root_ = 0;
    Cost cost_ = 0;
    std::vector<ReadFrame> stack_;  // leaf first
    std::vector<StackFrame> frames_;
};

}  // namespace

Result<ImportNotes> import_perf_script(const Source& source, const ImportOptions& options, const Sink& sink) {
    return PerfScriptImport(source, options).run(sink);
}

}  // namespace callcost::engine
