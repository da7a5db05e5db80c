#include "sources/file_index.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <utility>

#include <sys/stat.h>

#include "input/directory_entries.hpp"

namespace callcost::program {

namespace {

constexpr std::array<std::string_view, 3> never_entered{".git", ".hg", ".svn"};

/// Whether the directory is seen for the first time. They may be given twice, or one inside the other.
bool is_new(const std::string& directory, std::set<std::pair<dev_t, ino_t>>& seen) {
    struct stat facts {};
    return ::stat(directory.c_str(), &facts) == 0 && seen.emplace(facts.st_dev, facts.st_ino).second;
}

/// How many components two paths share, counted from the last.
std::size_t shared_end(std::string_view path, const std::vector<std::string_view>& components) {
    std::size_t shared = 0;
    for (auto component = components.rbegin(); component != components.rend(); ++component, ++shared) {
        const std::size_t slash = path.rfind('/');
        const std::size_t start = slash == std::string_view::npos ? 0 : slash + 1;
        if (path.substr(start) != *component) break;
        path = path.substr(0, start == 0 ? 0 : start - 1);
    }
    return shared;
}

struct Listing {
    std::vector<std::string> files;
    std::vector<std::string> directories;
    std::size_t entries = 0;
};

/// The names in a directory, sorted. Stops after `max_entries`.
Listing list(const std::string& directory, std::size_t max_entries) {
    Listing listing;
    for_each_entry(directory, [&](std::string name, FileKind kind) {
        if (kind == FileKind::file) {
            listing.files.push_back(std::move(name));
        } else if (kind == FileKind::directory &&
                   std::find(never_entered.begin(), never_entered.end(), name) == never_entered.end()) {
            listing.directories.push_back(std::move(name));
        }
        return ++listing.entries < max_entries;
    });
    std::sort(listing.files.begin(), listing.files.end());
    std::sort(listing.directories.begin(), listing.directories.end());
    return listing;
}

}  // namespace

FileIndex::FileIndex(const std::vector<std::string>& directories, std::size_t max_entries) {
    std::deque<std::string> waiting(directories.begin(), directories.end());
    std::set<std::pair<dev_t, ino_t>> seen;
    while (!waiting.empty()) {
        const std::string directory = waiting.front().empty() ? "." : std::move(waiting.front());
        waiting.pop_front();
        if (!is_new(directory, seen)) continue;
        Listing listing = list(directory, max_entries);
        max_entries -= listing.entries;
        for (std::string& file : listing.files) {
            std::string path = join_path(directory, file);
            paths_by_name_[std::move(file)].push_back(std::move(path));
        }
        for (const std::string& name : listing.directories) waiting.push_back(join_path(directory, name));
        if (max_entries == 0) {
            is_complete_ = false;
            return;
        }
    }
}

std::vector<std::string> FileIndex::best_matches(const std::vector<std::string_view>& components) const {
    std::vector<std::string> best;
    std::size_t most_shared = 0;
    const auto found =
        components.empty() ? paths_by_name_.end() : paths_by_name_.find(std::string(components.back()));
    if (found == paths_by_name_.end()) return best;
    for (const std::string& path : found->second) {
        const std::size_t shared = shared_end(path, components);
        if (shared > most_shared) best.clear();
        if (shared >= most_shared) best.push_back(path);
        most_shared = std::max(most_shared, shared);
    }
    return best;
}

std::string join_path(std::string_view directory, std::string_view name) {
    std::string path;
    if (!directory.empty() && directory != ".") path = directory;
    if (!path.empty() && !path.ends_with('/')) path += '/';
    return path.append(name);
}

}  // namespace callcost::program
