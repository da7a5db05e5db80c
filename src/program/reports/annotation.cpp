#include "reports/annotation.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sources/recorded_path.hpp"
#include "text/diagnostics.hpp"
#include "text/input_names.hpp"
#include "text/names.hpp"
#include "text/profile_facts.hpp"
#include "text/suggest.hpp"
#include "text/system_files.hpp"

namespace callcost::program {
namespace {

constexpr FileId unknown_file{0U};

using Components = std::vector<std::string_view>;

Components components(std::string_view path) {
    Components pieces;
    while (!path.empty()) {
        const auto slash = path.find_first_of("/\\");
        if (slash != 0) pieces.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) break;
        path.remove_prefix(slash + 1);
    }
    return pieces;
}

/// How many components two paths have in common, counted from their ends.
std::size_t common_end(const Components& a, const Components& b) {
    const auto ends = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    return static_cast<std::size_t>(ends.first - a.rbegin());
}

class Annotating {
  public:
    Annotating(const PreparedProfile& prepared, const AnnotationOptions& options, const Console& console)
        : prepared_(prepared),
          options_(options),
          console_(console),
          finder_(source_search(prepared.profile(), options.sources)) {}

    tl::expected<Annotation, Exit> run() {
        say_which_directories_are_missing();
        if (!choose_named_files()) return tl::unexpected(Exit::error);
        result_.measures = measures_to_show(prepared_, options_.output);
        if (is_named_.empty() && !options_.all_files) return std::move(result_);
        if (!is_any_text_found()) return std::move(result_);
        if (!choose_files_by_cost() || !annotate_files()) return tl::unexpected(Exit::error);
        return std::move(result_);
    }

  private:
    [[nodiscard]] const CallGraph& graph() const { return prepared_.graph; }
    [[nodiscard]] const Profile& profile() const { return prepared_.profile(); }

    void say_which_directories_are_missing() const {
        for (const auto& directory : options_.sources.include_directories) {
            std::error_code ignored;
            if (std::filesystem::is_directory(directory, ignored)) continue;
            console_.say(Severity::warning, fmt::format("--include: there is no directory '{}'",
                                                        engine::display_name(directory)));
        }
    }

    /// What was named on the command line besides profiles. False if the profile does not know it either.
    bool choose_named_files() {
        if (prepared_.not_profiles.empty()) return true;
        is_named_.assign(profile().file_count(), false);
        std::vector<Components> paths;
        for (std::size_t row = 0; row < profile().file_count(); ++row)
            paths.push_back(components(profile().name(FileId(row))));
        for (const auto& failure : prepared_.not_profiles) {
            const auto& name = failure.file;
            const auto matches = files_called(components(name), paths);
            if (matches.empty()) return report_stranger(failure, paths);
            std::error_code ignored;
            for (const auto file : matches) {
                is_named_[file.value] = true;
                if (std::filesystem::is_regular_file(name, ignored)) own_path_.emplace(file, name);
            }
        }
        return true;
    }

    /// The files whose paths agree with the name best, counted from the end, and in one component at least.
    static std::vector<FileId> files_called(const Components& name, const std::vector<Components>& paths) {
        std::size_t best = 1;
        std::vector<FileId> matches;
        for (std::size_t row = 1; row < paths.size(); ++row) {
            const auto common = common_end(name, paths[row]);
            if (common > best) matches.clear();
            if (common >= best) matches.emplace_back(row);
            best = std::max(best, common);
        }
        return matches;
    }

    /// Arguments that are neither profiles nor names of source files.
    bool report_stranger(const Failure& failure, const std::vector<Components>& paths) const {
        std::vector<std::string_view> names;
        for (const auto& pieces : std::span(paths).subspan(1)) {
            if (!pieces.empty()) names.push_back(pieces.back());
        }
        const auto pieces = components(failure.file);
        auto hint = pieces.empty() ? std::string() : engine::did_you_mean(pieces.back(), names);
        if (hint.empty()) hint = "the profile names no such source file either";
        program::report(console_, failure, hint);
        return false;
    }

    /// The text, which is kept, or why there is none.
    tl::expected<SourceText*, SourceProblem> text_of(FileId file) {
        const auto known = texts_.find(file);
        if (known != texts_.end()) return &known->second;
        const auto own_path = own_path_.find(file);
        // What is there now may not be what was measured.
        if (auto text = finder_.find_in_commits(profile().name(file)))
            return &texts_.emplace(file, *std::move(text)).first->second;
        auto text = own_path == own_path_.end()
                        ? finder_.find(profile().name(file))
                        : load_source(own_path->second, SourceFinderOptions{}.max_bytes);
        if (!text) return tl::unexpected(std::move(text).error());
        return &texts_.emplace(file, *std::move(text)).first->second;
    }

    [[nodiscard]] bool is_named(FileId file) const { return !is_named_.empty() && is_named_[file.value]; }

    [[nodiscard]] bool is_only_listed(FileId file) const {
        return !options_.system_files && is_named_.empty() && engine::is_system_file(profile().name(file));
    }

    /// Files by what is known without looking at cost lines.
    [[nodiscard]] std::vector<FileCost> files_by_function_cost() const {
        auto files = files_by_defined_cost(graph(), prepared_.measure);
        std::erase_if(files, [&](const FileCost& file) {
            return file.file == unknown_file || (!is_named_.empty() && !is_named(file.file));
        });
        return files;
    }

    /// If not, all files are missing.
    bool is_any_text_found() {
        const auto files = files_by_function_cost();
        auto& missing = result_.missing;
        missing.reserve(files.size());
        for (const auto& file : files) {
            if (is_only_listed(file.file)) {
                if (file.absolute != 0) result_.system.push_back(file);
                continue;
            }
            auto text = text_of(file.file);
            if (text) {
                missing = {};
                result_.system = {};
                return true;
            }
            if (file.absolute != 0) missing.push_back({file.file, std::move(text).error(), file.cost});
        }
        return false;
    }

    /// The most expensive files that make up the threshold together, or those that were named.
    bool choose_files_by_cost() {
        const auto files = files_by_located_cost(graph(), prepared_.measure);
        if (!files) return report(files.error());
        result_.costs_are_located = true;
        auto& accounting = result_.accounting;
        const auto wanted =
            covering(*files, options_.threshold.value_or(default_coverage), graph().total(prepared_.measure));
        for (std::size_t i = 0; i < files->size(); ++i) {
            const auto [file, cost, absolute] = (*files)[i];
            result_.absolute += absolute;
            const bool is_wanted = is_named_.empty() ? i < wanted : is_named(file);
            if (file == unknown_file) {
                accounting.unknown_file = cost;
            } else if (absolute == 0 && !is_named(file)) {
                continue;
            } else if (!is_wanted) {
                accounting.omitted += cost;
                ++result_.omitted_files;
            } else if (is_only_listed(file)) {
                accounting.system += cost;
                result_.system.push_back((*files)[i]);
            } else if (auto text = text_of(file)) {
                chosen_.push_back(file);
            } else {
                accounting.missing += cost;
                result_.missing.push_back({file, std::move(text).error(), cost});
            }
        }
        return true;
    }

    bool annotate_files() {
        auto all_lines = file_lines(graph(), chosen_, result_.measures.all);
        if (!all_lines) return report(all_lines.error());
        const auto time = profile_time(profile());
        for (auto& lines : *all_lines) {
            auto text = std::move(texts_.at(lines.file));
            const bool is_newer = time && text.newer_than(*time);
            account_for(cost_in_text(lines, text.line_count()));
            result_.files.push_back({std::move(lines), std::move(text), is_newer});
        }
        return true;
    }

    void account_for(const CostInText& cost) {
        auto& sum = result_.accounting.in_texts;
        sum.lines += cost.lines;
        sum.no_line += cost.no_line;
        sum.past_end += cost.past_end;
    }

    bool report(const Error& error) const {
        console_.say(Severity::error, error.message(), error.hint());
        return false;
    }

    const PreparedProfile& prepared_;
    const AnnotationOptions& options_;
    const Console& console_;
    SourceFinder finder_;
    std::map<FileId, SourceText> texts_;
    std::vector<bool> is_named_;              // by file; empty: nothing was named
    std::map<FileId, std::string> own_path_;  // files of which the user has said where they are
    std::vector<FileId> chosen_;
    Annotation result_;
};

}  // namespace

LineMeasures measures_to_show(const PreparedProfile& prepared, const OutputOptions& options) {
    LineMeasures measures{{prepared.measure}, {}};
    const bool are_chosen = !prepared.shown.empty();
    if (!are_chosen) measures.shown.push_back(0);
    if (!are_chosen && options.is_text()) return measures;
    for (auto& measure : options.csv ? table_measures(prepared) : machine_measures(prepared)) {
        if (measure.name == prepared.measure.name) {
            if (are_chosen) measures.shown.push_back(0);
            continue;
        }
        measures.shown.push_back(measures.all.size());
        measures.all.push_back(std::move(measure));
    }
    return measures;
}

tl::expected<Annotation, Exit> annotate(const PreparedProfile& prepared, const AnnotationOptions& options,
                                        const Console& console) {
    return Annotating(prepared, options, console).run();
}

}  // namespace callcost::program
