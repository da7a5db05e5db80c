/// What a project's callcost.toml says: options by name, under what they are for. Only toml_text.cpp knows
/// TOML, and only `callcost record NAME` runs what the file names.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/error.hpp>

namespace callcost::program {

/// As it would stand on the command line, but that paths are relative to the working directory already.
struct ConfiguredOption {
    std::string option;  ///< "--fail-if"
    std::vector<std::string> values;
    std::string place;  ///< "callcost.toml:12:3"
};

/// `[record.NAME]`
struct ConfiguredProgram {
    std::string program;  ///< as it is called in its directory; without a slash it is searched in $PATH
    std::vector<std::string> arguments;
    std::vector<ConfiguredOption> options;
    std::vector<ConfiguredOption> gate;  ///< instead of those of `[gate]`
};

struct Configuration {
    std::string path;  ///< of the file; empty: there is none
    std::vector<ConfiguredOption> sources, gate;
    std::map<std::string, ConfiguredProgram> programs;
};

struct ConfigurationError {
    std::string place;  ///< the file, with line and column if it could be read
    std::string message;
    std::string hint;

    [[nodiscard]] std::string text() const { return place + ": " + message; }
};

/// `path` is where the text is from, relative to the working directory.
[[nodiscard]] tl::expected<Configuration, ConfigurationError> parse_configuration(std::string_view text,
                                                                                  const std::string& path);

}  // namespace callcost::program
