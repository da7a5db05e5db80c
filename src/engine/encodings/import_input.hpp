/// Input of importers, by line or as a whole, and their notes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/import_notes.hpp"
#include "text/characters.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// All bytes. Errors: of the source; empty_file.
[[nodiscard]] Result<std::string> read_all(const Source& source);

/// Bytes in order. Memory for a block of them.
class ByteReader {
  public:
    explicit ByteReader(const Source& source);

    /// The next so many bytes, in place of what was in `to`: fewer at the end. Errors: of the source.
    [[nodiscard]] Result<void> take(std::size_t count, std::string& to);
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  ///< taken so far

  private:
    Source::Read read_;
    std::vector<char> block_;
    std::string_view left_;  // of the block
    std::uint64_t bytes_ = 0;
};

/// Lines without their ends, which may be LF or CR LF. Memory for one line and a block. Lines of more than
/// `longest` bytes are skipped, with a note.
class LineReader {
  public:
    LineReader(const Source& source, std::uint64_t longest, ImportNotes& notes);

    /// The next line, valid until the one after it is asked for; nothing at the end or after an Error.
    [[nodiscard]] std::optional<std::string_view> next();
    /// The next so many bytes, which are not taken; fewer if there are no more. No more than a block.
    [[nodiscard]] std::string_view peek(std::size_t count);
    /// The next so many bytes, in place of what was in `to`: fewer at the end or after an Error.
    void take(std::size_t count, std::string& to);
    [[nodiscard]] std::uint64_t number() const { return number_; }  ///< of the line, from 1
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }    ///< read so far
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// Whether the last line that next() gave has no end: programs that end each line were stopped there.
    [[nodiscard]] bool ends_within_line() const { return ends_within_line_; }

  private:
    bool fill(std::size_t kept = 0);
    void append(std::string_view bytes);
    [[nodiscard]] bool is_skipped(std::size_t size);

    Source::Read read_;
    std::uint64_t longest_;
    ImportNotes& notes_;
    std::vector<char> block_;
    std::string_view left_;  // of the block
    std::string line_;       // that began in an earlier block; no more than one byte over the limit
    std::uint64_t number_ = 0, bytes_ = 0;
    bool is_at_end_ = false, ends_within_line_ = false;
    std::optional<Error> error_;
};

/// Counts an oddity.
void note(ImportNotes& notes, ImportOddity what, std::uint64_t line = 0, std::uint64_t count = 1);

/// The Error of a Source that returns more than it was asked for.
[[nodiscard]] Error broken_source();

/// The Error of a file that is not in the format.
[[nodiscard]] Error not_in_format(std::string detail, std::uint64_t line = 0, std::uint64_t column = 0,
                                  std::uint64_t offset = 0);

/// A number with or without decimals, `digits` times 10 to the power of -`decimals`; nothing if the text is
/// none, or too large.
struct DecimalNumber {
    static constexpr int max_decimals = 18;

    std::int64_t digits = 0;
    int decimals = 0;         ///< as few as there can be
    bool is_rounded = false;  ///< it had more than there is room for
};
[[nodiscard]] std::optional<DecimalNumber> parse_decimal(std::string_view text);

/// With this many decimals: rounded half away from zero if it has more. The digits must have room.
[[nodiscard]] DecimalNumber with_decimals(DecimalNumber number, int decimals);

/// A power of ten that costs with decimals are multiplied by, which becomes part of the event's name.
struct CostScale {
    int decimals = 0;
    std::int64_t factor = 1;
    std::string_view prefix{};  ///< `milli`

    [[nodiscard]] std::string name(std::string_view event) const;       ///< `milli_samples`
    [[nodiscard]] std::string long_name(std::string_view event) const;  ///< `samples, in 1/1000`
};
/// For that many decimals, unless the sum of all costs is too large for it. Three, six, ... decimals.
[[nodiscard]] CostScale cost_scale(int decimals, double sum);

/// No more than so many bytes, without half a character of UTF-8 at the end.
[[nodiscard]] std::string_view cut_text(std::string_view text, std::size_t longest);

/// Digits only.
[[nodiscard]] std::optional<std::uint64_t> parse_digits(std::string_view text);

}  // namespace callcost::engine
