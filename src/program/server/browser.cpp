#include "server/browser.hpp"

#include <algorithm>
#include <csignal>
#include <string_view>
#include <thread>

#include <fcntl.h>
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

BrowserStart open_in_browser(const std::string& address) {
    const auto is_set = [](const char* name) { return !environment(name).value_or("").empty(); };
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return BrowserStart::no_display;
    const auto commands = browser_commands(environment("BROWSER").value_or(""), address);
    return start_first(commands) ? BrowserStart::started : BrowserStart::none_found;
}

bool start_first(const std::vector<std::vector<std::string>>& commands) {
    return std::any_of(commands.begin(), commands.end(), start);
}

}  // namespace callcost::program
