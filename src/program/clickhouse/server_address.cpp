#include "clickhouse/server_address.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "terminal/terminal.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

constexpr std::string_view plain_scheme = "clickhouse://", encrypted_scheme = "clickhouses://";

constexpr std::string_view letters_and_digits =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool has_only(std::string_view text, std::string_view others) {
    return std::all_of(text.begin(), text.end(), [&](char byte) {
        return letters_and_digits.find(byte) != std::string_view::npos ||
               others.find(byte) != std::string_view::npos;
    });
}

}  // namespace

bool is_server_address(std::string_view text) {
    return text.starts_with(plain_scheme) || text.starts_with(encrypted_scheme);
}

tl::expected<ServerAddress, std::string> parse_server_address(std::string_view text) {
    const auto refuse = [](std::string_view why) { return tl::unexpected(std::string(why)); };
    ServerAddress address;
    address.is_encrypted = text.starts_with(encrypted_scheme);
    text.remove_prefix((address.is_encrypted ? encrypted_scheme : plain_scheme).size());
    const auto at = text.rfind('@');  // a password may have one, too
    if (at != std::string_view::npos) {
        const auto user = text.substr(0, at);
        if (user.find(':') != std::string_view::npos) return refuse("it holds a password");
        if (user.empty() || !has_only(user, "_.-"))
            return refuse("its user has other characters than a-z, 0-9, _, . and -");
        address.user = user;
        text.remove_prefix(at + 1);
    } else {
        address.user = "default";
    }
    const auto slash = std::min(text.find('/'), text.size());
    auto host = text.substr(0, slash);
    text.remove_prefix(slash);
    if (!text.empty()) text.remove_prefix(1);
    if (text.ends_with('/')) text.remove_suffix(1);
    address.database = text.empty() ? "callcost" : text;
    if (!has_only(address.database, "_") ||
        (address.database.front() >= '0' && address.database.front() <= '9'))
        return refuse("its database has other characters than a-z, 0-9 and _, or begins with a digit");
    const auto colon = host.rfind(':');
    if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
        address.port = host.substr(colon + 1);
        host = host.substr(0, colon);
    }
    if (address.port.empty()) address.port = address.is_encrypted ? "8443" : "8123";
    if (!std::all_of(address.port.begin(), address.port.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return refuse("its port is no number");
    if (host.empty()) return refuse("it names no host");
    if (!has_only(host, host.starts_with('[') ? "[]:." : "_.-"))
        return refuse("its host is no name of a host");
    address.host = host;
    return address;
}

tl::expected<std::string, std::string> server_password() {
    if (auto given = environment("CALLCOST_STORE_PASSWORD")) return *std::move(given);
    const auto path = environment("CALLCOST_STORE_PASSWORD_FILE");
    if (!path || path->empty()) return std::string();
    std::ifstream file(*path, std::ios::binary);
    std::string password;
    std::getline(file, password);
    if (!file.is_open() || file.bad())
        return tl::unexpected(fmt::format("{}, which CALLCOST_STORE_PASSWORD_FILE names, cannot be read: {}",
                                          engine::display_name(*path),
                                          std::generic_category().message(errno)));
    if (password.ends_with('\r')) password.pop_back();
    return password;
}

}  // namespace callcost::program
