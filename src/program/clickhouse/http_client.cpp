#include "clickhouse/http_client.hpp"

#define CURL_DISABLE_TYPECHECK
#include <array>
#include <charconv>
#include <new>

#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "clickhouse/server_failure.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

/// Of the library, which stays loaded for good.
template <class Function>
Function found(const char* name) {
#ifdef CALLCOST_STATIC
    static_cast<void>(name);
    throw ServerFailure{no_client, "the static callcost has no client for servers; use the one of a package"};
#else
    static void* const library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw ServerFailure{no_client, "libcurl.so.4 cannot be loaded; its package is libcurl4"};
    const auto function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw ServerFailure{no_client, "libcurl.so.4 is too old"};
    return function;
#endif
}

/// Curl's functions. The library and those that it needs take longer to load than most commands take.
struct Curl {
    decltype(&curl_easy_cleanup) easy_cleanup = found<decltype(&curl_easy_cleanup)>("curl_easy_cleanup");
    decltype(&curl_easy_getinfo) easy_getinfo = found<decltype(&curl_easy_getinfo)>("curl_easy_getinfo");
    decltype(&curl_easy_init) easy_init = found<decltype(&curl_easy_init)>("curl_easy_init");
    decltype(&curl_easy_perform) easy_perform = found<decltype(&curl_easy_perform)>("curl_easy_perform");
    decltype(&curl_easy_setopt) easy_setopt = found<decltype(&curl_easy_setopt)>("curl_easy_setopt");
    decltype(&curl_easy_strerror) easy_strerror = found<decltype(&curl_easy_strerror)>("curl_easy_strerror");
    decltype(&curl_slist_append) slist_append = found<decltype(&curl_slist_append)>("curl_slist_append");
    decltype(&curl_slist_free_all) slist_free_all =
        found<decltype(&curl_slist_free_all)>("curl_slist_free_all");
};

const Curl& curl() {
    static const Curl loaded;
    return loaded;
}

constexpr long connect_seconds = 10;
constexpr long silent_seconds = 60;

/// What a server sends without an end would take all memory.
constexpr std::size_t longest_answer = std::size_t{4} << 30U;

/// Anything but the number of bytes ends the transfer; no exception may leave it.
std::size_t take_bytes(const char* bytes, std::size_t size, std::size_t count, void* answer) {
    auto& text = *static_cast<std::string*>(answer);
    if (text.size() + size * count > longest_answer) return 0;
    try {
        text.append(bytes, size * count);
    } catch (const std::bad_alloc&) {
        return 0;
    }
    return size * count;
}

std::string percent_encoded(std::string_view text) {
    std::string encoded;
    for (const char byte : text) encoded += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    return encoded;
}

/// `Code: 60, e.displayText() = DB::Exception: Table x doesn't exist., e.what() = DB::Exception`, or as newer
/// ones say it, `Code: 60. DB::Exception: Table x doesn't exist. (UNKNOWN_TABLE) (version 24.8)`.
ServerFailure failure_of(std::string_view answer, long status) {
    answer = answer.substr(0, answer.find('\n'));
    ServerFailure failure{0, {}};
    constexpr std::string_view code = "Code: ", exception = "DB::Exception: ", end = ", e.what()";
    if (answer.starts_with(code))
        std::from_chars(answer.data() + code.size(), answer.data() + answer.size(), failure.code);
    if (const auto at = answer.find(exception); at != std::string_view::npos)
        answer.remove_prefix(at + exception.size());
    answer = answer.substr(0, answer.find(end));
    constexpr std::size_t longest = 300;
    failure.text = answer.empty() ? fmt::format("HTTP status {}", status)
                                  : engine::display_name(answer.substr(0, longest));
    return failure;
}

}  // namespace

HttpClient::HttpClient(const ServerAddress& address, const std::string& password)
    : url_(fmt::format("{}://{}/", address.is_encrypted ? "https" : "http", address.server())),
      database_(address.database),
      handle_(curl().easy_init()) {
    const auto& set = curl().easy_setopt;
    headers_ = curl().slist_append(nullptr, "Expect:");  // no question before each large body
    set(handle_, CURLOPT_HTTPHEADER, headers_);
    set(handle_, CURLOPT_USERNAME, address.user.c_str());
    set(handle_, CURLOPT_PASSWORD, password.c_str());
    set(handle_, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    set(handle_, CURLOPT_NOSIGNAL, 1L);
    set(handle_, CURLOPT_CONNECTTIMEOUT, connect_seconds);
    set(handle_, CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(handle_, CURLOPT_LOW_SPEED_TIME, silent_seconds);
    if (!address.is_encrypted) set(handle_, CURLOPT_PROXY, "");  // which would see the password
    set(handle_, CURLOPT_WRITEFUNCTION, &take_bytes);
}

HttpClient::~HttpClient() {
    curl().easy_cleanup(handle_);
    curl().slist_free_all(static_cast<curl_slist*>(headers_));
}

std::string HttpClient::run(std::string_view sql) {
    return post(fmt::format("&database={}", database_), sql);
}

void HttpClient::insert(std::string_view sql, std::string_view rows) {
    post(fmt::format("&database={}&query={}", database_, percent_encoded(sql)), rows);
}

void HttpClient::create_database() { post({}, fmt::format("CREATE DATABASE IF NOT EXISTS `{}`", database_)); }

std::string HttpClient::post(std::string_view parameters, std::string_view body) {
    const auto& set = curl().easy_setopt;
    std::string answer;
    std::array<char, CURL_ERROR_SIZE> words{};
    // The server keeps its answer until it has all of it: else errors would stand within rows.
    const auto url = fmt::format("{}?wait_end_of_query=1{}", url_, parameters);
    set(handle_, CURLOPT_URL, url.c_str());
    set(handle_, CURLOPT_POSTFIELDS, body.data());
    set(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    set(handle_, CURLOPT_WRITEDATA, &answer);
    set(handle_, CURLOPT_ERRORBUFFER, words.data());
    const auto result = curl().easy_perform(handle_);
    set(handle_, CURLOPT_ERRORBUFFER, nullptr);
    if (result != CURLE_OK) {
        if (result == CURLE_WRITE_ERROR) throw ServerFailure{0, "the answer of the server is too large"};
        const std::string_view said = words.front() != '\0' ? words.data() : curl().easy_strerror(result);
        throw ServerFailure{0, said.starts_with("Operation too slow")
                                   ? fmt::format("the server has been silent for {} seconds", silent_seconds)
                                   : engine::display_name(said)};
    }
    long status = 0;
    curl().easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    constexpr long fine = 200;
    if (status != fine) throw failure_of(answer, status);
    return answer;
}

}  // namespace callcost::program
