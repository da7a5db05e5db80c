#include "inlining/address_names.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "importers/importers.hpp"
#include "loading/inlined_code.hpp"
#include "sources/source_text.hpp"
#include "unit/program/inlining/compiled_program.hpp"
#include "unit/program/input/temporary_directory.hpp"
#include <callcost/profile.hpp>
#include <callcost/read.hpp>
#include <callcost/source.hpp>

namespace address_names_tests {
namespace {

using callcost::program::InlineMapOptions;
using callcost::test::output_of;
using callcost::test::TemporaryDirectory;

constexpr std::string_view program_text = R"(
volatile int sink;
namespace pot {
__attribute__((noinline)) void stir(int n) { sink = sink + n; }
__attribute__((noinline)) void taste(int n) { stir(n); if (n > 0) taste(n - 1); sink = sink + 1; }
}
int main() { pot::taste(4); return 0; }
)";

struct Segment {
    std::uint64_t offset = 0, address = 0, size = 0;
};

Segment code_of(const std::string& path) {
    std::istringstream lines(output_of({"readelf", "-lW", path}));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string type, physical;
        Segment segment;
        words >> type >> std::hex >> segment.offset >> segment.address >> physical >> segment.size;
        if (type == "LOAD" && line.find("R E") != std::string::npos) return segment;
    }
    ADD_FAILURE() << "no code";
    return {};
}

std::uint64_t address_of(const std::string& path, std::string_view symbol) {
    std::istringstream lines(output_of({"nm", path}));
    for (std::string line; std::getline(lines, line);)
        if (line.ends_with(" T " + std::string(symbol))) return std::stoull(line, nullptr, 16);
    ADD_FAILURE() << symbol;
    return 0;
}

/// tcmalloc's profile of a program that was loaded at 0x550000000000, whose pages are of 4 KB.
class Soup {
  public:
    explicit Soup(const std::vector<std::string>& options) {
        path = callcost::test::compile(directory, "soup",
                                       directory.write("soup.cpp", std::string(program_text)), options);
        code = code_of(path);
    }

    [[nodiscard]] std::string profile(std::uint64_t more_code = 0, std::uint64_t inode = 0) const {
        constexpr std::uint64_t page = 4096, load = 0x5500'0000'0000;
        const auto in_memory = [&](std::string_view symbol) {
            return load + address_of(path, symbol) - code.address + code.offset % page + 4;
        };
        const std::uint64_t begin = code.offset - code.offset % page;
        const std::uint64_t size = (code.offset + code.size - begin + page - 1) / page * page + more_code;
        return fmt::format(
            "heap profile: 1: 7 [1: 7] @ heapprofile\n1: 7 [1: 7] @ 0x{0:x} 0x{1:x} 0x{1:x} 0x{2:x} 0x99\n\n"
            "MAPPED_LIBRARIES:\n{3:x}-{4:x} r-xp {5:08x} 00:00 {6} {7}\n",
            in_memory("_ZN3pot4stirEi"), in_memory("_ZN3pot5tasteEi"), in_memory("main"), load, load + size,
            begin, inode, path);
    }

    TemporaryDirectory directory;
    std::string path;
    Segment code;
};

/// Their names, then what the note says.
std::string functions(const std::string& text, const InlineMapOptions& how = {}) {
    std::string written;
    const callcost::engine::ImportOptions options{.find_names = [&](auto codes, auto addresses) {
        return callcost::program::names_of_addresses(codes, addresses, how);
    }};
    const auto notes =
        callcost::engine::import_stacks(callcost::engine::ImportFormat::gperftools,
                                        callcost::from_memory(text), options, callcost::to_memory(written));
    EXPECT_TRUE(notes.has_value());
    if (!notes) return {};
    const auto profile = callcost::read_profile(callcost::from_memory(written));
    EXPECT_TRUE(profile.has_value());
    std::string all;
    for (std::size_t row = 0; row < profile->function_count(); ++row) {
        const auto name = profile->name(callcost::FunctionId(row));
        all += std::string(name.starts_with("0x55") ? "(address)" : name) + '\n';
    }
    return all + notes->limits;
}

TEST(AddressNames, are_those_of_the_program_that_was_mapped) {
    for (const char* const how : {"-pie", "-no-pie"}) {
        const Soup soup({"g++", "-O1", how});
        EXPECT_EQ(
            functions(soup.profile()),
            "0x99\nmain\npot::taste(int)\npot::stir(int)\npot::taste(int)'2\n"
            "3 addresses have names from the symbol tables of their programs; 1 function is an address; "
            "for names put the program and its libraries, with symbols, where they were")
            << how;
    }
}

TEST(AddressNames, are_not_those_of_another_program) {
    const Soup soup({"g++", "-O1"});
    EXPECT_EQ(functions(soup.profile(4096)).find("pot"), std::string::npos);
    struct stat facts {};
    ASSERT_EQ(::stat(soup.path.c_str(), &facts), 0);
    InlineMapOptions strict;
    strict.needs_build_id = true;
    EXPECT_EQ(functions(soup.profile(0, facts.st_ino + 1), strict).find("pot"), std::string::npos);
    EXPECT_NE(functions(soup.profile(0, facts.st_ino), strict).find("pot"), std::string::npos);
    const std::string text = soup.profile();
    std::filesystem::remove(soup.path);
    EXPECT_EQ(functions(text).find("pot"), std::string::npos);
}

TEST(AddressNames, are_not_those_of_a_program_that_was_built_later) {
    const Soup soup({"g++", "-O1"});
    const auto built = callcost::program::modification_time(soup.path);
    ASSERT_TRUE(built.has_value());
    InlineMapOptions older;
    older.profile_time = *built - std::chrono::seconds(1);
    const auto all = functions(soup.profile(), older);
    EXPECT_EQ(all.find("pot"), std::string::npos);
    EXPECT_NE(all.find(soup.path + " is newer than the profile: its functions are not named"),
              std::string::npos)
        << all;
    older.profile_time = std::chrono::system_clock::now() + std::chrono::hours(1);
    EXPECT_NE(functions(soup.profile(), older).find("pot"), std::string::npos);
    // As a file of an older build that was put there again.
    std::filesystem::last_write_time(soup.path,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    older.profile_time = *built - std::chrono::seconds(1);
    EXPECT_EQ(functions(soup.profile(), older).find("pot"), std::string::npos);
}

TEST(AddressNames, are_wanted_unless_the_user_says_no) {
    using callcost::program::names_from_programs;
    EXPECT_TRUE(names_from_programs("-", {.files = {}, .selection = {}}));
    EXPECT_FALSE(names_from_programs("-", {.files = {}, .leaves_addresses = true, .selection = {}}));
}

}  // namespace
}  // namespace address_names_tests
