#include "output/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk/synced.hpp"

namespace callcost::program {
namespace {

tl::unexpected<Error> system_error() {
    return tl::unexpected(Error{
        .code = ErrorCode::cannot_open, .line = 0, .column = 0, .offset = 0, .detail = std::strerror(errno)});
}

bool same_file(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// A name in the same directory.
std::string name_beside(const std::string& path, const std::string& ending) {
    return (std::filesystem::path(path).parent_path() / (".callcost-" + ending)).string();
}

/// What a link leads to, whether it is there or not.
std::string behind_links(std::filesystem::path path) {
    std::error_code ignored;
    for (int most = 40; most > 0 && std::filesystem::is_symlink(path, ignored); --most)
        path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
    return path.string();
}

mode_t usual_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

Result<OutputFile> OutputFile::open(const std::string& path, std::span<const std::string> inputs,
                                    OutputFileOptions options) {
    OutputFile file(path, std::move(options));
    if (path == "-") {
        file.descriptor_ = STDOUT_FILENO;
        return file;
    }
    struct stat there {};
    const bool exists = ::stat(path.c_str(), &there) == 0;
    for (const auto& input : inputs) {
        struct stat other {};
        if (exists && S_ISREG(there.st_mode) && ::stat(input.c_str(), &other) == 0 && same_file(there, other))
            return tl::unexpected(Error{.code = ErrorCode::bad_argument,
                                        .line = 0,
                                        .column = 0,
                                        .offset = 0,
                                        .detail = "it is also an input file"});
    }
    if (exists && !S_ISREG(there.st_mode)) {
        file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file.descriptor_ < 0) return system_error();
        return file;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) return system_error();
    file.path_ = behind_links(path);
    file.is_atomic_ = true;
    const auto mode = exists ? there.st_mode & 07777 : usual_mode();
    // Not every file system has files without a name, and without /proc they never get one.
    if (!file.open_unnamed(directory_of(file.path_), mode) && !file.open_named()) return system_error();
    (void)::fchmod(file.descriptor_, mode);
    return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : options_(std::move(other.options_)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_atomic_(other.is_atomic_) {}

OutputFile::~OutputFile() {
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Sink OutputFile::sink() {
    return [this](std::string_view bytes) { return write(bytes); };
}

Result<void> OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return system_error();
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

bool OutputFile::open_unnamed(const std::string& directory, unsigned mode) {
    descriptor_ = ::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (descriptor_ < 0) return false;
    if (::access(name_of_open_file().c_str(), F_OK) == 0) return true;
    ::close(std::exchange(descriptor_, -1));
    return false;
}

bool OutputFile::open_named() {
    temporary_ = name_beside(path_, "XXXXXX");
    descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0) temporary_.clear();
    return descriptor_ >= 0;
}

std::string OutputFile::name_of_open_file() const {
    return options_.open_files + "/" + std::to_string(descriptor_);
}

bool OutputFile::link_as(const std::string& name) const {
    return ::linkat(AT_FDCWD, name_of_open_file().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

/// The target's, if there is none: then there is no moment at which a kill leaves another one.
bool OutputFile::give_name() {
    if (link_as(path_)) return true;
    if (errno != EEXIST || !options_.replaces) return false;
    for (int number = 0; number < 1000; ++number) {
        auto name = name_beside(path_, std::to_string(::getpid()) + '-' + std::to_string(number));
        if (link_as(name)) {
            temporary_ = std::move(name);
            return true;
        }
        if (errno != EEXIST) return false;
    }
    return false;
}

/// A link fails where a file is, and so does a rename that is told to, on file systems without links.
bool OutputFile::take_place() const {
    if (options_.replaces) return std::rename(temporary_.c_str(), path_.c_str()) == 0;
    if (::link(temporary_.c_str(), path_.c_str()) == 0) return ::unlink(temporary_.c_str()) == 0;
    if (errno == EEXIST) return false;
#ifdef RENAME_NOREPLACE
    return ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0;
#else
    return false;
#endif
}

Result<void> OutputFile::commit() {
    if (!is_atomic_) return {};
    const auto failure = []() -> Result<void> {
        if (errno != EEXIST) return system_error();
        return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = std::string(already_exists)});
    };
    if (!sync_file(descriptor_)) return system_error();
    if (temporary_.empty() && !give_name()) return failure();
    if (::close(std::exchange(descriptor_, -1)) != 0) return system_error();
    if (!temporary_.empty() && !take_place()) return failure();
    temporary_.clear();
    if (!sync_directory(directory_of(path_))) return system_error();
    return {};
}

Sink within(const engine::OutputLimit& limit, Sink sink) {
    return [limit, sink = std::move(sink),
            written = std::uint64_t{0}](std::string_view bytes) mutable -> Result<void> {
        written += bytes.size();
        if (!limit.covers(written)) return tl::unexpected(limit.error());
        return sink(bytes);
    };
}

}  // namespace callcost::program
