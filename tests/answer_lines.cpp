// answer_lines FILE... [--before OLD...]: answers a question per line of standard input with a line each on
// standard output, for tests of the page's protocol.
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/session.hpp"
#include "cli/patterns.hpp"
#include <callcost/read.hpp>

namespace {

std::optional<callcost::Profile> read(const std::vector<std::string>& files) {
    callcost::ProfileReader reader;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
        if (const auto read = reader.add(callcost::from_memory(bytes, file)); !read) {
            std::cerr << file << ": " << to_string(read.error().code) << '\n';
            return std::nullopt;
        }
    }
    return std::move(reader).finish();
}

}  // namespace

int main(int count, char** arguments) {
    std::vector<std::string> after, before;
    bool is_before = false;
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "--before") {
            is_before = true;
        } else {
            (is_before ? before : after).push_back(word);
        }
    }
    auto profile = read(after);
    auto other = is_before ? read(before) : std::nullopt;
    if (!profile || (is_before && !other)) return 1;
    callcost::answer::Session session(*std::move(profile), std::move(other),
                                      {.compile = callcost::cli::compile_expression});
    for (std::string question; std::getline(std::cin, question);)
        std::cout << session.answer(question) << '\n' << std::flush;
}
