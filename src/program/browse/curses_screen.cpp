#include "browse/curses_screen.hpp"

#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "browse/curses_library.hpp"
#include "browse/terminal_type.hpp"
#include "terminal/terminal.hpp"
#include "text/names.hpp"

#define NCURSES_NOMACROS
#include <curses.h>

namespace callcost::program {
namespace {

constexpr std::array end_signals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t end_signal = 0;  // the one that came
sigset_t waiting_mask{};                    // signals come while keys are waited for, so that none is missed
void note_end(int signal) { end_signal = signal; }

struct Curses {
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CALLCOST_MEMBER(name) decltype(&::name) name = CALLCOST_CURSES(name)
    CALLCOST_MEMBER(cbreak);
    CALLCOST_MEMBER(clearok);
    CALLCOST_MEMBER(curs_set);
    CALLCOST_MEMBER(curscr);
    CALLCOST_MEMBER(endwin);
    CALLCOST_MEMBER(getmaxx);
    CALLCOST_MEMBER(getmaxy);
    CALLCOST_MEMBER(getmouse);
    CALLCOST_MEMBER(has_colors);
    CALLCOST_MEMBER(init_pair);
    CALLCOST_MEMBER(keypad);
    CALLCOST_MEMBER(mouseinterval);
    CALLCOST_MEMBER(mousemask);
    CALLCOST_MEMBER(newterm);
    CALLCOST_MEMBER(nodelay);
    CALLCOST_MEMBER(noecho);
    CALLCOST_MEMBER(nonl);
    CALLCOST_MEMBER(set_escdelay);
    CALLCOST_MEMBER(set_term);
    CALLCOST_MEMBER(start_color);
    CALLCOST_MEMBER(stdscr);
    CALLCOST_MEMBER(use_default_colors);
    CALLCOST_MEMBER(waddnstr);
    CALLCOST_MEMBER(wattr_set);
    CALLCOST_MEMBER(wclrtoeol);
    CALLCOST_MEMBER(wget_wch);
    CALLCOST_MEMBER(wmove);
    CALLCOST_MEMBER(wrefresh);
#undef CALLCOST_MEMBER
};
const Curses& curses() {
    static const Curses loaded;
    return loaded;
}
WINDOW* window() { return *curses().stdscr; }  // all of the screen

/// Attributes of a tone; its color pair has the number of the tone.
attr_t attributes_of(engine::Tone tone) {
    switch (tone) {
        case engine::Tone::heading:
        case engine::Tone::strong:
        case engine::Tone::hot:
        case engine::Tone::error:
            return A_BOLD;
        case engine::Tone::dim:
            return A_DIM;
        case engine::Tone::plain:
        case engine::Tone::good:
        case engine::Tone::note:
        case engine::Tone::warning:
            break;
    }
    return A_NORMAL;
}

short pair_of(engine::Tone tone) { return static_cast<short>(static_cast<int>(tone) + 1); }

void make_pairs() {
    curses().start_color();
    curses().use_default_colors();
    curses().init_pair(pair_of(engine::Tone::hot), COLOR_RED, -1);
    curses().init_pair(pair_of(engine::Tone::good), COLOR_GREEN, -1);
    curses().init_pair(pair_of(engine::Tone::note), COLOR_CYAN, -1);
    curses().init_pair(pair_of(engine::Tone::warning), COLOR_YELLOW, -1);
    curses().init_pair(pair_of(engine::Tone::error), COLOR_RED, -1);
}

bool has_color(engine::Tone tone) {
    return tone == engine::Tone::hot || tone == engine::Tone::good || tone == engine::Tone::note ||
           tone == engine::Tone::warning || tone == engine::Tone::error;
}

/// A terminal that has another character set shows no other characters.
std::string in_ascii(const std::string& text) {
    std::string ascii;
    for (std::size_t at = 0; at < text.size();) {
        const auto [value, length] = engine::front_character(std::string_view(text).substr(at));
        ascii += value < 0x80 ? static_cast<char>(value) : '?';
        at += length > 0 ? length : 1;
    }
    return ascii;
}

std::optional<Key> key_of(int code) {
    switch (code) {
        case KEY_UP:
            return Key{.kind = Key::Kind::up};
        case KEY_DOWN:
            return Key{.kind = Key::Kind::down};
        case KEY_LEFT:
            return Key{.kind = Key::Kind::left};
        case KEY_RIGHT:
            return Key{.kind = Key::Kind::right};
        case KEY_PPAGE:
            return Key{.kind = Key::Kind::page_up};
        case KEY_NPAGE:
            return Key{.kind = Key::Kind::page_down};
        case KEY_HOME:
            return Key{.kind = Key::Kind::home};
        case KEY_END:
            return Key{.kind = Key::Kind::end};
        case KEY_ENTER:
            return Key{.kind = Key::Kind::enter};
        case KEY_BACKSPACE:
            return Key{.kind = Key::Kind::backspace};
        case KEY_RESIZE:
            return Key{.kind = Key::Kind::redraw};
        default:
            return std::nullopt;
    }
}

std::optional<Key> key_of_character(wint_t character) {
    switch (character) {
        case L'\n':
        case L'\r':
            return Key{.kind = Key::Kind::enter};
        case L'\t':
            return Key{.kind = Key::Kind::tab};
        case 0x1b:
            return Key{.kind = Key::Kind::escape};
        case 0x7f:
        case 0x08:
            return Key{.kind = Key::Kind::backspace};
        case 0x0c:  // Ctrl-L
            curses().clearok(*curses().curscr, TRUE);
            return Key{.kind = Key::Kind::redraw};
        default:
            if (character < 0x20 || engine::is_deceptive(static_cast<char32_t>(character)))
                return std::nullopt;
            return Key{.character = static_cast<char32_t>(character)};
    }
}

}  // namespace

std::string why_no_screen() {
    if (isatty(STDOUT_FILENO) == 0) return "standard output is no terminal";
    if (isatty(STDIN_FILENO) == 0) {  // the profile may come from there; keys do not
        const int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC);
        if (terminal < 0) return "there is no terminal to read keys from";
        close(terminal);
    }
    const auto name = engine::display_name(environment("TERM").value_or(""));
    switch (terminal_type(STDOUT_FILENO)) {
        case TerminalType::no_library:
            return "libncursesw.so.6 cannot be loaded; its package is libncursesw6";
        case TerminalType::unknown:
            return name.empty() ? "TERM is not set" : "TERM=" + name + " is not known here";
        case TerminalType::lines_only:
            return "TERM=" + name + " has no full screen";
        case TerminalType::full_screen:
            break;
    }
    return {};
}

CursesScreen::CursesScreen(const engine::Style& style) : style_(style) {
    // The C library must know the width of characters; nothing else depends on the locale.
    std::setlocale(LC_CTYPE, style.unicode ? "C.UTF-8" : "C");  // NOLINT(concurrency-mt-unsafe)
    struct sigaction action {};
    action.sa_handler = note_end;
    sigset_t blocked{};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGWINCH);
    for (const int signal : end_signals) {
        sigaction(signal, &action, nullptr);
        sigaddset(&blocked, signal);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &waiting_mask);
    std::FILE* const keys = isatty(STDIN_FILENO) != 0 ? stdin : std::fopen("/dev/tty", "re");
    keys_ = fileno(keys);
    const Curses& c = curses();
    c.set_term(c.newterm(nullptr, stdout, keys));
    c.cbreak();
    c.noecho();
    c.nonl();
    c.set_escdelay(25);  // ms
    c.keypad(window(), TRUE);
    c.nodelay(window(), TRUE);
    c.mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
    c.mouseinterval(0);
    style_.color = style.color && c.has_colors();
    if (style_.color) make_pairs();
}

CursesScreen::~CursesScreen() { curses().endwin(); }

ScreenSize CursesScreen::size() const {
    return {static_cast<std::size_t>(curses().getmaxy(window())),
            static_cast<std::size_t>(curses().getmaxx(window()))};
}

void CursesScreen::show(const Screen& screen) {
    const Curses& c = curses();
    for (std::size_t row = 0; row < screen.lines.size(); ++row) {
        const auto& line = screen.lines[row];
        const attr_t ground = line.ground == ScreenLine::Ground::plain ? A_NORMAL : A_REVERSE;
        c.wmove(window(), static_cast<int>(row), 0);
        for (const auto& [text, tone] : line.texts) {
            const bool is_colored = style_.color && ground == A_NORMAL && has_color(tone);
            c.wattr_set(window(), attributes_of(tone) | ground, is_colored ? pair_of(tone) : short{0},
                        nullptr);
            c.waddnstr(window(), style_.unicode ? text.c_str() : in_ascii(text).c_str(), -1);
        }
        c.wattr_set(window(), ground, 0, nullptr);
        const auto used = line.width();
        if (ground != A_NORMAL) {
            c.waddnstr(window(), std::string(size().columns - used, ' ').c_str(), -1);
        } else if (used < size().columns) {  // else the cursor is in the next line
            c.wclrtoeol(window());
        }
    }
    c.wattr_set(window(), A_NORMAL, 0, nullptr);
    c.curs_set(screen.cursor ? 1 : 0);
    if (screen.cursor)
        c.wmove(window(), static_cast<int>(screen.lines.size()) - 1, static_cast<int>(*screen.cursor));
    c.wrefresh(window());
}

std::optional<Key> CursesScreen::read() {
    for (;;) {
        wint_t character = 0;
        const int found = curses().wget_wch(window(), &character);
        if (found == KEY_CODE_YES && character == KEY_MOUSE) {
            MEVENT event{};
            if (curses().getmouse(&event) != OK) continue;
            const bool is_click = (event.bstate & BUTTON1_PRESSED) != 0;
            const auto wheel =
                (event.bstate & BUTTON4_PRESSED) != 0 ? Key::Kind::wheel_up : Key::Kind::wheel_down;
            return Key{.kind = is_click ? Key::Kind::click : wheel,
                       .row = static_cast<std::size_t>(event.y),
                       .column = static_cast<std::size_t>(event.x)};
        }
        if (found != ERR) {
            const auto key =
                found == KEY_CODE_YES ? key_of(static_cast<int>(character)) : key_of_character(character);
            if (key) return key;
            continue;
        }
        pollfd keys{.fd = keys_, .events = POLLIN, .revents = 0};
        const int ready = ppoll(&keys, 1, nullptr, &waiting_mask);
        if (end_signal != 0) return std::nullopt;
        if (ready < 0 && errno == EINTR) {
            // The size of the terminal may have changed, or the program was stopped and goes on.
            continue;
        }
        // A terminal that is gone can be read, too, and then ppoll() lets no signal in.
        if (ready < 0 || (keys.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) return std::nullopt;
    }
}

void CursesScreen::end_by_signal() {
    pthread_sigmask(SIG_SETMASK, &waiting_mask, nullptr);  // lets in what came meanwhile
    if (end_signal == 0) return;
    std::signal(end_signal, SIG_DFL);
    (void)std::raise(end_signal);
}

}  // namespace callcost::program
