/// Small profiles of everything, by chance.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace callcost::test {

inline std::size_t below(std::mt19937_64& random, std::size_t end) {
    return static_cast<std::size_t>(random() % end);
}

/// Up to a dozen records of a few names in one or two parts; the columns are some of a few, in any order.
inline std::string random_profile(std::mt19937_64& random) {
    const auto pick = [&random](const char* names) {
        const std::string all = names;
        return std::string(1, all[below(random, all.size())]);
    };
    std::vector<std::string> events{"Ir", "Bc", "aa", "Cycles-Min", "Cycles-Max", "zz", "usphit"};
    std::shuffle(events.begin(), events.end(), random);
    events.resize(1 + below(random, 4));
    if (std::all_of(events.begin(), events.end(), [](const auto& name) { return name == "usphit"; }))
        events.emplace_back("Ir");
    const bool addresses = below(random, 3) == 0;
    std::string text = "creator: c" + pick("12") + "\ncmd: " + pick("pq") + "\n";
    if (below(random, 3) == 0) text += "event: zz : long " + pick("abc") + "\n";
    if (below(random, 3) == 0) text += "event: sum = " + pick("23") + " Ir\n";
    text += addresses ? "positions: instr line\n" : "positions: line\n";
    text += "events:";
    for (const std::string& event : events) text += ' ' + event;
    text += '\n';
    const auto place = [&] { return (addresses ? "0x" + pick("04") + " " : "") + pick("0123"); };
    const auto costs = [&] {
        std::string line;
        for (std::size_t i = 0; i < 1 + below(random, events.size()); ++i)
            line += ' ' + (below(random, 9) == 0 ? "9223372036854775807" : std::to_string(below(random, 5)));
        return line + '\n';
    };
    for (std::uint64_t part = 0; part < 1 + below(random, 2); ++part) {
        if (part > 0) text += "\npart: 2\n";
        for (std::uint64_t block = 0; block < 1 + below(random, 4); ++block) {
            text += "ob=" + pick("oO") + "\nfl=" + pick("xy") + "\nfn=" + pick("abc") + '\n';
            text += place() + costs();
            for (std::uint64_t record = 0; record < below(random, 4); ++record) {
                if (below(random, 4) == 0) text += "fi=" + pick("xyz") + '\n';
                if (below(random, 2) == 0) {
                    text += place() + costs();
                } else if (below(random, 3) == 0) {
                    text += "jcnd=1/" + pick("23") + ' ' + place() + '\n' + place() + '\n';
                } else {
                    text += "cob=o\ncfi=" + pick("xy") + "\ncfn=" + pick("abcd") + "\ncalls=" + pick("012") +
                            ' ' + place() + '\n' + place() + costs();
                }
            }
        }
    }
    return text;
}

}  // namespace callcost::test
