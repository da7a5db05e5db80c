/// The page of `record --view`: of the program while it runs under Callgrind, and of its profile until
/// Ctrl-C.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include <sys/types.h>

#include "commands/record_options.hpp"
#include "server/live_control.hpp"
#include "server/live_profile.hpp"
#include "server/page_service.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// Once it listens this process ends by serve_until_end() or end(), as threads use it.
class RecordPage {
  public:
    RecordPage(const RecordOptions& options, const Console& console);

    /// Call before the program runs; prints what is wrong.
    [[nodiscard]] bool listen() { return service_.listen(0); }
    /// It runs, and is shown meanwhile if Callgrind is the tool.
    void follow(pid_t process);
    /// The run has ended: its files are not read until settle() names them; no names: there is no profile.
    void hold();
    void settle(const std::vector<std::string>& files);

    /// Until Ctrl-C.
    [[noreturn]] void serve_until_end(const std::vector<std::string>& files, int exit_status);
    [[noreturn]] void end(int exit_status);

  private:
    void start(const std::vector<std::string>& files);
    void read();
    [[nodiscard]] bool read_dump();
    /// Whether it is known what the files are, at most this much later.
    [[nodiscard]] bool is_over_within(std::chrono::milliseconds time);

    const RecordOptions& options_;
    const Console console_;
    PageService service_;
    std::optional<RunningCallgrind> callgrind_;  // if it is followed
    std::optional<LiveControl> control_;         // likewise
    std::optional<LiveProfile> profile_;
    std::unique_lock<std::shared_mutex> held_;
    std::mutex mutex_;  // guards the following
    std::condition_variable changed_;
    bool is_over_ = false;
};

}  // namespace callcost::program
