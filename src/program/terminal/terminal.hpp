/// The terminal: width, colors, links, and messages on standard error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/style.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

enum class When : std::uint8_t { automatic, always, never };

/// How a command's answer is written, and what is said beside it.
struct OutputOptions {
    bool json = false;
    bool csv = false;
    bool quickfix = false;    ///< a place and a message per line, for editors
    bool percentages = true;  ///< beside costs in text
    bool raw = false;         ///< no thousands separators, no units, no truncation
    bool quiet = false;       ///< errors only on standard error
    bool pager = true;
    When color = When::automatic;
    When hyperlink = When::automatic;
    When progress = When::automatic;

    [[nodiscard]] bool is_text() const { return !json && !csv && !quickfix; }
};

/// A variable of the environment; nothing if it is not set.
[[nodiscard]] std::optional<std::string> environment(const char* name);

/// Now in UTC, `2026-11-22T06:00:00.000Z`; the time of SOURCE_DATE_EPOCH if set, for reproducible output.
[[nodiscard]] std::string utc_time();
/// Today in UTC, `2026-11-22`, regardless of SOURCE_DATE_EPOCH.
[[nodiscard]] std::string utc_day();

/// Environment variables that affect colors.
struct ColorVariables {
    std::optional<std::string> no_color;
    std::optional<std::string> clicolor_force;
    std::optional<std::string> clicolor;
    std::optional<std::string> term;
};

/// In this order: the option, NO_COLOR (not empty), CLICOLOR_FORCE (not 0), CLICOLOR=0 or TERM=dumb, a
/// terminal.
[[nodiscard]] bool wants_color(When option, const ColorVariables& variables, bool is_terminal);

/// Whether the environment's character set is UTF-8, by LC_ALL, LC_CTYPE and LANG, the first that is set.
[[nodiscard]] bool is_utf8_locale(const std::optional<std::string>& lc_all,
                                  const std::optional<std::string>& lc_ctype,
                                  const std::optional<std::string>& lang);

/// Environment variables that affect hyperlinks.
struct LinkVariables {
    std::optional<std::string> term;
    std::optional<std::string> pager;  ///< the pager, if it is not `less`
};

/// Automatic only on terminals that ignore unknown escape sequences, and not through pagers that show them.
[[nodiscard]] bool wants_links(When option, const LinkVariables& variables, bool is_terminal);

/// Where files of this machine are, as terminals want to know it.
class Links {
  public:
    explicit Links(bool are_wanted = false);
    /// Of a file that exists, with the fragment `#LINE` unless it is 0; empty if it does not or links are not
    /// wanted.
    [[nodiscard]] std::string url_of(const std::string& path, std::uint64_t line = 0) const;

  private:
    bool are_wanted_;
    std::string host_;
};

/// The capabilities of both output streams.
struct Console {
    engine::Style out;
    engine::Style err;
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    std::size_t rows = 0;  ///< of the terminal; 0 = none
    bool quiet = false;
    bool may_page = false;  ///< long texts are shown by a pager
    When progress = When::automatic;

    /// `callcost: severity: text` and the hint, on standard error. Only errors if quiet.
    void say(Severity severity, std::string_view text, std::string_view hint = {}) const;
    /// Text on standard error as it is.
    void print_error(std::string_view text) const;
};

/// Columns for text that is not made for one device, such as help: COLUMNS, those of the terminal, or 80.

[[nodiscard]] Console open_console(const OutputOptions& options);

/// Columns of standard output: $COLUMNS, or what the terminal says; 80 if neither is known.
[[nodiscard]] std::size_t terminal_width();

/// For handlers of std::bad_alloc: allocates nothing.
void say_out_of_memory();

}  // namespace callcost::program
