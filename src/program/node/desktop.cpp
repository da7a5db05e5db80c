#include "server/browser.hpp"

/// Node.js starts what the desktop has for it.
extern "C" int callcost_open_page(const char* path) __attribute__((import_module("env")));

namespace callcost::program {

BrowserStart open_in_browser(const std::string& address) {
    return callcost_open_page(address.c_str()) == 0 ? BrowserStart::started : BrowserStart::none_found;
}

}  // namespace callcost::program
