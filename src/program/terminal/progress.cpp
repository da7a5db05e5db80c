#include "terminal/progress.hpp"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 500ms;
constexpr auto line_interval = 100ms;
constexpr auto log_interval = 10s;
constexpr std::string_view erase_line = "\r\x1b[K";

// A signal handler has no other way to know.
volatile std::sig_atomic_t line_is_shown = 0;

extern "C" void on_interrupt(int signal_number) {
    if (line_is_shown != 0) {
        const auto ignored = write(STDERR_FILENO, erase_line.data(), erase_line.size());
        static_cast<void>(ignored);
    }
    std::signal(signal_number, SIG_DFL);
    raise(signal_number);  // a shell sees that we were interrupted: status 130
}

}  // namespace

void restore_line_on_interrupt() {
    struct sigaction present = {};
    // Under nohup and the like, Ctrl-C is somebody else's business.
    if (sigaction(SIGINT, nullptr, &present) == 0 && present.sa_handler == SIG_IGN) return;
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, nullptr);
}

ProgressReport::ProgressReport(const Console& console) : console_(console) {
    if (console.progress == When::never || console.quiet) return;
    const auto ci = environment("CI");
    const bool is_ci = ci && !ci->empty() && *ci != "false" && *ci != "0";
    if (console.err_is_terminal && !is_ci) {
        mode_ = Mode::line;
        next_ = begin_ + patience;
    } else if (console.progress == When::always) {
        mode_ = Mode::log;
        next_ = begin_ + log_interval;
    }
}

OnProgress ProgressReport::callback() {
    if (mode_ == Mode::silent) return {};
    return [this](const Progress& progress) {
        if (Clock::now() >= next_) show(progress);
        return true;
    };
}

void ProgressReport::show(const Progress& progress) {
    const auto text = progress_text(progress);
    if (mode_ == Mode::log) {
        console_.print_error(fmt::format("callcost: reading {}: {}\n", engine::display_name(name_), text));
        next_ = Clock::now() + log_interval;
        return;
    }
    const auto width = console_.err.width > 1 ? console_.err.width - 1 : 79;
    const auto line = fmt::format("reading {}: {}", engine::display_name(name_), text);
    line_is_shown = 1;
    console_.print_error(fmt::format("{}{}", erase_line, engine::shorten(line, width, console_.err)));
    next_ = Clock::now() + line_interval;
}

void ProgressReport::erase() {
    if (line_is_shown == 0) return;
    console_.print_error(erase_line);
    line_is_shown = 0;
}

std::string progress_text(const Progress& progress) {
    const auto share = [](std::uint64_t done, std::uint64_t total) {
        return std::min(static_cast<double>(done) / static_cast<double>(total), 1.0);
    };
    if (progress.bytes_total > 0) {
        return fmt::format("{:.0f}% of {}", 100 * share(progress.bytes_done, progress.bytes_total),
                           engine::bytes(progress.bytes_total));
    }
    if (progress.cost_total > 0) {
        return fmt::format("{}, {:.0f}% of the cost", engine::bytes(progress.bytes_done),
                           100 * share(progress.cost_done, progress.cost_total));
    }
    return engine::bytes(progress.bytes_done);
}

}  // namespace callcost::program
