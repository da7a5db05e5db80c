#include "loading/inlined_in_both.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "text/names.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/diff.hpp>
#include <callcost/inlining.hpp>

namespace callcost::program {
namespace {

constexpr double max_stale = 0.1;  // share of an object's cost

/// Without what compilers add: `f` of `f.part.0`, `f.cold` and `f [clone .isra.0]`.
std::string_view plain_name(std::string_view name) {
    constexpr std::array<std::string_view, 6> words = {"part", "constprop", "isra",
                                                       "cold", "llvm",      "lto_priv"};
    if (const auto clone = name.find(" [clone "); clone != 0) name = name.substr(0, clone);
    for (;;) {
        const auto dot = name.rfind('.');
        if (dot == std::string_view::npos || dot == 0) return name;
        const auto word = name.substr(dot + 1);
        const bool is_number = word.find_first_not_of("0123456789") == std::string_view::npos;
        if (!is_number && std::find(words.begin(), words.end(), word) == words.end()) return name;
        name = name.substr(0, dot);
    }
}

class Side {
  public:
    using FunctionKey = std::pair<std::string, std::string>;  // object and plain name

    Side(std::string_view word, const ComparedCode& code, When wanted)
        : word_(word),
          profile_(code.profile),
          maps_(find_maps(profile_, code.search, {.files = {}, .inlined = wanted, .selection = {}})),
          keys_(profile_.object_count()),
          costs_(costs_of_objects(profile_)),
          stale_costs_(profile_.object_count()) {
        for (const FunctionId function : maps_.stale)
            stale_costs_[profile_.object(function).value] += cost(function);
    }

    /// Objects are called as in the sides before.
    void name_objects(CommonPlaces& places) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> rows;
        for (std::size_t row = 0; row < profile_.function_count(); ++row)
            rows.emplace(profile_.object(FunctionId(row)).value, profile_.file(FunctionId(row)).value);
        std::vector<FunctionPlace> names;
        names.reserve(rows.size());
        for (const auto& [object, file] : rows)
            names.push_back({profile_.name(ObjectId(object)), profile_.name(FileId(file))});
        const auto version = places.add(names);
        for (std::size_t row = 0; row < keys_.size(); ++row)
            keys_[row] = places.object(version, profile_.name(ObjectId(row)));
    }

    /// Objects that have become another build are not known.
    void refuse_stale() {
        std::erase_if(maps_.maps, [&](const InlineMap& map) {
            const auto object = row_of(map);
            if (stale_costs_[object] <= max_stale * costs_[object]) return false;
            maps_.missing.push_back(
                {ObjectId(object),
                 fmt::format("'{}' is not what was measured", engine::display_name(map.object)),
                 "keep programs that were measured: -I DIR, or --old-source FROM=DIR, says where they are"});
            return true;
        });
    }

    /// Objects that cost anything, and those whose inlined code is known.
    struct Known {
        std::set<std::string> all, known;
    };
    [[nodiscard]] Known known() const {
        Known found;
        for (std::size_t row = 1; row < keys_.size(); ++row)
            if (costs_[row] != 0) found.all.insert(keys_[row]);
        for (const InlineMap& map : maps_.maps) found.known.insert(keys_[row_of(map)]);
        return found;
    }

    struct Dropped {
        std::string object, key;  // of what costs most
        double share = 0;         // of all that was dropped
        [[nodiscard]] bool is_much() const { return share > hardly_any; }
    };
    /// Drops what is not known of the other side.
    Dropped keep_what_both_know(const Known& mine, const Known& other) {
        // An object may have another name there.
        const bool may_be_renamed = std::any_of(other.all.begin(), other.all.end(), [&](const auto& key) {
            return !mine.all.contains(key) && !other.known.contains(key);
        });
        Dropped dropped;
        double most = -1;
        std::erase_if(maps_.maps, [&](const InlineMap& map) {
            const auto object = row_of(map);
            const auto& key = keys_[object];
            const bool is_there = other.all.contains(key);
            if (is_there ? other.known.contains(key) : !may_be_renamed) return false;
            dropped.share += costs_[object] / std::max(total(), 1.0);
            if (costs_[object] > most) {
                most = costs_[object];
                dropped.object = map.object;
                dropped.key = key;
            }
            return true;
        });
        return dropped;
    }

    /// Functions that stay as they are.
    void add_stale(std::set<FunctionKey>& keys) const {
        const ContextNames contexts(profile_);
        for (const FunctionId function : maps_.stale) keys.insert(key_of(function, contexts));
    }
    [[nodiscard]] double stale_share() const {
        double sum = 0;
        for (const InlineMap& map : maps_.maps) sum += stale_costs_[row_of(map)];
        return sum / std::max(total(), 1.0);
    }

    void leave(const std::set<FunctionKey>& stale) {
        if (stale.empty()) return;
        const ContextNames contexts(profile_);
        std::vector<std::vector<std::uint64_t>> addresses(keys_.size());  // by object
        for (std::size_t row = 0; row < profile_.function_count(); ++row) {
            const FunctionId function(row);
            if (!stale.contains(key_of(function, contexts))) continue;
            auto cursor = profile_.records(function);
            for (Record record; cursor.next(record);)
                addresses[profile_.object(function).value].push_back(record.address);
        }
        for (InlineMap& map : maps_.maps) leave(map, addresses[row_of(map)]);
    }

    [[nodiscard]] Result<Profile> expanded() const { return expand_inlined(profile_, maps_.maps); }
    [[nodiscard]] std::vector<InlineMap> take_maps() { return std::move(maps_.maps); }
    [[nodiscard]] bool has_maps() const { return !maps_.maps.empty(); }

    [[nodiscard]] const InlineMaps& maps() const { return maps_; }
    [[nodiscard]] const Profile& profile() const { return profile_; }
    [[nodiscard]] std::string_view word() const { return word_; }

    /// Why an object is not known; if there is none of this name, the one that costs most.
    [[nodiscard]] InlinedProblem problem(const std::string& key) const {
        if (maps_.missing.empty())
            return {maps_.problem.empty() ? "it has no debug information" : maps_.problem, maps_.hint};
        const auto& most = *std::max_element(
            maps_.missing.begin(), maps_.missing.end(),
            [&](const auto& a, const auto& b) { return weight(a.object, key) < weight(b.object, key); });
        return {most.problem, most.hint};
    }

  private:
    [[nodiscard]] double cost(FunctionId function) const {
        return profile_.events().empty()
                   ? 0
                   : static_cast<double>(profile_.self(function, EventId(0)).magnitude());
    }
    [[nodiscard]] double total() const { return std::accumulate(costs_.begin(), costs_.end(), 0.0); }
    [[nodiscard]] std::pair<bool, double> weight(ObjectId object, const std::string& key) const {
        return {keys_[object.value] == key, costs_[object.value]};
    }
    [[nodiscard]] std::size_t row_of(const InlineMap& map) const {
        std::size_t row = 0;
        while (profile_.name(ObjectId(row)) != map.object) ++row;
        return row;
    }
    [[nodiscard]] FunctionKey key_of(FunctionId function, const ContextNames& contexts) const {
        return {keys_[profile_.object(function).value],
                std::string(plain_name(contexts.split(function).name))};
    }

    /// Code at the addresses is the function's that has it.
    static void leave(InlineMap& map, const std::vector<std::uint64_t>& addresses) {
        std::map<std::uint64_t, std::uint32_t> sites;
        for (const auto& run : map.runs) sites.emplace(run.address, run.site);
        for (const auto address : addresses) {
            const auto behind = sites.upper_bound(address + 1);
            sites.emplace_hint(behind, address + 1,
                               behind == sites.begin() ? InlineSite::none : std::prev(behind)->second);
        }
        for (const auto address : addresses) sites[address] = InlineSite::none;
        map.runs.clear();
        for (const auto& [address, site] : sites) map.runs.push_back({address, site});
    }

    std::string_view word_;
    const Profile& profile_;
    InlineMaps maps_;
    std::vector<std::string> keys_;            // by object: as both sides call it
    std::vector<double> costs_, stale_costs_;  // by object
};

std::string of_side(std::string_view reason, std::string_view word) {
    return fmt::format("{} ({} profile)", reason, word);
}

void note_stale(const Side& side, std::vector<InlinedNote>& notes) {
    if (side.stale_share() <= hardly_any) return;
    auto text = fmt::format(
        "{} of {} functions of the {} profile {} not as in the program: what is inlined there is compared as "
        "theirs",
        side.maps().stale.size(), side.maps().compared, side.word(),
        side.maps().stale.size() == 1 ? "is" : "are");
    notes.push_back({Severity::note, text, text, "profile the program again"});
}

/// `side` does not know what was dropped of the other one.
InlinedNote note_of_dropped(const Side::Dropped& dropped, const Side& side, When wanted) {
    const auto why = side.problem(dropped.key);
    return {wanted == When::always ? Severity::warning : Severity::note,
            fmt::format("inlined code of '{}' is not compared, as it is not known in the {} profile: {}",
                        engine::display_name(dropped.object), side.word(), why.message),
            of_side(why.message, side.word()), why.hint};
}

/// What files say themselves.
void keep_what_files_say(InlinedInBoth& both) {
    const bool is_of_old = both.before.profile.has_inlined();
    if (is_of_old == both.after.profile.has_inlined()) return;
    (is_of_old ? both.inlined_before : both.inlined_after) = Inlined::in_host;
    auto text = fmt::format(
        "only the {} profile says itself what is inlined: that is compared as code of the functions it is in",
        is_of_old ? "old" : "new");
    both.notes.push_back({Severity::note, text, text, {}});
}

}  // namespace

void say(const std::vector<InlinedNote>& notes, const Console& console) {
    for (const auto& note : notes)
        if (note.severity) console.say(*note.severity, note.text, note.hint);
}

InlinedInBoth show_inlined_in_both(const ComparedCode& before, const ComparedCode& after, When wanted) {
    InlinedInBoth both{{before.profile, {}, {}, {}}, {after.profile, {}, {}, {}}, {}, {}, {}};
    auto& notes = both.notes;
    if (before.profile.has_inlined() || after.profile.has_inlined()) {
        keep_what_files_say(both);
        return both;
    }
    const auto has_detail = [](const Profile& profile) { return profile.detail() == Detail::full; };
    if (wanted == When::never || !has_detail(before.profile) || !has_detail(after.profile)) return both;
    const auto if_asked_for =
        wanted == When::always ? std::optional(Severity::warning) : std::optional<Severity>();
    const bool had_addresses = has_addresses(before.profile), has_them = has_addresses(after.profile);
    if (!had_addresses || !has_them) {  // as small profiles that are kept to compare with
        const auto* const word = had_addresses ? "new" : "old";
        notes.push_back(
            {if_asked_for,
             fmt::format("inlined code is not compared: the {} profile has no instruction addresses", word),
             of_side("the profile has no instruction addresses", word), "'callcost record' records them"});
        return both;
    }
    Side old("old", before, wanted), now("new", after, wanted);
    CommonPlaces places;
    now.name_objects(places);
    old.name_objects(places);
    old.refuse_stale();
    now.refuse_stale();
    const auto known_before = old.known(), known_after = now.known();
    const auto not_in_old = now.keep_what_both_know(known_after, known_before);
    const auto not_in_new = old.keep_what_both_know(known_before, known_after);
    if (not_in_old.is_much() || not_in_new.is_much()) {
        notes.push_back(not_in_old.share >= not_in_new.share ? note_of_dropped(not_in_old, old, wanted)
                                                             : note_of_dropped(not_in_new, now, wanted));
    } else if (const auto missing = what_is_missing(now.profile(), now.maps()); !missing.message.empty()) {
        notes.push_back({if_asked_for, "inlined code is not shown as functions: " + missing.message,
                         of_side(missing.message, now.word()), missing.hint});
    }
    if (!old.has_maps() && !now.has_maps()) return both;
    std::set<Side::FunctionKey> stale;
    for (auto* side : {&old, &now}) side->add_stale(stale);
    for (auto* side : {&old, &now}) {
        side->leave(stale);
        note_stale(*side, notes);
    }
    auto expanded_before = old.expanded(), expanded_after = now.expanded();
    for (const auto* expanded : {&expanded_before, &expanded_after}) {
        if (*expanded) continue;
        const auto reason = expanded->error().message();
        notes.insert(notes.begin(),
                     {Severity::warning, "inlined code is not compared: " + reason, reason, {}});
        return both;
    }
    both.before = {*std::move(expanded_before), old.take_maps(), {}, {}};
    both.after = {*std::move(expanded_after), now.take_maps(), {}, {}};
    return both;
}

}  // namespace callcost::program
