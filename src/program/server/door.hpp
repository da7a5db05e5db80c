/// Who is let in, and to what: the rules by which the server looks at a request before anything else does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace callcost::program {

/// What a request says about itself.
struct Visitor {
    std::string_view method;
    std::string_view target;                 ///< as it was sent: `/.../ask`
    std::optional<std::string_view> host;    ///< empty if it does not say exactly one
    std::optional<std::string_view> origin;  ///< which page asks, if a browser says so
    std::string_view content_type;
    bool is_encoded = false;  ///< its body is compressed
};

enum class Way : std::uint8_t { nowhere, page, ask, invitation };

/// Whoever knows the token is let in; others learn nothing. A page of another site cannot get in even if it
/// knew it: neither under a name of its own for this machine nor by sending a form.
struct Door {
    std::uint16_t port = 0;
    std::string token;
    std::string invitation;  ///< good for finding the token out once

    [[nodiscard]] Way way(const Visitor& visitor) const;
};

/// 128 bits that nobody can guess, in hexadecimal. Empty if the system has none.
[[nodiscard]] std::string random_token();

}  // namespace callcost::program
