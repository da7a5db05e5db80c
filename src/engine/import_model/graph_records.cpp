#include "import_model/graph_records.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <callcost/callcost.hpp>

namespace callcost::engine {
namespace {

constexpr std::string_view missing_name = "(callees not recorded)";

}  // namespace

Result<void> GraphRecords::write(const GraphHeading& heading, const Sink& sink) {
    sort();
    Writer writer(sink, {.dialect = FileDialect::compact,
                         .creator = "callcost-" + std::string(version()) + " from calls",
                         .unknown_count_as_one = heading.unknown_count_as_one});
    const EventType event{.name = std::string(heading.event), .long_name = std::string(heading.long_name)};
    if (auto done = writer.begin_part({.command = heading.command, .events = {&event, 1}}); !done)
        return done;
    std::vector<Writer::Function> written(missing() + 1);
    const auto function = [&](std::uint32_t level) {
        if (!written[level].valid()) written[level] = name(writer, level);
        return written[level];
    };
    const bool has_counts = heading.counts == GraphCounts::calls;
    std::uint32_t current = no_row;
    for (const GraphRecord& record : records_) {
        if (std::exchange(current, record.caller) != record.caller)
            if (auto done = writer.begin_function(function(record.caller)); !done) return done;
        const Writer::Place place{.line = line(record)};
        auto done = record.callee == no_row ? writer.cost(place, {&record.cost, 1})
                                            : writer.call({.place = place,
                                                           .callee = function(record.callee),
                                                           .count = has_counts ? record.count : 0,
                                                           .target_line = line(record.callee)},
                                                          {&record.cost, 1});
        if (!done) return done;
    }
    return writer.finish();
}

std::uint64_t GraphRecords::line(std::uint32_t level) const {
    return level == missing() ? 0 : graph_.functions_[level / 2].line;
}

std::uint64_t GraphRecords::line(const GraphRecord& record) const {
    if (record.callee == no_row) return record.line;
    const std::uint32_t of_calls = graph_.functions_[record.caller / 2].call_line;
    return of_calls != 0 ? of_calls : line(record.caller);
}

Writer::Function GraphRecords::name(Writer& writer, std::uint32_t level) const {
    if (level == missing()) return writer.function({}, {}, missing_name);
    const auto& function = graph_.functions_[level / 2];
    const std::uint64_t named = graph_.named_[function.named];
    const std::uint64_t origin = graph_.origins_[first_of(named)];
    const std::string& object = graph_.names_[first_of(origin)];
    const std::string& file = graph_.names_[second_of(origin)];
    std::string text = graph_.names_[second_of(named)];
    if (graph_.lines_of_named_[function.named] > 1 && function.line != 0)
        text += ":" + std::to_string(function.line);
    if (level % 2 != 0) text += "'2";
    return writer.function(object.empty() ? Writer::Object{} : writer.object(object),
                           file.empty() ? Writer::File{} : writer.file(file), text);
}

/// By the names of caller and callee; self cost first.
void GraphRecords::sort() {
    const auto ranks_of = [](std::size_t rows, const auto& less) {
        std::vector<std::uint32_t> order(rows), ranks(rows);
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), less);
        for (std::uint32_t place = 0; place < rows; ++place) ranks[order[place]] = place;
        return ranks;
    };
    const auto names = ranks_of(graph_.names_.size(), [&](std::uint32_t a, std::uint32_t b) {
        return graph_.names_[a] < graph_.names_[b];
    });
    const auto key = [&](std::uint32_t f) {
        const std::uint64_t named = graph_.named_[graph_.functions_[f].named];
        const std::uint64_t origin = graph_.origins_[first_of(named)];
        return std::tuple(names[second_of(named)], names[second_of(origin)], names[first_of(origin)],
                          graph_.functions_[f].line);
    };
    const auto ranks =
        ranks_of(graph_.functions_.size(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    const auto rank = [&](std::uint32_t level) {
        return level == missing() ? missing() + 1 : 2 * ranks[level / 2] + level % 2 + 1;
    };
    std::sort(records_.begin(), records_.end(), [&](const GraphRecord& a, const GraphRecord& b) {
        return std::tuple(rank(a.caller), a.callee == no_row ? 0 : rank(a.callee), a.line) <
               std::tuple(rank(b.caller), b.callee == no_row ? 0 : rank(b.callee), b.line);
    });
}

}  // namespace callcost::engine
