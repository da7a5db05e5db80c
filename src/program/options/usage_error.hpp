/// What is wrong with a command line.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace callcost::program {

/// Thrown by whoever reads a part of the command line; main() says it and ends with its exit status.
class UsageError : public std::runtime_error {
  public:
    explicit UsageError(const std::string& message, std::string hint = {})
        : std::runtime_error(message), hint_(std::move(hint)) {}

    [[nodiscard]] const std::string& hint() const { return hint_; }
    [[nodiscard]] int exit_status() const { return exit_status_; }
    void set_exit_status(int status) { exit_status_ = status; }

  private:
    std::string hint_;
    int exit_status_ = 2;
};

}  // namespace callcost::program
