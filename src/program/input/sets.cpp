#include "input/sets.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "input/directory_entries.hpp"

namespace callcost::program {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> default_names{"callgrind.out", "cachegrind.out", "cprofile.out",
                                                        "xdebug.out",    "cpuprofile.out", "ruby-prof.out",
                                                        "nytprof.out",   "perf.out"};
constexpr std::size_t valgrind_names = 2;  // the first

/// The part and thread that a name stands for. 0 is none; no part sorts as the last one.
struct SetPlace {
    std::uint64_t part = 0;
    std::uint64_t thread = 0;

    /// Ascending in the order in which the run wrote them.
    [[nodiscard]] auto order() const { return std::tuple(part - 1, thread); }
};

/// BASE, split at what varies between the files of a set.
struct Base {
    std::string_view directory;  // with its slash
    std::string_view stem;
    std::string_view suffix;  // of the compression
};

Base split(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    const std::size_t start = slash == std::string_view::npos ? 0 : slash + 1;
    Base base{path.substr(0, start), path.substr(start), {}};
    base.suffix = compression_suffix(base.stem);
    base.stem.remove_suffix(base.suffix.size());
    return base;
}

/// Takes the number at the front of `text`, spelled as printf("%0*d", width) does it; 0 if there is none.
std::uint64_t take_number(std::string_view& text, std::size_t width) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const auto digits = static_cast<std::size_t>(stop - text.data());
    if (error != std::errc() || digits < width || (digits > width && text.front() == '0')) return 0;
    text.remove_prefix(digits);
    return number;
}

/// What `name` is to the base: {0, 0} if it is the base itself, nothing if it does not belong to it.
std::optional<SetPlace> place_of(std::string_view name, const Base& base) {
    if (name.size() < base.stem.size() + base.suffix.size()) return std::nullopt;
    if (!name.starts_with(base.stem) || !name.ends_with(base.suffix)) return std::nullopt;
    name.remove_prefix(base.stem.size());
    name.remove_suffix(base.suffix.size());
    SetPlace place;
    if (name.starts_with('.')) {
        name.remove_prefix(1);
        place.part = take_number(name, 1);
        if (place.part == 0) return std::nullopt;
    }
    if (name.starts_with('-')) {
        name.remove_prefix(1);
        place.thread = take_number(name, 2);
        if (place.thread == 0) return std::nullopt;
    }
    if (!name.empty()) return std::nullopt;
    return place;
}

/// Removes the numbered parts after the first gap: they are the process ids of other runs.
void drop_process_ids(std::vector<std::pair<SetPlace, std::string>>& sorted) {
    std::uint64_t last = 0;
    const auto is_process_id = [&](const auto& entry) {
        const std::uint64_t part = entry.first.part;
        if (part > last + 1) return true;
        last = std::max(last, part);
        return false;
    };
    sorted.erase(std::remove_if(sorted.begin(), sorted.end(), is_process_id), sorted.end());
}

/// Calls `visit(name)` for the regular files of a directory, also those behind links.
template <class Visit>
void for_each_file(std::string_view directory, Visit visit) {
    for_each_entry(std::string(directory), [&](const std::string& name, FileKind kind) {
        if (kind == FileKind::file) visit(name);
        return true;
    });
}

/// What editors and those who save a report beside the profile put behind its name, packed or not.
bool is_no_profile(std::string_view name) {
    name.remove_suffix(compression_suffix(name).size());
    constexpr std::array<std::string_view, 16> endings{
        "~",    ".txt", ".html", ".json", ".csv", ".tsv",    ".svg",   ".png",
        ".dot", ".bak", ".swp",  ".md",   ".pb",  ".folded", ".pprof", ".perf-map"};
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_default_name(std::string_view name, Recorder recorder) {
    if (is_no_profile(name)) return false;
    const auto names = std::span(default_names)
                           .first(recorder == Recorder::valgrind ? valgrind_names : default_names.size());
    return std::any_of(names.begin(), names.end(), [&](std::string_view known) {
        return name.starts_with(known) && (name.size() == known.size() || name[known.size()] == '.');
    });
}

bool is_empty_file(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && fs::file_size(path, error) == 0 && !error;
}

}  // namespace

std::string_view compression_suffix(std::string_view name) {
    for (const std::string_view suffix : {".gz", ".bz2", ".xz", ".zst"})
        if (name.size() > suffix.size() && name.ends_with(suffix)) return suffix;
    return {};
}

std::string base_of(const std::string& path) {
    const Base name = split(path);
    std::string_view stem = name.stem;
    const auto drop_number = [&stem](char before, std::size_t width) {
        const std::size_t at = stem.find_last_not_of("0123456789");
        if (at == std::string_view::npos || at == 0 || stem[at] != before) return false;
        std::string_view number = stem.substr(at + 1);
        if (take_number(number, width) == 0) return false;
        stem = stem.substr(0, at);
        return true;
    };
    const bool is_thread = drop_number('-', 2);
    // The last number of callgrind.out.7 is the process; other names end in a number for many reasons.
    const std::string_view with_part = stem;
    const bool is_part = drop_number('.', 1) &&
                         std::any_of(default_names.begin(), default_names.end(), [&](std::string_view known) {
                             return stem.starts_with(known) && stem.size() > known.size();
                         });
    if (!is_part) stem = with_part;
    if (!is_thread && !is_part) return path;
    return std::string(name.directory).append(stem).append(name.suffix);
}

const std::vector<std::string>& FileSets::names_in(std::string_view directory) {
    const auto known = names_.find(directory);
    if (known != names_.end()) return known->second;
    auto& names = names_[std::string(directory)];
    for_each_file(directory, [&](const std::string& name) { names.push_back(name); });
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> FileSets::other_parts(const std::string& base) {
    const Base wanted = split(base);
    if (wanted.stem.empty()) return {};  // a directory
    std::vector<std::pair<SetPlace, std::string>> found;
    const auto& names = names_in(wanted.directory);
    for (const std::string_view separator : {"-", "."}) {  // it stands before the number in what is wanted
        const auto start = std::string(wanted.stem).append(separator);
        for (auto name = std::lower_bound(names.begin(), names.end(), start);
             name != names.end() && name->starts_with(start); ++name) {
            if (const auto place = place_of(*name, wanted); place && (place->part != 0 || place->thread != 0))
                found.emplace_back(*place, *name);
        }
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.first.order() < b.first.order(); });
    if (std::find(default_names.begin(), default_names.end(), wanted.stem) != default_names.end())
        drop_process_ids(found);

    std::vector<std::string> paths;
    paths.reserve(found.size());
    for (const auto& [place, name] : found) paths.push_back(std::string(wanted.directory) + name);
    return paths;
}

std::vector<std::string> FileSets::with_other_parts(const std::string& base) {
    std::vector<std::string> paths = other_parts(base);
    std::error_code error;
    if (!paths.empty() && (is_empty_file(base) || !fs::exists(base, error))) return paths;
    // The base belongs before the threads of the last part, which have no .N.
    const Base wanted = split(base);
    const auto is_of_last_part = [&](const std::string& path) {
        const auto place = place_of(std::string_view(path).substr(wanted.directory.size()), wanted);
        return place && place->part == 0;
    };
    paths.insert(std::find_if(paths.begin(), paths.end(), is_of_last_part), base);
    return paths;
}

std::optional<std::string> newest_profile(const std::string& directory, Recorder recorder) {
    struct Candidate {
        bool has_bytes = false;
        fs::file_time_type written;
        std::string name;
    };
    std::optional<Candidate> best;
    for_each_file(directory, [&](const std::string& name) {
        if (!is_default_name(name, recorder)) return;
        const auto path = fs::path(directory) / name;
        std::error_code no_size;
        std::error_code no_time;
        Candidate candidate{fs::file_size(path, no_size) > 0, fs::last_write_time(path, no_time), name};
        if (no_size || no_time) return;  // gone since
        const auto newer = [](const Candidate& a, const Candidate& b) {
            if (a.has_bytes != b.has_bytes) return a.has_bytes;
            return a.written != b.written ? a.written > b.written : a.name < b.name;
        };
        if (!best || newer(candidate, *best)) best = std::move(candidate);
    });
    if (!best) return std::nullopt;
    if (directory.empty() || directory == ".") return best->name;
    return directory + (directory.ends_with('/') ? "" : "/") + best->name;
}

}  // namespace callcost::program
