#include "options/help_formatter.hpp"

#include <algorithm>

#include "text/names.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t indent = 2, option_column = 25, gap = 2;

/// `-o, --output OUT`, `--color[=WHEN]`.
std::string spelling(const CLI::Option& option) {
    std::string names;
    for (const auto& name : option.get_snames()) names += "-" + name + ", ";
    for (const auto& name : option.get_lnames()) names += "--" + name;
    const auto placeholder = option.get_type_name();
    if (placeholder.starts_with('[') && option.get_items_expected_max() == 0) return names + placeholder;
    return option.get_items_expected_max() > 0 && !placeholder.empty() ? names + " " + placeholder : names;
}

/// A command in as many lines as it takes, as a shell joins them again; never inside quotes.
std::string continued(std::string_view command, std::size_t column, std::size_t width) {
    constexpr std::string_view continuation = " \\";
    if (width == 0 || column + command.size() <= width) return std::string(command);
    std::string text;
    std::size_t used = column;
    while (!command.empty()) {
        bool is_quoted = false;
        const auto* const end = std::find_if(command.begin(), command.end(), [&](char c) {
            if (c == '\'') is_quoted = !is_quoted;
            return c == ' ' && !is_quoted;
        });
        const auto word = command.substr(0, static_cast<std::size_t>(end - command.begin()));
        command.remove_prefix(std::min(word.size() + 1, command.size()));
        const auto behind = command.empty() ? 0 : continuation.size();
        if (text.empty()) {
            text = word;
        } else if (used + 1 + word.size() + behind <= width) {
            text.append(1, ' ').append(word);
            ++used;
        } else {
            used = column + indent;
            text.append(continuation).append(1, '\n').append(used, ' ').append(word);
        }
        used += word.size();
    }
    return text;
}

}  // namespace

std::string HelpFormatter::row(std::string name, std::size_t column, std::string_view text) const {
    name.insert(0, indent, ' ');
    if (name.size() + gap <= column) {
        name.append(column - name.size(), ' ');
    } else if (style_.width == 0 || name.size() + gap + text.size() <= style_.width) {
        return name.append(gap, ' ').append(text) + "\n";
    } else {
        name.append(1, '\n').append(column, ' ');
    }
    return name + engine::wrapped(text, column, style_, 0) + "\n";
}

std::string HelpFormatter::paragraphs(std::string_view text) const {
    std::string result;
    for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
        end = text.find('\n');
        result += engine::wrapped(text.substr(0, end), 0, style_, 0) + "\n";
        if (end == std::string_view::npos) break;
    }
    return result;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string usage, CLI::AppFormatMode mode) const {
    constexpr std::string_view title = "usage: ";
    auto text = std::string(title) + engine::wrapped(usage, title.size(), style_, 0) + "\n\n" +
                paragraphs(app->get_description());
    text += examples();
    text += make_subcommands(app, mode);
    const auto& common = content_.common;
    const auto is_listed = [&](const CLI::Option& option) {
        return common.empty() || std::any_of(common.begin(), common.end(), [&](const std::string& name) {
                   return option.check_lname(name.substr(2));
               });
    };
    for (const auto& group : app->get_groups()) {
        if (group.empty()) continue;  // positional arguments, which the usage has
        std::string rows;
        for (const auto* option : app->get_options())
            if (option->get_group() == group && is_listed(*option)) rows += make_option(option, false);
        if (!rows.empty()) text.append("\n").append(group).append(":\n").append(rows);
    }
    return text;
}

std::string HelpFormatter::section(std::string_view heading,
                                   const std::vector<std::pair<std::string, std::string>>& rows) const {
    std::size_t longest = 0;
    for (const auto& [name, text] : rows) longest = std::max(longest, name.size());
    auto all = "\n" + std::string(heading) + ":\n";
    auto column = indent + longest + gap;
    if (style_.width > 0) column = std::min(column, style_.width * 2 / 3);
    for (const auto& [name, text] : rows) all += row(name, column, text);
    return all;
}

std::string HelpFormatter::examples() const {
    if (content_.examples.empty()) return {};
    std::size_t longest = 0, longest_text = 0;
    for (const auto& [command, words] : content_.examples) {
        longest = std::max(longest, command.size());
        longest_text = std::max(longest_text, words.size());
    }
    if (style_.width == 0 || indent + longest + gap + longest_text <= style_.width)
        return section("Examples", content_.examples);
    std::string all = "\nExamples:\n";
    constexpr std::size_t column = 3 * indent;
    for (const auto& [command, words] : content_.examples)
        all += std::string(indent, ' ') + continued(command, indent, style_.width) + "\n" +
               std::string(column, ' ') + engine::wrapped(words, column, style_, 0) + "\n";
    return all;
}

std::string HelpFormatter::make_subcommands(const CLI::App* app, CLI::AppFormatMode /*mode*/) const {
    const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) return {};
    std::vector<std::pair<std::string, std::string>> rows;
    rows.reserve(commands.size());
    for (const auto* command : commands) rows.emplace_back(command->get_name(), command->get_description());
    return section(commands.front()->get_group(), rows);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool /*is_positional*/) const {
    return row(spelling(*option), option_column, option->get_description());
}

}  // namespace callcost::program
