#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "browse/browsed_profile.hpp"
#include "browse/curses_screen.hpp"
#include "browse/navigation.hpp"
#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "server/opened_profile.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

struct BrowseOptions {
    PageOptions page;
    MeasureOptions measure;
    FilterOptions filters;
    std::optional<SortBy> sort;
};

tl::expected<OpenedSides, Exit> open_sides(const PageOptions& options, const Console& console) {
    std::optional<OpenedProfile> before;
    if (!options.before.empty()) {
        auto opened = open_profile(options, options.before, console);
        if (!opened) return tl::unexpected(opened.error());
        before = *std::move(opened);
    }
    auto after = open_profile(options, options.input.files, console);
    if (!after) return tl::unexpected(after.error());
    return OpenedSides(*std::move(after), std::move(before), options, console);
}

engine::Query query_of(const BrowseOptions& options) {
    engine::Query query;
    query.selection.contexts = options.page.input.selection.contexts;
    query.event = options.measure.event;
    const auto& [focus, ignore, show, hide, file, object] = options.filters;
    query.filters = {focus.texts, ignore.texts, show.texts, hide.texts, file.texts, object.texts};
    return query;
}

int run_browse(const BrowseOptions& options, const Console& console) {
    if (const auto why = why_no_screen(); !why.empty()) {
        console.say(Severity::error, "browse needs a terminal: " + why,
                    "'callcost top' lists the most expensive functions, 'callcost view' opens the browser");
        return status(Exit::error);
    }
    const auto sides = open_sides(options.page, console);
    if (!sides) return status(sides.error());
    auto style = console.out;
    style.color = style.links = false;  // texts have tones
    std::optional<Profile> before;
    if (sides->before) before = sides->before->expanded.profile;
    BrowsedProfile profile(sides->after.expanded.profile, std::move(before), host_of(*sides, options.page),
                           style);
    if (const auto asked = profile.ask(query_of(options)); !asked) {
        console.say(Severity::error, engine::display_name(asked.error().message),
                    engine::display_name(asked.error().hint));
        return status(Exit::usage);
    }
    {
        Navigation navigation(profile, options.sort.value_or(SortBy::self));
        CursesScreen screen(console.out);
        screen.show(navigation.draw(screen.size()));
        while (const auto key = screen.read()) {
            if (!navigation.press(*key)) break;
            screen.show(navigation.draw(screen.size()));
        }
    }
    CursesScreen::end_by_signal();
    return status(sides->exit());
}

}  // namespace

Run browse_command(CommandLine& line) {
    line.describe("[OPTION...] [FILE...]",
                  "Show a profile full screen in the terminal: functions, callers and callees, call tree, "
                  "annotated source, and differences. '?' shows the keys.");
    line.examples({{"browse callgrind.out.4711", "functions; Enter shows callers and callees"},
                   {"browse new.out --diff old.out", "comparison of two profiles"}});
    line.common({"--event", "--diff", "--focus", "--ignore", "--show", "--hide", "--sort", "--include",
                 "--source-map"});
    const auto options = std::make_shared<BrowseOptions>();
    auto& page = options->page;
    page.from = PageSources::all;
    line.words(page.input.files);
    declare_input(line, page.input);
    declare_inlined(line, page.input, &page.sources);
    line.list("--diff", "OLD", "compare with this profile; several are added up", page.before);
    declare_sources(line, page.sources, SearchedFiles::all);
    line.heading("Selection");
    declare_event(line, options->measure);
    declare_filters(line, options->filters);
    declare_sort(line, options->sort);
    declare_messages(line, page.output);
    return [options] { return run_browse(*options, open_console(options->page.output)); };
}

}  // namespace callcost::program
