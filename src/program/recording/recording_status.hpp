/// How long a recording has been running, on the terminal; only if the program writes nothing there.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "terminal/status_line.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

class RecordingStatus {
  public:
    explicit RecordingStatus(const Console& console);
    RecordingStatus(const RecordingStatus&) = delete;
    RecordingStatus& operator=(const RecordingStatus&) = delete;
    ~RecordingStatus();

    [[nodiscard]] bool is_shown() const { return line_.terminal() >= 0; }
    void show(std::size_t processes);

  private:
    StatusLine line_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// `recording: 1:02, 3 processes`
[[nodiscard]] std::string status_text(std::chrono::seconds elapsed, std::size_t processes);

}  // namespace callcost::program
