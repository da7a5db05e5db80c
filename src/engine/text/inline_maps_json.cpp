#include "text/inline_maps_json.hpp"

#include <cstdint>
#include <utility>

#include <rapidjson/document.h>

#include "text/bytes_in_json.hpp"
#include "text/json.hpp"

namespace callcost::engine {
namespace {

std::int64_t number_of_row(std::uint32_t row) {
    return row == InlineSite::none ? std::int64_t{-1} : std::int64_t{row};
}

void write_map(JsonWriter& json, const InlineMap& map) {
    const auto begin = [&](std::string_view name) {
        json.key(name);
        json.begin_array();
    };
    json.begin_object();
    json.member("object", characters_of(map.object));
    begin("files");
    for (const auto& file : map.files) json.value(characters_of(file));
    json.end_array();
    begin("functions");
    for (const auto& function : map.functions) {
        json.begin_array();
        json.value(characters_of(function.name));
        json.value(characters_of(function.file));
        json.value(function.line);
        json.end_array();
    }
    json.end_array();
    begin("sites");
    for (const auto& site : map.sites) {
        json.value(number_of_row(site.parent));
        json.value(site.function);
        json.value(number_of_row(site.file));
        json.value(site.line);
        json.value(site.entry);
    }
    json.end_array();
    begin("runs");
    std::uint64_t address = 0;
    for (const auto& run : map.runs) {
        json.value(run.address - address);
        json.value(number_of_row(run.site));
        address = run.address;
    }
    json.end_array();
    if (!map.lines.empty()) {
        begin("lines");
        address = 0;
        for (const auto& line : map.lines) {
            json.value(line.address - address);
            json.value(number_of_row(line.file));
            json.value(line.line);
            address = line.address;
        }
        json.end_array();
    }
    json.end_object();
}

/// The members of an object. After the first one that is not as it should be, all are empty.
class MapReader {
  public:
    [[nodiscard]] bool is_good() const { return is_good_; }

    InlineMap map(const rapidjson::Value& object) {
        InlineMap map;
        if (!require(object.IsObject())) return map;
        map.object = text(member(object, "object"));
        for (const auto& file : list(object, "files")) map.files.push_back(text(file));
        for (const auto& function : list(object, "functions")) {
            if (!require(function.IsArray() && function.Size() == 3)) break;
            map.functions.push_back({text(function[0]), text(function[1]), number(function[2])});
        }
        const auto sites = list(object, "sites");
        require(sites.Size() % 5 == 0);
        for (rapidjson::SizeType i = 0; is_good_ && i < sites.Size(); i += 5)
            map.sites.push_back({row(sites[i]), row(sites[i + 1]), row(sites[i + 2]), number(sites[i + 3]),
                                 number(sites[i + 4])});
        const auto runs = list(object, "runs");
        require(runs.Size() % 2 == 0);
        std::uint64_t address = 0;
        for (rapidjson::SizeType i = 0; is_good_ && i < runs.Size(); i += 2) {
            address += number(runs[i]);
            map.runs.push_back({address, row(runs[i + 1])});
        }
        if (!object.HasMember("lines")) return map;
        const auto lines = list(object, "lines");
        require(lines.Size() % 3 == 0);
        address = 0;
        for (rapidjson::SizeType i = 0; is_good_ && i < lines.Size(); i += 3) {
            address += number(lines[i]);
            map.lines.push_back({address, row(lines[i + 1]), number(lines[i + 2])});
        }
        return map;
    }

    rapidjson::Value::ConstArray list(const rapidjson::Value& object, const char* name) {
        const auto& value = member(object, name);
        return require(value.IsArray()) ? value.GetArray() : nothing_.GetArray();
    }

  private:
    bool require(bool condition) { return is_good_ = is_good_ && condition; }

    const rapidjson::Value& member(const rapidjson::Value& object, const char* name) {
        const auto found = object.FindMember(name);
        return found != object.MemberEnd() ? found->value : missing_;
    }
    std::string text(const rapidjson::Value& value) {
        if (!require(value.IsString())) return {};
        auto bytes = bytes_of({value.GetString(), value.GetStringLength()});
        return require(bytes.has_value()) ? *std::move(bytes) : std::string();
    }
    std::uint64_t number(const rapidjson::Value& value) {
        return require(value.IsUint64()) ? value.GetUint64() : 0;
    }
    std::uint32_t row(const rapidjson::Value& value) {
        if (value.IsUint()) return value.GetUint();
        require(value.IsInt() && value.GetInt() == -1);
        return InlineSite::none;
    }

    bool is_good_ = true;
    const rapidjson::Value missing_;
    const rapidjson::Value nothing_{rapidjson::kArrayType};
};

}  // namespace

std::string inline_maps_to_json(std::span<const InlineMap> maps) {
    std::string text;
    JsonWriter json(text, {.max_bytes = std::size_t{128} << 20U});
    json.begin_object();
    json.key("maps");
    json.begin_array();
    for (const auto& map : maps) write_map(json, map);
    json.end_array();
    json.end_object();
    return json.is_full() ? std::string() : text;
}

std::optional<std::vector<InlineMap>> inline_maps_from_json(std::string_view text) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (document.HasParseError() || !document.IsObject()) return std::nullopt;
    MapReader reader;
    std::vector<InlineMap> maps;
    for (const auto& map : reader.list(document, "maps")) maps.push_back(reader.map(map));
    if (!reader.is_good()) return std::nullopt;
    return maps;
}

}  // namespace callcost::engine
