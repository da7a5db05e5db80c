#include "commands/history_add.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>

#include "comparison/setting.hpp"
#include "history/entry_costs.hpp"
#include "history/entry_name.hpp"
#include "history/entry_origin.hpp"
#include "history/packed_profile.hpp"
#include "history_reports/entry_lists.hpp"
#include "loading/run_files.hpp"
#include "sources/recorded_path.hpp"
#include "sources/source_text.hpp"
#include "terminal/status_line.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/system_files.hpp"
#include <callcost/writer.hpp>

namespace callcost::program {
namespace {

using engine::display_name;

Exit refuse(const Console& console, const StoreProblem& problem) {
    say(console, problem);
    return Exit::error;
}

std::string first_text(const Profile& profile, std::string_view Part::*text) {
    for (const Part& part : profile.parts())
        if (!(part.*text).empty()) return std::string(part.*text);
    return {};
}

/// When the profile was written; now, if that is not known.
std::int64_t time_of(const Profile& profile) {
    namespace chrono = std::chrono;
    const auto written = profile_time(profile);
    const auto time = written ? written->time_since_epoch() : chrono::system_clock::now().time_since_epoch();
    return chrono::duration_cast<chrono::seconds>(time).count();
}

class Adding {
  public:
    Adding(const InputOptions& input, const EntryOptions& options, const Console& console)
        : input_(input), options_(options), console_(console) {}

    Exit run(AddedAs how) {
        const auto sets = how == AddedAs::one_entry ? std::vector<std::vector<std::string>>(1, input_.files)
                                                    : file_sets(input_, console_);
        if (sets.empty()) return Exit::error;
        auto store = open_store(input_.store, StoreUse::write);
        if (!store) return refuse(console_, store.error());
        auto origin = find_origin(options_.commit);
        if (!origin) return refuse(console_, origin.error());
        origin_ = *std::move(origin);
        StatusLine status(console_);
        auto exit = Exit::ok;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            if (sets.size() > 1) status.show(fmt::format("adding {} of {}", i + 1, sets.size()));
            if (add(**store, sets[i], status) != Exit::ok) exit = Exit::error;
        }
        status.erase();
        say_sum(sets.size());
        return exit;
    }

  private:
    Exit add(Store& store, const std::vector<std::string>& files, StatusLine& status) {
        auto& entry = entry_;
        entry.facts = {};
        entry.profile.clear();  // but keeps its memory
        entry.functions.clear();
        entry.costs.clear();
        bool is_too_large = false;
        auto input = input_;
        input.files = files;
        input.with_parts = false;
        // Of several files, or with names of a map, the whole text is written anew, with all that they say.
        const bool is_as_read = files.size() == 1 && input.perf_map.empty();
        if (is_as_read)
            input.on_bytes = [&](std::string_view bytes) {
                is_too_large = is_too_large || entry.profile.size() + bytes.size() > largest_stored_profile;
                if (!is_too_large) entry.profile += bytes;
            };
        const auto prepared = prepare(input, {}, console_, is_as_read ? Detail::functions : Detail::full);
        if (!prepared) return prepared.error();
        status.erase();
        const auto name = display_name(files.front());
        if (prepared->exit != Exit::ok) return prepared->exit;
        if (const auto why = damage(*prepared); !why.empty() && !input_.force)
            return refuse(console_, {fmt::format("not added: {}", why), "--force adds it anyway"});
        if (!is_as_read) {
            const auto written = write_profile(prepared->profile(), to_memory(entry.profile),
                                               {.dialect = FileDialect::compact});
            if (!written) return refuse(console_, {fmt::format("{}: {}", name, written.error().message())});
            is_too_large = entry.profile.size() > largest_stored_profile;
        }
        if (is_too_large)
            return refuse(console_,
                          {fmt::format("{} is larger than {}", name, engine::bytes(largest_stored_profile)),
                           "'callcost filter' makes it smaller"});
        if (!options_.program.empty()) say_if_of_other_sources(prepared->profile());
        set_facts(entry.facts, prepared->profile());
        if (!is_series_name(entry.facts.series))
            return refuse(console_,
                          {entry.facts.series.empty()
                               ? fmt::format("{} does not say which program it is of", name)
                               : fmt::format("'{}' cannot name a series: it has an @ or a control character",
                                             display_name(entry.facts.series)),
                           "--series gives the name"});
        if (const auto why = difference_of_units(store, entry.facts.series, prepared->profile());
            !why.empty())
            return refuse(console_, {fmt::format("{} is not added: {}", name, why),
                                     "--series names another series for it"});
        take_costs(prepared->graph, entry);
        if (entry.costs.empty())
            return refuse(console_, {fmt::format("not added: {} has no event type that adds up", name)});
        const auto addition = store.add(entry, options_.replace);
        if (!addition) return refuse(console_, addition.error());
        count(*addition, entry.facts, name);
        return Exit::ok;
    }

    /// `Time is in ns in series 'app' and in us in this profile`; empty if it is not known to be so.
    std::string difference_of_units(Store& store, const std::string& series, const Profile& added) {
        const auto events = added.events();
        if (std::all_of(events.begin(), events.end(), [](const auto& event) { return event.unit.empty(); }))
            return {};
        const auto place = fmt::format("series '{}'", display_name(series));
        const auto [known, is_new] = units_.try_emplace(series);
        if (is_new) add_units_of_newest(store, series, place, known->second);
        auto with_added = known->second;
        with_added.add("this profile", events);
        if (with_added.difference().empty()) known->second.add(place, events);
        return with_added.difference();
    }

    void add_units_of_newest(Store& store, const std::string& series, const std::string& place,
                             EventUnits& units) const {
        const auto entries = store.entries(series);
        if (!entries || entries->empty()) return;
        InputOptions input;
        input.files = {exact_name(entries->back())};
        input.store = input_.store;
        auto quiet = console_;
        quiet.quiet = true;
        const auto newest = prepare(input, {}, quiet, Detail::functions);
        if (newest) units.add(place, newest->profile().events());
    }

    /// What speaks against it that the program is that of the commit.
    void say_if_of_other_sources(const Profile& profile) const {
        if (!origin_.checked_out.empty() && origin_.commit != origin_.checked_out)
            console_.say(Severity::warning, fmt::format("the entry is of commit {}, but {} is checked out",
                                                        display_name(origin_.commit.substr(0, 12)),
                                                        origin_.checked_out.substr(0, 12)));
        const auto built = modification_time(options_.program);
        std::vector<std::string> newer;
        for (std::size_t row = 0; built && row < profile.file_count(); ++row) {
            auto path = path_of_name(profile.name(FileId(row)));
            if (engine::is_system_file(path)) continue;
            const auto changed = modification_time(path);
            if (changed && *changed > *built) newer.push_back(std::move(path));
        }
        if (newer.empty()) return;
        const auto files =
            newer.size() == 1 ? std::string() : fmt::format("{} source files, such as ", newer.size());
        console_.say(Severity::warning,
                     fmt::format("the program is older than {}{}: it may not be that of the commit", files,
                                 display_name(newer.front())),
                     "build it and run again; --replace stores the new profile");
    }

    void set_facts(EntryFacts& facts, const Profile& profile) const {
        facts.command = first_text(profile, &Part::command);
        facts.creator = first_text(profile, &Part::creator);
        facts.series = options_.series;
        // What some producers write would make one series of different programs.
        if (facts.series.empty() && facts.command != "unknown") facts.series = default_series(facts.command);
        facts.commit = origin_.commit;
        facts.parents = origin_.parents;
        facts.branch = options_.branch.empty() ? origin_.branch : options_.branch;
        facts.machine = options_.machine.empty() ? origin_.machine : options_.machine;
        facts.time = options_.time ? *options_.time : origin_.time ? *origin_.time : time_of(profile);
        facts.tags = options_.tags;
        facts.is_modified = origin_.is_modified;
    }

    void count(Addition addition, const EntryFacts& facts, const std::string& name) {
        ++counts_[addition];
        series_.insert(facts.series);
        if (addition == Addition::differing)
            console_.say(Severity::warning,
                         fmt::format("{} is not added: series '{}' has another profile of {}", name,
                                     display_name(facts.series),
                                     facts.commit.empty() ? "that time" : "commit " + entry_label(facts)),
                         "--replace stores this one instead; --tag KEY=VALUE keeps both");
    }

    void say_sum(std::size_t files) const {
        std::string text;
        const auto add = [&](Addition addition, std::string_view word) {
            const auto found = counts_.find(addition);
            if (found == counts_.end()) return;
            if (!text.empty()) text += ", ";
            text += files == 1 ? std::string(word) : fmt::format("{} {}", found->second, word);
        };
        add(Addition::added, "added");
        add(Addition::replaced, "replaced");
        add(Addition::present, "there already");
        if (text.empty()) return;
        const auto where = series_.size() == 1 ? fmt::format("series '{}'", display_name(*series_.begin()))
                                               : fmt::format("{} series", series_.size());
        console_.say(Severity::note, fmt::format("{}: {} of {}", text, where, store_name(input_.store)));
    }

    const InputOptions& input_;
    const EntryOptions& options_;
    const Console& console_;
    EntryOrigin origin_;
    NewEntry entry_;
    std::map<std::string, EventUnits> units_;  // by series
    std::map<Addition, std::size_t> counts_;
    std::set<std::string> series_;
};

}  // namespace

std::string default_series(std::string_view command) {
    command = command.substr(0, command.find(' '));
    return std::string(command.substr(command.rfind('/') + 1));
}

void add_tag(const std::string& text, std::map<std::string, std::string>& tags) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UsageError(fmt::format("--tag: '{}' is no KEY=VALUE", text), "such as --tag size=big");
    tags.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
}

void take_time(std::string_view option, const std::string& text, std::optional<std::int64_t>& time) {
    if (text.empty()) return;
    time = seconds_of(text);
    if (!time)
        throw UsageError(fmt::format("{}: '{}' is no time", option, text),
                         "such as 2026-11-25, 2026-11-25T06:00:00Z or @1764050400");
}

void declare_entry(CommandLine& line, EntryOptions& options) {
    line.value("--series", "NAME", "add: name of the series (default: the program that was profiled)",
               options.series);
    line.value("--commit", "ID",
               "add: commit that was measured (default: that of the CI job, or the one checked out)",
               options.commit);
    line.value("--machine", "NAME", "add: machine it was measured on (default: this one)", options.machine);
    line.value("--time", "TIME",
               "add: when it was made, such as 2026-11-25T06:00:00Z (default: of the commit)",
               [&options](const std::string& text) { take_time("--time", text, options.time); });
    line.flag("--replace", "add: replace another profile of the same commit, machine and tags",
              options.replace);
}

Exit add_to_history(const InputOptions& input, const EntryOptions& options, const Console& console,
                    AddedAs how) {
    return Adding(input, options, console).run(how);
}

}  // namespace callcost::program
