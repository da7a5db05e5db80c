/// Programs with inlined calls, of which every stack is known.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "callcost/inlining.hpp"
#include "unit/library/merge/inline_maps.hpp"

namespace callcost::test {

/// A program that calls by chance; some calls are inlined, depending on where they are.
class InliningProgram {
  public:
    InliningProgram(unsigned seed, bool separates_levels, bool is_layered)
        : random_(seed), seed_(seed), separates_levels_(separates_levels), is_layered_(is_layered) {
        frames_.push_back({"f0", {}, "f0", 0});
        for (int left = 400; left != 0; --left) {
            const auto step = below(random_, 5);
            if (step < 3 && frames_.size() < 14) {
                call();
            } else if (step == 3 && frames_.size() > 1) {
                leave();
            } else {
                spend(static_cast<std::int64_t>(1 + below(random_, 90)));
            }
        }
        while (frames_.size() > 1) leave();
    }

    [[nodiscard]] std::string text() const {
        std::string text = "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n";
        std::set<std::string> contexts;
        for (const auto& [place, cost] : self_) contexts.insert(place.first);
        for (const auto& [call, cost] : calls_) contexts.insert(call.first.first);
        for (const std::string& context : contexts) {
            text += "fn=" + context + '\n';
            for (const auto& [place, cost] : self_)
                if (place.first == context)
                    text += std::to_string(place.second) + " 1 " + std::to_string(cost) + '\n';
            for (const auto& [call, sum] : calls_)
                if (call.first.first == context)
                    text += "cfn=" + call.second + "\ncalls=" + std::to_string(sum.first) + " 1\n" +
                            std::to_string(call.first.second) + " 1 " + std::to_string(sum.second) + '\n';
        }
        return text;
    }
    [[nodiscard]] InlineMap map() const {
        InlineMap map;
        map.object = "prog";
        std::map<std::string, std::uint32_t> functions;
        std::map<std::vector<std::string>, std::uint32_t> sites;
        for (const auto& [chain, address] : addresses_) {  // outer ones come first
            std::uint32_t site = InlineSite::none;
            if (chain.size() > 1) {
                const auto function = functions.try_emplace(chain.back(), functions.size());
                if (function.second) map.functions.push_back({chain.back(), "p.c", 1});
                const std::vector<std::string> outer(chain.begin(), chain.end() - 1);
                site = static_cast<std::uint32_t>(map.sites.size());
                map.sites.push_back({.parent = outer.size() > 1 ? sites.at(outer) : InlineSite::none,
                                     .function = function.first->second});
                sites[chain] = site;
            }
            map.runs.push_back({address, site});
        }
        std::sort(map.runs.begin(), map.runs.end(), [](auto& a, auto& b) { return a.address < b.address; });
        return map;
    }

    /// By the functions of a path, as in "f0 > f1": what was spent in the last one itself.
    std::map<std::string, std::int64_t> of_paths;
    /// By function: what was spent while it was on the stack; by "f in g in h" the same for inlined code.
    std::map<std::string, std::int64_t> inclusive, self, inlined_self, of_chains;

  private:
    struct Frame {
        std::string function;
        std::vector<std::string> chain;  // what it is inlined in, outermost first
        std::string context;             // as Callgrind names the outermost
        std::int64_t cost = 0;           // since it was entered
    };

    static std::vector<std::string> whole_chain(const Frame& frame) {
        std::vector<std::string> chain = frame.chain;
        chain.push_back(frame.function);
        return chain;
    }
    std::uint64_t address_of(const Frame& frame) {
        const auto chain = whole_chain(frame);
        for (std::size_t size = 1; size <= chain.size(); ++size)
            addresses_.try_emplace(
                std::vector<std::string>(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(size)),
                16 + addresses_.size());
        return addresses_.at(chain);
    }
    void call() {
        const Frame& caller = frames_.back();
        const auto from = static_cast<std::size_t>(caller.function[1] - '0');
        const std::size_t callee = is_layered_ ? from + 1 + below(random_, 3) : 1 + below(random_, 6);
        if (callee > 9) return;
        Frame frame{.function = "f" + std::to_string(callee),
                    .chain = whole_chain(caller),
                    .context = caller.context};
        std::size_t hash = callee * 7 + seed_;
        for (const std::string& name : frame.chain) hash = hash * 31 + static_cast<std::size_t>(name[1]);
        if (hash % 5 >= 2 || frame.chain.size() > 3) {  // not inlined
            frame.chain.clear();
            frame.context = frame.function;
            const bool is_again = std::any_of(frames_.begin(), frames_.end(), [&](const Frame& open) {
                return open.chain.empty() && open.function == frame.function;
            });
            if (separates_levels_ && is_again) frame.context += "'2";
        }
        frames_.push_back(frame);
        spend(1);
    }
    void leave() {
        const Frame frame = frames_.back();
        frames_.pop_back();
        if (frame.chain.empty()) {
            auto& call = calls_[{{frames_.back().context, address_of(frames_.back())}, frame.context}];
            ++call.first;
            call.second += frame.cost;
        }
        frames_.back().cost += frame.cost;
    }
    void spend(std::int64_t cost) {
        Frame& last = frames_.back();
        last.cost += cost;
        self_[{last.context, address_of(last)}] += cost;
        self[last.function] += cost;
        if (!last.chain.empty()) inlined_self[last.function] += cost;
        std::set<std::string> functions, chains;
        std::string path;
        for (const Frame& frame : frames_) {
            path += (path.empty() ? "" : " > ") + frame.function;
            functions.insert(frame.function);
            std::string chain = frame.function;
            for (std::size_t i = frame.chain.size(); i-- > 0;) chain.append(" in ").append(frame.chain[i]);
            chains.insert(chain);
        }
        of_paths[path] += cost;
        for (const std::string& function : functions) inclusive[function] += cost;
        for (const std::string& chain : chains) of_chains[chain] += cost;
    }

    std::mt19937_64 random_;
    std::size_t seed_;
    bool separates_levels_, is_layered_;
    std::vector<Frame> frames_;
    std::map<std::vector<std::string>, std::uint64_t> addresses_;
    std::map<std::pair<std::string, std::uint64_t>, std::int64_t> self_;
    std::map<std::pair<std::pair<std::string, std::uint64_t>, std::string>, std::pair<int, std::int64_t>>
        calls_;
};

}  // namespace callcost::test
