#include "recording/foreground_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <optional>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace callcost::program {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto interval = 500ms;
constexpr auto patience = 1s;  // most programs end at once when they are interrupted

/// Signals that wait for us, while the program gets those that it would get without us.
class WaitingSignals {
  public:
    WaitingSignals() {
        // If it is ignored, nobody tells how a child ended.
        if (disposition_of(SIGCHLD) == SIG_IGN) std::signal(SIGCHLD, SIG_DFL);
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGCHLD);
        for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP})
            if (disposition_of(signal) != SIG_IGN)  // as under nohup
                sigaddset(&signals_, signal);
        pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    }
    WaitingSignals(const WaitingSignals&) = delete;
    WaitingSignals& operator=(const WaitingSignals&) = delete;
    ~WaitingSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    [[nodiscard]] const sigset_t& before() const { return before_; }

    /// The next one; 0 if none comes in time.
    int next(std::optional<std::chrono::milliseconds> most, siginfo_t& about) const {
        if (!most) return std::max(sigwaitinfo(&signals_, &about), 0);
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*most);
        const std::chrono::nanoseconds rest = *most - seconds;
        const timespec time{.tv_sec = static_cast<std::time_t>(seconds.count()),
                            .tv_nsec = static_cast<long>(rest.count())};
        return std::max(sigtimedwait(&signals_, &about, &time), 0);
    }

  private:
    using Disposition = void (*)(int);
    static Disposition disposition_of(int signal) {
        struct sigaction present {};
        return sigaction(signal, nullptr, &present) == 0 ? present.sa_handler : SIG_DFL;
    }

    sigset_t signals_{}, before_{};
};

/// In the child: becomes the program. Returns what errno is if it cannot.
int become(char* const* arguments, const ForegroundPlace& place, const sigset_t& signals, pid_t parent) {
    // A program that is measured does not outlive the command: nobody would read its profile.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) return ESRCH;
    const auto replace = [](int stream, const std::string& path) {
        if (path.empty()) return true;
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (file == stream) return ::fcntl(file, F_SETFD, 0) == 0;  // it was closed
        return file >= 0 && ::dup2(file, stream) >= 0;
    };
    if (!replace(STDOUT_FILENO, place.output) || !replace(STDERR_FILENO, place.errors)) return errno;
    if (!place.directory.empty() && ::chdir(place.directory.c_str()) != 0) return errno;
    ::pthread_sigmask(SIG_SETMASK, &signals, nullptr);
    ::execvp(arguments[0], arguments);
    return errno;
}

/// 0, or what errno would be.
int start(std::vector<std::string>& words, const ForegroundPlace& place, const sigset_t& signals,
          pid_t& process) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::array<int, 2> failure{};  // a pipe that is closed by the program that begins
    if (::pipe2(failure.data(), O_CLOEXEC) != 0) return errno;
    const pid_t parent = ::getpid();
    process = ::fork();
    int problem = process < 0 ? errno : 0;
    if (process == 0) {
        problem = become(arguments.data(), place, signals, parent);
        (void)!::write(failure[1], &problem, sizeof problem);
        ::_exit(127);
    }
    ::close(failure[1]);
    if (process > 0 && ::read(failure[0], &problem, sizeof problem) > 0) ::waitpid(process, nullptr, 0);
    ::close(failure[0]);
    return problem;
}

class Waiting {
  public:
    Waiting(pid_t process, const WaitingSignals& signals, const ForegroundWatch& watch)
        : signals_(signals), watch_(watch) {
        ended_.process = process;
    }

    EndedProcess until_it_ends() {
        for (;;) {
            siginfo_t about{};
            // Before we look, and again and again: several children that end may be one signal.
            if (has_ended()) return ended_;
            take(signals_.next(next_look(), about), about);
            if (watch_.on_tick) watch_.on_tick();
            say_that_we_wait();
        }
    }

  private:
    bool has_ended() {
        int status = 0;
        if (::waitpid(ended_.process, &status, WNOHANG) != ended_.process) return false;
        if (WIFSIGNALED(status)) ended_.signal = WTERMSIG(status);
        ended_.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + ended_.signal;
        return true;
    }

    [[nodiscard]] std::optional<std::chrono::milliseconds> next_look() const {
        if (watch_.on_tick || interrupted_) return interval;
        return std::nullopt;
    }

    void take(int signal, const siginfo_t& about) {
        if (signal == SIGINT || signal == SIGQUIT) {
            if (ended_.was_interrupted) return kill();
            ended_.was_interrupted = true;
            interrupted_ = Clock::now();
        } else if (signal == SIGTERM || (signal == SIGHUP && about.si_code != SI_KERNEL)) {
            ::kill(ended_.process, signal);  // a terminal tells all of its processes that it hangs up
        }
    }

    void kill() {
        if (ended_.was_killed) return;
        ended_.was_killed = true;
        interrupted_.reset();
        if (watch_.on_second_interrupt) watch_.on_second_interrupt(ended_.process);
        ::kill(ended_.process, SIGKILL);
    }

    void say_that_we_wait() {
        if (!interrupted_ || Clock::now() < *interrupted_ + patience) return;
        interrupted_.reset();
        if (watch_.on_waiting) watch_.on_waiting();
    }

    const WaitingSignals& signals_;
    const ForegroundWatch& watch_;
    EndedProcess ended_;
    std::optional<Clock::time_point> interrupted_;  // until it is said
};

}  // namespace

tl::expected<EndedProcess, int> run_in_foreground(std::vector<std::string> words,
                                                  const ForegroundWatch& watch,
                                                  const ForegroundPlace& place) {
    const WaitingSignals signals;
    pid_t process = 0;
    if (const int problem = start(words, place, signals.before(), process); problem != 0)
        return tl::unexpected(problem);
    if (watch.on_begin) watch.on_begin(process);
    return Waiting(process, signals, watch).until_it_ends();
}

}  // namespace callcost::program
