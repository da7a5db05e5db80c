/// Maps of inlined code: of tests/inlining, and by chance.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "callcost/inlining.hpp"
#include "unit/library/merge/random_profile.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {

inline std::string inlining_bytes(const std::string& name) {
    std::ifstream file(std::string(CALLCOST_TEST_PROFILES) + "/../inlining/" + name, std::ios::binary);
    if (!file) throw std::runtime_error("no file " + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// From lines "object NAME", "file NAME", "function NAME FILE LINE", "site PARENT FUNCTION FILE LINE ENTRY",
/// "run ADDRESS SITE", with tabs; -1 is none; addresses are hexadecimal.
inline InlineMap inline_map(const std::string& text) {
    InlineMap map;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream rest(line);
        for (std::string cell; std::getline(rest, cell, '\t');) cells.push_back(cell);
        const auto row = [&](std::size_t i) {
            return cells.at(i) == "-1" ? InlineSite::none : static_cast<std::uint32_t>(std::stoul(cells[i]));
        };
        const auto address = [&](std::size_t i) { return std::stoull(cells.at(i), nullptr, 16); };
        if (cells[0] == "object") map.object = cells.at(1);
        if (cells[0] == "file") map.files.push_back(cells.at(1));
        if (cells[0] == "function")
            map.functions.push_back({cells.at(1), cells.at(2), std::stoull(cells.at(3))});
        if (cells[0] == "site")
            map.sites.push_back({row(1), row(2), row(3), std::stoull(cells.at(4)), address(5)});
        if (cells[0] == "run") map.runs.push_back({address(1), row(2)});
    }
    return map;
}

inline Profile expanded(const Profile& profile, const std::vector<InlineMap>& maps) {
    Result<Profile> result = expand_inlined(profile, maps);
    if (!result) throw std::runtime_error("not expanded: " + result.error().detail);
    return *std::move(result);
}

/// What of the addresses of a profile is inlined, by chance: some chains of a few functions, for every
/// object.
inline std::vector<InlineMap> random_maps(const Profile& profile, std::mt19937_64& random) {
    std::map<std::string, std::set<std::uint64_t>> addresses;
    for (const FunctionId function : all_functions(profile)) {
        RecordCursor cursor = profile.records(function);
        for (Record record; cursor.next(record);)
            addresses[std::string(profile.name(profile.object(function)))].insert(record.address);
    }
    std::vector<InlineMap> maps;
    for (const auto& [object, all] : addresses) {
        InlineMap map;
        map.object = object;
        map.files = {"x", "other.h"};
        map.functions = {{"g", "g.h", 1}, {"a", "x", 2}, {"h", "", 0}};
        for (std::uint32_t i = 0; i < 12; ++i) {
            InlineSite site;
            if (i != 0 && below(random, 3) != 0) site.parent = static_cast<std::uint32_t>(below(random, i));
            site.function = static_cast<std::uint32_t>(below(random, 3));
            if (below(random, 3) != 0) site.file = static_cast<std::uint32_t>(below(random, 2));
            site.line = below(random, 9);
            site.entry = *std::next(all.begin(), static_cast<std::ptrdiff_t>(below(random, all.size())));
            map.sites.push_back(site);
        }
        for (const std::uint64_t address : all)
            if (below(random, 2) == 0)
                map.runs.push_back({address, below(random, 3) == 0
                                                 ? InlineSite::none
                                                 : static_cast<std::uint32_t>(below(random, 12))});
        maps.push_back(std::move(map));
    }
    return maps;
}

}  // namespace callcost::test
