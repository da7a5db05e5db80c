#include "text/stacks_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <rapidjson/document.h>

#include "text/bytes_in_json.hpp"
#include "text/json.hpp"

namespace callcost::engine {
namespace {

constexpr std::size_t max_bytes = std::size_t{128} << 20U;

using Array = rapidjson::Value::ConstArray;

bool is_text_list(const rapidjson::Value& value) {
    return value.IsArray() &&
           std::all_of(value.Begin(), value.End(), [](const auto& one) { return one.IsString(); });
}

std::string_view text_of(const rapidjson::Value& value) {
    return {value.GetString(), value.GetStringLength()};
}

const rapidjson::Value* list_in(const rapidjson::Value& object, const char* name) {
    const auto member = object.FindMember(name);
    return member != object.MemberEnd() && member->value.IsArray() ? &member->value : nullptr;
}

bool read_functions(Stacks& stacks, const rapidjson::Value& functions) {
    std::uint32_t row = 0;
    for (const auto& names : functions.GetArray()) {
        if (!is_text_list(names) || names.Size() != 3) return false;
        const auto name = bytes_of(text_of(names[0]));
        const auto file = bytes_of(text_of(names[1]));
        const auto object = bytes_of(text_of(names[2]));
        if (!name || !file || !object || stacks.function(*name, *file, *object) != row++) return false;
    }
    return true;
}

bool read_stack(Stacks& stacks, std::uint32_t row, const rapidjson::Value& stack,
                const std::vector<std::uint32_t>& events) {
    if (!stack.IsArray() || stack.Size() < 2 || stack.Size() > events.size() + 2) return false;
    if (!stack[0].IsInt64() || !stack[1].IsUint() || stack[1].GetUint() >= stacks.function_count())
        return false;
    const auto caller = stack[0].GetInt64();
    if (caller < -1 || caller >= std::int64_t{row}) return false;
    if (stacks.stack(caller < 0 ? Stacks::none : static_cast<std::uint32_t>(caller), stack[1].GetUint()) !=
        row)
        return false;
    for (rapidjson::SizeType i = 2; i < stack.Size(); ++i) {
        if (!stack[i].IsInt64()) return false;
        stacks.add(row, events[i - 2], stack[i].GetInt64());
    }
    return true;
}

std::string to_json(const Stacks& stacks, const std::vector<std::string_view>& events) {
    std::string text;
    JsonWriter json(text, {.max_bytes = max_bytes});
    json.begin_object();
    json.key("events");
    json.begin_array();
    std::vector<std::uint32_t> columns;
    for (const std::string_view event : events) {
        columns.push_back(stacks.find_event(event));
        json.value(event);
    }
    json.end_array();
    json.key("functions");
    json.begin_array();
    for (std::uint32_t row = 0; row < stacks.function_count(); ++row) {
        const auto names = stacks.names(row);
        json.begin_array();
        for (const auto name : {names.name, names.file, names.object}) json.value(characters_of(name));
        json.end_array();
    }
    json.end_array();
    json.key("stacks");
    json.begin_array();
    for (std::uint32_t row = 0; row < stacks.size(); ++row) {
        const auto caller = stacks.caller(row);
        json.begin_array();
        json.value(caller == Stacks::none ? std::int64_t{-1} : std::int64_t{caller});
        json.value(stacks.last_function(row));
        std::size_t count = columns.size();  // zeros at the end are left out
        while (count > 0 && stacks.self(row, columns[count - 1]) == 0) --count;
        for (std::size_t i = 0; i < count; ++i) json.value(stacks.self(row, columns[i]));
        json.end_array();
    }
    json.end_array();
    json.end_object();
    return json.is_full() ? std::string() : text;
}

}  // namespace

std::string stacks_to_json(const Profile& profile, const StacksOfSources& beside) {
    const auto all = recorded_stacks(profile, beside);
    const auto is_missing = [](const auto& stacks) { return stacks == nullptr; };
    if (all.empty() || std::any_of(all.begin(), all.end(), is_missing)) return {};
    Stacks stacks;
    for (const auto& of_source : all) stacks.add(*of_source);
    std::vector<std::string_view> events;
    for (const EventType& event : profile.events())
        if (stacks.find_event(event.name) != Stacks::none) events.emplace_back(event.name);
    return to_json(stacks, events);
}

std::string stacks_to_json(const Stacks& stacks) { return to_json(stacks, stacks.event_names()); }

std::shared_ptr<const Stacks> stacks_from_json(std::string_view text) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (document.HasParseError() || !document.IsObject()) return nullptr;
    const auto* events = list_in(document, "events");
    const auto* functions = list_in(document, "functions");
    const auto* all = list_in(document, "stacks");
    if (events == nullptr || functions == nullptr || all == nullptr || !is_text_list(*events)) return nullptr;
    if (all->Size() >= std::numeric_limits<std::uint32_t>::max()) return nullptr;
    Stacks stacks;
    std::vector<std::uint32_t> columns;
    for (const auto& event : events->GetArray()) {
        if (stacks.find_event(text_of(event)) != Stacks::none) return nullptr;
        columns.push_back(stacks.event(text_of(event)));
    }
    if (!read_functions(stacks, *functions)) return nullptr;
    std::uint32_t row = 0;
    for (const auto& stack : all->GetArray())
        if (!read_stack(stacks, row++, stack, columns)) return nullptr;
    return std::make_shared<const Stacks>(std::move(stacks));
}

}  // namespace callcost::engine
