/// The last line of each source file that a profile knows: a file that ends before it is another one.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <callcost/profile.hpp>

namespace callcost::program {

class LastLines {
  public:
    explicit LastLines(Profile profile) : profile_(std::move(profile)) {}

    /// 0 if it is not known. The first time, all records are read.
    [[nodiscard]] std::uint64_t of(std::string_view recorded_name);

  private:
    Profile profile_;
    std::unordered_map<std::string_view, std::uint64_t> lines_;
    bool are_known_ = false;
};

}  // namespace callcost::program
