/// The terminal as ncurses has it: shows screens, reads keys. The only place that knows ncurses.
#pragma once

#include <optional>
#include <string>

#include "browse/key.hpp"
#include "browse/screen.hpp"
#include "text/style.hpp"

namespace callcost::program {

/// Why there can be no full screen, in words; empty: there can.
[[nodiscard]] std::string why_no_screen();

/// One at a time, while why_no_screen() is empty. The terminal is as it was when this is gone, and while the
/// program is stopped (Ctrl-Z).
class CursesScreen {
  public:
    explicit CursesScreen(const engine::Style& style);
    CursesScreen(const CursesScreen&) = delete;
    CursesScreen& operator=(const CursesScreen&) = delete;
    ~CursesScreen();

    [[nodiscard]] ScreenSize size() const;
    void show(const Screen& screen);
    /// Waits. Nothing: a signal ends the program, or the terminal is gone.
    [[nodiscard]] std::optional<Key> read();
    /// After this is gone: ends the program by the signal that ended read(), if there was one.
    static void end_by_signal();

  private:
    engine::Style style_;
    int keys_ = -1;  // where keys are read from
};

}  // namespace callcost::program
