/// The store in a ClickHouse server.
#pragma once

#include <memory>
#include <string>

#include "history/store.hpp"

namespace callcost::program {

/// `address`: as module clickhouse reads it. Creates the database and its tables to write in.
[[nodiscard]] Stored<std::unique_ptr<Store>> open_clickhouse_store(const std::string& address, StoreUse use);

}  // namespace callcost::program
