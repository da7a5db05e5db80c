/// The files of a commit of a git repository, read by git itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sources/source_text.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

class GitCommit {
  public:
    /// `name` is what the user calls a commit of the repository that the working directory is in: an id, a
    /// branch, HEAD~2. The error says what is wrong.
    [[nodiscard]] static tl::expected<GitCommit, std::string> open(const std::string& name);

    /// The file that a profile calls `recorded_name`: its path in the repository is the end of that name, or
    /// the other way round. Names of profiles are only compared with those that git lists; git sees none of
    /// them.
    [[nodiscard]] tl::expected<SourceText, SourceProblem> find(std::string_view recorded_name) const;

    GitCommit(GitCommit&&) = default;
    GitCommit& operator=(GitCommit&&) = default;
    GitCommit(const GitCommit&) = delete;
    GitCommit& operator=(const GitCommit&) = delete;
    ~GitCommit() = default;

  private:
    GitCommit() = default;

    struct File {
        std::string path;  ///< from the top of the repository
        std::string id;    ///< of its content
    };

    /// The files whose paths agree best.
    [[nodiscard]] std::vector<const File*> matches(std::string_view recorded_name) const;

    std::string directory_;  // the working directory, from the top: "" or "a/b/"
    std::vector<File> files_;
    std::unordered_map<std::string_view, std::vector<std::size_t>> rows_by_name_;  // by the last component
};

}  // namespace callcost::program
