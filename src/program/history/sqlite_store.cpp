#include "history/sqlite_store.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "disk/synced.hpp"
#include "history/cost_rows.hpp"
#include "history/database.hpp"
#include "history/profile_rows.hpp"
#include "history/schema.hpp"
#include "history/store_files.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

using engine::display_name;

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
        case SQLITE_READONLY: {
            const auto reason = why_not_opened(path, true);
            return {fmt::format("{}: {}", name, reason.empty() ? failure.text : reason)};
        }
        case SQLITE_INTERRUPT:
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
        : path_(std::move(path)), database_(std::move(database)), costs_(database_), profiles_(database_) {}

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
        return guarded<void>([&] {
            costs_.visit(query, on_function);
            return Stored<void>();
        });
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
            forget();
            return tl::unexpected(problem_of(failure, path_));
        }
    }

    // --- writing ----------------------------------------------------------------------------------------

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
        forget_if_changed();
        const auto identity = identity_of(entry);
        auto known = database_.prepare("SELECT id FROM series WHERE name = ?");
        const auto pack =
            profiles_.pack(known.bind(1, entry.facts.series).step() ? known.integer(0) : 0, entry.profile);
        known.reset();
        if (!pack) return tl::unexpected(pack.error());

        Transaction transaction(database_);
        forget_if_changed();
        const auto series = database_.id_of("series", entry.facts.series);
        const auto old = find(series, identity);
        if (old) {
            const auto bytes = profiles_.read(old->profile);
            if (!bytes) return tl::unexpected(bytes.error());
            if (*bytes == entry.profile) return Addition::present;
            if (!replaces) return Addition::differing;
            auto move_aside = database_.prepare("UPDATE entries SET identity = '' WHERE id = ?");
            move_aside.bind(1, old->id).run();
        }
        const auto profile = profiles_.add(series, entry.profile, *pack);
        if (!profile) return tl::unexpected(profile.error());
        const auto id = insert_facts(series, identity, entry, *profile);
        costs_.add(series, id, entry);
        if (old) remove_rows({&old->id, 1});
        transaction.commit();
        if (old) forget();
        return old ? Addition::replaced : Addition::added;
    }

    void forget() {
        costs_.forget();
        profiles_.forget();
    }
    /// By another process.
    void forget_if_changed() {
        const auto version = database_.number("PRAGMA data_version");
        if (std::exchange(version_, version) != version) forget();
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

    Stored<void> remove_entries(std::span<const EntryId> entries) {
        Transaction transaction(database_);
        remove_rows(entries);
        transaction.commit();
        forget();
        database_.run("PRAGMA incremental_vacuum");  // gives back what they took
        return {};
    }

    void remove_rows(std::span<const EntryId> entries) {
        for (const char* sql : {"DELETE FROM tags WHERE entry = ?", "DELETE FROM totals WHERE entry = ?",
                                "DELETE FROM entries WHERE id = ?"}) {
            auto statement = database_.prepare(sql);
            for (const EntryId entry : entries) statement.bind(1, entry).run();
        }
        database_.run(
            "DELETE FROM costs WHERE NOT EXISTS (SELECT 1 FROM entries "
            "WHERE entries.series = costs.series AND entries.id BETWEEN costs.first AND costs.last)");
        // First those that may have a base, then the bases of none.
        for (int round = 0; round < 2; ++round)
            database_.run(
                "DELETE FROM profiles WHERE "
                "NOT EXISTS (SELECT 1 FROM entries WHERE entries.profile = profiles.id) AND "
                "NOT EXISTS (SELECT 1 FROM profiles AS other WHERE other.base = profiles.id)");
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
            "WHERE series.name = ? ORDER BY totals.event");  // as the store first had them
        totals.bind(1, series);
        while (totals.step()) {
            const auto row = rows.find(totals.integer(0));
            if (row == rows.end()) continue;
            auto& entry = entries[row->second];
            entry.events.push_back(totals.text(1));
            entry.totals.emplace(entry.events.back(), totals.integer(2));
        }
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
        return profiles_.read(query.integer(0));
    }

    std::string path_;
    Database database_;
    CostRows costs_;
    ProfileRows profiles_;
    std::int64_t version_ = 0;  // of the data, as this connection counts
};

/// What of a history there is in the file.
enum class Content : std::uint8_t { nothing, history, newer_history, altered_history, something_else };

/// All tables, indexes, views and triggers.
std::string schema_of(const Database& database) {
    // Those of ANALYZE may be there.
    auto query = database.prepare(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type <> 'table' OR sql NOT IN "
        "('CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE "
        "sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')"
        " ORDER BY type, name");
    std::string schema;
    while (query.step())
        for (int column = 0; column < 4; ++column) schema.append(query.bytes(column)).push_back('\0');
    return schema;
}

/// To the letter as we make it: what has been a table may be a view that never ends.
bool is_schema_ours(const Database& database) {
    static const std::string ours = [] {
        const Database empty(":memory:", Database::Access::create);
        empty.run_script(sqlite_schema);
        return schema_of(empty);
    }();
    return schema_of(database) == ours;
}

/// In one look, as another process may be creating it.
Content content_of(const Database& database) {
    auto query = database.prepare(
        "SELECT (SELECT application_id FROM pragma_application_id), "
        "(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)");
    query.step();
    const bool is_ours = query.integer(0) == application_id;
    const auto version = query.integer(1);
    if (is_ours && version == schema_version)
        return is_schema_ours(database) ? Content::history : Content::altered_history;
    if (is_ours && version > schema_version) return Content::newer_history;
    return query.integer(2) == 0 ? Content::nothing : Content::something_else;
}

std::optional<StoreProblem> refusal_of(Content content, const std::string& path) {
    if (content == Content::newer_history) return newer_history(display_name(path));
    if (content == Content::altered_history)
        return StoreProblem{
            fmt::format("{} is not as callcost makes it: it has other tables, indexes or views",
                        display_name(path)),
            "remove those that you have added; do not use what somebody else has altered"};
    if (content == Content::something_else)
        return StoreProblem{fmt::format("{} is not a history", display_name(path)),
                            "--store names the file that 'callcost history add' writes"};
    return std::nullopt;
}

/// So that nobody waits for readers. Once is enough; while others use the file it may not be possible, and
/// the next writer does it.
void keep_log(const Database& database) {
    try {
        database.run("PRAGMA journal_mode = WAL");
    } catch (const DatabaseFailure& failure) {
        if ((failure.code & 0xff) != SQLITE_BUSY) throw;
    }
}

/// Creates the tables, unless another process has done so since the file was looked at.
std::optional<StoreProblem> create_tables(const Database& database, const std::string& path) {
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    Transaction transaction(database);
    const auto content = content_of(database);
    if (content != Content::nothing) return refusal_of(content, path);
    database.run_script(sqlite_schema);
    database.run(fmt::format("PRAGMA application_id = {}", application_id));
    database.run(fmt::format("PRAGMA user_version = {}", schema_version));
    transaction.commit();
    return std::nullopt;
}

}  // namespace

Stored<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, StoreUse use) {
    namespace fs = std::filesystem;
    std::error_code problem;
    const auto directory = fs::path(path).parent_path();
    if (use == StoreUse::write && !directory.empty()) problem = make_directories(directory.string());
    if (problem)
        return tl::unexpected(
            StoreProblem{fmt::format("{}: {}", display_name(directory.string()), problem.message())});
    if (use == StoreUse::read && !fs::exists(path, problem))
        return tl::unexpected(problem
                                  ? StoreProblem{fmt::format("{}: {}", display_name(path), problem.message())}
                                  : no_history(display_name(path)));
    if (const auto reason = why_not_opened(path, use == StoreUse::write); !reason.empty())
        return tl::unexpected(StoreProblem{fmt::format("{}: {}", display_name(path), reason)});
    const auto open = [&](Database::Access access) -> Stored<std::unique_ptr<Store>> {
        Database database(path, access);
        const auto content = content_of(database);
        if (content == Content::nothing && use == StoreUse::read)
            return tl::unexpected(no_history(display_name(path)));
        auto refusal =
            content == Content::nothing ? create_tables(database, path) : refusal_of(content, path);
        if (refusal) return tl::unexpected(*std::move(refusal));
        database.run("PRAGMA synchronous = FULL");
        if (use == StoreUse::write) keep_log(database);
        return std::make_unique<SqliteStore>(path, std::move(database));
    };
    try {
        if (use == StoreUse::write) return open(Database::Access::create);
        try {
            return open(Database::Access::write);  // of the log's index, which readers keep, too
        } catch (const DatabaseFailure& failure) {
            const int kind = failure.code & 0xff;
            if (kind != SQLITE_READONLY && kind != SQLITE_CANTOPEN) throw;
            const auto size = fs::file_size(path + "-wal", problem);
            if (problem || size == 0) return open(Database::Access::unchanging);
            return tl::unexpected(StoreProblem{
                fmt::format("{}: its log, the file -wal, cannot be read where nothing can be written",
                            display_name(path)),
                "copy both to a directory of your own"});
        }
    } catch (const DatabaseFailure& failure) {
        return tl::unexpected(problem_of(failure, path));
    }
}

}  // namespace callcost::program
