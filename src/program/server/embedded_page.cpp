#include "server/embedded_page.hpp"

#include <cstddef>
#include <span>
#include <string_view>

#include "input/decompress.hpp"

#ifdef CALLCOST_PAGE_GZ  // the path of the page, compressed: src/CMakeLists.txt
// Global, as on ARM both ends would be one entry of the GOT if they were local; hidden, so that there is
// none.
asm(".section .rodata.callcost_page, \"a\"\n"
    ".globl callcost_page_begin, callcost_page_end\n"
    ".hidden callcost_page_begin, callcost_page_end\n"
    "callcost_page_begin:\n"
    ".incbin \"" CALLCOST_PAGE_GZ
    "\"\n"
    "callcost_page_end:\n"
    ".previous\n");
extern "C" [[gnu::visibility("hidden")]] const char callcost_page_begin[], callcost_page_end[];
#endif

namespace callcost::program {
namespace {

std::string_view compressed_page() {
#ifdef CALLCOST_PAGE_GZ
    return {callcost_page_begin, static_cast<std::size_t>(callcost_page_end - callcost_page_begin)};
#else
    return {};
#endif
}

}  // namespace

std::optional<std::string> embedded_page(const Console& console) {
    const auto bytes = compressed_page();
    if (bytes.empty()) {
        console.say(Severity::error, "this callcost was built without the web page",
                    "'./dev build' in its sources builds one with it");
        return std::nullopt;
    }
    const auto decoder = make_decoder(Compression::gzip);
    std::span<const char> rest(bytes);
    std::string page;
    for (auto state = Step::State::more; state == Step::State::more;) {
        constexpr std::size_t room = 256 * 1024;
        const auto size = page.size();
        page.resize(size + room);
        const auto step = decoder->decode(rest, std::span(page).subspan(size));
        rest = rest.subspan(step.consumed);
        page.resize(size + step.produced);
        state = step.state;
    }
    return page;
}

}  // namespace callcost::program
