#include "history_reports/history_question.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "history/entry_name.hpp"
#include "history_reports/entry_lists.hpp"
#include "text/names.hpp"
#include "text/shell.hpp"

namespace callcost::program {

void keep_main_branch(std::vector<Entry>& entries) {
    for (const char* main : {"main", "master", "trunk"}) {
        EntryChoice choice;
        choice.branch = main;
        auto chosen = chosen_entries(entries, choice);
        if (chosen.empty()) continue;
        entries = std::move(chosen);
        return;
    }
}

std::vector<EntryId> HistoryQuestion::ids() const {
    std::vector<EntryId> ids;
    for (const Entry& entry : entries) ids.push_back(entry.id);
    return ids;
}

Stored<HistoryQuestion> question_about(std::vector<Entry> entries, const std::string& event) {
    HistoryQuestion question;
    question.event = event_of(entries, event);
    question.changes.exact = counts_exactly(question.event);
    const auto series = entries.front().facts.series;
    std::erase_if(entries, [&](const Entry& entry) { return !entry.totals.contains(question.event); });
    if (entries.empty())
        return tl::unexpected(
            StoreProblem{fmt::format("series '{}' does not record '{}'", engine::display_name(series),
                                     engine::display_name(question.event)),
                         engine::quoted_command({"callcost", "info", "--events", "history:" + series}) +
                             " lists what it records"});
    question.entries = std::move(entries);
    return question;
}

}  // namespace callcost::program
