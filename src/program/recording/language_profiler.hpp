/// Scripts, and the profilers of their languages: whether they are installed, how they are started, and what
/// they leave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace callcost::program {

enum class Language : std::uint8_t { python, php, javascript, ruby, perl };

struct Script {
    Language language = Language::python;
    std::string path;                      ///< as its interpreter is told
    std::vector<std::string> interpreter;  ///< the words of the `#!` line, or the usual name
    std::vector<std::string>
        options;  ///< that load the profiler, if the interpreter's configuration does not
};

/// What people are told of the profiler of a language.
struct LanguageProfiler {
    const char* language;  ///< "Python"
    const char* name;      ///< "cProfile"
    const char* prefix;    ///< of its files: "cprofile.out."
    const char* tells;     ///< what is exact, and what is not
    const char* package;   ///< of Debian
};
[[nodiscard]] const LanguageProfiler& profiler_of(Language language);

/// The script that a word of the command line names: by its `#!` line, else by the ending of its name.
/// Nothing if it is another program, or a script of a language without a profiler here. The directory is
/// where it runs (empty: the working directory).
[[nodiscard]] std::optional<Script> script_named(const std::string& name, const std::string& directory);
/// The first of an interpreter's arguments that is a script of its own: "app.py" of `python3 -u app.py`.
[[nodiscard]] std::string script_among(const std::vector<std::string>& program, const std::string& directory);

struct MissingProfiler {
    std::string message, hint;
};
/// Asks the interpreter, which runs nothing else. Completes the script's options. The directory is where it
/// runs (empty: the working directory).
[[nodiscard]] std::optional<MissingProfiler> find_profiler(Script& script, const std::string& directory);

/// The words that run the script under its profiler, which writes into the directory `place` (with the `/` at
/// its end). `program` is the script and its arguments.
[[nodiscard]] std::vector<std::string> profiler_command(const Script& script, const std::string& place,
                                                        const std::vector<std::string>& program);

/// Before it runs: writes what the command needs. False if that is not possible; errno says why.
[[nodiscard]] bool prepare_profiler(const Script& script, const std::string& place);

/// Moves the profile of the process to `base`, those of its threads to `base-01` and so on. None if the
/// profiler left none; `problem` says why if that is known.
[[nodiscard]] std::vector<std::string> take_profiles(const Script& script, const std::string& place,
                                                     pid_t process, const std::string& base,
                                                     std::string& problem);

}  // namespace callcost::program
