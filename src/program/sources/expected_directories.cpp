#include "sources/expected_directories.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sources/source_files.hpp"

namespace callcost::program {
namespace {

/// With a slash at the end; empty if it cannot be told.
std::string resolved(const std::string& path) {
    std::error_code problem;
    auto real = std::filesystem::canonical(path.empty() ? "." : path, problem).native();
    if (!real.empty() && real.back() != '/') real += '/';
    return real;
}

}  // namespace

ExpectedDirectories::ExpectedDirectories(const SourceFinderOptions& search) {
    const auto& beside = search.profile_directory;
    add(search.working_directory);
    if (beside) add(*beside);
    for (const auto* directories : {&search.include_dirs, &search.shown_dirs})
        for (const auto& directory : *directories) add(directory);
    for (const auto& mapping : search.source_map) {
        const bool is_absolute = mapping.to.starts_with('/');
        add(is_absolute ? mapping.to : join_path(search.working_directory, mapping.to));
        if (beside && !is_absolute) add(join_path(*beside, mapping.to));
    }
}

bool ExpectedDirectories::hold(const std::string& file) const {
    const auto path = resolved(file);
    return std::any_of(directories_.begin(), directories_.end(),
                       [&](const auto& directory) { return path.starts_with(directory); });
}

void ExpectedDirectories::add(const std::string& directory) {
    if (auto path = resolved(directory); !path.empty()) directories_.push_back(std::move(path));
}

}  // namespace callcost::program
