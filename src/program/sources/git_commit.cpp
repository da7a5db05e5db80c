#include "sources/git_commit.hpp"

#include <algorithm>
#include <utility>

#include "sources/git.hpp"
#include "sources/recorded_path.hpp"

namespace callcost::program {
namespace {

/// As git has it with -z: the text up to a NUL, which is removed with it.
std::string_view take_record(std::string_view& text) {
    const auto end = std::min(text.find('\0'), text.size());
    const auto record = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return record;
}

bool is_object_id(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string_view last_component(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// How many components the paths have in common at their ends, if they are all that one of them has; else 0.
std::size_t common_end(const PathComponents& a, const PathComponents& b) {
    const auto least = std::min(a.size(), b.size());
    const auto same = std::equal(a.end() - static_cast<std::ptrdiff_t>(least), a.end(),
                                 b.end() - static_cast<std::ptrdiff_t>(least));
    return same ? least : 0;
}

}  // namespace

tl::expected<GitCommit, std::string> GitCommit::open(const std::string& name) {
    if (name.empty() || name.front() == '-' || name.find('\0') != std::string::npos)
        return tl::unexpected(std::string("not a name of a commit"));
    auto id = git({"rev-parse", "--verify", "--quiet", name + "^{commit}"});
    if (!id) return tl::unexpected(id.error().empty() ? std::string("no such commit") : id.error());
    id->resize(std::min(id->find('\n'), id->size()));
    if (!is_object_id(*id)) return tl::unexpected(std::string("no such commit"));
    auto directory =
        git({"rev-parse", "--show-prefix"}).value_or(std::string());  // none in a bare repository
    const auto list = git({"ls-tree", "-r", "-z", "--full-tree", *id});
    if (!list) return tl::unexpected(list.error());

    GitCommit commit;
    if (directory.ends_with('\n')) directory.pop_back();
    commit.directory_ = std::move(directory);
    for (std::string_view rest = *list; !rest.empty();) {
        const auto record = take_record(rest);  // "100644 blob 1a2b3c\tsrc/a.c"
        const auto tab = record.find('\t');
        const auto facts = record.substr(0, tab);
        const auto file_id = facts.substr(facts.rfind(' ') + 1);
        if (tab == std::string_view::npos || !facts.starts_with("100") || !is_object_id(file_id)) continue;
        commit.files_.push_back({std::string(record.substr(tab + 1)), std::string(file_id)});
    }
    for (std::size_t row = 0; row < commit.files_.size(); ++row)
        commit.rows_by_name_[last_component(commit.files_[row].path)].push_back(row);
    return commit;
}

std::vector<const GitCommit::File*> GitCommit::matches(std::string_view recorded_name) const {
    const auto recorded = recorded_path(recorded_name);
    if (recorded.components.empty()) return {};
    const auto rows = rows_by_name_.find(recorded.components.back());
    if (rows == rows_by_name_.end()) return {};
    const bool is_relative = !recorded_name.starts_with('/') && !is_windows_path(recorded_name);
    const auto name_from_top = is_relative ? directory_ + std::string(recorded_name) : std::string();
    const auto from_top = recorded_path(name_from_top).components;
    std::size_t most = 1;
    std::vector<const File*> found;
    for (const auto row : rows->second) {
        const auto path = recorded_path(files_[row].path).components;
        if (path == from_top) return {&files_[row]};
        const auto common = common_end(recorded.components, path);
        if (common > most) found.clear();
        if (common >= most) found.push_back(&files_[row]);
        most = std::max(most, common);
    }
    return found;
}

tl::expected<SourceText, SourceProblem> GitCommit::find(std::string_view recorded_name) const {
    const auto found = matches(recorded_name);
    SourceProblem problem{NoSource::missing, std::string(recorded_name), {}, {}};
    if (found.size() > 1) {
        problem.reason = NoSource::ambiguous;
        for (const File* file : found) problem.candidates.push_back(file->path);
    }
    if (found.size() != 1) return tl::unexpected(std::move(problem));
    auto text = git({"cat-file", "blob", found.front()->id});
    if (!text) {
        problem.reason = NoSource::unreadable;
        problem.detail = text.error();
        return tl::unexpected(std::move(problem));
    }
    if (text->find('\0') != std::string::npos) {
        problem.reason = NoSource::binary;
        return tl::unexpected(std::move(problem));
    }
    return SourceText(found.front()->path, FileTime(), *std::move(text));
}

}  // namespace callcost::program
