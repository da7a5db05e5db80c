/// Functions and their costs in the tables of the store in one file. A row of costs holds for all entries of
/// a series from one to another, in the order in which they were added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/database.hpp"
#include "history/store.hpp"

namespace callcost::program {

/// What fails throws DatabaseFailure.
class CostRows {
  public:
    /// The database must outlive it.
    explicit CostRows(const Database& database) : database_(database) {}

    /// In a transaction. The entry is the newest of all.
    void add(std::int64_t series, EntryId id, const NewEntry& entry);
    /// To be called when somebody else may have changed the rows.
    void forget() { current_.clear(); }

    void visit(const CostQuery& query, const OnFunction& on_function) const;

  private:
    struct FunctionHash {
        using is_transparent = void;
        std::size_t operator()(const FunctionNames& function) const;
        std::size_t operator()(const StoredFunction& function) const;
    };
    struct SameFunction {
        using is_transparent = void;
        bool operator()(const FunctionNames& a, const StoredFunction& b) const;
        bool operator()(const StoredFunction& a, const FunctionNames& b) const { return (*this)(b, a); }
        bool operator()(const StoredFunction& a, const StoredFunction& b) const { return a == b; }
    };

    /// The newest costs of a series, which the next entry is compared with.
    struct Current {
        struct Row {
            EntryId first = 0;  ///< 0: the newest entry does not have the function
            FunctionCost cost;
            EntryId seen = 0;  ///< the last entry that had it
        };
        std::unordered_map<StoredFunction, std::size_t, FunctionHash, SameFunction> rows;
        std::vector<std::int64_t> ids;                   ///< of functions, by row
        std::map<std::int64_t, std::vector<Row>> costs;  ///< by event, then by row
    };
    [[nodiscard]] Current load(std::int64_t series) const;
    /// By function of the entry; new ones are stored.
    std::vector<std::size_t> rows_of(const std::vector<FunctionNames>& functions, Current& current) const;

    const Database& database_;
    std::map<std::int64_t, Current> current_;  // by series
};

}  // namespace callcost::program
