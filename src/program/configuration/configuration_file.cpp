#include "configuration/configuration_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/names.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = 64'000;  // bytes

/// What anybody may have put there, such as a file in /tmp of somebody else.
bool is_planted(const struct stat& file, const std::string& directory) {
    struct stat around {};
    if (file.st_uid == ::geteuid() || file.st_uid == 0) return false;
    return ::stat(directory.c_str(), &around) == 0 && (around.st_mode & S_IWOTH) != 0;
}

std::string_view kind_of(mode_t mode) {
    return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a named pipe" : "a device or a socket";
}

}  // namespace

std::optional<std::string> find_configuration() {
    std::string up;  // "../../"
    std::error_code ignored;
    for (;;) {
        const auto here = up.empty() ? std::string(".") : up;
        auto path = up + std::string(configuration_name);
        struct stat status {};
        if (::lstat(path.c_str(), &status) == 0 && !is_planted(status, here)) return path;
        if (fs::exists(up + ".git", ignored) || fs::equivalent(here, up + "..", ignored) || ignored)
            return std::nullopt;
        up += "../";
    }
}

tl::expected<Configuration, ConfigurationError> read_configuration() {
    const auto path = find_configuration();
    if (!path) return Configuration{};
    const auto refuse = [&](std::string message, std::string hint = {}) {
        return tl::unexpected(
            ConfigurationError{engine::display_name(*path), std::move(message), std::move(hint)});
    };
    struct stat status {};
    const std::string rename_it =
        "callcost takes it for the configuration of this directory: give it another name";
    if (::stat(path->c_str(), &status) != 0)
        return errno == ENOENT ? refuse("is a symbolic link to a file that does not exist", rename_it)
                               : refuse(std::strerror(errno));
    if (!S_ISREG(status.st_mode))  // reading it might never end
        return refuse(fmt::format("is {}, not a regular file", kind_of(status.st_mode)), rename_it);
    if (::access(path->c_str(), R_OK) != 0) return refuse(std::strerror(errno));
    std::string text(largest_file + 1, '\0');
    std::ifstream file(*path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad()) return refuse("cannot be read");
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file)
        return refuse(fmt::format("is larger than {} bytes: this is no configuration", largest_file));
    return parse_configuration(text, *path);
}

std::string_view initial_configuration() {
    return R"(# What callcost takes as given in this directory and below. Remove the '#' before what you want.
#
# A key is the long name of an option, which says what it means: 'callcost record --help', 'callcost diff --help'.
# Options on the command line win. Paths are relative to this file.

# Source files and programs: for all commands that show source lines or machine code.
#[sources]
#include = ["src", "tests"]
# Recorded under the left side, found under the right one:
#source-map = { "/build/project" = "." }

# What 'callcost record --compare' and 'callcost diff' fail for.
#[gate]
#fail-if = ["Ir > +0.5%", "any fn self.Ir > +1% of total"]
#fail-on-improvement = false
#accept = "accepted.txt"
# For 'record --compare' without a file:
#compare = "callgrind.out.main"

# 'callcost record bench-parse' runs this program in the directory of this file; 'callcost record bench-parse --compare'
# is its gate. Nothing else runs it.
#[record.bench-parse]
#program = "build/bench-parse"
#args = ["--filter", "parse"]

# All that a program may have besides (what does not go together is refused, as on the command line):
#[record.other]
#program = "python3"
#args = ["script.py"]
#directory = "tests"
#output = "callgrind.out.other"
#repeat = 3
#cache = true
#branches = true
#without-instructions = false
#callers = 3
#separate-threads = false
#children = true
#runtime-names = true
#only = ["parse"]
#zero-before = []
#start = "on"
#tool = "callgrind"
#valgrind = ["--fn-skip=wrapper"]
#sample = false
#perf = []
#add = true
#series = "other"
#compare = "callgrind.out.other.main"
#fail-if = "Ir > +2%"
#fail-on-improvement = true
#accept = "accepted-other.txt"
)";
}

}  // namespace callcost::program
