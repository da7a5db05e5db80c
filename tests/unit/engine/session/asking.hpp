/// Asking a session, and looking into its answers.
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include "session/session.hpp"
#include <callcost/read.hpp>

namespace callcost::engine {

inline Profile profile_of(const std::string& text) { return *read_profile(from_memory(text, "test.out")); }

/// An answer; places in it are JSON pointers, such as "/rows/0/name".
class Answer {
  public:
    explicit Answer(const std::string& json) : json_(json) {
        document_.Parse(json.data(), json.size());
        EXPECT_FALSE(document_.HasParseError()) << json;
    }
    [[nodiscard]] const rapidjson::Value* at(const std::string& place) const {
        return rapidjson::Pointer(place.data(), place.size()).Get(document_);
    }
    [[nodiscard]] bool has(const std::string& place) const { return at(place) != nullptr; }
    [[nodiscard]] bool is_null(const std::string& place) const { return has(place) && at(place)->IsNull(); }
    [[nodiscard]] std::string text(const std::string& place) const {
        const auto* found = at(place);
        if (found != nullptr && found->IsString()) return {found->GetString(), found->GetStringLength()};
        ADD_FAILURE() << "no text at " << place << " of " << json_;
        return {};
    }
    [[nodiscard]] std::int64_t number(const std::string& place) const {
        const auto* found = at(place);
        if (found != nullptr && found->IsInt64()) return found->GetInt64();
        ADD_FAILURE() << "no whole number at " << place << " of " << json_;
        return 0;
    }
    [[nodiscard]] std::size_t size(const std::string& place) const {
        const auto* found = at(place);
        if (found != nullptr && found->IsArray()) return found->Size();
        ADD_FAILURE() << "no list at " << place << " of " << json_;
        return 0;
    }
    /// The names of rows, in order.
    [[nodiscard]] std::vector<std::string> names(const std::string& rows = "/rows") const {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < size(rows); ++i)
            all.push_back(text(rows + "/" + std::to_string(i) + "/name"));
        return all;
    }
    [[nodiscard]] std::string error() const { return has("/error") ? text("/error/id") : ""; }
    [[nodiscard]] const std::string& json() const { return json_; }

  private:
    std::string json_;
    rapidjson::Document document_;
};

/// Regular expressions as whoever owns the session provides them.
inline tl::expected<NamePattern::Matcher, std::string> compile_expression(std::string_view expression) {
    try {
        return [compiled = std::regex(expression.begin(), expression.end())](std::string_view name) {
            return std::regex_search(name.begin(), name.end(), compiled);
        };
    } catch (const std::regex_error& error) {
        return tl::unexpected(std::string(error.what()));
    }
}

/// A session over texts of profiles.
class Asking {
  public:
    explicit Asking(const std::string& after, const std::optional<std::string>& before = std::nullopt)
        : session_(profile_of(after), before ? std::optional(profile_of(*before)) : std::nullopt,
                   {.compile = compile_expression}) {}

    Answer operator()(std::string_view question) { return Answer(session_.answer(question)); }

  private:
    Session session_;
};

}  // namespace callcost::engine
