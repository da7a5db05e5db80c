#include "callcost/error.hpp"

#include <algorithm>

namespace callcost {
namespace {

std::string with_detail(std::string_view text, const Error& error) {
    return error.detail.empty() ? std::string(text) : std::string(text) + ": " + error.detail;
}

std::string or_detail(std::string_view text, const Error& error) {
    return error.detail.empty() ? std::string(text) : error.detail;
}

/// `file:12:3: `, without what is not known.
std::string place_prefix(std::string_view source, std::uint64_t line, std::uint64_t column) {
    std::string text(source);
    if (source.empty()) {
        if (line > 0) text = "line " + std::to_string(line);
        if (column > 0) text += (line > 0 ? ", column " : "column ") + std::to_string(column);
    } else if (line > 0) {
        text += ':' + std::to_string(line);
        if (column > 0) text += ':' + std::to_string(column);
    }
    if (!text.empty()) text += ": ";
    return text;
}

std::string on_one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; },
        '?');
    return text;
}

}  // namespace

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::empty_file:
            return "empty-file";
        case ErrorCode::not_a_profile:
            return "not-a-profile";
        case ErrorCode::no_events:
            return "no-events";
        case ErrorCode::cannot_open:
            return "cannot-open";
        case ErrorCode::read_failed:
            return "read-failed";
        case ErrorCode::truncated_compression:
            return "truncated-compression";
        case ErrorCode::cancelled:
            return "cancelled";
        case ErrorCode::too_large:
            return "too-large";
        case ErrorCode::needs_detail:
            return "needs-detail";
        case ErrorCode::bad_formula:
            return "bad-formula";
        case ErrorCode::formula_cycle:
            return "formula-cycle";
        case ErrorCode::bad_argument:
            return "bad-argument";
        case ErrorCode::unknown_event:
            return "unknown-event";
        case ErrorCode::nothing_selected:
            return "nothing-selected";
    }
    return {};
}

std::string Error::message() const {
    switch (code) {
        case ErrorCode::empty_file:
            return "the file is empty";
        case ErrorCode::not_a_profile:  // with a detail it was taken for a file of another format
            return or_detail("this is not a profile in the Callgrind or Cachegrind format", *this);
        case ErrorCode::no_events:
            return "there is no 'events:' line in the whole file";
        case ErrorCode::cannot_open:
            return with_detail("cannot be opened", *this);
        case ErrorCode::read_failed:
            return with_detail("read error", *this);
        case ErrorCode::truncated_compression:
            return with_detail("the compressed data are truncated or corrupt", *this);
        case ErrorCode::cancelled:
            return "cancelled";
        case ErrorCode::too_large:
            return detail.empty() ? "more than 2^32 functions or calls: too large" : "too large: " + detail;
        case ErrorCode::needs_detail:
            return "cost lines are required but were not read";
        case ErrorCode::bad_formula:
            return with_detail("invalid formula", *this);
        case ErrorCode::formula_cycle:
            return with_detail("the formula refers to itself", *this);
        case ErrorCode::bad_argument:
            return or_detail("this is not possible with this profile", *this);
        case ErrorCode::unknown_event:
            return "the profile has no event type '" + detail + "'";
        case ErrorCode::nothing_selected:
            return "no part matches the selection" +
                   (detail.empty() ? std::string() : "; there are " + detail);
    }
    return {};
}

std::string_view Error::hint() const {
    if (!advice.empty()) return advice;
    switch (code) {
        case ErrorCode::empty_file:
            return "Callgrind creates its file at the start and fills it at the end: the program may still "
                   "be running, may have been killed or have exec'd another program, or its data are in the "
                   "files of its threads (-01, -02, ...)";
        case ErrorCode::not_a_profile:
            return detail.empty() ? "such a file has an 'events:' line near its beginning" : "";
        case ErrorCode::no_events:
            return "it names the cost columns; the file may be truncated";
        case ErrorCode::bad_formula:
            return "a formula is a sum of event types with integer factors, such as 'Ir + 10 Bcm'";
        default:
            return {};
    }
}

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            break;
    }
    return "error";
}

std::string to_string(const Error& error) {
    auto text = place_prefix(error.source, error.line, error.column) + "error: " + error.message();
    if (!error.advice.empty()) text.append(" (").append(error.advice).append(")");
    return on_one_line(text.append(" [").append(to_string(error.code)).append("]"));
}

std::string to_string(const Diagnostic& diagnostic, std::string_view source) {
    const DiagnosticKind& kind = kind_of(diagnostic.id);
    std::string text = diagnostic.places.empty()
                           ? place_prefix(source, 0, 0)
                           : place_prefix(source, diagnostic.places[0].line, diagnostic.places[0].column);
    text.append(to_string(kind.severity)).append(": ").append(kind.message);
    text.append(" [").append(kind.name).append("]");
    if (diagnostic.count > 1) text += " (" + std::to_string(diagnostic.count) + " times)";
    return on_one_line(std::move(text));
}

}  // namespace callcost
