#include "host/embedded_code.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <rapidjson/document.h>

#include "text/json.hpp"
#include "text/utf8.hpp"

namespace callcost::engine {
namespace {

constexpr const char* not_here = "the machine code of this function is not in this page";
constexpr const char* how_it_gets_here =
    "callcost report takes that of the functions with 95 % of the self cost, up to --max-code";

std::uint64_t end_of(const Instruction& instruction) { return instruction.address + size_of(instruction); }

void write_inlined(JsonWriter& json, const InlinedCode& inlined) {
    json.member_if_any("inlined_problem", inlined.problem);
    json.member_if_any("inlined_hint", inlined.hint);
    if (inlined.runs.empty()) return;
    json.key("sites");
    json.begin_array();
    for (const auto& site : inlined.sites) {
        json.value(site.file);
        json.value(site.line);
        json.value(site.function);
    }
    json.end_array();
    json.key("inlined");
    json.begin_array();
    for (const auto& run : inlined.runs) {
        json.value(run.address);
        json.value(run.site);
    }
    json.end_array();
}

void write_function(JsonWriter& json, const EmbeddedFunction& function) {
    const auto& code = function.code;
    json.begin_object();
    json.member("object", function.object);
    json.member_if_any("path", code.path);
    json.member_if_any("problem", code.problem);
    json.member_if_any("hint", code.hint);
    if (code.is_guess) json.member("is_guess", true);
    if (code.is_doubtful) json.member("is_doubtful", true);
    json.key("ranges");
    json.begin_array();
    for (const auto& range : function.ranges) {
        json.value(range.first);
        json.value(range.end);
    }
    json.end_array();
    json.key("code");
    json.begin_array();
    std::uint64_t expected = 0;
    for (const auto& instruction : code.instructions) {
        if (instruction.address != expected) json.value(instruction.address);
        json.value(instruction.bytes);
        json.value(instruction.text);
        expected = end_of(instruction);
    }
    json.end_array();
    write_inlined(json, function.inlined);
    json.end_object();
}

using Value = rapidjson::Value;

std::string text_of(const Value& value) {
    return value.IsString() ? std::string(value.GetString(), value.GetStringLength()) : std::string();
}

std::string text_in(const Value& object, const char* name) {
    const auto member = object.FindMember(name);
    return member != object.MemberEnd() ? text_of(member->value) : std::string();
}

/// The elements; none if there is no such list.
std::span<const Value> list_in(const Value& object, const char* name) {
    const auto member = object.FindMember(name);
    if (member == object.MemberEnd() || !member->value.IsArray()) return {};
    return {member->value.Begin(), member->value.Size()};
}

std::uint64_t number_of(const Value& value) { return value.IsUint64() ? value.GetUint64() : 0; }

InlinedCode read_inlined(const Value& object) {
    InlinedCode inlined;
    inlined.problem = text_in(object, "inlined_problem");
    inlined.hint = text_in(object, "inlined_hint");
    const auto sites = list_in(object, "sites");
    for (std::size_t i = 2; i < sites.size(); i += 3)
        inlined.sites.push_back({text_of(sites[i - 2]), number_of(sites[i - 1]), text_of(sites[i])});
    const auto runs = list_in(object, "inlined");
    for (std::size_t i = 1; i < runs.size(); i += 2)
        inlined.runs.push_back({number_of(runs[i - 1]), static_cast<std::uint32_t>(number_of(runs[i]))});
    return inlined;
}

EmbeddedFunction read_function(const Value& object) {
    EmbeddedFunction function;
    auto& code = function.code;
    function.object = text_in(object, "object");
    code.path = text_in(object, "path");
    code.problem = text_in(object, "problem");
    code.hint = text_in(object, "hint");
    code.is_guess = object.HasMember("is_guess");
    code.is_doubtful = object.HasMember("is_doubtful");
    const auto ranges = list_in(object, "ranges");
    for (std::size_t i = 1; i < ranges.size(); i += 2)
        function.ranges.push_back({number_of(ranges[i - 1]), number_of(ranges[i])});
    const auto list = list_in(object, "code");
    std::uint64_t address = 0;
    for (std::size_t i = 0; i < list.size(); i += 2) {
        if (list[i].IsUint64()) address = list[i++].GetUint64();
        if (i + 1 >= list.size()) break;
        auto& instruction = code.instructions.emplace_back();
        instruction = {address, text_of(list[i]), text_of(list[i + 1])};
        address = end_of(instruction);
    }
    function.inlined = read_inlined(object);
    return function;
}

bool is_in(const AddressRange& range, const std::vector<AddressRange>& ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const AddressRange& other) {
        return other.first <= range.first && range.end <= other.end;
    });
}

}  // namespace

std::string code_to_json(std::span<const EmbeddedFunction> functions) {
    std::string text;
    JsonWriter json(text, terminal_json);
    json.begin_object();
    json.key("functions");
    json.begin_array();
    for (const auto& function : functions) write_function(json, function);
    json.end_array();
    json.end_object();
    return text;
}

MachineCode EmbeddedCode::machine_code(std::string_view object, std::span<const AddressRange> ranges,
                                       Syntax syntax) {
    const auto* const found = find(object, ranges);
    MachineCode code;
    if (found == nullptr) {
        code.problem = not_here;
        code.hint = how_it_gets_here;
        return code;
    }
    code = found->code;
    if (syntax == Syntax::intel && code.problem.empty())
        code.problem = "this page has machine code in AT&T syntax only";
    return code;
}

InlinedCode EmbeddedCode::inlined_code(std::string_view object, std::span<const AddressRange> ranges) {
    const auto* const found = find(object, ranges);
    return found == nullptr ? InlinedCode{.problem = not_here, .hint = how_it_gets_here} : found->inlined;
}

const EmbeddedFunction* EmbeddedCode::find(std::string_view object, std::span<const AddressRange> ranges) {
    if (!json_.empty()) {
        rapidjson::Document document;
        document.Parse<rapidjson::kParseIterativeFlag>(json_.data(), json_.size());
        if (!document.HasParseError() && document.IsObject())
            for (const auto& function : list_in(document, "functions"))
                if (function.IsObject()) functions_.push_back(read_function(function));
        json_ = {};
    }
    const auto name = to_utf8(object);
    const EmbeddedFunction* containing = nullptr;
    for (const auto& function : functions_) {
        if (function.object != name) continue;
        if (std::equal(ranges.begin(), ranges.end(), function.ranges.begin(), function.ranges.end()))
            return &function;
        if (containing == nullptr &&
            std::all_of(ranges.begin(), ranges.end(),
                        [&](const AddressRange& range) { return is_in(range, function.ranges); }))
            containing = &function;
    }
    return containing;
}

}  // namespace callcost::engine
