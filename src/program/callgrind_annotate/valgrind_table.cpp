#include "callgrind_annotate/valgrind_table.hpp"

#include <algorithm>
#include <utility>

namespace callcost::program {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        if (text.empty()) return words;
        words.push_back(text.substr(0, text.find_first_of(" \t")));
        text.remove_prefix(words.back().size());
    }
}

/// A number of a `summary:` line; 0 where there is none.
Cost number_of(std::string_view text) {
    std::uint64_t value = 0;
    const bool is_negative = text.starts_with('-');
    for (const char c : text.substr(is_negative ? 1 : 0)) {
        if (c < '0' || c > '9') break;
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return Cost(is_negative ? 0 - value : value);
}

/// The value with the blanks at its end.
std::string_view untrimmed(const HeaderEvent& header) {
    const auto at = header.text.find(':');
    if (at == std::string_view::npos) return header.value;
    auto rest = header.text.substr(at + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    return rest.size() >= header.value.size() ? rest : header.value;  // long lines are cut
}

}  // namespace

std::uint32_t CountRows::add_row() {
    rows_.push_back({values_.size(), 0});
    return static_cast<std::uint32_t>(rows_.size() - 1);
}

/// At the end of all values, where a row is that was just added.
void CountRows::widen(Row& row, std::size_t written) {
    if (row.first + row.written == values_.size()) {
        values_.resize(row.first + written);
    } else {
        const auto first = values_.size();
        values_.resize(first + written);
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row.first), row.written,
                    values_.begin() + static_cast<std::ptrdiff_t>(first));
        row.first = first;
    }
    row.written = static_cast<std::uint32_t>(written);
}

ValgrindTable::ValgrindTable(Source source, ParseOptions options, std::string working_directory,
                             std::function<bool(const std::string&)> wants_lines)
    : reader_(std::move(source), std::move(options)),
      working_directory_(std::move(working_directory)),
      wants_lines_(std::move(wants_lines)) {
    (void)totals_.add_row();
}

Result<ParseResult> ValgrindTable::read() {
    for (;;) {
        const auto batch = reader_.next();
        if (!batch) return tl::unexpected(batch.error());
        if (*batch == nullptr) break;
        detail::dispatch(**batch, *this);
    }
    finish();
    return reader_.result();
}

/// The calls of a line to the same row become one.
void ValgrindTable::merge_calls(std::vector<ValgrindFile::Call>& calls) {
    std::stable_sort(calls.begin(), calls.end(), [](const auto& a, const auto& b) {
        return a.line != b.line ? a.line < b.line : a.callee < b.callee;
    });
    std::size_t merged = 0;
    for (const auto& call : calls) {
        auto* last = merged > 0 ? &calls[merged - 1] : nullptr;
        if (last != nullptr && last->line == call.line && last->callee == call.callee) {
            last->count.add(call.count);
            call_costs_.add_own(last->costs, call.costs);
        } else {
            calls[merged++] = call;
        }
    }
    calls.resize(merged);
}

void ValgrindTable::finish() {
    end_part();
    for (auto& file : files_) merge_calls(file.calls);
    for (std::size_t row = 0; row < rows_.size(); ++row) (void)self_.add_row();
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) self_.add(cells_[cell].row, cell_costs_[cell]);
    if (!totals_are_calculated_) return;
    totals_ = CountRows();
    (void)totals_.add_row();
    for (std::uint32_t row = 0; row < rows_.size(); ++row) totals_.add(0, self_[row]);
}

std::string ValgrindTable::name(std::uint32_t row) const {
    return files_[rows_[row].file].name + ":" + std::string(reader_.names().function(rows_[row].function));
}

std::string ValgrindTable::object(std::uint32_t row) const {
    return has_objects_ ? std::string(reader_.names().object(rows_[row].object)) : std::string();
}

bool ValgrindTable::name_less(std::uint32_t row, std::uint32_t other) const {
    const auto& a = rows_[row];
    const auto& b = rows_[other];
    if (a.file == b.file) return reader_.names().function(a.function) < reader_.names().function(b.function);
    return name(row) < name(other);
}

// --- header lines -----------------------------------------------------------------------------------------

void ValgrindTable::part(const PartEvent& part) {
    end_part();
    ++parts_;
    if (part.new_profile) columns_.clear();
    has_cell_ = has_home_ = false;
    function_ = {};
}

/// Adds what the part says about itself.
void ValgrindTable::end_part() {
    if (parts_ == 0) return;
    if (!add_to_totals(summary_of_part_) && !add_to_totals(totals_of_part_)) totals_are_calculated_ = true;
    summary_of_part_.clear();
    totals_of_part_.clear();
}

/// False if they say nothing.
bool ValgrindTable::add_to_totals(std::string_view text) {
    std::vector<Cost> costs;
    for (const auto word : words_of(text)) costs.push_back(number_of(word));
    costs.resize(std::min(costs.size(), columns_.size()));
    if (std::all_of(costs.begin(), costs.end(), [](auto cost) { return cost == 0; })) return false;
    totals_.add(0, in_columns(costs));
    return true;
}

void ValgrindTable::header(const HeaderEvent& header) {
    const std::string value(header.value);
    if (header.key == "events") return set_events(value);
    if (header.key == "summary") summary_of_part_ = value;
    if (header.key == "totals") totals_of_part_ = value;
    if (parts_ > 1) return;
    if (header.key == "creator") header_.creator = value;
    if (header.key == "cmd") header_.command = value;
    if (header.key == "pid") header_.pid = value;
    if (header.key == "part") header_.part = value;
    if (header.key == "thread") header_.thread = value;
    if (header.key == "desc") header_.descriptions.emplace_back(untrimmed(header));
}

void ValgrindTable::set_events(std::string_view names) {
    columns_.clear();
    columns_are_all_ = true;
    for (const auto name : words_of(names)) {
        const auto [known, is_new] = event_columns_.try_emplace(std::string(name), events_.size());
        if (is_new) events_.emplace_back(name);
        const auto column = known->second;
        columns_are_all_ = columns_are_all_ && column == columns_.size();
        columns_.push_back(column);
    }
}

std::span<const Cost> ValgrindTable::in_columns(std::span<const Cost> costs) {
    if (columns_are_all_) return costs;
    reordered_.clear();
    for (std::size_t i = 0; i < std::min(costs.size(), columns_.size()); ++i) {
        reordered_.resize(std::max(reordered_.size(), columns_[i] + 1));
        reordered_[columns_[i]] = costs[i];
    }
    return reordered_;
}

// --- body -------------------------------------------------------------------------------------------------

std::uint32_t ValgrindTable::file_of(std::uint32_t name) {
    constexpr std::uint32_t unseen = UINT32_MAX;
    if (name >= file_by_name_.size()) file_by_name_.resize(name + 1, unseen);
    auto& file = file_by_name_[name];
    if (file != unseen) return file;
    auto text = reader_.names().file(name);
    if (text.size() > working_directory_.size() + 1 && text.starts_with(working_directory_) &&
        text[working_directory_.size()] == '/') {
        text.remove_prefix(working_directory_.size() + 1);
    }
    const auto [known, is_new] = file_by_text_.emplace(text, static_cast<std::uint32_t>(files_.size()));
    if (is_new) files_.push_back({known->first, wants_lines_(known->first), {}, {}});
    return file = known->second;
}

std::uint32_t ValgrindTable::row_of(std::uint32_t file_name, std::uint32_t function) {
    const auto file = file_of(file_name);
    const auto row = row_by_names_.row(engine::key_of(file, function));
    if (row == rows_.size()) rows_.push_back({file, function});
    return row;
}

std::uint32_t ValgrindTable::cell_in(std::uint32_t file_name) {
    if (has_cell_ && cell_file_name_ == file_name) return cell_;
    if (!has_home_) set_home();
    const auto cell = cell_by_home_and_file_.row(engine::key_of(home_, file_of(file_name)));
    if (cell == cells_.size()) {
        cells_.push_back({home_, row_of(file_name, function_.name)});
        (void)cell_costs_.add_row();
        rows_[cells_.back().row].is_only_called = false;
    }
    has_cell_ = true;
    cell_file_name_ = file_name;
    return cell_ = cell;
}

void ValgrindTable::function(const FunctionEvent& function) {
    function_ = function;
    has_home_ = has_cell_ = false;
    // Even without records it has a row, unless it only stands for a `fn=` that is missing (F50).
    if (reader_.names().function(function.name) != "<unspecified>") set_home();
}

void ValgrindTable::set_home() {
    home_ = row_of(function_.file, function_.name);
    has_home_ = true;
    rows_[home_].object = function_.object;
    rows_[home_].is_home = true;
    rows_[home_].is_only_called = false;
    has_objects_ = has_objects_ || function_.object != 0;
}

void ValgrindTable::add_line(std::uint32_t file, std::uint64_t line, std::span<const Cost> costs) {
    const auto [known, is_new] =
        files_[file].lines.emplace(line, static_cast<std::uint32_t>(line_costs_.size()));
    if (is_new) (void)line_costs_.add_row();
    line_costs_.add(known->second, costs);
}

namespace {
std::uint64_t line_of(const CostEvent& event) { return event.line_written_as_minus_one ? 0 : event.line; }
}  // namespace

void ValgrindTable::cost(const CostEvent& cost) {
    const auto cell = cell_in(cost.file);
    const auto costs = in_columns(cost.costs);
    cell_costs_.add(cell, costs);
    const auto file = rows_[cells_[cell].row].file;
    if (files_[file].is_gathered) add_line(file, line_of(cost), costs);
}

void ValgrindTable::call(const CallEvent& call) {
    const auto cell = cells_[cell_in(call.file)];
    const auto costs = in_columns(call.costs);
    const auto count = call.counted ? CallCount::of(call.count) : CallCount{0, true};
    const auto callee = row_of(call.callee.file, call.callee.name);
    const auto arc =
        arc_by_rows_.row(engine::key_of(pairs_.row(engine::key_of(cell.row, callee)), cell.home));
    if (arc == arcs_.size()) {
        arcs_.push_back({cell.row, callee, cell.home, {}});
        (void)arc_costs_.add_row();
    }
    arcs_[arc].count.add(count);
    arc_costs_.add(arc, costs);

    auto& file = files_[rows_[cell.row].file];
    if (!file.is_gathered || !call.has_place) return;
    file.calls.push_back({line_of(call), callee, call_costs_.add_row(), count});
    call_costs_.add(file.calls.back().costs, costs);
}

void ValgrindTable::jump(const JumpEvent& jump) {
    if (!jump.has_place) return;
    const auto file = rows_[cells_[cell_in(jump.file)].row].file;
    if (files_[file].is_gathered) add_line(file, line_of(jump), {});
}

}  // namespace callcost::program
