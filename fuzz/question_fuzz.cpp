// What is asked of the page's engine, a question per line: each gets an answer that is JSON, an object.
#include <cstdint>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include "blocks.hpp"
#include "record_sums.hpp"
#include "session/session.hpp"
#include <callcost/read.hpp>

namespace callcost::fuzz {
namespace {

// A cycle, contexts, parts, calls without a count, a name that is no UTF-8, costs that wrap.
constexpr std::string_view text_after =
    "creator: callgrind-3.19.0\ncmd: ./p\npositions: instr line\nevents: Ir Dr\npart: 1\nthread: 1\n\n"
    "ob=p\nfl=x.c\nfn=main\n0x10 1 5 1\ncfn=a\ncalls=1 0x20 10\n0x12 2 110 20\n"
    "fn=a\n0x20 10 10 2\ncfn=b'2\ncalls=3 0x30 20\n0x22 11 100 18\njcnd=1/3 0x20 10\n0x24 12\n"
    "fn=b'2\n0x30 20 86 10\ncfn=a\ncalls=0 0x20 10\n0x32 21 30 4\ncfi=y.c\ncfn=gr\xfc\xdf\ncalls=9 0x40 "
    "1\n0x34 22 9 0\n"
    "fl=y.c\nfn=gr\xfc\xdf\n0x40 1 9 0\nfn=huge\n0x50 9 9223372036854775807 -9223372036854775808\n"
    "part: 2\nthread: 2\n\nfl=x.c\nfn=main\n0x10 1 7 0\n";
constexpr std::string_view text_before =
    "creator: callgrind-3.19.0\ncmd: ./p\nevents: Ir\n\nob=p\nfl=x.c\nfn=main\n1 5\ncfn=a\ncalls=2 10\n2 40\n"
    "cfn=gone\ncalls=1 20\n3 7\nfn=a\n10 40\nfn=gone\n20 7\n";

/// As careful as a regular expression needs to be here.
tl::expected<engine::Host::Matcher, std::string> compile(std::string_view expression) {
    if (expression.find('(') != std::string_view::npos) return tl::unexpected(std::string("missing )"));
    return [piece = std::string(expression)](std::string_view name) {
        return name.find(piece) != std::string_view::npos;
    };
}

engine::Session open_session() {
    auto after = read_profile(from_memory(text_after, "after"));
    auto before = read_profile(from_memory(text_before, "before"));
    demand(after.has_value() && before.has_value());
    engine::Host host;
    host.compile = compile;
    return {*std::move(after), *std::move(before), std::move(host)};
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static callcost::engine::Session session = callcost::fuzz::open_session();
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    for (int asked = 0; asked < 10 && !rest.empty(); ++asked) {
        const auto end = std::min(rest.find('\n'), rest.size());
        rapidjson::Document answer;
        const auto text = session.answer(rest.substr(0, end));
        answer.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(text.data(),
                                                                                             text.size());
        callcost::fuzz::demand(!answer.HasParseError() && answer.IsObject());
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return 0;
}
