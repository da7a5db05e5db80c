#include "recording/language_profiler.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "input/directory_entries.hpp"
#include "recording/foreground_process.hpp"
#include "recording/log_directory.hpp"
#include "recording/program_file.hpp"
#include "sources/program.hpp"
#include "terminal/terminal.hpp"
#include "text/characters.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view exact_calls = "calls are exact; times include the profiler's own, and vary";

constexpr std::array<LanguageProfiler, 5> profilers{{
    {"Python", "cProfile", "cprofile.out.", exact_calls.data(), "python3"},
    {"PHP", "Xdebug", "xdebug.out.", exact_calls.data(), "php-xdebug"},
    {"JavaScript", "node --cpu-prof", "cpuprofile.out.", "costs are samples: estimates that vary", "nodejs"},
    {"Ruby", "ruby-prof", "ruby-prof.out.", exact_calls.data(), "ruby-prof"},
    {"Perl", "Devel::NYTProf", "nytprof.out.", exact_calls.data(), "libdevel-nytprof-perl"},
}};

/// The interpreter of what has no `#!` line, and its package.
struct Interpreter {
    const char *name, *package;
};
constexpr std::array<Interpreter, 5> interpreters{
    {{"python3", "python3"}, {"php", "php-cli"}, {"node", "nodejs"}, {"ruby", "ruby"}, {"perl", "perl"}}};

const Interpreter& interpreter_of(Language language) {
    return interpreters[static_cast<std::size_t>(language)];
}

struct Ending {
    std::string_view text;
    Language language;
};
constexpr std::array endings{Ending{".py", Language::python},      Ending{".php", Language::php},
                             Ending{".js", Language::javascript},  Ending{".mjs", Language::javascript},
                             Ending{".cjs", Language::javascript}, Ending{".rb", Language::ruby},
                             Ending{".pl", Language::perl}};

std::optional<Language> language_by_ending(const std::string& name) {
    for (const auto& [text, language] : endings)
        if (name.ends_with(text) && name.size() > text.size()) return language;
    return std::nullopt;
}

/// "python3.11" and the like.
std::optional<Language> language_of_interpreter(std::string_view name) {
    name = name.substr(0, name.find_last_not_of("0123456789.") + 1);
    if (name == "python" || name == "pypy") return Language::python;
    if (name == "php") return Language::php;
    if (name == "node" || name == "nodejs") return Language::javascript;
    if (name == "ruby") return Language::ruby;
    if (name == "perl") return Language::perl;
    return std::nullopt;
}

bool is_readable_file(const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && std::ifstream(path).is_open();
}

std::string in_directory(const std::string& name, const std::string& directory) {
    return directory.empty() ? name : (fs::path(directory) / name).string();
}

/// Runs the script as `__main__`, as Python does: its traceback does not begin here. The working directory
/// is not searched for modules, and those that are loaded here do not hide the script's own.
/// Code with the same file, line and name, such as comprehensions within each other, is one function of the
/// profile: a call between them is a recursion, whose time is part of that of the first call. So is one by
/// what such code has called (`sum`), of code that is written within it.
constexpr const char* python_start = R"(import sys
if sys.path[:1] == [""]: del sys.path[0]
known = set(sys.modules)
import cProfile, importlib.machinery, marshal, os, types
def key(code):
    if isinstance(code, str): return "~", 0, code
    return code.co_filename, code.co_firstlineno, code.co_name
def stats_of(entries):
    entries = [each for each in entries if each.code != "<method 'disable' of '_lsprof.Profiler' objects>"]
    calls = [(each.code, call) for each in entries for call in each.calls or ()]
    callees, enclosing, stats, longest = {}, {}, {}, {}
    for caller, call in calls: callees.setdefault(id(caller), set()).add(id(call.code))
    for each in entries:
        for inner in getattr(each.code, "co_consts", ()):
            if isinstance(inner, types.CodeType) and key(inner) == key(each.code):
                enclosing[id(inner)] = callees.get(id(each.code), ())
    def recurs(caller, code):
        return caller is not code and (key(caller) == key(code) or id(caller) in enclosing.get(id(code), ()))
    entered = {(key(caller), id(call.code)) for caller, call in calls if recurs(caller, call.code)}
    for each in entries:
        name = key(each.code)
        first, count, own, time, callers = stats.get(name, (0, 0, 0.0, 0.0, {}))
        stats[name] = (first + each.callcount - each.reccallcount, count + each.callcount,
                       own + each.inlinetime, time + each.totaltime, callers)
        longest[name] = max(longest.get(name, 0.0), each.totaltime)
    for caller, call in calls:
        name, above = key(call.code), key(caller)
        if name not in stats: continue
        first, count, own, time, callers = stats[name]
        outer, outer_time = call.callcount - call.reccallcount, call.totaltime
        if recurs(caller, call.code):
            stats[name] = max(first - outer, 1), count, own, max(time - outer_time, longest[name]), callers
        if (name, id(caller)) in entered or (name != above and recurs(caller, call.code)): outer, outer_time = 0, 0.0
        before = callers.get(above, (0, 0, 0.0, 0.0))
        callers[above] = (before[0] + call.callcount, before[1] + outer, before[2] + call.inlinetime,
                          before[3] + outer_time)
    return stats
output, script = sys.argv[1:3]
del sys.argv[:2]
folder = os.path.dirname(os.path.realpath(script))
if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)): sys.path.insert(0, folder)
for name in set(sys.modules) - known if folder in sys.path else ():
    top = os.path.join(folder, name.partition(".")[0])
    if os.path.isdir(top) or os.path.exists(top + ".py"): del sys.modules[name]
path = os.path.join(os.getcwd(), script.removeprefix("./")) if sys.version_info >= (3, 9) else script
main = sys.modules["__main__"] = types.ModuleType("__main__")
main.__dict__.update(__builtins__=__builtins__, __cached__=None, __file__=path,
                     __loader__=importlib.machinery.SourceFileLoader("__main__", path))
if "__annotations__" in globals(): main.__annotations__ = {}
process, profile = os.getpid(), cProfile.Profile()
try:
    with open(script, "rb") as file: code = compile(file.read(), path, "exec")
    run = types.FunctionType(code, main.__dict__)
    profile.enable()
    run()
except BaseException:
    hook = sys.excepthook
    sys.excepthook = lambda kind, error, trace: hook(kind, error.with_traceback(trace.tb_next), trace.tb_next)
    raise
finally:
    profile.disable()
    stats = stats_of(profile.getstats()) if os.getpid() == process else {}
    if stats:
        with open(output, "wb") as file: marshal.dump(stats, file)
)";

/// Begins with the first line of the script: what runs before has no end that ruby-prof could see.
constexpr const char* ruby_start = R"(require 'ruby-prof'
process = Process.pid
profile = RubyProf::Profile.new(measure_mode: RubyProf::WALL_TIME)
at_exit do
  if profile.running?
    profile.stop
    RubyProf::CallTreePrinter.new(profile).print(path: __dir__) if Process.pid == process
  end
end
TracePoint.new(:line) do |point|
  if point.path == $0
    point.disable
    profile.start
  end
end.enable
)";

/// For NYTPROF, whose separators are colons and equals signs.
std::string with_escaped_separators(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == ':' || c == '=' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// As a value of php.ini: nothing is special between single quotes, and a single one is so between double
/// ones.
std::string php_value(const std::string& text) {
    std::string value = "'";
    for (const char c : text) value += c == '\'' ? std::string("'\"'\"'") : std::string(1, c);
    return value + "'";
}

/// Their settings would win.
void unset_settings(std::vector<std::string>& words, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (!environment(name)) continue;
        if (words.empty()) words.emplace_back("env");
        words.insert(words.end(), {"-u", name});
    }
}

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// What runs only if the profiler is there.
std::vector<std::string> question(const Script& script) {
    switch (script.language) {
        case Language::python:
            return {"-I", "-c", "import cProfile"};
        case Language::php:
            return {"--ri", "xdebug"};
        case Language::javascript:
            return {"--version"};
        case Language::ruby:
            return {"-rruby-prof", "-e", "0"};
        case Language::perl:
            break;
    }
    return {"-MDevel::NYTProf::Core", "-e", "0"};
}

/// 0: it is there.
int ask(const Script& script, const std::string& directory) {
    auto words = joined(script.interpreter, script.options);
    if (words.front().find('/') != std::string::npos) words.front() = in_directory(words.front(), directory);
    const auto answer = run_program(joined(std::move(words), question(script)), {});
    return !answer ? answer.error() : answer->has_failed ? -1 : 0;
}

/// Temporary files may be on another file system. A link that is in the way is replaced, not followed.
bool move_file(const std::string& from, const std::string& to, std::error_code& problem) {
    problem.clear();
    fs::rename(from, to, problem);
    if (problem != std::errc::cross_device_link) return !problem;
    std::string beside = to + ".XXXXXX";
    const int descriptor = ::mkstemp(beside.data());
    if (descriptor < 0) {
        problem.assign(errno, std::generic_category());
        return false;
    }
    ::close(descriptor);
    problem.clear();
    fs::copy_file(from, beside, fs::copy_options::overwrite_existing, problem);
    if (!problem) fs::rename(beside, to, problem);
    std::error_code ignored;
    if (problem) fs::remove(beside, ignored);
    return !problem;
}

/// The number between the dots that are `before` dots from the end; negative: none.
long number_of(const std::string& name, int before) {
    std::string_view text(name);
    for (; before > 0 && !text.empty(); --before) text = text.substr(0, text.rfind('.'));
    text.remove_prefix(std::min(text.rfind('.') + 1, text.size()));
    if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string_view::npos)
        return -1;
    return std::stol(std::string(text));
}

struct LeftFile {
    long thread = 0;
    std::string path;
    bool operator<(const LeftFile& other) const {
        return thread != other.thread ? thread < other.thread : path < other.path;
    }
};

/// Of the process, its main thread first.
std::vector<LeftFile> files_left(const Script& script, const std::string& place, pid_t process) {
    std::vector<LeftFile> files;
    for_each_entry(place, [&](const std::string& name, FileKind) {
        if (script.language == Language::javascript && name.ends_with(".cpuprofile")) {
            // CPU.DATE.TIME.PROCESS.THREAD.NUMBER.cpuprofile
            if (number_of(name, 3) == process) files.push_back({number_of(name, 2), place + name});
        } else if (script.language == Language::ruby && name.find("callgrind.out") != std::string::npos) {
            // callgrind.out.PROCESS, callgrind.out.PROCESS.THREAD
            const bool is_main = name.ends_with(fmt::format(".out.{}", process));
            files.push_back({is_main ? -1 : number_of(name, 0), place + name});
        } else if (name == "profile") {
            files.push_back({0, place + name});
        }
        return true;
    });
    std::sort(files.begin(), files.end());
    return files;
}

/// NYTProf has its own format, and a program that converts it.
bool convert_nytprof(const std::string& file, std::string& problem) {
    const auto converted = file + ".callgrind", errors = file + ".errors";
    const auto ended = run_in_foreground({"nytprofcg", "--file", file, "--out", converted}, {},
                                         {.output = file + ".output", .errors = errors});
    std::error_code ignored;
    if (ended && ended->exit_status == 0) return move_file(converted, file, ignored);
    const auto said = ended ? beginning_of(errors) : std::strerror(ended.error());
    problem = "nytprofcg: " + engine::display_line(said.substr(0, said.find('\n')));
    return false;
}

/// What these profilers do not say of their times.
void say_unit(const std::string& file) {
    std::ifstream profile(file, std::ios::binary);
    std::string line;
    std::getline(profile, line);
    const bool is_ruby_prof = line == "events: wall_time";
    if (!is_ruby_prof && line != "events: Ticks") return;
    const auto with_unit = file + ".unit";
    std::ofstream out(with_unit, std::ios::binary);
    out << (is_ruby_prof ? "event: wall_time : Elapsed time (us)\n" : "event: Ticks : Elapsed time (us)\n")
        << line << '\n'
        << profile.rdbuf();
    out.close();
    std::error_code ignored;
    if (out) (void)move_file(with_unit, file, ignored);
}

}  // namespace

const LanguageProfiler& profiler_of(Language language) {
    return profilers[static_cast<std::size_t>(language)];
}

std::optional<Script> script_named(const std::string& name, const std::string& directory) {
    const auto by_ending = language_by_ending(name);
    const auto file = inspect_program(name, directory);
    Script script;
    auto path = in_directory(name, directory);
    if (by_ending && is_readable_file(path)) {
        script.path = name.starts_with('-') ? "./" + name : name;
    } else if (file.is_script && file.cannot_run == CannotRun::no) {
        path = file.path;
        script.path = name.find('/') == std::string::npos ? path : name;
    } else {
        return std::nullopt;
    }
    script.interpreter = interpreter_words(path);
    if (script.interpreter.empty()) {
        if (!by_ending) return std::nullopt;
        script.language = *by_ending;
        script.interpreter = {interpreter_of(*by_ending).name};
        return script;
    }
    const auto language =
        language_of_interpreter(interpreter_of_line(fmt::format("#!{}", fmt::join(script.interpreter, " "))));
    if (!language) return std::nullopt;
    script.language = *language;
    return script;
}

std::string script_among(const std::vector<std::string>& program, const std::string& directory) {
    const auto language = language_of_interpreter(engine::base_name(program.front()));
    const auto is_its_script = [&](const std::string& word) {
        return language && language_by_ending(word) == language &&
               is_readable_file(in_directory(word, directory));
    };
    const auto found = std::find_if(program.begin() + 1, program.end(), is_its_script);
    return found == program.end() ? std::string() : *found;
}

std::optional<MissingProfiler> find_profiler(Script& script, const std::string& directory) {
    const auto& usual = interpreter_of(script.language);
    auto interpreter = without_env(script.interpreter).front();
    if (interpreter.find('/') != std::string::npos) interpreter = in_directory(interpreter, directory);
    if (inspect_program(interpreter).cannot_run == CannotRun::not_found)
        return MissingProfiler{
            fmt::format("{}, the interpreter of {}, was not found", engine::display_name(interpreter),
                        engine::display_name(script.path)),
            fmt::format("{} is in the package {} ('apt install {}' on Debian)", usual.name, usual.package,
                        usual.package)};
    int problem = ask(script, directory);
    if (problem == -1 && script.language == Language::php) {
        script.options = {"-d", "zend_extension=xdebug"};
        problem = ask(script, directory);
    }
    const auto& profiler = profiler_of(script.language);
    if (problem == 0 && script.language == Language::perl &&
        inspect_program("nytprofcg").cannot_run != CannotRun::no)
        return MissingProfiler{
            "nytprofcg, which belongs to Devel::NYTProf, is not in PATH",
            fmt::format("it is in the package {0} ('apt install {0}' on Debian)", profiler.package)};
    if (problem == 0) return std::nullopt;
    const auto name = engine::display_name(fmt::format("{}", fmt::join(script.interpreter, " ")));
    if (problem != -1) return MissingProfiler{fmt::format("{}: {}", name, std::strerror(problem)), {}};
    return MissingProfiler{
        fmt::format("{} is not installed for {}, or does not work with it", profiler.name, name),
        fmt::format("its package is called {0} ('apt install {0}' on Debian); --interpreter needs none: it "
                    "records the interpreter under Callgrind",
                    profiler.package)};
}

std::vector<std::string> profiler_command(const Script& script, const std::string& place,
                                          const std::vector<std::string>& program) {
    const auto profile = place + "profile";
    std::vector<std::string> words;
    if (script.language == Language::php) unset_settings(words, {"XDEBUG_MODE", "XDEBUG_CONFIG"});
    if (script.language == Language::perl)
        words = {"env",
                 fmt::format("NYTPROF=file={}:addpid=0:sigexit=int", with_escaped_separators(profile))};
    words = joined(joined(std::move(words), script.interpreter), script.options);
    switch (script.language) {
        case Language::python:
            words.insert(words.end(), {"-c", python_start, profile});
            break;
        case Language::php:
            for (const auto& setting : {std::string("mode=profile"), std::string("start_with_request=yes"),
                                        std::string("use_compression=0"), "output_dir=" + php_value(place),
                                        std::string("profiler_output_name=profile")})
                words.insert(words.end(), {"-d", "xdebug." + setting});
            break;
        case Language::javascript:
            words.insert(words.end(), {"--cpu-prof", "--cpu-prof-dir=" + place});
            break;
        case Language::ruby:
            words.push_back("-r" + profile + ".rb");
            break;
        case Language::perl:
            words.emplace_back("-d:NYTProf");
            break;
    }
    words.push_back(script.path);
    words.insert(words.end(), program.begin() + 1, program.end());
    return words;
}

bool prepare_profiler(const Script& script, const std::string& place) {
    if (script.language != Language::ruby) return true;
    std::ofstream file(place + "profile.rb", std::ios::binary);
    return static_cast<bool>(file << ruby_start << std::flush);
}

std::vector<std::string> take_profiles(const Script& script, const std::string& place, pid_t process,
                                       const std::string& base, std::string& problem) {
    std::vector<std::string> taken;
    std::error_code ignored;
    for (const auto& file : files_left(script, place, process)) {
        if (const auto size = fs::file_size(file.path, ignored); ignored || size == 0) continue;
        if (script.language == Language::perl && !convert_nytprof(file.path, problem)) continue;
        if (script.language == Language::perl || script.language == Language::ruby) say_unit(file.path);
        auto name = taken.empty() ? base : fmt::format("{}-{:02}", base, taken.size());
        std::error_code failure;
        if (move_file(file.path, name, failure)) {
            taken.push_back(std::move(name));
        } else {
            problem = fmt::format("{}: {}", engine::display_name(name), failure.message());
        }
    }
    return taken;
}

}  // namespace callcost::program
