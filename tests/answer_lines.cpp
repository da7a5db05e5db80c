// answer_lines [--sources] [--inlined=MAPS] FILE... [--before OLD...]: answers a question per line of
// standard input with a line each on standard output, for tests of the page's protocol. With --sources it has
// the source files and the machine code that this machine has, with --inlined the inlined code of both as
// functions.
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/exported_stacks.hpp"
#include "options/patterns.hpp"
#include "server/opened_profile.hpp"
#include "session/session.hpp"
#include "terminal/terminal.hpp"
#include "text/inline_maps_json.hpp"
#include <callcost/inlining.hpp>
#include <callcost/read.hpp>

namespace {

std::string text_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::optional<callcost::Profile> read(const std::vector<std::string>& files) {
    callcost::ProfileReader reader;
    for (const auto& file : files) {
        const auto bytes = text_of(file);
        if (const auto read = reader.add(callcost::from_memory(bytes, file)); !read) {
            std::cerr << file << ": " << to_string(read.error().code) << '\n';
            return std::nullopt;
        }
    }
    return std::move(reader).finish();
}

/// As `callcost view` has them; nothing if a profile cannot be read.
std::optional<callcost::engine::Host> with_code(const std::vector<std::string>& after,
                                                const std::vector<std::string>& before) {
    const callcost::program::PageOptions options;
    const auto console = callcost::program::open_console(options.output);
    auto opened = callcost::program::open_profile(options, after, console);
    if (!opened) return std::nullopt;
    std::optional<callcost::program::OpenedProfile> old_profile;
    if (!before.empty()) {
        auto other = callcost::program::open_profile(options, before, console);
        if (!other) return std::nullopt;
        old_profile = *std::move(other);
    }
    return host_of({*std::move(opened), std::move(old_profile), options, console}, options);
}

}  // namespace

int main(int count, char** arguments) {
    std::vector<std::string> after, before;
    bool is_before = false;
    bool with_sources = false;
    std::optional<std::vector<callcost::InlineMap>> maps;
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "--before") {
            is_before = true;
        } else if (word == "--sources") {
            with_sources = true;
        } else if (word.starts_with("--inlined=")) {
            maps = callcost::engine::inline_maps_from_json(text_of(word.substr(word.find('=') + 1)));
        } else {
            (is_before ? before : after).push_back(word);
        }
    }
    auto profile = read(after);
    auto other = is_before ? read(before) : std::nullopt;
    if (!profile || (is_before && !other)) return 1;
    if (maps) profile = expand_inlined(*profile, *maps).value();
    if (maps && other) other = expand_inlined(*other, *maps).value();
    auto host = with_sources ? with_code(after, before) : callcost::engine::Host();
    if (!host) return 1;
    host->compile = callcost::program::compile_expression;
    if (!with_sources) {
        host->formats = callcost::engine::stack_formats();
        host->write = [](std::string_view format, callcost::engine::Build, const callcost::CallGraph& graph,
                         const callcost::StacksOfSources& stacks, const callcost::Measure& measure) {
            return callcost::engine::exported_stacks(format, graph, stacks, measure);
        };
    }
    callcost::engine::Session session(*std::move(profile), std::move(other), *std::move(host));
    for (std::string question; std::getline(std::cin, question);)
        std::cout << session.answer(question) << '\n' << std::flush;
}
