#include "diff/identities.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "diff/canonical_name.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

/// Of `f'2'caller` each name (F72).
CanonicalName canonical_with_context(std::string_view name) {
    if (name.find('\'') == std::string_view::npos) return canonical_name(name);
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
        if (!begins_with_path(path, beginning)) continue;
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
    const Profile& profile = graph.profile();
    std::vector<std::optional<Place>> objects(profile.object_count()), files(profile.file_count());
    auto& identities = identities_.at(side);
    identities.reserve(graph.size());
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const FunctionId function = graph.function(node);
        auto& object = objects[profile.object(function).value];
        if (!object) {
            object = {names_.intern(graph.object(node)), names_.intern(object_key(graph.object(node)))};
            objects_.at(side).push_back(object->normal);
        }
        auto& file = files[profile.file(function).value];
        if (!file) {
            const auto path = rewritten_path(side, graph.file(node), options);
            file = {names_.intern(path), names_.intern(normal_path(path))};
            files_.at(side).push_back(file->normal);
        }
        const auto name = options.function_name ? names_.intern(options.function_name(graph.name(node)))
                                                : names_.intern(graph.name(node));
        const Canonical canonical = canonical_of(name);
        identities.push_back({object->written, file->written, object->normal, file->normal, name,
                              canonical.name, canonical.was_counted});
    }
    for (auto* list : {&objects_.at(side), &files_.at(side)}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
}

Identities::Canonical Identities::canonical_of(std::uint32_t name) {
    if (name >= canonical_.size()) canonical_.resize(names_.size());
    if (const auto known = canonical_[name]) return *known;
    const auto canonical = canonical_with_context(names_[name]);
    return *(canonical_[name] = {names_.intern(canonical.text), canonical.was_counted});
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
