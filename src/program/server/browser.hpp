/// The person's browser.
#pragma once

#include <string>
#include <vector>

namespace callcost::program {

/// The commands that may open an address, best first: those of $BROWSER, which a colon separates, or
/// xdg-open.
/// `%s` stands for the address, which comes last if there is none. No shell looks at them.
[[nodiscard]] std::vector<std::vector<std::string>> browser_commands(const std::string& browser_variable,
                                                                     const std::string& address);

/// Starts the first one that is there, in a session of its own: Ctrl-C is not meant for it. False if none is.
bool start_first(const std::vector<std::vector<std::string>>& commands);

}  // namespace callcost::program
