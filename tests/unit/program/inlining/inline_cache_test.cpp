#include "inlining/inline_cache.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::program::AskedOfObject;
using callcost::program::encoded;
using callcost::program::InlineCache;
using callcost::program::InlineReply;
using callcost::program::InlineRequest;
using callcost::program::user_cache_directory;
using callcost::test::TemporaryDirectory;
using testing::IsEmpty;
using testing::SizeIs;

namespace files = std::filesystem;

InlineRequest request_about(const std::string& path) {
    return {.path = path, .debug_path = {}, .build_id = "12", .functions = {}, .files = {}, .records = {}};
}

AskedOfObject asked_about(const std::string& function = "f") {
    AskedOfObject asked{.fingerprint = {}, .bounds = {.functions = 1, .unnamed = 0}};
    asked.fingerprint.add(function);
    return asked;
}

InlineReply reply_of(std::size_t size) {
    InlineReply found{.detail = {}, .map = {}, .stale = {}, .compared = 1};
    found.map.functions = {{std::string(size, 'h'), "h.c", 3}};
    return found;
}

std::vector<std::string> files_in(const std::string& directory) {
    std::vector<std::string> found;
    for (const auto& entry : files::directory_iterator(directory)) found.push_back(entry.path());
    return found;
}

TEST(InlineCache, knows_what_was_kept_about_the_same_file) {
    const TemporaryDirectory place;
    const auto program = place.write("program");
    InlineCache cache(place.path("cache/callcost"));
    EXPECT_FALSE(cache.find(request_about(program), asked_about()).has_value());
    cache.keep(request_about(program), asked_about(), reply_of(1));
    const auto found = cache.find(request_about(program), asked_about());
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(encoded(*found), encoded(reply_of(1)));
    EXPECT_TRUE(
        InlineCache(place.path("cache/callcost")).find(request_about(program), asked_about()).has_value());
    EXPECT_FALSE(cache.find(request_about(program), asked_about("g")).has_value());
    auto without_id = request_about(program);
    without_id.build_id.clear();
    cache.keep(without_id, asked_about(), reply_of(1));
    EXPECT_FALSE(cache.find(without_id, asked_about()).has_value());
    place.write("program", "another one");
    EXPECT_FALSE(cache.find(request_about(program), asked_about()).has_value());

    const auto kept = files_in(place.path("cache/callcost/inlined"));
    ASSERT_THAT(kept, SizeIs(1));
    EXPECT_EQ(files::status(kept.front()).permissions(),
              files::perms::owner_read | files::perms::owner_write);
    EXPECT_EQ(files::status(place.path("cache/callcost")).permissions(), files::perms::owner_all);
}

TEST(InlineCache, believes_no_file_that_it_has_not_written) {
    const TemporaryDirectory place;
    const auto program = place.write("program");
    InlineCache cache(place.path("callcost"));
    cache.keep(request_about(program), asked_about(), reply_of(1));
    const auto kept = files_in(place.path("callcost/inlined"));
    ASSERT_THAT(kept, SizeIs(1));
    std::ifstream file(kept.front(), std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t i = 0; i <= whole.size(); ++i) {
        auto bytes = whole;
        if (i < bytes.size()) bytes[i] ^= 1;
        if (i == bytes.size()) bytes.pop_back();
        std::ofstream(kept.front(), std::ios::binary) << bytes;
        EXPECT_FALSE(cache.find(request_about(program), asked_about()).has_value()) << i;
    }
    std::ofstream(place.path("elsewhere"), std::ios::binary) << whole;
    files::remove(kept.front());
    files::create_symlink(place.path("elsewhere"), kept.front());
    EXPECT_FALSE(cache.find(request_about(program), asked_about()).has_value());
    cache.keep(request_about(program), asked_about(), reply_of(1));
    EXPECT_TRUE(cache.find(request_about(program), asked_about()).has_value());
    EXPECT_TRUE(files::is_regular_file(files::symlink_status(kept.front())));
}

TEST(InlineCache, uses_no_directory_of_others) {
    const TemporaryDirectory place;
    const auto program = place.write("program");
    const auto is_used = [&](const std::string& directory) {
        InlineCache cache(directory);
        cache.keep(request_about(program), asked_about(), reply_of(1));
        return cache.find(request_about(program), asked_about()).has_value();
    };
    EXPECT_FALSE(is_used(""));
    EXPECT_FALSE(is_used(place.path("missing/missing/callcost")));
    EXPECT_FALSE(is_used(program));
    files::create_directory(place.path("open"));
    ::chmod(place.path("open").c_str(), 0777);
    EXPECT_FALSE(is_used(place.path("open")));
    files::create_directory(place.path("real"));
    files::create_directory_symlink(place.path("real"), place.path("link"));
    EXPECT_FALSE(is_used(place.path("link")));
    EXPECT_TRUE(is_used(place.path("real")));
}

TEST(InlineCache, stays_small) {
    const TemporaryDirectory place;
    const auto program = place.write("program");
    InlineCache cache(place.path("callcost"), 10'000);
    const auto inlined = place.path("callcost/inlined");
    for (int i = 0; i < 40; ++i) {
        cache.keep(request_about(program), asked_about("f" + std::to_string(i)), reply_of(1000));
        std::uint64_t size = 0;
        for (const auto& file : files_in(inlined)) size += files::file_size(file);
        EXPECT_LE(size, 10'000U);
    }
    EXPECT_TRUE(cache.find(request_about(program), asked_about("f39")).has_value());
    const auto before = files_in(inlined).size();
    cache.keep(request_about(program), asked_about("large"), reply_of(5000));
    EXPECT_THAT(files_in(inlined), SizeIs(before));
}

class Environment {
  public:
    explicit Environment(const char* name) : name_(name), before_(value(name)) {}
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { set(before_ ? before_->c_str() : nullptr); }
    void set(const char* text) const {
        if (text == nullptr) {
            ::unsetenv(name_);
        } else {
            ::setenv(name_, text, 1);
        }
    }

  private:
    static std::optional<std::string> value(const char* name) {
        const char* const found = std::getenv(name);
        return found == nullptr ? std::nullopt : std::optional<std::string>(found);
    }
    const char* name_;
    std::optional<std::string> before_;
};

TEST(InlineCache, is_where_the_user_has_others) {
    const Environment home("HOME"), cache("XDG_CACHE_HOME");
    home.set("/home/me");
    cache.set("/cache");
    EXPECT_EQ(user_cache_directory(), "/cache/callcost");
    cache.set("relative");
    EXPECT_EQ(user_cache_directory(), "/home/me/.cache/callcost");
    cache.set(nullptr);
    EXPECT_EQ(user_cache_directory(), "/home/me/.cache/callcost");
    home.set("");
    EXPECT_THAT(user_cache_directory(), IsEmpty());
}

}  // namespace
