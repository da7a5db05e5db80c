#include "server/browser.hpp"

#include <algorithm>
#include <csignal>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terminal/terminal.hpp"

namespace callcost::program {
namespace {

/// The pieces of a text between separators, without empty ones.
std::vector<std::string> pieces(std::string_view text, char separator) {
    std::vector<std::string> found;
    while (!text.empty()) {
        const auto piece = text.substr(0, text.find(separator));
        if (!piece.empty()) found.emplace_back(piece);
        text.remove_prefix(std::min(piece.size() + 1, text.size()));
    }
    return found;
}

/// With nothing of ours: no streams, signals as usual.
bool start(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const auto& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));  // as exec wants them
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, pipe;
    sigemptyset(&none);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipe);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const bool is_started =
        posix_spawnp(&child, arguments.front(), &actions, &attributes, arguments.data(), environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (is_started) std::thread([child] { waitpid(child, nullptr, 0); }).detach();
    return is_started;
}

}  // namespace

std::vector<std::vector<std::string>> browser_commands(const std::string& browser_variable,
                                                       const std::string& address) {
    auto texts = pieces(browser_variable, ':');
    if (texts.empty()) texts = {"xdg-open"};
    std::vector<std::vector<std::string>> commands;
    for (const auto& text : texts) {
        auto words = pieces(text, ' ');
        if (words.empty()) continue;
        const auto place = std::find(words.begin() + 1, words.end(), "%s");
        if (place == words.end()) {
            words.push_back(address);
        } else {
            *place = address;
        }
        commands.push_back(std::move(words));
    }
    return commands;
}

std::string redirect_file(const std::string& address) {
    for (const char* const confines : {"/var/lib/snapd", "/var/lib/flatpak"})
        if (::access(confines, F_OK) == 0) return {};
    std::string folder;
    for (const char* const name : {"XDG_RUNTIME_DIR", "TMPDIR"})
        if (folder.empty()) folder = environment(name).value_or("");
    constexpr std::string_view ending = ".html";
    auto path = (folder.starts_with('/') ? folder : "/tmp") + "/callcost-view-XXXXXX";
    path += ending;
    const int file = ::mkostemps(path.data(), static_cast<int>(ending.size()), O_CLOEXEC);  // mode 0600
    if (file < 0) return {};
    const auto page = fmt::format(
        "<!DOCTYPE html><meta charset=\"utf-8\"><title>callcost</title>"
        "<meta http-equiv=\"refresh\" content=\"0; url={0}\"><a href=\"{0}\">{0}</a>\n",
        address);
    const auto written = ::write(file, page.data(), page.size());
    if (::close(file) == 0 && written == static_cast<ssize_t>(page.size())) return path;
    ::unlink(path.c_str());
    return {};
}

bool has_display() {
    const auto is_set = [](const char* name) { return !environment(name).value_or("").empty(); };
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

BrowserStart open_in_browser(const std::string& address) {
    if (!has_display()) return BrowserStart::no_display;
    const auto commands = browser_commands(environment("BROWSER").value_or(""), address);
    return start_first(commands) ? BrowserStart::started : BrowserStart::none_found;
}

bool start_first(const std::vector<std::vector<std::string>>& commands) {
    return std::any_of(commands.begin(), commands.end(), start);
}

}  // namespace callcost::program
