// answer_lines [--sources] FILE... [--before OLD...]: answers a question per line of standard input with a
// line each on standard output, for tests of the page's protocol. With --sources it has the source files and
// the machine code that this machine has.
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/session.hpp"
#include "cli/inputs.hpp"
#include "cli/patterns.hpp"
#include "code/disassembler.hpp"
#include "code/source_files.hpp"
#include "page/exported.hpp"
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

/// Where functions of an object are, as far as the profile knows.
std::vector<callcost::code::KnownFunction> known_functions(const callcost::Profile& profile,
                                                           std::string_view object) {
    constexpr std::size_t most = 500;
    std::vector<callcost::code::KnownFunction> known;
    for (std::size_t row = 0; row < profile.function_count() && known.size() < most; ++row) {
        const callcost::FunctionId function(row);
        if (profile.name(profile.object(function)) != object) continue;
        std::uint64_t lowest = 0;
        auto cursor = profile.records(function);
        for (callcost::Record record; cursor.next(record);)
            if (record.address != 0 && (lowest == 0 || record.address < lowest)) lowest = record.address;
        if (lowest != 0) known.push_back({std::string(profile.name(function)), lowest});
    }
    return known;
}

void add_code(callcost::answer::Surroundings& surroundings, const callcost::Profile& profile) {
    namespace code = callcost::code;
    const auto search = callcost::cli::source_search(profile, {});
    const auto time = callcost::cli::profile_time(profile);
    surroundings.source = [finder = std::make_shared<code::SourceFinder>(search),
                           time](std::string_view name) {
        callcost::answer::SourceFile file;
        if (const auto found = finder->find(name)) {
            file.path = found->path();
            file.text = found->text();
            file.is_newer = time && found->newer_than(*time);
            file.is_guess = found->is_guess();
        } else {
            file.path = found.error().path;
            file.problem = "the file was not found on this machine";
            file.hint = "-I DIR looks for it there, --source-map OLD=NEW where the paths have changed";
        }
        return file;
    };
    const auto disassembler = std::make_shared<code::Disassembler>(code::DisassemblerOptions{
        .search = search, .profile_time = time, .known_functions = [profile](std::string_view object) {
            return known_functions(profile, object);
        }});
    surroundings.machine_code = [disassembler](callcost::answer::Build, std::string_view object, auto ranges,
                                               callcost::answer::Syntax syntax) {
        auto found = disassembler->machine_code(
            object, ranges,
            syntax == callcost::answer::Syntax::intel ? code::Syntax::intel : code::Syntax::att);
        callcost::answer::MachineCode machine_code;
        machine_code.path = std::move(found.path);
        machine_code.problem = std::move(found.problem);
        machine_code.hint = std::move(found.hint);
        machine_code.is_guess = found.is_guess;
        for (auto& one : found.instructions)
            machine_code.instructions.push_back({one.address, std::move(one.bytes), std::move(one.text)});
        return machine_code;
    };
}

}  // namespace

int main(int count, char** arguments) {
    std::vector<std::string> after, before;
    bool is_before = false;
    bool with_sources = false;
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "--before") {
            is_before = true;
        } else if (word == "--sources") {
            with_sources = true;
        } else {
            (is_before ? before : after).push_back(word);
        }
    }
    auto profile = read(after);
    auto other = is_before ? read(before) : std::nullopt;
    if (!profile || (is_before && !other)) return 1;
    callcost::answer::Surroundings surroundings;
    surroundings.compile = callcost::cli::compile_expression;
    surroundings.formats = callcost::page::stack_formats();
    surroundings.write = callcost::page::exported_stacks;
    if (with_sources) add_code(surroundings, *profile);
    callcost::answer::Session session(*std::move(profile), std::move(other), std::move(surroundings));
    for (std::string question; std::getline(std::cin, question);)
        std::cout << session.answer(question) << '\n' << std::flush;
}
