/// The tables of the store in ClickHouse; docs/history.md explains them. They are public: people ask them in
/// SQL, which old servers understand as new ones do.
#pragma once

#include <cstdint>

namespace callcost::program {

inline constexpr std::uint32_t clickhouse_schema_version = 1;

/// An id is its time in milliseconds from then on, and so many random bits.
inline constexpr std::int64_t id_epoch = 1'577'836'800'000;  // 2020
inline constexpr unsigned id_random_bits = 22;

/// `{}`: the database. A name's id is its sipHash64; a part of a table is that of 30 days of ids. What is
/// there is told by `entries` alone, whose rows are never changed: of those with one series and identity the
/// highest generation counts, and of that the row that was added first.
inline constexpr const char* clickhouse_schema[] = {
    R"(CREATE TABLE IF NOT EXISTS {}.entries(
    series_id UInt64, identity UInt64, generation UInt32, removed UInt8, added Int64, id UInt64,
    series String, commit_id String, modified UInt8, parents Array(String), branch String, time Int64,
    machine String, command String, creator String, profile_bytes UInt64,
    tags Nested(key String, value String), totals Nested(event String, total Int64))
    ENGINE = MergeTree() PARTITION BY tuple() ORDER BY (series_id, identity, id))",
    R"(CREATE TABLE IF NOT EXISTS {}.functions(
    series_id UInt64, id UInt64, name String, file String, object String)
    ENGINE = MergeTree() PARTITION BY tuple() ORDER BY (series_id, id))",
    R"(CREATE TABLE IF NOT EXISTS {}.costs(
    series_id UInt64, event_id UInt64, function_id UInt64, entry UInt64,
    self Int64, inclusive Int64, calls UInt64)
    ENGINE = MergeTree() PARTITION BY intDiv(entry, 10871635968000000)
    ORDER BY (series_id, event_id, function_id, entry) SETTINGS index_granularity = 1024)",
    // A profile is read alone; as they are large, not too many become one file.
    R"(CREATE TABLE IF NOT EXISTS {}.profiles(id UInt64, data String)
    ENGINE = MergeTree() PARTITION BY intDiv(id, 10871635968000000) ORDER BY id
    SETTINGS index_granularity = 1, max_bytes_to_merge_at_max_space_in_pool = 268435456)",
    R"(CREATE VIEW IF NOT EXISTS {0}.live_entries AS
    SELECT id, series_id, series, commit_id, modified, parents, branch, time, machine, command, creator, added,
           profile_bytes, tags.key, tags.value, totals.event, totals.total
    FROM {0}.entries
    WHERE removed = 0 AND id IN (SELECT argMax(id, (generation, -added, -toInt64(id))) FROM {0}.entries
                                 GROUP BY series_id, identity)
    LIMIT 1 BY id)",
    R"(CREATE VIEW IF NOT EXISTS {0}.entry_totals AS
    SELECT series, id AS entry, commit_id, branch, time, machine, totals.event AS event, totals.total AS total
    FROM {0}.live_entries ARRAY JOIN totals.event, totals.total)",
    R"(CREATE TABLE IF NOT EXISTS {}.callcost_schema(version UInt32)
    ENGINE = MergeTree() PARTITION BY tuple() ORDER BY version)",
};

}  // namespace callcost::program
