#include "disk/synced.hpp"

#include <cerrno>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace callcost::program {

/// Not every file system, and nothing but a file or directory, can be told to.
bool sync_file(int descriptor) {
    int failed = 0;
    do {
        failed = ::fsync(descriptor);
    } while (failed != 0 && errno == EINTR);
    return failed == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EROFS;
}

/// A directory that may be written to need not be readable: then its names wait for the system.
bool sync_directory(const std::string& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return errno == EACCES;
    const bool done = sync_file(descriptor);
    const int problem = errno;
    ::close(descriptor);
    errno = problem;
    return done;
}

std::string directory_of(const std::string& path) {
    const auto directory = std::filesystem::path(path).parent_path().string();
    return directory.empty() ? "." : directory;
}

std::error_code make_directories(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code problem;
    std::vector<std::string> changed;
    for (fs::path missing = path; !missing.empty() && !fs::exists(missing, problem);
         missing = missing.parent_path())
        changed.push_back(directory_of(missing.string()));
    fs::create_directories(path, problem);
    for (const auto& directory : changed)
        if (!problem && !sync_directory(directory)) problem.assign(errno, std::generic_category());
    return problem;
}

}  // namespace callcost::program
