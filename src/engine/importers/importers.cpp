#include "importers/importers.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include <protozero/pbf_reader.hpp>

#include "encodings/gperftools_words.hpp"
#include "encodings/import_input.hpp"
#include "encodings/marshal.hpp"
#include "encodings/protobuf_end.hpp"
#include "encodings/utf16_text.hpp"
#include "importers/perf_lines.hpp"
#include "json_importers/json_importers.hpp"

namespace callcost::engine {
namespace {

struct Format {
    std::string_view name, description;
    Result<ImportNotes> (*import)(const Source&, const ImportOptions&, const Sink&);
    bool is_text;  // which may be in UTF-16
};

// By ImportFormat.
constexpr std::array formats{
    Format{"pprof", "pprof profiles (Go, gperftools and all that write profile.proto)", import_pprof, false},
    Format{"folded",
           "folded stacks, 'a;b;c 12', or two numbers (FlameGraph's stackcollapse-*, async-profiler, py-spy)",
           import_folded, true},
    Format{"perf-script", "the text of perf script (perf record -g)", import_perf_script, true},
    Format{"cpuprofile", "V8's .cpuprofile (node --cpu-prof, Chrome DevTools, v8-profiler-next)",
           import_cpuprofile, true},
    Format{"speedscope", "speedscope's JSON (py-spy, pyinstrument, rbspy, callcost convert)",
           import_speedscope, true},
    Format{"tracegrind",
           "traces of tracegrind in CodSpeed's Valgrind (*.msgpack.lz4), of its versions 3 to 5",
           import_tracegrind, false},
    Format{"firefox", "profiles of Firefox as JSON, and of profiler.firefox.com (samply, Python)",
           import_firefox, true},
    Format{"heapprofile", "V8's .heapprofile (node --heap-prof, Chrome DevTools, v8-profiler-next)",
           import_heapprofile, true},
    Format{"dhat", "profiles of DHAT (valgrind --tool=dhat)", import_dhat, true},
    Format{"massif", "profiles of Massif (valgrind --tool=massif)", import_massif, true},
    Format{"chrome-trace",
           "traces of Chrome and DevTools as JSON (clang -ftime-trace, uftrace, viztracer, Node.js)",
           import_chrome_trace, true},
    Format{"pstats", "profiles of Python's cProfile and profile (.prof, .pstats)", import_pstats, false},
    Format{"gperftools", "CPU and heap profiles of gperftools and tcmalloc (CPUPROFILE, HEAPPROFILE)",
           import_gperftools, false},
    Format{"jemalloc", "heap profiles of jemalloc (MALLOC_CONF=prof:true)", import_jemalloc, false},
    Format{"go-text", "Go's profiles as text (debug=1): heap, block, mutex, goroutine, threadcreate",
           import_go_text, false},
    Format{"stackprof", "stackprof's dumps and JSON (Ruby)", import_stackprof, true},
};
static_assert(formats.size() == import_formats.size());

using Wire = protozero::pbf_wire_type;

/// The lines of a text that are whole; the last one, too, if the text is all there is of it (it rarely is).
class Lines {
  public:
    explicit Lines(std::string_view text) : left_(text) {}
    std::optional<std::string_view> next() {
        const std::size_t end = left_.find('\n');
        if (end == std::string_view::npos) {
            // A beginning that holds no line end may be one line.
            if (has_any_ || left_.empty()) return std::nullopt;
            has_any_ = true;
            return std::exchange(left_, {});
        }
        std::string_view line = left_.substr(0, end);
        left_.remove_prefix(end + 1);
        has_any_ = true;
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }
    /// What is left: a line that may be cut.
    [[nodiscard]] std::string_view rest() const { return left_; }

  private:
    std::string_view left_;
    bool has_any_ = false;
};

bool is_word_of_callgrind(std::string_view line) {
    constexpr std::array<std::string_view, 24> words{"# callgrind format",
                                                     "version:",
                                                     "creator:",
                                                     "events:",
                                                     "event:",
                                                     "positions:",
                                                     "cmd:",
                                                     "pid:",
                                                     "part:",
                                                     "thread:",
                                                     "desc:",
                                                     "summary:",
                                                     "totals:",
                                                     "fl=",
                                                     "fi=",
                                                     "fe=",
                                                     "fn=",
                                                     "ob=",
                                                     "cfn=",
                                                     "cfi=",
                                                     "cfl=",
                                                     "cob=",
                                                     "calls=",
                                                     "jump="};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return line.starts_with(word); });
}

bool may_be_callgrind(std::string_view text) {
    Lines lines(text);
    for (auto line = lines.next(); line; line = lines.next())
        if (is_word_of_callgrind(*line)) return true;
    return false;
}

bool is_text(std::string_view bytes) {
    return std::none_of(bytes.begin(), bytes.end(), [](char c) {
        return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
    });
}

/// Whether all fields of a message are numbers of these fields, of which it has one at least.
bool is_message_of_numbers(protozero::pbf_reader message, std::uint32_t last_field) {
    bool has_any = false;
    while (message.next()) {
        if (message.wire_type() != Wire::varint || message.tag() > last_field) return false;
        message.skip();
        has_any = true;
    }
    return has_any;
}

/// The fields of a Profile and how they are written.
bool is_field_of_profile(std::uint32_t field, Wire type) {
    if (field >= 1 && field <= 6) return type == Wire::length_delimited;
    if (field == 13) return type == Wire::varint || type == Wire::length_delimited;
    return field == 11 ? type == Wire::length_delimited : field <= 15 && type == Wire::varint;
}

/// Fields that a Profile may have, its sample types among them. They stand near the beginning: all writers
/// known put them there.
bool is_pprof(std::string_view bytes) {
    protozero::pbf_reader message(bytes.data(), bytes.size());
    std::size_t types = 0, fields = 0;
    bool is_other = false;
    const ProtobufEnd end = protobuf_end([&] {
        for (; !is_other && message.next(); ++fields) {
            is_other = !is_field_of_profile(message.tag(), message.wire_type());
            if (is_other) return;
            if (message.tag() != 1) {
                message.skip();
                continue;
            }
            is_other = !is_message_of_numbers(message.get_message(), 2);
            ++types;
        }
    });
    // What is no field may be damage. A last field that is cut may be of any length.
    return !is_other && types != 0 && (fields > 2 || end == ProtobufEnd::cut);
}

bool is_object_with(std::string_view text, std::initializer_list<std::string_view> keys) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && text[begin] == '{' &&
           std::all_of(keys.begin(), keys.end(),
                       [&](std::string_view key) { return text.find(key) != std::string_view::npos; });
}

/// Traces have profiles in pieces, of which each looks like one. Before 2016 nodes were nested.
bool is_cpuprofile(std::string_view text) {
    return text.find("\"traceEvents\"") == std::string_view::npos &&
           (is_object_with(text, {"\"nodes\"", "\"callFrame\""}) ||
            is_object_with(text, {"\"head\"", "\"functionName\"", "\"hitCount\""}));
}

bool is_heapprofile(std::string_view text) {
    return is_object_with(text, {"\"head\"", "\"callFrame\"", "\"selfSize\""});
}

/// The schema's name, which speedscope itself asks for; it may stand behind the profiles.
bool is_speedscope(std::string_view text) {
    const auto holds = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && text[begin] == '{' &&
           (holds("speedscope.app/file-format-schema") ||
            (holds("\"profiles\"") && holds("\"unit\"") && (holds("\"evented\"") || holds("\"sampled\""))));
}

/// Of any version: the importer says which ones it reads.
bool is_tracegrind(std::string_view bytes) {
    using std::string_view_literals::operator""sv;
    return bytes.starts_with("TGMP") && bytes.substr(0, 8).ends_with("\0\0\0"sv);
}

/// A dict of functions as file, line and name, each with five figures.
bool is_pstats(std::string_view bytes) {
    MarshalReader reader(bytes);
    const auto next_is = [&](MarshalKind kind, std::uint64_t count = 0) {
        const auto value = reader.next();
        return value && value->kind == kind && value->count == count;
    };
    if (!next_is(MarshalKind::dict) || !next_is(MarshalKind::tuple, 3) || !next_is(MarshalKind::text) ||
        !next_is(MarshalKind::number))
        return false;
    const auto name = reader.next();
    if (!name) return false;
    if (name->kind == MarshalKind::code && (name->is_reference || !reader.code_name())) return true;
    return (name->kind == MarshalKind::text || name->kind == MarshalKind::code) &&
           next_is(MarshalKind::tuple, 5);
}

/// Its tables, or what its beginning says of the recording: lists of categories and libraries come first, and
/// may be long.
bool is_firefox(std::string_view text) {
    const auto holds = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text[begin] != '{') return false;
    return holds("\"preprocessedProfileVersion\"") || (holds("\"libs\"") && holds("\"breakpadId\"")) ||
           (holds("\"stackTable\"") && holds("\"frameTable\"")) ||
           (holds("\"meta\"") && holds("\"interval\"") &&
            (holds("\"stackwalk\"") || holds("\"processType\"") || holds("\"sampleUnits\"")));
}

bool is_massif(std::string_view text) {
    return text.starts_with("desc:") && text.find("\ntime_unit:") != std::string_view::npos &&
           text.find("\nsnapshot=") != std::string_view::npos;
}

/// Events with a phase, in an array or in an object; what DevTools says of the recording may come first, and
/// be long.
bool is_chrome_trace(std::string_view text) {
    const auto holds = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    const bool has_events = holds("\"ph\"") && (holds("\"ts\"") || holds("\"pid\""));
    if (text[begin] == '[') return has_events;
    return text[begin] == '{' && ((has_events && holds("\"traceEvents\"")) ||
                                  (holds("\"metadata\"") && holds("\"source\"") && holds("\"DevTools\"")));
}

/// What heap profiles as text say of themselves in their first line: `@ HOW/RATE`, where Go has `heap/RATE`.
std::string_view heap_heading(std::string_view bytes) {
    if (!bytes.starts_with("heap profile: ")) return {};
    const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
    const std::size_t at = line.rfind("] @ ");
    return at == std::string_view::npos ? std::string_view() : line.substr(at + 4);
}

bool begins_with_any(std::string_view bytes, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view one) { return bytes.starts_with(one); });
}

bool is_gperftools(std::string_view bytes) {
    return gperftools_words(bytes) || begins_with_any(bytes, {"--- symbol\n", "--- symbol\r\n"}) ||
           begins_with_any(heap_heading(bytes),
                           {"heapprofile", "heap_v2/", "heapz_v2/", "growth", "fragmentation"});
}

bool is_jemalloc(std::string_view bytes) {
    constexpr std::string_view heading = "heap_v2/";
    return bytes.starts_with(heading) && bytes.size() > heading.size() && is_digit(bytes[heading.size()]);
}

bool is_go_text(std::string_view bytes) {
    return heap_heading(bytes).starts_with("heap/") ||
           begins_with_any(bytes, {"--- contention:", "--- contentionz ", "--- mutex:",
                                   "goroutine profile: total ", "threadcreate profile: total "});
}

/// A hash as Ruby's Marshal, or JSON; what it counts comes before its frames.
bool is_stackprof(std::string_view bytes) {
    const auto holds = [&](std::string_view key) { return bytes.find(key) != std::string_view::npos; };
    if (bytes.starts_with("\4\10{")) return holds("interval") && holds("gc_samples");
    const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && bytes[begin] == '{' && holds("\"gc_samples\"") &&
           holds("\"interval\"") && holds("\"mode\"");
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

/// Events with their processes, most of them with a stack: frames behind them, or one on the line. Logs look
/// a little like it, so there has to be a time with the event, or an address and a name in the frame.
bool is_perf_script(std::string_view text) {
    Lines lines(text);
    std::size_t stacks = 0, empty = 0;
    bool is_open = false, has_time = false, has_stack = false;
    const auto end_stack = [&] {
        if (is_open) ++(has_stack ? stacks : empty);
        is_open = false;
    };
    for (auto line = lines.next(); line; line = lines.next()) {
        if (is_blank(*line)) end_stack();
        if (is_blank(*line) || line->starts_with('#')) continue;
        if (is_perf_frame(*line)) {
            has_stack = has_stack || has_time || parse_perf_frame(*line).has_address;
            continue;
        }
        if (is_open && perf_source_line(*line)) continue;
        end_stack();
        const auto event = parse_perf_event(*line);
        if (!event && !is_perf_side_record(*line) && stacks == 0) return false;
        is_open = event && !event->name.empty() && !event->process.empty();
        if (!is_open) continue;
        has_time = event->has_time;
        has_stack = !event->frame.empty() && (has_time || parse_perf_frame(event->frame).has_address);
    }
    if (is_open && has_stack) ++stacks;  // which may be cut
    return stacks > empty;
}

/// `12:34:56`, as in lines of logs.
bool has_clock(std::string_view name) {
    constexpr std::string_view form = "00:00:00";
    for (std::size_t at = 0; at + form.size() <= name.size(); ++at)
        if (std::equal(form.begin(), form.end(), name.begin() + static_cast<std::ptrdiff_t>(at),
                       [](char wanted, char c) { return wanted == ':' ? c == ':' : is_digit(c); }))
            return true;
    return false;
}

/// Whether a name can be that of a root. In logs it has a time; where a `;` in a string or a block cuts it
/// off, it is not closed.
bool may_be_root(std::string_view name) {
    return std::count(name.begin(), name.end(), '"') % 2 == 0 &&
           std::count(name.begin(), name.end(), '{') == std::count(name.begin(), name.end(), '}') &&
           !has_clock(name);
}

/// Frames joined by `;`, of which the first is the root; nothing if the line does not end in a number. Code
/// and prose have blanks behind `;`, tables one behind their last `,`.
std::optional<std::string_view> folded_stack(std::string_view line) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || blank == 0 || !parse_decimal(line.substr(blank + 1)))
        return std::nullopt;
    const std::string_view stack = line.substr(0, blank);
    const bool is_stack = stack.find("; ") == std::string_view::npos && !stack.ends_with(',') &&
                          may_be_root(stack.substr(0, stack.find(';')));
    return is_stack ? std::optional(stack) : std::nullopt;
}

/// Commas that separate columns: not those of arguments.
std::vector<std::string_view> columns_of(std::string_view line) {
    std::vector<std::string_view> columns;
    std::size_t begin = 0, depth = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
        if ((c == '>' || c == ')' || c == ']' || c == '}') && depth > 0) --depth;
        if (c != ',' || depth > 0) continue;
        columns.push_back(line.substr(begin, at - begin));
        begin = at + 1;
    }
    columns.push_back(line.substr(begin));
    return columns;
}

bool is_number(std::string_view column) {
    const std::size_t begin = column.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return false;
    return parse_decimal(column.substr(begin, column.find_last_not_of(" \t") + 1 - begin)).has_value();
}

/// As many columns in every line, and a heading, or a column of numbers.
bool is_csv(std::string_view text) {
    Lines lines(text);
    std::size_t rows = 0;
    bool has_heading = false;
    std::vector<bool> may_be_numbers;
    for (auto line = lines.next(); line; line = lines.next()) {
        if (is_blank(*line) || line->starts_with('#')) continue;
        const auto columns = columns_of(*line);
        const bool is_first = may_be_numbers.empty();
        if (is_first) may_be_numbers.assign(columns.size(), true);
        if (columns.size() < 2 || columns.size() != may_be_numbers.size()) return false;
        if (is_first && !folded_stack(*line)) {
            has_heading = true;
            continue;
        }
        ++rows;
        for (std::size_t i = 0; i < columns.size(); ++i)
            may_be_numbers[i] = may_be_numbers[i] && is_number(columns[i]);
    }
    return rows > 1 && (has_heading || std::find(may_be_numbers.begin(), may_be_numbers.end(), true) !=
                                           may_be_numbers.end());
}

/// Nearly every line is a stack and a number, most stacks have frames to separate, and two share a root; or
/// there is one line, and it is such a stack.
bool is_folded(std::string_view text) {
    Lines lines(text);
    std::size_t joined = 0, others = 0;
    std::vector<std::string_view> roots;
    for (auto line = lines.next(); line; line = lines.next()) {
        if (is_blank(*line) || line->starts_with('#')) continue;
        const auto stack = folded_stack(*line);
        if (!stack) {
            ++others;
            continue;
        }
        const std::size_t end = stack->find(';');
        if (end != std::string_view::npos) ++joined;
        roots.push_back(stack->substr(0, end));
    }
    if (joined == 1 && roots.size() == 1 && others == 0 && is_blank(lines.rest())) return true;
    // Of a line that is cut the root is whole if there is something behind it.
    const auto last = folded_stack(lines.rest());
    if (last || lines.rest().find(';') != std::string_view::npos) {
        const std::string_view stack = last.value_or(lines.rest());
        roots.push_back(stack.substr(0, stack.find(';')));
    }
    if (joined == 0 || joined * 2 < roots.size() || others > std::max<std::size_t>(1, roots.size() / 10))
        return false;
    std::sort(roots.begin(), roots.end());
    return std::adjacent_find(roots.begin(), roots.end()) != roots.end();
}

}  // namespace

std::string_view to_string(ImportFormat format) { return formats[static_cast<std::size_t>(format)].name; }

std::string_view description(ImportFormat format) {
    return formats[static_cast<std::size_t>(format)].description;
}

std::optional<ImportFormat> import_format(std::string_view name) {
    for (const ImportFormat format : import_formats)
        if (to_string(format) == name) return format;
    return std::nullopt;
}

bool are_stacks_estimated(const ImportNotes& notes) {
    return std::any_of(notes.notes.begin(), notes.notes.end(),
                       [](const ImportNote& note) { return note.what == ImportOddity::estimated_stacks; });
}

bool is_cut_short(std::string_view first_bytes) {
    const std::size_t end = first_bytes.find('\n');
    const bool has_two =
        end != std::string_view::npos && first_bytes.find('\n', end + 1) != std::string_view::npos;
    return !has_two && is_text(beginning_as_utf8(first_bytes));
}

// Every answer is one that a file of another kind would hardly get.
std::optional<ImportFormat> detect(std::string_view first_bytes) {
    if (is_tracegrind(first_bytes)) return ImportFormat::tracegrind;
    if (is_pstats(first_bytes)) return ImportFormat::pstats;
    if (is_gperftools(first_bytes)) return ImportFormat::gperftools;
    if (is_jemalloc(first_bytes)) return ImportFormat::jemalloc;
    if (is_go_text(first_bytes)) return ImportFormat::go_text;
    if (is_stackprof(first_bytes)) return ImportFormat::stackprof;
    const std::string text = beginning_as_utf8(first_bytes);
    if (!is_text(text)) return is_pprof(first_bytes) ? std::optional(ImportFormat::pprof) : std::nullopt;
    if (is_massif(text)) return ImportFormat::massif;  // whose headings are Callgrind's, too
    if (may_be_callgrind(text)) return std::nullopt;
    if (is_speedscope(text)) return ImportFormat::speedscope;
    if (is_firefox(text)) return ImportFormat::firefox;
    if (is_object_with(text, {"\"dhatFileVersion\"", "\"mode\""})) return ImportFormat::dhat;
    if (is_heapprofile(text)) return ImportFormat::heapprofile;
    if (is_chrome_trace(text)) return ImportFormat::chrome_trace;
    if (is_cpuprofile(text)) return ImportFormat::cpuprofile;
    if (is_perf_script(text)) return ImportFormat::perf_script;
    if (is_folded(text) && !is_csv(text)) return ImportFormat::folded;
    return std::nullopt;
}

Result<ImportNotes> import_stacks(ImportFormat format, const Source& source, const ImportOptions& options,
                                  const Sink& sink) {
    const Format& chosen = formats[static_cast<std::size_t>(format)];
    return chosen.import(chosen.is_text ? as_utf8(source) : source, options, sink);
}

}  // namespace callcost::engine
