/// Errors and diagnostics in words, in the manner of compilers: `file:line:col: severity: text [id]`, the
/// offending line, a caret, a hint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/style.hpp"
#include <callcost/check.hpp>
#include <callcost/error.hpp>

namespace callcost::engine {

/// What a check says, which producers' valid files break it, and what a writer should do. The latter two may
/// be empty.
struct CheckWording {
    std::string_view meaning;
    std::string_view broken_by;
    std::string_view advice;
};
[[nodiscard]] const CheckWording& wording(CheckId id);
/// What is in a reader's way, to be read after the reader's name.
[[nodiscard]] std::string_view wording(Trait trait);

[[nodiscard]] Tone tone_of(Severity severity);

/// `file:12:3`, without what is not known.
[[nodiscard]] std::string place_text(std::string_view source_name, std::uint64_t line, std::uint64_t column);

/// A message of ours: `callcost: severity: text`, then the hint on a line of its own if there is one.
void write_message(std::string& out, Severity severity, std::string_view text, std::string_view hint,
                   const Style& style);

/// The line of a place and a caret; both made harmless, and cut around the caret where the device is too
/// narrow.
void write_excerpt(std::string& out, const Place& place, const Style& style);

/// `file:1:2: error: text [id]`, the line with a caret, the hint.
void write_finding(std::string& out, std::string_view source_name, const Place& place, Severity severity,
                   std::string_view text, std::string_view id, std::string_view hint, const Style& style);

/// One place of a diagnostic with its line and a caret.
void write_diagnostic(std::string& out, DiagnosticId id, const Place& place, std::string_view source_name,
                      const Style& style);

/// Why `source_name` could not be read. `line` is the text of error.line if that is at hand; `better_hint`
/// takes the place of the usual one.
void write_error(std::string& out, const Error& error, std::string_view source_name, const Style& style,
                 std::string_view line = {}, std::string_view better_hint = {});

/// The number of occurrences per severity: `2 errors, 1 warning and 12 notes`; empty if there are none.
[[nodiscard]] std::string severity_counts(std::uint64_t errors, std::uint64_t warnings, std::uint64_t notes,
                                          const Style& style);

}  // namespace callcost::engine
