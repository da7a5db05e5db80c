#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

// One file needs it: headers only, so that the command does not load one more library whenever it starts.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(expr) \
    static_assert(true)  // toml++ 3.3 asserts what it reports as an error right after: "[{"
#include <fmt/format.h>
#include <toml++/toml.h>

#include "configuration/configuration.hpp"
#include "text/names.hpp"
#include "text/suggest.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

using engine::display_name;

/// Dotted keys nest as deep as they have dots, and toml++ frees tables recursively.
constexpr std::ptrdiff_t most_dots = 4'000;

/// What the value of a key is.
enum class ValueKind : std::uint8_t { flag, number, text, texts, list, path, paths, mappings };

struct Key {
    std::string_view name;
    ValueKind kind;
    std::string_view option;  ///< empty: it is no option
};

constexpr std::array source_keys = {
    Key{"include", ValueKind::paths, "--include"},
    Key{"source-map", ValueKind::mappings, "--source-map"},
};
constexpr std::array gate_keys = {
    Key{"compare", ValueKind::paths, "--compare"},
    Key{"fail-if", ValueKind::texts, "--fail-if"},
    Key{"accept", ValueKind::path, "--accept"},
    Key{"fail-on-improvement", ValueKind::flag, "--fail-on-improvement"},
};
constexpr std::array program_keys = {
    Key{"program", ValueKind::text, ""},
    Key{"args", ValueKind::list, ""},
    Key{"directory", ValueKind::path, "--directory"},
    Key{"cache", ValueKind::flag, "--cache"},
    Key{"branches", ValueKind::flag, "--branches"},
    Key{"lines", ValueKind::flag, "--lines"},
    Key{"callers", ValueKind::number, "--callers"},
    Key{"threads", ValueKind::flag, "--threads"},
    Key{"children", ValueKind::flag, "--children"},
    Key{"only", ValueKind::texts, "--only"},
    Key{"from", ValueKind::texts, "--from"},
    Key{"start", ValueKind::text, "--start"},
    Key{"tool", ValueKind::text, "--tool"},
    Key{"sample", ValueKind::flag, "--sample"},
    Key{"valgrind", ValueKind::texts, "--valgrind"},
    Key{"perf", ValueKind::texts, "--perf"},
    Key{"output", ValueKind::path, "--output"},
    Key{"repeat", ValueKind::number, "--repeat"},
    Key{"add", ValueKind::flag, "--add"},
    Key{"series", ValueKind::text, "--series"},
};

std::string_view description_of(ValueKind kind) {
    switch (kind) {
        case ValueKind::flag:
            return "true or false";
        case ValueKind::number:
            return "a whole number, 0 or more";
        case ValueKind::text:
        case ValueKind::path:
            return "a text in quotes";
        case ValueKind::texts:
        case ValueKind::paths:
            return R"(a text in quotes, or a list of them: ["a", "b"])";
        case ValueKind::list:
            return R"(a list of texts in quotes: ["a", "b"])";
        case ValueKind::mappings:
            return R"(a table: { "OLD" = "NEW" })";
    }
    return {};
}

class ConfigurationReading {
  public:
    explicit ConfigurationReading(const std::string& path)
        : path_(path), directory_(fs::path(path).parent_path().string()) {}

    tl::expected<Configuration, ConfigurationError> read(std::string_view text) {
        if (std::count(text.begin(), text.end(), '.') > most_dots)
            return tl::unexpected(ConfigurationError{path_, "too many dots: this is no configuration", {}});
        const auto parsed = toml::parse(text);
        if (!parsed) return tl::unexpected(syntax_error(parsed.error()));
        Configuration result;
        result.path = path_;
        read_file(parsed.table(), result);
        if (problem_) return tl::unexpected(*std::move(problem_));
        return result;
    }

  private:
    // --- errors: the first counts ---

    [[nodiscard]] std::string place_of(const toml::source_region& source) const {
        return fmt::format("{}:{}:{}", display_name(path_), source.begin.line, source.begin.column);
    }

    void fail(const toml::source_region& source, std::string message, std::string hint = {}) {
        if (!problem_) problem_ = ConfigurationError{place_of(source), std::move(message), std::move(hint)};
    }

    /// "Error while parsing string: expected ..."
    [[nodiscard]] ConfigurationError syntax_error(const toml::parse_error& error) const {
        std::string_view text = error.description();
        if (const auto colon = text.find(": ");
            text.starts_with("Error while") && colon != std::string_view::npos)
            text.remove_prefix(colon + 2);
        return {place_of(error.source()), display_name(text),
                "the syntax is TOML (https://toml.io); 'callcost record --init' writes an example"};
    }

    void refuse_key(const toml::key& key, std::string_view where,
                    const std::vector<std::string_view>& known) {
        auto hint = engine::did_you_mean(key.str(), known);
        if (hint.empty()) hint = fmt::format("available: {}", fmt::join(known, ", "));
        fail(key.source(), fmt::format("unknown key '{}'{}", display_name(key.str()), where), hint);
    }

    // --- tables ---

    void read_file(const toml::table& file, Configuration& result) {
        for (const auto& [key, value] : file) {
            if (key.str() != "sources" && key.str() != "gate" && key.str() != "record") {
                refuse_key(key, "", {"sources", "gate", "record"});
                continue;
            }
            const auto* table = value.as_table();
            if (table == nullptr) {
                fail(key.source(), fmt::format("'{}' is a table", key.str()),
                     fmt::format("[{}{}]", key.str(), key.str() == "record" ? ".NAME" : ""));
            } else if (key.str() == "sources") {
                read_options(*table, "[sources]", source_keys, result.sources);
                for (const auto& option : result.sources) check_inside(option);
            } else if (key.str() == "gate") {
                read_options(*table, "[gate]", gate_keys, result.gate);
                for (const auto& option : result.gate)
                    if (option.option == "--accept") check_inside(option);
            } else {
                for (const auto& [name, program] : *table) read_program(name, program, result);
            }
        }
    }

    void read_options(const toml::table& table, const std::string& where, std::span<const Key> keys,
                      std::vector<ConfiguredOption>& target) {
        for (const auto& [key, value] : table) {
            const auto known = std::find_if(keys.begin(), keys.end(),
                                            [&, &k = key](const Key& each) { return each.name == k.str(); });
            if (known != keys.end()) {
                add_option(*known, key, value, target);
                continue;
            }
            std::vector<std::string_view> names;
            for (const auto& each : keys) names.push_back(each.name);
            refuse_key(key, " in " + where, names);
        }
    }

    void read_program(const toml::key& name, const toml::node& value, Configuration& result) {
        const auto where = fmt::format("[record.{}]", display_name(name.str()));
        if (name.str().empty() || name.str().starts_with('-') || name.str().find('/') != std::string::npos)
            return fail(name.source(),
                        fmt::format("'{}' cannot be the name of a program", display_name(name.str())),
                        "it begins with no '-' and has no '/'");
        const auto* table = value.as_table();
        if (table == nullptr)
            return fail(name.source(), fmt::format("unknown key '{}' in [record]", display_name(name.str())),
                        "programs are tables: [record.NAME]");
        std::vector<Key> keys(program_keys.begin(), program_keys.end());
        keys.insert(keys.end(), gate_keys.begin(), gate_keys.end());
        std::vector<ConfiguredOption> options;
        read_options(*table, where, keys, options);
        ConfiguredProgram program;
        bool is_elsewhere = false;
        for (auto& option : options) {
            if (option.option.empty()) continue;  // what is not an option is read below
            is_elsewhere = is_elsewhere || option.option == "--directory";
            const bool is_gate = std::any_of(gate_keys.begin(), gate_keys.end(),
                                             [&](const Key& key) { return key.option == option.option; });
            if (option.option == "--accept" || option.option == "--output") check_inside(option);
            (is_gate ? program.gate : program.options).push_back(std::move(option));
        }
        if (const auto* words = table->get("args")) program.arguments = texts_of(*words);
        program.program = table->get("program") == nullptr ? "" : (*table)["program"].value_or(std::string());
        if (program.program.empty())
            return fail(name.source(), where + " has no program", "program = \"build/program\"");
        std::error_code problem;
        if (is_elsewhere && program.program.find('/') != std::string::npos)
            if (const auto path = fs::absolute(from_here(program.program), problem); !problem)
                program.program = path.lexically_normal().string();
        if (!is_elsewhere && !directory_.empty())
            program.options.push_back({"--directory", {directory_}, place_of(name.source())});
        result.programs.emplace(name.str(), std::move(program));
    }

    // --- values ---

    void add_option(const Key& key, const toml::key& name, const toml::node& value,
                    std::vector<ConfiguredOption>& target) {
        auto values = values_of(key.kind, value);
        const auto is_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
        if (!values) {
            fail(value.source(),
                 fmt::format("the value of '{}' is not {}", key.name, description_of(key.kind)));
        } else if (std::any_of(values->begin(), values->end(), is_nul)) {
            fail(value.source(), fmt::format("'{}' has a NUL character", key.name));
        } else if (!values->empty()) {
            target.push_back({std::string(key.option), *std::move(values), place_of(name.source())});
        }
    }

    [[nodiscard]] std::optional<std::vector<std::string>> values_of(ValueKind kind,
                                                                    const toml::node& value) const {
        const bool is_path = kind == ValueKind::path || kind == ValueKind::paths;
        const bool may_be_list =
            kind == ValueKind::texts || kind == ValueKind::list || kind == ValueKind::paths;
        if (kind == ValueKind::flag) {
            const auto* flag = value.as_boolean();
            if (flag == nullptr) return std::nullopt;
            return std::vector<std::string>{flag->get() ? "yes" : "no"};
        }
        if (kind == ValueKind::number) {
            const auto* number = value.as_integer();
            if (number == nullptr || number->get() < 0) return std::nullopt;
            return std::vector<std::string>{std::to_string(number->get())};
        }
        if (kind == ValueKind::mappings) return mappings_of(value);
        if (value.is_string() ? kind == ValueKind::list : !may_be_list) return std::nullopt;
        auto texts = texts_of(value);
        if (!value.is_string() && (!value.is_array() || texts.size() != value.as_array()->size()))
            return std::nullopt;
        if (is_path)
            for (auto& text : texts) text = from_here(text);
        return texts;
    }

    /// A text, or those of a list.
    [[nodiscard]] static std::vector<std::string> texts_of(const toml::node& value) {
        if (const auto* text = value.as_string()) return {text->get()};
        std::vector<std::string> texts;
        if (const auto* list = value.as_array())
            for (const auto& each : *list)
                if (const auto* text = each.as_string()) texts.push_back(text->get());
        return texts;
    }

    [[nodiscard]] std::optional<std::vector<std::string>> mappings_of(const toml::node& value) const {
        const auto* table = value.as_table();
        if (table == nullptr) return std::nullopt;
        std::vector<std::string> mappings;
        for (const auto& [old, target] : *table) {
            const auto* text = target.as_string();
            if (text == nullptr || old.str().empty() || old.str().find('=') != std::string_view::npos)
                return std::nullopt;
            mappings.push_back(fmt::format("{}={}", old.str(), from_here(text->get())));
        }
        return mappings;
    }

    /// A path of the file, as it is from the working directory.
    [[nodiscard]] std::string from_here(const std::string& path) const {
        return directory_.empty() ? path : (fs::path(directory_) / path).lexically_normal().string();
    }

    /// A file that came with a project must not be able to have others shown (pages show the source files
    /// below directories, an error the line that is wrong) or replaced.
    void check_inside(const ConfiguredOption& option) {
        std::error_code ignored;
        const auto project = fs::weakly_canonical(directory_.empty() ? "." : directory_, ignored);
        for (const auto& value : option.values) {
            const auto target = option.option == "--include" ? value : value.substr(value.find('=') + 1);
            const auto absolute = fs::absolute(target, ignored);
            const auto real = fs::weakly_canonical(absolute, ignored);
            if (std::mismatch(project.begin(), project.end(), real.begin(), real.end()).first ==
                    project.end() ||
                problem_)
                continue;
            problem_ = ConfigurationError{
                option.place, fmt::format("'{}' is outside of the project", display_name(target)),
                fmt::format("on the command line, {} may name any place", option.option)};
        }
    }

    const std::string& path_;
    std::string directory_;  // of the file; empty: the working directory
    std::optional<ConfigurationError> problem_;
};

}  // namespace

tl::expected<Configuration, ConfigurationError> parse_configuration(std::string_view text,
                                                                    const std::string& path) {
    return ConfigurationReading(path).read(text);
}

}  // namespace callcost::program
