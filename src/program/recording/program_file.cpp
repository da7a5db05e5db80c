#include "recording/program_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sources/elf_file.hpp"
#include "terminal/terminal.hpp"
#include "text/characters.hpp"

namespace callcost::program {
namespace {

std::string base_name(const std::string& path) { return std::string(engine::base_name(path)); }

bool is_runnable(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(path.c_str(), R_OK | X_OK) == 0;
}

bool exists(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0;
}

/// The first that can be run; else the first that exists; else empty.
std::string found_in_path(const std::string& name) {
    const std::string directories = environment("PATH").value_or("/usr/bin:/bin");
    std::string present;
    for (std::size_t begin = 0; begin <= directories.size();) {
        const auto end = std::min(directories.find(':', begin), directories.size());
        const auto directory = directories.substr(begin, end - begin);
        auto path = (directory.empty() ? "." : directory) + "/" + name;
        if (is_runnable(path)) return path;
        if (present.empty() && exists(path)) present = std::move(path);
        begin = end + 1;
    }
    return present;
}

/// Valgrind runs such programs only as their owner, for whom they have no more rights.
bool is_privileged(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return false;
    return (status.st_mode & (S_ISUID | S_ISGID)) != 0 ||
           ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

std::string first_line(const std::string& path) {
    std::array<char, 512> block{};
    std::ifstream file(path, std::ios::binary);
    file.read(block.data(), block.size());
    const std::string text(block.data(), static_cast<std::size_t>(file.gcount()));
    return text.substr(0, text.find('\n'));
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const auto begin = std::min(text.find_first_not_of(" \t\r"), text.size());
        text.remove_prefix(begin);
        const auto end = std::min(text.find_first_of(" \t\r"), text.size());
        if (end > 0) words.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

}  // namespace

std::string interpreter_of_line(const std::string& first_line) {
    if (!first_line.starts_with("#!")) return {};
    const auto words = words_of(std::string_view(first_line).substr(2));
    if (words.empty()) return {};
    if (base_name(words.front()) != "env") return base_name(words.front());
    const auto is_program = [](const std::string& word) {
        return !word.starts_with('-') && word.find('=') == std::string::npos;
    };
    const auto found = std::find_if(words.begin() + 1, words.end(), is_program);
    return found == words.end() ? "env" : base_name(*found);
}

std::vector<std::string> interpreter_words(const std::string& path) {
    const auto line = first_line(path);
    return line.starts_with("#!") ? words_of(std::string_view(line).substr(2)) : std::vector<std::string>();
}

std::vector<std::string> without_env(std::vector<std::string> interpreter_words) {
    if (interpreter_words.empty() || base_name(interpreter_words.front()) != "env") return interpreter_words;
    auto program = interpreter_words.begin() + 1;
    if (program != interpreter_words.end() && *program == "-S") ++program;
    if (program == interpreter_words.end() || program->starts_with('-') ||
        program->find('=') != std::string::npos)
        return interpreter_words;
    return {program, interpreter_words.end()};
}

InterpreterKind kind_of_interpreter(std::string name) {
    constexpr std::array<std::string_view, 8> shells{"sh",  "bash", "dash", "zsh",
                                                     "ksh", "mksh", "fish", "busybox"};
    constexpr std::array<std::string_view, 18> languages{
        "python", "pypy",  "perl",  "ruby",  "node",    "nodejs", "php",  "lua",  "luajit",
        "java",   "tclsh", "guile", "julia", "Rscript", "awk",    "gawk", "mawk", "dotnet"};
    name.erase(std::find_if(name.rbegin(), name.rend(),
                            [](char c) { return c != '.' && c != '-' && (c < '0' || c > '9'); })
                   .base(),
               name.end());
    if (std::find(shells.begin(), shells.end(), name) != shells.end()) return InterpreterKind::shell;
    if (std::find(languages.begin(), languages.end(), name) != languages.end())
        return InterpreterKind::language;
    return InterpreterKind::none;
}

ProgramFile inspect_program(const std::string& name, const std::string& directory) {
    ProgramFile file;
    file.path = name.find('/') == std::string::npos ? found_in_path(name)
                : directory.empty()                 ? name
                                                    : (std::filesystem::path(directory) / name).string();
    if (name.empty() || file.path.empty() || !exists(file.path)) {
        file.cannot_run = CannotRun::not_found;
        return file;
    }
    if (!is_runnable(file.path)) {
        file.cannot_run = CannotRun::not_executable;
        return file;
    }
    if (is_privileged(file.path)) {
        file.cannot_run = CannotRun::privileged;
        return file;
    }
    const auto line = first_line(file.path);
    file.interpreter = interpreter_of_line(line);
    file.is_script = !file.interpreter.empty();
    if (file.is_script) {
        file.kind = kind_of_interpreter(file.interpreter);
        if (file.kind == InterpreterKind::none) file.kind = InterpreterKind::language;
        if (!is_runnable(words_of(std::string_view(line).substr(2)).front()))
            file.cannot_run = CannotRun::no_interpreter;
        return file;
    }
    std::error_code problem;
    const auto real = std::filesystem::canonical(file.path, problem).string();
    const auto names = read_elf_names(problem ? file.path : real);
    if (!names) {  // which exec refuses, and the C library gives to a shell
        file.interpreter = "sh";
        file.kind = InterpreterKind::shell;
        file.is_script = true;
        return file;
    }
    file.kind = kind_of_interpreter(base_name(name));
    if (file.kind == InterpreterKind::none) file.kind = kind_of_interpreter(base_name(real));
    if (file.kind != InterpreterKind::none) file.interpreter = base_name(name);
    file.is_static = names->is_static;
    file.has_symbols = names->has_symbols;
    file.has_lines = names->has_lines;
    return file;
}

}  // namespace callcost::program
