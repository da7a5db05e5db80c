#include "importers/v8_nodes.hpp"

#include <string>
#include <utility>

#include "importers/import_input.hpp"

namespace callcost::engine {

V8Nodes::V8Nodes(const V8Json& json, StackProfile& profile, ImportNotes& notes)
    : json_(json), profile_(profile), notes_(notes) {
    number_nodes();
    find_callers();
    name_functions();
}

void V8Nodes::number_nodes() {
    for (std::uint32_t row = 0; row < json_.nodes.size(); ++row) {
        if (!json_.nodes[row].has_id) continue;
        if (ids_.row(static_cast<std::uint64_t>(json_.nodes[row].id)) == ids_rows_.size())
            ids_rows_.push_back(row);
        else
            note(notes_, ImportOddity::duplicate_id);
    }
}

std::uint32_t V8Nodes::row(std::int64_t id) {
    const std::uint32_t row = ids_.find(static_cast<std::uint64_t>(id));
    if (row == no_row) note(notes_, ImportOddity::invalid_reference);
    return row == no_row ? no_row : ids_rows_[row];
}

/// By where nodes are, `children` or `parent`: the first that says so. The root of all is no function.
void V8Nodes::find_callers() {
    callers_.assign(json_.nodes.size(), no_row);
    for (std::uint32_t node = 0; node < json_.nodes.size(); ++node) {
        const V8Node& named = json_.nodes[node];
        set_caller(node, named.caller);
        if (named.has_parent) set_caller(node, row(named.parent));
        for (std::size_t i = 0; i < named.children; ++i)
            if (const auto child = row(json_.children[named.first_child + i]); child != no_row)
                set_caller(child, node);
    }
    std::vector<char> is_root(callers_.size(), 0);
    for (std::size_t node = 0; node < callers_.size(); ++node)
        is_root[node] = callers_[node] == no_row && json_.names[json_.nodes[node].name] == "(root)" ? 1 : 0;
    for (std::uint32_t& caller : callers_)
        if (caller != no_row && is_root[caller] != 0) caller = no_row;
}

void V8Nodes::set_caller(std::uint32_t node, std::uint32_t caller) {
    if (caller == no_row || callers_[node] == caller) return;
    if (callers_[node] == no_row)
        callers_[node] = caller;
    else
        note(notes_, ImportOddity::duplicate_id);
}

// V8 tells functions apart by place; here name and file must do.
void V8Nodes::name_functions() {
    KeyRows named, lines;                                // (name, url), (named, line)
    std::vector<std::uint32_t> line_of, column_of_line;  // by their rows: the first seen
    std::vector<char> has_many_lines, has_many_columns;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
    for (const auto& node : json_.nodes) {
        const std::uint32_t by_name = named.row(key_of(node.name, node.url));
        if (by_name == line_of.size()) {
            line_of.push_back(node.line);
            has_many_lines.push_back(0);
        }
        if (line_of[by_name] != node.line) has_many_lines[by_name] = 1;
        const std::uint32_t by_line = lines.row(key_of(by_name, node.line));
        if (by_line == column_of_line.size()) {
            column_of_line.push_back(node.column);
            has_many_columns.push_back(0);
        }
        if (column_of_line[by_line] != node.column) has_many_columns[by_line] = 1;
        rows.emplace_back(by_name, by_line);
    }
    for (std::size_t row = 0; row < json_.nodes.size(); ++row) {
        const auto& node = json_.nodes[row];
        std::string name = json_.names[node.name];
        const bool is_anonymous = name.empty();
        if (is_anonymous) name = "(anonymous)";
        const bool has_columns = has_many_columns[rows[row].second] != 0;
        const bool has_lines = is_anonymous || has_many_lines[rows[row].first] != 0;
        if ((has_lines || has_columns) && node.line != 0) name += ":" + std::to_string(node.line);
        if (has_columns && node.line != 0) name += ":" + std::to_string(node.column);
        frames_.push_back({.function = profile_.function({}, json_.names[node.url], name, node.line),
                           .place = profile_.place({}, node.line)});
    }
}

}  // namespace callcost::engine
