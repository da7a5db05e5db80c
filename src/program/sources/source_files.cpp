#include "sources/source_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "input/directory_entries.hpp"
#include "sources/recorded_path.hpp"
#include "text/characters.hpp"

namespace callcost::program {

namespace {

using Found = tl::expected<FoundPath, SourceProblem>;

constexpr std::size_t longest_path = 4096;  // PATH_MAX: no file has a longer one

bool is_separator(char c) { return c == '/' || c == '\\'; }
bool contains(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

/// The components from `first` on as a path.
std::string joined(const PathComponents& components, std::size_t first) {
    std::string path(components[first]);
    for (std::size_t i = first + 1; i < components.size(); ++i) path.append("/").append(components[i]);
    return path;
}

std::string_view without_end_separators(std::string_view path) {
    while (path.size() > 1 && is_separator(path.back())) path.remove_suffix(1);
    return path;
}

/// Why a file is not opened that no expected directory holds: nothing but its name and kind is looked at.
SourceProblem not_opened(const std::string& path, bool ignores_elsewhere) {
    std::error_code problem;
    if (!ignores_elsewhere && std::filesystem::is_regular_file(path, problem))
        return {NoSource::elsewhere, path, {}, {}};
    return {NoSource::missing, path, {}, {}};
}

/// Drops those that are another name of the first.
void drop_links(std::vector<std::string>& paths) {
    const auto is_first = [&](const std::string& path) {
        std::error_code gone;
        return std::filesystem::equivalent(path, paths.front(), gone);
    };
    paths.erase(std::remove_if(paths.begin() + 1, paths.end(), is_first), paths.end());
}

/// What is in a directory, in lower case; nothing if it may not be listed, or is too large.
std::optional<std::unordered_set<std::string>> names_in(const std::string& directory) {
    constexpr std::size_t most = 100'000;
    std::unordered_set<std::string> names;
    bool is_large = false;
    const auto problem = for_each_entry(directory, [&](const std::string& name, FileKind) {
        is_large = names.size() == most;
        if (!is_large) names.insert(engine::lower(name));
        return !is_large;
    });
    if (problem || is_large) return std::nullopt;
    return names;
}

/// File systems may write other characters in several ways, and take `.` and `..`.
bool may_hold(const std::unordered_set<std::string>& names, std::string_view name) {
    const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return !is_plain || name.empty() || name == "." || name == ".." || names.contains(engine::lower(name));
}

}  // namespace

std::optional<PathMapping> parse_path_mapping(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
    return PathMapping{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::string SourceFinder::mapped(std::string_view recorded_name) const {
    std::string name = path_of_name(recorded_name);
    const PathMapping* best = nullptr;
    std::size_t best_size = 0;
    std::string_view best_rest;
    for (const PathMapping& mapping : options_.source_map) {
        const std::string path = path_of_name(mapping.from);
        const std::string_view from = without_end_separators(path);
        const auto rest = rest_below(from, name);
        if (!rest || (best != nullptr && from.size() < best_size)) continue;
        best = &mapping;
        best_size = from.size();
        best_rest = *rest;
    }
    if (best == nullptr) return name;

    std::string rest(best_rest);
    if (is_windows_path(name)) std::replace(rest.begin(), rest.end(), '\\', '/');
    rest.erase(0, std::min(rest.find_first_not_of('/'), rest.size()));
    if (rest.empty()) return best->to;
    return best->to.empty() ? rest : join_path(best->to, rest);
}

/// One search. Where nothing is found, the first problem other than a missing file tells the most.
class SourceFinder::Search {
  public:
    Search(SourceFinder& finder, std::string name, bool is_mapped, const Attempt& use)
        : finder_(finder),
          options_(finder.options_),
          use_(use),
          has_place_(is_mapped || !options_.skips_recorded),
          name_(std::move(name)),
          path_(recorded_path(name_)) {}

    Found run() {
        if (has_place_)
            if (auto found = by_name(); found || is_file_itself(found.error())) return found;
        for (std::size_t first = 0; first < path_.components.size(); ++first)
            for (const std::string& directory : options_.include_dirs)
                if (auto found = by_end(directory, first)) return found;
        const auto& beside = options_.profile_directory;
        if (beside)
            if (auto found = guess(*beside)) return found;
        auto found = anywhere();
        const bool is_done = found || found.error().reason == NoSource::ambiguous ||
                             found.error().reason == NoSource::search_limit;
        const bool is_same = beside && (beside->empty() || *beside == options_.working_directory);
        if (is_done || is_same || options_.skips_recorded) return found;
        if (auto below = guess(options_.working_directory)) return below;
        return found;
    }

  private:
    Found by_name() {
        if (name_.starts_with('/')) return attempt(name_);
        const auto* first = &options_.working_directory;
        const auto* second = options_.profile_directory ? &*options_.profile_directory : nullptr;
        if (options_.is_beside_profile && second != nullptr) std::swap(first, second);
        auto found = attempt(join_path(*first, name_));
        if (found || is_file_itself(found.error()) || second == nullptr) return found;
        return attempt(join_path(*second, name_));
    }

    /// The file is there and may be read, so nothing else may take its place. In a directory that may not be
    /// looked into there may be another one, or none.
    static bool is_file_itself(const SourceProblem& problem) {
        return problem.reason == NoSource::too_large || problem.reason == NoSource::binary;
    }

    /// Ends of the name in a directory that nobody named: never hidden files, such as keys.
    Found guess(const std::string& directory) {
        constexpr std::size_t max_components = 64;
        const auto& all = path_.components;
        const auto hidden = std::find_if(all.rbegin(), all.rend(),
                                         [](const auto& component) { return component.starts_with('.'); });
        auto first = static_cast<std::size_t>(all.rend() - hidden);
        first = std::max(first, all.size() - std::min(all.size(), max_components));
        for (; first < all.size(); ++first)
            if (auto found = by_end(directory, first)) return found;
        return tl::unexpected(SourceProblem{NoSource::missing, name_, {}, {}});
    }

    Found by_end(const std::string& directory, std::size_t first) {
        auto found = attempt(join_path(directory, joined(path_.components, first)));
        if (found) found->is_guess = first > 0 || path_.goes_up;
        return found;
    }

    Found anywhere() {
        if (options_.include_dirs.empty() || path_.components.empty()) return tl::unexpected(nothing_found());
        if (!finder_.index_) finder_.index_.emplace(options_.include_dirs, options_.max_entries);
        auto matches = finder_.index_->best_matches(path_.components);
        if (matches.size() > 1) drop_links(matches);
        // A better match may be among what was not looked at.
        if (!finder_.index_->is_complete()) return not_unique(NoSource::search_limit, std::move(matches));
        if (matches.empty()) return tl::unexpected(nothing_found());
        if (matches.size() > 1) return not_unique(NoSource::ambiguous, std::move(matches));
        auto found = attempt(matches.front());
        if (found) found->is_guess = true;
        return found;
    }

    [[nodiscard]] Found not_unique(NoSource reason, std::vector<std::string> matches) const {
        return tl::unexpected(SourceProblem{reason, name_, {}, std::move(matches)});
    }

    Found attempt(const std::string& path) {
        if (finder_.is_known_missing(path))
            return tl::unexpected(SourceProblem{NoSource::missing, path, {}, {}});
        auto problem = use_(path);
        if (!problem) return FoundPath{path, false};
        if (problem->reason != NoSource::missing && !first_problem_) first_problem_ = problem;
        return tl::unexpected(*std::move(problem));
    }

    [[nodiscard]] SourceProblem nothing_found() const {
        return first_problem_.value_or(SourceProblem{NoSource::missing, name_, {}, {}});
    }

    SourceFinder& finder_;
    const SourceFinderOptions& options_;
    const Attempt& use_;
    bool has_place_;
    std::string name_;
    RecordedPath path_;
    std::optional<SourceProblem> first_problem_;
};

bool SourceFinder::is_known_missing(std::string_view path) {
    constexpr std::size_t longest = 256;  // what is remembered stays small whatever the names are
    constexpr std::size_t most = 10'000;
    constexpr std::size_t often = 1'000;  // names, for which one listing costs less
    const std::size_t slash = path.rfind('/');
    if (slash == 0 || (slash > longest && slash != std::string_view::npos)) return false;
    std::string name(slash == std::string_view::npos ? "." : path.substr(0, slash));
    auto known = directories_.find(name);
    if (known == directories_.end()) {
        if (directories_.size() == most) return false;
        std::error_code ignored;  // of a directory that may not be looked into nothing is known
        const auto type = std::filesystem::status(name, ignored).type();
        known = directories_
                    .emplace(std::move(name),
                             Directory{.is_missing = type == std::filesystem::file_type::not_found})
                    .first;
    }
    Directory& directory = known->second;
    if (directory.is_missing) return true;
    if (++directory.asked == often) directory.names = names_in(known->first);
    return directory.names && !may_hold(*directory.names, path.substr(slash + 1));
}

Found SourceFinder::find_path(std::string_view recorded_name, const Attempt& use) {
    if (recorded_name.empty() || recorded_name == "???")
        return tl::unexpected(SourceProblem{NoSource::unnamed, std::string(recorded_name), {}, {}});
    std::string name = mapped(recorded_name);
    if (name.size() > longest_path || contains(name, '\0'))
        return tl::unexpected(SourceProblem{NoSource::missing, std::move(name), {}, {}});
    const bool is_mapped = name != path_of_name(recorded_name);
    return Search(*this, std::move(name), is_mapped, use).run();
}

std::string SourceFinder::path_here(std::string_view recorded_name) {
    if (const auto known = paths_here_.find(recorded_name); known != paths_here_.end()) return known->second;
    const auto is_file = [](const std::string& path) -> std::optional<SourceProblem> {
        std::error_code problem;
        if (std::filesystem::is_regular_file(path, problem)) return std::nullopt;
        return SourceProblem{NoSource::missing, path, {}, {}};
    };
    const auto found = find_path(recorded_name, is_file);
    auto path = found ? found->path : mapped(recorded_name);
    if (!found && std::none_of(path.begin(), path.end(), is_separator)) path.clear();
    return paths_here_.emplace(recorded_name, std::move(path)).first->second;
}

std::optional<SourceText> SourceFinder::find_in_commits(std::string_view recorded_name) const {
    for (const auto& commit : options_.commits)
        if (auto text = commit->find(mapped(recorded_name))) return *std::move(text);
    return std::nullopt;
}

tl::expected<SourceText, SourceProblem> SourceFinder::find(std::string_view recorded_name,
                                                           std::uint64_t last_line) {
    if (auto text = find_in_commits(recorded_name)) return *std::move(text);
    std::optional<SourceText> text;
    bool is_any_shorter = false;
    const auto load = [&](const std::string& path) -> std::optional<SourceProblem> {
        if (!may_open(path)) return not_opened(path, options_.ignores_elsewhere);
        auto loaded = load_source(path, options_.max_bytes);
        if (!loaded) return std::move(loaded.error());
        if (loaded->line_count() < last_line) {
            is_any_shorter = true;
            return SourceProblem{NoSource::missing, path, {}, {}};
        }
        text = *std::move(loaded);
        return std::nullopt;
    };
    const auto found = find_path(recorded_name, load);
    if (!found && is_any_shorter) return find(recorded_name);  // it may have become shorter
    if (!found) return tl::unexpected(found.error());
    text->set_guess(found->is_guess);
    return *std::move(text);
}

}  // namespace callcost::program
