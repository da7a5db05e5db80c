#include "server/access_policy.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>
#include <sys/random.h>

namespace callcost::program {
namespace {

/// Compares in constant time, so that timing does not reveal the token.
bool is_same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;  // the length is public
    volatile unsigned char difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
    return difference == 0;
}

/// What follows `/secret` in a target.
std::optional<std::string_view> rest_after(std::string_view secret, std::string_view target) {
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

Route AccessPolicy::route(const RequestInfo& request) const {
    const auto is_ours = [&](std::string_view host) {
        return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
    };
    constexpr std::string_view scheme = "http://";
    if (!request.host || !is_ours(*request.host)) return Route::not_found;
    if (request.origin &&
        (!request.origin->starts_with(scheme) || !is_ours(request.origin->substr(scheme.size()))))
        return Route::not_found;
    if (rest_after(one_time_token, request.target) == "" && request.method == "GET")
        return Route::one_time_link;
    const auto rest = rest_after(token, request.target);
    const bool is_page = rest == "/" || (rest && rest->starts_with("/?"));  // what it shows is its own matter
    if (is_page && request.method == "GET") return Route::page;
    const bool is_question = request.method == "POST" && is_json(request.content_type) && !request.is_encoded;
    return rest == "/ask" && is_question ? Route::ask : Route::not_found;
}

std::string random_token() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
    std::string text;
    for (const unsigned byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

}  // namespace callcost::program
