#include "history/profile_rows.hpp"

#include <algorithm>
#include <utility>

namespace callcost::program {

Stored<ProfileRows::Pack> ProfileRows::pack(std::int64_t series, std::string_view profile) {
    if (series != 0) {
        const auto known = bases_.find(series);
        const Base& base =
            known != bases_.end() ? known->second : bases_.emplace(series, load(series)).first->second;
        if (base.row != 0) {
            const auto bytes = packer_.pack(profile, base.bytes);
            if (!bytes) return tl::unexpected(bytes.error());
            // Beyond three tenths of what it would be by itself it becomes the base of the next ones: they
            // take less time, and not more room.
            if (static_cast<double>(bytes->size()) < 0.3 * base.ratio * static_cast<double>(profile.size()))
                return Pack{base.row, *bytes};
        }
    }
    const auto bytes = packer_.pack(profile, {});
    if (!bytes) return tl::unexpected(bytes.error());
    return Pack{0, *bytes};
}

Stored<std::int64_t> ProfileRows::add(std::int64_t series, std::string_view profile, Pack pack) {
    if (pack.base != 0) {
        auto query = database_.prepare("SELECT 1 FROM profiles WHERE id = ?");
        if (!query.bind(1, pack.base).step()) {  // removed meanwhile
            const auto bytes = packer_.pack(profile, {});
            if (!bytes) return tl::unexpected(bytes.error());
            pack = {0, *bytes};
        }
    }
    auto insert = database_.prepare("INSERT INTO profiles(base, data) VALUES (?, ?)");
    pack.base == 0 ? insert.bind_null(1) : insert.bind(1, pack.base);
    insert.bind_blob(2, pack.bytes).run();
    const auto row = database_.last_id();
    if (pack.base == 0)
        bases_.insert_or_assign(series, base_of(row, std::string(profile), pack.bytes.size()));
    return row;
}

Stored<std::string> ProfileRows::read(std::int64_t row) const {
    auto query = database_.prepare("SELECT base, data FROM profiles WHERE id = ?");
    if (!query.bind(1, row).step()) return tl::unexpected(StoreProblem{"a stored profile is missing"});
    const auto base = query.integer(0);
    if (base == 0) return unpacked(query.bytes(1), {});
    auto base_query = database_.prepare("SELECT data FROM profiles WHERE id = ? AND base IS NULL");
    if (!base_query.bind(1, base).step()) return tl::unexpected(StoreProblem{"a stored profile is missing"});
    auto base_bytes = unpacked(base_query.bytes(0), {});
    if (!base_bytes) return base_bytes;
    return unpacked(query.bytes(1), *base_bytes);
}

ProfileRows::Base ProfileRows::base_of(std::int64_t row, std::string bytes, std::size_t packed) {
    const auto size = std::max<std::size_t>(bytes.size(), 1);
    return {row, std::move(bytes), static_cast<double>(packed) / static_cast<double>(size)};
}

ProfileRows::Base ProfileRows::load(std::int64_t series) const {
    auto query = database_.prepare(
        "SELECT base.id, length(base.data) FROM entries JOIN profiles ON profiles.id = entries.profile "
        "JOIN profiles AS base ON base.id = coalesce(profiles.base, profiles.id) "
        "WHERE series = ? ORDER BY entries.id DESC LIMIT 1");
    if (!query.bind(1, series).step()) return {};
    const auto row = query.integer(0);
    auto bytes = read(row);
    if (!bytes) return {};  // damaged; the next profile is packed by itself
    return base_of(row, *std::move(bytes), static_cast<std::size_t>(query.integer(1)));
}

}  // namespace callcost::program
