/// The profile that `view` shows: read while the page is already there, asked by it, and read again when its
/// files have changed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/profile_options.hpp"
#include "server/opened_profile.hpp"
#include "session/session.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// A file as it was when reading it began.
struct FileMark {
    std::string path;
    bool exists = false;
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  ///< when it was last changed

    [[nodiscard]] static FileMark of(const std::string& path);
    friend bool operator==(const FileMark&, const FileMark&) = default;
};

class LiveProfile {
  public:
    /// Whether whoever has asked still waits.
    using IsWanted = std::function<bool()>;

    LiveProfile(const PageOptions& options, const Console& console);

    /// For the first time. What failed has been said on standard error.
    [[nodiscard]] tl::expected<void, Exit> read();
    /// That a command ends with which has read this; of the last reading.
    [[nodiscard]] Exit exit();
    /// Whether it is read, after waiting for that no longer than so.
    [[nodiscard]] bool is_read_within(std::chrono::milliseconds time);

    /// `status` at once, everything else when the profile is read; one question at a time. Empty if nobody
    /// wants it any more. From any thread.
    [[nodiscard]] std::string answer(std::string_view question, const IsWanted& is_wanted);

  private:
    using Lock = std::unique_lock<std::mutex>;
    class Turn;

    /// The files of the profile after, or of the one before.
    struct Side {
        std::vector<std::string> files;                       // as named; later as read
        std::optional<std::vector<std::string>> known_files;  // of the same runs, when reading began first
        std::vector<FileMark> marks;                          // of those that were read
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
    [[nodiscard]] tl::expected<OpenedProfile, Exit> read_side(Side& side, const Console& console);
    void put(Reading reading, Sides read);
    [[nodiscard]] std::string status();
    [[nodiscard]] std::string reload(Lock& lock);
    [[nodiscard]] std::string read_again(Sides read);

    const PageOptions options_;
    const Console console_;
    std::optional<engine::Session> session_;  // of whoever has is_asking_
    const IsWanted* is_wanted_ = nullptr;     // of the question that is being answered; the same
    std::mutex mutex_;                        // guards the following
    Exit exit_ = Exit::ok;
    std::condition_variable changed_;  // some of it
    std::int64_t generation_ = 0;      // how often the files have been read
    bool is_asking_ = false;
    bool is_reloading_ = false;
    std::uint64_t reloads_ = 0;  // that are over
    std::string reload_answer_;  // to the last of them
    Sides sides_;
    std::optional<std::pair<std::string, Progress>> progress_;  // of the file that is being read
};

}  // namespace callcost::program
