#include "history/database.hpp"

#include <sqlite3.h>

namespace callcost::program {
namespace {

constexpr int patience = 60'000;  // ms that one writer waits for another

[[noreturn]] void fail(sqlite3* database, int code) {
    throw DatabaseFailure{database != nullptr ? sqlite3_extended_errcode(database) : code,
                          database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code)};
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    statement_.reset(statement);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) fail(database_, code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
    const char* data = text.empty() ? "" : text.data();  // no address would be NULL
    check(sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind_blob(int parameter, std::string_view bytes) {
    const char* data = bytes.empty() ? "" : bytes.data();
    check(sqlite3_bind_blob64(statement_.get(), parameter, data, bytes.size(), SQLITE_STATIC));
    return *this;
}

Statement& Statement::bind_null(int parameter) {
    check(sqlite3_bind_null(statement_.get(), parameter));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) {
        const DatabaseFailure failure{sqlite3_extended_errcode(database_), sqlite3_errmsg(database_)};
        sqlite3_reset(statement_.get());
        throw failure;
    }
    sqlite3_reset(statement_.get());
    return false;
}

void Statement::run() {
    while (step()) {
    }
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string_view Statement::bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return data == nullptr ? std::string_view()
                           : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::string& path, Access access) {
    const int flags = access == Access::create  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                      : access == Access::write ? SQLITE_OPEN_READWRITE
                                                : SQLITE_OPEN_READONLY;
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(database);
    if (code != SQLITE_OK) fail(database, code);
    sqlite3_busy_timeout(database, patience);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

void Database::run_script(const char* sql) const {
    const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(database_.get(), code);
}

std::int64_t Database::number(std::string_view sql) const {
    auto statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(database_.get()); }

Transaction::~Transaction() {
    if (!is_open_) return;
    try {
        database_.run("ROLLBACK");
    } catch (const DatabaseFailure&) {  // SQLite has rolled back itself
    }
}

void Transaction::commit() {
    database_.run("COMMIT");
    is_open_ = false;
}

}  // namespace callcost::program
