/// The command line of one command: declares options beside the variables that they fill, parses, writes
/// help. command_line.cpp alone knows that CLI11 does it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configuration/configuration.hpp"
#include "options/patterns.hpp"
#include "options/usage_error.hpp"
#include "terminal/terminal.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
class Option;
}  // namespace CLI

namespace callcost::program {

/// What a word of an option means.
template <class Value>
struct Choice {
    std::string_view word;
    Value value;
    bool is_alias = false;  ///< understood, but not listed
};
template <class Value>
using Choices = std::vector<Choice<Value>>;

/// Options are named as `-n,--limit`; their order and headings are those of the help. Of an option that is
/// given more than once the last value counts, except for lists. Targets must outlive parse(), and an option
/// that is not given leaves them as they are.
class CommandLine {
  public:
    explicit CommandLine(std::string name);
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine();

    [[nodiscard]] const std::string& name() const { return name_; }
    /// What follows the name on the command line, and what the command does. Paragraphs end with '\n'.
    void describe(std::string usage, std::string text);
    /// Command lines, without `callcost`, and what they do.
    void examples(const std::vector<std::pair<std::string, std::string>>& lines);
    /// The options that are in the short help, by their long names; without any it has all.
    void common(std::vector<std::string> names) { common_ = std::move(names); }
    /// Of the options that are declared next.
    void heading(std::string text) { heading_ = std::move(text); }

    using Take = std::function<void(const std::string& text)>;
    /// `take` gets the last value and may throw UsageError.
    void value(std::string_view names, std::string_view placeholder, std::string_view help, Take take);
    void value(std::string_view names, std::string_view placeholder, std::string_view help,
               std::string& target);
    /// `take` gets one value after the other.
    void values(std::string_view names, std::string_view placeholder, std::string_view help, Take take);
    /// The same; where no value follows, `take` gets an empty text.
    void values_or_bare(std::string_view names, std::string_view placeholder, std::string_view help,
                        Take take);
    void list(std::string_view names, std::string_view placeholder, std::string_view help,
              std::vector<std::string>& target);
    void flag(std::string_view names, std::string_view help, bool& target);
    /// A flag that `=no` takes back, as callcost.toml may have set it.
    void flag_or_no(std::string_view names, std::string_view help, bool& target);
    /// A flag that makes the target false.
    void flag_off(std::string_view names, std::string_view help, bool& target);
    /// An option that there is not, which people may expect. It is not in the help.
    void refused(std::string_view names, std::string message, std::string hint);
    /// An option whose value may be missing and therefore stands behind a '='. `missing` is what it means
    /// then.
    void flag_or_value(std::string_view names, std::string_view missing, std::string_view placeholder,
                       std::string_view help, Take take);

    void number(std::string_view names, std::string_view help, std::optional<std::size_t>& target);
    /// `1,3` or several options.
    void numbers(std::string_view names, std::string_view help, std::vector<std::uint64_t>& target);
    void percentage(std::string_view names, std::string_view help, std::optional<double>& target);
    void yes_or_no(std::string_view names, std::string_view help, bool& target);
    /// auto, always or never; always if nothing stands behind the option.
    void occasion(std::string_view names, std::string_view help, When& target);
    void patterns(std::string_view names, std::string_view help, NameScope usual, Filter& target);
    void substitutions(std::string_view names, std::string_view help, std::vector<Substitution>& target);
    template <class Value, class Target>
    void choice(std::string_view names, std::string_view placeholder, std::string_view help,
                Choices<Value> choices, Target& target) {
        value(names, placeholder, help,
              [names, choices = std::move(choices), &target](const std::string& text) {
                  if (!text.empty()) target = chosen(names, text, choices);
              });
    }

    /// The words that are neither options nor their values.
    void words(std::vector<std::string>& target);
    /// The first word that is neither an option nor the value of one, and all behind it, whatever they are: a
    /// command line of another program. A `--` before it is dropped. A first word that `is_named` may be
    /// followed by options; what is behind a `--` then goes to the target.
    void program(std::vector<std::string>& target, std::function<bool(const std::string& word)> is_named);
    /// Whether the first word was such a name.
    [[nodiscard]] bool has_named_program() const { return has_named_program_; }
    /// As they were, whoever has taken some since.
    [[nodiscard]] std::vector<std::string> given_words() const;
    /// One of them must be the first word. It gets those behind it; all have the same target.
    void subcommand(const std::string& name, const std::string& summary, std::vector<std::string>& target);
    [[nodiscard]] std::string chosen_subcommand() const;

    /// The project's callcost.toml. Throws UsageError.
    [[nodiscard]] const Configuration& configuration() const;
    [[nodiscard]] bool has(const std::string& option) const;
    [[nodiscard]] bool is_given(const std::string& option) const;
    /// Of an option that was not given.
    void set_default(const ConfiguredOption& configured);
    /// Called after the options of the command line, before all check(): what callcost.toml adds.
    void complete(std::function<void()> completion) { completions_.push_back(std::move(completion)); }
    /// What is wrong with options together: called after all of them, in the order of the declarations.
    void check(std::function<void()> rule) { rules_.push_back(std::move(rule)); }

    /// Of a usage error, instead of 2.
    void usage_status(int status) { usage_status_ = status; }

    /// The words that may be options: those before `--` or the other program.
    [[nodiscard]] std::span<const char* const> own_words(std::span<const char* const> arguments) const;
    /// Throws UsageError.
    void parse(std::span<const char* const> arguments);
    /// Of all options, or of the common ones.
    [[nodiscard]] std::string help(std::size_t width, bool lists_all = true) const;

    template <class Value>
    [[nodiscard]] static Value chosen(std::string_view names, const std::string& text,
                                      const Choices<Value>& choices) {
        std::vector<std::string_view> known;
        for (const auto& choice : choices) {
            if (choice.word == text) return choice.value;
            if (!choice.is_alias) known.push_back(choice.word);
        }
        refuse(names, text, known);
    }

  private:
    [[noreturn]] static void refuse(std::string_view names, const std::string& text,
                                    const std::vector<std::string_view>& known);
    void set_by_flag(std::string_view names, std::string_view help, bool& target, bool value);
    void parse_words(std::span<const char* const> arguments);
    struct OwnWords {
        std::size_t count = 0;            ///< those before the `--`, or the other program
        std::optional<std::size_t> name;  ///< the one of them that is a named program
    };
    [[nodiscard]] OwnWords own_words_of(std::span<const char* const> arguments) const;
    [[nodiscard]] bool takes_next_word(std::string_view option) const;
    [[nodiscard]] bool may_be_bare(std::string_view option) const;
    void refuse_rest() const;

    std::string name_;
    std::string heading_;
    std::unique_ptr<CLI::App> app_;
    std::vector<std::string>* words_ = nullptr;  ///< where those behind `--` go
    std::vector<std::pair<std::string, std::string>> examples_;
    std::vector<std::string> common_;
    bool has_program_ = false;
    bool has_named_program_ = false;
    std::function<bool(const std::string& word)> is_named_;
    std::vector<std::string> bare_options_;
    std::vector<const CLI::Option*> refused_;
    int usage_status_ = 2;
    mutable std::optional<Configuration> configuration_;  ///< read when it is first asked for
    std::vector<std::function<void()>> completions_, rules_;
};

/// A heading with rows of two columns, as in the help of a command.
[[nodiscard]] std::string help_section(std::string_view heading,
                                       const std::vector<std::pair<std::string, std::string>>& rows,
                                       std::size_t width);

/// Throws UsageError unless it is a number.
[[nodiscard]] std::uint64_t number_of(std::string_view names, std::string_view text);
/// The same; the largest there is for any that is larger.
[[nodiscard]] std::size_t count_of(std::string_view names, std::string_view text);
/// `500k`, `20M`, `1G`.
[[nodiscard]] std::uint64_t size_of_text(std::string_view names, std::string_view text);
/// Throws UsageError if one of the words is none.
[[nodiscard]] Patterns patterns_of(std::string_view names, const std::vector<std::string>& texts,
                                   NameScope usual);
/// `A,B` or `A,B,`.
[[nodiscard]] std::vector<std::string> listed(std::string_view text);
[[nodiscard]] std::vector<std::string> split_at(std::string_view text, char separator);

}  // namespace callcost::program
