/// What a ClickHouse server did not do.
#pragma once

#include <string>

namespace callcost::program {

/// Thrown in modules clickhouse and history, and caught there.
struct ServerFailure {
    int code;          ///< ClickHouse's; 0: the server was not reached, or did not answer; no_client
    std::string text;  ///< the server's words, or curl's: one line
};

inline constexpr int no_client = -1;  // none to reach a server with

// Codes of ClickHouse.
inline constexpr int unknown_table = 60, unknown_database = 81;

}  // namespace callcost::program
