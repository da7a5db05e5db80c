#include "recording/recording_status.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace callcost::program {
namespace {

/// -1 if the program may write there, or nobody is to see it.
int open_terminal(const Console& console) {
    if (console.out_is_terminal || console.err_is_terminal || !may_show_status(console)) return -1;
    return ::open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

}  // namespace

RecordingStatus::RecordingStatus(const Console& console) : line_(open_terminal(console)) {}

RecordingStatus::~RecordingStatus() {
    line_.erase();
    if (is_shown()) ::close(line_.terminal());
}

void RecordingStatus::show(std::size_t processes) {
    // In the background somebody else has the terminal.
    if (!is_shown() || ::tcgetpgrp(line_.terminal()) != ::getpgrp()) return;
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_);
    line_.show(status_text(elapsed, processes));
}

std::string status_text(std::chrono::seconds elapsed, std::size_t processes) {
    const auto seconds = elapsed.count();
    auto text = seconds < 3600 ? fmt::format("recording: {}:{:02}", seconds / 60, seconds % 60)
                               : fmt::format("recording: {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60,
                                             seconds % 60);
    if (processes > 1) text += fmt::format(", {} processes", processes);
    return text;
}

}  // namespace callcost::program
