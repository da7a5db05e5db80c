/// Debug files from the servers that $DEBUGINFOD_URLS names. They learn which programs were profiled, so they
/// are asked only if the user wants it.
#pragma once

#include <chrono>
#include <string>

namespace callcost::program {

class Debuginfod {
  public:
    /// The debug file of a build, in the user's cache; empty: not found. All together take two minutes at
    /// most.
    [[nodiscard]] std::string debug_file(const std::string& build_id);

    /// Why it is of no use, and what to do; empty: no problem so far.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::string& hint() const { return hint_; }

  private:
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    std::string problem_, hint_;
    bool is_over_ = false;  // nothing more is asked
};

}  // namespace callcost::program
