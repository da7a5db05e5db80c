#include "sources/source_text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace callcost::program {

namespace {

/// What statfs() calls the file systems that hold no files but the kernel's answers. They look like files.
constexpr std::array kernel_file_systems{
    0x9fa0UL,      // proc
    0x62656572UL,  // sysfs
    0x64626720UL,  // debugfs
    0x74726163UL,  // tracefs
    0x73636673UL,  // securityfs
};

tl::unexpected<SourceProblem> problem(NoSource reason, const std::string& path, std::string detail = {}) {
    return tl::unexpected(SourceProblem{reason, path, std::move(detail), {}});
}

tl::unexpected<SourceProblem> system_problem(const std::string& path) {
    constexpr std::array no_such_file{ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP, EINVAL};
    const int code = errno;
    const bool is_missing = std::find(no_such_file.begin(), no_such_file.end(), code) != no_such_file.end();
    return problem(is_missing ? NoSource::missing : NoSource::unreadable, path,
                   std::generic_category().message(code));
}

/// What a file is that is not regular, or null.
const char* special_kind(const struct stat& facts) {
    if (S_ISREG(facts.st_mode)) return nullptr;
    if (S_ISDIR(facts.st_mode)) return "is a directory";
    if (S_ISFIFO(facts.st_mode)) return "is a pipe";
    if (S_ISSOCK(facts.st_mode)) return "is a socket";
    return "is a device";
}

bool is_kernel_file(int file) {
    struct statfs system {};
    if (::fstatfs(file, &system) != 0) return false;
    const auto type = static_cast<unsigned long>(system.f_type);
    return std::find(kernel_file_systems.begin(), kernel_file_systems.end(), type) !=
           kernel_file_systems.end();
}

FileTime changed(const struct stat& facts) {
    return FileTime(std::chrono::seconds(facts.st_mtim.tv_sec) +
                    std::chrono::nanoseconds(facts.st_mtim.tv_nsec));
}

/// Reads until the buffer is full or the file ends. The number of bytes, or nothing with errno.
std::optional<std::size_t> read_up_to(int file, char* buffer, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = ::read(file, buffer + done, size - done);
        if (count == 0) break;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return std::nullopt;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

tl::expected<SourceText, SourceProblem> load(const std::string& path, int file, std::uint64_t max_bytes) {
    struct stat facts {};
    if (::fstat(file, &facts) != 0) return system_problem(path);
    if (const char* kind = special_kind(facts)) return problem(NoSource::not_a_file, path, kind);
    if (is_kernel_file(file)) return problem(NoSource::not_a_file, path, "is a kernel pseudo-file");
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    // Lines are found by 32-bit offsets.
    if (size > std::min<std::uint64_t>(max_bytes, UINT32_MAX)) return problem(NoSource::too_large, path);

    std::string text(static_cast<std::size_t>(size), '\0');
    const auto count = read_up_to(file, text.data(), text.size());
    if (!count) return system_problem(path);
    text.resize(*count);
    if (text.find('\0') != std::string::npos) return problem(NoSource::binary, path);
    return SourceText(path, changed(facts), std::move(text));
}

}  // namespace

std::optional<FileTime> modification_time(const std::string& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
    return changed(facts);
}

SourceText::SourceText(std::string path, FileTime modified, std::string text)
    : path_(std::move(path)), text_(std::move(text)), modified_(modified) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
    for (std::size_t start = 0; start < text_.size();) {
        line_starts_.push_back(static_cast<std::uint32_t>(start));
        const std::size_t end = text_.find('\n', start);
        start = end == std::string::npos ? text_.size() : end + 1;
    }
}

std::string_view SourceText::line(std::uint64_t number) const {
    if (number == 0 || number > line_starts_.size()) return {};
    const std::size_t row = static_cast<std::size_t>(number) - 1;
    const std::size_t end = row + 1 < line_starts_.size() ? line_starts_[row + 1] : text_.size();
    std::string_view line = std::string_view(text_).substr(line_starts_[row], end - line_starts_[row]);
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

tl::expected<SourceText, SourceProblem> load_source(const std::string& path, std::uint64_t max_bytes) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) return system_problem(path);
    if (const char* kind = special_kind(facts)) return problem(NoSource::not_a_file, path, kind);
    // Looked at again when open, and opened without waiting: it may have been replaced by a pipe.
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return system_problem(path);
    auto text = load(path, file, max_bytes);
    ::close(file);
    return text;
}

}  // namespace callcost::program
