/// The page lies beside the command in the npm package, which says where: as a part of the command it would
/// be read by every other command, too.
#include <span>

#include "input/open.hpp"
#include "server/embedded_page.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

std::optional<std::string> embedded_page(const Console& console) {
    const auto path = environment("CALLCOST_PAGE").value_or("");
    const auto source = open_source(path);
    std::string page;
    for (std::size_t count = 1; source && count > 0;) {
        constexpr std::size_t room = 256 * 1024;
        const auto size = page.size();
        page.resize(size + room);
        const auto some = source->read(std::span(page).subspan(size));
        count = some.value_or(0);
        page.resize(size + count);
    }
    if (!page.empty()) return page;
    console.say(Severity::error, "the page of the npm package cannot be read: " + path);
    return std::nullopt;
}

}  // namespace callcost::program
