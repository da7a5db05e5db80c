#include "cli/annotation.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/suggest.hpp"
#include "render/diagnostics.hpp"
#include "render/names.hpp"
#include "render/profile_facts.hpp"

namespace callcost::cli {
namespace {

using SourceResult = tl::expected<code::SourceText, code::SourceProblem>;

constexpr double usual_threshold = 0.99;
constexpr FileId unknown_file{0U};

struct FileCost {
    FileId file;
    std::int64_t cost = 0;
};

std::int64_t add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::vector<std::string_view> components(std::string_view path) {
    std::vector<std::string_view> pieces;
    while (!path.empty()) {
        const auto slash = path.find_first_of("/\\");
        if (slash != 0) pieces.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) break;
        path.remove_prefix(slash + 1);
    }
    return pieces;
}

/// How many components two paths have in common, counted from their ends.
std::size_t common_end(std::string_view a, std::string_view b) {
    const auto left = components(a);
    const auto right = components(b);
    const auto ends = std::mismatch(left.rbegin(), left.rend(), right.rbegin(), right.rend());
    return static_cast<std::size_t>(ends.first - left.rbegin());
}

/// When the oldest of the profile's files was written: sources changed later may not be what was measured.
std::optional<code::FileTime> profile_time(const Profile& profile) {
    std::optional<code::FileTime> oldest;
    for (const auto& source : profile.sources()) {
        const auto time =
            render::is_standard_input(source) ? std::nullopt : code::modification_time(source.name);
        if (time && (!oldest || *time < *oldest)) oldest = time;
    }
    return oldest;
}

code::SourceFinderOptions finder_options(const Profile& profile, const Options& options) {
    code::SourceFinderOptions wanted;
    wanted.include_dirs = options.include_directories;
    for (const auto& [from, to] : options.source_maps) wanted.source_map.push_back({from, to});
    const auto sources = profile.sources();
    if (!sources.empty() && !render::is_standard_input(sources.front())) {
        wanted.profile_directory = std::filesystem::path(sources.front().name).parent_path().string();
    }
    return wanted;
}

class Annotating {
  public:
    Annotating(const Prepared& prepared, const Options& options, const Console& console)
        : prepared_(prepared),
          options_(options),
          console_(console),
          finder_(finder_options(prepared.profile(), options)) {}

    tl::expected<Annotation, Exit> run() {
        if (!choose_named_files()) return tl::unexpected(Exit::usage);
        result_.measures = measures_to_show();
        if (!is_any_text_found()) {
            list_missing_files();
            return std::move(result_);
        }
        if (!choose_files_by_cost() || !annotate_files()) return tl::unexpected(Exit::error);
        return std::move(result_);
    }

  private:
    [[nodiscard]] const CallGraph& graph() const { return prepared_.graph; }
    [[nodiscard]] const Profile& profile() const { return prepared_.profile(); }

    std::vector<Measure> measures_to_show() const {
        std::vector<Measure> measures = {prepared_.measure};
        if (!options_.json) return measures;
        for (auto& measure : machine_measures(prepared_)) {
            if (measure.name != prepared_.measure.name) measures.push_back(std::move(measure));
        }
        return measures;
    }

    /// What was named on the command line besides profiles. False if it is nothing the profile knows.
    bool choose_named_files() {
        for (const auto& name : prepared_.not_profiles) {
            std::size_t best = 1;
            std::vector<FileId> matches;
            for (std::size_t row = 1; row < profile().file_count(); ++row) {
                const auto common = common_end(name, profile().name(FileId(row)));
                if (common > best) matches.clear();
                if (common >= best) matches.emplace_back(row);
                best = std::max(best, common);
            }
            if (matches.empty()) return report_stranger(name);
            std::error_code ignored;
            for (const auto file : matches) {
                named_.push_back(file);
                if (std::filesystem::is_regular_file(name, ignored)) own_path_.emplace(file, name);
            }
        }
        return true;
    }

    bool report_stranger(const std::string& name) const {
        std::vector<std::string_view> names;
        for (std::size_t row = 1; row < profile().file_count(); ++row) {
            const auto pieces = components(profile().name(FileId(row)));
            if (!pieces.empty()) names.push_back(pieces.back());
        }
        const auto pieces = components(name);
        console_.say(Severity::error,
                     fmt::format("'{}' is neither a profile nor a source file that the profile names",
                                 render::display_name(name)),
                     pieces.empty() ? std::string() : did_you_mean(pieces.back(), names));
        return false;
    }

    const SourceResult& text_of(FileId file) {
        const auto known = texts_.find(file);
        if (known != texts_.end()) return known->second;
        const auto own_path = own_path_.find(file);
        auto text = own_path == own_path_.end()
                        ? finder_.find(profile().name(file))
                        : code::load_source(own_path->second, code::SourceFinderOptions{}.most_bytes);
        return texts_.emplace(file, std::move(text)).first->second;
    }

    /// Files by the self cost of the functions defined in them, costliest first: known without looking at
    /// cost lines.
    std::vector<FileCost> files_by_function_cost() const {
        std::vector<FileCost> files;
        for (std::size_t row = 0; row < profile().file_count(); ++row) files.push_back({FileId(row)});
        for (std::size_t node = 0; node < graph().size(); ++node) {
            auto& file = files[profile().file(graph().function(NodeId(node))).value];
            file.cost = add(file.cost, graph().self(NodeId(node), prepared_.measure));
        }
        files.erase(files.begin());  // the unknown one
        if (!named_.empty()) {
            std::erase_if(files, [&](const FileCost& file) {
                return std::find(named_.begin(), named_.end(), file.file) == named_.end();
            });
        }
        sort_by_cost(files);
        return files;
    }

    void sort_by_cost(std::vector<FileCost>& files) const {
        std::sort(files.begin(), files.end(), [&](const FileCost& a, const FileCost& b) {
            return a.cost != b.cost ? a.cost > b.cost : profile().name(a.file) < profile().name(b.file);
        });
    }

    bool is_any_text_found() {
        const auto files = files_by_function_cost();
        return std::any_of(files.begin(), files.end(),
                           [&](const FileCost& file) { return text_of(file.file).has_value(); });
    }

    void list_missing_files() {
        for (const auto& file : files_by_function_cost()) {
            if (file.cost == 0) continue;
            result_.missing.push_back({file.file, text_of(file.file).error(), file.cost});
        }
    }

    /// The costliest files that make up the threshold together, or those that were named.
    bool choose_files_by_cost() {
        const auto located = located_costs(graph(), prepared_.measure);
        if (!located) return report(located.error());
        result_.costs_are_located = true;
        std::vector<FileCost> files;
        for (std::size_t row = 0; row < located->size(); ++row)
            files.push_back({FileId(row), (*located)[row]});
        sort_by_cost(files);

        auto& accounting = result_.accounting;
        const auto wanted = options_.threshold.value_or(usual_threshold) *
                            static_cast<double>(graph().total(prepared_.measure));
        double so_far = 0;
        for (const auto& file : files) {
            const bool is_named = std::find(named_.begin(), named_.end(), file.file) != named_.end();
            const bool is_wanted = named_.empty() ? so_far < wanted || wanted <= 0 : is_named;
            so_far += static_cast<double>(file.cost);
            if (file.file == unknown_file) {
                accounting.unknown_file = file.cost;
            } else if (file.cost == 0 && !is_named) {
                continue;
            } else if (!is_wanted) {
                accounting.omitted = add(accounting.omitted, file.cost);
                ++result_.omitted_files;
            } else if (text_of(file.file)) {
                chosen_.push_back(file.file);
            } else {
                accounting.missing = add(accounting.missing, file.cost);
                result_.missing.push_back({file.file, text_of(file.file).error(), file.cost});
            }
        }
        return true;
    }

    bool annotate_files() {
        auto all_lines = file_lines(graph(), chosen_, result_.measures);
        if (!all_lines) return report(all_lines.error());
        const auto time = profile_time(profile());
        for (const auto file : chosen_) {
            const auto lines = std::find_if(all_lines->begin(), all_lines->end(),
                                            [&](const FileLines& l) { return l.file == file; });
            if (lines == all_lines->end()) continue;
            AnnotatedFile annotated{std::move(*lines), *std::move(texts_.at(file)), false};
            annotated.is_newer = time && annotated.text.newer_than(*time);
            account_for(annotated);
            result_.files.push_back(std::move(annotated));
        }
        return true;
    }

    void account_for(const AnnotatedFile& file) {
        auto& accounting = result_.accounting;
        for (const auto& line : file.lines.lines) {
            auto& share = line.line == 0                       ? accounting.no_line
                          : line.line > file.text.line_count() ? accounting.past_end
                                                               : accounting.lines;
            share = add(share, line.self.front());
        }
    }

    bool report(const Error& error) const {
        const auto text = render::error_text(error);
        console_.say(Severity::error, text.message, text.hint);
        return false;
    }

    const Prepared& prepared_;
    const Options& options_;
    const Console& console_;
    code::SourceFinder finder_;
    std::map<FileId, SourceResult> texts_;
    std::vector<FileId> named_;
    std::map<FileId, std::string> own_path_;  // files of which the user has said where they are
    std::vector<FileId> chosen_;
    Annotation result_;
};

}  // namespace

tl::expected<Annotation, Exit> annotate(const Prepared& prepared, const Options& options,
                                        const Console& console) {
    return Annotating(prepared, options, console).run();
}

}  // namespace callcost::cli
