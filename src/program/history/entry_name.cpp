#include "history/entry_name.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "text/names.hpp"
#include "text/shell.hpp"
#include "text/suggest.hpp"

namespace callcost::program {
namespace {

constexpr std::string_view scheme = "history:";
constexpr std::string_view grammar =
    "history:SERIES, then any of @COMMIT, @branch:NAME, @tag:KEY=VALUE, @-1 (the newest), @-2";

bool take(std::string_view& text, std::string_view beginning) {
    if (!text.starts_with(beginning)) return false;
    text.remove_prefix(beginning.size());
    return true;
}

/// False if it is no choice.
bool add_choice(std::string_view text, EntryChoice& choice) {
    if (take(text, "id:")) {
        EntryId id = 0;
        const auto* end = text.data() + text.size();
        const auto [last, problem] = std::from_chars(text.data(), end, id);
        choice.id = id;
        return problem == std::errc() && last == end;
    }
    if (take(text, "branch:")) {
        choice.branch = text;
    } else if (take(text, "tag:")) {
        const auto equals = text.find('=');
        if (equals == std::string_view::npos) return false;
        choice.tags.insert_or_assign(std::string(text.substr(0, equals)),
                                     std::string(text.substr(equals + 1)));
    } else if (take(text, "-")) {
        const auto* end = text.data() + text.size();
        std::size_t number = 0;
        const auto [last, problem] = std::from_chars(text.data(), end, number);
        choice.from_newest = number;
        return problem == std::errc() && last == end && number > 0;
    } else {
        choice.is_modified = text.ends_with('+');
        if (choice.is_modified) text.remove_suffix(1);
        choice.commit = text;
        return !text.empty();
    }
    return true;
}

bool is_chosen(const Entry& entry, const EntryChoice& choice) {
    const auto& facts = entry.facts;
    if (choice.id && entry.id != *choice.id) return false;
    if (!choice.commit.empty() && !facts.commit.starts_with(choice.commit)) return false;
    if (choice.is_modified && !facts.is_modified) return false;
    if (choice.branch && facts.branch != *choice.branch) return false;
    return std::all_of(choice.tags.begin(), choice.tags.end(), [&](const auto& tag) {
        const auto found = facts.tags.find(tag.first);
        return found != facts.tags.end() && found->second == tag.second;
    });
}

}  // namespace

bool is_entry_name(std::string_view text) { return text.starts_with(scheme); }

bool is_series_name(std::string_view text) {
    return !text.empty() && text.find('@') == std::string_view::npos &&
           std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) >= ' ' && byte != '\x7f'; });
}

Stored<EntryName> parse_entry_name(std::string_view text) {
    const auto whole = text;
    const auto refuse = [&] {
        return tl::unexpected(StoreProblem{fmt::format("'{}' names no entry", engine::display_name(whole)),
                                           std::string(grammar)});
    };
    text.remove_prefix(scheme.size());
    EntryName name;
    auto end = std::min(text.find('@'), text.size());
    name.series = text.substr(0, end);
    if (name.series.empty()) return refuse();
    while (end < text.size()) {
        text.remove_prefix(end + 1);
        end = std::min(text.find('@'), text.size());
        if (!add_choice(text.substr(0, end), name.choice)) return refuse();
    }
    return name;
}

std::vector<Entry> chosen_entries(std::vector<Entry> entries, const EntryChoice& choice) {
    std::erase_if(entries, [&](const Entry& entry) { return !is_chosen(entry, choice); });
    // A whole name is not the beginning of another one.
    const auto is_meant = [&](const Entry& entry) { return entry.facts.commit == choice.commit; };
    if (!choice.commit.empty() && std::any_of(entries.begin(), entries.end(), is_meant))
        std::erase_if(entries, [&](const Entry& entry) { return !is_meant(entry); });
    // Nor is a commit with changes the commit, where that was measured as it is.
    const auto is_clean = [](const Entry& entry) { return !entry.facts.is_modified; };
    if (!choice.commit.empty() && !choice.is_modified &&
        std::any_of(entries.begin(), entries.end(), is_clean))
        std::erase_if(entries, [&](const Entry& entry) { return !is_clean(entry); });
    if (const auto back = choice.from_newest.value_or(0); back > entries.size()) {
        entries.clear();
    } else if (back > 0) {
        std::swap(entries.front(), entries[entries.size() - back]);
        entries.resize(1);
    }
    return entries;
}

std::string exact_name(const Entry& entry) {
    const auto& facts = entry.facts;
    constexpr std::size_t short_commit = 12;
    const bool has_commit = !facts.commit.empty() && facts.commit.find('@') == std::string::npos;
    const auto commit = !has_commit ? std::string()
                                    : fmt::format("@{}{}", facts.commit.substr(0, short_commit),
                                                  facts.is_modified ? "+" : "");
    return fmt::format("{}{}{}@id:{}", scheme, facts.series, commit, entry.id);
}

Stored<std::vector<Entry>> find_entries(Store& store, const EntryName& name) {
    auto all = store.entries(name.series);
    if (!all) return all;
    const auto series = engine::display_name(name.series);
    if (all->empty()) {
        const auto others = store.series();
        if (!others) return tl::unexpected(others.error());
        std::vector<std::string_view> names;
        for (const auto& one : *others) names.push_back(one.name);
        auto advice = engine::did_you_mean(name.series, names);
        if (advice.empty()) advice = "'callcost history list' lists the series";
        return tl::unexpected(
            StoreProblem{fmt::format("there is no series '{}'", series), std::move(advice)});
    }
    const auto size = all->size();
    auto entries = chosen_entries(*std::move(all), name.choice);
    if (entries.empty())
        return tl::unexpected(StoreProblem{
            fmt::format("series '{}' has no such entry; it has {}", series, size),
            engine::quoted_command({"callcost", "history", "list", name.series}) + " lists them"});
    if (!name.choice.commit.empty())
        for (const Entry& entry : entries)
            if (entry.facts.commit != entries.back().facts.commit)
                return tl::unexpected(
                    StoreProblem{fmt::format("several commits of series '{}' begin with {}", series,
                                             engine::display_name(name.choice.commit)),
                                 "write more of it"});
    return entries;
}

Stored<Entry> find_entry(Store& store, const EntryName& name) {
    auto entries = find_entries(store, name);
    if (!entries) return tl::unexpected(entries.error());
    return std::move(entries->back());
}

Result<Source> open_entry(const std::string& name, const std::string& store_address) {
    const auto failed = [](const StoreProblem& problem) {
        Error error;
        error.code = ErrorCode::cannot_open;
        error.detail = problem.text;
        error.advice = problem.advice;
        return tl::unexpected(std::move(error));
    };
    const auto parsed = parse_entry_name(name);
    if (!parsed) return failed(parsed.error());
    const auto store = open_store(store_address, StoreUse::read);
    if (!store) return failed(store.error());
    auto id = parsed->choice.id;
    auto exact = name;
    if (!id) {
        const auto entry = find_entry(**store, *parsed);
        if (!entry) return failed(entry.error());
        id = entry->id;
        exact = exact_name(*entry);
    }
    auto profile = (*store)->profile(*id);
    if (!profile) return failed(profile.error());
    return from_memory(*std::move(profile), exact);
}

}  // namespace callcost::program
