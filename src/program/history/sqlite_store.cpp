#include "history/sqlite_store.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include <fmt/format.h>
#include <sqlite3.h>

#include "history/database.hpp"
#include "history/packed_profile.hpp"
#include "history/schema.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

using engine::display_name;

struct FunctionHash {
    using is_transparent = void;
    std::size_t operator()(const FunctionNames& function) const {
        const std::hash<std::string_view> hash;
        return (hash(function.name) * 31 + hash(function.file)) * 31 + hash(function.object);
    }
    std::size_t operator()(const StoredFunction& function) const { return (*this)(names_of(function)); }
    static FunctionNames names_of(const StoredFunction& function) {
        return {function.name, function.object, function.file};
    }
};
struct SameFunction {
    using is_transparent = void;
    bool operator()(const FunctionNames& a, const StoredFunction& b) const {
        return a == FunctionHash::names_of(b);
    }
    bool operator()(const StoredFunction& a, const FunctionNames& b) const { return (*this)(b, a); }
    bool operator()(const StoredFunction& a, const StoredFunction& b) const { return a == b; }
};

/// The newest costs of a series: what the next entry is compared with.
struct Current {
    struct Row {
        std::int64_t first = 0;  ///< 0: the newest entry does not have the function
        FunctionCost cost;
        EntryId seen = 0;  ///< the last entry that had it
    };
    EntryId newest = 0;  ///< the entry that this is of
    std::unordered_map<StoredFunction, std::size_t, FunctionHash, SameFunction> rows;
    std::vector<std::int64_t> ids;                   ///< of functions, by row
    std::map<std::int64_t, std::vector<Row>> costs;  ///< by event, then by row
    std::int64_t base = 0;                           ///< the profile that others are packed against
    std::string base_bytes;
    double base_ratio = 0;  ///< of its packed to its own size
};

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        if (end > 0) words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::int64_t microseconds_now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

StoreProblem problem_of(const DatabaseFailure& failure, const std::string& path) {
    const auto name = display_name(path);
    switch (failure.code & 0xff) {
        case SQLITE_BUSY:
            return {fmt::format("{}: another process has been writing for a minute", name),
                    "nothing was changed; run it again"};
        case SQLITE_FULL:
            return {fmt::format("{}: the disk is full", name), "nothing was changed"};
        case SQLITE_NOTADB:
            return {fmt::format("{} is not a history", name),
                    "--store names the file that 'callcost history add' writes"};
        case SQLITE_CORRUPT:
            return {fmt::format("{} is damaged: {}", name, failure.text),
                    "'sqlite3 FILE .recover' saves what can be read"};
        default:
            return {fmt::format("{}: {}", name, failure.text)};
    }
}

class SqliteStore final : public Store {
  public:
    SqliteStore(std::string path, Database database)
        : path_(std::move(path)), database_(std::move(database)) {}

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
        return guarded<std::string>([&] { return profile_of(entry); });
    }
    Stored<void> costs(const CostQuery& query, const OnFunction& on_function) override {
        return guarded<void>([&] { return visit_costs(query, on_function); });
    }
    Stored<void> remove(std::span<const EntryId> entries) override {
        return guarded<void>([&] { return remove_entries(entries); });
    }

  private:
    template <class Value, class Work>
    Stored<Value> guarded(Work work) {
        try {
            return work();
        } catch (const DatabaseFailure& failure) {
            current_.clear();
            return tl::unexpected(problem_of(failure, path_));
        }
    }

    // --- writing ----------------------------------------------------------------------------------------

    std::int64_t id_of(std::string_view table, std::string_view name) {
        auto found = database_.prepare(fmt::format("SELECT id FROM {} WHERE name = ?", table));
        if (found.bind(1, name).step()) return found.integer(0);
        auto insert = database_.prepare(fmt::format("INSERT INTO {}(name) VALUES (?)", table));
        insert.bind(1, name).run();
        return database_.last_id();
    }

    struct Found {
        EntryId id = 0;
        std::int64_t profile = 0;
    };
    std::optional<Found> find(std::int64_t series, const std::string& identity) {
        auto query = database_.prepare("SELECT id, profile FROM entries WHERE series = ? AND identity = ?");
        if (!query.bind(1, series).bind(2, identity).step()) return std::nullopt;
        return Found{query.integer(0), query.integer(1)};
    }

    Stored<Addition> add_entry(const NewEntry& entry, bool replaces) {
        const auto identity = identity_of(entry);
        auto pack = pack_for(entry);
        if (!pack) return tl::unexpected(pack.error());

        Transaction transaction(database_);
        const auto series = id_of("series", entry.facts.series);
        const auto old = find(series, identity);
        if (old) {
            const auto bytes = unpack(old->profile);
            if (!bytes) return tl::unexpected(bytes.error());
            if (*bytes == entry.profile) return Addition::present;
            if (!replaces) return Addition::differing;
            auto move_aside = database_.prepare("UPDATE entries SET identity = '' WHERE id = ?");
            move_aside.bind(1, old->id).run();
        }
        const auto profile = store_profile(series, entry, *pack);
        if (!profile) return tl::unexpected(profile.error());
        const auto id = insert_facts(series, identity, entry, *profile);
        insert_costs(series, id, entry);
        if (old) remove_rows({&old->id, 1});
        transaction.commit();
        if (old) current_.erase(series);
        return old ? Addition::replaced : Addition::added;
    }

    struct Pack {
        std::int64_t base = 0;  ///< 0: none
        std::string_view bytes;
    };

    /// Before others are kept from writing: it takes the longest.
    Stored<Pack> pack_for(const NewEntry& entry) {
        auto found = database_.prepare("SELECT id FROM series WHERE name = ?");
        if (found.bind(1, entry.facts.series).step()) {
            const auto series = found.integer(0);
            found.reset();
            auto& current = current_[series];
            if (current.base == 0) load_base(series, current);
            if (current.base != 0) {
                auto bytes = packer_.pack(entry.profile, current.base_bytes);
                if (!bytes) return tl::unexpected(bytes.error());
                // Where half would be saved by none, it is the one that the next ones are packed against.
                if (static_cast<double>(bytes->size()) <
                    0.5 * current.base_ratio * static_cast<double>(entry.profile.size()))
                    return Pack{current.base, *bytes};
            }
        }
        auto bytes = packer_.pack(entry.profile, {});
        if (!bytes) return tl::unexpected(bytes.error());
        return Pack{0, *bytes};
    }

    void load_base(std::int64_t series, Current& current) {
        auto query = database_.prepare(
            "SELECT coalesce(profiles.base, profiles.id) FROM entries JOIN profiles ON profiles.id = "
            "entries.profile WHERE series = ? ORDER BY entries.id DESC LIMIT 1");
        if (!query.bind(1, series).step()) return;
        const auto base = query.integer(0);
        query.reset();
        auto size = database_.prepare("SELECT length(data) FROM profiles WHERE id = ? AND base IS NULL");
        if (!size.bind(1, base).step()) return;
        auto bytes = unpack(base);
        if (!bytes) return;  // another base will do
        current.base = base;
        current.base_ratio = static_cast<double>(size.integer(0)) /
                             static_cast<double>(std::max<std::size_t>(bytes->size(), 1));
        current.base_bytes = *std::move(bytes);
    }

    Stored<std::int64_t> store_profile(std::int64_t series, const NewEntry& entry, Pack pack) {
        if (pack.base != 0) {
            auto query = database_.prepare("SELECT 1 FROM profiles WHERE id = ?");
            if (!query.bind(1, pack.base).step()) {  // pruned meanwhile
                auto bytes = packer_.pack(entry.profile, {});
                if (!bytes) return tl::unexpected(bytes.error());
                pack = {0, *bytes};
            }
        }
        auto insert = database_.prepare("INSERT INTO profiles(base, data) VALUES (?, ?)");
        pack.base == 0 ? insert.bind_null(1) : insert.bind(1, pack.base);
        insert.bind_blob(2, pack.bytes).run();
        const auto id = database_.last_id();
        if (pack.base == 0) {
            auto& current = current_[series];
            current.base = id;
            current.base_bytes = entry.profile;
            current.base_ratio = static_cast<double>(pack.bytes.size()) /
                                 static_cast<double>(std::max<std::size_t>(entry.profile.size(), 1));
        }
        return id;
    }

    EntryId insert_facts(std::int64_t series, const std::string& identity, const NewEntry& entry,
                         std::int64_t profile) {
        const auto& facts = entry.facts;
        const auto parents = joined(facts.parents);
        auto insert = database_.prepare(
            "INSERT INTO entries(series, identity, commit_id, parents, branch, time, machine, command, "
            "creator, added, profile_bytes, profile, modified) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
            "?)");
        insert.bind(1, series).bind(2, identity).bind(3, facts.commit).bind(4, parents);
        insert.bind(5, facts.branch).bind(6, facts.time).bind(7, facts.machine).bind(8, facts.command);
        insert.bind(9, facts.creator).bind(10, microseconds_now());
        insert.bind(11, static_cast<std::int64_t>(entry.profile.size())).bind(12, profile);
        insert.bind(13, facts.is_modified ? 1 : 0).run();
        const auto id = database_.last_id();
        auto tag = database_.prepare("INSERT INTO tags(entry, key, value) VALUES (?, ?, ?)");
        for (const auto& [key, value] : facts.tags) tag.bind(1, id).bind(2, key).bind(3, value).run();
        return id;
    }

    void insert_costs(std::int64_t series, EntryId id, const NewEntry& entry) {
        auto& current = current_[series];
        load_current(series, id, current);
        const auto rows = rows_of(entry.functions, current);
        auto total = database_.prepare("INSERT INTO totals(entry, event, total) VALUES (?, ?, ?)");
        auto close = database_.prepare(
            "UPDATE costs SET last = ? WHERE series = ? AND event = ? AND function = ? AND first = ?");
        auto insert = database_.prepare(
            "INSERT INTO costs(series, event, function, first, last, self, inclusive, calls) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        const auto end = [&](std::int64_t event, std::size_t row, Current::Row& known) {
            close.bind(1, id - 1).bind(2, series).bind(3, event).bind(4, current.ids[row]);
            close.bind(5, known.first).run();
            known.first = 0;
        };
        for (const EventCosts& costs : entry.costs) {
            const auto event = id_of("events", costs.event);
            total.bind(1, id).bind(2, event).bind(3, costs.total).run();
            auto& all = current.costs[event];
            all.resize(current.ids.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                auto& known = all[rows[i]];
                known.seen = id;
                const auto& cost = costs.functions[i];
                if (known.first != 0 && known.cost == cost) continue;
                if (known.first != 0) end(event, rows[i], known);
                insert.bind(1, series).bind(2, event).bind(3, current.ids[rows[i]]).bind(4, id);
                insert.bind(5, still).bind(6, cost.self).bind(7, cost.inclusive);
                insert.bind(8, static_cast<std::int64_t>(cost.calls)).run();
                known.first = id;
                known.cost = cost;
            }
        }
        for (auto& [event, all] : current.costs)
            for (std::size_t row = 0; row < all.size(); ++row)
                if (all[row].first != 0 && all[row].seen != id) end(event, row, all[row]);
    }

    /// Unless it is known: the entry before `id` may be of another process.
    void load_current(std::int64_t series, EntryId id, Current& current) {
        auto newest = database_.prepare("SELECT max(id) FROM entries WHERE series = ? AND id < ?");
        newest.bind(1, series).bind(2, id).step();
        const auto before = newest.integer(0);
        newest.reset();
        if (before != current.newest || before == 0) {
            current.rows.clear();
            current.ids.clear();
            current.costs.clear();
            std::unordered_map<std::int64_t, std::size_t> rows_by_id;
            auto names = database_.prepare(
                "SELECT id, name, file, object FROM functions WHERE id IN (SELECT function FROM costs WHERE "
                "series = ? AND last = 9223372036854775807)");
            names.bind(1, series);
            while (names.step()) {
                const auto row = current.ids.size();
                rows_by_id.emplace(names.integer(0), row);
                current.rows.emplace(StoredFunction{names.text(1), names.text(2), names.text(3)}, row);
                current.ids.push_back(names.integer(0));
            }
            auto costs = database_.prepare(
                "SELECT event, function, first, self, inclusive, calls FROM costs WHERE series = ? AND last "
                "= "
                "9223372036854775807");
            costs.bind(1, series);
            while (costs.step()) {
                auto& all = current.costs[costs.integer(0)];
                all.resize(current.ids.size());
                const auto row = rows_by_id.find(costs.integer(1));
                if (row == rows_by_id.end()) continue;
                all[row->second] = {
                    costs.integer(2),
                    {costs.integer(3), costs.integer(4), static_cast<std::uint64_t>(costs.integer(5))},
                    before};
            }
        }
        current.newest = id;
    }

    /// By function of the entry; new ones are stored.
    std::vector<std::size_t> rows_of(const std::vector<FunctionNames>& functions, Current& current) {
        std::vector<std::size_t> rows;
        rows.reserve(functions.size());
        auto find = database_.prepare("SELECT id FROM functions WHERE name = ? AND file = ? AND object = ?");
        auto insert = database_.prepare("INSERT INTO functions(name, file, object) VALUES (?, ?, ?)");
        for (const FunctionNames& function : functions) {
            if (const auto known = current.rows.find(function); known != current.rows.end()) {
                rows.push_back(known->second);
                continue;
            }
            rows.push_back(current.ids.size());
            current.rows.emplace(StoredFunction{std::string(function.name), std::string(function.file),
                                                std::string(function.object)},
                                 current.ids.size());
            find.bind(1, function.name).bind(2, function.file).bind(3, function.object);
            if (find.step()) {
                current.ids.push_back(find.integer(0));
                find.reset();
            } else {
                insert.bind(1, function.name).bind(2, function.file).bind(3, function.object).run();
                current.ids.push_back(database_.last_id());
            }
        }
        return rows;
    }

    Stored<void> remove_entries(std::span<const EntryId> entries) {
        Transaction transaction(database_);
        remove_rows(entries);
        transaction.commit();
        current_.clear();
        return {};
    }

    void remove_rows(std::span<const EntryId> entries) {
        for (const char* sql : {"DELETE FROM tags WHERE entry = ?", "DELETE FROM totals WHERE entry = ?",
                                "DELETE FROM entries WHERE id = ?"}) {
            auto statement = database_.prepare(sql);
            for (const EntryId entry : entries) statement.bind(1, entry).run();
        }
        database_.run(
            "DELETE FROM costs WHERE NOT EXISTS (SELECT 1 FROM entries WHERE entries.series = costs.series "
            "AND "
            "entries.id BETWEEN costs.first AND costs.last)");
        // First those that may have a base, then the bases of none.
        for (int round = 0; round < 2; ++round)
            database_.run(
                "DELETE FROM profiles WHERE NOT EXISTS (SELECT 1 FROM entries WHERE entries.profile = "
                "profiles.id) AND NOT EXISTS (SELECT 1 FROM profiles AS other WHERE other.base = "
                "profiles.id)");
        database_.run("DELETE FROM functions WHERE id NOT IN (SELECT function FROM costs)");
        database_.run("DELETE FROM series WHERE id NOT IN (SELECT series FROM entries)");
    }

    // --- reading ----------------------------------------------------------------------------------------

    std::vector<SeriesFacts> all_series() {
        std::vector<SeriesFacts> all;
        auto query = database_.prepare(
            "SELECT name, count(*), max(time) FROM series JOIN entries ON entries.series = series.id "
            "GROUP BY series.id ORDER BY name");
        while (query.step())
            all.push_back({query.text(0), static_cast<std::uint64_t>(query.integer(1)), query.integer(2)});
        return all;
    }

    std::vector<Entry> entries_of(const std::string& series) {
        std::vector<Entry> entries;
        std::unordered_map<EntryId, std::size_t> rows;
        auto query = database_.prepare(
            "SELECT entries.id, commit_id, parents, branch, time, machine, command, creator, added, "
            "profile_bytes, modified FROM entries JOIN series ON series.id = entries.series WHERE "
            "series.name = ?");
        query.bind(1, series);
        while (query.step()) {
            Entry entry;
            entry.id = query.integer(0);
            entry.facts = {.series = series,
                           .commit = query.text(1),
                           .parents = words_of(query.bytes(2)),
                           .branch = query.text(3),
                           .is_modified = query.integer(10) != 0,
                           .time = query.integer(4),
                           .machine = query.text(5),
                           .tags = {},
                           .command = query.text(6),
                           .creator = query.text(7)};
            entry.added = query.integer(8);
            entry.profile_bytes = static_cast<std::uint64_t>(query.integer(9));
            rows.emplace(entry.id, entries.size());
            entries.push_back(std::move(entry));
        }
        auto totals = database_.prepare(
            "SELECT entries.id, events.name, total FROM series JOIN entries ON entries.series = series.id "
            "JOIN totals ON totals.entry = entries.id JOIN events ON events.id = totals.event "
            "WHERE series.name = ?");
        totals.bind(1, series);
        while (totals.step())
            if (const auto row = rows.find(totals.integer(0)); row != rows.end())
                entries[row->second].totals.emplace(totals.text(1), totals.integer(2));
        auto tags = database_.prepare(
            "SELECT entries.id, key, value FROM series JOIN entries ON entries.series = series.id "
            "JOIN tags ON tags.entry = entries.id WHERE series.name = ?");
        tags.bind(1, series);
        while (tags.step())
            if (const auto row = rows.find(tags.integer(0)); row != rows.end())
                entries[row->second].facts.tags.emplace(tags.text(1), tags.text(2));
        sort_entries(entries);
        return entries;
    }

    Stored<std::string> profile_of(EntryId entry) {
        auto query = database_.prepare("SELECT profile FROM entries WHERE id = ?");
        if (!query.bind(1, entry).step())
            return tl::unexpected(StoreProblem{"the entry has been removed meanwhile"});
        const auto profile = query.integer(0);
        query.reset();
        return unpack(profile);
    }

    Stored<std::string> unpack(std::int64_t profile) {
        auto query = database_.prepare("SELECT base, data FROM profiles WHERE id = ?");
        if (!query.bind(1, profile).step())
            return tl::unexpected(StoreProblem{fmt::format("{}: a profile is missing", display_name(path_))});
        const auto base = query.integer(0);
        const auto data = query.text(1);
        query.reset();
        if (base == 0) return unpacked(data, {});
        auto base_query = database_.prepare("SELECT data FROM profiles WHERE id = ? AND base IS NULL");
        if (!base_query.bind(1, base).step())
            return tl::unexpected(StoreProblem{fmt::format("{}: a profile is missing", display_name(path_))});
        auto base_bytes = unpacked(base_query.bytes(0), {});
        if (!base_bytes) return base_bytes;
        return unpacked(data, *base_bytes);
    }

    Stored<void> visit_costs(const CostQuery& query, const OnFunction& on_function) {
        auto ids = database_.prepare(
            "SELECT series.id, events.id FROM series JOIN events WHERE series.name = ? AND events.name = ?");
        if (!ids.bind(1, query.series).bind(2, query.event).step()) return {};
        const auto series = ids.integer(0);
        const auto event = ids.integer(1);
        ids.reset();

        // By id, as the ranges of costs are; with the place in the query.
        std::vector<std::pair<EntryId, std::size_t>> entries;
        for (const EntryId entry : query.entries) entries.emplace_back(entry, entries.size());
        std::sort(entries.begin(), entries.end());
        auto costs = database_.prepare(
            "SELECT first, last, self, inclusive, calls FROM costs WHERE series = ? AND event = ? AND "
            "function = ?");
        auto names = database_.prepare("SELECT id, name, file, object FROM functions ORDER BY 2, 3, 4");
        std::vector<std::optional<FunctionCost>> values(entries.size());
        while (names.step()) {
            StoredFunction function{names.text(1), names.text(2), names.text(3)};
            if (query.where && !query.where(function)) continue;
            std::fill(values.begin(), values.end(), std::nullopt);
            bool any = false;
            costs.bind(1, series).bind(2, event).bind(3, names.integer(0));
            while (costs.step()) {
                const auto first = std::lower_bound(entries.begin(), entries.end(),
                                                    std::pair(costs.integer(0), std::size_t{0}));
                for (auto entry = first; entry != entries.end() && entry->first <= costs.integer(1);
                     ++entry) {
                    values[entry->second] = {costs.integer(2), costs.integer(3),
                                             static_cast<std::uint64_t>(costs.integer(4))};
                    any = true;
                }
            }
            if (any) on_function(function, values);
        }
        return {};
    }

    std::string path_;
    Database database_;
    std::map<std::int64_t, Current> current_;  // by series
    Packer packer_;
};

StoreProblem newer(const std::string& path) {
    return {fmt::format("{} was written by a newer callcost", display_name(path)), "use that one"};
}

/// Creates the tables in a new file.
std::optional<StoreProblem> set_up(const Database& database, const std::string& path, StoreUse use) {
    const auto version = database.number("PRAGMA user_version");
    if (version == schema_version && database.number("PRAGMA application_id") == application_id)
        return std::nullopt;
    if (version > schema_version && database.number("PRAGMA application_id") == application_id)
        return newer(path);
    if (database.number("SELECT count(*) FROM sqlite_master") != 0 || use == StoreUse::read)
        return StoreProblem{fmt::format("{} is not a history", display_name(path)),
                            "--store names the file that 'callcost history add' writes"};
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    database.run("PRAGMA journal_mode = WAL");
    Transaction transaction(database);
    if (database.number("PRAGMA user_version") == 0) {  // else another process was first
        database.run_script(sqlite_schema);
        database.run(fmt::format("PRAGMA application_id = {}", application_id));
        database.run(fmt::format("PRAGMA user_version = {}", schema_version));
    }
    transaction.commit();
    return std::nullopt;
}

}  // namespace

Stored<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, StoreUse use) {
    namespace fs = std::filesystem;
    std::error_code problem;
    const auto directory = fs::path(path).parent_path();
    if (use == StoreUse::write && !directory.empty()) fs::create_directories(directory, problem);
    if (problem)
        return tl::unexpected(
            StoreProblem{fmt::format("{}: {}", display_name(directory.string()), problem.message())});
    if (use == StoreUse::read && !fs::exists(path, problem))
        return tl::unexpected(StoreProblem{fmt::format("there is no history in {}", display_name(path)),
                                           "'callcost history add FILE' makes one; --store names another"});
    try {
        // Readers write, too: the index of the log that writers keep. Where they may not, they only read.
        auto database = [&] {
            if (use == StoreUse::write) return Database(path, Database::Access::create);
            try {
                return Database(path, Database::Access::write);
            } catch (const DatabaseFailure&) {
                return Database(path, Database::Access::read);
            }
        }();
        database.run("PRAGMA synchronous = FULL");
        if (auto refusal = set_up(database, path, use)) return tl::unexpected(*std::move(refusal));
        return std::make_unique<SqliteStore>(path, std::move(database));
    } catch (const DatabaseFailure& failure) {
        return tl::unexpected(problem_of(failure, path));
    }
}

}  // namespace callcost::program
