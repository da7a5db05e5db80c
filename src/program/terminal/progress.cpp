#include "terminal/progress.hpp"

#include <algorithm>

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

}  // namespace

ProgressReport::ProgressReport(const Console& console) : console_(console), line_(STDERR_FILENO) {
    if (console.progress == When::never || console.quiet) return;
    if (console.err_is_terminal && may_show_status(console)) {
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
    line_.show(engine::shorten(line, width, console_.err));
    next_ = Clock::now() + line_interval;
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
