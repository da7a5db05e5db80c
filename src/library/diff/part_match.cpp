#include <map>
#include <utility>

#include "callcost/diff.hpp"

namespace callcost {

std::vector<std::optional<std::size_t>> match_parts(const Profile& before, const Profile& after) {
    using Key = std::pair<std::string_view, std::string_view>;
    const auto key_of = [](const Part& part) { return Key(part.part.text, part.thread.text); };
    const auto olds = before.parts(), news = after.parts();
    std::map<Key, std::vector<std::size_t>> rows;  // the first one last
    for (auto row = olds.size(); row-- > 0;) rows[key_of(olds[row])].push_back(row);
    std::vector<std::optional<std::size_t>> found(news.size());
    for (std::size_t row = 0; row < news.size(); ++row) {
        const auto left = rows.find(key_of(news[row]));
        if (left == rows.end() || left->second.empty()) continue;
        found[row] = left->second.back();
        left->second.pop_back();
    }
    return found;
}

}  // namespace callcost
