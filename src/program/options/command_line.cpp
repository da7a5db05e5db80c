#include "options/command_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "configuration/configuration_file.hpp"
#include "options/help_formatter.hpp"
#include "text/suggest.hpp"

namespace callcost::program {
namespace {

/// `-n,--limit`: what messages call it.
std::string_view long_name(std::string_view names) {
    const auto begin = names.find("--");
    return begin == std::string::npos ? names : names.substr(begin);
}

/// What a flag is given by CLI11 if nothing stands behind it.
constexpr std::string_view no_value = "\x01";

/// `-q,--quiet` as flags of which CLI11 tells whether a value stood behind them.
std::string flag_names(std::string_view names) {
    std::string result;
    for (const auto& name : split_at(names, ','))
        result += fmt::format("{}{}{{{}}}", result.empty() ? "" : ",", name, no_value);
    return result;
}

void refuse_value(std::string_view names, std::string_view text) {
    if (text != no_value) throw UsageError(fmt::format("{} takes no value", long_name(names)));
}

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

}  // namespace

CommandLine::CommandLine(std::string name) : name_(std::move(name)), app_(std::make_unique<CLI::App>()) {
    app_->get_help_ptr()->group("");
    app_->allow_extras();
}

CommandLine::~CommandLine() = default;

void CommandLine::describe(std::string usage, std::string text) {
    app_->name(fmt::format("callcost {} {}", name_, usage));
    app_->description(std::move(text));
}

void CommandLine::value(std::string_view names, std::string_view placeholder, std::string_view help,
                        Take take) {
    auto take_last = [take = std::move(take)](const CLI::results_t& texts) {
        take(texts.back());
        return true;
    };
    app_->add_option(std::string(names), std::move(take_last), std::string(help))
        ->type_name(std::string(placeholder))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(heading_);
}

void CommandLine::values(std::string_view names, std::string_view placeholder, std::string_view help,
                         Take take) {
    app_->add_option(std::string(names))
        ->description(std::string(help))
        ->type_name(std::string(placeholder))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->each(std::move(take))
        ->group(heading_);
}

void CommandLine::values_or_bare(std::string_view names, std::string_view placeholder, std::string_view help,
                                 Take take) {
    values(names, placeholder, help, [take = std::move(take)](const std::string& text) {
        take(text == no_value ? std::string() : text);
    });
    bare_options_.emplace_back(long_name(names));
}

void CommandLine::value(std::string_view names, std::string_view placeholder, std::string_view help,
                        std::string& target) {
    value(names, placeholder, help, [&target](const std::string& text) { target = text; });
}

void CommandLine::list(std::string_view names, std::string_view placeholder, std::string_view help,
                       std::vector<std::string>& target) {
    values(names, placeholder, help, [&target](const std::string& text) { target.push_back(text); });
}

void CommandLine::flag(std::string_view names, std::string_view help, bool& target) {
    set_by_flag(names, help, target, true);
}

void CommandLine::flag_or_no(std::string_view names, std::string_view help, bool& target) {
    app_->add_flag(fmt::format("{}{{yes}}", names))
        ->description(std::string(help))
        ->type_name("[=yes|no]")
        ->each([names, &target](const std::string& text) {
            target = chosen<bool>(names, text, {{"yes", true}, {"no", false}});
        })
        ->group(heading_);
}

void CommandLine::flag_off(std::string_view names, std::string_view help, bool& target) {
    set_by_flag(names, help, target, false);
}

void CommandLine::set_by_flag(std::string_view names, std::string_view help, bool& target, bool value) {
    app_->add_flag(flag_names(names))
        ->description(std::string(help))
        ->each([names, &target, value](const std::string& text) {
            refuse_value(names, text);
            target = value;
        })
        ->group(heading_);
}

void CommandLine::refused(std::string_view names, std::string message, std::string hint) {
    auto* const option = app_->add_flag(flag_names(names));
    refused_.push_back(option);
    option
        ->each([message = std::move(message), hint = std::move(hint)](const std::string&) {
            throw UsageError(message, hint);
        })
        ->group("");
}

void CommandLine::flag_or_value(std::string_view names, std::string_view missing,
                                std::string_view placeholder, std::string_view help, Take take) {
    const auto text = std::make_shared<std::string>();
    app_->add_flag(fmt::format("{}{{{}}}", names, missing), *text, std::string(help))
        ->type_name(std::string(placeholder))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(heading_);
    check([text, take = std::move(take)] {
        if (!text->empty()) take(*text);
    });
}

void CommandLine::number(std::string_view names, std::string_view help, std::optional<std::size_t>& target) {
    value(names, "N", help, [names, &target](const std::string& text) {
        target.reset();
        if (!text.empty()) target = count_of(names, text);
    });
}

void CommandLine::numbers(std::string_view names, std::string_view help, std::vector<std::uint64_t>& target) {
    values(names, "N,...", help, [names, &target](const std::string& texts) {
        for (const auto& text : listed(texts)) {
            if (text.empty())
                throw UsageError(fmt::format("{} needs numbers, separated by commas", long_name(names)));
            target.push_back(number_of(names, text));
        }
    });
}

void CommandLine::percentage(std::string_view names, std::string_view help, std::optional<double>& target) {
    value(names, "P%", help, [names, &target](const std::string& text) {
        target.reset();
        if (text.empty()) return;
        std::string_view digits = text;
        if (digits.ends_with('%')) digits.remove_suffix(1);
        double percent = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
        if (problem != std::errc() || end != digits.data() + digits.size() ||
            !(percent >= 0 && percent <= 100))  // nan, too
            throw UsageError(
                fmt::format("{} needs a percentage from 0 to 100, not '{}'", long_name(names), text));
        target = percent / 100;
    });
}

void CommandLine::yes_or_no(std::string_view names, std::string_view help, bool& target) {
    choice<bool>(names, "yes|no", help, {{"yes", true}, {"no", false}}, target);
}

void CommandLine::occasion(std::string_view names, std::string_view help, When& target) {
    flag_or_value(names, "always", "[=WHEN]", help, [names, &target](const std::string& text) {
        target = chosen<When>(names, text,
                              {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}});
    });
}

void CommandLine::patterns(std::string_view names, std::string_view help, NameScope usual, Filter& target) {
    values(names, "PATTERN", help, [names, usual, &target](const std::string& text) {
        for (auto& pattern : patterns_of(names, {text}, usual)) target.patterns.push_back(std::move(pattern));
        target.texts.push_back(text);
    });
}

void CommandLine::substitutions(std::string_view names, std::string_view help,
                                std::vector<Substitution>& target) {
    values(names, "s/OLD/NEW/", help, [names, &target](const std::string& text) {
        auto substitution = Substitution::parse(text);
        if (!substitution)
            throw UsageError(fmt::format("invalid value '{}' for {}: {}", text, long_name(names),
                                         substitution.error().message),
                             "such as 's/prog[0-9]+/prog/'");
        target.push_back(*std::move(substitution));
    });
}

void CommandLine::words(std::vector<std::string>& target) {
    app_->add_option("words", target)->group("");
    words_ = &target;
}

void CommandLine::program(std::vector<std::string>& target,
                          std::function<bool(const std::string& word)> is_named) {
    words_ = &target;
    has_program_ = true;
    is_named_ = std::move(is_named);
}

std::vector<std::string> CommandLine::given_words() const { return app_->get_option("words")->results(); }

void CommandLine::subcommand(const std::string& name, const std::string& summary,
                             std::vector<std::string>& target) {
    auto* const command = app_->add_subcommand(name, summary);
    command->group("Subcommands");
    command->set_help_flag();
    command->fallthrough();
    command->add_option("words", target);
    words_ = &target;
    app_->require_subcommand(0, 1);
}

std::string CommandLine::chosen_subcommand() const {
    const auto chosen = app_->get_subcommands();
    return chosen.empty() ? std::string() : chosen.front()->get_name();
}

/// `-o`, `-qo`, `--output`, but not `-oFILE` or `--output=FILE`.
bool CommandLine::takes_next_word(std::string_view option) const {
    const auto takes_value = [this](const std::string& name) {
        const auto* const known = app_->get_option_no_throw(name);
        return known != nullptr && known->get_items_expected_min() > 0;
    };
    if (option.starts_with("--")) return takes_value(std::string(option));
    for (std::size_t i = 1; i < option.size(); ++i)
        if (takes_value({'-', option[i]})) return i + 1 == option.size();
    return false;
}

bool CommandLine::may_be_bare(std::string_view option) const {
    return std::find(bare_options_.begin(), bare_options_.end(), option) != bare_options_.end();
}

CommandLine::OwnWords CommandLine::own_words_of(std::span<const char* const> arguments) const {
    OwnWords own;
    while (own.count < arguments.size()) {
        const std::string_view word = arguments[own.count];
        if (word == "--") break;
        if (has_program_ && !is_option(word) && !own.name) {
            if (!is_named_(std::string(word))) break;
            own.name = own.count;
        }
        ++own.count;
        const bool has_next = own.count < arguments.size();
        if (has_program_ && is_option(word) && takes_next_word(word) && has_next &&
            !(may_be_bare(word) && is_option(arguments[own.count])))
            ++own.count;
    }
    return own;
}

std::span<const char* const> CommandLine::own_words(std::span<const char* const> arguments) const {
    return arguments.first(own_words_of(arguments).count);
}

void CommandLine::parse(std::span<const char* const> arguments) {
    try {
        parse_words(arguments);
    } catch (UsageError& error) {
        error.set_exit_status(usage_status_);
        throw;
    }
}

void CommandLine::parse_words(std::span<const char* const> arguments) {
    const auto own = own_words_of(arguments);
    std::vector<std::string> words(arguments.begin(),
                                   arguments.begin() + static_cast<std::ptrdiff_t>(own.count));
    for (const std::string_view argument : words) {
        if (argument.starts_with("--") && argument.ends_with('='))  // or CLI11 takes the next word
            throw UsageError(fmt::format("{} needs a value", argument.substr(0, argument.size() - 1)));
    }
    if (own.name) {
        has_named_program_ = true;
        words_->push_back(words[*own.name]);
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(*own.name));
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        if (may_be_bare(words[i]) && (i + 1 == words.size() || is_option(words[i + 1])))
            words[i] += fmt::format("={}", no_value);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
        app_->parse(std::move(words));
    } catch (const CLI::ArgumentMismatch& error) {  // "--event: 1 required NAME missing"
        const std::string_view text = error.what();
        throw UsageError(fmt::format("{} needs a value", text.substr(0, text.find(':'))));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    refuse_rest();
    auto rest = arguments.subspan(own.count);
    if (!rest.empty() && rest.front() == std::string_view("--")) rest = rest.subspan(1);
    if (words_ != nullptr) words_->insert(words_->end(), rest.begin(), rest.end());
    for (const auto& completion : completions_) completion();
    for (const auto& rule : rules_) rule();
}

const Configuration& CommandLine::configuration() const {
    if (configuration_) return *configuration_;
    auto read = read_configuration();
    if (!read) {
        UsageError error(read.error().text(), read.error().hint);
        error.set_exit_status(usage_status_);
        throw error;
    }
    return configuration_.emplace(*std::move(read));
}

bool CommandLine::has(const std::string& option) const {
    const auto* const known = app_->get_option_no_throw(option);
    return known != nullptr && std::find(refused_.begin(), refused_.end(), known) == refused_.end();
}

bool CommandLine::is_given(const std::string& option) const { return app_->count(option) > 0; }

void CommandLine::set_default(const ConfiguredOption& configured) {
    auto* const option = app_->get_option(configured.option);
    if (!option->empty()) return;
    try {
        option->add_result(configured.values);
        option->run_callback();
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", configured.place, error.what()), error.hint());
    }
}

void CommandLine::refuse_rest() const {
    const auto rest = app_->remaining(true);
    const auto option = std::find_if(rest.begin(), rest.end(), is_option);
    if (option != rest.end()) {
        const auto unknown = option->substr(0, option->find('='));
        if (unknown == "-")  // what CLI11 leaves of -q=no
            throw UsageError(fmt::format("the option before '{}' takes no value", option->substr(1)));
        std::vector<std::string> names;
        for (const auto* known : app_->get_options())
            if (std::find(refused_.begin(), refused_.end(), known) == refused_.end())
                for (const auto& name : known->get_lnames()) names.push_back(name);
        const auto near = engine::nearest(std::string_view(unknown).substr(unknown.starts_with("--") ? 2 : 0),
                                          std::vector<std::string_view>(names.begin(), names.end()));
        auto hint = near ? fmt::format("did you mean '--{}'?", *near) : std::string();
        if (hint.empty()) hint = fmt::format("'callcost {} --help --all' lists the options", name_);
        throw UnknownOption(unknown, hint);
    }
    const auto subcommands = app_->get_subcommands([](const CLI::App*) { return true; });
    if (!subcommands.empty() && chosen_subcommand().empty()) {
        std::vector<std::string> names;
        names.reserve(subcommands.size());
        for (const auto* command : subcommands) names.push_back(command->get_name());
        auto hint = fmt::format("available: {}", fmt::join(names, ", "));
        if (rest.empty()) throw UsageError(fmt::format("{} needs a subcommand", name_), hint);
        const auto near =
            engine::did_you_mean(rest.front(), std::vector<std::string_view>(names.begin(), names.end()));
        throw UsageError(fmt::format("unknown subcommand '{}'", rest.front()), near.empty() ? hint : near);
    }
    if (!rest.empty())
        throw UsageError(fmt::format("unexpected argument '{}'", rest.front()),
                         has_named_program_ ? "arguments of the program follow a '--'" : "");
}

void CommandLine::examples(const std::vector<std::pair<std::string, std::string>>& lines) {
    for (const auto& [command, text] : lines) examples_.emplace_back("callcost " + command, text);
}

std::string CommandLine::help(std::size_t width, bool lists_all) const {
    const bool is_short = !lists_all && !common_.empty();
    const HelpFormatter formatter(width, {examples_, is_short ? common_ : std::vector<std::string>()});
    auto text = formatter.make_help(app_.get(), app_->get_name(), CLI::AppFormatMode::Normal);
    if (is_short) text += fmt::format("\n'callcost {} --help --all' lists all options.\n", name_);
    return text;
}

void CommandLine::refuse(std::string_view names, const std::string& text,
                         const std::vector<std::string_view>& known) {
    auto hint = engine::did_you_mean(text, known);
    if (hint.empty()) hint = fmt::format("available: {}", fmt::join(known, ", "));
    throw UsageError(fmt::format("invalid value '{}' for {}", text, long_name(names)), hint);
}

std::string help_section(std::string_view heading,
                         const std::vector<std::pair<std::string, std::string>>& rows, std::size_t width) {
    return HelpFormatter(width).section(heading, rows);
}

std::uint64_t number_of(std::string_view names, std::string_view text) {
    std::uint64_t result = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (problem == std::errc() && end == text.data() + text.size()) return result;
    throw UsageError(fmt::format("{} needs a number, not '{}'", long_name(names), text));
}

std::size_t count_of(std::string_view names, std::string_view text) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(number_of(names, text), SIZE_MAX));
}

std::uint64_t size_of_text(std::string_view names, std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> units = {
        {{"", 1}, {"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}}};
    std::uint64_t result = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), result);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    for (const auto& [name, bytes] : units) {
        if (problem == std::errc() && rest == name && result <= UINT64_MAX / bytes) return result * bytes;
    }
    throw UsageError(fmt::format("{} needs a number of bytes, not '{}'", long_name(names), text),
                     "such as 500k, 20M or 1G");
}

Patterns patterns_of(std::string_view names, const std::vector<std::string>& texts, NameScope usual) {
    Patterns result;
    for (const auto& text : texts) {
        auto pattern = parse_pattern(text, usual);
        if (!pattern)
            throw UsageError(
                fmt::format("invalid value '{}' for {}: {}", text, long_name(names), pattern.error().message),
                "a pattern is part of a name, or a regular expression (RE2) between slashes");
        result.push_back(*std::move(pattern));
    }
    return result;
}

std::vector<std::string> listed(std::string_view text) {
    if (text.size() > 1 && text.ends_with(',')) text.remove_suffix(1);
    return split_at(text, ',');
}

std::vector<std::string> split_at(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    for (;;) {
        const auto end = text.find(separator);
        pieces.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return pieces;
        text.remove_prefix(end + 1);
    }
}

}  // namespace callcost::program
