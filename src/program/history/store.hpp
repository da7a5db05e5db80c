/// A store of profiles over time: entries of series, with the costs of their functions. docs/history.md has
/// the words and the schema. All text that a store returns comes from outside and may hold any bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terminal/terminal.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/profile.hpp>

namespace callcost::program {

/// Why a store did not do what it was asked for, and what may help.
struct StoreProblem {
    std::string text;
    std::string advice{};
};
template <class T>
using Stored = tl::expected<T, StoreProblem>;

/// What an entry is a profile of. What is empty is not known.
struct EntryFacts {
    std::string series;
    std::string commit;
    std::vector<std::string> parents;  ///< of the commit
    std::string branch;
    bool is_modified = false;  ///< the commit with changes
    std::int64_t time = 0;     ///< of the commit, else of the profile: seconds since 1970, UTC
    std::string machine;
    std::map<std::string, std::string> tags;
    std::string command;  ///< that was profiled
    std::string creator;  ///< of the profile
};

struct StoredFunction {
    std::string name, file, object;
    friend bool operator==(const StoredFunction&, const StoredFunction&) = default;
};

struct FunctionCost {
    Cost self = 0;
    Cost inclusive = 0;
    std::uint64_t calls = 0;
    friend bool operator==(const FunctionCost&, const FunctionCost&) = default;
};

struct EventCosts {
    std::string event;
    Cost total = 0;
    std::vector<FunctionCost> functions;  ///< by function of the entry
};

struct NewEntry {
    EntryFacts facts;
    std::string profile;                   ///< the bytes of a file
    std::vector<FunctionNames> functions;  ///< each once; views of the profile that was read
    std::vector<EventCosts> costs;         ///< of the event types that add up
};

using EntryId = std::int64_t;

struct Entry {
    EntryId id = 0;
    EntryFacts facts;
    std::int64_t added = 0;           ///< microseconds since 1970, UTC
    std::uint64_t profile_bytes = 0;  ///< uncompressed
    std::map<std::string, Cost> totals;
    std::vector<std::string> events;  ///< of `totals`, in the order in which profiles have them
    std::string subject;              ///< of the commit, where find_subjects() found it: no store has it
};

enum class Addition : std::uint8_t {
    added,
    replaced,
    present,   ///< the same profile is there already
    differing  ///< another profile of the same commit, machine and tags is there, and was kept
};

struct SeriesFacts {
    std::string name;
    std::uint64_t entries = 0;
    std::int64_t newest = 0;  ///< time of its newest entry
};

/// Costs by one event type.
struct CostQuery {
    std::string series, event;
    std::span<const EntryId> entries;
    std::function<bool(const StoredFunction&)> where{};  ///< empty: all functions
    std::size_t max_of_place = 0;  ///< so many functions of each file and object; 0: all of them
};

/// A function that one of the entries has, and its costs by entry of the query; nothing where an entry does
/// not have the function. The span is valid during the call.
using OnFunction = std::function<void(const StoredFunction&, std::span<const std::optional<FunctionCost>>)>;

/// One thread at a time. Processes may use one store at the same time: whoever writes waits for others.
class Store {
  public:
    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    /// Once it returns, the entry is stored whole; if it fails, none of it is.
    virtual Stored<Addition> add(const NewEntry& entry, bool replaces) = 0;
    /// By name.
    virtual Stored<std::vector<SeriesFacts>> series() = 0;
    /// Of one series, in its order: by time of the commit, a commit behind its parents, then as they were
    /// added.
    virtual Stored<std::vector<Entry>> entries(const std::string& series) = 0;
    /// The bytes that were added.
    virtual Stored<std::string> profile(EntryId entry) = 0;
    /// By name, file and object of the functions.
    virtual Stored<void> costs(const CostQuery& query, const OnFunction& on_function) = 0;
    virtual Stored<void> remove(std::span<const EntryId> entries) = 0;
};

/// What is done with a store: only writing creates one.
enum class StoreUse : std::uint8_t { read, write };

/// `address`: a path, `sqlite:PATH` or `clickhouse://USER@HOST:PORT/DATABASE`; empty: CALLCOST_STORE, else
/// `.callcost/history.db` at the top of the repository, else in the working directory.
[[nodiscard]] Stored<std::unique_ptr<Store>> open_store(const std::string& address, StoreUse use);

/// As an error.
void say(const Console& console, const StoreProblem& problem);

/// As messages name it: without a password.
[[nodiscard]] std::string store_name(const std::string& address);

/// What makes an entry the same as another one of its series: commit, machine and tags; where no commit was
/// measured as it is, the time and the profile.
[[nodiscard]] std::string identity_of(const NewEntry& entry);

/// What stores say of what is not there, or not theirs; `name` is fit to be shown.
[[nodiscard]] StoreProblem no_history(const std::string& name);
[[nodiscard]] StoreProblem newer_history(const std::string& name);

/// Since 1970, UTC.
[[nodiscard]] std::int64_t microseconds_now();

/// In the order of a series.
void sort_entries(std::vector<Entry>& entries);

}  // namespace callcost::program
