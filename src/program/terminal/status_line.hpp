/// The last line of a terminal while something takes long: replaced again and again, erased in the end.
#pragma once

#include <string_view>

#include "terminal/terminal.hpp"

namespace callcost::program {

/// One at a time: Ctrl-C erases the line that was written last.
class StatusLine {
  public:
    /// A file descriptor; -1: nothing is shown.
    explicit StatusLine(int terminal) : terminal_(terminal) {}
    /// On standard error if that is a terminal and may_show_status().
    explicit StatusLine(const Console& console);
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;
    ~StatusLine() { erase(); }

    [[nodiscard]] int terminal() const { return terminal_; }
    /// The text has to fit into the line.
    void show(std::string_view text);
    void erase();

  private:
    int terminal_;
    bool is_shown_ = false;
};

/// Not with --quiet or --progress=never, nor in CI, whose logs are no terminals whatever they say.
[[nodiscard]] bool may_show_status(const Console& console);

/// Makes Ctrl-C erase the line before the program ends.
void restore_line_on_interrupt();

}  // namespace callcost::program
