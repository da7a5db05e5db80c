/// How far reading is, on standard error: a line that is drawn over and erased on a terminal, a line now and
/// then in a log. Nothing for what takes less than half a second.
#pragma once

#include <chrono>
#include <string>

#include "terminal/terminal.hpp"
#include <callcost/source.hpp>

namespace callcost::program {

class ProgressReport {
  public:
    explicit ProgressReport(const Console& console);
    ProgressReport(const ProgressReport&) = delete;
    ProgressReport& operator=(const ProgressReport&) = delete;
    ~ProgressReport() { erase(); }

    /// What the reader calls; empty if nothing is to be shown, so that it costs nothing.
    [[nodiscard]] OnProgress callback();
    /// The name of what is read next.
    void set_name(std::string name) { name_ = std::move(name); }
    /// Leaves the line as if nothing had been there.
    void erase();

  private:
    using Clock = std::chrono::steady_clock;
    enum class Mode : std::uint8_t { silent, line, log };

    void show(const Progress& progress);

    const Console& console_;
    Mode mode_ = Mode::silent;
    std::string name_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point next_;
};

/// The words of the progress line, without the name: `45% of 1.1 GB`, `312.0 MB`.
[[nodiscard]] std::string progress_text(const Progress& progress);

/// Ctrl-C erases the progress line and then ends the program as it usually does.
void restore_line_on_interrupt();

}  // namespace callcost::program
