/// Opens the user's browser.
#pragma once

#include <string>
#include <vector>

namespace callcost::program {

/// Commands to open an address, best first: those of $BROWSER, separated by colons, or xdg-open. `%s` stands
/// for the address, which is appended if there is none. Not interpreted by a shell.
[[nodiscard]] std::vector<std::vector<std::string>> browser_commands(const std::string& browser_variable,
                                                                     const std::string& address);

/// A page that leads to an address, for the command line of a browser: other users can read that, but not the
/// file. Its path; empty if there can be none, or where browsers may be confined so that they cannot read it
/// (Snap, Flatpak).
[[nodiscard]] std::string redirect_file(const std::string& address);

/// Starts the first one available, in its own session so that Ctrl-C does not reach it. False if none is.
bool start_first(const std::vector<std::vector<std::string>>& commands);

[[nodiscard]] bool has_display();
enum class BrowserStart { started, no_display, none_found };

/// An address, or the absolute path of a file. The npm package has another one, in program/node.
BrowserStart open_in_browser(const std::string& address);

}  // namespace callcost::program
