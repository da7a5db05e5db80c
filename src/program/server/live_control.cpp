#include "server/live_control.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "input/sets.hpp"
#include "text/json.hpp"

namespace callcost::program {
namespace {

constexpr auto see_terminal = "see the terminal of the program";

}  // namespace

std::vector<std::string> LiveControl::dumps() const {
    if (final_dumps_) return *final_dumps_;
    auto files = FileSets().with_other_parts(callgrind_.output_file);
    // That of its end is there from the beginning.
    std::erase_if(files, [](const std::string& file) {
        std::error_code error;
        return std::filesystem::file_size(file, error) == 0 || error;
    });
    return files;
}

std::string LiveControl::state() const {
    std::string text;
    engine::JsonWriter json(text, engine::page_json);
    json.begin_object();
    json.member("process", callgrind_.process);
    json.member("program", callgrind_.program);
    json.member("running", callgrind_.is_running());
    json.end_object();
    return text;
}

tl::expected<std::string, LiveControl::Problem> LiveControl::answer(engine::Question& question) {
    const std::lock_guard lock(mutex_);
    if (!callgrind_.is_running())
        return tl::unexpected(Problem{"not-done", "the program has ended", "what it has written is shown"});
    if (question.text("ask") == "control") {
        constexpr std::array<std::string_view, 4> commands = {"dump", "zero", "instrument",
                                                              "stop-instrumenting"};
        const auto wanted = std::find(commands.begin(), commands.end(), question.text("command"));
        if (wanted == commands.end())
            return tl::unexpected(Problem{"bad-request", "there is no such command",
                                          "dump, zero, instrument, stop-instrumenting"});
        const auto done = control(callgrind_.process, static_cast<MonitorCommand>(wanted - commands.begin()));
        if (!done) return tl::unexpected(Problem{"not-done", done.error(), see_terminal});
        return state();
    }
    const auto stacks = current_stacks(callgrind_.process);
    if (!stacks) return tl::unexpected(Problem{"not-done", stacks.error(), see_terminal});
    std::string text;
    engine::JsonWriter json(text, engine::page_json);
    json.begin_object();
    json.member("instrumented", stacks->is_instrumented);
    json.key("threads");
    json.begin_array();
    for (const auto& stack : stacks->threads) {
        json.begin_object();
        json.member("thread", stack.thread);
        json.key("frames");
        json.begin_array();
        for (const auto& frame : stack.frames) {
            json.begin_object();
            json.member("name", frame.function);
            json.member_if_any("calls", frame.calls);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return text;
}

}  // namespace callcost::program
