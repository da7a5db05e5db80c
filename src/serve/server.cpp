#include "serve/server.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include "convert/gzip.hpp"
#include "serve/connection.hpp"

namespace callcost::serve {
namespace {

constexpr std::size_t most_question_bytes = 256 * 1024;
constexpr std::size_t most_requests = 1'000;  // over one connection
constexpr std::size_t clients = 16;           // that are served at a time; a browser comes with up to six
constexpr std::size_t large = 64 * 1024;      // bytes that are worth compressing: they may come over a network, by ssh

/// Paths inside, where no client gets by its own words.
constexpr const char* page_path = "/page";
constexpr const char* ask_path = "/ask";
constexpr const char* invitation_path = "/invitation";
constexpr const char* nowhere_path = "/nowhere";
constexpr const char* takes_gzip = "Takes-Gzip";  // a header of ours

std::string gzipped(std::string_view text) {
    std::string bytes;
    const auto sink = to_memory(bytes);
    convert::Gzip gzip(sink, convert::Gzip::Level::fast);
    (void)gzip.write(text);
    (void)gzip.finish();
    return bytes;
}

/// Whether `gzip` is among them.
bool accepts_gzip(std::string_view encodings) {
    while (!encodings.empty()) {
        auto one = encodings.substr(0, encodings.find(','));
        encodings.remove_prefix(std::min(one.size() + 1, encodings.size()));
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        if (one == "gzip" || (one.starts_with("gzip;") && one.find("q=0") == std::string_view::npos)) return true;
    }
    return false;
}

void set_body(httplib::Response& response, std::string body, const char* type) {
    response.body = std::move(body);
    response.set_header("Content-Type", type);
}

void set_gzipped_body(httplib::Response& response, std::string body, const char* type) {
    response.set_header("Content-Encoding", "gzip");
    set_body(response, std::move(body), type);
}

/// The library's server, but for what happens before a request is looked at.
class Http final : public httplib::Server {
  public:
    Http(Site site, std::string token, std::string invitation)
        : site_(std::move(site)), gzipped_page_(gzipped(site_.page)) {
        door_.token = std::move(token);
        door_.invitation = std::move(invitation);
        set_up();
    }

    [[nodiscard]] const Door& door() const { return door_; }
    /// Before the first request.
    bool listen_on(std::uint16_t port) {
        constexpr const char* host = "127.0.0.1";
        const int bound = port != 0 ? (bind_to_port(host, port) ? port : -1) : bind_to_any_port(host);
        if (bound <= 0) return false;
        door_.port = static_cast<std::uint16_t>(bound);
        return true;
    }

  private:
    void set_up() {
        set_default_headers({{"Cache-Control", "no-store"},
                             {"Content-Security-Policy", site_.policy},
                             {"Cross-Origin-Opener-Policy", "same-origin"},
                             {"Cross-Origin-Resource-Policy", "same-origin"},
                             {"Referrer-Policy", "no-referrer"},
                             {"X-Content-Type-Options", "nosniff"}});
        set_payload_max_length(most_question_bytes);
        set_keep_alive_max_count(most_requests);
        set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(limits_.idle).count());
        set_address_family(AF_INET);
        set_tcp_nodelay(true);
        // The library would let several servers listen on one port, and the system choose between them.
        set_socket_options([](int socket) {
            const int yes = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        });
        set_exception_handler([](const auto&, auto& response, const std::exception_ptr&) { response.status = 500; });
        new_task_queue = [] { return new httplib::ThreadPool(clients); };
        Get(page_path, [this](const auto& request, auto& response) { send_page(request, response); });
        Get(invitation_path, [this](const auto&, auto& response) { accept_invitation(response); });
        Post(ask_path, [this](const auto& request, auto& response) { send_answer(request, response); });
    }

    bool process_and_close_socket(socket_t socket) override {
        try {
            Connection connection(socket, limits_);
            bool is_last = false;
            for (auto left = most_requests; left > 0 && !is_last && connection.wait_for_request(); --left) {
                const auto look_at = [&](httplib::Request& request) {
                    lead(request);
                    is_last = is_last || request.path == nowhere_path;
                    request.progress = [&](auto, auto) { return connection.is_client_there(); };
                };
                if (!process_request(connection, left == 1, is_last, look_at)) break;
            }
            return true;
        } catch (const std::exception&) {
            return false;  // no memory: the request goes unanswered
        }
    }

    /// Where the request goes; what it says itself is not looked at again.
    void lead(httplib::Request& request) const {
        const auto only = [&](const char* name) -> std::optional<std::string_view> {
            const auto [first, last] = request.headers.equal_range(name);
            if (first == last) return std::nullopt;
            return std::next(first) == last ? std::string_view(first->second) : std::string_view("several");
        };
        const auto way = door_.way({.method = request.method,
                                    .target = request.target,
                                    .host = only("Host"),
                                    .origin = only("Origin"),
                                    .content_type = only("Content-Type").value_or(""),
                                    .is_encoded = request.has_header("Content-Encoding")});
        const bool takes = accepts_gzip(only("Accept-Encoding").value_or(""));
        request.headers.erase("Accept-Encoding");  // or the library would compress, and slowly
        request.headers.erase(takes_gzip);
        if (takes) request.set_header(takes_gzip, "yes");
        switch (way) {
            case Way::page:
                request.path = page_path;
                break;
            case Way::ask:
                request.path = ask_path;
                break;
            case Way::invitation:
                request.path = invitation_path;
                break;
            case Way::nowhere:
                request.path = nowhere_path;
                request.method = "GET";  // its body is not read: it is the last one over this connection
                request.set_header("Connection", "close");
                break;
        }
    }

    void send_page(const httplib::Request& request, httplib::Response& response) const {
        constexpr const char* type = "text/html; charset=utf-8";
        if (request.has_header(takes_gzip)) {
            set_gzipped_body(response, gzipped_page_, type);
        } else {
            set_body(response, site_.page, type);
        }
    }

    void accept_invitation(httplib::Response& response) {
        if (is_invitation_used_.exchange(true)) {
            response.status = 404;
        } else {
            response.set_redirect("/" + door_.token + "/", 303);
        }
    }

    void send_answer(const httplib::Request& request, httplib::Response& response) const {
        constexpr const char* type = "application/json";
        auto answer = site_.answer(request.body, [&] { return request.progress(0, 0); });
        if (answer.size() >= large && request.has_header(takes_gzip)) {
            set_gzipped_body(response, gzipped(answer), type);
        } else {
            set_body(response, std::move(answer), type);
        }
    }

    Site site_;
    std::string gzipped_page_;
    Door door_;
    Limits limits_;
    std::atomic<bool> is_invitation_used_ = false;
};

tl::unexpected<Error> cannot_open(std::string why) {
    return tl::unexpected(
        Error{.code = ErrorCode::cannot_open, .line = 0, .column = 0, .offset = 0, .detail = std::move(why)});
}

}  // namespace

struct Server::State {
    Http http;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

Result<Server> Server::open(Site site, std::uint16_t port) {
    auto token = random_token();
    auto invitation = random_token();
    if (token.empty() || invitation.empty()) return cannot_open("the system has no random numbers");
    std::unique_ptr<State> state(new State{{std::move(site), std::move(token), std::move(invitation)}});
    errno = 0;
    if (!state->http.listen_on(port)) return cannot_open(errno == 0 ? "not possible" : std::strerror(errno));
    return Server(std::move(state));
}

std::uint16_t Server::port() const { return state_->http.door().port; }
std::string Server::address() const {
    return fmt::format("http://127.0.0.1:{}/{}/", port(), state_->http.door().token);
}
std::string Server::invitation() const {
    return fmt::format("http://127.0.0.1:{}/{}", port(), state_->http.door().invitation);
}

bool Server::run() { return state_->http.listen_after_bind(); }
void Server::stop() { state_->http.stop(); }

}  // namespace callcost::serve
