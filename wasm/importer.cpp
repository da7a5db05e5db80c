/// The exports of the WebAssembly module that reads other formats for the page: bytes in, a Callgrind file,
/// its stacks and what is to be said of it out. web/src/package/importer.ts is the other side of it.
///
/// A module is for one file. After a trap it must not be used again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "importers/import_steps.hpp"
#include "importers/importers.hpp"
#include "page_file.hpp"
#include "text/json.hpp"
#include "text/stacks_json.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>
#include <callcost/tree.hpp>

IMPORT(out_of_memory) void page_out_of_memory();
/// The next bytes of the Callgrind file.
IMPORT(write) void page_write(const char* bytes, std::size_t size);
/// Its stacks, as JSON.
IMPORT(stacks) void page_stacks(const char* json, std::size_t size);

namespace callcost {
namespace {

std::string result;

std::string to_json(const Error& error) {
    std::string answer;
    engine::JsonWriter json(answer, engine::page_json);
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.member("id", to_string(error.code));
    json.member("message", error.message());
    json.member_if_any("hint", error.hint());
    if (error.line > 0) json.member("line", error.line);
    json.end_object();
    json.end_object();
    return answer;
}

std::string to_json(const engine::ImportNotes& notes) {
    const engine::Style style{.separators = true, .units = true};
    std::string answer;
    engine::JsonWriter json(answer, engine::page_json);
    json.begin_object();
    json.member("summary", engine::summary_of(notes, style));
    json.member_if_any("oddities", engine::oddities_of(notes, style));
    json.end_object();
    return answer;
}

Result<void> take(std::string_view bytes) {
    page_write(bytes.data(), bytes.size());
    return {};
}

}  // namespace

EXPORT(allocate) char* allocate(std::size_t size) { return static_cast<char*>(std::malloc(size)); }

EXPORT(create) void create(std::uint32_t seed) {
    std::set_new_handler(page_out_of_memory);
    [[maybe_unused]] void* const volatile kept = std::malloc(seed % (8U << 20U));
}

/// The result: what is to be said of the file, or an error; empty if it is in no format that is known here.
EXPORT(import) void import(char* name, std::size_t name_size, double size) {
    Source source = file_of_page(std::string(name, name_size), size);
    std::free(name);
    const auto format = engine::detect(engine::peek(source, default_longest_line));
    if (!format) return;
    Stacks stacks;
    const auto notes = engine::import_stacks(*format, source, {.stacks = &stacks}, take);
    if (!notes) {
        result = to_json(notes.error());
        return;
    }
    if (!engine::are_stacks_estimated(*notes)) {
        const auto json = engine::stacks_to_json(stacks);
        page_stacks(json.data(), json.size());
    }
    result = to_json(*notes);
}

EXPORT(result) const char* result_at() { return result.data(); }
EXPORT(size) std::size_t result_size() { return result.size(); }

}  // namespace callcost
