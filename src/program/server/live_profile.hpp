/// The profile that `view` serves: loaded in the background, queried by the page, and reloaded when its files
/// change.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "options/profile_options.hpp"
#include "server/live_control.hpp"
#include "server/opened_profile.hpp"
#include "session/session.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// Identity of a file at the start of reading, to detect changes.
struct FileMark {
    std::string path;
    bool exists = false;
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  ///< modification time

    [[nodiscard]] static FileMark of(const std::string& path);
    friend bool operator==(const FileMark&, const FileMark&) = default;
};

class LiveProfile {
  public:
    /// Whether the client still waits for the answer.
    using IsWanted = std::function<bool()>;

    /// `control`: of a run that goes on, which must outlive this; the files are those that it has written.
    LiveProfile(const PageOptions& options, const Console& console, LiveControl* control = nullptr);

    /// Loads the files for the first time. Errors are reported on standard error.
    [[nodiscard]] tl::expected<void, Exit> read();
    /// There will be nothing to load: that is the answer to all questions but `status`.
    void give_up(std::string_view message, std::string_view hint);
    /// Exit status of the last load.
    [[nodiscard]] Exit exit();
    /// Waits for loading to finish, at most this long; true if it has.
    [[nodiscard]] bool is_read_within(std::chrono::milliseconds time);

    /// Answers `status` immediately and all other questions once the profile is loaded, one at a time. Empty
    /// if the client has gone. Thread-safe.
    [[nodiscard]] std::string answer(std::string_view question, const IsWanted& is_wanted);

  private:
    using Lock = std::unique_lock<std::mutex>;
    class Turn;

    /// The files of the new or the old profile.
    struct Side {
        std::vector<std::string> files;                       // as named; later as read
        std::optional<std::vector<std::string>> known_files;  // of the same runs, when reading began first
        std::vector<FileMark> marks;                          // of those that were read
        bool is_read_again = false;                           // and must not wait for a pipe
        bool is_live = false;                                 // of a run that goes on
    };
    struct Sides {
        Side after;
        std::optional<Side> before;
    };

    struct Reading {
        engine::Session session;
        Exit exit;
    };
    [[nodiscard]] tl::expected<Reading, Exit> read_sides(Sides& read, const Console& console);
    [[nodiscard]] std::shared_lock<std::shared_mutex> keep_live_files(Side& side);
    [[nodiscard]] tl::expected<OpenedProfile, Exit> read_side(Side& side, const Console& console);
    void put(Reading reading, Sides read);
    [[nodiscard]] std::vector<std::string> new_files(const Side& side) const;
    [[nodiscard]] std::string status();
    [[nodiscard]] std::string reload(Lock& lock);
    [[nodiscard]] std::string read_again(Sides read);

    const PageOptions options_;
    const Console console_;
    LiveControl* const control_;
    std::optional<engine::Session> session_;  // used by the thread that has set is_asking_
    const IsWanted* is_wanted_ = nullptr;     // of the current question; likewise
    std::mutex mutex_;                        // guards the following
    Exit exit_ = Exit::ok;
    std::condition_variable changed_;  // some of it
    std::int64_t generation_ = 0;      // number of loads so far
    std::string failure_;              // the answer if there will be none
    bool is_asking_ = false;
    bool is_reloading_ = false;
    std::uint64_t reloads_ = 0;  // finished
    std::string reload_answer_;  // to the last of them
    Sides sides_;
    std::optional<std::pair<std::string, Progress>> progress_;  // of the file being read
};

}  // namespace callcost::program
