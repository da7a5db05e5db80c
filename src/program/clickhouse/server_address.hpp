/// Where a ClickHouse server is: `clickhouse://USER@HOST:PORT/DATABASE`.
#pragma once

#include <string>
#include <string_view>

#include <callcost/error.hpp>

namespace callcost::program {

struct ServerAddress {
    bool is_encrypted = false;  ///< `clickhouses://`: HTTPS
    std::string user;
    std::string host;  ///< maybe with brackets
    std::string port;
    std::string database;  ///< letters, digits and `_`

    /// As messages name it.
    [[nodiscard]] std::string server() const { return host + ":" + port; }
};

[[nodiscard]] bool is_server_address(std::string_view text);

/// The error says what is wrong without the text, which may hold a password.
[[nodiscard]] tl::expected<ServerAddress, std::string> parse_server_address(std::string_view text);

/// CALLCOST_STORE_PASSWORD, or the first line of the file that CALLCOST_STORE_PASSWORD_FILE names; else
/// empty.
[[nodiscard]] tl::expected<std::string, std::string> server_password();

}  // namespace callcost::program
