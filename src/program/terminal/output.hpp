/// Standard output, through a pager if it does not fit the screen of a terminal.
#pragma once

#include <cstddef>
#include <string>

#include <sys/types.h>
#include <unistd.h>

#include "terminal/terminal.hpp"
#include "text/csv.hpp"

namespace callcost::program {

/// Names in CSV: unchanged with --raw.
[[nodiscard]] inline engine::CsvNames csv_names(const OutputOptions& options) {
    return options.raw ? engine::CsvNames::exact : engine::CsvNames::guarded;
}

class Output {
  public:
    explicit Output(const Console& console) : console_(console), may_page_(console.may_page) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    /// Allows the text so far to be written; long reports call it from time to time.
    std::string& text() { return text_; }
    void flush_some();

    /// Writes the rest and waits for the pager. False, with a message, on a write error.
    bool finish();

  private:
    [[nodiscard]] bool exceeds_screen() const;
    void start_pager();
    void write_all();

    const Console& console_;
    bool may_page_;
    std::string text_;
    int descriptor_ = STDOUT_FILENO;
    pid_t pager_ = -1;
    bool reader_is_gone_ = false;  // the pager has exited
    int problem_ = 0;              // errno of the write that failed
};

}  // namespace callcost::program
