#include "input/open.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit/library/base/without_root.hpp"
#include "unit/program/input/compressed.hpp"
#include "unit/program/input/read_all.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::ErrorCode;
using callcost::program::open_source;
using callcost::test::profile_text;
using callcost::test::read_all;
using callcost::test::TemporaryDirectory;

/// Puts another file in the place of standard input while it lives.
class StandardInput {
  public:
    explicit StandardInput(int file) : saved_(::dup(STDIN_FILENO)) { ::dup2(file, STDIN_FILENO); }
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;
    ~StandardInput() {
        ::dup2(saved_, STDIN_FILENO);
        ::close(saved_);
    }

  private:
    int saved_;
};

struct Pipe {
    explicit Pipe(int flags = 0) {
        if (::pipe2(ends.data(), O_CLOEXEC | flags) != 0) throw std::runtime_error("pipe2 failed");
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        ::close(ends[0]);
        close_writer();
    }
    void write(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t count = ::write(ends[1], text.data(), text.size());
            if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
        }
    }
    void close_writer() {
        if (ends[1] >= 0) ::close(ends[1]);
        ends[1] = -1;
    }
    [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(ends[0]); }

    std::array<int, 2> ends{};
};

std::string reason(const std::string& path) {
    const auto source = open_source(path);
    if (source) return "opened";
    EXPECT_EQ(source.error().code, ErrorCode::cannot_open);
    return source.error().detail;
}

TEST(OpenSource, a_plain_file_is_read_as_it_is) {
    const TemporaryDirectory directory;
    const std::string text = profile_text(300'000);
    const std::string path = directory.write("callgrind.out.1", text);
    for (const std::size_t buffer_size : {1U, 5U, 6U, 7U, 4096U, 1U << 20U}) {
        const auto source = open_source(path);
        ASSERT_TRUE(source);
        EXPECT_EQ(source->name, path);
        EXPECT_EQ(source->size, text.size());
        EXPECT_FALSE(source->consumed);
        const auto all = read_all(*source, buffer_size);
        EXPECT_FALSE(all.error);
        EXPECT_EQ(all.text, text);
    }
}

TEST(OpenSource, files_shorter_than_a_compression_mark_are_read) {
    const TemporaryDirectory directory;
    for (const std::string text : {"", "\x1f", "BZ", "BZh", "BZh0", "\x28\xb5\x2f", "12345"}) {
        const auto source = open_source(directory.write("short", text));
        ASSERT_TRUE(source);
        EXPECT_EQ(source->size, text.size());
        EXPECT_EQ(read_all(*source).text, text);
    }
}

TEST(OpenSource, the_end_is_reported_again_and_again) {
    const TemporaryDirectory directory;
    const auto source = open_source(directory.write("a", "text"));
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(*source).text, "text");
    EXPECT_EQ(read_all(*source).text, "");
}

TEST(OpenSource, what_cannot_be_opened_says_why) {
    const TemporaryDirectory directory;
    EXPECT_EQ(reason(directory.path()), "is a directory");
    EXPECT_EQ(reason(directory.path("missing")), "No such file or directory");
    EXPECT_EQ(reason(directory.write("file") + "/below"), "Not a directory");
    EXPECT_EQ(reason(""), "No such file or directory");
    EXPECT_EQ(reason("/dev/zero"), "is a character device");
    EXPECT_EQ(reason(std::string(5000, 'x')), "File name too long");
}

TEST(OpenSource, an_unreadable_file_says_so) {
    const TemporaryDirectory directory;
    const std::string path = directory.write("secret");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    const callcost::test::WithoutRoot without_root(directory.path());
    EXPECT_EQ(reason(path), "Permission denied");
}

TEST(OpenSource, a_socket_says_so) {
    const TemporaryDirectory directory;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = directory.path("s");
    ASSERT_LT(path.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path.data(), path.size());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(reason(path), "is a socket");
    ::close(socket);
}

TEST(OpenSource, a_named_pipe_is_read) {
    const TemporaryDirectory directory;
    const std::string path = directory.path("fifo");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const std::string text = profile_text(200'000);
    for (const std::string& bytes : {text, callcost::test::gzip(text)}) {
        std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
        const auto source = open_source(path);
        EXPECT_TRUE(source);
        if (source) {
            EXPECT_EQ(source->size, 0U);
            EXPECT_EQ(read_all(*source).text, text);
        }
        writer.join();
    }
}

TEST(OpenSource, bytes_that_trickle_in_are_recognised) {
    Pipe pipe;
    const std::string text = "fn=main\n";
    std::thread writer([&] {
        for (const char byte : callcost::test::gzip(text)) {
            pipe.write({&byte, 1});
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        pipe.close_writer();
    });
    // Not through /dev/fd: that would open the pipe once more only after its writer may be gone.
    const StandardInput input(pipe.ends[0]);
    const auto source = open_source("-");
    EXPECT_TRUE(source);
    if (source) {
        EXPECT_EQ(read_all(*source).text, text);
    }
    writer.join();
}

TEST(OpenSource, a_dash_and_dev_stdin_are_standard_input) {
    for (const std::string path : {"-", "/dev/stdin", "/dev/fd/0"}) {
        Pipe pipe;
        pipe.write("events: Ir\n");
        const StandardInput input(pipe.ends[0]);
        pipe.close_writer();
        const auto source = open_source(path);
        ASSERT_TRUE(source) << path;
        EXPECT_EQ(source->name, path == "-" ? "<stdin>" : path);
        EXPECT_EQ(read_all(*source).text, "events: Ir\n");
    }
}

TEST(OpenSource, standard_input_may_be_a_file_that_is_partly_read) {
    const TemporaryDirectory directory;
    const int file = ::open(directory.write("f", "skip this; events: Ir\n").c_str(), O_RDONLY | O_CLOEXEC);
    ::lseek(file, 11, SEEK_SET);
    {
        const StandardInput input(file);
        const auto source = open_source("-");
        ASSERT_TRUE(source);
        EXPECT_EQ(source->size, 11U);
        EXPECT_EQ(read_all(*source).text, "events: Ir\n");
    }
    ::close(file);
}

TEST(OpenSource, standard_input_may_be_a_device_or_a_socket_but_no_directory) {
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    {
        const StandardInput input(null);
        const auto source = open_source("-");
        ASSERT_TRUE(source);
        EXPECT_EQ(read_all(*source).text, "");
    }
    ::close(null);

    std::array<int, 2> sockets{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()), 0);
    ASSERT_EQ(::write(sockets[1], "profile", 7), 7);
    ::close(sockets[1]);
    {
        const StandardInput input(sockets[0]);
        const auto source = open_source("/dev/stdin");
        ASSERT_TRUE(source);
        EXPECT_EQ(read_all(*source).text, "profile");
    }
    ::close(sockets[0]);

    const int directory = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    {
        const StandardInput input(directory);
        EXPECT_EQ(reason("-"), "is a directory");
    }
    ::close(directory);
}

TEST(OpenSource, a_non_blocking_pipe_is_waited_for) {
    Pipe pipe(O_NONBLOCK);
    const StandardInput input(pipe.ends[0]);
    std::thread writer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pipe.write("first part, ");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pipe.write("second part");
        pipe.close_writer();
    });
    const auto source = open_source("-");
    EXPECT_TRUE(source);
    if (source) {
        EXPECT_EQ(read_all(*source).text, "first part, second part");
    }
    writer.join();
}

TEST(OpenSource, a_signal_does_not_end_the_input) {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // without SA_RESTART: read() fails with EINTR
    struct sigaction before {};
    ::sigaction(SIGUSR1, &action, &before);
    Pipe pipe;
    pipe.write("before ");
    std::atomic<bool> is_done = false;
    const pthread_t reader = ::pthread_self();
    std::thread writer([&] {
        for (int i = 0; i < 10; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            ::pthread_kill(reader, SIGUSR1);
        }
        pipe.write("after");
        pipe.close_writer();
        is_done = true;
    });
    {
        const StandardInput input(pipe.ends[0]);
        const auto source = open_source("-");
        EXPECT_TRUE(source);
        if (source) {
            EXPECT_EQ(read_all(*source).text, "before after");
        }
    }
    writer.join();
    EXPECT_TRUE(is_done);
    ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(OpenSource, a_file_may_grow_or_shrink_while_it_is_read) {
    const TemporaryDirectory directory;
    const std::string path = directory.write("growing", "first\n");
    const auto growing = open_source(path);
    ASSERT_TRUE(growing);
    std::ofstream(path, std::ios::app) << "second\n";
    EXPECT_EQ(read_all(*growing).text, "first\nsecond\n");

    const auto shrinking = open_source(directory.write("shrinking", profile_text(100'000)));
    ASSERT_TRUE(shrinking);
    std::filesystem::resize_file(directory.path("shrinking"), 50'000);
    const auto all = read_all(*shrinking, 4096);
    EXPECT_EQ(all.text.size(), 50'000U);
    EXPECT_FALSE(all.error);
}

TEST(OpenSource, a_file_over_four_gigabytes_has_its_size) {
    const TemporaryDirectory directory;
    const std::string path = directory.write("huge");
    std::error_code error;
    std::filesystem::resize_file(path, 5ULL << 30U, error);
    if (error) GTEST_SKIP() << "no sparse files here";
    const auto source = open_source(path);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->size, 5ULL << 30U);
}

TEST(OpenSource, copies_share_one_stream_and_the_last_one_closes_it) {
    const TemporaryDirectory directory;
    const std::string path = directory.write("f", "0123456789");
    const int next_file = ::dup(STDERR_FILENO);
    ::close(next_file);
    {
        auto source = open_source(path);
        ASSERT_TRUE(source);
        const callcost::Source copy = *source;
        std::array<char, 7> buffer{};
        EXPECT_EQ(source->read(buffer), 7U);
        source = tl::unexpected(callcost::Error{});
        EXPECT_EQ(read_all(copy).text, "789");
    }
    EXPECT_EQ(::fcntl(next_file, F_GETFD), -1);
}

}  // namespace
