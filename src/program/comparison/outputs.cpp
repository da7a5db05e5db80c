#include "comparison/outputs.hpp"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "comparison/reports.hpp"
#include "loading/inputs.hpp"
#include "output/written_profile.hpp"
#include "sources/source_files.hpp"
#include "terminal/output.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t log_width =
    120;  // columns of text for what is no terminal, such as the log of a CI job

class Outputs {
  public:
    Outputs(const Comparison& comparison, const ComparisonOptions& options, const Console& console)
        : comparison_(comparison),
          options_(options),
          console_(console),
          limit_(limit_or(options.limit, options.output, 10)) {}

    Exit write() {
        auto exit = write_standard_output();
        const auto also = [&](Exit other) {  // one that fails does not keep others from being written
            if (exit == Exit::ok) exit = other;
        };
        for (const DiffOutput& output : options_.outputs) also(write_file(output));
        if (is_for_github()) also(write_github_files());
        return exit;
    }

  private:
    [[nodiscard]] bool is_for_github() const {
        switch (options_.github) {
            case When::always:
                return true;
            case When::never:
                return false;
            case When::automatic:
                break;
        }
        return environment("GITHUB_ACTIONS") == "true";
    }
    [[nodiscard]] static std::string workspace() {
        return environment("GITHUB_WORKSPACE").value_or(std::string());
    }

    /// Appends to `out`; the style is that of the device.
    Result<void> append(std::string& out, DiffFormat format, const engine::Style& style) const {
        switch (format) {
            case DiffFormat::text:
                write_text(out, comparison_, limit_, options_.verdict, style);
                break;
            case DiffFormat::json:
                write_json(out, comparison_);
                break;
            case DiffFormat::csv:
                write_csv(out, comparison_, csv_names(options_.output));
                break;
            case DiffFormat::markdown:
                write_markdown(out, comparison_, limit_, max_comment_bytes);
                break;
            case DiffFormat::junit:
                write_junit(out, comparison_);
                break;
            case DiffFormat::github:
                write_github(out, comparison_, workspace());
                break;
            case DiffFormat::openmetrics:
                write_openmetrics(out, comparison_, limit_);
                break;
            case DiffFormat::benchmark_action:
                write_benchmark_action(out, comparison_, limit_);
                break;
            case DiffFormat::quickfix:
                write_quickfix(out, comparison_, limit_, [finder = source_finder()](std::string_view name) {
                    return finder->path_here(name);
                });
                break;
            case DiffFormat::folded:
                return write_folded(comparison_, to_memory(out));
        }
        return {};
    }

    /// Of the new profile.
    [[nodiscard]] std::shared_ptr<SourceFinder> source_finder() const {
        auto search = source_search(comparison_.diff.after().profile(), options_.sources);
        const auto& own = options_.sources_after;
        search.include_dirs.insert(search.include_dirs.begin(), own.directories.begin(),
                                   own.directories.end());
        search.source_map.insert(search.source_map.end(), own.map.begin(), own.map.end());
        search.is_beside_profile = true;
        return std::make_shared<SourceFinder>(std::move(search));
    }

    /// GitHub takes what begins a line with `::`, or has `##[` anywhere, for a command; names come from
    /// anywhere.
    static std::string without_commands(std::string_view text) {
        std::string harmless;
        bool is_at_begin = true;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto rest = text.substr(i);
            if (is_at_begin && rest.starts_with("::")) harmless += '\\';
            // Blanks come in many forms beyond ASCII.
            const bool may_be_blank =
                text[i] == ' ' || text[i] == '\t' || static_cast<unsigned char>(text[i]) >= 0x80;
            is_at_begin = text[i] == '\n' || (is_at_begin && may_be_blank);
            harmless += text[i];
            if (rest.starts_with("##[")) harmless += ' ';
        }
        return harmless;
    }

    Exit write_standard_output() const {
        Output output(console_);
        const auto format = options_.format;
        auto style = console_.out;
        if (!console_.out_is_terminal && !options_.output.raw) style.width = log_width;
        if (auto done = append(output.text(), format, style); !done) {
            report_unwritten(console_, "-", done.error());
            return Exit::error;
        }
        if (is_for_github() && format == DiffFormat::text) {
            output.text() = without_commands(output.text());
            write_github(output.text(), comparison_, workspace());
        }
        return output.finish() ? Exit::ok : Exit::error;
    }

    Exit write_file(const DiffOutput& output) const {
        auto inputs = comparison_.before.files;
        inputs.insert(inputs.end(), comparison_.after.files.begin(), comparison_.after.files.end());
        if (!options_.accept.empty()) inputs.push_back(options_.accept);
        return program::write_file(output.path, inputs, console_, [&](const Sink& sink) -> Result<void> {
            std::string text;
            if (auto done = append(text, output.format, {}); !done) return done;
            return sink(text);
        });
    }

    /// The files that GitHub Actions names; those of other steps' texts are in them already.
    Exit write_github_files() const {
        auto exit = Exit::ok;
        if (const auto path = environment("GITHUB_STEP_SUMMARY"); path && !path->empty()) {
            std::string text;
            write_markdown(text, comparison_, std::max<std::size_t>(limit_, 25), max_summary_bytes);
            exit = append_to_file(*path, text);
        }
        if (const auto path = environment("GITHUB_OUTPUT"); path && !path->empty() && exit == Exit::ok) {
            const Change total = comparison_.diff.total();
            exit = append_to_file(*path, fmt::format("regression={}\ndelta={}\nbefore={}\nafter={}\n",
                                                     comparison_.is_broken() ? "true" : "false",
                                                     total.delta(), total.before, total.after));
        }
        const auto format = options_.format;
        if (format != DiffFormat::text && format != DiffFormat::github) {
            std::string text;
            write_github(text, comparison_, workspace());
            console_.print_error(text);
        }
        return exit;
    }
    Exit append_to_file(const std::string& path, std::string_view text) const {
        std::FILE* const file = std::fopen(path.c_str(), "abe");
        bool is_done = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
        if (file != nullptr) is_done = std::fclose(file) == 0 && is_done;
        if (is_done) return Exit::ok;
        console_.say(Severity::error, fmt::format("cannot write {}", engine::display_name(path)), {});
        return Exit::error;
    }

    const Comparison& comparison_;
    const ComparisonOptions& options_;
    const Console& console_;
    std::size_t limit_;
};

}  // namespace

Exit write_outputs(const Comparison& comparison, const ComparisonOptions& options, const Console& console) {
    return Outputs(comparison, options, console).write();
}

}  // namespace callcost::program
