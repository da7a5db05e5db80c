/// `callcost COMMAND --help`: usage, summary and options, wrapped at a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace callcost::program {

/// Words of the text in lines of at most `width` columns, as far as words allow; those after the first begin
/// with `indent` blanks. Line breaks in the text stay.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

class HelpFormatter final : public CLI::Formatter {
  public:
    HelpFormatter(std::string_view usage, std::size_t width) : usage_(usage), width_(width) {}

    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;

  private:
    std::string usage_;
    std::size_t width_;
};

}  // namespace callcost::program
