/// `callcost COMMAND --help`: usage, description, examples, subcommands and options, wrapped at a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "text/style.hpp"

namespace callcost::program {

/// Besides what CLI11 knows.
struct HelpContent {
    std::vector<std::pair<std::string, std::string>> examples{};  ///< a command line, and what it does
    std::vector<std::string> common{};  ///< the long names of the only options to list; empty: all
};

class HelpFormatter final : public CLI::Formatter {
  public:
    /// `width`: columns of the terminal.
    explicit HelpFormatter(std::size_t width, HelpContent content = {}) : content_(std::move(content)) {
        style_.width = width;
    }

    /// `usage`: the command with what follows it on the command line.
    std::string make_help(const CLI::App* app, std::string usage, CLI::AppFormatMode mode) const override;
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;
    /// A heading with rows of two columns.
    [[nodiscard]] std::string section(std::string_view heading,
                                      const std::vector<std::pair<std::string, std::string>>& rows) const;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;

  private:
    [[nodiscard]] std::string row(std::string name, std::size_t column, std::string_view text) const;
    [[nodiscard]] std::string examples() const;
    [[nodiscard]] std::string paragraphs(std::string_view text) const;

    engine::Style style_;
    HelpContent content_;
};

}  // namespace callcost::program
