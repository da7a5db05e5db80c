#include "inlining/inline_worker.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <system_error>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "inlining/dwarf_reader.hpp"
#include "inlining/symbol_names.hpp"
#include "sources/program.hpp"

namespace callcost::program {

namespace {

// What a file may take, by its size: several times what the largest ones did.
constexpr std::uint64_t bytes_a_second = 16U << 20U;
constexpr std::uint64_t least_memory = 512U << 20U;
constexpr std::uint64_t memory_of_byte = 8;
constexpr std::uint64_t max_size = 4ULL << 30U;  // larger files get no more
constexpr std::chrono::seconds max_time{60};     // for all files together
constexpr int max_failures = 8;                  // files that end the process

// Sanitizers reserve terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_plain_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool has_plain_memory = false;
#else
constexpr bool has_plain_memory = true;
#endif
#else
constexpr bool has_plain_memory = true;
#endif

std::uint64_t size_of_file(const std::string& path) {
    struct stat facts {};
    if (path.empty() || ::stat(path.c_str(), &facts) != 0) return 0;
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    const auto on_disk = static_cast<std::uint64_t>(facts.st_blocks) * 512;  // holes have nothing to read
    return std::min({size, std::max<std::uint64_t>(on_disk, 4096), max_size});
}

std::uint64_t size_of_files(const InlineRequest& request) {
    return size_of_file(request.path) + size_of_file(request.debug_path) + size_of_file(request.shared_path);
}

void limit(__rlimit_resource resource, std::uint64_t most) {
    rlimit now{};
    if (::getrlimit(resource, &now) != 0) return;
    now.rlim_cur =
        now.rlim_max == RLIM_INFINITY || most < now.rlim_max ? static_cast<rlim_t>(most) : now.rlim_max;
    ::setrlimit(resource, &now);
}

void limit_to(const InlineRequest& request) {
    const auto size = size_of_files(request);
    itimerval time{};  // of the processor; SIGPROF ends the process
    time.it_value.tv_sec = static_cast<time_t>(1 + size / bytes_a_second);
    ::setitimer(ITIMER_PROF, &time, nullptr);
    if (has_plain_memory) limit(RLIMIT_AS, least_memory + memory_of_byte * size);
}

std::string read_all(int file) {
    std::string all;
    std::array<char, 65536> block;
    for (;;) {
        const auto size = ::read(file, block.data(), block.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return all;
        all.append(block.data(), static_cast<std::size_t>(size));
    }
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto size = ::write(file, bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
}

/// A file without a name that holds the bytes.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("callcost", MFD_CLOEXEC)) {
        if (file_ >= 0 && write_all(file_, bytes) && ::lseek(file_, 0, SEEK_SET) == 0) return;
        problem_ = errno;
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() {
        if (file_ >= 0) ::close(file_);
    }
    [[nodiscard]] int number() const { return file_; }
    [[nodiscard]] int problem() const { return problem_; }

  private:
    int file_;
    int problem_ = 0;
};

tl::expected<ProgramOutput, int> run_worker(const std::string& program,
                                            std::span<const InlineRequest> requests,
                                            std::chrono::milliseconds time_left) {
    std::string input;
    ProgramLimits limits{.max_bytes = 16U << 20U, .max_time = std::chrono::seconds(20)};
    for (const auto& request : requests) {
        append_message(input, encoded(request));
        limits.max_bytes += 200 * request.records.size() + 500 * request.unnamed.size();
        limits.max_time += std::chrono::seconds(3 * size_of_files(request) / bytes_a_second);
    }
    limits.max_time = std::min<std::chrono::milliseconds>(limits.max_time, time_left);
    const MemoryFile file(input);
    if (file.problem() != 0) return tl::unexpected(file.problem());
    limits.input = file.number();
    return run_program({program, std::string(inline_worker_word)}, limits);
}

}  // namespace

int run_inline_worker() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    limit(RLIMIT_CORE, 0);
    ::prctl(PR_SET_DUMPABLE, 0);  // nor to a program that collects them
    const auto input = read_all(STDIN_FILENO);
    std::string_view rest = input;
    while (const auto message = take_message(rest)) {
        const auto request = decode_request(*message);
        if (!request) return 1;
        limit_to(*request);
        std::string output;
        append_message(output, encoded(request->unnamed.empty() ? read_inlined_code(*request)
                                                                : read_symbol_names(*request)));
        if (!write_all(STDOUT_FILENO, output)) return 1;
    }
    return rest.empty() ? 0 : 1;
}

tl::expected<std::vector<std::optional<InlineReply>>, std::string> ask_inline_worker(
    const std::string& program, std::span<const InlineRequest> requests) {
    std::vector<std::optional<InlineReply>> replies;
    const auto end = std::chrono::steady_clock::now() + max_time;
    int failures = 0;
    while (replies.size() < requests.size()) {
        const auto asked = requests.subspan(replies.size());
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (failures == max_failures || left.count() <= 0) {
            replies.resize(requests.size());
            break;
        }
        const auto output = run_worker(program, asked, left);
        if (!output) return tl::unexpected(std::generic_category().message(output.error()));
        std::string_view rest = output->text;
        for (const auto& request : asked) {
            const auto message = take_message(rest);
            replies.push_back(message ? decode_reply(*message, request) : std::nullopt);
            if (replies.back()) continue;
            ++failures;
            break;
        }
    }
    return replies;
}

}  // namespace callcost::program
