#include "server/door.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>
#include <sys/random.h>

namespace callcost::program {
namespace {

/// Takes the same time whatever they differ in, so that nobody finds a token out piece by piece.
bool is_same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;  // how long it is can be read in the manual
    volatile unsigned char difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
    return difference == 0;
}

/// What follows `/secret` in a target.
std::optional<std::string_view> rest_behind(std::string_view secret, std::string_view target) {
    if (secret.empty() || target.size() <= secret.size() || target.front() != '/') return std::nullopt;
    if (!is_same_secret(secret, target.substr(1, secret.size()))) return std::nullopt;
    return target.substr(1 + secret.size());
}

bool is_json(std::string_view content_type) {
    constexpr std::string_view json = "application/json";
    return content_type.starts_with(json) &&
           (content_type.size() == json.size() || content_type[json.size()] == ';');
}

}  // namespace

Way Door::way(const Visitor& visitor) const {
    const auto is_ours = [&](std::string_view host) {
        return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
    };
    constexpr std::string_view scheme = "http://";
    if (!visitor.host || !is_ours(*visitor.host)) return Way::nowhere;
    if (visitor.origin &&
        (!visitor.origin->starts_with(scheme) || !is_ours(visitor.origin->substr(scheme.size()))))
        return Way::nowhere;
    if (rest_behind(invitation, visitor.target) == "" && visitor.method == "GET") return Way::invitation;
    const auto rest = rest_behind(token, visitor.target);
    if (rest == "/" && visitor.method == "GET") return Way::page;
    const bool is_question = visitor.method == "POST" && is_json(visitor.content_type) && !visitor.is_encoded;
    return rest == "/ask" && is_question ? Way::ask : Way::nowhere;
}

std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
    std::string text;
    for (const unsigned byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

}  // namespace callcost::program
