#include "json_importers/v8_nodes.hpp"

#include <string>

#include "encodings/import_input.hpp"

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
    struct Line {
        std::uint32_t named;
        std::uint32_t columns = 0;  // that the function has in it
    };
    struct Place {
        std::uint32_t node;  // the first one
        std::uint32_t line;  // row of lines
    };
    KeyRows named_keys, line_keys, place_keys;  // (name, url), (named, line), (its row, column)
    std::vector<std::uint32_t> lines_of_named;  // how many
    std::vector<Line> lines;
    std::vector<Place> places;
    std::vector<std::uint32_t> rows;  // of places, by node
    rows.reserve(json_.nodes.size());
    for (std::uint32_t row = 0; row < json_.nodes.size(); ++row) {
        const V8Node& node = json_.nodes[row];
        const std::uint32_t named = named_keys.row(key_of(node.name, node.url));
        if (named == lines_of_named.size()) lines_of_named.push_back(0);
        const std::uint32_t line = line_keys.row(key_of(named, node.line));
        if (line == lines.size()) {
            lines.push_back({.named = named});
            ++lines_of_named[named];
        }
        rows.push_back(place_keys.row(key_of(line, node.column)));
        if (rows.back() != places.size()) continue;
        places.push_back({.node = row, .line = line});
        ++lines[line].columns;
    }
    std::vector<StackFrame> frames;
    frames.reserve(places.size());
    for (const Place& place : places) {
        const V8Node& node = json_.nodes[place.node];
        std::string name = json_.names[node.name];
        const bool is_anonymous = name.empty();
        if (is_anonymous) name = "(anonymous)";
        const bool has_columns = lines[place.line].columns > 1;
        const bool has_lines = is_anonymous || lines_of_named[lines[place.line].named] > 1;
        if ((has_lines || has_columns) && node.line != 0) name += ":" + std::to_string(node.line);
        if (has_columns && node.line != 0) name += ":" + std::to_string(node.column);
        frames.push_back({.function = profile_.function({}, json_.names[node.url], name, node.line),
                          .place = profile_.place({}, node.line)});
    }
    frames_.reserve(rows.size());
    for (const std::uint32_t place : rows) frames_.push_back(frames[place]);
}

}  // namespace callcost::engine
