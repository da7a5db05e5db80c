#include "diff/place_names.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>

#include "callcost/diff.hpp"
#include "profile/event_facts.hpp"

namespace callcost {
namespace {

constexpr std::string_view unknown = "???";

char in_upper_case(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool is_version(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || c == '.'; });
}

/// Windows has two.
constexpr std::string_view separators = "/\\";

/// Calls `use` with each component between separators.
template <class Use>
void for_each_component(std::string_view path, const Use& use) {
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find_first_of(separators, at), path.size());
        use(path.substr(at, end - at));
        at = end + 1;
    }
}

/// The component as it is in every build; `above` is the one before it.
std::string_view of_any_build(std::string_view component, std::string_view above) {
    if (above == "rustc") return "*";
    const auto dash = component.find('-');
    if (dash == std::string_view::npos) return component;
    if (above == "build" || above == "debug") return component.substr(0, dash);
    for (const std::string_view registry : {"index.crates.io", "github.com"})
        if (component.starts_with(registry) && component.substr(registry.size()).starts_with('-'))
            return registry;
    return component;
}

}  // namespace

std::string_view base_name(std::string_view path) {
    const auto slash = path.find_last_of(separators);
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string normal_path(std::string_view path) {
    if (path == unknown) return {};
    std::string normal;
    std::string_view above;
    bool is_first = true;
    for_each_component(path, [&](std::string_view component) {
        if (component == "." || (component.empty() && !is_first)) return;
        if (!is_first && !normal.ends_with('/')) normal += '/';
        if (is_first && component.empty()) normal += '/';
        normal += of_any_build(component, above);
        if (is_first && component.size() == 2 && component[1] == ':') normal[0] = in_upper_case(normal[0]);
        above = component;
        is_first = false;
    });
    return normal;
}

std::size_t common_tail(std::string_view a, std::string_view b) {
    std::size_t components = 0;
    while (!a.empty() && !b.empty()) {
        const auto last = base_name(a);
        if (last != base_name(b)) break;
        ++components;
        a.remove_suffix(std::min(a.size(), last.size() + 1));
        b.remove_suffix(std::min(b.size(), last.size() + 1));
    }
    return components;
}

bool begins_with_path(std::string_view path, std::string_view beginning) {
    const bool has_drive = path.size() > 1 && path[1] == ':';
    const bool is_windows =
        has_drive || (!path.starts_with('/') && path.find('\\') != std::string_view::npos);
    const auto is_same = [&](char a, char b) {
        if (!is_windows || a == b) return a == b;
        return is_separator(a) ? is_separator(b) : in_upper_case(a) == in_upper_case(b);
    };
    return path.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), path.begin(), is_same);
}

int compare_from_end(std::string_view a, std::string_view b) {
    const auto [first, second] =
        std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend(), [](char x, char y) {
            return x == y || (is_separator(x) && is_separator(y));  // else the order would not be strict
        });
    const auto rank = [](auto at, auto end) {  // a component that has ended before a longer one
        return at == end ? -2 : is_separator(*at) ? -1 : static_cast<int>(static_cast<unsigned char>(*at));
    };
    return rank(first, a.rend()) - rank(second, b.rend());
}

std::string object_key(std::string_view object) {
    if (object == unknown) return {};
    auto name = base_name(object);
    const auto so = name.find(".so");
    const bool is_library = so != std::string_view::npos && is_version(name.substr(so + 3));
    auto stem = is_library ? name.substr(0, so) : name;
    if (const auto dash = stem.rfind('-');
        dash != std::string_view::npos && dash > 0 && is_version(stem.substr(dash + 1)))
        stem = stem.substr(0, dash);
    return std::string(stem) + (is_library ? ".so" : "");
}

std::string rooted_path(std::string_view path) {
    auto normal = normal_path(path);
    const bool is_relative = !normal.empty() && normal[0] != '/' && !normal.starts_with("../") &&
                             (normal.size() < 2 || normal[1] != ':');
    return is_relative ? "./" + normal : normal;
}

namespace {

using Paths = std::vector<std::string_view>;
using Places = std::vector<PlaceKey>;

constexpr std::size_t no_partner = static_cast<std::size_t>(-1);

bool precedes_from_end(std::string_view a, std::string_view b) { return compare_from_end(a, b) < 0; }

/// For each path of `from` the one of `to` that has most in common with it at the end, if there is only one.
std::vector<std::size_t> nearest(const Paths& from, const Paths& to) {
    std::vector<std::size_t> partners(from.size(), no_partner);
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto tail = [&](std::size_t at) { return at < to.size() ? common_tail(from[i], to[at]) : 0; };
        const auto next = static_cast<std::size_t>(
            std::lower_bound(to.begin(), to.end(), from[i], precedes_from_end) - to.begin());
        const auto before = tail(next - 1), behind = tail(next);  // 0 - 1 is beyond the end
        if (before == behind) continue;
        const bool is_before = before > behind;
        if (tail(is_before ? next - 2 : next + 1) < std::max(before, behind))
            partners[i] = is_before ? next - 1 : next;
    }
    return partners;
}

/// What is before so many components at the end.
std::string_view without_tail(std::string_view path, std::size_t components) {
    for (; components > 0; --components)
        path.remove_suffix(base_name(path).size() + (components > 1 ? 1 : 0));
    return path;
}

/// How many files of the object are in the directory and those below.
std::size_t count_below(const Places& places, std::string_view object, std::string_view directory) {
    const auto rank = [&](const PlaceKey& place) {
        const auto order = place.first.compare(object);
        return order != 0 ? order : place.second.compare(0, directory.size(), directory);
    };
    const auto first = std::partition_point(places.begin(), places.end(),
                                            [&](const PlaceKey& place) { return rank(place) < 0; });
    const auto last =
        std::partition_point(first, places.end(), [&](const PlaceKey& place) { return rank(place) <= 0; });
    return static_cast<std::size_t>(last - first);
}

/// `lua` of `lua-5.4.8`, `python` of `python3.11`, nothing of `12`; all of what has no version.
std::string_view without_version(std::string_view component) {
    constexpr std::string_view separator = "-_.vV";
    for (std::size_t at = 0; at < component.size(); ++at) {
        if (!is_digit(component[at])) continue;
        const auto end = std::min(component.find_first_not_of("0123456789", at), component.size());
        const bool is_dotted =
            end + 1 < component.size() && component[end] == '.' && is_digit(component[end + 1]);
        if (at == 0 || is_dotted || separator.find(component[at - 1]) != std::string_view::npos) {
            const auto last = component.substr(0, at).find_last_not_of(separator);
            return component.substr(0, last + 1);  // npos + 1 is 0
        }
        at = end;
    }
    return component;
}

/// Directories with a slash at the end.
bool are_versions(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        const auto first = a.substr(0, a.find('/')), second = b.substr(0, b.find('/'));
        if (without_version(first) != without_version(second)) return false;
        a.remove_prefix(first.size() + 1);
        b.remove_prefix(second.size() + 1);
    }
    return a.empty() && b.empty();
}

class TreeSearch {
  public:
    TreeSearch(const Places& from, const Places& to) : from_(from), to_(to) {
        std::set_intersection(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(equal_));
        for (const auto& [object, file] : from) objects_from_.emplace_back(file, object);
        for (const auto& [object, file] : to) objects_to_.emplace_back(file, object);
        std::sort(objects_from_.begin(), objects_from_.end());
        std::sort(objects_to_.begin(), objects_to_.end());
    }

    std::vector<std::pair<std::string, std::string>> find() const {
        const auto from = only_in(objects_from_, objects_to_), to = only_in(objects_to_, objects_from_);
        const auto partners = nearest(from, to), back = nearest(to, from);
        std::map<Directories, std::size_t> votes;
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (partners[i] == no_partner || back[partners[i]] != i) continue;
            const auto before = from[i], after = to[partners[i]];
            const auto tail = common_tail(before, after);
            const Directories pair{without_tail(before, tail), without_tail(after, tail)};
            if (may_be_trees(pair, before, after)) ++votes[pair];
        }
        std::vector<std::pair<std::string, std::string>> trees;
        for (const auto& [before, after] : accepted(votes)) trees.emplace_back(before, after);
        std::stable_sort(trees.begin(), trees.end(),
                         [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
        return trees;
    }

  private:
    using ObjectsOfFiles = std::vector<std::pair<std::string_view, std::string_view>>;
    using Directories = std::pair<std::string_view, std::string_view>;  // before, after

    /// Files that the others do not have, by their ends.
    static Paths only_in(const ObjectsOfFiles& files, const ObjectsOfFiles& others) {
        Paths paths;
        for (const auto& [file, object] : files) {
            if (file.empty() || (!paths.empty() && paths.back() == file)) continue;
            if (objects_of(others, file).empty()) paths.push_back(file);
        }
        std::sort(paths.begin(), paths.end(), precedes_from_end);
        return paths;
    }
    static std::span<const std::pair<std::string_view, std::string_view>> objects_of(
        const ObjectsOfFiles& files, std::string_view file) {
        const auto [first, last] =
            std::equal_range(files.begin(), files.end(), std::pair(file, std::string_view()),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
        return std::span(files).subspan(static_cast<std::size_t>(first - files.begin()),
                                        static_cast<std::size_t>(last - first));
    }

    /// Not if files that are elsewhere in the same tree stayed where they are, nor if the directory is still
    /// there, or was there before: then a file moved within the tree. Each object has a tree of its own.
    [[nodiscard]] bool may_be_trees(const Directories& pair, std::string_view before,
                                    std::string_view after) const {
        const auto [old, now] = pair;
        const auto differs = static_cast<std::size_t>(
            std::mismatch(old.begin(), old.end(), now.begin(), now.end()).first - old.begin());
        const auto common = old.substr(0, old.substr(0, differs).rfind('/') + 1);  // npos + 1 is 0
        const bool is_root = common.empty() || common == "/" || (common.size() == 3 && common[1] == ':');
        const bool may_stay = is_root || are_versions(old.substr(common.size()), now.substr(common.size()));
        const auto below = [](const Places& places, std::string_view object, std::string_view directory,
                              std::string_view other) {
            const auto all = count_below(places, object, directory);
            return other.starts_with(directory) ? all - count_below(places, object, other) : all;
        };
        for (const auto& [file, object] : objects_of(objects_from_, before))
            if ((!may_stay && count_below(equal_, object, common) > 0) || below(to_, object, old, now) > 0)
                return false;
        for (const auto& [file, object] : objects_of(objects_to_, after))
            if ((!may_stay && count_below(equal_, object, common) > 0) || below(from_, object, now, old) > 0)
                return false;
        return true;
    }

    /// Of trees in each other the outer ones: inside of them files moved, unless it is another version that
    /// is there.
    static std::vector<Directories> accepted(const std::map<Directories, std::size_t>& votes) {
        struct Vote {
            Directories pair;
            std::size_t votes;
        };
        std::vector<Vote> candidates;
        candidates.reserve(votes.size());
        for (const auto& [pair, count] : votes) candidates.push_back({pair, count});
        const auto key = [](const Vote& candidate) {  // whichever side is before
            const auto& [a, b] = candidate.pair;
            return std::tuple(a.size() + b.size(), std::min(a, b), std::max(a, b));
        };
        const auto is_better = [&](const Vote& a, const Vote& b) {
            return a.votes != b.votes ? a.votes > b.votes : key(a) < key(b);
        };
        constexpr std::size_t most = 1'000;  // each is compared with each
        std::sort(candidates.begin(), candidates.end(), is_better);
        candidates.resize(std::min(candidates.size(), most));
        auto supported = candidates;
        for (Vote& outer : supported)
            for (const Vote& inner : candidates)
                if (inner.pair != outer.pair && inner.pair.first.starts_with(outer.pair.first) &&
                    inner.pair.second.starts_with(outer.pair.second))
                    outer.votes += inner.votes;
        std::sort(supported.begin(), supported.end(), is_better);
        std::vector<Directories> trees;
        for (const Vote& candidate : supported)
            if (std::none_of(trees.begin(), trees.end(),
                             [&](const Directories& tree) { return contradicts(candidate.pair, tree); }))
                trees.push_back(candidate.pair);
        return trees;
    }
    static bool contradicts(const Directories& pair, const Directories& tree) {
        const auto is_inside = [](std::string_view a, std::string_view b) { return a.starts_with(b); };
        if (is_inside(pair.first, tree.first) && is_inside(pair.second, tree.second))
            return !are_versions(pair.first.substr(tree.first.size()),
                                 pair.second.substr(tree.second.size()));
        return is_inside(pair.first, tree.first) || is_inside(tree.first, pair.first) ||
               is_inside(pair.second, tree.second) || is_inside(tree.second, pair.second);
    }

    const Places &from_, &to_;
    Places equal_;
    ObjectsOfFiles objects_from_, objects_to_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> moved_trees(const std::vector<PlaceKey>& from,
                                                             const std::vector<PlaceKey>& to) {
    return TreeSearch(from, to).find();
}

namespace {

template <class Value>
void sort_unique(std::vector<Value>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::string in_tree(std::string path, const std::vector<std::pair<std::string, std::string>>& directories) {
    for (const auto& [own, common] : directories)
        if (path.starts_with(own)) return path.replace(0, own.size(), common);
    return path;
}

}  // namespace

// --- of several versions
// --------------------------------------------------------------------------------------

std::size_t CommonPlaces::add(std::span<const FunctionPlace> places) {
    Version version;
    Places own;
    for (const FunctionPlace& place : places)
        own.emplace_back(object_key(place.object), rooted_path(place.file));
    sort_unique(own);
    for (const auto& place : own) version.objects.push_back(place.first);
    sort_unique(version.objects);
    if (!versions_.empty()) {
        // The program itself is often called otherwise: one object that only one version has, on each side.
        const auto& others = versions_.back().objects;
        std::vector<std::string> gone, added;
        std::set_difference(version.objects.begin(), version.objects.end(), others.begin(), others.end(),
                            std::back_inserter(gone));
        std::set_difference(others.begin(), others.end(), version.objects.begin(), version.objects.end(),
                            std::back_inserter(added));
        if (gone.size() == 1 && added.size() == 1) {
            version.object = {gone[0], added[0]};
            for (PlaceKey& place : own)
                if (place.first == gone[0]) place.first = added[0];
            std::replace(version.objects.begin(), version.objects.end(), gone[0], added[0]);
            std::sort(version.objects.begin(), version.objects.end());
            sort_unique(own);
        }
        version.directories = moved_trees(own, places_);
    }
    versions_.push_back(std::move(version));
    for (PlaceKey& place : own) place.second = in_tree(std::move(place.second), versions_.back().directories);
    places_.insert(places_.end(), own.begin(), own.end());
    sort_unique(places_);
    return versions_.size() - 1;
}

std::string CommonPlaces::object(std::size_t version, std::string_view object) const {
    auto key = object_key(object);
    const auto& [own, common] = versions_[version].object;
    return key == own && own != common ? common : key;
}

std::string CommonPlaces::file(std::size_t version, std::string_view file) const {
    auto path = in_tree(rooted_path(file), versions_[version].directories);
    return path.starts_with("./") ? path.substr(2) : path;
}

std::string common_command(const Part& part) {
    const std::string_view command = part.command;
    if (origin_of(part).starts_with("xdebug ")) return object_key(command);  // one path, also with blanks
    std::string words;
    for (std::size_t at = 0; at <= command.size();) {
        const auto end = std::min(command.find(' ', at), command.size());
        const auto word = command.substr(at, end - at);
        const auto name = words.empty() ? object_key(word) : std::string(base_name(word));
        if (!name.empty()) words += (words.empty() ? "" : " ") + name;
        at = end + 1;
    }
    return words;
}

}  // namespace callcost
