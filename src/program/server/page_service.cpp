#include "server/page_service.hpp"

#include <array>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "server/browser.hpp"
#include "server/embedded_page.hpp"
#include "server/page_data.hpp"
#include "text/style.hpp"

namespace callcost::program {
namespace {

/// In threads that are started meanwhile, too.
class NoSignals {
  public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;
    ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

std::string policy_of(const PageTemplate& page) {
    auto policy = page.policy();
    if (policy.empty()) policy = "default-src 'none'";
    return policy + "; frame-ancestors 'none'";  // which a page cannot say of itself
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "HOST";
}

}  // namespace

EndSignals::EndSignals() {
    sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction present {};
        // Under nohup and the like, Ctrl-C is somebody else's business.
        if (sigaction(signal, nullptr, &present) != 0 || present.sa_handler != SIG_IGN)
            sigaddset(&signals_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

int EndSignals::wait() const {
    int signal = 0;
    while (sigwait(&signals_, &signal) != 0) {
    }
    return signal;
}

void EndSignals::end_by(int signal) const {
    std::signal(signal, SIG_DFL);
    (void)raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

void end_process(int exit_status) {
    (void)std::fflush(stdout);
    _exit(exit_status);
}

bool PageService::listen(std::uint16_t port, History history) {
    auto html = embedded_page(console_);
    if (!html) return false;
    const PageTemplate page(*std::move(html));
    const auto* const manifest = history == History::none     ? R"({"server": true})"
                                 : history == History::beside ? R"({"server": true, "history": "beside"})"
                                                              : R"({"server": true, "history": "first"})";
    server_.emplace(
        Site{page.for_server(manifest), policy_of(page),
             [this](auto question, const auto& is_wanted) { return answer_(question, is_wanted); }});
    const auto listening = server_->listen(port);
    if (listening) return true;
    const auto where = port == 0 ? std::string() : fmt::format(" on port {}", port);
    console_.say(Severity::error, fmt::format("cannot listen{}: {}", where, listening.error().detail));
    return false;
}

void PageService::start(std::function<std::string(std::string_view, const IsWanted&)> answer,
                        std::function<void()> read, std::function<void()> on_server_end) {
    answer_ = std::move(answer);
    const NoSignals none;
    std::thread(std::move(read)).detach();
    std::thread([this, on_end = std::move(on_server_end)] {
        server_->run();
        console_.say(Severity::error, "server stopped: cannot accept connections");
        on_end();
    }).detach();
}

bool PageService::announce(std::FILE* file, bool opens_browser) {
    const auto line = server_->address() + "\n";
    if (std::fwrite(line.data(), 1, line.size(), file) != line.size() || std::fflush(file) != 0) return false;
    if (environment("SSH_CONNECTION")) {
        console_.say(Severity::note,
                     "to see the page on your own machine, run this there and open the address above",
                     fmt::format("ssh -L {0}:127.0.0.1:{0} {1}", server_->port(), host_name()));
    }
    if (!opens_browser) return true;
    const NoSignals none;
    if (!has_display()) return true;
    const auto redirect = redirect_file(server_->address());
    {
        const std::lock_guard lock(mutex_);
        redirect_ = redirect;
    }
    if (open_in_browser(redirect.empty() ? server_->one_time_address() : engine::file_url("", redirect)) ==
        BrowserStart::none_found)
        console_.say(Severity::note, "no browser found; open the address above");
    return true;
}

void PageService::close() {
    const std::lock_guard lock(mutex_);
    if (!redirect_.empty()) (void)::unlink(redirect_.c_str());
    redirect_.clear();
}

void PageService::end(int exit_status) {
    close();
    end_process(exit_status);
}

}  // namespace callcost::program
