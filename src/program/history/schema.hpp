/// The tables of the store in one file; docs/history.md explains them. They are public: people ask them in
/// SQL.
#pragma once

#include <cstdint>

namespace callcost::program {

inline constexpr std::int64_t schema_version = 1;
inline constexpr std::int64_t application_id = 0x63634869;  // "ccHi", for file(1)

/// Ids of entries and profiles are never used again. Costs are stored where they change: a row holds for all
/// entries of the series from `first` to `last`.
inline constexpr const char* sqlite_schema = R"(
CREATE TABLE series(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE);
CREATE TABLE events(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE);
CREATE TABLE functions(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    object TEXT NOT NULL,
    UNIQUE(name, file, object));
CREATE TABLE profiles(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    base INTEGER REFERENCES profiles(id),
    data BLOB NOT NULL);
CREATE INDEX profiles_by_base ON profiles(base) WHERE base IS NOT NULL;
CREATE TABLE entries(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    series INTEGER NOT NULL REFERENCES series(id),
    identity TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    modified INTEGER NOT NULL,
    parents TEXT NOT NULL,
    branch TEXT NOT NULL,
    time INTEGER NOT NULL,
    machine TEXT NOT NULL,
    command TEXT NOT NULL,
    creator TEXT NOT NULL,
    added INTEGER NOT NULL,
    profile_bytes INTEGER NOT NULL,
    profile INTEGER NOT NULL REFERENCES profiles(id),
    UNIQUE(series, identity));
CREATE INDEX entries_by_profile ON entries(profile);
CREATE TABLE tags(
    entry INTEGER NOT NULL REFERENCES entries(id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY(entry, key)) WITHOUT ROWID;
CREATE TABLE totals(
    entry INTEGER NOT NULL REFERENCES entries(id),
    event INTEGER NOT NULL REFERENCES events(id),
    total INTEGER NOT NULL,
    PRIMARY KEY(entry, event)) WITHOUT ROWID;
CREATE TABLE costs(
    series INTEGER NOT NULL REFERENCES series(id),
    event INTEGER NOT NULL REFERENCES events(id),
    function INTEGER NOT NULL REFERENCES functions(id),
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    self INTEGER NOT NULL,
    inclusive INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY(series, event, function, first)) WITHOUT ROWID;
CREATE INDEX current_costs ON costs(series, event, function, first, self, inclusive, calls)
    WHERE last = 9223372036854775807;
CREATE VIEW function_costs AS
    SELECT series.name AS series, entries.id AS entry, entries.commit_id, entries.branch, entries.time,
           entries.machine, events.name AS event, functions.name AS function, functions.file,
           functions.object, costs.self, costs.inclusive, costs.calls
    FROM functions
    JOIN series
    JOIN events
    JOIN costs ON costs.series = series.id AND costs.event = events.id AND costs.function = functions.id
    JOIN entries ON entries.series = series.id AND entries.id BETWEEN costs.first AND costs.last;
CREATE VIEW entry_totals AS
    SELECT series.name AS series, entries.id AS entry, entries.commit_id, entries.branch, entries.time,
           entries.machine, events.name AS event, totals.total
    FROM series
    JOIN entries ON entries.series = series.id
    JOIN totals ON totals.entry = entries.id
    JOIN events ON events.id = totals.event;
)";

/// Of a cost that no later entry has changed.
inline constexpr std::int64_t still = 9223372036854775807;

}  // namespace callcost::program
