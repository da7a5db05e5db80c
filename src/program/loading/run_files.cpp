#include "loading/run_files.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "input/sets.hpp"
#include "loading/run_identity.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

using Names = std::unordered_set<std::string>;

Names names_of(const std::vector<std::string>& files) { return {files.begin(), files.end()}; }

std::vector<std::string> without(std::vector<std::string> files, const Names& others) {
    std::erase_if(files, [&](const auto& file) { return others.contains(file); });
    return files;
}

/// The base of the set that a file is from, if more of that set is there; else the file.
std::string run_of(const std::string& file, FileSets& sets) {
    auto base = base_of(file);
    return sets.other_parts(base).empty() ? file : base;
}

/// Takes the files out that say that they are of another run than `file`, whatever their names are (F87).
/// `say` gets each of them and the reason.
template <class Say>
void drop_other_runs(std::vector<std::string>& others, const std::string& file, Say say) {
    if (others.empty()) return;
    auto identity = run_identity(file);
    std::erase_if(others, [&](const std::string& other) {
        if (other == file) return false;
        auto its = run_identity(other);
        const auto reason = difference(its, identity);
        if (!reason.empty()) say(other, reason);
        if (!reason.empty()) return true;
        if (identity.pid.empty()) identity.pid = std::move(its.pid);  // an empty base says nothing
        if (identity.command.empty()) identity.command = std::move(its.command);
        return false;
    });
}

/// The file with the other dumps of its run behind it.
std::vector<std::string> with_parts(const std::string& base, FileSets& sets, const Console& console) {
    auto set = base == "-" ? std::vector{base} : sets.with_other_parts(run_of(base, sets));
    drop_other_runs(set, base, [&](const std::string& other, const std::string& reason) {
        console.say(Severity::warning,
                    fmt::format("{} is not read: it is of another run ({})", in_quotes(other), reason),
                    "name it to read it, too");
    });
    std::error_code ignored;
    if (!set.empty() && std::find(set.begin(), set.end(), base) == set.end() &&
        std::filesystem::exists(base, ignored)) {
        console.say(Severity::note, fmt::format("{} is empty, skipped; its data are in {}", in_quotes(base),
                                                listed_files(set)));
    }
    if (set.empty()) set = {base};
    return set;
}

/// Of a directory; empty: there is none.
std::vector<std::string> newest_run(const std::string& directory, FileSets& sets, const Console& console) {
    const auto newest = newest_profile(directory);
    if (!newest) return {};
    auto files = with_parts(*newest, sets, console);
    const auto* more = files.size() == 1 ? "" : " and the other files of its run";
    console.say(Severity::note,
                fmt::format("reading {}{}, the newest profile in {}", in_quotes(*newest), more,
                            directory.empty() ? "this directory" : in_quotes(directory)));
    return files;
}

}  // namespace

std::vector<std::vector<std::string>> file_sets(const InputOptions& options, const Console& console) {
    std::vector<std::vector<std::string>> chosen;
    FileSets sets;
    if (options.files.empty()) {
        if (auto run = newest_run("", sets, console); !run.empty()) return {std::move(run)};
        console.say(Severity::error,
                    fmt::format("no profile given, and none in this directory ({})", default_profiles),
                    "'callcost record PROGRAM' makes one; 'callcost --help' lists the commands");
        return {};
    }
    Names taken;
    for (const auto& file : options.files) {
        std::error_code ignored;
        std::vector<std::string> set;
        if (std::filesystem::is_directory(file, ignored)) set = newest_run(file, sets, console);
        if (set.empty()) set = options.with_parts ? with_parts(file, sets, console) : std::vector{file};
        if (options.with_parts) {
            set = without(std::move(set), taken);
            taken.insert(set.begin(), set.end());
        }
        if (!set.empty()) chosen.push_back(std::move(set));
    }
    return chosen;
}

std::vector<std::string> other_files_of_runs(const std::vector<std::string>& files) {
    std::vector<std::string> others;
    auto known = names_of(files);
    FileSets sets;
    for (const auto& file : files) {
        if (file == "-") continue;
        auto set = without(sets.with_other_parts(run_of(file, sets)), known);
        drop_other_runs(set, file, [](const auto&...) {});
        for (auto& other : set)
            if (known.insert(other).second) others.push_back(std::move(other));
    }
    return others;
}

void point_at_unnamed_parts(const std::vector<std::string>& files, const std::vector<std::string>& failed,
                            const Console& console) {
    if (console.quiet) return;
    FileSets sets;
    Names told;  // runs
    const auto named = names_of(files);
    for (const auto& file : without(files, failed)) {
        if (file == "-") continue;
        const auto run = run_of(file, sets);
        if (!told.insert(run).second) continue;
        auto others = without(run == file ? sets.other_parts(file) : sets.with_other_parts(run), named);
        drop_other_runs(others, file, [](const auto&...) {});
        std::erase_if(others, [&](const auto& other) { return is_empty_base(other, files); });
        if (others.empty()) continue;
        const bool is_one = others.size() == 1;
        console.say(Severity::note,
                    fmt::format("{} beside {} {} not read: {}",
                                engine::counted(others.size(), "more file", console.err), in_quotes(file),
                                is_one ? "is" : "are", listed_files(others)),
                    fmt::format("--with-parts adds {}", is_one ? "it" : "them"));
    }
}

bool is_empty_base(const std::string& file, const std::vector<std::string>& named) {
    std::error_code problem;
    if (file == "-" || std::filesystem::file_size(file, problem) != 0 || problem) return false;
    const auto parts = FileSets().other_parts(file);
    return without(parts, named).size() < parts.size();
}

std::vector<std::string> without(std::vector<std::string> files, const std::vector<std::string>& others) {
    return without(std::move(files), names_of(others));
}

std::string in_quotes(std::string_view path) { return fmt::format("'{}'", engine::display_name(path)); }

std::string listed_files(const std::vector<std::string>& paths) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(paths.size(), most); ++i)
        text += (i > 0 ? ", " : "") + engine::display_name(paths[i]);
    if (paths.size() > most) text += ", ...";
    return text;
}

}  // namespace callcost::program
