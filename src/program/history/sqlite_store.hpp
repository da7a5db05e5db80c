/// The store in one file.
#pragma once

#include <memory>
#include <string>

#include "history/store.hpp"

namespace callcost::program {

/// Creates the file and its directory to write in.
[[nodiscard]] Stored<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, StoreUse use);

}  // namespace callcost::program
