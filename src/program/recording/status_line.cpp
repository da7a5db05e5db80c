#include "recording/status_line.hpp"

#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace callcost::program {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

void write_text(int file, std::string_view text) {
    const auto ignored = ::write(file, text.data(), text.size());
    static_cast<void>(ignored);
}

}  // namespace

StatusLine::StatusLine(const Console& console) {
    const auto ci = environment("CI");
    const bool is_ci = ci && !ci->empty() && *ci != "false" && *ci != "0";
    if (console.out_is_terminal || console.err_is_terminal || console.quiet || is_ci ||
        console.progress == When::never)
        return;
    terminal_ = ::open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

StatusLine::~StatusLine() {
    if (is_written_) write_text(terminal_, erase_line);
    if (terminal_ >= 0) ::close(terminal_);
}

void StatusLine::show(std::size_t processes) {
    // In the background somebody else has the terminal.
    if (terminal_ < 0 || ::tcgetpgrp(terminal_) != ::getpgrp()) return;
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_);
    write_text(terminal_, fmt::format("{}{}", erase_line, status_text(elapsed, processes)));
    is_written_ = true;
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
