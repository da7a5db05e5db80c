/// Standard output: straight on to a file or a pipe; on a terminal through a pager if it is more than a
/// screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <sys/types.h>
#include <unistd.h>

#include "terminal/terminal.hpp"

namespace callcost::program {

class Output {
  public:
    explicit Output(const Console& console) : console_(console), may_page_(console.may_page) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    /// Everything appended so far may be written; reports call it from time to time, so that they need not be
    /// kept whole.
    std::string& text() { return text_; }
    void flush_some();

    /// Writes what is left and waits for the pager. False, with a word on standard error, if the text could
    /// not be written.
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
    bool reader_is_gone_ = false;  // the pager was left; nobody wants more
    int problem_ = 0;              // errno of the write that failed
};

}  // namespace callcost::program
