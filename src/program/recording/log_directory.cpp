#include "recording/log_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "input/directory_entries.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_log = 1'000'000;  // bytes that are looked at

/// Neither ended nor replaced by a program that is not measured.
bool is_under_valgrind(pid_t process) {
    std::error_code problem;
    const auto program = fs::read_symlink("/proc/" + std::to_string(process) + "/exe", problem);
    return !problem && program.filename().string().find("grind-") != std::string::npos;
}

}  // namespace

std::string beginning_of(const std::string& path) {
    std::string text(longest_log, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::optional<LogDirectory> LogDirectory::create() {
    auto parent = environment("TMPDIR").value_or("");
    if (parent.empty()) parent = "/tmp";
    auto path = parent + "/callcost-record.XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return std::nullopt;
    std::error_code problem;
    const auto absolute = fs::absolute(path, problem);
    if (problem) {
        ::rmdir(path.c_str());
        errno = problem.value();
        return std::nullopt;
    }
    return LogDirectory(absolute.string());
}

LogDirectory::LogDirectory(LogDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), is_kept_(other.is_kept_) {}

LogDirectory::~LogDirectory() {
    std::error_code ignored;
    if (!is_kept_ && !path_.empty()) fs::remove_all(path_, ignored);
}

std::vector<pid_t> LogDirectory::processes() const {
    std::vector<pid_t> found;
    for_each_entry(path_, [&](const std::string& name, FileKind) {
        pid_t process = 0;
        const auto [last, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error == std::errc() && last == name.data() + name.size()) found.push_back(process);
        return true;
    });
    std::sort(found.begin(), found.end());
    return found;
}

std::map<pid_t, ValgrindLog> LogDirectory::logs() const {
    std::map<pid_t, ValgrindLog> all;
    for (const pid_t process : processes())
        all.emplace(process, understand_log(beginning_of(prefix() + std::to_string(process))));
    return all;
}

std::vector<pid_t> LogDirectory::running() const {
    auto all = processes();
    std::erase_if(all, [](pid_t process) { return !is_under_valgrind(process); });
    return all;
}

}  // namespace callcost::program
