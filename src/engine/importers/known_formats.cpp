#include "importers/known_formats.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "text/shell.hpp"

namespace callcost::engine {
namespace {

using std::string_view_literals::operator""sv;

/// Where a file has the marks of its kind.
enum class Where : std::uint8_t {
    start,  ///< the first one at its very beginning
    line,   ///< the first one at the beginning of a line
    text,   ///< anywhere; text only
    json,   ///< anywhere in an object or array
};

/// What it holds.
enum class Holds : std::uint8_t {
    profile,  ///< in a format that is not read
    other,
};

struct FileKind {
    Where where;
    std::array<std::string_view, 2> marks;  ///< both; the second may be empty
    Holds holds;
    std::string_view what;
    std::string_view advice = {};  ///< "FILE" is the file
};

// The first that fits. Special ones come before general ones, such as "a JSON file".
constexpr std::array file_kinds{
    // Binary profiles
    FileKind{Where::start,
             {"PERFILE2"},
             Holds::profile,
             "a perf.data file",
             "perf script -i FILE > FILE.txt, then callcost FILE.txt"},
    FileKind{Where::start,
             {"2ELIFREP"},
             Holds::profile,
             "a perf.data file of another processor",
             "perf script -i FILE > FILE.txt, then callcost FILE.txt"},
    FileKind{Where::start,
             {"gmon\1"sv},
             Holds::profile,
             "a gmon.out file",
             "it needs its program: gprof PROGRAM FILE; 'callcost record PROGRAM' counts exactly"},
    FileKind{Where::start,
             {"FLR\0"sv},
             Holds::profile,
             "a JDK Flight Recorder recording",
             "jfrconv of async-profiler: jfrconv -o collapsed FILE FILE.folded, then callcost FILE.folded"},
    FileKind{Where::start,
             {"\x17\x08\x44tracing"},
             Holds::profile,
             "a trace.dat file of trace-cmd",
             "trace-cmd report FILE shows it"},
    FileKind{Where::start,
             {"NYTProf "},
             Holds::profile,
             "a profile of Devel::NYTProf",
             "nytprofcg --file FILE --out FILE.callgrind, then callcost FILE.callgrind"},
    FileKind{Where::start,
             {"Nettrace"},
             Holds::profile,
             "a trace of .NET",
             "dotnet-trace report FILE topN shows it"},
    FileKind{Where::start, {"JAVA PROFILE 1.0."}, Holds::other, "a heap dump of Java"},
    FileKind{Where::start,
             {"go 1.", " trace\0"sv},
             Holds::other,
             "an execution trace of Go",
             "go tool trace FILE shows it; -cpuprofile writes a profile"},
    FileKind{Where::start,
             {"v 1", "\nX "},
             Holds::profile,
             "a heaptrack file",
             "heaptrack_print -F FILE.folded FILE, then callcost FILE.folded"},
    FileKind{Where::start, {"\n", "\n\x0cservice.name"}, Holds::profile, "OpenTelemetry data"},
    // Other binary files
    FileKind{Where::start,
             {"\177ELF"},
             Holds::other,
             "a program or a library",
             "'callcost record ./FILE' records a profile of a program"},
    FileKind{Where::start, {"MZ"}, Holds::other, "a program of Windows"},
    FileKind{Where::start, {"\xcf\xfa\xed\xfe"}, Holds::other, "a program of macOS"},
    FileKind{Where::start, {"\xca\xfe\xba\xbe"}, Holds::other, "a Java class or a program of macOS"},
    FileKind{Where::start, {"\0asm"sv}, Holds::other, "a WebAssembly module"},
    FileKind{Where::start,
             {"SQLite format 3\0"sv},
             Holds::other,
             "an SQLite database",
             "if it is a store of profiles: callcost history list --store FILE"},
    FileKind{Where::start, {"PK\3\4"}, Holds::other, "a zip archive", "give a file that is in it"},
    FileKind{Where::start, {"7z\xbc\xaf"}, Holds::other, "a 7z archive", "give a file that is in it"},
    FileKind{
        Where::start, {"\x04\x22\x4d\x18"}, Holds::other, "an lz4 file", "lz4 -d FILE, then the file in it"},
    FileKind{Where::start, {"\x89PNG"}, Holds::other, "a PNG picture"},
    FileKind{Where::start, {"\xff\xd8\xff"}, Holds::other, "a JPEG picture"},
    FileKind{Where::start, {"GIF8"}, Holds::other, "a GIF picture"},
    FileKind{Where::start, {"%PDF-"}, Holds::other, "a PDF document"},
    FileKind{Where::start, {"bplist00"}, Holds::other, "a binary property list"},
    FileKind{Where::start, {"\x80\x02}"}, Holds::other, "a Python pickle"},
    FileKind{Where::start, {"\x80\x03}"}, Holds::other, "a Python pickle"},
    FileKind{Where::start, {"\x80\x04\x95"}, Holds::other, "a Python pickle"},
    FileKind{Where::start, {"\x80\x05\x95"}, Holds::other, "a Python pickle"},
    FileKind{Where::start, {"\4\10"}, Holds::other, "Ruby data (Marshal)"},
    FileKind{Where::start,
             {"\xff\xfe"},
             Holds::other,
             "text in UTF-16",
             "iconv -f UTF-16 -t UTF-8 FILE > FILE.txt"},
    FileKind{Where::start,
             {"\xfe\xff"},
             Holds::other,
             "text in UTF-16",
             "iconv -f UTF-16 -t UTF-8 FILE > FILE.txt"},
    // JSON
    FileKind{Where::json,
             {"speedscope.app/file-format-schema"},
             Holds::profile,
             "a speedscope profile",
             "the command reads it: callcost view FILE"},
    FileKind{Where::json,
             {"\"preprocessedProfileVersion\""},
             Holds::profile,
             "a Firefox profile",
             "the command reads it: callcost view FILE"},
    FileKind{Where::json,
             {"\"meta\"", "\"subcategories\""},
             Holds::profile,
             "a Firefox profile",
             "the command reads it: callcost view FILE"},
    FileKind{Where::json,
             {"\"libs\"", "\"breakpadId\""},
             Holds::profile,
             "a Firefox profile",
             "the command reads it: callcost view FILE"},
    FileKind{Where::json, {"\"traceEvents\""}, Holds::other, "a Chrome trace without events"},
    FileKind{Where::json,
             {"\"nodes\"", "\"callFrame\""},
             Holds::profile,
             "a .cpuprofile of V8",
             "the command reads it: callcost view FILE"},
    FileKind{Where::json,
             {"\"rts_arguments\""},
             Holds::profile,
             "a profile of GHC as JSON",
             "https://www.speedscope.app shows it"},
    FileKind{Where::json, {"\"resourceProfiles\""}, Holds::profile, "an OpenTelemetry profile"},
    FileKind{Where::json, {"\"resourceSpans\""}, Holds::other, "an OpenTelemetry trace"},
    FileKind{Where::json, {"\"snapshot\"", "\"node_fields\""}, Holds::other, "a heap snapshot of V8"},
    FileKind{Where::json, {"\"isBlockCoverage\""}, Holds::other, "code coverage of V8"},
    FileKind{Where::json,
             {"\"schema\": \"callcost."},
             Holds::other,
             "JSON that callcost wrote",
             "give the profile itself"},
    FileKind{Where::json, {"\"directory\"", "\"command\""}, Holds::other, "a compilation database"},
    FileKind{Where::json, {""}, Holds::other, "a JSON file"},
    // Profiles as text
    FileKind{Where::text,
             {"ms_print arguments:"},
             Holds::other,
             "output of ms_print",
             "give the file that it was made of, massif.out.PID"},
    FileKind{Where::text,
             {"Time and Allocation Profiling Report"},
             Holds::profile,
             "a profile of GHC as text",
             "+RTS -pj writes one for https://www.speedscope.app"},
    FileKind{Where::line,
             {"Each sample counts as "},
             Holds::profile,
             "output of gprof",
             "'callcost record PROGRAM' counts exactly"},
    FileKind{Where::line,
             {"Attaching ", " probe"},
             Holds::profile,
             "output of bpftrace",
             "FlameGraph's stackcollapse-bpftrace.pl FILE > FILE.folded, then callcost FILE.folded"},
    FileKind{Where::line,
             {"Analysis of sampling "},
             Holds::profile,
             "output of sample of macOS",
             "FlameGraph's stackcollapse-sample.awk FILE > FILE.folded, then callcost FILE.folded"},
    FileKind{Where::line,
             {"Weight\tSelf Weight\t", "\tSymbol Name"},
             Holds::profile,
             "a call tree of Instruments",
             "FlameGraph's stackcollapse-instruments.pl FILE > FILE.folded, then callcost FILE.folded"},
    FileKind{Where::line,
             {"Running Time\tSelf", "Symbol Name"},
             Holds::profile,
             "a call tree of Instruments",
             "FlameGraph's stackcollapse-instruments.pl FILE > FILE.folded, then callcost FILE.folded"},
    FileKind{Where::text,
             {"<trace-query-result>", "<tagged-backtrace"},
             Holds::profile,
             "output of xctrace export",
             "inferno-collapse-xctrace FILE > FILE.folded, then callcost FILE.folded"},
    FileKind{Where::line,
             {"Function Stack", "CPU Time:"},
             Holds::profile,
             "a report of VTune",
             "FlameGraph's stackcollapse-vtune.pl FILE > FILE.folded, then callcost FILE.folded"},
    FileKind{Where::line,
             {"Function", "CPU Time:"},
             Holds::profile,
             "a report of VTune",
             "vtune -report top-down -call-stack-mode all -format csv writes the stacks, which FlameGraph's "
             "stackcollapse-vtune.pl folds"},
    FileKind{Where::line,
             {"TRACE START ["},
             Holds::profile,
             "a function trace of Xdebug",
             "xdebug.mode=profile writes a file that is read"},
    FileKind{Where::line,
             {"Profile data file '"},
             Holds::other,
             "output of callgrind_annotate",
             "give the file that it was made of"},
    FileKind{Where::line,
             {"# To display the perf.data header info"},
             Holds::other,
             "output of perf report",
             "perf script > perf.txt, then callcost perf.txt"},
    FileKind{Where::text,
             {"Performance counter stats for"},
             Holds::other,
             "output of perf stat",
             "'callcost record --sample PROGRAM' records with perf"},
    FileKind{Where::text,
             {",task-clock,", ",CPUs utilized"},
             Holds::other,
             "output of perf stat",
             "'callcost record --sample PROGRAM' records with perf"},
    FileKind{Where::line, {"# tracer: "}, Holds::other, "output of ftrace"},
    // Logs
    FileKind{Where::text, {"ERROR: AddressSanitizer"}, Holds::other, "a report of AddressSanitizer"},
    FileKind{Where::text, {"WARNING: ThreadSanitizer"}, Holds::other, "a report of ThreadSanitizer"},
    FileKind{Where::text,
             {"DHAT, a dynamic heap analysis tool"},
             Holds::other,
             "a log of Valgrind",
             "DHAT's profile is dhat.out.PID"},
    FileKind{Where::text,
             {"Command: ", "Using Valgrind-"},
             Holds::other,
             "a log of Valgrind",
             "'callcost record PROGRAM' records a profile"},
    FileKind{Where::text,
             {"ERROR SUMMARY: ", " contexts (suppressed: "},
             Holds::other,
             "a log of Valgrind",
             "'callcost record PROGRAM' records a profile"},
    FileKind{Where::text,
             {"<valgrindoutput>"},
             Holds::other,
             "a log of Valgrind",
             "'callcost record PROGRAM' records a profile"},
    FileKind{Where::text, {" IP", ": Flags ["}, Holds::other, "output of tcpdump"},
    FileKind{Where::text, {"\"GET /", " HTTP/1."}, Holds::other, "a log of a web server"},
    FileKind{Where::text, {"\"POST /", " HTTP/1."}, Holds::other, "a log of a web server"},
    FileKind{Where::text, {"execve(\"", ") = "}, Holds::other, "output of strace"},
    FileKind{Where::text, {"Disassembly of section "}, Holds::other, "output of objdump"},
    FileKind{Where::text, {" r-xp ", " r--p "}, Holds::other, "the memory map of a process"},
    FileKind{Where::line, {"Traceback (most recent call last):"}, Holds::other, "a traceback of Python"},
    FileKind{Where::line, {"#0  ", "\n#1  "}, Holds::other, "a backtrace of gdb"},
    FileKind{Where::text, {" Call Trace:\n"}, Holds::other, "a log of the kernel"},
    // Text of people
    FileKind{Where::start,
             {"version https://git-lfs.github.com/spec"},
             Holds::other,
             "a pointer of Git LFS",
             "git lfs pull fetches the file"},
    FileKind{Where::start,
             {"#!"},
             Holds::other,
             "a script",
             "'callcost record ./FILE' records a profile of its functions, or of its interpreter"},
    FileKind{Where::text, {"<svg"}, Holds::other, "an SVG picture", "give the profile that it was drawn of"},
    FileKind{Where::text, {"<!DOCTYPE html"}, Holds::other, "an HTML page"},
    FileKind{Where::text, {"<!doctype html"}, Holds::other, "an HTML page"},
    FileKind{Where::text, {"<html"}, Holds::other, "an HTML page"},
    FileKind{Where::start, {"<?xml"}, Holds::other, "an XML file"},
    FileKind{Where::line, {"#include <"}, Holds::other, "a C or C++ source file"},
    FileKind{Where::line, {"#include \""}, Holds::other, "a C or C++ source file"},
    FileKind{Where::line,
             {"import ", "\ndef "},
             Holds::other,
             "a Python source file",
             "'callcost record ./FILE' records a profile of its functions"},
    FileKind{Where::line, {"diff --git "}, Holds::other, "a patch"},
    FileKind{Where::text, {"{color:"}, Holds::other, "a style sheet"},
    FileKind{Where::text, {"{", "margin:"}, Holds::other, "a style sheet"},
    FileKind{Where::text, {"{", "\n  color: "}, Holds::other, "a style sheet"},
};

bool has(std::string_view text, std::string_view mark) { return text.find(mark) != std::string_view::npos; }

bool begins_a_line(std::string_view text, std::string_view mark) {
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1))
        if (at == 0 || text[at - 1] == '\n') return true;
    return false;
}

bool is_json(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    const std::size_t next = text.find_first_not_of(" \t\r\n", begin + 1);
    const char inside = next == std::string_view::npos ? '\0' : text[next];
    return (text[begin] == '{' && (inside == '"' || inside == '}')) ||
           (text[begin] == '[' && (inside == '{' || inside == '[' || inside == ']' || inside == '"'));
}

bool fits(const FileKind& kind, std::string_view bytes) {
    if (!has(bytes, kind.marks[1])) return false;
    const std::string_view mark = kind.marks[0];
    switch (kind.where) {
        case Where::start:
            return bytes.starts_with(mark);
        case Where::line:
            return begins_a_line(bytes, mark);
        case Where::text:
            return !has(bytes, "\0"sv) && has(bytes, mark);
        case Where::json:
            return is_json(bytes) && has(bytes, mark);
    }
    return false;
}

unsigned char byte(std::string_view bytes, std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

constexpr FileKind core_file{
    Where::start, {}, Holds::other, "a core file", "gdb PROGRAM FILE shows the stacks in it"};
constexpr FileKind tar_archive{Where::start, {}, Holds::other, "a tar archive", "give a file that is in it"};
constexpr FileKind pstats{Where::start,
                          {},
                          Holds::profile,
                          "a profile of Python's cProfile",
                          "the command reads it: callcost view FILE"};
constexpr FileKind jslb{Where::start,
                        {},
                        Holds::profile,
                        "a Firefox profile as JsonSlabs (.jslb)",
                        "https://profiler.firefox.com reads it, and saves it as .json.gz"};
constexpr FileKind marshal{Where::start, {}, Holds::other, "Python data (marshal)"};
constexpr FileKind dtrace{Where::start,
                          {},
                          Holds::profile,
                          "stacks of DTrace",
                          "FlameGraph's stackcollapse.pl FILE > FILE.folded, then callcost FILE.folded"};
constexpr FileKind valgrind_log{
    Where::start, {}, Holds::other, "a log of Valgrind", "'callcost record PROGRAM' records a profile"};

/// A core is an ELF file of type 4; its bytes are in either order.
bool is_core(std::string_view bytes) {
    const std::size_t low = byte(bytes, 5) == 2 ? 17 : 16;
    return bytes.starts_with("\177ELF") && byte(bytes, low) == 4;
}

bool is_tar(std::string_view bytes) { return bytes.size() > 262 && bytes.substr(257, 5) == "ustar"; }

/// A marshalled dict, with or without the flag of an object that is referred to.
bool is_marshal(std::string_view bytes) {
    return byte(bytes, 0) == 0xfb || (byte(bytes, 0) == '{' && has(bytes.substr(0, 16), "\0"sv));
}

/// Its keys are tuples of file, line and function.
bool is_dict_of_tuples(std::string_view bytes) {
    const unsigned type = byte(bytes, 1) & 0x7fU;
    return is_marshal(bytes) && (type == ')' || type == '(') && byte(bytes, 2) == 3;
}

/// JsonSlabs: JSON with some columns as binary data.
bool is_jslb(std::string_view bytes, std::string_view file) {
    return (has(bytes, "\"preprocessedProfileVersion\"") || file.ends_with(".jslb") ||
            file.ends_with(".jslb.gz")) &&
           has(bytes, "\0"sv);
}

/// Indented frames `MODULE`FUNCTION+0xOFFSET`, or without an offset, and behind each stack its count alone.
bool is_dtrace(std::string_view bytes) {
    bool has_frame = false;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        const std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string_view::npos) continue;
        if (begin == 0) return false;
        const bool is_count = line.find_first_not_of("0123456789", begin) == std::string_view::npos;
        if (is_count) return has_frame;
        has_frame = has(line, "`") || (has_frame && line.substr(begin).starts_with("0x"));
        if (!has_frame) return false;
    }
    return false;
}

/// `==PID== `, and with the time or other marks around it.
bool is_valgrind_log(std::string_view bytes) {
    const std::size_t end = bytes.find_first_not_of("0123456789", 2);
    return bytes.starts_with("==") && end != 2 && end != std::string_view::npos &&
           bytes.substr(end, 2) == "==";
}

const FileKind* find_kind(std::string_view bytes, std::string_view file) {
    if (is_jslb(bytes, file)) return &jslb;
    if (is_core(bytes)) return &core_file;
    if (is_tar(bytes)) return &tar_archive;
    if (is_dict_of_tuples(bytes)) return &pstats;
    if (is_marshal(bytes)) return &marshal;
    if (is_dtrace(bytes)) return &dtrace;
    const auto* const found = std::find_if(file_kinds.begin(), file_kinds.end(),
                                           [&](const FileKind& kind) { return fits(kind, bytes); });
    if (found != file_kinds.end()) return found;
    return is_valgrind_log(bytes) ? &valgrind_log : nullptr;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

}  // namespace

void name_file_kind(Error& error, std::string_view first_bytes, std::string_view file) {
    const bool is_refusal = error.code == ErrorCode::not_a_profile || error.code == ErrorCode::no_events;
    if (!is_refusal || !error.detail.empty()) return;
    const FileKind* const kind = find_kind(first_bytes.substr(0, bytes_that_name_a_file), file);
    if (kind == nullptr) return;
    error.code = ErrorCode::not_a_profile;
    error.line = error.column = error.offset = 0;
    error.detail = "this is " + std::string(kind->what) +
                   (kind->holds == Holds::profile ? ", which is not supported" : ", not a profile");
    error.advice = kind->advice;
    if (file.empty() || file.front() == '-' || !has(error.advice, "FILE")) return;
    const std::string word = quoted({std::string(file)});
    if (word != file) replace_all(error.advice, "'callcost record ./FILE'", "callcost record ./FILE");
    if (has(file, "/")) replace_all(error.advice, "./FILE", "FILE");
    replace_all(error.advice, "FILE", word);
}

}  // namespace callcost::engine
