#include "session/question.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "text/json.hpp"

namespace callcost::engine {
namespace {

std::string_view view_of(const rapidjson::Value& text) { return {text.GetString(), text.GetStringLength()}; }

bool is_simple(const rapidjson::Value& value) { return !value.IsArray() && !value.IsObject(); }

/// No question needs more than a list or an object of simple values.
bool is_flat(const rapidjson::Value& value) {
    if (value.IsArray()) return std::all_of(value.Begin(), value.End(), is_simple);
    if (!value.IsObject()) return true;
    return std::all_of(value.MemberBegin(), value.MemberEnd(),
                       [](const auto& member) { return is_simple(member.value); });
}

}  // namespace

std::string error_answer(const QueryError& error) {
    std::string text;
    JsonWriter json(text, page_json);
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.member("id", error.id);
    json.member("message", error.message);
    json.member_if_any("hint", error.hint);
    json.member_if_any("member", error.member);
    if (error.column > 0) json.member("column", error.column);
    json.end_object();
    json.end_object();
    return text;
}

struct Question::Document {
    rapidjson::Document document;

    /// The member if there is one that is not null.
    const rapidjson::Value* find(const char* member) const {
        if (!document.IsObject()) return nullptr;
        const auto found = document.FindMember(member);
        return found == document.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
    }
};

Question::Question(std::string_view json) : document_(std::make_unique<Document>()) {
    auto& document = document_->document;
    if (json.size() > max_bytes) {
        refuse({.id = "too-large", .message = "question too long"});
        return;
    }
    // Nesting does not use the stack: whoever asks could nest without end.
    document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(json.data(),
                                                                                           json.size());
    if (document.HasParseError()) {
        refuse(
            {.message = std::string("invalid JSON: ") + rapidjson::GetParseError_En(document.GetParseError()),
             .column = document.GetErrorOffset() + 1});
    } else if (const auto zero = json.find('\0'); zero != std::string_view::npos) {
        // The parser takes it for the end.
        refuse({.message = "invalid JSON: contains a zero byte", .column = zero + 1});
    } else if (!document.IsObject()) {
        refuse({.message = "not a JSON object"});
    } else if (!std::all_of(document.MemberBegin(), document.MemberEnd(),
                            [](const auto& member) { return is_flat(member.value); })) {
        refuse({.message = "the question nests lists or objects"});
    }
    if (error_) document.SetObject();
}
Question::~Question() = default;

void Question::refuse(QueryError error) {
    if (!error_) error_ = std::move(error);
}

bool Question::has(const char* member) const { return document_->find(member) != nullptr; }

std::string_view Question::text(const char* member, std::string_view otherwise) {
    const auto* found = document_->find(member);
    if (found == nullptr) return otherwise;
    if (found->IsString()) return view_of(*found);
    refuse({.message = "must be a string", .member = member});
    return otherwise;
}

bool Question::flag(const char* member, bool otherwise) {
    const auto* found = document_->find(member);
    if (found == nullptr) return otherwise;
    if (found->IsBool()) return found->GetBool();
    refuse({.message = "must be true or false", .member = member});
    return otherwise;
}

double Question::number(const char* member, double otherwise) {
    const auto* found = document_->find(member);
    if (found == nullptr) return otherwise;
    if (found->IsNumber() && std::isfinite(found->GetDouble())) return found->GetDouble();
    refuse({.message = "must be a number", .member = member});
    return otherwise;
}

std::int64_t Question::integer(const char* member, std::int64_t otherwise) {
    const auto* found = document_->find(member);
    if (found == nullptr) return otherwise;
    if (found->IsInt64()) return found->GetInt64();
    refuse({.message = "must be an integer", .member = member});
    return otherwise;
}

std::size_t Question::count(const char* member, std::size_t otherwise, std::size_t most) {
    if (!has(member)) return otherwise;
    const auto wanted = integer(member, 0);
    if (wanted < 0) refuse({.message = "must not be negative", .member = member});
    return static_cast<std::size_t>(std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(wanted, 0)),
                                             static_cast<std::uint64_t>(most)));
}

std::vector<std::string> Question::texts(const char* member) {
    std::vector<std::string> result;
    const auto* found = document_->find(member);
    if (found == nullptr) return result;
    bool is_right = found->IsArray();
    if (is_right) {
        for (const auto& element : found->GetArray()) {
            is_right = is_right && element.IsString();
            if (element.IsString()) result.emplace_back(view_of(element));
        }
    }
    if (!is_right) refuse({.message = "must be a list of strings", .member = member});
    return result;
}

std::vector<std::uint64_t> Question::numbers(const char* member) { return list<std::uint64_t>(member); }

std::vector<std::int64_t> Question::integers(const char* member) { return list<std::int64_t>(member); }

template <class Number>
std::vector<Number> Question::list(const char* member) {
    std::vector<Number> result;
    const auto* found = document_->find(member);
    if (found == nullptr) return result;
    bool is_right = found->IsArray();
    if (is_right) {
        for (const auto& element : found->GetArray()) {
            is_right = is_right && element.template Is<Number>();
            if (element.template Is<Number>()) result.push_back(element.template Get<Number>());
        }
    }
    if (!is_right) refuse({.message = "must be a list of integers", .member = member});
    return result;
}

std::size_t Question::word(const char* member, std::span<const std::string_view> words) {
    const auto wanted = text(member, words.front());
    const auto found = std::find(words.begin(), words.end(), wanted);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    std::string all;
    for (const auto& word : words) all.append(all.empty() ? "" : ", ").append(word);
    refuse({.message = "must be one of " + all, .member = member});
    return 0;
}

std::string_view Question::text_in(const char* object, const char* member) {
    const auto* found = document_->find(object);
    if (found == nullptr) return {};
    if (found->IsObject()) {
        const auto inner = found->FindMember(member);
        if (inner != found->MemberEnd() && inner->value.IsString()) return view_of(inner->value);
    }
    refuse({.message = std::string("must be an object with a string '") + member + "'", .member = object});
    return {};
}

std::optional<GroupBy> Question::level(std::string_view ask) {
    constexpr std::array<std::string_view, 5> words = {"function", "object", "file", "directory",
                                                       "namespace"};
    constexpr std::array<GroupBy, 5> kinds = {GroupBy::cycle, GroupBy::object, GroupBy::file,
                                              GroupBy::directory, GroupBy::name_space};
    constexpr std::array<std::string_view, 6> asks = {"functions", "find",      "function",
                                                      "tree",      "call_tree", "graph"};
    const auto wanted = word("level", words);
    const bool has_levels = std::find(asks.begin(), asks.end(), ask) != asks.end();
    return wanted == 0 || !has_levels ? std::nullopt : std::optional(kinds.at(wanted));
}

Query Question::query() {
    constexpr std::array<std::string_view, 2> contexts = {"fold", "keep"};
    Query query;
    query.selection = {.parts = numbers("parts"),
                       .threads = numbers("threads"),
                       .pids = numbers("pids"),
                       .rows = numbers("part_rows"),
                       .contexts = word("contexts", contexts) == 0 ? Contexts::fold : Contexts::keep};
    query.rows_before = numbers("part_rows_before");
    query.has_rows_before = has("part_rows_before");
    query.event = text("event");
    query.columns = texts("columns");
    query.has_cycles = flag("cycles", true);
    query.compares = flag("compare", false);
    query.filters = {texts("focus"), texts("ignore"), texts("show"), texts("hide"), {}, {}};
    const auto ask = text("ask");
    query.level = level(ask);
    // These questions name one file, one object by the same words.
    if (ask == "find" || ask == "source") return query;
    query.filters.file = texts("file");
    query.filters.object = texts("object");
    return query;
}

std::string Question::key_without(std::span<const std::string_view> members) const {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer writer(buffer);
    writer.StartObject();
    std::for_each(document_->document.MemberBegin(), document_->document.MemberEnd(),
                  [&](const auto& member) {
                      if (std::find(members.begin(), members.end(), view_of(member.name)) != members.end())
                          return;
                      member.name.Accept(writer);
                      member.value.Accept(writer);
                  });
    writer.EndObject();
    return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace callcost::engine
