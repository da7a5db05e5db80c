/// Where somebody is in a profile, what the keys do, and what the screen shows: everything but the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "browse/browsed_profile.hpp"
#include "browse/key.hpp"
#include "browse/list_view.hpp"
#include "browse/screen.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

class Navigation {
  public:
    /// The profile must outlive this, and have a view.
    Navigation(BrowsedProfile& profile, SortBy sort);

    /// False: the end.
    [[nodiscard]] bool press(const Key& key);
    [[nodiscard]] Screen draw(ScreenSize size);

  private:
    enum class ListKind : std::uint8_t { functions, neighbours, tree, source, changes, events, keys };
    /// A list that was visited.
    struct Stop {
        ListKind kind = ListKind::functions;
        std::optional<engine::FunctionAt> function{};  ///< what it is about
        std::unique_ptr<ListView> list{};              ///< none: to be made when it is shown again
        std::size_t selected = 0, first = 0;
        std::optional<engine::FunctionAt> anchor{};  ///< the selected function, when `list` is made anew
    };
    enum class Prompt : std::uint8_t { none, search, focus, ignore, show, hide };

    [[nodiscard]] std::unique_ptr<ListView> make(const Stop& stop);
    [[nodiscard]] Stop& here();
    [[nodiscard]] std::optional<engine::FunctionAt> selected_function();
    void visit(ListKind kind, std::optional<engine::FunctionAt> function = {});
    /// A list about the selected function.
    void visit_selected(ListKind kind);
    void go_back();
    void enter();
    void make_all_anew();
    void ask(engine::Query query);

    [[nodiscard]] bool move(const Key& key);
    void move_by(std::ptrdiff_t rows);
    void click(const Key& key);
    [[nodiscard]] bool command(char32_t character);

    enum class Direction : std::uint8_t { from_here, forward, backward };
    /// Null if it is no filter that the prompt asks for.
    [[nodiscard]] static std::vector<std::string>* filter_of(Prompt prompt, engine::FilterTexts& filters);
    void open_prompt(Prompt prompt);
    void press_in_prompt(const Key& key);
    void finish_prompt();
    /// Selects the next row that matches, round the end.
    void find(const std::string& text, std::size_t from, Direction direction);

    void scroll(Stop& stop) const;
    [[nodiscard]] ScreenLine title_line() const;
    [[nodiscard]] ScreenLine tab_line();
    /// The prompt, a message or a note; what is too long goes over several lines.
    [[nodiscard]] std::vector<ScreenLine> last_lines(ScreenSize size, const engine::Style& style);

    BrowsedProfile& profile_;
    ListSettings settings_;
    std::vector<Stop> stops_;
    Prompt prompt_ = Prompt::none;
    std::string text_;  // of the prompt
    std::size_t search_from_ = 0;
    std::string pattern_;  // that was searched last
    std::string message_;
    std::size_t rows_ = 1;                                // of the list that is shown
    std::vector<std::pair<std::size_t, char32_t>> tabs_;  // where each ends, and its key
};

}  // namespace callcost::program
