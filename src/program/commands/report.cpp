#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "output/written_profile.hpp"
#include "server/browser.hpp"
#include "server/embedded_page.hpp"
#include "server/opened_profile.hpp"
#include "server/page_code.hpp"
#include "server/page_data.hpp"
#include "sources/disassembler.hpp"
#include "sources/expected_directories.hpp"
#include "text/diagnostics.hpp"
#include "text/inline_maps_json.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/stacks_json.hpp"
#include <callcost/lines.hpp>
#include <callcost/writer.hpp>

namespace callcost::program {
namespace {

struct ReportOptions {
    PageOptions page;
    std::string output;  ///< a path, "-" = standard output
    bool without_sources = false;
    bool with_code = true;
    bool opens_browser = false;
    std::uint64_t max_code = 4'000'000;    ///< bytes of machine code, as packed in the file; 0: any number
    std::uint64_t max_bytes = 20'000'000;  ///< of the file, sources included; 0: any number
};

/// The files' own names: whoever gets the report need not know where they lay.
std::string block_name(const Profile& profile) {
    const auto sources = profile.sources();
    const auto& first = sources.front();
    const auto name =
        first.name == "<stdin>" ? "standard input" : std::filesystem::path(first.name).filename().string();
    return sources.size() == 1 ? name : fmt::format("{} and {} more", name, sources.size() - 1);
}

Result<ProfileBlock> profile_block(const OpenedProfile& opened, engine::Build side, bool has_maps) {
    ProfileWriteOptions how;
    how.dialect = FileDialect::compact;  // nothing is lost
    auto text = packed([&](const Sink& sink) -> Result<void> {
        const auto written = write_profile(opened.recorded, sink, how);
        return written ? Result<void>() : tl::unexpected(written.error());
    });
    if (!text) return tl::unexpected(text.error());
    ProfileBlock block{block_name(opened.prepared.profile()), side, engine::origin_of(opened.prepared.graph),
                       *std::move(text)};
    const auto stacks = engine::stacks_to_json(opened.recorded, opened.stacks);
    if (!stacks.empty()) block.packed_stacks = packed(stacks);
    if (!has_maps) return block;
    const auto maps = engine::inline_maps_to_json(opened.expanded.maps);
    if (!maps.empty()) block.packed_inlined = packed(maps);
    return block;
}

using CostsOfFiles = std::map<std::string, std::uint64_t, std::less<>>;

/// Absolute costs by recorded name, the greatest of all sides.
Result<void> add_costs(CostsOfFiles& costs, const OpenedProfile& opened) {
    const auto& graph = opened.prepared.graph;
    const auto files = files_by_located_cost(graph, opened.prepared.measure);
    if (!files) return tl::unexpected(files.error());
    for (const auto& file : *files) {
        if (file.absolute == 0) continue;
        auto& known = costs[std::string(graph.profile().name(file.file))];
        known = std::max(known, file.absolute);
    }
    return {};
}

/// Costliest first.
std::vector<std::string> names_by_cost(const CostsOfFiles& costs) {
    std::vector<std::pair<std::uint64_t, std::string>> ranked;
    for (const auto& [name, cost] : costs) ranked.emplace_back(cost, name);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> names;
    names.reserve(ranked.size());
    for (auto& [cost, name] : ranked) names.push_back(std::move(name));
    return names;
}

/// Those of the sources that only --sources=all takes.
std::vector<std::string> taken_from_elsewhere(const std::vector<SourceBlock>& sources,
                                              const OpenedSides& sides, const SourceSearchOptions& options) {
    std::vector<ExpectedDirectories> expected = {
        ExpectedDirectories(source_search(sides.after.prepared.profile(), options))};
    if (sides.before) expected.emplace_back(source_search(sides.before->prepared.profile(), options));
    std::vector<std::string> paths;
    for (const auto& source : sources)
        if (std::none_of(expected.begin(), expected.end(),
                         [&](const auto& places) { return places.hold(source.path); }))
            paths.push_back(source.path);
    return paths;
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        list += (i == 0 ? "" : ", ") + engine::display_name(names[i]);
    return names.size() > most ? list + ", ..." : list;
}

/// The first few names, as they can be shown.
std::string some_of(const std::vector<std::string>& names) { return listed(names, 3); }

class Reporting {
  public:
    Reporting(OpenedSides sides, const ReportOptions& options, const Console& console)
        : sides_(std::move(sides)), options_(options), console_(console) {}

    Result<void> collect(const PageTemplate& page) {
        const bool has_maps =
            !sides_.after.expanded.maps.empty() || (sides_.before && !sides_.before->expanded.maps.empty());
        auto after = profile_block(sides_.after, engine::Build::after, has_maps);
        if (!after) return tl::unexpected(after.error());
        data_.profiles.push_back(*std::move(after));
        if (sides_.before) {
            auto before = profile_block(*sides_.before, engine::Build::before, has_maps);
            if (!before) return tl::unexpected(before.error());
            data_.profiles.push_back(*std::move(before));
        }
        data_.inlined_problem = sides_.inlined_problem;
        data_.inlined_hint = sides_.inlined_hint;
        if (has_maps) leave_out_large_maps();
        if (options_.with_code) add_code(page);
        return options_.page.from == PageSources::none ? Result<void>() : add_sources(page);
    }

    [[nodiscard]] const PageData& data() const { return data_; }
    [[nodiscard]] Exit exit() const { return sides_.exit(); }

    [[nodiscard]] std::vector<std::string> inputs() const {
        auto files = files_of(sides_.after.prepared.profile());
        if (!sides_.before) return files;
        for (auto& file : files_of(sides_.before->prepared.profile())) files.push_back(std::move(file));
        return files;
    }

    /// Reports are passed on, and a profile may name any file of this machine: every one is named that is
    /// not from where it is expected.
    void note_sources() const {
        if (data_.sources.empty()) return;
        const auto others = taken_from_elsewhere(data_.sources, sides_, options_.page.sources);
        auto text = fmt::format("the report contains the text of {}",
                                engine::counted(data_.sources.size(), "source file", console_.err));
        if (!others.empty())
            text += fmt::format(", {} from elsewhere: {}", engine::count(others.size(), console_.err),
                                listed(others, others.size()));
        console_.say(Severity::note, text, others.empty() ? "" : "--sources=near omits what is elsewhere");
    }

    void note_withheld() const {
        if (withheld_.empty()) return;
        console_.say(
            Severity::note,
            fmt::format("omitted {} from outside the working directory and that of the profile: {}",
                        engine::counted(withheld_.size(), "source file", console_.err), some_of(withheld_)),
            "-I DIR includes those below DIR, --sources=all includes all");
    }

    void note_code() const {
        const auto functions = [&](std::size_t count) {
            return engine::counted(count, "function", console_.err);
        };
        if (code_.functions > 0)
            console_.say(Severity::note, fmt::format("the report contains the machine code of {}",
                                                     functions(code_.functions)));
        if (code_.without > 0)
            console_.say(Severity::note,
                         fmt::format("no machine code of {}: {}", functions(code_.without), code_.problem),
                         code_.hint);
        if (code_.omitted > 0)
            console_.say(Severity::note,
                         fmt::format("omitted for its size: machine code of {}", functions(code_.omitted)),
                         "--max-code SIZE and --max-size SIZE allow more, --no-code omits all");
    }

    /// What is not in it, said once.
    void note_omissions() const {
        if (omitted_.empty()) return;
        console_.say(
            Severity::note,
            fmt::format("omitted to keep the report below {}: {} of {}: {}",
                        engine::bytes(options_.max_bytes), engine::count(omitted_.size(), console_.err),
                        engine::counted(omitted_.size() + data_.sources.size(), "source file", console_.err),
                        some_of(omitted_)),
            "--max-size SIZE allows more, --no-sources omits all");
    }

  private:
    /// All have maps, or none.
    void leave_out_large_maps() {
        auto& profiles = data_.profiles;
        if (std::none_of(profiles.begin(), profiles.end(),
                         [](const auto& profile) { return profile.packed_inlined.empty(); }))
            return;
        for (auto& profile : profiles) profile.packed_inlined.clear();
        data_.inlined_problem = "what is known of it is too large for a report";
        data_.inlined_hint = "'callcost view' shows it";
    }

    void add_code(const PageTemplate& page) {
        const auto collect = [&](const OpenedProfile& opened) {
            Disassembler disassembler(code_search(opened.prepared.profile(), options_.page.sources));
            // Of the functions that the page shows.
            const auto& graph = opened.prepared.graph;
            if (opened.expanded.maps.empty()) return code_of(graph, opened.prepared.measure, disassembler);
            const Selection all{.contexts = options_.page.input.selection.contexts};
            return code_of(call_graph(opened.expanded.profile, all).value_or(graph), opened.prepared.measure,
                           disassembler);
        };
        std::vector<std::vector<engine::EmbeddedFunction>> sides = {collect(sides_.after)};
        if (sides_.before) sides.push_back(collect(*sides_.before));
        auto most = options_.max_code == 0 ? UINT64_MAX : options_.max_code;
        if (options_.max_bytes != 0) {
            const auto size = page.size_with(data_);
            most = std::min(most, options_.max_bytes - std::min<std::uint64_t>(size, options_.max_bytes));
        }
        for (std::size_t side = 0; side < sides.size(); ++side)
            data_.profiles[side].packed_code = packed_code(sides[side], most / sides.size());
    }

    /// Of as many of the first functions as find room; of these, those without code say why.
    std::string packed_code(std::span<const engine::EmbeddedFunction> functions, std::uint64_t most) {
        std::string block;
        auto count = functions.size();
        for (; count > 0; count = static_cast<std::size_t>(
                              std::min<std::uint64_t>(count - 1, count * most / block.size()))) {
            block = packed(engine::code_to_json(functions.first(count)));
            if (block.size() <= most) break;
        }
        code_.omitted += functions.size() - count;
        for (const auto& [object, ranges, code, inlined] : functions.first(count)) {
            if (!code.instructions.empty()) {
                ++code_.functions;
            } else if (code_.without++ == 0) {
                code_.problem = code.problem;
                code_.hint = code.hint;
            }
        }
        return has_code(functions.first(count)) ? block : std::string();
    }

    Result<void> add_sources(const PageTemplate& page) {
        CostsOfFiles costs;
        auto done = add_costs(costs, sides_.after);
        if (done && sides_.before) done = add_costs(costs, *sides_.before);
        if (!done) return done;
        const auto find = host_of(sides_, options_.page).source;
        auto size = page.size_with(data_);
        const auto most = options_.max_bytes;
        for (auto& name : names_by_cost(costs)) {
            const auto source = find(name);
            if (!source.withheld_in.empty()) withheld_.push_back(source.path);
            if (!source.text) continue;
            if (omitted_.empty()) {  // or a cheap file would be there in place of a costly one
                SourceBlock block{name, source.path, source.is_newer, source.is_guess, packed(*source.text)};
                size += size_in_page(block);
                if (most == 0 || size <= most) {
                    data_.sources.push_back(std::move(block));
                    continue;
                }
            }
            omitted_.push_back(std::move(name));
        }
        return {};
    }

    OpenedSides sides_;
    const ReportOptions& options_;
    const Console& console_;
    PageData data_;
    struct {
        std::size_t functions = 0, omitted = 0, without = 0;
        std::string problem, hint;  // of the first one without code
    } code_;
    std::vector<std::string> omitted_;   // source files, by cost: for the size
    std::vector<std::string> withheld_;  // likewise: for where they are
};

tl::expected<OpenedSides, Exit> open_sides(const ReportOptions& options, const Console& console) {
    std::optional<OpenedProfile> before;
    if (!options.page.before.empty()) {
        auto opened = open_profile(options.page, options.page.before, console);
        if (!opened) return tl::unexpected(opened.error());
        before = *std::move(opened);
    }
    auto after = open_profile(options.page, options.page.input.files, console);
    if (!after) return tl::unexpected(after.error());
    return OpenedSides(*std::move(after), std::move(before), options.page, console);
}

void show(const std::string& path, const Console& console) {
    std::error_code problem;
    const auto opened = open_in_browser(std::filesystem::absolute(path, problem).string());
    if (opened == BrowserStart::started) return;
    console.say(Severity::note,
                fmt::format("{}; open {} in a browser",
                            opened == BrowserStart::no_display ? "no display" : "no browser found",
                            engine::display_name(path)));
}

int run_report(const ReportOptions& options, const Console& console) {
    auto html = embedded_page(console);
    if (!html) return status(Exit::error);
    const PageTemplate page(*std::move(html));
    auto sides = open_sides(options, console);
    if (!sides) return status(sides.error());
    Reporting report(*std::move(sides), options, console);
    const auto& output = options.output;
    if (const auto done = report.collect(page); !done) {
        report_unwritten(console, output, done.error());
        return status(Exit::error);
    }
    const auto exit = write_file(output, report.inputs(), console,
                                 [&](const Sink& sink) { return page.write(report.data(), sink); });
    if (exit != Exit::ok) return status(exit);
    report.note_sources();
    report.note_code();
    report.note_withheld();
    report.note_omissions();
    if (options.opens_browser) show(output, console);
    return status(report.exit());
}

}  // namespace

Run report_command(CommandLine& line) {
    line.describe(
        "[OPTION...] [FILE...] [--diff OLD] -o OUT",
        "Write the page of 'callcost view' as one HTML file that needs no callcost and no network: "
        "with the profile, the source files that have cost, the machine code of the functions with 95 "
        "% of the self cost, and the engine.\n\nA note gives the "
        "number of source files in it, and names those that --sources=all takes from "
        "elsewhere.");
    line.examples(
        {{"report callgrind.out.4711 -o report.html", "one file for a browser"},
         {"report new.out --diff old.out -o report.html", "comparison of two profiles"},
         {"report --no-sources callgrind.out.4711 -o report.html", "without source text, to publish"}});
    line.common({"--diff", "--include", "--source-map", "--sources", "--output", "--open", "--no-sources",
                 "--max-size"});
    const auto options = std::make_shared<ReportOptions>();
    declare_page(line, options->page, true);
    line.heading("Output file");
    line.value("-o,--output", "OUT",
               "write to this file, replaced atomically on success; '-': standard output", options->output);
    line.flag("--open", "also open it in the browser", options->opens_browser);
    line.flag("--no-sources", "leave out source text", options->without_sources);
    line.value("--max-size", "SIZE",
               "limit the size; the most expensive source files are kept; 0: no limit (default: 20M)",
               [options = options.get()](const std::string& text) {
                   if (!text.empty()) options->max_bytes = size_of_text("--max-size", text);
               });
    line.flag_off("--no-code", "leave out machine code", options->with_code);
    line.value(
        "--max-code", "SIZE",
        "limit the size of the machine code; that of the most expensive functions is kept; 0: no limit "
        "but that of --max-size (default: 4M)",
        [options = options.get()](const std::string& text) {
            if (!text.empty()) options->max_code = size_of_text("--max-code", text);
        });
    declare_messages(line, options->page.output);
    line.check([options = options.get()] {
        if (options->without_sources) options->page.from = PageSources::none;
        if (options->output.empty())
            throw UsageError("report needs -o", "such as -o report.html, or '-' for standard output");
        if (options->opens_browser && options->output == "-")
            throw UsageError("--open needs an output file", "such as -o report.html");
    });
    return [options] { return run_report(*options, open_console(options->page.output)); };
}

}  // namespace callcost::program
