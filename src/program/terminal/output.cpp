#include "terminal/output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/names.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t flush_size = std::size_t{256} * 1024;

bool can_run(std::string_view program) {
    if (program.find('/') != std::string_view::npos) return access(std::string(program).c_str(), X_OK) == 0;
    const auto path = environment("PATH").value_or("/usr/bin:/bin");
    for (std::size_t begin = 0; begin <= path.size();) {
        const auto end = std::min(path.find(':', begin), path.size());
        const auto candidate = path.substr(begin, end - begin) + "/" + std::string(program);
        if (access(candidate.c_str(), X_OK) == 0) return true;
        begin = end + 1;
    }
    return false;
}

/// The shell command that shows long texts; empty: none.
std::string pager_command() {
    for (const char* variable : {"CALLCOST_PAGER", "PAGER"}) {
        if (const auto command = environment(variable)) return *command == "cat" ? std::string() : *command;
    }
    return can_run("less") ? "less" : "";
}

}  // namespace

Output::~Output() {
    if (pager_ > 0) finish();
}

bool Output::exceeds_screen() const {
    const auto rows = console_.rows > 1 ? console_.rows - 1 : 23;  // one for the prompt
    return static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n')) > rows;
}

void Output::flush_some() {
    if (text_.size() < flush_size) return;
    if (may_page_ && pager_ < 0) {
        if (!exceeds_screen()) return;
        start_pager();
    }
    write_all();
}

bool Output::finish() {
    if (may_page_ && pager_ < 0 && exceeds_screen()) start_pager();
    write_all();
    if (pager_ > 0) {
        close(descriptor_);
        int pager_status = 0;
        while (waitpid(pager_, &pager_status, 0) < 0 && errno == EINTR) {
        }
        pager_ = -1;
        descriptor_ = STDOUT_FILENO;
        if (WIFEXITED(pager_status) && WEXITSTATUS(pager_status) != 0) {
            console_.say(Severity::error,
                         fmt::format("the pager '{}' failed", engine::display_name(pager_command())),
                         "use --no-pager, or set CALLCOST_PAGER or PAGER");
            return false;
        }
    }
    if (is_too_large_) {
        const auto error = limit_.error();
        console_.say(Severity::error, fmt::format("cannot write standard output: {}", error.detail),
                     error.advice);
        return false;
    }
    if (problem_ == 0) return true;
    console_.say(Severity::error, fmt::format("write error: {}", std::strerror(problem_)));
    return false;
}

void Output::start_pager() {
    may_page_ = false;  // one attempt
    const auto command = pager_command();
    if (const auto program = command.substr(0, command.find_first_of(" \t;|&"));
        !program.empty() && program.find_first_of("'\"$=") == std::string::npos && !can_run(program)) {
        console_.say(Severity::note, fmt::format("pager '{}' not found", engine::display_name(program)));
        return;
    }
    std::array<int, 2> ends{};
    if (command.empty() || pipe2(ends.data(), O_CLOEXEC) != 0) return;
    setenv("LESS", "FRX", 0);  // NOLINT(concurrency-mt-unsafe): no other thread is left
    const auto child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return;
    }
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(127);
    }
    close(ends[0]);
    descriptor_ = ends[1];
    pager_ = child;
    // Ctrl-C belongs to the pager from now on; leaving it early is no error of ours.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

void Output::write_all() {
    std::string_view rest = text_;
    written_ += rest.size();
    is_too_large_ = is_too_large_ || !limit_.covers(written_);
    while (!rest.empty() && !reader_is_gone_ && problem_ == 0 && !is_too_large_) {
        const auto written = write(descriptor_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EPIPE && pager_ > 0) {
            reader_is_gone_ = true;
        } else if (errno == EPIPE) {
            _exit(141);  // as if SIGPIPE had ended us, which the parent process had switched off
        } else if (errno != EINTR) {
            problem_ = errno;
        }
    }
    text_.clear();
}

}  // namespace callcost::program
