/// The files below some directories, by name, for SourceFinder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callcost::program {

class FileIndex {
  public:
    /// Lists the regular files below the directories, level by level and by name, until it has seen
    /// `max_entries` entries. Does not follow links to directories nor enter those of version control.
    FileIndex(const std::vector<std::string>& directories, std::size_t max_entries);

    /// The paths of the files that share the most components with `components`, counted from the last one,
    /// which must agree. In the order of the listing.
    [[nodiscard]] std::vector<std::string> best_matches(
        const std::vector<std::string_view>& components) const;

    /// Whether everything was listed.
    [[nodiscard]] bool is_complete() const { return is_complete_; }

  private:
    std::unordered_map<std::string, std::vector<std::string>> paths_by_name_;
    bool is_complete_ = true;
};

/// `name` in `directory`; "" and "." are the working directory and leave the name as it is.
[[nodiscard]] std::string join_path(std::string_view directory, std::string_view name);

}  // namespace callcost::program
