#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "disk/synced.hpp"
#include "output/written_profile.hpp"
#include "terminal/output.hpp"
#include "text/characters.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// That are written unasked.
constexpr std::size_t max_files = 1000;

/// What there is a file for.
enum class SplitBy : std::uint8_t { part, thread, pid, object };

struct SplitOptions {
    InputOptions input;
    OutputOptions output;
    FileOptions file;
    std::optional<SplitBy> by;
};

/// One of the files to write.
struct Piece {
    std::string name;  ///< behind the name of what is read
    std::vector<PartId> parts;
    ObjectId object;  ///< valid: only its functions
};

std::uint64_t number_of(const Part& part, SplitBy by) {
    switch (by) {
        case SplitBy::thread:
            return part.thread.number.value_or(1);
        case SplitBy::pid:
            return part.pid.number.value_or(0);
        default:
            return part.part.number.value_or(1);
    }
}

std::string_view word_for(SplitBy by) {
    switch (by) {
        case SplitBy::thread:
            return "thread";
        case SplitBy::pid:
            return "pid";
        case SplitBy::object:
            return "object";
        case SplitBy::part:
            break;
    }
    return "part";
}

std::vector<Piece> pieces_by_number(const CallGraph& graph, SplitBy by) {
    std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, Piece> pieces;
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> seen;
    std::set<std::uint64_t> pids;
    const auto parts = graph.profile().parts();
    for (const auto part : graph.parts()) pids.insert(number_of(parts[part.value], SplitBy::pid));
    for (const auto part : graph.parts()) {
        const auto number = number_of(parts[part.value], by);
        const bool has_pid = pids.size() > 1 && by != SplitBy::pid;  // numbers are those of a process (F18)
        const auto pid = has_pid ? number_of(parts[part.value], SplitBy::pid) : 0;
        // A part that was there already is one of another run, appended to the file (Xdebug does that).
        const auto run =
            seen[{number_of(parts[part.value], SplitBy::pid), number_of(parts[part.value], SplitBy::part),
                  number_of(parts[part.value], SplitBy::thread)}]++;
        auto& piece = pieces[{run, pid, number}];
        piece.name = (run > 0 ? fmt::format("run-{}.", run + 1) : std::string()) +
                     (has_pid ? fmt::format("pid-{}.", pid) : std::string()) +
                     fmt::format("{}-{}", word_for(by), number);
        piece.parts.push_back(part);
    }
    std::vector<Piece> list;
    list.reserve(pieces.size());
    for (auto& [number, piece] : pieces) list.push_back(std::move(piece));
    return list;
}

/// The last part of a path, of letters that no shell and no file system takes for something else.
std::string safe_name(std::string_view path) {
    auto name = engine::base_name(path);
    constexpr std::size_t longest = 100;
    name = name.substr(0, longest);
    std::string safe;
    for (const char c : name) {
        const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                              c == '.' || c == '-' || c == '_' || c == '+';
        safe += is_plain ? c : '_';
    }
    return safe.empty() || safe == "___" ? "unknown" : safe;
}

std::vector<Piece> pieces_by_object(const CallGraph& graph) {
    const Profile& profile = graph.profile();
    std::vector<bool> has_functions(profile.object_count(), false);
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        if (profile.has_records(FunctionId(row))) has_functions[profile.object(FunctionId(row)).value] = true;
    std::map<std::string_view, ObjectId> by_name;
    for (std::size_t row = 0; row < profile.object_count(); ++row)
        if (has_functions[row]) by_name.emplace(profile.name(ObjectId(row)), ObjectId(row));
    std::vector<Piece> list;
    std::set<std::string> taken;
    for (const auto& [name, object] : by_name) {
        const auto base = "object-" + safe_name(name);
        auto own = base;
        for (int i = 2; !taken.insert(own).second; ++i) own = fmt::format("{}-{}", base, i);
        const auto parts = graph.parts();
        list.push_back({own, {parts.begin(), parts.end()}, object});
    }
    return list;
}

std::string base_name(const SplitOptions& options) {
    if (options.input.files.empty() || options.input.files.front() == "-") return "callgrind.out";
    const auto& file = options.input.files.front();
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) return "callgrind.out";
    return std::filesystem::path(file).filename().string();
}

bool make_directory(const std::string& path, const Console& console) {
    const auto problem = make_directories(path);
    std::error_code unknown;
    if (!problem && std::filesystem::is_directory(path, unknown)) return true;
    console.say(Severity::error, fmt::format("cannot create directory {}", engine::display_name(path)),
                problem ? problem.message() : "a file of this name exists");
    return false;
}

int run_split(const SplitOptions& options, const Console& console) {
    const auto prepared = prepare(options.input, {}, console, Detail::full);
    if (!prepared) return status(prepared.error());
    const auto by = *options.by;
    const auto pieces =
        by == SplitBy::object ? pieces_by_object(prepared->graph) : pieces_by_number(prepared->graph, by);
    if (pieces.size() > max_files && !options.input.force) {
        console.say(Severity::error,
                    fmt::format("nothing written: {} are more than {}",
                                engine::counted(pieces.size(), "file", console.err),
                                engine::count(max_files, console.err)),
                    "--force lifts this limit");
        return status(Exit::error);
    }
    if (!make_directory(options.file.output, console)) return status(Exit::error);

    const Profile& profile = prepared->profile();
    Output output(console);
    LeftOut left_out;
    for (const auto& piece : pieces) {
        const auto path = (std::filesystem::path(options.file.output) /
                           fmt::format("{}.{}", base_name(options), piece.name))
                              .string();
        auto how = write_options(options.file);
        how.parts = piece.parts;
        if (piece.object.valid())
            how.where = [&](FunctionId function) { return profile.object(function) == piece.object; };
        const auto exit = write_profile_file(path, profile, how, files_of(profile), console,
                                             output_limit(options.input, profile), left_out);
        if (exit != Exit::ok) return status(exit);
        output.text() += engine::display_name(path) + '\n';
    }
    note_left_out(console, left_out, write_options(options.file).dialect);
    return status(output.finish() ? prepared->exit : Exit::error);
}

}  // namespace

Run split_command(CommandLine& line) {
    line.describe("[OPTION...] FILE --by WHAT -o DIR",
                  "Write a file for each part, thread, process or object of a profile.");
    line.examples({{"split --by thread callgrind.out.4711 -o threads", "a file for each thread"},
                   {"split --by object callgrind.out.4711 -o objects", "a file for each library"},
                   {"split --by part callgrind.out.4711 -o parts", "a file for each dump"}});
    line.common({"--part", "--output", "--to", "--by"});
    const auto options = std::make_shared<SplitOptions>();
    line.words(options->input.files);
    declare_input(line, options->input, InputKind::unfolded);
    line.heading("Output file");
    declare_profile_file(line, options->file, "DIR", "write to this directory, created if missing");
    line.choice<SplitBy>("--by", "WHAT", "write a file per part, thread, pid or object",
                         {{"part", SplitBy::part},
                          {"thread", SplitBy::thread},
                          {"pid", SplitBy::pid},
                          {"object", SplitBy::object}},
                         options->by);
    declare_compatibility(line, options->file);
    declare_messages(line, options->output);
    line.check([&line, options = options.get()] {
        check_files_are_named(line, options->input.files);
        options->input.unknown_count_as_one = options->file.count_unknown_as_one.value_or(false);
        if (options->input.files.size() > 1)
            throw UsageError("split takes one file", "'callcost merge' makes one of several");
        if (!options->by)
            throw UsageError("split needs --by", "write a file per part, thread, pid or object");
    });
    return [options] { return run_split(*options, open_console(options->output)); };
}

}  // namespace callcost::program
