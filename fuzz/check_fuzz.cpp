// The checks: every file gets a verdict, the same however its bytes come, and what is said to be wrong is
// wrong.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <vector>

#include "blocks.hpp"
#include "callcost/check.hpp"
#include "callcost/read.hpp"

namespace callcost::fuzz {
namespace {

void demand(bool condition, int line = __builtin_LINE()) {
    if (condition) return;
    std::fprintf(stderr, "demanded in line %d\n", line);
    std::abort();
}

Spelling spelling_of(const Source& source, std::size_t buffer_size) {
    Spelling spelling;
    std::vector<char> buffer(buffer_size);
    for (;;) {
        const auto count = source.read(buffer);
        if (!count || *count == 0) break;
        spelling.take(std::span(buffer).first(*count));
    }
    spelling.finish();
    return spelling;
}

auto facts_of(const TraitUse& use) {
    return std::tuple(use.count, use.first.line, use.first.column, use.first.offset);
}

void demand_check(const Check& check) {
    demand((check.count != 0) == (check.verdict == Verdict::expected || check.verdict == Verdict::broken));
    demand(check.breaches.size() <= 10 && check.breaches.size() <= check.count);
    for (const Breach& breach : check.breaches) {
        const bool compares = check.id == CheckId::totals_are_sums ||
                              check.id == CheckId::functions_balance || check.id == CheckId::cycles_balance ||
                              check.id == CheckId::arcs_within_callee;
        demand(!compares || breach.stated != breach.found);
        demand(breach.place.excerpt.size() <= 160);
    }
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace callcost;        // NOLINT(google-build-using-namespace)
    using namespace callcost::fuzz;  // NOLINT(google-build-using-namespace)
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::vector<Spelling> spellings;
    spellings.push_back(spelling_of(in_blocks(bytes), 300));
    const Spelling whole = spelling_of(from_memory(bytes), size + 1);
    for (std::size_t i = 0; i < trait_count; ++i)
        demand(facts_of(spellings[0][static_cast<Trait>(i)]) == facts_of(whole[static_cast<Trait>(i)]));

    ReadOptions options;
    options.detail = Detail::functions;
    const auto profile = read_profile(from_memory(bytes), options);
    if (!profile) return 0;
    const auto graph = call_graph(*profile);
    if (!graph) return 0;
    std::vector<Diagnostic> diagnostics(profile->diagnostics().begin(), profile->diagnostics().end());
    for (const Diagnostic& more : analysis_diagnostics(*graph)) diagnostics.push_back(more);
    const FileReport report = check_profile(*graph, diagnostics, spellings);
    demand(report.checks.size() == check_count);
    for (std::size_t i = 0; i < check_count; ++i) {
        demand(report.checks[i].id == static_cast<CheckId>(i));
        demand_check(report.checks[i]);
    }
    for (const ReaderReport& reader : report.readers)
        for (std::size_t i = 1; i < reader.hindrances.size(); ++i)
            demand(reader.hindrances[i - 1].effect >= reader.hindrances[i].effect);
    return 0;
}
