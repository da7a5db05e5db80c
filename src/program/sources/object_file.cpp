#include "sources/object_file.hpp"

#include <cerrno>
#include <optional>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace callcost::program {

namespace {

/// Whether a file can be looked at. Opens nothing but regular files: opening a device may do harm.
std::optional<SourceProblem> problem_with_object(const std::string& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) return SourceProblem{NoSource::missing, path, {}, {}};
    if (!S_ISREG(facts.st_mode))
        return SourceProblem{
            NoSource::not_a_file, path, S_ISDIR(facts.st_mode) ? "is a directory" : "is not a file", {}};
    if (::access(path.c_str(), R_OK) == 0) return std::nullopt;
    return SourceProblem{NoSource::unreadable, path, std::generic_category().message(errno), {}};
}

tl::expected<FoundPath, SourceProblem> find_path(SourceFinder& finder, const std::string& system_root,
                                                 std::string_view name) {
    if (!system_root.empty() && name.starts_with('/')) {
        auto path = join_path(system_root, name.substr(1));
        if (!problem_with_object(path)) return FoundPath{std::move(path), false};
    }
    return finder.find_path(name, [&](const std::string& path) -> std::optional<SourceProblem> {
        return finder.may_open(path) ? problem_with_object(path)
                                     : SourceProblem{NoSource::missing, path, {}, {}};
    });
}

}  // namespace

tl::expected<FoundPath, ObjectProblem> find_object_file(SourceFinder& finder, const std::string& system_root,
                                                        std::string_view name) {
    auto found = find_path(finder, system_root, name);
    if (found) return *std::move(found);
    const SourceProblem& problem = found.error();
    if (problem.reason == NoSource::unnamed)
        return tl::unexpected(
            ObjectProblem{"the profile does not name the object file of this function", {}});
    if (name.starts_with('['))
        return tl::unexpected(ObjectProblem{in_quotes(name) + " is not backed by a file", {}});
    if (problem.reason == NoSource::unreadable)
        return tl::unexpected(
            ObjectProblem{in_quotes(problem.path) + " cannot be read: " + problem.detail, {}});
    if (problem.reason == NoSource::not_a_file)
        return tl::unexpected(ObjectProblem{in_quotes(problem.path) + " " + problem.detail, {}});
    return tl::unexpected(ObjectProblem{
        "program or library " + in_quotes(name) + " not found",
        "search DIR with -I DIR, map moved directories with --source-map OLD=NEW, or set SYSROOT for the "
        "files of another system"});
}

}  // namespace callcost::program
