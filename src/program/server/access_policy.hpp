/// Access control of the server: which requests are answered, and by what. Checked before anything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace callcost::program {

/// The parts of a request that access depends on.
struct RequestInfo {
    std::string_view method;
    std::string_view target;                 ///< as sent: `/.../ask`
    std::optional<std::string_view> host;    ///< empty unless there is exactly one
    std::optional<std::string_view> origin;  ///< the page that sends it, if the browser tells
    std::string_view content_type;
    bool is_encoded = false;  ///< the body is compressed
};

enum class Route : std::uint8_t { not_found, page, ask, one_time_link };

/// Grants access to requests that carry the token; all others get 404. Requests from pages of other sites are
/// rejected even with the token: DNS rebinding by the host, cross-site forms by the origin and content type.
struct AccessPolicy {
    std::uint16_t port = 0;
    std::string token;
    std::string one_time_token;  ///< redirects to the page, once

    [[nodiscard]] Route route(const RequestInfo& request) const;
};

/// 128 random bits in hexadecimal. Empty if the system provides none.
[[nodiscard]] std::string random_token();

}  // namespace callcost::program
