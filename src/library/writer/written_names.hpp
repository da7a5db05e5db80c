/// The names of a file that is being written: each gets a number when it is first used, and is spelt so that
/// every reader takes it for the same name (W6, W7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_table.hpp"
#include "callcost/writer.hpp"
#include "writer/output_text.hpp"

namespace callcost {

class WrittenNames {
  public:
    enum class Kind : std::uint8_t { object, file, function };
    struct FunctionRow {
        std::uint32_t object = 0;
        std::uint32_t file = 0;
        std::uint32_t name = 0;
    };

    explicit WrittenNames(FileDialect dialect);

    /// The row of a name; 0 is the unknown one. `changed` counts those that cannot be written as they are.
    std::uint32_t object(std::string_view name, std::uint64_t& changed);
    std::uint32_t file(std::string_view name, std::uint64_t& changed);
    std::uint32_t function(std::uint32_t object, std::uint32_t file, std::string_view name,
                           std::uint64_t& changed);

    [[nodiscard]] bool has_object(std::uint32_t row) const { return row < objects_.size(); }
    [[nodiscard]] bool has_file(std::uint32_t row) const { return row < files_.size(); }
    [[nodiscard]] bool has_function(std::uint32_t row) const { return row < functions_.size(); }
    [[nodiscard]] const FunctionRow& function(std::uint32_t row) const { return functions_[row]; }
    [[nodiscard]] std::string_view name_of(std::uint32_t function_row) const {
        return text_of(Kind::function, function_row);
    }

    /// Numbers keep their meaning in further parts, but each part defines those that it uses (W15).
    void begin_part() { ++part_; }

    /// `(7) name` at the first use in a part, then `(7)`; Cachegrind's dialect has no numbers.
    void put(OutputText& text, Kind kind, std::uint32_t row);

  private:
    struct Number {
        std::uint32_t id = 0;    // 0: not used yet
        std::uint32_t part = 0;  // where it was defined last
    };
    /// What is written for a name.
    std::string_view spelling(std::string_view name, std::uint64_t& changed);
    std::uint32_t intern(NameTable& table, std::string_view name, std::uint64_t& changed);
    [[nodiscard]] std::string_view text_of(Kind kind, std::uint32_t row) const;

    bool has_numbers_;
    bool is_utf8_only_;
    std::uint32_t part_ = 0;
    NameTable objects_, files_, names_;
    NameTable identities_{{}};  // the bytes of FunctionRows
    std::vector<FunctionRow> functions_{1};
    std::vector<Number> numbers_[3];  // by Kind and row
    std::uint32_t used_[3] = {0, 0, 0};
    std::string scratch_;
};

/// Text that has to fit in a line: what would end it is spelt out; as UTF-8 if need be.
void put_spelt_out(OutputText& text, std::string_view value, bool is_utf8_only);

}  // namespace callcost
