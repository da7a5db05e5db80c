#include "sources/git.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "sources/program.hpp"

namespace callcost::program {
namespace {

namespace files = std::filesystem;

/// Git before 2.38 does not know safe.bareRepository. A bare repository is used only if GIT_DIR names it.
bool is_in_bare_repository() {
    if (std::getenv("GIT_DIR") != nullptr) return false;
    std::error_code ignored;
    auto place = files::current_path(ignored);
    for (;;) {
        if (place.filename() == ".git" || files::exists(place / ".git", ignored)) return false;
        if (files::exists(place / "HEAD", ignored) && files::exists(place / "objects", ignored) &&
            files::exists(place / "refs", ignored))
            return true;
        if (!place.has_relative_path()) return false;
        place = place.parent_path();
    }
}

/// Options that take every program out of a configuration that a question to git might run.
const std::vector<std::string>& safe_options() {
    static const std::vector<std::string> options{
        "--no-pager", "--no-optional-locks",     "-c", "safe.bareRepository=explicit",
        "-c",         "core.fsmonitor=false",    "-c", "core.hooksPath=/dev/null",
        "-c",         "log.showSignature=false", "-c", "credential.helper="};
    return options;
}

tl::expected<ProgramOutput, std::string> run(const std::vector<std::string>& words) {
    if (is_in_bare_repository())
        return tl::unexpected(std::string("this is a bare repository; GIT_DIR=. says that it is meant"));
    std::vector<std::string> command{"git"};
    command.insert(command.end(), safe_options().begin(), safe_options().end());
    command.insert(command.end(), words.begin(), words.end());
    // Objects that are missing are not fetched: a remote names programs, too.
    auto output = run_program(
        command, {.variables = {"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"}});
    if (!output)
        return tl::unexpected("git cannot be run: " + std::generic_category().message(output.error()));
    if (output->was_stopped) return tl::unexpected(std::string("git printed too much or took too long"));
    return *std::move(output);
}

std::string reason_of(std::string_view text) {
    constexpr std::string_view beginning = "fatal: ";
    if (text.starts_with(beginning)) text.remove_prefix(beginning.size());
    return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

tl::expected<std::string, std::string> git(const std::vector<std::string>& words) {
    auto output = run(words);
    if (!output) return tl::unexpected(output.error());
    if (output->has_failed) return tl::unexpected(reason_of(output->errors));
    return std::move(output->text);
}

// A file that may have changed since it was written to the index is read, through the filters that the
// repository names for it. A filter of the user's own configuration is wanted.
bool is_work_tree_modified() {
    const auto found = run({"config", "--show-scope", "--null", "--name-only", "--get-regexp",
                            R"(^filter\..*\.(clean|process)$)"});
    if (!found || (found->has_failed && !found->errors.empty())) return true;  // before Git 2.26
    std::vector<std::string> words;
    std::string_view rest = found->text;
    const auto take = [&] {
        const auto text = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        return text;
    };
    while (!rest.empty()) {
        const auto scope = take(), name = take();
        if (scope != "local" && scope != "worktree") continue;
        if (name.find('=') != std::string_view::npos) return true;  // no option can change it
        const auto filter = name.substr(0, name.rfind('.'));
        words.insert(words.end(),
                     {"-c", std::string(name) + "=", "-c", std::string(filter) + ".required=false"});
    }
    // Of a submodule which commit it has, without looking into it.
    words.insert(words.end(), {"diff-index", "--quiet", "--ignore-submodules=dirty", "HEAD", "--"});
    const auto answer = run(words);
    return !answer || answer->has_failed;
}

}  // namespace callcost::program
