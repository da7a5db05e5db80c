#include "input/directory_entries.hpp"

#include <cerrno>
#include <memory>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace callcost::program {
namespace {

struct Close {
    void operator()(DIR* directory) const { ::closedir(directory); }
};

FileKind kind_of(DIR* directory, const dirent& entry) {
    if (entry.d_type == DT_REG) return FileKind::file;
    if (entry.d_type == DT_DIR) return FileKind::directory;
    if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return FileKind::other;
    struct stat facts {};
    if (::fstatat(::dirfd(directory), entry.d_name, &facts, 0) != 0) return FileKind::other;
    if (S_ISREG(facts.st_mode)) return FileKind::file;
    if (!S_ISDIR(facts.st_mode)) return FileKind::other;
    if (::fstatat(::dirfd(directory), entry.d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return FileKind::other;
    return S_ISDIR(facts.st_mode) ? FileKind::directory : FileKind::link_to_directory;
}

std::error_code system_error() { return {errno, std::generic_category()}; }

}  // namespace

std::error_code for_each_entry(const std::string& directory,
                               const std::function<bool(std::string name, FileKind kind)>& visit) {
    const std::unique_ptr<DIR, Close> opened(::opendir(directory.empty() ? "." : directory.c_str()));
    if (!opened) return system_error();
    for (;;) {
        errno = 0;
        const dirent* const entry = ::readdir(opened.get());
        if (entry == nullptr) return errno == 0 ? std::error_code() : system_error();
        std::string name(entry->d_name);
        if (name != "." && name != ".." && !visit(std::move(name), kind_of(opened.get(), *entry))) return {};
    }
}

}  // namespace callcost::program
