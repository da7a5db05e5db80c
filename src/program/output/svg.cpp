#include "output/svg.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace callcost::program {
namespace {

tl::unexpected<Error> failure(ErrorCode code, std::string detail) {
    return tl::unexpected(Error{.code = code, .detail = std::move(detail)});
}

std::string reason(int error) { return std::generic_category().message(error); }

class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
    Descriptor& operator=(Descriptor&& from) noexcept {
        std::swap(number_, from.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

  private:
    int number_;
};

/// Two ends of a stream; only ours never blocks. Sockets, since writing to one whose reader is gone can fail
/// without a signal.
struct Stream {
    Descriptor ours, theirs;

    bool open() {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
        ours = Descriptor(ends[0]);
        theirs = Descriptor(ends[1]);
        // A number below 3 would be in the way of those that the program is given.
        for (auto* end : {&ours, &theirs}) {
            if (end->number() > 2) continue;
            *end = Descriptor(::fcntl(end->number(), F_DUPFD_CLOEXEC, 3));
            if (!end->is_open()) return false;
        }
        return ::fcntl(ours.number(), F_SETFL, O_NONBLOCK) == 0;
    }
};

/// A program that turns one text into another.
class GraphvizProcess {
  public:
    explicit GraphvizProcess(const SvgOptions& options)
        : options_(options), deadline_(std::chrono::steady_clock::now() + options.patience) {}
    GraphvizProcess(const GraphvizProcess&) = delete;
    GraphvizProcess& operator=(const GraphvizProcess&) = delete;
    ~GraphvizProcess() {
        if (process_ > 0) end();
    }

    Result<std::string> run(std::string_view input) {
        if (auto started = start(); !started) return tl::unexpected(started.error());
        if (auto exchanged = exchange(input); !exchanged) return tl::unexpected(exchanged.error());
        const int status = wait();
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || output_.empty())
            return failure(ErrorCode::read_failed, options_.program + ": " + complaint(status));
        return std::move(output_);
    }

  private:
    Result<void> start() {
        if (!in_.open() || !out_.open() || !err_.open())
            return failure(ErrorCode::cannot_open, options_.program + ": " + reason(errno));
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in_.theirs.number(), 0);
        posix_spawn_file_actions_adddup2(&actions, out_.theirs.number(), 1);
        posix_spawn_file_actions_adddup2(&actions, err_.theirs.number(), 2);
        std::string program = options_.program, format = "-Tsvg";
        std::array<char*, 3> arguments = {program.data(), format.data(), nullptr};
        const int error =
            posix_spawnp(&process_, program.c_str(), &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0) {
            process_ = -1;
            return failure(ErrorCode::cannot_open, options_.program + ": " + reason(error));
        }
        in_.theirs.close();
        out_.theirs.close();
        err_.theirs.close();
        return {};
    }

    /// Writes and reads as either is possible, until the program has closed its outputs.
    Result<void> exchange(std::string_view input) {
        while (out_.ours.is_open() || err_.ours.is_open()) {
            if (input.empty()) in_.ours.close();
            std::array<pollfd, 3> waiting = {pollfd{in_.ours.number(), POLLOUT, 0},
                                             pollfd{out_.ours.number(), POLLIN, 0},
                                             pollfd{err_.ours.number(), POLLIN, 0}};  // closed ones are -1
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                deadline_ - std::chrono::steady_clock::now());
            if (left.count() <= 0) return failure(ErrorCode::read_failed, options_.program + ": timed out");
            // A signal may be for us to end: it is looked at where the program is waited for.
            constexpr std::chrono::milliseconds longest{60'000};
            const int ready =
                ::poll(waiting.data(), waiting.size(), static_cast<int>(std::min(left, longest).count()));
            if (ready < 0 && errno != EINTR)
                return failure(ErrorCode::read_failed, options_.program + ": " + reason(errno));
            if (ready <= 0) continue;
            if (waiting[0].revents != 0) write_some(input);
            if (waiting[1].revents != 0) read_some(out_.ours, output_, options_.max_bytes + 1);
            if (waiting[2].revents != 0) read_some(err_.ours, complaint_, max_complaint);
            if (output_.size() > options_.max_bytes)
                return failure(ErrorCode::too_large, options_.program + ": the picture is too large");
        }
        return {};
    }

    /// A program that does not want its input has its reasons, which its exit status tells.
    void write_some(std::string_view& input) {
        const auto count = ::send(in_.ours.number(), input.data(), input.size(), MSG_NOSIGNAL);
        if (count >= 0) {
            input.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EAGAIN && errno != EINTR) {
            input = {};
        }
    }

    /// What is beyond `most` is read and forgotten.
    void read_some(Descriptor& from, std::string& text, std::size_t most) {
        const auto count = ::read(from.number(), buffer_.data(), buffer_.size());
        if (count > 0) {
            text.append(buffer_.data(),
                        std::min(static_cast<std::size_t>(count), most - std::min(most, text.size())));
        } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
            from.close();
        }
    }

    /// Its exit status. It has closed its outputs, so this does not take long.
    int wait() {
        int status = 0;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
        return status;
    }

    void end() {
        ::kill(process_, SIGKILL);
        (void)wait();
    }

    [[nodiscard]] std::string complaint(int status) const {
        auto text = complaint_;
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
        if (!text.empty()) return text;
        if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
        return WEXITSTATUS(status) == 0 ? "no output" : "exit status " + std::to_string(WEXITSTATUS(status));
    }

    static constexpr std::size_t max_complaint = 2048;

    const SvgOptions& options_;
    std::chrono::steady_clock::time_point deadline_;
    pid_t process_ = -1;
    Stream in_, out_, err_;
    std::string output_, complaint_;
    std::array<char, 65536> buffer_{};
};

}  // namespace

Result<void> write_svg(const CallGraph& graph, const SvgOptions& options, const Sink& sink) {
    std::string dot;
    auto written = write_dot(graph, options.dot, [&](std::string_view block) -> Result<void> {
        if (dot.size() + block.size() > options.max_bytes)
            return failure(ErrorCode::too_large, "the graph is too large");
        dot += block;
        return {};
    });
    if (!written) return written;
    const auto svg = GraphvizProcess(options).run(dot);
    if (!svg) return tl::unexpected(svg.error());
    constexpr std::size_t block_size = std::size_t{64} << 10U;
    for (std::string_view rest = *svg; !rest.empty(); rest.remove_prefix(std::min(block_size, rest.size()))) {
        if (auto passed = sink(rest.substr(0, block_size)); !passed) return passed;
    }
    return {};
}

}  // namespace callcost::program
