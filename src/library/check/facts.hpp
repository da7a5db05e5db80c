/// All that is known of a profile's files when they are judged.
#pragma once

#include <algorithm>
#include <span>

#include "callcost/check.hpp"

namespace callcost {

struct Facts {
    const CallGraph& graph;
    std::span<const Diagnostic> diagnostics;
    std::span<const Spelling> spellings;

    [[nodiscard]] const Profile& profile() const { return graph.profile(); }
    [[nodiscard]] TraitUse use_of(Trait trait) const {
        TraitUse all;
        for (const Spelling& spelling : spellings) {
            const TraitUse& use = spelling[trait];
            if (all.count == 0) all.first = use.first;
            all.count += use.count;
        }
        return all;
    }
    [[nodiscard]] const Diagnostic* diagnostic(DiagnosticId id) const {
        const auto found = std::find_if(diagnostics.begin(), diagnostics.end(),
                                        [id](const Diagnostic& candidate) { return candidate.id == id; });
        return found == diagnostics.end() ? nullptr : &*found;
    }
};

}  // namespace callcost
