/// The head of a request, by the few rules of HTTP/1.1 that a page's questions need. Whatever is not plainly
/// right is refused: nobody but a browser has business here.
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
    std::string target;  ///< as it was sent
    bool is_http_1_0 = false;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in small letters

    /// The value of a header, by its name in small letters; those of several with a comma between them.
    [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
    /// Whether the client sends further requests over the connection.
    [[nodiscard]] bool keeps_connection() const;
    /// How long the body is: no bytes without a header about it. Nothing if that cannot be told, or it is
    /// sent in another way.
    [[nodiscard]] std::optional<std::uint64_t> body_size() const;
    /// Whether the answer may be compressed by gzip.
    [[nodiscard]] bool takes_gzip() const;
};

/// `text` is all up to the empty line, that included. Nothing if it is wrong.
[[nodiscard]] std::optional<RequestHead> parse_head(std::string_view text);

}  // namespace callcost::program
