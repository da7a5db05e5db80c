/// The head of an HTTP/1.1 request. Strict: anything not well-formed is rejected, since the only clients are
/// browsers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callcost::program {

struct RequestHead {
    std::string method;
    std::string target;  ///< as sent
    bool is_http_1_0 = false;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case

    /// The value of a header by its lower-case name; repeated headers are joined by commas.
    [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
    /// Whether the connection is to be kept alive.
    [[nodiscard]] bool keeps_connection() const;
    /// Length of the body; 0 if no header gives one. Empty if invalid or chunked.
    [[nodiscard]] std::optional<std::uint64_t> body_size() const;
    /// Whether the answer may be compressed by gzip.
    [[nodiscard]] bool takes_gzip() const;
};

/// `text` ends with the empty line. Empty if malformed.
[[nodiscard]] std::optional<RequestHead> parse_head(std::string_view text);

}  // namespace callcost::program
