/// Standard output, through a pager if it does not fit the screen of a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/types.h>
#include <unistd.h>

#include "tables/budget.hpp"
#include "terminal/terminal.hpp"
#include "text/csv.hpp"

namespace callcost::program {

/// Names in CSV: unchanged with --raw.
[[nodiscard]] inline engine::CsvNames csv_names(const OutputOptions& options) {
    return options.raw ? engine::CsvNames::exact : engine::CsvNames::guarded;
}

class Output {
  public:
    /// Nothing beyond the limit is written, but an error.
    explicit Output(const Console& console, const engine::OutputLimit& limit = {})
        : console_(console), limit_(limit), may_page_(console.may_page) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    /// Allows the text so far to be written; long reports call it from time to time.
    std::string& text() { return text_; }
    void flush_some();

    /// Writes the rest and waits for the pager. False, with a message, on a write error and beyond the limit.
    bool finish();

  private:
    [[nodiscard]] bool exceeds_screen() const;
    void start_pager();
    void write_all();

    const Console& console_;
    engine::OutputLimit limit_;
    std::uint64_t written_ = 0;  // bytes
    bool is_too_large_ = false;
    bool may_page_;
    std::string text_;
    int descriptor_ = STDOUT_FILENO;
    pid_t pager_ = -1;
    bool reader_is_gone_ = false;  // the pager has exited
    int problem_ = 0;              // errno of the write that failed
};

}  // namespace callcost::program
