/// The options of one command: how they are spelt, and what they mean.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/help_formatter.hpp"
#include "options/options.hpp"
#include "text/suggest.hpp"

namespace callcost::program {

struct CommandFacts {
    Command command;
    std::string_view name;
    std::string_view usage;
    std::string_view summary;
};

/// What the options are written as, before anybody looks at whether it makes sense.
struct Texts {
    std::string event, sort, group, limit, threshold, contexts, color, hyperlink, progress, threads, strict,
        context_lines, depth, format, style, inclusive, annotate_all, percentages, show_events, tree;
    std::vector<std::string> parts, threads_of_profile, pids, include_directories, source_maps, focus, ignore,
        show, hide, root;
    std::string to, split_by, dropped, rows, integers, nodes;
    std::vector<std::string> keep, drop, file_names, function_names, path_prefixes;
    std::string match, order, github, keep_newest;
    std::vector<std::string> outputs;
    std::string port, max_size;
    bool no_color = false, no_pager = false, no_open = false, no_sources = false;
};

/// The usage error of the first step that failed stays; later steps do nothing.
class OptionReader {
  public:
    /// `help_width`: columns to wrap the help at.
    OptionReader(const CommandFacts& facts, std::size_t help_width)
        : facts_(facts), app_(std::string(facts.summary)) {
        app_.formatter(std::make_shared<HelpFormatter>(facts.usage, help_width));
    }

    tl::expected<Options, UsageError> options_from(std::span<const char* const> arguments);

  private:
    void declare_options();
    void declare_input_options();
    void declare_row_options();
    void declare_filters();
    void declare_tree_options();
    void declare_annotate_options();
    void declare_assembly_options();
    void declare_disassembler_option();
    void declare_output_options();
    void declare_check_options();
    void declare_file_options();
    void declare_comparison_options();
    void declare_diff_options();
    void declare_source_options();
    void declare_page_options();
    CLI::Option* value(const std::string& names, const std::string& placeholder, std::string& target,
                       const std::string& description);
    CLI::Option* values(const std::string& names, const std::string& placeholder,
                        std::vector<std::string>& target, const std::string& description);
    void flag(const std::string& names, bool& target, const std::string& description);
    void flag_or_value(const std::string& names, const std::string& placeholder, std::string& target,
                       const std::string& description);

    void parse(std::span<const char* const> arguments);
    void resolve();

    void fail(std::string message, std::string hint = {});
    template <class Value, std::size_t Count>
    std::optional<Value> choose(std::string_view option, std::string_view text,
                                const std::array<std::pair<std::string_view, Value>, Count>& choices);
    /// `yes` or `no`.
    bool yes(std::string_view option, std::string_view text, bool usual);
    std::optional<std::uint64_t> number(std::string_view option, std::string_view text);
    std::vector<std::uint64_t> numbers(std::string_view option, const std::vector<std::string>& texts);
    std::optional<double> share(std::string_view option, std::string_view text);
    void resolve_strict();
    void resolve_source_maps();
    void resolve_pattern();
    void resolve_sort();
    void resolve_filters();
    void resolve_annotate();
    void resolve_check_format();
    void resolve_file_options();
    void resolve_comparison();
    void resolve_sides();
    void resolve_outputs();
    void resolve_baseline();
    void resolve_page();
    std::optional<std::uint64_t> size(std::string_view option, std::string_view text);
    std::vector<Substitution> substitutions(std::string_view option, const std::vector<std::string>& texts);
    Patterns patterns(std::string_view option, const std::vector<std::string>& texts, NameScope usual);

    const CommandFacts& facts_;
    CLI::App app_;
    Texts texts_;
    Options options_;
    std::optional<UsageError> error_;
    std::string group_;
};

template <class Value, std::size_t Count>
std::optional<Value> OptionReader::choose(
    std::string_view option, std::string_view text,
    const std::array<std::pair<std::string_view, Value>, Count>& choices) {
    if (text.empty()) return std::nullopt;
    std::vector<std::string_view> names;
    for (const auto& [name, choice] : choices) {
        if (name == text) return choice;
        names.push_back(name);
    }
    auto hint = engine::did_you_mean(text, names);
    if (hint.empty()) hint = fmt::format("it can be {}", fmt::join(names, ", "));
    fail(fmt::format("{} cannot be '{}'", option, text), hint);
    return std::nullopt;
}

}  // namespace callcost::program
