#include "server/page_data.hpp"

#include <utility>

#include <fmt/format.h>

#include "output/compression.hpp"
#include "text/json.hpp"

namespace callcost::program {
namespace {

constexpr std::string_view placeholder = "<!-- callcost:data -->";

/// JSON that may stand in a script element: whatever names are in it, nothing of it ends that.
std::string harmless(std::string_view json) {
    std::string text;
    for (const char c : json) {
        if (c == '<') {
            text += "\\u003c";
        } else {
            text += c;
        }
    }
    return text;
}

std::string element(std::string_view type, std::string_view id, std::string_view content) {
    return fmt::format("<script type=\"{}\" id=\"{}\">{}</script>\n", type, id, content);
}

std::string manifest_element(std::string_view json) {
    return element("application/json", "callcost-manifest", harmless(json));
}

std::string profile_id(std::size_t row) { return fmt::format("p{}", row); }
std::string stacks_id(std::size_t row) { return fmt::format("k{}", row); }
std::string code_id(std::size_t row) { return fmt::format("c{}", row); }
std::string inlined_id(std::size_t row) { return fmt::format("i{}", row); }
std::string source_id(std::size_t row) { return fmt::format("s{}", row); }

void write_entry(engine::JsonWriter& json, const SourceBlock& source, std::string_view id) {
    json.begin_object();
    json.member("name", source.name);
    json.member("path", source.path);
    if (source.is_newer) json.member("is_newer", true);
    if (source.is_guess) json.member("is_guess", true);
    json.member("block", id);
    json.end_object();
}

std::string manifest(const PageData& data) {
    std::string text;
    engine::JsonWriter json(text, engine::page_json);
    json.begin_object();
    json.key("profiles");
    json.begin_array();
    for (std::size_t i = 0; i < data.profiles.size(); ++i) {
        const auto& profile = data.profiles[i];
        json.begin_object();
        json.member("name", profile.name);
        json.member("side", profile.side == engine::Build::after ? "after" : "before");
        json.member("block", profile_id(i));
        if (!profile.packed_stacks.empty()) json.member("stacks", stacks_id(i));
        if (!profile.packed_code.empty()) json.member("code", code_id(i));
        if (!profile.packed_inlined.empty()) json.member("inlined", inlined_id(i));
        json.key("files");
        json.json(profile.origin.files);
        json.key("diagnostics");
        json.json(profile.origin.diagnostics);
        json.end_object();
    }
    json.end_array();
    if (!data.inlined_problem.empty()) {
        json.key("inlined_problem");
        json.begin_object();
        json.member("message", data.inlined_problem);
        json.member("hint", data.inlined_hint);
        json.end_object();
    }
    json.key("sources");
    json.begin_array();
    for (std::size_t i = 0; i < data.sources.size(); ++i) write_entry(json, data.sources[i], source_id(i));
    json.end_array();
    json.end_object();
    return text;
}

/// A line of the page: what reads other formats, which a report does without.
std::string take_importer(std::string& page) {
    constexpr std::string_view mark = " id=\"importer\">";
    const auto at = page.rfind(mark);
    if (at == std::string::npos) return {};
    const auto begin = page.rfind('\n', at) + 1;
    const auto end = page.find('\n', at) + 1;
    if (begin == 0 || end == 0) return {};
    auto line = page.substr(begin, end - begin);
    page.erase(begin, end - begin);
    return line;
}

constexpr std::string_view block_type = "application/octet-stream;base64";

}  // namespace

Result<std::string> packed(const std::function<Result<void>(const Sink&)>& write) {
    std::string bytes;
    if (auto done = gzip(to_memory(bytes), write); !done) return tl::unexpected(done.error());
    return engine::base64(bytes);
}

std::string packed(std::string_view bytes) {
    return *packed([&](const Sink& sink) { return sink(bytes); });  // memory takes everything
}

std::size_t size_in_page(const SourceBlock& source) {
    const auto widest_id = source_id(1'000'000);
    std::string entry;
    {
        engine::JsonWriter json(entry, engine::page_json);
        write_entry(json, source, widest_id);
    }
    constexpr std::size_t comma = 1;
    return harmless(entry).size() + comma + element(block_type, widest_id, {}).size() + source.packed.size();
}

PageTemplate::PageTemplate(std::string page) : before_(std::move(page)) {
    const auto at = before_.find(placeholder);
    if (at == std::string::npos) return;
    after_ = before_.substr(at + placeholder.size());
    before_.resize(at);
    importer_ = take_importer(before_);
}

Result<void> PageTemplate::write(const PageData& data, const Sink& sink) const {
    auto done = sink(before_ + manifest_element(manifest(data)));
    for (std::size_t i = 0; done && i < data.profiles.size(); ++i) {
        const auto& profile = data.profiles[i];
        done = sink(element(block_type, profile_id(i), profile.packed));
        if (done && !profile.packed_stacks.empty())
            done = sink(element(block_type, stacks_id(i), profile.packed_stacks));
        if (done && !profile.packed_code.empty())
            done = sink(element(block_type, code_id(i), profile.packed_code));
        if (done && !profile.packed_inlined.empty())
            done = sink(element(block_type, inlined_id(i), profile.packed_inlined));
    }
    for (std::size_t i = 0; done && i < data.sources.size(); ++i)
        done = sink(element(block_type, source_id(i), data.sources[i].packed));
    return done ? sink(after_) : done;
}

std::size_t PageTemplate::size_with(const PageData& data) const {
    std::size_t size = 0;
    (void)write(data, [&](std::string_view bytes) -> Result<void> {
        size += bytes.size();
        return {};
    });
    return size;
}

std::string PageTemplate::for_server(std::string_view manifest) const {
    return before_ + importer_ + manifest_element(manifest) + after_;
}

std::string PageTemplate::policy() const {
    constexpr std::string_view begin = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
    const auto at = before_.find(begin);
    if (at == std::string::npos) return {};
    const auto text = std::string_view(before_).substr(at + begin.size());
    return std::string(text.substr(0, text.find('"')));
}

}  // namespace callcost::program
