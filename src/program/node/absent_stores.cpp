/// The npm package has no database: `history:` names say so.
#include "history/clickhouse_store.hpp"
#include "history/sqlite_store.hpp"

namespace callcost::program {
namespace {

tl::unexpected<StoreProblem> refusal() {
    return tl::unexpected(StoreProblem{"histories are not in the npm package: they need a database",
                                       "use callcost's Debian package or its static command"});
}

}  // namespace

Stored<std::unique_ptr<Store>> open_clickhouse_store(const std::string&, StoreUse) { return refusal(); }

Stored<std::unique_ptr<Store>> open_sqlite_store(const std::string&, StoreUse) { return refusal(); }

}  // namespace callcost::program
