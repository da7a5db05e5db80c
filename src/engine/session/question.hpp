/// A question of the page: parsing and validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/query.hpp"

namespace callcost::engine {

/// `{"error": ...}`
[[nodiscard]] std::string error_answer(const QueryError& error);

/// A JSON object. A member that is missing has the value that is given for that; one of the
/// wrong type refuses the question, to be checked at the end.
class Question {
  public:
    /// Texts and keys beyond these are refused.
    static constexpr std::size_t max_bytes = std::size_t{1} << 20U;

    explicit Question(std::string_view json);
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;
    ~Question();

    [[nodiscard]] bool has(const char* member) const;
    std::string_view text(const char* member, std::string_view otherwise = {});
    bool flag(const char* member, bool otherwise);
    double number(const char* member, double otherwise);
    std::int64_t integer(const char* member, std::int64_t otherwise);
    std::size_t count(const char* member, std::size_t otherwise, std::size_t most);
    std::vector<std::string> texts(const char* member);
    std::vector<std::uint64_t> numbers(const char* member);
    std::vector<std::int64_t> integers(const char* member);
    /// Index of the value among the words; 0 if the member is missing.
    std::size_t word(const char* member, std::span<const std::string_view> words);
    /// A member that is an object: a text member of that.
    std::string_view text_in(const char* object, const char* member);

    /// Only the first error is kept.
    void refuse(QueryError error);
    [[nodiscard]] const std::optional<QueryError>& error() const { return error_; }

    /// Cache key: all members except these, which select rows only (such as `offset`). Questions with the
    /// same key refer to the same list.
    [[nodiscard]] std::string key_without(std::span<const std::string_view> members) const;

    /// The members that all questions have.
    [[nodiscard]] Query query();

  private:
    /// Nothing for functions, of which all other questions are.
    std::optional<GroupBy> level(std::string_view ask);
    template <class Number>
    std::vector<Number> list(const char* member);

    struct Document;
    std::unique_ptr<Document> document_;
    std::optional<QueryError> error_;
};

}  // namespace callcost::engine
