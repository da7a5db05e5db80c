/// Text inside of other languages, where some characters have a meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace callcost::engine {

/// A message of a workflow command of GitHub.
[[nodiscard]] std::string github_message(std::string_view text);
/// A property of one, where ':' and ',' have a meaning, too.
[[nodiscard]] std::string github_property(std::string_view text);

/// Characters of XML, in text or in an attribute; what XML cannot hold becomes U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view utf8);

/// Inline code of Markdown: whatever the text holds, it is shown as it is. In a table '|' ends a cell even
/// there.
[[nodiscard]] std::string markdown_code(std::string_view text);
[[nodiscard]] std::string markdown_table_code(std::string_view text);

/// `PATH:LINE:1: MESSAGE` and a newline, as editors read messages of compilers; both texts are made visible.
[[nodiscard]] std::string place_message(std::string_view path, std::uint64_t line, std::string_view message);

/// The value of a label in OpenMetrics, without its quotes.
[[nodiscard]] std::string openmetrics_label(std::string_view text);

}  // namespace callcost::engine
