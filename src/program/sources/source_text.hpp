/// The text of one source file of the profiled program, and why there may be none. For annotation.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/error.hpp>

namespace callcost::program {

using FileTime = std::chrono::sys_time<std::chrono::nanoseconds>;

/// When a file was last changed; nothing if it cannot be told.
[[nodiscard]] std::optional<FileTime> modification_time(const std::string& path);

/// A file as it was when it was read. A byte order mark is not part of the text.
class SourceText {
  public:
    SourceText(std::string path, FileTime modified, std::string text);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] FileTime modified() const { return modified_; }
    /// Whether the file was changed after the profile was written: the lines may have moved.
    [[nodiscard]] bool newer_than(FileTime profile) const { return modified_ > profile; }
    /// Whether the path matches the recorded name by suffix only: it may be a file of another program.
    [[nodiscard]] bool is_guess() const { return is_guess_; }
    void set_guess(bool is_guess) { is_guess_ = is_guess; }

    [[nodiscard]] std::size_t line_count() const { return line_starts_.size(); }
    /// A line without its end (LF or CR LF), counted from 1; "" where there is none.
    [[nodiscard]] std::string_view line(std::uint64_t number) const;

  private:
    std::string path_;
    std::string text_;
    std::vector<std::uint32_t> line_starts_;
    FileTime modified_;
    bool is_guess_ = false;
};

enum class NoSource : std::uint8_t {
    unnamed,       ///< the profile does not know the file: "" or "???"
    missing,       ///< no file of this name, as far as was searched
    not_a_file,    ///< a directory, device, pipe or socket, or a file of /proc or /sys; `detail` says which
    elsewhere,     ///< a file outside ExpectedDirectories, which was not opened
    unreadable,    ///< `detail` is the system's reason
    too_large,     ///< more than SourceFinderOptions::max_bytes
    binary,        ///< there is a NUL byte in it
    ambiguous,     ///< several files match equally well: `candidates`
    search_limit,  ///< the include directories hold more than was looked at; `candidates` are what matched so
                   ///< far
};

/// Why there is no text.
struct SourceProblem {
    NoSource reason = NoSource::missing;
    std::string path;  ///< the file that could not be used, or the name that was searched
    std::string detail;
    std::vector<std::string> candidates;
};

/// Reads a regular file. Never waits, and opens nothing else: opening a device may do harm.
[[nodiscard]] tl::expected<SourceText, SourceProblem> load_source(const std::string& path,
                                                                  std::uint64_t max_bytes);

}  // namespace callcost::program
