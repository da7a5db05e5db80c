#include "diff/identities.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "callcost/groups.hpp"
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
    CommonPlaces places;
    find_places(1, places);
    find_places(0, places);
}

void Identities::identify(std::size_t side, const CallGraph& graph, const DiffOptions& options) {
    const Profile& profile = graph.profile();
    std::vector<std::optional<std::uint32_t>> objects(profile.object_count()), files(profile.file_count());
    const bool are_groups = is_of_groups(graph);  // their places are not those of a single function
    auto& identities = identities_.at(side);
    identities.reserve(graph.size());
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const FunctionId function = graph.function(node);
        auto& object = objects[profile.object(function).value];
        if (!object || are_groups) object = names_.intern(graph.object(node));
        auto& file = files[profile.file(function).value];
        if (!file || are_groups) file = names_.intern(rewritten_path(side, graph.file(node), options));
        const auto name = options.function_name ? names_.intern(options.function_name(graph.name(node)))
                                                : names_.intern(graph.name(node));
        const Canonical canonical = canonical_of(name);
        identities.push_back({*object, *file, 0, 0, name, canonical.name, canonical.was_counted});
    }
}

/// Those of the side after come first.
void Identities::find_places(std::size_t side, CommonPlaces& places) {
    auto& identities = identities_.at(side);
    std::set<std::pair<std::uint32_t, std::uint32_t>> written;  // object and file
    for (const Identity& identity : identities)
        written.emplace(identity.written_object, identity.written_file);
    // By written name: as all call it. So many places as no program has stay what they are.
    constexpr std::size_t max_places = 50'000;
    std::vector<std::optional<std::uint32_t>> objects(names_.size()), files(names_.size());
    if (written.size() <= max_places) {
        std::vector<FunctionPlace> names;
        names.reserve(written.size());
        for (const auto& [object, file] : written) names.push_back({names_[object], names_[file]});
        const auto version = places.add(names);
        for (const auto& [object, file] : written) {
            if (!objects[object]) objects[object] = names_.intern(places.object(version, names_[object]));
            if (!files[file]) files[file] = names_.intern(places.file(version, names_[file]));
        }
    }
    for (Identity& identity : identities) {
        identity.object = objects[identity.written_object].value_or(identity.written_object);
        identity.file = files[identity.written_file].value_or(identity.written_file);
        objects_.at(side).push_back(identity.object);
        files_.at(side).push_back(identity.file);
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

bool Identities::has_object(std::size_t side, std::uint32_t object) const {
    return holds(objects_.at(side), object);
}
bool Identities::has_file(std::size_t side, std::uint32_t file) const { return holds(files_.at(side), file); }

}  // namespace callcost
