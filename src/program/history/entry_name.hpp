/// `history:SERIES@WHERE`: entries as names of input files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "history/store.hpp"
#include <callcost/source.hpp>

namespace callcost::program {

/// What entries of a series are chosen by.
struct EntryChoice {
    std::optional<EntryId> id;
    std::string commit;        ///< or its beginning
    bool is_modified = false;  ///< the commit with changes: `@1a2b3c+`
    std::optional<std::string> branch;
    std::map<std::string, std::string> tags;
    std::optional<std::size_t> from_newest;  ///< 1: the newest of them, 2: the one before
};

struct EntryName {
    std::string series;
    EntryChoice choice;
};

[[nodiscard]] bool is_entry_name(std::string_view text);

/// Of a text that is one. `history:SERIES` is the newest entry; behind it stand any of `@COMMIT`,
/// `@branch:NAME`,
/// `@tag:KEY=VALUE`, `@id:NUMBER` and `@-N`.
[[nodiscard]] Stored<EntryName> parse_entry_name(std::string_view text);

/// What `@` and commits are in the name of an entry may not be in the name of a series.
[[nodiscard]] bool is_series_name(std::string_view text);

/// Those chosen, in their order.
[[nodiscard]] std::vector<Entry> chosen_entries(std::vector<Entry> entries, const EntryChoice& choice);

/// Of the series, in its order, those that the name chooses: all, if it is that of the series; at least one.
[[nodiscard]] Stored<std::vector<Entry>> find_entries(Store& store, const EntryName& name);

/// The name of this very entry, which is found without a look at the others: `history:parse@1a2b3c@id:12`.
[[nodiscard]] std::string exact_name(const Entry& entry);

/// The one that is meant: the newest of those.
[[nodiscard]] Stored<Entry> find_entry(Store& store, const EntryName& name);

/// Its profile. The name of the Source is its exact name.
[[nodiscard]] Result<Source> open_entry(const std::string& name, const std::string& store);

}  // namespace callcost::program
