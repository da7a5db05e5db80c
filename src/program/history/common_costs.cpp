#include "history/common_costs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <callcost/diff.hpp>

namespace callcost::program {
namespace {

using Place = std::pair<std::string, std::string>;  // object, file
using Values = std::vector<std::optional<FunctionCost>>;

auto key_of(const StoredFunction& function) {
    return std::tie(function.name, function.file, function.object);
}

/// The places of functions in the entries of a query, and what they are in the newest one.
class EntryPlaces {
  public:
    Stored<void> find(Store& store, CostQuery query) {
        std::vector<std::vector<std::size_t>> found(query.entries.size());  // rows of places
        // A place tells by a few of its functions that an entry has it: with so many all do.
        constexpr std::size_t enough = 4'000;
        query.where = {};
        query.max_of_place = std::max<std::size_t>(1, enough / std::max<std::size_t>(1, found.size()));
        auto looked = store.costs(query, [&](const StoredFunction& function, auto values) {
            const auto row = rows_.try_emplace({function.object, function.file}, rows_.size()).first->second;
            for (std::size_t i = 0; i < values.size(); ++i)
                if (values[i]) found[i].push_back(row);
        });
        if (!looked) return looked;
        take(found);
        return {};
    }

    /// No place has two names.
    [[nodiscard]] bool are_plain() const { return are_plain_; }
    /// Of the place of a function; nullptr: no entry has it.
    [[nodiscard]] const std::size_t* row_of(const StoredFunction& function) const {
        const auto row = rows_.find({function.object, function.file});
        return row == rows_.end() ? nullptr : &row->second;
    }
    /// Where that is in the newest entry that has it.
    [[nodiscard]] const Place* common(std::size_t entry, std::size_t row) const {
        return common_[versions_[entry]][row];
    }
    /// All that this is in some entry, by row.
    [[nodiscard]] const std::set<const Place*>& commons(std::size_t row) const { return commons_[row]; }
    /// What it is called in the entries.
    [[nodiscard]] const std::set<const Place*>& names(const Place* common) const {
        return names_.find(common)->second;
    }

  private:
    void take(std::vector<std::vector<std::size_t>>& found) {
        std::vector<const Place*> places(rows_.size());
        for (const auto& [place, row] : rows_) places[row] = &place;
        CommonPlaces common;
        std::map<std::vector<std::size_t>, std::size_t> known;  // what is where: its version
        std::map<Place, const Place*> newest;                   // by what is common
        versions_.resize(found.size());
        for (auto entry = found.size(); entry-- > 0;) {
            auto& rows = found[entry];
            std::sort(rows.begin(), rows.end());
            rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
            const auto [version, is_new] = known.try_emplace(rows, known.size());
            versions_[entry] = version->second;
            if (!is_new) continue;
            std::vector<FunctionPlace> names;
            for (const auto row : rows) names.push_back({places[row]->first, places[row]->second});
            common.add(names);
            for (const auto row : rows)
                newest.try_emplace(place_in(common, version->second, *places[row]), places[row]);
        }
        commons_.resize(places.size());
        for (std::size_t version = 0; version < known.size(); ++version) {
            auto& all = common_.emplace_back();
            for (const Place* place : places) {
                const auto name = newest.find(place_in(common, version, *place));
                all.push_back(name == newest.end() ? place : name->second);
                commons_[all.size() - 1].insert(all.back());
                names_[all.back()].insert(place);
                are_plain_ = are_plain_ && all.back() == place;
            }
        }
    }
    static Place place_in(const CommonPlaces& common, std::size_t version, const Place& place) {
        return {common.object(version, place.first), common.file(version, place.second)};
    }

    std::map<Place, std::size_t> rows_;
    std::vector<std::size_t> versions_;                     // by entry: entries of one have the same places
    std::vector<std::vector<const Place*>> common_;         // by version, then by row: keys of rows_
    std::vector<std::set<const Place*>> commons_;           // by row
    std::map<const Place*, std::set<const Place*>> names_;  // by what is common
    bool are_plain_ = true;
};

/// Which functions a query is about: those that it is about by any of their names.
class WantedFunctions {
  public:
    WantedFunctions(const EntryPlaces& places, const CostQuery& query) : places_(places), query_(query) {}

    bool has(const StoredFunction& function) {
        const auto* const row = places_.row_of(function);
        if (row == nullptr) return query_.where(function);
        const auto& commons = places_.commons(*row);
        return std::any_of(commons.begin(), commons.end(),
                           [&](const Place* common) { return has(function.name, common); });
    }
    bool has(const std::string& name, const Place* common) {
        if (!query_.where) return true;
        const auto [known, is_new] = known_.try_emplace({name, common}, false);
        if (!is_new) return known->second;
        const auto& names = places_.names(common);
        return known->second = std::any_of(names.begin(), names.end(), [&](const Place* place) {
                   return query_.where({name, place->second, place->first});
               });
    }

  private:
    const EntryPlaces& places_;
    const CostQuery& query_;
    std::map<std::pair<std::string, const Place*>, bool> known_;
};

/// The functions of one name, put together.
class Namesakes {
  public:
    Namesakes(const EntryPlaces& places, WantedFunctions& wanted, const OnFunction& on_function)
        : places_(places), wanted_(wanted), on_function_(on_function) {}

    void add(const StoredFunction& function, std::span<const std::optional<FunctionCost>> values) {
        if (!functions_.empty() && functions_.front().first.name != function.name) flush();
        functions_.emplace_back(function, Values(values.begin(), values.end()));
    }
    void flush() {
        // First what is called as it was: what others call that comes to it, where it is not itself.
        for (const bool is_own : {true, false})
            for (const auto& [function, values] : functions_)
                for (auto& [place, part] : parts(function, values)) {
                    if (place != nullptr && !wanted_.has(function.name, place)) continue;
                    const StoredFunction common =
                        place == nullptr ? function
                                         : StoredFunction{function.name, place->second, place->first};
                    if ((common == function) == is_own && !put(common, part) && !put(function, part))
                        rows_.emplace_back(function, std::move(part));
                }
        std::sort(rows_.begin(), rows_.end(),
                  [](const Row& a, const Row& b) { return key_of(a.first) < key_of(b.first); });
        for (const auto& [function, values] : rows_) on_function_(function, values);
        functions_.clear();
        rows_.clear();
        by_names_.clear();
    }

  private:
    using Row = std::pair<StoredFunction, Values>;

    /// The values of those entries that call it the same, and how.
    [[nodiscard]] std::vector<std::pair<const Place*, Values>> parts(const StoredFunction& function,
                                                                     const Values& values) const {
        std::vector<std::pair<const Place*, Values>> parts;
        const auto* const row = places_.row_of(function);
        for (std::size_t entry = 0; entry < values.size(); ++entry) {
            if (!values[entry]) continue;
            const auto* const place = row == nullptr ? nullptr : places_.common(entry, *row);
            auto part = std::find_if(parts.begin(), parts.end(),
                                     [&](const auto& other) { return other.first == place; });
            if (part == parts.end()) part = parts.emplace(part, place, Values(values.size()));
            part->second[entry] = values[entry];
        }
        return parts;
    }
    bool put(const StoredFunction& function, Values& values) {
        const auto [found, is_new] = by_names_.try_emplace({function.file, function.object}, rows_.size());
        if (is_new) {
            rows_.emplace_back(function, std::move(values));
            return true;
        }
        auto& others = rows_[found->second].second;
        for (std::size_t entry = 0; entry < values.size(); ++entry)
            if (values[entry] && others[entry]) return false;
        for (std::size_t entry = 0; entry < values.size(); ++entry)
            if (values[entry]) others[entry] = values[entry];
        return true;
    }

    const EntryPlaces& places_;
    WantedFunctions& wanted_;
    const OnFunction& on_function_;
    std::vector<Row> functions_, rows_;
    std::map<std::pair<std::string, std::string>, std::size_t> by_names_;  // file and object, rows
};

}  // namespace

Stored<void> common_costs(Store& store, const CostQuery& query, const OnFunction& on_function) {
    EntryPlaces places;
    if (query.entries.size() > 1)
        if (auto found = places.find(store, query); !found) return found;
    if (places.are_plain()) return store.costs(query, on_function);
    WantedFunctions wanted(places, query);
    auto all = query;
    if (query.where) all.where = [&](const StoredFunction& function) { return wanted.has(function); };
    Namesakes namesakes(places, wanted, on_function);
    auto looked = store.costs(
        all, [&](const StoredFunction& function, auto values) { namesakes.add(function, values); });
    if (!looked) return looked;
    namesakes.flush();
    return {};
}

}  // namespace callcost::program
