#include "history/database.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>

#include <dlfcn.h>
#include <sqlite3.h>

#include "history/store_files.hpp"

namespace callcost::program {
namespace {

#ifdef CALLCOST_STATIC
#define CALLCOST_SQLITE(name) sqlite3_##name
#else
/// Of the library, which stays loaded for good.
template <class Function>
Function found(const char* name) {
    static void* const library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw DatabaseFailure{SQLITE_ERROR, "libsqlite3.so.0 cannot be loaded; its package is libsqlite3-0"};
    const auto function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw DatabaseFailure{SQLITE_ERROR, "libsqlite3.so.0 is too old"};
    return function;
}
#define CALLCOST_SQLITE(name) found<decltype(&sqlite3_##name)>("sqlite3_" #name)
#endif

/// SQLite's functions. The library is loaded when a store is first opened: its 1,200 relocations would take a
/// fifth of the start of every command. The static command has it in it.
struct Sqlite {
    decltype(&sqlite3_bind_blob64) bind_blob64 = CALLCOST_SQLITE(bind_blob64);
    decltype(&sqlite3_bind_int64) bind_int64 = CALLCOST_SQLITE(bind_int64);
    decltype(&sqlite3_bind_null) bind_null = CALLCOST_SQLITE(bind_null);
    decltype(&sqlite3_bind_text64) bind_text64 = CALLCOST_SQLITE(bind_text64);
    decltype(&sqlite3_busy_timeout) busy_timeout = CALLCOST_SQLITE(busy_timeout);
    decltype(&sqlite3_close_v2) close_v2 = CALLCOST_SQLITE(close_v2);
    decltype(&sqlite3_column_blob) column_blob = CALLCOST_SQLITE(column_blob);
    decltype(&sqlite3_column_bytes) column_bytes = CALLCOST_SQLITE(column_bytes);
    decltype(&sqlite3_column_int64) column_int64 = CALLCOST_SQLITE(column_int64);
    decltype(&sqlite3_db_config) db_config = CALLCOST_SQLITE(db_config);
    decltype(&sqlite3_errmsg) errmsg = CALLCOST_SQLITE(errmsg);
    decltype(&sqlite3_errstr) errstr = CALLCOST_SQLITE(errstr);
    decltype(&sqlite3_exec) exec = CALLCOST_SQLITE(exec);
    decltype(&sqlite3_extended_errcode) extended_errcode = CALLCOST_SQLITE(extended_errcode);
    decltype(&sqlite3_finalize) finalize = CALLCOST_SQLITE(finalize);
    decltype(&sqlite3_last_insert_rowid) last_insert_rowid = CALLCOST_SQLITE(last_insert_rowid);
    decltype(&sqlite3_open_v2) open_v2 = CALLCOST_SQLITE(open_v2);
    decltype(&sqlite3_prepare_v2) prepare_v2 = CALLCOST_SQLITE(prepare_v2);
    decltype(&sqlite3_progress_handler) progress_handler = CALLCOST_SQLITE(progress_handler);
    decltype(&sqlite3_reset) reset = CALLCOST_SQLITE(reset);
    decltype(&sqlite3_step) step = CALLCOST_SQLITE(step);
    decltype(&sqlite3_vfs_find) vfs_find = CALLCOST_SQLITE(vfs_find);
    decltype(&sqlite3_vfs_register) vfs_register = CALLCOST_SQLITE(vfs_register);

    Sqlite() {
        auto* const of_system = vfs_find(nullptr);
        if (of_system == nullptr) throw std::bad_alloc();  // it has not even begun
        vfs_register(store_files(of_system), 0);
    }
};

const Sqlite& sqlite() {
    static const Sqlite loaded;
    return loaded;
}

constexpr int patience = 60'000;       // ms that one writer waits for another
constexpr int instructions = 100'000;  // of SQLite's machine, in a unit of work

/// As a URI has it.
std::string escaped(std::string_view path) {
    std::string text;
    for (const char byte : path) {
        if (byte == '%' || byte == '?' || byte == '#') {
            text += byte == '%' ? "%25" : byte == '?' ? "%3F" : "%23";
        } else {
            text += byte;
        }
    }
    return text;
}

[[noreturn]] void fail(sqlite3* database, int code) {
    throw DatabaseFailure{database != nullptr ? sqlite().extended_errcode(database) : code,
                          database != nullptr ? sqlite().errmsg(database) : sqlite().errstr(code)};
}

std::int64_t size_of_file(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    return unknown ? 0 : static_cast<std::int64_t>(std::min<std::uintmax_t>(size, 1ULL << 50U));
}

/// A file has no more rows than bytes; pages that are parts of each other have no end.
std::int64_t max_work(std::int64_t bytes) { return 10'000 + bytes * 300 / instructions; }

/// SQLite asks after each unit. Meanwhile others may have added to the store.
int is_too_much(void* data) {
    auto& work = *static_cast<Work*>(data);
    return ++work.done > max_work(size_of_file(work.store) + size_of_file(work.log)) ? 1 : 0;
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite().finalize(statement); }

Statement::Statement(sqlite3* database, Work& work, std::string_view sql) : database_(database), work_(work) {
    work_.done = 0;
    sqlite3_stmt* statement = nullptr;
    check(sqlite().prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    statement_.reset(statement);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) fail(database_, code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
    check(sqlite().bind_int64(statement_.get(), parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
    const char* data = text.empty() ? "" : text.data();  // no address would be NULL
    check(sqlite().bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind_blob(int parameter, std::string_view bytes) {
    const char* data = bytes.empty() ? "" : bytes.data();
    check(sqlite().bind_blob64(statement_.get(), parameter, data, bytes.size(), SQLITE_STATIC));
    return *this;
}

Statement& Statement::bind_null(int parameter) {
    check(sqlite().bind_null(statement_.get(), parameter));
    return *this;
}

bool Statement::step() {
    const int code = sqlite().step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) {
        const DatabaseFailure failure{sqlite().extended_errcode(database_), sqlite().errmsg(database_)};
        sqlite().reset(statement_.get());
        throw failure;
    }
    reset();
    return false;
}

void Statement::run() {
    while (step()) {
    }
}

void Statement::reset() {
    sqlite().reset(statement_.get());
    work_.done = 0;
}

std::int64_t Statement::integer(int column) const { return sqlite().column_int64(statement_.get(), column); }

std::string_view Statement::bytes(int column) const {
    const void* data = sqlite().column_blob(statement_.get(), column);
    const int size = sqlite().column_bytes(statement_.get(), column);
    return data == nullptr ? std::string_view()
                           : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

void Database::Close::operator()(sqlite3* database) const { sqlite().close_v2(database); }

Database::Database(const std::string& path, Access access)
    : work_(new Work{.store = path, .log = path + "-wal"}) {
    const int flags = access == Access::create       ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                      : access == Access::unchanging ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                                     : SQLITE_OPEN_READWRITE;
    const auto name = access == Access::unchanging ? "file:" + escaped(path) + "?immutable=1" : path;
    sqlite3* database = nullptr;
    const int code = sqlite().open_v2(name.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, store_files_name);
    database_.reset(database);
    if (code != SQLITE_OK) fail(database, code);
    sqlite().progress_handler(database, instructions, is_too_much, work_.get());
    sqlite().busy_timeout(database, patience);
    sqlite().db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite().db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite().db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

void Database::run_script(const char* sql) const {
    const int code = sqlite().exec(database_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(database_.get(), code);
}

std::int64_t Database::number(std::string_view sql) const {
    auto statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::last_id() const { return sqlite().last_insert_rowid(database_.get()); }

std::int64_t Database::id_of(std::string_view table, std::string_view name) const {
    auto find = prepare("SELECT id FROM " + std::string(table) + " WHERE name = ?");
    if (find.bind(1, name).step()) return find.integer(0);
    prepare("INSERT INTO " + std::string(table) + "(name) VALUES (?)").bind(1, name).run();
    return last_id();
}

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
