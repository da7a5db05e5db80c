#include "commands/record_page.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace callcost::program {
namespace {

using namespace std::chrono_literals;

/// Standard error is the program's while it runs: only what cannot be said elsewhere.
Console quiet(Console console) {
    console.quiet = true;
    console.progress = When::never;
    return console;
}

constexpr auto see_terminal = "see the messages of 'callcost record' in its terminal";

}  // namespace

RecordPage::RecordPage(const RecordOptions& options, const Console& console)
    : options_(options), console_(console), service_(console) {}

void RecordPage::follow(pid_t process) {
    if (options_.recording.tool != RecordingTool::callgrind) return;  // others write nothing before they end
    callgrind_ = started_callgrind(process, options_.program.front(),
                                   options_.recording.output + std::to_string(process));
    control_.emplace(*callgrind_);
    start({});
}

void RecordPage::start(const std::vector<std::string>& files) {
    PageOptions page;
    page.input.files = files;
    page.input.inlined = options_.comparison.input.inlined;
    page.sources = page.input.programs = options_.comparison.sources;
    profile_.emplace(page, quiet(console_), control_ ? &*control_ : nullptr);
    const auto reading = [this] {
        try {
            read();
        } catch (const std::bad_alloc&) {
            say_out_of_memory();
            profile_->give_up("not enough memory to read the profile", "");
        }
    };
    const auto answer = [this](auto question, const auto& is_wanted) {
        return profile_->answer(question, is_wanted);
    };
    service_.start(answer, reading, [] {});
    if (!service_.announce(stderr, options_.opens_browser))
        console_.say(Severity::warning, "the address of the page could not be written");
}

void RecordPage::read() {
    // Before, most programs have only been linked.
    constexpr auto time_to_start = 1000ms;
    constexpr auto first_pause = 100ms, longest_pause = 5000ms;
    if (control_ && !is_over_within(time_to_start)) {
        auto pause = first_pause;
        std::error_code ignored;
        while (!is_over_within(pause)) {
            // Callgrind creates it before it answers.
            if (!std::filesystem::exists(callgrind_->output_file, ignored)) continue;
            if (read_dump()) return;
            pause = std::min(2 * pause, longest_pause);
        }
    }
    if (!profile_->read()) profile_->give_up("no profile was written", see_terminal);
}

bool RecordPage::read_dump() {
    std::shared_lock kept(control_->files_mutex());
    const bool has_any = !control_->dumps().empty();
    kept.unlock();
    if (!has_any && !control(callgrind_->process, MonitorCommand::dump)) return false;
    return profile_->read().has_value();
}

bool RecordPage::is_over_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return is_over_; });
}

void RecordPage::hold() {
    if (control_) held_ = std::unique_lock(control_->files_mutex());
}

void RecordPage::settle(const std::vector<std::string>& files) {
    if (!control_) return;
    control_->set_dumps(files);
    held_.unlock();
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
}

void RecordPage::serve_until_end(const std::vector<std::string>& files, int exit_status) {
    const EndSignals signals;
    if (!profile_) start(files);
    console_.say(Severity::note, "press Ctrl-C to close the page", control_ ? service_.address() : "");
    (void)signals.wait();
    service_.end(exit_status);
}

void RecordPage::end(int exit_status) {
    // Whoever waits for the profile is told that there is none.
    if (profile_) std::this_thread::sleep_for(200ms);
    service_.end(exit_status);
}

}  // namespace callcost::program
