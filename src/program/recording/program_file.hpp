/// The program that is to be measured, as a file: whether Valgrind can run it, and what its profile will
/// lack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace callcost::program {

enum class CannotRun : std::uint8_t {
    no,              ///< it can be run
    not_found,       ///< no such file
    not_executable,  ///< a directory, or no permission
    no_interpreter,  ///< that its `#!` line names
    privileged       ///< setuid, setgid or with capabilities, which Valgrind cannot give it
};

/// What the language is of that a script is written in.
enum class InterpreterKind : std::uint8_t { none, shell, language };

struct ProgramFile {
    std::string path;  ///< where it was found
    CannotRun cannot_run = CannotRun::no;
    std::string interpreter;  ///< the name of the program that is measured instead of a script; empty: none
    InterpreterKind kind = InterpreterKind::none;
    bool is_script = false;  ///< begins with `#!`, rather than being an interpreter
    bool is_static = false;
    bool has_symbols = true;
    bool has_lines = true;
};

/// `name` is a path or is searched in $PATH, as exec does in this directory (empty: the working directory).
[[nodiscard]] ProgramFile inspect_program(const std::string& name, const std::string& directory = {});

/// `#!/usr/bin/env -S python3 -u` gives "python3"; empty if it is no such line.
[[nodiscard]] std::string interpreter_of_line(const std::string& first_line);
/// The words of the `#!` line of a file; empty: it has none.
[[nodiscard]] std::vector<std::string> interpreter_words(const std::string& path);
/// `/usr/bin/env -S python3 -u` gives `python3 -u`; as they are if env changes the environment.
[[nodiscard]] std::vector<std::string> without_env(std::vector<std::string> interpreter_words);
/// What a program of this name interprets, such as "python3.11".
[[nodiscard]] InterpreterKind kind_of_interpreter(std::string name);

}  // namespace callcost::program
