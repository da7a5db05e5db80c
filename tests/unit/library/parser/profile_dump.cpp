// Compiled with optimization, unlike the tests: they spend most of their time here.
#include "unit/library/parser/profile_dump.hpp"

#include <cstdint>
#include <optional>

namespace callcost::test {
namespace {

std::string place_dump(const Place& place) {
    return std::to_string(place.source) + ':' + std::to_string(place.line) + ':' +
           std::to_string(place.column) + '@' + std::to_string(place.offset) + '[' + place.excerpt + '|' +
           std::to_string(place.excerpt_column) + ']';
}

}  // namespace

std::string part_dump(const Profile& profile, const Part& part) {
    const auto optional_costs = [&](const std::optional<Costs>& costs) {
        return costs ? costs_text(profile, *costs) : std::string("none");
    };
    std::string text = std::to_string(part.source) + ' ' + std::to_string(part.profile) + ' ' +
                       std::to_string(static_cast<int>(part.dialect)) + ' ' + std::string(part.version) +
                       '|' + std::string(part.creator) + '|' + std::string(part.command) + '|' +
                       part.trigger + '|' + part.timerange;
    for (const HeaderNumber* number : {&part.pid, &part.part, &part.thread})
        text += '|' + std::string(number->text) + '=' +
                (number->number ? std::to_string(*number->number) : "none");
    for (const std::string& line : part.descriptions) text += '|' + line;
    for (const auto& [key, value] : part.other_headers)
        text.append(1, '|').append(key).append(1, ':').append(value);
    for (const std::string& word : part.positions) text += ' ' + word;
    for (const EventId event : part.events) text += ' ' + profile.events()[event.value].name;
    text += "\nself " + costs_text(profile, part.self) + "\nsummary " + optional_costs(part.summary) +
            "\ntotals " + optional_costs(part.totals) + "\nincl " + costs_text(profile, part.inclusive_sum);
    for (const std::uint64_t number : {part.cost_lines, part.call_records, part.call_count, part.jumps})
        text += ' ' + std::to_string(number);
    return text + '\n';
}

std::string diagnostics_dump(std::span<const Diagnostic> diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) {
        text += std::string(kind_of(diagnostic.id).name) + ' ' + std::to_string(diagnostic.count);
        for (const Place& place : diagnostic.places) text += '\n' + place_dump(place);
        text += '\n';
    }
    return text;
}

std::string columns_dump(const Profile& profile) {
    std::string text;
    const auto add = [&text](const Lines& lines) {
        for (const std::string& line : lines) text += line + '\n';
    };
    for (const EventType& event : profile.events())
        text += event.name + '|' + event.long_name + '|' + event.unit + '|' +
                std::to_string(static_cast<int>(event.aggregation)) + '\n';
    for (std::size_t i = 0; i < profile.events().size(); ++i)
        text += std::to_string(profile.total(EventId(i))) + '\n';
    for (const EventFormula& formula : profile.formulas())
        text += formula.name + '|' + formula.formula + '|' + formula.long_name + '\n';
    for (const Part& part : profile.parts()) text += part_dump(profile, part);
    add(functions_of(profile));
    add(arcs_of(profile));
    return text;
}

std::string model_dump(const Profile& profile) {
    std::string text = columns_dump(profile);
    for (const FunctionId function : all_functions(profile)) {
        text += function_text(profile, function) + '\n';
        RecordCursor cursor = profile.records(function);
        for (Record record; cursor.next(record);) {
            add_number(text, cursor.part().value);
            add_record(text += ' ', profile, record);
            text += '\n';
        }
    }
    return text;
}

std::string dump(const Profile& profile) {
    std::string text = model_dump(profile) + diagnostics_dump(profile.diagnostics());
    for (const SourceInfo& source : profile.sources())
        text += source.name + ' ' + std::to_string(source.bytes) + ' ' + std::to_string(source.lines) + '\n';
    for (const EventFormula& formula : profile.formulas()) text += place_dump(formula.place) + '\n';
    return text;
}

std::string first_difference(const std::string& got, const std::string& expected) {
    if (got == expected) return {};
    std::size_t at = 0;
    while (at < got.size() && at < expected.size() && got[at] == expected[at]) ++at;
    const auto line = [at](const std::string& text) {
        const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
        const std::size_t from = before == std::string::npos ? 0 : before + 1;
        return text.substr(from, text.find('\n', at) - from);
    };
    return "got:      " + line(got) + "\nexpected: " + line(expected);
}

}  // namespace callcost::test
