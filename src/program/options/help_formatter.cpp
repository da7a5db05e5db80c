#include "options/help_formatter.hpp"

#include <algorithm>

namespace callcost::program {
namespace {

constexpr std::size_t option_column = 2, description_column = 25;

/// `-o, --output OUT`, `--color[=WHEN]`.
std::string spelling(const CLI::Option& option) {
    std::string names;
    for (const auto& name : option.get_snames()) names += "-" + name + ", ";
    for (const auto& name : option.get_lnames()) names += "--" + name;
    const auto placeholder = option.get_type_name();
    if (placeholder.starts_with('[') && option.get_items_expected_max() == 0) return names + placeholder;
    return option.get_items_expected_max() > 0 && !placeholder.empty() ? names + " " + placeholder : names;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    std::string result;
    std::size_t column = indent;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(" \n"), text.size());
        const auto word = text.substr(0, end);
        if (column > indent && column + 1 + word.size() > width) {
            result.append(1, '\n').append(indent, ' ');
            column = indent;
        } else if (column > indent) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
        if (end < text.size() && text[end] == '\n') {
            result.append(1, '\n').append(indent, ' ');
            column = indent;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string /*name*/,
                                     CLI::AppFormatMode /*mode*/) const {
    auto text = "usage: " + wrapped(usage_, width_, std::string_view("usage: ").size()) + "\n\n" +
                wrapped(app->get_description(), width_, 0) + "\n";
    for (const auto& group : app->get_groups()) {
        if (group.empty()) continue;  // positional arguments, which the usage has
        text += "\n" + group + ":\n";
        for (const auto* option : app->get_options())
            if (option->get_group() == group) text += make_option(option, false);
    }
    return text;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool /*is_positional*/) const {
    auto row = std::string(option_column, ' ') + spelling(*option);
    const auto& description = option->get_description();
    if (row.size() < description_column) {
        row.append(description_column - row.size(), ' ');
    } else if (row.size() + 2 + description.size() <= width_) {
        return row + "  " + description + "\n";
    } else {
        row.append(1, '\n').append(description_column, ' ');
    }
    return row + wrapped(description, width_, description_column) + "\n";
}

}  // namespace callcost::program
