/// Imports a text and reads what was written, and what functions cost by name in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "importers/importers.hpp"
#include "unit/library/parser/growth.hpp"
#include <callcost/profile.hpp>
#include <callcost/read.hpp>

namespace callcost::test {

inline std::int64_t wrapped(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

inline Profile read_without_errors(std::string_view text) {
    auto profile = read_profile(from_memory(text, "written"));
    EXPECT_TRUE(profile.has_value()) << text;
    for (const Diagnostic& diagnostic : profile->diagnostics())
        EXPECT_NE(kind_of(diagnostic.id).severity, Severity::error) << kind_of(diagnostic.id).name << '\n'
                                                                    << text;
    return std::move(*profile);
}

struct Imported {
    engine::ImportNotes notes;
    std::string text;
};

inline Result<Imported> import(engine::ImportFormat format, std::string_view bytes,
                               const engine::ImportOptions& options = {}) {
    Imported imported;
    auto notes = engine::import_stacks(format, from_memory(bytes), options, to_memory(imported.text));
    if (!notes) return tl::unexpected(notes.error());
    imported.notes = std::move(*notes);
    return imported;
}

/// The time to import what `make` makes, and to read the profile that comes of it, grows with the depth of
/// its stacks: from 5,000 frames to four times as many.
template <class Make>
void expect_linear_import(engine::ImportFormat format, const Make& make) {
    expect_linear_reading(make, 5000, [format](const std::string& bytes) {
        Stacks stacks;
        const auto imported = import(format, bytes, {.stacks = &stacks});
        return imported && read_profile(from_memory(imported->text)).has_value();
    });
}

/// By ImportOddity.
constexpr std::array<std::string_view, 35> oddity_names{
    "labels-ignored",
    "annotations-dropped",
    "values-rounded",
    "unreadable-line",
    "invalid-reference",
    "duplicate-id",
    "value-count",
    "inlining-cut",
    "stack-cut",
    "frames-to-drop",
    "no-stack",
    "cyclic-nodes",
    "ticks-mismatch",
    "missing-samples",
    "time-before-samples",
    "events-dropped",
    "estimated-stacks",
    "line-too-long",
    "without-stack",
    "unmatched-ends",
    "threads-as-text",
    "times-reversed",
    "trace-cut",
    "return-without-call",
    "call-without-return",
    "markers-ignored",
    "child-processes",
    "unknown-rows",
    "asynchronous-ignored",
    "sums-omitted",
    "unended",
    "cut-at-parent",
    "costs-estimated",
    "costs-reduced",
    "costs-below-zero",
};

/// `unreadable-line x2 at 3`, one after the other.
inline std::string notes_text(const engine::ImportNotes& notes) {
    std::string text;
    for (const engine::ImportNote& note : notes.notes) {
        text += text.empty() ? "" : ", ";
        text += oddity_names.at(static_cast<std::size_t>(note.what));
        if (note.count != 1) text += " x" + std::to_string(note.count);
        if (note.first_line != 0) text += " at " + std::to_string(note.first_line);
    }
    return text;
}

struct FunctionCost {
    std::int64_t self = 0, inclusive = 0;
    friend bool operator==(const FunctionCost&, const FunctionCost&) = default;
};

/// By folded name, and file if wanted: self costs add up; the first occurrence in a stack has it all as
/// inclusive cost.
inline std::map<std::string, FunctionCost> folded_costs(const Profile& profile, EventId event,
                                                        bool with_file = false) {
    std::map<std::string, FunctionCost> costs;
    const auto of = [&](FunctionId id) -> std::pair<FunctionCost&, bool> {
        std::string_view name = profile.name(id);
        const bool is_deeper = name.ends_with("'2");
        if (is_deeper) name.remove_suffix(2);
        std::string key(name);
        if (with_file) key.append("@").append(profile.name(profile.file(id)));
        return {costs[key], !is_deeper};
    };
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId id(row);
        auto [cost, is_first] = of(id);
        cost.self = wrapped(cost.self, profile.self(id, event));
        if (is_first) cost.inclusive = wrapped(cost.inclusive, profile.self(id, event));
    }
    for (std::size_t row = 0; row < profile.arc_count(); ++row) {
        auto [cost, is_first] = of(profile.caller(ArcId(row)));
        if (is_first) cost.inclusive = wrapped(cost.inclusive, profile.cost(ArcId(row), event));
    }
    return costs;
}

inline EventId event_of(const Profile& profile, std::string_view name) {
    for (std::size_t row = 0; row < profile.events().size(); ++row)
        if (profile.events()[row].name == name) return EventId(row);
    ADD_FAILURE() << "no event " << name;
    return EventId(std::size_t{0});
}

/// A line per record: `main:3 5 | main:4 -> f 7`, sorted.
inline std::string records_text(const Profile& profile) {
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        RecordCursor cursor = profile.records(FunctionId(row));
        for (Record record; cursor.next(record);) {
            std::string text = std::string(profile.name(FunctionId(row))) + ':' + std::to_string(record.line);
            if (record.kind == Record::Kind::call)
                text += " -> " + std::string(profile.name(profile.callee(record.arc)));
            for (const std::int64_t cost : record.costs) text += ' ' + std::to_string(cost);
            lines.push_back(text + '\n');
        }
    }
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& line : lines) all += line;
    return all;
}

inline std::string import_bytes(const std::string& name) {
    std::ifstream file(std::string(CALLCOST_TEST_PROFILES "/../imports/") + name, std::ios::binary);
    EXPECT_TRUE(file.is_open()) << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace callcost::test
