#include "recording/running_callgrind.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/directory_entries.hpp"
#include "sources/program.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> split_at(char separator, std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const auto end = std::min(text.find(separator), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::string variable(std::string_view environment, std::string_view name) {
    for (const auto& entry : split_at('\0', environment))
        if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
            return entry.substr(name.size() + 1);
    return {};
}

/// 0 without such a process. Its name, in parentheses, may have blanks and parentheses.
std::uint64_t start_of(pid_t process) {
    const auto text = contents(fmt::format("/proc/{}/stat", process));
    auto at = text.rfind(')');
    constexpr int fields_before = 20;  // the third is the first behind the name, the 22nd the start
    for (int i = 0; i < fields_before && at != std::string::npos; ++i) at = text.find(' ', at + 1);
    std::uint64_t start = 0;
    if (at != std::string::npos) std::from_chars(text.data() + at + 1, text.data() + text.size(), start);
    return start;
}

std::optional<RunningCallgrind> callgrind_of(pid_t process) {
    const fs::path folder = fmt::format("/proc/{}", process);
    struct stat facts {};
    if (::stat(folder.c_str(), &facts) != 0 || facts.st_uid != geteuid()) return std::nullopt;
    std::error_code error;
    const auto tool = fs::read_symlink(folder / "exe", error).filename().string();
    if (error || !tool.starts_with("callgrind-")) return std::nullopt;

    RunningCallgrind found;
    found.process = process;
    found.start = start_of(process);
    const auto environment = contents(folder / "environ");
    std::string name = "callgrind.out.%p";
    const auto words = split_at('\0', contents(folder / "cmdline"));
    constexpr std::string_view option = "--callgrind-out-file=";
    for (std::size_t i = 1; i < words.size() && found.program.empty(); ++i) {
        if (words[i].starts_with(option)) name = words[i].substr(option.size());
        if (!words[i].starts_with('-')) found.program = words[i];
    }
    // It is in the directory of the start. The program may be in another one since, and what started it may
    // have said wrongly where it was; Callgrind creates the file at once.
    const fs::path here = fs::read_symlink(folder / "cwd", error), there = variable(environment, "PWD");
    const auto file = expand_file_name(name, process, environment).value_or("");
    const bool is_there = !file.empty() && !fs::exists(here / file, error) && fs::exists(there / file, error);
    found.directory = (is_there ? there : here).string();
    if (!file.empty()) found.output_file = (found.directory / fs::path(file)).lexically_normal().string();
    return found;
}

tl::expected<std::string, std::string> run_control(pid_t process, std::string option) {
    constexpr std::chrono::seconds max_time(10);
    const auto number = std::to_string(process);
    const auto output = run_program({"callgrind_control", std::move(option), number}, {.max_time = max_time});
    if (!output)
        return tl::unexpected("callgrind_control: " + std::generic_category().message(output.error()));
    if (output->was_stopped) return tl::unexpected(std::string("callgrind_control takes too long"));
    // Its exit status is 0 whatever happens.
    if (!output->text.starts_with("PID " + number))
        return tl::unexpected(fmt::format("callgrind_control does not find process {}", process));
    return output->text;
}

/// `  [ 3]  f(int) (12,345 x)`
std::optional<ThreadStack::Frame> parse_frame(std::string_view line) {
    const auto begin = line.find_first_not_of(' ');
    const auto end = line.find("]  ");
    if (begin == std::string_view::npos || line[begin] != '[' || end == std::string_view::npos)
        return std::nullopt;
    ThreadStack::Frame frame;
    frame.function = line.substr(end + 3);
    const auto count = frame.function.rfind(" (");
    if (count != std::string::npos && frame.function.ends_with(" x)")) {
        for (const char c : frame.function.substr(count + 2))
            if (c >= '0' && c <= '9') frame.calls += c;
        frame.function.resize(count);
    }
    return frame;
}

}  // namespace

bool RunningCallgrind::is_running() const { return start_of(process) == start; }

RunningCallgrind started_callgrind(pid_t process, std::string program, std::string output_file) {
    RunningCallgrind started;
    started.process = process;
    started.program = std::move(program);
    started.output_file = std::move(output_file);
    started.start = start_of(process);
    return started;
}

std::vector<RunningCallgrind> running_callgrinds() {
    std::vector<RunningCallgrind> all;
    for_each_entry("/proc", [&](const std::string& name, FileKind) {
        pid_t process = 0;
        const auto [rest, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (wrong != std::errc() || rest != name.data() + name.size()) return true;
        if (auto found = callgrind_of(process)) all.push_back(*std::move(found));
        return true;
    });
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.process < b.process; });
    return all;
}

bool is_meant(const RunningCallgrind& callgrind, const std::string& name) {
    const fs::path program(callgrind.program);
    if (name == std::to_string(callgrind.process) || name == program || name == program.filename())
        return true;
    std::error_code error;
    return fs::equivalent(fs::path(callgrind.directory) / program, name, error) && !error;
}

std::optional<std::string> expand_file_name(std::string_view text, pid_t process,
                                            std::string_view environment) {
    std::string name;
    while (!text.empty()) {
        const auto plain = std::min(text.find('%'), text.size());
        name += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        if (text.starts_with("%%")) {
            name += '%';
            text.remove_prefix(2);
        } else if (text.starts_with("%p")) {
            name += std::to_string(process);
            text.remove_prefix(2);
        } else if (const auto end = text.find('}');
                   text.starts_with("%q{") && end != std::string_view::npos) {
            name += variable(environment, text.substr(3, end - 3));
            text.remove_prefix(end + 1);
        } else {
            return std::nullopt;
        }
    }
    return name;
}

tl::expected<void, std::string> control(pid_t process, MonitorCommand command) {
    constexpr std::array<const char*, 4> options = {"--dump", "--zero", "--instr=on", "--instr=off"};
    const auto output = run_control(process, options[static_cast<std::size_t>(command)]);
    if (!output) return tl::unexpected(output.error());
    if (output->find("OK.") == std::string::npos)
        return tl::unexpected(std::string("Callgrind did not do it; its terminal may say why"));
    return {};
}

tl::expected<RunningStacks, std::string> current_stacks(pid_t process) {
    const auto output = run_control(process, "--back");
    if (!output) return tl::unexpected(output.error());
    return parse_stacks(*output);
}

RunningStacks parse_stacks(std::string_view text) {
    RunningStacks stacks;
    for (const std::string_view line : split_at('\n', text)) {
        constexpr std::string_view thread = "Backtrace for Thread ";
        if (const auto at = line.find(thread); at != std::string_view::npos) {
            auto& stack = stacks.threads.emplace_back();
            const auto number = line.substr(at + thread.size());
            std::from_chars(number.data(), number.data() + number.size(), stack.thread);
        } else if (auto frame = parse_frame(line); frame && !stacks.threads.empty()) {
            stacks.threads.back().frames.push_back(*std::move(frame));
        } else if (line.find("instrumentation is switched off") != std::string_view::npos) {
            stacks.is_instrumented = false;
        }
    }
    return stacks;
}

}  // namespace callcost::program
