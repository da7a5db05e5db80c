#include "terminal/jump_arrows.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace callcost::program {

namespace {

constexpr std::size_t max_lanes = 14;
constexpr std::size_t head_width = 3;  // of what stands between the lanes and the row

/// Lines that meet in a character.
enum Line : unsigned { up = 1, down = 2, left = 4, right = 8 };

std::string_view character_of(unsigned lines, bool is_broken, bool unicode) {
    if (!unicode) {
        if (lines == (up | down)) return is_broken ? ":" : "|";
        if (lines == (left | right)) return is_broken ? "." : "-";
        if (lines == (down | right)) return "/";
        if (lines == (up | right)) return "\\";
        return lines == 0 ? " " : "+";
    }
    switch (lines) {
        case 0:
            return " ";
        case up | down:
            return is_broken ? "\u2506" : "\u2502";
        case left | right:
            return is_broken ? "\u2504" : "\u2500";
        case down | right:
            return "\u250c";
        case up | right:
            return "\u2514";
        case down | left | right:
            return "\u252c";
        case up | left | right:
            return "\u2534";
        case up | down | right:
            return "\u251c";
        default:
            return "\u253c";
    }
}

/// Characters of one tone are painted together.
class PaintedText {
  public:
    explicit PaintedText(const engine::Style& style) : style_(style) {}

    void add(std::string_view character, bool is_broken) {
        const engine::Tone tone = character == " " ? tone_
                                  : is_broken      ? engine::Tone::note
                                                   : engine::Tone::good;
        if (tone != tone_) flush();
        tone_ = tone;
        pending_ += character;
    }
    std::string finish() {
        flush();
        return std::move(text_);
    }

  private:
    void flush() {
        const auto end = pending_.find_last_not_of(' ') + 1;
        text_ += paint(pending_.substr(0, end), tone_, style_);
        text_ += pending_.substr(end);
        pending_.clear();
    }

    const engine::Style& style_;
    std::string text_, pending_;
    engine::Tone tone_ = engine::Tone::plain;
};

}  // namespace

const JumpArrows::Trunk::End* JumpArrows::Trunk::end_at(std::size_t row) const {
    const auto end = std::lower_bound(ends.begin(), ends.end(), End{row, false});
    return end != ends.end() && end->row == row ? &*end : nullptr;
}

/// By the row that has more of them: where they lead to, or where they come from.
std::vector<JumpArrows::Trunk> JumpArrows::trunks_of(std::span<const Arrow> arrows) {
    using Key = std::tuple<std::size_t, bool, bool>;  // row, whether it is the target, whether conditional
    std::map<Key, std::size_t> counts;
    for (const Arrow& arrow : arrows) {
        ++counts[{arrow.to, true, arrow.conditional}];
        ++counts[{arrow.from, false, arrow.conditional}];
    }
    std::map<Key, Trunk> by_key;
    for (const Arrow& arrow : arrows) {
        if (arrow.from == arrow.to) continue;
        const Key to{arrow.to, true, arrow.conditional};
        const Key from{arrow.from, false, arrow.conditional};
        Trunk& trunk = by_key[counts[to] >= counts[from] ? to : from];
        trunk.conditional = arrow.conditional;
        trunk.ends.push_back({arrow.to, true});
        trunk.ends.push_back({arrow.from, false});
    }
    std::vector<Trunk> trunks;
    for (auto& [key, trunk] : by_key) {
        std::sort(trunk.ends.begin(), trunk.ends.end());
        const auto is_same = [](const Trunk::End& a, const Trunk::End& b) { return a.row == b.row; };
        trunk.ends.erase(std::unique(trunk.ends.begin(), trunk.ends.end(), is_same), trunk.ends.end());
        trunks.push_back(std::move(trunk));
    }
    return trunks;
}

JumpArrows::JumpArrows(std::span<const Arrow> arrows) {
    auto trunks = trunks_of(arrows);
    std::stable_sort(trunks.begin(), trunks.end(), [](const Trunk& a, const Trunk& b) {
        return std::pair(a.bottom() - a.top(), a.top()) < std::pair(b.bottom() - b.top(), b.top());
    });
    std::vector<std::map<std::size_t, Trunk>> lanes(max_lanes);  // by the first row
    const auto is_free = [](const std::map<std::size_t, Trunk>& lane, const Trunk& trunk) {
        const auto next = lane.upper_bound(trunk.bottom());
        return next == lane.begin() || std::prev(next)->second.bottom() < trunk.top();
    };
    std::size_t used = 0;
    for (Trunk& trunk : trunks) {
        // Not further in than what it goes around.
        std::size_t lane = max_lanes;
        while (lane > 0 && is_free(lanes[lane - 1], trunk)) --lane;
        if (lane == max_lanes) {
            omitted_ += trunk.ends.size() - 1;
            continue;
        }
        used = std::max(used, lane + 1);
        const auto top = trunk.top();
        lanes[lane].emplace(top, std::move(trunk));
    }
    lanes_.resize(used);
    for (std::size_t lane = 0; lane < used; ++lane)
        for (auto& [top, trunk] : lanes[lane]) lanes_[lane].push_back(std::move(trunk));
}

std::size_t JumpArrows::width() const { return lanes_.empty() ? 0 : lanes_.size() + head_width; }

const JumpArrows::Trunk* JumpArrows::find(std::size_t lane, std::size_t row) const {
    const auto& trunks = lanes_[lane];
    const auto next =
        std::upper_bound(trunks.begin(), trunks.end(), row,
                         [](std::size_t wanted, const Trunk& trunk) { return wanted < trunk.top(); });
    if (next == trunks.begin() || std::prev(next)->bottom() < row) return nullptr;
    return &*std::prev(next);
}

std::string JumpArrows::at(std::size_t row, const engine::Style& style) const {
    PaintedText text(style);
    const Trunk* horizontal = nullptr;  // the last one that ends here
    bool is_target = false;
    for (std::size_t lane = lanes_.size(); lane-- > 0;) {
        const Trunk* const trunk = find(lane, row);
        unsigned lines = horizontal != nullptr ? left | right : 0;
        bool is_broken = horizontal != nullptr && horizontal->conditional;
        if (trunk != nullptr) {
            const auto* const end = trunk->end_at(row);
            if (end == nullptr) lines = 0;  // it goes over what crosses it
            if (trunk->top() < row) lines |= up;
            if (trunk->bottom() > row) lines |= down;
            is_broken = trunk->conditional;
            if (end != nullptr) {
                lines |= right;
                horizontal = trunk;
                is_target = is_target || end->is_target;
            }
        }
        text.add(character_of(lines, is_broken, style.unicode), is_broken);
    }
    if (lanes_.empty()) return {};
    const bool is_broken = horizontal != nullptr && horizontal->conditional;
    const auto line = character_of(horizontal != nullptr ? left | right : 0, is_broken, style.unicode);
    text.add(line, is_broken);
    text.add(is_target ? ">" : line, is_broken);
    text.add(" ", false);
    return text.finish();
}

std::string JumpArrows::below(std::size_t row, const engine::Style& style) const {
    PaintedText text(style);
    for (std::size_t lane = lanes_.size(); lane-- > 0;) {
        const Trunk* const trunk = find(lane, row);
        const bool goes_on = trunk != nullptr && trunk->bottom() > row;
        const bool is_broken = goes_on && trunk->conditional;
        text.add(character_of(goes_on ? up | down : 0, is_broken, style.unicode), is_broken);
    }
    for (std::size_t i = 0; i < head_width && !lanes_.empty(); ++i) text.add(" ", false);
    return text.finish();
}

}  // namespace callcost::program
