#include "inlining/inline_cache.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <callcost/callcost.hpp>

namespace callcost::program {

namespace {

constexpr std::string_view beginning = "callcost inlined code 5\n";
constexpr std::string_view unfinished = ".new";

/// When and how large: a file of the same name may be another one.
std::string state_of(const std::string& path) {
    struct stat facts {};
    if (path.empty() || ::stat(path.c_str(), &facts) != 0) return {};
    return std::to_string(facts.st_size) + ' ' + std::to_string(facts.st_mtim.tv_sec) + ' ' +
           std::to_string(facts.st_mtim.tv_nsec);
}

/// Empty: nothing is kept about this object.
std::string name_for(const InlineRequest& request, const AskedOfObject& asked) {
    if (request.build_id.empty()) return {};
    auto name = asked.fingerprint;
    for (const auto number : {asked.bounds.functions, asked.bounds.unnamed}) name.add(number);
    name.add(request.is_same ? 1U : 0U);
    for (const auto& text : {request.path, request.debug_path, request.build_id, std::string(version()),
                             state_of(request.path), state_of(request.debug_path)})
        name.add(text);
    return name.text();
}

std::string checksum(std::string_view name, std::string_view bytes) {
    Fingerprint sum;
    sum.add(name);
    sum.add(bytes);
    return sum.text();
}

/// A directory of ours in another one; -1 if there is none.
int open_directory(int around, const char* name, bool makes_it) {
    if (makes_it) ::mkdirat(around, name, 0700);
    const int directory = ::openat(around, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat facts {};
    if (directory < 0 || (::fstat(directory, &facts) == 0 && facts.st_uid == ::geteuid() &&
                          (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0))
        return directory;
    ::close(directory);
    return -1;
}

std::optional<std::string> contents(int directory, const std::string& name, std::uint64_t max_size) {
    const int file = ::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    struct stat facts {};
    std::string bytes;
    const bool is_usable = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
                           static_cast<std::uint64_t>(facts.st_size) <= max_size;
    if (is_usable) bytes.resize(static_cast<std::size_t>(facts.st_size));
    const bool is_whole = is_usable && ::read(file, bytes.data(), bytes.size()) == facts.st_size;
    if (is_whole) ::futimens(file, nullptr);  // the oldest ones go first
    ::close(file);
    return is_whole ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace

std::string user_cache_directory() {
    const char* const given = std::getenv("XDG_CACHE_HOME");
    if (given != nullptr && *given == '/') return std::string(given) + "/callcost";
    const char* const home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? std::string(home) + "/.cache/callcost" : std::string();
}

InlineCache::InlineCache(std::string directory, std::uint64_t max_size)
    : name_(std::move(directory)), max_size_(max_size) {
    open(false);
}

void InlineCache::open(bool makes_it) {
    if (name_.empty() || directory_ >= 0) return;
    const auto last = name_.rfind('/');
    if (makes_it && last != std::string::npos && last > 0) ::mkdir(name_.substr(0, last).c_str(), 0700);
    const int around = open_directory(AT_FDCWD, name_.c_str(), makes_it);
    if (around < 0) return;
    directory_ = open_directory(around, "inlined", makes_it);
    ::close(around);
}

InlineCache::~InlineCache() {
    if (directory_ >= 0) ::close(directory_);
}

std::optional<InlineReply> InlineCache::find(const InlineRequest& request, const AskedOfObject& asked) const {
    if (directory_ < 0) return std::nullopt;
    const auto name = name_for(request, asked);
    const auto bytes = name.empty() ? std::nullopt : contents(directory_, name, max_size_);
    if (!bytes) return std::nullopt;
    std::string_view rest = *bytes;
    if (!rest.starts_with(beginning) || rest.size() < beginning.size() + name.size()) return std::nullopt;
    rest.remove_prefix(beginning.size());
    const auto written = rest.substr(0, name.size());
    rest.remove_prefix(name.size());
    return written == checksum(name, rest) ? decode_reply(rest, asked.bounds) : std::nullopt;
}

void InlineCache::keep(const InlineRequest& request, const AskedOfObject& asked, const InlineReply& reply) {
    const auto name = name_for(request, asked);
    const auto answer = encoded(reply);
    if (name.empty() || answer.size() > max_size_ / 4) return;
    open(true);
    if (directory_ < 0) return;
    const auto bytes = std::string(beginning) + checksum(name, answer) + answer;
    make_room(bytes.size());
    const auto new_name = name + '.' + std::to_string(::getpid()) + std::string(unfinished);
    const int file =
        ::openat(directory_, new_name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return;
    const bool is_whole = ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    const bool is_closed = ::close(file) == 0;
    if (!is_whole || !is_closed || ::renameat(directory_, new_name.c_str(), directory_, name.c_str()) != 0)
        ::unlinkat(directory_, new_name.c_str(), 0);
}

void InlineCache::make_room(std::uint64_t bytes) const {
    const int again = ::openat(directory_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (again < 0) return;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(again), ::closedir);
    if (!listing) {
        ::close(again);
        return;
    }
    std::vector<std::tuple<std::int64_t, std::int64_t, std::string, std::uint64_t>>
        files;  // the oldest first
    std::uint64_t all = bytes;
    while (const auto* const entry = ::readdir(listing.get())) {
        struct stat facts {};
        if (::fstatat(directory_, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
            continue;
        const auto size = static_cast<std::uint64_t>(facts.st_size);
        files.emplace_back(facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, entry->d_name, size);
        all += size;
    }
    if (all <= max_size_) return;
    std::sort(files.begin(), files.end());
    for (const auto& [seconds, nanoseconds, name, size] : files) {
        if (all <= max_size_ / 2) return;
        if (::unlinkat(directory_, name.c_str(), 0) == 0) all -= size;
    }
}

}  // namespace callcost::program
