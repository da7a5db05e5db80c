/// An open file, pipe or terminal, read once from front to back. For open_source.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <callcost/error.hpp>

namespace callcost::program {

/// Owns a file descriptor.
class FileDescriptor {
  public:
    explicit FileDescriptor(int number = -1) : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~FileDescriptor();

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

  private:
    int number_;
};

class FileReader {
  public:
    /// What is read. Opening a regular file never waits.
    enum class Kinds : std::uint8_t { all, regular };

    /// "-" and "/dev/stdin" are standard input from where it stands. Waits for the first bytes of a pipe.
    /// Error: cannot_open, with the reason as `detail`.
    static Result<FileReader> open(const std::string& path, Kinds kinds = Kinds::all);

    /// Fills the front of the buffer; 0 at the end. Errors: read_failed; cancelled after interrupt().
    Result<std::size_t> read(std::span<char> buffer);

    /// The first bytes of the file, as many as tell how it is compressed; read() yields them again.
    [[nodiscard]] std::string_view head() const { return {head_.data(), head_size_}; }
    /// How many bytes there are to read, as far as the system knows; 0 if it does not.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Makes interrupt() possible where a read may wait for ever: pipes, terminals. May fail.
    bool make_interruptible();
    /// Ends a waiting read() and all later ones. The one function that another thread may call.
    void interrupt() const;

  private:
    static constexpr std::size_t max_head = 6;

    explicit FileReader(FileDescriptor file) : file_(std::move(file)) {}
    Result<std::size_t> read_file(std::span<char> buffer);
    [[nodiscard]] Result<void> wait_for_bytes() const;

    FileDescriptor file_;
    FileDescriptor wake_reader_;
    FileDescriptor wake_writer_;
    std::uint64_t size_ = 0;
    bool may_wait_ = false;  // not a regular file
    std::array<char, max_head> head_{};
    std::size_t head_size_ = 0;
    std::size_t head_given_ = 0;
};

}  // namespace callcost::program
