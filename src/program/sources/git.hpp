/// The only place that runs git. Whose repository it is, is not known: it may be unpacked from an archive, or
/// lie as a bare one in the tree of another, with a configuration of its own. Nothing of it is run.
#pragma once

#include <string>
#include <vector>

#include <callcost/error.hpp>

namespace callcost::program {

/// What git prints in the working directory. The error is a reason, or empty where git gives none.
[[nodiscard]] tl::expected<std::string, std::string> git(const std::vector<std::string>& words);

/// Whether files that git knows are not as the commit that is checked out has them.
[[nodiscard]] bool is_work_tree_modified();

}  // namespace callcost::program
