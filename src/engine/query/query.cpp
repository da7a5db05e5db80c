#include "query/query.hpp"

#include <algorithm>
#include <array>

#include "text/suggest.hpp"

namespace callcost::engine {
namespace {

/// The option of `callcost record` that records the event type; empty if there is none, or the profile is not
/// its.
std::string_view recording_option(const Profile& profile, std::string_view event) {
    struct RecordingOption {
        std::string_view option, events;
    };
    constexpr std::array<RecordingOption, 4> all = {
        {{"--cache", " Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw I2mr D2mr D2mw L1m LLm "},
         {"--branches", " Bc Bcm Bi Bim Bm "},
         {"--valgrind=--collect-bus=yes", " Ge "},
         {"--valgrind=--collect-systime=yes", " sysCount sysTime sysCpuTime "}}};
    const auto is_valgrinds = [](const Part& part) {
        return part.creator.starts_with("callgrind-") || part.dialect == Dialect::cachegrind;
    };
    if (!std::any_of(profile.parts().begin(), profile.parts().end(), is_valgrinds)) return {};
    const auto word = " " + std::string(event) + " ";
    for (const auto& recorded : all)
        if (recorded.events.find(word) != std::string_view::npos) return recorded.option;
    return {};
}

}  // namespace

QueryResult<Measure> find_measure(const Profile& profile, const Measures& measures, std::string_view text,
                                  std::string_view member, std::span<const std::string_view> others) {
    auto found = measures.find(text);
    if (found) return *std::move(found);
    const auto& error = found.error();
    QueryError why = {.id = "bad-formula",
                      .message = error.message(),
                      .hint = "use a sum of event types with integer factors, such as Ir + 10 Bcm",
                      .member = std::string(member),
                      .column = error.column};
    if (error.code != ErrorCode::unknown_event) return tl::unexpected(std::move(why));
    why.id = "unknown-event";
    if (const auto option = recording_option(profile, error.detail); !option.empty()) {
        why.hint = "'callcost record " + std::string(option) + " PROGRAM' records it";
        return tl::unexpected(std::move(why));
    }
    const auto all = measures.all();
    std::vector<std::string_view> words;
    words.reserve(all.size() + others.size());
    for (const auto& measure : all) words.emplace_back(measure.name);
    words.insert(words.end(), others.begin(), others.end());
    why.hint = did_you_mean(error.detail, words);
    if (why.hint.empty()) why.hint = error.hint();
    return tl::unexpected(std::move(why));
}

QueryError selection_error(const Error& error, std::string_view names) {
    if (error.code == ErrorCode::needs_detail)
        return {.id = "needs-detail",
                .message = "parts are not available: the profile was read without lines",
                .member = "parts"};
    return {.id = "no-such-part",
            .message = "no part matches " + std::string(names),
            .hint = error.detail.empty() ? "" : "available: " + error.detail,
            .member = "parts"};
}

}  // namespace callcost::engine
