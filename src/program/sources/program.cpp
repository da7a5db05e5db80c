#include "sources/program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace callcost::program {

namespace {

using Clock = std::chrono::steady_clock;

/// Ours with what is set for it, in English and without what would make binutils ask servers for files.
std::vector<std::string> environment_of_program(std::vector<std::string> variables) {
    const auto add = [&](std::string_view text) {
        const auto name = text.substr(0, std::min(text.find('='), text.size() - 1) + 1);
        if (std::none_of(variables.begin(), variables.end(),
                         [&](const std::string& known) { return known.starts_with(name); }))
            variables.emplace_back(text);
    };
    for (const std::string_view usual : {"LC_ALL=C", "LANGUAGE=", "DEBUGINFOD_URLS="}) add(usual);
    for (char** variable = ::environ; *variable != nullptr; ++variable) add(*variable);
    return variables;
}

/// As exec wants them; valid as long as the words.
std::vector<char*> pointers_of(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Both ends of a pipe, closed in the end.
class Pipe {
  public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    [[nodiscard]] bool is_open() const { return ends_[0] >= 0; }
    [[nodiscard]] int reading_end() const { return ends_[0]; }
    [[nodiscard]] int writing_end() const { return ends_[1]; }
    void close_reading_end() { close_end(0); }
    void close_writing_end() { close_end(1); }

  private:
    void close_end(std::size_t end) {
        if (ends_[end] >= 0) ::close(ends_[end]);
        ends_[end] = -1;
    }
    std::array<int, 2> ends_{-1, -1};
};

/// A program that runs, with its output.
class RunningProgram {
  public:
    explicit RunningProgram(const ProgramLimits& limits)
        : limits_(limits), deadline_(Clock::now() + limits.max_time) {}

    /// 0, or what errno would be.
    int start(std::vector<std::string> words) {
        if (!out_.is_open() || !errors_.is_open()) return errno;
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        if (limits_.input < 0) {
            posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        } else {
            posix_spawn_file_actions_adddup2(&files, limits_.input, STDIN_FILENO);
        }
        posix_spawn_file_actions_adddup2(&files, out_.writing_end(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files, errors_.writing_end(), STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        // A group of its own, so that what it starts itself can be ended with it; and the usual signals.
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        sigset_t blocked;
        sigemptyset(&blocked);
        if (limits_.survives_broken_pipes) sigaddset(&blocked, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &blocked);
        sigset_t all;
        sigfillset(&all);
        posix_spawnattr_setsigdefault(&attributes, &all);

        auto variables = environment_of_program(limits_.variables);
        const auto arguments = pointers_of(words);
        const int problem = ::posix_spawnp(&process_, arguments.front(), &files, &attributes,
                                           arguments.data(), pointers_of(variables).data());
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
        out_.close_writing_end();
        errors_.close_writing_end();
        return problem;
    }

    ProgramOutput finish() {
        read_all();
        out_.close_reading_end();
        errors_.close_reading_end();
        wait();
        return std::move(output_);
    }

  private:
    [[nodiscard]] int milliseconds_left() const {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
        return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
    }

    [[nodiscard]] bool may_go_on() const {
        return milliseconds_left() > 0 && (!limits_.is_wanted || limits_.is_wanted());
    }

    void read_all() {
        std::array<pollfd, 2> ends{pollfd{out_.reading_end(), POLLIN, 0},
                                   pollfd{errors_.reading_end(), POLLIN, 0}};
        while (!output_.was_stopped && (ends[0].fd >= 0 || ends[1].fd >= 0)) {
            const int ready = ::poll(ends.data(), ends.size(), std::min(milliseconds_left(), 100));
            if (ready < 0 && errno == EINTR) continue;
            if (ready < 0 || !may_go_on()) return stop();
            if (ends[0].revents != 0 && !read_some(ends[0].fd, output_.text, limits_.max_bytes))
                ends[0].fd = -1;
            if (ends[1].revents != 0 && !read_some(ends[1].fd, output_.errors, SIZE_MAX)) ends[1].fd = -1;
            output_.errors.resize(std::min<std::size_t>(output_.errors.size(), 4096));
        }
    }

    /// False at the end.
    bool read_some(int file, std::string& text, std::size_t most) {
        std::array<char, 65536> block;
        const ssize_t size = ::read(file, block.data(), block.size());
        if (size < 0 && errno == EINTR) return true;
        if (size <= 0) return false;
        text.append(block.data(), static_cast<std::size_t>(size));
        if (text.size() > most) stop();
        return true;
    }

    void stop() {
        output_.was_stopped = true;
        ::kill(-process_, SIGKILL);
    }

    /// It may have closed its output and still run.
    void wait() {
        int status = 0;
        for (;;) {
            const pid_t ended = ::waitpid(process_, &status, output_.was_stopped ? 0 : WNOHANG);
            if (ended == process_ || (ended < 0 && errno != EINTR)) break;
            if (ended == 0 && !may_go_on()) stop();
            if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        output_.has_failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }

    const ProgramLimits& limits_;
    Clock::time_point deadline_;
    Pipe out_, errors_;
    pid_t process_ = -1;
    ProgramOutput output_;
};

}  // namespace

tl::expected<ProgramOutput, int> run_program(const std::vector<std::string>& words,
                                             const ProgramLimits& limits) {
    RunningProgram program(limits);
    if (const int problem = program.start(words); problem != 0) return tl::unexpected(problem);
    return program.finish();
}

}  // namespace callcost::program
