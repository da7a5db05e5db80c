#include "terminal/status_line.hpp"

#include <csignal>
#include <string>

#include <unistd.h>

namespace callcost::program {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

// A signal handler has no other way to know.
volatile std::sig_atomic_t shown_on = -1;

void write_text(int terminal, std::string_view text) {
    const auto ignored = ::write(terminal, text.data(), text.size());
    static_cast<void>(ignored);
}

extern "C" void on_interrupt(int signal_number) {
    if (shown_on >= 0) write_text(shown_on, erase_line);
    std::signal(signal_number, SIG_DFL);
    raise(signal_number);  // a shell sees that we were interrupted: status 130
}

}  // namespace

StatusLine::StatusLine(const Console& console)
    : terminal_(console.err_is_terminal && may_show_status(console) ? STDERR_FILENO : -1) {}

void StatusLine::show(std::string_view text) {
    if (terminal_ < 0) return;
    is_shown_ = true;
    shown_on = terminal_;
    write_text(terminal_, std::string(erase_line) += text);
}

void StatusLine::erase() {
    if (!is_shown_) return;
    write_text(terminal_, erase_line);
    shown_on = -1;
    is_shown_ = false;
}

bool may_show_status(const Console& console) {
    const auto ci = environment("CI");
    const bool is_ci = ci && !ci->empty() && *ci != "false" && *ci != "0";
    return !console.quiet && console.progress != When::never && !is_ci;
}

void restore_line_on_interrupt() {
    struct sigaction present = {};
    // Under nohup and the like, Ctrl-C is somebody else's business.
    if (sigaction(SIGINT, nullptr, &present) == 0 && present.sa_handler == SIG_IGN) return;
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, nullptr);
}

}  // namespace callcost::program
