#include "history/store.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "clickhouse/server_address.hpp"
#include "history/clickhouse_store.hpp"
#include "history/sqlite_store.hpp"
#include "terminal/terminal.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view sqlite_scheme = "sqlite:";

/// At the top of the repository, else in the working directory.
std::string default_path() {
    const fs::path inside = fs::path(".callcost") / "history.db";
    std::error_code problem;
    const auto here = fs::current_path(problem);
    for (auto directory = here; !problem; directory = directory.parent_path()) {
        std::error_code ignored;
        if (fs::exists(directory / ".git", ignored))
            return directory == here ? inside.string() : (directory / inside).string();
        if (directory == directory.parent_path()) break;
    }
    return inside.string();
}

std::string address_or_usual(const std::string& address) {
    if (!address.empty()) return address;
    const auto given = environment("CALLCOST_STORE");
    return given && !given->empty() ? *given : default_path();
}

/// Entries of the same second: a commit moves behind those of its parents that are among them.
void put_behind_parents(std::span<Entry> entries) {
    std::unordered_set<std::string> waiting;
    for (const Entry& entry : entries) waiting.insert(entry.facts.commit);
    for (std::size_t done = 0; done < entries.size(); ++done) {
        const auto is_ready = [&](const Entry& entry) {
            return std::none_of(entry.facts.parents.begin(), entry.facts.parents.end(),
                                [&](const auto& parent) { return waiting.contains(parent); });
        };
        const auto rest = entries.subspan(done);
        const auto next = std::find_if(rest.begin(), rest.end(), is_ready);
        if (next == rest.end()) return;  // parents in a circle: as they were added
        std::rotate(rest.begin(), next, next + 1);
        const auto& commit = entries[done].facts.commit;
        const bool has_more = std::any_of(rest.begin() + 1, rest.end(),
                                          [&](const Entry& entry) { return entry.facts.commit == commit; });
        if (!has_more) waiting.erase(commit);
    }
}

/// Like FNV-1a, but by words, the first byte lowest on every machine. What has the same hash is compared.
std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&hash](const char* text) {
        std::uint64_t word = 0;
        std::memcpy(&word, text, sizeof word);
        if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
        hash = std::rotr((hash ^ word) * 0x100000001b3, 29);
    };
    for (; bytes.size() >= sizeof hash; bytes.remove_prefix(sizeof hash)) add(bytes.data());
    std::array<char, sizeof hash> rest{};
    std::copy(bytes.begin(), bytes.end(), rest.begin());
    add(rest.data());
    return hash;
}

}  // namespace

Stored<std::unique_ptr<Store>> open_store(const std::string& address, StoreUse use) {
    const auto given = address_or_usual(address);
    if (is_server_address(given)) return open_clickhouse_store(given, use);
    std::string_view path = given;
    if (path.starts_with(sqlite_scheme)) {
        path.remove_prefix(sqlite_scheme.size());
    } else if (path.find("://") != std::string_view::npos) {
        return tl::unexpected(StoreProblem{fmt::format("{} is no kind of store", store_name(given)),
                                           "a path, sqlite:PATH or clickhouse://USER@HOST:PORT/DATABASE"});
    }
    return open_sqlite_store(std::string(path), use);
}

std::string store_name(const std::string& address) {
    auto name = address_or_usual(address);
    const auto authority = name.find("://");
    if (authority == std::string::npos) {
        // Almost an address may have a password, too.
        const auto kind = name.substr(0, name.find(':'));
        const bool is_path = kind == name || kind == "sqlite" || kind.find('/') != std::string::npos;
        return is_path || name.find('@') == std::string::npos ? engine::display_name(name)
                                                              : engine::display_name(kind) + ":\u2026";
    }
    // What is before an @ behind the first colon, and behind a ? or #, wherever they stand.
    name = name.substr(0, name.find_first_of("?#"));
    const auto at = name.rfind('@');
    const auto colon = name.find_first_of(":%", authority + 3);
    if (at != std::string::npos && colon < at) {
        name.erase(colon, at - colon);
    } else if (at == std::string::npos && colon != std::string::npos) {
        const auto port = name.substr(colon + 1, name.find('/', colon) - colon - 1);
        const bool is_port =
            name[colon] == ':' && port.find_first_not_of("0123456789]:") == std::string::npos;
        if (!is_port) name.resize(colon);
    }
    return engine::display_name(name);
}

void say(const Console& console, const StoreProblem& problem) {
    console.say(Severity::error, problem.text, problem.advice);
}

StoreProblem no_history(const std::string& name) {
    return {fmt::format("there is no history in {}", name),
            "'callcost history add FILE' makes one; --store names another"};
}

StoreProblem newer_history(const std::string& name) {
    return {fmt::format("{} was written by a newer callcost", name), "use that one"};
}

std::int64_t microseconds_now() {
    namespace chrono = std::chrono;
    return chrono::duration_cast<chrono::microseconds>(chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string identity_of(const NewEntry& entry) {
    const auto& facts = entry.facts;
    auto text = facts.commit;
    if (facts.commit.empty() || facts.is_modified) {
        text += fmt::format("@{} {:016x}", facts.time, hash_of(entry.profile));
    }
    text += '\n' + facts.machine;
    for (const auto& [key, value] : facts.tags) text += fmt::format("\n{}={}", key, value);
    return text;
}

void sort_entries(std::vector<Entry>& entries) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.facts.time, a.added, a.id) < std::tie(b.facts.time, b.added, b.id);
    });
    for (auto first = entries.begin(); first != entries.end();) {
        const auto last = std::find_if(
            first, entries.end(), [&](const Entry& entry) { return entry.facts.time != first->facts.time; });
        constexpr std::ptrdiff_t most = 1'000;  // of one second; the search takes the square
        if (last - first > 1 && last - first <= most)
            put_behind_parents({&*first, static_cast<std::size_t>(last - first)});
        first = last;
    }
}

}  // namespace callcost::program
