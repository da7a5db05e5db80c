/// The profiles of tests/profiles, and what their MANIFEST.tsv says of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "unit/library/parser/sanitized.hpp"

namespace callcost::test {

/// The bytes of a file below tests/profiles.
inline std::string profile_bytes(const std::string& path) {
    std::ifstream file(std::filesystem::path(CALLCOST_TEST_PROFILES) / path, std::ios::binary);
    if (!file) throw std::runtime_error("no profile " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A row of a MANIFEST.tsv by column names.
using ManifestRow = std::map<std::string, std::string>;

inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, '\t');) cells.push_back(cell);
    return cells;
}

/// The rows about files that hold plain text: not the compressed ones, not the empty ones, not those to be
/// generated. Under sanitizers, not the largest: the others take the same ways through the code, and the
/// tests `corpus` and `golden` read those, too. "path" is made relative to tests/profiles.
inline std::vector<ManifestRow> manifest_rows(const std::string& folder = "") {
    std::istringstream manifest(profile_bytes(folder + "MANIFEST.tsv"));
    std::string line;
    std::getline(manifest, line);
    const std::vector<std::string> columns = cells_of(line);
    std::vector<ManifestRow> rows;
    while (std::getline(manifest, line)) {
        const std::vector<std::string> cells = cells_of(line);
        ManifestRow row;
        for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = i < cells.size() ? cells[i] : "";
        row["path"] = folder + row["path"];
        const std::filesystem::path path = std::filesystem::path(CALLCOST_TEST_PROFILES) / row["path"];
        if (path.extension() == ".gz" || !std::filesystem::exists(path) ||
            std::filesystem::file_size(path) == 0 ||
            (is_sanitized && std::filesystem::file_size(path) > 130'000))
            continue;
        rows.push_back(row);
    }
    if (rows.empty()) throw std::runtime_error("no profiles in " + folder + "MANIFEST.tsv");
    return rows;
}

/// The paths of all real profiles.
inline std::vector<std::string> real_profiles() {
    std::vector<std::string> paths;
    for (const ManifestRow& row : manifest_rows()) paths.push_back(row.at("path"));
    return paths;
}

/// The same and the damaged ones.
inline std::vector<std::string> all_profiles() {
    std::vector<std::string> paths = real_profiles();
    for (const ManifestRow& row : manifest_rows("hostile/")) paths.push_back(row.at("path"));
    return paths;
}

}  // namespace callcost::test
