/// Writes CSV by RFC 4180: a header row, lines ended by CR LF, costs as plain integers, names as valid UTF-8.
/// TSV is the same with tabs for commas and plain line ends.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/event_type.hpp>

namespace callcost::engine {

/// Spreadsheets take a text that begins with `=`, `+`, `-` or `@` for a formula and compute it, and names
/// come from anywhere.
enum class CsvNames : std::uint8_t {
    guarded,  ///< such a name gets a `'` in front
    exact,    ///< as it is
};

enum class CsvFields : std::uint8_t {
    commas,  ///< RFC 4180
    tabs,    ///< fields never hold one; those that hold a quote are quoted as in CSV
};

class CsvWriter {
  public:
    /// Appends to `out`, which must outlive the writer.
    CsvWriter(std::string& out, CsvNames names, CsvFields fields = CsvFields::commas)
        : out_(&out), names_(names), fields_(fields) {}

    void header(const std::vector<std::string>& titles);
    /// Made UTF-8 by F2, with control characters made visible; of any length.
    void text(std::string_view bytes);
    template <std::integral Number>
    void number(Number number) {
        begin_field();
        *out_ += std::to_string(number);
    }
    void number(Cost cost) { number(std::int64_t{cost}); }
    template <class Number>
    void number(const std::optional<Number>& known) {
        known ? number(*known) : empty();
    }
    /// Digits that are not an integer; empty if there are none.
    void decimal(std::string_view digits);
    void empty() { begin_field(); }
    void end_row();

  private:
    void begin_field();

    std::string* out_;
    CsvNames names_;
    CsvFields fields_;
    bool is_row_begun_ = false;
};

/// Adds `self_Ir`, `self_Dr` and so on to the titles.
void add_titles(std::vector<std::string>& titles, std::string_view prefix,
                const std::vector<Measure>& measures);

}  // namespace callcost::engine
