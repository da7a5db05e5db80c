/// For tests of files that may not be read: root may read everything.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace callcost::test {

/// While it lives, a test that root runs is run by somebody else, who may look into `directory`.
class WithoutRoot {
  public:
    explicit WithoutRoot(const std::string& directory) : was_root_(::geteuid() == 0) {
        if (!was_root_) return;
        constexpr uid_t nobody = 65'534;
        using std::filesystem::perms;
        constexpr auto listed = perms::group_read | perms::group_exec;  // it stays in root's group
        std::filesystem::permissions(directory, listed, std::filesystem::perm_options::add);
        if (::setresuid(nobody, nobody, 0) != 0) throw std::runtime_error("setresuid failed");
    }
    WithoutRoot(const WithoutRoot&) = delete;
    WithoutRoot& operator=(const WithoutRoot&) = delete;
    ~WithoutRoot() {
        if (was_root_ && ::setresuid(0, 0, 0) != 0) std::abort();
    }

  private:
    bool was_root_;
};

}  // namespace callcost::test
