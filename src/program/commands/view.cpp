#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "history/entry_name.hpp"
#include "history_page/history_site.hpp"
#include "loading/preparation.hpp"
#include "options/usage_error.hpp"
#include "recording/program_file.hpp"
#include "recording/running_callgrind.hpp"
#include "server/live_control.hpp"
#include "server/live_profile.hpp"
#include "server/page_service.hpp"
#include "text/names.hpp"
#include "text/shell.hpp"

namespace callcost::program {
namespace {

struct ViewOptions {
    PageOptions page;
    std::uint16_t port = 0;  ///< 0: any that is free
    bool opens_browser = true;
};

using namespace std::chrono_literals;

/// Longer than most profiles take: what cannot be read at all opens no browser.
constexpr auto patience = 300ms;

/// Nothing else than a file or a program.
bool may_be_program(const std::vector<std::string>& names) {
    return names.size() == 1 && names.front() != "-" && !is_entry_name(names.front());
}

/// The Callgrind that is running and meant by the only operand, which is no profile; otherwise nothing.
/// Throws if several are.
std::optional<RunningCallgrind> running_callgrind(const std::vector<std::string>& names) {
    if (!may_be_program(names)) return std::nullopt;
    const auto* const name = names.front().c_str();
    if (access(name, F_OK) == 0 && access(name, X_OK) != 0) return std::nullopt;  // a file, and no program
    auto running = running_callgrinds();
    std::erase_if(running, [&](const auto& one) { return !is_meant(one, names.front()); });
    if (running.empty()) return std::nullopt;
    if (running.size() > 1) {
        std::string all;
        for (const auto& one : running) all += fmt::format("{}{}", all.empty() ? "" : ", ", one.process);
        throw UsageError(fmt::format("several processes run '{}' under Callgrind: {}", names.front(), all),
                         "name one of them by its number");
    }
    return std::move(running.front());
}

/// `#!`
bool names_interpreter(const std::string& path) {
    std::array<char, 2> bytes{};
    std::ifstream(path, std::ios::binary).read(bytes.data(), bytes.size());
    return bytes[0] == '#' && bytes[1] == '!';
}

/// An executable file that is no profile with a permission too many.
bool is_program(const std::string& name) {
    const auto file = inspect_program(name.find('/') == std::string::npos ? "./" + name : name);
    return file.cannot_run == CannotRun::no && (!file.is_script || names_interpreter(file.path));
}

/// The files that a run has written so far; it is asked for a dump if there are none.
tl::expected<std::vector<std::string>, std::string> files_of(const RunningCallgrind& callgrind,
                                                             const LiveControl& live,
                                                             const Console& console) {
    if (callgrind.output_file.empty())
        return tl::unexpected(std::string("it is not known where it writes its profile"));
    auto files = live.dumps();
    if (!files.empty()) return files;
    console.say(Severity::note,
                fmt::format("process {} has written nothing yet: it is asked for a dump", callgrind.process));
    if (const auto done = control(callgrind.process, MonitorCommand::dump); !done)
        return tl::unexpected(done.error());
    files = live.dumps();
    if (files.empty()) return tl::unexpected(fmt::format("there is no {}", callgrind.output_file));
    return files;
}

constexpr std::string_view whole_store = "history:";

/// Of the entries of a store, which is the only thing to show, or there is beside the profile.
PageService::History history_of(PageOptions& page) {
    const auto& names = page.input.files;
    const bool is_named = names == std::vector<std::string>{std::string(whole_store)};
    if (page.before.empty() && (is_named || (names.empty() && !page.input.store.empty()))) {
        page.input.files.clear();
        return PageService::History::first;
    }
    const bool has_entry = std::any_of(names.begin(), names.end(), is_entry_name) ||
                           std::any_of(page.before.begin(), page.before.end(), is_entry_name);
    return has_entry || !page.input.store.empty() ? PageService::History::beside : PageService::History::none;
}

/// Until a signal comes. There is no profile before somebody chooses an entry.
int run_view_of_store(const ViewOptions& options, const Console& console) {
    PageService service(console);
    if (!service.listen(options.port, PageService::History::first)) return status(Exit::error);
    const EndSignals signals;
    HistorySite site(options.page, console, nullptr);
    service.start([&](auto question, const auto& is_wanted) { return site.answer(question, is_wanted); },
                  [] {}, [&] { service.end(status(Exit::error)); });
    if (!service.announce(stdout, options.opens_browser)) service.end(status(Exit::error));
    console.say(Severity::note, "press Ctrl-C to stop");
    (void)signals.wait();
    service.end(status(Exit::ok));
}

int run_view(ViewOptions options, const Console& console) {
    const auto history = history_of(options.page);
    if (history != PageService::History::none) {
        const auto store = open_store(options.page.input.store, StoreUse::read);
        if (!store) {
            say(console, store.error());
            return status(Exit::error);
        }
        name_entries_exactly(**store, options.page);
    }
    if (history == PageService::History::first) return run_view_of_store(options, console);
    std::optional<LiveControl> live;
    const auto& names = options.page.input.files;
    const auto callgrind = running_callgrind(names);
    const bool may_be_another = !callgrind && may_be_program(names);
    if (may_be_another && access(names.front().c_str(), F_OK) != 0) {
        console.say(
            Severity::error,
            fmt::format("'{}' is no file, and no program of yours that runs under Callgrind", names.front()),
            "'callgrind_control -s' lists the programs that do, with their process numbers");
        return status(Exit::error);
    }
    if (may_be_another && is_program(names.front())) {
        const auto name = engine::display_name(names.front());
        const auto* const here = name.find('/') == std::string::npos ? "./" : "";
        console.say(
            Severity::error, fmt::format("'{}' is a program, and does not run under Callgrind", name),
            fmt::format("{} runs and shows it",
                        engine::quoted_command({"callcost", "record", "--view", here + names.front()})));
        return status(Exit::error);
    }
    if (callgrind) {
        live.emplace(*callgrind);
        auto files = files_of(*callgrind, *live, console);
        if (!files) {
            console.say(Severity::error,
                        fmt::format("cannot show process {}: {}", callgrind->process, files.error()),
                        "'callgrind_control -s' lists what is running; profiles are opened by their names");
            return status(Exit::error);
        }
        options.page.input.files = *std::move(files);
    }
    PageService service(console);
    if (!service.listen(options.port, history)) return status(Exit::error);
    const EndSignals signals;
    LiveProfile profile(options.page, console, live ? &*live : nullptr);
    std::optional<HistorySite> site;
    if (history != PageService::History::none) site.emplace(options.page, console, &profile);
    const auto read = [&] {
        try {
            if (const auto done = profile.read(); !done) service.end(status(done.error()));
        } catch (const std::bad_alloc&) {  // which main() does not see
            say_out_of_memory();
            service.end(status(Exit::error));
        }
    };
    const auto answer = [&](auto question, const auto& is_wanted) {
        return site ? site->answer(question, is_wanted) : profile.answer(question, is_wanted);
    };
    service.start(answer, read, [&] { service.end(status(Exit::error)); });
    (void)profile.is_read_within(patience);
    if (!service.announce(stdout, options.opens_browser)) service.end(status(Exit::error));
    console.say(Severity::note, "press Ctrl-C to stop");
    const int signal = signals.wait();
    if (!profile.is_read_within(0ms)) {  // as any command that is interrupted
        service.close();
        signals.end_by(signal);
    }
    service.end(status(profile.exit()));
}

}  // namespace

Run view_command(CommandLine& line) {
    line.describe(
        "[OPTION...] [FILE... | PID | PROGRAM | history:] [--diff OLD]",
        "Open a profile in the browser: functions, callers, flame graph, call graph, source and "
        "machine code.\n\nThe page is served on 127.0.0.1, protected by a random token, until "
        "Ctrl-C. The address is printed. The page offers to reload when the files change.\n\n"
        "For a program that is running under Callgrind, given by its process id (PID) or the command it was "
        "started with (PROGRAM), the page shows what was dumped so far and each new dump, and can request a "
        "dump.\n\n"
        "For 'history:', or with --store and no FILE, it shows the series of the store: charts, change "
        "points, "
        "and every entry as a profile.");
    line.examples({{"view callgrind.out.4711", "open in the browser"},
                   {"view new.out --diff old.out", "comparison of two profiles"},
                   {"view history:", "all profiles of the project's history"}});
    line.common({"--diff", "--include", "--source-map", "--sources", "--port", "--no-open"});
    const auto options = std::make_shared<ViewOptions>();
    declare_page(line, options->page, true);
    line.heading("Output");
    line.value("--port", "N", "listen on this port (default: any free port)",
               [options = options.get()](const std::string& text) {
                   if (text.empty()) return;
                   const auto port = number_of("--port", text);
                   if (port > UINT16_MAX)
                       throw UsageError(fmt::format("invalid value '{}' for --port", port),
                                        "the highest port is 65535");
                   options->port = static_cast<std::uint16_t>(port);
               });
    line.flag_off("--no-open", "print the address, do not open a browser", options->opens_browser);
    declare_messages(line, options->page.output);
    return [options] { return run_view(*options, open_console(options->page.output)); };
}

}  // namespace callcost::program
