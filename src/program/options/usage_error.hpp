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
    void set_hint(std::string hint) { hint_ = std::move(hint); }
    [[nodiscard]] int exit_status() const { return exit_status_; }
    void set_exit_status(int status) { exit_status_ = status; }

  private:
    std::string hint_;
    int exit_status_ = 2;
};

/// An option that the command does not have.
class UnknownOption : public UsageError {
  public:
    UnknownOption(std::string option, const std::string& hint)
        : UsageError("unknown option '" + option + "'", hint), option_(std::move(option)) {}

    [[nodiscard]] const std::string& option() const { return option_; }

  private:
    std::string option_;
};

}  // namespace callcost::program
