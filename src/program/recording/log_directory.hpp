/// A temporary directory with Valgrind's logs, one for each process.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "recording/valgrind_log.hpp"

namespace callcost::program {

/// As much of a file as is looked at; empty if it cannot be read.
[[nodiscard]] std::string beginning_of(const std::string& path);

class LogDirectory {
  public:
    /// Nothing if there cannot be one; errno says why.
    [[nodiscard]] static std::optional<LogDirectory> create();
    LogDirectory(LogDirectory&& other) noexcept;
    LogDirectory& operator=(LogDirectory&&) = delete;
    LogDirectory(const LogDirectory&) = delete;
    LogDirectory& operator=(const LogDirectory&) = delete;
    ~LogDirectory();

    /// What the names of the logs begin with; the process follows.
    [[nodiscard]] std::string prefix() const { return path_ + "/"; }
    [[nodiscard]] std::map<pid_t, ValgrindLog> logs() const;
    /// Processes with a log that still run under Valgrind.
    [[nodiscard]] std::vector<pid_t> running() const;
    /// Not removed in the end: a process that goes on may start another one, which writes a log.
    void keep() { is_kept_ = true; }

  private:
    explicit LogDirectory(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] std::vector<pid_t> processes() const;

    std::string path_;
    bool is_kept_ = false;
};

}  // namespace callcost::program
