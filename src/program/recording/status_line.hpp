/// How long a recording has been running, on the terminal; only if the program writes nothing there.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "terminal/terminal.hpp"

namespace callcost::program {

class StatusLine {
  public:
    explicit StatusLine(const Console& console);
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;
    ~StatusLine();

    [[nodiscard]] bool is_shown() const { return terminal_ >= 0; }
    void show(std::size_t processes);

  private:
    int terminal_ = -1;
    bool is_written_ = false;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// `recording: 1:02, 3 processes`
[[nodiscard]] std::string status_text(std::chrono::seconds elapsed, std::size_t processes);

}  // namespace callcost::program
