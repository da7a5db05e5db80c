#include "diff/identities.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "diff/canonical_name.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

/// Of `f'2'caller` each name (F72).
CanonicalName canonical_with_context(std::string_view name) {
    CanonicalName whole;
    for (std::size_t at = 0; at <= name.size();) {
        const auto end = std::min(name.find('\'', at), name.size());
        const auto piece = canonical_name(name.substr(at, end - at));
        if (at > 0) whole.text += '\'';
        whole.text += piece.text;
        whole.was_counted = whole.was_counted || piece.was_counted;
        at = end + 1;
    }
    return whole;
}

std::string rewritten_path(std::size_t side, std::string_view file, const DiffOptions& options) {
    auto path = options.file_name ? options.file_name(file) : std::string(file);
    if (side != 0) return path;
    for (const auto& [beginning, replacement] : options.path_prefixes) {
        if (!path.starts_with(beginning)) continue;
        path.replace(0, beginning.size(), replacement);
        break;
    }
    return path;
}

bool holds(const std::vector<std::uint32_t>& sorted, std::uint32_t value) {
    return std::binary_search(sorted.begin(), sorted.end(), value);
}

}  // namespace

Identities::Identities(const CallGraph& before, const CallGraph& after, const DiffOptions& options) {
    identify(0, before, options);
    identify(1, after, options);
    unite_renamed_object();
}

void Identities::identify(std::size_t side, const CallGraph& graph, const DiffOptions& options) {
    auto& identities = identities_.at(side);
    identities.reserve(graph.size());
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const auto name =
            options.function_name ? options.function_name(graph.name(node)) : std::string(graph.name(node));
        const auto canonical = canonical_with_context(name);
        const auto path = rewritten_path(side, graph.file(node), options);
        identities.push_back({names_.intern(graph.object(node)), names_.intern(path),
                              names_.intern(object_key(graph.object(node))), names_.intern(normal_path(path)),
                              names_.intern(name), names_.intern(canonical.text), canonical.was_counted});
        objects_.at(side).push_back(identities.back().object);
        files_.at(side).push_back(identities.back().file);
    }
    for (auto* list : {&objects_.at(side), &files_.at(side)}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
}

/// The program itself is often called otherwise: one object that only one side has, on each.
void Identities::unite_renamed_object() {
    std::vector<std::uint32_t> only_before, only_after;
    std::set_difference(objects_[0].begin(), objects_[0].end(), objects_[1].begin(), objects_[1].end(),
                        std::back_inserter(only_before));
    std::set_difference(objects_[1].begin(), objects_[1].end(), objects_[0].begin(), objects_[0].end(),
                        std::back_inserter(only_after));
    if (only_before.size() != 1 || only_after.size() != 1) return;
    for (Identity& identity : identities_[0])
        if (identity.object == only_before[0]) identity.object = only_after[0];
    std::replace(objects_[0].begin(), objects_[0].end(), only_before[0], only_after[0]);
    std::sort(objects_[0].begin(), objects_[0].end());
}

bool Identities::has_object(std::size_t side, std::uint32_t object) const {
    return holds(objects_.at(side), object);
}
bool Identities::has_file(std::size_t side, std::uint32_t file) const { return holds(files_.at(side), file); }

}  // namespace callcost
