/// The exports of the WebAssembly module: the library and the page's questions as functions that JavaScript
/// can call. web/src/package/wasm_engine.ts is the other side of it.
///
/// Text goes in as memory that `allocate` gave and that the function called takes; what a function has to say
/// is the engine's `result`, until the next call. After a trap the module must not be used again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/exported_stacks.hpp"
#include "host/embedded_code.hpp"
#include "importers/known_formats.hpp"
#include "page_file.hpp"
#include "session/session.hpp"
#include "text/diagnostics.hpp"
#include "text/inline_maps_json.hpp"
#include "text/json.hpp"
#include "text/stacks_json.hpp"
#include "text/utf8.hpp"
#include <callcost/inlining.hpp>
#include <callcost/read.hpp>

IMPORT(progress) void page_progress(double bytes_done, double bytes_total);
/// A number for the expression, or -1; then `page_complaint` says what is wrong with it.
IMPORT(compile) std::int32_t page_compile(const char* expression, std::size_t size);
IMPORT(complaint) std::size_t page_complaint(char* to, std::size_t size);
IMPORT(match) bool page_match(std::int32_t expression, const char* name, std::size_t size);
IMPORT(forget) void page_forget(std::int32_t expression);
/// Does not come back: the page throws.
IMPORT(out_of_memory) void page_out_of_memory();

namespace callcost {
namespace {

/// A compiled expression of the page.
class Expression {
  public:
    explicit Expression(std::int32_t number) : number_(number) {}
    Expression(const Expression&) = delete;
    Expression& operator=(const Expression&) = delete;
    ~Expression() { page_forget(number_); }
    [[nodiscard]] bool matches(std::string_view name) const {
        const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
        if (std::all_of(name.begin(), name.end(), is_ascii))
            return page_match(number_, name.data(), name.size());
        const auto utf8 = engine::to_utf8(name);
        return page_match(number_, utf8.data(), utf8.size());
    }

  private:
    std::int32_t number_;
};

tl::expected<NamePattern::Matcher, std::string> compile(std::string_view expression) {
    const auto number = page_compile(expression.data(), expression.size());
    if (number < 0) {
        std::string complaint(256, '\0');
        complaint.resize(page_complaint(complaint.data(), complaint.size()));
        return tl::unexpected(std::move(complaint));
    }
    return [compiled = std::make_shared<Expression>(number)](std::string_view name) {
        return compiled->matches(name);
    };
}

std::string take(char* text, std::size_t size) {
    std::string taken(text, size);
    std::free(text);
    return taken;
}

/// As an answer that is an error.
std::string to_json(const Error& error, std::string_view file) {
    std::string answer;
    engine::JsonWriter json(answer, engine::page_json);
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.member("id", to_string(error.code));
    json.member("message", error.message());
    json.member_if_any("hint", error.hint());
    json.member("file", file);
    if (error.line > 0) json.member("line", error.line);
    json.end_object();
    json.end_object();
    return answer;
}

constexpr const char* nothing_open = R"({"error":{"id":"bad-request","message":"no profile is open"}})";
constexpr const char* not_here = "the text of this file is not in this page";
constexpr const char* how_it_gets_here =
    "callcost report takes source files from below the working directory, that of the profile and -I DIR; "
    "with --sources=all from anywhere";

struct Engine {
    std::optional<ProfileReader> after, before;
    std::map<std::string, engine::SourceFile, std::less<>> sources;  ///< by recorded name, as UTF-8
    StacksOfSources stacks, stacks_before;
    std::optional<engine::EmbeddedCode> code, code_before;
    std::optional<std::vector<InlineMap>> inlined, inlined_before;
    std::optional<engine::Session> session;
    std::string result;
};

bool report_progress(const Progress& progress) {
    page_progress(static_cast<double>(progress.bytes_done), static_cast<double>(progress.bytes_total));
    return true;
}

}  // namespace

EXPORT(allocate) char* allocate(std::size_t size) { return static_cast<char*>(std::malloc(size)); }

/// The heap begins somewhere else in every page, and with it the seeds of hashes are others.
EXPORT(create) Engine* create(std::uint32_t seed) {
    std::set_new_handler(page_out_of_memory);
    [[maybe_unused]] void* const volatile kept =
        std::malloc(seed % (8U << 20U));  // unused, it would be left out
    return new Engine;
}

/// Reads a file of the profile after or before: adds it to those read already. False: the result says why
/// not.
EXPORT(read) bool read(Engine* engine, bool is_before, char* name, std::size_t name_size, double size) {
    auto& reader = is_before ? engine->before : engine->after;
    if (!reader) reader.emplace(ReadOptions{.on_progress = report_progress});
    auto file = file_of_page(take(name, name_size), size);
    std::string beginning;  // names what is no profile
    file.read = [&beginning, read = std::move(file.read)](std::span<char> to) {
        const auto count = read(to);
        if (count && beginning.empty())
            beginning.assign(to.data(), std::min(*count, engine::bytes_that_name_a_file));
        return count;
    };
    auto done = reader->add(file);
    if (done) return true;
    engine::name_file_kind(done.error(), beginning, file.name);
    engine->result = to_json(done.error(), file.name);
    return false;
}

EXPORT(add_source)
void add_source(Engine* engine, char* recorded, std::size_t recorded_size, char* path, std::size_t path_size,
                char* text, std::size_t text_size, bool is_newer, bool is_guess) {
    engine::SourceFile source;
    source.is_newer = is_newer;
    source.is_guess = is_guess;
    source.path = take(path, path_size);
    source.text = take(text, text_size);
    engine->sources.insert_or_assign(take(recorded, recorded_size), std::move(source));
}

/// The call stacks that the one file of a profile was made of, as JSON; see docs/protocol.md.
EXPORT(add_stacks) void add_stacks(Engine* engine, bool is_before, char* text, std::size_t size) {
    auto& stacks = is_before ? engine->stacks_before : engine->stacks;
    stacks = {engine::stacks_from_json(take(text, size))};
}

/// The machine code of some functions of a profile, as JSON; see docs/protocol.md.
EXPORT(add_code) void add_code(Engine* engine, bool is_before, char* text, std::size_t size) {
    (is_before ? engine->code_before : engine->code).emplace(take(text, size));
}

/// Which code of a profile was inlined, as JSON; see docs/protocol.md.
EXPORT(add_inlined) void add_inlined(Engine* engine, bool is_before, char* text, std::size_t size) {
    (is_before ? engine->inlined_before : engine->inlined) = engine::inline_maps_from_json(take(text, size));
}

/// After all files.
EXPORT(open) void open(Engine* engine) {
    if (!engine->after) return;
    auto profile = std::move(*engine->after).finish();
    std::optional<Profile> before;
    if (engine->before) before = std::move(*engine->before).finish();
    engine->after.reset();
    engine->before.reset();
    if (engine->inlined && (!before || engine->inlined_before)) {  // both or none
        auto expanded = expand_inlined(profile, *engine->inlined);
        auto expanded_before = before ? expand_inlined(*before, *engine->inlined_before) : expanded;
        if (expanded && expanded_before) {
            profile = *std::move(expanded);
            if (before) before = *std::move(expanded_before);
        }
    }
    engine::Host host;
    host.compile = compile;
    host.formats = engine::stack_formats();
    host.write = [](std::string_view format, engine::Build, const CallGraph& graph,
                    const StacksOfSources& stacks_of, const Measure& measure) {
        return engine::exported_stacks(format, graph, stacks_of, measure);
    };
    host.stacks = std::move(engine->stacks);
    host.stacks_before = std::move(engine->stacks_before);
    if (!engine->sources.empty()) {
        host.source = [engine](std::string_view recorded) {
            const auto found = engine->sources.find(engine::to_utf8(recorded));
            return found != engine->sources.end()
                       ? found->second
                       : engine::SourceFile{.problem = not_here, .hint = how_it_gets_here};
        };
    }
    if (engine->code || engine->code_before) {
        host.machine_code = [engine](engine::Build build, std::string_view object,
                                     std::span<const AddressRange> ranges, engine::Syntax syntax) {
            auto& code = build == engine::Build::before ? engine->code_before : engine->code;
            if (!code) code.emplace(std::string());
            return code->machine_code(object, ranges, syntax);
        };
        host.inlined_code = [engine](engine::Build build, std::string_view object, std::string_view,
                                     std::span<const AddressRange> ranges) {
            auto& code = build == engine::Build::before ? engine->code_before : engine->code;
            return code ? code->inlined_code(object, ranges) : engine::InlinedCode{};
        };
    }
    engine->session.emplace(std::move(profile), std::move(before), std::move(host));
}

EXPORT(ask) void ask(Engine* engine, char* question, std::size_t size) {
    const auto text = take(question, size);
    engine->result = engine->session ? engine->session->answer(text) : std::string(nothing_open);
}

EXPORT(result) const char* result(const Engine* engine) { return engine->result.data(); }
EXPORT(result_size) std::size_t result_size(const Engine* engine) { return engine->result.size(); }

}  // namespace callcost
