#include "input/file_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace callcost::program {

static_assert(sizeof(off_t) >= 8, "files over 2 GiB: compile with -D_FILE_OFFSET_BITS=64");

namespace {

Error system_error(ErrorCode code) {
    return {.code = code, .detail = std::generic_category().message(errno)};
}

Error cannot_open(const char* reason) { return {.code = ErrorCode::cannot_open, .detail = reason}; }

/// Why a file of this kind is not read, or null. A character device is fine only as standard input: a
/// terminal is one, but opening any other may do things to the device or never end.
const char* refusal(const struct stat& facts, bool is_standard_input, FileReader::Kinds kinds) {
    if (S_ISFIFO(facts.st_mode) && kinds == FileReader::Kinds::regular) return "is a pipe";
    if (!S_ISREG(facts.st_mode) && kinds == FileReader::Kinds::regular) is_standard_input = false;
    if (S_ISDIR(facts.st_mode)) return "is a directory";
    if (S_ISBLK(facts.st_mode)) return "is a block device";
    if (S_ISCHR(facts.st_mode) && !is_standard_input) return "is a character device";
    if (S_ISSOCK(facts.st_mode) && !is_standard_input) return "is a socket";
    return nullptr;
}

/// /dev/fd/0, /dev/tty and the like may be what we have open already.
bool is_standard_input(const struct stat& facts) {
    struct stat input {};
    return !S_ISREG(facts.st_mode) && ::fstat(STDIN_FILENO, &input) == 0 && input.st_dev == facts.st_dev &&
           input.st_ino == facts.st_ino;
}

/// The descriptor, or -1 with errno.
int open_path(const std::string& path, FileReader::Kinds kinds) {
    const int waiting = kinds == FileReader::Kinds::regular ? O_NONBLOCK : 0;  // for the writer of a pipe
    int file = -1;
    do {
        file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | waiting);
    } while (file < 0 && errno == EINTR);
    return file;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
}

Result<FileReader> FileReader::open(const std::string& path, Kinds kinds) {
    struct stat facts {};
    bool is_input = path == "-" || path == "/dev/stdin";
    if (!is_input) {
        // Looked at before it is opened, because opening a device is already an action.
        if (::stat(path.c_str(), &facts) != 0) return tl::unexpected(system_error(ErrorCode::cannot_open));
        is_input = is_standard_input(facts);
        if (const char* reason = refusal(facts, is_input, kinds)) return tl::unexpected(cannot_open(reason));
    }
    FileReader reader(
        FileDescriptor(is_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open_path(path, kinds)));
    const int file = reader.file_.number();
    if (file < 0 || ::fstat(file, &facts) != 0) return tl::unexpected(system_error(ErrorCode::cannot_open));
    if (const char* reason = refusal(facts, is_input, kinds)) return tl::unexpected(cannot_open(reason));

    reader.may_wait_ = !S_ISREG(facts.st_mode);
    if (!reader.may_wait_) {
        const off_t start = std::max<off_t>(::lseek(file, 0, SEEK_CUR), 0);
        reader.size_ = static_cast<std::uint64_t>(std::max<off_t>(facts.st_size - start, 0));
        ::posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    while (reader.head_size_ < max_head) {
        const auto count = reader.read_file(std::span(reader.head_).subspan(reader.head_size_));
        if (!count)
            return tl::unexpected(Error{.code = ErrorCode::cannot_open, .detail = count.error().detail});
        if (*count == 0) break;
        reader.head_size_ += *count;
    }
    return reader;
}

Result<std::size_t> FileReader::read(std::span<char> buffer) {
    if (head_given_ == head_size_) return read_file(buffer);
    const std::size_t count = std::min(buffer.size(), head_size_ - head_given_);
    std::memcpy(buffer.data(), head_.data() + head_given_, count);
    head_given_ += count;
    // A file goes on in the same call, so that later reads start at multiples of the buffer's size. A pipe
    // may have nothing more to say for a while.
    if (may_wait_ || count == buffer.size()) return count;
    return count + read_file(buffer.subspan(count)).value_or(0);  // an error comes again
}

Result<std::size_t> FileReader::read_file(std::span<char> buffer) {
    for (;;) {
        if (wake_reader_.is_open()) {
            if (auto ready = wait_for_bytes(); !ready) return tl::unexpected(ready.error());
        }
        const ssize_t count = ::read(file_.number(), buffer.data(), buffer.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        // Somebody made the pipe or terminal that we share with them non-blocking.
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (auto ready = wait_for_bytes(); !ready) return tl::unexpected(ready.error());
        } else if (errno != EINTR) {
            return tl::unexpected(system_error(ErrorCode::read_failed));
        }
    }
}

Result<void> FileReader::wait_for_bytes() const {
    std::array<pollfd, 2> waiting{
        {{.fd = file_.number(), .events = POLLIN, .revents = 0},
         {.fd = wake_reader_.number(), .events = POLLIN, .revents = 0}}};  // poll ignores a descriptor of -1
    while (::poll(waiting.data(), waiting.size(), -1) < 0) {
        if (errno != EINTR) return tl::unexpected(system_error(ErrorCode::read_failed));
    }
    if (waiting[1].revents != 0) return tl::unexpected(Error{.code = ErrorCode::cancelled, .detail = {}});
    return {};
}

bool FileReader::make_interruptible() {
    if (!may_wait_) return true;
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    wake_reader_ = FileDescriptor(ends[0]);
    wake_writer_ = FileDescriptor(ends[1]);
    return true;
}

void FileReader::interrupt() const {
    if (!wake_writer_.is_open()) return;
    // An empty pipe takes a byte at once; only a signal can get in between.
    while (::write(wake_writer_.number(), "", 1) < 0 && errno == EINTR) {
    }
}

}  // namespace callcost::program
