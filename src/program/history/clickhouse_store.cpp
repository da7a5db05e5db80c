#include "history/clickhouse_store.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <thread>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "clickhouse/http_client.hpp"
#include "clickhouse/row_binary.hpp"
#include "clickhouse/server_failure.hpp"
#include "clickhouse/sip_hash.hpp"
#include "history/clickhouse_schema.hpp"
#include "history/packed_profile.hpp"

namespace callcost::program {
namespace {

using Id = std::uint64_t;  // of a row, or the hash of a name

constexpr const char* entry_columns =
    "id, series, commit_id, modified, parents, branch, time, machine, command, creator, added, "
    "profile_bytes, tags.key, tags.value, totals.event, totals.total";

/// Which row of all with one series and identity counts.
constexpr const char* newest_row = "argMax(id, (generation, -added, -toInt64(id)))";

/// Ids in one statement, which the server reads as a whole.
constexpr std::size_t max_listed = 5'000;

Id id_at(std::int64_t microseconds) {
    return static_cast<Id>(microseconds / 1'000 - id_epoch) << id_random_bits;
}

Id new_id() {
    static std::random_device random;
    return id_at(microseconds_now()) | (Id{random()} & ((Id{1} << id_random_bits) - 1));
}

Id function_id(const FunctionNames& function) {
    std::string whole(function.name);
    (whole += '\0') += function.file;
    (whole += '\0') += function.object;
    return sip_hash(whole);
}

/// A condition that holds for these, and maybe for others where they are many.
std::string is_among(std::string_view column, std::span<const Id> ids) {
    if (ids.size() <= max_listed) return fmt::format("{} IN ({})", column, fmt::join(ids, ","));
    const auto [first, last] = std::minmax_element(ids.begin(), ids.end());
    return fmt::format("{} BETWEEN {} AND {}", column, *first, *last);
}

/// Where each id is, for ids that mostly come in their order.
class Places {
  public:
    void add(Id id) { all_.emplace_back(id, all_.size()); }
    void sort() { std::sort(all_.begin(), all_.end()); }
    /// Of one that it does not have: null.
    const std::size_t* find(Id id) {
        if (last_ >= all_.size() || all_[last_].first != id) {
            ++last_;
            if (last_ >= all_.size() || all_[last_].first != id) {
                const auto found = std::lower_bound(all_.begin(), all_.end(), std::pair(id, std::size_t{0}));
                last_ = static_cast<std::size_t>(found - all_.begin());
            }
        }
        return last_ < all_.size() && all_[last_].first == id ? &all_[last_].second : nullptr;
    }

  private:
    std::vector<std::pair<Id, std::size_t>> all_;
    std::size_t last_ = 0;
};

StoreProblem problem_of(const ServerFailure& failure, const ServerAddress& address) {
    constexpr int refusals[] = {192, 193, 194, 516};  // of a user, of its password
    StoreProblem problem{fmt::format("{}: {}", address.server(), failure.text)};
    if (std::find(std::begin(refusals), std::end(refusals), failure.code) != std::end(refusals)) {
        problem.advice =
            "CALLCOST_STORE_PASSWORD, or a file that CALLCOST_STORE_PASSWORD_FILE names, has the password";
    } else if (failure.code == 0) {
        problem.advice =
            "see that the server runs, and run it again: what is there already is not added twice";
    }
    return problem;
}

class ClickHouseStore final : public Store {
  public:
    ClickHouseStore(ServerAddress address, const std::string& password)
        : address_(std::move(address)), client_(address_, password) {}

    Stored<Addition> add(const NewEntry& entry, bool replaces) override {
        return guarded<Addition>([&] { return add_entry(entry, replaces); });
    }
    Stored<std::vector<SeriesFacts>> series() override {
        return guarded<std::vector<SeriesFacts>>([&] { return all_series(); });
    }
    Stored<std::vector<Entry>> entries(const std::string& series) override {
        return guarded<std::vector<Entry>>([&] { return entries_of(series); });
    }
    Stored<std::string> profile(EntryId entry) override {
        return guarded<std::string>([&] { return profile_of(static_cast<Id>(entry)); });
    }
    Stored<void> costs(const CostQuery& query, const OnFunction& on_function) override {
        return guarded<void>([&] {
            visit_costs(query, on_function);
            return Stored<void>();
        });
    }
    Stored<void> remove(std::span<const EntryId> entries) override {
        return guarded<void>([&] {
            remove_entries({entries.begin(), entries.end()});
            return Stored<void>();
        });
    }

    /// Nothing where there is no history.
    std::uint32_t version() {
        try {
            const auto answer = client_.run("SELECT max(version) FROM callcost_schema FORMAT RowBinary");
            return RowReader(answer).number32();
        } catch (const ServerFailure& failure) {
            if (failure.code != unknown_database && failure.code != unknown_table) throw;
            return 0;
        }
    }
    /// Maybe while another process does the same.
    void create_tables() {
        client_.create_database();
        for (const char* sql : clickhouse_schema)
            client_.run(fmt::format(fmt::runtime(sql), address_.database));
        insert("callcost_schema (version)", RowWriter().number32(clickhouse_schema_version));
    }

  private:
    template <class Value, class Work>
    Stored<Value> guarded(Work work) {
        try {
            return work();
        } catch (const ServerFailure& failure) {
            return tl::unexpected(problem_of(failure, address_));
        }
    }

    // --- writing ----------------------------------------------------------------------------------------

    /// All of it, or none up to 1,000,000 rows.
    void insert(std::string_view table, const RowWriter& rows) {
        constexpr int too_many_parts = 252, attempts = 60;  // it merges them in the background
        for (int attempt = 1;; ++attempt) {
            try {
                client_.insert(fmt::format("INSERT INTO {} FORMAT RowBinary", table), rows.bytes());
                return;
            } catch (const ServerFailure& failure) {
                if (failure.code != too_many_parts || attempt == attempts) throw;
                std::this_thread::sleep_for(std::chrono::seconds(1));
            }
        }
    }

    /// The row that counts of a series and identity.
    struct Current {
        Id id = 0;
        std::uint32_t generation = 0;
        bool is_there = false;
    };
    Current current(Id series, Id identity) {
        const auto answer =
            client_.run(fmt::format("SELECT id, generation, removed FROM entries WHERE series_id = {} AND "
                                    "identity = {} ORDER BY generation DESC, added, id LIMIT 1 "
                                    "FORMAT RowBinary",
                                    series, identity));
        RowReader row(answer);
        if (row.at_end()) return {};
        Current current;
        current.id = row.number();
        current.generation = row.number32();
        current.is_there = !row.byte();
        return current;
    }

    /// The row of `entries` comes last: before, nobody sees the others. Then it is looked at whether another
    /// process was earlier.
    Stored<Addition> add_entry(const NewEntry& entry, bool replaces) {
        const auto series = sip_hash(entry.facts.series), identity = sip_hash(identity_of(entry));
        Id id = 0;
        for (auto old = current(series, identity);;) {
            if (old.is_there) {
                const auto bytes = profile_of(old.id);
                if (!bytes) return tl::unexpected(bytes.error());
                if (*bytes == entry.profile) return Addition::present;
                if (!replaces) return Addition::differing;
            }
            if (id == 0) {
                id = new_id();
                if (auto done = insert_profile(id, entry.profile); !done) return tl::unexpected(done.error());
                insert_functions(series, entry.functions);
                insert_costs(series, id, entry);
                old = current(series, identity);  // all that took its time
                continue;
            }
            insert_facts(series, identity, old.generation + 1, id, entry);
            const auto now = current(series, identity);
            if (now.id == id) return old.is_there ? Addition::replaced : Addition::added;
            old = now;
        }
    }

    Stored<void> insert_profile(Id id, std::string_view profile) {
        const auto bytes = packer_.pack(profile, {});
        if (!bytes) return tl::unexpected(bytes.error());
        insert("profiles (id, data)", RowWriter().number(id).text(*bytes));
        return {};
    }

    void insert_functions(Id series, const std::vector<FunctionNames>& functions) {
        auto found = known_functions_.find(series);
        if (found == known_functions_.end()) {
            found = known_functions_.try_emplace(series).first;
            const auto answer = client_.run(
                fmt::format("SELECT id FROM functions WHERE series_id = {} FORMAT RowBinary", series));
            for (RowReader rows(answer); !rows.at_end();) found->second.insert(rows.number());
        }
        RowWriter rows;
        for (const FunctionNames& function : functions) {
            const auto id = function_id(function);
            if (!found->second.insert(id).second) continue;
            rows.number(series).number(id).text(function.name).text(function.file).text(function.object);
        }
        if (rows.bytes().empty()) return;
        try {
            insert("functions (series_id, id, name, file, object)", rows);
        } catch (const ServerFailure&) {
            known_functions_.erase(found);
            throw;
        }
    }

    void insert_costs(Id series, Id id, const NewEntry& entry) {
        RowWriter rows;
        for (const EventCosts& costs : entry.costs) {
            const auto event = sip_hash(costs.event);
            for (std::size_t i = 0; i < entry.functions.size(); ++i) {
                const FunctionCost& cost = costs.functions[i];
                rows.number(series).number(event).number(function_id(entry.functions[i])).number(id);
                rows.number(std::int64_t{cost.self}).number(std::int64_t{cost.inclusive}).number(cost.calls);
            }
        }
        if (!rows.bytes().empty())
            insert("costs (series_id, event_id, function_id, entry, self, inclusive, calls)", rows);
    }

    void insert_facts(Id series, Id identity, std::uint32_t generation, Id id, const NewEntry& entry) {
        const auto& facts = entry.facts;
        RowWriter row;
        row.number(series).number(identity).number32(generation).byte(false).number(microseconds_now());
        row.number(id).text(facts.series).text(facts.commit).byte(facts.is_modified);
        row.size(facts.parents.size());
        for (const auto& parent : facts.parents) row.text(parent);
        row.text(facts.branch).number(facts.time).text(facts.machine).text(facts.command).text(facts.creator);
        row.number(std::uint64_t{entry.profile.size()});
        row.size(facts.tags.size());
        for (const auto& tag : facts.tags) row.text(tag.first);
        row.size(facts.tags.size());
        for (const auto& tag : facts.tags) row.text(tag.second);
        row.size(entry.costs.size());
        for (const EventCosts& costs : entry.costs) row.text(costs.event);
        row.size(entry.costs.size());
        for (const EventCosts& costs : entry.costs) row.number(std::int64_t{costs.total});
        insert(
            "entries (series_id, identity, generation, removed, added, id, series, commit_id, modified, "
            "parents, branch, time, machine, command, creator, profile_bytes, tags.key, tags.value, "
            "totals.event, totals.total)",
            row);
    }

    /// Rows that say so make them invisible at once; the server then deletes what they had, and what writers
    /// left that came to no end.
    void remove_entries(std::vector<Id> ids) {
        RowWriter rows;
        in_portions(ids, [&](std::span<const Id> some) {
            const auto answer =
                client_.run(fmt::format("SELECT series_id, identity, max(generation) FROM entries WHERE {} "
                                        "GROUP BY series_id, identity FORMAT RowBinary",
                                        is_among("id", some)));
            for (RowReader found(answer); !found.at_end();) {
                rows.number(found.number()).number(found.number());
                rows.number32(found.number32() + 1).byte(true).number(microseconds_now()).number(new_id());
            }
        });
        if (!rows.bytes().empty())
            insert("entries (series_id, identity, generation, removed, added, id)", rows);
        constexpr std::int64_t longest_addition = 3'600'000'000;  // µs
        const auto answer = client_.run(
            fmt::format("SELECT id FROM profiles WHERE id < {} AND id NOT IN (SELECT id FROM live_entries) "
                        "FORMAT RowBinary",
                        id_at(microseconds_now() - longest_addition)));
        for (RowReader left(answer); !left.at_end();) ids.push_back(left.number());
        in_portions(ids, [&](std::span<const Id> some) {
            client_.run(fmt::format("ALTER TABLE costs DELETE WHERE {}", is_among("entry", some)));
            for (const char* table : {"entries", "profiles"})
                client_.run(fmt::format("ALTER TABLE {} DELETE WHERE {}", table, is_among("id", some)));
        });
    }

    template <class Work>
    static void in_portions(std::span<const Id> ids, Work work) {
        for (; !ids.empty(); ids = ids.subspan(std::min(max_listed, ids.size())))
            work(ids.first(std::min(max_listed, ids.size())));
    }

    // --- reading ----------------------------------------------------------------------------------------

    std::vector<SeriesFacts> all_series() {
        std::vector<SeriesFacts> all;
        const auto answer = client_.run(
            "SELECT series, uniqExact(id), max(time) FROM live_entries GROUP BY series ORDER BY series "
            "FORMAT RowBinary");
        for (RowReader row(answer); !row.at_end();) {
            SeriesFacts facts;
            facts.name = row.text();
            facts.entries = row.number();
            facts.newest = row.signed_number();
            all.push_back(std::move(facts));
        }
        return all;
    }

    std::vector<Entry> entries_of(const std::string& series) {
        const auto id = sip_hash(series);
        const auto answer = client_.run(
            fmt::format("SELECT {} FROM entries WHERE series_id = {} AND removed = 0 AND id IN (SELECT {} "
                        "FROM entries WHERE series_id = {} GROUP BY identity) LIMIT 1 BY id FORMAT RowBinary",
                        entry_columns, id, newest_row, id));
        std::vector<Entry> entries;
        for (RowReader row(answer); !row.at_end();) entries.push_back(entry_of(row));
        sort_entries(entries);
        return entries;
    }

    /// Of entry_columns.
    static Entry entry_of(RowReader& row) {
        Entry entry;
        auto& facts = entry.facts;
        entry.id = row.signed_number();
        facts.series = row.text();
        facts.commit = row.text();
        facts.is_modified = row.byte();
        for (auto left = row.size(); left > 0; --left) facts.parents.emplace_back(row.text());
        facts.branch = row.text();
        facts.time = row.signed_number();
        facts.machine = row.text();
        facts.command = row.text();
        facts.creator = row.text();
        entry.added = row.signed_number();
        entry.profile_bytes = row.number();
        const auto names = [&row] {
            std::vector<std::string_view> all;
            for (auto left = row.size(); left > 0; --left) all.push_back(row.text());
            return all;
        };
        const auto keys = names();
        row.size();  // is the same
        for (const auto key : keys) facts.tags.emplace(key, row.text());
        const auto events = names();
        row.size();
        for (const auto event : events) entry.totals.emplace(event, row.signed_number());
        entry.events.assign(events.begin(), events.end());
        return entry;
    }

    Stored<std::string> profile_of(Id id) {
        const auto answer =
            client_.run(fmt::format("SELECT data FROM profiles WHERE id = {} LIMIT 1 FORMAT RowBinary", id));
        RowReader row(answer);
        if (row.at_end()) return tl::unexpected(StoreProblem{"the entry has been removed meanwhile"});
        return unpacked(row.text(), {});
    }

    struct KnownFunction {
        StoredFunction names;
        Id id;
        friend bool operator<(const KnownFunction& a, const KnownFunction& b) {
            return std::tie(a.names.name, a.names.file, a.names.object, a.id) <
                   std::tie(b.names.name, b.names.file, b.names.object, b.id);
        }
    };

    void visit_costs(const CostQuery& query, const OnFunction& on_function) {
        const auto series = sip_hash(query.series);
        const auto answer =
            client_.run(fmt::format("SELECT id, name, file, object FROM functions WHERE series_id = {} LIMIT "
                                    "1 BY id FORMAT RowBinary",
                                    series));
        std::vector<KnownFunction> functions;
        bool are_all = true;
        for (RowReader row(answer); !row.at_end();) {
            const auto id = row.number();
            StoredFunction names;
            names.name = row.text();
            names.file = row.text();
            names.object = row.text();
            if (query.where && !query.where(names)) {
                are_all = false;
                continue;
            }
            functions.push_back({std::move(names), id});
        }
        std::sort(functions.begin(), functions.end());
        if (query.max_of_place > 0) {
            std::map<std::pair<std::string_view, std::string_view>, std::size_t> of_place;
            const auto is_enough = [&](const KnownFunction& function) {
                return ++of_place[{function.names.file, function.names.object}] > query.max_of_place;
            };
            std::vector<KnownFunction> few;
            for (const KnownFunction& function : functions)
                if (!is_enough(function)) few.push_back(function);
            are_all = are_all && few.size() == functions.size();
            functions = std::move(few);
        }
        if (query.entries.empty()) return;
        // As many as fit into some memory.
        constexpr std::size_t max_values = 2'000'000;
        const auto most = std::max<std::size_t>(1, max_values / query.entries.size());
        for (std::span<const KnownFunction> rest = functions; !rest.empty();) {
            const auto some = rest.first(std::min(most, rest.size()));
            visit_some(query, some, are_all && some.size() == functions.size(), on_function);
            rest = rest.subspan(some.size());
        }
    }

    void visit_some(const CostQuery& query, std::span<const KnownFunction> functions, bool are_all,
                    const OnFunction& on_function) {
        Places rows, columns;
        std::vector<Id> ids;
        for (const KnownFunction& function : functions) {
            rows.add(function.id);
            ids.push_back(function.id);
        }
        auto sql = fmt::format(
            "SELECT function_id, entry, self, inclusive, calls FROM costs WHERE series_id = {} AND "
            "event_id = {}",
            sip_hash(query.series), sip_hash(query.event));
        if (!are_all) sql += fmt::format(" AND {}", is_among("function_id", ids));
        ids.clear();
        for (const EntryId entry : query.entries) {
            ids.push_back(static_cast<Id>(entry));
            columns.add(ids.back());
        }
        sql += fmt::format(" AND {} FORMAT RowBinary", is_among("entry", ids));
        rows.sort();
        columns.sort();

        std::vector<std::optional<FunctionCost>> values(functions.size() * query.entries.size());
        std::vector<bool> has_any(functions.size());
        const auto answer = client_.run(sql);
        for (RowReader row(answer); !row.at_end();) {
            const auto* function = rows.find(row.number());
            const auto* entry = columns.find(row.number());
            FunctionCost cost;
            cost.self = row.signed_number();
            cost.inclusive = row.signed_number();
            cost.calls = row.number();
            if (function == nullptr || entry == nullptr) continue;
            values[*function * query.entries.size() + *entry] = cost;
            has_any[*function] = true;
        }
        const std::span all(std::as_const(values));
        for (std::size_t i = 0; i < functions.size(); ++i)
            if (has_any[i])
                on_function(functions[i].names, all.subspan(i * query.entries.size(), query.entries.size()));
    }

    ServerAddress address_;
    HttpClient client_;
    Packer packer_;
    std::map<Id, std::unordered_set<Id>> known_functions_;  // by series
};

}  // namespace

Stored<std::unique_ptr<Store>> open_clickhouse_store(const std::string& address, StoreUse use) {
    const auto parsed = parse_server_address(address);
    if (!parsed)
        return tl::unexpected(
            StoreProblem{fmt::format("{}: {}", store_name(address), parsed.error()),
                         "clickhouse://USER@HOST:PORT/DATABASE; CALLCOST_STORE_PASSWORD has the password"});
    const auto password = server_password();
    if (!password) return tl::unexpected(StoreProblem{password.error()});
    try {
        auto store = std::make_unique<ClickHouseStore>(*parsed, *password);
        const auto version = store->version();
        if (version > clickhouse_schema_version) return tl::unexpected(newer_history(store_name(address)));
        if (version == 0 && use == StoreUse::read) return tl::unexpected(no_history(store_name(address)));
        if (version == 0) store->create_tables();
        return store;
    } catch (const ServerFailure& failure) {
        return tl::unexpected(problem_of(failure, *parsed));
    }
}

}  // namespace callcost::program
