/// What Ruby's Marshal.dump writes of hashes, arrays, strings, symbols and numbers, value by value and as it
/// comes. For importers. https://docs.ruby-lang.org/en/master/marshal_rdoc.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/import_input.hpp"
#include "encodings/json_input.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// Links to strings and numbers are followed; classes and objects of classes are not read.
class RubyMarshalReader {
  public:
    enum class Kind : std::uint8_t {
        array,  ///< `size` values follow
        hash,   ///< `size` pairs follow, and one value more if it has a default
        text,   ///< a string or symbol
        number,
        other,  ///< nil, true, false, and links to arrays and hashes
    };
    struct Value {
        Kind kind = Kind::other;
        bool has_default = false;
        std::uint64_t size = 0;
        JsonNumber number{};
        std::string_view text{};  ///< valid as long as the reader
    };

    /// Behind the two bytes of the version.
    explicit RubyMarshalReader(const Source& source) : bytes_(source) {}

    /// False if the data is not of version 4.
    [[nodiscard]] bool take_version();
    /// Nothing at the end, where the bytes are damaged, and at what is not read: `error` says which.
    [[nodiscard]] std::optional<Value> next();
    [[nodiscard]] Error error() const;
    [[nodiscard]] std::uint64_t bytes() const { return bytes_.bytes(); }

  private:
    struct Object {
        JsonNumber number{};
        std::uint32_t text = no_row;  // row of names_
        Kind kind = Kind::other;
    };

    bool take(std::size_t count);
    [[nodiscard]] std::optional<std::uint8_t> byte();
    [[nodiscard]] std::optional<std::int64_t> fixnum();
    [[nodiscard]] std::optional<std::uint64_t> count();
    [[nodiscard]] std::optional<std::uint32_t> text();  // its row
    [[nodiscard]] std::optional<Value> value(std::uint8_t type);
    [[nodiscard]] std::optional<Value> container(Kind kind, bool has_default);
    [[nodiscard]] std::optional<Value> bignum();
    [[nodiscard]] std::optional<Value> floating_point();
    [[nodiscard]] std::optional<Value> string();
    [[nodiscard]] std::optional<Value> symbol();
    [[nodiscard]] std::optional<Value> symbol_link();
    [[nodiscard]] std::optional<Value> link();
    [[nodiscard]] std::optional<Value> with_variables();
    Value keep(Object object);
    [[nodiscard]] Value value_of(const Object& object) const;

    ByteReader bytes_;
    std::string taken_;
    NameRows names_;
    std::vector<std::uint32_t> symbols_;  // rows of names_
    std::vector<Object> objects_;
    std::optional<Error> error_;
};

/// Reads all of it. The handler is one of JSON (json_input.hpp), to which a key is text, of which the first
/// 64 bytes count, a symbol is, too, and nil is null. Errors: of the source; empty_file; not_a_profile with
/// an offset.
template <class Handler>
[[nodiscard]] Result<void> read_ruby_marshal(RubyMarshalReader& reader, Handler& handler) {
    using Kind = RubyMarshalReader::Kind;
    constexpr std::size_t max_depth = 200, longest_key = 64;
    constexpr std::uint64_t most_expansion = 100;
    std::uint64_t text_bytes = 0;
    struct Open {
        std::uint64_t left = 0;  // values and keys
        bool is_hash = false, has_default = false;
    };
    if (!reader.take_version()) return tl::unexpected(reader.error());
    std::vector<Open> open;
    do {
        const auto value = reader.next();
        if (!value) return tl::unexpected(reader.error());
        const bool is_key =
            !open.empty() && open.back().is_hash && open.back().left % 2 == 0 && open.back().left != 0;
        if (!open.empty() && open.back().left == 0)
            open.back().has_default = false;
        else if (!open.empty())
            --open.back().left;
        const bool is_container = value->kind == Kind::array || value->kind == Kind::hash;
        if (is_key) {
            if (is_container) return tl::unexpected(not_in_format("a hash whose keys are arrays or hashes"));
            if (value->kind == Kind::number)
                handler.key(std::to_string(value->number.whole));
            else
                handler.key(value->text.substr(0, longest_key));
        } else if (is_container) {
            if (open.size() == max_depth) return tl::unexpected(nested_too_deep());
            const bool is_hash = value->kind == Kind::hash;
            open.push_back({.left = is_hash ? 2 * value->size : value->size,
                            .is_hash = is_hash,
                            .has_default = value->has_default});
            handler.begin(!is_hash);
        } else if (value->kind == Kind::text) {
            text_bytes += value->text.size();
            if (text_bytes / most_expansion > reader.bytes())
                return tl::unexpected(not_in_format("links to strings make it more than 100 times as long", 0,
                                                    0, reader.bytes()));
            handler.text(value->text);
        } else if (value->kind == Kind::number) {
            handler.number(value->number);
        } else {
            handler.null();
        }
        while (!open.empty() && open.back().left == 0 && !open.back().has_default) {
            open.pop_back();
            handler.end();
        }
    } while (!open.empty());
    return {};
}

}  // namespace callcost::engine
