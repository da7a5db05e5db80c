/// A ClickHouse server over HTTP. The only place that calls libcurl, which is loaded with the first client.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "clickhouse/server_address.hpp"

namespace callcost::program {

/// One thread at a time. What fails throws ServerFailure.
class HttpClient {
  public:
    HttpClient(const ServerAddress& address, const std::string& password);
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;
    ~HttpClient();

    /// What the server answers, when it has done all of it. `sql` is of ours: names are hashes or in rows.
    std::string run(std::string_view sql);
    /// `sql`: INSERT ... FORMAT RowBinary.
    void insert(std::string_view sql, std::string_view rows);
    /// In no database: the one of the address may not be there yet.
    void create_database();

  private:
    std::string post(std::string_view parameters, std::string_view body);

    std::string url_, database_;
    void* handle_;
    void* headers_ = nullptr;
};

}  // namespace callcost::program
