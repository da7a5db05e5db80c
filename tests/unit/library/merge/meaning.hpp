/// What a profile says, apart from how: equal texts for profiles that no report can tell apart.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "callcost/profile.hpp"
#include "callcost/writer.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {

inline const ProfileWriteOptions canonical_form{.dialect = FileDialect::compact, .canonical = true};

/// Whether a function has one of these names.
inline std::function<bool(FunctionId)> named(const Profile& profile, std::vector<std::string> names) {
    return [profile, names = std::move(names)](FunctionId function) {
        return std::find(names.begin(), names.end(), profile.name(function)) != names.end();
    };
}

/// What a dialect can say.
struct Said {
    bool parts = true, addresses = true, jumps = true, formulas = true;
};
inline Said said_by(FileDialect dialect) {
    const bool all = dialect == FileDialect::compact;
    return {.parts = all, .addresses = all || dialect == FileDialect::strict, .jumps = all, .formulas = true};
}

inline bool is_all_zero(std::span<const Cost> costs) {
    return std::all_of(costs.begin(), costs.end(), [](Cost cost) { return cost == 0; });
}

/// "file:line costs Ir=3" with the names of the events, as columns may move.
inline std::string named_costs(const Profile& profile, const Record& record, const Part& part) {
    std::vector<std::pair<EventId, Cost>> cells;
    for (std::size_t i = 0; i < record.costs.size(); ++i) cells.emplace_back(part.events[i], record.costs[i]);
    Lines names;
    const Costs costs(std::move(cells));
    for (const auto& [event, cost] : costs.cells())
        names.push_back(profile.events()[event.value].name + '=' + std::to_string(cost));
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) text += ' ' + name;
    return text;
}

/// A record with its part; empty for what the dialect leaves out.
inline std::string meaning_of(const Profile& profile, Record record, PartId part, const Said& said) {
    if (record.kind == Record::Kind::cost && is_all_zero(record.costs)) return {};
    if (record.kind == Record::Kind::jump && !said.jumps) return {};
    if (!said.addresses) record.address = record.target_address = 0;
    record.has_place = record.has_target_place = true;
    const std::span<const Cost> costs = record.costs;
    record.costs = {};
    std::string text = record_text(profile, record);
    record.costs = costs;
    text += named_costs(profile, record, profile.parts()[part.value]);
    return said.parts ? std::to_string(part.value) + ' ' + text : text;
}

/// The costs of everything, in no order of the file.
inline std::string meaning(const Profile& profile, const Said& said) {
    Lines lines;
    for (const FunctionId function : all_functions(profile)) {
        const std::string name = function_text(profile, function);
        if (!profile.has_records(function)) continue;
        lines.push_back(name + " has records");
        const std::string prefix = name + "| ";
        RecordCursor cursor = profile.records(function);
        for (Record record; cursor.next(record);)
            if (const std::string text = meaning_of(profile, record, cursor.part(), said); !text.empty())
                lines.push_back(prefix + text);
    }
    for (std::size_t i = 0; i < profile.arc_count(); ++i) {
        const ArcId arc(i);
        std::string text = function_text(profile, profile.caller(arc)) + " > " +
                           function_text(profile, profile.callee(arc)) + " x" +
                           count_text(profile.count(arc));
        for (std::size_t k = 0; k < profile.events().size(); ++k)
            if (const Cost cost = profile.cost(arc, EventId(k)); cost != 0)
                text += ' ' + profile.events()[k].name + '=' + std::to_string(cost);
        lines.push_back(text);
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const EventType& event : profile.events())
        text += event.name + '|' + event.long_name + '|' + event.unit + '\n';
    if (said.formulas)
        for (const EventFormula& formula : profile.formulas())
            text += formula.name + '|' + formula.formula + '|' + formula.long_name + '\n';
    for (std::size_t i = 0; i < profile.events().size(); ++i)
        text += "total " + std::to_string(profile.total(EventId(i))) + '\n';
    if (said.parts)
        for (const Part& part : profile.parts()) {
            text += std::string(part.command.empty() ? "unknown" : part.command) + '|' + part.trigger + '|' +
                    part.timerange + '|' + costs_text(profile, part.self) + '|' +
                    costs_text(profile, part.inclusive_sum);
            for (const HeaderNumber* number : {&part.pid, &part.part, &part.thread})
                text += '|' + (number->number ? std::to_string(*number->number) : "none");
            for (const std::string& line : part.descriptions) text += '|' + line;
            for (const std::uint64_t number : {part.call_records, part.call_count, part.jumps})
                text += ' ' + std::to_string(number);
            text += '\n';
        }
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

/// All that Cachegrind's dialect says: self cost by function name, file and line. Letters beyond ASCII, which
/// it writes in UTF-8, are left out, and blanks, as it writes "(1)" with one.
inline std::map<std::string, std::string> line_sums(const Profile& profile) {
    std::map<std::string, std::vector<Cost>> sums;
    for (const FunctionId function : all_functions(profile)) {
        RecordCursor cursor = profile.records(function);
        for (Record record; cursor.next(record);) {
            if (record.kind != Record::Kind::cost || is_all_zero(record.costs)) continue;
            std::string key = std::string(profile.name(function)) + '|' +
                              std::string(profile.name(record.file)) + ':' + std::to_string(record.line);
            std::erase_if(key, [](char c) { return c == ' ' || static_cast<unsigned char>(c) >= 0x80; });
            std::vector<Cost>& sum = sums[key];
            sum.resize(profile.events().size());
            const auto columns = profile.parts()[cursor.part().value].events;
            for (std::size_t i = 0; i < record.costs.size(); ++i)
                sum[columns[i].value] = wrapped_sum(sum[columns[i].value], record.costs[i]);
        }
    }
    std::map<std::string, std::string> lines;
    for (const auto& [key, sum] : sums)
        if (!is_all_zero(sum)) lines[key] = numbers_text(std::span<const Cost>(sum));
    return lines;
}

inline std::string written(const Profile& profile, const ProfileWriteOptions& options = {}) {
    std::string bytes;
    const Result<LeftOut> done = write_profile(profile, to_memory(bytes), options);
    if (!done) throw std::runtime_error("not written: " + done.error().detail);
    return bytes;
}

}  // namespace callcost::test
