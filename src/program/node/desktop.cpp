/// Opening a page, which Node.js does: web/src/command/open_page.ts.
#include "server/browser.hpp"

/// The number of a BrowserStart.
extern "C" int callcost_open_page(const char* path) __attribute__((import_module("env")));

namespace callcost::program {

BrowserStart open_in_browser(const std::string& address) {
    return static_cast<BrowserStart>(callcost_open_page(address.c_str()));
}

}  // namespace callcost::program
