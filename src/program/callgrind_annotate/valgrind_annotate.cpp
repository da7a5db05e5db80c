#include "callgrind_annotate/valgrind_annotate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "callgrind_annotate/inclusive.hpp"
#include "callgrind_annotate/valgrind_layout.hpp"
#include "callgrind_annotate/valgrind_table.hpp"
#include "input/open.hpp"
#include "input/sets.hpp"
#include "loading/preparation.hpp"
#include "sources/source_text.hpp"
#include "terminal/output.hpp"
#include "text/diagnostics.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// Where source files are: their recorded names, then those below each directory.
class SourcePlaces {
  public:
    explicit SourcePlaces(const ValgrindOptions& options) : options_(options) {}

    struct Place {
        std::string directory;  ///< empty: the name itself
        std::string name;

        [[nodiscard]] std::string path() const { return directory + name; }
        [[nodiscard]] std::string title() const {
            return directory.empty() ? name : directory + " + " + name;
        }
    };
    [[nodiscard]] std::optional<Place> find(const std::string& name) const {
        if (name.empty()) return std::nullopt;
        if (is_file(name)) return Place{{}, name};
        for (const auto& directory : options_.include_directories) {
            if (is_file(directory + name)) return Place{directory, name};
        }
        return std::nullopt;
    }

    [[nodiscard]] bool are_lines_wanted(const std::string& name) const {
        const auto& sources = options_.sources;
        const bool is_chosen =
            options_.annotate_all || std::find(sources.begin(), sources.end(), name) != sources.end();
        return is_chosen && find(name).has_value();
    }

  private:
    static bool is_file(const std::string& path) {
        std::error_code ignored;
        return std::filesystem::is_regular_file(path, ignored);
    }

    const ValgrindOptions& options_;
};

/// The events that --sort is about, and down to which share of each functions are listed.
struct SortOrder {
    std::vector<std::size_t> events;
    std::vector<std::string> thresholds;  ///< percent, as written
    bool is_everything = false;           ///< no threshold at all

    [[nodiscard]] double threshold(std::size_t key) const {
        double percent = 0;
        const auto& text = thresholds[key];
        std::from_chars(text.data(), text.data() + text.size(), percent, std::chars_format::fixed);
        return percent;
    }
};

class ValgrindReport {
  public:
    ValgrindReport(const ValgrindOptions& options, const ValgrindTable& table, const SourcePlaces& places,
                   Output& output, bool is_terminal)
        : options_(options), table_(table), places_(places), output_(output), is_terminal_(is_terminal) {}

    /// False, with a word on standard error, if the profile does not know an event.
    bool choose_events(const Console& console);
    void choose_rows();

    void write(const std::string& profile);

  private:
    [[nodiscard]] std::optional<std::size_t> event_named(const std::string& name, std::string_view option,
                                                         const Console& console) const;
    void write_facts(const std::string& profile);
    void write_functions();
    void write_call_list(const layout::CountTable& table, const std::vector<std::uint32_t>& arcs,
                         bool callers);
    void write_sources(const std::string& profile);
    void write_source(const std::string& name, std::string_view kind, const std::string& profile);
    [[nodiscard]] std::vector<layout::ListedLine> lines_of(const ValgrindFile& file);

    /// By --sort, the most expensive first.
    [[nodiscard]] int compare(const layout::Counts& a, const layout::Counts& b) const;
    template <class Row>
    void sort(std::vector<Row>& rows, const CountRows& costs, std::uint32_t Row::*cost,
              std::uint32_t Row::*name) const;

    std::string& out() { return text_; }
    /// Hands on what is written so far: as it is, but nothing that a terminal would obey.
    void flush();

    const ValgrindOptions& options_;
    const ValgrindTable& table_;
    const SourcePlaces& places_;
    Output& output_;
    bool is_terminal_;
    layout::CountColumns columns_;
    SortOrder order_;
    CountRows inclusive_;
    const CountRows* costs_ = nullptr;            ///< what the list shows
    std::vector<std::uint32_t> all_rows_, rows_;  ///< in their order; those listed
    CountRows annotated_;                         ///< one row
    bool is_any_annotated_ = false;
    std::string text_;
};

void ValgrindReport::flush() {
    for (auto rest = std::string_view(text_).substr(is_terminal_ ? 0 : text_.size()); !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        output_.text() += engine::display_line(rest.substr(0, end));
        if (end < rest.size()) output_.text() += '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!is_terminal_) output_.text() += text_;
    text_.clear();
    output_.flush_some();
}

// --- what is shown ----------------------------------------------------------------------------------------

std::optional<std::size_t> ValgrindReport::event_named(const std::string& name, std::string_view option,
                                                       const Console& console) const {
    const auto events = table_.events();
    const auto known = std::find(events.begin(), events.end(), name);
    if (known != events.end()) return static_cast<std::size_t>(known - events.begin());
    console.say(Severity::error,
                fmt::format("{}: the profile has no event '{}'", option, engine::display_name(name)),
                fmt::format("available: {}", fmt::join(events, ", ")));
    return std::nullopt;
}

bool ValgrindReport::choose_events(const Console& console) {
    columns_.events.reserve(table_.events().size());
    for (std::size_t event = 0; options_.show.empty() && event < table_.events().size(); ++event)
        columns_.events.push_back(event);
    for (const auto& name : options_.show) {
        const auto event = event_named(name, "--show", console);
        if (!event) return false;
        columns_.events.push_back(*event);
    }
    columns_.names.reserve(columns_.events.size());
    for (const auto event : columns_.events) columns_.names.push_back(table_.events()[event]);
    columns_.totals = table_.totals();
    columns_.percentages = options_.percentages;

    bool has_own_thresholds = false;
    for (const auto& key : options_.sort) {
        const auto event = event_named(key.event, "--sort", console);
        if (!event) return false;
        order_.events.push_back(*event);
        order_.thresholds.push_back(key.threshold.empty() ? "0" : key.threshold);
        has_own_thresholds = has_own_thresholds || !key.threshold.empty();
    }
    for (std::size_t event = 0; options_.sort.empty() && event < table_.events().size(); ++event)
        order_.events.push_back(event);
    order_.thresholds.resize(order_.events.size(), "0");
    if (has_own_thresholds || order_.events.empty()) return true;
    constexpr double everything = 100;
    order_.thresholds.front() = options_.threshold;
    order_.is_everything = order_.threshold(0) >= everything;
    return true;
}

int ValgrindReport::compare(const layout::Counts& a, const layout::Counts& b) const {
    const auto value = [](const layout::Counts& counts, std::size_t event) {
        return counts.has(event) ? counts[event] : Cost(-1);
    };
    for (const auto event : order_.events) {
        if (value(a, event) != value(b, event)) return value(a, event) > value(b, event) ? -1 : 1;
    }
    return 0;
}

template <class Row>
void ValgrindReport::sort(std::vector<Row>& rows, const CountRows& costs, std::uint32_t Row::*cost,
                          std::uint32_t Row::*name) const {
    std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
        const auto order = compare(costs[a.*cost], costs[b.*cost]);
        return order != 0 ? order < 0 : table_.name_less(a.*name, b.*name);
    });
}

void ValgrindReport::choose_rows() {
    if (options_.inclusive) inclusive_ = inclusive_costs(table_);
    costs_ = options_.inclusive ? &inclusive_ : &table_.self();
    for (std::uint32_t row = 0; row < table_.rows().size(); ++row) {
        if (options_.inclusive || !table_.rows()[row].is_only_called) all_rows_.push_back(row);
    }
    std::sort(all_rows_.begin(), all_rows_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto order = compare((*costs_)[a], (*costs_)[b]);
        return order != 0 ? order < 0 : table_.name_less(a, b);
    });
    rows_ = all_rows_;
    if (order_.is_everything) return;

    // Of inclusive costs, what the last function leaves of the total counts as reached.
    std::vector<double> reached(order_.events.size());
    const auto total = [&](std::size_t key) {
        return static_cast<double>(columns_.totals[order_.events[key]]);
    };
    const auto is_enough = [&] {
        for (std::size_t key = 0; key < reached.size(); ++key) {
            const double share = reached[key] * 100 / (total(key) == 0 ? 1 : total(key));
            if (share < order_.threshold(key)) return false;
        }
        return true;
    };
    std::size_t listed = 0;
    for (; listed < all_rows_.size() && !is_enough(); ++listed) {
        for (std::size_t key = 0; key < reached.size(); ++key) {
            const auto cost = static_cast<double>((*costs_)[all_rows_[listed]][order_.events[key]]);
            reached[key] = options_.inclusive ? total(key) - cost : reached[key] + cost;
        }
    }
    rows_.resize(listed);
}

// --- the head and the functions ---------------------------------------------------------------------------

void ValgrindReport::write_facts(const std::string& profile) {
    const auto& header = table_.header();
    const auto creator = header.creator ? fmt::format(" (creator: {})", *header.creator) : std::string();
    layout::write_section(out(), fmt::format("Profile data file '{}'{}", profile, creator));
    for (const auto& description : header.descriptions) out() += description + '\n';

    auto target = header.command.empty() ? std::string("(unknown)") : header.command;
    if (!header.pid.empty()) {
        target += " (PID " + header.pid;
        if (!header.part.empty()) target += ", part " + header.part;
        if (!header.thread.empty()) target += ", thread " + header.thread;
        target += ")";
    }
    std::vector<std::string> sort_names;
    sort_names.reserve(order_.events.size());
    for (const auto event : order_.events) sort_names.push_back(table_.events()[event]);
    const auto write_words = [&](std::string_view label, const auto& words) {
        layout::write_fact(out(), label, std::vector{fmt::format("{}", fmt::join(words, " "))});
    };
    write_words("Profiled target:", std::vector{target});
    write_words("Events recorded:", table_.events());
    write_words("Events shown:", columns_.names);
    write_words("Event sort order:", sort_names);
    write_words("Thresholds:", order_.thresholds);
    layout::write_fact(out(), "Include dirs:", options_.include_directories);
    layout::write_fact(out(), "User annotated:", options_.sources);
    write_words("Auto-annotation:", std::vector{options_.annotate_all ? "on" : "off"});
    out() += '\n';
}

void ValgrindReport::write_call_list(const layout::CountTable& table, const std::vector<std::uint32_t>& arcs,
                                     bool callers) {
    struct Call {
        std::uint32_t costs, row;
        CallCount count;
    };
    std::map<std::uint32_t, Call> calls;  // by the other row
    CountRows costs;
    for (const auto arc : arcs) {
        const auto& ends = table_.arcs()[arc];
        const auto row = callers ? ends.caller : ends.callee;
        const auto [call, is_new] = calls.try_emplace(row, Call{0, row, {}});
        if (is_new) call->second.costs = costs.add_row();
        call->second.count.add(ends.count);
        costs.add(call->second.costs, table_.arc_costs()[arc]);
    }
    std::vector<Call> sorted;
    sorted.reserve(calls.size());
    for (const auto& [row, call] : calls) sorted.push_back(call);
    sort(sorted, costs, &Call::costs, &Call::row);
    for (const auto& call : sorted) {
        table.write_counts(out(), costs[call.costs]);
        const auto object = table_.rows()[call.row].is_home ? " [" + table_.object(call.row) + "]" : "";
        out() += fmt::format(" {} {} ({}x){}\n", callers ? "<" : ">  ", table_.name(call.row),
                             engine::calls(call.count, {.separators = true}), object);
    }
}

void ValgrindReport::write_functions() {
    layout::CountTable table(columns_);
    for (const auto row : all_rows_) table.measure((*costs_)[row]);
    layout::write_rule(out());
    table.write_header(out(), "file:function");
    layout::write_rule(out());

    const bool has_callers = options_.tree == CallTree::callers || options_.tree == CallTree::both;
    const bool has_callees = options_.tree == CallTree::callees || options_.tree == CallTree::both;
    std::vector<std::vector<std::uint32_t>> arcs_in(has_callers ? table_.rows().size() : 0);
    std::vector<std::vector<std::uint32_t>> arcs_out(has_callees ? table_.rows().size() : 0);
    for (std::uint32_t arc = 0; arc < table_.arcs().size(); ++arc) {
        if (has_callers) arcs_in[table_.arcs()[arc].callee].push_back(arc);
        if (has_callees) arcs_out[table_.arcs()[arc].caller].push_back(arc);
    }
    const bool is_tree = has_callers || has_callees;
    for (const auto row : rows_) {
        if (is_tree) out() += '\n';
        if (has_callers) write_call_list(table, arcs_in[row], true);
        table.write_counts(out(), (*costs_)[row]);
        const auto object = table_.rows()[row].is_home ? table_.object(row) : std::string();
        out() += fmt::format(" {}{}{}\n", is_tree ? "*  " : "", table_.name(row),
                             object.empty() ? object : " [" + object + "]");
        if (has_callees) write_call_list(table, arcs_out[row], false);
        flush();
    }
    out() += '\n';
}

// --- the sources ------------------------------------------------------------------------------------------

std::vector<layout::ListedLine> ValgrindReport::lines_of(const ValgrindFile& file) {
    std::map<std::uint64_t, std::vector<ValgrindFile::Call>> calls;
    for (const auto& call : file.calls) calls[call.line].push_back(call);
    std::map<std::uint64_t, layout::ListedLine> lines;
    for (const auto& [number, costs] : file.lines)
        lines[number] = {
            .number = number, .has_costs = true, .costs = table_.line_costs()[costs], .calls = {}};
    for (auto& [number, of_line] : calls) {
        auto& line = lines[number];
        line.number = number;
        sort(of_line, table_.call_costs(), &ValgrindFile::Call::costs, &ValgrindFile::Call::callee);
        for (const auto& call : of_line) {
            const auto count = engine::calls(call.count, {.separators = true});
            line.calls.push_back({table_.call_costs()[call.costs],
                                  fmt::format("=> {} ({}x)", table_.name(call.callee), count)});
        }
    }
    std::vector<layout::ListedLine> result;
    result.reserve(lines.size());
    for (auto& [number, line] : lines) result.push_back(std::move(line));
    return result;
}

void ValgrindReport::write_source(const std::string& name, std::string_view kind,
                                  const std::string& profile) {
    const auto place = places_.find(name);
    if (!place) return;
    const auto source = load_source(place->path(), UINT32_MAX);
    const auto& files = table_.files();
    const auto file =
        std::find_if(files.begin(), files.end(), [&](const auto& known) { return known.name == name; });
    layout::write_section(out(), fmt::format("-- {}-annotated source: {}", kind, place->title()));
    if (file == files.end() || (file->lines.empty() && file->calls.empty()) || !source) {
        out() += fmt::format("  No information has been collected for {}\n\n", name);
        return;
    }
    is_any_annotated_ = true;
    const auto profile_time = modification_time(profile);
    const auto seconds = [](FileTime time) { return std::chrono::floor<std::chrono::seconds>(time); };
    const bool is_newer = profile_time && seconds(source->modified()) > seconds(*profile_time);
    if (is_newer) layout::write_newer_warning(out(), place->path(), profile);

    const auto lines = lines_of(*file);
    layout::write_source(out(), columns_, lines, source->text(),
                         {.name = name, .is_newer = is_newer, .context = options_.context});
    for (const auto& line : lines) {
        if (line.has_costs && line.number > 0 && line.number <= source->line_count())
            annotated_.add(0, line.costs);
    }
    flush();
}

void ValgrindReport::write_sources(const std::string& profile) {
    (void)annotated_.add_row();
    for (const auto& name : options_.sources) write_source(name, "User", profile);

    std::set<std::string> chosen;  // by name
    for (const auto row : options_.annotate_all ? rows_ : std::vector<std::uint32_t>())
        chosen.insert(table_.files()[table_.rows()[row].file].name);
    chosen.erase("???");
    for (const auto& name : options_.sources) chosen.erase(name);
    std::vector<std::string> missing;
    for (const auto& name : chosen) {
        if (places_.find(name)) {
            write_source(name, "Auto", profile);
        } else {
            missing.push_back(name);
        }
    }
    if (!missing.empty()) {
        layout::write_section(out(), "The following files chosen for auto-annotation could not be found:");
        for (const auto& name : missing) out() += "  " + name + '\n';
        out() += '\n';
    }
    if (is_any_annotated_) layout::write_total(out(), columns_, annotated_[0], "events annotated");
}

void ValgrindReport::write(const std::string& profile) {
    write_facts(profile);
    layout::write_total(out(), columns_, columns_.totals,
                        table_.totals_are_calculated() ? "PROGRAM TOTALS (calculated)" : "PROGRAM TOTALS");
    write_functions();
    write_sources(profile);
    flush();
}

/// What the reader had to say, in one line.
void report_diagnostics(const ParseResult& result, const std::string& profile, const Console& console) {
    std::array<std::uint64_t, 3> counts{};  // by Severity
    for (const auto& diagnostic : result.diagnostics)
        counts.at(static_cast<std::size_t>(kind_of(diagnostic.id).severity)) += diagnostic.count;
    if (console.quiet || counts[1] + counts[2] == 0) return;
    console.say(counts[2] > 0 ? Severity::warning : Severity::note,
                fmt::format("{} in {}; 'callcost info' lists them",
                            engine::severity_counts(counts[2], counts[1], counts[0], console.err),
                            engine::display_name(profile)));
}

}  // namespace

int run_valgrind_annotate(const ValgrindOptions& asked, const Console& console) {
    std::error_code ignored;
    const bool is_searched = asked.profile.empty() || std::filesystem::is_directory(asked.profile, ignored);
    const auto newest =
        is_searched ? newest_profile(asked.profile, Recorder::valgrind) : std::optional(asked.profile);
    if (!newest && !asked.profile.empty()) {
        console.say(Severity::error, fmt::format("no callgrind.out.* or cachegrind.out.* in '{}'",
                                                 engine::display_name(asked.profile)));
        return status(Exit::error);
    }
    if (!newest) {
        console.say(Severity::error,
                    "no profile given, and no callgrind.out.* or cachegrind.out.* in this directory");
        return status(Exit::usage);
    }
    const auto& profile = *newest;
    const SourcePlaces places(asked);
    for (const auto& name : asked.sources) {
        if (places.find(name)) continue;
        console.say(Severity::error,
                    fmt::format("there is no source file '{}' here or in the include directories",
                                engine::display_name(name)));
        return status(Exit::error);
    }

    const auto source = open_source(profile, {.force = asked.force});
    if (!source) {
        report(console, {profile, source.error(), {}});
        return status(Exit::error);
    }
    std::error_code no_directory;
    ValgrindTable table(*source, {.longest_line = asked.longest_line},
                        std::filesystem::current_path(no_directory).string(),
                        [&](const std::string& name) { return places.are_lines_wanted(name); });
    const auto result = table.read();
    if (!result) {
        report(console, {profile, result.error(), {}});
        return status(Exit::error);
    }

    Output output(console);
    ValgrindReport shown(asked, table, places, output, console.out_is_terminal);
    if (!shown.choose_events(console)) return status(Exit::usage);
    shown.choose_rows();
    if (asked.profile.empty()) output.text() += fmt::format("Reading data from '{}'...\n", profile);
    shown.write(profile);
    if (!output.finish()) return status(Exit::error);
    report_diagnostics(*result, profile, console);
    return status(Exit::ok);
}

}  // namespace callcost::program
