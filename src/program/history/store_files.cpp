#include "history/store_files.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <string_view>

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace callcost::program {
namespace {

sqlite3_vfs* system_files = nullptr;

/// By their full names, as SQLite has them.
class OpenedStores {
  public:
    /// False if there is no memory: what SQLite calls must not throw.
    [[nodiscard]] bool add(const char* path) {
        const std::lock_guard lock(mutex_);
        try {
            paths_.insert(path);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }
    [[nodiscard]] bool have(std::string_view path) const {
        const std::lock_guard lock(mutex_);
        return paths_.contains(path);
    }

  private:
    mutable std::mutex mutex_;
    std::set<std::string, std::less<>> paths_;
};

OpenedStores& opened_stores() {
    static OpenedStores stores;
    return stores;
}

/// A file that SQLite keeps beside a store, or may make there.
bool is_beside_store(const char* full_name) {
    const std::string_view path = full_name;
    constexpr std::array<std::string_view, 3> endings{"-journal", "-wal", "-shm"};
    for (const auto ending : endings) {
        if (!path.ends_with(ending) || !opened_stores().have(path.substr(0, path.size() - ending.size())))
            continue;
        struct stat status {};
        return ::lstat(full_name, &status) == 0 ? S_ISREG(status.st_mode) : errno == ENOENT;
    }
    return false;
}

int open_file(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* opened_with) {
    file->pMethods = nullptr;
    if (path != nullptr && (flags & SQLITE_OPEN_MAIN_DB) != 0) {
        if (!opened_stores().add(path)) return SQLITE_NOMEM;
    } else if (path != nullptr &&
               ((flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) == 0 || !is_beside_store(path))) {
        return SQLITE_CANTOPEN;
    }  // what has no name is temporary
    return system_files->xOpen(system_files, path, file, flags, opened_with);
}

int delete_file(sqlite3_vfs*, const char* path, int syncs_directory) {
    if (!is_beside_store(path)) return SQLITE_IOERR_DELETE;
    return system_files->xDelete(system_files, path, syncs_directory);
}

int has_access(sqlite3_vfs*, const char* path, int wanted, int* answer) {
    *answer = 0;
    if (!opened_stores().have(path) && !is_beside_store(path)) return SQLITE_OK;
    return system_files->xAccess(system_files, path, wanted, answer);
}

}  // namespace

sqlite3_vfs* store_files(sqlite3_vfs* of_system) {
    static sqlite3_vfs files = [of_system] {
        system_files = of_system;
        sqlite3_vfs own = *of_system;
        own.pNext = nullptr;
        own.zName = store_files_name;
        own.xOpen = open_file;
        own.xDelete = delete_file;
        own.xAccess = has_access;
        return own;
    }();
    return &files;
}

std::string why_not_opened(const std::string& store, bool writes) {
    struct stat status {};
    if (::stat(store.c_str(), &status) != 0) return errno == ENOENT ? std::string() : std::strerror(errno);
    if (!S_ISREG(status.st_mode)) return "not a regular file";
    const auto slash = store.rfind('/');
    const auto directory = slash == std::string::npos ? std::string(".") : store.substr(0, slash + 1);
    // Journals are made beside it.
    if (::access(store.c_str(), writes ? R_OK | W_OK : R_OK) != 0 ||
        (writes && ::access(directory.c_str(), W_OK) != 0))
        return std::strerror(errno);
    return {};
}

}  // namespace callcost::program
