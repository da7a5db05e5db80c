#include "importers/importers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <protozero/pbf_reader.hpp>

#include "importers/import_input.hpp"
#include "importers/perf_lines.hpp"

namespace callcost::engine {
namespace {

constexpr std::array<std::string_view, 4> format_names{"pprof", "folded", "perf-script", "cpuprofile"};
constexpr std::array<std::string_view, 16> oddity_names{
    "labels-ignored", "annotations-dropped", "values-rounded",  "unreadable-line",     "invalid-reference",
    "duplicate-id",   "value-count",         "inlining-cut",    "frames-to-drop",      "no-stack",
    "cyclic-nodes",   "ticks-mismatch",      "missing-samples", "time-before-samples", "events-dropped",
    "line-too-long"};

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
    bool is_cut = false;  // its last field goes on behind the first bytes: it may be of any length
    try {
        for (; message.next(); ++fields) {
            if (!is_field_of_profile(message.tag(), message.wire_type())) return false;
            if (message.tag() != 1) {
                message.skip();
                continue;
            }
            if (!is_message_of_numbers(message.get_message(), 2)) return false;
            ++types;
        }
    } catch (const protozero::end_of_buffer_exception&) {
        is_cut = true;
    } catch (const protozero::exception&) {
        // What is no field may be damage.
    }
    return types != 0 && (fields > 2 || is_cut);
}

bool is_cpuprofile(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && text[begin] == '{' &&
           text.find("\"nodes\"") != std::string_view::npos &&
           text.find("\"callFrame\"") != std::string_view::npos;
}

/// An event with its process, followed by a frame, or with one on its line.
bool is_perf_script(std::string_view text) {
    Lines lines(text);
    bool has_event = false;
    for (auto line = lines.next(); line; line = lines.next()) {
        if (line->empty() || line->starts_with('#')) continue;
        if (is_perf_frame(*line)) {
            if (has_event) return true;
            continue;
        }
        const auto event = parse_perf_event(*line);
        if (!event && !is_perf_side_record(*line)) return false;
        has_event = event && !event->name.empty() && !event->process.empty();
        if (has_event && !event->frame.empty()) return true;
    }
    return false;
}

/// Every line ends in a number, and most of them have frames to separate.
bool is_folded(std::string_view text) {
    Lines lines(text);
    std::size_t stacks = 0, joined = 0;
    for (auto line = lines.next(); line; line = lines.next()) {
        if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
        const std::size_t blank = line->rfind(' ');
        if (blank == std::string_view::npos || blank == 0 || !parse_decimal(line->substr(blank + 1)))
            return false;
        ++stacks;
        if (line->substr(0, blank).find(';') != std::string_view::npos) ++joined;
    }
    return joined != 0 && joined * 2 >= stacks;
}

}  // namespace

std::string_view to_string(ImportFormat format) { return format_names[static_cast<std::size_t>(format)]; }

std::optional<ImportFormat> import_format(std::string_view name) {
    const auto found = std::find(format_names.begin(), format_names.end(), name);
    if (found == format_names.end()) return std::nullopt;
    return static_cast<ImportFormat>(found - format_names.begin());
}

std::string_view to_string(ImportOddity what) { return oddity_names[static_cast<std::size_t>(what)]; }

bool is_first_line_cut(std::string_view first_bytes) {
    return first_bytes.find('\n') == std::string_view::npos && is_text(first_bytes);
}

// Every answer is one that a file of another kind would hardly get.
std::optional<ImportFormat> detect(std::string_view first_bytes) {
    if (!is_text(first_bytes))
        return is_pprof(first_bytes) ? std::optional(ImportFormat::pprof) : std::nullopt;
    if (may_be_callgrind(first_bytes)) return std::nullopt;
    if (is_cpuprofile(first_bytes)) return ImportFormat::cpuprofile;
    if (is_perf_script(first_bytes)) return ImportFormat::perf_script;
    if (is_folded(first_bytes)) return ImportFormat::folded;
    return std::nullopt;
}

Result<ImportNotes> import_stacks(ImportFormat format, const Source& source, const ImportOptions& options,
                                  const Sink& sink) {
    switch (format) {
        case ImportFormat::pprof:
            return import_pprof(source, options, sink);
        case ImportFormat::folded:
            return import_folded(source, options, sink);
        case ImportFormat::perf_script:
            return import_perf_script(source, options, sink);
        case ImportFormat::cpuprofile:
            break;
    }
    return import_cpuprofile(source, options, sink);
}

}  // namespace callcost::engine
