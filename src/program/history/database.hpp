/// SQLite as statements and values. The only place that calls it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace callcost::program {

/// What SQLite refused, in its words. Does not leave the module.
struct DatabaseFailure {
    int code;  ///< SQLite's, extended
    std::string text;
};

/// What the statement at hand has done, in units. It may do more than any has to in an undamaged store of the
/// size that the files have.
struct Work {
    std::filesystem::path store, log;
    std::int64_t done = 0;
};

/// Parameters count from 1, columns from 0. What fails throws DatabaseFailure.
class Statement {
  public:
    Statement(sqlite3* database, Work& work, std::string_view sql);

    Statement& bind(int parameter, std::int64_t value);
    /// The bytes must stay as they are until the statement is reset.
    Statement& bind(int parameter, std::string_view text);
    Statement& bind_blob(int parameter, std::string_view bytes);
    Statement& bind_null(int parameter);

    /// False at the end, when the statement is ready to be bound and run again.
    bool step();
    /// For statements that return nothing.
    void run();
    void reset();

    [[nodiscard]] std::int64_t integer(int column) const;
    /// Valid until the next step.
    [[nodiscard]] std::string_view bytes(int column) const;
    [[nodiscard]] std::string text(int column) const { return std::string(bytes(column)); }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    void check(int code) const;

    sqlite3* database_;
    Work& work_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
  public:
    /// `unchanging`: nobody writes the file meanwhile, so that no file need be written beside it.
    enum class Access : std::uint8_t { unchanging, write, create };

    /// The file may be anybody's: its triggers and views cannot run functions, no other file is touched, and
    /// what would never end fails.
    Database(const std::string& path, Access access);

    [[nodiscard]] Statement prepare(std::string_view sql) const { return {database_.get(), *work_, sql}; }
    void run(std::string_view sql) const { prepare(sql).run(); }
    /// Several statements.
    void run_script(const char* sql) const;
    /// The first column of the first row.
    [[nodiscard]] std::int64_t number(std::string_view sql) const;
    [[nodiscard]] std::int64_t last_id() const;
    /// Of the row with this name, in a table with the columns `id` and `name`; it is inserted if there is
    /// none.
    [[nodiscard]] std::int64_t id_of(std::string_view table, std::string_view name) const;

  private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::unique_ptr<Work> work_;
    std::unique_ptr<sqlite3, Close> database_;
};

/// Ends with all of it stored after commit(), else with none of it.
class Transaction {
  public:
    explicit Transaction(const Database& database) : database_(database) { database.run("BEGIN IMMEDIATE"); }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

  private:
    const Database& database_;
    bool is_open_ = true;
};

}  // namespace callcost::program
