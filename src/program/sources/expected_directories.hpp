/// The directories whose source files may be passed on to others: in a report, or by a server.
#pragma once

#include <string>
#include <vector>

namespace callcost::program {

struct SourceFinderOptions;

/// The working directory, that of the profile, the include directories, the shown ones and the targets of the
/// source map, with all below them, as they were at construction. Real paths are compared: what a link leads
/// to counts.
class ExpectedDirectories {
  public:
    explicit ExpectedDirectories(const SourceFinderOptions& search);

    /// False if the file is elsewhere or there is none.
    [[nodiscard]] bool hold(const std::string& file) const;

  private:
    void add(const std::string& directory);

    std::vector<std::string> directories_;  // with a slash at the end
};

}  // namespace callcost::program
