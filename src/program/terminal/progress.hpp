/// Progress of reading on standard error: a status line on a terminal, occasional lines in a log. Nothing in
/// the first half second.
#pragma once

#include <chrono>
#include <string>

#include "terminal/status_line.hpp"
#include "terminal/terminal.hpp"
#include <callcost/source.hpp>

namespace callcost::program {

class ProgressReport {
  public:
    explicit ProgressReport(const Console& console);
    ProgressReport(const ProgressReport&) = delete;
    ProgressReport& operator=(const ProgressReport&) = delete;
    ~ProgressReport() = default;

    /// Callback for the reader; empty if no progress is shown.
    [[nodiscard]] OnProgress callback();
    /// Sets the name of the next input.
    void set_name(std::string name) { name_ = std::move(name); }
    /// Erases the progress line.
    void erase() { line_.erase(); }

  private:
    using Clock = std::chrono::steady_clock;
    enum class Mode : std::uint8_t { silent, line, log };

    void show(const Progress& progress);

    const Console& console_;
    StatusLine line_;
    Mode mode_ = Mode::silent;
    std::string name_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point next_;
};

/// The words of the progress line, without the name: `45% of 1.1 GB`, `312.0 MB`.
[[nodiscard]] std::string progress_text(const Progress& progress);

}  // namespace callcost::program
